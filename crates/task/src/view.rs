//! What a person can ask about a task, read off its envelopes.

use artoo_types::control::FinalResult;
use artoo_types::taint::Taint;
use artoo_types::task::{ConfirmationRequest, TaskSubmitted};
use artoo_types::{Envelope, Message, TaskId, Timestamp};

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum TaskState {
    /// Durable, not yet begun.
    #[default]
    Accepted,
    /// At work.
    Running,
    /// An action waits for a person.
    WaitingForConfirmation,
    /// Questions wait for a person.
    WaitingForClarification,
    /// Its FinalResult is there.
    Finished,
}

/// A task as its envelopes show it. The same whether they come live or from the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskView {
    /// The task.
    pub task_id: TaskId,
    /// The request, once seen.
    pub submitted: Option<TaskSubmitted>,
    /// R1's label, once seen.
    pub slug: String,
    /// Where it stands.
    pub state: TaskState,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Sequence of the latest envelope.
    pub latest_sequence: u64,
    /// Open confirmations.
    pub confirmations: Vec<ConfirmationRequest>,
    /// Open questions.
    pub questions: Vec<String>,
    /// What it has taken in, as far as calls and the end tell.
    pub taint: Taint,
    /// The end.
    pub result: Option<FinalResult>,
}

impl TaskView {
    /// A task of which nothing is known yet.
    pub fn new(task_id: TaskId) -> Self {
        Self {
            task_id,
            submitted: None,
            slug: String::new(),
            state: TaskState::Accepted,
            created_at: Timestamp::default(),
            ended_at: None,
            latest_sequence: 0,
            confirmations: Vec::new(),
            questions: Vec::new(),
            taint: Taint::NONE,
            result: None,
        }
    }

    /// The daemon was started anew: what was asked about actions before is void from this moment on, before the task asks
    /// again.
    pub fn restarted(&mut self) {
        if !self.confirmations.is_empty() {
            self.confirmations.clear();
            self.state = self.standing();
        }
    }

    /// Takes the next envelope in.
    pub fn observe(&mut self, envelope: &Envelope) {
        self.latest_sequence = self.latest_sequence.max(envelope.sequence);
        if envelope.refused {
            return;
        }
        match &envelope.payload {
            Message::TaskSubmitted(m) => {
                self.created_at = envelope.time;
                self.submitted = Some(m.clone());
            }
            Message::TaskSpec(m) => self.slug.clone_from(&m.slug),
            Message::ClarificationRequest(m) => self.questions.clone_from(&m.questions),
            Message::ClarificationAnswer(_) => self.questions.clear(),
            Message::ConfirmationRequest(m) => {
                // A call is asked about anew after a restart, which makes the earlier question void.
                self.confirmations.retain(|c| c.effect_id != m.effect_id);
                self.confirmations.push(m.clone());
            }
            Message::ToolCallFinished(m) => {
                self.confirmations.retain(|c| c.effect_id != m.effect_id);
                self.taint |= m.taint;
            }
            Message::ConfirmationResolved(m) => {
                self.confirmations.retain(|c| c.confirmation_id != m.confirmation_id);
            }
            Message::FinalResult(m) => {
                self.ended_at = Some(envelope.time);
                self.taint |= m.taint;
                self.confirmations.clear();
                self.questions.clear();
                self.result = Some(m.clone());
            }
            Message::MemoryQuery(_)
            | Message::MemoryReply(_)
            | Message::PlanDraftRejected(_)
            | Message::DispatchManifest(_)
            | Message::SubTask(_)
            | Message::ExecutionResult(_)
            | Message::CorrectionSignal(_)
            | Message::SubTaskOutcome(_)
            | Message::ReplanRequest(_)
            | Message::OutcomeSummary(_)
            | Message::PlanDirective(_)
            | Message::MegramWrite(_)
            | Message::ToolCallStarted(_)
            | Message::ModelCallStarted(_)
            | Message::ModelCallFinished(_)
            | Message::TaskCancelled(_)
            | Message::AuditQuery(_)
            | Message::AuditReport(_)
            | Message::TaskUndo(_)
            | Message::TaskUndone(_)
            | Message::McpChange(_)
            | Message::MemoryChange(_)
            | Message::Lagged(_) => {}
        }
        self.state = self.standing();
    }

    fn standing(&self) -> TaskState {
        if self.result.is_some() {
            TaskState::Finished
        } else if !self.confirmations.is_empty() {
            TaskState::WaitingForConfirmation
        } else if !self.questions.is_empty() {
            TaskState::WaitingForClarification
        } else {
            TaskState::Running
        }
    }
}
