//! Whether tests are the ones that were there, where they are said to pass.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
use regex::Regex;

use crate::pattern;
use crate::runs::{says_well, speaks_of_tests};

/// An order to work on tests themselves.
static ORDERS_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:write|add|update|fix|repair|correct|change|rewrite|edit|adapt|create|delete|remove)\s+(?:\w+\s+){0,3}tests?\b|\b(?:write|add|create|include|implement|give)\b(?:[^.!?\n]|\.\S){0,80}\b(?:a|an|new|unit|some|more|regression)\s+(?:\w+\s+)?tests?\b|(?:写|加|添加|修改|修复|更新|删除)[^，。]{0,6}测试",
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
/// A file that says which tests are run, and how.
static RUN_BY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"/(?:(?:GNUm|[mM])akefile|package\.json|pytest\.ini|setup\.cfg|tox\.ini|noxfile\.py|pyproject\.toml|conftest\.py|(?:jest|vitest)\.config\.\w+|\.mocharc\.\w+)$",
    )
});
/// A name that only tests have.
static TEST_FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)/(?:tests?|__tests__|specs?)/|/(?:tests?[_-][^/]*|[^/]*[_.-](?:tests?|spec)\.[^/]*|tests?\.[^/]*)$",
    )
});

/// Whether the request wants the tests themselves worked on.
pub(crate) fn orders_tests(request: &str) -> bool {
    ORDERS_TESTS.is_match(request)
}

/// That tests pass was not brought about by changing nothing but them, unless that is what the request asks for.
pub(crate) fn leaves_tests(text: &str, request: &str, receipts: &[&Receipt]) -> Result<(), String> {
    if SPARES_TESTS.is_match(request)
        && let Some(test) = edited_test(receipts)
    {
        return Err(format!("the request wants the tests left as they are, and {test} was changed"));
    }
    let about_tests = says_well(text) && (speaks_of_tests(text) || speaks_of_tests(request));
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
    let about_tests = says_well(answer) && (speaks_of_tests(answer) || speaks_of_tests(request));
    if !about_tests || request.is_empty() || ORDERS_TESTS.is_match(request) || TOLD_TESTS.is_match(answer) {
        return Ok(());
    }
    let Some(test) = edited(receipts, |path| TEST_FILE.is_match(path) || RUN_BY.is_match(path)) else {
        return Ok(());
    };
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
    edited(receipts, |path| TEST_FILE.is_match(path))
}

fn edited(receipts: &[&Receipt], is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let mut states: BTreeMap<&str, (&FileChange, &FileChange)> = BTreeMap::new();
    let changes = receipts.iter().flat_map(|receipt| receipt.act.changes.iter());
    for change in changes.filter(|change| {
        is_meant(&change.path) && (RUN_BY.is_match(&change.path) || !is_made_by_running(&change.path))
    }) {
        states.entry(&change.path).and_modify(|(_, last)| *last = change).or_insert((change, change));
    }
    let is_other = |(first, last): &(&FileChange, &FileChange)| {
        first.kind != ChangeKind::Made && (last.kind == ChangeKind::Deleted || first.before != last.after)
    };
    states.into_iter().find(|(_, states)| is_other(states)).map(|(path, _)| path.to_owned())
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

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
    use artoo_types::tool::names::SHELL;
    use artoo_types::{EffectId, EvidenceId};

    use super::{leaves_tests, tells_of_tests};

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
        let mut fewer = call("make test", "OK");
        fewer.act.changes = vec![change("/w/Makefile", ChangeKind::Changed, "a", "b"), code.clone()];
        assert!(tells_of_tests("The suite passes: all tests are green.", plain, &[&fewer]).is_err());
        assert!(tells_of_tests("All tests pass; the Makefile ran a file twice.", plain, &[&fewer]).is_ok());
        assert!(told(plain, "I fixed the code and adapted one of the tests; all pass."));
        assert!(told("Fix the failing tests", "The tests pass."));
        let with_test = "Add a --json flag to cli.js and a test for it.";
        assert!(told(with_test, "Added the --json flag and a test for it. All 3 tests pass."));
        assert!(!told("Add a flag, so that all the tests pass.", "Added it. All 3 tests pass."));
        assert!(told(plain, "The code cannot be fixed."));
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
