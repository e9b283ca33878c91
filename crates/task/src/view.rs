//! What a person can ask about a task, read off its envelopes.

use std::collections::BTreeSet;

use artoo_types::chat::{ModelCallFinished, ModelCallStarted};
use artoo_types::control::FinalResult;
use artoo_types::envelope::Role;
use artoo_types::taint::Taint;
use artoo_types::task::{
    ClarificationAnswer, ClarificationRequest, ConfirmationRequest, ConfirmationResolved, TaskSpec,
    TaskSubmitted,
};
use artoo_types::tool::ToolCallFinished;
use artoo_types::{Envelope, MessageVisitor, SubtaskId, TaskId, Timestamp};

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
    /// Its model is busy or gone, and it asks again by itself.
    WaitingForModel,
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
    /// Who waits for a model that is busy or gone.
    pub model_waits: BTreeSet<(Role, Option<SubtaskId>)>,
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
            model_waits: BTreeSet::new(),
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
        envelope.payload.visit(&mut Observation { view: self, time: envelope.time });
        self.state = self.standing();
    }

    fn standing(&self) -> TaskState {
        if self.result.is_some() {
            TaskState::Finished
        } else if !self.confirmations.is_empty() {
            TaskState::WaitingForConfirmation
        } else if !self.questions.is_empty() {
            TaskState::WaitingForClarification
        } else if !self.model_waits.is_empty() {
            TaskState::WaitingForModel
        } else {
            TaskState::Running
        }
    }
}

/// One message, taken in at its time.
struct Observation<'a> {
    view: &'a mut TaskView,
    time: Timestamp,
}

impl MessageVisitor for Observation<'_> {
    fn task_submitted(&mut self, m: &TaskSubmitted) {
        self.view.created_at = self.time;
        self.view.submitted = Some(m.clone());
    }

    fn task_spec(&mut self, m: &TaskSpec) {
        self.view.slug.clone_from(&m.slug);
    }

    fn clarification_request(&mut self, m: &ClarificationRequest) {
        self.view.questions.clone_from(&m.questions);
    }

    fn clarification_answer(&mut self, _: &ClarificationAnswer) {
        self.view.questions.clear();
    }

    fn confirmation_request(&mut self, m: &ConfirmationRequest) {
        // A call is asked about anew after a restart, which makes the earlier question void.
        self.view.confirmations.retain(|c| c.effect_id != m.effect_id);
        self.view.confirmations.push(m.clone());
    }

    fn confirmation_resolved(&mut self, m: &ConfirmationResolved) {
        self.view.confirmations.retain(|c| c.confirmation_id != m.confirmation_id);
    }

    fn model_call_started(&mut self, m: &ModelCallStarted) {
        self.view.model_waits.remove(&(m.role, m.subtask_id));
    }

    fn model_call_finished(&mut self, m: &ModelCallFinished) {
        if m.retry_in_ms.is_some() {
            self.view.model_waits.insert((m.role, m.subtask_id));
        }
    }

    fn tool_call_finished(&mut self, m: &ToolCallFinished) {
        self.view.confirmations.retain(|c| c.effect_id != m.effect_id);
        self.view.taint |= m.taint;
    }

    fn final_result(&mut self, m: &FinalResult) {
        self.view.ended_at = Some(self.time);
        self.view.taint |= m.taint;
        self.view.confirmations.clear();
        self.view.questions.clear();
        self.view.result = Some(m.clone());
    }
}
