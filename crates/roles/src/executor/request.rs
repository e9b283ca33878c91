//! The executor's question to its model.

use artoo_types::brief::{ActBrief, Brief, Turn};
use artoo_types::limits::{EVIDENCE_CHARS, PRIOR_OUTPUT_CHARS};
use artoo_types::outcome::CorrectionSignal;
use artoo_types::text::{first_chars, head_tail, indented};

use crate::prompt::{Prompt, Sections, one_line, receipt_block, setting_lines, tool_lines};

/// Characters of the planner's context in a prompt.
const CONTEXT_CHARS: usize = 20_000;

impl Prompt for ActBrief {
    fn user_message(&self) -> String {
        let subtask = &self.subtask;
        let prior: Vec<String> = subtask
            .prior_outputs
            .iter()
            .map(|p| {
                format!(
                    "[{}. {}]\n{}",
                    p.sequence,
                    first_chars(&one_line(&p.intent), 200),
                    indented(&p.output)
                )
            })
            .collect();
        let criteria: Vec<String> = subtask
            .success_criteria
            .iter()
            .enumerate()
            .map(|(i, c)| format!("{i}. {}", one_line(&c.text)))
            .collect();
        Sections::default()
            .add("Setting", &setting_lines(&self.setting, &self.working_directory))
            .add("Tools", &tool_lines(self.tools.iter()))
            .add("Context", &head_tail(&subtask.context, CONTEXT_CHARS))
            .add("Prior outputs", &head_tail(&prior.join("\n"), PRIOR_OUTPUT_CHARS * 2))
            .add("Criteria", &criteria.join("\n"))
            .add("Done so far", &done(&self.turns))
            .add("Correction", &self.correction.as_ref().map(correction).unwrap_or_default())
            .add("Subtask", &subtask.intent)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Act(self)
    }
}

/// Receipts of this attempt. Ten of 4,000 characters fit; longer ones make the oldest give way.
fn done(turns: &[Turn]) -> String {
    let mut room = EVIDENCE_CHARS;
    let mut kept: Vec<String> = Vec::new();
    for turn in turns.iter().rev() {
        let block = match turn {
            Turn::Called(receipt) => receipt_block(receipt),
            Turn::Refused(words) => words.clone(),
        };
        let size = block.chars().count();
        if size > room {
            kept.push("[earlier receipts omitted]".to_owned());
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
