//! The executor's question to its model.

use artoo_types::brief::{ActBrief, Brief, Turn};
use artoo_types::criteria::Criterion;
use artoo_types::evidence::Receipt;
use artoo_types::limits::{EVIDENCE_CHARS, MAX_TOOL_STEPS, PRIOR_OUTPUT_CHARS};
use artoo_types::outcome::CorrectionSignal;
use artoo_types::plan::StepAdvice;
use artoo_types::text::{first_chars, head_tail, indented};

use crate::prompt::{Prompt, Sections, force_words, one_line, setting_lines, tool_lines};
use crate::receipt::{receipt_block, receipt_headline};

/// What stands between the receipts of earlier attempts and those of this one.
const THIS_ATTEMPT: &str = "[this attempt]";
/// Characters of the planner's context in a prompt.
const CONTEXT_CHARS: usize = 20_000;
/// Characters of the answer of an earlier attempt.
const ANSWER_CHARS: usize = 8_000;
/// Characters of one check in the list of criteria.
const CHECK_CHARS: usize = 300;
/// Characters of a receipt whose output is left out.
const HEADLINE_CHARS: usize = 300;
/// Room that whole receipts leave for the headlines of older ones: some fifty.
const HEADLINES_CHARS: usize = EVIDENCE_CHARS / 4;

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
        let criteria: Vec<String> =
            subtask.success_criteria.iter().enumerate().map(|(i, c)| criterion_line(i, c)).collect();
        // Where tools are offered natively, their descriptions say the same.
        let is_told = !self.setting.native_tool_calls;
        let offered = tool_lines(self.tools.iter().filter(|_| is_told));
        let step =
            format!("{} of {MAX_TOOL_STEPS}", MAX_TOOL_STEPS + 1 - self.steps_left.min(MAX_TOOL_STEPS));
        Sections::default()
            .add("Setting", &setting_lines(&self.setting, &self.working_directory))
            .add("Tools", &offered)
            .add("Context", &head_tail(&subtask.context, CONTEXT_CHARS))
            .add("Memory", &subtask.known.iter().map(known_line).collect::<Vec<_>>().join("\n"))
            .add("Prior outputs", &head_tail(&prior.join("\n"), PRIOR_OUTPUT_CHARS * 2))
            .add("Criteria", &criteria.join("\n"))
            .add("Done so far", &done(&self.turns, self.earlier_turns))
            .add("Correction", &self.correction.as_ref().map(correction).unwrap_or_default())
            .add("Step", &step)
            .add("Subtask", &one_line(&subtask.intent))
            .add("Request", &self.request)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Act(self)
    }
}

/// What the memory knows of the step, with the word that says how much it binds.
fn known_line(known: &StepAdvice) -> String {
    format!("{}: {}", force_words(known.force), one_line(&known.content))
}

/// A criterion, with what code will look at.
fn criterion_line(index: usize, criterion: &Criterion) -> String {
    let text = one_line(&criterion.text);
    match criterion.check.as_ref().and_then(|check| serde_json::to_string(check).ok()) {
        Some(check) => {
            format!("{index}. {text} (checked by code: {})", first_chars(&one_line(&check), CHECK_CHARS))
        }
        None => format!("{index}. {text}"),
    }
}

/// The receipts of all attempts, newest whole as far as they fit; of older ones what was called and how it ended, as far as
/// that fits, and where the output is read again.
fn done(turns: &[Turn], earlier: usize) -> String {
    let mut room = EVIDENCE_CHARS;
    let mut kept: Vec<String> = Vec::new();
    let mut is_whole = true;
    for (index, turn) in turns.iter().enumerate().rev() {
        let mut block = match turn {
            Turn::Called(receipt) if is_whole => receipt_block(receipt),
            Turn::Called(receipt) => headline(receipt),
            Turn::Refused(words) => words.clone(),
            Turn::Answered(words) => {
                format!("[your answer]\n{}", indented(&head_tail(words, ANSWER_CHARS)))
            }
        };
        is_whole &= block.chars().count() + HEADLINES_CHARS <= room;
        if let Turn::Called(receipt) = turn
            && !is_whole
        {
            block = headline(receipt);
        }
        let size = block.chars().count();
        if size > room {
            kept.push("[earlier receipts omitted]".to_owned());
            break;
        }
        room -= size;
        kept.push(block);
        if index == earlier && earlier > 0 {
            kept.push(THIS_ATTEMPT.to_owned());
        }
    }
    if earlier > 0 && earlier == turns.len() {
        kept.insert(0, THIS_ATTEMPT.to_owned());
    }
    kept.reverse();
    kept.join("\n")
}

/// What was called and how it ended, and where the rest is.
fn headline(receipt: &Receipt) -> String {
    let head = first_chars(&receipt_headline(receipt), HEADLINE_CHARS);
    format!("{head} (output left out here; read_output shows it: {})", receipt.id)
}

fn correction(signal: &CorrectionSignal) -> String {
    format!(
        "attempt: {}\nwhat_was_wrong: {}\nwhat_to_do: {}",
        signal.attempt,
        one_line(&signal.what_was_wrong),
        one_line(&signal.what_to_do)
    )
}
