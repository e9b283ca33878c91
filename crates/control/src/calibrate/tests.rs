use artoo_types::Message;
use artoo_types::evidence::Receipt;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};

use super::grid::of_share;
use super::{Calibration, ENOUGH_ROUNDS, Reader, Story};
use crate::belief::{Cause, Tables};
use crate::testing::*;

/// The n-th step of a story: it takes the place of the one before.
fn step(n: u8, status: OutcomeStatus, receipt: Receipt) -> SubTaskOutcome {
    let id = |n: u8| artoo_types::SubtaskId(uuid::Uuid::from_u128(u128::from(n)));
    let verdicts = match status {
        OutcomeStatus::Matched => vec![pass(0, Verifiable)],
        OutcomeStatus::Failed | OutcomeStatus::NotRun => vec![fail(0, Verifiable, Some(Environmental))],
    };
    let mut outcome = outcome("sum", status, verdicts, vec![receipt]);
    (outcome.subtask_id, outcome.subtask.subtask_id) = (id(n), id(n));
    outcome.subtask.replaces = (n > 1).then(|| id(n - 1));
    outcome
}

fn told(outcomes: &[SubTaskOutcome]) -> (Vec<Story>, u64) {
    let mut reader = Reader::default();
    for outcome in outcomes {
        reader.take(&Message::SubTaskOutcome(outcome.clone()));
        reader.take(&Message::PlanDirective(directive()));
    }
    reader.finish()
}

fn directive() -> artoo_types::control::PlanDirective {
    let round = replan(vec![step(1, OutcomeStatus::Failed, call("r1", "glob", "/a", 1))]);
    let effects = at(&mut solver(), 1, crate::Input::Replan(round));
    effects
        .into_iter()
        .find_map(|effect| match effect {
            crate::Effect::Direct(directive) => Some(directive),
            crate::Effect::AskFarewell(_) | crate::Effect::Remember(_) | crate::Effect::Finish(_) => None,
        })
        .expect("a first failure is planned anew")
}

#[test]
fn what_mended_a_step_tells_why_it_had_failed() {
    let (fails, matches) = (OutcomeStatus::Failed, OutcomeStatus::Matched);
    let failed = || step(1, fails, call("r1", "glob", "/a", 1));
    let causes = |outcomes: &[SubTaskOutcome]| {
        let (stories, _) = told(outcomes);
        assert_eq!(stories.len(), 1, "one step under all its names");
        stories[0].causes(Tables::built_in())[0]
    };
    let open = causes(&[failed()]);
    let by_input = causes(&[failed(), step(2, matches, call("r2", "glob", "/b", 0))]);
    let by_tool = causes(&[failed(), step(2, matches, call("r2", "grep", "/a", 0))]);
    let [approach, target] = [Cause::Approach as usize, Cause::Target as usize];
    assert!(
        by_input[target] > open[target] && by_tool[approach] > open[approach],
        "{by_input:?} {by_tool:?}"
    );
    assert!(by_input[Cause::Impossible as usize] < 0.01, "it was mended: {by_input:?}");
    let again = causes(&[
        failed(),
        step(2, fails, call("r2", "glob", "/a", 1)),
        step(3, fails, call("r3", "glob", "/a", 1)),
    ]);
    let passing = Cause::Transient as usize;
    assert!(again[passing] < open[passing], "it did not pass: {again:?}");
}

#[test]
fn without_rounds_everything_stays_as_it_is_built_in() {
    let none = Calibration::of(&[], 0, Tables::built_in());
    assert!(!none.is_enough() && ENOUGH_ROUNDS == 200);
    assert!(none.evidence.iter().chain(&none.moves).all(|share| !share.differs()));
    assert!(none.trust.holds(1.0) && none.rho.holds(0.5) && none.skill.is_none());
}

#[test]
fn a_share_has_the_interval_of_its_beta_distribution() {
    let half = of_share(50.0, 50.0);
    // Quantiles of Beta(50, 50): 0.418 and 0.582.
    assert!((half.low - 0.418).abs() < 0.002 && (half.high - 0.582).abs() < 0.002, "{half:?}");
    assert!(of_share(500.0, 500.0).low > half.low, "more steps, a narrower interval");
}
