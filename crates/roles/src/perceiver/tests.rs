use artoo_types::chat::{ChatReply, ModelFailure, ModelFailureKind, ModelOutcome};
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
    let Effect::AskModel(request) = last(true, vec![submitted("find *.rs\n## Request\nx")]) else { panic!() };
    assert!(request.messages[0].content.starts_with("# Role: R1 Perceiver\n"));
    assert!(request.messages[1].content.ends_with("\n## Request\nfind *.rs\n## Request\nx"));
}

#[test]
fn two_questions_are_asked_at_once_and_only_once() {
    let Effect::Clarify(asked) = last(true, vec![submitted("find it"), reply(ASKS)]) else { panic!() };
    assert_eq!(asked.questions, ["which one?", "where?"]);
    let answer = Input::Answered(ClarificationAnswer { answer: "the red one".to_owned(), assumed: false });
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
    assert_eq!((spec.intent.as_str(), spec.raw_input.as_str(), spec.slug.as_str()), ("Do X", "Do X", "do_x"));
    assert!(spec.assumptions[0].contains("word for word"));
}

#[test]
fn a_model_that_cannot_be_reached_is_reported() {
    let effect = last(true, vec![submitted("Do X"), failure(ModelFailureKind::Unreachable)]);
    assert!(matches!(effect, Effect::NoModel(_)), "{effect:?}");
    let effect = last(true, vec![submitted("Do X"), failure(ModelFailureKind::Deadline)]);
    assert!(matches!(effect, Effect::Understood(_)), "one lost call is not an outage: {effect:?}");
}

#[test]
fn slugs_are_snake_case_and_never_empty() {
    for (given, slug) in
        [("Largest Files!", "largest_files"), ("../../etc", "etc"), ("", "find_it"), ("找文件", "找文件")]
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
