//! The last question of a task: what can be said to the person although it is given up. The reply is held against the
//! evidence like any answer, sentence by sentence; what nothing supports is not said.

use artoo_request::Language;
use artoo_types::brief::{Brief, FarewellBrief};
use artoo_types::control::Unmet;
use artoo_types::evidence::Receipt;
use artoo_types::farewell::{Farewell, FarewellRequest, FoundLine};
use artoo_types::lesson::CallResult;
use artoo_types::limits::PromptLimits;
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::reply::FarewellReply;
use artoo_types::tag::fold;
use artoo_types::text::first_chars;

use crate::claimed::has_effect;
use crate::prompt::{Prompt, Sections, one_line};
use crate::receipt::receipt_blocks;
use artoo_relevance::claims::told_effects;
use artoo_relevance::figures::FigureEvidence;

/// Most facts: more than a person reads at the end of a task are none.
const MAX_FOUND: usize = 5;
/// Most next moves.
const MAX_MOVES: usize = 3;
/// Characters of the place that a sentence comes from.
const SOURCE_CHARS: usize = 100;
/// Characters of one sentence.
const SENTENCE_CHARS: usize = 300;
/// Share of the words of an unmet criterion above which a sentence says it again.
const SAME_WORDS: f64 = 0.75;

impl Prompt for FarewellBrief {
    fn user_message(&self, limits: &PromptLimits) -> String {
        let steps: Vec<String> = self.request.outcomes.iter().map(step_line).collect();
        let calls: Vec<Receipt> =
            self.request.outcomes.iter().flat_map(|o| o.all_receipts().cloned()).collect();
        let unmet = unmet_lines(&self.request.unmet);
        Sections::default()
            .add("Steps", &steps.join("\n"))
            .add("Receipts", &receipt_blocks(&calls, limits.evidence_chars()))
            .add("Unmet", &unmet.join("\n"))
            .add("Why it ends", self.request.reason.as_str())
            .add("Request", &self.words)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Farewell(self)
    }
}

fn step_line(outcome: &SubTaskOutcome) -> String {
    let end = if outcome.matched() { "met" } else { "not met" };
    format!("{}. {}: {end}", outcome.subtask.sequence, first_chars(&one_line(&outcome.subtask.intent), 300))
}

/// What was not met and why, the same reason once.
pub(super) fn unmet_lines(unmet: &[Unmet]) -> Vec<String> {
    let line = |(index, unmet): (usize, &Unmet)| {
        (index, [&unmet.criterion, &unmet.evidence].map(|text| one_line(text)))
    };
    let all: Vec<(usize, [String; 2])> = unmet.iter().enumerate().map(line).collect();
    let told = |(index, [criterion, evidence]): &(usize, [String; 2])| {
        let is_told = all[..*index].iter().any(|(_, [_, earlier])| earlier == evidence);
        let evidence = if is_told { "for the same reason".to_owned() } else { first_chars(evidence, 300) };
        format!("- {} ({evidence})", first_chars(criterion, 300))
    };
    all.iter().map(told).collect()
}

/// Why a reply is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FarewellFault {
    /// It says nothing.
    Empty,
    /// It has too many sentences, or too long ones.
    TooLong,
    /// It cites what is no receipt, or the receipt of a call that failed.
    NoEvidence,
    /// It claims an effect that the cited call did not have.
    UnshownEffect,
    /// It says that an unmet criterion is met.
    UnmetClaim,
    /// It says that the task came to a good end.
    ClaimedSuccess,
    /// It has a number that stands in no receipt, and that the person did not give.
    UnknownNumber,
    /// It has an address that the person did not give.
    UnknownAddress,
}

impl FarewellFault {
    /// In words, for the record.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "it says nothing",
            Self::TooLong => "it is longer than allowed",
            Self::NoEvidence => "it cites what is no receipt of a call that worked",
            Self::UnshownEffect => "it claims an effect that its receipt does not show",
            Self::UnmetClaim => "it claims an unmet criterion",
            Self::ClaimedSuccess => "it claims success",
            Self::UnknownNumber => "it has a number that stands in no receipt",
            Self::UnknownAddress => "it has an address that the request does not have",
        }
    }
}

/// Of the reply what may be said, and what is wrong with the rest of it: each finding stands or falls by itself, and advice
/// only beside findings of which none is false; that a call was denied or failed is not said, and is so. The error says why nothing of it is said.
pub(super) fn admitted(
    reply: &FarewellReply,
    request: &FarewellRequest,
    words: &str,
) -> Result<Farewell, FarewellFault> {
    let moves: Vec<&str> = reply.next_moves.iter().map(|text| text.trim()).collect();
    if reply.found.is_empty() && moves.is_empty() {
        return Err(FarewellFault::Empty);
    }
    let receipts: Vec<&Receipt> = request.outcomes.iter().flat_map(SubTaskOutcome::all_receipts).collect();
    let known = FigureEvidence::of(&receipts, &[words]);
    let fits = |text: &str| {
        if text.is_empty() || text.chars().count() > SENTENCE_CHARS {
            return Err(FarewellFault::TooLong);
        }
        if claims_success(text) {
            return Err(FarewellFault::ClaimedSuccess);
        }
        if !known.unsupported_numbers(text).is_empty() {
            return Err(FarewellFault::UnknownNumber);
        }
        let has_address = text.contains("://") || text.contains("www.");
        if has_address && !addresses(text).all(|address| words.contains(address)) {
            return Err(FarewellFault::UnknownAddress);
        }
        Ok(())
    };
    let mut faults = Vec::new();
    let mut keep = |checked: Result<(), FarewellFault>| checked.map_err(|fault| faults.push(fault)).is_ok();
    let too_many = |is_kept: bool| if is_kept { Ok(()) } else { Err(FarewellFault::TooLong) };
    let (mut found, mut is_false) = (Vec::new(), false);
    for (index, line) in reply.found.iter().enumerate() {
        let text = line.text.trim();
        let cited = receipts.iter().find(|r| r.id.0 == bare(&line.receipt));
        let checked = too_many(index < MAX_FOUND)
            .and_then(|()| shown(text, cited.copied(), &request.unmet))
            .and_then(|()| fits(text));
        is_false |= checked.is_err() && !cited.is_some_and(|receipt| tells_failure(text, receipt));
        if keep(checked)
            && let Some(receipt) = cited
        {
            found.push(FoundLine { text: attributed(text, receipt, words), cites: receipt.id.clone() });
        }
    }
    let moves = if is_false { Vec::new() } else { moves };
    let mut next_moves = Vec::new();
    for (index, text) in moves.into_iter().enumerate() {
        // A move is what a person may do: it claims nothing to be done.
        let claims = if told_effects(text).is_empty() { Ok(()) } else { Err(FarewellFault::UnshownEffect) };
        if keep(too_many(index < MAX_MOVES).and(claims).and_then(|()| fits(text))) {
            next_moves.push(text.to_owned());
        }
    }
    let left_out = faults.first().map(|fault| fault.as_str().to_owned());
    match faults.first() {
        Some(fault) if found.is_empty() && next_moves.is_empty() => Err(*fault),
        Some(_) | None => Ok(Farewell { task_id: request.task_id, found, next_moves, left_out }),
    }
}

/// Whether a sentence says of a call that did not work that it did not: nothing is claimed by that.
fn tells_failure(text: &str, receipt: &Receipt) -> bool {
    const FAILED: [&str; 8] = ["nothing", "denied", "refused", "failed", "could", "拒绝", "失败", "否决"];
    let said = words_of(text);
    let is_told =
        |sign: &&str| said.iter().any(|word| word == sign) || (!sign.is_ascii() && text.contains(*sign));
    let did_not_work = CallResult::from(receipt) != CallResult::Worked;
    did_not_work && NEGATIONS.iter().chain(&FAILED).any(is_told) && !claims_success(text)
}

/// The sentence as it is told: what strangers may have written is theirs, not found out by artoo.
fn attributed(text: &str, receipt: &Receipt, words: &str) -> String {
    if !receipt.taint.untrusted {
        return text.to_owned();
    }
    let source = first_chars(&one_line(&receipt.target), SOURCE_CHARS);
    let (english, chinese) = (format!("According to {source}: {text}"), format!("据 {source}：{text}"));
    Language::of(words).pick(&english, &chinese).to_owned()
}

/// Whether the cited receipt shows what a sentence says to have been found.
fn shown(text: &str, cited: Option<&Receipt>, unmet: &[Unmet]) -> Result<(), FarewellFault> {
    let receipt = cited.filter(|receipt| CallResult::from(*receipt) == CallResult::Worked);
    let receipt = receipt.ok_or(FarewellFault::NoEvidence)?;
    if !told_effects(text).into_iter().all(|effect| has_effect(receipt, effect)) {
        return Err(FarewellFault::UnshownEffect);
    }
    if unmet.iter().any(|unmet| says_again(text, &unmet.criterion)) {
        return Err(FarewellFault::UnmetClaim);
    }
    Ok(())
}

/// Models like to write `[receipt r3]` for `r3`.
fn bare(word: &str) -> &str {
    let word = word.trim().trim_start_matches('[').trim_end_matches(']');
    word.strip_prefix("receipt ").unwrap_or(word).trim()
}

/// Whether the sentence has most words of the criterion; a negation says the opposite, and so do other figures.
fn says_again(text: &str, criterion: &str) -> bool {
    let (said, wanted) = (words_of(text), words_of(criterion));
    let is_figure = |word: &&String| word.chars().all(|c| c.is_ascii_digit());
    if said.iter().filter(is_figure).any(|figure| !wanted.contains(figure)) {
        return false;
    }
    if wanted.is_empty() || NEGATIONS.iter().any(|negation| said.iter().any(|w| w == negation)) {
        return false;
    }
    let shared = wanted.iter().filter(|word| said.contains(word)).count();
    shared as f64 / wanted.len() as f64 >= SAME_WORDS
}

/// What turns a statement around, as words or as Chinese characters.
const NEGATIONS: [&str; 12] =
    ["not", "no", "never", "cannot", "without", "none", "t", "missing", "未", "没", "不", "无"];

/// Words in small letters; of a script without spaces, its characters.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in fold(text).chars() {
        if c.is_alphanumeric() && u32::from(c) < 0x2E80 {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            words.push(c.to_string());
        }
    }
    words.extend(Some(word).filter(|w| !w.is_empty()));
    words
}

/// Words that say that the task came to its good end. It did not: it is being given up.
const SUCCESS: [&str; 12] = [
    "done",
    "finished",
    "completed",
    "accomplished",
    "fulfilled",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "solved",
    "已完成",
    "成功",
];
/// What makes of success a condition or a wish.
const CONDITIONS: [&str; 7] = ["when", "once", "until", "after", "if", "before", "后"];

/// Whether the sentence says that the task, or some part of it that it does not name, came to a good end.
fn claims_success(text: &str) -> bool {
    let said = words_of(text);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let has_sign = |list: &[&str]| list.iter().any(|sign| !sign.is_ascii() && text.contains(sign));
    (has(&SUCCESS) || has_sign(&SUCCESS)) && !has(&NEGATIONS) && !has(&CONDITIONS)
}

/// The addresses of a text.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | '<' | '>' | ',');
    text.split(ends)
        .map(|piece| piece.trim_end_matches(['.', ';', '!', '?', '。']))
        .filter(|piece| piece.contains("://") || piece.contains("www."))
}

#[cfg(test)]
mod tests;
