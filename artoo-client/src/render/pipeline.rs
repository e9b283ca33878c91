//! The pipeline: one line for every message on the bus, with the one detail that matters at that point of the loop.

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{
    AuditFindings, AuditReport, CorrectionSignal, DispatchManifest, Event, ExecutionResult, FinalResult,
    Megram, MemoryChange, MemoryReply, ModelCallStarted, PlanDirective, ReplanRequest, SubTask,
    SubTaskOutcome, TaskUndone, ToolCallFinished,
};
use artoo_protocol::words::{MacroState, MemoryAction, OutcomeStatus, Urgency, Verdict};

use crate::render::figures::{count, duration, gradient, implausibility, memories, percent};
use crate::render::text::{fit, one_line, pad};
use crate::render::{Line, Tone, receipt};

/// Columns of sender, arrow and receiver: `dispatcher → R3` is the widest that is common.
const ROUTE: usize = 16;
/// Columns of the widest kind, `clarification_request` and its equals.
const KIND: usize = 22;

/// One line for this event, at most `width` columns.
pub fn line(event: &Event, width: usize) -> Line {
    let summary = match &event.payload {
        Some(payload) => Summary::of(payload),
        None => Summary::new("a message that this version does not know"),
    };
    let kind = artoo_protocol::json::event_kind(event);
    let route = pad(&one_line(&format!("{} → {}", event.from, event.to)), ROUTE);
    let line = Line::new()
        .add(Tone::Dim, format!("{:>4} ", event.sequence))
        .add(Tone::Accent, route)
        .add(Tone::Plain, " ")
        .add(summary.tone, pad(kind, KIND))
        .add(Tone::Plain, " ");
    let line = if event.refused { line.add(Tone::Bad, "REFUSED ") } else { line };
    line.foreign(Tone::Plain, &summary.detail).fit(width)
}

/// What a message is in the pipeline.
struct Summary {
    /// What an observer of the loop wants to know at that point.
    detail: String,
    tone: Tone,
}

impl Summary {
    fn new(detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), tone: Tone::Strong }
    }

    fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// Of each kind of message, in the order of the protocol.
    fn of(payload: &Payload) -> Self {
        match payload {
            Payload::TaskSubmitted(m) => Self::new(&m.input),
            Payload::ClarificationRequest(m) => Self::new(m.questions.join(" | ")),
            Payload::ClarificationAnswer(m) => {
                let detail = if m.assumed { "nobody answered: assumed" } else { &m.answer };
                Self::new(detail)
            }
            Payload::TaskSpec(m) => Self::new(format!("{} | {}", m.slug, m.intent)),
            Payload::MemoryQuery(m) => {
                let spaces: Vec<&str> = m.tags.iter().map(|tag| tag.space.as_str()).collect();
                Self::new(spaces.join(", "))
            }
            Payload::MemoryReply(m) => Self::new(memory_reply(m)),
            Payload::PlanDraftRejected(m) => Self::new(format!("{} | {}", m.outcome, m.reasons.join("; "))),
            Payload::DispatchManifest(m) => Self::new(manifest(m)),
            Payload::SubTask(m) => Self::new(step(m)),
            Payload::ExecutionResult(m) => Self::new(execution(m)),
            Payload::CorrectionSignal(m) => correction(m),
            Payload::SubTaskOutcome(m) => outcome(m),
            Payload::ReplanRequest(m) => {
                let failed = failed_of(m);
                let detail = format!("{failed} | {}", m.gap_summary);
                Self::new(detail).tone(Tone::Warn)
            }
            Payload::OutcomeSummary(m) => Self::new(&m.summary),
            Payload::PlanDirective(m) => directive(m),
            Payload::FarewellRequest(m) => Self::new(&m.reason),
            Payload::Farewell(m) => Self::new(m.left_out.clone().unwrap_or_else(|| m.next_moves.join(" | "))),
            Payload::FinalResult(m) => final_result(m),
            Payload::MegramWrite(m) => Self::new(megram(&m.megram.clone().unwrap_or_default())),
            Payload::ConfirmationRequest(m) => {
                Self::new(format!("{} | {}", m.effects.join(", "), m.action)).tone(Tone::Warn)
            }
            Payload::ConfirmationResolved(m) if m.approved => Self::new("approved"),
            Payload::ConfirmationResolved(m) => {
                Self::new(format!("denied | {}", m.denial.as_deref().unwrap_or("refused")))
            }
            Payload::ToolCallStarted(m) => Self::new(format!("{} {}", m.tool, m.arguments)),
            Payload::ToolCallFinished(m) => Self::new(tool_call(m)),
            Payload::ModelCallStarted(m) => Self::new(model_request(m)),
            Payload::ModelCallFinished(m) => Self::new(match &m.failure {
                Some(failure) if m.retry_in_ms.is_some() => {
                    let again = duration(m.retry_in_ms());
                    format!("call {} waits for the model, again in {again} | {failure}", m.call)
                }
                Some(failure) => format!("call {} failed | {failure}", m.call),
                None => format!("call {} {} | {}", m.call, m.model, duration(m.elapsed_ms)),
            }),
            Payload::TaskCancelled(m) => Self::new(format!("{} | {}", m.cause, m.detail)).tone(Tone::Warn),
            Payload::AuditQuery(m) => Self::new(if m.include_window { "with the window" } else { "" }),
            Payload::AuditReport(m) => Self::new(audit_report(m)),
            Payload::AuditFindings(m) => Self::new(findings(m)).tone(Tone::Warn),
            Payload::FindingAck(m) => Self::new(m.findings.join(", ")),
            Payload::Lagged(m) => {
                Self::new(format!("events {} to {} were dropped", m.from, m.to)).tone(Tone::Warn)
            }
            Payload::TaskUndo(m) => Self::new(&m.undone_task_id),
            Payload::TaskUndone(m) => Self::new(task_undone(m)),
            Payload::McpChange(m) => Self::new(format!("{} {} | {}", m.server, m.step, m.tools.join(", "))),
            Payload::MemoryChange(m) => Self::new(memory_change(m)),
        }
    }
}

fn findings(found: &AuditFindings) -> String {
    let said =
        found.findings.iter().map(|finding| format!("{} {}: {}", finding.id, finding.kind, finding.detail));
    said.collect::<Vec<_>>().join("; ")
}

fn manifest(plan: &DispatchManifest) -> String {
    let steps = count(plan.subtasks.len() as u64, "step");
    format!("{steps} | {} for the whole", criteria(plan.task_criteria.len()))
}

fn step(step: &SubTask) -> String {
    let more = step.success_criteria.len().saturating_sub(1);
    let first = step.success_criteria.first().map(|criterion| criterion.text.as_str()).unwrap_or_default();
    let more = if more > 0 { format!(" (+{more})") } else { String::new() };
    format!("#{} {} | {first}{more}", step.ordinal, step.intent)
}

fn execution(result: &ExecutionResult) -> String {
    let receipts = count(result.receipts.len() as u64, "receipt");
    format!("attempt {} {} | {receipts}", result.attempt, result.status)
}

fn correction(signal: &CorrectionSignal) -> Summary {
    let attempt = format!("attempt {}", signal.attempt);
    Summary::new(format!("{attempt} | {} → {}", signal.what_was_wrong, signal.what_to_do)).tone(Tone::Warn)
}

fn final_result(result: &FinalResult) -> Summary {
    let loss = result.loss.unwrap_or_default();
    let detail = format!(
        "{} · {} | D {:.2}  P {}  ∇L {}  Ω {} | {}",
        result.directive,
        result.reason,
        loss.d,
        implausibility(&loss),
        gradient(result.grad_l, result.trajectory.len() < 2),
        percent(loss.omega),
        count(u64::from(result.replans), "replan")
    );
    let is_abandoned = result.directive() == MacroState::Abandon;
    Summary::new(detail).tone(if is_abandoned { Tone::Bad } else { Tone::Good })
}

fn megram(megram: &Megram) -> String {
    format!(
        "{} {} | σ {:+.1} f {:.2} | {}",
        megram.level, megram.space, megram.sigma, megram.f, megram.content
    )
}

fn tool_call(call: &ToolCallFinished) -> String {
    let exit = call.exit.map(|exit| format!(" exit {exit}")).unwrap_or_default();
    let changed = receipt::changed(&call.changes);
    format!("{} {} {}{exit} | {}{changed}", call.receipt, call.tool, call.end, duration(call.elapsed_ms))
}

fn model_request(call: &ModelCallStarted) -> String {
    let repair = if call.repair { ", repairs a reply" } else { "" };
    format!("call {} for {} | {} characters{repair}", call.call, call.role, call.prompt_chars)
}

fn audit_report(report: &AuditReport) -> String {
    format!(
        "{} | {}, {}, {} remarkable",
        report.trigger,
        count(report.tasks_observed, "task"),
        count(report.boundary_violations.len() as u64, "violation"),
        report.anomalies.len()
    )
}

fn task_undone(undone: &TaskUndone) -> String {
    let left = undone.items.iter().filter(|item| !item.why.is_empty()).count();
    format!("{} | {}, {left} left alone", undone.undone_task_id, count(undone.items.len() as u64, "path"))
}

fn memory_reply(reply: &MemoryReply) -> String {
    if let Some(reason) = &reply.unavailable {
        return format!("unavailable | {reason}");
    }
    let potentials = || reply.entries.iter().filter_map(|entry| entry.potentials.as_ref());
    let advised = |action| potentials().filter(|potentials| potentials.action() == action).count();
    let rules: usize = reply.entries.iter().map(|entry| entry.sops.len()).sum();
    format!(
        "{} exploit, {} avoid, {}",
        advised(MemoryAction::Exploit),
        advised(MemoryAction::Avoid),
        count(rules as u64, "rule")
    )
}

/// `forgotten 3 memories | intent:find_the_ten env:local | asked for`.
fn memory_change(change: &MemoryChange) -> String {
    let level = if change.level.is_empty() { String::new() } else { format!(" on level {}", change.level) };
    let many = match change.count {
        0 => String::new(),
        many => format!(" {}", memories(many)),
    };
    let tags = change.tags.iter().map(|tag| format!("{} {}", tag.space, tag.entity));
    let requests = change.requests.iter().map(|request| format!("\"{request}\""));
    let about: Vec<String> = tags.chain(requests).collect();
    let parts = [format!("{}{many}{level}", change.kind), about.join(", "), change.why.clone()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" | ")
}

fn outcome(outcome: &SubTaskOutcome) -> Summary {
    match outcome.status() {
        OutcomeStatus::Matched => Summary::new(&outcome.status).tone(Tone::Good),
        OutcomeStatus::NotRun | OutcomeStatus::Unknown(_) => Summary::new(&outcome.status),
        OutcomeStatus::Failed => {
            let score = outcome.gap_trajectory.last().map_or(0.0, |point| point.score);
            let unmet = outcome.criteria_verdicts.iter().find(|verdict| verdict.verdict() != Verdict::Pass);
            let unmet = unmet.map(|verdict| verdict.criterion.as_str()).or(outcome.failure_reason.as_deref());
            let unmet = fit(unmet.unwrap_or_default(), 60);
            Summary::new(format!("failed | score {score:.2} | unmet: {unmet}")).tone(Tone::Bad)
        }
    }
}

fn directive(directive: &PlanDirective) -> Summary {
    let arrow = match directive.urgency() {
        Urgency::Improving => "↓",
        Urgency::Worsening => "↑",
        Urgency::Steady | Urgency::Unknown(_) => "→",
    };
    let loss = directive.loss.unwrap_or_default();
    let detail = format!(
        "{arrow} {} | D {:.2}  P {}  ∇L {}  Ω {} | {}",
        directive.directive,
        loss.d,
        implausibility(&loss),
        gradient(directive.grad_l, directive.replan <= 1),
        percent(loss.omega),
        directive.rationale
    );
    Summary::new(detail).tone(Tone::Warn)
}

fn failed_of(request: &ReplanRequest) -> String {
    format!("{} of {} failed", request.failed_outcomes.len(), count(request.outcomes.len() as u64, "step"))
}

fn criteria(number: usize) -> String {
    if number == 1 { "1 criterion".to_owned() } else { format!("{number} criteria") }
}
