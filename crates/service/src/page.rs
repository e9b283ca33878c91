//! Page tokens: opaque, and good for the same question only.

use sha2::{Digest, Sha256};
use tonic::Status;

use super::errors::invalid;

/// Entries on a page when the caller does not say.
const DEFAULT_SIZE: usize = 50;
/// Most entries on a page.
const MAX_SIZE: usize = 200;
/// Hex digits of the question's digest in a token: enough that a token of another list is noticed.
const DIGEST_DIGITS: usize = 16;

/// The number of entries that a page gets.
pub(super) fn size(asked: u32) -> usize {
    match usize::try_from(asked).unwrap_or(MAX_SIZE) {
        0 => DEFAULT_SIZE,
        asked => asked.min(MAX_SIZE),
    }
}

/// The token of the page that begins after `cursor` in the list that `question` asks for.
pub(super) fn token(question: &str, cursor: &str) -> String {
    format!("{}{}", digest(question), hex(cursor.as_bytes()))
}

/// Where the page of this token begins; none for the first page.
///
/// # Errors
/// When the token is damaged or belongs to another question.
pub(super) fn cursor(question: &str, token: &str) -> Result<Option<String>, Status> {
    if token.is_empty() {
        return Ok(None);
    }
    let cursor = token.strip_prefix(&digest(question)).and_then(unhex);
    let cursor = cursor.and_then(|bytes| String::from_utf8(bytes).ok());
    cursor.map(Some).ok_or_else(foreign)
}

/// The refusal of a token that no page of this list gave out.
pub(super) fn foreign() -> Status {
    invalid(
        "page_token",
        "it is not from an earlier page of the same list; ask for the first page without one",
    )
}

fn digest(question: &str) -> String {
    let mut digits = hex(&Sha256::digest(question));
    digits.truncate(DIGEST_DIGITS);
    digits
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Only what [`hex`] writes is read.
fn unhex(digits: &str) -> Option<Vec<u8>> {
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}

fn digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
