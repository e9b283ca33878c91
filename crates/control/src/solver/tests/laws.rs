//! What holds whatever comes in.

use artoo_types::control::{Ending, PlanDirective};
use artoo_types::criteria::{CriterionMode, CriterionVerdict, FailureClass};
use artoo_types::outcome::{Denial, JudgedTimes, OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::NoPlan;
use artoo_types::setting::{ControlParams, GradientKind, Law, Steering};
use artoo_types::task::StopCause;
use artoo_types::{EvidenceId, Timestamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::super::{Effect, Input, Spending};
use super::{no_plan, stop};
use crate::reading::Round;
use crate::testing::*;

fn verdicts() -> impl Strategy<Value = Vec<CriterionVerdict>> {
    let class = option::of(prop_oneof![Just(Logical), Just(Environmental)]);
    let mode = prop_oneof![Just(Verifiable), Just(Plausible)];
    let cites = option::of(prop_oneof![Just("r1"), Just("r2"), Just("c9.0")]);
    let one =
        (0..5_usize, mode, any::<bool>(), class, cites).prop_map(|(index, mode, passed, class, cites)| {
            let verdict = if passed { pass(index, mode) } else { fail(index, mode, class) };
            CriterionVerdict { cites: cites.map(|c| EvidenceId(c.into())), ..verdict }
        });
    // Most verdicts are in order; doubled, missing and far ones occur.
    vec(one, 0..5).prop_flat_map(|list| {
        let ordered =
            list.iter().cloned().enumerate().map(|(i, v)| CriterionVerdict { index: i, ..v }).collect();
        prop_oneof![1 => Just(list), 3 => Just(ordered)]
    })
}

fn any_outcome() -> impl Strategy<Value = SubTaskOutcome> {
    let status = prop_oneof![4 => Just(OutcomeStatus::Matched), 4 => Just(OutcomeStatus::Failed), 1 => Just(OutcomeStatus::NotRun)];
    let intent = prop_oneof![Just("list"), Just("sum"), Just("write")];
    let target = prop_oneof![Just(""), Just("/guess/1"), Just("/guess/2"), Just("/home/u/wd/budget.csv")];
    let class = prop_oneof![Just("glob"), Just("shell:find"), Just("read_file"), Just("write_file")];
    let denial = option::weighted(0.2, prop_oneof![Just(Denial::Refused), Just(Denial::Unanswered)]);
    let parts = (intent, status, verdicts(), vec((class, target, 0..2_i64), 0..4), denial, 0..4_usize);
    parts.prop_map(|(intent, status, verdicts, calls, denied, criteria)| {
        let receipts = calls.iter().zip(1..).map(|((c, t, e), n)| call(&format!("r{n}"), c, t, *e)).collect();
        let mut outcome = outcome(intent, status, verdicts, receipts);
        outcome.subtask.success_criteria.truncate(criteria);
        outcome.denied = denied;
        outcome
    })
}

fn any_input() -> impl Strategy<Value = Input> {
    let outcomes = || vec(any_outcome(), 0..4);
    let history = vec((0..4_u32, 0..9_u32), 0..4).prop_map(|times| {
        times.into_iter().map(|(judged, failed)| JudgedTimes { judged, failed }).collect::<Vec<_>>()
    });
    let round = (outcomes(), verdicts(), history).prop_map(|(outcomes, task, history)| {
        let mut request = replan_with(outcomes, task);
        request.task_history = history;
        Input::Replan(request)
    });
    let claim = (outcomes(), verdicts()).prop_map(|(outcomes, task)| Input::Summary(summary(outcomes, task)));
    let causes = [
        StopCause::Cancelled,
        StopCause::Deadline,
        StopCause::TokenCeiling,
        StopCause::Interrupted,
        StopCause::Internal,
    ];
    let ends = [NoPlan::SentBack, NoPlan::CannotPlan, NoPlan::Declined, NoPlan::ModelUnavailable];
    prop_oneof![
        12 => round,
        4 => claim,
        4 => outcomes().prop_map(|o| Input::Manifest(manifest(0, &o))),
        1 => proptest::sample::select(causes.to_vec()).prop_map(stop),
        1 => proptest::sample::select(ends.to_vec()).prop_map(no_plan),
        1 => Just(Input::Spec(spec())),
    ]
}

fn any_params() -> impl Strategy<Value = ControlParams> {
    let unit = || 0.0..=1.0_f64;
    let limits = (0..6_u32, 0..400_000_u64, any::<bool>());
    (unit(), unit(), unit(), unit(), unit(), unit(), unit(), limits).prop_map(
        |(alpha, beta, lambda, w1, epsilon, delta, rho, (max_replans, time_budget_ms, full))| ControlParams {
            alpha,
            beta,
            lambda,
            w1,
            w2: 1.0 - w1,
            epsilon,
            delta,
            rho,
            max_replans,
            time_budget_ms,
            steering: Steering {
                gradient: if full { GradientKind::Full } else { GradientKind::Quality },
                law: if max_replans % 2 == 0 { Law::Belief } else { Law::Table },
                ..Steering::default()
            },
            ..ControlParams::default()
        },
    )
}

/// Independent of the reading: every criterion of an accepted round is met, and if it is verifiable, with evidence.
fn truly_met(round: &Round) -> bool {
    let met = |criteria: &[artoo_types::criteria::Criterion], verdicts: &[CriterionVerdict]| {
        verdicts.iter().all(CriterionVerdict::passed)
            && criteria.iter().enumerate().all(|(i, c)| {
                let proof = |v: &CriterionVerdict| v.cites.is_some() || c.mode == CriterionMode::Plausible;
                verdicts.iter().any(|v| v.index == i && proof(v))
            })
    };
    round.outcomes.iter().all(|o| o.matched() && met(&o.subtask.success_criteria, &o.criteria_verdicts))
        && met(&round.task_criteria, &round.task_verdicts)
}

fn in_range(directive: &PlanDirective, params: &ControlParams) {
    let most = params.alpha + params.beta + params.lambda;
    assert!((0.0..=most + 1e-9).contains(&directive.loss.total), "{}", directive.loss.total);
    assert!(directive.grad_l.is_finite() && directive.grad_q.abs() <= params.alpha + params.beta + 1e-9);
    assert!((0.0..=1.0).contains(&directive.budget_pressure));
}

fn keep_the_laws(params: ControlParams, start: Option<Input>, inputs: Vec<(u16, Input)>) {
    let mut solver = solver_with(params);
    let (mut now, mut results, mut blocked) = (0_i64, 0, Vec::new());
    let (mut directives, mut asked) = (0, 0);
    let last = (0, stop(StopCause::Cancelled));
    for (pause, input) in start.map(|i| (0, i)).into_iter().chain(inputs).chain([last]) {
        now += i64::from(pause);
        let round = match &input {
            Input::Replan(request) => Some(Round::from(request.clone())),
            Input::Summary(summary) => Some(Round::from(summary.clone())),
            Input::Spec(_)
            | Input::Memory(_)
            | Input::Manifest(_)
            | Input::Outcome(_)
            | Input::NoPlan(_)
            | Input::Stop(_)
            | Input::Farewell(_) => None,
        };
        for effect in solver.step(Timestamp(now), Spending::default(), input) {
            assert_eq!(results, 0, "the result is the last effect");
            match effect {
                Effect::Direct(directive) => {
                    assert_eq!(asked, 0, "who is asked for last words plans no more");
                    directives += 1;
                    assert!(directives <= params.max_replans && directive.replan == directives);
                    in_range(&directive, &params);
                    assert!(blocked.iter().all(|b| directive.blocked_targets.contains(b)));
                    let listed = |b| directive.failed_before.contains(b);
                    assert!(!directive.blocked_targets.iter().any(listed));
                    assert!(directive.blocked_targets.iter().all(|b| b.target.starts_with("/guess")));
                    blocked = directive.blocked_targets;
                }
                Effect::AskFarewell(request) => {
                    asked += 1;
                    assert!(asked == 1 && !request.outcomes.is_empty(), "asked once, of what was done");
                }
                Effect::Remember(write) => {
                    let megram = write.megram;
                    assert!((0.0..=1.0).contains(&megram.f) && megram.k.per_day() > 0.0);
                }
                Effect::Finish(result) => {
                    results += 1;
                    assert_eq!(result.replans, directives);
                    assert_eq!(result.next_moves.is_empty(), result.directive == Ending::Accept);
                    if result.directive == Ending::Accept {
                        assert!(result.unmet.is_empty() && round.as_ref().is_some_and(truly_met));
                    }
                    if result.directive == Ending::Success {
                        assert!(result.loss.distance.get() <= params.delta + 1e-9);
                    }
                }
            }
        }
    }
    assert_eq!(results, 1, "exactly one result");
}

fn all_passed() -> impl Strategy<Value = Input> {
    let uncited = any::<bool>();
    (1..4_usize, uncited, any::<bool>()).prop_map(|(criteria, uncited, fails)| {
        let mut claim = summary(vec![matched("sum", criteria)], vec![pass(0, Verifiable)]);
        if uncited {
            claim.outcomes[0].criteria_verdicts[0].cites = None;
        }
        if fails {
            claim.task_verdicts[0] = fail(0, Verifiable, None::<FailureClass>);
        }
        Input::Summary(claim)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_in_the_laws_hold(
        params in any_params(),
        start in option::of(all_passed()),
        inputs in vec((any::<u16>(), any_input()), 0..12),
    ) {
        keep_the_laws(params, start, inputs);
    }
}
