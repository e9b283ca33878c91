//! Who worked when: one lane a role, one for tools, one for the person.

use std::collections::BTreeSet;

use artoo_types::text::first_chars;
use maud::{Markup, html};

use crate::foreign;
use crate::seconds;
use crate::story::{Lane, Span, TaskStory};

/// Most bars that are drawn. A task has at most some hundred calls; beyond this nobody could tell them apart.
const MAX_BARS: usize = 600;
/// The drawing: its width, where the lanes begin, and the height of one, in units of the view box.
const WIDTH: f64 = 960.0;
const LEFT: f64 = 150.0;
const LANE: f64 = 24.0;
/// The least width of a bar: what took no time happened all the same.
const LEAST: f64 = 2.0;
/// Characters of what a bar stands for.
const MAX_WHAT: usize = 200;

/// The section with the drawing; empty for a task in which nobody worked.
pub(crate) fn section(story: &TaskStory) -> Markup {
    let lanes: Vec<Lane> =
        story.spans.iter().map(|span| span.lane).collect::<BTreeSet<_>>().into_iter().collect();
    if lanes.is_empty() {
        return html! {};
    }
    let length = story.length_ms();
    let height = LANE * lanes.len() as f64 + 26.0;
    let foot = height - 22.0;
    html! {
        section {
            h2 { "Who worked when" }
            svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label="Timeline by role" {
                @for (row, lane) in lanes.iter().enumerate() {
                    text x="0" y=(row as f64 * LANE + 15.0) { (lane.label()) }
                }
                line.axis x1=(LEFT) x2=(WIDTH) y1=(foot) y2=(foot) {}
                @for quarter in 0..=4_u32 {
                    @let x = LEFT + (WIDTH - LEFT) * f64::from(quarter) / 4.0;
                    text x=(format!("{x:.0}")) y=(height - 6.0) text-anchor=(if quarter == 4 { "end" } else { "start" }) {
                        (seconds(length * u64::from(quarter) / 4))
                    }
                }
                @for span in story.spans.iter().take(MAX_BARS) {
                    @let row = lanes.iter().position(|lane| *lane == span.lane).unwrap_or_default();
                    (bar(story, span, row))
                }
            }
            @if story.spans.len() > MAX_BARS {
                p.dim { (story.spans.len() - MAX_BARS) " more are not drawn." }
            }
        }
    }
}

fn bar(story: &TaskStory, span: &Span, row: usize) -> Markup {
    let scale = (WIDTH - LEFT) / story.length_ms() as f64;
    let lasted = span.to.since_ms(span.from);
    let x = LEFT + span.from.since_ms(story.began) as f64 * scale;
    let width = (lasted as f64 * scale).max(LEAST).min(WIDTH - x.min(WIDTH - LEAST));
    let kind = match span.lane {
        Lane::Model(_) => "",
        Lane::Tool => "tool",
        Lane::Person => "person",
    };
    let class = format!("bar {kind}{}", if span.failed { " failed" } else { "" });
    html! {
        rect class=(class) x=(format!("{x:.1}")) y=(row as f64 * LANE + 4.0) width=(format!("{width:.1}")) height="15" rx="2" {
            title { (seconds(lasted)) " · " (foreign(&first_chars(&span.what, MAX_WHAT))) }
        }
    }
}
