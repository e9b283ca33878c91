//! Taking secrets out of text, where the text enters the machine: configured values in every usual spelling, and tokens
//! by their fixed beginnings. Log, prompt, event, audit and replay then hold the same bytes.
//!
//! [`Redactor`] is pure and knows nothing of where a text comes from. What it cannot know: a secret that is neither
//! configured nor of a known form, and one that somebody spells in a way of their own (reversed, encrypted, letter by
//! letter). Start with [`Redactor::redact`]; the table of tokens is in `shapes`.

mod forms;
mod key_block;
mod kind;
mod shapes;
mod userinfo;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use aho_corasick::AhoCorasick;

use crate::secret::Secret;
pub use kind::SecretKind;
use shapes::{SHAPES, SPECIALS, Shape, Special};

/// What is shorter is no secret but a word that a local server asks for in its place, and taking it out would spoil the
/// text.
pub const MIN_SECRET: usize = 8;

/// Spellings at least this long are found by their pieces, so that half of one is found too: when a cut, a page or a
/// line break falls into it.
const MIN_PIECED: usize = 24;
/// Characters of a piece.
const PIECE: usize = 16;
/// From one piece to the next. Of a secret with at least [`MIN_PIECED`] characters, `PIECE + STRIDE - 1` in a row never
/// survive.
const STRIDE: usize = 4;
/// Bytes of patterns after which a secret is looked for only as it is. A key with all its spellings takes 10 KB.
const MAX_PATTERN_BYTES: usize = 4 << 20;
/// How many times its length a text may have afterwards: the longest placeholder has 30 characters and the shortest
/// secret 8.
const MAX_GROWTH: usize = 4;
/// Backslashes before a secret that are counted: JSON in JSON in JSON has 7.
const MAX_ESCAPES: usize = 64;
/// Most times that a text is gone through. One is the rule; a second one follows when something was replaced, because
/// that can set the beginning of a token free, and sees nothing more.
const PASSES: usize = 8;
/// What is left of a text that would still tell a secret after that: only values that look like placeholders do so.
const NOTHING_LEFT: &str = "[redacted: secret]";

/// A secret to look for, and what it is.
#[derive(Debug, Clone)]
pub struct KnownSecret {
    /// The value.
    pub secret: Secret,
    /// What stands in its place.
    pub kind: SecretKind,
}

/// Takes secrets out of text. Cheap to clone. The default knows tokens by their form and no value.
#[derive(Clone)]
pub struct Redactor {
    table: Arc<Table>,
}

struct Table {
    automaton: AhoCorasick,
    /// What each pattern of the automaton stands for.
    rows: Vec<Pattern>,
    spellings: Vec<Spelling>,
}

/// One pattern.
enum Pattern {
    /// A piece of a spelling, and where in it.
    Piece { spelling: usize, offset: usize },
    /// The beginning of a token.
    Shape(&'static Shape),
    /// The beginning of something else.
    Special(Special),
}

struct Spelling {
    text: Vec<u8>,
    kind: SecretKind,
    /// Whether it is the value as it was configured.
    is_value: bool,
}

/// Bytes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
    kind: SecretKind,
}

impl Redactor {
    /// A redactor that also knows these values. Those that are too short, and those that every placeholder tells, are
    /// left out.
    pub fn new(known: &[KnownSecret]) -> Self {
        let mut builder = Builder::default();
        for KnownSecret { secret, kind } in known {
            builder.add(secret.expose(), *kind);
        }
        Self { table: Arc::new(builder.table()) }
    }

    /// The text without secrets. Linear in the length of the text; the result is at most four times as long, and
    /// redacting it again changes nothing.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.redact_bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // Spans end where characters do, so that nothing is lost here.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// As [`Redactor::redact`], for text that may hold anything.
    pub fn redact_bytes<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let mut current = Cow::Borrowed(text);
        for _ in 0..PASSES {
            let spans = self.table.spans(&current);
            if spans.is_empty() {
                return current;
            }
            current = Cow::Owned(replaced(&current, &spans));
            if current.len() > text.len().saturating_mul(MAX_GROWTH) {
                break;
            }
        }
        Cow::Owned(NOTHING_LEFT.as_bytes().to_vec())
    }

    /// Redacts a text in its place.
    pub fn clean(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redact(text) {
            *text = redacted;
        }
    }

    /// Redacts texts in their places.
    pub fn clean_all(&self, texts: &mut [String]) {
        texts.iter_mut().for_each(|text| self.clean(text));
    }

    /// Redacts a text that may begin or end in the midst of something, as the output of `head -c` does: what is the end of
    /// a value at its beginning, or the beginning of one at its end, goes too when it has [`MIN_SECRET`] characters.
    pub fn clean_excerpt(&self, text: &mut String) {
        self.clean(text);
        for spelling in self.table.spellings.iter().filter(|spelling| spelling.is_value) {
            let value = String::from_utf8_lossy(&spelling.text);
            let placeholder = spelling.kind.placeholder();
            // The longest ones come first.
            let cuts = || value.char_indices().map(|(at, _)| at);
            let end = cuts().map(|at| &value[at..]).find(|end| text.starts_with(end));
            if let Some(end) = end.filter(|end| is_part(end)) {
                text.replace_range(..end.len(), placeholder);
            }
            let beginning = cuts().rev().map(|at| &value[..at]).find(|beginning| text.ends_with(beginning));
            if let Some(beginning) = beginning.filter(|beginning| is_part(beginning)) {
                text.truncate(text.len() - beginning.len());
                text.push_str(placeholder);
            }
        }
    }

    /// Redacts JSON that somebody else wrote. They may have escaped any letter (`\u0073k-...`); when such a letter belongs
    /// to a secret, the text comes back with its letters as they are.
    pub fn clean_json(&self, text: &mut String) {
        self.clean(text);
        if let Some(plain) = without_escaped_letters(text)
            && let Cow::Owned(redacted) = self.redact(&plain)
        {
            *text = redacted;
        }
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new(&[])
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Redactor({} spellings)", self.table.spellings.len())
    }
}

#[derive(Default)]
struct Builder {
    patterns: Vec<Vec<u8>>,
    rows: Vec<Pattern>,
    spellings: Vec<Spelling>,
    seen: BTreeSet<Vec<u8>>,
    bytes: usize,
}

impl Builder {
    fn add(&mut self, secret: &str, kind: SecretKind) {
        if secret.chars().count() < MIN_SECRET {
            return;
        }
        // Words in a secret are no secret: only what is one word is looked for in pieces.
        let in_pieces = !secret.contains(char::is_whitespace);
        self.spell(secret.as_bytes().to_vec(), kind, in_pieces, true);
        if self.bytes > MAX_PATTERN_BYTES {
            return;
        }
        for spelling in forms::spellings(secret) {
            self.spell(spelling, kind, in_pieces, false);
        }
    }

    fn spell(&mut self, text: Vec<u8>, kind: SecretKind, in_pieces: bool, is_value: bool) {
        let is_told = |kind: &SecretKind| {
            kind.placeholder().as_bytes().windows(text.len()).any(|part| part == text.as_slice())
        };
        if text.is_empty() || SecretKind::ALL.iter().any(is_told) || !self.seen.insert(text.clone()) {
            return;
        }
        let spelling = self.spellings.len();
        if in_pieces && text.len() >= MIN_PIECED {
            let last = text.len() - PIECE;
            for offset in (0..last).step_by(STRIDE).chain([last]) {
                self.pattern(&text[offset..offset + PIECE], Pattern::Piece { spelling, offset });
            }
        } else {
            self.pattern(&text, Pattern::Piece { spelling, offset: 0 });
        }
        self.spellings.push(Spelling { text, kind, is_value });
    }

    fn pattern(&mut self, text: &[u8], row: Pattern) {
        self.bytes += text.len();
        self.patterns.push(text.to_vec());
        self.rows.push(row);
    }

    fn table(mut self) -> Table {
        for shape in SHAPES {
            self.pattern(shape.anchor().as_bytes(), Pattern::Shape(shape));
        }
        for (anchor, special) in SPECIALS {
            self.pattern(anchor.as_bytes(), Pattern::Special(special));
        }
        let automaton = AhoCorasick::new(&self.patterns).expect(
            "an environment is a few megabytes, and an automaton may have two thousand million states",
        );
        Table { automaton, rows: self.rows, spellings: self.spellings }
    }
}

impl Table {
    /// Where the secrets are, in order, none touching another.
    fn spans(&self, text: &[u8]) -> Vec<Span> {
        let mut spans = Spans::default();
        // Where the last token ends: what begins inside it need not be looked at again, which keeps this linear.
        let mut token_end = 0;
        for found in self.automaton.find_overlapping_iter(text) {
            let anchor = Span { start: found.start(), end: found.end(), kind: SecretKind::Other };
            let span = match &self.rows[found.pattern().as_usize()] {
                Pattern::Piece { .. } if spans.covers(anchor) => None,
                Pattern::Piece { spelling, offset } => {
                    Some(grown(text, anchor, &self.spellings[*spelling], *offset))
                }
                Pattern::Shape(_) if anchor.start < token_end => None,
                Pattern::Shape(shape) => {
                    let token = shape.at(text, anchor);
                    token_end = token.map_or(token_end, |token| token.end);
                    token
                }
                Pattern::Special(special) => special.at(text, anchor),
            };
            if let Some(span) = span {
                spans.add(whole_characters(text, span));
            }
        }
        spans.0
    }
}

/// Spans that were found, merged where they overlap. They come ordered by the end of what found them.
#[derive(Default)]
struct Spans(Vec<Span>);

impl Spans {
    fn covers(&self, span: Span) -> bool {
        self.0.last().is_some_and(|last| last.start <= span.start && span.end <= last.end)
    }

    fn add(&mut self, mut span: Span) {
        while let Some(last) = self.0.last().filter(|last| last.end > span.start).copied() {
            // The longer one says what it is.
            if last.end - last.start >= span.end - span.start {
                span.kind = last.kind;
            }
            span.start = span.start.min(last.start);
            span.end = span.end.max(last.end);
            self.0.pop();
        }
        self.0.push(span);
    }
}

/// The whole of the spelling around one of its pieces, as far as the text holds it. In JSON the first character may have
/// been an escaped one, whose backslash then goes with it.
fn grown(text: &[u8], piece: Span, spelling: &Spelling, offset: usize) -> Span {
    let Span { mut start, mut end, .. } = piece;
    let (before, behind) = (&spelling.text[..offset], &spelling.text[offset + (end - start)..]);
    start -= same_length(before.iter().rev(), text[..start].iter().rev());
    end += same_length(behind.iter(), text[end..].iter());
    let escapes = text[..start].iter().rev().take(MAX_ESCAPES).take_while(|byte| **byte == b'\\').count();
    Span { start: start - escapes % 2, end, kind: spelling.kind }
}

/// Whether so much of a value is worth hiding: less than that is no secret on its own either.
fn is_part(part: &str) -> bool {
    part.chars().count() >= MIN_SECRET
}

/// Bytes of `text` that go on as the spelling does. A line break in between is one that a program put there, such as
/// `base64`, when enough of the spelling follows.
fn same_length<'a>(spelling: impl Iterator<Item = &'a u8>, text: impl Iterator<Item = &'a u8>) -> usize {
    /// A break has at most so many bytes.
    const BREAK: usize = 2;
    /// Characters behind a break that are no coincidence.
    const AFTER_BREAK: usize = 4;
    let mut spelling = spelling.peekable();
    let (mut length, mut sure, mut breaks, mut since_break) = (0, 0, 0, AFTER_BREAK);
    for byte in text {
        if spelling.next_if_eq(&byte).is_some() {
            breaks = 0;
            since_break += 1;
        } else if matches!(byte, b'\n' | b'\r') && breaks < BREAK && spelling.peek().is_some() {
            breaks += 1;
            since_break = 0;
        } else {
            break;
        }
        length += 1;
        if breaks == 0 && (since_break >= AFTER_BREAK || spelling.peek().is_none()) {
            sure = length;
        }
    }
    sure
}

/// The span with the characters that it would cut in two: a piece of a secret can begin inside one.
fn whole_characters(text: &[u8], span: Span) -> Span {
    /// A character of UTF-8 has at most so many bytes after its first.
    const CONTINUED: usize = 3;
    let continues = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    let mut start = span.start;
    for _ in 0..CONTINUED {
        start -= usize::from(start > 0 && text.get(start).as_ref().is_some_and(continues));
    }
    let behind = text[span.end..].iter().take(CONTINUED).take_while(continues).count();
    Span { start, end: span.end + behind, ..span }
}

fn replaced(text: &[u8], spans: &[Span]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        result.extend_from_slice(&text[from..span.start]);
        result.extend_from_slice(span.kind.placeholder().as_bytes());
        from = span.end;
    }
    result.extend_from_slice(&text[from..]);
    result
}

/// JSON text with its needlessly escaped letters, digits and signs written as they are; none when there are none.
fn without_escaped_letters(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let (mut rest, mut changed) = (text, false);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let code =
            escape.strip_prefix("\\u").and_then(|digits| u8::from_str_radix(digits.get(..4)?, 16).ok());
        let letter = code.filter(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'));
        // An escape has one more character, or `u` and four digits.
        let length = match letter {
            Some(letter) => {
                plain.push(char::from(letter));
                changed = true;
                "\\u0000".len()
            }
            None => {
                let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
                plain.push_str(&escape[..length]);
                length
            }
        };
        rest = &escape[length..];
    }
    plain.push_str(rest);
    changed.then_some(plain)
}

#[cfg(test)]
mod tests;
