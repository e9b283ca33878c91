//! Tasks that are folded again.

use artoo_types::control::{MacroState, Reason};
use artoo_types::machine::{StepRecord, TaskEffect, TaskInput};
use artoo_types::setting::{ControlParams, Law, Steering};
use artoo_types::{Message, TaskId};
use uuid::Uuid;

use super::stories;
use super::world::World;
use crate::replay::{BUILD, DecisionPair, Replay, ReplayDifference, ReplayReport};

fn journaled(world: &World) -> Vec<StepRecord> {
    world.journaled()
}

fn fold(mut replay: Replay, records: Vec<StepRecord>) -> ReplayReport {
    for record in records {
        if !replay.take(record) {
            break;
        }
    }
    replay.seen().clone()
}

fn exact(records: Vec<StepRecord>) -> ReplayReport {
    fold(Replay::new(task()), records)
}

fn task() -> TaskId {
    TaskId(Uuid::from_u128(7))
}

/// The records as if this build had written them.
fn written_by(build: &str, mut records: Vec<StepRecord>) -> Vec<StepRecord> {
    let TaskInput::Submitted { setting, .. } = &mut records[0].input else { panic!("not a submission") };
    setting.build = build.to_owned();
    records
}

#[test]
fn every_story_folds_again_without_a_difference() {
    for (name, world) in stories::all() {
        let seen = exact(journaled(&world));
        assert_eq!(seen.difference, None, "{name}");
        assert!(seen.is_finished, "{name}");
        assert_eq!(seen.steps, world.records.len() as u64, "{name}");
        assert_eq!(seen.envelopes, world.envelopes().len() as u64, "{name}");
        assert!(seen.decisions.iter().all(DecisionPair::agrees) && !seen.decisions.is_empty(), "{name}");
        let end = seen.decisions.last().and_then(|pair| pair.folded).expect("a task ends with a decision");
        assert_eq!(end.reason, Some(world.result().reason), "{name}");
    }
}

/// The words of a prompt in the records of a task.
fn words(records: &[StepRecord]) -> Vec<&str> {
    let effects = records.iter().flat_map(|record| &record.effects);
    let requests = effects.filter_map(|effect| match effect {
        TaskEffect::CallModel { request, .. } => Some(request),
        _ => None,
    });
    requests.flat_map(|request| &request.messages).map(|message| message.content.as_str()).collect()
}

/// Earlier builds kept the words of prompts: their journals fold as well, and changed words are found in both.
#[test]
fn prompts_are_kept_by_their_hashes_and_were_kept_whole() {
    for (name, world) in stories::all() {
        let (whole, short) = (world.records.clone(), journaled(&world));
        assert!(words(&short).iter().all(|words| words.len() <= 120), "{name}");
        assert_eq!(words(&whole).len(), words(&short).len(), "{name}");
        for mut records in [whole, short] {
            assert_eq!(exact(records.clone()).difference, None, "{name}");
            if records.iter_mut().any(change_prompt) {
                let found = exact(records).difference.expect("the same build writes the same prompts");
                assert!(found.path.ends_with("request.messages[0].content"), "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn a_difference_says_where_it_is_what_it_is_about_and_what_stood_there() {
    let world = stories::abandoned();
    let mut records = journaled(&world);
    let (step, index) = records
        .iter()
        .enumerate()
        .find_map(|(step, record)| {
            let is_directive = |m: &Message| matches!(m, Message::PlanDirective(_));
            record.envelopes.iter().position(|e| is_directive(&e.payload)).map(|index| (step, index))
        })
        .expect("it was replanned");
    let envelope = &mut records[step].envelopes[index];
    let sequence = envelope.sequence;
    let Message::PlanDirective(directive) = &mut envelope.payload else { panic!() };
    directive.grounds.rationale.insert(3, '!');
    let difference = exact(records).difference.expect("it was changed");
    let ReplayDifference { seq, path, about, recorded, folded } = difference;
    assert_eq!(seq, step as u64 + 1);
    assert_eq!(path, format!("envelopes[{index}].payload.body.rationale"));
    assert_eq!(about, format!("plan_directive from R7 to R2 (sequence {sequence}, round 0)"));
    assert!(
        recorded.starts_with('"') && recorded.contains('!') && !folded.contains('!'),
        "{recorded} {folded}"
    );
}

#[test]
fn a_missing_step_is_a_difference() {
    let mut records = journaled(&stories::abandoned());
    records.remove(4);
    let difference = exact(records).difference.expect("a step is missing");
    assert_eq!((difference.seq, difference.path.as_str()), (5, "seq"));
    assert_eq!((difference.recorded.as_str(), difference.folded.as_str()), ("6", "5"));
}

#[test]
fn nothing_is_compared_after_the_first_difference() {
    let mut records = journaled(&stories::abandoned());
    records[3].envelopes[0].sequence += 1;
    records[5].envelopes.clear();
    let count = records.len();
    let mut replay = Replay::new(task());
    let taken = records.into_iter().filter(|record| replay.take(record.clone())).count();
    assert_eq!(taken, 3, "of {count}");
    assert_eq!(replay.seen().difference.as_ref().map(|d| d.seq), Some(4));
}

/// A journal in which the first prompt reads differently: what it says of the prompt, under which build.
fn other_prompt(build: &str) -> ReplayReport {
    let mut records = written_by(build, journaled(&stories::abandoned()));
    let prompts = records.iter_mut().flat_map(|record| &mut record.effects);
    let mut requests = prompts.filter_map(|effect| match effect {
        TaskEffect::CallModel { request, .. } => Some(request),
        _ => None,
    });
    requests.next().expect("a model was asked").messages[0].content.push_str(" Please.");
    exact(records)
}

/// A journal in which the first call had another limit, under this build.
fn other_limit(build: &str) -> ReplayReport {
    let mut records = written_by(build, journaled(&stories::abandoned()));
    let mut calls =
        records.iter_mut().flat_map(|record| &mut record.effects).filter_map(|effect| match effect {
            TaskEffect::RunTool { call, .. } => Some(call),
            _ => None,
        });
    calls.next().expect("a tool was called").deadline_ms += 60_000;
    exact(records)
}

#[test]
fn how_long_a_call_may_take_is_compared_within_one_build_alone() {
    let difference = other_limit(BUILD).difference.expect("the same build sets the same limit");
    assert!(difference.path.ends_with("call.deadline_ms"), "{difference:?}");
    let seen = other_limit("0.0.1+earlier");
    assert!(seen.difference.is_none() && seen.is_finished, "{:?}", seen.difference);
}

#[test]
fn prompts_are_compared_within_one_build_alone() {
    let seen = other_prompt(BUILD);
    let difference = seen.difference.expect("the same build writes the same prompts");
    assert_eq!(difference.path, "effects[1].request.messages[0].content");
    assert_eq!(difference.about, "the request of R1 to a model");
    assert!(seen.other_builds.is_empty());

    for build in ["0.0.9+0123456789abcdef", ""] {
        let seen = other_prompt(build);
        assert_eq!(seen.difference, None);
        assert_eq!((seen.other_prompts, seen.other_builds), (1, vec![build.to_owned()]));
        assert!(seen.is_finished);
    }
}

/// A task that another build began and this one went on with, in which the prompt of one model call reads differently.
fn taken_over(change: impl Fn(&mut StepRecord) -> bool) -> ReplayReport {
    let world = stories::taken_over();
    let mut records = written_by("0.0.9+0123456789abcdef", journaled(&world));
    assert!(records.iter_mut().any(change), "there is such a call");
    exact(records)
}

fn change_prompt(record: &mut StepRecord) -> bool {
    for effect in &mut record.effects {
        if let TaskEffect::CallModel { request, .. } = effect {
            request.messages[0].content.push_str(" Please.");
            return true;
        }
    }
    false
}

#[test]
fn each_step_is_compared_as_the_build_that_wrote_it_asks() {
    let before = taken_over(change_prompt);
    assert_eq!((before.difference, before.other_prompts), (None, 1));
    let resumed = std::cell::Cell::new(false);
    let after = taken_over(|record| {
        resumed.set(resumed.get() || matches!(record.input, TaskInput::Resumed { .. }));
        resumed.get() && change_prompt(record)
    });
    let difference = after.difference.expect("this build wrote that prompt");
    assert!(difference.path.ends_with("request.messages[0].content"), "{difference:?}");
}

#[test]
fn a_build_with_other_prompts_goes_on_with_a_task() {
    let mut records = written_by("0.0.9+0123456789abcdef", journaled(&stories::taken_over()));
    assert!(records.iter_mut().any(change_prompt));
    assert_eq!(crate::fold::fold(task(), records).1, None);
}

#[test]
fn everything_but_prompts_is_compared_with_another_build_too() {
    let mut records = written_by("another", journaled(&stories::abandoned()));
    let last = records.last_mut().expect("records");
    last.envelopes.last_mut().expect("the result").round += 1;
    let count = records.len() as u64;
    assert_eq!(exact(records).difference.map(|d| d.seq), Some(count));
}

fn decide_with(control: ControlParams) -> ReplayReport {
    fold(Replay::with_control(task(), control), journaled(&stories::abandoned()))
}

#[test]
fn the_recorded_parameters_decide_as_recorded() {
    let seen = decide_with(ControlParams::default());
    assert_eq!(seen.difference, None);
    assert!(seen.is_finished && seen.decisions.len() > 2);
}

#[test]
fn other_weights_change_the_figures_and_not_the_decisions() {
    let seen = decide_with(ControlParams { lambda: 0.5, ..ControlParams::default() });
    assert_eq!(seen.difference, None);
    let figures = |pair: &DecisionPair| Some((pair.recorded?.loss.total, pair.folded?.loss.total));
    let totals: Vec<_> = seen.decisions.iter().filter_map(figures).collect();
    assert!(totals.iter().skip(1).any(|(recorded, folded)| recorded < folded), "{totals:?}");
}

#[test]
fn a_lower_stop_surface_ends_the_task_at_the_first_round_that_costs_as_much() {
    // By the belief a spent budget presses and ends nothing.
    let steering = Steering { law: Law::Table, ..Steering::default() };
    let seen = decide_with(ControlParams { theta: 0.1, steering, ..ControlParams::default() });
    let difference = seen.difference.expect("Ω passes 0.1 with the first directive");
    let parted = seen.decisions.last().expect("a decision");
    let (recorded, folded) = (parted.recorded.expect("recorded"), parted.folded.expect("folded"));
    assert_eq!((folded.directive, folded.reason), (MacroState::Abandon, Some(Reason::BudgetExhausted)));
    assert_eq!((recorded.round, folded.round), (1, 1));
    assert_eq!(difference.about, "the controller's decision on round 1");
    assert_eq!(difference.folded, "abandon (budget_exhausted)");
    assert_eq!(difference.recorded, recorded.words());
    assert_eq!(seen.decisions.len(), 2, "nobody knows what would have followed");
}

#[test]
fn a_parameter_that_asks_the_world_something_else_ends_the_comparison_there() {
    let seen = decide_with(ControlParams { max_retries: 0, ..ControlParams::default() });
    let difference = seen.difference.expect("without corrections the round ends earlier");
    assert!(difference.about.contains("decision") || difference.about.contains("wants"), "{difference:?}");
    assert!(!seen.is_finished);
}
