//! The JSON that models answer with. One definition serves the server's schema, the offline rules and the validator.
//!
//! Unknown extra fields are ignored; a missing required field is an error that names it.

use std::sync::OnceLock;

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::criteria::{Criterion, CriterionMode, FailureClass, Verdict};
use crate::form::OutputForm;
use crate::lenient;
use crate::outcome::ExecutionStatus;
use crate::plan::Decline;
use crate::task::Constraints;

/// The shapes, by the names that requests carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaName {
    /// R1: [`TaskSpecReply`].
    TaskSpec,
    /// R2: [`PlanReply`].
    Plan,
    /// R3, one action a turn: [`ActionReply`].
    Action,
    /// R3 with native tool calls: [`ExecutionReply`].
    ExecutionResult,
    /// R4a: [`VerdictsReply`].
    Verdicts,
    /// R4b: [`MergeReply`].
    MergeVerdict,
    /// The Dreamer: [`SopReply`].
    Sop,
    /// After a task: [`ReflectionReply`].
    Reflection,
    /// R2 at the end: [`FarewellReply`].
    Farewell,
}

impl SchemaName {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TaskSpec => "task_spec",
            Self::Plan => "plan",
            Self::Action => "action",
            Self::ExecutionResult => "execution_result",
            Self::Verdicts => "verdicts",
            Self::MergeVerdict => "merge_verdict",
            Self::Sop => "sop",
            Self::Reflection => "reflection",
            Self::Farewell => "farewell",
        }
    }

    /// The JSON schema (draft 2020-12) of this shape.
    pub fn schema(self) -> &'static Value {
        static SCHEMAS: OnceLock<[Value; 9]> = OnceLock::new();
        let all = SCHEMAS.get_or_init(|| {
            [
                schema_for!(TaskSpecReply).to_value(),
                schema_for!(PlanReply).to_value(),
                schema_for!(ActionShape).to_value(),
                schema_for!(ExecutionReply).to_value(),
                schema_for!(VerdictsReply).to_value(),
                schema_for!(MergeReply).to_value(),
                schema_for!(SopReply).to_value(),
                schema_for!(ReflectionReply).to_value(),
                schema_for!(FarewellReply).to_value(),
            ]
        });
        match self {
            Self::TaskSpec => &all[0],
            Self::Plan => &all[1],
            Self::Action => &all[2],
            Self::ExecutionResult => &all[3],
            Self::Verdicts => &all[4],
            Self::MergeVerdict => &all[5],
            Self::Sop => &all[6],
            Self::Reflection => &all[7],
            Self::Farewell => &all[8],
        }
    }
}

/// R1's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSpecReply {
    /// Short snake_case label.
    pub slug: String,
    /// The goal, restated.
    pub intent: String,
    /// Limits that the person named.
    #[serde(default)]
    pub constraints: Constraints,
    /// Words to file it under. A request is related to others by its words, so nobody asks for them; a model may still
    /// give some.
    #[serde(default)]
    #[schemars(skip)]
    pub tags: Vec<String>,
    /// Questions, at most two.
    #[serde(default, deserialize_with = "lenient::list")]
    pub clarify: Vec<String>,
    /// The whole answer, when no tool is needed.
    #[serde(default)]
    pub direct_answer: Option<String>,
}

/// A criterion as models write it: the full form, or just its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a criterion is {\"text\": \"the report exists\", \"mode\": \"verifiable\", \"check\": null}, or its text alone; the kinds of `check` and their fields are listed above"
)]
pub enum CriterionReply {
    /// The full form.
    Full(Criterion),
    /// Only the text: verifiable, without a check.
    Text(String),
}

impl From<CriterionReply> for Criterion {
    fn from(reply: CriterionReply) -> Self {
        match reply {
            // What code derives no model can say.
            CriterionReply::Full(criterion) => Self { derived: None, ..criterion },
            CriterionReply::Text(text) => {
                Self { text, mode: CriterionMode::Verifiable, check: None, unchanged: false, derived: None }
            }
        }
    }
}

/// R2's reply. Its schema asks for both lists, and for a step; a reply without steps says so with null. An only step may have all
/// the criteria.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["task_criteria", "subtasks"]))]
pub struct PlanReply {
    /// What the combined output must meet.
    #[serde(default, deserialize_with = "lenient::list")]
    pub task_criteria: Vec<CriterionReply>,
    /// The steps; null with `decline` or `impossible`.
    #[serde(default, deserialize_with = "lenient::list")]
    #[schemars(with = "Option<Vec<PlannedStep>>", length(min = 1))]
    pub subtasks: Vec<PlannedStep>,
    /// 0-based index of the step whose output is the result.
    #[serde(default, deserialize_with = "lenient::maybe_number")]
    pub output_from: Option<usize>,
    /// Set when this will not be done; then there are no steps.
    #[serde(default)]
    pub decline: Option<Decline>,
    /// Set when nothing can do this; then there are no steps.
    #[serde(default)]
    pub impossible: Option<ImpossibleReply>,
    /// How the result is shown to a person. It is the built-in rules' alone: no model is told of it.
    #[serde(default, deserialize_with = "lenient::maybe_form", skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub form: Option<OutputForm>,
}

/// What R2 says of a request that nothing can fulfil.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImpossibleReply {
    /// Why.
    pub reason: String,
    /// What shows it: ids of receipts, names that stand in the situation.
    #[serde(default, deserialize_with = "lenient::list")]
    pub evidence: Vec<String>,
}

/// One step of R2's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedStep {
    /// Same number: in parallel. From 1.
    #[serde(deserialize_with = "lenient::number")]
    pub sequence: u32,
    /// What to achieve.
    pub intent: String,
    /// Everything else the executor needs.
    #[serde(default)]
    pub context: String,
    /// Tool classes it intends.
    #[serde(default, deserialize_with = "lenient::list")]
    pub tools: Vec<String>,
    /// Inputs it already knows: paths, queries, addresses.
    #[serde(default, deserialize_with = "lenient::list")]
    pub targets: Vec<String>,
    /// The calls of its first turn.
    #[serde(default, deserialize_with = "lenient::list")]
    pub calls: Vec<PlannedCall>,
    /// What the output must meet.
    #[serde(deserialize_with = "lenient::list")]
    #[schemars(length(min = 1))]
    pub success_criteria: Vec<CriterionReply>,
    /// Ids of kept steps that this one replaces.
    #[serde(default, deserialize_with = "lenient::list")]
    pub supersedes: Vec<String>,
    /// Id, or number in the plan before, of the failed step that this one replaces; found by code where it is left out.
    #[serde(default, deserialize_with = "lenient::maybe_word")]
    pub replaces: Option<String>,
}

/// One call of R2's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedCall {
    /// The tool.
    pub tool: String,
    /// Its arguments, an object.
    #[serde(default, alias = "args", alias = "parameters")]
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub arguments: Value,
    /// When it succeeds, its output ends the attempt.
    #[serde(default, rename = "final", deserialize_with = "lenient::truth")]
    pub is_final: bool,
}

/// R3's reply: one action a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ActionReply {
    /// Call a tool.
    Tool {
        /// Why, in a sentence.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::maybe_word")]
        thought: Option<String>,
        /// Its name.
        tool: String,
        /// Its arguments, an object.
        #[serde(default, alias = "args", alias = "parameters")]
        arguments: Value,
        /// When it succeeds, its output ends the attempt.
        #[serde(default, rename = "final", deserialize_with = "lenient::truth")]
        is_final: bool,
    },
    /// End the attempt.
    Finish {
        /// How it ended.
        status: ExecutionStatus,
        /// The result text.
        #[serde(default)]
        output: Value,
    },
}

/// The shape of [`ActionReply`] as a plain object, because servers want no alternatives at the root of a schema.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct ActionShape {
    /// Why, in a sentence.
    thought: Option<String>,
    /// `tool`, `tools` or `finish`.
    action: ActionWord,
    /// With `tool`: its name.
    tool: Option<String>,
    /// With `tool`: its arguments.
    arguments: Option<serde_json::Map<String, Value>>,
    /// With `tool`: its output ends the attempt when it succeeds.
    #[serde(rename = "final")]
    is_final: Option<bool>,
    /// With `tools`: several calls at once, each a tool with its arguments.
    calls: Option<Vec<CallShape>>,
    /// With `finish`.
    status: Option<ExecutionStatus>,
    /// With `finish`: the result text.
    output: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is used")]
enum ActionWord {
    Tool,
    Tools,
    Finish,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct CallShape {
    /// Its name.
    tool: String,
    /// Its arguments.
    arguments: serde_json::Map<String, Value>,
    /// On the last call: its output ends the attempt when it succeeds.
    #[serde(rename = "final")]
    is_final: Option<bool>,
}

/// R3's last word when tools are called natively.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutionReply {
    /// How it ended.
    pub status: ExecutionStatus,
    /// The result text.
    pub output: Value,
}

/// One verdict of R4a or R4b.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["criterion", "verdict"]))]
pub struct VerdictReply {
    /// Index in the list that was given. Where no verdict has one, they stand in the order of the list.
    #[serde(default, alias = "index", deserialize_with = "lenient::maybe_number")]
    #[schemars(with = "usize")]
    pub criterion: Option<usize>,
    /// pass or fail.
    pub verdict: Verdict,
    /// For a fail.
    #[serde(default)]
    pub failure_class: Option<FailureClass>,
    /// The evidence that shows it; R4b may also name a subtask.
    #[serde(default)]
    pub receipt: Option<String>,
    /// What was seen.
    #[serde(default)]
    pub evidence: String,
}

/// What to do better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorrectionReply {
    /// What the attempt got wrong.
    pub what_was_wrong: String,
    /// What to do instead.
    pub what_to_do: String,
}

/// R4a's reply: verdicts, or what it wants to look at before it gives any.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictsReply {
    /// One a criterion; none beside a look.
    pub verdicts: Vec<VerdictReply>,
    /// Calls of reading tools, before the verdicts. A reply may be of them alone: [`LooksReply`].
    #[serde(default)]
    pub look: Vec<LookReply>,
    /// One a criterion of the task, where they were given.
    #[serde(default)]
    pub task_verdicts: Vec<VerdictReply>,
    /// Advice for another attempt.
    #[serde(default)]
    pub correction: Option<CorrectionReply>,
}

/// The part of R4a's reply that says what it wants to look at.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LooksReply {
    /// Calls of reading tools.
    pub look: Vec<LookReply>,
}

/// A call by which R4a sees for itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LookReply {
    /// `read_file`, `grep` or `glob`.
    pub tool: String,
    /// Its arguments.
    #[serde(default, alias = "args", alias = "parameters")]
    pub arguments: Value,
}

/// R4b's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MergeReply {
    /// Concrete data.
    #[serde(default)]
    pub merged_output: Value,
    /// One or two sentences.
    #[serde(default)]
    pub summary: String,
    /// One a task criterion.
    pub verdicts: Vec<VerdictReply>,
}

/// What kind of rule was distilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// Do it like this.
    BestPractice,
    /// Never do this.
    Constraint,
}

/// The Dreamer's reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SopReply {
    /// The rule.
    pub rule: String,
    /// When it applies.
    pub conditions: String,
    /// Best practice or constraint.
    pub kind: RuleKind,
}

/// What a lesson is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonKind {
    /// Something that is so.
    Fact,
    /// A way to do something.
    Procedure,
    /// Something to avoid.
    Constraint,
}

/// A lesson after a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReflectionReply {
    /// The lesson.
    pub lesson: String,
    /// Words to file it under. Nobody asks for them: a lesson is filed under the tag of its task.
    #[serde(default)]
    #[schemars(skip)]
    pub tags: Vec<String>,
    /// What it is about.
    pub category: LessonKind,
}

/// The last words of R2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FarewellReply {
    /// What was found or done all the same.
    #[serde(default)]
    pub found: Vec<FoundReply>,
    /// What the person can do, best first.
    #[serde(default)]
    pub next_moves: Vec<String>,
}

/// One thing that was found or done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundReply {
    /// One sentence.
    pub text: String,
    /// The receipt that shows it.
    pub receipt: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ActionReply, CriterionReply, PlanReply, SchemaName, VerdictReply};
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
        let CriterionReply::Full(Criterion { check: Some(check), .. }) =
            &plan.subtasks[0].success_criteria[0]
        else {
            panic!("the full form was not read: {plan:?}");
        };
        assert_eq!(*check, Check::OutputLines { op: Compare::Le, n: 10.0 });
    }

    #[test]
    fn a_precondition_is_a_word_of_its_check_and_only_the_world_can_be_left_unchanged() {
        let read = |text: &str| serde_json::from_str::<Criterion>(text).unwrap();
        let stated = r#"{"text":"a","mode":"verifiable","check":{"kind":"file_exists","path":"a.txt","unchanged":true}}"#;
        let criterion = read(stated);
        assert!(criterion.unchanged && matches!(criterion.check, Some(Check::FileExists { .. })));
        assert_eq!(serde_json::to_string(&criterion).unwrap(), stated);
        let plain = r#"{"text":"a","mode":"verifiable","check":{"kind":"output_lines","op":"le","n":10.0}}"#;
        assert_eq!(serde_json::to_string(&read(plain)).unwrap(), plain, "the form that it always had");
        let said = read(&plain.replace("10.0", "10.0,\"unchanged\":true"));
        assert!(!said.unchanged && said == read(plain));
        assert_eq!(
            serde_json::to_string(&read(r#"{"text":"a"}"#)).unwrap(),
            r#"{"text":"a","mode":"verifiable","check":null}"#
        );
    }

    #[test]
    fn what_is_plain_is_read_though_the_form_is_a_little_off() {
        let plan: PlanReply = serde_json::from_str(
            r#"{"task_criteria":"it is there","output_from":"0","subtasks":{"sequence":"1","intent":"i","tools":"glob",
            "targets":null,"success_criteria":{"text":"a","check":null}}}"#,
        )
        .unwrap();
        let step = &plan.subtasks[0];
        assert_eq!((plan.task_criteria.len(), plan.output_from, step.sequence), (1, Some(0), 1));
        assert_eq!((step.tools.as_slice(), step.targets.len()), (["glob".to_owned()].as_slice(), 0));
        assert!(matches!(&step.success_criteria[0], CriterionReply::Full(c) if c.text == "a"));
        for arguments in ["arguments", "args", "parameters"] {
            let text =
                format!(r#"{{"action":"tool","tool":"glob","{arguments}":{{"root":"."}},"final":"true"}}"#);
            let read: ActionReply = serde_json::from_str(&text).unwrap();
            let ActionReply::Tool { arguments, is_final: true, .. } = read else { panic!("{text}") };
            assert_eq!(arguments["root"], ".");
        }
        for (criterion, index) in [
            ("\"criterion\":2,", Some(2)),
            ("\"criterion\":\"2\",", Some(2)),
            ("\"index\":2.0,", Some(2)),
            ("", None),
        ] {
            let text = format!(r#"{{{criterion}"verdict":"pass"}}"#);
            assert_eq!(serde_json::from_str::<VerdictReply>(&text).unwrap().criterion, index, "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_no_guess() {
        for sequence in ["\"one\"", "-1", "1.5", "[1]", "5000000000"] {
            let text = format!(
                r#"{{"subtasks":[{{"sequence":{sequence},"intent":"i","success_criteria":["a"]}}]}}"#
            );
            assert!(serde_json::from_str::<PlanReply>(&text).is_err(), "{sequence}");
        }
        let error = serde_json::from_str::<PlanReply>(r#"{"task_criteria":[{"words":"a"}]}"#).unwrap_err();
        assert!(error.to_string().contains(r#"{"text": "the report exists""#), "an example: {error}");
    }

    #[test]
    fn the_schema_asks_for_what_the_validator_asks_for() {
        let text = SchemaName::Verdicts.schema().to_string();
        assert!(text.contains(r#""required":["criterion","verdict"]"#), "{text}");
        let plan = SchemaName::Plan.schema();
        assert_eq!(plan["required"], json!(["task_criteria", "subtasks"]));
        let steps = &plan["properties"]["subtasks"];
        assert_eq!((&steps["minItems"], &steps["type"]), (&json!(1), &json!(["array", "null"])), "{steps}");
        assert_eq!(plan["properties"]["task_criteria"]["type"], "array", "an only step may have them all");
        assert_eq!(plan["$defs"]["PlannedStep"]["properties"]["success_criteria"]["minItems"], 1);
    }

    #[test]
    fn a_plan_without_steps_is_read_whether_it_names_the_lists_or_not() {
        let decline = r#""decline":{"reason":"r"}"#;
        for lists in ["", r#""task_criteria":null,"subtasks":null,"#, r#""task_criteria":[],"subtasks":[],"#]
        {
            let plan: PlanReply = serde_json::from_str(&format!("{{{lists}{decline}}}")).unwrap();
            assert!(plan.subtasks.is_empty() && plan.task_criteria.is_empty() && plan.decline.is_some());
        }
    }

    #[test]
    fn a_step_without_a_sequence_is_an_error_that_names_it() {
        let error =
            serde_json::from_str::<PlanReply>(r#"{"subtasks":[{"intent":"i","success_criteria":[]}]}"#)
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
            SchemaName::Farewell,
        ] {
            assert_eq!(name.schema()["type"], "object", "{}", name.as_str());
        }
    }
}
