//! The figures of every round: D, P, Ω and L as curves, and what was decided on them.

use artoo_types::control::{Loss, TrajectoryPoint};
use maud::{Markup, html};

use crate::story::TaskStory;

/// The drawing in units of its view box.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 30.0;
const RIGHT: f64 = 930.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 176.0;

/// A curve: its class in the style, its letter, what it means, and its value of a round.
type Curve = (&'static str, &'static str, &'static str, fn(&Loss) -> f64);

const CURVES: [Curve; 4] = [
    ("D", "D", "distance from the goal", |loss| loss.distance.get()),
    ("P", "P", "implausibility of the approach", |loss| loss.implausibility.get()),
    ("O", "Ω", "share of the budget that is spent", |loss| loss.cost.get()),
    ("L", "L", "loss", |loss| loss.total),
];

/// The section with the curves; empty for a task without a round.
pub(crate) fn section(story: &TaskStory) -> Markup {
    let points = story.result.as_ref().map_or(&[][..], |result| &result.trajectory);
    if points.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "How far from the goal, round by round" }
            @if points.len() > 1 { svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="D, P, Ω and L of each round" {
                @for share in [0.0, 0.5, 1.0] {
                    line.axis x1=(LEFT) x2=(RIGHT) y1=(height(share)) y2=(height(share)) {}
                    text x="0" y=(height(share) + 4.0) { (share) }
                }
                @for (class, _, _, value) in CURVES {
                    polyline class=(format!("curve {class}")) points=(path(points, value)) {}
                    @for (round, point) in points.iter().enumerate() {
                        circle class=(format!("dot {class}")) cx=(place(round, points.len())) cy=(height(value(&point.loss))) r="3" {}
                    }
                }
                @for (at, (class, letter, _, _)) in CURVES.iter().enumerate() {
                    rect class=(format!("key {class}")) x=(RIGHT - 150.0 + at as f64 * 40.0) y=(BOTTOM + 10.0) width="10" height="10" {}
                    text x=(RIGHT - 136.0 + at as f64 * 40.0) y=(BOTTOM + 19.0) { (letter) }
                }
            } }
            table {
                thead { tr { th { "round" } @for (_, letter, what, _) in CURVES { th.n title=(what) { (letter) } } th { "then" } } }
                tbody {
                    @for (round, point) in points.iter().enumerate() {
                        tr {
                            td { (round) }
                            @for (_, _, _, value) in CURVES { td.n { (format!("{:.2}", value(&point.loss))) } }
                            td { (point.directive.as_str().replace('_', " ")) }
                        }
                    }
                }
            }
        }
    }
}

fn path(points: &[TrajectoryPoint], value: fn(&Loss) -> f64) -> String {
    let spots = points
        .iter()
        .enumerate()
        .map(|(round, point)| format!("{:.1},{:.1}", place(round, points.len()), height(value(&point.loss))));
    spots.collect::<Vec<_>>().join(" ")
}

/// Where a round stands from left to right.
fn place(round: usize, of: usize) -> f64 {
    let steps = of.saturating_sub(1).max(1) as f64;
    LEFT + 20.0 + (RIGHT - LEFT - 40.0) * round as f64 / steps
}

/// Where a value stands from top to bottom; L may exceed 1 and is drawn at the edge then.
fn height(value: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * value.clamp(0.0, 1.0)
}
