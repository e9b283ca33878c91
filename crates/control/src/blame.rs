//! Which calls a failed round is blamed on, and what a directive may block because of them.
//!
//! A class block binds only the successor of the subtask that failed. A target is blocked only when its own call failed,
//! and never when it may be the only one there is. With blocks laid less carefully the controller does worse than a
//! planner that merely sees the failures.
//!
//! A directive remembers only the calls that it blames: `change_approach` the logical failures, the others the rest. A memory that
//! blames a tool for a missing file would misattribute the cause (Law 3).

use std::collections::BTreeSet;

use artoo_types::criteria::{Check, Criterion, FailureClass};
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::lesson::call_lesson;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::{BlockedTarget, BlockedTool};
use artoo_types::setting::Law;
use artoo_types::tag::fold;
use artoo_types::target::{normal_path, written_path};

use crate::reading::outcome_class;
use artoo_types::spelling::{TaskFolders, names, names_program};

/// A call that a failed subtask is blamed on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FailingCall<'a> {
    /// The subtask.
    pub outcome: &'a SubTaskOutcome,
    /// The call.
    pub receipt: &'a Receipt,
    /// The class of the failure; none when it could not be told, and then nothing is blocked because of it.
    pub fault: Option<FailureClass>,
}

impl FailingCall<'_> {
    /// The (class, target) that gets the blame.
    pub fn pair(&self) -> BlockedTarget {
        pair(self.receipt)
    }

    /// Whether the surroundings are to blame, and the call itself failed: only then is its target a dead end.
    pub fn dead_end(&self) -> bool {
        self.fault == Some(FailureClass::Environmental) && self.receipt.call_failed()
    }
}

/// The (class, target) that stands for a call.
pub fn pair(receipt: &Receipt) -> BlockedTarget {
    BlockedTarget { class: receipt.blame.clone(), target: receipt.target.clone() }
}

/// The failing calls of a round: for each failed subtask the receipts that the fail verdicts of its attempts cite, else
/// all calls of all attempts. Calls that code refused or that a stop cut short never reached their target, so they are blamed for nothing.
pub fn failing_calls(outcomes: &[SubTaskOutcome]) -> Vec<FailingCall<'_>> {
    outcomes.iter().filter(|o| o.status == OutcomeStatus::Failed).flat_map(failing_calls_of).collect()
}

fn failing_calls_of(outcome: &SubTaskOutcome) -> Vec<FailingCall<'_>> {
    let blame = |receipt: &'_ Receipt, classes: &[Option<FailureClass>]| call_lesson(receipt.into(), classes);
    let fails = || outcome.attempts().flat_map(|(verdicts, _)| verdicts).filter(|v| !v.passed());
    let cited = outcome.all_receipts().filter(|r| reached_target(r)).filter_map(|receipt| {
        let citing = fails().filter(|v| v.cites.as_ref() == Some(&receipt.id));
        let classes: Vec<_> = citing.map(|v| v.failure_class).collect();
        (!classes.is_empty()).then(|| FailingCall { outcome, receipt, fault: blame(receipt, &classes) })
    });
    let cited: Vec<FailingCall<'_>> = cited.collect();
    if !cited.is_empty() {
        return cited;
    }
    let mut all = Vec::new();
    for (verdicts, receipts) in outcome.attempts() {
        let mut classes: Vec<_> = verdicts.iter().filter(|v| !v.passed()).map(|v| v.failure_class).collect();
        if classes.is_empty() {
            classes.push(outcome_class(outcome));
        }
        let reached = receipts.iter().filter(|r| reached_target(r));
        all.extend(reached.map(|receipt| FailingCall { outcome, receipt, fault: blame(receipt, &classes) }));
    }
    all
}

fn reached_target(receipt: &Receipt) -> bool {
    match receipt.end {
        CallEnd::Ran | CallEnd::Error | CallEnd::Timeout | CallEnd::Denied | CallEnd::Interrupted => true,
        CallEnd::Cancelled | CallEnd::Refused => false,
    }
}

/// The class blocks that the logically failing calls ask for, each for the successor of its own subtask. What only reads
/// is never the wrong way to go about it, and a program that the request (folded) names is the one that was asked for.
pub fn class_faults(calls: &[FailingCall<'_>], request: &str, law: Law) -> Vec<BlockedTool> {
    let may_block =
        |receipt: &Receipt| receipt.effect != EffectClass::Read && !names_program(request, &receipt.blame);
    let logical = calls.iter().filter(|c| c.fault == Some(FailureClass::Logical) && may_block(c.receipt));
    let mut faults = Vec::new();
    extend_new(
        &mut faults,
        logical.map(|c| BlockedTool {
            class: c.receipt.blame.clone(),
            intent: fold(&c.outcome.subtask.intent),
            subtask: law.knows_lineage().then_some(c.outcome.subtask_id),
        }),
    );
    faults
}

/// The tool that only reads on in an output that is there already; alone it achieves nothing.
const NO_WAY_OF_ITS_OWN: &str = "read_output";

/// Those of `wanted` that leave every subtask at least one usable class of `tools`; earlier ones come first. Blocking
/// programs leaves the shell usable, since there are always other programs.
pub fn allowed_blocks(wanted: &[BlockedTool], tools: &[String]) -> Vec<BlockedTool> {
    let mut allowed: Vec<BlockedTool> = Vec::new();
    for block in wanted {
        let blocked = |tool: &String| {
            *tool == block.class
                || allowed
                    .iter()
                    .any(|b| (&b.intent, b.subtask) == (&block.intent, block.subtask) && b.class == *tool)
        };
        if tools.iter().any(|tool| tool != NO_WAY_OF_ITS_OWN && !blocked(tool)) && !allowed.contains(block) {
            allowed.push(block.clone());
        }
    }
    allowed
}

/// The targets of dead ends, parted by whether they may be blocked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeadEnds {
    /// What the planner guessed: blocked from now on.
    pub blocked: Vec<BlockedTarget>,
    /// What may be the only input there is: listed for the planner, never blocked.
    pub failed_before: Vec<BlockedTarget>,
}

/// What must not be blocked: what the request names, what matched steps produced, what the task has to produce.
#[derive(Debug, Clone)]
pub struct Untouchable<'a> {
    /// The request and its restatement, folded.
    pub request: String,
    /// Outputs of matched steps, folded.
    pub produced: Vec<String>,
    /// Pairs of matched steps that made or changed their target.
    pub made: BTreeSet<&'a str>,
    /// The criteria of the task.
    pub task_criteria: &'a [Criterion],
    /// Where relative paths start.
    pub places: &'a TaskFolders,
}

impl<'a> Untouchable<'a> {
    /// Collects it from a request and the outcomes of a round.
    pub fn new(
        request: &str,
        outcomes: &'a [SubTaskOutcome],
        task_criteria: &'a [Criterion],
        places: &'a TaskFolders,
    ) -> Self {
        let matched = || outcomes.iter().filter(|o| o.matched());
        let receipts = matched().flat_map(|o| o.all_receipts());
        let made = receipts.filter(|r| r.effect != EffectClass::Read && r.succeeded());
        Self {
            request: fold(request),
            produced: matched().map(|o| fold(&o.output)).collect(),
            made: made.map(|r| r.target.as_str()).collect(),
            task_criteria,
            places,
        }
    }

    fn holds(&self, call: &FailingCall<'_>) -> bool {
        let target = call.receipt.target.as_str();
        let own =
            (call.receipt.effect != EffectClass::Read).then_some(&call.outcome.subtask.success_criteria);
        let mut checked = self.task_criteria.iter().chain(own.into_iter().flatten());
        self.made.contains(target)
            || names(&self.request, target, self.places)
            || self.produced.iter().any(|output| names(output, target, self.places))
            || checked.any(|c| c.check.as_ref().is_some_and(|check| is_about(check, target, self.places)))
    }
}

/// Parts the dead ends among the failing calls. A call without a target blocks nothing.
pub fn dead_ends(calls: &[FailingCall<'_>], untouchable: &Untouchable<'_>) -> DeadEnds {
    let mut ends = DeadEnds::default();
    for call in calls.iter().filter(|c| c.dead_end() && !c.receipt.target.is_empty()) {
        let list = if untouchable.holds(call) { &mut ends.failed_before } else { &mut ends.blocked };
        extend_new(list, [call.pair()]);
    }
    ends
}

/// Appends what is not in the list yet, in order.
pub fn extend_new<T: PartialEq>(list: &mut Vec<T>, new: impl IntoIterator<Item = T>) {
    for item in new {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// Whether a check inspects the file `target`: then the file is what has to come out.
fn is_about(check: &Check, target: &str, places: &TaskFolders) -> bool {
    let bases = places.bases();
    match check {
        Check::FileExists { path }
        | Check::FileAbsent { path }
        | Check::FileContains { path, .. }
        | Check::FileLines { path, .. }
        | Check::FileJson { path, .. }
        | Check::FilesMatch { glob: path, .. } => {
            normal_path(path, bases) == target || written_path(path, bases) == target
        }
        Check::OutputContains { .. }
        | Check::OutputMatches { .. }
        | Check::OutputLines { .. }
        | Check::OutputJson { .. }
        | Check::ExitStatus { .. }
        | Check::ToolCalled { .. } => false,
    }
}

#[cfg(test)]
mod tests;
