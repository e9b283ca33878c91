use artoo_types::criteria::FailureClass;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::outcome::{AttemptRecord, OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::BlockedTool;
use artoo_types::setting::Law;

use super::{Untouchable, allowed_blocks, class_faults, dead_ends, failing_calls};
use crate::testing::*;

fn faults(outcome: SubTaskOutcome) -> Vec<(String, Option<FailureClass>)> {
    let outcomes = [outcome];
    failing_calls(&outcomes).iter().map(|c| (c.receipt.id.0.clone(), c.fault)).collect()
}

fn three_calls() -> Vec<Receipt> {
    vec![
        call("r1", "glob", "/a/*", 0),
        call("r2", "read_file", "/a/b", 1),
        call("r3", "shell:sort", "/a/c", 0),
    ]
}

fn fell_short(verdicts: Vec<artoo_types::criteria::CriterionVerdict>) -> SubTaskOutcome {
    outcome("a", OutcomeStatus::Failed, verdicts, three_calls())
}

#[test]
fn cited_calls_are_blamed_with_the_class_of_their_verdict() {
    let verdicts = vec![
        citing(pass(0, Verifiable), "r1"),
        citing(fail(1, Verifiable, Some(Environmental)), "r2"),
        citing(fail(2, Verifiable, None), "r3"),
    ];
    assert_eq!(
        faults(fell_short(verdicts)),
        [("r2".to_owned(), Some(Environmental)), ("r3".to_owned(), None)]
    );
    let both = vec![
        citing(fail(0, Verifiable, Some(Environmental)), "r3"),
        citing(fail(1, Verifiable, Some(Logical)), "r3"),
    ];
    assert_eq!(faults(fell_short(both)), [("r3".to_owned(), Some(Logical))]);
}

#[test]
fn without_a_cited_call_all_calls_are_blamed() {
    let all = |a, b, c| vec![("r1".to_owned(), a), ("r2".to_owned(), b), ("r3".to_owned(), c)];
    let logical = || citing(fail(0, Verifiable, Some(Logical)), "c4.0");
    let environmental = || fail(1, Verifiable, Some(Environmental));
    let check = |verdicts, expected| assert_eq!(faults(fell_short(verdicts)), expected);
    check(vec![logical()], all(Some(Logical), Some(Environmental), Some(Logical)));
    check(vec![environmental()], all(Some(Environmental), Some(Environmental), Some(Environmental)));
    // A call that failed itself is environmental, whatever else went wrong.
    check(vec![logical(), environmental()], all(Some(Logical), Some(Environmental), Some(Logical)));
    check(vec![fail(0, Verifiable, None)], all(None, None, None));

    let mut timed_out = unjudged("a", 1);
    timed_out.receipts = vec![call("r1", "glob", "/a", 0)];
    assert_eq!(faults(timed_out), [("r1".to_owned(), None)], "a limit is nobody's fault");
}

#[test]
fn every_attempt_is_blamed_for_what_it_did() {
    let mut tried_twice = fell_short(vec![fail(0, Verifiable, None)]);
    tried_twice.earlier = vec![AttemptRecord {
        attempt: 1,
        verdicts: vec![fail(0, Verifiable, Some(Logical))],
        receipts: std::mem::take(&mut tried_twice.receipts),
    }];
    let of = |receipt: &str, class| (receipt.to_owned(), class);
    let first = [of("r1", Some(Logical)), of("r2", Some(Environmental)), of("r3", Some(Logical))];
    assert_eq!(faults(tried_twice.clone()), first, "the last attempt gave up without a call");
    // What any attempt's verdicts cite goes before all of them.
    tried_twice.receipts = vec![call("r4", "glob", "/d", 0)];
    tried_twice.earlier[0].verdicts = vec![citing(fail(0, Verifiable, Some(Logical)), "r3")];
    assert_eq!(faults(tried_twice), [of("r3", Some(Logical))]);
}

#[test]
fn what_reads_and_what_the_request_names_is_never_blocked() {
    let check = |class: &str, effect, request: &str, blocked: bool| {
        let receipt = Receipt { effect, ..call("r1", class, "/a", 0) };
        let outcomes = [failed("a", Some(Logical), receipt)];
        assert_eq!(
            !class_faults(&failing_calls(&outcomes), request, Law::Words).is_empty(),
            blocked,
            "{class} {request}"
        );
    };
    for class in ["glob", "read_file", "find_files", "shell:cat", "shell:ls"] {
        check(class, EffectClass::Read, "sum the amounts", false);
    }
    check("shell:python3", EffectClass::Unknown, "sum the amounts", true);
    check("shell:python3", EffectClass::Unknown, "sum them with python", false);
    check("shell:./total.sh", EffectClass::Unknown, "run total.sh and tell me the result", false);
    check("write_file", EffectClass::Create, "sum the amounts", true);
}

#[test]
fn matched_subtasks_and_calls_that_never_reached_their_target_are_not_blamed() {
    assert!(faults(matched("a", 1)).is_empty());
    let mut outcome = fell_short(vec![fail(0, Verifiable, Some(Environmental))]);
    outcome.receipts[0].end = CallEnd::Refused;
    outcome.receipts[1].end = CallEnd::Cancelled;
    outcome.receipts[2].end = CallEnd::Denied;
    assert_eq!(faults(outcome), [("r3".to_owned(), None)], "a denial teaches nothing");
}

#[test]
fn class_faults_bind_the_folded_intent_of_their_own_subtask() {
    let outcomes = [
        failed("Find  The FILES", Some(Logical), call("r1", "shell:find", "/a", 0)),
        failed("read it", Some(Environmental), call("r2", "read_file", "/b", 1)),
        failed("sum", None, call("r3", "shell:awk", "/c", 0)),
    ];
    let blocks = class_faults(&failing_calls(&outcomes), "", Law::Words);
    assert_eq!(
        blocks,
        [BlockedTool { class: "shell:find".into(), intent: "find the files".into(), subtask: None }]
    );
}

#[test]
fn the_last_usable_class_of_a_subtask_is_never_blocked() {
    let block =
        |class: &str, intent: &str| BlockedTool { class: class.into(), intent: intent.into(), subtask: None };
    let tools = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    let check = |wanted: &[BlockedTool], names: &[&str], kept: usize| {
        assert_eq!(allowed_blocks(wanted, &tools(names)), wanted[..kept], "{wanted:?} of {names:?}");
    };
    let two = [block("glob", "a"), block("read_file", "a")];
    check(&two, &["glob", "read_file"], 1);
    check(&two, &["glob", "read_file", "shell"], 2);
    // Reading on in an output achieves nothing alone.
    check(&two, &["glob", "read_file", "read_output"], 1);
    // Each subtask has its own last class.
    check(&[block("glob", "a"), block("read_file", "b")], &["glob", "read_file"], 2);
    // There are always other programs.
    check(&[block("shell:find", "a"), block("shell:ls", "a")], &["shell"], 2);
    check(&[block("glob", "a")], &["glob"], 0);
}

fn parted(outcomes: &[SubTaskOutcome], request: &str, task_paths: &[&str]) -> (Vec<String>, Vec<String>) {
    let criteria: Vec<_> = task_paths.iter().map(|path| checked("made", path)).collect();
    let places = places();
    let ends = dead_ends(&failing_calls(outcomes), &Untouchable::new(request, outcomes, &criteria, &places));
    let targets = |list: Vec<artoo_types::plan::BlockedTarget>| list.into_iter().map(|t| t.target).collect();
    (targets(ends.blocked), targets(ends.failed_before))
}

#[test]
fn only_an_environmental_call_that_failed_itself_blocks_its_target() {
    let check = |class, exit, target: &str, blocked: &[&str]| {
        let outcomes = [failed("a", class, call("r1", "read_file", target, exit))];
        assert_eq!(parted(&outcomes, "sum it", &[]).0, blocked, "{class:?} {exit} {target}");
    };
    check(Some(Environmental), 1, "/guess", &["/guess"]);
    check(Some(Environmental), 0, "/guess", &[]);
    check(Some(Logical), 1, "/guess", &["/guess"]);
    check(None, 1, "/guess", &[]);
    check(Some(Environmental), 1, "", &[]);
}

#[test]
fn what_may_be_the_only_input_is_listed_not_blocked() {
    let dead = |target: &str| failed("a", Some(Environmental), call("r1", "read_file", target, 1));
    let listed = |outcomes: &[SubTaskOutcome], request: &str, paths: &[&str]| {
        let (blocked, failed_before) = parted(outcomes, request, paths);
        assert_eq!(blocked.len() + failed_before.len(), 1);
        failed_before.len() == 1
    };
    // Named by the request.
    assert!(listed(&[dead("/home/u/wd/budget.csv")], "sum budget.csv", &[]));
    assert!(!listed(&[dead("/home/u/Documents/budget.csv")], "sum budget.csv", &[]));
    // Produced by a matched step: printed by it, or made by it.
    let mut printed = matched("find", 1);
    printed.output = "/opt/data/one.csv\n/opt/data/two.csv".into();
    assert!(listed(&[printed, dead("/opt/data/two.csv")], "sum", &[]));
    let mut made = matched("write", 1);
    made.receipts[0] = Receipt { effect: EffectClass::Create, ..call("r1", "write_file", "/opt/out", 0) };
    assert!(listed(&[made, dead("/opt/out")], "sum", &[]));
    assert!(!listed(&[matched("read", 1), dead("/home/u/wd/ok2")], "sum", &[]));
    // The requested output: a file that the task criteria inspect; a bare name is where a call writes it.
    assert!(listed(&[dead("/home/u/wd/report.md")], "write a report", &["report.md"]));
    // The output of its own subtask, if the call writes it; a read of a checked file is a guess like any other.
    let mut own = dead("/opt/out.md");
    own.subtask.success_criteria = vec![checked("made", "/opt/out.md")];
    assert!(!listed(&[own.clone()], "sum", &[]));
    own.receipts[0].effect = EffectClass::Create;
    assert!(listed(&[own], "sum", &[]));
}
