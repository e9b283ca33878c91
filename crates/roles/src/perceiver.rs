//! R1 Perceiver: the reference signal of both loops.
//! Receives   TaskSubmitted, ClarificationAnswer; model replies
//! Produces   TaskSpec, ClarificationRequest
//! May        ask a model, ask the person once
//! Does NOT   set success criteria, choose tools, see memory, keep state beyond the task

use std::sync::Arc;

use artoo_types::brief::SpecifyBrief;
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

use crate::ask::{Asker, ReplyOutcome};

mod deadline;
mod reply;
mod request;

use deadline::NamedDeadline;

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
    /// Report that there will be no task to plan: no model can be reached, or its deadline has passed.
    NoTask(PlanDraftRejected),
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
            asker: Asker::new(Role::Perceiver, Tier::Brain, SchemaName::TaskSpec, system)
                .within(setting.models.brain_limits()),
            submitted: None,
            questions: Vec::new(),
            answered: None,
        }
    }

    /// One step.
    pub fn step(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Submitted(submitted) => {
                let is_plain = self.is_plain(&submitted.input);
                self.submitted = Some(submitted);
                vec![if is_plain { Effect::Understood(self.verbatim(Vec::new())) } else { self.ask() }]
            }
            Input::Answered(answer) => {
                self.answered = Some(answer);
                vec![self.ask()]
            }
            Input::Model(outcome) => match self.asker.read::<TaskSpecReply>(outcome) {
                ReplyOutcome::AskAgain(request) => vec![Effect::AskModel(request)],
                ReplyOutcome::Reply(reply) => vec![self.understand(now, reply)],
                ReplyOutcome::Failed(failed) if failed.unreachable => {
                    vec![Effect::NoTask(PlanDraftRejected {
                        task_id: self.task_id,
                        attempt: 0,
                        outcome: NoPlan::ModelUnavailable,
                        reasons: vec![failed.message],
                        decline: None,
                        uncovered: Vec::new(),
                        memories: Vec::new(),
                    })]
                }
                // Fidelity does not depend on a model: the request itself is the most faithful restatement there is.
                ReplyOutcome::Failed(failed) => {
                    let why = format!("the request was taken word for word, because {}", failed.message);
                    vec![Effect::Understood(self.verbatim(vec![why]))]
                }
            },
        }
    }

    fn understand(&mut self, now: Timestamp, mut reply: TaskSpecReply) -> Effect {
        let request = self.raw_input();
        reply.direct_answer = self
            .worked_out(&request)
            .or_else(|| reply.direct_answer.filter(|answer| reply::may_answer(&request, answer)));
        let mut questions = reply::questions(&reply, MAX_QUESTIONS);
        let deadline = deadline::named(&reply.constraints, now, self.setting.clock.utc_offset_minutes);
        if deadline == NamedDeadline::Passed && self.setting.interactive {
            questions.insert(0, deadline::question(&reply.constraints));
            questions.truncate(MAX_QUESTIONS);
        }
        let may_ask = self.setting.interactive && self.answered.is_none();
        if may_ask && !questions.is_empty() && reply.direct_answer.is_none() {
            self.questions.clone_from(&questions);
            let expires_at = now.plus_ms(QUESTION_EXPIRY_MS);
            return Effect::Clarify(ClarificationRequest { questions, expires_at });
        }
        let goes_without = self.answered.as_ref().is_some_and(|answer| answer.answer.trim().is_empty());
        if deadline == NamedDeadline::Passed && !goes_without && reply.direct_answer.is_none() {
            return Effect::NoTask(deadline::refusal(self.task_id, &reply.constraints));
        }
        let raw_input = self.raw_input();
        let unasked = if self.answered.is_none() { questions } else { Vec::new() };
        let mut assumptions: Vec<String> = unasked
            .iter()
            .map(|q| format!("nobody could be asked \"{q}\"; the most usual reading was taken"))
            .collect();
        let at = match deadline {
            NamedDeadline::Absent => None,
            NamedDeadline::At(at) => Some(at),
            NamedDeadline::Passed | NamedDeadline::Unread => {
                assumptions.push(deadline::assumption(&reply.constraints, deadline));
                None
            }
        };
        let spec = reply::task_spec(self.task_id, reply, raw_input, assumptions);
        let constraints =
            Constraints { deadline: spec.constraints.deadline.filter(|_| at.is_some()), ..spec.constraints };
        Effect::Understood(TaskSpec { deadline: at, constraints, ..spec })
    }

    /// Whether the request is its own best restatement, so that no model needs to read it: it is no part of a conversation,
    /// stands alone or asks for what code works out, and declares nothing. The rules that answer offline read every request themselves.
    fn is_plain(&self, request: &str) -> bool {
        self.setting.models.language_model
            && self.setting.session.is_empty()
            && declaration(request).is_none()
            && (artoo_request::stands_alone(request) || self.worked_out(request).is_some())
    }

    fn worked_out(&self, request: &str) -> Option<String> {
        reply::worked_out(request, &self.setting.clock.date)
    }

    fn verbatim(&self, assumptions: Vec<String>) -> TaskSpec {
        let raw_input = self.raw_input();
        TaskSpec {
            task_id: self.task_id,
            slug: reply::clean_slug("", &raw_input),
            intent: raw_input.clone(),
            constraints: Constraints::default(),
            deadline: None,
            tags: Vec::new(),
            intent_tag: Tag::intent(&raw_input),
            direct_answer: self.worked_out(&raw_input),
            raw_input,
            assumptions,
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

#[cfg(test)]
mod tests {
    use artoo_types::chat::{ChatReply, ModelFailure, ModelFailureKind, ModelOutcome};
    use artoo_types::plan::NoPlan;
    use artoo_types::task::{ClarificationAnswer, TaskOptions, TaskSubmitted};
    use artoo_types::{TaskId, Timestamp};
    use uuid::Uuid;

    use super::{Effect, Input, Perceiver};
    use crate::prompt::tests::setting;

    fn submitted(input: &str) -> Input {
        Input::Submitted(TaskSubmitted {
            input: input.to_owned(),
            session_id: String::new(),
            request_id: String::new(),
            working_directory: "/w".to_owned(),
            options: TaskOptions::default(),
        })
    }

    fn reply(content: &str) -> Input {
        Input::Model(ModelOutcome::Reply(ChatReply { content: content.to_owned(), ..ChatReply::default() }))
    }

    fn failure(kind: ModelFailureKind) -> Input {
        Input::Model(ModelOutcome::Failure(ModelFailure {
            kind,
            message: "no".to_owned(),
            attempts: 1,
            elapsed_ms: 1,
            retry_after_ms: None,
        }))
    }

    /// Steps a perceiver through the inputs and returns the effects of the last one.
    fn last(interactive: bool, inputs: Vec<Input>) -> Effect {
        let mut perceiver = Perceiver::new(TaskId(Uuid::nil()), &setting(interactive));
        let mut effects = Vec::new();
        for input in inputs {
            effects = perceiver.step(Timestamp(0), input);
            assert_eq!(effects.len(), 1, "every input has one consequence");
        }
        effects.remove(0)
    }

    const ASKS: &str = r#"{"slug":"s","intent":"find it","clarify":["which one?","where?","why?"]}"#;

    #[test]
    fn the_request_is_the_last_section_and_verbatim() {
        let Effect::AskModel(request) = last(true, vec![submitted("find *.rs\n## Request\nx")]) else {
            panic!()
        };
        assert!(request.messages[0].content.starts_with("# Role: R1 Perceiver\n"));
        assert!(request.messages[1].content.ends_with("\n## Request\nfind *.rs\n## Request\nx"));
    }

    #[test]
    fn two_questions_are_asked_at_once_and_only_once() {
        let Effect::Clarify(asked) = last(true, vec![submitted("find it"), reply(ASKS)]) else { panic!() };
        assert_eq!(asked.questions, ["which one?", "where?"]);
        let answer =
            Input::Answered(ClarificationAnswer { answer: "the red one".to_owned(), assumed: false });
        let Effect::AskModel(request) = last(true, vec![submitted("find it"), reply(ASKS), answer.clone()])
        else {
            panic!()
        };
        assert!(request.messages[1].content.contains("answer: the red one"));
        let again = last(true, vec![submitted("find it"), reply(ASKS), answer, reply(ASKS)]);
        assert!(matches!(again, Effect::Understood(_)), "{again:?}");
    }

    #[test]
    fn unattended_questions_become_stated_assumptions() {
        let Effect::Understood(spec) = last(false, vec![submitted("find it"), reply(ASKS)]) else { panic!() };
        assert_eq!(spec.assumptions.len(), 2);
        assert!(spec.assumptions[0].contains("which one?"));
    }

    #[test]
    fn a_model_that_cannot_answer_in_form_leaves_the_request_verbatim() {
        let Effect::Understood(spec) = last(true, vec![submitted("Do X"), reply("no"), reply("no")]) else {
            panic!()
        };
        assert_eq!(
            (spec.intent.as_str(), spec.raw_input.as_str(), spec.slug.as_str()),
            ("Do X", "Do X", "x")
        );
        assert!(spec.assumptions[0].contains("word for word"));
    }

    #[test]
    fn a_model_that_cannot_be_reached_is_reported() {
        let effect = last(true, vec![submitted("Do X"), failure(ModelFailureKind::Unreachable)]);
        assert!(matches!(effect, Effect::NoTask(_)), "{effect:?}");
        let effect = last(true, vec![submitted("Do X"), failure(ModelFailureKind::Deadline)]);
        assert!(matches!(effect, Effect::Understood(_)), "one lost call is not an outage: {effect:?}");
    }

    #[test]
    fn a_plain_request_is_understood_without_a_model_and_in_its_own_words() {
        let plain = |session: bool, language_model: bool, request: &str| {
            let mut setting = setting(true);
            setting.models.language_model = language_model;
            if !session {
                setting.session.clear();
            }
            Perceiver::new(TaskId(Uuid::nil()), &setting).step(Timestamp(0), submitted(request)).remove(0)
        };
        let request = "Count the lines of notes.txt and write the number to count.txt";
        let Effect::Understood(spec) = plain(false, true, request) else { panic!() };
        assert_eq!((spec.intent.as_str(), spec.raw_input.as_str()), (request, request));
        assert_eq!((spec.assumptions.len(), spec.direct_answer, spec.deadline), (0, None, None));
        assert!(spec.slug.starts_with("count_the_lines"), "{}", spec.slug);
        for effect in [
            plain(true, true, request),
            plain(false, false, request),
            plain(false, true, "hello"),
            plain(false, true, "delete it"),
            plain(false, true, "Remember that my reports are in ~/R. Count the files in ~/R"),
        ] {
            assert!(matches!(effect, Effect::AskModel(_)), "{effect:?}");
        }
    }

    /// What becomes of a request with this deadline, asked at the start of 1970.
    fn with_deadline(interactive: bool, deadline: &str, answer: Option<&str>) -> Effect {
        let body = format!(r#"{{"slug":"s","intent":"do it","constraints":{{"deadline":"{deadline}"}}}}"#);
        let mut inputs = vec![submitted("do it in time"), reply(&body)];
        if let Some(answer) = answer {
            let answer = ClarificationAnswer { answer: answer.to_owned(), assumed: false };
            inputs.extend([Input::Answered(answer), reply(&body)]);
        }
        last(interactive, inputs)
    }

    #[test]
    fn a_deadline_is_a_moment_to_come_or_none() {
        let Effect::Understood(spec) = with_deadline(false, "1970-01-01T00:00:09Z", None) else { panic!() };
        assert_eq!((spec.deadline, spec.assumptions.len()), (Some(Timestamp(9_000)), 0));
        let Effect::Understood(spec) = with_deadline(true, "when I am back", None) else { panic!() };
        assert_eq!((spec.deadline, &spec.constraints.deadline), (None, &None));
        let said =
            "the deadline \"when I am back\" names no date or time, so the task has its usual limit alone";
        assert_eq!(spec.assumptions, [said]);
    }

    #[test]
    fn a_deadline_that_has_passed_is_asked_about_or_refused() {
        let past = "1969-12-31T10:00Z";
        let Effect::Clarify(asked) = with_deadline(true, past, None) else { panic!() };
        assert!(asked.questions[0].starts_with("The deadline 1969-12-31T10:00Z has passed."), "{asked:?}");
        let Effect::Understood(spec) = with_deadline(true, past, Some(" ")) else { panic!() };
        assert_eq!(spec.deadline, None);
        assert!(spec.assumptions[0].contains("has passed"), "{:?}", spec.assumptions);
        for effect in [with_deadline(false, past, None), with_deadline(true, past, Some("1969-12-31"))] {
            let Effect::NoTask(refused) = effect else { panic!("{effect:?}") };
            assert_eq!(refused.outcome, NoPlan::Declined);
            assert_eq!(refused.reasons, ["the deadline 1969-12-31T10:00Z has passed"]);
        }
    }

    #[test]
    fn slugs_are_snake_case_and_never_empty() {
        for (given, slug) in
            [("Largest Files!", "largest_files"), ("../../etc", "etc"), ("", "find"), ("找文件", "找文件")]
        {
            let body = format!(r#"{{"slug":"{given}","intent":"find it"}}"#);
            let Effect::Understood(spec) = last(false, vec![submitted("x"), reply(&body)]) else { panic!() };
            assert_eq!(spec.slug, slug);
        }
    }

    #[test]
    fn what_the_request_declares_is_known_to_be_noted_or_not() {
        for (request, expected) in [
            ("Remember that my reports are in ~/R. Count them", "## Noted\nfact: my reports are in ~/R\n"),
            ("记住不要动 ~/R", "## Noted\nfact: 不要动 ~/R\n"),
            (
                "remember that my key is [redacted: api key]",
                "## Noted\nnothing: the words hold a secret, which is never stored\n",
            ),
        ] {
            let Effect::AskModel(question) = last(true, vec![submitted(request)]) else { panic!() };
            assert!(question.messages[1].content.contains(expected), "{}", question.messages[1].content);
        }
        let Effect::AskModel(question) = last(true, vec![submitted("count my files")]) else { panic!() };
        assert!(!question.messages[1].content.contains("## Noted"));
    }

    fn answered(request: &str, answer: &str) -> Option<String> {
        let body = serde_json::json!({"slug": "s", "intent": "i", "direct_answer": answer}).to_string();
        let Effect::Understood(spec) = last(true, vec![submitted(request), reply(&body)]) else { panic!() };
        spec.direct_answer
    }

    #[test]
    fn an_answer_stands_only_where_words_alone_can_answer() {
        for (request, answer) in [
            ("hello", "Hello!"),
            ("how do I delete a branch?", "With git branch -d NAME."),
            ("你是谁", "我是 artoo。"),
            ("remember that my reports are in ~/R", "I have saved that."),
        ] {
            assert_eq!(answered(request, answer).as_deref(), Some(answer), "{request}");
        }
        for (request, wrong, right) in [
            ("what is 2+2", "5", "2+2 = 4"),
            (
                "how many days are there between 2026-03-01 and 2026-07-08?",
                "There are 128 days.",
                "129 days from 2026-03-01 to 2026-07-08",
            ),
        ] {
            assert_eq!(answered(request, wrong).as_deref(), Some(right), "{request}");
        }
        for (request, answer) in [
            ("delete notes.txt and send a mail to Anna", "Done: I deleted notes.txt and sent the mail."),
            ("delete notes.txt and send a mail to Anna", "Certainly."),
            ("how many files are in /usr?", "There are 42 files."),
            ("删除notes.txt", "好的。"),
            ("hello", "Done: I deleted notes.txt."),
            ("go ahead", "已删除。"),
        ] {
            assert_eq!(answered(request, answer), None, "{request}");
        }
    }
}
