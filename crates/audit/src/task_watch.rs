//! What the auditor keeps of one running task, and what it finds wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::control::{Ending, FinalResult, PlanDirective, Reason};
use artoo_types::criteria::{Criterion, CriterionVerdict};
use artoo_types::evidence::CallEnd;
use artoo_types::finding::FindingKind;
use artoo_types::limits::MAX_DRAFT_REJECTIONS;
use artoo_types::outcome::{
    CorrectionSignal, ExecutionResult, OutcomeStatus, OutcomeSummary, ReplanRequest, SubTaskOutcome,
};
use artoo_types::plan::{
    BlockedTarget, BlockedTool, Blocks, DispatchManifest, NoPlan, PlanDraftRejected, SubTask,
};
use artoo_types::tag::fold;
use artoo_types::target::{Bases, planned_forms};
use artoo_types::task::{
    ClarificationAnswer, ClarificationRequest, ConfirmationRequest, ConfirmationResolved, TaskCancelled,
    TaskSpec, TaskSubmitted,
};
use artoo_types::tool::ToolCallFinished;
use artoo_types::{ConfirmationId, Envelope, EvidenceId, MessageVisitor, SubtaskId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::acceptance::EvidenceWatch;
use crate::control_watch::ControlHistory;
use crate::event::Findings;
use crate::support::Support;

/// The clock may step back this far, in milliseconds, before it is reported: time servers correct by less.
const BACKWARD_MS: u64 = 60_000;
/// The clock may leap forward this far, in milliseconds, between two messages of a task that waits for nobody. Every
/// deadline of a running task is shorter.
const FORWARD_MS: u64 = 3_600_000;
/// Fewer corrections in a round than this are no storm.
const STORM_CORRECTIONS: u64 = 6;
/// Attempts after which a subtask whose score never rose counts as not converging.
const STALLED_ATTEMPTS: usize = 3;

/// The view of one task. Its sets grow by at most `limits::MAX_SUBTASKS` entries a round, receipts by the tool calls
/// that the limits allow; all of it is dropped when the task ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TaskWatch {
    sequence: u64,
    time: Option<Timestamp>,
    /// Questions to a person that are open.
    confirmations: BTreeSet<ConfirmationId>,
    clarifying: bool,
    planned: BTreeSet<SubtaskId>,
    /// Subtasks of the plan that goes on: an outcome of each has to be put to the controller.
    expected: BTreeSet<SubtaskId>,
    dispatched: BTreeSet<SubtaskId>,
    reported: BTreeSet<SubtaskId>,
    receipts: BTreeSet<EvidenceId>,
    evidence: EvidenceWatch,
    /// Something was put to the controller and not answered yet.
    asked_solver: bool,
    support: Option<Support>,
    /// Where relative inputs of plans start.
    working_directory: String,
    #[serde(flatten)]
    control: ControlHistory,
    round: RoundCounts,
}

/// What counts from one directive to the next.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct RoundCounts {
    rejections: u32,
    dispatched: u64,
    corrections: u64,
    storm_found: bool,
    /// What the executors of this round must not use, where that is anything.
    blocks: BTreeMap<SubtaskId, Blocks>,
}

impl TaskWatch {
    /// Checks that the envelope is the next one and comes at a believable time.
    pub(crate) fn observe_order(&mut self, envelope: &Envelope, found: &mut Findings) {
        check_sequence(&mut self.sequence, envelope.sequence, found);
        let waits = self.clarifying || !self.confirmations.is_empty();
        if let Some(last) = self.time {
            check_clock(last, envelope.time, waits, found);
        }
        self.time = Some(envelope.time);
    }

    /// When the last message came.
    pub(crate) fn last_seen(&self) -> Option<Timestamp> {
        self.time
    }

    /// Takes in what a delivered envelope says.
    pub(crate) fn observe(&mut self, envelope: &Envelope, found: &mut Findings) {
        envelope.payload.visit(&mut Observation { view: self, found });
    }

    /// Where D went since the first round: improving, steady or worsening. `distance` is the latest D.
    pub(crate) fn trend(&mut self, distance: f64) -> &'static str {
        self.control.trend(distance)
    }

    fn plan(&mut self, manifest: &DispatchManifest, found: &mut Findings) {
        // A draft that was rejected often enough for its targets alone is let through, because there may be no other.
        let targets_bind = self.round.rejections < MAX_DRAFT_REJECTIONS;
        self.expected =
            manifest.subtasks.iter().map(|s| s.subtask_id).chain(manifest.kept.iter().copied()).collect();
        let steps = manifest.subtasks.iter().flat_map(|subtask| &subtask.success_criteria);
        self.evidence.expect(manifest.task_criteria.iter().chain(steps));
        let only_step = manifest.subtasks.len() == 1;
        for subtask in &manifest.subtasks {
            let id = subtask.subtask_id;
            if !self.planned.insert(id) {
                found.push((FindingKind::DuplicateSubtask, format!("subtask {id} was planned twice")));
            }
            if !subtask.blocked.is_empty() {
                self.round.blocks.insert(id, subtask.blocked.clone());
            }
            let intent = fold(&subtask.intent);
            let binds = |b: &&BlockedTool| match b.subtask {
                Some(failed) => subtask.replaces == Some(failed),
                None => only_step || b.intent == intent,
            };
            for block in self.control.blocked_tools.iter().filter(binds) {
                if subtask.tools.contains(&block.class) {
                    let what = format!("subtask {id} plans the blocked tool {}", block.class);
                    found.push((FindingKind::BlockedUse, what));
                }
            }
            for block in
                self.control.blocked_targets.iter().filter(|b| targets_bind && self.plans(subtask, b))
            {
                let what =
                    format!("subtask {id} plans the blocked target {} of {}", block.target, block.class);
                found.push((FindingKind::BlockedUse, what));
            }
        }
    }

    /// Whether the subtask plans this input for this tool class. The workspace and the home folder are not known here;
    /// what a plan names from there is seen when the call ran, see [`Self::report`].
    fn plans(&self, subtask: &SubTask, block: &BlockedTarget) -> bool {
        let here = self.working_directory.as_str();
        let bases = Bases { working_directory: here, workspace: here, home: "~" };
        subtask.tools.iter().any(|class| covers(class, &block.class))
            && subtask.targets.iter().any(|t| planned_forms(t, bases).contains(&block.target))
    }

    fn dispatch(&mut self, subtask: &SubTask, found: &mut Findings) {
        self.round.dispatched += 1;
        let id = subtask.subtask_id;
        if !self.dispatched.insert(id) {
            found.push((FindingKind::DuplicateSubtask, format!("subtask {id} was dispatched twice")));
        }
    }

    fn report(&mut self, result: &ExecutionResult, found: &mut Findings) {
        let id = result.subtask_id;
        self.reported.insert(id);
        self.receipts.extend(result.receipts.iter().map(|r| r.id.clone()));
        self.evidence.note(result);
        let Some(blocks) = self.round.blocks.get(&id) else { return };
        for receipt in result.receipts.iter().filter(|r| r.end == CallEnd::Ran) {
            let class = blocks.classes.iter().find(|c| receipt.classes.contains(*c));
            let target = blocks
                .targets
                .iter()
                .find(|b| receipt.classes.contains(&b.class) && b.target == receipt.target);
            if let Some(blocked) = class.or(target.map(|b| &b.target)) {
                let what = format!("subtask {id} ran {} although {blocked} is blocked for it", receipt.id);
                found.push((FindingKind::BlockedUse, what));
            }
        }
    }

    fn correct(&mut self, found: &mut Findings) {
        let round = &mut self.round;
        round.corrections += 1;
        let storms = round.corrections >= STORM_CORRECTIONS && round.corrections > round.dispatched;
        if storms && !round.storm_found {
            round.storm_found = true;
            let (corrections, subtasks) = (round.corrections, round.dispatched);
            found.push((
                FindingKind::CorrectionStorm,
                format!("{corrections} corrections for {subtasks} subtasks in one round"),
            ));
        }
    }

    fn outcome(&mut self, outcome: &SubTaskOutcome, found: &mut Findings) {
        let id = outcome.subtask_id;
        if outcome.status != OutcomeStatus::NotRun && !self.reported.contains(&id) {
            found.push((
                FindingKind::OutcomeWithoutResult,
                format!("subtask {id} ended, but no executor reported a result"),
            ));
        }
        // Only what the runtime told of counts.
        let told = outcome.receipts.iter().filter(|receipt| self.receipts.contains(&receipt.id));
        self.evidence.note_looks(id, told);
        let scores: Vec<f64> = outcome.gap_trajectory.iter().map(|p| p.score).collect();
        let stalled = scores.len() >= STALLED_ATTEMPTS && scores.windows(2).all(|w| w[1] <= w[0]);
        if outcome.status == OutcomeStatus::Failed && stalled {
            found.push((
                FindingKind::ConvergenceFailure,
                format!("subtask {id}: no correction raised the score in {} attempts", scores.len()),
            ));
        }
    }

    fn put_to_solver(&mut self, put: JudgedRound<'_>, found: &mut Findings) {
        let JudgedRound { outcomes, verdicts, criteria } = put;
        self.asked_solver = true;
        self.support = Some(Support::of(outcomes, verdicts, &self.receipts));
        self.evidence.weigh(outcomes, verdicts, criteria, &self.working_directory);
        let missing: Vec<String> = self
            .expected
            .iter()
            .filter(|id| !outcomes.iter().any(|o| o.subtask_id == **id))
            .map(ToString::to_string)
            .collect();
        if !missing.is_empty() {
            let (count, of) = (missing.len(), self.expected.len());
            found.push((
                FindingKind::IncompleteFanIn,
                format!("{count} of {of} planned subtasks have no outcome: {}", missing.join(", ")),
            ));
        }
    }

    fn direct(&mut self, directive: &PlanDirective, found: &mut Findings) {
        self.control.direct(directive, found);
        self.asked_solver = false;
        self.round = RoundCounts::default();
    }

    fn end(&mut self, result: &FinalResult, found: &mut Findings) {
        if !self.asked_solver {
            found.push((
                FindingKind::UndecidedEnd,
                "the task ended although nothing was put to the controller".to_owned(),
            ));
        }
        let judged = result.directive == Ending::Accept && result.reason != Reason::Answered;
        if judged && let Some(fault) = self.support.take().unwrap_or_default().fault() {
            found.push((FindingKind::UnprovenAccept, fault));
        }
        if judged {
            self.evidence.report(found);
        }
    }
}

/// What R4b puts to the controller.
#[derive(Clone, Copy)]
struct JudgedRound<'a> {
    outcomes: &'a [SubTaskOutcome],
    verdicts: &'a [CriterionVerdict],
    criteria: &'a [Criterion],
}

/// One message, taken in.
struct Observation<'a> {
    view: &'a mut TaskWatch,
    found: &'a mut Findings,
}

impl MessageVisitor for Observation<'_> {
    fn task_submitted(&mut self, m: &TaskSubmitted) {
        self.view.working_directory.clone_from(&m.working_directory);
    }

    fn clarification_request(&mut self, _: &ClarificationRequest) {
        self.view.clarifying = true;
    }

    fn clarification_answer(&mut self, _: &ClarificationAnswer) {
        self.view.clarifying = false;
    }

    fn confirmation_request(&mut self, m: &ConfirmationRequest) {
        self.view.confirmations.insert(m.confirmation_id);
    }

    fn confirmation_resolved(&mut self, m: &ConfirmationResolved) {
        self.view.confirmations.remove(&m.confirmation_id);
    }

    fn task_spec(&mut self, m: &TaskSpec) {
        self.view.asked_solver |= m.direct_answer.is_some();
    }

    fn plan_draft_rejected(&mut self, m: &PlanDraftRejected) {
        match m.outcome {
            NoPlan::SentBack => self.view.round.rejections += 1,
            NoPlan::CannotPlan
            | NoPlan::Declined
            | NoPlan::CannotBeDone
            | NoPlan::ModelUnavailable
            | NoPlan::WrongForm => {
                self.view.asked_solver = true;
            }
        }
    }

    fn task_cancelled(&mut self, _: &TaskCancelled) {
        self.view.asked_solver = true;
    }

    fn dispatch_manifest(&mut self, m: &DispatchManifest) {
        self.view.plan(m, self.found);
    }

    fn sub_task(&mut self, m: &SubTask) {
        self.view.dispatch(m, self.found);
    }

    fn tool_call_finished(&mut self, m: &ToolCallFinished) {
        self.view.receipts.insert(m.receipt.clone());
    }

    fn execution_result(&mut self, m: &ExecutionResult) {
        self.view.report(m, self.found);
    }

    fn correction_signal(&mut self, _: &CorrectionSignal) {
        self.view.correct(self.found);
    }

    fn sub_task_outcome(&mut self, m: &SubTaskOutcome) {
        self.view.outcome(m, self.found);
    }

    fn replan_request(&mut self, m: &ReplanRequest) {
        let put =
            JudgedRound { outcomes: &m.outcomes, verdicts: &m.task_verdicts, criteria: &m.task_criteria };
        self.view.put_to_solver(put, self.found);
    }

    fn outcome_summary(&mut self, m: &OutcomeSummary) {
        let put =
            JudgedRound { outcomes: &m.outcomes, verdicts: &m.task_verdicts, criteria: &m.task_criteria };
        self.view.put_to_solver(put, self.found);
    }

    fn plan_directive(&mut self, m: &PlanDirective) {
        self.view.direct(m, self.found);
    }

    fn final_result(&mut self, m: &FinalResult) {
        self.view.end(m, self.found);
    }
}

/// Compares `sequence` with the one after `last`, and moves `last` on.
pub(crate) fn check_sequence(last: &mut u64, sequence: u64, found: &mut Findings) {
    let next = *last + 1;
    if sequence > next {
        let to = sequence - 1;
        found.push((FindingKind::SequenceGap, format!("envelopes {next} to {to} are missing")));
    } else if sequence < next {
        found.push((
            FindingKind::SequenceGap,
            format!("envelope {sequence} came after envelope {last}, a second time or out of order"),
        ));
    }
    *last = sequence.max(*last);
}

/// Reports a step of the clock between two messages that come one after the other.
pub(crate) fn check_clock(last: Timestamp, now: Timestamp, waits: bool, found: &mut Findings) {
    let (back, forth) = (last.since_ms(now), now.since_ms(last));
    if back > BACKWARD_MS {
        found.push((FindingKind::ClockJump, format!("the clock went back by {} s", back / 1000)));
    } else if forth > FORWARD_MS && !waits {
        found.push((
            FindingKind::ClockJump,
            format!(
                "{} s passed while the task waited for nobody: the clock stepped, the machine slept or artoo-daemon was down",
                forth / 1000
            ),
        ));
    }
}

/// Whether a planned class may turn out as the blocked one: the same, or a bare `shell` for `shell:find`.
fn covers(planned: &str, blocked: &str) -> bool {
    planned == blocked || blocked.strip_prefix(planned).is_some_and(|rest| rest.starts_with(':'))
}
