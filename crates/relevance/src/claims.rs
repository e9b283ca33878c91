//! What words claim to have been done to the world: the difference between "old logs are deleted", which needs the receipt
//! of a deletion, and "the files that were deleted are listed", which does not.

use std::collections::BTreeSet;

use artoo_request::RequestReading;
use artoo_types::claim::ClaimedEffect;

use crate::names::named_paths;

mod words;
use words::{
    ADVERBS, AFFIRMING, AUXILIARIES, CHINESE_NEGATIONS, CHINESE_TELLING, CONTENTS, EFFECTS, EffectWords,
    FILLERS, NEGATIONS, RELATIVE, TELLING, THINGS,
};

/// Words before a participle in which its auxiliary is looked for: "has now all been deleted".
const AUXILIARY_REACH: usize = 3;

/// The effects that the intent of a step orders: "delete the old logs" and "find the logs and delete them".
pub fn ordered(intent: &str) -> BTreeSet<ClaimedEffect> {
    let mut effects = BTreeSet::new();
    for clause in clauses(intent) {
        let words = words_of(&clause);
        let mut head = words.iter().map(String::as_str).skip_while(|w| FILLERS.contains(w));
        let order = match (head.next(), head.next()) {
            (Some("back"), Some("up")) => Some("backup"),
            (first, _) => first,
        };
        effects.extend(
            EFFECTS.iter().filter(|e| order.is_some_and(|o| e.orders.contains(&o))).map(|e| e.effect),
        );
        if is_chinese(&clause) && !CHINESE_TELLING.iter().any(|w| clause.contains(w)) {
            let orders = |e: &&EffectWords| e.chinese_orders.iter().any(|w| stated(&clause, w));
            effects.extend(EFFECTS.iter().filter(orders).map(|e| e.effect));
        }
    }
    effects
}

/// The effects that a criterion states. `ordered` is what the step was to do: it decides where the words leave it open.
pub fn stated_effects(text: &str, ordered: &BTreeSet<ClaimedEffect>) -> BTreeSet<ClaimedEffect> {
    effects_of(text, ordered, |row, clause, words, at| {
        let word = words[at].as_str();
        let is_claim = row.strong.contains(&word)
            || row.weak.contains(&word) && (names_thing(clause, words) || ordered.contains(&row.effect));
        is_claim && has_auxiliary(words, at)
    })
}

/// The effects that an answer says it brought about: "I deleted the logs", "The mail was sent".
pub fn told_effects(answer: &str) -> BTreeSet<ClaimedEffect> {
    effects_of(answer, &BTreeSet::new(), |row, clause, words, at| {
        let word = words[at].as_str();
        let is_past = row.past.contains(&word)
            && (at == 0
                || matches!(words[at - 1].as_str(), "i" | "we" | "successfully" | "artoo" | "have" | "ve"));
        let is_passive = (row.strong.contains(&word) || row.weak.contains(&word)) && has_auxiliary(words, at);
        (is_past || is_passive) && names_thing(clause, words)
    })
}

/// The effects that an answer tells of as the work of this task. Where the request only asks, what "is removed" is a state that is
/// told, and a deed is what the writer claims for itself.
pub fn claimed_effects(answer: &str, reading: Option<&RequestReading>) -> BTreeSet<ClaimedEffect> {
    if reading.is_some_and(RequestReading::only_asks) { own_deeds(answer) } else { told_effects(answer) }
}

/// The effects that an answer says its writer brought about: "I also deleted two files".
pub(crate) fn own_deeds(answer: &str) -> BTreeSet<ClaimedEffect> {
    let mine = clauses(answer).into_iter().filter(|c| !is_chinese(c) || c.contains('我'));
    let mine: Vec<String> = mine.collect();
    effects_of(&mine.join("\n"), &BTreeSet::new(), |row, clause, words, at| {
        let mut before =
            words[..at].iter().rev().skip_while(|w| ADVERBS.contains(&w.as_str()) || *w == "have");
        let is_mine = before.next().is_some_and(|w| matches!(w.as_str(), "i" | "we" | "i've" | "we've"));
        let is_plain = matches!(row.effect, ClaimedEffect::Deleted | ClaimedEffect::Sent);
        row.past.contains(&words[at].as_str()) && is_mine && (is_plain || names_thing(clause, words))
    })
}

/// Whether the text is about what lies in files, such as a function or a column: to rename or move that is to change the
/// files.
pub(crate) fn is_about_contents(text: &str) -> bool {
    let without_paths = named_paths(text).iter().fold(text.to_owned(), |rest, name| rest.replace(name, " "));
    let is_identifier = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != ')');
        word.ends_with("()") || word.trim_matches('_').contains('_') && word.is_ascii()
    };
    without_paths.split_whitespace().any(is_identifier)
        || words_of(&without_paths).iter().any(|w| CONTENTS.contains(&w.as_str()))
        || CONTENTS.iter().any(|noun| !noun.is_ascii() && without_paths.contains(noun))
}

fn effects_of(
    text: &str,
    ordered: &BTreeSet<ClaimedEffect>,
    claims: impl Fn(&EffectWords, &str, &[String], usize) -> bool,
) -> BTreeSet<ClaimedEffect> {
    let mut effects = BTreeSet::new();
    for clause in clauses(text) {
        let clause = affirmed(&clause);
        let words = words_of(clause);
        let tells = words.iter().any(|w| TELLING.contains(&w.as_str()));
        for at in 0..words.len() {
            let before = &words[..at];
            let is_open = |w: &String| RELATIVE.contains(&w.as_str()) || NEGATIONS.contains(&w.as_str());
            if tells || before.iter().any(is_open) {
                break;
            }
            effects
                .extend(EFFECTS.iter().filter(|row| claims(row, clause, &words, at)).map(|row| row.effect));
        }
        if !tells
            && words
                .windows(2)
                .any(|w| w[0] == "longer" && matches!(w[1].as_str(), "exists" | "exist" | "there"))
        {
            effects.insert(ClaimedEffect::Deleted);
        }
        effects.extend(chinese_effects(clause, ordered));
    }
    effects
}

/// Making and changing also happen to an answer; they count beside a thing on the disk, or where the step was to do so.
fn chinese_effects(clause: &str, ordered: &BTreeSet<ClaimedEffect>) -> BTreeSet<ClaimedEffect> {
    if !is_chinese(clause) || CHINESE_TELLING.iter().any(|w| clause.contains(w)) {
        return BTreeSet::new();
    }
    let about_things = names_thing(clause, &words_of(clause));
    let is_plain = |e: &&EffectWords| match e.effect {
        ClaimedEffect::Made | ClaimedEffect::Changed => about_things || ordered.contains(&e.effect),
        ClaimedEffect::Deleted | ClaimedEffect::Moved | ClaimedEffect::Sent => true,
    };
    let done = |e: &&EffectWords| e.chinese_done.iter().any(|w| stated(clause, w));
    EFFECTS.iter().filter(is_plain).filter(done).map(|e| e.effect).collect()
}

/// Whether a Chinese word states something here: it is not turned around, and describes no noun ("已删除的文件").
fn stated(clause: &str, word: &str) -> bool {
    clause.match_indices(word).any(|(at, _)| {
        let turned = CHINESE_NEGATIONS.iter().any(|n| clause[..at].ends_with(n));
        !turned && !clause[at + word.len()..].starts_with('的')
    })
}

fn has_auxiliary(words: &[String], at: usize) -> bool {
    let from = at.saturating_sub(AUXILIARY_REACH);
    let between = words[from..at].iter().rev().skip_while(|w| ADVERBS.contains(&w.as_str()) && *w != "been");
    between.take(1).any(|w| AUXILIARIES.contains(&w.as_str()))
        || at > 0 && ADVERBS[4..6].contains(&words[at - 1].as_str())
}

fn names_thing(clause: &str, words: &[String]) -> bool {
    words.iter().any(|w| THINGS.contains(&w.as_str()))
        || THINGS.iter().any(|t| !t.is_ascii() && clause.contains(t))
        || !named_paths(clause).is_empty()
}

/// What is left of a clause behind "it is confirmed that".
fn affirmed(clause: &str) -> &str {
    match clause.split_once(" that ") {
        Some((before, rest)) if words_of(before).last().is_some_and(|w| AFFIRMING.contains(&w.as_str())) => {
            rest
        }
        _ => clause,
    }
}

/// The text in small letters, cut where one statement ends and another may begin. A dot inside a name cuts nothing.
fn clauses(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut clauses = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_sentence =
            matches!(c, '.' | '!' | '?' | ':') && chars.peek().is_none_or(|n| n.is_whitespace());
        if ends_sentence || matches!(c, ';' | ',' | '\n' | '。' | '；' | '，' | '！' | '、') {
            clauses.push(String::new());
        } else if let Some(clause) = clauses.last_mut() {
            clause.push(c);
        }
    }
    clauses.iter().flat_map(|clause| statements(clause)).filter(|c| !c.trim().is_empty()).collect()
}

/// The statements of a clause that "and" or "then" joins. One that begins with its auxiliary ("and has been deleted") has its
/// subject before it, and stays with that.
fn statements(clause: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for part in clause.split(" and ").flat_map(|part| part.split(" then ")) {
        let is_bare = words_of(part).first().is_some_and(|word| AUXILIARIES.contains(&word.as_str()));
        match statements.last_mut().filter(|_| is_bare) {
            Some(before) => {
                before.push(' ');
                before.push_str(part);
            }
            None => statements.push(part.to_owned()),
        }
    }
    statements
}

/// Latin words of a clause.
fn words_of(clause: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '\'' || c == '-';
    clause.split(|c| !is_word(c)).filter(|w| !w.is_empty()).map(|w| w.to_lowercase()).collect()
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

#[cfg(test)]
mod tests;
