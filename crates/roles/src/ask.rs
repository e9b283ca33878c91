//! One question to a model, asked once more when the reply is lost, with at most one repair of the reply's form.

use std::sync::Arc;

use artoo_types::chat::{ChatMessage, ChatRequest, ModelFailureKind, ModelOutcome, Speaker, Tier};
use artoo_types::envelope::Role;
use artoo_types::laws;
use artoo_types::limits::{MODEL_CALL_MS, PromptLimits};
use artoo_types::reply::SchemaName;
use artoo_types::text::head_tail;
use artoo_types::tool::ToolSpec;
use serde::de::DeserializeOwned;

use crate::extract::parse_reply;
use crate::prompt::{Prompt, UserMessage};

/// Asks for one role and one shape.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    role: Role,
    tier: Tier,
    schema: SchemaName,
    system: &'static str,
    limits: PromptLimits,
    open: Option<ChatRequest>,
    repaired: bool,
    asked_again: bool,
}

/// What became of a question.
#[derive(Debug)]
pub(crate) enum ReplyOutcome<T> {
    /// A reply of the right shape.
    Reply(T),
    /// The form was wrong; this request repairs it.
    AskAgain(ChatRequest),
    /// No usable reply.
    Failed(AskFailed),
}

/// Why there is no usable reply. Always environmental.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskFailed {
    /// No model can be reached at all, as opposed to this call having failed.
    pub(crate) unreachable: bool,
    /// A model answered, and not in the required form.
    pub(crate) wrong_form: bool,
    /// In words.
    pub(crate) message: String,
}

impl Asker {
    pub(crate) fn new(role: Role, tier: Tier, schema: SchemaName, system: &'static str) -> Self {
        let limits = PromptLimits::default();
        Self { role, tier, schema, system, limits, open: None, repaired: false, asked_again: false }
    }

    /// The same with the bounds of a model of which more is known.
    pub(crate) fn within(self, limits: PromptLimits) -> Self {
        Self { limits, ..self }
    }

    /// The bounds of its prompts.
    pub(crate) fn limits(&self) -> &PromptLimits {
        &self.limits
    }

    /// The request for a new question. A prompt over the bound is cut in the middle, which the cut itself says.
    pub(crate) fn ask(&mut self, prompt: impl Prompt) -> ChatRequest {
        self.ask_with_tools(prompt, Vec::new())
    }

    /// As [`Self::ask`], offering tools natively.
    pub(crate) fn ask_with_tools(&mut self, prompt: impl Prompt, native_tools: Vec<ToolSpec>) -> ChatRequest {
        let system = self.system_prompt();
        let room = self.limits.prompt_chars.saturating_sub(system.len());
        let UserMessage { text, mut steady } = prompt.steady_message(&self.limits);
        let images = prompt.images();
        let user = head_tail(&text, room);
        if user.len() != text.len() {
            steady.clear();
        }
        let request = ChatRequest {
            role: self.role,
            tier: self.tier,
            messages: vec![
                ChatMessage { speaker: Speaker::System, content: system },
                ChatMessage { speaker: Speaker::User, content: user },
            ],
            schema: self.schema,
            native_tools,
            images,
            deadline_ms: MODEL_CALL_MS,
            brief: Some(Arc::new(prompt.into_brief())),
            steady,
        };
        self.open = Some(request.clone());
        self.repaired = false;
        self.asked_again = false;
        request
    }

    /// The role's own prompt, and the laws where it is told them: the same each time, so that servers can cache it.
    fn system_prompt(&self) -> String {
        match laws::in_short(self.role) {
            Some(laws) => format!("{}\n\n{laws}", self.system),
            None => self.system.to_owned(),
        }
    }

    /// Reads the outcome. A reply of the wrong form gets one repair call that quotes what is wrong; a second one is a
    /// failure of the model's contract.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, outcome: ModelOutcome) -> ReplyOutcome<T> {
        let reply = match outcome {
            ModelOutcome::Failure(failure) => {
                // One lost reply is no reason to give up; when the time is gone or nobody is there, it is.
                if let Some(request) = self
                    .open
                    .clone()
                    .filter(|_| failure.kind == ModelFailureKind::Failed && !self.asked_again)
                {
                    self.asked_again = true;
                    return ReplyOutcome::AskAgain(request);
                }
                return ReplyOutcome::Failed(AskFailed {
                    unreachable: failure.kind == ModelFailureKind::Unreachable,
                    wrong_form: false,
                    message: failure.message,
                });
            }
            ModelOutcome::Reply(reply) => reply,
        };
        match parse_reply(&reply) {
            Ok(value) => ReplyOutcome::Reply(value),
            Err(rejected) => match self.repair(&reply.content, &rejected.to_string()) {
                Some(request) => ReplyOutcome::AskAgain(request),
                None => ReplyOutcome::Failed(AskFailed {
                    unreachable: false,
                    wrong_form: true,
                    message: format!("the model did not answer in the required form, twice: {rejected}"),
                }),
            },
        }
    }

    /// Whether the open question was answered in a wrong form already.
    pub(crate) fn is_repairing(&self) -> bool {
        self.repaired
    }

    /// The request that repairs the open question, once, whatever was wrong with its reply.
    pub(crate) fn repair(&mut self, bad_reply: &str, what_is_wrong: &str) -> Option<ChatRequest> {
        let mut request = self.open.clone().filter(|_| !self.repaired)?;
        self.repaired = true;
        request.messages.push(ChatMessage {
            speaker: Speaker::Assistant,
            // The bad reply is quoted so far that the model knows it again.
            content: head_tail(bad_reply, 2_000),
        });
        request.messages.push(ChatMessage {
            speaker: Speaker::User,
            content: format!(
                "Your reply was not accepted: {what_is_wrong}. Answer again with exactly one JSON object of the \
                 required shape and nothing else."
            ),
        });
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::brief::{Brief, LessonBrief};
    use artoo_types::chat::{ModelFailureKind, Speaker, Tier};
    use artoo_types::envelope::Role;
    use artoo_types::limits::{MAX_PROMPT_CHARS, PromptLimits};
    use artoo_types::reply::{SchemaName, SopReply};

    use super::{Asker, ReplyOutcome};
    use crate::prompt::Prompt;
    use crate::testing::{silence, text, user_text};

    const GOOD: &str = r#"{"rule":"r","conditions":"c","kind":"constraint"}"#;

    /// A text as it is.
    impl Prompt for &str {
        fn user_message(&self, _: &PromptLimits) -> String {
            (*self).to_owned()
        }

        fn into_brief(self) -> Brief {
            let [plans, troubles, unmet] = [const { Vec::new() }; 3];
            let (intent, reason) = (self.to_owned(), String::new());
            Brief::Lesson(LessonBrief { intent, well: true, reason, plans, troubles, unmet })
        }
    }

    fn asker() -> Asker {
        Asker::new(Role::Planner, Tier::Brain, SchemaName::Sop, "# Role: test")
    }

    #[test]
    fn a_question_is_a_system_and_a_user_message() {
        let request = asker().ask("## Request\nx");
        let messages: Vec<_> = request.messages.iter().map(|m| (m.speaker, m.content.as_str())).collect();
        let system = format!("# Role: test\n\n{}", artoo_types::laws::in_short(Role::Planner).unwrap());
        assert_eq!(messages, [(Speaker::System, system.as_str()), (Speaker::User, "## Request\nx")]);
    }

    #[test]
    fn a_repair_quotes_the_reply_and_what_is_wrong_with_it_once_a_question() {
        let mut asker = asker();
        for question in ["first", "second"] {
            asker.ask(question);
            let ReplyOutcome::AskAgain(request) = asker.read::<SopReply>(text("{\"rule\":\"r\"}")) else {
                panic!("{question}")
            };
            let speakers: Vec<Speaker> = request.messages.iter().map(|m| m.speaker).collect();
            assert_eq!(speakers, [Speaker::System, Speaker::User, Speaker::Assistant, Speaker::User]);
            assert_eq!(
                (user_text(&request), request.messages[2].content.as_str()),
                (question, "{\"rule\":\"r\"}")
            );
            assert!(
                request.messages[3].content.contains("missing field `conditions`"),
                "{:?}",
                request.messages[3]
            );
            let ReplyOutcome::Failed(failed) = asker.read::<SopReply>(text("sorry")) else {
                panic!("{question}")
            };
            assert!(!failed.unreachable && failed.message.contains("no JSON object"), "{failed:?}");
        }
    }

    #[test]
    fn a_repaired_reply_counts() {
        let mut asker = asker();
        asker.ask("x");
        assert!(matches!(asker.read::<SopReply>(text("hm")), ReplyOutcome::AskAgain(_)));
        assert!(matches!(asker.read::<SopReply>(text(GOOD)), ReplyOutcome::Reply(_)));
    }

    #[test]
    fn a_lost_call_is_not_repaired_but_a_lost_reply_is_asked_for_once_more() {
        for (kind, unreachable) in [
            (ModelFailureKind::Unreachable, true),
            (ModelFailureKind::Deadline, false),
            (ModelFailureKind::Refused, false),
            (ModelFailureKind::Failed, false),
        ] {
            let mut asker = asker();
            asker.ask("x");
            let mut heard = asker.read::<SopReply>(silence(kind));
            if kind == ModelFailureKind::Failed {
                assert!(
                    matches!(&heard, ReplyOutcome::AskAgain(request) if request.messages.len() == 2),
                    "{heard:?}"
                );
                heard = asker.read::<SopReply>(silence(kind));
            }
            let ReplyOutcome::Failed(failed) = heard else { panic!("{kind:?}") };
            assert_eq!((failed.unreachable, failed.message.as_str()), (unreachable, "no answer"));
        }
    }

    #[test]
    fn a_prompt_is_cut_in_the_middle_and_keeps_its_end() {
        let long = format!("## Setting\n{}\n## Request\nthe end", "x".repeat(2 * MAX_PROMPT_CHARS));
        let request = asker().ask(long.as_str());
        let sent = user_text(&request);
        assert!(sent.chars().count() < MAX_PROMPT_CHARS + 100);
        assert!(sent.starts_with("## Setting\n") && sent.ends_with("\n## Request\nthe end"));
        assert!(sent.contains("characters omitted"));
    }

    #[test]
    fn a_prompt_for_a_small_context_is_cut_to_it_with_all_that_the_role_is_told() {
        let limits = PromptLimits::of(Some(8_192));
        let long = format!("## Setting\n{}\n## Request\nthe end", "x".repeat(MAX_PROMPT_CHARS / 2));
        let request = asker().within(limits).ask(long.as_str());
        let chars: usize = request.messages.iter().map(|message| message.content.chars().count()).sum();
        assert!(chars <= limits.prompt_chars + 100 && user_text(&request).ends_with("the end"), "{chars}");
    }

    #[test]
    fn a_long_bad_reply_is_quoted_shortly() {
        let mut asker = asker();
        asker.ask("x");
        let ReplyOutcome::AskAgain(request) = asker.read::<SopReply>(text(&"y".repeat(50_000))) else {
            panic!()
        };
        assert_eq!(request.messages[2].content.matches('y').count(), 2_000);
    }
}
