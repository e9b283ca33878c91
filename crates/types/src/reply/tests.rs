use super::{ActionReply, CriterionReply, PlanReply, SchemaName};
use crate::criteria::{Check, Compare, Criterion};

#[test]
fn the_pinned_action_forms_are_read() {
    let tool: ActionReply = serde_json::from_str(
        r#"{"action":"tool","tool":"glob","arguments":{"root":"."},"final":true,"x":1}"#,
    )
    .unwrap();
    assert!(matches!(tool, ActionReply::Tool { is_final: true, .. }));
    let finish: ActionReply =
        serde_json::from_str(r#"{"action":"finish","status":"uncertain","output":"?"}"#).unwrap();
    assert!(matches!(finish, ActionReply::Finish { .. }));
    assert!(serde_json::from_str::<ActionReply>(r#"{"action":"tool"}"#).is_err());
}

#[test]
fn criteria_are_read_in_both_forms_with_their_checks() {
    let plan: PlanReply = serde_json::from_str(
        r#"{"task_criteria":["a"],"subtasks":[{"sequence":1,"intent":"i","success_criteria":[
            {"text":"ten lines","mode":"verifiable","check":{"kind":"output_lines","op":"<=","n":10}}]}]}"#,
    )
    .unwrap();
    let CriterionReply::Full(Criterion { check: Some(check), .. }) = &plan.subtasks[0].success_criteria[0]
    else {
        panic!("the full form was not read: {plan:?}");
    };
    assert_eq!(*check, Check::OutputLines { op: Compare::Le, n: 10.0 });
}

#[test]
fn a_step_without_a_sequence_is_an_error_that_names_it() {
    let error = serde_json::from_str::<PlanReply>(r#"{"subtasks":[{"intent":"i","success_criteria":[]}]}"#)
        .unwrap_err();
    assert!(error.to_string().contains("sequence"), "{error}");
}

#[test]
fn every_shape_has_an_object_schema() {
    for name in [
        SchemaName::TaskSpec,
        SchemaName::Plan,
        SchemaName::Action,
        SchemaName::ExecutionResult,
        SchemaName::Verdicts,
        SchemaName::MergeVerdict,
        SchemaName::Sop,
        SchemaName::Reflection,
    ] {
        assert_eq!(name.schema()["type"], "object", "{}", name.as_str());
    }
}
