//! What the memory gave, and what was given to it.

use artoo_types::memory::Megram;
use artoo_types::plan::StepAdvice;
use maud::{Markup, html};

use crate::foreign;
use crate::story::TaskStory;

/// Most memories of either kind that are shown.
const MAX_SHOWN: usize = 100;

/// The section; empty where the memory said nothing and was told nothing.
pub(crate) fn section(story: &TaskStory) -> Markup {
    let heeded = heeded(story);
    if heeded.is_empty() && story.learned.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Memory" }
            @if !heeded.is_empty() {
                h3 { "What it knew" }
                ul {
                    @for known in heeded.iter().take(MAX_SHOWN) {
                        li { (foreign(&known.content)) }
                    }
                }
            }
            @if !story.learned.is_empty() {
                h3 { "What it was told" }
                ul { @for write in story.learned.iter().take(MAX_SHOWN) { (line(&write.megram)) } }
            }
            @let more = heeded.len().saturating_sub(MAX_SHOWN) + story.learned.len().saturating_sub(MAX_SHOWN);
            @if more > 0 { p.dim { (more) " more are not shown." } }
        }
    }
}

/// What the steps carried of it, each once. What the memory gave besides is about other requests.
fn heeded(story: &TaskStory) -> Vec<&StepAdvice> {
    let plans = story.rounds.values().filter_map(|round| round.plan.as_ref());
    let mut heeded: Vec<&StepAdvice> = Vec::new();
    for known in plans.flat_map(|plan| &plan.subtasks).flat_map(|step| &step.known) {
        if !heeded.contains(&known) {
            heeded.push(known);
        }
    }
    heeded
}

fn line(megram: &Megram) -> Markup {
    html! {
        li {
            (foreign(&megram.content))
            span.dim { " · σ " (format!("{:+.1}", megram.sigma)) " · " (foreign(&megram.tag.space)) }
        }
    }
}
