//! Blocks of private keys, as RFC 7468 writes them, also when their line breaks are escaped (`\n`), when one of their ends
//! is missing, and when they stand indented.

use super::Span;
use super::kind::SecretKind;

/// Anchor of a beginning.
pub(super) const BEGIN: &str = "-----BEGIN ";
/// Anchor of an end.
pub(super) const END: &str = "-----END ";

/// Longest words between the anchor and the dashes: `ENCRYPTED PRIVATE KEY BLOCK` and the like.
const MAX_LABEL: usize = 48;
/// A run of base64 this long belongs to a key; what is shorter does so only at the end of a block. Lines of a block have
/// 64 characters.
const MIN_RUN: usize = 24;
/// Header lines of a block (`Proc-Type`, `DEK-Info`, `Version`, `Comment`), and their length.
const MAX_HEADERS: usize = 8;
const MAX_HEADER: usize = 128;

/// The block that begins at an anchor; none when no key follows, as in a text about keys.
pub(super) fn forwards(text: &[u8], anchor: Span) -> Option<Span> {
    let mut at = label_end(text, anchor.end)?;
    let (mut headers, mut holds_key) = (0, false);
    loop {
        let from = skip_breaks(text, at);
        if text[from..].starts_with(END.as_bytes()) {
            at = label_end(text, from + END.len()).unwrap_or(at);
            break;
        }
        let run = run_length(&text[from..]);
        if headers < MAX_HEADERS
            && !holds_key
            && let Some(length) = header_length(&text[from..])
        {
            headers += 1;
            at = from + length;
        } else if run >= MIN_RUN || run > 0 && ends_block(text, from + run) {
            holds_key |= run >= MIN_RUN;
            at = from + run;
        } else {
            break;
        }
    }
    holds_key.then_some(Span { start: anchor.start, end: at, kind: SecretKind::PrivateKey })
}

/// The block that ends at an anchor, as far as it is in the text.
pub(super) fn backwards(text: &[u8], anchor: Span) -> Option<Span> {
    let end = label_end(text, anchor.end)?;
    let (mut start, mut holds_key) = (anchor.start, false);
    loop {
        let to = skip_breaks_back(text, start);
        let run = text[..to].iter().rev().take_while(|byte| is_base64(**byte)).count();
        // The last line of a block may be short.
        if run < MIN_RUN && (holds_key || run == 0 || start != anchor.start) {
            break;
        }
        holds_key |= run >= MIN_RUN;
        start = to - run;
    }
    // The first run may have taken the letter of the escaped line break before it, whose backslash would be left alone.
    start += usize::from(text[..start].ends_with(b"\\"));
    holds_key.then_some(Span { start, end, kind: SecretKind::PrivateKey })
}

/// Where the dashes after `... PRIVATE KEY` end.
fn label_end(text: &[u8], from: usize) -> Option<usize> {
    let rest = &text[from..];
    let rest = &rest[..rest.len().min(MAX_LABEL)];
    let length = rest.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b' ').count();
    let label = &rest[..length];
    let is_private = label.windows(b"PRIVATE KEY".len()).any(|words| words == b"PRIVATE KEY");
    (is_private && rest[length..].starts_with(b"-----")).then_some(from + length + 5)
}

/// Past white space and escaped line breaks.
fn skip_breaks(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match &text[at..] {
            [b'\\', b'n' | b'r' | b't', ..] => at += 2,
            [byte, ..] if byte.is_ascii_whitespace() => at += 1,
            _ => return at,
        }
    }
}

fn skip_breaks_back(text: &[u8], to: usize) -> usize {
    let mut at = to;
    loop {
        match &text[..at] {
            [.., b'\\', b'n' | b'r' | b't'] => at -= 2,
            // The letter of an escaped line break was taken for the first one of the run behind it.
            [.., b'\\'] => at -= 1,
            [.., byte] if byte.is_ascii_whitespace() => at -= 1,
            _ => return at,
        }
    }
}

fn run_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_base64(**byte)).count()
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn ends_block(text: &[u8], at: usize) -> bool {
    text[skip_breaks(text, at)..].starts_with(END.as_bytes())
}

/// The length of a line such as `DEK-Info: AES-128-CBC,00FF`, without its break.
fn header_length(text: &[u8]) -> Option<usize> {
    let head = &text[..text.len().min(MAX_HEADER)];
    let line =
        &head[..head.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'\\')).unwrap_or(head.len())];
    let name = line.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
    (name > 0 && line[name..].starts_with(b": ")).then_some(line.len())
}
