//! Whether nothing was found, where a result or an answer says so.

use std::sync::LazyLock;

use artoo_request::RequestReading;
use artoo_types::evidence::{CallEnd, EffectClass, NO_MATCH, Receipt};
use artoo_types::tool::names::{GREP, SHELL};
use regex::Regex;

use crate::pattern;
use crate::shown::{command, is_idle, programs};

/// Programs that print what they found.
const SEARCHING: [&str; 9] = ["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep", "find"];

/// "Does not contain the word panic", "no lines with ERROR", "没有“错误”".
static DENIED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        r#"(?i)\b(?:not|n't|never)\s+(?:contain|hold|include|mention|have|say)s?\s+(?:the\s+|any\s+|a\s+)?(?:word\s+|text\s+|string\s+)?["'`“]?([\w.-]{3,40})"#,
        r#"(?i)\bno\s+(?:lines?|match(?:es)?|occurrences?|mentions?|entries|entry|hits?|results?)\s+(?:of|with|for|containing|that contain|that hold)\s+(?:the\s+)?(?:word\s+)?["'`“]?([\w.-]{3,40})"#,
        r#"(?:没有|不包含|不含|未找到|找不到)[“"「`]([^”"」`]{1,40})[”"」`]"#,
    ];
    #[allow(clippy::expect_used, reason = "the patterns are constants that the tests compile")]
    patterns.iter().map(|pattern| Regex::new(pattern).expect("a constant pattern compiles")).collect()
});

/// Programs that print a digest of each file.
const DIGESTING: [&str; 6] = ["sha256sum", "sha1sum", "sha512sum", "md5sum", "shasum", "b2sum"];
/// A digest.
static DIGEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{32,128}\b"));
/// Words that call things the same, and words that tell them apart.
static SAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bidentical\b|\bthe same\b|\bequal\b|\bagree\b|一致|相同|一样"));
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bnot (?:\w+ )?(?:identical|the same|equal|agree)|n't (?:agree|identical|the same)|\bdiffer|\bdisagree|不一致|不同|不一样",
    )
});

/// A call that looks came back empty, and none like it found something later.
pub(crate) fn shown(receipts: &[&Receipt]) -> Result<(), String> {
    let looking: Vec<&Receipt> = receipts
        .iter()
        .copied()
        .filter(|r| r.end == CallEnd::Ran && r.effect == EffectClass::Read && !is_idle(r, &[]))
        .collect();
    let Some(at) = looking.iter().rposition(|receipt| is_empty(receipt)) else {
        let found = looking.last().map_or_else(String::new, |receipt| format!("; {} has output", receipt.id));
        return Err(format!("no call came back empty{found}"));
    };
    let later =
        looking[at + 1..].iter().find(|receipt| receipt.blame == looking[at].blame && !is_empty(receipt));
    match later {
        Some(found) => Err(format!("{} found something", found.id)),
        None => Ok(()),
    }
}

fn is_empty(receipt: &Receipt) -> bool {
    matches!(receipt.output.trim(), "" | NO_MATCH)
}

/// What the answer says is not there was not found by the last search for it.
pub(crate) fn not_denied(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    for regex in DENIED.iter() {
        for captures in regex.captures_iter(answer) {
            let word = captures[1].trim_end_matches(['.', '-']).to_lowercase();
            let is_about = |receipt: &&&Receipt| {
                if receipt.tool == GREP {
                    return receipt.arguments.to_lowercase().contains(&word);
                }
                let searched =
                    command(receipt).filter(|_| receipt.tool == SHELL).unwrap_or_default().to_lowercase();
                programs(receipt).any(|program| SEARCHING.contains(&program)) && searched.contains(&word)
            };
            let Some(last) = receipts.iter().rfind(is_about) else { continue };
            let finds = last.succeeded() && !is_empty(last) && last.output.to_lowercase().contains(&word);
            if finds {
                return Err(format!("{} found \"{word}\", which the answer says is not there", last.id));
            }
        }
    }
    Ok(())
}

/// Where the answer is about the person's machine or files, some call ran: words alone are made up.
pub(crate) fn is_looked_at(reading: &RequestReading, receipts: &[&Receipt]) -> Result<(), String> {
    let ran = |receipt: &&Receipt| receipt.end == CallEnd::Ran;
    match reading.about_surroundings && !receipts.iter().any(ran) {
        true => {
            Err("no call looked at what the request asks about; look, or say that it is not known".to_owned())
        }
        false => Ok(()),
    }
}

/// What the answer calls the same was not told apart by the last call that compared it.
pub(crate) fn not_told_apart(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    if !SAME.is_match(answer) || OTHER.is_match(answer) {
        return Ok(());
    }
    let ran = || receipts.iter().filter(|receipt| receipt.end == CallEnd::Ran && receipt.tool == SHELL);
    let differs = |receipt: &&&Receipt| {
        let names = |list: &[&str]| programs(receipt).any(|program| list.contains(&program));
        let digests: Vec<&str> = DIGEST.find_iter(&receipt.output).map(|digest| digest.as_str()).collect();
        let all_differ = digests.len() == 2 && digests[0] != digests[1];
        names(&["diff", "cmp"]) && receipt.exit == Some(1) || names(&DIGESTING) && all_differ
    };
    let compares = |receipt: &&&Receipt| {
        programs(receipt).any(|program| ["diff", "cmp"].contains(&program) || DIGESTING.contains(&program))
    };
    match ran().rfind(compares).filter(differs) {
        Some(last) => Err(format!("{} tells apart what the answer calls the same", last.id)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::Receipt;
    use artoo_types::{EffectId, EvidenceId};

    use super::{is_looked_at, not_denied, not_told_apart, shown};

    fn call(number: u64, program: &str, command: &str, output: &str) -> Receipt {
        Receipt {
            classes: vec![format!("shell:{program}")],
            blame: format!("shell:{program}"),
            arguments: serde_json::json!({ "command": command }).to_string(),
            output: output.to_owned(),
            ..Receipt::quiet(EvidenceId::receipt(EffectId(number)), "shell")
        }
    }

    #[test]
    fn nothing_is_shown_by_a_search_that_came_back_empty_and_by_no_idle_call() {
        let empty = call(1, "grep", "grep x a.txt", "");
        let found = call(2, "grep", "grep y a.txt", "y");
        let listed = call(3, "ls", "ls", "a.txt");
        let idle = call(4, "true", "true", "");
        assert!(shown(&[&empty]).is_ok());
        assert!(shown(&[&found, &empty, &listed]).is_ok());
        assert!(shown(&[&empty, &found]).is_err(), "a later search found something");
        assert!(shown(&[&found]).is_err());
        assert!(shown(&[&idle]).is_err());
    }

    #[test]
    fn what_a_search_found_is_not_denied() {
        let found = call(1, "grep", "grep -n panic app.log", "1:kernel panic");
        let empty = call(2, "grep", "grep -n error app.log", "");
        let all = [&found, &empty];
        for denial in
            ["app.log does not hold the word panic.", "There are no lines with panic.", "没有“panic”。"]
        {
            assert!(not_denied(denial, &all).is_err(), "{denial}");
        }
        for honest in
            ["app.log does not contain error.", "It holds panic.", "It does not say why.", "没有“error”。"]
        {
            assert!(not_denied(honest, &all).is_ok(), "{honest}");
        }
        let by_tool = Receipt {
            arguments: r#"{"path":"app.log","pattern":"oops"}"#.to_owned(),
            output: "1:oops".to_owned(),
            ..Receipt::quiet(EvidenceId::receipt(EffectId(3)), "grep")
        };
        assert!(not_denied("app.log does not contain oops.", &[&by_tool]).is_err());
    }

    #[test]
    fn what_a_comparison_tells_apart_is_not_the_same() {
        let check = |answer: &str, receipt: &Receipt, expected: bool| {
            assert_eq!(not_told_apart(answer, &[receipt]).is_ok(), expected, "{answer}");
        };
        let (one, other) = ("a".repeat(64), "b".repeat(64));
        let sums = |first: &str, second: &str| {
            call(1, "sha256sum", "sha256sum x y", &format!("{first}  x\n{second}  y\n"))
        };
        check("Yes, x and y are identical.", &sums(&one, &other), false);
        check("Yes, x and y are identical.", &sums(&one, &one), true);
        check("No, x and y are not identical.", &sums(&one, &other), true);
        let compared = Receipt { exit: Some(1), ..call(1, "cmp", "cmp x y", "x y differ: byte 1") };
        check("x 和 y 一致", &compared, false);
        check("x 和 y 不一致", &compared, true);
    }

    #[test]
    fn what_is_here_is_not_told_without_a_look() {
        let mail = artoo_request::read("Do I have new mail?");
        assert!(is_looked_at(&mail, &[]).is_err());
        assert!(is_looked_at(&mail, &[&call(1, "ls", "ls Maildir/new", "")]).is_ok());
        assert!(is_looked_at(&artoo_request::read("What is a mailbox?"), &[]).is_ok());
    }
}
