//! The executor's question to its model.

use artoo_types::limits::{EVIDENCE_CHARS, PRIOR_OUTPUT_CHARS};
use artoo_types::outcome::CorrectionSignal;
use artoo_types::plan::SubTask;
use artoo_types::setting::TaskSetting;
use artoo_types::text::{first_chars, head_tail, indented};
use artoo_types::tool::ToolSpec;

use crate::prompt::{Sections, one_line, setting_lines, tool_lines};

/// What one turn's question is made of.
pub(super) struct Turn<'a> {
    pub(super) setting: &'a TaskSetting,
    pub(super) working_directory: &'a str,
    pub(super) subtask: &'a SubTask,
    pub(super) tools: &'a [ToolSpec],
    pub(super) done: &'a [String],
    pub(super) correction: Option<&'a CorrectionSignal>,
}

/// Characters of the planner's context in a prompt.
const CONTEXT_CHARS: usize = 20_000;

/// The user message.
pub(super) fn user_message(turn: &Turn<'_>) -> String {
    let subtask = turn.subtask;
    let prior: Vec<String> = subtask
        .prior_outputs
        .iter()
        .map(|p| {
            format!("[{}. {}]\n{}", p.sequence, first_chars(&one_line(&p.intent), 200), indented(&p.output))
        })
        .collect();
    let criteria: Vec<String> = subtask
        .success_criteria
        .iter()
        .enumerate()
        .map(|(i, c)| format!("{i}. {}", one_line(&c.text)))
        .collect();
    Sections::default()
        .add("Setting", &setting_lines(turn.setting, turn.working_directory))
        .add("Tools", &tool_lines(turn.tools.iter()))
        .add("Context", &head_tail(&subtask.context, CONTEXT_CHARS))
        .add("Prior outputs", &head_tail(&prior.join("\n"), PRIOR_OUTPUT_CHARS * 2))
        .add("Criteria", &criteria.join("\n"))
        .add("Done so far", &done(turn.done))
        .add("Correction", &turn.correction.map(correction).unwrap_or_default())
        .add("Subtask", &subtask.intent)
        .finish()
}

/// Receipts of this attempt. Ten of 4,000 characters fit; longer ones make the oldest give way.
fn done(blocks: &[String]) -> String {
    let mut room = EVIDENCE_CHARS;
    let mut kept: Vec<&str> = Vec::new();
    for block in blocks.iter().rev() {
        let size = block.chars().count();
        if size > room {
            kept.push("[earlier receipts omitted]");
            break;
        }
        room -= size;
        kept.push(block);
    }
    kept.reverse();
    kept.join("\n")
}

fn correction(signal: &CorrectionSignal) -> String {
    let mut text = format!(
        "attempt: {}\nwhat_was_wrong: {}\nwhat_to_do: {}",
        signal.attempt,
        one_line(&signal.what_was_wrong),
        one_line(&signal.what_to_do)
    );
    if !signal.prior_calls.is_empty() {
        text.push_str("\ncalls made before (do something else):");
        for call in signal.prior_calls.iter().take(30) {
            text.push_str(&format!("\n- {}", first_chars(&one_line(call), 300)));
        }
    }
    text
}
