//! What a person declares: a request that begins by saying that something is to be remembered.
//!
//! Only the person's own words count, and only at the beginning of their request: what stands in the middle of it, in a
//! file, or in the words of a model declares nothing. The forms are a table, because whoever reads it must be able to say
//! what will be kept.

use artoo_redact::sanitise::sanitise;

use crate::tag::fold;

/// Longest declaration that is kept, in characters: a few sentences. A longer one is a text, not a fact.
pub const MAX_FACT_CHARS: usize = 600;

/// Shortest one: "记住了" says "got it" and names nothing.
const MIN_FACT_CHARS: usize = 3;

/// The beginning of a request that declares something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The person's words after "remember that" and the like, on one line.
    pub fact: String,
    /// Whether they forbid something.
    pub prohibits: bool,
    /// A secret was taken out of them. Such words are never kept: what is left of them is of no use.
    pub holds_secret: bool,
    /// What else the request asks for; empty when it only declares.
    pub rest: &'a str,
}

/// How a declaration begins: these words, of which the last `kept` belong to what is declared.
struct Opening {
    words: &'static [&'static str],
    kept: usize,
}

const fn opening(words: &'static [&'static str], kept: usize) -> Opening {
    Opening { words, kept }
}

/// Openings in English. "Remember" alone is none: "remember the three largest files" asks for work.
const OPENINGS: &[Opening] = &[
    opening(&["remember", "that"], 0),
    opening(&["remember", "this:"], 0),
    opening(&["remember:"], 0),
    opening(&["remember", "my"], 1),
    opening(&["remember", "our"], 1),
    opening(&["remember", "i"], 1),
    opening(&["remember", "i'm"], 1),
    opening(&["remember", "i’m"], 1),
    opening(&["remember", "we"], 1),
    opening(&["remember", "never"], 1),
    opening(&["remember", "always"], 1),
    opening(&["remember", "not", "to"], 2),
    opening(&["remember", "to", "never"], 1),
    opening(&["remember", "to", "always"], 1),
    opening(&["from", "now", "on"], 0),
    opening(&["note", "that"], 0),
];

/// Openings in Chinese.
const CHINESE_OPENINGS: &[&str] = &["记住", "記住", "从现在起", "从现在开始", "從現在起", "從現在開始"];

/// Politeness before an opening.
const POLITE: &[&str] = &["请你", "请", "請你", "請"];

/// Words with which a declaration says who is meant, before what it forbids.
const SUBJECTS: &[&str] = &[
    "you ",
    "i want you to ",
    "please ",
    "that you ",
    "你",
    "您",
    "我希望你",
    "我要你",
    "请",
    "請",
    "千万",
    "千萬",
];

/// Beginnings that forbid.
const PROHIBITIONS: &[&str] = &[
    "never ",
    "not to ",
    "to never ",
    "don't ",
    "don’t ",
    "do not ",
    "must not ",
    "must never ",
    "should not ",
    "should never ",
    "shouldn't ",
    "may not ",
    "不要",
    "别",
    "別",
    "不准",
    "不许",
    "不許",
    "不得",
    "不能",
    "不可以",
    "禁止",
    "绝不",
    "絕不",
    "永远不",
    "永遠不",
    "永不",
];

/// Words behind a full stop that does not end a sentence.
const ABBREVIATIONS: &[&str] = &["mr", "mrs", "ms", "dr", "st", "prof", "e.g", "i.e", "etc", "vs", "approx"];

/// What begins another request within the same sentence.
const TURNS: &[&str] = &[", then ", " and then ", "，然后", "，然後", "，再", ", and now "];

/// How the redactor marks what it took out.
const REDACTED: &str = "[redacted: ";

/// The declaration with which the request begins; none when it declares nothing, asks a question, or declares more than
/// [`MAX_FACT_CHARS`].
pub fn declaration(request: &str) -> Option<Declaration<'_>> {
    let declared = after_opening(request.trim())?;
    let (words, rest) = first_sentence(declared);
    if words.ends_with(['?', '？']) {
        return None;
    }
    // Whoever hides something in their words has not said all of them; and without it they might spell a secret.
    if sanitise(words).removed > 0 {
        return None;
    }
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let fact = line.trim_matches(is_loose).to_owned();
    if !(MIN_FACT_CHARS..=MAX_FACT_CHARS).contains(&fact.chars().count()) {
        return None;
    }
    Some(Declaration {
        prohibits: prohibits(&fact),
        holds_secret: fact.contains(REDACTED),
        rest: rest.trim(),
        fact,
    })
}

/// What follows the opening.
fn after_opening(text: &str) -> Option<&str> {
    let polite = POLITE.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    if let Some(rest) = CHINESE_OPENINGS.iter().find_map(|opening| polite.strip_prefix(opening)) {
        return Some(rest);
    }
    let words = words(text);
    let skip = usize::from(words.first().is_some_and(|(_, word)| is_word(word, "please")));
    let words = &words[skip.min(words.len())..];
    let found = OPENINGS.iter().find(|opening| {
        let given = words.iter().take(opening.words.len());
        given.len() == opening.words.len() && given.zip(opening.words).all(|((_, a), b)| is_word(a, b))
    })?;
    let (at, _) = words.get(found.words.len() - found.kept)?;
    Some(&text[*at..])
}

/// The first words of a text with where they begin: more than the longest opening with its politeness.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        if !word.is_empty() {
            found.push((at, word));
        }
        if found.len() == 6 {
            break;
        }
        // White space may take several bytes.
        let space = text[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        at += word.len() + space;
    }
    found
}

/// Whether a word of the request is this word of the table; a comma behind it does not matter.
fn is_word(given: &str, word: &str) -> bool {
    given.to_lowercase().trim_end_matches([',', '，']) == word
        || given.to_lowercase().trim_end_matches(':') == word
}

/// The first sentence, and what follows it.
fn first_sentence(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(is_loose);
    let mut end = text.len();
    for (at, found) in text.char_indices() {
        let next = text[at + found.len_utf8()..].chars().next();
        let ends = match found {
            '\n' | '。' | '！' | '；' | '？' => true,
            '.' => next.is_none_or(char::is_whitespace) && !is_abbreviation(&text[..at]),
            '!' | ';' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            end = at + found.len_utf8();
            break;
        }
    }
    let sentence = &text[..end];
    let turn = TURNS.iter().filter_map(|turn| Some((sentence.find(turn)?, turn.len()))).min();
    match turn {
        Some((at, length)) => (&sentence[..at], &text[at + length..]),
        None => (sentence, &text[end..]),
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    ABBREVIATIONS.contains(&word.as_str()) || word.chars().count() == 1
}

/// Punctuation that belongs to no fact.
fn is_loose(found: char) -> bool {
    found.is_whitespace()
        || matches!(found, ':' | '：' | ',' | '，' | '.' | '。' | '!' | '！' | ';' | '；' | '、')
}

fn prohibits(fact: &str) -> bool {
    let folded = fold(fact);
    let mut said = folded.as_str();
    // A subject may be said in several parts: "please", "you".
    for _ in 0..SUBJECTS.len() {
        match SUBJECTS.iter().find_map(|subject| said.strip_prefix(subject)) {
            Some(rest) => said = rest.trim_start(),
            None => break,
        }
    }
    PROHIBITIONS.iter().any(|word| said.starts_with(word))
}

#[cfg(test)]
mod tests;
