//! The short display of one task: a header, the plan, a line for each step with its evidence, what changed and why.

use std::collections::HashMap;

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{
    ConfirmationRequest, ConfirmationResolved, DispatchManifest, Event, ExecutionResult, MemoryReply,
    ModelCallFinished, PlanDraftRejected, ReplanRequest, SubTask, SubTaskOutcome, TaskSpec,
};
use artoo_protocol::words::{Denial, NoPlan, OutcomeStatus, Verdict};
use prost_types::Timestamp;

use crate::render::ending::{Answerer, TaskPast};
use crate::render::figures::{between, count, duration};
use crate::render::line::{LIST_LINES, and_more};
use crate::render::text::{columns, fit, one_line, pad};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone, ending, receipt, replan};

/// Most lines of what was seen of one step.
const SAW_LINES: usize = 3;
/// Most unmet criteria of one step that are shown; they mostly have one cause.
const UNMET_LINES: usize = 2;

/// Folds the events of one task into lines.
#[derive(Debug, Clone, Default)]
pub struct TaskScreen {
    /// Columns.
    width: usize,
    /// What stands beside the task's name: the provider and the workspace.
    subtitle: String,
    /// Also show the verdict on each criterion, with the evidence that it cites.
    evidence: bool,
    /// What is shown of each call.
    calls: CallDetail,
    steps: HashMap<String, StepProgress>,
    questions: HashMap<String, ConfirmationRequest>,
    /// What the end is told with besides the result.
    past: TaskPast,
    /// Columns of the intents of the plan.
    intents: usize,
    /// The language of the request, for what stands around the answer.
    language: Language,
}

/// How much of each call is shown.
#[derive(Debug, Clone, Copy, Default)]
enum CallDetail {
    #[default]
    Nothing,
    /// What was run, how it ended and what is to be known of it.
    Run,
    /// Also what it changed, wrote and put out.
    Whole,
}

/// A step of the plan, as far as it went.
#[derive(Debug, Clone, Default)]
struct StepProgress {
    ordinal: u32,
    intent: String,
    started: Option<Timestamp>,
}

impl TaskScreen {
    /// A screen of `width` columns; `subtitle` stands beside the task's name.
    pub fn new(width: usize, subtitle: &str) -> Self {
        Self { width, subtitle: one_line(subtitle), ..Self::default() }
    }

    /// The same screen with the verdict on each criterion.
    #[must_use]
    pub fn with_evidence(mut self) -> Self {
        self.evidence = true;
        self
    }

    /// The same screen with each call, and what was run by it.
    #[must_use]
    pub fn with_calls(mut self) -> Self {
        self.calls = CallDetail::Run;
        self
    }

    /// The same screen with each call: what was run, changed, written and put out.
    #[must_use]
    pub fn with_receipts(mut self) -> Self {
        self.calls = CallDetail::Whole;
        self
    }

    /// What is known of the end besides the result.
    pub fn past(&self) -> TaskPast {
        self.past
    }

    /// The lines that this event adds. A final result adds its lines too, the answer last.
    pub fn event(&mut self, event: &Event) -> Vec<Line> {
        if event.refused {
            let line = Line::plain("  ").add(Tone::Bad, "! not in the contract, delivered to nobody: ");
            let kind = artoo_protocol::json::event_kind(event);
            return vec![line.foreign(Tone::Plain, &format!("{kind} {} → {}", event.from, event.to))];
        }
        let lines = match &event.payload {
            Some(Payload::TaskSpec(spec)) => self.spec(spec),
            Some(Payload::MemoryReply(reply)) => memory(reply),
            Some(Payload::PlanDraftRejected(rejected)) => draft_rejected(rejected),
            Some(Payload::DispatchManifest(plan)) => self.plan(plan, event.round),
            Some(Payload::SubTask(step)) => self.step(step, event.time),
            Some(Payload::CorrectionSignal(signal)) => replan::correction(signal, self.width),
            Some(Payload::ExecutionResult(result)) => self.executed(result),
            Some(Payload::SubTaskOutcome(outcome)) => self.outcome(outcome, event.time.as_ref()),
            Some(Payload::ReplanRequest(request)) => self.fell_short(request),
            Some(Payload::PlanDirective(directive)) => replan::directive(directive, self.width),
            Some(Payload::ConfirmationRequest(question)) => self.question(question),
            Some(Payload::ConfirmationResolved(resolved)) => self.resolved(resolved),
            Some(Payload::TaskCancelled(stop)) => {
                vec![Line::plain("  ").add(Tone::Warn, "■ stopping   ").foreign(Tone::Plain, &stop.detail)]
            }
            Some(Payload::ModelCallFinished(call)) => self.asked(call),
            Some(Payload::FinalResult(result)) => {
                return ending::lines(result, self.past, self.language, self.width);
            }
            Some(Payload::Lagged(gap)) => vec![Line::plain("  ").add(
                Tone::Warn,
                format!("! too slow for the live stream: events {} to {} were dropped", gap.from, gap.to),
            )],
            Some(Payload::TaskSubmitted(task)) => {
                self.language = Language::of(&task.input);
                Vec::new()
            }
            Some(
                Payload::ClarificationRequest(_)
                | Payload::ClarificationAnswer(_)
                | Payload::MemoryQuery(_)
                | Payload::OutcomeSummary(_)
                | Payload::MegramWrite(_)
                | Payload::FarewellRequest(_)
                | Payload::Farewell(_)
                | Payload::ToolCallStarted(_)
                | Payload::ToolCallFinished(_)
                | Payload::ModelCallStarted(_)
                | Payload::AuditQuery(_)
                | Payload::AuditReport(_)
                | Payload::AuditFindings(_)
                | Payload::FindingAck(_)
                | Payload::TaskUndo(_)
                | Payload::TaskUndone(_)
                | Payload::McpChange(_)
                | Payload::MemoryChange(_),
            )
            | None => Vec::new(),
        };
        lines.into_iter().map(|line| line.fit(self.width)).collect()
    }

    /// A model, or the rules, were asked.
    fn asked(&mut self, call: &ModelCallFinished) -> Vec<Line> {
        if !call.model.is_empty() {
            self.past.answerer = Answerer::of(&call.model);
        }
        model_failure(call)
    }

    fn spec(&self, spec: &TaskSpec) -> Vec<Line> {
        let mut lines = vec![
            Line::new()
                .add(Tone::Accent, "● ")
                .foreign(Tone::Strong, &spec.slug)
                .add(Tone::Dim, format!("   {}", self.subtitle)),
        ];
        for assumption in &spec.assumptions {
            lines.push(Line::plain("  ").add(Tone::Warn, "assumed  ").foreign(Tone::Plain, assumption));
        }
        lines
    }

    fn plan(&mut self, plan: &DispatchManifest, round: u32) -> Vec<Line> {
        let longest = plan.subtasks.iter().map(|step| columns(&one_line(&step.intent))).max();
        self.intents = longest.unwrap_or_default().min((self.width / 2).saturating_sub(8));
        let mut lines = Vec::new();
        for (index, step) in plan.subtasks.iter().enumerate() {
            self.steps.insert(
                step.subtask_id.clone(),
                StepProgress { ordinal: step.ordinal, intent: one_line(&step.intent), started: None },
            );
            let beside = plan
                .subtasks
                .iter()
                .any(|other| other.subtask_id != step.subtask_id && other.sequence == step.sequence);
            let label = if index == 0 { "  plan   " } else { "         " };
            lines.push(
                Line::new()
                    .add(Tone::Dim, label)
                    .add(Tone::Plain, format!("{} {} ", step.ordinal, if beside { '∥' } else { '─' }))
                    .add(Tone::Plain, pad(&one_line(&step.intent), self.intents))
                    .foreign(Tone::Accent, &format!("  {}", step.tools.join(", ")))
                    .add(Tone::Dim, format!("   {}", criteria(&step.success_criteria))),
            );
            if self.evidence {
                lines.extend(step.success_criteria.iter().map(|criterion| {
                    Line::plain("             ")
                        .foreign(Tone::Dim, &format!("– {}{}", criterion.text, derived(criterion)))
                }));
            }
        }
        lines.extend(heeded(plan));
        if round > 0 && !plan.kept.is_empty() {
            let kept = format!("         keeps {}", count(plan.kept.len() as u64, "finished step"));
            lines.push(Line::new().add(Tone::Dim, kept));
        }
        if self.evidence {
            lines.extend(plan.task_criteria.iter().map(|criterion| {
                let text = format!("{}{}", criterion.text, derived(criterion));
                Line::new().add(Tone::Dim, "  goal   ").foreign(Tone::Dim, &text)
            }));
        }
        lines
    }

    fn step(&mut self, step: &SubTask, time: Option<Timestamp>) -> Vec<Line> {
        let entry = self.steps.entry(step.subtask_id.clone()).or_default();
        *entry = StepProgress { ordinal: step.ordinal, intent: one_line(&step.intent), started: time };
        Vec::new()
    }

    fn executed(&self, result: &ExecutionResult) -> Vec<Line> {
        let told = |one| match self.calls {
            CallDetail::Nothing => Vec::new(),
            CallDetail::Run => receipt::brief(one, self.width),
            CallDetail::Whole => receipt::lines(one, self.width),
        };
        result.receipts.iter().flat_map(told).collect()
    }

    fn outcome(&self, outcome: &SubTaskOutcome, time: Option<&Timestamp>) -> Vec<Line> {
        let planned = outcome.subtask.as_ref();
        let step = self.steps.get(&outcome.subtask_id).cloned().unwrap_or_else(|| StepProgress {
            ordinal: planned.map_or(0, |step| step.ordinal),
            intent: planned.map(|step| one_line(&step.intent)).unwrap_or_default(),
            started: None,
        });
        let (mark, tone, saw) = match outcome.status() {
            OutcomeStatus::Matched => ("✓", Tone::Good, proof(outcome)),
            OutcomeStatus::NotRun => ("·", Tone::Dim, "not run: an earlier step failed".to_owned()),
            OutcomeStatus::Failed | OutcomeStatus::Unknown(_) => {
                ("✗", Tone::Bad, outcome.failure_reason.clone().unwrap_or_default())
            }
        };
        let elapsed = match step.started {
            Some(_) => duration(between(step.started.as_ref(), time)),
            None => String::new(),
        };
        let intents = self.intents.max(columns(&step.intent).min((self.width / 2).saturating_sub(8)));
        let head = Line::plain(format!("  {} ", step.ordinal))
            .add(tone, format!("{mark} "))
            .add(Tone::Plain, pad(&step.intent, intents))
            .add(Tone::Dim, format!("  {}", pad(&elapsed, 9)));
        let mut lines = head.hanging(Tone::Plain, &saw, self.width, SAW_LINES);
        let mut unmet = 0;
        for verdict in &outcome.criteria_verdicts {
            let failed = verdict.verdict() != Verdict::Pass;
            unmet += usize::from(failed);
            if self.evidence || (failed && unmet <= UNMET_LINES) {
                let (word, tone) = if failed { ("unmet  ", Tone::Bad) } else { ("met    ", Tone::Good) };
                let cites = verdict.cites.as_ref().map(|id| format!(" [{id}]")).unwrap_or_default();
                let class = verdict.failure_class.as_deref().unwrap_or_default();
                lines.push(
                    Line::plain("        ")
                        .add(tone, word)
                        .foreign(
                            Tone::Plain,
                            &format!("\"{}\"", fit(&one_line(&verdict.criterion), self.width / 2)),
                        )
                        .foreign(Tone::Dim, &format!("{cites}  {class}"))
                        .foreign(Tone::Plain, &format!("  {}", verdict.evidence)),
                );
            }
        }
        if unmet > UNMET_LINES && !self.evidence {
            lines.push(
                Line::plain("        ").add(Tone::Dim, format!("and {} more unmet", unmet - UNMET_LINES)),
            );
        }
        lines
    }

    fn fell_short(&mut self, request: &ReplanRequest) -> Vec<Line> {
        let verdicts = || {
            request
                .outcomes
                .iter()
                .flat_map(|outcome| &outcome.criteria_verdicts)
                .chain(&request.task_verdicts)
        };
        // A criterion of a step and of the task in the same words is one.
        let mut told: HashMap<&str, bool> = HashMap::new();
        for verdict in verdicts() {
            *told.entry(verdict.criterion.trim()).or_insert(true) &= verdict.verdict() == Verdict::Pass;
        }
        self.past.achieved = Some((told.values().filter(|met| **met).count(), told.len()));
        Vec::new()
    }

    fn question(&mut self, question: &ConfirmationRequest) -> Vec<Line> {
        self.questions.insert(question.confirmation_id.clone(), question.clone());
        Vec::new()
    }

    fn resolved(&mut self, resolved: &ConfirmationResolved) -> Vec<Line> {
        let question = self.questions.remove(&resolved.confirmation_id).unwrap_or_default();
        if resolved.approved {
            let head = self.language.say(Phrase::Confirmed);
            return vec![Line::plain("  ").add(Tone::Good, head).foreign(Tone::Plain, &question.action)];
        }
        let why = match Denial::from(resolved.denial()) {
            Denial::Unanswered => Phrase::DeniedByNobody,
            Denial::Refused | Denial::Unknown(_) => Phrase::DeniedByYou,
        };
        vec![
            Line::plain("  ")
                .add(Tone::Bad, self.language.say(Phrase::NotDone))
                .foreign(Tone::Plain, &question.action)
                .add(Tone::Dim, self.language.say(why)),
        ]
    }
}

/// That the memory cannot be read. What it said otherwise is shown where the plan goes by it.
fn memory(reply: &MemoryReply) -> Vec<Line> {
    let line = |reason: &String| {
        let head = Line::plain("  ").add(Tone::Warn, "! planning without memory: ");
        head.foreign(Tone::Plain, reason)
    };
    reply.unavailable.iter().map(line).collect()
}

/// What of the memory the steps of a plan carry with them, each once.
fn heeded(plan: &DispatchManifest) -> Vec<Line> {
    let mut said: Vec<String> = Vec::new();
    for known in plan.subtasks.iter().flat_map(|step| &step.known) {
        let advice = format!("{}: {}", known.force, known.content);
        if !said.contains(&advice) {
            said.push(advice);
        }
    }
    let line = |(index, advice): (usize, &String)| {
        let head = if index == 0 { "  memory " } else { "         " };
        Line::new().add(Tone::Dim, head).foreign(Tone::Plain, advice)
    };
    let mut lines: Vec<Line> = said.iter().take(LIST_LINES).enumerate().map(line).collect();
    lines.extend(and_more(said.len(), "         "));
    lines
}

fn draft_rejected(rejected: &PlanDraftRejected) -> Vec<Line> {
    let head = match rejected.outcome() {
        NoPlan::SentBack => "plan sent back: ",
        NoPlan::Declined => "declined: ",
        NoPlan::CannotBeDone => "cannot be done: ",
        NoPlan::ModelUnavailable => "no model answers: ",
        NoPlan::WrongForm => "the model answers in no form that can be read: ",
        NoPlan::CannotPlan | NoPlan::Unknown(_) => "no valid plan: ",
    };
    let reason = match &rejected.decline {
        Some(decline) => decline.reason.clone(),
        None => rejected.reasons.join("; "),
    };
    vec![Line::plain("  ").add(Tone::Warn, format!("· {head}")).foreign(Tone::Plain, &reason)]
}

fn model_failure(call: &ModelCallFinished) -> Vec<Line> {
    let Some(failure) = &call.failure else { return Vec::new() };
    let role = one_line(&call.role);
    let head = match call.retry_in_ms {
        Some(wait) => format!("· waiting for the model ({role}), again in {}: ", duration(wait)),
        None => format!("! model call {} ({role}) failed: ", call.call),
    };
    vec![Line::plain("  ").add(Tone::Warn, head).foreign(Tone::Plain, failure)]
}

/// What shows that a step is done, in a few words: how many criteria hold, and how much there is.
fn proof(outcome: &SubTaskOutcome) -> String {
    let all = outcome.criteria_verdicts.len();
    let met = outcome.criteria_verdicts.iter().filter(|verdict| verdict.verdict() == Verdict::Pass).count();
    let lines = outcome.output.lines().filter(|line| !line.trim().is_empty()).count();
    let size = if lines == 0 { String::new() } else { format!(", {}", count(lines as u64, "line")) };
    format!("{met} of {all} met{size}")
}

/// `3 checks`, `2 checks, 1 judged`.
/// What is said of a criterion, or of its check, that code put into the plan.
fn derived(criterion: &artoo_protocol::v1::Criterion) -> &'static str {
    match criterion.derived.as_deref() {
        None => "",
        Some("unchanged") => " (may be as it was)",
        Some(_) => " (derived from the request)",
    }
}

fn criteria(criteria: &[artoo_protocol::v1::Criterion]) -> String {
    let checks = criteria.iter().filter(|criterion| criterion.check.is_some()).count();
    let judged = criteria.len() - checks;
    match (checks, judged) {
        (_, 0) => count(checks as u64, "check"),
        (0, _) => format!("{judged} judged"),
        (_, _) => format!("{}, {judged} judged", count(checks as u64, "check")),
    }
}
