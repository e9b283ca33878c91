//! How a task ends: what the end teaches, the last words that are asked for, and the one result.

use artoo_types::control::{Ending, Loss, Reason, RoundFailure, Unmet};
use artoo_types::criteria::CriterionVerdict;
use artoo_types::evidence::CallEnd;
use artoo_types::memory::MegramWrite;
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::plan::{DispatchManifest, PlanDraftRejected};
use artoo_types::task::StopCause;
use artoo_types::unit::{Distance, Implausibility};
use serde_json::Value;

use super::{Effect, Input, Moment, Solver, Stage};
use crate::farewell::{self, DecidedEnd};
use crate::finish::{Closing, Denials, stop_reason, unverified};
use crate::history::MetCriteria;
use crate::loss::{self, Gradient};
use crate::practice;
use crate::quantize::{Provenance, teaches};
use crate::reading::{Reading, Round, ToldCriteria, unmet_once};
use crate::task_end::{TaskEnd, is_confirmed};

/// How a task ends before, between or within rounds.
pub(super) struct EarlyEnd<'a> {
    pub(super) reason: Reason,
    pub(super) words: &'a str,
    pub(super) rejected: Option<&'a PlanDraftRejected>,
}

impl Solver {
    /// The end is decided. Last words complete it, a stop does without them; who cancels now has cancelled.
    pub(super) fn part(&mut self, moment: &Moment, input: Input) -> Vec<Effect> {
        let stage = std::mem::replace(&mut self.stage, Stage::Finished);
        let Stage::Parting(end) = stage else { return Vec::new() };
        let end = match input {
            Input::Farewell(farewell) => end.with(farewell, &moment.spent),
            Input::Stop(stop) if stop.cause == StopCause::Cancelled => {
                let reason = stop_reason(stop.cause);
                return self.end_early(moment, &EarlyEnd { reason, words: &stop.detail, rejected: None });
            }
            Input::Stop(_) => end.in_own_words(&moment.spent),
            Input::Spec(_)
            | Input::Memory(_)
            | Input::Manifest(_)
            | Input::Outcome(_)
            | Input::NoPlan(_)
            | Input::Replan(_)
            | Input::Summary(_) => {
                self.stage = Stage::Parting(end);
                return Vec::new();
            }
        };
        said(end)
    }

    /// Ends the task from outside a round's evaluation.
    pub(super) fn end_early(&mut self, moment: &Moment, early: &EarlyEnd<'_>) -> Vec<Effect> {
        let never = || {
            let cost = self.cost(moment);
            loss::loss(&self.params, Distance::ONE, Implausibility::ZERO, cost)
        };
        let (loss, gradient) = self.history.trajectory.last().map_or_else(
            || (never(), Gradient::default()),
            |point| (point.loss, Gradient { literal: point.grad_l, quality: point.grad_q }),
        );
        let (unmet, output) = match self.history.running.clone() {
            Some(plan) => (self.open_criteria(&plan), self.history.reached()),
            None => (self.history.unmet.clone(), self.history.last.output.clone()),
        };
        let last = &self.history.last;
        let not_in_receipts = if output == last.output { last.not_in_receipts.clone() } else { Vec::new() };
        let unmet = unmet.into_iter().chain(self.history.left_out()).collect();
        let closing = Closing {
            output,
            words: early.words,
            unmet,
            no_plan: early.rejected,
            ..self.closing(Ending::Abandon, early.reason, loss, gradient, moment)
        };
        let end = self.decided(moment, closing, &Round { not_in_receipts, ..Round::default() });
        // Who stops a task does not wait for its last words.
        let outcomes = early.rejected.map(|_| self.history.last.outcomes.clone()).unwrap_or_default();
        self.leave(moment, end, &outcomes)
    }

    /// Ends the task now, or after R2 was asked for last words: once, where something ran, and time and tokens are left.
    pub(super) fn leave(
        &mut self,
        moment: &Moment,
        end: DecidedEnd,
        outcomes: &[SubTaskOutcome],
    ) -> Vec<Effect> {
        let used_ms = moment.now.since_ms(self.started_at).saturating_sub(moment.spent.waited_ms);
        let was_open = self.stage == Stage::Open;
        self.stage = Stage::Finished;
        let time = farewell::time_for(self.deadline_ms.saturating_sub(used_ms));
        let can_pay = self.max_tokens.is_none_or(|most| moment.spent.usage.tokens() < most);
        let has_evidence = outcomes.iter().flat_map(|o| o.all_receipts()).any(|r| r.end == CallEnd::Ran);
        let is_due = was_open && farewell::is_due(end.result.reason) && has_evidence;
        match time.filter(|_| is_due && can_pay) {
            Some(deadline_ms) => {
                let request = end.request(self.task_id, outcomes, deadline_ms);
                self.stage = Stage::Parting(end);
                vec![Effect::AskFarewell(request)]
            }
            None => said(end),
        }
    }

    /// What a plan that is stopped half-way leaves open: what its ended steps did not meet, and everything of the others.
    /// What they did and met counts like that of a finished round.
    pub(super) fn open_criteria(&mut self, plan: &DispatchManifest) -> Vec<Unmet> {
        let ended = self.history.ended.clone();
        self.history.note_calls(&ended, &[], Vec::new());
        let mut rest = plan.clone();
        rest.subtasks.retain(|s| ended.iter().all(|o| o.subtask_id != s.subtask_id));
        let reading = Reading::of(&Round { outcomes: ended, ..Round::default() });
        let ToldCriteria { met, unmet } = reading.told();
        let unmet = unmet_once(unmet.into_iter().chain(unverified(&rest)).collect());
        self.history.met = MetCriteria { all: met.len() + unmet.len(), met };
        unmet
    }

    /// The terminal memory, if the end teaches one, what it says about the memories that the plans were given, and the
    /// result.
    pub(super) fn decided(&self, moment: &Moment, closing: Closing<'_>, round: &Round) -> DecidedEnd {
        let (from, lesson) = (self.provenance(moment), closing.lesson());
        // That a draft left something out says nothing about the request, and the words may have been misread.
        let left_out = !self.history.uncovered.is_empty();
        let says_something = closing.ending != Ending::Abandon || self.history.teaches();
        let mut writes = from.of_denials(&round.outcomes);
        if teaches(closing.reason) && !left_out && !closing.is_due_to_memory() {
            let last = self.history.last_loss();
            let blamed = self.history.faults.last().is_some_and(|fault| match fault {
                RoundFailure::Logical | RoundFailure::Mixed => true,
                RoundFailure::Environmental | RoundFailure::Neither => false,
            });
            let end = TaskEnd {
                ending: closing.ending,
                logical: blamed && last.is_some_and(|loss| loss.implausibility.get() > self.params.rho),
                confirmed: is_confirmed(&round.outcomes, &round.task_verdicts),
                outcomes: &round.outcomes,
                lesson: &lesson,
            };
            let spec = self.spec.as_ref().filter(|_| says_something);
            writes.extend(
                spec.and_then(|spec| from.of_request(&end, closing.reason, spec, closing.failed_plans())),
            );
            writes.extend(self.given.judged(&from, &end));
            writes.extend(self.practices(&from, &end, &round.task_verdicts));
        }
        let mut result = closing.result();
        if !result.output.is_null() {
            result.marks.not_in_receipts.clone_from(&round.not_in_receipts);
        }
        DecidedEnd { writes, result }
    }

    /// What a good end that code saw teaches about the commands of the folder.
    pub(super) fn practices(
        &self,
        from: &Provenance,
        end: &TaskEnd<'_>,
        task_verdicts: &[CriterionVerdict],
    ) -> Vec<MegramWrite> {
        let is_good = end.confirmed && end.ending != Ending::Abandon;
        let Some(spec) = self.spec.as_ref().filter(|_| is_good) else { return Vec::new() };
        let folder = &self.places.working_directory;
        practice::of_task(from, folder, &spec.intent, end.outcomes, task_verdicts)
    }

    pub(super) fn closing<'a>(
        &'a self,
        ending: Ending,
        reason: Reason,
        loss: Loss,
        gradient: Gradient,
        moment: &'a Moment,
    ) -> Closing<'a> {
        Closing {
            task_id: self.task_id,
            spec: self.spec.as_ref(),
            params: &self.params,
            max_tokens: self.max_tokens,
            history: &self.history,
            ending,
            reason,
            loss,
            gradient,
            output: Value::Null,
            words: "",
            unmet: Vec::new(),
            denials: Denials::default(),
            no_plan: None,
            spent: &moment.spent,
        }
    }
}

/// Memories come before the result.
fn said(end: DecidedEnd) -> Vec<Effect> {
    end.writes.into_iter().map(Effect::Remember).chain([Effect::Finish(end.result)]).collect()
}
