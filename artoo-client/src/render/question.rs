//! A question to the person: the command first, what it would do in a person's words, one key for the answer. Six lines of
//! 80 columns at most; everything else is behind `v`.

use artoo_protocol::v1::{ClarificationRequest, ConfirmationRequest, TargetState};
use artoo_protocol::words::{EffectClass, TargetKind};

use crate::render::figures::bytes;
use crate::render::text::{columns, escape, fit, one_line, wrap};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone};

/// Lines of the action that are shown at once; `v` shows the rest.
const ACTION_LINES: usize = 2;
/// Columns in front of everything.
const INDENT: &str = "  ";
/// The tool whose action is a change of a text.
const EDITS: &str = "edit_file";
/// Lines of the action of an edit of one line: where, what goes, `by`, what comes.
const EDIT_LINES: usize = 4;

/// The question about an action: it, where and on what, what it does and whether it can be undone, and the keys.
pub fn confirmation(question: &ConfirmationRequest, language: Language, width: usize) -> Vec<Line> {
    // An edit names its file already.
    let mut lines = change(question, language, width).unwrap_or_else(|| {
        let mut lines = action(&question.action, language, width);
        lines.push(place(question, language).fit(width));
        lines
    });
    let told = Line::plain(INDENT).add(Tone::Strong, wants(question, language));
    let tone = if question.undoable { Tone::Plain } else { Tone::Warn };
    let undo = undo(question, language);
    let gap = if language == Language::English { " " } else { "" };
    let both = told.clone().add(tone, format!("{gap}{undo}"));
    if both.columns() <= width {
        lines.push(both);
        // Room is left for the first reason: of a risk nobody should have to ask.
        let why = question.why.first().map(|why| Line::plain(INDENT).foreign(Tone::Dim, why));
        lines.extend(why.map(|why| why.fit(width)));
    } else {
        lines.push(told.fit(width));
        lines.push(Line::plain(INDENT).add(tone, undo).fit(width));
    }
    lines.extend(keys(question, language, width));
    lines
}

/// Whether a part of the action does not stand in [`confirmation`]: nobody can agree to what they have not seen.
pub fn hides(question: &ConfirmationRequest, width: usize) -> bool {
    match change(question, Language::English, width) {
        Some(_) => {
            question.action.lines().count() > EDIT_LINES
                || question.action.lines().any(|line| columns(line) + 6 > width)
        }
        None => pieces(&question.action, width).len() > ACTION_LINES,
    }
}

/// The keys, in lines of this width.
pub fn keys(question: &ConfirmationRequest, language: Language, width: usize) -> Vec<Line> {
    let kind = question.rememberable.then_some(Phrase::KeyAll);
    let keys =
        [Phrase::KeyYes, Phrase::KeyNo].into_iter().chain(kind).chain([Phrase::KeyView, Phrase::KeyHelp]);
    let mut lines = vec![String::new()];
    for key in keys.map(|key| language.say(key)) {
        let line = lines.pop().unwrap_or_default();
        let longer = if line.is_empty() { format!("{INDENT}{key}") } else { format!("{line}   {key}") };
        if line.is_empty() || columns(&longer) <= width {
            lines.push(longer);
        } else {
            lines.extend([line, format!("{INDENT}{key}")]);
        }
    }
    lines.into_iter().map(|line| Line::new().add(Tone::Accent, line)).collect()
}

/// What each key means.
pub fn help(question: &ConfirmationRequest, language: Language, width: usize) -> Vec<Line> {
    let rows = [
        ("y", Phrase::HelpYes),
        ("n", Phrase::HelpNo),
        ("a", if question.rememberable { Phrase::HelpAll } else { Phrase::NoKind }),
        ("v", Phrase::HelpView),
        ("Ctrl+C", Phrase::HelpStop),
    ];
    let row = |(key, phrase): (&str, Phrase)| {
        Line::plain(INDENT)
            .add(Tone::Accent, key)
            .to_column(10)
            .add(Tone::Plain, language.say(phrase))
            .fit(width)
    };
    rows.into_iter().map(row).collect()
}

/// Everything about the question, uncut.
pub fn details(question: &ConfirmationRequest, language: Language, width: usize) -> Vec<Line> {
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
        row("", &described(state, language));
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
    row("undo", &undo(question, language));
    row("digest", &one_line(&question.digest));
    row("question", &one_line(&question.confirmation_id));
    lines.extend(keys(question, language, width));
    lines
}

/// Questions that a task asks before it plans.
pub fn clarification(request: &ClarificationRequest, language: Language, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for question in &request.questions {
        for line in wrap(&one_line(question), width.saturating_sub(4)) {
            let mark = if lines.is_empty() { "  ? " } else { "    " };
            lines.push(Line::new().add(Tone::Warn, mark).add(Tone::Strong, line));
        }
    }
    lines.push(Line::plain("    ").add(Tone::Dim, language.say(Phrase::GoAhead)));
    lines
}

/// The exact action, or its beginning.
fn action(text: &str, language: Language, width: usize) -> Vec<Line> {
    shown(pieces(text, width), ACTION_LINES, language, width)
        .into_iter()
        .enumerate()
        .map(|(index, (tone, text))| {
            Line::plain(INDENT).add(Tone::Warn, if index == 0 { "? " } else { "  " }).add(tone, text)
        })
        .collect()
}

/// The action in lines that fit.
fn pieces(text: &str, width: usize) -> Vec<String> {
    let escaped = escape(text);
    let lines = escaped.lines().flat_map(|line| wrap(line, width.saturating_sub(4)));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The first lines of these, and how many more there are in the place of the last where they do not fit.
fn shown(pieces: Vec<String>, most: usize, language: Language, width: usize) -> Vec<(Tone, String)> {
    let rest = pieces.len().saturating_sub(most - 1);
    let cut = pieces.len() > most;
    let told = language.fill(Phrase::MoreLines, &[&rest.to_string()]);
    let kept = if cut { most - 1 } else { pieces.len() };
    let kept = pieces.into_iter().take(kept).map(|piece| (Tone::Accent, piece));
    kept.chain(cut.then(|| (Tone::Warn, fit(&told, width.saturating_sub(4))))).collect()
}

/// An edit as what goes and what comes; none for anything else, and where the action could be read in two ways.
fn change(question: &ConfirmationRequest, language: Language, width: usize) -> Option<Vec<Line>> {
    if question.tool != EDITS {
        return None;
    }
    let (head, rest) = question.action.strip_prefix("in ")?.split_once(" replace\n")?;
    let (old, new) = rest.split_once("\nby\n")?;
    if new.contains("\nby\n") || old.contains(" replace\n") || new.contains(" replace\n") {
        return None;
    }
    let (old, new) = (escape(old), escape(new));
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    while old.len() > 1 && new.len() > 1 && old.first() == new.first() {
        old.remove(0);
        new.remove(0);
    }
    while old.len() > 1 && new.len() > 1 && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let room = width.saturating_sub(6);
    let head = Line::plain(INDENT).add(Tone::Warn, "? ").foreign(Tone::Accent, head).fit(width);
    let side = |mark: &str, tone: Tone, lines: &[&str]| {
        let more = lines.len().saturating_sub(1);
        let text = lines.first().copied().unwrap_or_default();
        let more = if more == 0 {
            String::new()
        } else {
            format!(" {}", language.fill(Phrase::MoreLines, &[&more.to_string()]))
        };
        let text = fit(text, room.saturating_sub(columns(&more)));
        Line::plain("    ").add(tone, format!("{mark} {text}")).add(Tone::Warn, more).fit(width)
    };
    Some(vec![head, side("-", Tone::Bad, &old), side("+", Tone::Good, &new)])
}

/// Where it would run, and what it would touch.
fn place(question: &ConfirmationRequest, language: Language) -> Line {
    let folder = language.fill(Phrase::In, &[&one_line(&question.working_directory)]);
    let states = question.states.iter().filter(|state| state.kind() != TargetKind::Absent);
    let size: u64 = states.map(|state| state.bytes).sum();
    let size = if size == 0 { String::new() } else { format!(" · {}", bytes(size)) };
    Line::plain(INDENT).add(Tone::Dim, format!("{folder}{size}"))
}

/// What it would do, by its gravest effect.
fn wants(question: &ConfirmationRequest, language: Language) -> String {
    const GRAVEST_FIRST: [(EffectClass, Phrase); 7] = [
        (EffectClass::Undetermined, Phrase::WantsUnknown),
        (EffectClass::System, Phrase::WantsSystem),
        (EffectClass::Send, Phrase::WantsSend),
        (EffectClass::Delete, Phrase::WantsDelete),
        (EffectClass::Overwrite, Phrase::WantsChange),
        (EffectClass::Create, Phrase::WantsMake),
        (EffectClass::Read, Phrase::WantsRead),
    ];
    let effects: Vec<EffectClass> =
        question.effects.iter().map(|word| EffectClass::from(word.as_str())).collect();
    let phrase = GRAVEST_FIRST.iter().find(|(effect, _)| effects.contains(effect)).map(|(_, phrase)| *phrase);
    language.fill(phrase.unwrap_or(Phrase::WantsUnknown), &[&targets(question, language)])
}

/// What it touches, in a few words: a name, or how many.
fn targets(question: &ConfirmationRequest, language: Language) -> String {
    let many = question.targets.len();
    match question.targets.as_slice() {
        [] => language.say(Phrase::Something).to_owned(),
        [one] => name(&one_line(one), &question.working_directory),
        _ => {
            let all = |kind: &TargetKind| {
                question.states.len() == many && question.states.iter().all(|state| state.kind() == *kind)
            };
            let phrase = if all(&TargetKind::File) {
                Phrase::Files
            } else if all(&TargetKind::Folder) {
                Phrase::Folders
            } else {
                Phrase::Places
            };
            language.fill(phrase, &[&many.to_string()])
        }
    }
}

/// A path as somebody in this folder would write it.
fn name(path: &str, folder: &str) -> String {
    let below = path.strip_prefix(&one_line(folder)).and_then(|rest| rest.strip_prefix('/'));
    below.filter(|rest| !rest.is_empty()).unwrap_or(path).to_owned()
}

/// Whether it can be undone, and why not.
fn undo(question: &ConfirmationRequest, language: Language) -> String {
    match (question.undoable, question.undo_why.trim()) {
        (true, _) => language.say(Phrase::CanUndo).to_owned(),
        (false, "") => language.say(Phrase::CannotUndo).to_owned(),
        (false, why) => language.fill(Phrase::CannotUndoWhy, &[one_line(why).trim_end_matches('.')]),
    }
}

fn described(state: &TargetState, language: Language) -> String {
    match state.kind() {
        TargetKind::File => bytes(state.bytes),
        TargetKind::Folder if state.files > 0 => {
            let phrase = if state.files == 1 { Phrase::OneFile } else { Phrase::Files };
            let files = language.fill(phrase, &[&state.files.to_string()]);
            language.fill(Phrase::AFolder, &[&files, &bytes(state.bytes)])
        }
        TargetKind::Absent => language.say(Phrase::NewFile).to_owned(),
        TargetKind::Folder | TargetKind::Link | TargetKind::Other | TargetKind::Unknown(_) => {
            one_line(&state.kind)
        }
    }
}
