//! Comparing what was measured with what was stated.

use artoo_types::criteria::Compare;
use regex::bytes::{Regex, RegexBuilder};
use serde_json::Value;

use crate::check::CheckFinding;

/// Bytes that a compiled expression may take.
const REGEX_BYTES: usize = 1 << 20;
/// Characters of a measured value that are told.
const TOLD_CHARS: usize = 200;

/// The relation as people write it.
pub(super) fn sign(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "=",
        Compare::Ne => "≠",
        Compare::Lt => "<",
        Compare::Le => "≤",
        Compare::Gt => ">",
        Compare::Ge => "≥",
    }
}

/// A count against the stated number.
#[allow(clippy::cast_precision_loss)] // counts are far below 2^53
pub(super) fn count(what: &str, measured: usize, op: Compare, stated: f64) -> CheckFinding {
    let saw = format!("{what}: {measured}, wanted {} {stated}", sign(op));
    if op.holds(measured as f64, stated) { CheckFinding::Holds(saw) } else { CheckFinding::Fails(saw) }
}

/// An expression from a model: bounded in size, `^` and `$` match at lines.
pub(super) fn regex(expression: &str) -> Result<Regex, CheckFinding> {
    RegexBuilder::new(expression)
        .multi_line(true)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES)
        .build()
        .map_err(|error| CheckFinding::Unmeasured(format!("the check's expression cannot be used: {error}")))
}

/// The expression without what ties it to a beginning or an end: `^`, `$`, `\A` and `\z`.
pub(super) fn without_anchors(expression: &str) -> String {
    let mut loose = String::with_capacity(expression.len());
    let mut open_classes = 0_usize;
    let mut chars = expression.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('A' | 'z') if open_classes == 0 => {}
                escaped => {
                    loose.push(c);
                    loose.extend(escaped);
                }
            },
            '^' | '$' if open_classes == 0 => {}
            _ => {
                match c {
                    '[' => open_classes += 1,
                    ']' => open_classes = open_classes.saturating_sub(1),
                    _ => {}
                }
                loose.push(c);
            }
        }
    }
    loose
}

/// The value at a JSON pointer; the first slash may be left out.
pub(super) fn at<'a>(document: &'a Value, pointer: &str) -> Option<&'a Value> {
    if pointer.is_empty() || pointer.starts_with('/') {
        document.pointer(pointer)
    } else {
        document.pointer(&format!("/{pointer}"))
    }
}

/// A value at a JSON pointer of a document against the stated value.
pub(super) fn json(what: &str, text: &str, pointer: &str, op: Compare, stated: &Value) -> CheckFinding {
    let document: Value = match serde_json::from_str(text.trim()) {
        Ok(document) => document,
        Err(error) => return CheckFinding::WrongForm(format!("{what} is not JSON: {error}")),
    };
    let Some(measured) = at(&document, pointer) else {
        return CheckFinding::Fails(format!("{what} has nothing at {pointer:?}"));
    };
    let told = artoo_types::text::first_chars(&measured.to_string(), TOLD_CHARS);
    let saw = format!("{what} at {pointer:?}: {told}, wanted {} {stated}", sign(op));
    let holds = match (measured.as_f64(), stated.as_f64()) {
        (Some(measured), Some(stated)) => op.holds(measured, stated),
        (None, _) | (_, None) => match op {
            Compare::Eq => measured == stated,
            Compare::Ne => measured != stated,
            Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge => {
                return CheckFinding::Unmeasured(format!("{saw}; only numbers can be ordered"));
            }
        },
    };
    if holds { CheckFinding::Holds(saw) } else { CheckFinding::Fails(saw) }
}
