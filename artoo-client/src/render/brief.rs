//! The display for somebody who wants the answer: one living line while the task works, then the answer and one line
//! of figures, or the cause and what helps. Plan, verdicts and losses are `-v`'s and `artoo show`'s.

use std::collections::{BTreeMap, BTreeSet};

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{ConfirmationRequest, ConfirmationResolved, Event, FinalResult, ModelCallFinished};
use artoo_protocol::words::{Denial, OutcomeStatus};

use crate::render::figures::{cost, count, duration, model_calls, short_id};
use crate::render::line::{LIST_LINES, and_more};
use crate::render::text::{columns, fit, one_line, wrap};
use crate::render::{Line, Said, Tone, ending, pipeline};

/// Most lines of advice after a task that came to nothing: more is not read.
const ADVICE: usize = 3;
/// What the living line ends with where there is room.
const STOPS: &str = "Ctrl+C stops";
/// What goes on while the model is busy or gone.
const WAITS: &str = "waiting for the model";
/// What answers where no model is configured, as model calls name it.
const OFFLINE_RULES: &str = "offline-rules";

/// Folds the events of one task.
#[derive(Debug, Clone, Default)]
pub struct BriefScreen {
    width: usize,
    /// What goes on.
    doing: String,
    /// The command or the arguments of the call that runs.
    call: String,
    /// The steps of the plan, and whether each has matched.
    steps: BTreeMap<String, bool>,
    /// Files that calls changed.
    changed: BTreeSet<String>,
    /// Calls that began, and those of them whose changes were looked at to the last one.
    calls: (usize, usize),
    /// Whether a model had a part in it.
    model: bool,
    /// Whether the model is waited for.
    waits: bool,
    questions: BTreeMap<String, ConfirmationRequest>,
}

impl BriefScreen {
    /// A screen of `width` columns.
    pub fn new(width: usize) -> Self {
        Self { width, doing: "reading the request".to_owned(), ..Self::default() }
    }

    /// The screen has another width now.
    pub fn resize(&mut self, width: usize) {
        self.width = width;
    }

    /// Takes an event in; the lines are what a person has to know at once.
    pub fn event(&mut self, event: &Event) -> Vec<Line> {
        let Some(payload) = event.payload.as_ref().filter(|_| !event.refused) else { return Vec::new() };
        if let Some(label) = pipeline::label(payload) {
            self.doing = label;
            self.call.clear();
        }
        self.learn(payload);
        self.at_once(payload).into_iter().map(|line| line.fit(self.width)).collect()
    }

    /// What the living line and the end will tell.
    fn learn(&mut self, payload: &Payload) {
        if let Payload::DispatchManifest(plan) = payload {
            let before = std::mem::take(&mut self.steps);
            let kept = plan.kept.iter().filter_map(|id| before.get_key_value(id));
            self.steps = kept.map(|(id, done)| (id.clone(), *done)).collect();
            for step in &plan.subtasks {
                self.steps.entry(step.subtask_id.clone()).or_default();
            }
        } else if let Payload::SubTask(step) = payload {
            self.doing = one_line(&step.intent);
        } else if let Payload::ToolCallStarted(call) = payload {
            self.doing = one_line(&call.tool);
            self.call = one_line(&command(&call.arguments));
            self.calls.0 += 1;
        } else if let Payload::ExecutionResult(result) = payload {
            let changes = result.receipts.iter().flat_map(|receipt| &receipt.changes);
            self.changed.extend(changes.map(|change| change.path.clone()));
            self.calls.1 += result.receipts.iter().filter(|one| one.changes_omitted == 0).count();
        } else if let Payload::SubTaskOutcome(outcome) = payload {
            self.steps.insert(outcome.subtask_id.clone(), outcome.status() == OutcomeStatus::Matched);
        } else if let Payload::ReplanRequest(_) | Payload::PlanDirective(_) = payload {
            self.doing = "that was not enough: planning another way".to_owned();
        } else if let Payload::ConfirmationRequest(question) = payload {
            self.questions.insert(question.confirmation_id.clone(), question.clone());
        } else if let Payload::ModelCallFinished(call) = payload {
            self.model |= !call.model.is_empty() && call.model != OFFLINE_RULES;
            if call.retry_in_ms.is_some() {
                self.doing = WAITS.to_owned();
                self.call = one_line(call.failure());
            } else if self.doing == WAITS {
                self.doing = "the model answers again".to_owned();
                self.call.clear();
            }
        }
    }

    /// What cannot wait for the end.
    fn at_once(&mut self, payload: &Payload) -> Vec<Line> {
        let warned = |head: &str, text: &str| note(Tone::Warn, head, text);
        if let Payload::TaskSpec(spec) = payload {
            spec.assumptions.iter().map(|text| warned("assumed: ", text)).collect()
        } else if let Payload::MemoryReply(reply) = payload {
            reply.unavailable.iter().map(|why| warned("! planning without memory: ", why)).collect()
        } else if let Payload::ModelCallFinished(call) = payload {
            self.no_answer(call).into_iter().collect()
        } else if let Payload::TaskCancelled(stop) = payload {
            vec![warned("■ stopping: ", &stop.detail)]
        } else if let Payload::ConfirmationResolved(resolved) = payload {
            self.resolved(resolved)
        } else {
            Vec::new()
        }
    }

    /// A model that did not answer. That it is waited for is said once, until it answers again.
    fn no_answer(&mut self, call: &ModelCallFinished) -> Option<Line> {
        let (waits, waited) = (call.retry_in_ms.is_some(), self.waits);
        self.waits = waits;
        match &call.failure {
            Some(_) if waits && waited => None,
            Some(why) if waits => Some(note(Tone::Warn, "· waiting for the model: ", why)),
            Some(why) => Some(note(Tone::Warn, "! the model did not answer: ", why)),
            None => None,
        }
    }

    fn resolved(&mut self, resolved: &ConfirmationResolved) -> Vec<Line> {
        let question = self.questions.remove(&resolved.confirmation_id).unwrap_or_default();
        if resolved.approved {
            return vec![note(Tone::Good, "✓ confirmed: ", &question.action)];
        }
        let why = match Denial::from(resolved.denial()) {
            Denial::Unanswered => " (nobody confirmed)",
            Denial::Refused | Denial::Unknown(_) => " (you said no)",
        };
        vec![note(Tone::Bad, "[LAW1] not done: ", &question.action).add(Tone::Dim, why)]
    }

    /// The living line: seconds, what goes on, the command, how far it is.
    pub fn living(&self, elapsed_ms: u64) -> String {
        let seconds =
            if elapsed_ms < 60_000 { format!("{} s", elapsed_ms / 1000) } else { duration(elapsed_ms) };
        let mut line = format!("{seconds}  {}", self.doing);
        if !self.call.is_empty() {
            line = format!("{line}  {}", self.call);
        }
        let mut tail = String::new();
        if self.steps.len() > 1 {
            tail = format!("   {} of {} steps", self.matched(), self.steps.len());
        }
        tail = format!("{tail}   {STOPS}");
        // The spinner takes three columns, and one stays free.
        let room = self.width.saturating_sub(columns(&tail) + 5);
        format!("{}{tail}", fit(&line, room))
    }

    fn matched(&self) -> usize {
        self.steps.values().filter(|matched| **matched).count()
    }

    /// The end of the task.
    pub fn ending(&self, result: &FinalResult) -> Vec<Said> {
        let delivered = result.directive().is_delivered();
        let mut said = Vec::new();
        if !delivered {
            said.extend(self.cause(result).into_iter().map(Said::Note));
        }
        said.extend(ending::answer(result, self.width));
        if delivered {
            let open = result.unmet.iter().take(LIST_LINES);
            said.extend(open.map(|unmet| {
                let text = format!("{}: {}", one_line(&unmet.criterion), one_line(&unmet.evidence));
                Said::Note(note(Tone::Warn, "! open: ", &text).fit(self.width))
            }));
            said.extend(and_more(result.unmet.len(), "").map(Said::Note));
        }
        said.extend(self.figures(result, delivered).into_iter().map(Said::Note));
        said
    }

    /// Why it came to nothing, what was tried, what helps.
    pub fn cause(&self, result: &FinalResult) -> Vec<Line> {
        let mut summary = wrap(&one_line(&result.summary), self.width.saturating_sub(2)).into_iter();
        let first = summary.next().unwrap_or_default();
        let mut lines = vec![Line::new().add(Tone::Bad, "✗ ").add(Tone::Strong, first)];
        lines.extend(summary.map(|line| Line::plain("  ").add(Tone::Strong, line)));
        if !result.tried.is_empty() {
            lines.push(note(Tone::Dim, "  tried: ", &result.tried.join(", ")).fit(self.width));
        }
        for next in result.next_moves.iter().filter(|next| !next.contains("artoo show")).take(ADVICE) {
            let pieces = wrap(&one_line(next), self.width.saturating_sub(4));
            for (index, piece) in pieces.into_iter().enumerate() {
                lines.push(
                    Line::new()
                        .add(Tone::Accent, if index == 0 { "  → " } else { "    " })
                        .add(Tone::Plain, piece),
                );
            }
        }
        lines
    }

    /// One dim line, two on a narrow screen: how long, how much, what changed, where the rest is.
    fn figures(&self, result: &FinalResult, delivered: bool) -> Vec<Line> {
        let usage = result.usage.clone().unwrap_or_default();
        let id = one_line(short_id(&result.task_id));
        let mut parts = vec![duration(usage.elapsed_ms)];
        if self.steps.len() > 1 {
            parts.push(format!("{} of {} steps", self.matched(), self.steps.len()));
        }
        if self.model {
            parts.push(count(model_calls(&usage), "model call"));
            parts.extend(cost(&usage));
        }
        if result.replans > 0 {
            parts.push(format!("planned {} times", result.replans + 1));
        }
        match self.changed.len() {
            0 if !delivered && self.calls.0 <= self.calls.1 => parts.push("nothing was changed".to_owned()),
            0 => {}
            changed => parts.push(format!("{} changed (artoo undo {id})", count(changed as u64, "file"))),
        }
        parts.push(format!("more: artoo show {id} -v"));
        let mut lines = vec![if delivered { Line::new().add(Tone::Good, "✓ ") } else { Line::plain("  ") }];
        for (index, part) in parts.into_iter().enumerate() {
            let line = lines.pop().unwrap_or_default();
            let longer =
                line.clone().add(Tone::Dim, format!("{}{part}", if index == 0 { "" } else { " · " }));
            if longer.columns() <= self.width {
                lines.push(longer);
            } else {
                lines.extend([line, Line::plain("  ").add(Tone::Dim, part).fit(self.width)]);
            }
        }
        lines
    }
}

/// A line that begins with a word of ours and goes on with somebody else's.
fn note(tone: Tone, head: &str, text: &str) -> Line {
    Line::new().add(tone, head).foreign(Tone::Plain, text)
}

/// The command of a shell call, else the arguments as they are.
fn command(arguments: &str) -> String {
    let read: serde_json::Value = serde_json::from_str(arguments).unwrap_or_default();
    let text = |name: &str| read.get(name).and_then(serde_json::Value::as_str);
    let known = ["command", "path", "pattern", "query", "url"].into_iter().find_map(text);
    known.unwrap_or(arguments).to_owned()
}
