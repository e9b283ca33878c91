//! The one result of a task: what is delivered, why it ended, what is open, and what a person can do next.

mod broken;
mod standing;

use artoo_types::TaskId;
use artoo_types::control::{Ending, FinalResult, Loss, OutputMarks, Reason, Unmet};
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::memory::FailedPlan;
use artoo_types::memory::plans::{self, FailedPlanLines};
use artoo_types::outcome::{Denial, OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{Decline, DispatchManifest, NoPlan, PlanDraftRejected};
use artoo_types::setting::ControlParams;
use artoo_types::task::{StopCause, TaskSpec};
use artoo_types::text::first_chars;
use serde_json::Value;

use crate::history::{History, TriedPlan};
use crate::loss::{Gradient, Spending};

/// Characters of R4b's, a planner's or the runtime's own words in a summary.
const WORDS_CHARS: usize = 1_000;
/// Characters of the request or of a criterion in a next move.
const MOVE_CHARS: usize = 300;
/// Most next moves: more than a person reads are none.
const MAX_MOVES: usize = 4;

/// What marks a refusal in a summary (Law 1).
pub const LAW1: &str = "[LAW1]";

/// Steps that a denial kept from being done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Denials {
    /// What they were to achieve.
    pub intents: Vec<String>,
    /// Whether for one of them nobody answered.
    pub unanswered: bool,
}

impl Denials {
    /// The denials of a round, if something failed and every failed outcome was denied; what then failed for the task as
    /// a whole stems from them as well.
    pub fn alone(outcomes: &[SubTaskOutcome]) -> Option<Self> {
        let failed = || outcomes.iter().filter(|o| o.status == OutcomeStatus::Failed);
        (failed().next().is_some() && failed().all(|o| o.denied.is_some())).then(|| Self {
            intents: failed().map(|o| o.subtask.intent.clone()).collect(),
            unanswered: failed().any(|o| o.denied == Some(Denial::Unanswered)),
        })
    }
}

/// Everything that the end of a task is told from.
#[derive(Debug)]
pub struct Closing<'a> {
    /// The task.
    pub task_id: TaskId,
    /// What was asked; none when the task ended before it was understood.
    pub spec: Option<&'a TaskSpec>,
    /// The weights and limits.
    pub params: &'a ControlParams,
    /// The ceiling of tokens.
    pub max_tokens: Option<u64>,
    /// The past; the last round is in the trajectory already.
    pub history: &'a History,
    /// How it ends.
    pub ending: Ending,
    /// Why.
    pub reason: Reason,
    /// Figures to show.
    pub loss: Loss,
    /// Their change.
    pub gradient: Gradient,
    /// What is delivered; null for nothing.
    pub output: Value,
    /// What was said about the end: by R4b, by a planner, by the runtime.
    pub words: &'a str,
    /// Every criterion that is not met or not verified.
    pub unmet: Vec<Unmet>,
    /// What denials kept from being done, when they are the reason.
    pub denials: Denials,
    /// Why there was no plan, when that is the reason.
    pub no_plan: Option<&'a PlanDraftRejected>,
    /// What it cost, and what it has taken in.
    pub spent: &'a Spending,
}

/// What to do when no model answered.
const MEND_MODEL: &str = "Check the model's address and key: artoo doctor";
/// What to do when it answered in no form that can be read.
const OTHER_MODEL: &str =
    "Use a model that keeps to a given form, and see what is known of this one: artoo doctor";

impl Closing<'_> {
    /// The result.
    pub fn result(mut self) -> FinalResult {
        let partial = self.ending == Ending::Abandon && !self.output.is_null();
        let is_unverified =
            self.ending == Ending::Abandon && !partial && !self.history.last.unverified.is_empty();
        let summary = self.summary(partial, is_unverified);
        if is_unverified {
            self.output = Value::String(self.history.last.unverified.clone());
        }
        let form = match self.ending {
            Ending::Accept | Ending::Success => self.history.plans.last().and_then(|plan| plan.form.clone()),
            Ending::Abandon => None,
        };
        FinalResult {
            task_id: self.task_id,
            summary,
            next_moves: self.plain_moves().unwrap_or_else(|| self.next_moves()),
            loss: self.loss,
            grad_l: self.gradient.literal,
            grad_q: self.gradient.quality,
            replans: self.history.directives,
            prev_directive: self.history.previous,
            directive: self.ending,
            reason: self.reason,
            marks: OutputMarks { partial, not_in_receipts: Vec::new(), handle: self.whole_output(), form },
            tried: self.history.calls.tried.clone(),
            ruled_out: self.history.calls.ruled_out.clone(),
            trajectory: self.history.trajectory.clone(),
            unanswered_confirmation: self.reason == Reason::Refused && self.denials.unanswered,
            output: self.output,
            unmet: self.unmet,
            usage: self.spent.usage.clone(),
            taint: self.spent.taint,
        }
    }

    /// The artifact behind the output, when that is the output of one step, which was cut.
    fn whole_output(&self) -> Option<String> {
        let output = self.output.as_str()?;
        let behind = |outcome: &&SubTaskOutcome| outcome.handle.is_some() && outcome.output == output;
        self.history.last.outcomes.iter().find(behind)?.handle.clone()
    }

    /// What the task taught about its intent, for the memory.
    pub fn lesson(&self) -> String {
        let intent = self.spec.map_or("", |spec| spec.intent.as_str());
        match self.ending {
            Ending::Accept | Ending::Success => {
                let plan = self.history.plans.last().map_or("", TriedPlan::line);
                plans::of_success(self.reason.as_str(), intent, plan)
            }
            Ending::Abandon => {
                let rho = self.params.rho;
                let wrong: Vec<&str> = self.history.wrong_plans(rho).map(TriedPlan::line).collect();
                let stopped: Vec<&str> = self.history.other_plans(rho).map(TriedPlan::line).collect();
                let plans = FailedPlanLines { wrong: &wrong, stopped: &stopped };
                let open: Vec<&str> = self.unmet.iter().map(|u| u.criterion.as_str()).collect();
                let said = first_chars(self.words.trim(), MOVE_CHARS);
                plans::of_failure(self.reason.as_str(), intent, &plans, &open, &said)
            }
        }
    }

    /// The plans that must not be repeated for this request in the state in which they failed.
    pub fn failed_plans(&self) -> Vec<FailedPlan> {
        let failed = |plan: &TriedPlan| FailedPlan { mark: plan.mark, world: plan.world.clone() };
        match self.ending {
            Ending::Accept | Ending::Success => Vec::new(),
            Ending::Abandon => self.history.wrong_plans(self.params.rho).map(failed).collect(),
        }
    }

    /// Whether memory stood against every plan, so that nothing was tried: that teaches nothing new.
    pub fn is_due_to_memory(&self) -> bool {
        self.history.trajectory.is_empty() && self.no_plan.is_some_and(|no_plan| !no_plan.memories.is_empty())
    }

    fn summary(&self, partial: bool, is_unverified: bool) -> String {
        let words = first_chars(self.words.trim(), WORDS_CHARS);
        let mut parts = match self.ending {
            Ending::Accept if words.is_empty() => vec!["Done.".to_owned()],
            Ending::Accept => vec![words],
            Ending::Success => {
                let open: Vec<String> =
                    self.unmet.iter().map(|u| first_chars(&u.criterion, MOVE_CHARS)).collect();
                let mut parts = vec!["Done within tolerance.".to_owned(), words];
                if !open.is_empty() {
                    parts.push(format!("Open: {}.", open.join("; ")));
                }
                parts
            }
            // The reason is in the planner's own words.
            Ending::Abandon if self.reason == Reason::CannotBeDone => {
                vec![self.because(), words, self.achieved(), self.left_changed()]
            }
            Ending::Abandon if self.plain_decline().is_some() => vec![words],
            Ending::Abandon => {
                let broken = broken::last_broken_call(&self.history.last.outcomes);
                // The deadline says which one it was.
                let words = if self.reason == Reason::Deadline { String::new() } else { words };
                vec![self.because(), self.achieved(), self.open(), words, broken, self.left_changed()]
            }
        };
        if partial {
            parts.push("PARTIAL: the output is only what matched before the end.".to_owned());
        }
        if is_unverified {
            parts.push("UNVERIFIED: the output is what the last attempt said.".to_owned());
        }
        if let Some(spec) = self.spec.filter(|spec| !spec.assumptions.is_empty()) {
            parts.push(format!("Assumed: {}.", spec.assumptions.join("; ")));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }

    /// The reason of an abandon in words, with its numbers.
    fn because(&self) -> String {
        match self.reason {
            Reason::BudgetExhausted => {
                format!("Stopped: the budget is spent (Ω {:.2}).", self.loss.cost.get())
            }
            Reason::CostExhausted => {
                format!(
                    "Stopped: its model calls have cost what a task may cost ({} USD).",
                    self.params.max_cost
                )
            }
            Reason::ReplansExhausted => {
                format!(
                    "Stopped: {} of {} replans were not enough.",
                    self.history.directives, self.params.max_replans
                )
            }
            Reason::NotWorthIt => {
                "Stopped: another round costs more than its chance of success is worth (control.worth)."
                    .to_owned()
            }
            Reason::Diverging => {
                "Stopped: two rounds in a row made it worse, more of them would not help (Law 2).".to_owned()
            }
            Reason::Deadline if self.words.trim().is_empty() => "Stopped: the deadline passed.".to_owned(),
            Reason::Deadline => format!("Stopped: {}.", first_chars(self.words.trim(), WORDS_CHARS)),
            Reason::Cancelled => "Cancelled.".to_owned(),
            Reason::Refused => {
                let who = if self.denials.unanswered { "nobody confirmed" } else { "denied" };
                format!("{LAW1} not done: {} ({who}).", self.denials.intents.join("; "))
            }
            Reason::Declined => "Not started: this request is declined.".to_owned(),
            Reason::CannotBeDone => "Cannot be done:".to_owned(),
            Reason::CannotPlan if !self.history.uncovered.is_empty() => {
                let parts = self.history.uncovered.iter().map(|part| first_chars(part.words(), MOVE_CHARS));
                format!("Not done, for no plan covered it: {}.", parts.collect::<Vec<_>>().join("; "))
            }
            Reason::CannotPlan => "Stopped: no valid plan came about.".to_owned(),
            Reason::ModelUnavailable if self.is_unreadable() => {
                "Stopped: the model answered, and in no form that can be read.".to_owned()
            }
            Reason::ModelUnavailable => "Stopped: no model answered.".to_owned(),
            Reason::Interrupted => "Interrupted: the daemon went down while the task ran.".to_owned(),
            Reason::Internal => "Stopped by a fault in artoo itself.".to_owned(),
            Reason::CriteriaMet | Reason::Answered | Reason::WithinTolerance => "Done.".to_owned(),
        }
    }

    /// The advice where another round was not worth what it costs.
    fn worthier(&self, again: &str) -> String {
        format!("Raise control.worth in config.toml (now {}), then: {again}", self.params.steering.worth)
    }

    fn dearer(&self, again: &str) -> String {
        format!("Raise control.max_cost in config.toml (now {}), then: {again}", self.params.max_cost)
    }

    /// Concrete moves for a person, best first.
    fn next_moves(&self) -> Vec<String> {
        let again = self
            .spec
            .map_or("artoo run REQUEST".to_owned(), |spec| format!("artoo {}", quoted(&spec.raw_input)));
        let show = format!("Look at the evidence: artoo show {}", self.task_id);
        let params = self.params;
        let moves = match self.reason {
            Reason::CriteriaMet | Reason::Answered => Vec::new(),
            Reason::WithinTolerance => vec![show],
            Reason::BudgetExhausted => {
                let mut moves = vec![format!(
                    "Raise control.time_budget_ms in config.toml (now {}), then: {again}",
                    params.time_budget_ms
                )];
                if let Some(most) = self.max_tokens {
                    moves.push(format!("Or allow more tokens than {most}"));
                }
                moves.extend([self.first_open(), show]);
                moves
            }
            Reason::CostExhausted => vec![self.dearer(&again), self.first_open(), show],
            Reason::ReplansExhausted => vec![
                self.other_input(),
                self.first_open(),
                format!(
                    "Raise control.max_replans in config.toml (now {}), then: {again}",
                    params.max_replans
                ),
                show,
            ],
            Reason::NotWorthIt => vec![self.other_input(), self.first_open(), self.worthier(&again), show],
            Reason::Diverging => vec![self.first_open(), self.other_input(), show],
            Reason::Deadline => vec![format!("Start it again with a later deadline: {again}"), show],
            Reason::Cancelled | Reason::Interrupted => vec![format!("Start it again: {again}"), show],
            Reason::Refused => vec![
                format!("Ask again from a terminal and confirm the action: {again}"),
                self.unasked(),
                show,
            ],
            Reason::CannotBeDone => {
                vec![show, format!("If it can be done after all, say by what means: {again}")]
            }
            Reason::Declined => [self.after_memories(&again), self.after_decline()].concat(),
            Reason::CannotPlan if !self.history.uncovered.is_empty() => vec![
                self.left_out(),
                format!("Say the whole in other words, one sentence for each action: {again}"),
                show,
            ],
            Reason::CannotPlan => {
                let mut moves = self.after_memories(&again);
                moves.extend([
                    format!("Say it in other words, and name the files or places: {again}"),
                    self.other_input(),
                    show,
                ]);
                moves
            }
            Reason::ModelUnavailable => vec![self.mend_model().to_owned(), format!("Then: {again}")],
            Reason::Internal => {
                vec![
                    format!(
                        "Keep the evidence for a report of the bug: artoo events {} --json",
                        self.task_id
                    ),
                    format!("Start it again: {again}"),
                ]
            }
        };
        moves.into_iter().filter(|m| !m.is_empty()).take(MAX_MOVES).collect()
    }

    /// How files are changed without a question, where that is what was refused.
    fn unasked(&self) -> String {
        let is_change = |receipt: &&Receipt| {
            receipt.end == CallEnd::Denied
                && receipt.effect == EffectClass::Overwrite
                && receipt.target.starts_with('/')
        };
        let denied =
            self.history.last.outcomes.iter().flat_map(SubTaskOutcome::all_receipts).filter(is_change);
        let mut names: Vec<&str> = denied.filter_map(|receipt| receipt.target.rsplit('/').next()).collect();
        names.dedup();
        let hidden = names.iter().all(|name| name.is_empty() || name.starts_with('.'));
        if hidden {
            return String::new();
        }
        format!(
            "Or name in the request which file is to be changed ({}), or work in a git repository (git init): there it is \
             changed without a question, and artoo undo takes it back",
            first_chars(&names.join(", "), MOVE_CHARS)
        )
    }

    /// Whether a model answered, and not in the required form.
    fn is_unreadable(&self) -> bool {
        self.no_plan.is_some_and(|no_plan| no_plan.outcome == NoPlan::WrongForm)
    }

    fn mend_model(&self) -> &'static str {
        if self.is_unreadable() { OTHER_MODEL } else { MEND_MODEL }
    }

    /// A refusal that says all there is to say.
    fn plain_decline(&self) -> Option<&Decline> {
        let why = self.no_plan.filter(|_| matches!(self.reason, Reason::Declined | Reason::CannotPlan))?;
        why.decline.as_ref().filter(|decline| decline.is_plain)
    }

    /// The moves of a refusal that says them itself.
    fn plain_moves(&self) -> Option<Vec<String>> {
        let decline = self.plain_decline()?;
        let own = decline.nearest.iter().chain([&decline.how_to_configure]).cloned();
        Some(own.filter(|one| !one.is_empty()).take(MAX_MOVES).collect())
    }

    fn first_open(&self) -> String {
        self.unmet.first().map_or_else(String::new, |u| {
            format!("Ask for the open part alone: artoo {}", quoted(&u.criterion))
        })
    }

    fn left_out(&self) -> String {
        let first = self.history.uncovered.first();
        first.map_or_else(String::new, |part| {
            format!("Ask for what was left out alone: artoo {}", quoted(part.words()))
        })
    }

    fn other_input(&self) -> String {
        self.history.calls.ruled_out.first().map_or_else(String::new, |target| {
            format!("Name another input than {}", first_chars(target, MOVE_CHARS))
        })
    }

    /// What to do about memories that stood against every plan.
    fn after_memories(&self, again: &str) -> Vec<String> {
        let ids = self.no_plan.map_or(&[][..], |no_plan| &no_plan.memories);
        let [first, ..] = ids else { return Vec::new() };
        let more = match ids.len() {
            1 => String::new(),
            count => format!(" (and {} more: artoo memory why)", count - 1),
        };
        vec![format!(
            "A memory stands against it. Forget it: artoo memory forget {first}{more}, then: {again}"
        )]
    }

    fn after_decline(&self) -> Vec<String> {
        let Some(decline) = self.no_plan.and_then(|no_plan| no_plan.decline.as_ref()) else {
            return vec!["See what can be configured: artoo doctor".to_owned()];
        };
        let nearest = decline
            .nearest
            .iter()
            .take(MAX_MOVES - 1)
            .map(|n| format!("This would work: artoo {}", quoted(n)));
        nearest.chain([first_chars(&decline.how_to_configure, MOVE_CHARS)]).collect()
    }
}

/// The criteria of a plan that was still running: nothing of it is verified.
pub fn unverified(plan: &DispatchManifest) -> Vec<Unmet> {
    let steps = plan.subtasks.iter().flat_map(|s| &s.success_criteria);
    let open = |text: &str| Unmet {
        criterion: text.to_owned(),
        evidence: "the task ended before it was evaluated".to_owned(),
        evaluated: false,
    };
    plan.task_criteria.iter().chain(steps).map(|c| open(&c.text)).collect()
}

/// The reason of a task that is stopped from outside the loop.
pub(crate) fn stop_reason(cause: StopCause) -> Reason {
    match cause {
        StopCause::Cancelled => Reason::Cancelled,
        StopCause::Deadline => Reason::Deadline,
        StopCause::TokenCeiling => Reason::BudgetExhausted,
        StopCause::CostCeiling => Reason::CostExhausted,
        StopCause::ModelUnavailable => Reason::ModelUnavailable,
        StopCause::Interrupted => Reason::Interrupted,
        StopCause::Internal => Reason::Internal,
    }
}

/// Text as one word of a shell command.
fn quoted(text: &str) -> String {
    format!("'{}'", first_chars(text.trim(), MOVE_CHARS).replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
