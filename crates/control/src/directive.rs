//! Turning a decision into a directive that a planner can follow.

use artoo_types::belief::{Grounds, VetoedStep};
use artoo_types::control::{Directive, Loss, PlanDirective, RoundFailure, Unmet, Urgency};
use artoo_types::criteria::FailureClass;
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::plan::BlockedTool;
use artoo_types::text::first_chars;
use artoo_types::{SubtaskId, TaskId};

use crate::blame::{DeadEnds, FailingCall, allowed_blocks, extend_new};
use crate::history::History;
use crate::loss::Gradient;
use crate::reading::{CriterionStatus, Reading, Round};
use crate::steering::is_cited;

/// Characters of why a step is vetoed.
const VETO_CHARS: usize = 400;

/// A finished round as the directive sees it.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredRound<'a> {
    /// What was reported.
    pub round: &'a Round,
    /// What it showed.
    pub reading: &'a Reading,
    /// What is to blame.
    pub calls: &'a [FailingCall<'a>],
    /// Its figures.
    pub loss: Loss,
    /// Their change.
    pub gradient: Gradient,
    /// How urgent the change is.
    pub urgency: Urgency,
}

/// The directive that one subtask gets. Where every call of it ran and only its output misses the criterion, another
/// target would not help: `change_path` becomes `refine` for that subtask.
pub fn for_subtask(directive: Directive, subtask: SubtaskId, calls: &[FailingCall<'_>]) -> Directive {
    let own = || calls.iter().filter(|c| c.outcome.subtask_id == subtask);
    match directive {
        Directive::ChangePath if own().next().is_some() && own().all(|c| !c.receipt.call_failed()) => {
            Directive::Refine
        }
        Directive::ChangePath | Directive::Refine | Directive::ChangeApproach | Directive::BreakSymmetry => {
            directive
        }
    }
}

/// The classes that the next plan must not use: none against the surroundings, those of this round for another
/// approach, those of every round to break symmetry; never the last usable one.
pub fn blocked_tools(
    directive: Directive,
    faults: &[BlockedTool],
    all_rounds: &[BlockedTool],
    tools: &[String],
) -> Vec<BlockedTool> {
    match directive {
        Directive::Refine | Directive::ChangePath => Vec::new(),
        Directive::ChangeApproach => allowed_blocks(faults, tools),
        Directive::BreakSymmetry => allowed_blocks(all_rounds, tools),
    }
}

/// Adds the dead ends of a round to the lists of the task, if the directive is one that blames the surroundings.
pub fn accumulate(history: &mut History, directive: Directive, ends: DeadEnds) {
    match directive {
        Directive::Refine | Directive::ChangePath => {
            let DeadEnds { mut blocked, mut failed_before } = ends;
            blocked.retain(|target| !history.calls.failed_before.contains(target));
            failed_before.retain(|target| !history.calls.blocked.contains(target));
            extend_new(&mut history.calls.blocked, blocked);
            extend_new(&mut history.calls.failed_before, failed_before);
        }
        Directive::ChangeApproach | Directive::BreakSymmetry => {}
    }
}

/// Builds the directive. `history` is what was known when the round ended: blocks already accumulated, the decision not
/// yet counted.
pub fn build(
    task_id: TaskId,
    max_replans: u32,
    directive: Directive,
    finished: MeasuredRound<'_>,
    blocked_tools: Vec<BlockedTool>,
    history: &History,
) -> PlanDirective {
    let MeasuredRound { round, reading, loss, gradient, urgency, .. } = finished;
    let now = reading.told().unmet;
    let unmet = in_rounds(&history.unmet, &now, history.trajectory.len());
    let tried = match directive {
        Directive::BreakSymmetry => history.calls.tried.clone(),
        Directive::Refine | Directive::ChangePath | Directive::ChangeApproach => Vec::new(),
    };
    PlanDirective {
        task_id,
        replan: history.directives.saturating_add(1),
        max_replans,
        loss,
        prev_directive: history.previous,
        directive,
        blocked_tools,
        blocked_targets: history.calls.blocked.clone(),
        failed_before: history.calls.failed_before.clone(),
        tried_classes: tried,
        failed_criterion: now.first().map_or_else(|| round.words.clone(), |u| u.criterion.clone()),
        failure_class: failure_class(reading),
        budget_pressure: loss.cost.get(),
        grad_l: gradient.literal,
        grad_q: gradient.quality,
        urgency,
        grounds: Grounds {
            rationale: rationale(directive, &finished, history.trajectory.is_empty()),
            vetoed: vetoed(round),
            ..Grounds::default()
        },
        unmet,
        established: round.outcomes.iter().filter(|o| o.matched()).cloned().collect(),
    }
}

/// What kind of failure the round was; mixed when both or neither.
pub fn failure_class(reading: &Reading) -> RoundFailure {
    let has = |class| reading.failures().any(|c| c == Some(class));
    match (has(FailureClass::Logical), has(FailureClass::Environmental)) {
        (true, false) => FailureClass::Logical.into(),
        (false, true) => FailureClass::Environmental.into(),
        (true, true) => RoundFailure::Mixed,
        (false, false) => RoundFailure::Neither,
    }
}

/// The matched steps on which a verdict on the whole failed: those that it cites, and the only one there is.
fn vetoed(round: &Round) -> Vec<VetoedStep> {
    let is_only = round.outcomes.len() == 1;
    let against = |outcome: &SubTaskOutcome| {
        let failing =
            round.task_verdicts.iter().find(|v| !v.passed() && (is_only || is_cited(v, outcome)))?;
        let why = format!("\"{}\" is not met: {}", failing.criterion, failing.evidence);
        Some(VetoedStep { subtask: outcome.subtask_id, why: first_chars(&why, VETO_CHARS) })
    };
    round.outcomes.iter().filter(|outcome| outcome.matched()).filter_map(against).collect()
}

/// What was unmet in the round before and in this one, each entry with the round it stems from, so that the two can be set side
/// by side; what is unmet in both for the same reason stands there once.
fn in_rounds(before: &[Unmet], now: &[Unmet], round: usize) -> Vec<Unmet> {
    let same = |one: &Unmet, other: &Unmet| {
        one.criterion.trim() == other.criterion.trim() && one.evidence == other.evidence
    };
    let label =
        |u: &Unmet, rounds: String| Unmet { evidence: format!("{rounds}: {}", u.evidence), ..u.clone() };
    let Some(earlier) = round.checked_sub(1) else {
        return now.iter().map(|u| label(u, format!("round {round}"))).collect();
    };
    let past = before.iter().filter(|u| now.iter().all(|other| !same(u, other)));
    let past = past.map(|u| label(u, format!("round {earlier}")));
    let of_both = |u: &Unmet| match before.iter().any(|other| same(u, other)) {
        true => label(u, format!("rounds {earlier} and {round}")),
        false => label(u, format!("round {round}")),
    };
    past.chain(now.iter().map(of_both)).collect()
}

fn rationale(directive: Directive, finished: &MeasuredRound<'_>, first: bool) -> String {
    let Loss { distance, implausibility, cost, .. } = finished.loss;
    let trend =
        if first { "first round".to_owned() } else { format!("∇Q {:+.2}", finished.gradient.quality) };
    let unknown = failure_class(finished.reading) == RoundFailure::Neither;
    let demand = match directive {
        Directive::Refine if unknown => {
            "there is movement, and nothing speaks against the approach: go on from here"
        }
        Directive::ChangePath | Directive::BreakSymmetry if unknown => {
            "no movement, and nothing shows that the approach or its inputs are wrong: look at what stopped it, and go \
             about it in smaller or other steps"
        }
        Directive::ChangeApproach if unknown => {
            "there is movement, and nothing shows that the approach is wrong: look at what stopped it"
        }
        Directive::Refine => "there is movement and the approach is sound: tighten the parameters",
        Directive::ChangePath => "no movement, but the approach is sound: use other inputs",
        Directive::ChangeApproach => "there is movement, but the approach is wrong: use another method",
        Directive::BreakSymmetry => {
            "no movement, and the approach is wrong: use a class of tool not used before"
        }
    };
    let mut text = format!(
        "D {:.2}, P {:.2}, Ω {:.2}, {trend}: {demand}.",
        distance.get(),
        implausibility.get(),
        cost.get()
    );
    match finished.urgency {
        Urgency::Improving => text.push_str(" It improves: keep the decomposition, change only what failed."),
        Urgency::Worsening => {
            text.push_str(" It gets worse: the plan must differ from both rounds before it.");
        }
        Urgency::Steady => {}
    }
    for outcome in &finished.round.outcomes {
        text.push_str(&remark(directive, outcome, finished.calls));
    }
    let open = finished.reading.all().filter(|j| j.finding == CriterionStatus::Unverified).count();
    if open > 0 {
        text.push_str(&format!(" {open} criteria are still without proof."));
    }
    text
}

/// What the planner should know about one subtask beyond the directive.
fn remark(directive: Directive, outcome: &SubTaskOutcome, calls: &[FailingCall<'_>]) -> String {
    let intent = &outcome.subtask.intent;
    if outcome.denied.is_some() && !outcome.matched() {
        return format!(" \"{intent}\" needed an action that was denied: do without it.");
    }
    if for_subtask(directive, outcome.subtask_id, calls) != directive {
        return format!(" \"{intent}\" ran, its output falls short: refine it, its inputs may stay.");
    }
    String::new()
}

#[cfg(test)]
mod tests;
