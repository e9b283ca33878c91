//! A question to the person, with everything that the answer depends on.

use artoo_protocol::v1::{ClarificationRequest, ConfirmationRequest};

use crate::render::text::{escape, one_line, wrap};
use crate::render::{Line, Tone};

/// Most lines of the exact action that are shown at once; `d` shows the rest.
const ACTION_LINES: usize = 12;

/// The question about an action: what it does, where, whether it can be undone, and the keys.
pub fn confirmation(question: &ConfirmationRequest, asked_by: Option<&str>, width: usize) -> Vec<Line> {
    let effects = question.effects.join(", ");
    let head = format!("? artoo wants to {}", headline(question));
    let mut lines = vec![
        Line::plain("  ").foreign(Tone::Strong, &head).add(Tone::Warn, "   needs your answer").fit(width),
    ];
    let action = escape(&question.action);
    let shown: Vec<String> = action.lines().flat_map(|line| wrap(line, width.saturating_sub(6))).collect();
    lines.extend(
        shown.iter().take(ACTION_LINES).map(|line| Line::plain("      ").add(Tone::Accent, line.clone())),
    );
    if shown.len() > ACTION_LINES {
        let rest =
            format!("and {} more lines: press d to see them before you answer", shown.len() - ACTION_LINES);
        lines.push(Line::plain("      ").add(Tone::Warn, rest));
    }
    lines.push(Line::plain("      in ").foreign(Tone::Plain, &question.working_directory).fit(width));
    let undo = if question.undoable { "can be undone" } else { "cannot be undone" };
    let by = asked_by.map(|step| format!(" · asked by {step}")).unwrap_or_default();
    lines
        .push(Line::plain("      ").foreign(Tone::Dim, &format!("effect {effects} · {undo}{by}")).fit(width));
    for why in &question.why {
        for line in wrap(&one_line(why), width.saturating_sub(6)) {
            lines.push(Line::plain("      ").add(Tone::Dim, line));
        }
    }
    lines.push(Line::plain("      [y] once  [t] this kind for this task  [n] no  [d] details, then return"));
    lines
}

/// Everything about the question, uncut.
pub fn details(question: &ConfirmationRequest, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut row = |label: &str, text: &str| {
        for (index, line) in wrap(text, width.saturating_sub(18)).into_iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            lines.push(Line::plain("      ").add(Tone::Dim, format!("{label:<12}")).add(Tone::Plain, line));
        }
    };
    row("tool", &one_line(&question.tool));
    for line in escape(&question.action).lines() {
        row("action", line);
    }
    row("in", &one_line(&question.working_directory));
    row("effects", &one_line(&question.effects.join(", ")));
    for target in &question.targets {
        row("target", &one_line(target));
    }
    for why in &question.why {
        row("why", &one_line(why));
    }
    row("undo", if question.undoable { "yes, with artoo undo" } else { "no" });
    row("digest", &one_line(&question.digest));
    row("question", &one_line(&question.confirmation_id));
    lines
}

/// Questions that a task asks before it plans.
pub fn clarification(request: &ClarificationRequest, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for question in &request.questions {
        for line in wrap(&one_line(question), width.saturating_sub(4)) {
            let mark = if lines.is_empty() { "  ? " } else { "    " };
            lines.push(Line::new().add(Tone::Warn, mark).add(Tone::Strong, line));
        }
    }
    lines.push(Line::plain("    ").add(Tone::Dim, "an empty answer means: go ahead as you think"));
    lines
}

/// `DELETE 3 files`, `OVERWRITE, SEND with shell`.
fn headline(question: &ConfirmationRequest) -> String {
    let effects = question.effects.join(", ").to_uppercase();
    let effects = if effects.is_empty() { "RUN".to_owned() } else { effects };
    match question.targets.len() {
        0 => format!("{effects} with {}", question.tool),
        1 => format!("{effects} {}", question.targets[0]),
        several => format!("{effects} {several} targets with {}", question.tool),
    }
}
