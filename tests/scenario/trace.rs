//! The trace of a task: one line a message, with the facts that the next role acts on.

use artoo_types::chat::{ModelCallFinished, ModelCallStarted};
use artoo_types::control::{FinalResult, Loss, PlanDirective};
use artoo_types::criteria::CriterionVerdict;
use artoo_types::memory::MegramWrite;
use artoo_types::outcome::{ExecutionResult, ReplanRequest, SubTaskOutcome};
use artoo_types::plan::{DispatchManifest, SubTask};
use artoo_types::task::{ConfirmationRequest, ConfirmationResolved};
use artoo_types::text::first_chars;
use artoo_types::tool::ToolCallFinished;
use artoo_types::{Envelope, Message};

/// Characters of one text in a line.
const TEXT: usize = 90;

/// The trace of these envelopes, with `~` for the folder in which the task worked.
pub(crate) fn of<'a>(envelopes: impl Iterator<Item = &'a Envelope>, folder: &str) -> String {
    let lines: Vec<String> = envelopes.map(|envelope| line(envelope).replace(folder, "~")).collect();
    lines.join("\n")
}

fn line(envelope: &Envelope) -> String {
    let Envelope { sequence, round, from, to, .. } = envelope;
    let route = format!("{} -> {}", from.as_str(), to.as_str());
    let kind = envelope.payload.kind().as_str();
    let refused = if envelope.refused { "REFUSED " } else { "" };
    let facts = facts(&envelope.payload);
    format!("{sequence:>3} {round} {route:<18} {refused}{kind}: {facts}")
        .replace('\n', "\\n")
        .trim_end()
        .to_owned()
}

fn facts(message: &Message) -> String {
    match message {
        Message::TaskSubmitted(m) => m.input.clone(),
        Message::ClarificationRequest(m) => m.questions.join(" | "),
        Message::ClarificationAnswer(m) if m.assumed => "assumed".to_owned(),
        Message::ClarificationAnswer(m) => m.answer.clone(),
        Message::TaskSpec(m) => match &m.direct_answer {
            Some(answer) => format!("{} answers {answer:?}", m.slug),
            None => format!("{} | {} | {}", m.slug, m.intent, m.intent_tag.space),
        },
        Message::MemoryQuery(m) => m.tags.iter().map(|tag| tag.space.as_str()).collect::<Vec<_>>().join(", "),
        Message::MemoryReply(m) => format!("{} known", m.entries.len()),
        Message::PlanDraftRejected(m) => format!("{} | {}", word(&m.outcome), m.reasons.join("; ")),
        Message::DispatchManifest(m) => plan(m),
        Message::SubTask(m) => subtask(m),
        Message::ExecutionResult(m) => execution(m),
        Message::CorrectionSignal(m) => {
            let class = m.failure_class.map_or_else(String::new, |class| format!(" {}", word(&class)));
            format!("attempt {}{class} | {} | {}", m.attempt, m.what_was_wrong, m.what_to_do)
        }
        Message::SubTaskOutcome(m) => outcome(m),
        Message::ReplanRequest(m) => replan(m),
        Message::OutcomeSummary(m) => {
            format!(
                "{} | {} | {}",
                short(&m.merged_output.to_string()),
                m.summary,
                verdicts(&m.task_verdicts)
            )
        }
        Message::PlanDirective(m) => directive(m),
        Message::FarewellRequest(m) => format!("{} | {} outcomes", word(&m.reason), m.outcomes.len()),
        Message::Farewell(m) => match &m.left_out {
            Some(why) => format!("nothing: {why}"),
            None => format!("{} found | {}", m.found.len(), m.next_moves.join(" / ")),
        },
        Message::FinalResult(m) => end(m),
        Message::MegramWrite(m) => megram(m),
        Message::ConfirmationRequest(m) => question(m),
        Message::ConfirmationResolved(m) => resolved(m),
        Message::ToolCallStarted(m) => format!("{} {}", m.tool, short(&m.arguments)),
        Message::ToolCallFinished(m) => tool(m),
        Message::ModelCallStarted(m) => asked(m),
        Message::ModelCallFinished(m) => answered(m),
        Message::TaskCancelled(m) => format!("{} | {}", word(&m.cause), m.detail),
        Message::AuditQuery(_)
        | Message::AuditReport(_)
        | Message::AuditFindings(_)
        | Message::FindingAck(_)
        | Message::TaskUndo(_)
        | Message::TaskUndone(_)
        | Message::McpChange(_)
        | Message::MemoryChange(_)
        | Message::Lagged(_) => String::new(),
    }
}

fn plan(m: &DispatchManifest) -> String {
    let criteria: Vec<&str> = m.task_criteria.iter().map(|c| c.text.as_str()).collect();
    let steps: Vec<String> = m.subtasks.iter().map(|s| format!("{}. {}", s.sequence, s.intent)).collect();
    format!(
        "[{}] {} | {} kept, {} replaced",
        criteria.join("; "),
        steps.join(", "),
        m.kept.len(),
        m.superseded.len()
    )
}

fn subtask(m: &SubTask) -> String {
    let mut facts = format!("#{} {} | {}", m.ordinal, m.intent, m.tools.join(", "));
    if !m.prior_outputs.is_empty() {
        facts.push_str(&format!(" | after {} outputs", m.prior_outputs.len()));
    }
    if !m.blocked.is_empty() {
        let targets = m.blocked.targets.iter().map(|t| format!("{} {}", t.class, t.target));
        let blocked: Vec<String> = m.blocked.classes.iter().cloned().chain(targets).collect();
        if !blocked.is_empty() {
            facts.push_str(&format!(" | never {}", blocked.join(", ")));
        }
        let cautions: Vec<String> =
            m.blocked.cautions.iter().map(|t| format!("{} {}", t.class, t.target)).collect();
        if !cautions.is_empty() {
            facts.push_str(&format!(" | with care {}", cautions.join(", ")));
        }
    }
    facts
}

fn execution(m: &ExecutionResult) -> String {
    let receipts: Vec<String> = m.receipts.iter().map(|r| r.id.to_string()).collect();
    format!("attempt {} {} [{}] {}", m.attempt, word(&m.status), receipts.join(" "), short(&m.output))
}

fn outcome(m: &SubTaskOutcome) -> String {
    let denied = m.denied.map_or_else(String::new, |denial| format!(" denied ({})", word(&denial)));
    let reason = m.failure_reason.as_ref().map_or_else(String::new, |why| format!(" because {why}"));
    let attempts = m.gap_trajectory.len();
    format!("{}{denied}{reason} after {attempts} | {}", word(&m.status), verdicts(&m.criteria_verdicts))
}

fn replan(m: &ReplanRequest) -> String {
    format!("{} of {} failed | {}", m.failed_outcomes.len(), m.outcomes.len(), verdicts(&m.task_verdicts))
}

fn verdicts(verdicts: &[CriterionVerdict]) -> String {
    let one = |v: &CriterionVerdict| {
        let cites = v.cites.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let class = v.failure_class.map_or_else(String::new, |class| format!(" {}", word(&class)));
        format!("{}{class} by {cites}: {}", word(&v.verdict), v.criterion)
    };
    let all: Vec<String> = verdicts.iter().map(one).collect();
    if all.is_empty() { "not judged".to_owned() } else { all.join("; ") }
}

fn directive(m: &PlanDirective) -> String {
    let tools = m.blocked_tools.iter().map(|b| format!("{} for {}", b.class, b.intent));
    let targets = m.blocked_targets.iter().map(|b| format!("{} {}", b.class, b.target));
    let never: Vec<String> = tools.chain(targets).collect();
    let before: Vec<String> = m.failed_before.iter().map(|b| format!("{} {}", b.class, b.target)).collect();
    format!(
        "{} {}/{} {} {} | {} | never [{}] failed before [{}]",
        word(&m.directive),
        m.replan,
        m.max_replans,
        word(&m.failure_class),
        word(&m.urgency),
        figures(&m.loss, m.grad_q),
        never.join("; "),
        before.join("; ")
    )
}

fn end(m: &FinalResult) -> String {
    let unmet: Vec<&str> = m.unmet.iter().map(|u| u.criterion.as_str()).collect();
    let partial = if m.marks.partial { " partial" } else { "" };
    format!(
        "{} ({}){partial} {} | {} replans, {} model calls, {} tool calls | unmet [{}] | {}",
        word(&m.directive),
        m.reason.as_str(),
        short(&m.output.to_string()),
        m.replans,
        m.usage.model_calls(),
        m.usage.tool_calls,
        unmet.join("; "),
        figures(&m.loss, m.grad_q)
    )
}

fn figures(loss: &Loss, grad_q: f64) -> String {
    let (d, p, cost) = (loss.distance.get(), loss.implausibility.get(), loss.cost.get());
    format!("D {d:.2} P {p:.2} Ω {cost:.2} L {:.2} ∇Q {grad_q:+.2}", loss.total)
}

fn megram(m: &MegramWrite) -> String {
    let megram = &m.megram;
    format!("{} {} {} | f {} σ {}", megram.state, megram.tag.space, megram.tag.entity, megram.f, megram.sigma)
}

fn question(m: &ConfirmationRequest) -> String {
    let effects: Vec<String> = m.effects.iter().map(|effect| effect.as_str().to_owned()).collect();
    let undo = if m.undoable { "undoable" } else { "for good" };
    format!("{} {} | {} | {undo}", effects.join(", "), m.targets.join(", "), m.action)
}

fn resolved(m: &ConfirmationResolved) -> String {
    match m.denial {
        Some(denial) => format!("denied ({})", word(&denial)),
        None if m.approved => "approved".to_owned(),
        None => "denied".to_owned(),
    }
}

fn tool(m: &ToolCallFinished) -> String {
    let exit = m.exit.map_or_else(|| "none".to_owned(), |exit| exit.to_string());
    let (end, effect) = (word(&m.end), m.effect.as_str());
    format!("{} {} {effect} {end} exit {exit} | {} | {}", m.receipt, m.tool, m.target, short(&m.output))
}

fn asked(m: &ModelCallStarted) -> String {
    format!("call {}{}", m.call, if m.repair { " repairs" } else { "" })
}

fn answered(m: &ModelCallFinished) -> String {
    match &m.failure {
        Some(why) => format!("call {} failed: {why}", m.call),
        None => format!("call {}", m.call),
    }
}

fn short(text: &str) -> String {
    first_chars(text, TEXT)
}

/// The word that the journals use.
fn word(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}
