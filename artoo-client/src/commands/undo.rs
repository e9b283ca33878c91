//! `artoo undo`: what a task deleted and overwrote comes back, what it made goes.

use artoo_protocol::v1::{UndoItem, UndoTaskRequest, UndoTaskResponse};
use artoo_protocol::words::UndoOutcome;

use crate::answers::token;
use crate::console::Console;
use crate::exit::{ABANDONED, DONE, Failure};
use crate::ids;
use crate::render::figures::{bytes, count};
use crate::render::text::{one_line, wrap};
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
    let first =
        Line::new().add(tone, word).to_column(COLUMN).foreign(Tone::Plain, &item.path).add(Tone::Dim, size);
    let why = (!item.why.is_empty()).then(|| wrap(&one_line(&item.why), width.saturating_sub(COLUMN)));
    let why = why.into_iter().flatten().map(|line| Line::new().to_column(COLUMN).add(Tone::Dim, line));
    std::iter::once(first).chain(why).collect()
}
