//! R1 Perceiver: the reference signal of both loops.
//! Receives   TaskSubmitted, ClarificationAnswer; model replies
//! Produces   TaskSpec, ClarificationRequest
//! May        ask a model, ask the person once
//! Does NOT   set success criteria, choose tools, see memory, keep state beyond the task

use std::sync::Arc;

use artoo_types::brief::SpecifyBrief;
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::envelope::Role;
use artoo_types::limits::{MAX_QUESTIONS, QUESTION_EXPIRY_MS};
use artoo_types::plan::{NoPlan, PlanDraftRejected};
use artoo_types::reply::{SchemaName, TaskSpecReply};
use artoo_types::setting::TaskSetting;
use artoo_types::tag::Tag;
use artoo_types::task::{ClarificationAnswer, ClarificationRequest, Constraints, TaskSpec, TaskSubmitted};
use artoo_types::{TaskId, Timestamp};

use crate::ask::{Asker, Heard};

mod reply;
mod request;
#[cfg(test)]
mod tests;

/// What reaches the perceiver.
#[derive(Debug, Clone)]
pub enum Input {
    /// The request.
    Submitted(TaskSubmitted),
    /// The person's answer to the questions.
    Answered(ClarificationAnswer),
    /// A model call ended.
    Model(ModelOutcome),
}

/// What the perceiver can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask a model.
    AskModel(ChatRequest),
    /// Ask the person.
    Clarify(ClarificationRequest),
    /// Publish its reading of the request.
    Understood(TaskSpec),
    /// Report that no model can be reached.
    NoModel(PlanDraftRejected),
}

/// The perceiver of one task.
#[derive(Debug, Clone)]
pub struct Perceiver {
    task_id: TaskId,
    setting: Arc<TaskSetting>,
    asker: Asker,
    submitted: Option<TaskSubmitted>,
    questions: Vec<String>,
    answered: Option<ClarificationAnswer>,
}

impl Perceiver {
    /// A perceiver for one task.
    pub fn new(task_id: TaskId, setting: &TaskSetting) -> Self {
        let system = include_str!("perceiver/prompt.md").trim_ascii_end();
        Self {
            task_id,
            setting: Arc::new(setting.clone()),
            asker: Asker::new(Role::Perceiver, Tier::Brain, SchemaName::TaskSpec, system),
            submitted: None,
            questions: Vec::new(),
            answered: None,
        }
    }

    /// One step.
    pub fn step(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Submitted(submitted) => {
                self.submitted = Some(submitted);
                vec![self.ask()]
            }
            Input::Answered(answer) => {
                self.answered = Some(answer);
                vec![self.ask()]
            }
            Input::Model(outcome) => match self.asker.read::<TaskSpecReply>(outcome) {
                Heard::AskAgain(request) => vec![Effect::AskModel(request)],
                Heard::Reply(reply) => vec![self.understand(now, reply)],
                Heard::Failed(failed) if failed.unreachable => {
                    vec![Effect::NoModel(PlanDraftRejected {
                        task_id: self.task_id,
                        attempt: 0,
                        outcome: NoPlan::ModelUnavailable,
                        reasons: vec![failed.message],
                        decline: None,
                    })]
                }
                // Fidelity does not depend on a model: the request itself is the most faithful restatement there is.
                Heard::Failed(failed) => vec![Effect::Understood(self.verbatim(&failed.message))],
            },
        }
    }

    fn understand(&mut self, now: Timestamp, reply: TaskSpecReply) -> Effect {
        let questions = reply::questions(&reply, MAX_QUESTIONS);
        let may_ask = self.setting.interactive && self.answered.is_none();
        if may_ask && !questions.is_empty() && reply.direct_answer.is_none() {
            self.questions.clone_from(&questions);
            let expires_at = now.plus_ms(QUESTION_EXPIRY_MS);
            return Effect::Clarify(ClarificationRequest { questions, expires_at });
        }
        let raw_input = self.raw_input();
        let unasked = if self.answered.is_none() { questions } else { Vec::new() };
        let assumptions = unasked
            .iter()
            .map(|q| format!("nobody could be asked \"{q}\"; the most usual reading was taken"))
            .collect();
        Effect::Understood(reply::task_spec(self.task_id, reply, raw_input, assumptions))
    }

    fn verbatim(&self, why: &str) -> TaskSpec {
        let raw_input = self.raw_input();
        TaskSpec {
            task_id: self.task_id,
            slug: reply::clean_slug("", &raw_input),
            intent: raw_input.clone(),
            constraints: Constraints::default(),
            tags: Vec::new(),
            intent_tag: Tag::intent(&raw_input),
            raw_input,
            direct_answer: None,
            assumptions: vec![format!("the request was taken word for word, because {why}")],
        }
    }

    fn raw_input(&self) -> String {
        self.submitted.as_ref().map(|s| s.input.clone()).unwrap_or_default()
    }

    fn ask(&mut self) -> Effect {
        let submitted = self.submitted.as_ref();
        Effect::AskModel(self.asker.ask(SpecifyBrief {
            setting: Arc::clone(&self.setting),
            working_directory: submitted.map(|s| s.working_directory.clone()).unwrap_or_default(),
            questions: self.questions.clone(),
            answer: self.answered.clone(),
            request: self.raw_input(),
        }))
    }
}
