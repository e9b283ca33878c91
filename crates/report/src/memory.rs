//! What the memory gave, and what was given to it.

use artoo_types::memory::{Megram, MemoryEntry};
use maud::{Markup, html};

use crate::foreign;
use crate::story::TaskStory;

/// Most memories of either kind that are shown.
const MAX_SHOWN: usize = 100;

/// The section; empty where the memory said nothing and was told nothing.
pub(crate) fn section(story: &TaskStory) -> Markup {
    let recalled: Vec<&MemoryEntry> = story.recalled.iter().filter(|entry| says_something(entry)).collect();
    if recalled.is_empty() && story.learned.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Memory" }
            @if !recalled.is_empty() {
                h3 { "What it knew" }
                ul {
                    @for entry in recalled.iter().take(MAX_SHOWN) {
                        @for rule in &entry.sops { li { (foreign(&rule.content)) } }
                        @for megram in &entry.top { (line(megram)) }
                    }
                }
            }
            @if !story.learned.is_empty() {
                h3 { "What it was told" }
                ul { @for write in story.learned.iter().take(MAX_SHOWN) { (line(&write.megram)) } }
            }
            @let more = recalled.len().saturating_sub(MAX_SHOWN) + story.learned.len().saturating_sub(MAX_SHOWN);
            @if more > 0 { p.dim { (more) " more are not shown." } }
        }
    }
}

fn says_something(entry: &MemoryEntry) -> bool {
    !entry.sops.is_empty() || !entry.top.is_empty()
}

fn line(megram: &Megram) -> Markup {
    html! {
        li {
            (foreign(&megram.content))
            span.dim { " · σ " (format!("{:+.1}", megram.sigma)) " · " (foreign(&megram.tag.space)) }
        }
    }
}
