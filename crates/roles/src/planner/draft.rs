//! From a draft to a plan: a plan exists only after every rule here held.

use std::collections::BTreeSet;

use artoo_request::RequestReading;
use artoo_types::belief::StepAxis;
use artoo_types::brief::{DraftFault, EmptyClaim, StepFault};
use artoo_types::control::PlanDirective;
use artoo_types::criteria::Criterion;
use artoo_types::limits::{MAX_CRITERIA, MAX_GROUPS, MAX_PARALLEL, MAX_SUBTASKS};
use artoo_types::plan::{
    BlockedTarget, BlockedTool, Blocks, DispatchManifest, OpeningCall, PlanMark, SubTask,
};
use artoo_types::reply::{CriterionReply, PlanReply, PlannedCall, PlannedStep};
use artoo_types::setting::TaskSetting;
use artoo_types::spelling::{TaskFolders, names};
use artoo_types::tag::fold;
use artoo_types::target::{Bases, planned_forms};
use artoo_types::text::first_chars;
use artoo_types::{SubtaskId, TaskId};

use super::coverage::{Coverage, PlanWords, coverage, demand_evidence};
use super::derive;
use super::lint;
use super::memory::{PlanMemory, StepSubject};
use super::successor::{lineage, succeeds};

/// What a draft is held against.
pub(super) struct DraftRules<'a> {
    pub(super) task_id: TaskId,
    pub(super) round: u32,
    pub(super) setting: &'a TaskSetting,
    pub(super) working_directory: &'a str,
    pub(super) directive: Option<&'a PlanDirective>,
    pub(super) memory: &'a PlanMemory,
    pub(super) last: Option<&'a DispatchManifest>,
    /// The plans that failed, kept steps included.
    pub(super) failed: &'a [DispatchManifest],
    pub(super) next_subtask: u64,
    /// Blocked targets, pins and steps to do anew bind.
    pub(super) targets_bind: bool,
    /// What the person asks for.
    pub(super) request: &'a RequestReading,
    /// The person's words.
    pub(super) raw_request: &'a str,
    /// A draft that leaves a part of the request out is sent back, whatever the rest is worth.
    pub(super) coverage_binds: bool,
}

/// Why a draft is not a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DraftRejected {
    /// What is wrong with it.
    pub(super) faults: Vec<DraftFault>,
    /// Nothing was wrong with it but what there may be no way around: blocked targets, pins, steps to do anew.
    pub(super) only_mild: bool,
}

/// Whether a draft with this mark is the plan, or what is left of it without the steps that are kept.
fn is_same_plan(mark: PlanMark, plan: &DispatchManifest, kept: &[SubtaskId]) -> bool {
    let rest = plan.subtasks.iter().filter(|s| !kept.contains(&s.subtask_id));
    mark == PlanMark::of_steps(rest) || mark == PlanMark::of_steps(&plan.subtasks)
}

/// Whether the draft begins its steps with calls, and with others than the plan: an honest repair of the same step does.
fn calls_otherwise(reply: &PlanReply, plan: &DispatchManifest) -> bool {
    let drafted: BTreeSet<(&str, String)> = reply
        .subtasks
        .iter()
        .flat_map(|step| &step.calls)
        .map(|call| (call.tool.as_str(), call.arguments.to_string()))
        .collect();
    let tried: BTreeSet<(&str, String)> = plan
        .subtasks
        .iter()
        .flat_map(|step| &step.opening)
        .map(|call| (call.tool.as_str(), call.arguments.clone()))
        .collect();
    !drafted.is_empty() && drafted != tried
}

/// Why the plan must not be tried again: it failed in this task, or memory has it among the failed ones of this request,
/// alone or together with the steps that stay.
fn repeat_fault(rules: &DraftRules<'_>, reply: &PlanReply) -> Option<DraftFault> {
    let steps = || reply.subtasks.iter().map(|s| (s.sequence, s.tools.as_slice(), s.intent.as_str()));
    let (_, kept) = split_established(rules, reply);
    let mark = PlanMark::of(steps());
    // What passes by itself is tried once more as it was.
    let may_repeat =
        rules.directive.is_some_and(|d| d.grounds.steps.iter().any(|step| step.axis == StepAxis::Again));
    if may_repeat {
        return None;
    }
    if rules.failed.iter().any(|plan| is_same_plan(mark, plan, &kept) && !calls_otherwise(reply, plan)) {
        return Some(DraftFault::Repeated);
    }
    let established = rules.directive.iter().flat_map(|d| &d.established).map(|o| &o.subtask);
    let stay = established.filter(|s| kept.contains(&s.subtask_id));
    let whole =
        PlanMark::of(steps().chain(stay.map(|s| (s.sequence, s.tools.as_slice(), s.intent.as_str()))));
    let mut known = rules.memory.failed_plans().filter(|(failed, _)| *failed == mark || *failed == whole);
    known.next().map(|(_, id)| DraftFault::RepeatedFromMemory(id))
}

/// The plan that the draft stands for, or everything that is wrong with it.
pub(super) fn validate(rules: &DraftRules<'_>, reply: PlanReply) -> Result<DispatchManifest, DraftRejected> {
    let reply = with_criteria_of_step(rules, reply);
    let mut faults = shape_faults(rules, &reply);
    faults.extend(uses_of_blocked_tools(rules, &reply));
    let mut mild = uses_of_blocked_targets(rules, &reply);
    mild.extend(left_unheeded(rules, &reply));
    let only_mild = faults.is_empty() && !mild.is_empty();
    faults.extend(mild);
    let left_out = left_out(rules, &reply);
    if rules.coverage_binds || !left_out.rest_stands || !faults.is_empty() {
        faults.extend(left_out.uncovered.iter().cloned().map(DraftFault::Uncovered));
    }
    if !faults.is_empty() {
        faults.truncate(16);
        return Err(DraftRejected { faults, only_mild });
    }
    Ok(DispatchManifest { uncovered: left_out.uncovered, ..manifest(rules, reply) })
}

/// What of the request neither the draft nor the steps that stay speak of.
fn left_out(rules: &DraftRules<'_>, reply: &PlanReply) -> Coverage {
    let mut words = PlanWords::default();
    let only_step = match reply.subtasks.as_slice() {
        [only] => Some(only),
        _ => None,
    };
    for criterion in &task_criteria(rules, reply) {
        words.add_task_criterion(criterion, only_step);
    }
    for step in &reply.subtasks {
        words.add_step(step);
    }
    let (_, kept) = split_established(rules, reply);
    let established = rules.directive.iter().flat_map(|d| &d.established);
    for outcome in established.filter(|o| kept.contains(&o.subtask_id)) {
        words.add_kept(&outcome.subtask);
    }
    coverage(rules.request, &words)
}

fn shape_faults(rules: &DraftRules<'_>, reply: &PlanReply) -> Vec<DraftFault> {
    let steps = &reply.subtasks;
    let groups = steps.iter().map(|s| s.sequence).collect::<BTreeSet<u32>>().len();
    let criteria = task_criteria(rules, reply);
    let found = [
        (steps.is_empty(), DraftFault::NoSubtask),
        (steps.len() > MAX_SUBTASKS, DraftFault::TooManySubtasks(steps.len())),
        (groups > MAX_GROUPS, DraftFault::TooManyGroups(groups)),
        (criteria.is_empty(), DraftFault::NoTaskCriterion),
        (criteria.len() > MAX_CRITERIA, DraftFault::TooManyTaskCriteria(criteria.len())),
        (criteria.iter().any(|c| c.text.trim().is_empty()), DraftFault::BlankTaskCriterion),
        (lint::are_hollow(&criteria), DraftFault::HollowTaskCriteria),
        (lint::are_preconditions(&criteria), DraftFault::OnlyTaskPreconditions),
        (reply.output_from.is_some_and(|i| i >= steps.len()), DraftFault::NoSuchOutput),
    ];
    let mut faults: Vec<DraftFault> =
        found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, fault)| fault).collect();
    faults.extend(
        empty_claims(rules, &criteria).map(|(text, claim)| DraftFault::EmptyTaskCriterion(text, claim)),
    );
    for (i, step) in steps.iter().take(MAX_SUBTASKS).enumerate() {
        let of_step = step_faults(rules, step).into_iter().chain(proof_faults(rules, reply, step));
        faults.extend(of_step.map(|fault| DraftFault::Step { number: i + 1, fault }));
    }
    faults.extend(repeat_fault(rules, reply).filter(|_| !steps.is_empty()));
    faults
}

fn step_faults(rules: &DraftRules<'_>, step: &PlannedStep) -> Vec<StepFault> {
    let blank = |c: &CriterionReply| match c {
        CriterionReply::Full(c) => c.text.trim().is_empty(),
        CriterionReply::Text(t) => t.trim().is_empty(),
    };
    let criteria = &step.success_criteria;
    let found = [
        (step.intent.trim().is_empty(), StepFault::NoIntent),
        (!(1..=1_000).contains(&step.sequence), StepFault::BadSequence(step.sequence)),
        (criteria.is_empty(), StepFault::NoCriterion),
        (criteria.len() > MAX_CRITERIA, StepFault::TooManyCriteria(criteria.len())),
        (criteria.iter().any(blank), StepFault::BlankCriterion),
    ];
    let mut faults: Vec<StepFault> =
        found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, fault)| fault).collect();
    let exists = |class: &String| {
        let tool = class.split(':').next().unwrap_or(class);
        rules.setting.tools.iter().any(|t| t.name == tool)
    };
    faults.extend(normal_tools(&step.tools).into_iter().filter(|c| !exists(c)).map(StepFault::UnknownTool));
    let kept: Vec<String> = kept_ids(rules).iter().map(SubtaskId::to_string).collect();
    let unkept = step.supersedes.iter().filter(|id| !kept.contains(id));
    faults.extend(unkept.map(|id| StepFault::NotEstablished(first_chars(id, 60))));
    faults
}

/// The criteria whose check holds whatever is done, with the reason.
fn empty_claims(
    rules: &DraftRules<'_>,
    criteria: &[Criterion],
) -> impl Iterator<Item = (String, EmptyClaim)> {
    let bases = bases(rules);
    let found: Vec<(String, EmptyClaim)> = criteria
        .iter()
        .filter_map(|c| Some((first_chars(&c.text, 80), lint::empty_claim(c, bases)?)))
        .collect();
    found.into_iter()
}

/// Criteria of a step that prove nothing. The only step of a plan is proven by the criteria of the task as well.
fn proof_faults(rules: &DraftRules<'_>, reply: &PlanReply, step: &PlannedStep) -> Vec<StepFault> {
    let mut criteria: Vec<Criterion> = step.success_criteria.iter().cloned().map(Criterion::from).collect();
    let empty = empty_claims(rules, &criteria).map(|(text, claim)| StepFault::EmptyCriterion(text, claim));
    let mut faults: Vec<StepFault> = empty.collect();
    faults.extend(lint::are_preconditions(&criteria).then_some(StepFault::OnlyPreconditions));
    if reply.subtasks.len() == 1 {
        criteria.extend(task_criteria(rules, reply));
    }
    faults.extend(lint::unproven_effect(&step.intent, &criteria).map(StepFault::UnprovenEffect));
    faults
}

fn uses_of_blocked_tools(rules: &DraftRules<'_>, reply: &PlanReply) -> Vec<DraftFault> {
    let mut faults = Vec::new();
    let only_step = reply.subtasks.len() == 1;
    for (i, (step, replaces)) in reply.subtasks.iter().zip(replaced(rules, reply)).enumerate() {
        for class in blocked_classes(rules, &Successor { intent: &step.intent, replaces, only_step }) {
            if normal_tools(&step.tools).iter().any(|tool| covers(&class, tool)) {
                faults.push(DraftFault::Step { number: i + 1, fault: StepFault::BlockedTool(class) });
            }
        }
    }
    faults
}

fn uses_of_blocked_targets(rules: &DraftRules<'_>, reply: &PlanReply) -> Vec<DraftFault> {
    let mut faults = Vec::new();
    for (i, step) in reply.subtasks.iter().enumerate() {
        let tools = normal_tools(&step.tools);
        for block in blocked_targets(rules) {
            let uses_class = tools.iter().any(|t| covers(t, &block.class));
            let uses_target = says_target(rules, step, &block)
                || step.targets.iter().any(|t| planned_forms(t, bases(rules)).contains(&block.target));
            if uses_class && uses_target {
                faults.push(DraftFault::Step { number: i + 1, fault: StepFault::BlockedTarget(block) });
            }
        }
    }
    faults
}

/// What the belief asks for and the draft does not do: keep the tool where a detail is wrong, do a cited step anew.
fn left_unheeded(rules: &DraftRules<'_>, reply: &PlanReply) -> Vec<DraftFault> {
    let Some(directive) = rules.directive.filter(|_| rules.targets_bind) else { return Vec::new() };
    let replaced = replaced(rules, reply);
    let mut faults = Vec::new();
    for step in directive.grounds.steps.iter().filter(|step| !step.pinned.is_empty()) {
        let mut heirs = replaced.iter().enumerate().filter(|(_, old)| **old == Some(step.subtask)).peekable();
        let Some((first, _)) = heirs.peek().copied() else { continue };
        let keeps = |i: usize| {
            let tools = normal_tools(&reply.subtasks[i].tools);
            step.pinned.iter().any(|pin| tools.iter().any(|tool| covers(pin, tool) || covers(tool, pin)))
        };
        if !heirs.any(|(i, _)| keeps(i)) {
            let fault = StepFault::Unpinned(step.pinned.clone());
            faults.push(DraftFault::Step { number: first + 1, fault });
        }
    }
    let (superseded, _) = split_established(rules, reply);
    let redo = &directive.grounds.redo;
    if !redo.is_empty() && !redo.iter().any(|id| superseded.contains(id)) {
        faults.push(DraftFault::NotRedone(redo[0].to_string()));
    }
    faults
}

/// Whether a step names, in what it is to achieve, know or meet, an input that the directive blocks. The working directory
/// is in every step, so that words do not tell whether it is used.
fn says_target(rules: &DraftRules<'_>, step: &PlannedStep, block: &BlockedTarget) -> bool {
    let binds = rules.targets_bind && rules.directive.is_some_and(|d| d.blocked_targets.contains(block));
    let places = TaskFolders {
        working_directory: rules.working_directory.to_owned(),
        workspace: rules.setting.workspace.clone(),
        home: rules.setting.home.clone(),
    };
    let criteria = step.success_criteria.iter().map(|criterion| match criterion {
        CriterionReply::Full(criterion) => criterion.text.as_str(),
        CriterionReply::Text(text) => text.as_str(),
    });
    let mut texts = criteria.chain([step.intent.as_str(), step.context.as_str()]);
    binds
        && block.target != rules.working_directory
        && texts.any(|text| names(&fold(text), &block.target, &places))
}

/// Whether one class includes the other: the same, or a bare `shell` for `shell:find`.
fn covers(wide: &str, narrow: &str) -> bool {
    wide == narrow || narrow.strip_prefix(wide).is_some_and(|rest| rest.starts_with(':'))
}

/// What the directive blocks, unless its targets do not bind any more, and what memory forbids, which always binds.
fn blocked_targets(rules: &DraftRules<'_>) -> Vec<BlockedTarget> {
    let directive = rules.directive.filter(|_| rules.targets_bind);
    let mut all: Vec<BlockedTarget> = directive.map(|d| d.blocked_targets.clone()).unwrap_or_default();
    all.extend(rules.memory.forbidden());
    all
}

/// A step of a draft as far as it may succeed another.
struct Successor<'a> {
    intent: &'a str,
    /// The step of the plan before whose place it takes.
    replaces: Option<SubtaskId>,
    only_step: bool,
}

/// For each step of the draft the one whose place it takes.
fn replaced(rules: &DraftRules<'_>, reply: &PlanReply) -> Vec<Option<SubtaskId>> {
    let established = || rules.directive.iter().flat_map(|d| &d.established).map(|o| &o.subtask);
    let matched: Vec<&SubTask> = established().collect();
    let last = rules.last.iter().flat_map(|plan| &plan.subtasks);
    let is_open = |step: &&SubTask| matched.iter().all(|kept| kept.subtask_id != step.subtask_id);
    let open: Vec<&SubTask> = last.filter(is_open).collect();
    lineage(&reply.subtasks, &open, &matched)
}

/// What the directive blocks for this step, and what a law forbids every step. A block binds what takes the place of the
/// step that failed; one of an earlier build, which does not say which that is, what is worded like it.
fn blocked_classes(rules: &DraftRules<'_>, step: &Successor<'_>) -> Vec<String> {
    let binds = |block: &&BlockedTool| match block.subtask {
        Some(failed) => step.replaces == Some(failed),
        None => succeeds(step.intent, &block.intent, step.only_step),
    };
    let directed = rules.directive.iter().flat_map(|d| &d.blocked_tools);
    let directed = directed.filter(binds).map(|b| b.class.clone());
    directed.chain(rules.memory.forbidden_classes()).collect()
}

fn bases<'a>(rules: &DraftRules<'a>) -> Bases<'a> {
    Bases {
        working_directory: rules.working_directory,
        workspace: &rules.setting.workspace,
        home: &rules.setting.home,
    }
}

fn kept_ids(rules: &DraftRules<'_>) -> Vec<SubtaskId> {
    rules.directive.iter().flat_map(|d| &d.established).map(|o| o.subtask_id).collect()
}

/// Established steps: those that the draft supersedes, and those that stay.
fn split_established(rules: &DraftRules<'_>, reply: &PlanReply) -> (Vec<SubtaskId>, Vec<SubtaskId>) {
    let is_superseded =
        |id: &SubtaskId| reply.subtasks.iter().any(|s| s.supersedes.contains(&id.to_string()));
    kept_ids(rules).into_iter().partition(is_superseded)
}

/// Task criteria freeze with the first valid plan; later plans may only add.
fn task_criteria(rules: &DraftRules<'_>, reply: &PlanReply) -> Vec<Criterion> {
    let mut criteria: Vec<Criterion> = rules.last.map(|m| m.task_criteria.clone()).unwrap_or_default();
    let frozen = !criteria.is_empty();
    // The criteria of the only step are those of the whole where nothing else is said.
    let said = match (frozen, reply.task_criteria.as_slice(), reply.subtasks.as_slice()) {
        (false, [], [only]) => &only.success_criteria,
        _ => &reply.task_criteria,
    };
    for added in said.iter().cloned().map(Criterion::from) {
        let known = criteria.iter().any(|c| fold(&c.text) == fold(&added.text));
        let full = frozen && criteria.len() >= MAX_CRITERIA;
        if !known && !full {
            criteria.push(added);
        }
    }
    criteria
}

/// The draft in which the only step is held to the criteria of the whole, where it has none of its own.
fn with_criteria_of_step(rules: &DraftRules<'_>, mut reply: PlanReply) -> PlanReply {
    let stays = !split_established(rules, &reply).1.is_empty();
    let mut whole = reply.task_criteria.clone();
    if let Some(last) = rules.last.filter(|_| whole.is_empty() && !stays) {
        whole = last.task_criteria.iter().cloned().map(CriterionReply::Full).collect();
    }
    if let [only] = reply.subtasks.as_mut_slice()
        && only.success_criteria.is_empty()
    {
        only.success_criteria = whole;
    }
    reply
}

/// Tool classes in the form in which they are compared.
pub(super) fn normal_tools(tools: &[String]) -> Vec<String> {
    let mut out: Vec<String> =
        tools.iter().map(|t| t.trim().to_lowercase()).filter(|t| !t.is_empty()).collect();
    out.dedup();
    out
}

fn manifest(rules: &DraftRules<'_>, reply: PlanReply) -> DispatchManifest {
    let mut task_criteria = task_criteria(rules, &reply);
    let only_step = reply.subtasks.len() == 1;
    let (superseded, kept) = split_established(rules, &reply);
    let output_from = reply.output_from;
    let replaced = replaced(rules, &reply);
    let mut subtasks: Vec<SubTask> = reply
        .subtasks
        .into_iter()
        .zip(replaced)
        .enumerate()
        .map(|(i, (step, replaces))| {
            let mut classes =
                blocked_classes(rules, &Successor { intent: &step.intent, replaces, only_step });
            classes.sort();
            classes.dedup();
            let replaces = replaces.filter(|_| rules.setting.control.steering.law.knows_lineage());
            SubTask { replaces, ..subtask(rules, i as u64, classes, step) }
        })
        .collect();
    let of_steps = subtasks.iter_mut().flat_map(|step| &mut step.success_criteria);
    demand_evidence(rules.request, task_criteria.iter_mut().chain(of_steps));
    let mut manifest = DispatchManifest {
        task_id: rules.task_id,
        round: rules.round,
        task_criteria,
        output_from: output_from.and_then(|i| subtasks.get(i)).map(|s| s.subtask_id),
        subtasks,
        kept,
        superseded,
        uncovered: Vec::new(),
        // What a model would have said above its answer nobody has checked.
        form: reply.form.filter(|_| !rules.setting.models.language_model),
    };
    derive::complete(&mut manifest, rules.raw_request, rules.request, bases(rules));
    manifest
}

fn subtask(rules: &DraftRules<'_>, index: u64, classes: Vec<String>, step: PlannedStep) -> SubTask {
    let targets = blocked_targets(rules);
    let about =
        StepSubject { intent: &step.intent, tools: &normal_tools(&step.tools), targets: &step.targets };
    SubTask {
        subtask_id: SubtaskId(rules.task_id.derive("subtask", rules.next_subtask + index)),
        parent_task_id: rules.task_id,
        round: rules.round,
        ordinal: u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1),
        sequence: step.sequence,
        intent: step.intent.trim().to_owned(),
        context: [step.context.as_str(), &not_begun(&step.calls)].concat(),
        prior_outputs: Vec::new(),
        tools: normal_tools(&step.tools),
        targets: step.targets.iter().map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect(),
        success_criteria: step.success_criteria.into_iter().map(Criterion::from).collect(),
        replaces: None,
        known: rules.memory.about_step(&about, bases(rules)),
        opening: opening(&step.calls),
        blocked: Blocks { classes, targets, cautions: rules.memory.cautions() },
    }
}

/// What the executor is told of planned calls for which its first turn has no room.
fn not_begun(calls: &[PlannedCall]) -> String {
    match calls.len().saturating_sub(MAX_PARALLEL) {
        0 => String::new(),
        more => format!(
            "\n(The first {MAX_PARALLEL} planned calls were begun with. {more} more were planned and not made.)"
        ),
    }
}

/// The calls that the step begins with, as many as one turn may hold.
fn opening(calls: &[PlannedCall]) -> Vec<OpeningCall> {
    let call = |call: &PlannedCall| OpeningCall {
        tool: call.tool.trim().to_owned(),
        arguments: call.arguments.to_string(),
        is_final: call.is_final,
    };
    calls.iter().take(MAX_PARALLEL).map(call).collect()
}
