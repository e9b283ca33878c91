//! Every payload keeps its fields. The samples are messages as journals hold them, with every field set to something
//! that is not its default; the protocol's JSON of the converted message must say the same.

use artoo_protocol::json::{event_kind, to_json};
use artoo_types::control::Reason;
use artoo_types::envelope::{MessageKind, Role};
use artoo_types::task::StopCause;
use artoo_types::{TaskId, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

mod samples;
mod words;

use samples::{TASK, samples};

fn message(kind: MessageKind) -> Message {
    let (_, body) =
        samples().into_iter().find(|(sample, _)| *sample == kind).expect("every kind has a sample");
    serde_json::from_value(json!({"type": kind.as_str(), "body": body}))
        .unwrap_or_else(|error| panic!("the sample of {} is not one: {error}", kind.as_str()))
}

fn envelope(payload: Message) -> Envelope {
    Envelope {
        id: Uuid::from_u128(5),
        sequence: 12,
        task_id: Some(TaskId(Uuid::parse_str(TASK).expect("an id"))),
        round: 3,
        time: Timestamp(1_767_225_600_123),
        from: Role::Planner,
        to: Role::Dispatcher,
        refused: true,
        payload,
    }
}

/// Both sides have the same fields with the same values. Times are milliseconds inside and RFC 3339 outside.
fn assert_same(ours: &Value, theirs: &Value, at: &str) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names = |fields: &serde_json::Map<String, Value>| {
                // A section of a form has none of its own.
                let is_own = |name: &&String| !(at.ends_with("sections") && *name == "sections");
                let mut names: Vec<String> = fields.keys().filter(is_own).cloned().collect();
                names.sort();
                names
            };
            assert_eq!(names(ours), names(theirs), "fields of {at}");
            for (name, value) in ours {
                assert_same(value, &theirs[name], &format!("{at}.{name}"));
            }
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            assert!(!ours.is_empty(), "the sample leaves {at} empty");
            assert_eq!(ours.len(), theirs.len(), "{at}");
            ours.iter().zip(theirs).for_each(|(ours, theirs)| assert_same(ours, theirs, at));
        }
        (Value::Number(ms), Value::String(time)) => {
            let time: jiff::Timestamp = time.parse().unwrap_or_else(|error| panic!("{at}: {error}"));
            assert_eq!(ms.as_i64(), Some(time.as_millisecond()), "{at}");
        }
        (Value::Number(ours), Value::Number(theirs)) => {
            assert_eq!(ours.as_f64(), theirs.as_f64(), "{at}");
            assert_ne!(ours.as_f64(), Some(0.0), "the sample leaves {at} at its default");
        }
        (ours, theirs) => {
            assert_eq!(ours, theirs, "{at}");
            let default = [Value::Null, Value::Bool(false), Value::from("")].contains(ours);
            assert!(!default, "the sample leaves {at} at its default");
        }
    }
}

#[test]
fn every_payload_keeps_its_fields() {
    for kind in MessageKind::ALL {
        let message = message(*kind);
        let ours = serde_json::to_value(&message).expect("messages have a JSON form");
        let event = event(&envelope(message));
        let theirs = to_json(&event);
        assert_same(&ours["body"], &theirs[kind.as_str()], kind.as_str());
    }
}

#[test]
fn every_kind_has_a_payload_of_its_own_name() {
    for kind in MessageKind::ALL {
        let event = event(&envelope(message(*kind)));
        assert_eq!(event_kind(&event), kind.as_str());
    }
}

#[test]
fn an_envelope_keeps_its_fields() {
    let event = event(&envelope(message(MessageKind::Lagged)));
    assert_eq!(event.sequence, 12);
    assert_eq!(event.task_id, TASK);
    assert_eq!((event.from.as_str(), event.to.as_str()), ("R2", "dispatcher"));
    assert_eq!((event.round, event.refused), (3, true));
    assert_eq!(event.event_id, Uuid::from_u128(5).to_string());
    let outside = Envelope { task_id: None, ..envelope(message(MessageKind::Lagged)) };
    assert_eq!(super::event(&outside).task_id, "");
}

#[test]
fn every_role_is_its_own_word() {
    for role in Role::ALL {
        let event = event(&Envelope { from: role, ..envelope(message(MessageKind::Lagged)) });
        assert_eq!(Value::from(event.from), serde_json::to_value(role).expect("a word"));
    }
}

#[test]
fn every_check_keeps_its_fields() {
    for check in samples::checks() {
        let mut body = json!({"task_id": TASK, "round": 1, "subtasks": [], "kept": [], "superseded": []});
        body["task_criteria"] = json!([{"text": "t", "mode": "plausible", "check": check}]);
        let message: Message =
            serde_json::from_value(json!({"type": "dispatch_manifest", "body": body})).expect("a check");
        let theirs = to_json(&event(&envelope(message)));
        let theirs = &theirs["dispatch_manifest"]["task_criteria"][0]["check"];
        assert_same(&check, theirs, check["kind"].as_str().expect("a kind"));
    }
}

#[test]
fn times_before_the_epoch_and_fractions_are_exact() {
    let check = |ms, seconds, nanos| {
        assert_eq!(timestamp(Timestamp(ms)), prost_types::Timestamp { seconds, nanos }, "{ms}");
    };
    check(0, 0, 0);
    check(1_999, 1, 999_000_000);
    check(-1, -1, 999_000_000);
    check(-1_000, -1, 0);
}

#[test]
fn words_are_those_of_the_journals() {
    assert_eq!(word(StopCause::TokenCeiling), "token_ceiling");
    assert_eq!(words(&[Reason::CriteriaMet, Reason::CannotPlan]), ["criteria_met", "cannot_plan"]);
}

#[test]
fn a_task_shows_what_its_envelopes_said() {
    use artoo_task::view::TaskView;
    let mut view = TaskView::new(TaskId(Uuid::parse_str(TASK).expect("an id")));
    let mut show = |kind, sequence| {
        view.observe(&Envelope { refused: false, sequence, ..envelope(message(kind)) });
        task(&view)
    };
    let asked = show(MessageKind::TaskSubmitted, 1);
    assert_eq!((asked.input.as_str(), asked.state.as_str()), ("find the ten largest files", "running"));
    assert_eq!((asked.session_id.as_str(), asked.working_directory.as_str()), ("s1", "/home/ada"));
    assert_eq!(asked.created_at, Some(timestamp(Timestamp(1_767_225_600_123))));
    let spec = show(MessageKind::TaskSpec, 2);
    assert_eq!(spec.slug, "largest_files");
    let questions = show(MessageKind::ClarificationRequest, 3);
    assert_eq!(questions.state, "waiting_for_clarification");
    assert_eq!(questions.open_clarification.expect("questions").questions, ["Which folder?"]);
    let held = show(MessageKind::ConfirmationRequest, 4);
    assert_eq!(held.state, "waiting_for_confirmation");
    assert_eq!(held.open_confirmations[0].digest, "abc");
    let ended = show(MessageKind::FinalResult, 9);
    assert_eq!((ended.state.as_str(), ended.latest_sequence), ("finished", 9));
    assert_eq!((ended.directive.as_str(), ended.reason.as_str()), ("abandon", "refused"));
    assert_eq!(ended.summary, "it was refused");
    assert!(ended.ended_at.is_some() && ended.result.is_some());
    assert!(ended.open_confirmations.is_empty() && ended.open_clarification.is_none());
}
