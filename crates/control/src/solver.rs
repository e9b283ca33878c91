//! R7, the Goal Gradient Solver: decides after each round how the next plan must differ, or how the task ends.
//! Receives: TaskSpec, MemoryReply, DispatchManifest, PlanDraftRejected, ReplanRequest, OutcomeSummary, TaskCancelled.
//! Produces: PlanDirective for R2, MegramWrite for R5, and exactly one FinalResult for the person.
//! May: block classes and targets, spend the task's replans, end the task, write to the memory.
//! Does NOT: plan, watch single tool calls, merge or verify outputs, override the fan-in gate, ask a model, read a clock.

use artoo_types::control::{
    Directive, Ending, FinalResult, MacroState, PlanDirective, Reason, TrajectoryPoint, Urgency,
};
use artoo_types::evidence::Receipt;
use artoo_types::farewell::{Farewell, FarewellRequest};
use artoo_types::memory::{MegramWrite, MemoryReply};
use artoo_types::outcome::{OutcomeSummary, ReplanRequest, SubTaskOutcome};
use artoo_types::plan::{DispatchManifest, NoPlan, PlanDraftRejected};
use artoo_types::setting::{ControlParams, TaskSetting};
use artoo_types::tag::fold;
use artoo_types::task::{TaskCancelled, TaskSpec};
use artoo_types::unit::{Cost, Distance, Implausibility};
use artoo_types::{TaskId, Timestamp};
use serde_json::Value;

use crate::blame::{FailingCall, class_faults, failing_calls};
use crate::cascade::{Bounds, Decision, Situation, below, decide, urgency};
use crate::directive::{self, MeasuredRound};
use crate::farewell::DecidedEnd;
use crate::feedback::MemoriesInPlan;
use crate::finish::{Closing, Denials, stop_reason};
use crate::history::{History, LastRound, MetCriteria};
use crate::loss::{self, Expense, Gradient, Spending};
use crate::quantize::Provenance;
use crate::reading::{Reading, Round};
use crate::steering::Steering;
use crate::task_end::is_confirmed;
use artoo_types::spelling::TaskFolders;

mod ending;
mod law;

use ending::EarlyEnd;

/// What reaches the controller.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "an input is moved once and stored nowhere")]
pub enum Input {
    /// R1 understood the request.
    Spec(TaskSpec),
    /// The memory answered the planner.
    Memory(MemoryReply),
    /// A plan goes out.
    Manifest(DispatchManifest),
    /// A step ended.
    Outcome(SubTaskOutcome),
    /// A draft was rejected, or planning ended without a plan.
    NoPlan(PlanDraftRejected),
    /// The round fell short.
    Replan(ReplanRequest),
    /// The round is said to have met everything.
    Summary(OutcomeSummary),
    /// The task is stopped from outside the loop.
    Stop(TaskCancelled),
    /// R2's last words.
    Farewell(Farewell),
}

/// What the controller can do; there is nothing else.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a step has a few effects")]
pub enum Effect {
    /// R2 plans again, like this.
    Direct(PlanDirective),
    /// R2 is asked for last words.
    AskFarewell(FarewellRequest),
    /// R5 remembers this.
    Remember(MegramWrite),
    /// The task ends. Always the last effect of all.
    Finish(FinalResult),
}

/// The controller of one task.
#[derive(Debug, Clone, PartialEq)]
pub struct Solver {
    task_id: TaskId,
    params: ControlParams,
    max_tokens: Option<u64>,
    tools: Vec<String>,
    places: TaskFolders,
    started_at: Timestamp,
    spec: Option<TaskSpec>,
    history: History,
    /// What the memory gave the planner, until the end tells what became of it.
    given: MemoriesInPlan,
    stage: Stage,
    /// Milliseconds until the hard deadline, waits for a person not counted.
    deadline_ms: u64,
}

/// How far the one result is.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a task has one")]
enum Stage {
    /// Nothing is decided.
    Open,
    /// The end is decided and waits for its last words.
    Parting(DecidedEnd),
    /// The result was given.
    Finished,
}

/// The moment of a step.
struct Moment {
    now: Timestamp,
    spent: Spending,
}

impl Solver {
    /// The controller of a task that was accepted at `started_at` in `working_directory` (absolute).
    pub fn new(
        task_id: TaskId,
        setting: &TaskSetting,
        working_directory: &str,
        started_at: Timestamp,
    ) -> Self {
        Self {
            task_id,
            params: setting.control,
            max_tokens: setting.max_tokens,
            tools: setting.tools.iter().map(|tool| tool.name.clone()).collect(),
            places: TaskFolders {
                working_directory: working_directory.to_owned(),
                workspace: setting.workspace.clone(),
                home: setting.home.clone(),
            },
            started_at,
            spec: None,
            history: History::new(),
            given: MemoriesInPlan::default(),
            stage: Stage::Open,
            deadline_ms: setting.deadline_ms,
        }
    }

    /// Whether the one result was given.
    pub fn finished(&self) -> bool {
        self.stage == Stage::Finished
    }

    /// Takes note of a call of the task that ended.
    pub fn saw(&mut self, receipt: &Receipt) {
        self.history.note_changes(receipt);
    }

    /// Takes one input. Memories come before the result, and after the result nothing comes.
    pub fn step(&mut self, now: Timestamp, spent: Spending, input: Input) -> Vec<Effect> {
        let moment = &Moment { now, spent };
        match &self.stage {
            Stage::Open => {}
            Stage::Parting(_) => return self.part(moment, input),
            Stage::Finished => return Vec::new(),
        }
        match input {
            Input::Spec(spec) => self.understand(moment, spec),
            Input::Memory(reply) => {
                self.given.note(&reply);
                Vec::new()
            }
            Input::Manifest(plan) => {
                self.history.note_plan(plan);
                Vec::new()
            }
            Input::NoPlan(rejected) => {
                self.history.uncovered.clone_from(&rejected.uncovered);
                let reason = match rejected.outcome {
                    NoPlan::SentBack => return Vec::new(),
                    NoPlan::CannotPlan => Reason::CannotPlan,
                    NoPlan::Declined => Reason::Declined,
                    NoPlan::CannotBeDone => Reason::CannotBeDone,
                    NoPlan::ModelUnavailable | NoPlan::WrongForm => Reason::ModelUnavailable,
                };
                let decline = rejected.decline.as_ref().map(|d| d.reason.clone());
                let words = decline.unwrap_or_else(|| rejected.reasons.join("; "));
                self.end_early(moment, &EarlyEnd { reason, words: &words, rejected: Some(&rejected) })
            }
            Input::Outcome(outcome) => {
                self.history.note_ended(outcome);
                Vec::new()
            }
            Input::Replan(request) => self.close_round(moment, &Round::from(request)),
            Input::Summary(summary) => self.close_round(moment, &Round::from(summary)),
            Input::Stop(stop) => {
                let reason = stop_reason(stop.cause);
                self.end_early(moment, &EarlyEnd { reason, words: &stop.detail, rejected: None })
            }
            // Nobody was asked.
            Input::Farewell(_) => Vec::new(),
        }
    }

    /// A request that needs no tool ends here with its answer.
    fn understand(&mut self, moment: &Moment, spec: TaskSpec) -> Vec<Effect> {
        let answer = spec.direct_answer.clone();
        self.spec = Some(spec);
        let Some(answer) = answer else { return Vec::new() };
        let cost = self.cost(moment);
        let loss = loss::loss(&self.params, Distance::ZERO, Implausibility::ZERO, cost);
        self.stage = Stage::Finished;
        let closing = self.closing(Ending::Accept, Reason::Answered, loss, Gradient::default(), moment);
        vec![Effect::Finish(
            Closing { output: Value::String(answer.clone()), words: &answer, ..closing }.result(),
        )]
    }

    /// Measures a round, decides, and says so.
    fn close_round(&mut self, moment: &Moment, round: &Round) -> Vec<Effect> {
        let reading = Reading::of(round);
        let (distance, implausibility) = (loss::distance(&reading), loss::implausibility(&reading));
        let cost = self.cost(moment);
        let loss = loss::loss(&self.params, distance, implausibility, cost);
        let gradient = Gradient::between(&self.params, self.history.last_loss(), &loss);
        let deciding = gradient.deciding(self.params.steering.gradient);
        let urgency = urgency(&self.params, deciding, self.history.note_matched(&round.outcomes));
        self.history.worsening = match urgency {
            Urgency::Worsening => self.history.worsening.saturating_add(1),
            Urgency::Improving | Urgency::Steady => 0,
        };
        let denials = Denials::alone(&round.outcomes);
        let situation =
            Situation { gradient: deciding, distance, proven: reading.proven(), implausibility, cost };
        let bounds = Bounds {
            complete: reading.complete(),
            denied_only: denials.is_some(),
            worsening: self.history.worsening,
            directives_left: self.params.max_replans.saturating_sub(self.history.directives),
        };
        let decision = self.of_what_was_asked(decide(self.cell(&situation), bounds));

        self.history.running = None;
        let calls = failing_calls(&round.outcomes);
        let finished = MeasuredRound { round, reading: &reading, calls: &calls, loss, gradient, urgency };
        let (decision, steering) = self.by_law(moment, decision, &finished);
        let mut effects = self.praise(moment, round, &calls, distance, decision);
        match decision {
            Decision::Replan(directive) => effects.extend(self.direct(moment, directive, finished, steering)),
            Decision::Finish(ending, reason) => {
                self.remember_round(ending.into(), &finished);
                let closing = Closing {
                    output: round.output.clone(),
                    // What a model says of a round that left something out may claim the very thing.
                    words: if self.history.uncovered.is_empty() { &round.words } else { "" },
                    unmet: reading.told().unmet.into_iter().chain(self.history.left_out()).collect(),
                    denials: denials.unwrap_or_default(),
                    ..self.closing(ending, reason, loss, gradient, moment)
                };
                let end = self.decided(moment, closing, round);
                effects.extend(self.leave(moment, end, &round.outcomes));
            }
        }
        effects
    }

    /// A plan that was carried out whole is no success where it leaves out a part of the request: what it did is delivered
    /// as partial. Another round would not help, for the planner was told three times.
    fn of_what_was_asked(&self, decision: Decision) -> Decision {
        match decision {
            Decision::Finish(Ending::Accept | Ending::Success, _) if !self.history.uncovered.is_empty() => {
                Decision::Finish(Ending::Abandon, Reason::CannotPlan)
            }
            Decision::Finish(..) | Decision::Replan(_) => decision,
        }
    }

    /// Gives `break_symmetry` its deferred credit: to what is new in this round and not to blame for its failures, if
    /// the distance fell or the task ends well, and code saw so.
    fn praise(
        &mut self,
        moment: &Moment,
        round: &Round,
        calls: &[FailingCall<'_>],
        distance: Distance,
        decision: Decision,
    ) -> Vec<Effect> {
        let mut fresh = {
            let faults = class_faults(calls, &fold(&self.request()), self.params.steering.law);
            self.history.note_calls(&round.outcomes, calls, faults)
        };
        fresh.retain(|pair| calls.iter().all(|call| call.pair() != *pair));
        let before = self.history.last_loss().map(|loss| loss.distance);
        let fell = before.is_some_and(|before| below(distance.get(), before.get()));
        let well = matches!(decision, Decision::Finish(Ending::Accept | Ending::Success, _));
        let earned = (fell || well) && is_confirmed(&round.outcomes, &round.task_verdicts);
        if !self.history.broke_symmetry() || !earned {
            return Vec::new();
        }
        let writes = self.provenance(moment).of_breakthrough(&fresh, &round.outcomes);
        writes.into_iter().map(Effect::Remember).collect()
    }

    fn direct(
        &mut self,
        moment: &Moment,
        directive: Directive,
        finished: MeasuredRound<'_>,
        steering: Steering,
    ) -> Vec<Effect> {
        let built = self.directive(directive, finished, steering);
        let folder = &self.places.working_directory;
        let writes = self.provenance(moment).of_directive(directive, finished.calls, folder);
        self.remember_round(directive.into(), &finished);
        self.history.previous = directive.into();
        self.history.directives = self.history.directives.saturating_add(1);
        writes.into_iter().map(Effect::Remember).chain([Effect::Direct(built)]).collect()
    }

    /// The person's words and what they were restated as.
    fn request(&self) -> String {
        self.spec.as_ref().map_or_else(String::new, |s| format!("{}\n{}", s.raw_input, s.intent))
    }

    /// Puts a round into the past.
    fn remember_round(&mut self, decided: MacroState, finished: &MeasuredRound<'_>) {
        self.history.trajectory.push(TrajectoryPoint {
            loss: finished.loss,
            directive: decided,
            grad_l: finished.gradient.literal,
            grad_q: finished.gradient.quality,
        });
        self.history.note_world(&self.places.working_directory, &finished.round.outcomes);
        self.history.ended = finished.round.outcomes.iter().filter(|o| o.matched()).cloned().collect();
        self.history.unmet = finished.reading.told().unmet;
        self.history.faults.push(directive::failure_class(finished.reading));
        let Round { outcomes, output, not_in_receipts, unverified, .. } = finished.round.clone();
        self.history.last = LastRound { outcomes, output, not_in_receipts, unverified };
        let told = finished.reading.told();
        self.history.met = MetCriteria { all: told.met.len() + told.unmet.len(), met: told.met };
    }

    fn cost(&self, moment: &Moment) -> Cost {
        let elapsed_ms = moment.now.since_ms(self.started_at).saturating_sub(moment.spent.waited_ms);
        let spent =
            Expense { directives: self.history.directives, elapsed_ms, tokens: moment.spent.usage.tokens() };
        loss::cost(&self.params, self.max_tokens, spent)
    }

    /// The round being closed is the one after those in the trajectory.
    fn provenance(&self, moment: &Moment) -> Provenance {
        Provenance {
            task_id: self.task_id,
            round: self.history.trajectory.len(),
            at: moment.now,
            tainted: moment.spent.taint.untrusted,
        }
    }
}

#[cfg(test)]
mod tests;
