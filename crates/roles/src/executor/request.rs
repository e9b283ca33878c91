//! The executor's question to its model.

use std::collections::BTreeMap;

use artoo_types::EvidenceId;
use artoo_types::brief::{ActBrief, Brief, Turn};
use artoo_types::chat::ChatImage;
use artoo_types::criteria::Criterion;
use artoo_types::evidence::Receipt;
use artoo_types::limits::{MAX_TOOL_STEPS, PRIOR_OUTPUT_CHARS, PromptLimits, TOOL_CALL_MS};
use artoo_types::outcome::CorrectionSignal;
use artoo_types::plan::StepAdvice;
use artoo_types::tag::fold;
use artoo_types::text::{first_chars, head_tail, indented};
use artoo_types::tool::names::SHELL;

use super::earlier::earlier_work;
use crate::images::shown_images;
use crate::prompt::{Prompt, Sections, UserMessage, force_words, one_line, setting_lines, tool_lines};
use crate::receipt::{copy_block, receipt_block, receipt_headline, receipt_room};

/// What stands between the receipts of one attempt and those of the next.
const ANOTHER_ATTEMPT: &str = "[another attempt]";
/// What stands before what the model said of its calls.
const YOUR_WORDS: &str = "[your words] ";
/// Characters of that in an older turn.
const SHORT_WORDS_CHARS: usize = 120;
/// Characters of the planner's context in a prompt.
const CONTEXT_CHARS: usize = 20_000;
/// Characters of the answer of an earlier attempt.
const ANSWER_CHARS: usize = 8_000;
/// Characters of one check in the list of criteria.
const CHECK_CHARS: usize = 300;
/// Characters of a receipt whose output is left out.
const HEADLINE_CHARS: usize = 300;
/// Shorter outputs are repeated: to name where they stand would not be shorter.
const COPY_BYTES: usize = 400;
/// Ten seconds, a minute and two: from where on the time that is left is told in the next larger unit.
const SECOND_10_MS: u64 = 10_000;
const MINUTE_MS: u64 = 60_000;
const MINUTE_2_MS: u64 = 2 * MINUTE_MS;
/// Older turns that are told shortly, for the usual context.
const SHORT_TURNS: usize = 40;

impl Prompt for ActBrief {
    fn user_message(&self, limits: &PromptLimits) -> String {
        self.steady_message(limits).text
    }

    fn steady_message(&self, limits: &PromptLimits) -> UserMessage {
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
        // What is asked of the step in the same words is not said twice.
        let is_new = |(_, asked): &(usize, &Criterion)| {
            let mut own = subtask.success_criteria.iter();
            !own.any(|own| fold(&own.text) == fold(&asked.text) && own.check == asked.check)
        };
        let of_task = self.task.criteria.iter().enumerate().filter(is_new);
        let of_task: Vec<String> = of_task.map(|(i, c)| criterion_line(i, c)).collect();
        // Where tools are offered natively, their descriptions say the same.
        let is_told = !self.setting.native_tool_calls;
        let offered = tool_lines(self.tools.iter().filter(|_| is_told));
        // The words of a step that is all of the task are the person's.
        let is_told = fold(&self.task.request) == fold(&subtask.intent);
        let request = if is_told { "" } else { self.task.request.as_str() };
        Sections::default()
            .add("Tools", &offered)
            .add("Setting", &setting_lines(&self.setting, &self.working_directory))
            .add("Context", &head_tail(&subtask.context, limits.scaled(CONTEXT_CHARS)))
            .add("Memory", &subtask.known.iter().map(known_line).collect::<Vec<_>>().join("\n"))
            .add("Prior outputs", &head_tail(&prior.join("\n"), limits.scaled(PRIOR_OUTPUT_CHARS * 2)))
            .add("Criteria", &criteria.join("\n"))
            .add("Task criteria", &of_task.join("\n"))
            .add("Done by earlier plans", &earlier_work(&self.task.earlier, limits))
            .stays()
            .add_growing("Done so far", &done(&self.turns, limits))
            .add("Correction", &self.correction.as_ref().map(correction).unwrap_or_default())
            .add("Step", &step_line(self))
            .add("Subtask", &one_line(&subtask.intent))
            .add("Request", request)
            .finish_steady()
    }

    fn images(&self) -> Vec<ChatImage> {
        shown_images(self.turns.iter().filter_map(|turn| match turn {
            Turn::Called(receipt) => Some(&**receipt),
            Turn::Said(_) | Turn::Refused(_) | Turn::Answered(_) | Turn::TriedAgain => None,
        }))
    }

    fn into_brief(self) -> Brief {
        Brief::Act(self)
    }
}

/// Which step it is, and what time is left for calls, in round figures that few calls change.
fn step_line(brief: &ActBrief) -> String {
    let step = format!("{} of {MAX_TOOL_STEPS}", MAX_TOOL_STEPS + 1 - brief.steps_left.min(MAX_TOOL_STEPS));
    let Some(left_ms) = brief.left_ms else { return step };
    let (words, round_ms) = match left_ms {
        0 => return format!("{step}; no time is left for a call: finish with what there is"),
        1..SECOND_10_MS => ("less than 10 s".to_owned(), 0),
        SECOND_10_MS..MINUTE_2_MS => {
            let tens = left_ms / SECOND_10_MS;
            (format!("{tens}0 s"), tens * SECOND_10_MS)
        }
        _ => {
            let minutes = left_ms / MINUTE_MS;
            (format!("{minutes} min"), minutes * MINUTE_MS)
        }
    };
    let most = brief.tools.iter().any(|tool| tool.name == SHELL);
    let most =
        if most { format!("; timeout_ms at most {}", round_ms.max(TOOL_CALL_MS)) } else { String::new() };
    format!("{step}, {words} left{most}")
}

/// What the memory knows of the step, with the word that says how much it binds.
fn known_line(known: &StepAdvice) -> String {
    format!("{}: {}", force_words(known.force), one_line(&known.content))
}

/// A criterion, with what code will look at.
fn criterion_line(index: usize, criterion: &Criterion) -> String {
    let stays = if criterion.unchanged { " (so before, and to stay so)" } else { "" };
    let text = format!("{}{stays}", one_line(&criterion.text));
    match criterion.check.as_ref().and_then(|check| serde_json::to_string(check).ok()) {
        Some(check) => {
            format!("{index}. {text} (checked by code: {})", first_chars(&one_line(&check), CHECK_CHARS))
        }
        None => format!("{index}. {text}"),
    }
}

/// What became of the calls of all attempts, whole as long as it fits. When it does not, the older half gives way at once, so
/// that what stands there stays as it is for many calls: of a call it is told what was called, how it ended, and where its
/// output is read again.
fn done(turns: &[Turn], limits: &PromptLimits) -> Vec<String> {
    let shorts = limits.scaled(SHORT_TURNS);
    let most = limits.evidence_chars() - shorts * (HEADLINE_CHARS + 75);
    let sizes: Vec<usize> = turns.iter().map(|turn| most_chars(turn, limits)).collect();
    let room = |turns: std::ops::Range<usize>| sizes[turns].iter().sum::<usize>();
    let (mut from, mut cut) = (0, 0);
    for end in 1..=turns.len() {
        if room(cut..end) > most {
            while cut + 1 < end && room(cut..end) > most / 2 {
                cut += 1;
            }
        }
        if cut - from > shorts {
            from = cut - shorts / 2;
        }
    }
    let omitted = (from > 0).then(|| "[earlier receipts omitted]".to_owned());
    let told = turns[from..cut].iter().map(short).chain(wholes(&turns[cut..], limits));
    omitted.into_iter().chain(told).collect()
}

/// These turns, the same output only once.
fn wholes(turns: &[Turn], limits: &PromptLimits) -> impl Iterator<Item = String> {
    let mut shown: BTreeMap<&str, &EvidenceId> = BTreeMap::new();
    turns.iter().map(move |turn| {
        let Turn::Called(receipt) = turn else { return whole(turn, limits) };
        match shown.get(receipt.output.as_str()) {
            Some(id) if receipt.output.len() >= COPY_BYTES => copy_block(receipt, id, limits.result_chars()),
            Some(_) | None => {
                shown.insert(&receipt.output, &receipt.id);
                whole(turn, limits)
            }
        }
    })
}

/// As many characters as the whole turn may take.
fn most_chars(turn: &Turn, limits: &PromptLimits) -> usize {
    match turn {
        Turn::Said(words) => YOUR_WORDS.len() + words.len(),
        Turn::Called(receipt) => receipt_room(receipt, limits.result_chars()),
        Turn::Refused(words) => words.len(),
        Turn::Answered(words) => words.len().min(limits.scaled(ANSWER_CHARS)),
        Turn::TriedAgain => ANOTHER_ATTEMPT.len(),
    }
}

fn whole(turn: &Turn, limits: &PromptLimits) -> String {
    match turn {
        Turn::Said(words) => format!("{YOUR_WORDS}{}", one_line(words)),
        Turn::Called(receipt) => receipt_block(receipt, limits.result_chars()),
        Turn::Refused(words) => words.clone(),
        Turn::Answered(words) => answer(words, limits.scaled(ANSWER_CHARS)),
        Turn::TriedAgain => ANOTHER_ATTEMPT.to_owned(),
    }
}

fn short(turn: &Turn) -> String {
    match turn {
        Turn::Said(words) => format!("{YOUR_WORDS}{}", one_line(&first_chars(words, SHORT_WORDS_CHARS))),
        Turn::Called(receipt) => headline(receipt),
        Turn::Refused(words) => words.clone(),
        Turn::Answered(words) => answer(words, HEADLINE_CHARS),
        Turn::TriedAgain => ANOTHER_ATTEMPT.to_owned(),
    }
}

fn answer(words: &str, most: usize) -> String {
    format!("[your answer]\n{}", indented(&head_tail(words, most)))
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
