//! Which requests are remembered under which tags, so that a request in other words finds them.
//!
//! What is recalled says by which remembered request it was found, so that a plan can tell the same task from one that merely looks
//! alike: of the latter a hint remains, which warns and forbids nothing.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::memory::{Relatedness, Via};
use artoo_types::tag::{Tag, fold};
use uuid::Uuid;

use crate::relate::{Meaning, Relation, relate};

/// The space of every tag of a request begins with this.
pub const INTENTS: &str = "intent:";
/// Most requests that are compared: 10,000 comparisons of some 50 n-grams take a few milliseconds, and the memory of one
/// is about 2 KB. Beyond it a new request is found by its own tag alone.
pub const MAX_REQUESTS: usize = 10_000;
/// Most wordings of one tag: they share their first words, and the memories of one tag are of one kind mostly.
const MAX_WORDINGS: usize = 8;

/// The requests that are remembered. Derived from the memories: it can be made anew at any time.
#[derive(Debug, Clone, Default)]
pub struct KnownRequests {
    tags: BTreeMap<Tag, Vec<(String, Meaning)>>,
    count: usize,
    /// Pairs of requests that the operator keeps apart.
    separate: BTreeSet<Uuid>,
}

/// A remembered request that relates to one that is asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct RelatedRequest {
    /// Where its memories are.
    pub tag: Tag,
    /// How it relates.
    pub via: Via,
}

impl KnownRequests {
    /// Takes a request in, if there is room and its wording is new. Empty text is no request.
    pub fn insert(&mut self, tag: &Tag, request: &str) {
        if self.count >= MAX_REQUESTS || request.is_empty() {
            return;
        }
        let wordings = self.tags.entry(tag.clone()).or_default();
        if wordings.len() < MAX_WORDINGS && wordings.iter().all(|known| known.0 != request) {
            wordings.push((request.to_owned(), Meaning::of(request)));
            self.count += 1;
        }
    }

    /// Keeps a [`pair`] of requests apart: each is another task than the other, however alike.
    pub fn separate(&mut self, pair: Uuid) {
        self.separate.insert(pair);
    }

    /// The tags with a request that relates to this one, closest first: each with its closest wording. Its own tag is
    /// among them.
    pub fn related(&self, request: &str) -> Vec<RelatedRequest> {
        let asked = Meaning::of(request);
        let mut found: Vec<RelatedRequest> = self
            .tags
            .iter()
            .filter_map(|(tag, wordings)| {
                self.closest(request, &asked, wordings).map(|via| RelatedRequest { tag: tag.clone(), via })
            })
            .filter(|recalled| recalled.via.relation != Relatedness::None)
            .collect();
        found.sort_by(|a, b| {
            let kind = a.via.relation.cmp(&b.via.relation);
            kind.then(b.via.similarity.total_cmp(&a.via.similarity)).then_with(|| a.tag.cmp(&b.tag))
        });
        found
    }

    /// A tag holds the first words of a request alone, so another task may share it ("find the ten largest", "find the ten
    /// smallest"). `Some` when every request that is remembered under `tag` is another task: with the one that is most
    /// alike, as a hint.
    pub fn namesake(&self, tag: &Tag, request: &str) -> Option<Via> {
        let via = self.closest(request, &Meaning::of(request), self.tags.get(tag)?)?;
        (via.relation == Relatedness::None).then_some(Via { relation: Relatedness::Hint, ..via })
    }

    fn closest(&self, request: &str, asked: &Meaning, wordings: &[(String, Meaning)]) -> Option<Via> {
        let related = wordings.iter().map(|(wording, meaning)| {
            let relation = relate(asked, meaning);
            (wording, if self.keeps_apart(request, wording) { apart(&relation) } else { relation })
        });
        let best = related.min_by(|a, b| {
            a.1.kind.cmp(&b.1.kind).then(b.1.similarity.total_cmp(&a.1.similarity)).then_with(|| a.0.cmp(b.0))
        });
        best.map(|(request, Relation { kind, similarity, why })| Via {
            request: request.clone(),
            relation: kind,
            similarity,
            why,
        })
    }

    fn keeps_apart(&self, request: &str, wording: &str) -> bool {
        !self.separate.is_empty() && self.separate.contains(&pair(request, wording))
    }
}

/// The relation of two requests that the operator keeps apart, whatever their words say.
pub fn apart(relation: &Relation) -> Relation {
    Relation {
        kind: Relatedness::None,
        why: "you said that they are different tasks".to_owned(),
        ..*relation
    }
}

/// The id of a pair of requests. Neither their order nor case, width and punctuation matter.
pub fn pair(first: &str, second: &str) -> Uuid {
    let words = |request: &str| {
        let folded = fold(request);
        let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    };
    let mut both = [words(first), words(second)];
    both.sort();
    Uuid::new_v5(&PAIRS, both.join("\n").as_bytes())
}

/// The name space of the ids of pairs.
const PAIRS: Uuid = Uuid::from_u128(0x9d0c_6ac2_7c1f_4b0e_8a35_51f0_6d1b_77e4);

#[cfg(test)]
mod tests {
    use artoo_types::memory::Relatedness;
    use artoo_types::tag::Tag;

    use super::{KnownRequests, MAX_REQUESTS, pair};

    fn knowing(requests: &[&str]) -> KnownRequests {
        let mut known = KnownRequests::default();
        for request in requests {
            known.insert(&Tag::intent(request), request);
        }
        known
    }

    #[test]
    fn the_same_task_in_other_words_comes_before_what_only_looks_alike() {
        let known = knowing(&[
            "Delete the largest files in Downloads",
            "Find the largest files",
            "Show the ten largest files in the Downloads folder",
            "Find the ten largest files in Documents",
        ]);
        let found = known.related("Find the 10 biggest files in Downloads");
        let kinds: Vec<_> =
            found.iter().map(|recalled| (recalled.via.relation, recalled.via.request.as_str())).collect();
        assert_eq!(
            kinds,
            [
                (Relatedness::Alias, "Show the ten largest files in the Downloads folder"),
                (Relatedness::Hint, "Find the largest files"),
            ]
        );
    }

    #[test]
    fn a_tag_that_only_another_task_has_used_is_a_namesake() {
        let known = knowing(&["Find the ten largest files"]);
        let tag = Tag::intent("Find the ten largest files");
        let namesake = |request: &str| known.namesake(&tag, request).map(|via| via.relation);
        assert_eq!(namesake("Find the ten smallest files"), Some(Relatedness::Hint));
        assert_eq!(namesake("Find the ten largest files"), None);
        assert_eq!(namesake("Find the ten biggest files"), None);
        assert_eq!(
            known.namesake(&Tag::intent("list all logs"), "list all logs"),
            None,
            "nothing is known of it"
        );
    }

    #[test]
    fn what_is_known_is_bounded() {
        let mut known = KnownRequests::default();
        for number in 0..MAX_REQUESTS + 10 {
            known.insert(&Tag::new(&format!("intent:{number}"), "env:local"), "x");
        }
        assert_eq!(known.related("x").len(), MAX_REQUESTS);
        let mut one = KnownRequests::default();
        let tag = Tag::intent("list the files");
        for number in 0..100 {
            one.insert(&tag, &format!("list the files {number}"));
        }
        assert_eq!(one.count, super::MAX_WORDINGS);
    }

    #[test]
    fn requests_that_are_kept_apart_are_different_tasks() {
        let remembered = "Show the ten largest files in the Downloads folder";
        let asked = "Find the 10 biggest files in Downloads";
        let mut known = knowing(&[remembered]);
        assert_eq!(known.related(asked)[0].via.relation, Relatedness::Alias);
        known.separate(pair(&asked.to_uppercase(), &format!("{remembered}!")));
        assert_eq!(known.related(asked), []);
        assert_eq!(known.related(remembered)[0].via.relation, Relatedness::Same, "others relate as before");
        let namesake = known.namesake(&Tag::intent(remembered), asked).expect("it is known as another task");
        assert_eq!(
            (namesake.relation, namesake.why.as_str()),
            (Relatedness::Hint, "you said that they are different tasks")
        );
    }

    #[test]
    fn a_pair_has_no_order_and_its_texts_do_not_run_together() {
        assert_eq!(pair("a b", "c"), pair("C!", "A  b"));
        assert_ne!(pair("a b", "c"), pair("a", "b c"));
    }
}
