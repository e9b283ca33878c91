//! R1 Perceiver: the reference signal of both loops.
//! Receives   TaskSubmitted, ClarificationAnswer; model replies
//! Produces   TaskSpec, ClarificationRequest
//! May        ask a model, ask the person once
//! Does NOT   set success criteria, choose tools, see memory, keep state beyond the task

use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::declare::declaration;
use artoo_types::envelope::Role;
use artoo_types::limits::{MAX_QUESTIONS, QUESTION_EXPIRY_MS};
use artoo_types::plan::{NoPlan, PlanDraftRejected};
use artoo_types::reply::{SchemaName, TaskSpecReply};
use artoo_types::setting::TaskSetting;
use artoo_types::tag::Tag;
use artoo_types::task::{ClarificationAnswer, ClarificationRequest, Constraints, TaskSpec, TaskSubmitted};
use artoo_types::{TaskId, Timestamp};

use crate::ask::{Asker, Heard};
use crate::prompt::Sections;

mod reply;
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
    setting: TaskSetting,
    asker: Asker,
    submitted: Option<TaskSubmitted>,
    questions: Vec<String>,
    answered: Option<ClarificationAnswer>,
}

impl Perceiver {
    /// A perceiver for one task.
    pub fn new(task_id: TaskId, setting: &TaskSetting) -> Self {
        let system = include_str!("prompt.md").trim_ascii_end();
        Self {
            task_id,
            setting: setting.clone(),
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

    /// What the runtime has stored of the request before anybody read it, so that whoever answers says what is so.
    fn noted(&self) -> String {
        match declaration(&self.raw_input()) {
            None => String::new(),
            Some(found) if found.holds_secret => {
                "nothing: the words hold a secret, which is never stored".to_owned()
            }
            Some(found) => format!("fact: {}", found.fact),
        }
    }

    fn ask(&mut self) -> Effect {
        let session: Vec<String> = self
            .setting
            .session
            .iter()
            .map(|p| format!("input: {}\nsummary: {}", p.input, p.summary))
            .collect();
        let directory = self.submitted.as_ref().map(|s| s.working_directory.as_str()).unwrap_or_default();
        let setting = format!(
            "date: {}\nworking_directory: {directory}\ninteractive: {}",
            self.setting.date,
            if self.setting.interactive { "yes" } else { "no" }
        );
        let clarification = match &self.answered {
            Some(answer) => {
                let said = if answer.answer.trim().is_empty() { "(none: proceed)" } else { &answer.answer };
                format!("question: {}\nanswer: {said}", self.questions.join(" "))
            }
            None => String::new(),
        };
        let user = Sections::default()
            .add("Setting", &setting)
            .add("Session", &session.join("\n"))
            .add("Clarification", &clarification)
            .add("Noted", &self.noted())
            .add("Request", &self.raw_input())
            .finish();
        Effect::AskModel(self.asker.ask(&user))
    }
}
