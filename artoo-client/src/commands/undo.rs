//! `artoo undo`: what a task deleted and overwrote comes back, what it made goes.

use std::path::Path;

use artoo_protocol::v1::{UndoItem, UndoTaskRequest, UndoTaskResponse};
use artoo_protocol::words::UndoOutcome;

use crate::answers::{token, yes};
use crate::console::Console;
use crate::exit::{ABANDONED, CANCELLED, DONE, Failure};
use crate::ids;
use crate::paths::short;
use crate::render::figures::{count, short_id};
use crate::render::text::{columns, escape, fold, one_line, wrap};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone};
use crate::terminal::{TerminalLook, spoken};

/// Column at which paths begin.
const COLUMN: usize = 14;

/// `artoo undo ID`; exit code 1 when something was left as it is.
pub async fn run(console: &mut Console, id: &str, list: bool, force: bool) -> Result<u8, Failure> {
    let task_id = ids::task(console, id).await?;
    let request = UndoTaskRequest { task_id, dry_run: list, force, token: token(&console.daemon.paths)? };
    let undone = console.daemon.answer(console.client.undo_task(request).await)?;
    console.print(&undone, |undone, look| lines(undone, spoken(), look)).await?;
    Ok(if list || undone.not_restored.is_empty() { DONE } else { ABANDONED })
}

/// Tasks in which something to undo is looked for where none is named.
const LATEST: u32 = 20;

/// Later tasks that are named because they cannot be undone, and the lines of each.
const PASSED: usize = 3;
const WHY_LINES: usize = 3;

/// Characters of its request where it is named in a sentence.
const INPUT_CHARS: usize = 60;

/// `artoo undo` without an id: the newest task of which something can be taken back, after a yes.
pub async fn last(console: &mut Console, list: bool, force: bool) -> Result<u8, Failure> {
    let language = spoken();
    let mut passed = Vec::new();
    for task in ids::newest(console, LATEST).await? {
        let token = token(&console.daemon.paths)?;
        let request = UndoTaskRequest { task_id: task.task_id.clone(), dry_run: true, force, token };
        // One that still runs cannot be undone.
        let Ok(found) = console.client.undo_task(request).await.map(tonic::Response::into_inner) else {
            continue;
        };
        if !found.items.iter().any(|item| item.outcome() == UndoOutcome::Possible) {
            // Whoever means this one must not get another one in its place unawares.
            let stays = found.items.iter().find(|item| item.outcome() == UndoOutcome::Skipped);
            let told =
                stays.filter(|_| passed.len() < PASSED).map(|item| passed_over(&task.input, item, language));
            passed.extend(told);
            continue;
        }
        let id = short_id(&task.task_id).to_owned();
        let width = console.printer.look.width;
        let told: Vec<Line> = passed
            .iter()
            .flat_map(|text: &String| {
                Line::new().add(Tone::Warn, "! ").hanging(Tone::Plain, text, width, WHY_LINES)
            })
            .collect();
        console.printer.notes(&told).await?;
        if list {
            return run(console, &task.task_id, true, force).await;
        }
        if console.json || !console.printer.can_ask() {
            let text: String = escape(&one_line(&task.input)).chars().take(INPUT_CHARS).collect();
            let message = format!("the last task that can be undone is \"{text}\": artoo undo {id}");
            return Err(Failure::Usage(message));
        }
        let mut shown =
            vec![Line::new().add(Tone::Accent, "› ").foreign(Tone::Strong, &task.input).fit(width)];
        shown.extend(lines(&found, language, &console.printer.look));
        console.printer.lines(&shown).await?;
        let agreed = yes(&language.screen(&format!("Undo this task, {id}? [y/N] "))).await?;
        if agreed {
            return run(console, &task.task_id, false, force).await;
        }
        console.printer.notes(&[Line::plain(language.screen("nothing was undone"))]).await?;
        return Ok(CANCELLED);
    }
    if let Some(text) = passed.first() {
        return Err(Failure::not_found(text.clone()));
    }
    Err(Failure::not_found(
        "none of the last tasks changed something that can be undone; `artoo tasks` lists them".to_owned(),
    ))
}

/// That a later task stays as it is, and why.
fn passed_over(input: &str, item: &UndoItem, language: Language) -> String {
    let input: String = escape(&one_line(input)).chars().take(INPUT_CHARS).collect();
    language.screen(&format!("\"{input}\" cannot be undone: {}", one_line(&item.why)))
}

/// What became of each path, one a line, and why where it was left alone.
pub fn lines(undone: &UndoTaskResponse, language: Language, look: &TerminalLook) -> Vec<Line> {
    if undone.items.is_empty() {
        let said = language.screen("this task changed nothing that artoo keeps a copy of");
        return vec![Line::new().add(Tone::Dim, said)];
    }
    undone.items.iter().flat_map(|item| of(item, language, look.width)).collect()
}

/// What an undo would do with a path, by what is there now.
fn would(item: &UndoItem) -> &'static str {
    if Path::new(&item.path).symlink_metadata().is_ok() { "taken back" } else { "comes back" }
}

fn of(item: &UndoItem, language: Language, width: usize) -> Vec<Line> {
    let (word, tone) = match item.outcome() {
        UndoOutcome::Possible => (would(item), Tone::Accent),
        UndoOutcome::Restored => ("restored", Tone::Good),
        UndoOutcome::Removed => ("removed", Tone::Good),
        UndoOutcome::Unchanged => ("as before", Tone::Dim),
        UndoOutcome::Skipped => ("left alone", Tone::Warn),
        UndoOutcome::Failed | UndoOutcome::Unknown(_) => ("not restored", Tone::Bad),
    };
    let size = match (item.files, item.bytes) {
        (0, _) => String::new(),
        (1, size) => format!("   {}", language.bytes(size)),
        (files, size) => {
            format!(
                "   {}{}{}",
                language.screen(&count(files, "file")),
                language.say(Phrase::Comma),
                language.bytes(size)
            )
        }
    };
    // What goes was not there before: nothing of the person's own is taken away.
    let is_removed = item.outcome() == UndoOutcome::Removed;
    let size =
        if is_removed { format!("{size}   {}", language.screen("(the task had made it)")) } else { size };
    let room = width.saturating_sub(COLUMN + columns(&size)).max(COLUMN);
    let pieces = fold(&one_line(&short(Path::new(&item.path))), room);
    let last = pieces.len().saturating_sub(1);
    let named = pieces.into_iter().enumerate().map(|(at, piece)| {
        let head = if at == 0 { Line::new().add(tone, language.screen(word)) } else { Line::new() };
        let size = if at == last { size.clone() } else { String::new() };
        head.to_column(COLUMN).add(Tone::Plain, piece).add(Tone::Dim, size)
    });
    let why = (!item.why.is_empty())
        .then(|| wrap(&one_line(&language.reason(&item.why)), width.saturating_sub(COLUMN)));
    let why = why.into_iter().flatten().map(|line| Line::new().to_column(COLUMN).add(Tone::Dim, line));
    named.chain(why).collect()
}
