//! Whether a call that ran something shows how that ended.

use std::sync::LazyLock;

use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::tool::names::SHELL;
use regex::Regex;

use crate::pattern;
use crate::pieces::{CommandPiece, pieces};
use crate::shown::{command, programs};

/// Words that say that something went well.
static WENT_WELL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|without errors?)\b|\bran \d+ tests?\b[^\n]{0,40}\bok\b|\b(?:no|zero|0|without(?: any)?) (?:test )?fail(?:ures?|ed|ing)\b|\b(?:no tests?|none(?: of (?:them|the tests))?|nothing) (?:has |have )?fail(?:s|ed)?\b|\bno failing tests?\b|\b(?:laufen|liefen|läuft|lief|gelaufen)\b[^.\n]{0,40}\bdurch\b|\bdurchgelaufen\b|\bbestanden\b|\berfolgreich\w*|\bgrün\b|\b(?:fehlerfrei|ohne fehl\w+|kein\w* fehl\w+)\b|通过|成功|(?:没有|无|未|零|0 ?个)[^，。；\n]{0,6}失败",
    )
});
/// Words that say that a commit was made, and words of `git` that make one.
static COMMITTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bcommitted\b|已提交|提交了"));
static NOT_COMMITTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:not|never|nothing|un|without being)[ -]?committed\b|未提交|没有提交")
});
static COMMITS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:commit|merge|cherry-pick|revert|rebase|am|pull|commit-tree)\b"));
/// Words for tests.
static TESTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\btests?\b|\btest(?:fälle|fall|lauf|läufe|suite)\b|测试|用例"));
/// What runs tests, as it stands in a command, and what its output says of them.
static RUNNER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:tests?|unittest|pytest|py\.test|nosetests?|nose2|tox|nox|jest|vitest|mocha|jasmine|karma|rspec|minitest|phpunit|ctest|nextest|gotestsum|bats)\b|测试",
    )
});
static RAN_TESTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?im)^Ran \d+ tests?\b|\b\d+ (?:tests? )?(?:passed|failed)\b|^test result:"));
/// The end of a command line that makes its exit status 0 whatever came before.
static MASKED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:\|\|\s*(?:true|:|exit 0|echo\b[^|&]*|printf\b[^|&]*)|;\s*(?:true|:|exit 0))\s*\)?\s*$")
});
/// A last command that only says something, whatever came before; `echo $?` tells how that ended.
static LAST_WORDS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[;\n]\s*(?:echo|printf)\b[^;|&$\n]*$"));
/// What runners of tests say when some failed.
static FAILURES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?im)\b[1-9]\d* (?:tests? )?(?:failed|failures?|failing|errors?)\b|\b(?:failures|failed|errors)\s*[:=]\s*[1-9]|^(?:FAILED|FAIL)\b|test result: FAILED",
    )
});
/// Words of an answer that itself says that something fails: "2 of 3 pass, test_fetch still fails". What failed before is told of
/// by every answer.
static ADMITS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:fails|(?:still|cannot|does not|do not|doesn't|don't) (?:fail\w*|pass|run)|(?:[1-9]\d*|one|two|three) (?:tests? |of \S+ )?(?:fail|fails|is failing|are failing)|FAILED \((?:failures|errors)=[1-9]|schl(?:ägt|agen)\b[^.\n]{0,30}\bfehl|fehlgeschlagen|(?:nicht|keine?r?) (?:bestanden|durch\w*))\b|仍然?失败|还是失败|[1-9一两三]\s*个[^，。\n]{0,6}(?:失败|未通过|没有通过)",
    )
});
/// The same words where they deny it.
static DENIES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:none|nothing|no (?:\w+ )?tests?|never|no longer)\b[^.\n]{0,20}\bfails?\b|\b(?:no|0|zero|without(?: any)?) (?:tests? )?fail\w*|\bkeine?[rn]?\b[^.\n]{0,20}\b(?:fehl\w*|schl(?:ägt|agen) fehl)|(?:没有|无|未|零|0 ?个)[^，。；\n]{0,6}失败",
    )
});
/// Words of a summary that say how a run ended.
static ENDED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bok\b|\bran\b"));
/// What a shell says of a command line that it cannot run, or not all of it.
static COMPLAINS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)^(?:/(?:usr/)?bin/)?(?:ba|da|z)?sh: (?:-c: )?(?:line )?\d+: |^zsh:\d+: |: command not found$",
    )
});
/// What runners say of a test that failed, and of what was wrong.
static NAMES_FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:FAIL|ERROR|not ok|E  |---? FAIL)\b|\b\w*(?:Error|Exception): |\bpanicked at\b|^\s*assertion ",
    )
});
/// Words by which an answer says that tests pass now.
static PASS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:all|both|every|the|\d+)(?: \w+){0,2} tests?(?: now| all| still| again)* (?:pass|passes|passed|succeed|succeeded|are green|are passing)\b(?:\s*[.,;:!)\n]|\s+(?:now|again|and|with)\b|\s*$)|测试(?:现在)?(?:已经)?(?:全部|全都|都|均)?通过",
    )
});
/// What they say when there was nothing to run.
static NOTHING_RAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:ran 0 tests|no tests ran|collected 0 items|no tests (?:to run|found)|0 tests)\b")
});
static SOME_PASSED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b[1-9]\d* (?:tests? )?(?:passed|ok)\b"));
/// The last line of a run of `unittest`, and lines of the Test Anything Protocol.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:OK|FAILED)\b|^(?:not )?ok \d"));
/// Programs that look at a file and do not run it.
const LOOKING: [&str; 17] = [
    "cat", "ls", "head", "tail", "grep", "rg", "wc", "stat", "file", "less", "sed", "awk", "find", "diff",
    "chmod", "test", "echo",
];

/// A command that reads a script and runs none of it.
static FORM_CHECK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*(?:(?:ba|da|z|k)?sh\s+-n|python3?\s+-m\s+py_compile|node\s+(?:--check|-c))\s[^;&|\n]*$")
});

/// Whether the text says that something went well.
pub fn says_well(text: &str) -> bool {
    WENT_WELL.is_match(text)
}

/// Whether the text speaks of tests.
pub(crate) fn speaks_of_tests(text: &str) -> bool {
    TESTS.is_match(text)
}

/// The exit status of the call is that of what it ran, where the text says that it went well.
pub(crate) fn tells_its_end(receipt: &Receipt, text: &str) -> Result<(), String> {
    let masked = command(receipt).is_some_and(|command| MASKED.is_match(&command));
    if says_well(text) && (masked || says_only_its_words(receipt)) {
        return Err(format!(
            "{} ends well whatever it ran; run it so that its own exit status shows",
            receipt.id
        ));
    }
    if says_well(text) && TESTS.is_match(text) {
        if FAILURES.is_match(&receipt.output) && !admits_failures(text) {
            return Err(format!("{} tells of failures", receipt.id));
        }
        if ran_none(&receipt.output) {
            return Err(format!("in {} no test ran", receipt.id));
        }
    }
    Ok(())
}

/// Whether an output holds a shell's own complaint: a part of the command line did not run, whatever the exit status says.
pub fn shell_complains(output: &str) -> bool {
    COMPLAINS.is_match(output)
}

/// The text without words that deny a failure: "no test fails", "没有失败".
pub(crate) fn without_denials(text: &str) -> String {
    DENIES.replace_all(text, " ").into_owned()
}

/// Whether the text itself says that something fails.
fn admits_failures(text: &str) -> bool {
    ADMITS.is_match(&without_denials(text))
}

/// Whether the text tells how a run of something ended, so that a number of it which a call shows elsewhere shows nothing.
pub fn tells_of_a_run(text: &str) -> bool {
    says_well(text) || speaks_of_tests(text) || ENDED.is_match(text)
}

/// The last call that ran tests, or tried to.
pub(crate) fn last_run<'a>(receipts: &[&'a Receipt]) -> Option<&'a Receipt> {
    let runs_tests = |receipt: &&&Receipt| {
        let mut programs = programs(receipt).peekable();
        let is_looked_at = programs.peek().is_some() && programs.all(|program| LOOKING.contains(&program));
        !matches!(receipt.end, CallEnd::Denied | CallEnd::Refused)
            && receipt.tool == SHELL
            && !is_looked_at
            && !checks_form(receipt)
            && (RAN_TESTS.is_match(&receipt.output)
                || command(receipt).is_some_and(|command| RUNNER.is_match(&command.replace('_', " "))))
    };
    receipts.iter().rfind(runs_tests).copied()
}

/// Whether the text says that tests pass now.
pub(crate) fn says_passing(text: &str) -> bool {
    PASS.is_match(text)
}

/// Where an answer says that tests pass, the last run of tests tells of no failure.
pub(crate) fn tests_passed(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    match last_run(receipts) {
        Some(last) if says_well(answer) && TESTS.is_match(answer) => {
            if last.end != CallEnd::Ran && !admits_failures(answer) {
                return Err(format!("{}, the last run of tests, did not come to its end", last.id));
            }
            let is_shown =
                last.exit == Some(0) || ran_some(&last.output) || SOME_PASSED.is_match(&last.output);
            if !is_shown && !admits_failures(answer) {
                return Err(format!("{}, the last run of tests, failed and shows no test that ran", last.id));
            }
            tells_its_end(last, answer)
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether all that the call shows are the words of an `echo` behind what it ran: `tests >/dev/null; echo OK`.
fn says_only_its_words(receipt: &Receipt) -> bool {
    let shown = receipt.output.trim();
    let repeats =
        |command: String| LAST_WORDS.find(&command).is_some_and(|last| last.as_str().contains(shown));
    !shown.is_empty() && command(receipt).is_some_and(repeats)
}

/// What is said to be committed was: a call made a commit, or one shows it in what git tells of commits.
pub(crate) fn made_commit(text: &str, request: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let is_asked = COMMITS.is_match(request) || request.contains("提交");
    // "Explain how to undo the last commit" asks for words.
    let only_asks = || artoo_request::read(request).only_asks();
    if !is_asked || !COMMITTED.is_match(text) || NOT_COMMITTED.is_match(text) || only_asks() {
        return Ok(());
    }
    let commits = |receipt: &&&Receipt| {
        let is_git = programs(receipt).any(|program| program == "git");
        let is_made = |command: String| {
            let git = |piece: &CommandPiece<'_>| piece.text.split_whitespace().any(|word| word == "git");
            let says =
                |piece: &CommandPiece<'_>| piece.text.starts_with("echo") || piece.text.starts_with("printf");
            pieces(&command).iter().any(|piece| git(piece) && !says(piece) && COMMITS.is_match(piece.text))
        };
        is_git && receipt.succeeded() && command(receipt).is_some_and(is_made)
    };
    match receipts.iter().find(commits) {
        Some(_) => Ok(()),
        None => Err("no call made a commit".to_owned()),
    }
}

/// No later call of the same kind ended otherwise: what counts is how it is now.
pub(crate) fn is_last_word(receipt: &Receipt, receipts: &[&Receipt]) -> Result<(), String> {
    let same = |other: &&&Receipt| {
        other.tool == receipt.tool && other.arguments == receipt.arguments && other.end == CallEnd::Ran
    };
    match receipts.iter().rfind(same) {
        Some(last) if last.id != receipt.id && receipt.succeeded() && !last.succeeded() => {
            Err(format!("{} is the same call, later, and it failed", last.id))
        }
        _ => Ok(()),
    }
}

/// The lines of a failed run that say most of how it failed: which test it was, what was wrong, and the last that tells of a
/// failure; else the last line.
pub(crate) fn telling_lines(output: &str) -> String {
    let tells = |line: &&str| NAMES_FAILURE.is_match(line) || FAILURES.is_match(line);
    let mut lines: Vec<&str> = output.lines().map(str::trim).filter(tells).collect();
    lines.dedup();
    match lines.as_slice() {
        [] => output.trim().lines().last().unwrap_or_default().trim().to_owned(),
        [first, second, .., last] => [*first, *second, *last].join("; "),
        few => few.join("; "),
    }
}

/// Whether the output tells that there was no test to run.
pub(crate) fn ran_none(output: &str) -> bool {
    NOTHING_RAN.is_match(output) && !SOME_PASSED.is_match(output)
}

/// Whether the output tells of tests that ran.
pub(crate) fn ran_some(output: &str) -> bool {
    RAN_TESTS.is_match(output) || SUMMARY.is_match(output)
}

/// Whether the call is a command that ran something of the place: it did more than look, or check the form of a script.
pub(crate) fn ran_something(receipt: &Receipt) -> bool {
    let looks =
        || receipt.effect == EffectClass::Read && programs(receipt).all(|program| LOOKING.contains(&program));
    receipt.end == CallEnd::Ran && receipt.tool == SHELL && !looks() && !checks_form(receipt)
}

fn checks_form(receipt: &Receipt) -> bool {
    command(receipt).is_some_and(|command| FORM_CHECK.is_match(&command))
}

/// Whether some call ran this file.
pub(crate) fn ran(file: &str, receipts: &[&Receipt]) -> bool {
    let name = file.trim_end_matches('/').rsplit('/').next().unwrap_or(file).to_lowercase();
    receipts.iter().any(|receipt| ran_something(receipt) && receipt.arguments.to_lowercase().contains(&name))
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::Receipt;
    use artoo_types::{EffectId, EvidenceId};

    use super::*;

    fn call(command: &str, output: &str) -> Receipt {
        Receipt {
            arguments: serde_json::json!({ "command": command }).to_string(),
            output: output.to_owned(),
            ..Receipt::quiet(EvidenceId::receipt(EffectId(1)), SHELL)
        }
    }

    #[test]
    fn a_commit_is_made_by_a_call_that_makes_one() {
        let git = |command: &str| {
            let mut receipt = call(command, "");
            receipt.classes = vec!["shell:git".to_owned()];
            receipt
        };
        let check = |text: &str, request: &str, command: &str, expected: bool| {
            assert_eq!(made_commit(text, request, &[&git(command)]).is_ok(), expected, "{command}: {text}");
        };
        let asked = "Put the word done into state.txt and commit it.";
        check("state.txt is committed", asked, "git status --short", false);
        check("state.txt is committed", asked, "git add state.txt && git commit -qm done", true);
        check("文件已提交", "修改后提交", "git status", false);
        check("Nothing is left that is not committed", asked, "git status", true);
        check("state.txt says done", asked, "git status --short", true);
        check("It was committed by Ann", "Who wrote state.txt?", "git log state.txt", true);
        check("state.txt is committed", asked, "git add state.txt; echo git commit -m done; git log", false);
        check("state.txt is committed", asked, "cd proj && git commit -am 'done; now'", true);
        let failed = Receipt { exit: Some(1), ..git("git commit -m x") };
        assert!(made_commit("It is committed", asked, &[&failed]).is_err());
    }

    #[test]
    fn a_hidden_exit_and_an_output_of_failures_say_nothing_good() {
        let check = |text: &str, command: &str, output: &str, expected: bool| {
            assert_eq!(tells_its_end(&call(command, output), text).is_ok(), expected, "{command}: {output}");
        };
        let well = "The tests of ./t.sh pass";
        check(well, "sh ./t.sh", "3 passed, 0 failed", true);
        check(well, "sh ./t.sh | tail -n 1", "3 passed", true);
        check(well, "sh ./t.sh || true", "", false);
        check(well, "sh ./t.sh; exit 0", "", false);
        check(well, "sh ./t.sh || echo fine", "", false);
        check(well, "sh ./t.sh | tail -n 1", "2 passed, 1 failed", false);
        check(well, "sh ./t.sh", "collected 0 items", false);
        check(well, "sh ./t.sh >/dev/null 2>&1; echo OK", "OK", false);
        check(well, "sh ./t.sh; echo done", "3 passed\ndone", true);
        check(well, "sh ./t.sh >/dev/null; echo \"exit $?\"", "exit 0", true);
        check(well, "sh ./t.sh >/dev/null && echo OK", "OK", true);
        check(well, "cargo test", "4 passed; 0 failed\nrunning 0 tests", true);
        check("The number of errors is given", "grep -c error a || true", "0", true);
        check("./t.sh 的测试通过了", "sh ./t.sh || true", "", false);
    }

    #[test]
    fn the_lines_that_tell_of_a_failure_are_told() {
        let tap = "TAP version 13\nok 1 - sum\nnot ok 2 - flag\n# tests 2\n# fail 1\n# duration_ms 158.8";
        assert_eq!(telling_lines(tap), "not ok 2 - flag");
        let unittest = "F.\n====\nFAIL: test_sum (t.T.test_sum)\n----\nTraceback:\n  x\nAssertionError: 4 != 3\n\nRan 2 \
                        tests in 0.1s\n\nFAILED (failures=1)";
        let told = "FAIL: test_sum (t.T.test_sum); AssertionError: 4 != 3; FAILED (failures=1)";
        assert_eq!(telling_lines(unittest), told);
        assert_eq!(telling_lines("F.\n1 failed, 5 passed"), "1 failed, 5 passed");
        assert_eq!(telling_lines("Segmentation fault\n"), "Segmentation fault");
    }

    /// The run before a fix may read the tests as well; the run after it may be of another form.
    #[test]
    fn the_last_run_of_tests_is_what_counts() {
        let failing =
            call("cat a.py tests/test_a.py; python3 -m unittest -v 2>&1", "Ran 6 tests\nFAILED (failures=3)");
        let check = |last: &Receipt, expected: bool| {
            assert_eq!(tests_passed("All tests pass", &[&failing, last]).is_ok(), expected, "{last:?}");
        };
        let looks = Receipt { classes: vec!["shell:cat".to_owned()], ..call("cat old.log", "6 passed") };
        check(&call("git diff; python3 -m unittest -v 2>&1", "Ran 6 tests\nOK"), true);
        check(&call("pytest -q", "6 passed"), true);
        check(&call("make check", "test result: ok. 6 passed; 0 failed"), true);
        check(&call("make check", "test result: FAILED. 5 passed; 1 failed"), false);
        check(&looks, false);
        check(&call("git diff", "nothing"), false);
        let broken = "ImportError: Start directory is not importable: 'tests'";
        check(&Receipt { exit: Some(1), ..call("python3 -m unittest discover -s tests", broken) }, false);
        let with_diff =
            Receipt { exit: Some(1), ..call("python3 -m unittest; diff a b", "Ran 6 tests\nOK\n1c1") };
        check(&with_diff, true);
    }

    #[test]
    fn an_answer_may_tell_of_failures_itself() {
        let one_fails =
            Receipt { exit: Some(1), ..call("python3 -m unittest", "Ran 3 tests\nFAILED (errors=1)") };
        let check = |answer: &str, expected: bool| {
            assert_eq!(tests_passed(answer, &[&one_fails]).is_ok(), expected, "{answer}");
        };
        check("The tests of dates pass; test_fetch still fails, for there is no network.", true);
        check("2 tests pass, 1 fails because the network is missing.", true);
        check("dates.py 修好了，两个测试通过，1 个测试仍然失败（没有网络）。", true);
        check("The failing tests pass now.", false);
        check("It failed because of a wrong sign; the tests pass now.", false);
        check("All 3 tests pass, none of them fails.", false);
        check("The tests pass and nothing fails.", false);
        check("Tests afterwards: Ran 3 tests, OK", false);
        check("I ran node --test: all 3 tests pass, 0 fail.", false);
        check("3 tests pass, 0 failed.", false);
        check("No test fails: the tests pass.", false);
    }

    /// Fails where a run that failed or died is told as a good one in other words.
    #[test]
    fn a_good_end_is_told_in_many_words() {
        let failed =
            Receipt { exit: Some(1), ..call("python3 -m unittest", "Ran 3 tests\nFAILED (errors=1)") };
        let died = Receipt { end: CallEnd::Timeout, exit: None, ..call("pytest -q", "2 passed so far") };
        let crashed = Receipt { exit: Some(139), ..call("pytest -q", "Segmentation fault") };
        let good = call("python3 -m unittest", "Ran 3 tests\nOK");
        for answer in [
            "Die Tests laufen alle durch.",
            "Alle Tests sind durchgelaufen.",
            "Alle Tests wurden bestanden.",
            "Die Tests liefen ohne Fehler durch.",
            "tests were run; no failures",
            "The tests ran, 0 failed.",
            "Tests were run and nothing failed.",
            "所有测试都通过了。",
            "测试已运行，没有失败。",
            "3 个测试都没有失败",
            "All tests pass.",
        ] {
            for last in [&failed, &died, &crashed] {
                assert!(tests_passed(answer, &[&good, last]).is_err(), "{answer}: {last:?}");
            }
            assert_eq!(tests_passed(answer, &[&failed, &good]), Ok(()), "{answer}");
        }
        for answer in [
            "Ein Test schlägt noch fehl, die anderen sind bestanden.",
            "2 个测试通过，1 个测试仍然失败。",
            "Zwei Tests bestanden, einer ist fehlgeschlagen.",
        ] {
            assert_eq!(tests_passed(answer, &[&failed]), Ok(()), "{answer}");
        }
    }

    #[test]
    fn a_shell_complains_of_its_line() {
        for (output, expected) in [
            ("a 1\n/bin/sh: 1: Syntax error: Unterminated quoted string\n", true),
            ("bash: line 3: foo: command not found", true),
            ("sh: 1: jq: not found", true),
            ("run.sh: all is well", false),
            ("12 lines", false),
        ] {
            assert_eq!(shell_complains(output), expected, "{output}");
        }
    }
}
