//! Quotations of an answer: what is said to stand somewhere stands there so.
//!
//! Only words that are nearly those of a receipt are held against it. A quotation that no receipt comes near to may be a
//! translation, or a text that the answer proposes itself.

use std::sync::LazyLock;

use artoo_types::text::first_chars;
use regex::Regex;

use crate::{ProofScene, pattern};

/// A text in quotation marks behind a word or a colon by which it is another's.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:\b(?:says?|said|reads?|states?|stated|logs?|logged|shows?|showed|reports?|reported|errors?|messages?|lines?|entry|entries|according to [^"“.\n]{1,40}|contains?|steht|heißt|lautet|meldet|schreibt)|[:：]|写着|显示|说|记录)[\s,:：]*["“„«「]([^"“”„«»「」\n]{12,300})["”“»」]"#,
    )
});
/// A request for the words as they are written.
static VERBATIM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bword for word\b|\bverbatim\b|\bliterally\b|\bexact (?:words|wording|sentence|text|quot\w+)\b|\bquot(?:e|es|ing)\b|原文|逐字|原话|引用",
    )
});
/// Any text in quotation marks.
static IN_MARKS: LazyLock<Regex> = LazyLock::new(|| pattern(r#"["“„«「]([^"“”„«»「」\n]{12,300})["”“»」]"#));
/// What a quotation leaves out.
static OMITTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[?(?:\.{3}|…)\]?"));
/// A line's number, as `read_file` shows it.
static LINE_NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^\s*\d+\t"));
/// A word that tells one text from another.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{L}\p{N}_]{2,}|\p{Han}"));
/// Words that a quotation must have before it is one, and of ten how many must stand in a receipt before it is taken for one of it.
const FEWEST_WORDS: usize = 5;
const NEARLY: usize = 7;

/// Every quotation that is nearly in what is known is in it word for word.
pub(crate) fn are_word_for_word(answer: &str, scene: &ProofScene<'_>) -> Result<(), String> {
    let mut text = None;
    // Where the words themselves are asked for, every quotation is one of them.
    let is_asked = VERBATIM.is_match(scene.request);
    let quotations = if is_asked { &*IN_MARKS } else { &*QUOTED };
    for found in quotations.captures_iter(answer) {
        let quoted = &found[1];
        let known = text.get_or_insert_with(|| plain(&scene.known()));
        for piece in OMITTED.split(quoted).map(plain) {
            let words: Vec<&str> = WORD.find_iter(&piece).map(|word| word.as_str()).collect();
            if words.len() < FEWEST_WORDS
                || known.contains(piece.trim_matches(|c: char| !c.is_alphanumeric()))
            {
                continue;
            }
            let there = words.iter().filter(|word| known.contains(**word)).count();
            if is_asked || there * 10 >= words.len() * NEARLY {
                let shown = first_chars(quoted, 80);
                return Err(format!(
                    "\"{shown}\" is told as a quotation, and no receipt has it so: quote it word for word, or tell it without quotation marks"
                ));
            }
        }
    }
    Ok(())
}

/// The text in small letters with single spaces, without marks of emphasis, escapes and numbers of lines.
fn plain(text: &str) -> String {
    let text = LINE_NUMBER.replace_all(text, "").to_lowercase().replace(['*', '`', '\\'], "");
    let text = text.replace(['’', '‘'], "'");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::are_word_for_word;
    use crate::ProofScene;

    const LOG: &str = "     3\tMay 03 04:10:30 host kernel: Out of memory: Killed process 4410 (backup-agent) total-vm:812000kB\n\
                            4\tMay 03 04:10:31 orders: FATAL: lost connection to the database, shutting down\n\
                            5\tFATAL exit code 1\n";

    #[test]
    fn a_doctored_quotation_is_told_from_a_true_one() {
        let check = |answer: &str, expected: bool| {
            let scene = ProofScene { accepted: vec![LOG], ..ProofScene::default() };
            assert_eq!(are_word_for_word(answer, &scene).is_ok(), expected, "{answer}");
        };
        check("kern.log says \"Out of memory: Killed process 4410 (backup-agent)\".", true);
        check("kern.log says \"Out of memory: Killed process 4410 (orders)\".", false);
        check("The log: “FATAL: lost connection to the database, shutting down”", true);
        check("The log: “FATAL: out of memory, lost connection to the database, shutting down”", false);
        check("It reads \"Out of memory … (backup-agent) total-vm:812000kB\".", true);
        check("I suggest the title \"Killed process of the host and its memory\".", true);
        check("Das Protokoll schreibt: „Der Speicher war voll, deshalb wurde die Sicherung beendet.“", true);
        check("The message \"database lost\" is in it.", true);
        let asked = |answer: &str, expected: bool| {
            let request = "Quote the line about memory word for word";
            let scene = ProofScene { accepted: vec![LOG], request, ..ProofScene::default() };
            assert_eq!(are_word_for_word(answer, &scene).is_ok(), expected, "{answer}");
        };
        asked("\"kernel: Out of memory: Killed process 4410\"", true);
        asked("- \"The system ended a program because all was used up.\"", false);
        asked("- \"… Killed process 4410 (backup-agent) …\" (line 3)", true);
    }
}
