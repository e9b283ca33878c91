//! A question to the person: the command first and whole, what it would do in a person's words, one key for the answer. Everything
//! else is behind `v`.

use artoo_protocol::v1::{ClarificationRequest, ConfirmationRequest, TargetState};
use artoo_protocol::words::{EffectClass, TargetKind};

use crate::render::text::{columns, escape, fold, one_line, pad, wrap};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone};

/// Lines of the action that are shown at once: a script that fits on a screen. Beyond it nobody can say yes before `v` has shown all.
const ACTION_LINES: usize = 40;
/// Lines that a folder or a reason takes at most.
const MORE_LINES: usize = 4;
/// Columns in front of everything.
const INDENT: &str = "  ";
/// The tool whose action is a change of a text.
const EDITS: &str = "edit_file";

/// The question about an action: it, where and on what, what it does and whether it can be undone, and the keys.
pub fn confirmation(question: &ConfirmationRequest, language: Language, width: usize) -> Vec<Line> {
    let mut lines = action(question, language, width);
    let indented = |tone: Tone, text: &str| Line::plain(INDENT).hanging(tone, text, width, MORE_LINES);
    if Edit::read(question).is_none() {
        lines.extend(indented(Tone::Dim, &place(question, language)));
    }
    let told = wants(question, language);
    let tone = if question.undoable { Tone::Plain } else { Tone::Warn };
    let undo = undo(question, language);
    let gap = if language == Language::English { " " } else { "" };
    let both = Line::plain(INDENT).add(Tone::Strong, told.clone()).add(tone, format!("{gap}{undo}"));
    if both.columns() <= width {
        lines.push(both);
    } else {
        lines.extend(indented(Tone::Strong, &told));
        lines.extend(indented(tone, &undo));
    }
    // Of a risk nobody should have to ask: why, and what it could do after a yes where that would be for good.
    let told = if question.undoable { 1 } else { question.why.len() };
    let why = question.why.iter().take(told).map(|why| language.reason(why));
    lines.extend(why.flat_map(|why| indented(Tone::Dim, &why)));
    lines.extend(keys(question, language, width));
    lines
}

/// How a command begins that only prints a text, behind one that acts, and the characters that the text may not hold: a shell reads
/// nothing but text between two of these quotation marks.
const PRINTS: &str = " && printf '%s\\n' '";
const QUOTE: char = '\'';
/// The program of commands.
const SHELL: &str = "shell";

/// The action without a last command that prints a fixed text and can do nothing else: what a person is asked about is the rest.
pub(super) fn acting(question: &ConfirmationRequest) -> &str {
    let action = question.action.as_str();
    let prints = |(before, text): &(&str, &str)| {
        let text = text.strip_suffix(QUOTE);
        // What is not closed before it would make it a part of something else.
        text.is_some_and(|text| !text.contains([QUOTE, '\n'])) && !before.contains(['\n', '#', '`', '\\'])
    };
    let cut = action.rsplit_once(PRINTS).filter(|_| question.tool == SHELL).filter(prints);
    let is_closed = |before: &str| [QUOTE, '"'].iter().all(|mark| before.matches(*mark).count() % 2 == 0);
    cut.map(|(before, _)| before).filter(|before| is_closed(before)).unwrap_or(action)
}

/// What is asked about, whole but for a line of its own that it prints: the command as it would run, or the edit with its lines.
pub fn action(question: &ConfirmationRequest, language: Language, width: usize) -> Vec<Line> {
    let mut lines = pieces(question, width);
    if acting(question).len() < question.action.len() {
        lines.push(Line::plain("    ").add(Tone::Dim, language.say(Phrase::Shortened)).fit(width));
    }
    let rest = lines.len().saturating_sub(ACTION_LINES);
    if rest > 0 {
        lines.truncate(ACTION_LINES);
        let told = language.fill(Phrase::MoreLines, &[&rest.to_string()]);
        lines.extend(Line::plain("    ").hanging(Tone::Warn, &told, width, MORE_LINES));
    }
    lines
}

/// Whether a part of the action does not stand in [`confirmation`]: nobody can agree to what they have not seen.
pub fn hides(question: &ConfirmationRequest, width: usize) -> bool {
    pieces(question, width).len() > ACTION_LINES
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
    let room = width.saturating_sub(18);
    let mut rows = |label: Option<Phrase>, pieces: Vec<String>| {
        for (index, line) in pieces.into_iter().enumerate() {
            let label = label.filter(|_| index == 0).map_or("", |label| language.say(label));
            lines.push(Line::plain("      ").add(Tone::Dim, pad(label, 12)).add(Tone::Plain, line));
        }
    };
    rows(Some(Phrase::LabelTool), wrap(&one_line(&question.tool), room));
    for (index, line) in escape(&question.action).lines().enumerate() {
        rows((index == 0).then_some(Phrase::LabelAction), fold(line, room));
    }
    let mut row = |label: Option<Phrase>, text: &str| rows(label, wrap(text, room));
    row(Some(Phrase::LabelIn), &one_line(&question.working_directory));
    row(Some(Phrase::LabelEffects), &effects(question, language));
    for (index, path) in question.targets.iter().enumerate() {
        row(Some(Phrase::LabelTarget), &one_line(path));
        let Some(state) = question.states.get(index) else { continue };
        row(None, &described(state, language));
        if state.real != *path {
            row(None, &language.fill(Phrase::Really, &[&one_line(&state.real)]));
        }
        if state.leads_to != state.real {
            row(None, &language.fill(Phrase::LeadsTo, &[&one_line(&state.leads_to)]));
        }
        if !state.sha256.is_empty() {
            row(Some(Phrase::LabelSha), &one_line(&state.sha256));
        }
    }
    for why in &question.why {
        row(Some(Phrase::LabelWhy), &one_line(&language.reason(why)));
    }
    row(Some(Phrase::LabelUndo), &undo(question, language));
    row(Some(Phrase::LabelDigest), &one_line(&question.digest));
    row(Some(Phrase::LabelQuestion), &one_line(&question.confirmation_id));
    lines.extend(keys(question, language, width));
    lines
}

/// What it would do, by all of its effects.
fn effects(question: &ConfirmationRequest, language: Language) -> String {
    let phrase = |word: &str| match EffectClass::from(word) {
        EffectClass::Undetermined => Ok(Phrase::EffectUnknown),
        EffectClass::System => Ok(Phrase::EffectSystem),
        EffectClass::Send => Ok(Phrase::EffectSend),
        EffectClass::Delete => Ok(Phrase::EffectDelete),
        EffectClass::Overwrite => Ok(Phrase::EffectOverwrite),
        EffectClass::Create => Ok(Phrase::EffectCreate),
        EffectClass::Read => Ok(Phrase::EffectRead),
        EffectClass::Unknown(word) => Err(one_line(&word)),
    };
    let said = question.effects.iter().map(|word| match phrase(word) {
        Ok(phrase) => language.say(phrase).to_owned(),
        Err(word) => word,
    });
    said.collect::<Vec<_>>().join(language.say(Phrase::Comma))
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

/// The action in lines that fit.
fn pieces(question: &ConfirmationRequest, width: usize) -> Vec<Line> {
    let marked = |marks: &[&str], tone: Tone, text: &str| {
        let room = width.saturating_sub(marks.iter().map(|mark| columns(mark)).max().unwrap_or(0));
        let folded = fold(text, room).into_iter().enumerate();
        let line = |(index, piece): (usize, String)| {
            let mark = if index == 0 { marks.first() } else { marks.last() };
            let mark = mark.copied().unwrap_or_default();
            let tone_of_mark = if mark.contains('?') { Tone::Warn } else { tone };
            Line::new().add(tone_of_mark, mark).add(tone, piece)
        };
        folded.map(line).collect::<Vec<_>>()
    };
    let Some(edit) = Edit::read(question) else {
        let escaped = escape(acting(question));
        let lines = escaped.lines().filter(|line| !line.trim().is_empty()).enumerate();
        return lines
            .flat_map(|(index, line)| {
                let marks = if index == 0 { ["  ? ", "    "] } else { ["    ", "    "] };
                marked(&marks, Tone::Accent, line)
            })
            .collect();
    };
    let mut lines = marked(&["  ? ", "    "], Tone::Accent, &one_line(edit.file));
    let sides = [
        ("      ", Tone::Dim, edit.before()),
        ("    - ", Tone::Bad, edit.goes()),
        ("    + ", Tone::Good, edit.comes()),
        ("      ", Tone::Dim, edit.after()),
    ];
    for (mark, tone, texts) in sides {
        lines.extend(texts.iter().flat_map(|text| marked(&[mark, "      "], tone, &escape(text))));
    }
    lines
}

/// An edit as what goes and what comes.
struct Edit<'a> {
    file: &'a str,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    /// Lines at the beginning of both, and at their ends, that stay.
    same: (usize, usize),
}

impl<'a> Edit<'a> {
    /// None for anything else, and where the action could be read in two ways.
    fn read(question: &'a ConfirmationRequest) -> Option<Self> {
        if question.tool != EDITS {
            return None;
        }
        let (file, rest) = question.action.strip_prefix("in ")?.split_once(" replace\n")?;
        let (old, new) = rest.split_once("\nby\n")?;
        if new.contains("\nby\n") || old.contains(" replace\n") || new.contains(" replace\n") {
            return None;
        }
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let most = old.len().min(new.len());
        let begin = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let ends = old.iter().rev().zip(new.iter().rev()).take(most - begin);
        let end = ends.take_while(|(old, new)| old == new).count();
        Some(Self { file, old, new, same: (begin, end) })
    }

    fn before(&self) -> &[&'a str] {
        &self.old[..self.same.0]
    }

    fn goes(&self) -> &[&'a str] {
        &self.old[self.same.0..self.old.len() - self.same.1]
    }

    fn comes(&self) -> &[&'a str] {
        &self.new[self.same.0..self.new.len() - self.same.1]
    }

    fn after(&self) -> &[&'a str] {
        &self.old[self.old.len() - self.same.1..]
    }
}

/// Where it would run, and what it would touch.
fn place(question: &ConfirmationRequest, language: Language) -> String {
    let folder = language.fill(Phrase::In, &[&one_line(&question.working_directory)]);
    let states = question.states.iter().filter(|state| state.kind() != TargetKind::Absent);
    let size: u64 = states.map(|state| state.bytes).sum();
    let size = if size == 0 { String::new() } else { format!(" · {}", language.bytes(size)) };
    format!("{folder}{size}")
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
        (false, why) => {
            let why = language.reason(why);
            language.fill(Phrase::CannotUndoWhy, &[one_line(&why).trim_end_matches('.')])
        }
    }
}

fn described(state: &TargetState, language: Language) -> String {
    match state.kind() {
        TargetKind::File => language.bytes(state.bytes),
        TargetKind::Folder if state.files > 0 => {
            let phrase = if state.files == 1 { Phrase::OneFile } else { Phrase::Files };
            let files = language.fill(phrase, &[&state.files.to_string()]);
            language.fill(Phrase::AFolder, &[&files, &language.bytes(state.bytes)])
        }
        TargetKind::Absent => language.say(Phrase::NewFile).to_owned(),
        TargetKind::Folder => language.say(Phrase::KindFolder).to_owned(),
        TargetKind::Link => language.say(Phrase::KindLink).to_owned(),
        TargetKind::Other => language.say(Phrase::KindOther).to_owned(),
        TargetKind::Unknown(_) => one_line(&state.kind),
    }
}
