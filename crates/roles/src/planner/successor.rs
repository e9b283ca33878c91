//! Which new step takes the place of a failed one: what a block on the failed one binds.

use std::collections::BTreeSet;

use artoo_types::tag::fold;

/// How alike two intents must be, as shared words over all words, for one to succeed the other.
const ALIKE: f64 = 0.5;

/// Whether a step with this intent succeeds the failed one: the same words, or at least half of them; a plan of one step
/// succeeds whatever failed.
pub(super) fn succeeds(intent: &str, failed_intent: &str, only_step: bool) -> bool {
    if only_step {
        return true;
    }
    let (a, b) = (words(intent), words(failed_intent));
    let shared = a.intersection(&b).count() as f64;
    let all = a.union(&b).count() as f64;
    all == 0.0 || shared / all >= ALIKE
}

/// Words of the text; for scripts without spaces its single characters.
fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let mut out = BTreeSet::new();
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        if word.is_ascii() {
            out.insert(word.to_owned());
        } else {
            out.extend(word.chars().map(String::from));
        }
    }
    out
}

#[cfg(test)]
mod tests;
