//! The final result: how it ended, on what figures, and then the answer.

use artoo_protocol::json::value_to_json;
use artoo_protocol::v1::{FinalResult, TaskUsage};
use artoo_protocol::words::{MacroState, Reason};
use serde_json::Value;

use crate::paths::AnswerReader;
use crate::render::figures::{
    cost, count, distances, duration, implausibility, model_calls, percent, short_id,
};
use crate::render::line::{LIST_LINES, and_more};
use crate::render::table::{self, ShownTable};
use crate::render::text::{escape, one_line, wrap};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Said, Tone};

/// Who answered for the roles of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answerer {
    /// A language model.
    #[default]
    Model,
    /// The built-in rules.
    Rules,
}

/// What answers where no model is configured, as model calls name it.
const OFFLINE_RULES: &str = "offline-rules";

impl Answerer {
    /// Whose name this is.
    pub fn of(model: &str) -> Self {
        if model == OFFLINE_RULES { Self::Rules } else { Self::Model }
    }

    /// How often it was asked: `7 model calls`, `7 calls of the built-in rules`.
    fn calls(self, number: u64) -> String {
        match self {
            Self::Model => count(number, "model call"),
            Self::Rules => format!("{} of the built-in rules", count(number, "call")),
        }
    }
}

/// What a fold over the events of a task knows of its end besides the result.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskPast {
    /// How many criteria were met of those judged in the last round that fell short.
    pub achieved: Option<(usize, usize)>,
    /// Who answered.
    pub answerer: Answerer,
}

/// The end of a task.
pub fn lines(result: &FinalResult, past: TaskPast, language: Language, width: usize) -> Vec<Line> {
    let mut lines = verdict(result, past, width);
    let body = body(result);
    if !result.summary.trim().is_empty() && body.trim() != result.summary.trim() {
        lines.push(Line::new());
        lines.extend(summary(result, language, width));
    }
    if !body.trim().is_empty() {
        lines.push(Line::new());
        lines.extend(result.partial.then(|| partial_mark(language)));
        lines.extend(body.trim_end().lines().map(Line::plain));
        lines.extend(not_in_receipts(result, language, width));
    }
    lines
}

/// How it ended and on what figures; what stayed open, or what was tried.
pub fn verdict(result: &FinalResult, past: TaskPast, width: usize) -> Vec<Line> {
    let mut lines = headline(result, past.answerer, width);
    let partial = result.partial || result.directive() == MacroState::Abandon;
    if partial {
        lines.extend(stop(result, past.achieved, width));
    } else {
        for unmet in result.unmet.iter().take(LIST_LINES) {
            lines.push(
                Line::plain("    ")
                    .add(Tone::Dim, "unmet  ")
                    .foreign(Tone::Plain, &format!("\"{}\"  {}", unmet.criterion, unmet.evidence))
                    .fit(width),
            );
        }
    }
    lines
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy)]
pub enum AnswerForm<'a> {
    /// Exactly as it is: tabulators, absolute paths, numbers without units. For scripts and files.
    Exact,
    /// For a person at a screen, at most so many rows of a list.
    Screen(&'a AnswerReader, usize),
}

/// The answer alone: the output, or the summary of a delivered result that has none. That an output is only a part is
/// said beside it.
pub fn answer(result: &FinalResult, language: Language, width: usize, form: AnswerForm<'_>) -> Vec<Said> {
    if result.reason() == Reason::Refused && !result.partial {
        // What a step says that was not agreed to is that it was not agreed to.
        return Vec::new();
    }
    let remark = result.form.as_ref().map(|form| form.remark.as_str()).filter(|remark| !remark.is_empty());
    let remark = remark.map(|remark| Said::Note(Line::new().foreign(Tone::Dim, remark)));
    let body = match form {
        AnswerForm::Exact => exact(result),
        AnswerForm::Screen(..) => body(result),
    };
    if body.trim().is_empty() {
        let delivered = result.directive().is_delivered();
        return summary(result, language, width)
            .into_iter()
            .filter(|_| delivered)
            .map(Said::Answer)
            .collect();
    }
    let mark = result.partial.then(|| partial_mark(language)).map(Said::Note);
    let table = match form {
        AnswerForm::Exact => None,
        AnswerForm::Screen(reader, most) => table(result, reader, language, most),
    };
    let text: Vec<Said> = match table {
        Some(ShownTable { lines, left_out }) => {
            let id = one_line(short_id(&result.task_id));
            let rest = language.fill(Phrase::MoreRows, &[&left_out.to_string(), &id]);
            let rest = (left_out > 0).then(|| Said::Note(Line::new().add(Tone::Dim, rest)));
            lines.into_iter().map(Said::Answer).chain(rest).collect()
        }
        None => body.trim_end().lines().map(|line| Said::Answer(Line::plain(line))).collect(),
    };
    let unshown = not_in_receipts(result, language, width).map(Said::Note);
    remark.into_iter().chain(mark).chain(text).chain(unshown).collect()
}

/// The output as a table, if the daemon says what its columns are.
fn table(result: &FinalResult, reader: &AnswerReader, language: Language, most: usize) -> Option<ShownTable> {
    let form = result.form.as_ref().filter(|_| !result.partial)?;
    match value_to_json(result.output.as_ref()?) {
        Value::String(output) if !form.sections.is_empty() => {
            table::sections(form, &output, reader, language, most)
        }
        Value::String(output) => table::shown(form, &output, reader, language, most),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The output with nothing in it that a terminal would obey, and its tabulators as they are.
fn exact(result: &FinalResult) -> String {
    match result.output.as_ref().map(value_to_json) {
        Some(Value::String(text)) => text.split('\t').map(escape).collect::<Vec<_>>().join("\t"),
        Some(other) => readable(&other),
        None => String::new(),
    }
}

fn body(result: &FinalResult) -> String {
    readable(&result.output.as_ref().map(value_to_json).unwrap_or_default())
}

/// What the task says about its end, for people.
pub fn summary(result: &FinalResult, language: Language, width: usize) -> Vec<Line> {
    let text = escape(&language.ending(&result.summary));
    let lines = text.lines().flat_map(|paragraph| wrap(paragraph, width));
    lines.map(|line| Line::new().add(Tone::Strong, line)).collect()
}

/// What the output says and no receipt shows, for a person to look at.
fn not_in_receipts(result: &FinalResult, language: Language, width: usize) -> Option<Line> {
    let told = result.not_in_receipts.join(", ");
    let unshown =
        || Line::new().add(Tone::Dim, language.say(Phrase::Unshown)).foreign(Tone::Dim, &told).fit(width);
    (!told.is_empty()).then(unshown)
}

fn partial_mark(language: Language) -> Line {
    Line::new().add(Tone::Warn, language.say(Phrase::Partial))
}

/// What each role cost: calls, tokens of a model as far as they were reported, time.
pub fn costs(usage: &TaskUsage, answerer: Answerer) -> Vec<Line> {
    let mut roles: Vec<_> = usage.roles.iter().collect();
    roles.sort_by_key(|(role, _)| role.as_str());
    let mut lines: Vec<Line> = roles
        .into_iter()
        .map(|(role, cost)| {
            let line = Line::plain("  ")
                .foreign(Tone::Accent, &format!("{role:<4}"))
                .to_column(8)
                .add(Tone::Plain, answerer.calls(cost.calls));
            let line = match answerer {
                Answerer::Model => {
                    let tokens = format!("{} + {} tokens", cost.prompt_tokens, cost.completion_tokens);
                    line.to_column(26).add(Tone::Plain, tokens)
                }
                Answerer::Rules => line,
            };
            line.to_column(52).add(Tone::Plain, duration(cost.elapsed_ms))
        })
        .collect();
    lines.push(
        Line::plain("  ").add(
            Tone::Dim,
            [
                count(usage.tool_calls, "tool call"),
                cost(usage).map_or_else(String::new, |cost| format!("{cost} for models")),
                format!("{} in all", duration(usage.elapsed_ms)),
            ]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", "),
        ),
    );
    lines
}

/// How it ended and its figures: on one line where that is wide enough, else the figures below.
fn headline(result: &FinalResult, answerer: Answerer, width: usize) -> Vec<Line> {
    let (mark, tone) =
        if result.directive().is_delivered() { ("✓", Tone::Good) } else { ("✗", Tone::Bad) };
    let mut word = one_line(&result.directive);
    if result.reason() != Reason::CriteriaMet {
        word = format!("{word} · {}", one_line(&result.reason));
    }
    let loss = result.loss.unwrap_or_default();
    let usage = result.usage.clone().unwrap_or_default();
    let figures = [
        format!("D {}", distances(&result.trajectory, &loss)),
        format!("P {}", implausibility(&loss)),
        format!("Ω {}", percent(loss.omega)),
        count(u64::from(result.replans), "replan"),
        answerer.calls(model_calls(&usage)),
        duration(usage.elapsed_ms),
    ];
    let figures = figures.into_iter().chain(cost(&usage));
    let mut lines = vec![Line::plain("  ").add(tone, format!("{mark} {word}"))];
    for figure in figures {
        let line = lines.pop().unwrap_or_default();
        let longer = line.clone().add(Tone::Plain, format!("   {figure}"));
        if longer.columns() <= width {
            lines.push(longer);
        } else {
            lines.extend([line, Line::plain(format!("    {figure}")).fit(width)]);
        }
    }
    lines
}

/// What a person can do with an end that is none: what was tried, what it brought, what to do next.
fn stop(result: &FinalResult, achieved: Option<(usize, usize)>, width: usize) -> Vec<Line> {
    let row = |label: &str, text: &str| {
        Line::plain("    ").add(Tone::Dim, format!("{label:<10}")).foreign(Tone::Plain, text).fit(width)
    };
    let mut lines = Vec::new();
    if !result.tried.is_empty() {
        lines.push(row("tried", &result.tried.join(", ")));
    }
    if !result.ruled_out.is_empty() {
        lines.push(row("ruled out", &result.ruled_out.join(", ")));
    }
    if let Some((met, judged)) = achieved {
        let kept = if result.partial { " (kept below as PARTIAL)" } else { "" };
        lines.push(row("achieved", &format!("{met} of {judged} criteria{kept}")));
    }
    for unmet in result.unmet.iter().take(LIST_LINES) {
        let saw = if unmet.evaluated { unmet.evidence.as_str() } else { "not evaluated" };
        lines.push(row("unmet", &format!("\"{}\"  {saw}", unmet.criterion)));
    }
    lines.extend(and_more(result.unmet.len(), "              "));
    for (index, next) in result.next_moves.iter().take(LIST_LINES).enumerate() {
        for (at, text) in wrap(&one_line(next), width.saturating_sub(14)).into_iter().enumerate() {
            lines.push(row(if index + at == 0 { "next" } else { "" }, &text));
        }
    }
    if result.next_moves.iter().any(|next| next.contains("artoo show")) {
        return lines;
    }
    let label = if result.next_moves.is_empty() { "next" } else { "" };
    let look = format!("look at the evidence: artoo show {}", short_id(&result.task_id));
    lines.push(row(label, &look));
    lines
}

/// A result as people read it: text as it is, lists one item a line, tables of names and values in two columns,
/// everything deeper as indented JSON. Escaped.
fn readable(value: &Value) -> String {
    let is_plain = |value: &Value| !value.is_array() && !value.is_object();
    match value {
        Value::Null => String::new(),
        Value::String(text) => escape(text),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) if items.iter().all(is_plain) => {
            items.iter().map(readable).collect::<Vec<_>>().join("\n")
        }
        Value::Object(fields) if fields.values().all(is_plain) => {
            let lines = fields.iter().map(|(name, value)| format!("{}: {}", escape(name), readable(value)));
            lines.collect::<Vec<_>>().join("\n")
        }
        Value::Array(_) | Value::Object(_) => {
            escape(&serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()))
        }
    }
}
