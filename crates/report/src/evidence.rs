//! The plans, round by round: each criterion with its verdict, and each call with what it did.

use artoo_types::criteria::{Criterion, CriterionVerdict, Verdict};
use artoo_types::evidence::{CallEnd, FileChange, Receipt};
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::SubTask;
use artoo_types::text::head_tail;
use maud::{Markup, html};

use crate::foreign;
use crate::seconds;
use crate::story::{RoundStory, TaskStory};

/// Characters of an output, an argument or a written text.
const MAX_TEXT: usize = 3_000;
/// Calls that are shown, shared by the steps: with three texts each the page stays below 3 million characters.
const MAX_CALLS: usize = 300;
/// Calls that are shown of each step in any case.
const LEAST_CALLS: usize = 3;

/// The section; empty for a task that was never planned.
pub(crate) fn section(story: &TaskStory) -> Markup {
    let steps = story.rounds.values().map(|round| round.outcomes.len()).sum::<usize>();
    let most = (MAX_CALLS / steps.max(1)).max(LEAST_CALLS);
    html! {
        @for (number, round) in &story.rounds {
            section {
                h2 { @if *number == 0 { "The plan, and what speaks for it" } @else { "Plan " (number + 1) } }
                (rejected(round))
                @if let Some(plan) = &round.plan {
                    (criteria("The task is done when", &plan.task_criteria, &round.task_verdicts))
                    @for step in &plan.subtasks {
                        @let outcome = round.outcomes.iter().find(|outcome| outcome.subtask_id == step.subtask_id);
                        (self::step(step, outcome, most))
                    }
                }
                @if !round.gap.is_empty() { p { (foreign(&round.gap)) } }
                @if let Some(directive) = &round.directive { p.dim { "Then: " (foreign(&directive.grounds.rationale)) } }
            }
        }
    }
}

fn rejected(round: &RoundStory) -> Markup {
    html! {
        @for draft in &round.rejected {
            details {
                @let many = if draft.reasons.len() == 1 { "reason" } else { "reasons" };
                summary.dim { "A draft was not taken (" (draft.reasons.len()) " " (many) ")" }
                ul { @for reason in &draft.reasons { li { (foreign(reason)) } } }
            }
        }
    }
}

fn criteria(title: &str, criteria: &[Criterion], verdicts: &[CriterionVerdict]) -> Markup {
    html! {
        @if !criteria.is_empty() {
            p.dim { (title) }
            table { tbody {
                @for (index, criterion) in criteria.iter().enumerate() {
                    @let verdict = verdicts.iter().find(|verdict| verdict.index == index);
                    tr {
                        td { (mark(verdict)) }
                        td { (foreign(&criterion.text)) }
                        td.dim {
                            @if let Some(verdict) = verdict {
                                @if let Some(cites) = &verdict.cites { "[" (cites.0) "] " }
                                (foreign(&head_tail(&verdict.evidence, MAX_TEXT)))
                            } @else { "not judged" }
                        }
                    }
                }
            } }
        }
    }
}

fn mark(verdict: Option<&CriterionVerdict>) -> Markup {
    match verdict.map(|verdict| verdict.verdict) {
        Some(Verdict::Pass) => html! { span.good { "✓" } },
        Some(Verdict::Fail) => html! { span.bad { "✗" } },
        None => html! { span.dim { "·" } },
    }
}

fn step(step: &SubTask, outcome: Option<&SubTaskOutcome>, most: usize) -> Markup {
    html! {
        h3 {
            (step.ordinal) ". " (foreign(&step.intent)) " "
            @if let Some(outcome) = outcome {
                @match outcome.status {
                    OutcomeStatus::Matched => span.good { "matched" },
                    OutcomeStatus::Failed => span.bad { "failed" },
                    OutcomeStatus::NotRun => span.dim { "not run" },
                }
            }
        }
        @let verdicts = outcome.map_or(&[][..], |outcome| &outcome.criteria_verdicts);
        (criteria("", &step.success_criteria, verdicts))
        @if let Some(outcome) = outcome {
            @if let Some(reason) = &outcome.failure_reason { p.bad { (foreign(reason)) } }
            @let calls: Vec<&Receipt> = outcome.all_receipts().collect();
            @for receipt in calls.iter().take(most) { (call(receipt)) }
            @if calls.len() > most { p.dim { (calls.len() - most) " more calls are not shown." } }
        }
    }
}

fn call(receipt: &Receipt) -> Markup {
    let class = if receipt.succeeded() { "good" } else { "bad" };
    html! {
        details {
            summary {
                span.(class) { (receipt.id.0) } " " (receipt.tool) " "
                span.dim { (receipt.effect.as_str()) " · " (end_word(receipt)) " · " (seconds(receipt.time.elapsed_ms)) }
            }
            pre { (foreign(&head_tail(&receipt.arguments, MAX_TEXT))) }
            @if let Some(note) = &receipt.note { p.warn { (foreign(note)) } }
            @if !receipt.act.changes.is_empty() {
                ul { @for change in &receipt.act.changes { (changed(change)) } }
            }
            @if receipt.act.changes_omitted > 0 { p.dim { (receipt.act.changes_omitted) " more changes are not listed." } }
            @if let Some(written) = &receipt.act.written { pre { (foreign(&head_tail(written, MAX_TEXT))) } }
            @if !receipt.output.is_empty() {
                pre { (foreign(&head_tail(&receipt.output, MAX_TEXT))) }
                p.dim { (receipt.output_bytes) " bytes in all · SHA-256 " (receipt.digest) }
            }
        }
    }
}

/// A changed file with its modes, and its digests before and after.
fn changed(change: &FileChange) -> Markup {
    let digests: Vec<&str> =
        [&change.before, &change.after].into_iter().flatten().map(String::as_str).collect();
    html! {
        li {
            (change.kind.as_str()) " " (foreign(&change.path))
            @if let Some(modes) = &change.modes { " " (modes.to_string()) }
            @if !digests.is_empty() { span.dim { " · SHA-256 " (foreign(&digests.join(" → "))) } }
        }
    }
}

fn end_word(receipt: &Receipt) -> String {
    match receipt.end {
        CallEnd::Ran => receipt.exit.map_or_else(|| "ran".to_owned(), |exit| format!("exit {exit}")),
        CallEnd::Error => "broke down".to_owned(),
        CallEnd::Timeout => "took too long".to_owned(),
        CallEnd::Cancelled => "cancelled".to_owned(),
        CallEnd::Denied => "not allowed".to_owned(),
        CallEnd::Refused => "refused".to_owned(),
        CallEnd::Interrupted => "interrupted".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn a_changed_file_is_shown_with_its_modes_and_digests() {
        let change = |value| changed(&serde_json::from_value(value).expect("a change")).into_string();
        let modes = serde_json::json!({"before": 0o644, "after": 0o755});
        let edited = serde_json::json!({"path": "/w/<a>", "kind": "changed", "before": "11aa", "after": "22bb", "modes": modes});
        assert_eq!(
            change(edited),
            "<li>changed /w/&lt;a&gt; mode 0644 -&gt; 0755<span class=\"dim\"> · SHA-256 11aa → 22bb</span></li>"
        );
        let made = serde_json::json!({"path": "/w", "kind": "made"});
        assert_eq!(change(made), "<li>made /w</li>");
    }
}
