//! How two requests relate: the same task in other words, or another task that looks alike.
//!
//! Likeness alone does not tell: "the largest files in Downloads" and "the smallest files in Downloads" share most of their
//! characters. So the differing words decide. Both requests are read with tables of words that mean the same
//! (`english.tsv`, `chinese.tsv`); what is left over on one side forbids that they meet. Requests in different languages
//! never meet, because their words do not. Pure: the answer depends on the two texts alone.

use std::collections::BTreeSet;

use artoo_types::memory::Relatedness;

mod grams;
mod lexicon;
mod numerals;
mod pieces;
mod reading;
mod stem;

use grams::Grams;
use lexicon::{LEXICON, WordClass};
use reading::ParsedRequest;

/// Cosine from which two requests may be one task.
pub const ALIAS_FROM: f64 = 0.5;
/// Cosine from which one request may say something about the other.
pub const HINT_FROM: f64 = 0.3;

/// A request as it is compared. Made once, compared often.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    plain: String,
    said: ParsedRequest,
    grams: Grams,
}

impl Meaning {
    /// What `text` says; the first 2,000 characters are read.
    pub fn of(text: &str) -> Self {
        let said = reading::read(text);
        Self { plain: pieces::plain(text), grams: Grams::of(&said), said }
    }
}

/// How one request relates to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// The kind of relation.
    pub kind: Relatedness,
    /// The cosine of the requests' n-grams, between 0 and 1.
    pub similarity: f64,
    /// What decided, in words.
    pub why: String,
}

/// Relates two requests. Symmetric.
pub fn relate(a: &Meaning, b: &Meaning) -> Relation {
    if a.plain == b.plain && !a.plain.is_empty() {
        return Relation { kind: Relatedness::Same, similarity: 1.0, why: "the same words".to_owned() };
    }
    let similarity = a.grams.cosine(&b.grams);
    let (kind, why) = match difference(&a.said, &b.said) {
        RequestDifference::Nothing if similarity >= ALIAS_FROM => {
            (Relatedness::Alias, "every word has its like".to_owned())
        }
        RequestDifference::Contradiction(why) => (Relatedness::None, why),
        RequestDifference::Nothing => (hint_or_none(similarity), "too little in common".to_owned()),
        RequestDifference::Unknown(why) => (hint_or_none(similarity), why),
    };
    Relation { kind, similarity, why }
}

fn hint_or_none(similarity: f64) -> Relatedness {
    if similarity >= HINT_FROM { Relatedness::Hint } else { Relatedness::None }
}

/// What keeps two requests apart.
enum RequestDifference {
    Nothing,
    /// Words without a like on the other side: perhaps another task.
    Unknown(String),
    /// Both say something else about the same point: surely another task.
    Contradiction(String),
}

/// Verbs whose object and result can change places: what stands behind "to" or "with" must then be the same.
const DIRECTED: [&str; 8] = ["ask", "convert", "translate", "replace", "转换", "翻译", "替换", "列"];

fn difference(a: &ParsedRequest, b: &ParsedRequest) -> RequestDifference {
    let verbs = |said: &ParsedRequest| said.verbs.iter().cloned().collect::<BTreeSet<_>>();
    if a.verbs.first() != b.verbs.first() || verbs(a) != verbs(b) {
        return RequestDifference::Contradiction(format!(
            "{} is not {}",
            a.verbs.join(", "),
            b.verbs.join(", ")
        ));
    }
    if a.negated != b.negated {
        return RequestDifference::Contradiction("one of them negates".to_owned());
    }
    if let Some(role) = differing_role(a, b) {
        return RequestDifference::Contradiction(format!("what stands behind \"{role}\" differs"));
    }
    let (left, right) = (left_over(a, b), left_over(b, a));
    if left.is_empty() && right.is_empty() {
        if a.bounds != b.bounds {
            return RequestDifference::Contradiction("the same word compares with something else".to_owned());
        }
        if a.numbers.len() > 1 && a.numbers != b.numbers {
            return RequestDifference::Contradiction("the numbers stand in another order".to_owned());
        }
        return RequestDifference::Nothing;
    }
    let words = |left: &[(&str, WordClass)]| left.iter().map(|word| word.0).collect::<Vec<_>>().join(", ");
    let why = match (left.is_empty(), right.is_empty()) {
        (false, false) => format!("{} is not {}", words(&left), words(&right)),
        (_, true) => format!("only one says {}", words(&left)),
        (true, false) => format!("only one says {}", words(&right)),
    };
    let decided = |left: &[(&str, WordClass)]| left.iter().any(|word| decides(word.1));
    if !left.is_empty() && !right.is_empty() && (decided(&left) || decided(&right)) {
        RequestDifference::Contradiction(why)
    } else {
        RequestDifference::Unknown(why)
    }
}

/// The words of `a` that `b` does not have, and that no verb says already.
fn left_over<'a>(a: &'a ParsedRequest, b: &ParsedRequest) -> Vec<(&'a str, WordClass)> {
    let implied = |thing: &str| a.verbs.iter().any(|verb| LEXICON.implies(verb, thing));
    a.things
        .iter()
        .filter(|(thing, _)| !b.things.contains_key(*thing) && !implied(thing))
        .map(|(thing, class)| (thing.as_str(), *class))
        .collect()
}

/// The role that is filled differently.
fn differing_role<'a>(a: &'a ParsedRequest, b: &'a ParsedRequest) -> Option<&'a str> {
    let strict = a.verbs.iter().any(|verb| DIRECTED.contains(&verb.as_str()));
    let roles: BTreeSet<&String> = a.roles.keys().chain(b.roles.keys()).collect();
    let differs = |role: &str| match (a.roles.get(role), b.roles.get(role)) {
        (Some(one), Some(other)) => one != other,
        (Some(_), None) | (None, Some(_)) => strict && matches!(role, "to" | "到"),
        (None, None) => false,
    } || conflicts(role, a, b) || conflicts(role, b, a);
    let swaps = a.verbs.iter().any(|verb| verb == "replace") && a.roles != b.roles;
    roles.iter().find(|role| differs(role) || swaps).map(|role| role.as_str())
}

/// Whether something stands behind `role` in `a` and behind another one in `b`.
fn conflicts(role: &str, a: &ParsedRequest, b: &ParsedRequest) -> bool {
    let others = || b.roles.iter().filter(|(other, _)| *other != role).flat_map(|(_, things)| things);
    let here = b.roles.get(role);
    a.roles.get(role).is_some_and(|things| {
        things.iter().any(|thing| {
            others().any(|other| other == thing) && !here.is_some_and(|here| here.contains(thing))
        })
    })
}

/// Whether a word of this class makes another task by itself.
fn decides(class: WordClass) -> bool {
    match class {
        WordClass::Number
        | WordClass::Superlative
        | WordClass::Compare
        | WordClass::Negation
        | WordClass::Place
        | WordClass::Time => true,
        WordClass::Aspect | WordClass::Kind | WordClass::Unit | WordClass::Done | WordClass::Quality => true,
        WordClass::Noun
        | WordClass::Open
        | WordClass::Counted
        | WordClass::Count
        | WordClass::Task
        | WordClass::Verb => false,
        WordClass::Stop
        | WordClass::Prep
        | WordClass::Next
        | WordClass::Soft
        | WordClass::Mark
        | WordClass::Measure => false,
    }
}

#[cfg(test)]
mod tests;
