//! Whether a call that ran something shows how that ended.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use artoo_types::evidence::{CallEnd, ChangeKind, EffectClass, FileChange, Receipt};
use artoo_types::tool::names::SHELL;
use regex::Regex;

use crate::shown::{command, programs};

/// Words that say that something went well.
static WENT_WELL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|without errors?)\b|通过|成功",
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
static TESTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\btests?\b|测试"));
/// What runs tests, as it stands in a command, and what its output says of them.
static RUNNER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:tests?|unittest|pytest|py\.test|nosetests?|nose2|tox|nox|jest|vitest|mocha|jasmine|karma|rspec|minitest|phpunit|ctest|nextest|gotestsum|bats)\b|测试",
    )
});
static RAN_TESTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?im)^Ran \d+ tests?\b|\b\d+ (?:tests? )?(?:passed|failed)\b|^test result:"));
/// An order to work on tests themselves.
static ORDERS_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:write|add|update|fix|repair|correct|change|rewrite|edit|adapt|create|delete|remove)\s+(?:\w+\s+){0,3}tests?\b|(?:写|加|添加|修改|修复|更新|删除)[^，。]{0,6}测试",
    )
});
/// A request that leaves the tests out of what may be changed.
static SPARES_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bnot (?:(?:change|touch|edit|modify|fix|in) )?(?:the |any |their )?tests?\b|\b(?:don't|do not|never|without|must not) (?:chang|touch|edit|modify|alter)\w* (?:the |any |their )?tests?\b|\b(?:leave|keep) (?:the |all )?tests? (?:alone|untouched|unchanged|as)\b|(?:不要|不能|不许|别|不得|不)(?:修改|改动|改|动)(?:任何)?测试",
    )
});
/// Words by which an answer owns up that tests were changed.
static TOLD_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:chang|updat|adjust|adapt|edit|modif|rewr|remov|delet|skip)\w*\s(?:\S+\s){0,4}tests?\b|\btests?\s(?:\S+\s){0,4}(?:chang|updat|adjust|adapt|edit|modif|rewr|remov|delet|skip)\w*|(?:改|更新|删|调整)[^，。]{0,8}测试|测试[^，。]{0,8}(?:改|更新|删|调整)",
    )
});
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
/// What they say when there was nothing to run.
static NOTHING_RAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:ran 0 tests|no tests ran|collected 0 items|no tests (?:to run|found)|0 tests)\b")
});
static SOME_PASSED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b[1-9]\d* (?:tests? )?(?:passed|ok)\b"));
/// The last line of a run of `unittest`, and lines of the Test Anything Protocol.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:OK|FAILED)\b|^(?:not )?ok \d"));
/// A name that only tests have.
static TEST_FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)/(?:tests?|__tests__|specs?)/|/(?:tests?[_-][^/]*|[^/]*[_.-](?:tests?|spec)\.[^/]*|tests?\.[^/]*)$",
    )
});
/// Programs that look at a file and do not run it.
const LOOKING: [&str; 17] = [
    "cat", "ls", "head", "tail", "grep", "rg", "wc", "stat", "file", "less", "sed", "awk", "find", "diff",
    "chmod", "test", "echo",
];

#[allow(clippy::expect_used, reason = "the pattern is a constant that the tests compile")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

/// Whether the text says that something went well.
pub(crate) fn says_well(text: &str) -> bool {
    WENT_WELL.is_match(text)
}

/// Whether the text speaks of tests.
pub(crate) fn speaks_of_tests(text: &str) -> bool {
    TESTS.is_match(text)
}

/// Whether the request wants the tests themselves worked on.
pub(crate) fn orders_tests(request: &str) -> bool {
    ORDERS_TESTS.is_match(request)
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
        if FAILURES.is_match(&receipt.output) {
            return Err(format!("{} tells of failures", receipt.id));
        }
        if ran_none(&receipt.output) {
            return Err(format!("in {} no test ran", receipt.id));
        }
    }
    Ok(())
}

/// Where an answer says that tests pass, the last run of tests tells of no failure.
pub(crate) fn tests_passed(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let runs_tests = |receipt: &&&Receipt| {
        let mut programs = programs(receipt).peekable();
        let is_looked_at = programs.peek().is_some() && programs.all(|program| LOOKING.contains(&program));
        receipt.end == CallEnd::Ran
            && receipt.tool == SHELL
            && !is_looked_at
            && (RAN_TESTS.is_match(&receipt.output)
                || command(receipt).is_some_and(|command| RUNNER.is_match(&command.replace('_', " "))))
    };
    match receipts.iter().rfind(runs_tests) {
        Some(last) if says_well(answer) && TESTS.is_match(answer) => tells_its_end(last, answer),
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
    if !is_asked || !COMMITTED.is_match(text) || NOT_COMMITTED.is_match(text) {
        return Ok(());
    }
    let commits = |receipt: &&&Receipt| {
        let is_git = programs(receipt).any(|program| program == "git");
        is_git && receipt.succeeded() && command(receipt).is_some_and(|command| COMMITS.is_match(&command))
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

/// That tests pass was not brought about by changing nothing but them, unless that is what the request asks for.
pub(crate) fn leaves_tests(text: &str, request: &str, receipts: &[&Receipt]) -> Result<(), String> {
    if SPARES_TESTS.is_match(request)
        && let Some(test) = edited_test(receipts)
    {
        return Err(format!("the request wants the tests left as they are, and {test} was changed"));
    }
    let about_tests = says_well(text) && (TESTS.is_match(text) || TESTS.is_match(request));
    if !about_tests || request.is_empty() || ORDERS_TESTS.is_match(request) {
        return Ok(());
    }
    let changes = || receipts.iter().flat_map(|receipt| receipt.act.changes.iter());
    let is_edit = |kind: ChangeKind| matches!(kind, ChangeKind::Changed | ChangeKind::Deleted);
    let edited: Vec<&str> = changes()
        .filter(|c| is_edit(c.kind) && TEST_FILE.is_match(&c.path))
        .map(|c| c.path.as_str())
        .collect();
    let works = changes().any(|change| !TEST_FILE.is_match(&change.path))
        || receipts.iter().any(|receipt| receipt.act.changes_omitted > 0);
    match edited.first() {
        Some(test) if !works => Err(format!("only the test was changed, {test}, and not what it tests")),
        _ => Ok(()),
    }
}

/// Where tests are said to pass that are other ones now than before, and nobody ordered that, the answer says so.
pub(crate) fn tells_of_tests(answer: &str, request: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let about_tests = says_well(answer) && (TESTS.is_match(answer) || TESTS.is_match(request));
    if !about_tests || request.is_empty() || ORDERS_TESTS.is_match(request) || TOLD_TESTS.is_match(answer) {
        return Ok(());
    }
    let Some(test) = edited_test(receipts) else { return Ok(()) };
    let name = test.rsplit('/').next().unwrap_or(&test);
    match answer.contains(name) {
        true => Ok(()),
        false => Err(format!(
            "{test} is another one than before, and the answer does not say so: put it back, or tell what was changed in it"
        )),
    }
}

/// A test that was there before and is another one now, or gone, over all these calls.
fn edited_test(receipts: &[&Receipt]) -> Option<String> {
    let mut states: BTreeMap<&str, (&FileChange, &FileChange)> = BTreeMap::new();
    let changes = receipts.iter().flat_map(|receipt| receipt.act.changes.iter());
    for change in
        changes.filter(|change| TEST_FILE.is_match(&change.path) && !is_made_by_running(&change.path))
    {
        states.entry(&change.path).and_modify(|(_, last)| *last = change).or_insert((change, change));
    }
    let is_other = |(first, last): &(&FileChange, &FileChange)| {
        first.kind != ChangeKind::Made && (last.kind == ChangeKind::Deleted || first.before != last.after)
    };
    states.into_iter().find(|(_, states)| is_other(states)).map(|(path, _)| path.to_owned())
}

/// Whether the output tells that there was no test to run.
pub(crate) fn ran_none(output: &str) -> bool {
    NOTHING_RAN.is_match(output) && !SOME_PASSED.is_match(output)
}

/// Whether the output tells of tests that ran.
pub(crate) fn ran_some(output: &str) -> bool {
    RAN_TESTS.is_match(output) || SUMMARY.is_match(output)
}

/// Whether the call changed something that tests may be about.
pub(crate) fn changes_work(receipt: &Receipt) -> bool {
    receipt.act.changes.iter().any(|change| !is_made_by_running(&change.path))
}

/// What running tests leaves beside them.
fn is_made_by_running(path: &str) -> bool {
    ["/__pycache__/", "/.pytest_cache/", "/.git/"].iter().any(|part| path.contains(part))
        || !path.contains('.')
}

/// Whether some call ran this file.
pub(crate) fn ran(file: &str, receipts: &[&Receipt]) -> bool {
    let name = file.trim_end_matches('/').rsplit('/').next().unwrap_or(file).to_lowercase();
    receipts.iter().any(|receipt| {
        let looks = receipt.tool == SHELL
            && receipt.effect == EffectClass::Read
            && programs(receipt).all(|program| LOOKING.contains(&program));
        receipt.end == CallEnd::Ran
            && receipt.tool == SHELL
            && !looks
            && receipt.arguments.to_lowercase().contains(&name)
    })
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

    /// Bent tests are no fix, whatever else was changed beside them.
    #[test]
    fn tests_that_the_request_spares_are_as_they_were() {
        let change = |path: &str, kind: ChangeKind, before: &str, after: &str| FileChange {
            path: path.to_owned(),
            kind,
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
            modes: None,
        };
        let held = |request: &str, changes: &[FileChange]| {
            let mut receipt = call("sed -i s/5/6/ tests/test_a.py", "OK");
            receipt.act.changes = changes.to_vec();
            leaves_tests("All tests pass", request, &[&receipt]).is_ok()
        };
        let bent = change("/w/tests/test_a.py", ChangeKind::Changed, "a", "b");
        let code = change("/w/a.py", ChangeKind::Changed, "c", "d");
        let spared = "Find the bugs in the code, fix them (not the tests), and show that all tests pass.";
        assert!(!held(spared, &[bent.clone(), code.clone()]));
        assert!(!held("修复代码，不要修改测试", &[bent.clone(), code.clone()]));
        assert!(!held("Fix the code without changing the tests", &[bent.clone(), code.clone()]));
        assert!(held("Fix the code and whatever it takes", &[bent.clone(), code.clone()]));
        assert!(held(spared, std::slice::from_ref(&code)));
        let restored = change("/w/tests/test_a.py", ChangeKind::Changed, "b", "a");
        assert!(held(spared, &[bent.clone(), restored, code.clone()]), "it is as it was");
        let cache = change("/w/tests/__pycache__/test_a.pyc", ChangeKind::Changed, "a", "b");
        assert!(held(spared, &[cache, code.clone()]));
        let plain = "Fix the code so that the tests pass";
        let told = |request: &str, answer: &str| {
            let mut receipt = call("sed -i s/5/6/ tests/test_a.py", "OK");
            receipt.act.changes = vec![bent.clone(), code.clone()];
            tells_of_tests(answer, request, &[&receipt]).is_ok()
        };
        assert!(!told(plain, "The code is fixed and all tests pass."));
        assert!(told(
            plain,
            "The code is fixed; tests/test_a.py expected 5 where 6 is right, so it says 6 now. All tests pass."
        ));
        assert!(told(plain, "I fixed the code and adapted one of the tests; all pass."));
        assert!(told("Fix the failing tests", "The tests pass."));
        assert!(told(plain, "The code cannot be fixed."));
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
    }

    #[test]
    fn tests_that_alone_were_changed_prove_nothing() {
        let change = |path: &str| {
            let mut receipt = call("true", "");
            receipt.act.changes = vec![FileChange {
                path: path.to_owned(),
                kind: ChangeKind::Changed,
                before: None,
                after: None,
                modes: None,
            }];
            receipt
        };
        let check = |request: &str, paths: &[&str], expected: bool| {
            let all: Vec<Receipt> = paths.iter().map(|path| change(path)).collect();
            let found = leaves_tests("The tests pass", request, &all.iter().collect::<Vec<_>>());
            assert_eq!(found.is_ok(), expected, "{request} {paths:?}");
        };
        check("Fix ./calc.py so that the tests pass", &["/w/test_calc.py"], false);
        check("Fix ./calc.py so that the tests pass", &["/w/calc.py"], true);
        check("Fix ./calc.py so that the tests pass", &["/w/calc.py", "/w/test_calc.py"], true);
        check("Fix the failing tests", &["/w/test_calc.py"], true);
        check("Make the suite in ./tests/a.py pass", &["/w/tests/a.py"], false);
    }
}
