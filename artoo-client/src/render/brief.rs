//! The display for somebody who wants the answer: one living line while the task works, then the answer and one line
//! of figures, or the cause and what helps. Plan, verdicts and losses are `-v`'s and `artoo show`'s.

use std::collections::BTreeMap;

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{ConfirmationRequest, ConfirmationResolved, Event, FinalResult, ModelCallFinished};
use artoo_protocol::words::{Denial, OutcomeStatus, Reason};

use crate::render::changes::ChangedPlaces;
use crate::render::ending::{AnswerForm, Answerer};
use crate::render::figures::{cost, model_calls, short_id};
use crate::render::line::LIST_LINES;
use crate::render::text::{columns, fit, one_line};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Said, Tone, ending, question};

/// Lines of a cause, and of advice after it: more is not read.
const CAUSE_LINES: usize = 3;
const ADVICE_LINES: usize = 3;
/// Lines of what cannot wait for the end.
const TOLD_LINES: usize = 3;

/// Folds the events of one task.
#[derive(Debug, Clone, Default)]
pub struct BriefScreen {
    width: usize,
    /// The language of the request.
    language: Language,
    /// What goes on.
    doing: String,
    /// The command or the arguments of the call that runs.
    call: String,
    /// The steps of the plan, and whether each has matched.
    steps: BTreeMap<String, bool>,
    /// What calls changed.
    changed: ChangedPlaces,
    /// Calls that began, and those of them whose changes were looked at to the last one.
    calls: (usize, usize),
    /// Whether a model had a part in it.
    model: bool,
    /// Whether the model is waited for.
    waits: bool,
    questions: BTreeMap<String, ConfirmationRequest>,
    /// That an action was not agreed to is told.
    refusal_told: bool,
}

impl BriefScreen {
    /// A screen of `width` columns.
    pub fn new(width: usize) -> Self {
        let language = Language::default();
        Self { width, doing: language.say(Phrase::Reading).to_owned(), ..Self::default() }
    }

    /// The screen has another width now.
    pub fn resize(&mut self, width: usize) {
        self.width = width;
    }

    /// The language of the request, once its first event was taken in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The daemon went away, or is back.
    pub fn daemon(&mut self, said: Phrase) {
        let phrase = if said == Phrase::DaemonGone { Phrase::Reconnecting } else { Phrase::Checking };
        self.doing = self.language.say(phrase).to_owned();
        self.call.clear();
    }

    /// Takes an event in; the lines are what a person has to know at once.
    pub fn event(&mut self, event: &Event) -> Vec<Line> {
        let Some(payload) = event.payload.as_ref().filter(|_| !event.refused) else { return Vec::new() };
        if let Payload::TaskSubmitted(task) = payload {
            self.language = Language::of(&task.input);
        }
        if let Some(phrase) = phase(payload) {
            self.doing = self.language.say(phrase).to_owned();
            self.call.clear();
        }
        self.learn(payload);
        let lines = self.at_once(payload);
        if let Payload::ConfirmationResolved(resolved) = payload {
            self.refusal_told |= !resolved.approved && !lines.is_empty();
        }
        lines
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
            self.call.clear();
        } else if let Payload::ToolCallStarted(call) = payload {
            self.call = one_line(&command(&call.tool, &call.arguments));
            self.calls.0 += 1;
        } else if let Payload::ToolCallFinished(call) = payload {
            self.call.clear();
            self.changed.add(call);
        } else if let Payload::ExecutionResult(result) = payload {
            self.calls.1 += result.receipts.iter().filter(|one| one.changes_omitted == 0).count();
        } else if let Payload::SubTaskOutcome(outcome) = payload {
            self.steps.insert(outcome.subtask_id.clone(), outcome.status() == OutcomeStatus::Matched);
        } else if let Payload::ConfirmationRequest(question) = payload {
            self.questions.insert(question.confirmation_id.clone(), question.clone());
        } else if let Payload::ModelCallFinished(call) = payload {
            self.model |= !call.model.is_empty() && Answerer::of(&call.model) == Answerer::Model;
            if call.retry_in_ms.is_some() {
                self.doing = self.language.say(Phrase::ModelWait).to_owned();
                self.call = one_line(call.failure());
            } else if self.doing == self.language.say(Phrase::ModelWait) {
                self.doing = self.language.say(Phrase::ModelBack).to_owned();
                self.call.clear();
            }
        }
    }

    /// What cannot wait for the end.
    fn at_once(&mut self, payload: &Payload) -> Vec<Line> {
        let warned = |head: Phrase, text: &String| self.told(Tone::Warn, head, text);
        if let Payload::TaskSpec(spec) = payload {
            spec.assumptions.iter().flat_map(|text| warned(Phrase::Assumed, text)).collect()
        } else if let Payload::MemoryReply(reply) = payload {
            reply.unavailable.iter().flat_map(|why| warned(Phrase::NoMemory, why)).collect()
        } else if let Payload::ModelCallFinished(call) = payload {
            self.no_answer(call)
        } else if let Payload::TaskCancelled(stop) = payload {
            warned(Phrase::StopsNow, &stop.detail)
        } else if let Payload::ConfirmationResolved(resolved) = payload {
            self.resolved(resolved)
        } else {
            Vec::new()
        }
    }

    /// A model that did not answer. That it is waited for is said once, until it answers again.
    fn no_answer(&mut self, call: &ModelCallFinished) -> Vec<Line> {
        let (waits, waited) = (call.retry_in_ms.is_some(), self.waits);
        self.waits = waits;
        match &call.failure {
            Some(why) if !(waits && waited) => {
                let head = if waits { Phrase::ModelWaits } else { Phrase::ModelSilent };
                self.told(Tone::Warn, head, why)
            }
            Some(_) | None => Vec::new(),
        }
    }

    /// The first line of an end: the cause.
    fn head(&self, text: &str) -> Vec<Line> {
        let head = Line::new().add(Tone::Bad, "✗ ");
        head.hanging(Tone::Strong, &self.language.ending(text), self.width, CAUSE_LINES)
    }

    fn resolved(&mut self, resolved: &ConfirmationResolved) -> Vec<Line> {
        let question = self.questions.remove(&resolved.confirmation_id).unwrap_or_default();
        if resolved.approved {
            if !question.undoable {
                self.changed.for_good.insert(question.effect_id);
            }
            return self.told(Tone::Good, Phrase::Confirmed, question::acting(&question));
        }
        let head =
            |phrase: Phrase| Line::new().add(Tone::Bad, "✗ ").add(Tone::Strong, self.language.say(phrase));
        match Denial::from(resolved.denial()) {
            // One line: the question showed the whole action.
            Denial::Unanswered => {
                vec![head(Phrase::Nobody).foreign(Tone::Plain, question::acting(&question)).fit(self.width)]
            }
            Denial::Refused | Denial::Unknown(_) => vec![head(Phrase::SaidNo)],
        }
    }

    /// Words and a text behind them.
    fn told(&self, tone: Tone, head: Phrase, text: &str) -> Vec<Line> {
        Line::new().add(tone, self.language.say(head)).hanging(Tone::Plain, text, self.width, TOLD_LINES)
    }

    /// The living line: seconds, what goes on, the command, how far it is, and the key that stops it.
    pub fn living(&self, elapsed_ms: u64, stops: Phrase) -> String {
        let whole_seconds = elapsed_ms / 1000;
        let seconds = match (self.language, whole_seconds < 60) {
            (_, false) => self.language.duration(elapsed_ms),
            (Language::English, true) => format!("{whole_seconds} s"),
            (Language::Chinese, true) => format!("{whole_seconds} 秒"),
        };
        let mut line = format!("{seconds}  {}", self.doing);
        if !self.call.is_empty() {
            line = format!("{line}  {}", self.call);
        }
        let mut tail = String::new();
        if self.steps.len() > 1 {
            tail = format!("   {}", self.steps_done());
        }
        tail = format!("{tail}   {}", self.language.say(stops));
        // The spinner takes three columns, and one stays free.
        let room = self.width.saturating_sub(columns(&tail) + 5);
        format!("{}{tail}", fit(&line, room))
    }

    fn steps_done(&self) -> String {
        let done = self.steps.values().filter(|matched| **matched).count();
        self.language.fill(Phrase::StepsDone, &[&done.to_string(), &self.steps.len().to_string()])
    }

    /// The end of the task.
    pub fn ending(&self, result: &FinalResult, form: AnswerForm<'_>) -> Vec<Said> {
        let delivered = result.directive().is_delivered();
        let mut said = Vec::new();
        if !delivered {
            // That somebody did not agree was told where it was asked.
            let is_told = self.refusal_told && result.reason() == Reason::Refused;
            said.extend(self.end_of(result, is_told).into_iter().map(Said::Note));
        }
        said.extend(ending::answer(result, self.language, self.width, form));
        if delivered {
            let open = result.unmet.iter().take(LIST_LINES);
            said.extend(open.map(|unmet| {
                let text = format!("{}: {}", one_line(&unmet.criterion), one_line(&unmet.evidence));
                Said::Note(note(Tone::Warn, self.language.say(Phrase::Open), &text).fit(self.width))
            }));
            let rest = result.unmet.len().saturating_sub(LIST_LINES);
            let more = self.language.fill(Phrase::AndMore, &[&rest.to_string()]);
            said.extend((rest > 0).then(|| Said::Note(Line::new().add(Tone::Dim, more))));
        }
        said.extend(self.figures(result, delivered).into_iter().map(Said::Note));
        said
    }

    /// Why it came to nothing, what was tried, what helps.
    pub fn cause(&self, result: &FinalResult) -> Vec<Line> {
        self.end_of(result, false)
    }

    /// The same; the first line only where it is not told yet.
    fn end_of(&self, result: &FinalResult, is_told: bool) -> Vec<Line> {
        let refused = result.reason() == Reason::Refused;
        let mut lines = Vec::new();
        if refused && !is_told {
            let said = if result.unanswered_confirmation { Phrase::NobodyThere } else { Phrase::SaidNo };
            lines.push(Line::new().add(Tone::Bad, "✗ ").add(Tone::Strong, self.language.say(said)));
        } else if !refused && result.reason() == Reason::Cancelled {
            // Who stopped it knows why: no advice, and none of the figures behind the first sentence.
            let first = self.language.first_sentence(&result.summary);
            return if is_told { Vec::new() } else { self.head(first) };
        } else if !is_told {
            lines = self.head(&result.summary);
        }
        if refused && !result.unanswered_confirmation {
            // So does who said no.
            return lines;
        }
        if !refused && !result.tried.is_empty() {
            let head = format!("  {}", self.language.say(Phrase::Tried));
            lines.push(note(Tone::Dim, &head, &result.tried.join(", ")).fit(self.width));
        }
        let mut advice = Vec::new();
        // Nothing but a yes helps where one was needed.
        let most = if result.reason() == Reason::Refused { 1 } else { usize::MAX };
        for next in self.advice(result).into_iter().take(most) {
            let pieces = Line::plain("  ").add(Tone::Accent, "→ ").hanging(
                Tone::Plain,
                &next,
                self.width,
                ADVICE_LINES,
            );
            // The first is always told, another one where all of it fits.
            if advice.is_empty() || advice.len() + pieces.len() <= ADVICE_LINES {
                advice.extend(pieces);
            }
        }
        lines.extend(advice);
        lines
    }

    /// What the task says that helps; where it says nothing, what helps after an end like this.
    fn advice(&self, result: &FinalResult) -> Vec<String> {
        let said = result.next_moves.iter().filter(|next| !next.contains("artoo show"));
        let mut advice: Vec<String> = said.map(|next| self.language.ending(&one_line(next))).collect();
        let known = match result.reason() {
            Reason::ModelUnavailable => Some(Phrase::AskDoctor),
            Reason::BudgetExhausted | Reason::Deadline => Some(Phrase::GiveTime),
            Reason::CostExhausted => Some(Phrase::GiveMoney),
            Reason::ReplansExhausted | Reason::NotWorthIt | Reason::Diverging | Reason::CannotPlan => {
                Some(Phrase::BePrecise)
            }
            Reason::Refused if result.unanswered_confirmation => Some(Phrase::BeThere),
            Reason::Interrupted | Reason::Internal => Some(Phrase::RunAgain),
            Reason::Refused
            | Reason::CriteriaMet
            | Reason::Answered
            | Reason::WithinTolerance
            | Reason::Cancelled
            | Reason::Declined
            | Reason::CannotBeDone
            | Reason::Unknown(_) => None,
        };
        // Without a model nothing else helps, whatever else is said.
        let first = result.reason() == Reason::ModelUnavailable;
        let told = advice.iter().any(|next| next.contains("artoo doctor"));
        match known.map(|phrase| self.language.say(phrase).to_owned()) {
            Some(known) if first && !told => advice.insert(0, known),
            Some(known) if advice.is_empty() => advice.push(known),
            Some(_) | None => {}
        }
        advice
    }

    /// One dim line, two on a narrow screen: how long, how much, what changed, where the rest is.
    fn figures(&self, result: &FinalResult, delivered: bool) -> Vec<Line> {
        let usage = result.usage.clone().unwrap_or_default();
        let id = one_line(short_id(&result.task_id));
        let language = self.language;
        let mut parts = vec![language.duration(usage.elapsed_ms)];
        if self.steps.len() > 1 {
            parts.push(self.steps_done());
        }
        if self.model {
            parts.push(language.model_calls(model_calls(&usage)));
            parts.extend(cost(&usage));
        }
        if result.replans > 0 {
            parts.push(language.fill(Phrase::Planned, &[&(result.replans + 1).to_string()]));
        }
        match self.changed.count() {
            0 if !delivered && self.calls.0 <= self.calls.1 => {
                parts.push(language.say(Phrase::Unchanged).to_owned());
            }
            0 => {}
            changes if self.changed.can_be_undone() => parts.push(language.changed(changes, &id)),
            changes => parts.push(language.kept(changes)),
        }
        parts.push(language.fill(Phrase::More, &[&id]));
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

/// What goes on after this message, while nothing more is known; none when it changes nothing.
fn phase(payload: &Payload) -> Option<Phrase> {
    if let Payload::TaskSubmitted(_) | Payload::ClarificationAnswer(_) = payload {
        Some(Phrase::Reading)
    } else if let Payload::TaskSpec(_) | Payload::MemoryReply(_) = payload {
        Some(Phrase::Planning)
    } else if let Payload::MemoryQuery(_) = payload {
        Some(Phrase::Remembering)
    } else if let Payload::ExecutionResult(_) = payload {
        Some(Phrase::Checking)
    } else if let Payload::SubTaskOutcome(_) | Payload::OutcomeSummary(_) = payload {
        Some(Phrase::Merging)
    } else if let Payload::CorrectionSignal(_) | Payload::ReplanRequest(_) | Payload::PlanDirective(_) =
        payload
    {
        Some(Phrase::AnotherWay)
    } else if let Payload::FarewellRequest(_) | Payload::TaskCancelled(_) = payload {
        Some(Phrase::Stopping)
    } else {
        None
    }
}

/// A call as a person would write it: the command of a shell, else the tool and what it is about.
fn command(tool: &str, arguments: &str) -> String {
    let read: serde_json::Value = serde_json::from_str(arguments).unwrap_or_default();
    let text = |name: &str| read.get(name).and_then(serde_json::Value::as_str);
    match text("command") {
        Some(command) => command.to_owned(),
        None => {
            let about = ["path", "pattern", "query", "url"].into_iter().find_map(text);
            format!("{tool} {}", about.unwrap_or(arguments))
        }
    }
}
