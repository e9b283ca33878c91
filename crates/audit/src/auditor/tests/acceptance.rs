//! What the auditor finds in an acceptance that cites evidence, all of it recorded.

use artoo_types::control::{Ending, Reason};
use artoo_types::criteria::{Check, Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::evidence::{CallAct, CallEnd, ChangeKind, EffectClass, FileChange, Receipt};
use artoo_types::finding::FindingKind::{self, IrrelevantAccept, StaleAccept};
use artoo_types::outcome::{ExecutionStatus, OutcomeStatus};

use crate::testing::{Case, end, manifest, outcome, receipt, result, subtask, summary_of, verdict};

/// A task of one step that is accepted because this criterion passed on this evidence.
struct Accepted {
    criterion: &'static str,
    check: Option<Check>,
    unchanged: bool,
    before: Option<Verdict>,
    cites: &'static str,
    receipts: Vec<Receipt>,
}

impl Accepted {
    fn on(criterion: &'static str, receipt: Receipt) -> Self {
        Self { criterion, check: None, unchanged: false, before: None, cites: "r1", receipts: vec![receipt] }
    }

    fn found(self) -> Vec<FindingKind> {
        let mut step = subtask(1);
        step.success_criteria = vec![Criterion {
            text: self.criterion.to_owned(),
            mode: CriterionMode::Verifiable,
            check: self.check,
            unchanged: self.unchanged,
            derived: None,
        }];
        let passed = CriterionVerdict {
            criterion: self.criterion.to_owned(),
            before: self.before,
            ..verdict(Verdict::Pass, Some(self.cites))
        };
        let mut matched = outcome(1, OutcomeStatus::Matched, vec![passed]);
        matched.subtask = step.clone();
        let mut case = Case::default();
        case.quiet([
            manifest(vec![step]),
            subtask(1).into(),
            result(1, ExecutionStatus::Completed, self.receipts),
            summary_of(vec![matched]),
        ]);
        case.send(end(Ending::Accept, Reason::CriteriaMet, 0.0))
    }
}

fn shell(program: &str, exit: i64, effect: EffectClass) -> Receipt {
    let classes = vec![format!("shell:{program}")];
    Receipt { tool: "shell".to_owned(), classes, exit: Some(exit), effect, ..receipt(1) }
}

fn changing(path: &str, kind: ChangeKind) -> Receipt {
    let change = FileChange { path: path.to_owned(), kind, before: None, after: None, modes: None };
    let act = CallAct { changes: vec![change], ..CallAct::default() };
    Receipt { act, ..shell("tool", 0, EffectClass::Create) }
}

#[test]
fn an_idle_or_failed_call_proves_nothing() {
    for (receipt, found) in [
        (shell("true", 0, EffectClass::Read), &[IrrelevantAccept][..]),
        (shell("false", 1, EffectClass::Read), &[IrrelevantAccept]),
        (shell("echo", 0, EffectClass::Read), &[IrrelevantAccept]),
        (shell("ls", 2, EffectClass::Read), &[IrrelevantAccept]),
        (Receipt { end: CallEnd::Denied, exit: None, ..receipt(1) }, &[IrrelevantAccept]),
        (shell("ls", 0, EffectClass::Read), &[]),
        (shell("grep", 1, EffectClass::Read), &[]),
    ] {
        assert_eq!(Accepted::on("The files are listed", receipt.clone()).found(), found, "{receipt:?}");
    }
}

#[test]
fn a_claim_that_something_was_done_needs_a_call_that_did_it() {
    let looked = || shell("ls", 0, EffectClass::Read);
    assert_eq!(Accepted::on("old logs deleted", looked()).found(), [IrrelevantAccept]);
    assert_eq!(Accepted::on("old logs deleted", shell("rm", 0, EffectClass::Delete)).found(), []);
    let mut looked_after = Accepted::on("old logs deleted", looked());
    let gone =
        Receipt { id: artoo_types::EvidenceId("r2".to_owned()), ..changing("/w/a.log", ChangeKind::Deleted) };
    looked_after.receipts.push(gone);
    assert_eq!(looked_after.found(), [], "whoever looks afterwards cites the look");
    assert_eq!(
        Accepted::on("the file a.txt was created", changing("/w/a.txt", ChangeKind::Made)).found(),
        []
    );
    assert_eq!(Accepted::on("the newest files are listed", looked()).found(), []);
}

#[test]
fn a_receipt_has_to_speak_of_what_the_criterion_names() {
    let of = |output: &str| Receipt {
        output: output.to_owned(),
        output_bytes: output.len() as u64,
        arguments: r#"{"command":"cat list"}"#.to_owned(),
        target: "/w/list".to_owned(),
        ..shell("cat", 0, EffectClass::Read)
    };
    let found = |receipt: Receipt| Accepted::on("What stands in Notes.txt is told", receipt).found();
    assert_eq!(found(of("of another file")), [IrrelevantAccept]);
    assert_eq!(found(of("./notes.txt: buy milk")), []);
    let arguments = r#"{"command":"cat notes.txt"}"#.to_owned();
    assert_eq!(found(Receipt { arguments, ..of("buy milk") }), []);
    let arguments = r#"{"command":"cat *.txt"}"#.to_owned();
    assert_eq!(found(Receipt { arguments, ..of("buy milk") }), [], "a pattern may cover it");
    assert_eq!(found(Receipt { output_bytes: 9_000, ..of("buy milk") }), [], "it is not all there");
}

#[test]
fn a_receipt_of_a_step_that_did_not_match_proves_nothing_for_another() {
    let mut case = Case::default();
    let passed = outcome(2, OutcomeStatus::Matched, vec![verdict(Verdict::Pass, Some("r1"))]);
    case.quiet([
        manifest(vec![subtask(2)]),
        result(1, ExecutionStatus::Failed, vec![receipt(1)]),
        result(2, ExecutionStatus::Completed, Vec::new()),
        summary_of(vec![passed]),
    ]);
    assert_eq!(case.send(end(Ending::Accept, Reason::CriteriaMet, 0.0)), [IrrelevantAccept]);
}

#[test]
fn a_check_that_held_before_proves_nothing_unless_a_call_changed_its_subject() {
    let report = |receipt: Receipt| Accepted {
        criterion: "The report is there",
        check: Some(Check::FileExists { path: "report.md".to_owned() }),
        unchanged: false,
        before: None,
        cites: "c2.0",
        receipts: vec![receipt],
    };
    let looked = || shell("ls", 0, EffectClass::Read);
    assert_eq!(report(looked()).found(), [StaleAccept]);
    assert_eq!(report(changing("/w/other.md", ChangeKind::Made)).found(), [StaleAccept]);
    assert_eq!(report(changing("/w/report.md", ChangeKind::Changed)).found(), []);
    let below = |path: &str| Accepted {
        check: Some(Check::FileExists { path: "/w/out/report.md".to_owned() }),
        ..report(changing(path, ChangeKind::Changed))
    };
    assert_eq!(below("/w/old/report.md").found(), [StaleAccept], "a file of that name in another folder");
    assert_eq!(below("/w/out/report.md").found(), []);
    let unseen = shell("make", 0, EffectClass::Unknown);
    assert_eq!(report(unseen).found(), [], "what it changed is not known, so nothing is said");
    assert_eq!(Accepted { unchanged: true, ..report(looked()) }.found(), [], "a precondition");
    let held = |before| Accepted { before: Some(before), ..report(looked()) }.found();
    assert_eq!(held(Verdict::Pass), [StaleAccept]);
    assert_eq!(held(Verdict::Fail), [], "somebody else made it meanwhile, and it is there now");
}
