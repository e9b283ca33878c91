//! Briefs as the roles write them.

use std::sync::Arc;

use artoo_types::brief::{ActBrief, AdviceForce, Brief, MemoryAdvice, PlanBrief, Turn};
use artoo_types::control::{Directive, Loss, MacroState, PlanDirective, RoundFailure, Urgency};
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::outcome::{CorrectionSignal, OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{BlockedTarget, BlockedTool, Blocks, PriorOutput, SubTask};
use artoo_types::setting::{ControlParams, PersonClock, TaskSetting};
use artoo_types::tag::Tag;
use artoo_types::task::{Constraints, TaskSpec};
use artoo_types::tool::ToolSpec;
use artoo_types::{EvidenceId, SubtaskId, TaskId};
use serde_json::Value;
use uuid::Uuid;

use super::*;

/// The folders of the fixed setting.
pub(super) const WORK: &str = "/work dir";
pub(super) const SPACE: &str = "/space";

/// Every tool that a plan of the rules may use.
pub(super) const ALL_TOOLS: [&str; 5] = ["glob", "find_files", "read_file", "write_file", "shell"];

/// The reply to a brief, as JSON.
pub(super) fn ask(brief: &Brief) -> Value {
    serde_json::from_str(&answer(brief)).expect("the reply is JSON")
}

/// The surroundings, with these tools.
pub(super) fn setting(tools: &[&str]) -> TaskSetting {
    let tool = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        signature: String::new(),
        purpose: String::new(),
        schema: String::new(),
        reads: false,
    };
    TaskSetting {
        control: ControlParams::default(),
        deadline_ms: 600_000,
        max_tokens: None,
        interactive: true,
        tools: tools.iter().map(tool).collect(),
        native_tool_calls: false,
        models: Default::default(),
        home: "/home/ada".to_owned(),
        workspace: SPACE.to_owned(),
        os: "linux".to_owned(),
        clock: PersonClock { date: "2026-11-21".to_owned(), utc_offset_minutes: 0 },
        provider: String::new(),
        workspace_files: Vec::new(),
        session: Vec::new(),
        build: String::new(),
    }
}

/// The brief of the first plan for a request whose words R1 has left as they are.
pub(super) fn plan_brief(request: &str) -> PlanBrief {
    let spec = TaskSpec {
        task_id: TaskId(Uuid::nil()),
        slug: String::new(),
        intent: request.to_owned(),
        constraints: Constraints::default(),
        deadline: None,
        raw_input: request.to_owned(),
        tags: Vec::new(),
        intent_tag: Tag::intent(request),
        direct_answer: None,
        assumptions: Vec::new(),
    };
    PlanBrief {
        setting: Arc::new(setting(&ALL_TOOLS)),
        working_directory: WORK.to_owned(),
        spec: Arc::new(spec),
        directive: None,
        memory: Vec::new(),
        situation: None,
        record: Vec::new(),
        faults: Vec::new(),
    }
}

/// The plan for a request, when the brief is changed first.
pub(super) fn plan_with(request: &str, change: impl FnOnce(&mut PlanBrief)) -> Value {
    let mut brief = plan_brief(request);
    change(&mut brief);
    ask(&Brief::Plan(brief))
}

/// The first plan for a request.
pub(super) fn plan(request: &str) -> Value {
    plan_with(request, |_| {})
}

/// The first directive.
pub(super) fn directive() -> PlanDirective {
    PlanDirective {
        task_id: TaskId(Uuid::nil()),
        replan: 1,
        max_replans: 3,
        loss: Loss::default(),
        prev_directive: MacroState::Init,
        directive: Directive::ChangePath,
        blocked_tools: Vec::new(),
        blocked_targets: Vec::new(),
        failed_before: Vec::new(),
        tried_classes: Vec::new(),
        failed_criterion: String::new(),
        failure_class: RoundFailure::Logical,
        budget_pressure: 0.1,
        grad_l: 0.0,
        grad_q: 0.0,
        urgency: Urgency::Steady,
        grounds: artoo_types::belief::Grounds { rationale: "x".to_owned(), ..Default::default() },
        unmet: Vec::new(),
        established: Vec::new(),
    }
}

/// A tool class and an input of it.
pub(super) fn target(class: &str, target: &str) -> BlockedTarget {
    BlockedTarget { class: class.to_owned(), target: target.to_owned() }
}

/// A tool class that is blocked for an intent.
pub(super) fn tool(class: &str, intent: &str) -> BlockedTool {
    BlockedTool { class: class.to_owned(), intent: intent.to_owned(), subtask: None }
}

/// A line of the memory.
pub(super) fn advice(force: AdviceForce, content: &str) -> MemoryAdvice {
    let content = content.to_owned();
    MemoryAdvice { force, content, subject: None, origin: None, learned_from: None }
}

/// A planned step as it reaches its executor.
pub(super) fn subtask(step: &Value) -> SubTask {
    let text = |field: &str| step[field].as_str().expect("a text field").to_owned();
    SubTask {
        subtask_id: SubtaskId(Uuid::nil()),
        parent_task_id: TaskId(Uuid::nil()),
        round: 0,
        ordinal: 1,
        sequence: 1,
        intent: text("intent"),
        context: text("context"),
        prior_outputs: Vec::new(),
        opening: Vec::new(),
        tools: Vec::new(),
        targets: Vec::new(),
        success_criteria: Vec::new(),
        replaces: None,
        blocked: Blocks::default(),
        known: Vec::new(),
    }
}

/// What an executor is given on a planned step.
#[derive(Clone, Default)]
pub(super) struct Progress {
    pub(super) prior: Vec<PriorOutput>,
    pub(super) turns: Vec<Turn>,
    pub(super) correction: Option<CorrectionSignal>,
}

/// The next action on a planned step.
pub(super) fn act_on(step: &Value, progress: Progress) -> Value {
    let Progress { prior, turns, correction } = progress;
    let subtask = SubTask { prior_outputs: prior, ..subtask(step) };
    let setting = setting(&ALL_TOOLS);
    ask(&Brief::Act(ActBrief {
        tools: setting.tools.clone(),
        setting: Arc::new(setting),
        working_directory: WORK.to_owned(),
        subtask: Arc::new(subtask),
        turns,
        earlier_turns: 0,
        steps_left: 60,
        left_ms: None,
        task: Arc::default(),
        correction,
    }))
}

/// The output of an earlier step.
pub(super) fn prior(intent: &str, output: &str) -> PriorOutput {
    let (subtask_id, sequence) = (SubtaskId(Uuid::nil()), 1);
    PriorOutput { subtask_id, sequence, intent: intent.to_owned(), output: output.to_owned() }
}

/// The receipt of a call.
pub(super) fn receipt(tool: &str, target: &str, exit: Option<i64>, output: &str) -> Receipt {
    Receipt {
        target: target.to_owned(),
        arguments: String::new(),
        end: if exit.is_some() { CallEnd::Ran } else { CallEnd::Denied },
        exit,
        output: output.to_owned(),
        output_bytes: output.len() as u64,
        ..Receipt::quiet(EvidenceId("r1".to_owned()), tool)
    }
}

/// A call that was made.
pub(super) fn called(tool: &str, target: &str, exit: i64, output: &str) -> Turn {
    Turn::Called(Arc::new(receipt(tool, target, Some(exit), output)))
}

/// After these calls.
pub(super) fn after(turns: &[Turn]) -> Progress {
    Progress { turns: turns.to_vec(), ..Progress::default() }
}

/// The matched end of a step with this intent.
pub(super) fn outcome(intent: &str, output: &str) -> SubTaskOutcome {
    let step = serde_json::json!({"intent": intent, "context": ""});
    SubTaskOutcome {
        subtask_id: SubtaskId(Uuid::nil()),
        parent_task_id: TaskId(Uuid::nil()),
        status: OutcomeStatus::Matched,
        output: output.to_owned(),
        handle: None,
        failure_reason: None,
        gap_trajectory: Vec::new(),
        criteria_verdicts: Vec::new(),
        task_verdicts: Vec::new(),
        tool_calls: Vec::new(),
        receipts: Vec::new(),
        earlier: Vec::new(),
        denied: None,
        subtask: subtask(&step),
    }
}

/// The tools of every step, in order.
pub(super) fn tools_of(plan: &Value) -> Vec<Vec<String>> {
    steps_of(plan)
        .iter()
        .map(|step| {
            let tools = step["tools"].as_array().expect("a list of tools");
            tools.iter().map(|tool| tool.as_str().expect("a tool").to_owned()).collect()
        })
        .collect()
}

/// The steps of a plan.
pub(super) fn steps_of(plan: &Value) -> Vec<Value> {
    plan["subtasks"].as_array().expect("a list of subtasks").clone()
}

/// The intent of a planned step.
pub(super) fn intent_of(step: &Value) -> &str {
    step["intent"].as_str().expect("an intent")
}
