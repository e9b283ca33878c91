use serde_json::{Value, json};

use super::{event_to_json, json_to_value, to_json, value_to_json};
use crate::v1::event::Payload;
use crate::v1::{Event, FinalResult, Lagged, Loss, SubTask, Task, TrajectoryPoint};

fn event(payload: Option<Payload>) -> Event {
    Event {
        sequence: 7,
        task_id: "t".to_owned(),
        time: Some(prost_types::Timestamp { seconds: 1_700_000_000, nanos: 5_000_000 }),
        from: "R7".to_owned(),
        to: "user".to_owned(),
        round: 1,
        event_id: "e".to_owned(),
        refused: false,
        payload,
    }
}

/// The flat form of an event with this payload has these fields.
fn check(payload: Payload, expected: &[(&str, Value)]) {
    let flat = event_to_json(&event(Some(payload)));
    for (name, value) in expected {
        assert_eq!(&flat[*name], value, "{name} of {flat:#}");
    }
}

#[test]
fn a_final_result_is_flat_and_its_figures_carry_their_symbols() {
    let loss = Loss { d: 0.5, p: 0.0, omega: 0.25, l: 0.4 };
    let symbols = json!({"D": 0.5, "P": 0.0, "Omega": 0.25, "L": 0.4});
    let result = FinalResult {
        task_id: "t".to_owned(),
        directive: "abandon".to_owned(),
        reason: "refused".to_owned(),
        loss: Some(loss),
        trajectory: vec![TrajectoryPoint {
            loss: Some(loss),
            directive: "refine".to_owned(),
            ..Default::default()
        }],
        output: Some(json_to_value(&json!({"loss": {"d": 3}, "rows": [1, 2.5]}))),
        ..Default::default()
    };
    check(
        Payload::FinalResult(result),
        &[
            ("type", json!("final_result")),
            ("sequence", json!(7)),
            ("time", json!("2023-11-14T22:13:20.005Z")),
            ("directive", json!("abandon")),
            ("reason", json!("refused")),
            ("unmet", json!([])),
            ("loss", symbols.clone()),
            ("output", json!({"loss": {"d": 3}, "rows": [1, 2.5]})),
        ],
    );
    let flat = event_to_json(&event(Some(Payload::FinalResult(FinalResult {
        trajectory: vec![TrajectoryPoint { loss: Some(loss), ..Default::default() }],
        ..Default::default()
    }))));
    assert_eq!(flat["trajectory"][0]["loss"], symbols);
}

#[test]
fn fields_of_the_payload_do_not_overwrite_those_of_the_event() {
    let step = SubTask { sequence: 2, round: 1, intent: "look".to_owned(), ..Default::default() };
    check(
        Payload::SubTask(step),
        &[
            ("sequence", json!(7)),
            ("sub_task_sequence", json!(2)),
            ("round", json!(1)),
            ("intent", json!("look")),
        ],
    );
    check(
        Payload::Lagged(Lagged { from: 3, to: 9 }),
        &[("from", json!("R7")), ("to", json!("user")), ("lagged_from", json!(3)), ("lagged_to", json!(9))],
    );
}

#[test]
fn an_event_of_a_newer_daemon_is_still_printed() {
    assert_eq!(event_to_json(&event(None))["type"], "unknown");
    assert_eq!(event_to_json(&event(None))["sequence"], 7);
}

#[test]
fn values_survive_the_way_there_and_back() {
    for value in [
        json!(null),
        json!(true),
        json!("é"),
        json!(3),
        json!(-2.5),
        json!([1, "x", {"a": [null]}]),
        json!({"n": {"m": 9_007_199_254_740_992_i64}}),
    ] {
        assert_eq!(value_to_json(&json_to_value(&value)), value);
    }
}

#[test]
fn a_message_has_the_field_names_of_the_protocol() {
    assert_eq!(to_json(&Task { slug: "s".to_owned(), ..Default::default() })["slug"], "s");
}
