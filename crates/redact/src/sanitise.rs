//! Making foreign text harmless to look at: nothing in it moves a cursor, changes direction, or says to a model what a
//! person does not see.
//!
//! What goes: control characters but line feed and tab, whole escape sequences of terminals, marks of direction,
//! zero-width and filler characters, tags. What stays, because languages and people need it: a carriage return right
//! before a line feed (files of Windows must stay editable, and it hides nothing there); the joiner and the non-joiner
//! between letters of scripts that join; the joiner between pictographs; one variation selector behind a character that
//! has variants. A carriage return elsewhere, and every other kind of line break, becomes a line feed, so that what a
//! terminal would have overwritten can be read.
//!
//! It stands before the redactor, so that nothing invisible hides a secret; digest and artifact are of what is left.

use std::borrow::Cow;

/// Longest text of an escape sequence that carries one, in characters. Window titles and links stay far below. What is
/// longer, or does not end, is no sequence: its beginning goes and its text stays, because it must not hide what follows.
const MAX_SEQUENCE: usize = 4_096;

/// A text that was gone through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanitised<'a> {
    /// What is left.
    pub text: Cow<'a, str>,
    /// Characters that were taken out or replaced, those of escape sequences included.
    pub removed: usize,
}

/// The text without what a terminal would obey or a person would not see. Linear in its length; doing it again changes
/// nothing.
pub fn sanitise(text: &str) -> Sanitised<'_> {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | 0x20..=0x7e)) {
        return Sanitised { text: Cow::Borrowed(text), removed: 0 };
    }
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut removed, mut before) = (text, 0, None);
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        let next = behind.chars().next();
        let (kept, length) = match class(c) {
            Class::Plain => (Some(c), c.len_utf8()),
            Class::Return if next == Some('\n') => (Some(c), c.len_utf8()),
            Class::Return | Class::Break => (Some('\n'), c.len_utf8()),
            Class::Escape => (None, sequence(rest)),
            Class::Joiner => (joins(before, c, next).then_some(c), c.len_utf8()),
            Class::Variant => (before.is_some_and(|base| varies(base, c)).then_some(c), c.len_utf8()),
            Class::Unseen => (None, c.len_utf8()),
        };
        if kept != Some(c) {
            removed += rest[..length].chars().count();
        }
        if let Some(kept) = kept {
            out.push(kept);
            before = Some(kept);
        }
        rest = &rest[length..];
    }
    let text = if removed == 0 { Cow::Borrowed(text) } else { Cow::Owned(out) };
    Sanitised { text, removed }
}

/// As [`sanitise`], in place; returns how many characters went.
pub fn clean(text: &mut String) -> usize {
    let Sanitised { text: clean, removed } = sanitise(text);
    if let Cow::Owned(clean) = clean {
        *text = clean;
    }
    removed
}

/// What a character is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Return,
    Break,
    /// It begins an escape sequence.
    Escape,
    Joiner,
    Variant,
    Unseen,
}

/// Source: Unicode 16, general category Cf and Default_Ignorable_Code_Point; ECMA-48 for controls.
fn class(c: char) -> Class {
    match u32::from(c) {
        0x09 | 0x0A | 0x20..=0x7E => Class::Plain,
        0x0D => Class::Return,
        0x0B | 0x0C | 0x85 | 0x2028 | 0x2029 => Class::Break,
        0x1B | 0x90 | 0x98 | 0x9B | 0x9D..=0x9F => Class::Escape,
        0x200C | 0x200D => Class::Joiner,
        0xFE00..=0xFE0F | 0xE0100..=0xE01EF | 0x180B..=0x180D | 0x180F => Class::Variant,
        0x00..=0x1F | 0x7F..=0x9F => Class::Unseen,
        0x00AD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180E => Class::Unseen,
        0x200B | 0x200E..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F => Class::Unseen,
        0x3164 | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB => Class::Unseen,
        0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF => Class::Unseen,
        _ => Class::Plain,
    }
}

/// Bytes of the escape sequence that the text begins with.
fn sequence(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let first = chars.next().map_or('\0', |(_, c)| c);
    let kind = match first {
        '\u{1b}' => match chars.peek().map(|(_, c)| *c) {
            Some(c @ ('[' | ']' | 'P' | 'X' | '^' | '_')) => {
                chars.next();
                c
            }
            Some(_) | None => return short_sequence(text),
        },
        '\u{9b}' => '[',
        _ => ']',
    };
    let start = chars.peek().map_or(text.len(), |(at, _)| *at);
    if kind == '[' {
        let body = &text[start..];
        let parameters = body.bytes().take(MAX_SEQUENCE).take_while(|b| matches!(b, b' '..=b'?')).count();
        let ends = body.as_bytes().get(parameters).is_some_and(|b| matches!(b, b'@'..=b'~'));
        return start + if ends { parameters + 1 } else { 0 };
    }
    for (at, c) in text[start..].char_indices().take(MAX_SEQUENCE) {
        let end = start + at;
        match c {
            '\u{7}' => return end + 1,
            '\u{9c}' => return end + c.len_utf8(),
            '\u{1b}' if text[end..].starts_with("\u{1b}\\") => return end + 2,
            '\n' => return start,
            // What begins another sequence is judged by itself, so that no text is gone through twice.
            c if class(c) == Class::Escape => return start,
            _ => {}
        }
    }
    start
}

/// Bytes of an escape with at most a few intermediate characters and a last one, as for the choice of a character set.
fn short_sequence(text: &str) -> usize {
    let between = text.bytes().skip(1).take_while(|b| matches!(b, b' '..=b'/')).take(4).count();
    let ends = text.as_bytes().get(1 + between).is_some_and(|b| matches!(b, b'0'..=b'~'));
    1 + between + usize::from(ends)
}

/// Whether a joiner has something to do between these two.
fn joins(before: Option<char>, joiner: char, next: Option<char>) -> bool {
    let (Some(before), Some(next)) = (before, next) else { return false };
    let drawn =
        joiner == '\u{200d}' && (is_pictograph(before) || before == '\u{fe0f}') && is_pictograph(next);
    drawn || (has_joining_letters(before) && has_joining_letters(next))
}

/// Arabic and its neighbours, Mongolian, and the scripts of India and South-East Asia.
fn has_joining_letters(c: char) -> bool {
    matches!(u32::from(c), 0x0600..=0x08FF | 0x0900..=0x0DFF | 0x0F00..=0x109F | 0x1780..=0x17D3 | 0x1820..=0x18AA)
        && class(c) == Class::Plain
}

fn is_pictograph(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00A9 | 0x00AE | 0x203C | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x21FF | 0x2300..=0x27BF | 0x2900..=0x297F
            | 0x2B00..=0x2BFF | 0x3030 | 0x303D | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF
    )
}

/// Whether this character has a variant of that kind: pictographs and the keys of a telephone are drawn as text or in
/// colour, ideographs have forms, Mongolian letters too.
fn varies(base: char, selector: char) -> bool {
    let is_ideograph = matches!(u32::from(base), 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF);
    match u32::from(selector) {
        0xFE0E | 0xFE0F => is_pictograph(base) || matches!(base, '0'..='9' | '#' | '*'),
        0xFE00..=0xFE02 | 0xE0100..=0xE01EF => is_ideograph,
        0x180B..=0x180F => matches!(u32::from(base), 0x1820..=0x18AA),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
