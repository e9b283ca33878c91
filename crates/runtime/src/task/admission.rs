//! What a request must be before it is accepted, what makes two requests the same, and what the index keeps of one.

use std::path::Path;

use artoo_journal::AcceptRecord;
use artoo_redact::sanitise::sanitise;
use artoo_types::limits::MAX_INPUT_BYTES;
use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::text::first_chars;
use artoo_types::{TaskId, Timestamp};
use sha2::{Digest, Sha256};

use super::error::TaskError;

/// Longest time budget and deadline: a day, in milliseconds.
const MAX_TIME_MS: u64 = 86_400_000;
/// Most replans that one task may ask for: as in the configuration.
const MAX_REPLANS: u32 = 20;
/// Characters of the request that lists of tasks show.
const MAX_TITLE_CHARS: usize = 80;

/// Checks every field that the caller decides.
pub(super) fn check(submitted: &TaskSubmitted) -> Result<(), TaskError> {
    let invalid = |field, problem: String| Err(TaskError::Invalid { field, problem });
    if sanitise(&submitted.input).text.trim().is_empty() {
        return invalid("input", "it is empty; say what artoo should do".to_owned());
    }
    if submitted.input.len() > MAX_INPUT_BYTES {
        let length = submitted.input.len();
        return invalid(
            "input",
            format!(
                "it has {length} bytes and at most {MAX_INPUT_BYTES} are taken; put long material into a file and name the file"
            ),
        );
    }
    let directory = Path::new(&submitted.working_directory);
    if !directory.is_absolute() {
        return invalid("working_directory", format!("{} is not an absolute path", directory.display()));
    }
    if !directory.is_dir() {
        return invalid("working_directory", format!("{} is not a folder that exists", directory.display()));
    }
    check_options(&submitted.options)?;
    for (field, value, most) in
        [("session_id", &submitted.session_id, 128), ("request_id", &submitted.request_id, 128)]
    {
        if value.len() > most || value.chars().any(char::is_control) {
            return invalid(field, format!("use at most {most} bytes without control characters"));
        }
    }
    Ok(())
}

fn check_options(options: &TaskOptions) -> Result<(), TaskError> {
    let times =
        [("options.time_budget_ms", options.time_budget_ms), ("options.deadline_ms", options.deadline_ms)];
    for (field, value) in times {
        if value.is_some_and(|ms| !(1..=MAX_TIME_MS).contains(&ms)) {
            return Err(TaskError::Invalid {
                field,
                problem: format!("use 1 to {MAX_TIME_MS} milliseconds"),
            });
        }
    }
    if options.max_replans.is_some_and(|n| n > MAX_REPLANS) {
        let problem = format!("use at most {MAX_REPLANS}");
        return Err(TaskError::Invalid { field: "options.max_replans", problem });
    }
    if options.max_tokens == Some(0) {
        let problem = "0 allows no model call; leave it out for no ceiling".to_owned();
        return Err(TaskError::Invalid { field: "options.max_tokens", problem });
    }
    Ok(())
}

/// The entry of an accepted request in the index of tasks.
pub(super) fn entry(
    task_id: TaskId,
    accepted_at: Timestamp,
    submitted: &TaskSubmitted,
    request_hash: String,
) -> AcceptRecord {
    AcceptRecord {
        task_id,
        request_id: submitted.request_id.clone(),
        request_hash,
        session_id: submitted.session_id.clone(),
        accepted_at,
        title: first_chars(&submitted.input, MAX_TITLE_CHARS),
    }
}

/// Digest of everything that the caller decides, the key itself excepted.
pub(super) fn request_hash(submitted: &TaskSubmitted) -> String {
    let content = TaskSubmitted { request_id: String::new(), ..submitted.clone() };
    let json = serde_json::to_vec(&content).expect("a submission has only strings and numbers");
    Sha256::digest(&json).iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests;
