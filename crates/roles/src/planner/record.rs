//! What the calls of a task gave, in a line each: what R2 knows of them when it plans again, and what it may cite.

use std::collections::VecDeque;

use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::text::first_chars;

use crate::prompt::one_line;
use crate::receipt::{changed_files, receipt_headline};

/// Calls that are kept: the last ones of a round of steps.
const KEPT: usize = 16;
/// Characters of a call.
const CALL_CHARS: usize = 120;
/// Characters of the files that it changed.
const CHANGES_CHARS: usize = 160;
/// Characters of what it put out.
const OUTPUT_CHARS: usize = 160;

/// The last calls of a task.
#[derive(Debug, Clone, Default)]
pub(super) struct TaskRecord(VecDeque<RecordedCall>);

#[derive(Debug, Clone)]
struct RecordedCall {
    id: String,
    line: String,
}

impl TaskRecord {
    /// Takes in a call that ended. One that code refused did not come to pass.
    pub(super) fn note(&mut self, receipt: &Receipt) {
        if receipt.end == CallEnd::Refused {
            return;
        }
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        let call = first_chars(one_line(&receipt_headline(receipt)).trim(), CALL_CHARS);
        let changes = changed_files(receipt).map(|files| format!("; {}", first_chars(&files, CHANGES_CHARS)));
        let output = first_chars(one_line(&receipt.output).trim(), OUTPUT_CHARS);
        let line = format!("{call}{}: {output}", changes.unwrap_or_default());
        self.0.push_back(RecordedCall { id: receipt.id.to_string(), line });
    }

    /// One line a call, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.iter().map(|call| call.line.clone()).collect()
    }

    /// Whether this is the id of one of them.
    pub(super) fn has(&self, id: &str) -> bool {
        self.0.iter().any(|call| call.id == id)
    }
}
