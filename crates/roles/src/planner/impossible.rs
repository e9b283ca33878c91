//! Whether what R2 cites for "nothing can do this" exists. Whether it shows that, no code can tell: a person reads it.

use artoo_request::RequestReading;
use artoo_types::reply::ImpossibleReply;
use artoo_types::situation::Situation;
use artoo_types::text::first_chars;

use super::record::TaskRecord;
use crate::prompt::one_line;

/// Characters of the reason.
const REASON_CHARS: usize = 500;
/// Characters of what is cited.
const CITED_CHARS: usize = 100;
/// Pieces of evidence that are told.
const MAX_CITED: usize = 6;

/// What may be cited.
pub(super) struct KnownEvidence<'a> {
    pub(super) record: &'a TaskRecord,
    pub(super) situation: Option<&'a Situation>,
    pub(super) request: &'a RequestReading,
}

impl KnownEvidence<'_> {
    /// The reason and what shows it, for people.
    ///
    /// # Errors
    /// What is cited and is no evidence; nothing where nothing is cited.
    pub(super) fn reasons(&self, said: &ImpossibleReply) -> Result<Vec<String>, Vec<String>> {
        let cited: Vec<String> =
            said.evidence.iter().map(|word| bare(word)).filter(|w| !w.is_empty()).collect();
        let reason = first_chars(one_line(&said.reason).trim(), REASON_CHARS);
        let unknown: Vec<String> = cited.iter().filter(|word| !self.has(word)).cloned().collect();
        if cited.is_empty() || reason.is_empty() || !unknown.is_empty() {
            return Err(unknown);
        }
        let shown = cited.iter().take(MAX_CITED).cloned().collect::<Vec<_>>().join(", ");
        Ok(vec![reason, format!("shown by {shown}")])
    }

    /// A receipt; a file or program that is there; a file that the request names and that is not there, where all that is
    /// there was seen.
    fn has(&self, word: &str) -> bool {
        self.record.has(word) || self.situation.is_some_and(|place| self.is_seen(place, word))
    }

    fn is_seen(&self, place: &Situation, word: &str) -> bool {
        let name = word.trim_start_matches("./").trim_end_matches('/');
        let is_it = |path: &str| path.trim_end_matches('/') == name;
        let is_there = place.entries.iter().any(|entry| is_it(&entry.path))
            || place.heads.iter().any(|head| is_it(&head.path))
            || place.programs.iter().any(|program| program == name);
        let is_missed = || {
            let named = self.request.files.iter().any(|file| file.trim_start_matches("./") == name);
            named && !place.has_more && !name.starts_with(['/', '~']) && !name.starts_with("..")
        };
        is_there || is_missed()
    }
}

/// Models like to write `[r3]` or `receipt r3` for `r3`.
fn bare(word: &str) -> String {
    let word = one_line(word);
    let word = word.trim().trim_matches(['[', ']', '`', '"']);
    first_chars(word.strip_prefix("receipt ").unwrap_or(word).trim(), CITED_CHARS)
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::evidence::{CallEnd, Receipt};
    use artoo_types::reply::ImpossibleReply;
    use artoo_types::situation::{FileHead, PlaceEntry, Situation};

    use super::{KnownEvidence, TaskRecord};

    fn receipt(id: &str, end: CallEnd) -> Receipt {
        Receipt { end, ..Receipt::quiet(EvidenceId(id.to_owned()), "glob") }
    }

    fn place() -> Situation {
        Situation {
            entries: vec![PlaceEntry { path: "items.csv".to_owned(), bytes: 9 }],
            heads: vec![FileHead { path: "src/a.rs".to_owned(), text: String::new() }],
            programs: vec!["jq".to_owned()],
            ..Situation::default()
        }
    }

    /// Whether "no column price" counts with this evidence, and what is told to be none.
    #[track_caller]
    fn check(situation: Option<&Situation>, evidence: &[&str], unknown: Option<&[&str]>) {
        let mut record = TaskRecord::default();
        record.note(&receipt("r3", CallEnd::Ran));
        record.note(&receipt("r4", CallEnd::Refused));
        let request = artoo_request::read("Summarise report-2024.txt and /etc/secret.txt");
        let said = ImpossibleReply {
            reason: "no column\nprice".to_owned(),
            evidence: evidence.iter().map(|word| (*word).to_owned()).collect(),
        };
        let found = KnownEvidence { record: &record, situation, request: &request }.reasons(&said);
        match unknown {
            Some(unknown) => assert_eq!(found.expect_err("it is no evidence"), unknown, "{evidence:?}"),
            None => assert_eq!(found.expect("it counts")[0], "no column price", "{evidence:?}"),
        }
    }

    #[test]
    fn only_what_code_knows_is_evidence() {
        let place = place();
        let more = Situation { has_more: true, ..place.clone() };
        check(Some(&place), &["[r3]", "items.csv", "./src/a.rs", "jq", "receipt r3"], None);
        check(Some(&place), &["report-2024.txt"], None);
        check(Some(&more), &["report-2024.txt"], Some(&["report-2024.txt"]));
        check(Some(&place), &["/etc/secret.txt"], Some(&["/etc/secret.txt"]));
        check(Some(&place), &["r3", "r4", "other.csv"], Some(&["r4", "other.csv"]));
        check(None, &["items.csv"], Some(&["items.csv"]));
        check(Some(&place), &[" "], Some(&[]));
    }
}
