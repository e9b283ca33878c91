//! What changes before the next attempt, and why.

use artoo_protocol::v1::{CorrectionSignal, PlanDirective, StepBelief};

use crate::render::figures::{gradient, implausibility, percent};
use crate::render::line::{LIST_LINES, and_more};
use crate::render::{Line, Tone};

/// Most lines of one reason.
const REASON_LINES: usize = 3;
/// Most lines of what is believed of one step.
const BELIEF_LINES: usize = 2;
/// Most causes that are told of one step, the likeliest first.
const CAUSES: usize = 3;

/// A directive: the figures that decided, why, and what the next plan must not use.
pub fn directive(directive: &PlanDirective, width: usize) -> Vec<Line> {
    let loss = directive.loss.unwrap_or_default();
    let figures = format!(
        "   D {:.2}  P {}  Ω {}  ∇L {}",
        loss.d,
        implausibility(&loss),
        percent(loss.omega),
        gradient(directive.grad_l, directive.replan <= 1)
    );
    let mut lines = vec![
        Line::plain("  ")
            .add(Tone::Warn, format!("↻ replan {} of {}   ", directive.replan, directive.max_replans))
            .foreign(Tone::Strong, &directive.directive)
            .add(Tone::Plain, figures),
    ];
    let why = Line::plain("        ").add(Tone::Dim, "why    ");
    lines.extend(why.hanging(Tone::Plain, &directive.rationale, width, REASON_LINES));
    for step in directive.belief.iter().take(LIST_LINES) {
        let think = Line::plain("        ").add(Tone::Dim, "think  ");
        lines.extend(think.hanging(Tone::Plain, &belief(step), width, BELIEF_LINES));
    }
    let tools = directive.blocked_tools.iter().map(|block| format!("{} for {}", block.class, block.intent));
    let targets = directive.blocked_targets.iter().map(|block| format!("{} {}", block.class, block.target));
    let blocks: Vec<String> = tools.chain(targets).collect();
    for block in blocks.iter().take(LIST_LINES) {
        lines.push(Line::plain("        ").add(Tone::Dim, "never  ").foreign(Tone::Plain, block));
    }
    lines.extend(and_more(blocks.len(), "               "));
    lines
}

/// What is believed of a failed step: what is to change, which step it is, and how likely the likeliest causes are.
fn belief(step: &StepBelief) -> String {
    let chances = step.chances.unwrap_or_default();
    let causes = [
        ("approach", chances.approach),
        ("target", chances.target),
        ("detail", chances.detail),
        ("transient", chances.transient),
        ("impossible", chances.impossible),
    ];
    let mut likely: Vec<(&str, f64)> = causes.into_iter().filter(|(_, chance)| *chance >= 0.05).collect();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    let likely: Vec<String> =
        likely.iter().take(CAUSES).map(|(word, chance)| format!("{word} {}", percent(*chance))).collect();
    let force = if step.enforced { " (must)" } else { "" };
    format!("{}{force} for {} · {}", step.axis, step.intent, likely.join(", "))
}

/// A correction: what was wrong, and what the next attempt does instead.
pub fn correction(signal: &CorrectionSignal, width: usize) -> Vec<Line> {
    let head = Line::plain("    ").add(Tone::Warn, format!("↺ attempt {}  ", signal.attempt));
    let text = format!("{} → {}", signal.what_was_wrong, signal.what_to_do);
    head.hanging(Tone::Plain, &text, width, REASON_LINES)
}
