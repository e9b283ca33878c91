//! The pipeline: one line for every message on the bus, with the one detail that matters at that point of the loop.

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{Event, PlanDirective, ReplanRequest, SubTaskOutcome};

use crate::render::figures::{count, duration, gradient, implausibility, percent};
use crate::render::text::{fit, one_line, pad};
use crate::render::{Line, Tone};

/// Columns of sender, arrow and receiver: `dispatcher → R3` is the widest that is common.
const ROUTE: usize = 16;
/// Columns of the widest kind, `clarification_request` and its equals.
const KIND: usize = 22;

/// One line for this event, at most `width` columns.
pub fn line(event: &Event, width: usize) -> Line {
    let kind = artoo_protocol::json::event_kind(event);
    let route = pad(&one_line(&format!("{} → {}", event.from, event.to)), ROUTE);
    let tone = tone(event);
    let line = Line::new()
        .add(Tone::Dim, format!("{:>4} ", event.sequence))
        .add(Tone::Accent, route)
        .add(Tone::Plain, " ")
        .add(tone, pad(kind, KIND))
        .add(Tone::Plain, " ");
    let line = if event.refused { line.add(Tone::Bad, "REFUSED ") } else { line };
    line.foreign(Tone::Plain, &detail(event)).fit(width)
}

/// What a spinner says after this message, while the next role works; none when nothing changes.
pub fn label(payload: &Payload) -> Option<String> {
    Some(match payload {
        Payload::TaskSubmitted(_) => "reading the request".to_owned(),
        Payload::ClarificationAnswer(_) => "reading the answer".to_owned(),
        Payload::TaskSpec(_) | Payload::MemoryReply(_) => "planning".to_owned(),
        Payload::MemoryQuery(_) => "asking the memory".to_owned(),
        Payload::DispatchManifest(_) => "scheduling the steps".to_owned(),
        Payload::SubTask(step) => format!("step {} · {}", step.ordinal, one_line(&step.intent)),
        Payload::ToolCallStarted(call) => format!("{} {}", one_line(&call.tool), one_line(&call.arguments)),
        Payload::ToolCallFinished(_) => "reading what came back".to_owned(),
        Payload::ExecutionResult(_) => "checking the result".to_owned(),
        Payload::CorrectionSignal(signal) => {
            format!("attempt {} · {}", signal.attempt, one_line(&signal.what_to_do))
        }
        Payload::SubTaskOutcome(outcome) if outcome.status == "matched" => "merging".to_owned(),
        Payload::SubTaskOutcome(_) => "step failed · assessing".to_owned(),
        Payload::ReplanRequest(request) => format!("{} · computing the gradient", failed_of(request)),
        Payload::OutcomeSummary(_) => "deciding".to_owned(),
        Payload::PlanDirective(directive) => format!("replanning · {}", one_line(&directive.rationale)),
        Payload::TaskCancelled(_) => "stopping".to_owned(),
        Payload::PlanDraftRejected(_)
        | Payload::ClarificationRequest(_)
        | Payload::FinalResult(_)
        | Payload::MegramWrite(_)
        | Payload::ConfirmationRequest(_)
        | Payload::ConfirmationResolved(_)
        | Payload::ModelCallStarted(_)
        | Payload::ModelCallFinished(_)
        | Payload::AuditQuery(_)
        | Payload::AuditReport(_)
        | Payload::TaskUndo(_)
        | Payload::TaskUndone(_)
        | Payload::McpChange(_)
        | Payload::MemoryChange(_)
        | Payload::Lagged(_) => return None,
    })
}

fn tone(event: &Event) -> Tone {
    match &event.payload {
        Some(Payload::SubTaskOutcome(outcome)) if outcome.status == "matched" => Tone::Good,
        Some(Payload::SubTaskOutcome(outcome)) if outcome.status == "failed" => Tone::Bad,
        Some(Payload::FinalResult(result)) if result.directive != "abandon" => Tone::Good,
        Some(Payload::FinalResult(_)) => Tone::Bad,
        Some(
            Payload::CorrectionSignal(_)
            | Payload::ReplanRequest(_)
            | Payload::PlanDirective(_)
            | Payload::ConfirmationRequest(_)
            | Payload::TaskCancelled(_)
            | Payload::Lagged(_),
        ) => Tone::Warn,
        _ => Tone::Strong,
    }
}

/// The checkpoint of each kind: what an observer of the loop wants to know at that point.
fn detail(event: &Event) -> String {
    match &event.payload {
        None => "a message that this version does not know".to_owned(),
        Some(Payload::TaskSubmitted(task)) => task.input.clone(),
        Some(Payload::ClarificationRequest(request)) => request.questions.join(" | "),
        Some(Payload::ClarificationAnswer(answer)) if answer.assumed => "nobody answered: assumed".to_owned(),
        Some(Payload::ClarificationAnswer(answer)) => answer.answer.clone(),
        Some(Payload::TaskSpec(spec)) => format!("{} | {}", spec.slug, spec.intent),
        Some(Payload::MemoryQuery(query)) => {
            let tags = query.tags.iter().map(|tag| tag.space.as_str()).collect::<Vec<_>>();
            tags.join(", ")
        }
        Some(Payload::MemoryReply(reply)) => memory(reply),
        Some(Payload::PlanDraftRejected(rejected)) => {
            format!("{} | {}", rejected.outcome, rejected.reasons.join("; "))
        }
        Some(Payload::DispatchManifest(plan)) => format!(
            "{} | {} for the whole",
            count(plan.subtasks.len() as u64, "step"),
            criteria(plan.task_criteria.len())
        ),
        Some(Payload::SubTask(step)) => {
            let more = step.success_criteria.len().saturating_sub(1);
            let first =
                step.success_criteria.first().map(|criterion| criterion.text.as_str()).unwrap_or_default();
            let more = if more > 0 { format!(" (+{more})") } else { String::new() };
            format!("#{} {} | {first}{more}", step.ordinal, step.intent)
        }
        Some(Payload::ExecutionResult(result)) => {
            let receipts = count(result.receipts.len() as u64, "receipt");
            format!("attempt {} {} | {receipts}", result.attempt, result.status)
        }
        Some(Payload::CorrectionSignal(signal)) => {
            format!("attempt {} | {} → {}", signal.attempt, signal.what_was_wrong, signal.what_to_do)
        }
        Some(Payload::SubTaskOutcome(outcome)) => outcome_detail(outcome),
        Some(Payload::ReplanRequest(request)) => format!("{} | {}", failed_of(request), request.gap_summary),
        Some(Payload::OutcomeSummary(summary)) => summary.summary.clone(),
        Some(Payload::PlanDirective(directive)) => directive_detail(directive),
        Some(Payload::FinalResult(result)) => {
            let loss = result.loss.unwrap_or_default();
            format!(
                "{} · {} | D {:.2}  P {}  ∇L {}  Ω {} | {}",
                result.directive,
                result.reason,
                loss.d,
                implausibility(&loss),
                gradient(result.grad_l, result.trajectory.len() < 2),
                percent(loss.omega),
                count(u64::from(result.replans), "replan")
            )
        }
        Some(payload) => runtime_detail(payload),
    }
}

/// Details of what the runtime, the person and the operator send.
#[allow(clippy::wildcard_enum_match_arm, reason = "the loop's own messages are told by `detail`")]
fn runtime_detail(payload: &Payload) -> String {
    match payload {
        Payload::MegramWrite(write) => {
            let megram = write.megram.clone().unwrap_or_default();
            format!(
                "{} {} | σ {:+.1} f {:.2} | {}",
                megram.level, megram.space, megram.sigma, megram.f, megram.content
            )
        }
        Payload::ConfirmationRequest(question) => {
            format!("{} | {}", question.effects.join(", "), question.action)
        }
        Payload::ConfirmationResolved(resolved) if resolved.approved => "approved".to_owned(),
        Payload::ConfirmationResolved(resolved) => {
            format!("denied | {}", resolved.denial.as_deref().unwrap_or("refused"))
        }
        Payload::ToolCallStarted(call) => format!("{} {}", call.tool, call.arguments),
        Payload::ToolCallFinished(call) => {
            let exit = call.exit.map(|exit| format!(" exit {exit}")).unwrap_or_default();
            format!("{} {} {}{exit} | {}", call.receipt, call.tool, call.end, duration(call.elapsed_ms))
        }
        Payload::ModelCallStarted(call) => {
            let repair = if call.repair { ", repairs a reply" } else { "" };
            format!("call {} for {} | {} characters{repair}", call.call, call.role, call.prompt_chars)
        }
        Payload::ModelCallFinished(call) => match &call.failure {
            Some(failure) => format!("call {} failed | {failure}", call.call),
            None => format!("call {} {} | {}", call.call, call.model, duration(call.elapsed_ms)),
        },
        Payload::TaskCancelled(stop) => format!("{} | {}", stop.cause, stop.detail),
        Payload::AuditQuery(query) if query.include_window => "with the window".to_owned(),
        Payload::AuditReport(report) => format!(
            "{} | {}, {}, {} remarkable",
            report.trigger,
            count(report.tasks_observed, "task"),
            count(report.boundary_violations.len() as u64, "violation"),
            report.anomalies.len()
        ),
        Payload::TaskUndo(undo) => undo.undone_task_id.clone(),
        Payload::TaskUndone(undone) => {
            let kept = undone.items.iter().filter(|item| !item.why.is_empty()).count();
            format!(
                "{} | {}, {kept} left alone",
                undone.undone_task_id,
                count(undone.items.len() as u64, "path")
            )
        }
        Payload::McpChange(change) => {
            format!("{} {} | {}", change.server, change.step, change.tools.join(", "))
        }
        Payload::MemoryChange(change) => memory_change(change),
        Payload::Lagged(gap) => format!("events {} to {} were dropped", gap.from, gap.to),
        _ => String::new(),
    }
}

fn memory(reply: &artoo_protocol::v1::MemoryReply) -> String {
    match &reply.unavailable {
        Some(reason) => format!("unavailable | {reason}"),
        None => {
            let advised = |action: &str| {
                reply
                    .entries
                    .iter()
                    .filter(|entry| entry.potentials.as_ref().is_some_and(|p| p.action == action))
                    .count()
            };
            let rules: usize = reply.entries.iter().map(|entry| entry.sops.len()).sum();
            format!(
                "{} exploit, {} avoid, {}",
                advised("exploit"),
                advised("avoid"),
                count(rules as u64, "rule")
            )
        }
    }
}

/// `forgotten 3 memories | intent:find_the_ten env:local | asked for`.
fn memory_change(change: &artoo_protocol::v1::MemoryChange) -> String {
    let level = if change.level.is_empty() { String::new() } else { format!(" on level {}", change.level) };
    let many = match change.count {
        0 => String::new(),
        1 => " 1 memory".to_owned(),
        many => format!(" {many} memories"),
    };
    let tags = change.tags.iter().map(|tag| format!("{} {}", tag.space, tag.entity));
    let requests = change.requests.iter().map(|request| format!("\"{request}\""));
    let about: Vec<String> = tags.chain(requests).collect();
    let parts = [format!("{}{many}{level}", change.kind), about.join(", "), change.why.clone()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" | ")
}

fn outcome_detail(outcome: &SubTaskOutcome) -> String {
    if outcome.status != "failed" {
        return outcome.status.clone();
    }
    let score = outcome.gap_trajectory.last().map_or(0.0, |point| point.score);
    let unmet = outcome.criteria_verdicts.iter().find(|verdict| verdict.verdict != "pass");
    let unmet = unmet.map(|verdict| verdict.criterion.as_str()).or(outcome.failure_reason.as_deref());
    format!("failed | score {score:.2} | unmet: {}", fit(unmet.unwrap_or_default(), 60))
}

fn directive_detail(directive: &PlanDirective) -> String {
    let arrow = match directive.urgency.as_str() {
        "improving" => "↓",
        "worsening" => "↑",
        _ => "→",
    };
    let loss = directive.loss.unwrap_or_default();
    format!(
        "{arrow} {} | D {:.2}  P {}  ∇L {}  Ω {} | {}",
        directive.directive,
        loss.d,
        implausibility(&loss),
        gradient(directive.grad_l, directive.replan <= 1),
        percent(loss.omega),
        directive.rationale
    )
}

fn failed_of(request: &ReplanRequest) -> String {
    format!("{} of {} failed", request.failed_outcomes.len(), count(request.outcomes.len() as u64, "step"))
}

fn criteria(number: usize) -> String {
    if number == 1 { "1 criterion".to_owned() } else { format!("{number} criteria") }
}
