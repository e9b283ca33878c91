//! How a receipt is shown to a language model: the exact call, how it ended, what it changed, what it wrote, what it put out.
//!
//! Lines of ours begin at the margin; everything from outside is on one line or indented, so that it cannot pass for one.

use artoo_types::EvidenceId;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::limits::MODEL_RESULT_CHARS;
use artoo_types::text::{head_tail, indented};
use artoo_types::tool::names;
use serde_json::Value;

use crate::prompt::one_line;

mod changes;
mod judged;
mod numbered;

pub(crate) use judged::{copies_named, judged_blocks};

/// Marks what a stranger may have written. It reminds a model; nothing relies on that.
const UNTRUSTED: &str = " untrusted";
/// Characters of a command or of arguments. What a call wrote is shown apart.
const CALL_CHARS: usize = 1_000;
/// Characters of a text that a command made: a build may make a long one, and whoever wants to see it reads it.
const MADE_CHARS: usize = 1_500;
/// Characters of a normalised target.
const TARGET_CHARS: usize = 300;
/// Characters of the other lines of a receipt, as a rule.
const LINES_CHARS: usize = 200;
/// Least characters that a receipt among many is given.
const LEAST_CHARS: usize = 200;

/// One receipt with head and tail of its output, in at most so many characters, for who works with it: lines of a file have
/// their numbers.
pub(crate) fn receipt_block(receipt: &Receipt, most: usize) -> String {
    let text = head_tail(&receipt.output, most);
    let shown = if numbered::is_numbered(receipt) { Shown::Lines(text) } else { Shown::Text(text) };
    block_with(receipt, most, &shown)
}

/// One receipt whose output is the same as that of an earlier one.
pub(crate) fn copy_block(receipt: &Receipt, of: &EvidenceId, most: usize) -> String {
    let same = Shown::Same(of.clone());
    block_with(receipt, most, &same)
}

/// As many characters as the block of a receipt may take, whose texts have at most so many.
pub(crate) fn receipt_room(receipt: &Receipt, most: usize) -> usize {
    let written = receipt.act.written.as_ref().map_or(0, String::len);
    let texts = [receipt.output.len(), written].map(|bytes| bytes.min(most));
    let is_numbered = numbered::is_numbered(receipt);
    let lines = if is_numbered { receipt.output.lines().count().min(most) } else { 0 };
    2 * LINES_CHARS
        + receipt.arguments.len().min(CALL_CHARS)
        + texts.iter().sum::<usize>()
        + lines * numbered::NUMBER_CHARS
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

/// The files that a call changed, by name, on one line; none where it changed none.
pub(crate) fn changed_files(receipt: &Receipt) -> Option<String> {
    changes::files(&receipt.act)
}

/// What of an output is shown.
enum Shown {
    /// This text.
    Text(String),
    /// These lines of a file.
    Lines(String),
    /// It is the same as the output of this receipt, which is shown.
    Same(EvidenceId),
}

fn block(receipt: &Receipt, most: usize) -> String {
    block_with(receipt, most, &Shown::Text(head_tail(&receipt.output, most)))
}

fn block_with(receipt: &Receipt, most: usize, output: &Shown) -> String {
    let mut lines = vec![head(receipt), call(receipt)];
    lines.extend(changed(receipt));
    if let Some(written) = &receipt.act.written {
        lines.push("written:".to_owned());
        let most = if receipt.tool == names::SHELL { most.min(MADE_CHARS) } else { most };
        lines.push(indented(&visible(&head_tail(written, most))));
    }
    let is_written =
        receipt.act.written.as_deref().is_some_and(|text| text.trim_end() == receipt.output.trim_end());
    if is_written {
        lines.push(format!("output of {} bytes: the same text", receipt.output_bytes));
    } else if let Shown::Same(id) = output {
        lines.push(format!("output of {} bytes: the same as in receipt {id}", receipt.output_bytes));
    } else if let Shown::Text(text) | Shown::Lines(text) = output
        && !text.is_empty()
    {
        let shown = visible(text);
        let differs = receipt.act.written.is_some() || shown.len() as u64 != receipt.output_bytes;
        // What was not run put nothing out: the text is artoo's own.
        if differs && receipt.output_bytes > 0 {
            lines.push(format!("output of {} bytes:", receipt.output_bytes));
        }
        let is_lines = matches!(output, Shown::Lines(_));
        lines.push(indented(&if is_lines { visible(&numbered::numbered(receipt, text)) } else { shown }));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// With each carriage return written out: a terminal hides it, and it is a common cause of spoilt tables.
fn visible(text: &str) -> String {
    text.replace('\r', "\\r")
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
        None => format!("arguments: {}", one_line(&head_tail(&arguments(receipt), CALL_CHARS))),
    }
}

/// The arguments without what the written text shows again.
fn arguments(receipt: &Receipt) -> String {
    let read = serde_json::from_str::<Value>(&receipt.arguments).ok();
    let Some(Value::Object(mut fields)) = read.filter(|_| receipt.act.written.is_some()) else {
        return receipt.arguments.clone();
    };
    fields.retain(|name, _| !["content", "old", "new"].contains(&name.as_str()));
    Value::Object(fields).to_string()
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
    if let Some(changes) = changes::changes(&receipt.act) {
        return Some(format!("changed: {changes}"));
    }
    let might_change = match receipt.effect {
        EffectClass::Read | EffectClass::Send => false,
        EffectClass::Create
        | EffectClass::Overwrite
        | EffectClass::Delete
        | EffectClass::System
        | EffectClass::Unknown => true,
    };
    match receipt.end {
        CallEnd::Ran if might_change => Some("changed: no file".to_owned()),
        CallEnd::Interrupted if might_change => {
            Some("changed: not known, for it was interrupted; look at the files".to_owned())
        }
        CallEnd::Ran
        | CallEnd::Interrupted
        | CallEnd::Error
        | CallEnd::Timeout
        | CallEnd::Cancelled
        | CallEnd::Denied
        | CallEnd::Refused => None,
    }
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
