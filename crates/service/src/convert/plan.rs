//! Plans on their way down.

use artoo_protocol::json::json_to_value;
use artoo_protocol::v1;
use artoo_types::criteria::{Check, Compare, Criterion};
use artoo_types::plan::{
    BlockedTarget, BlockedTool, Blocks, Decline, DispatchManifest, PlanDraftRejected, PriorOutput,
    StepAdvice, SubTask,
};

use super::{texts, word};

pub(super) fn plan_draft_rejected(m: &PlanDraftRejected) -> v1::PlanDraftRejected {
    v1::PlanDraftRejected {
        task_id: m.task_id.to_string(),
        attempt: m.attempt,
        outcome: word(m.outcome),
        reasons: m.reasons.clone(),
        decline: m.decline.as_ref().map(decline),
        memories: texts(&m.memories),
    }
}

pub(super) fn dispatch_manifest(m: &DispatchManifest) -> v1::DispatchManifest {
    v1::DispatchManifest {
        task_id: m.task_id.to_string(),
        round: m.round,
        task_criteria: m.task_criteria.iter().map(criterion).collect(),
        subtasks: m.subtasks.iter().map(sub_task).collect(),
        kept: texts(&m.kept),
        superseded: texts(&m.superseded),
        output_from: m.output_from.map(|id| id.to_string()),
    }
}

pub(super) fn sub_task(m: &SubTask) -> v1::SubTask {
    v1::SubTask {
        subtask_id: m.subtask_id.to_string(),
        parent_task_id: m.parent_task_id.to_string(),
        round: m.round,
        ordinal: m.ordinal,
        sequence: m.sequence,
        intent: m.intent.clone(),
        context: m.context.clone(),
        prior_outputs: m.prior_outputs.iter().map(prior_output).collect(),
        tools: m.tools.clone(),
        targets: m.targets.clone(),
        success_criteria: m.success_criteria.iter().map(criterion).collect(),
        blocked: Some(blocks(&m.blocked)),
        known: m.known.iter().map(step_advice).collect(),
        replaces: m.replaces.map(|id| id.to_string()),
    }
}

fn step_advice(m: &StepAdvice) -> v1::StepAdvice {
    v1::StepAdvice { force: word(m.force), content: m.content.clone() }
}

pub(super) fn criterion(m: &Criterion) -> v1::Criterion {
    v1::Criterion {
        text: m.text.clone(),
        mode: word(m.mode),
        check: m.check.as_ref().map(|c| v1::Check { unchanged: m.unchanged.then_some(true), ..check(c) }),
        derived: m.derived.as_ref().map(|derived| derived.as_str().to_owned()),
    }
}

pub(super) fn blocked_target(m: &BlockedTarget) -> v1::BlockedTarget {
    v1::BlockedTarget { class: m.class.clone(), target: m.target.clone() }
}

pub(super) fn blocked_tool(m: &BlockedTool) -> v1::BlockedTool {
    v1::BlockedTool {
        class: m.class.clone(),
        intent: m.intent.clone(),
        subtask_id: m.subtask.map(|id| id.to_string()),
    }
}

/// The predicate with its kind's own fields set and all others absent.
fn check(m: &Check) -> v1::Check {
    let mut check = v1::Check::default();
    let compare = |op: &Compare| Some(word(op));
    check.kind = match m {
        Check::FileExists { path } => {
            check.path = Some(path.clone());
            "file_exists"
        }
        Check::FileAbsent { path } => {
            check.path = Some(path.clone());
            "file_absent"
        }
        Check::FileContains { path, text, regex } => {
            check.path = Some(path.clone());
            check.text.clone_from(text);
            check.regex.clone_from(regex);
            "file_contains"
        }
        Check::FileLines { path, op, n } => {
            check.path = Some(path.clone());
            (check.op, check.n) = (compare(op), Some(*n));
            "file_lines"
        }
        Check::FileJson { path, pointer, op, value } => {
            check.path = Some(path.clone());
            check.pointer = Some(pointer.clone());
            (check.op, check.value) = (compare(op), Some(json_to_value(value)));
            "file_json"
        }
        Check::OutputContains { text } => {
            check.text = Some(text.clone());
            "output_contains"
        }
        Check::OutputMatches { regex } => {
            check.regex = Some(regex.clone());
            "output_matches"
        }
        Check::OutputLines { op, n } => {
            (check.op, check.n) = (compare(op), Some(*n));
            "output_lines"
        }
        Check::OutputJson { pointer, op, value } => {
            check.pointer = Some(pointer.clone());
            (check.op, check.value) = (compare(op), Some(json_to_value(value)));
            "output_json"
        }
        Check::ExitStatus { tool, value } => {
            check.tool = Some(tool.clone());
            check.value = Some(json_to_value(&(*value).into()));
            "exit_status"
        }
        Check::ToolCalled { tool } => {
            check.tool = Some(tool.clone());
            "tool_called"
        }
        Check::FilesMatch { glob, op, n } => {
            check.glob = Some(glob.clone());
            (check.op, check.n) = (compare(op), Some(*n));
            "files_match"
        }
    }
    .to_owned();
    check
}

fn blocks(m: &Blocks) -> v1::Blocks {
    v1::Blocks {
        classes: m.classes.clone(),
        targets: m.targets.iter().map(blocked_target).collect(),
        cautions: m.cautions.iter().map(blocked_target).collect(),
    }
}

fn prior_output(m: &PriorOutput) -> v1::PriorOutput {
    v1::PriorOutput {
        subtask_id: m.subtask_id.to_string(),
        sequence: m.sequence,
        intent: m.intent.clone(),
        output: m.output.clone(),
    }
}

fn decline(m: &Decline) -> v1::Decline {
    v1::Decline {
        reason: m.reason.clone(),
        nearest: m.nearest.clone(),
        how_to_configure: m.how_to_configure.clone(),
    }
}
