use super::{Ladder, Rung};
use crate::openai::refusal::Refusal;

/// From `start`, the refusals lead over these rungs; none where the walk ends.
fn check(start: Rung, refusals: &[(u16, &str)], expected: &[Option<Rung>]) {
    let mut walk = Ladder::default().walk(false);
    walk.dialect.rung = start;
    let steps: Vec<Option<Rung>> = refusals
        .iter()
        .map(|(status, body)| {
            walk.step(&Refusal::from_status(*status, body, None)).then_some(walk.dialect.rung)
        })
        .collect();
    assert_eq!(steps, expected, "{refusals:?}");
}

const NO_SCHEMA: (u16, &str) =
    (400, r#"{"error":{"message":"This response_format type is unavailable now"}}"#);
const SCHEMA_OR_TEXT: (u16, &str) =
    (400, r#"{"error":"'response_format.type' must be 'json_schema' or 'text'"}"#);

#[test]
fn a_refused_form_leads_to_the_next_lower_one() {
    check(Rung::JsonSchema, &[NO_SCHEMA, NO_SCHEMA], &[Some(Rung::JsonObject), Some(Rung::Text)]);
    check(Rung::JsonSchema, &[(422, "unsupported: JSON_SCHEMA")], &[Some(Rung::JsonObject)]);
    check(Rung::JsonSchema, &[(400, "failed to parse grammar")], &[Some(Rung::JsonObject)]);
}

#[test]
fn a_server_that_wants_a_schema_or_nothing_leads_upwards() {
    check(Rung::JsonObject, &[SCHEMA_OR_TEXT, NO_SCHEMA], &[Some(Rung::JsonSchema), Some(Rung::Text)]);
    check(Rung::JsonSchema, &[NO_SCHEMA, SCHEMA_OR_TEXT], &[Some(Rung::JsonObject), Some(Rung::Text)]);
}

#[test]
fn other_refusals_lead_nowhere() {
    check(Rung::JsonSchema, &[(400, "the prompt is too long")], &[None]);
    check(Rung::JsonSchema, &[(401, "response_format"), (500, "response_format")], &[None, None]);
    check(Rung::Text, &[NO_SCHEMA], &[None]);
}

#[test]
fn stream_options_are_left_out_where_they_are_refused() {
    let mut walk = Ladder::default().walk(false);
    let refusal = Refusal::from_status(400, r#"{"detail":"Extra inputs: stream_options"}"#, None);
    assert!(walk.step(&refusal));
    assert!(!walk.dialect.stream_options && walk.dialect.rung == Rung::JsonSchema);
    assert!(!walk.step(&refusal), "it is not sent any more, so it cannot be the reason");
}

#[test]
fn what_was_answered_is_remembered() {
    let ladder = Ladder::default();
    let mut walk = ladder.walk(false);
    assert!(walk.step(&Refusal::from_status(NO_SCHEMA.0, NO_SCHEMA.1, None)));
    assert_eq!(ladder.walk(false).dialect.rung, Rung::JsonSchema, "not before an answer");
    ladder.remember(&walk);
    assert_eq!(ladder.walk(false).dialect.rung, Rung::JsonObject);
    let native = ladder.walk(true);
    assert_eq!(native.dialect.rung, Rung::Text, "a form would keep the model from calling a tool");
    ladder.remember(&native);
    assert_eq!(ladder.walk(false).dialect.rung, Rung::JsonObject, "native calls say nothing about forms");
}
