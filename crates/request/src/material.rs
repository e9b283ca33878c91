//! Which parts of a text are the person's request, and which are material that it is about.

use artoo_types::declare::declaration;

use crate::leads::is_bullet;
use crate::normalise::quoted_ranges;

/// Characters of a request that are read: some forty sentences. What stands behind them is material.
const READ_CHARS: usize = 4_000;

/// One sentence of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Its words, without the mark at its end.
    pub(crate) text: String,
    /// It ends in a question mark.
    pub(crate) marked: bool,
    /// It ends in a colon, or one stands within it: what follows that. Empty for a colon at the end.
    pub(crate) behind_colon: Option<String>,
    /// It is a line of a list.
    pub(crate) listed: bool,
    /// A paragraph begins with it.
    pub(crate) opens: bool,
}

/// The sentences of a request, without what it declares and without code.
pub(crate) fn sentences(request: &str) -> Vec<Sentence> {
    let own = declaration(request).map_or(request, |found| found.rest);
    let own: String = own.chars().take(READ_CHARS).collect();
    let without_code = own.split("```").step_by(2).collect::<Vec<_>>().join("\n\n");
    let mut found = Vec::new();
    for paragraph in paragraphs(&without_code) {
        let mut opens = true;
        for line in lines(&paragraph) {
            let listed = is_bullet(&line);
            for (text, marked) in split_sentences(&line) {
                let (text, behind_colon) = at_colon(&text);
                found.push(Sentence { text, marked, behind_colon, listed, opens });
                opens = false;
            }
        }
    }
    found
}

fn paragraphs(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines() {
        match (line.trim().is_empty(), all.last_mut()) {
            (true, _) => all.push(String::new()),
            (false, Some(last)) => {
                last.push_str(line);
                last.push('\n');
            }
            (false, None) => {}
        }
    }
    all.retain(|paragraph| !paragraph.trim().is_empty());
    all
}

/// The lines of a paragraph; a line that goes on in the next one is joined to it.
fn lines(paragraph: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in paragraph.lines() {
        let goes_on = all.last().is_some_and(|last| {
            !last.trim_end().ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '：', '；'])
                && !is_bullet(line)
        });
        match all.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.push_str(", ");
                last.push_str(line.trim());
            }
            None => all.push(line.trim().to_owned()),
        }
    }
    all
}

/// Sentences with whether they end in a question mark.
fn split_sentences(line: &str) -> Vec<(String, bool)> {
    let quoted = quoted_ranges(line);
    let mut all = Vec::new();
    let mut start = 0;
    for (at, found) in line.char_indices() {
        if at < start || quoted.iter().any(|(from, to)| (*from..*to).contains(&at)) {
            continue;
        }
        let next = line[at + found.len_utf8()..].chars().next();
        let spaced = next.is_none_or(char::is_whitespace);
        let ends = match found {
            '。' | '！' | '？' | '；' => true,
            '!' | '?' | ';' => spaced,
            '.' => spaced && !is_numbering(&line[start..at]) && !is_title(&line[start..at]),
            _ => false,
        };
        if ends {
            all.push((line[start..at].to_owned(), matches!(found, '?' | '？')));
            start = at + found.len_utf8();
        }
    }
    all.push((line[start..].to_owned(), false));
    all.retain(|(text, _)| !text.trim().is_empty());
    all
}

fn is_numbering(before: &str) -> bool {
    let word = before.trim();
    !word.is_empty() && word.chars().all(|digit| digit.is_ascii_digit())
}

fn is_title(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    ["mr", "mrs", "ms", "dr", "prof", "st", "e.g", "i.e", "vs", "approx"].contains(&word.as_str())
}

/// What stands before a colon, and what behind it. The colon of an address or of a time is none.
fn at_colon(sentence: &str) -> (String, Option<String>) {
    let quoted = quoted_ranges(sentence);
    let colon = sentence.char_indices().find(|(at, found)| {
        let rest = &sentence[at + found.len_utf8()..];
        let free = !quoted.iter().any(|(from, to)| (*from..*to).contains(at));
        free && (*found == '：' || (*found == ':' && rest.chars().next().is_none_or(char::is_whitespace)))
    });
    match colon {
        Some((at, found)) => {
            (sentence[..at].to_owned(), Some(sentence[at + found.len_utf8()..].trim().to_owned()))
        }
        None => (sentence.to_owned(), None),
    }
}
