use std::sync::LazyLock;

use artoo_types::control::{Ending, FinalResult, Loss, MacroState, Reason, TrajectoryPoint, Unmet};
use artoo_types::evidence::{CallEnd, ChangeKind, FileChange};
use artoo_types::memory::{FailedPlan, InputState, PlanInput, WorldState};
use artoo_types::outcome::OutcomeStatus;
use artoo_types::plan::{Decline, NoPlan, PlanDraftRejected};
use artoo_types::setting::ControlParams;
use artoo_types::unit::{Cost, Implausibility};
use serde_json::Value;

use super::{Closing, Denials, MAX_MOVES, unverified};
use crate::history::{History, MetCriteria};
use crate::loss::{Gradient, Spending};
use crate::testing::*;

const EVERY_ABANDON: [Reason; 13] = [
    Reason::BudgetExhausted,
    Reason::CostExhausted,
    Reason::ReplansExhausted,
    Reason::Diverging,
    Reason::Deadline,
    Reason::Cancelled,
    Reason::Refused,
    Reason::Declined,
    Reason::CannotBeDone,
    Reason::CannotPlan,
    Reason::ModelUnavailable,
    Reason::Interrupted,
    Reason::Internal,
];

/// What a planner that declines says.
fn decline() -> PlanDraftRejected {
    let decline = Decline {
        reason: "no rule".into(),
        nearest: vec!["list files".into()],
        how_to_configure: "Set OPENAI_API_KEY.".into(),
        is_plain: false,
    };
    PlanDraftRejected {
        task_id: task_id(),
        attempt: 0,
        outcome: NoPlan::Declined,
        reasons: Vec::new(),
        decline: Some(decline),
        uncovered: Vec::new(),
        memories: Vec::new(),
    }
}

/// A plan of one step that made a call, in a round of this implausibility.
fn note_round(history: &mut History, round: u32, intent: &str, implausibility: f64) {
    let outcome = matched(intent, 1);
    history.note_plan(manifest(round, std::slice::from_ref(&outcome)));
    history.note_world("/w", &[outcome]);
    history.trajectory.push(point(implausibility));
}

/// A round of this implausibility.
fn point(implausibility: f64) -> TrajectoryPoint {
    let loss = Loss { implausibility: Implausibility::clamped(implausibility), ..Loss::default() };
    TrajectoryPoint { loss, directive: MacroState::ChangePath, grad_l: 0.0, grad_q: 0.0 }
}

/// What the end of a task with this past forbids.
fn failed_plans(params: &ControlParams, history: &History, ending: Ending) -> Vec<FailedPlan> {
    of_past(params, history, ending, |closing| closing.failed_plans())
}

/// What this says of the end of a task with this past.
fn of_past<T>(
    params: &ControlParams,
    history: &History,
    ending: Ending,
    say: impl FnOnce(Closing<'_>) -> T,
) -> T {
    let closing = Closing {
        task_id: task_id(),
        spec: None,
        params,
        max_tokens: None,
        history,
        ending,
        reason: Reason::ReplansExhausted,
        loss: Loss::default(),
        gradient: Gradient::default(),
        output: Value::Null,
        words: "",
        unmet: Vec::new(),
        denials: Denials::default(),
        no_plan: None,
        spent: &Spending::default(),
    };
    say(closing)
}

/// Fails where what a failed step said is lost, or passes for what was verified.
#[test]
fn what_a_failed_step_said_is_the_output_of_a_task_that_is_given_up_and_of_no_other() {
    let (params, mut history) = (by_the_table(), History::new());
    history.last.unverified = "UNVERIFIED: so it says".to_owned();
    let result = |ending: Ending, output: Value| {
        of_past(&params, &history, ending, |closing| Closing { output: output.clone(), ..closing }.result())
    };
    let told = result(Ending::Abandon, Value::Null);
    assert_eq!(told.output, Value::String("UNVERIFIED: so it says".to_owned()));
    assert!(!told.marks.partial && told.summary.contains("UNVERIFIED"), "{}", told.summary);
    let matched = result(Ending::Abandon, Value::String("it matched".to_owned()));
    assert_eq!(matched.output, Value::String("it matched".to_owned()));
    assert!(matched.marks.partial && !matched.summary.contains("UNVERIFIED"));
    assert_eq!(result(Ending::Success, Value::Null).output, Value::Null);
}

#[test]
fn what_was_changed_and_is_left_so_is_named_where_there_is_no_result() {
    let change = |path: &str, kind: ChangeKind| FileChange {
        path: path.to_owned(),
        kind,
        before: None,
        after: None,
        modes: None,
    };
    let said = |changes: &[FileChange], ending: Ending| {
        let (params, mut history) = (by_the_table(), History::new());
        let mut receipt = call("r1", "shell", "/w", 0);
        receipt.act.changes = changes.to_vec();
        history.note_changes(&receipt);
        of_past(&params, &history, ending, |closing| closing.result().summary)
    };
    let made = change("/w/invoice.txt", ChangeKind::Made);
    let draft = |kind: ChangeKind| change("/w/draft.txt", kind);
    let both = [
        made.clone(),
        draft(ChangeKind::Made),
        change("/w/invoice.txt", ChangeKind::Changed),
        draft(ChangeKind::Deleted),
        change("/w/.git/index", ChangeKind::Changed),
    ];
    let abandoned = said(&both, Ending::Abandon);
    assert!(abandoned.ends_with("Left as it is now: made /w/invoice.txt."), "{abandoned}");
    let many: Vec<FileChange> = (0..9).map(|n| change(&format!("/w/{n}"), ChangeKind::Deleted)).collect();
    assert!(said(&many, Ending::Abandon).ends_with("deleted /w/4; and 4 more."));
    assert!(!said(&[made], Ending::Accept).contains("Left as it is"));
    assert!(!said(&[], Ending::Abandon).contains("Left as it is"));
}

#[test]
fn a_call_that_broke_down_at_last_is_named_where_there_is_no_result() {
    let said = |end: CallEnd, ending: Ending| {
        let (params, mut history) = (by_the_table(), History::new());
        let mut late = call("r2", "notes__search", "{}", 0);
        (late.end, late.output) = (end, "nothing within 5 ms:\ngive it more time".to_owned());
        let receipts = vec![call("r1", "shell", "/w", 0), late];
        history.last.outcomes = vec![outcome("step", OutcomeStatus::Failed, vec![], receipts)];
        of_past(&params, &history, ending, |closing| closing.result().summary)
    };
    let named = "(The last call broke down, notes__search: nothing within 5 ms: give it more time.)";
    for end in [CallEnd::Timeout, CallEnd::Error] {
        assert!(said(end, Ending::Abandon).contains(named), "{end:?}");
        assert!(!said(end, Ending::Accept).contains("broke down"), "{end:?}");
    }
    assert!(!said(CallEnd::Ran, Ending::Abandon).contains("broke down"), "it did come to its end");
}

/// The result and the lesson of an end with this reason, after one failed round.
fn closed(reason: Reason, ending: Ending, shape: impl FnOnce(&mut Closing<'_>)) -> (FinalResult, String) {
    let said = decline();
    let (mut spec, params, mut history) = (spec(), by_the_table(), History::new());
    spec.assumptions = vec!["the file is in euros".into()];
    history.met = MetCriteria { met: vec!["a".to_owned()], all: 3 };
    history.calls.ruled_out = vec!["/guess/1".into()];
    for (round, (intent, p)) in [("list", 1.0), ("look", 0.0)].into_iter().enumerate() {
        note_round(&mut history, round as u32, intent, p);
    }
    let mut closing = Closing {
        task_id: task_id(),
        spec: Some(&spec),
        params: &params,
        max_tokens: None,
        history: &history,
        ending,
        reason,
        loss: Loss { cost: Cost::clamped(0.85), ..Loss::default() },
        gradient: Gradient { literal: 0.5, quality: 0.25 },
        output: Value::Null,
        words: "R4b said this.",
        unmet: vec![Unmet { criterion: "it's summed".into(), evidence: "no".into(), evaluated: true }],
        denials: Denials { intents: vec!["delete it".into()], unanswered: true },
        no_plan: Some(&said).filter(|_| reason == Reason::Declined),
        spent: &Spending::default(),
    };
    shape(&mut closing);
    let lesson = closing.lesson();
    (closing.result(), lesson)
}

#[test]
fn every_abandon_says_why_and_what_to_do() {
    for reason in EVERY_ABANDON {
        let (result, _) = closed(reason, Ending::Abandon, |_| ());
        assert!((1..=MAX_MOVES).contains(&result.next_moves.len()), "{reason:?}");
        assert!(result.next_moves.iter().any(|m| m.contains("artoo ")), "{:?}", result.next_moves);
        assert!(result.summary.contains("R4b said this.") && result.summary.contains("1 of 3 criteria met"));
        assert!(result.summary.contains("Assumed: the file is in euros."));
        assert_eq!(result.summary.starts_with("[LAW1]"), reason == Reason::Refused);
        assert_eq!(result.unanswered_confirmation, reason == Reason::Refused);
        assert_eq!((result.grad_l, result.grad_q), (0.5, 0.25));
    }
}

#[test]
fn moves_name_the_request_the_input_and_the_numbers() {
    let moves = |reason| closed(reason, Ending::Abandon, |_| ()).0.next_moves.join("\n");
    assert!(moves(Reason::Cancelled).contains("artoo 'sum the amounts in budget.csv'"));
    assert!(moves(Reason::ReplansExhausted).contains("/guess/1"));
    assert!(moves(Reason::ReplansExhausted).contains("control.max_replans in config.toml (now 3)"));
    assert!(moves(Reason::BudgetExhausted).contains("control.time_budget_ms in config.toml (now 300000)"));
    // Quoted so that a shell reads it back.
    assert!(moves(Reason::Diverging).contains(r"artoo 'it'\''s summed'"));
    let evidence = format!("artoo events {} --json", task_id());
    assert!(moves(Reason::Internal).contains(&evidence), "a command that exists");
}

#[test]
fn a_decline_names_what_would_work() {
    let (result, _) = closed(Reason::Declined, Ending::Abandon, |_| ());
    assert_eq!(result.next_moves, ["This would work: artoo 'list files'", "Set OPENAI_API_KEY."]);
}

#[test]
fn a_plain_decline_is_said_as_it_is() {
    let mut rejected = decline();
    if let Some(decline) = &mut rejected.decline {
        decline.is_plain = true;
    }
    for reason in [Reason::Declined, Reason::CannotPlan] {
        let (result, _) = closed(reason, Ending::Abandon, |c| {
            c.no_plan = Some(Box::leak(Box::new(rejected.clone())));
            c.words = "no nope.txt here";
        });
        assert!(result.summary.starts_with("no nope.txt here"), "{}", result.summary);
        assert_eq!(result.next_moves, ["list files", "Set OPENAI_API_KEY."]);
    }
}

#[test]
fn what_is_delivered_by_an_abandon_is_labelled_as_partial() {
    let output = || Value::String("lines".into());
    let (abandoned, _) = closed(Reason::Deadline, Ending::Abandon, |c| c.output = output());
    assert!(abandoned.marks.partial && abandoned.summary.contains("PARTIAL"));
    let (empty, _) = closed(Reason::Deadline, Ending::Abandon, |_| ());
    assert!(!empty.marks.partial && !empty.summary.contains("PARTIAL"));
    let (good, _) = closed(Reason::WithinTolerance, Ending::Success, |c| c.output = output());
    assert!(!good.marks.partial && good.summary.contains("Open: it's summed."));
}

#[test]
fn lessons_carry_the_plans() {
    let (_, bad) = closed(Reason::Diverging, Ending::Abandon, |_| ());
    assert!(bad.contains("diverging: sum the amounts"), "{bad}");
    assert!(
        bad.contains("Failed plans: 1 [glob] list. Plans that were only stopped: 1 [glob] look. Unmet"),
        "{bad}"
    );
    let (_, good) = closed(Reason::CriteriaMet, Ending::Accept, |_| ());
    assert_eq!(good, "criteria_met: sum the amounts. Plan: 1 [glob] look");
}

#[test]
fn only_plans_that_failed_for_their_approach_are_forbidden() {
    let check = |implausibility: &[f64], ending: Ending, forbidden: usize| {
        let (params, mut history) = (by_the_table(), History::new());
        for (round, p) in implausibility.iter().enumerate() {
            note_round(&mut history, round as u32, &format!("step {round}"), *p);
        }
        // A plan that was stopped in its midst.
        history.note_plan(manifest(9, &[matched("cut short", 1)]));
        assert_eq!(failed_plans(&params, &history, ending).len(), forbidden, "{implausibility:?}");
    };
    check(&[1.0, 1.0], Ending::Abandon, 2);
    check(&[1.0, 0.0], Ending::Abandon, 1);
    check(&[1.0, 0.0, 0.5], Ending::Abandon, 1);
    check(&[0.0, 0.6, 0.0, 0.0], Ending::Abandon, 1);
    check(&[0.0, 0.0], Ending::Abandon, 0);
    check(&[], Ending::Abandon, 0);
    check(&[1.0, 1.0], Ending::Success, 0);
}

#[test]
fn a_plan_that_called_nothing_is_not_forbidden() {
    let (params, mut history) = (by_the_table(), History::new());
    let gave_up = unjudged("read it", 1);
    history.note_plan(manifest(0, std::slice::from_ref(&gave_up)));
    history.note_world("/w", &[gave_up]);
    history.trajectory.push(point(1.0));
    assert_eq!(failed_plans(&params, &history, Ending::Abandon), []);
}

#[test]
fn a_failed_plan_is_kept_with_what_its_own_round_looked_at_before_it_changed_it() {
    let input = |path: &str, state: InputState| PlanInput { path: path.into(), state };
    let looked = |id: &str, inputs: &[PlanInput]| {
        let mut receipt = call(id, "read_file", "/w/a", 0);
        receipt.act.inputs = inputs.to_vec();
        receipt
    };
    let (params, mut history) = (by_the_table(), History::new());
    for round in 0..2 {
        let mut writing = looked("r2", &[input("/w/out", InputState::Absent)]);
        writing.act.changes = vec![FileChange {
            path: "/w/out".into(),
            kind: ChangeKind::Made,
            before: None,
            after: None,
            modes: None,
        }];
        let state = InputState::Present(format!("{round}"));
        let receipts = vec![
            looked("r1", &[input("/w/a", state)]),
            writing,
            looked(
                "r3",
                &[input("/w/out", InputState::Present("new".into())), input("/w/b", InputState::Absent)],
            ),
        ];
        let outcome = outcome("step", OutcomeStatus::Failed, vec![], receipts);
        history.note_plan(manifest(round, std::slice::from_ref(&outcome)));
        history.note_world("/w", &[outcome]);
        history.trajectory.push(point(1.0));
    }
    let worlds: Vec<WorldState> =
        failed_plans(&params, &history, Ending::Abandon).into_iter().map(|plan| plan.world).collect();
    let world = |state: &str| WorldState {
        folder: "/w".into(),
        inputs: vec![
            input("/w/a", InputState::Present(state.into())),
            input("/w/out", InputState::Absent),
            input("/w/b", InputState::Absent),
        ],
    };
    assert_eq!(worlds, [world("0"), world("1")]);
}

#[test]
fn a_memory_that_stood_in_the_way_is_named_with_what_forgets_it() {
    static STOOD: LazyLock<PlanDraftRejected> =
        LazyLock::new(|| PlanDraftRejected { memories: vec![uuid::Uuid::from_u128(9)], ..decline() });
    for reason in [Reason::CannotPlan, Reason::Declined] {
        let (result, _) = closed(reason, Ending::Abandon, |closing| closing.no_plan = Some(&STOOD));
        let first = &result.next_moves[0];
        assert!(first.contains(&format!("artoo memory forget {}", STOOD.memories[0])), "{reason:?}: {first}");
    }
}

#[test]
fn a_running_plan_is_unverified_as_a_whole() {
    let unmet = unverified(&manifest(0, &[matched("a", 2)]));
    assert_eq!(unmet.len(), 3);
    assert!(unmet.iter().all(|u| !u.evaluated));
}
