//! From a draft to a plan: a plan exists only after every rule here held.

use std::collections::BTreeSet;

use artoo_types::control::PlanDirective;
use artoo_types::criteria::Criterion;
use artoo_types::limits::{MAX_CRITERIA, MAX_GROUPS, MAX_SUBTASKS};
use artoo_types::plan::{BlockedTarget, Blocks, DispatchManifest, PlanMark, SubTask};
use artoo_types::reply::{CriterionReply, PlanReply, PlannedStep};
use artoo_types::setting::TaskSetting;
use artoo_types::tag::fold;
use artoo_types::target::{Bases, planned_forms};
use artoo_types::text::first_chars;
use artoo_types::{SubtaskId, TaskId};

use super::calibrate::Known;
use super::successor::succeeds;

/// What a draft is held against.
pub(super) struct Rules<'a> {
    pub(super) task_id: TaskId,
    pub(super) round: u32,
    pub(super) setting: &'a TaskSetting,
    pub(super) working_directory: &'a str,
    pub(super) directive: Option<&'a PlanDirective>,
    pub(super) known: &'a Known,
    pub(super) last: Option<&'a DispatchManifest>,
    /// The plans that failed, kept steps included.
    pub(super) failed: &'a [DispatchManifest],
    pub(super) next_subtask: u64,
    pub(super) targets_bind: bool,
}

/// Why a draft is not a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rejected {
    /// One reason a line, in words for the planner.
    pub(super) reasons: Vec<String>,
    /// Nothing but blocked targets was wrong with it.
    pub(super) only_blocked_targets: bool,
}

/// Whether a draft with this mark is the plan, or what is left of it without the steps that are kept.
fn is_same_plan(mark: PlanMark, plan: &DispatchManifest, kept: &[SubtaskId]) -> bool {
    let rest = plan.subtasks.iter().filter(|s| !kept.contains(&s.subtask_id));
    mark == PlanMark::of_steps(rest) || mark == PlanMark::of_steps(&plan.subtasks)
}

/// Why the plan must not be tried again: it failed in this task, or memory has it among the failed ones of this request,
/// alone or together with the steps that stay.
fn repeat_reason(rules: &Rules<'_>, reply: &PlanReply) -> Option<String> {
    let steps = || reply.subtasks.iter().map(|s| (s.sequence, s.tools.as_slice(), s.intent.as_str()));
    let (_, kept) = split_established(rules, reply);
    let mark = PlanMark::of(steps());
    if rules.failed.iter().any(|plan| is_same_plan(mark, plan, &kept)) {
        return Some("this is the plan that already failed; change the steps or their tools".to_owned());
    }
    let established = rules.directive.iter().flat_map(|d| &d.established).map(|o| &o.subtask);
    let stay = established.filter(|s| kept.contains(&s.subtask_id));
    let whole =
        PlanMark::of(steps().chain(stay.map(|s| (s.sequence, s.tools.as_slice(), s.intent.as_str()))));
    rules.known.failed_plans().any(|failed| failed == mark || failed == whole).then(|| {
        "this plan already failed for this request in an earlier task (memory); change the steps or their tools"
            .to_owned()
    })
}

/// The plan that the draft stands for, or every reason why it is none.
pub(super) fn validate(rules: &Rules<'_>, reply: PlanReply) -> Result<DispatchManifest, Rejected> {
    let mut reasons = shape_reasons(rules, &reply);
    reasons.extend(blocked_tool_reasons(rules, &reply));
    let target_reasons = blocked_target_reasons(rules, &reply);
    let only_blocked_targets = reasons.is_empty() && !target_reasons.is_empty();
    reasons.extend(target_reasons);
    if !reasons.is_empty() {
        reasons.truncate(16);
        return Err(Rejected { reasons, only_blocked_targets });
    }
    Ok(manifest(rules, reply))
}

fn shape_reasons(rules: &Rules<'_>, reply: &PlanReply) -> Vec<String> {
    let mut reasons = Vec::new();
    let steps = &reply.subtasks;
    if steps.is_empty() {
        reasons.push("the plan has no subtask".to_owned());
    }
    if steps.len() > MAX_SUBTASKS {
        reasons.push(format!("the plan has {} subtasks; at most {MAX_SUBTASKS} are allowed", steps.len()));
    }
    let groups: BTreeSet<u32> = steps.iter().map(|s| s.sequence).collect();
    if groups.len() > MAX_GROUPS {
        reasons
            .push(format!("the plan has {} sequence groups; at most {MAX_GROUPS} are allowed", groups.len()));
    }
    let criteria = task_criteria(rules, reply);
    if criteria.is_empty() {
        reasons.push("the plan has no task criterion".to_owned());
    }
    if criteria.len() > MAX_CRITERIA {
        reasons
            .push(format!("there are {} task criteria; at most {MAX_CRITERIA} are allowed", criteria.len()));
    }
    if criteria.iter().any(|c| c.text.trim().is_empty()) {
        reasons.push("a task criterion has no text".to_owned());
    }
    if reply.output_from.is_some_and(|i| i >= steps.len()) {
        reasons.push("output_from names a subtask that does not exist (it is 0-based)".to_owned());
    }
    for (i, step) in steps.iter().take(MAX_SUBTASKS).enumerate() {
        reasons.extend(step_reasons(rules, i + 1, step));
    }
    reasons.extend(repeat_reason(rules, reply).filter(|_| !steps.is_empty()));
    reasons
}

fn step_reasons(rules: &Rules<'_>, number: usize, step: &PlannedStep) -> Vec<String> {
    let mut reasons = Vec::new();
    if step.intent.trim().is_empty() {
        reasons.push(format!("subtask {number} has no intent"));
    }
    if !(1..=1_000).contains(&step.sequence) {
        reasons.push(format!("subtask {number} has sequence {}; use 1, 2, 3 …", step.sequence));
    }
    match step.success_criteria.len() {
        0 => reasons.push(format!("subtask {number} has no success criterion")),
        n if n > MAX_CRITERIA => {
            reasons.push(format!("subtask {number} has {n} criteria; at most {MAX_CRITERIA} are allowed"));
        }
        _ => {}
    }
    let blank = |c: &CriterionReply| match c {
        CriterionReply::Full(c) => c.text.trim().is_empty(),
        CriterionReply::Text(t) => t.trim().is_empty(),
    };
    if step.success_criteria.iter().any(blank) {
        reasons.push(format!("a criterion of subtask {number} has no text"));
    }
    for class in normal_tools(&step.tools) {
        let tool = class.split(':').next().unwrap_or(&class);
        if !rules.setting.tools.iter().any(|t| t.name == tool) {
            reasons.push(format!("subtask {number} names the tool {class}, which does not exist here"));
        }
    }
    let kept = kept_ids(rules);
    for id in &step.supersedes {
        if !kept.iter().any(|k| k.to_string() == *id) {
            reasons.push(format!(
                "subtask {number} supersedes {}, which is not established",
                first_chars(id, 60)
            ));
        }
    }
    reasons
}

fn blocked_tool_reasons(rules: &Rules<'_>, reply: &PlanReply) -> Vec<String> {
    let mut reasons = Vec::new();
    for (i, step) in reply.subtasks.iter().enumerate() {
        for class in blocked_classes(rules, &step.intent, reply.subtasks.len() == 1) {
            if normal_tools(&step.tools).iter().any(|tool| covers(&class, tool)) {
                reasons.push(format!("subtask {} uses {class}, which is blocked for it", i + 1));
            }
        }
    }
    reasons
}

fn blocked_target_reasons(rules: &Rules<'_>, reply: &PlanReply) -> Vec<String> {
    let mut reasons = Vec::new();
    for (i, step) in reply.subtasks.iter().enumerate() {
        let tools = normal_tools(&step.tools);
        for block in blocked_targets(rules) {
            let uses_class = tools.iter().any(|t| covers(t, &block.class));
            let uses_target =
                step.targets.iter().any(|t| planned_forms(t, bases(rules)).contains(&block.target));
            if uses_class && uses_target {
                reasons.push(format!(
                    "subtask {} uses {} on {}, which is blocked",
                    i + 1,
                    block.class,
                    block.target
                ));
            }
        }
    }
    reasons
}

/// Whether one class includes the other: the same, or a bare `shell` for `shell:find`.
fn covers(wide: &str, narrow: &str) -> bool {
    wide == narrow || narrow.strip_prefix(wide).is_some_and(|rest| rest.starts_with(':'))
}

/// What the directive blocks, unless its targets do not bind any more, and what memory forbids, which always binds.
fn blocked_targets(rules: &Rules<'_>) -> Vec<BlockedTarget> {
    let directive = rules.directive.filter(|_| rules.targets_bind);
    let mut all: Vec<BlockedTarget> = directive.map(|d| d.blocked_targets.clone()).unwrap_or_default();
    all.extend(rules.known.forbidden());
    all
}

/// What the directive blocks for the successor of a step, and what a law forbids every step.
fn blocked_classes(rules: &Rules<'_>, intent: &str, only_step: bool) -> Vec<String> {
    let directed = rules.directive.iter().flat_map(|d| &d.blocked_tools);
    let directed = directed.filter(|b| succeeds(intent, &b.intent, only_step)).map(|b| b.class.clone());
    directed.chain(rules.known.forbidden_classes()).collect()
}

fn bases<'a>(rules: &Rules<'a>) -> Bases<'a> {
    Bases {
        working_directory: rules.working_directory,
        workspace: &rules.setting.workspace,
        home: &rules.setting.home,
    }
}

fn kept_ids(rules: &Rules<'_>) -> Vec<SubtaskId> {
    rules.directive.iter().flat_map(|d| &d.established).map(|o| o.subtask_id).collect()
}

/// Established steps: those that the draft supersedes, and those that stay.
fn split_established(rules: &Rules<'_>, reply: &PlanReply) -> (Vec<SubtaskId>, Vec<SubtaskId>) {
    let is_superseded =
        |id: &SubtaskId| reply.subtasks.iter().any(|s| s.supersedes.contains(&id.to_string()));
    kept_ids(rules).into_iter().partition(is_superseded)
}

/// Task criteria freeze with the first valid plan; later plans may only add.
fn task_criteria(rules: &Rules<'_>, reply: &PlanReply) -> Vec<Criterion> {
    let mut criteria: Vec<Criterion> = rules.last.map(|m| m.task_criteria.clone()).unwrap_or_default();
    let frozen = !criteria.is_empty();
    for added in reply.task_criteria.iter().cloned().map(Criterion::from) {
        let known = criteria.iter().any(|c| fold(&c.text) == fold(&added.text));
        let full = frozen && criteria.len() >= MAX_CRITERIA;
        if !known && !full {
            criteria.push(added);
        }
    }
    criteria
}

/// Tool classes in the form in which they are compared.
pub(super) fn normal_tools(tools: &[String]) -> Vec<String> {
    let mut out: Vec<String> =
        tools.iter().map(|t| t.trim().to_lowercase()).filter(|t| !t.is_empty()).collect();
    out.dedup();
    out
}

fn manifest(rules: &Rules<'_>, reply: PlanReply) -> DispatchManifest {
    let task_criteria = task_criteria(rules, &reply);
    let only_step = reply.subtasks.len() == 1;
    let (superseded, kept) = split_established(rules, &reply);
    let output_from = reply.output_from;
    let subtasks: Vec<SubTask> = reply
        .subtasks
        .into_iter()
        .enumerate()
        .map(|(i, step)| subtask(rules, i as u64, only_step, step))
        .collect();
    DispatchManifest {
        task_id: rules.task_id,
        round: rules.round,
        task_criteria,
        output_from: output_from.and_then(|i| subtasks.get(i)).map(|s| s.subtask_id),
        subtasks,
        kept,
        superseded,
    }
}

fn subtask(rules: &Rules<'_>, index: u64, only_step: bool, step: PlannedStep) -> SubTask {
    let mut classes = blocked_classes(rules, &step.intent, only_step);
    classes.sort();
    classes.dedup();
    let targets = blocked_targets(rules);
    SubTask {
        subtask_id: SubtaskId(rules.task_id.derive("subtask", rules.next_subtask + index)),
        parent_task_id: rules.task_id,
        round: rules.round,
        ordinal: u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1),
        sequence: step.sequence,
        intent: step.intent.trim().to_owned(),
        context: step.context,
        prior_outputs: Vec::new(),
        tools: normal_tools(&step.tools),
        targets: step.targets.iter().map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect(),
        success_criteria: step.success_criteria.into_iter().map(Criterion::from).collect(),
        blocked: Blocks { classes, targets, cautions: rules.known.cautions() },
    }
}
