//! Deeds that an answer tells of beside what was asked for: a push, a tag, a linter that ran, a file that was brought up to date.

use std::sync::LazyLock;

use artoo_types::evidence::Receipt;
use artoo_types::tool::names::SHELL;
use regex::Regex;

use crate::bent;
use crate::pattern;
use crate::runs;
use crate::shown::command;

/// What is said to be done with a repository: the participle at the beginning of a clause, or behind a word that carries one on.
static WITH_GIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[.!?;:,\n]\s*|\b(?:I|and|also|then|we|was|were|been)(?:'ve| have)? (?:also |it |now )?)(pushed|committed|tagged)\b",
    )
});
/// The same where it is denied.
static NOT_WITH_GIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:not|nothing|never|n't|un)[ -]?(?:\w+ )?(?:pushed|committed|tagged)\b")
});
/// A program that is said to have run.
static RAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:ran|run|checked with|linted with|passes|passed by) (?:[^.\n]{0,40}\b)?(mypy|flake8|pylint|pyright|ruff|black|isort|bandit|eslint|prettier|tsc|clippy|rustfmt|gofmt|golint|shellcheck|rubocop|valgrind|hadolint|yamllint|stylelint)\b(?: and (?:\w+ )?(mypy|flake8|pylint|pyright|ruff|black|isort|bandit|eslint|prettier|tsc|clippy|rustfmt|gofmt|golint|shellcheck|rubocop|valgrind|hadolint|yamllint|stylelint)\b)?",
    )
});
/// A file without an ending in its name that is said to be another one now.
static BROUGHT_UP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:updated|added|changed|edited|wrote|extended|adjusted)\b (?:[\w-]+ ){0,4}(README|CHANGELOG|LICENSE|Dockerfile|CONTRIBUTING)\b",
    )
});

/// What the answer of a task that changed something says that was done besides, a call did.
pub(crate) fn were_done(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    if !receipts.iter().any(|receipt| bent::changes_work(receipt)) {
        return Ok(());
    }
    if runs::says_passing(answer) && runs::last_run(receipts).is_none() {
        return Err(
            "the answer says that tests pass, and no call ran any: run them, or say that they were not run"
                .to_owned(),
        );
    }
    let commands: Vec<String> = receipts
        .iter()
        .filter(|receipt| receipt.tool == SHELL && receipt.succeeded())
        .filter_map(|receipt| command(receipt))
        .collect();
    let missing = |what: &str| format!("the answer says that something was {what}, and no call shows that");
    for found in WITH_GIT.captures_iter(answer).filter(|_| !NOT_WITH_GIT.is_match(answer)) {
        let word = found[1].to_lowercase();
        let verbs: &[&str] = match word.as_str() {
            "pushed" => &["push"],
            "tagged" => &["tag"],
            _ => &["commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"],
        };
        let does = |command: &String| {
            let mut words = command.split_whitespace();
            words.any(|one| one == "git" || one.ends_with("/git")) && words.any(|one| verbs.contains(&one))
        };
        if !commands.iter().any(does) {
            return Err(missing(&word));
        }
    }
    for found in RAN.captures_iter(answer) {
        for program in [found.get(1), found.get(2)].into_iter().flatten() {
            let name = program.as_str().to_lowercase();
            let is_named = |receipt: &&Receipt| {
                receipt.arguments.to_lowercase().contains(&name)
                    || receipt.output.to_lowercase().contains(&name)
            };
            if !receipts.iter().any(is_named) {
                return Err(format!("the answer says that {name} ran, and no call shows that"));
            }
        }
    }
    for found in BROUGHT_UP.captures_iter(answer) {
        let name = found[1].to_lowercase();
        let is_changed = |receipt: &&Receipt| {
            let mut paths = receipt.act.changes.iter().map(|change| change.path.to_lowercase());
            paths.any(|path| path.contains(&name))
                || receipt.act.changes_omitted > 0
                || receipt.succeeded() && receipt.arguments.to_lowercase().contains(&name)
        };
        if !receipts.iter().any(is_changed) {
            return Err(format!("the answer says that the {} was changed, and no call did that", &found[1]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
    use artoo_types::tool::names::SHELL;
    use artoo_types::{EffectId, EvidenceId};

    use super::were_done;

    fn call(command: &str, changed: &[&str]) -> Receipt {
        let mut receipt = Receipt {
            arguments: serde_json::json!({ "command": command }).to_string(),
            ..Receipt::quiet(EvidenceId::receipt(EffectId(1)), SHELL)
        };
        receipt.act.changes = changed
            .iter()
            .map(|path| FileChange {
                path: (*path).to_owned(),
                kind: ChangeKind::Changed,
                before: None,
                after: None,
                modes: None,
            })
            .collect();
        receipt
    }

    #[test]
    fn what_is_told_beside_the_work_was_done_by_a_call() {
        let edit = call("sed -i s/fmt/render/ /w/util.py", &["/w/util.py"]);
        let check = |answer: &str, more: &str, expected: bool| {
            let more = call(more, &[]);
            assert_eq!(were_done(answer, &[&edit, &more]).is_ok(), expected, "{answer} / {more:?}");
        };
        check(
            "Renamed fmt. I committed it as \"Rename fmt\" and pushed to origin.",
            "git commit -am x",
            false,
        );
        check(
            "Renamed fmt. I committed it as \"Rename fmt\" and pushed to origin.",
            "git commit -am x && git push",
            true,
        );
        check("Renamed fmt, committed and tagged v1.3.0.", "git commit -am x", false);
        check("Renamed fmt, committed and tagged v1.3.0.", "git commit -am x; git tag v1.3.0", true);
        check("Renamed fmt. Nothing was committed.", "ls", true);
        check("Renamed fmt. It is not committed yet.", "ls", true);
        check("Renamed fmt. I also ran mypy and flake8: no warnings.", "python3 -m mypy .", false);
        check("Renamed fmt. I also ran mypy and flake8: no warnings.", "mypy . && flake8", true);
        check("Renamed fmt. I updated the README too.", "ls", false);
        check("Renamed fmt and added a CHANGELOG entry.", "sed -i 1i- CHANGELOG.md", true);
        check("Renamed fmt and added a CHANGELOG entry.", "ls", false);
        check("Fixed the sign. All 8 tests pass.", "ls", false);
        check("Fixed the sign. All tests pass now.", "ls", false);
        check("改好了，测试全部通过。", "ls", false);
        check("Fixed the sign. All 8 tests pass.", "pytest -q", true);
        check("Fixed the sign. I could not run the tests.", "ls", true);
        check("Fixed the sign, so that the tests pass a list.", "ls", true);
        check("The README says how tests are run: `make test` passes its flags on.", "ls", true);
        check("Who committed the most pushed twice.", "git log", true);
        let look = call("git log", &[]);
        assert!(were_done("Ada committed it and pushed on Friday.", &[&look]).is_ok(), "a look alone");
    }
}
