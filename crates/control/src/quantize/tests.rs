use artoo_types::Timestamp;
use artoo_types::control::{Directive, Ending, MacroState, Reason};
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::memory::{
    FailedPlan, InputState, Level, MegramWrite, PlanInput, RememberedFailure, WorldState,
};
use artoo_types::outcome::{Denial, SubTaskOutcome};
use artoo_types::plan::{BlockedTarget, PlanMark};
use artoo_types::tag::Tag;

use super::{CONTENT_CHARS, MATRIX, Provenance};
use crate::blame::failing_calls;
use crate::task_end::TaskEnd;
use crate::testing::*;

const FROM: fn() -> Provenance =
    || Provenance { task_id: task_id(), round: 1, at: Timestamp(5), tainted: true };

/// State, space, entity, f, σ, k.
type Row = (&'static str, &'static str, &'static str, f64, f64, f64);

fn check(writes: &[MegramWrite], expected: &[Row]) {
    let rows: Vec<_> = writes
        .iter()
        .map(|w| &w.megram)
        .map(|m| (m.state.as_str(), m.tag.space.as_str(), m.tag.entity.as_str(), m.f, m.sigma, m.k.per_day()))
        .collect();
    assert_eq!(rows, expected);
}

fn round() -> Vec<SubTaskOutcome> {
    vec![
        failed("a", Some(Logical), call("r1", "shell:find", "/x", 0)),
        failed("b", Some(Logical), call("r2", "shell:find", "/x", 0)),
        failed("c", Some(Logical), call("r3", "glob", "", 0)),
        failed("d", Some(Environmental), call("r4", "read_file", "/y", 1)),
        failed("e", Some(Environmental), call("r5", "read_file", "/z", 0)),
    ]
}

#[test]
fn the_matrix_is_the_designs() {
    let literal = [
        ("abandon", 0.95, -1.0, 0.05),
        ("accept", 0.90, 1.0, 0.05),
        ("change_approach", 0.85, -1.0, 0.05),
        ("success", 0.80, 1.0, 0.05),
        ("break_symmetry", 0.75, 1.0, 0.05),
        ("change_path", 0.30, 0.0, 0.2),
        ("refine", 0.10, 0.5, 0.5),
    ];
    assert_eq!(MATRIX.map(|q| (q.state.as_str(), q.f, q.sigma, q.k.per_day())), literal);
}

#[test]
fn action_states_write_one_megram_for_each_pair_that_they_blame() {
    let outcomes = round();
    let calls = failing_calls(&outcomes);
    let writes = |directive| FROM().of_directive(directive, &calls, "/w");
    check(
        &writes(Directive::ChangeApproach),
        &[
            ("change_approach", "tool:shell:find", "path:/x", 0.85, -1.0, 0.05),
            ("change_approach", "tool:glob", "path:*", 0.85, -1.0, 0.05),
        ],
    );
    check(
        &writes(Directive::ChangePath),
        &[
            ("change_path", "tool:read_file", "path:/y", 0.30, 0.0, 0.2),
            ("refine", "tool:read_file", "path:/z", 0.10, 0.5, 0.5),
        ],
    );
    check(
        &writes(Directive::Refine),
        &[
            ("refine", "tool:read_file", "path:/y", 0.10, 0.5, 0.5),
            ("refine", "tool:read_file", "path:/z", 0.10, 0.5, 0.5),
        ],
    );
    check(&writes(Directive::BreakSymmetry), &[]);
}

#[test]
fn a_breakthrough_praises_the_new_pairs() {
    let fresh = [BlockedTarget { class: "search".into(), target: "rust".into() }];
    check(
        &FROM().of_breakthrough(&fresh, &[matched("look it up", 1)]),
        &[("break_symmetry", "tool:search", "path:rust", 0.75, 1.0, 0.05)],
    );
}

fn end(ending: Ending) -> TaskEnd<'static> {
    TaskEnd { ending, logical: false, confirmed: true, outcomes: &[], lesson: "learned" }
}

/// A plan that failed where nothing was looked at.
fn failed_plan() -> FailedPlan {
    let world = WorldState { folder: "/w".into(), inputs: Vec::new() };
    FailedPlan { mark: PlanMark::of([]), world }
}

#[test]
fn only_what_code_saw_is_praised() {
    let praise = |end: TaskEnd<'_>| FROM().of_request(&end, Reason::CriteriaMet, &spec(), Vec::new());
    let seen = end(Ending::Accept);
    assert_eq!(praise(seen).map(|write| write.megram.sigma), Some(1.0));
    assert_eq!(praise(TaskEnd { confirmed: false, ..seen }), None);
    let tolerable = TaskEnd { ending: Ending::Success, confirmed: false, ..seen };
    assert_eq!(praise(tolerable), None);
}

#[test]
fn an_abandon_speaks_against_plans_that_failed_for_their_approach_and_else_against_nothing() {
    let write = |failed: Vec<FailedPlan>| {
        let end = TaskEnd { confirmed: false, ..end(Ending::Abandon) };
        FROM().of_request(&end, Reason::ReplansExhausted, &spec(), failed).expect("it teaches").megram
    };
    let wrong = write(vec![failed_plan()]);
    assert_eq!((wrong.f, wrong.sigma, wrong.failed.plans), (0.95, -1.0, vec![failed_plan()]));
    let stopped = write(Vec::new());
    assert_eq!((stopped.f, stopped.sigma, stopped.failed.plans), (0.95, 0.0, Vec::new()));
}

#[test]
fn a_failed_call_is_remembered_with_the_state_that_it_met() {
    let met = PlanInput { path: "/x".into(), state: InputState::Absent };
    let mut receipt = call("r1", "shell:find", "/x", 0);
    receipt.act.inputs = vec![met.clone()];
    let outcomes = vec![failed("a", Some(Logical), receipt)];
    let writes = FROM().of_directive(Directive::ChangeApproach, &failing_calls(&outcomes), "/w");
    let world = WorldState { folder: "/w".into(), inputs: vec![met] };
    assert_eq!(writes[0].megram.failed, RememberedFailure { plans: Vec::new(), world: Some(world) });
}

#[test]
fn only_ends_that_say_something_about_the_intent_are_remembered() {
    let tag = spec().intent_tag;
    let state = |ending, reason| {
        FROM().of_request(&end(ending), reason, &spec(), Vec::new()).map(|w| (w.megram.state, w.megram.tag))
    };
    let written = |word: &str| Some((word.to_owned(), tag.clone()));
    assert_eq!(state(Ending::Accept, Reason::CriteriaMet), written("accept"));
    assert_eq!(state(Ending::Success, Reason::WithinTolerance), written("success"));
    assert_eq!(state(Ending::Accept, Reason::Answered), None);
    let teaching = [Reason::BudgetExhausted, Reason::ReplansExhausted, Reason::Diverging, Reason::CannotPlan];
    let silent = [
        Reason::Deadline,
        Reason::Cancelled,
        Reason::Refused,
        Reason::Declined,
        Reason::CannotBeDone,
        Reason::ModelUnavailable,
        Reason::Interrupted,
        Reason::Internal,
    ];
    for reason in teaching {
        assert_eq!(state(Ending::Abandon, reason), written("abandon"), "{reason:?}");
    }
    for reason in silent {
        assert_eq!(state(Ending::Abandon, reason), None, "{reason:?}");
    }
}

#[test]
fn ids_depend_on_task_round_state_and_tag_alone() {
    let tag = Tag::intent("a");
    let id = |from: Provenance, state, tag: &Tag, content: &str| {
        from.megram(state, tag.clone(), content).map(|w| w.megram.id)
    };
    let base = id(FROM(), MacroState::Abandon, &tag, "x");
    let later = Provenance { at: Timestamp(9), tainted: false, ..FROM() };
    assert_eq!(id(later, MacroState::Abandon, &tag, "y"), base);
    assert_ne!(id(Provenance { round: 2, ..FROM() }, MacroState::Abandon, &tag, "x"), base);
    assert_ne!(id(FROM(), MacroState::Accept, &tag, "x"), base);
    assert_ne!(id(FROM(), MacroState::Abandon, &Tag::intent("b"), "x"), base);
    assert_eq!(id(FROM(), MacroState::Init, &tag, "x"), None);
}

#[test]
fn a_megram_carries_its_provenance_and_bounded_words() {
    let long = "x".repeat(9_000);
    let end = TaskEnd { lesson: &long, ..end(Ending::Accept) };
    let write = FROM().of_request(&end, Reason::CriteriaMet, &spec(), Vec::new());
    let megram = write.expect("accept is remembered").megram;
    assert_eq!((megram.level, megram.created_at, megram.tainted), (Level::M, Timestamp(5), true));
    assert_eq!(megram.task_id, Some(task_id()));
    assert!(megram.content.chars().count() <= CONTENT_CHARS + 1);

    let outcomes = round();
    let lesson =
        &FROM().of_directive(Directive::ChangePath, &failing_calls(&outcomes), "/w")[0].megram.content;
    assert_eq!(lesson, "read_file on /y (exit status 1) did not achieve \"d\": not seen");
}

#[test]
fn a_denial_is_a_fact_about_the_setting_and_speaks_against_no_plan() {
    let asked = |denial: Option<Denial>, end: CallEnd| {
        let receipt = Receipt { end, exit: None, ..call("r1", "shell:rm", "/x", 0) };
        let outcome = SubTaskOutcome { denied: denial, ..failed("delete it", None, receipt) };
        FROM().of_denials(&[outcome.clone(), outcome])
    };
    let told = asked(Some(Denial::Refused), CallEnd::Denied);
    check(&told, &[("denied", "tool:shell:rm", "path:/x", 0.30, 0.0, 0.05)]);
    assert_eq!(told[0].megram.content, "a person said no to shell:rm on /x (\"delete it\")");
    assert_eq!(told[0].megram.failed, RememberedFailure::default(), "no plan is held against it");
    let unanswered = asked(Some(Denial::Unanswered), CallEnd::Denied);
    check(&unanswered, &[("denied", "tool:shell:rm", "path:/x", 0.10, 0.0, 0.5)]);
    assert!(asked(None, CallEnd::Denied).is_empty());
    assert!(asked(Some(Denial::Refused), CallEnd::Ran).is_empty());
}
