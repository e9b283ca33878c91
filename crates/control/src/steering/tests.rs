use artoo_types::belief::StepAxis;
use artoo_types::control::Directive;
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::outcome::{Denial, OutcomeStatus, SubTaskOutcome};

use super::{Scales, Steering, StepMemories, cited_steps, pays, steer};
use crate::belief::Tables;
use crate::testing::*;

fn round(memories: &mut StepMemories, outcomes: &[SubTaskOutcome], request: &str) -> Steering {
    let scales = Scales {
        tables: Tables::built_in(),
        trust: 1.0,
        skill: 0.35,
        cell: Directive::ChangePath,
        pressed: false,
        request,
    };
    steer(memories, outcomes, &scales)
}

/// A step whose only criterion a call failed that ran well: an approach that does not do the work.
fn wrong(intent: &str, class: &str) -> SubTaskOutcome {
    let receipt = Receipt { effect: EffectClass::Unknown, ..call("r1", class, "/x", 0) };
    let mut told = failed(intent, Some(Logical), receipt);
    told.gap_trajectory[0].failure_class = Some(Logical);
    told.gap_trajectory[0].score = 0.0;
    told.gap_trajectory[0].unmet_indexes = vec![0];
    told
}

fn in_place_of(old: &SubTaskOutcome, mut next: SubTaskOutcome) -> SubTaskOutcome {
    next.subtask.replaces = Some(old.subtask_id);
    next
}

#[test]
fn each_failed_step_is_weighed_alone_and_followed_by_what_takes_its_place() {
    let mut memories = StepMemories::new();
    let alpha = wrong("alpha", "shell:awk");
    let first = round(&mut memories, &[alpha.clone(), matched("bravo", 1), not_run("charlie")], "");
    assert_eq!(first.steps.len(), 1, "what matched or never ran is not weighed");
    assert_eq!(memories.len(), 1);
    let sum = |s: &Steering| {
        let c = s.steps[0].chances;
        c.approach + c.target + c.detail + c.transient + c.impossible
    };
    assert!((sum(&first) - 1.0).abs() < 1e-9);
    let again = in_place_of(&alpha, wrong("alpha in other words", "shell:awk"));
    let second = round(&mut memories, std::slice::from_ref(&again), "");
    assert!((sum(&second) - 1.0).abs() < 1e-9);
    let fresh = round(&mut StepMemories::new(), &[again], "");
    assert_ne!(second.steps[0].chances, fresh.steps[0].chances, "what was believed before counts");
}

#[test]
fn a_step_that_never_ran_keeps_what_was_known_of_it() {
    let mut memories = StepMemories::new();
    let alpha = wrong("alpha", "shell:awk");
    round(&mut memories, std::slice::from_ref(&alpha), "");
    let known = memories.values().next().cloned();
    round(&mut memories, &[in_place_of(&alpha, not_run("later"))], "");
    assert_eq!(memories.values().next().cloned(), known);
    assert_eq!(memories.len(), 1);
}

#[test]
fn a_denial_shows_nothing_of_the_cause() {
    let steering = round(&mut StepMemories::new(), &[denied("delete it", Denial::Refused)], "");
    assert!(steering.steps.is_empty() && steering.blocks.is_empty());
}

#[test]
fn what_is_enforced_has_something_to_enforce() {
    // Whatever the tables say: a block names a class that may be blocked, a pin names one that was used.
    for (class, effect, request) in [
        ("shell:awk", EffectClass::Unknown, ""),
        ("shell:awk", EffectClass::Unknown, "sum them with awk"),
        ("read_file", EffectClass::Read, ""),
    ] {
        let receipt = Receipt { effect, ..call("r1", class, "/x", 0) };
        let steering = round(&mut StepMemories::new(), &[failed("sum", Some(Logical), receipt)], request);
        let step = &steering.steps[0];
        let may_block = effect != EffectClass::Read && request.is_empty();
        assert!(steering.blocks.iter().all(|block| may_block && block.class == class));
        assert!(step.pinned.is_empty() || step.pinned.contains(&class.to_owned()));
        assert_eq!(step.axis == StepAxis::Approach && step.enforced, !steering.blocks.is_empty());
    }
    let silent = outcome("sum", OutcomeStatus::Failed, vec![fail(0, Verifiable, None)], Vec::new());
    let steering = round(&mut StepMemories::new(), &[silent], "");
    assert!(steering.steps[0].pinned.is_empty() && steering.blocks.is_empty(), "it called nothing");
}

#[test]
fn the_steps_that_a_rejection_of_the_whole_cites_are_done_anew() {
    let (one, other) = (matched("one", 1), matched("other", 1));
    let cites =
        |what: &str| cited_steps(&[one.clone(), other.clone()], &[citing(fail(0, Verifiable, None), what)]);
    assert_eq!(cites(&other.subtask_id.to_string()), [other.subtask_id]);
    assert!(cites("c9.0").is_empty());
    assert!(cited_steps(std::slice::from_ref(&one), &[citing(pass(0, Verifiable), "r1")]).is_empty());
    let rejecting = [citing(fail(0, Verifiable, None), "r1")];
    assert_eq!(cited_steps(std::slice::from_ref(&one), &rejecting), [one.subtask_id]);
    assert!(cited_steps(&[one, not_run("later")], &rejecting).is_empty(), "there is something else to do");
}

#[test]
fn a_round_runs_while_its_chance_is_worth_more_than_it_costs() {
    for most in [1, 5] {
        assert!(pays(&[0.5], 60.0, 11.0, most));
        assert!(!pays(&[0.1], 60.0, 11.0, most), "what is too dear once is too dear {most} times");
        assert!(!pays(&[0.5], 20.0, 10.0, most), "what costs as much as it is worth is not worth it");
    }
    assert!(!pays(&[0.9], 60.0, 1.0, 0), "no round is left");
}

#[test]
fn of_several_failed_steps_one_may_match_now_and_another_later() {
    let three = [0.4, 0.4, 0.4];
    assert!(!pays(&three, 60.0, 10.0, 1), "all at once is unlikely");
    assert!(pays(&three, 60.0, 10.0, 4), "a round each is not");
    // The same by hand: after four rounds all match with 0.66, and 3.19 rounds are run in the mean.
    assert!(pays(&three, 49.0, 10.0, 4) && !pays(&three, 48.0, 10.0, 4));
}
