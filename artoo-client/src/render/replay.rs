//! What a replay found: whether everything is the same, where it parts, and what the controller decided.

use artoo_protocol::v1::{ControllerDecision, ReplayDifference, ReplayTaskResponse, ReplayedDecision};

use crate::render::figures::{count, gradient, implausibility, percent};
use crate::render::text::one_line;
use crate::render::{Line, Tone};

/// Most lines of one value of a difference.
const VALUE_LINES: usize = 4;
/// Most lines of one remark.
const REMARK_LINES: usize = 3;

/// The lines of a replay. `settings` are those that it was decided with in the place of the recorded ones.
pub fn lines(replay: &ReplayTaskResponse, settings: &[String], width: usize) -> Vec<Line> {
    let mut lines = match &replay.first_difference {
        None => same(replay, settings, width),
        Some(difference) if settings.is_empty() => differs(difference, width),
        Some(difference) => decides_differently(difference, settings, width),
    };
    for (index, decision) in replay.decisions.iter().enumerate() {
        lines.extend(round(decision, index == 0, width));
    }
    for remark in &replay.remarks {
        lines.extend(Line::plain("  ").hanging(Tone::Dim, remark, width, REMARK_LINES));
    }
    lines
}

fn same(replay: &ReplayTaskResponse, settings: &[String], width: usize) -> Vec<Line> {
    let (word, what) = if settings.is_empty() {
        let (steps, messages) = (count(replay.steps, "step"), count(replay.envelopes, "message"));
        let effects = count(replay.effects, "effect");
        ("✓ identical", format!("{steps}, {messages} and {effects} folded again"))
    } else {
        ("✓ decides the same", format!("with {}", settings.join(", ")))
    };
    Line::new().add(Tone::Good, word).add(Tone::Plain, "   ").hanging(Tone::Dim, &what, width, REMARK_LINES)
}

fn differs(difference: &ReplayDifference, width: usize) -> Vec<Line> {
    let head =
        Line::new().add(Tone::Bad, format!("✗ differs at step {}", difference.step)).add(Tone::Plain, "   ");
    let mut lines = head.hanging(Tone::Strong, &difference.about, width, VALUE_LINES);
    let rows =
        [("where", &difference.path), ("recorded", &difference.recorded), ("replayed", &difference.replayed)];
    for (label, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        let label = Line::plain("    ").add(Tone::Dim, format!("{label:<10}"));
        lines.extend(label.hanging(Tone::Plain, text, width, VALUE_LINES));
    }
    lines
}

fn decides_differently(difference: &ReplayDifference, settings: &[String], width: usize) -> Vec<Line> {
    let head =
        Line::new().add(Tone::Warn, format!("✗ parts at step {}", difference.step)).add(Tone::Plain, "   ");
    let what = format!("{}, with {}", difference.about, settings.join(", "));
    head.hanging(Tone::Plain, &what, width, VALUE_LINES)
}

/// One round: a line when recording and replay say the same, else one for each.
fn round(decision: &ReplayedDecision, first: bool, width: usize) -> Vec<Line> {
    let ReplayedDecision { recorded, replayed, agrees } = decision;
    let number = recorded.as_ref().or(replayed.as_ref()).map_or(0, |decided| decided.round);
    let head = format!("  round {number:<2} ");
    if let (Some(recorded), true) = (recorded, recorded == replayed) {
        return vec![decided(&head, Some(recorded), first, Tone::Strong).fit(width)];
    }
    let tone = if *agrees { Tone::Strong } else { Tone::Warn };
    vec![
        decided(&head, recorded.as_ref(), first, Tone::Strong).fit(width),
        decided("  replayed ", replayed.as_ref(), first, tone).fit(width),
    ]
}

/// The decision before its figures, so that a narrow screen cuts the figures.
fn decided(head: &str, decided: Option<&ControllerDecision>, first: bool, tone: Tone) -> Line {
    let line = Line::new().add(Tone::Dim, head);
    let Some(decided) = decided else { return line.add(tone, "no decision here") };
    let loss = decided.loss.unwrap_or_default();
    let mut word = one_line(&decided.directive);
    if !decided.reason.is_empty() {
        word = format!("{word} · {}", one_line(&decided.reason));
    }
    let figures = format!(
        "D {:.2}  P {:<4}  Ω {:>4}  L {:.2}  ∇L {}",
        loss.d,
        implausibility(&loss),
        percent(loss.omega),
        loss.l,
        gradient(decided.grad_l, first)
    );
    line.add(tone, word).to_column(39).add(Tone::Plain, figures)
}

#[cfg(test)]
mod tests;
