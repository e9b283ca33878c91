//! By which law a round is answered: the cell of the table, the belief beside it, or none at all.

use artoo_types::control::{Directive, Ending, PlanDirective, Reason, Urgency};
use artoo_types::setting::Law;
use artoo_types::tag::fold;

use super::{Moment, Solver};
use crate::belief::{SEES_AHEAD, Tables};
use crate::blame::{FailingCall, Untouchable, allowed_blocks, class_faults, dead_ends};
use crate::cascade::{Cell, Decision, Situation};
use crate::directive::{self, MeasuredRound};
use crate::steering::{Scales, Steering, cited_steps, pays, steer};
use artoo_types::belief::StepAxis;

/// From this Ω on the budget presses.
const PRESSING_COST: f64 = 0.5;

impl Solver {
    /// The cell of a round. By the belief a round is weighed for what it costs, so that a spent budget presses and ends
    /// nothing; the count of replans, the deadline and the ceilings of tokens and cost do.
    pub(super) fn cell(&self, situation: &Situation) -> Cell {
        let cell = Cell::of(&self.params, situation);
        Cell { spent: cell.spent && self.params.steering.law != Law::Belief, ..cell }
    }

    /// What the law makes of the decision of the table, and what it says of single steps.
    pub(super) fn by_law(
        &mut self,
        moment: &Moment,
        decision: Decision,
        finished: &MeasuredRound<'_>,
    ) -> (Decision, Steering) {
        let none = Steering::default();
        match (self.params.steering.law, decision) {
            (Law::Words | Law::Table, _) => (decision, none),
            (Law::Drawn, Decision::Replan(_)) => (Decision::Replan(self.drawn()), none),
            (Law::Bare, Decision::Replan(_)) => (Decision::Replan(Directive::Refine), none),
            (Law::Bare, Decision::Finish(Ending::Abandon, Reason::BudgetExhausted | Reason::Diverging)) => {
                match self.params.max_replans.saturating_sub(self.history.directives) {
                    0 => (Decision::Finish(Ending::Abandon, Reason::ReplansExhausted), none),
                    _ => (Decision::Replan(Directive::Refine), none),
                }
            }
            (Law::Belief, Decision::Replan(cell)) => self.believed(moment, cell, finished),
            (Law::Drawn | Law::Bare | Law::Belief, Decision::Finish(..)) => (decision, none),
        }
    }

    fn believed(
        &mut self,
        moment: &Moment,
        cell: Directive,
        finished: &MeasuredRound<'_>,
    ) -> (Decision, Steering) {
        let request = fold(&self.request());
        let scales = Scales {
            tables: Tables::edition(self.params.steering.tables),
            trust: self.params.steering.trust,
            skill: self.params.steering.skill,
            cell,
            pressed: finished.urgency == Urgency::Worsening || finished.loss.cost.get() >= PRESSING_COST,
            request: &request,
        };
        let steering = steer(&mut self.history.beliefs, &finished.round.outcomes, &scales);
        let rounds = f64::from(self.history.directives) + 1.0;
        let calls: u64 = moment.spent.usage.roles.values().map(|usage| usage.calls).sum();
        let elapsed_ms = moment.now.since_ms(self.started_at).saturating_sub(moment.spent.waited_ms);
        let cost = (calls as f64 + elapsed_ms as f64 / 60_000.0) / rounds;
        let left = self.params.max_replans.saturating_sub(self.history.directives);
        let ahead = if self.params.steering.tables >= SEES_AHEAD { left } else { 1 };
        if !steering.steps.is_empty() && !pays(&steering.chances, self.params.steering.worth, cost, ahead) {
            return (Decision::Finish(Ending::Abandon, Reason::NotWorthIt), steering);
        }
        (Decision::Replan(cell), steering)
    }

    /// A directive that depends on the task and the round alone, and on nothing that was measured.
    fn drawn(&self) -> Directive {
        let drawn = self.task_id.derive("drawn", u64::from(self.history.directives));
        [Directive::Refine, Directive::ChangePath, Directive::ChangeApproach, Directive::BreakSymmetry]
            [usize::from(drawn.as_bytes()[0] % 4)]
    }

    /// The directive with all that the law adds to it.
    pub(super) fn directive(
        &mut self,
        cell: Directive,
        finished: MeasuredRound<'_>,
        steering: Steering,
    ) -> PlanDirective {
        let round = finished.round;
        let request = self.request();
        let untouchable = Untouchable::new(&request, &round.outcomes, &round.task_criteria, &self.places);
        let law = self.params.steering.law;
        let blocked = match law {
            Law::Words | Law::Table | Law::Drawn => {
                directive::accumulate(&mut self.history, cell, dead_ends(finished.calls, &untouchable));
                let faults = class_faults(finished.calls, &fold(&request), law);
                directive::blocked_tools(cell, &faults, &self.history.calls.class_faults, &self.tools)
            }
            Law::Belief => {
                // That a call failed is seen, not believed: where the input is to be changed, that one is not taken again.
                let is_known = self.params.steering.tables >= SEES_AHEAD;
                let elsewhere = |call: &&FailingCall<'_>| {
                    let of_step = steering.steps.iter().find(|step| step.subtask == call.outcome.subtask_id);
                    of_step.is_some_and(|step| step.axis == StepAxis::Target && (step.enforced || is_known))
                };
                let calls: Vec<_> = finished.calls.iter().filter(elsewhere).copied().collect();
                let ends = dead_ends(&calls, &untouchable);
                directive::accumulate(&mut self.history, Directive::ChangePath, ends);
                allowed_blocks(&steering.blocks, &self.tools)
            }
            Law::Bare => Vec::new(),
        };
        let most = self.params.max_replans;
        let mut built = directive::build(self.task_id, most, cell, finished, blocked, &self.history);
        if law == Law::Belief {
            built.grounds.steps = steering.steps;
            built.grounds.redo = cited_steps(&round.outcomes, &round.task_verdicts);
        }
        built
    }
}
