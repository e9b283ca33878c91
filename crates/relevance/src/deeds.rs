//! Whether what a request orders left something behind, where no criterion and no file says what.

use std::sync::LazyLock;

use artoo_request::{Action, RequestClause, RequestReading};
use artoo_types::claim::ClaimedEffect;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::plan::SubTask;
use artoo_types::text::first_chars;
use regex::Regex;

use crate::ProofScene;
use crate::pattern;
use crate::runs;
use crate::shown::{self, shows_effect};

/// Everything that leaves files other than they were.
const TO_FILES: [ClaimedEffect; 4] =
    [ClaimedEffect::Made, ClaimedEffect::Changed, ClaimedEffect::Deleted, ClaimedEffect::Moved];

/// Orders that words alone never carry out; "sort" and "format" may be answered with a text.
static REPAIRS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:please\s+)?(?:fix|repair|refactor|implement|uncomment|rewrite|commit)\b|^(?:请)?(?:修复|修正|重构|实现|提交)",
    )
});
/// Orders that change what runs on the machine, or how.
static SETS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:please\s+)?(?:restart|reboot|stop|kill|shut down|start|launch|turn o(?:n|ff)|enable|disable|encrypt|decrypt|set up|schedule)\b|^(?:请)?(?:重启|停止|启动|关闭|杀|打开|启用|禁用|加密|解密)",
    )
});
/// Tests that are to run.
static OF_TESTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:unit |all )?tests?\b|测试"));
/// What is fixed where words are.
static OF_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:sentence|text|paragraph|grammar|spelling|wording|e-?mail|query|regex|formula)\b|句|文字|语法",
    )
});
/// Words by which an answer owns up that nothing was done.
static ADMITS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\balready\b|\bnothing\b|\bnone\b|\bno (?:\S+ ){0,5}(?:found|exist\w*|match\w*|left|there|need\w*)\b|\bthere (?:is|are|was|were) no\b|\bnot? (?:\w+ )?(?:needed|necessary|found|done|changed|possible|there|exist|carried)\b|\b(?:could|can|did|does|do|was|were|is|are) ?(?:not|n't)\b|\bcannot\b|没有|已经|无需|不需要|找不到|未找到|无法|不存在|未能",
    )
});

/// Words by which an answer owns up that something of the work is left.
static LEAVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:could|can|was|were|is|are) ?(?:not|n't) (?:be )?(?:able to )?(?:apply|applied|change|changed|write|written|edit|edited|fix|fixed|delete|deleted|move|moved|rename|renamed|install|installed|do|done|carry|carried)\b|\bcannot (?:be )?(?:apply|applied|change|changed|write|written|edit|edited|fix|fixed|delete|deleted|move|moved|rename|renamed|install|installed|done?)\b|\bleft to do\b|\bstill (?:fails|to be done)\b|\bfails as before\b|无法(?:修改|写入|应用|删除|移动|重命名|安装|完成)|未能(?:修改|写入|应用|删除|移动|重命名|安装|完成)|没能|尚未",
    )
});

/// Nothing of what is ordered is left, by the answer's own words, because a call for it was denied.
pub(crate) fn are_not_left(
    answer: &str,
    reading: &RequestReading,
    receipts: &[&Receipt],
) -> Result<(), String> {
    if reading.only_asks() || !LEAVES.is_match(answer) {
        return Ok(());
    }
    let is_made_good = |denied: &Receipt| {
        let changed = receipts.iter().filter(|receipt| receipt.succeeded()).flat_map(|r| &r.act.changes);
        !denied.target.is_empty() && changed.into_iter().any(|change| change.path == denied.target)
    };
    let is_left = |receipt: &&&Receipt| {
        receipt.end == CallEnd::Denied && receipt.effect != EffectClass::Read && !is_made_good(receipt)
    };
    match receipts.iter().find(is_left) {
        Some(denied) => Err(format!(
            "the answer says itself that something of what is asked for was not done, and {} was denied",
            denied.id
        )),
        None => Ok(()),
    }
}

/// Whether the answer owns up that nothing was done.
pub(crate) fn admits(answer: &str) -> bool {
    ADMITS.is_match(answer)
}

/// Each order that must leave something has a call that did something of its kind, unless the answer says that nothing was
/// done. What a request leaves at a path is a criterion of its own.
///
/// What no step is about is told as left out, and keeps nobody from what the steps did.
pub(crate) fn are_done(reading: &RequestReading, scene: &ProofScene<'_>) -> Result<(), String> {
    if admits(scene.answer.unwrap_or_default()) {
        return Ok(());
    }
    let is_planned = |clause: &&RequestClause| {
        let told = |step: &&SubTask| {
            clause.effect_told_in(&step.intent)
                || step.success_criteria.iter().any(|criterion| clause.effect_told_in(&criterion.text))
        };
        scene.steps.is_empty() || scene.steps.iter().any(told)
    };
    let undone = reading.asked().filter(is_planned).find(|clause| !is_done(clause, &scene.receipts));
    match undone {
        Some(clause) => Err(format!(
            "no call did anything of \"{}\"; do it, or say that it was not done and why",
            first_chars(&clause.text, 80)
        )),
        None => Ok(()),
    }
}

/// Whether the call ran something that may be the tests of a place: a command that does more than read and is no editing.
fn runs_program(receipt: &&Receipt) -> bool {
    const EDITING: [&str; 16] = [
        "sed", "perl", "mv", "cp", "rm", "mkdir", "touch", "tee", "echo", "printf", "cat", "git", "patch",
        "ln", "chmod", "cd",
    ];
    runs::ran_something(receipt)
        && receipt.effect != EffectClass::Read
        && shown::programs(receipt).any(|program| !EDITING.contains(&program))
}

fn is_done(clause: &RequestClause, receipts: &[&Receipt]) -> bool {
    let acts = |receipt: &&Receipt| receipt.end == CallEnd::Ran && receipt.effect != EffectClass::Read;
    let changes = |receipt: &&Receipt| TO_FILES.iter().any(|effect| shows_effect(receipt, *effect));
    match clause.action {
        Action::Delete | Action::Move => receipts.iter().any(changes),
        Action::Change if REPAIRS.is_match(&clause.text) && !OF_WORDS.is_match(&clause.text) => {
            receipts.iter().any(changes)
        }
        Action::Send | Action::Install => receipts.iter().any(acts),
        Action::Run if OF_TESTS.is_match(&clause.text) => {
            runs::last_run(receipts).is_some() || receipts.iter().any(runs_program)
        }
        Action::Run | Action::Change if SETS.is_match(&clause.text) => receipts.iter().any(acts),
        Action::Change
        | Action::Make
        | Action::Copy
        | Action::Run
        | Action::Find
        | Action::List
        | Action::Count
        | Action::Read
        | Action::Answer => true,
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{CallEnd, ChangeKind, EffectClass, FileChange, Receipt};
    use artoo_types::tool::names::{EDIT_FILE, SHELL};
    use artoo_types::{EffectId, EvidenceId};

    use super::{are_done, are_not_left};
    use crate::ProofScene;

    #[test]
    fn tests_that_are_to_run_have_a_call_that_ran_them() {
        let run = |command: &str, effect: EffectClass| Receipt {
            arguments: serde_json::json!({ "command": command }).to_string(),
            classes: vec![format!("shell:{}", command.split(' ').next().unwrap_or_default())],
            effect,
            ..Receipt::quiet(EvidenceId::receipt(EffectId(1)), SHELL)
        };
        let edited = run("sed -i s/1/2/ calc.py", EffectClass::Overwrite);
        let check = |answer: &str, more: &Receipt, expected: bool| {
            let scene =
                ProofScene { receipts: vec![&edited, more], answer: Some(answer), ..ProofScene::default() };
            let reading = artoo_request::read("Fix mean in calc.py and run the tests.");
            assert_eq!(are_done(&reading, &scene).is_ok(), expected, "{answer} {more:?}");
        };
        check("mean divides by the number of values now.", &run("cat calc.py", EffectClass::Read), false);
        check(
            "mean divides by the number of values now.",
            &run("python3 -m pytest", EffectClass::Unknown),
            true,
        );
        let checked = run("sh -n ./test_calc.sh", EffectClass::Unknown);
        check("mean divides by the number of values now.", &checked, false);
        check("mean divides by the number of values now.", &run("./check.sh", EffectClass::Unknown), true);
        check("Fixed. I could not run the tests.", &run("cat calc.py", EffectClass::Read), true);
    }

    #[test]
    fn what_was_denied_and_is_told_as_left_is_not_done() {
        let mut denied = Receipt::quiet(EvidenceId::receipt(EffectId(1)), EDIT_FILE);
        (denied.end, denied.effect, denied.target) =
            (CallEnd::Denied, EffectClass::Overwrite, "/w/Makefile".to_owned());
        let mut mended = Receipt {
            effect: EffectClass::Overwrite,
            ..Receipt::quiet(EvidenceId::receipt(EffectId(2)), SHELL)
        };
        mended.act.changes = vec![FileChange {
            path: "/w/Makefile".to_owned(),
            kind: ChangeKind::Changed,
            before: None,
            after: None,
            modes: None,
        }];
        let check = |request: &str, answer: &str, receipts: &[&Receipt], expected: bool| {
            let held = are_not_left(answer, &artoo_request::read(request), receipts);
            assert_eq!(held.is_ok(), expected, "{request}: {answer}: {held:?}");
        };
        let fix = "Find why make fails and fix it";
        let left = "The fix is in fix.patch. I could not apply it here; so make fails as before.";
        check(fix, left, &[&denied], false);
        check("修复 Makefile", "补丁已写好，但无法修改 Makefile。", &[&denied], false);
        check(fix, left, &[&denied, &mended], true);
        check(fix, left, &[&mended], true);
        check(fix, "Fixed; the include path was missing.", &[&denied, &mended], true);
        check("Why does make fail?", left, &[&denied], true);
    }

    #[test]
    fn an_order_without_a_deed_is_told_from_one_that_was_carried_out() {
        let look = Receipt::quiet(EvidenceId::receipt(EffectId(1)), SHELL);
        let mut deed = Receipt { effect: EffectClass::Overwrite, ..look.clone() };
        let (path, kind) = ("/w/a".to_owned(), ChangeKind::Deleted);
        deed.act.changes = vec![FileChange { path, kind, before: None, after: None, modes: None }];
        let made = FileChange { kind: ChangeKind::Changed, ..deed.act.changes[0].clone() };
        deed.act.changes.push(made);
        let check = |request: &str, answer: &str, receipt: &Receipt, expected: bool| {
            let scene = ProofScene { receipts: vec![receipt], answer: Some(answer), ..ProofScene::default() };
            let held = are_done(&artoo_request::read(request), &scene);
            assert_eq!(held.is_ok(), expected, "{request}: {answer}: {held:?}");
        };
        for request in [
            "Delete all log files",
            "Find the empty files and delete them",
            "Rename the photos by their date",
            "Find the bugs in the code, fix them, and show that all tests pass.",
            "Install ripgrep",
            "Send the report to Ann",
            "Restart the nginx service",
            "Stop the container web",
            "Turn off Bluetooth",
            "重启 nginx 服务",
            "删除所有日志文件",
            "修复代码里的错误",
        ] {
            check(request, "It is all done.", &look, false);
            check(request, "It is all done.", &deed, true);
            check(request, "There are no such files.", &look, true);
            check(request, "没有这样的文件", &look, true);
        }
        for request in [
            "Sort ./names.txt and show the result",
            "Fix the grammar of this sentence: he go home",
            "How do I delete a branch?",
            "Format the figures as a table",
            "Tell me what a fix would be, but do not delete anything",
            "List the files that were deleted",
        ] {
            check(request, "Here it is.", &look, true);
        }
    }
}
