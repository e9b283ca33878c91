//! What the controller says.

use artoo_protocol::json::json_to_value;
use artoo_protocol::v1;
use artoo_types::belief::StepBelief;
use artoo_types::control::{FinalResult, Loss, PlanDirective, TrajectoryPoint, Unmet};
use artoo_types::farewell::{Farewell, FarewellRequest, FoundLine};
use artoo_types::form::{FormColumn, OutputForm};

use super::model::task_usage;
use super::outcome::sub_task_outcome;
use super::plan::{blocked_target, blocked_tool};
use super::{texts, word};

pub(super) fn farewell_request(m: &FarewellRequest) -> v1::FarewellRequest {
    v1::FarewellRequest {
        task_id: m.task_id.to_string(),
        reason: word(m.reason),
        outcomes: m.outcomes.iter().map(sub_task_outcome).collect(),
        unmet: m.unmet.iter().map(unmet).collect(),
        deadline_ms: m.deadline_ms,
        loss: Some(loss(&m.loss)),
        grad_l: m.grad_l,
        grad_q: m.grad_q,
    }
}

pub(super) fn farewell(m: &Farewell) -> v1::Farewell {
    let line = |l: &FoundLine| v1::FoundLine { text: l.text.clone(), cites: l.cites.to_string() };
    v1::Farewell {
        task_id: m.task_id.to_string(),
        found: m.found.iter().map(line).collect(),
        next_moves: m.next_moves.clone(),
        left_out: m.left_out.clone(),
    }
}

pub(super) fn plan_directive(m: &PlanDirective) -> v1::PlanDirective {
    v1::PlanDirective {
        task_id: m.task_id.to_string(),
        replan: m.replan,
        max_replans: m.max_replans,
        loss: Some(loss(&m.loss)),
        prev_directive: m.prev_directive.as_str().to_owned(),
        directive: word(m.directive),
        blocked_tools: m.blocked_tools.iter().map(blocked_tool).collect(),
        blocked_targets: m.blocked_targets.iter().map(blocked_target).collect(),
        failed_before: m.failed_before.iter().map(blocked_target).collect(),
        tried_classes: m.tried_classes.clone(),
        failed_criterion: m.failed_criterion.clone(),
        failure_class: word(m.failure_class),
        budget_pressure: m.budget_pressure,
        grad_l: m.grad_l,
        grad_q: m.grad_q,
        urgency: word(m.urgency),
        rationale: m.grounds.rationale.clone(),
        belief: m.grounds.steps.iter().map(step_belief).collect(),
        redo: m.grounds.redo.iter().map(ToString::to_string).collect(),
        unmet: m.unmet.iter().map(unmet).collect(),
        established: m.established.iter().map(sub_task_outcome).collect(),
    }
}

fn step_belief(m: &StepBelief) -> v1::StepBelief {
    let chances = v1::Chances {
        approach: m.chances.approach,
        target: m.chances.target,
        detail: m.chances.detail,
        transient: m.chances.transient,
        impossible: m.chances.impossible,
    };
    v1::StepBelief {
        subtask_id: m.subtask.to_string(),
        intent: m.intent.clone(),
        chances: Some(chances),
        axis: m.axis.as_str().to_owned(),
        enforced: m.enforced,
        pinned: m.pinned.clone(),
    }
}

/// The end of a task.
pub fn final_result(m: &FinalResult) -> v1::FinalResult {
    v1::FinalResult {
        task_id: m.task_id.to_string(),
        summary: m.summary.clone(),
        output: Some(json_to_value(&m.output)),
        loss: Some(loss(&m.loss)),
        grad_l: m.grad_l,
        grad_q: m.grad_q,
        replans: m.replans,
        prev_directive: m.prev_directive.as_str().to_owned(),
        directive: word(m.directive),
        reason: m.reason.as_str().to_owned(),
        unmet: m.unmet.iter().map(unmet).collect(),
        partial: m.marks.partial,
        not_in_receipts: m.marks.not_in_receipts.clone(),
        handle: m.marks.handle.clone(),
        form: m.marks.form.as_ref().map(output_form),
        next_moves: m.next_moves.clone(),
        tried: m.tried.clone(),
        ruled_out: m.ruled_out.clone(),
        trajectory: m.trajectory.iter().map(trajectory_point).collect(),
        unanswered_confirmation: m.unanswered_confirmation,
        taint: texts(&m.taint.words()),
        usage: Some(task_usage(&m.usage)),
    }
}

fn output_form(m: &OutputForm) -> v1::OutputForm {
    let column = |m: &FormColumn| v1::FormColumn { name: m.name.clone(), kind: word(m.kind) };
    v1::OutputForm {
        heading: m.heading.clone(),
        heading_of_one: m.heading_of_one.clone(),
        nothing: m.nothing.clone(),
        remark: m.remark.clone(),
        layout: word(m.layout),
        columns: m.columns.iter().map(column).collect(),
        total: m.total.clone(),
        root: m.root.clone(),
        sections: m.sections.iter().map(output_form).collect(),
    }
}

/// The figures of a round.
pub fn loss(m: &Loss) -> v1::Loss {
    v1::Loss { d: m.distance.get(), p: m.implausibility.get(), omega: m.cost.get(), l: m.total }
}

fn unmet(m: &Unmet) -> v1::Unmet {
    v1::Unmet { criterion: m.criterion.clone(), evidence: m.evidence.clone(), evaluated: m.evaluated }
}

fn trajectory_point(m: &TrajectoryPoint) -> v1::TrajectoryPoint {
    v1::TrajectoryPoint {
        loss: Some(loss(&m.loss)),
        directive: m.directive.as_str().to_owned(),
        grad_l: m.grad_l,
        grad_q: m.grad_q,
    }
}
