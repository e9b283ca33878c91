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
mod tests {
    use super::succeeds;

    #[test]
    fn at_least_half_of_the_words_make_a_successor() {
        for (intent, failed, expected) in [
            ("find the notes", "find the notes", true),
            ("Find the NOTES!", "find the notes", true),
            ("find my notes", "find the notes", true),
            ("find notes", "find the old notes", true),
            ("find my mails", "find the notes", false),
            ("count words", "find the notes", false),
            ("", "find the notes", false),
            ("列出下载文件", "列出下载的文件", true),
            ("删除旧的照片", "列出下载文件", false),
        ] {
            assert_eq!(succeeds(intent, failed, false), expected, "{intent} after {failed}");
            assert_eq!(succeeds(failed, intent, false), expected, "the relation is symmetric");
            assert!(succeeds(intent, failed, true), "the only step succeeds whatever failed");
        }
    }
}
