//! How a receipt is shown to a language model: the exact call, how it ended, what it changed, what it wrote, what it put out.
//!
//! Lines of ours begin at the margin; everything from outside is on one line or indented, so that it cannot pass for one.

use artoo_types::evidence::{CallEnd, ChangeKind, EffectClass, FileChange, Receipt};
use artoo_types::limits::MODEL_RESULT_CHARS;
use artoo_types::text::{head_tail, indented};
use artoo_types::tool::names;
use serde_json::Value;

use crate::prompt::one_line;

/// Marks what a stranger may have written. It reminds a model; nothing relies on that.
const UNTRUSTED: &str = " untrusted";
/// Characters of a command or of arguments. What a call wrote is shown apart.
const CALL_CHARS: usize = 1_000;
/// Characters of a normalised target.
const TARGET_CHARS: usize = 300;
/// Changes that are listed.
const LISTED_CHANGES: usize = 20;
/// Hex digits of a digest: enough to tell two states apart.
const SHOWN_DIGITS: usize = 12;
/// Characters of the other lines of a receipt, as a rule.
const LINES_CHARS: usize = 200;
/// Least characters that a receipt among many is given.
const LEAST_CHARS: usize = 200;

/// One receipt with head and tail of its output.
pub(crate) fn receipt_block(receipt: &Receipt) -> String {
    block(receipt, MODEL_RESULT_CHARS)
}

/// These receipts in so many characters: the longest texts give way first, each cut in its middle with its true count. Where
/// that is not enough, of the oldest only what was called is told.
pub(crate) fn receipt_blocks(receipts: &[Receipt], mut room: usize) -> String {
    let most = fair_share(receipts.iter().map(chars).collect(), room).saturating_sub(LINES_CHARS);
    let most = most.clamp(LEAST_CHARS, MODEL_RESULT_CHARS);
    let mut kept: Vec<String> = Vec::new();
    for receipt in receipts.iter().rev() {
        let whole = block(receipt, most);
        let fits = |text: &String| text.chars().count() < room;
        let Some(text) = Some(whole).filter(fits).or_else(|| Some(receipt_headline(receipt)).filter(fits))
        else {
            kept.push("[earlier receipts omitted]".to_owned());
            break;
        };
        room -= text.chars().count() + 1;
        kept.push(text);
    }
    kept.reverse();
    kept.join("\n")
}

/// What was called and how it ended, on one line.
pub(crate) fn receipt_headline(receipt: &Receipt) -> String {
    format!("{} {}", head(receipt), one_line(&call(receipt)))
}

fn block(receipt: &Receipt, most: usize) -> String {
    let mut lines = vec![head(receipt), call(receipt)];
    lines.extend(changed(receipt));
    if let Some(written) = &receipt.act.written {
        lines.push("written:".to_owned());
        lines.push(indented(&head_tail(written, most)));
    }
    if !receipt.output.is_empty() {
        let shown = head_tail(&receipt.output, most);
        if receipt.act.written.is_some() || shown.len() as u64 != receipt.output_bytes {
            lines.push(format!("output of {} bytes:", receipt.output_bytes));
        }
        lines.push(indented(&shown));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn head(receipt: &Receipt) -> String {
    let exit = match receipt.exit {
        Some(exit) => exit.to_string(),
        None => format!("none ({})", end_word(receipt.end)),
    };
    let target = match command(receipt) {
        Some(_) => String::new(),
        None => format!(" {}", one_line(&head_tail(&receipt.target, TARGET_CHARS))),
    };
    let mut head = format!("[receipt {}] {}{target} exit={exit}", receipt.id, receipt.tool);
    if receipt.taint.untrusted {
        head.push_str(UNTRUSTED);
    }
    if let Some(note) = &receipt.note {
        head.push_str(&format!(" ({})", one_line(note)));
    }
    head
}

/// The command or the arguments as they were run.
fn call(receipt: &Receipt) -> String {
    match command(receipt) {
        Some(command) if command.contains('\n') => {
            format!("command:\n{}", indented(&head_tail(&command, CALL_CHARS)))
        }
        Some(command) => format!("command: {}", one_line(&head_tail(&command, CALL_CHARS))),
        None if matches!(receipt.arguments.as_str(), "" | "{}") => String::new(),
        None => format!("arguments: {}", one_line(&head_tail(&receipt.arguments, CALL_CHARS))),
    }
}

/// The command of a shell call, exactly.
fn command(receipt: &Receipt) -> Option<String> {
    if receipt.tool != names::SHELL {
        return None;
    }
    let arguments: Value = serde_json::from_str(&receipt.arguments).ok()?;
    Some(arguments.get("command")?.as_str()?.to_owned())
}

/// What the call changed; that it changed nothing, where it might have.
fn changed(receipt: &Receipt) -> Option<String> {
    let act = &receipt.act;
    let mut parts: Vec<String> = act.changes.iter().take(LISTED_CHANGES).map(change).collect();
    let more = act.changes_omitted + act.changes.len().saturating_sub(LISTED_CHANGES) as u64;
    if more > 0 {
        parts.push(format!("{more} more, or places that were not looked at"));
    }
    if !parts.is_empty() {
        return Some(format!("changed: {}", parts.join("; ")));
    }
    let might_change = match receipt.effect {
        EffectClass::Read | EffectClass::Send => false,
        EffectClass::Create
        | EffectClass::Overwrite
        | EffectClass::Delete
        | EffectClass::System
        | EffectClass::Unknown => true,
    };
    (might_change && receipt.end == CallEnd::Ran).then(|| "changed: no file".to_owned())
}

/// `made /w/a (3fa9c1d2b0e4)`, `changed /w/b (3fa9c1d2b0e4 to 77ab01cd93f2)`.
fn change(change: &FileChange) -> String {
    let short =
        |digest: &Option<String>| digest.as_ref().map(|d| d.chars().take(SHOWN_DIGITS).collect::<String>());
    let states = match (change.kind, short(&change.before), short(&change.after)) {
        (ChangeKind::Changed, Some(before), Some(after)) if before != after => {
            format!(" ({before} to {after})")
        }
        (ChangeKind::Made, _, Some(after)) => format!(" ({after})"),
        (ChangeKind::Made | ChangeKind::Changed | ChangeKind::Deleted, _, _) => String::new(),
    };
    format!("{} {}{states}", change.kind.as_str(), one_line(&change.path))
}

/// Characters of a receipt that is not cut. Its other lines are short.
fn chars(receipt: &Receipt) -> usize {
    let written = receipt.act.written.as_ref().map_or(0, |written| written.chars().count());
    LINES_CHARS + receipt.output.chars().count() + written
}

/// The largest bound under which texts of these sizes have room together.
fn fair_share(mut sizes: Vec<usize>, mut room: usize) -> usize {
    sizes.sort_unstable();
    let count = sizes.len();
    for (index, size) in sizes.iter().enumerate() {
        let share = room / (count - index);
        if *size > share {
            return share;
        }
        room -= size;
    }
    usize::MAX
}

fn end_word(end: CallEnd) -> &'static str {
    match end {
        CallEnd::Ran => "ran",
        CallEnd::Error => "error",
        CallEnd::Timeout => "timeout",
        CallEnd::Cancelled => "cancelled",
        CallEnd::Denied => "denied",
        CallEnd::Refused => "refused",
        CallEnd::Interrupted => "interrupted",
    }
}

#[cfg(test)]
mod tests;
