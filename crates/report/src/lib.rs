//! One task as one HTML page: what was asked and answered, when each role worked, the plans and what speaks for each of
//! their criteria, the figures of every round, what the memory gave and was given, and what it cost. The page is made from
//! the task's envelopes alone, holds no script, loads nothing, and says so to the browser.
//!
//! A crate of its own, so that what makes the page can read no file and no clock: it shows what the journal holds.
//!
//! Start reading at [`page`]; `story.rs` puts the envelopes in order, the other files draw a part of the page each.

mod evidence;
mod frame;
mod index;
mod memory;
mod plot;
mod story;
mod timeline;

#[cfg(test)]
mod tests;

use artoo_types::control::Ending;
use artoo_types::envelope::Envelope;
use artoo_types::text::escape;
use maud::{Markup, html};
use serde_json::Value;

pub use index::{TaskLine, index};

use story::TaskStory;

/// The page about the task of these envelopes, in the order of their sequence. Text of strangers is escaped; what is left
/// out for its length says how much it was.
pub fn page(envelopes: &[Envelope]) -> String {
    let story = TaskStory::of(envelopes);
    let title = first_line(story.request.as_ref().map_or("a task", |request| &request.input));
    let body = html! {
        (heading(&story))
        (timeline::section(&story))
        (evidence::section(&story))
        (plot::section(&story))
        (memory::section(&story))
        (cost(&story))
    };
    frame::document(&title, &body).into_string()
}

/// What was asked, and how it ended: what a reader looks for first.
fn heading(story: &TaskStory) -> Markup {
    html! {
        header {
            @if let Some(request) = &story.request {
                p.dim { (story.task_id) " · " (story.began) " · " (foreign(&request.working_directory)) }
                h1 { (foreign(&request.input)) }
            }
            @match &story.result {
                Some(result) => {
                    p.end.(ending_class(result.directive)) {
                        (ending_word(result.directive)) " · " (result.reason.as_str().replace('_', " "))
                    }
                    @if !result.summary.is_empty() { p { (foreign(&result.summary)) } }
                    @let answer = answer_text(&result.output);
                    @if !answer.is_empty() {
                        @if result.marks.partial { p.warn { "Only this much was verified:" } }
                        pre.answer { (foreign(&answer)) }
                    }
                    @if !result.marks.not_in_receipts.is_empty() {
                        p.warn { "Not in any receipt: " (foreign(&result.marks.not_in_receipts.join(", "))) }
                    }
                    (list("Not met", result.unmet.iter().map(|unmet| format!("{}: {}", unmet.criterion, unmet.evidence))))
                    (list("What you can do", result.next_moves.iter().cloned()))
                }
                None => p.end { "at work" },
            }
            (list("Assumed", story.assumptions.iter().cloned()))
        }
    }
}

fn list(title: &str, lines: impl Iterator<Item = String>) -> Markup {
    let lines: Vec<String> = lines.collect();
    html! {
        @if !lines.is_empty() {
            h3 { (title) }
            ul { @for line in &lines { li { (foreign(line)) } } }
        }
    }
}

/// What it cost, by role.
fn cost(story: &TaskStory) -> Markup {
    let Some(result) = &story.result else { return html! {} };
    html! {
        section {
            h2 { "Cost" }
            table {
                thead { tr { th { "who" } th.n { "model calls" } th.n { "tokens read" } th.n { "tokens written" } th.n { "waited" } } }
                tbody {
                    @for (role, usage) in &result.usage.roles {
                        tr {
                            td { (story::role_name(*role)) }
                            td.n { (usage.calls) }
                            td.n { (usage.prompt_tokens) }
                            td.n { (usage.completion_tokens) }
                            td.n { (seconds(usage.elapsed_ms)) }
                        }
                    }
                    tr.sum {
                        td { "all" }
                        td.n { (result.usage.model_calls()) }
                        td.n colspan="2" { (result.usage.tokens()) }
                        td.n { (seconds(result.usage.elapsed_ms)) " in all" }
                    }
                }
            }
            p.dim { (result.usage.tool_calls) " tool calls. A server that reports no tokens is counted with 0." }
        }
    }
}

/// The answer as text: a plain text as it is, nothing as nothing, anything else as JSON.
fn answer_text(output: &Value) -> String {
    match output {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => format!("{output:#}"),
    }
}

fn ending_word(ending: Ending) -> &'static str {
    match ending {
        Ending::Accept => "done",
        Ending::Success => "done within tolerance",
        Ending::Abandon => "not done",
    }
}

fn ending_class(ending: Ending) -> &'static str {
    match ending {
        Ending::Accept | Ending::Success => "good",
        Ending::Abandon => "bad",
    }
}

/// Text of strangers as it is shown: what cannot be seen is written out, and a tab stays the space that it is.
fn foreign(text: &str) -> String {
    text.split('\t').map(escape).collect::<Vec<_>>().join("\t")
}

fn first_line(text: &str) -> String {
    artoo_types::text::first_chars(text.lines().next().unwrap_or_default(), 80)
}

/// Seconds with one digit more than a person needs; what takes less is told in milliseconds.
fn seconds(ms: u64) -> String {
    if ms < 1_000 { format!("{ms} ms") } else { format!("{}.{:01} s", ms / 1_000, ms % 1_000 / 100) }
}
