//! A question to the person, with everything that the answer depends on.

use artoo_protocol::v1::{ClarificationRequest, ConfirmationRequest, TargetState};
use artoo_protocol::words::TargetKind;

use crate::render::figures::{bytes, count};
use crate::render::text::{escape, one_line, wrap};
use crate::render::{Line, Tone};

/// Most lines of the exact action that are shown at once; `d` shows the rest.
const ACTION_LINES: usize = 12;
/// Targets that are shown at once; `d` shows the rest.
const TARGET_LINES: usize = 4;
/// Columns in front of everything but the first line.
const INDENT: usize = 6;

/// The question about an action: what it does, where, to what, whether it can be undone, and the keys.
pub fn confirmation(question: &ConfirmationRequest, asked_by: Option<&str>, width: usize) -> Vec<Line> {
    let inner = width.saturating_sub(INDENT);
    let indented = || Line::plain(" ".repeat(INDENT));
    let mut lines = vec![head(question, width)];
    let action = escape(&question.action);
    let mut shown: Vec<Line> = action
        .lines()
        .flat_map(|line| wrap(line, inner))
        .map(|line| indented().add(Tone::Accent, line))
        .collect();
    let rest = shown.len().saturating_sub(ACTION_LINES);
    shown.truncate(ACTION_LINES);
    lines.extend(shown);
    if rest > 0 {
        let rest = format!("and {rest} more lines: press d to see them before you answer");
        lines.push(indented().add(Tone::Warn, rest));
    }
    lines.extend(indented().add(Tone::Plain, "in ").hanging(
        Tone::Plain,
        &question.working_directory,
        width,
        4,
    ));
    if question.targets.len() > 1 {
        for index in 0..question.targets.len().min(TARGET_LINES) {
            lines.extend(indented().add(Tone::Dim, "· ").hanging(
                Tone::Plain,
                &target(question, index),
                width,
                4,
            ));
        }
        let rest = question.targets.len().saturating_sub(TARGET_LINES);
        if rest > 0 {
            lines.push(indented().add(Tone::Warn, format!("· and {rest} more: press d to see them")));
        }
    }
    let effects = format!("effect {}", one_line(&question.effects.join(", ")));
    let by = asked_by.map(|step| format!(" · asked by {}", one_line(step))).unwrap_or_default();
    if question.undoable {
        lines.extend(indented().hanging(Tone::Dim, &format!("{effects} · {}{by}", undo(question)), width, 4));
    } else {
        lines.extend(indented().hanging(Tone::Dim, &format!("{effects}{by}"), width, 4));
        lines.extend(indented().hanging(Tone::Warn, &undo(question), width, 4));
    }
    for why in &question.why {
        lines.extend(wrap(&one_line(why), inner).into_iter().map(|line| indented().add(Tone::Dim, line)));
    }
    let kind = if question.rememberable { "[t] this kind for this task  " } else { "" };
    lines.push(indented().add(Tone::Plain, format!("[y] this once  {kind}[n] no  [d] details, return")));
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
    for (index, path) in question.targets.iter().enumerate() {
        row("target", &one_line(path));
        let Some(state) = question.states.get(index) else { continue };
        row("", &described(state));
        if state.real != *path {
            row("", &format!("really {}", one_line(&state.real)));
        }
        if state.leads_to != state.real {
            row("", &format!("leads to {}", one_line(&state.leads_to)));
        }
        if !state.sha256.is_empty() {
            row("sha256", &one_line(&state.sha256));
        }
    }
    for why in &question.why {
        row("why", &one_line(why));
    }
    row("undo", &undo(question));
    row("digest", &one_line(&question.digest));
    row("question", &one_line(&question.confirmation_id));
    lines
}

/// The answer to a person who wants to allow more of a kind where there is none.
pub fn no_kind() -> Line {
    let text = "each of these is asked about by itself: press y, n or d, then return";
    Line::plain(" ".repeat(INDENT)).add(Tone::Warn, text)
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

/// Beyond this many columns the right end is too far away to be seen.
const WIDE: usize = 120;

/// The first line: what it does, and at its right end that somebody has to answer.
fn head(question: &ConfirmationRequest, width: usize) -> Line {
    const ASKS: &str = "needs your answer";
    let width = width.min(WIDE);
    let head = Line::plain("  ").foreign(Tone::Strong, &format!("? artoo wants to {}", headline(question)));
    let room = width.saturating_sub(ASKS.len() + 3);
    head.fit(room).to_column(width.saturating_sub(ASKS.len() + 1)).add(Tone::Warn, ASKS)
}

/// `DELETE 3 files`, `OVERWRITE ~/notes.txt`, `SEND with shell`.
fn headline(question: &ConfirmationRequest) -> String {
    let effects = question.effects.join(", ").to_uppercase();
    let effects = if effects.is_empty() { "RUN".to_owned() } else { effects };
    match question.targets.as_slice() {
        [] => format!("{effects} with {}", question.tool),
        [one] => format!("{effects} {one}"),
        several => {
            let all = |kind: &TargetKind| {
                question.states.len() == several.len()
                    && question.states.iter().all(|state| state.kind() == *kind)
            };
            let kinds = [TargetKind::File, TargetKind::Folder, TargetKind::Link];
            let noun = kinds.iter().find(|kind| all(kind)).map_or("target", TargetKind::as_str);
            format!("{effects} {} {noun}s", several.len())
        }
    }
}

/// Whether it can be undone, and how or why not.
fn undo(question: &ConfirmationRequest) -> String {
    match (question.undoable, question.undo_bytes) {
        (true, 0) => "can be undone".to_owned(),
        (true, size) => format!("can be undone (trash, {})", bytes(size)),
        (false, _) if question.undo_why.is_empty() => "cannot be undone".to_owned(),
        (false, _) => format!("cannot be undone: {}", one_line(&question.undo_why)),
    }
}

/// One target and what is there.
fn target(question: &ConfirmationRequest, index: usize) -> String {
    let path = &question.targets[index];
    match question.states.get(index) {
        Some(state) => format!("{path}   {}", described(state)),
        None => path.clone(),
    }
}

fn described(state: &TargetState) -> String {
    match state.kind() {
        TargetKind::File => bytes(state.bytes),
        TargetKind::Folder if state.files > 0 => {
            format!("folder, {}, {}", count(state.files, "file"), bytes(state.bytes))
        }
        TargetKind::Absent => "new".to_owned(),
        TargetKind::Folder | TargetKind::Link | TargetKind::Other | TargetKind::Unknown(_) => {
            one_line(&state.kind)
        }
    }
}
