//! `artoo undo`: what a task deleted and overwrote comes back, what it made goes.

use std::path::Path;

use artoo_protocol::v1::{UndoItem, UndoTaskRequest, UndoTaskResponse};
use artoo_protocol::words::UndoOutcome;

use crate::answers::{token, yes};
use crate::console::Console;
use crate::exit::{ABANDONED, CANCELLED, DONE, Failure};
use crate::ids;
use crate::paths::short;
use crate::render::figures::{bytes, count, short_id};
use crate::render::text::{escape, one_line, wrap};
use crate::render::{Line, Tone};
use crate::terminal::TerminalLook;

/// Column at which paths begin.
const COLUMN: usize = 14;

/// `artoo undo ID`; exit code 1 when something was left as it is.
pub async fn run(console: &mut Console, id: &str, list: bool, force: bool) -> Result<u8, Failure> {
    let task_id = ids::task(console, id).await?;
    let request = UndoTaskRequest { task_id, dry_run: list, force, token: token(&console.daemon.paths)? };
    let undone = console.daemon.answer(console.client.undo_task(request).await)?;
    console.print(&undone, lines).await?;
    Ok(if list || undone.not_restored.is_empty() { DONE } else { ABANDONED })
}

/// Tasks in which something to undo is looked for where none is named.
const LATEST: u32 = 20;

/// Characters of its request where it is named in a sentence.
const INPUT_CHARS: usize = 60;

/// `artoo undo` without an id: the newest task of which something can be taken back, after a yes.
pub async fn last(console: &mut Console, list: bool, force: bool) -> Result<u8, Failure> {
    for task in ids::newest(console, LATEST).await? {
        let token = token(&console.daemon.paths)?;
        let request = UndoTaskRequest { task_id: task.task_id.clone(), dry_run: true, force, token };
        // One that still runs cannot be undone.
        let Ok(found) = console.client.undo_task(request).await.map(tonic::Response::into_inner) else {
            continue;
        };
        if !found.items.iter().any(|item| item.outcome() == UndoOutcome::Possible) {
            continue;
        }
        let id = short_id(&task.task_id).to_owned();
        if list {
            return run(console, &task.task_id, true, force).await;
        }
        if console.json || !console.printer.can_ask() {
            let text: String = escape(&one_line(&task.input)).chars().take(INPUT_CHARS).collect();
            let message = format!("the last task that can be undone is \"{text}\": artoo undo {id}");
            return Err(Failure::Usage(message));
        }
        let width = console.printer.look.width;
        let mut shown =
            vec![Line::new().add(Tone::Accent, "› ").foreign(Tone::Strong, &task.input).fit(width)];
        shown.extend(lines(&found, &console.printer.look));
        console.printer.lines(&shown).await?;
        let agreed = yes(&format!("Undo this task, {id}? [y/N] ")).await?;
        return if agreed { run(console, &task.task_id, false, force).await } else { Ok(CANCELLED) };
    }
    Err(Failure::not_found(
        "none of the last tasks changed something that can be undone; `artoo tasks` lists them".to_owned(),
    ))
}

/// What became of each path, one a line, and why where it was left alone.
pub fn lines(undone: &UndoTaskResponse, look: &TerminalLook) -> Vec<Line> {
    if undone.items.is_empty() {
        return vec![Line::new().add(Tone::Dim, "this task changed nothing that artoo keeps a copy of")];
    }
    undone.items.iter().flat_map(|item| of(item, look.width)).collect()
}

fn of(item: &UndoItem, width: usize) -> Vec<Line> {
    let (word, tone) = match item.outcome() {
        UndoOutcome::Possible => ("can undo", Tone::Accent),
        UndoOutcome::Restored => ("restored", Tone::Good),
        UndoOutcome::Removed => ("removed", Tone::Good),
        UndoOutcome::Unchanged => ("as before", Tone::Dim),
        UndoOutcome::Skipped => ("left alone", Tone::Warn),
        UndoOutcome::Failed | UndoOutcome::Unknown(_) => ("not restored", Tone::Bad),
    };
    let size = match (item.files, item.bytes) {
        (0, _) => String::new(),
        (1, size) => format!("   {}", bytes(size)),
        (files, size) => format!("   {}, {}", count(files, "file"), bytes(size)),
    };
    // What goes was not there before: nothing of the person's own is taken away.
    let was_new = if item.outcome() == UndoOutcome::Removed { "   (the task had made it)" } else { "" };
    let first = Line::new()
        .add(tone, word)
        .to_column(COLUMN)
        .foreign(Tone::Plain, &short(Path::new(&item.path)))
        .add(Tone::Dim, size)
        .add(Tone::Dim, was_new);
    let why = (!item.why.is_empty()).then(|| wrap(&one_line(&item.why), width.saturating_sub(COLUMN)));
    let why = why.into_iter().flatten().map(|line| Line::new().to_column(COLUMN).add(Tone::Dim, line));
    std::iter::once(first).chain(why).collect()
}
