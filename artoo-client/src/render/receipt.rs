//! One receipt as a person reads it: the exact call, how it ended, what it changed and wrote, and what it put out.

use artoo_protocol::v1::{FileChange, Receipt};

use crate::render::figures::{bytes, count, duration};
use crate::render::line::LIST_LINES;
use crate::render::{Line, Tone};

/// Lines of a call, of what it wrote and of what it put out.
const TEXT_LINES: usize = 12;
/// Hex digits of a digest: enough to tell two states apart.
const SHOWN_DIGITS: usize = 12;
/// Where everything below the first line stands.
const INDENT: &str = "             ";
/// Lines of a call, and of a remark, where only what was run is told.
const BRIEF_LINES: usize = 3;

/// What was run and how it ended, the exact call and what is to be known of it: the short form of [`lines`].
pub fn brief(receipt: &Receipt, width: usize) -> Vec<Line> {
    let exit = receipt.exit.map_or_else(|| receipt.end.clone(), |exit| format!("exit {exit}"));
    let head = head(receipt).foreign(Tone::Plain, &format!("{} {exit}  ", receipt.tool));
    let call = call(receipt);
    let call = call.lines().map(str::trim_end).collect::<Vec<_>>().join(" ⏎ ");
    let mut lines = head.hanging(Tone::Plain, &call, width, BRIEF_LINES);
    lines.extend(remark(receipt, width));
    lines
}

/// The lines of one receipt.
pub fn lines(receipt: &Receipt, width: usize) -> Vec<Line> {
    let exit = receipt.exit.map(|exit| format!(" exit {exit}")).unwrap_or_default();
    let ended = format!("{} {}{exit}, {}", receipt.tool, receipt.end, duration(receipt.elapsed_ms));
    let mut lines = vec![head(receipt).foreign(Tone::Plain, &ended).fit(width)];
    lines.extend(remark(receipt, width));
    lines.extend(part("ran", &call(receipt), width));
    lines.extend(receipt.changes.iter().take(LIST_LINES).map(|one| labelled("files", &change(one), width)));
    let more = receipt.changes.len().saturating_sub(LIST_LINES) as u64 + receipt.changes_omitted;
    if more > 0 {
        lines.push(labelled("files", &format!("{more} more, or places that were not looked at"), width));
    }
    lines.extend(part("wrote", receipt.written.as_deref().unwrap_or_default(), width));
    lines.extend(part(&format!("said {}", bytes(receipt.output_bytes)), &receipt.output, width));
    lines
}

/// What a call changed, in a few words, for one line; empty where it changed nothing.
pub fn changed(changes: &[FileChange]) -> String {
    match changes {
        [] => String::new(),
        [one] => format!(" | {} {}", one.kind, one.path),
        [first, rest @ ..] => {
            format!(" | {} {} and {}", first.kind, first.path, count(rest.len() as u64, "more change"))
        }
    }
}

fn head(receipt: &Receipt) -> Line {
    Line::plain("        ").foreign(Tone::Accent, &format!("{:<4} ", receipt.id))
}

/// What the runtime remarked on the call: that it was interrupted, what was put back, what it lacked.
fn remark(receipt: &Receipt, width: usize) -> Vec<Line> {
    let label = || Line::plain(INDENT).add(Tone::Warn, "note  ");
    let told = |note: &String| label().hanging(Tone::Plain, note, width, BRIEF_LINES);
    receipt.note.as_ref().map(told).unwrap_or_default()
}

/// The command of a shell call, else the arguments.
fn call(receipt: &Receipt) -> String {
    let arguments: serde_json::Value = serde_json::from_str(&receipt.arguments).unwrap_or_default();
    match arguments.get("command").and_then(serde_json::Value::as_str) {
        Some(command) => command.to_owned(),
        None => receipt.arguments.clone(),
    }
}

fn change(change: &FileChange) -> String {
    let short = |digest: &Option<String>| {
        digest.as_ref().map(|digest| digest.chars().take(SHOWN_DIGITS).collect::<String>())
    };
    let states: Vec<String> = [short(&change.before), short(&change.after)].into_iter().flatten().collect();
    let states = if states.is_empty() { String::new() } else { format!("  {}", states.join(" → ")) };
    let modes = change.modes.as_ref().map(|modes| format!("  {modes}")).unwrap_or_default();
    format!("{} {}{modes}{states}", change.kind, change.path)
}

fn labelled(label: &str, text: &str, width: usize) -> Line {
    Line::plain(INDENT).add(Tone::Dim, format!("{label}  ")).foreign(Tone::Plain, text).fit(width)
}

/// A text of several lines under its label; what is too long gives way in its middle.
fn part(label: &str, text: &str, width: usize) -> Vec<Line> {
    let all: Vec<&str> = text.lines().collect();
    let (head, tail) = if all.len() > TEXT_LINES {
        (&all[..TEXT_LINES / 2], &all[all.len() - TEXT_LINES / 2..])
    } else {
        (&all[..], &[][..])
    };
    let omitted = (all.len() - head.len() - tail.len()) as u64;
    let cut = (omitted > 0).then(|| format!("[... {} ...]", count(omitted, "line")));
    let shown = head.iter().copied().chain(cut.as_deref()).chain(tail.iter().copied());
    let mut lines: Vec<Line> = Vec::new();
    for text in shown {
        let label =
            if lines.is_empty() { format!("{label}  ") } else { " ".repeat(label.chars().count() + 2) };
        lines.push(Line::plain(INDENT).add(Tone::Dim, label).foreign(Tone::Plain, text).fit(width));
    }
    lines
}
