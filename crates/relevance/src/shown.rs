//! What one receipt shows.

use std::sync::LazyLock;

use artoo_types::claim::ClaimedEffect;
use artoo_types::evidence::{CallEnd, ChangeKind, EffectClass, Receipt};
use artoo_types::tool::names::SHELL;
use regex::Regex;
use serde_json::Value;

/// Programs that do nothing and only say what they are told to.
const IDLE: [&str; 7] = ["true", "false", ":", "echo", "printf", "yes", "test"];
/// Programs that show nothing of the work, unless the plan wants exactly them.
const IDLE_UNLESS_PLANNED: [&str; 14] = [
    "sleep", "date", "pwd", "whoami", "hostname", "id", "clear", "uname", "tty", "exit", "set", "cd", "seq",
    "wait",
];

/// An interpreter with a script that prints one text and computes nothing, and a shell with an echo.
static SAYING_SCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    #[allow(clippy::expect_used, reason = "the pattern is a constant that the tests compile")]
    Regex::new(
        r#"(?x)^\s*(?:
            (?:python3?|perl|ruby|node|php|lua)\s+-[cer]\s+["']\s*(?:print|puts|echo|console\.log|say)\s*\(?\s*\\?["'][^"'(){}$]*\\?["']\s*\)?\s*;?\s*["']
            |(?:sh|bash|zsh|dash)\s+-c\s+["']\s*(?:echo|printf)\s[^;&|$<>`]*["']
            |[gmn]?awk\s+["']\s*BEGIN\s*\{\s*print\s+"[^"]*"\s*;?\s*\}\s*["']
        )\s*$"#,
    )
    .expect("a constant pattern compiles")
});
/// Programs whose exit status other than 0 is an answer.
const ANSWERING: [(&[&str], i64); 5] = [
    (&["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep"], 1),
    (&["diff", "cmp", "colordiff", "sdiff", "diff3"], 1),
    (&["test", "["], 1),
    (&["pgrep", "pidof"], 1),
    (&["which", "command", "type", "hash"], 1),
];
/// Switches by which `git` answers with its exit status.
const GIT_ANSWERS: [&str; 3] = ["--exit-code", "--quiet", "--no-index"];
/// Programs that fail on a path that is not there: an answer where absence is asked for.
const LOOKING: [&str; 4] = ["ls", "stat", "cat", "file"];
/// Words of absence, in both languages.
const ABSENT: [&str; 9] =
    ["gone", "absent", "no longer", "not exist", "does not", "deleted", "不存在", "已删除", "没有"];

/// Whether the call neither does nor looks at anything: all of its programs are idle, and nothing came of it.
pub(crate) fn is_idle(receipt: &Receipt, planned: &[&str]) -> bool {
    let programs: Vec<&str> = programs(receipt).collect();
    let quiet = |program: &&str| {
        let wanted = || planned.iter().any(|p| p.split_once(':').is_some_and(|(_, name)| name == *program));
        IDLE.contains(program) || IDLE_UNLESS_PLANNED.contains(program) && !wanted()
    };
    let is_test = programs.contains(&"test");
    let does_nothing = !programs.is_empty() && !is_test && programs.iter().all(quiet);
    let only_says = command(receipt).is_some_and(|command| only_says(&command));
    receipt.act.changes.is_empty() && (only_says || receipt.effect == EffectClass::Read && does_nothing)
}

/// Whether the command only says what it was told to: a script of one line that prints a text, or an echo through filters
/// that read nothing else.
fn only_says(command: &str) -> bool {
    const FILTERS: [&str; 9] = ["cat", "tee", "sort", "uniq", "head", "tail", "tr", "fold", "nl"];
    if SAYING_SCRIPT.is_match(command) {
        return true;
    }
    let parts: Vec<&str> = command.split('|').map(str::trim).collect();
    let first = parts[0].split_whitespace().next().unwrap_or_default();
    let is_filter = |part: &&str| {
        let mut words = part.split_whitespace();
        let known = words.next().is_some_and(|program| FILTERS.contains(&program));
        known && words.all(|word| word.starts_with('-') || word.chars().all(|c| c.is_ascii_digit()))
    };
    matches!(first, "echo" | "printf")
        && !command.contains([';', '&', '$', '<', '>', '`', '\n'])
        && parts.len() > 1
        && parts[1..].iter().all(is_filter)
}

/// The programs that a shell call ran.
pub(crate) fn programs(receipt: &Receipt) -> impl Iterator<Item = &str> {
    receipt
        .classes
        .iter()
        .filter_map(|class| class.split_once(':'))
        .filter(|(tool, _)| *tool == SHELL)
        .map(|(_, p)| p)
}

/// Whether the exit status, which is not 0, answers what the text asks.
pub(crate) fn exit_means_something(receipt: &Receipt, text: &str) -> bool {
    let Some(exit) = receipt.exit else { return false };
    let is_answer = ANSWERING
        .iter()
        .any(|(names, answer)| exit == *answer && programs(receipt).any(|program| names.contains(&program)));
    let is_git = exit == 1
        && programs(receipt).any(|program| program == "git")
        && GIT_ANSWERS.iter().any(|switch| receipt.arguments.contains(switch));
    let folded = text.to_lowercase();
    let is_absence = exit <= 2
        && programs(receipt).any(|program| LOOKING.contains(&program))
        && ABSENT.iter().any(|word| folded.contains(word));
    is_answer || is_git || is_absence
}

/// Whether the call had this effect: by the files that it changed, else by the class of what it does.
pub(crate) fn shows_effect(receipt: &Receipt, effect: ClaimedEffect) -> bool {
    if receipt.end != CallEnd::Ran || receipt.exit.is_some_and(|e| e != 0) && receipt.act.changes.is_empty() {
        return false;
    }
    let kinds: &[ChangeKind] = match effect {
        ClaimedEffect::Made | ClaimedEffect::Changed => &[ChangeKind::Made, ChangeKind::Changed],
        ClaimedEffect::Deleted | ClaimedEffect::Moved => &[ChangeKind::Deleted],
        ClaimedEffect::Sent => &[],
    };
    if receipt.act.changes.iter().any(|change| kinds.contains(&change.kind)) {
        return true;
    }
    let told_by_files = !receipt.act.changes.is_empty() && receipt.act.changes_omitted == 0;
    // What these do is in files, and the places where they might do it were looked at.
    let did_nothing = receipt.act.changes.is_empty()
        && receipt.act.changes_omitted == 0
        && matches!(receipt.effect, EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete);
    if did_nothing {
        return false;
    }
    let by_class: &[EffectClass] = match effect {
        ClaimedEffect::Made | ClaimedEffect::Changed | ClaimedEffect::Moved if receipt.tool == SHELL => &[
            EffectClass::Create,
            EffectClass::Overwrite,
            EffectClass::Delete,
            EffectClass::System,
            EffectClass::Unknown,
        ],
        ClaimedEffect::Made | ClaimedEffect::Changed => {
            &[EffectClass::Create, EffectClass::Overwrite, EffectClass::System, EffectClass::Unknown]
        }
        ClaimedEffect::Moved => &[
            EffectClass::Create,
            EffectClass::Overwrite,
            EffectClass::Delete,
            EffectClass::System,
            EffectClass::Unknown,
        ],
        ClaimedEffect::Deleted => &[EffectClass::Delete, EffectClass::System, EffectClass::Unknown],
        ClaimedEffect::Sent => &[EffectClass::Send, EffectClass::System, EffectClass::Unknown],
    };
    let is_sent = effect == ClaimedEffect::Sent;
    by_class.contains(&receipt.effect) && (is_sent || !told_by_files)
}

/// The command line of a shell call.
pub(crate) fn command(receipt: &Receipt) -> Option<String> {
    let arguments: Value = serde_json::from_str(&receipt.arguments).ok()?;
    Some(arguments.get("command")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::only_says;

    #[test]
    fn what_only_says_its_own_words_is_told_from_what_looks() {
        for command in [
            "python3 -c \"print('proj: 12 tests passed, 0 failed')\"",
            "python -c 'print(\"12 passed\")'",
            "bash -c 'echo 12 passed'",
            "awk 'BEGIN { print \"12 passed\" }'",
            "echo 'unit: 12 tests passed' | cat",
            "printf '3\\n' | sort | head -n 1",
        ] {
            assert!(only_says(command), "{command}");
        }
        for command in [
            "python3 -c \"print(sum([1, 2]))\"",
            "python3 -c \"print(open('a').read())\"",
            "bash -c 'echo $(ls)'",
            "echo x | grep x ./a.txt",
            "echo x; cat ./a.txt | sort",
            "cat ./a.txt | head -n 1",
            "echo a >> ./b.txt",
            "awk '{print \"x\" $1}' ./a.txt",
        ] {
            assert!(!only_says(command), "{command}");
        }
    }
}
