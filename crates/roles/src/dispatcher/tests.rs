use artoo_types::outcome::OutcomeStatus;
use artoo_types::plan::{DispatchManifest, SubTask};
use artoo_types::text::is_cut;
use artoo_types::{SubtaskId, Timestamp};

use super::{Dispatcher, Effect, Input};
use crate::testing::{checked, manifest, outcome, subtask, subtask_id};

fn step_on(dispatcher: &mut Dispatcher, input: Input) -> Vec<Effect> {
    dispatcher.step(Timestamp(0), input)
}

/// A dispatcher with this plan, and the steps that it starts.
fn begun(plan: DispatchManifest) -> (Dispatcher, Vec<SubTask>) {
    let mut dispatcher = Dispatcher::default();
    let started = started(step_on(&mut dispatcher, Input::Manifest(plan)));
    (dispatcher, started)
}

fn started(effects: Vec<Effect>) -> Vec<SubTask> {
    let each = effects.into_iter().map(|effect| match effect {
        Effect::Start(subtask) => subtask,
        Effect::NotRun(outcome) => panic!("{} was given up", outcome.subtask.intent),
        Effect::LookBefore(checks) => panic!("nothing is checked: {checks:?}"),
    });
    each.collect()
}

fn end(dispatcher: &mut Dispatcher, subtask: SubTask, status: OutcomeStatus, output: &str) -> Vec<Effect> {
    step_on(dispatcher, Input::Outcome(outcome(subtask, status, output)))
}

fn ids(subtasks: &[SubTask]) -> Vec<SubtaskId> {
    subtasks.iter().map(|s| s.subtask_id).collect()
}

/// The ordinals of what starts when the steps end in this order with these statuses.
fn check(sequences: &[u32], ends: &[(u32, OutcomeStatus)], expected: &[&[i64]]) {
    let steps = sequences.iter().zip(1..).map(|(sequence, n)| subtask(n, *sequence)).collect();
    let mut dispatcher = Dispatcher::default();
    let numbers = |effects: Vec<Effect>| -> Vec<i64> {
        let each = effects.iter().map(|effect| match effect {
            Effect::Start(subtask) => i64::from(subtask.ordinal),
            Effect::NotRun(outcome) => {
                assert_eq!(outcome.status, OutcomeStatus::NotRun);
                assert_eq!(outcome.failure_reason.as_deref(), Some("a step before it failed"));
                -i64::from(outcome.subtask.ordinal)
            }
            Effect::LookBefore(checks) => panic!("nothing is checked: {checks:?}"),
        });
        each.collect()
    };
    let mut seen = vec![numbers(step_on(&mut dispatcher, Input::Manifest(manifest(0, steps))))];
    for (n, status) in ends {
        seen.push(numbers(end(&mut dispatcher, subtask(*n, sequences[*n as usize - 1]), *status, "")));
    }
    assert_eq!(seen, expected, "{sequences:?} {ends:?}");
}

const OK: OutcomeStatus = OutcomeStatus::Matched;
const BAD: OutcomeStatus = OutcomeStatus::Failed;

#[test]
fn a_group_starts_together_and_the_next_one_when_all_of_it_matched() {
    check(&[1, 1, 2, 2], &[(2, OK), (1, OK)], &[&[1, 2], &[], &[3, 4]]);
    check(&[7, 3, 3], &[(2, OK), (3, OK), (1, OK)], &[&[2, 3], &[], &[1], &[]]);
}

#[test]
fn after_a_failure_the_group_ends_and_later_groups_are_not_run() {
    check(&[1, 1, 2, 3], &[(1, BAD), (2, OK)], &[&[1, 2], &[], &[-3, -4]]);
    check(&[1, 1, 2, 3], &[(1, OK), (2, BAD)], &[&[1, 2], &[], &[-3, -4]]);
    check(&[1, 2], &[(1, OK), (2, BAD)], &[&[1], &[2], &[]]);
}

#[test]
fn an_end_counts_once_and_only_for_what_runs() {
    check(&[1, 1, 2], &[(1, OK), (1, OK), (3, OK), (2, OK)], &[&[1, 2], &[], &[], &[], &[3]]);
}

#[test]
fn at_most_eight_run_at_once_and_the_rest_of_the_group_queues() {
    let nine_and_one = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
    check(&nine_and_one, &[(4, OK), (1, BAD)], &[&[1, 2, 3, 4, 5, 6, 7, 8], &[9], &[10]]);
}

#[test]
fn outputs_of_a_group_enter_the_next_one_in_plan_order() {
    let plan = manifest(0, vec![subtask(1, 1), subtask(2, 1), subtask(3, 2), subtask(4, 3)]);
    let (mut dispatcher, first) = begun(plan);
    assert!(first.iter().all(|s| s.prior_outputs.is_empty()));
    end(&mut dispatcher, first[1].clone(), OK, "two");
    let second = started(end(&mut dispatcher, first[0].clone(), OK, "one"));
    let prior: Vec<_> =
        second[0].prior_outputs.iter().map(|p| (p.sequence, p.intent.as_str(), p.output.as_str())).collect();
    assert_eq!(prior, [(1, "step 1", "one"), (1, "step 2", "two")]);
    let third = started(end(&mut dispatcher, second[0].clone(), OK, "three"));
    assert_eq!(third[0].prior_outputs.len(), 3, "outputs of all earlier groups are there");
}

#[test]
fn prior_outputs_share_their_bound_and_leave_short_ones_whole() {
    let check = |outputs: &[usize], expected: &[usize]| {
        let count = u32::try_from(outputs.len()).expect("a few");
        let mut steps: Vec<SubTask> = (1..=count).map(|n| subtask(n, 1)).collect();
        steps.push(subtask(count + 1, 2));
        let (mut dispatcher, first) = begun(manifest(0, steps));
        let mut next = Vec::new();
        for (subtask, chars) in first.into_iter().zip(outputs) {
            next = end(&mut dispatcher, subtask, OK, &"x".repeat(*chars));
        }
        let last = started(next).remove(0);
        let kept: Vec<usize> = last.prior_outputs.iter().map(|p| p.output.matches('x').count()).collect();
        assert_eq!(kept, expected);
        for (prior, chars) in last.prior_outputs.iter().zip(outputs) {
            assert_eq!(is_cut(&prior.output), prior.output.matches('x').count() < *chars, "a cut says so");
        }
    };
    check(&[8_000], &[8_000]);
    check(&[8_100], &[8_000]);
    check(&[100, 20_000], &[100, 7_900]);
    check(&[1_000, 20_000, 20_000, 20_000], &[1_000, 2_333, 2_333, 2_333]);
}

#[test]
fn kept_outputs_reach_the_steps_of_a_new_plan_and_superseded_ones_do_not() {
    let (mut dispatcher, first) = begun(manifest(0, vec![subtask(1, 1), subtask(2, 1), subtask(3, 1)]));
    end(&mut dispatcher, first[0].clone(), OK, "one");
    end(&mut dispatcher, first[1].clone(), OK, "two");
    end(&mut dispatcher, first[2].clone(), BAD, "three");
    let replan = DispatchManifest {
        kept: vec![subtask_id(1)],
        superseded: vec![subtask_id(2)],
        ..manifest(1, vec![SubTask { round: 1, ..subtask(4, 1) }])
    };
    let next = started(step_on(&mut dispatcher, Input::Manifest(replan)));
    assert_eq!(ids(&next), [subtask_id(4)], "the failure of the last round does not hold this one back");
    let prior: Vec<&str> = next[0].prior_outputs.iter().map(|p| p.output.as_str()).collect();
    assert_eq!(prior, ["one"]);
}

#[test]
fn a_new_plan_forgets_what_the_old_one_still_held() {
    let (mut dispatcher, first) = begun(manifest(0, vec![subtask(1, 1), subtask(2, 2)]));
    step_on(&mut dispatcher, Input::Manifest(manifest(1, vec![subtask(3, 1)])));
    assert!(end(&mut dispatcher, first[0].clone(), OK, "late").is_empty());
    assert!(end(&mut dispatcher, subtask(3, 1), OK, "done").is_empty(), "step 2 is gone");
}

#[test]
fn the_world_is_looked_at_once_before_anything_starts() {
    let mut dispatcher = Dispatcher::default();
    let with_checks = |round: u32, ordinal: u32| {
        let mut step = subtask(ordinal, 1);
        step.success_criteria = vec![checked("it is there"), checked("it is really there")];
        let mut plan = manifest(round, vec![step]);
        plan.task_criteria.push(checked("it is there in the end"));
        plan
    };
    let looks = step_on(&mut dispatcher, Input::Manifest(with_checks(0, 1)));
    let [Effect::LookBefore(checks)] = looks.as_slice() else { panic!("it starts unseen: {looks:?}") };
    assert_eq!(checks.len(), 1, "the same check is evaluated once: {checks:?}");
    let begun = started(step_on(&mut dispatcher, Input::Looked));
    assert_eq!(ids(&begun), [subtask_id(1)]);
    end(&mut dispatcher, begun.into_iter().next().unwrap(), BAD, "");
    // What the state before was is known by then; what is there now, the task may have made.
    let again = started(step_on(&mut dispatcher, Input::Manifest(with_checks(1, 2))));
    assert_eq!(ids(&again), [subtask_id(2)]);
}
