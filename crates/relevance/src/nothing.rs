//! Whether nothing was found, where a result or an answer says so.

use std::sync::LazyLock;

use artoo_types::evidence::{CallEnd, EffectClass, NO_MATCH, Receipt};
use artoo_types::tool::names::{GREP, SHELL};
use regex::Regex;

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

#[cfg(test)]
mod tests {
    use artoo_types::evidence::Receipt;
    use artoo_types::{EffectId, EvidenceId};

    use super::{not_denied, shown};

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
}
