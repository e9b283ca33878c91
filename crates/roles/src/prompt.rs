//! Building the user message of a prompt from titled sections. The person's own words always come last.

use artoo_types::brief::Brief;
use artoo_types::evidence::Receipt;
use artoo_types::limits::MODEL_RESULT_CHARS;
use artoo_types::setting::TaskSetting;
use artoo_types::text::{head_tail, indented};
use artoo_types::tool::ToolSpec;

/// The values of a question, and the one way in which they are said to a language model.
pub(crate) trait Prompt {
    /// The user message.
    fn user_message(&self) -> String;

    /// The values themselves.
    fn into_brief(self) -> Brief;
}

/// Sections of a user message; empty ones are left out.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    text: String,
}

impl Sections {
    /// Adds a section unless its content is empty.
    pub(crate) fn add(mut self, title: &str, content: &str) -> Self {
        if !content.is_empty() {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text.push_str("## ");
            self.text.push_str(title);
            self.text.push('\n');
            self.text.push_str(content);
            self.text.push('\n');
        }
        self
    }

    /// The whole message, without a final line break.
    pub(crate) fn finish(mut self) -> String {
        if self.text.ends_with('\n') {
            self.text.pop();
        }
        self.text
    }
}

/// The `## Setting` section of planners and executors.
pub(crate) fn setting_lines(setting: &TaskSetting, working_directory: &str) -> String {
    format!(
        "date: {}\nworking_directory: {working_directory}\nworkspace: {}\nhome: {}\nos: {}",
        setting.date, setting.workspace, setting.home, setting.os
    )
}

/// One line a tool.
pub(crate) fn tool_lines<'a>(tools: impl Iterator<Item = &'a ToolSpec>) -> String {
    let lines: Vec<String> = tools.map(|t| format!("{} {}: {}", t.name, t.signature, t.purpose)).collect();
    lines.join("\n")
}

/// Marks what a stranger may have written. It reminds a model; nothing relies on that.
const UNTRUSTED: &str = " untrusted";

/// One receipt with head and tail of its output.
pub(crate) fn receipt_block(receipt: &Receipt) -> String {
    let exit = match receipt.exit {
        Some(exit) => exit.to_string(),
        None => format!("none ({})", end_word(receipt)),
    };
    let mut block =
        format!("[receipt {}] {} {} exit={exit}", receipt.id, receipt.tool, one_line(&receipt.target));
    if receipt.taint.untrusted {
        block.push_str(UNTRUSTED);
    }
    if let Some(note) = &receipt.note {
        block.push_str(&format!(" ({})", one_line(note)));
    }
    if !receipt.output.is_empty() {
        block.push('\n');
        block.push_str(&indented(&head_tail(&receipt.output, MODEL_RESULT_CHARS)));
    }
    block
}

/// The text on one line, so that text from outside cannot begin a section of its own.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

fn end_word(receipt: &Receipt) -> &'static str {
    use artoo_types::evidence::CallEnd;
    match receipt.end {
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
pub(crate) mod tests;
