use artoo_types::brief::{Brief, LessonBrief};
use artoo_types::chat::{ModelFailureKind, Speaker, Tier};
use artoo_types::envelope::Role;
use artoo_types::limits::MAX_PROMPT_CHARS;
use artoo_types::reply::{SchemaName, SopReply};

use super::{Asker, Heard};
use crate::prompt::Prompt;
use crate::testing::{silence, text, user_text};

const GOOD: &str = r#"{"rule":"r","conditions":"c","kind":"constraint"}"#;

/// A text as it is.
impl Prompt for &str {
    fn user_message(&self) -> String {
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
    assert_eq!(messages, [(Speaker::System, "# Role: test"), (Speaker::User, "## Request\nx")]);
}

#[test]
fn a_repair_quotes_the_reply_and_what_is_wrong_with_it_once_a_question() {
    let mut asker = asker();
    for question in ["first", "second"] {
        asker.ask(question);
        let Heard::AskAgain(request) = asker.read::<SopReply>(text("{\"rule\":\"r\"}")) else {
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
        let Heard::Failed(failed) = asker.read::<SopReply>(text("sorry")) else { panic!("{question}") };
        assert!(!failed.unreachable && failed.message.contains("no JSON object"), "{failed:?}");
    }
}

#[test]
fn a_repaired_reply_counts() {
    let mut asker = asker();
    asker.ask("x");
    assert!(matches!(asker.read::<SopReply>(text("hm")), Heard::AskAgain(_)));
    assert!(matches!(asker.read::<SopReply>(text(GOOD)), Heard::Reply(_)));
}

#[test]
fn a_lost_call_is_not_repaired_but_a_lost_reply_is_asked_for_once_more() {
    for (kind, unreachable) in [
        (ModelFailureKind::Unreachable, true),
        (ModelFailureKind::Deadline, false),
        (ModelFailureKind::Failed, false),
    ] {
        let mut asker = asker();
        asker.ask("x");
        let mut heard = asker.read::<SopReply>(silence(kind));
        if kind == ModelFailureKind::Failed {
            assert!(matches!(&heard, Heard::AskAgain(request) if request.messages.len() == 2), "{heard:?}");
            heard = asker.read::<SopReply>(silence(kind));
        }
        let Heard::Failed(failed) = heard else { panic!("{kind:?}") };
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
fn a_long_bad_reply_is_quoted_shortly() {
    let mut asker = asker();
    asker.ask("x");
    let Heard::AskAgain(request) = asker.read::<SopReply>(text(&"y".repeat(50_000))) else { panic!() };
    assert_eq!(request.messages[2].content.matches('y').count(), 2_000);
}
