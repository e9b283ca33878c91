//! One line for each message: enough to understand the log without the journals.

use artoo_types::chat::{ModelCallFinished, ModelCallStarted};
use artoo_types::control::{FinalResult, Loss, PlanDirective};
use artoo_types::memory::{MegramWrite, MemoryChange, MemoryQuery, MemoryReply};
use artoo_types::outcome::{ExecutionResult, SubTaskOutcome};
use artoo_types::task::{ClarificationAnswer, ConfirmationResolved};
use artoo_types::text::first_chars;
use artoo_types::tool::ToolCallFinished;
use artoo_types::undo::{TaskUndone, UndoOutcome};
use artoo_types::{Envelope, Message};

/// Characters of a summary.
const SUMMARY_CHARS: usize = 200;

/// What the envelope says, on one line of at most [`SUMMARY_CHARS`] characters and an ellipsis.
pub(crate) fn summary(envelope: &Envelope) -> String {
    let text = words(&envelope.payload);
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    first_chars(&line, SUMMARY_CHARS)
}

fn words(message: &Message) -> String {
    match message {
        Message::TaskSubmitted(m) => m.input.clone(),
        Message::ClarificationRequest(m) => m.questions.join(" / "),
        Message::ClarificationAnswer(m) => answer(m),
        Message::TaskSpec(m) => format!("{}: {}", m.slug, m.intent),
        Message::MemoryQuery(m) => question(m),
        Message::MemoryReply(m) => memory(m),
        Message::PlanDraftRejected(m) => format!("{:?}: {}", m.outcome, m.reasons.join("; ")),
        Message::DispatchManifest(m) => {
            format!("round {}: {} subtasks, {} kept", m.round, m.subtasks.len(), m.kept.len())
        }
        Message::SubTask(m) => format!("{} {}", m.subtask_id, m.intent),
        Message::ExecutionResult(m) => result(m),
        Message::CorrectionSignal(m) => {
            format!("{} attempt {} {:?}: {}", m.subtask_id, m.attempt, m.failure_class, m.what_was_wrong)
        }
        Message::SubTaskOutcome(m) => outcome(m),
        Message::ReplanRequest(m) => {
            format!("{} of {} outcomes failed: {}", m.failed_outcomes.len(), m.outcomes.len(), m.gap_summary)
        }
        Message::OutcomeSummary(m) => m.summary.clone(),
        Message::PlanDirective(m) => directive(m),
        Message::FarewellRequest(m) => format!("{} of {} outcomes", m.reason.as_str(), m.outcomes.len()),
        Message::Farewell(m) => match &m.left_out {
            Some(why) => format!("nothing is said: {why}"),
            None => m.found.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" / "),
        },
        Message::FinalResult(m) => end(m),
        Message::MegramWrite(m) => megram(m),
        Message::ConfirmationRequest(m) => format!("digest {} {}: {}", m.digest, m.tool, m.action),
        Message::ConfirmationResolved(m) => resolved(m),
        Message::ToolCallStarted(m) => format!("{} {}", m.tool, m.arguments),
        Message::ToolCallFinished(m) => tool_call(m),
        Message::ModelCallStarted(m) => model_call(m),
        Message::ModelCallFinished(m) => model_end(m),
        Message::TaskCancelled(m) => format!("{:?}: {}", m.cause, m.detail),
        Message::AuditQuery(_) => "the operator asks for a report".to_owned(),
        Message::AuditReport(m) => {
            let (tasks, anomalies) = (m.tasks_observed, m.anomalies.len());
            format!(
                "{:?}: {tasks} tasks, {anomalies} anomalies, head {} {}",
                m.trigger, m.head.seq, m.head.hash
            )
        }
        Message::AuditFindings(m) => m.findings.iter().map(|f| f.line()).collect::<Vec<_>>().join("; "),
        Message::FindingAck(m) => {
            format!("seen: {}", m.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        Message::TaskUndo(m) => {
            format!(
                "the operator undoes task {}{}",
                m.undone_task_id,
                if m.force { ", by force" } else { "" }
            )
        }
        Message::TaskUndone(m) => undone(m),
        Message::McpChange(m) => format!("{:?} {}: {}", m.step, m.server, m.tools.join(", ")),
        Message::MemoryChange(m) => memory_change(m),
        Message::Lagged(m) => format!("{} to {} dropped", m.from, m.to),
    }
}

fn undone(m: &TaskUndone) -> String {
    let count = |outcome| m.items.iter().filter(|item| item.outcome == outcome).count();
    format!(
        "task {}: {} restored, {} removed, {} left alone, {} failed",
        m.undone_task_id,
        count(UndoOutcome::Restored),
        count(UndoOutcome::Removed),
        count(UndoOutcome::Skipped),
        count(UndoOutcome::Failed)
    )
}

fn answer(m: &ClarificationAnswer) -> String {
    if m.assumed { "nobody answered; assumed".to_owned() } else { m.answer.clone() }
}

fn memory(m: &MemoryReply) -> String {
    match &m.unavailable {
        Some(why) => format!("unavailable: {why}"),
        None => format!("{} entries", m.entries.len()),
    }
}

fn question(m: &MemoryQuery) -> String {
    let intent = if m.intent.is_empty() { String::new() } else { format!(": {}", m.intent) };
    format!("{} tags{intent}", m.tags.len())
}

fn memory_change(m: &MemoryChange) -> String {
    let tags: Vec<String> = m.tags.iter().map(|tag| format!("({}, {})", tag.space, tag.entity)).collect();
    let ids: Vec<String> = m.ids.iter().map(ToString::to_string).collect();
    let about = [tags.join(" "), m.requests.join(" / "), m.why.clone(), ids.join(" ")];
    let about = about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    format!("{} {}: {about}", m.kind.as_str(), m.count)
}

fn result(m: &ExecutionResult) -> String {
    format!("{} attempt {} {:?}, {} calls", m.subtask_id, m.attempt, m.status, m.tool_calls.len())
}

fn outcome(m: &SubTaskOutcome) -> String {
    let passed = m.criteria_verdicts.iter().filter(|v| v.passed()).count();
    format!("{} {:?}, {passed} of {} criteria", m.subtask_id, m.status, m.criteria_verdicts.len())
}

fn directive(m: &PlanDirective) -> String {
    format!("{:?} {}/{} {}", m.directive, m.replan, m.max_replans, loss(&m.loss))
}

fn end(m: &FinalResult) -> String {
    let (reason, loss) = (m.reason.as_str(), loss(&m.loss));
    format!("{:?} ({reason}) {loss} after {} replans: {}", m.directive, m.replans, m.summary)
}

fn loss(loss: &Loss) -> String {
    let (d, p, cost) = (loss.distance.get(), loss.implausibility.get(), loss.cost.get());
    format!("D={d:.2} P={p:.2} Ω={cost:.2} L={:.2}", loss.total)
}

fn megram(m: &MegramWrite) -> String {
    let megram = &m.megram;
    let (space, entity) = (&megram.tag.space, &megram.tag.entity);
    format!("{} ({space}, {entity}) f={} σ={}", megram.state, megram.f, megram.sigma)
}

fn resolved(m: &ConfirmationResolved) -> String {
    format!("{} digest {}", if m.approved { "approved" } else { "denied" }, m.digest)
}

fn tool_call(m: &ToolCallFinished) -> String {
    let exit = m.exit.map_or("-".to_owned(), |e| e.to_string());
    format!("{} {} {} {:?} exit={exit} {}", m.receipt, m.tool, m.effect.as_str(), m.end, m.target)
}

fn model_call(m: &ModelCallStarted) -> String {
    format!("call {} of {}, {} characters", m.call, m.role.as_str(), m.prompt_chars)
}

fn model_end(m: &ModelCallFinished) -> String {
    let role = m.role.as_str();
    match &m.failure {
        Some(why) => format!("call {} of {role} failed: {why}", m.call),
        None => format!("call {} of {role}, {} ms, {}", m.call, m.elapsed_ms, m.model),
    }
}
