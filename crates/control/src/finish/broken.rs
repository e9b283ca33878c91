//! The call that broke down last, for the words of an end that it may have caused.

use artoo_types::evidence::CallEnd;
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::text::first_chars;

use super::MOVE_CHARS;

/// What the last call of a failed round says, if it did not come to an end of its own: a server that was late, a program that
/// cannot be run. Empty otherwise.
pub(super) fn last_broken_call(outcomes: &[SubTaskOutcome]) -> String {
    let last = outcomes.iter().flat_map(SubTaskOutcome::all_receipts).last();
    let broken = last.filter(|receipt| matches!(receipt.end, CallEnd::Timeout | CallEnd::Error));
    broken.map_or_else(String::new, |receipt| {
        let said = receipt.output.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("(The last call broke down, {}: {}.)", receipt.tool, first_chars(&said, MOVE_CHARS))
    })
}
