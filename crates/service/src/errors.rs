//! Refusals as callers see them: `google.rpc.Status` with details, the same shape for every one.

use std::collections::HashMap;
use std::time::Duration;

use artoo_journal::JournalError;
use artoo_protocol::MAX_REQUEST_BYTES;
use artoo_store::StoreError;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use artoo_runtime::task::{EventsError, ReadFailure, StreamError, TaskError};

/// The domain of every reason.
const DOMAIN: &str = "artoo";
/// When to try again after too much was asked: some task will have ended by then.
const BUSY_RETRY: Duration = Duration::from_secs(1);
/// When to try again on a disk without room: a person needs about as long to make some.
const ROOM_RETRY: Duration = Duration::from_secs(30);
/// When to try again after a shutdown began: running tasks get 10 s, and a daemon that is restarted one or two more.
const RESTART_RETRY: Duration = Duration::from_secs(12);

/// A field of the request is wrong. `problem` says what to send instead.
pub(super) fn invalid(field: &str, problem: &str) -> Status {
    let mut details = reason("INVALID_FIELD", &[("field", field)]);
    details.add_bad_request_violation(field, problem);
    status(Code::InvalidArgument, &format!("{field}: {problem}"), details)
}

/// There is no such thing.
pub(super) fn not_found(kind: &str, name: &str, message: &str) -> Status {
    let mut details = reason("NOT_FOUND", &[]);
    details.set_resource_info(kind, name, "", message);
    status(Code::NotFound, message, details)
}

/// Something else has to happen first.
pub(super) fn not_now(why: &'static str, subject: &str, message: &str) -> Status {
    let mut details = reason(why, &[]);
    details.add_precondition_failure_violation(why, subject, message);
    status(Code::FailedPrecondition, message, details)
}

/// The caller may not do this.
pub(super) fn forbidden(why: &'static str, message: &str) -> Status {
    status(Code::PermissionDenied, message, reason(why, &[]))
}

/// Too much was asked; the same may work later.
pub(super) fn too_much(why: &'static str, message: &str) -> Status {
    let mut details = reason(why, &[]);
    details.set_retry_info(Some(BUSY_RETRY));
    status(Code::ResourceExhausted, message, details)
}

/// The message has more bytes than are taken. The same never works.
pub(super) fn too_large() -> Status {
    let limit = MAX_REQUEST_BYTES.to_string();
    let message = format!("the message has more than {limit} bytes, which is the limit; send less at a time");
    status(Code::ResourceExhausted, &message, reason("MESSAGE_TOO_LARGE", &[("limit", &limit)]))
}

/// The disk has too little room; the same works when somebody has made some.
fn no_room(why: &'static str, message: &str) -> Status {
    let mut details = reason(why, &[]);
    details.set_retry_info(Some(ROOM_RETRY));
    status(Code::ResourceExhausted, message, details)
}

/// The daemon is going down.
pub(super) fn shutting_down() -> Status {
    let mut details = reason("SHUTTING_DOWN", &[]);
    details.set_retry_info(Some(RESTART_RETRY));
    status(Code::Unavailable, "the daemon is shutting down; try again when it is back", details)
}

/// It took too long. `advice` says what to do.
pub(super) fn too_late(advice: &str) -> Status {
    let mut details = reason("DEADLINE", &[]);
    details.set_retry_info(Some(BUSY_RETRY));
    status(Code::DeadlineExceeded, advice, details)
}

/// Something that should work did not. `message` says what to look at.
pub(super) fn broken(why: &'static str, message: &str) -> Status {
    tracing::error!(reason = why, message, "a request could not be answered");
    status(Code::Internal, message, reason(why, &[]))
}

/// A refusal of the tasks.
pub(super) fn of_task(error: &TaskError) -> Status {
    let message = error.to_string();
    match error {
        TaskError::Invalid { field, problem } => invalid(field, problem),
        TaskError::KeyReused(key) => {
            let mut details = reason("REQUEST_ID_REUSED", &[]);
            details.set_resource_info("request_id", key, "", &message);
            status(Code::AlreadyExists, &message, details)
        }
        TaskError::Busy(_) => too_much("TOO_MANY_TASKS", &message),
        TaskError::NoRoom(_) => no_room("DISK_LOW", &message),
        TaskError::ShuttingDown => shutting_down(),
        TaskError::Journal(error) => of_journal(error),
        TaskError::Unknown(id) => not_found("task", &id.to_string(), &message),
        TaskError::NotWaiting(_) => not_now("NOT_WAITING", "", &message),
        TaskError::Unreadable(task) => match task.failure {
            ReadFailure::Deleted => {
                let mut details = reason("TASK_DELETED", &[]);
                let id = task.accepted.accepted.task_id.to_string();
                details.set_resource_info("task", id, "", &message);
                status(Code::NotFound, &message, details)
            }
            ReadFailure::Damaged(_) => not_now("TASK_DAMAGED", "", &message),
        },
    }
}

/// A stream that cannot be given.
pub(super) fn of_stream(error: &EventsError) -> Status {
    match error {
        EventsError::Unknown(error) => of_task(error),
        EventsError::Stream(StreamError::Journal(error)) => of_journal(error),
        EventsError::Stream(beyond @ StreamError::Beyond { latest, .. }) => {
            let details = reason("AFTER_SEQUENCE_BEYOND_LOG", &[("latest_sequence", &latest.to_string())]);
            status(Code::OutOfRange, &beyond.to_string(), details)
        }
    }
}

/// A journal that cannot be written or read.
pub(super) fn of_journal(error: &JournalError) -> Status {
    let message = error.to_string();
    if matches!(error, JournalError::Full { .. }) {
        return no_room("DISK_FULL", &message);
    }
    if let JournalError::BadLine(bad) = error {
        let (line, byte) = (bad.line.to_string(), bad.offset.to_string());
        return status(
            Code::DataLoss,
            &message,
            reason("JOURNAL_DAMAGED", &[("line", &line), ("byte", &byte)]),
        );
    }
    broken("JOURNAL", &message)
}

/// A memory that cannot be read.
pub(super) fn of_store(error: &StoreError) -> Status {
    let message = error.to_string();
    match error {
        StoreError::BadCursor => invalid("page_token", &message),
        StoreError::Rejected(_) => invalid("tags", &message),
        StoreError::Locked { .. }
        | StoreError::NotWritable { .. }
        | StoreError::NewerSchema { .. }
        | StoreError::NotAMemory { .. }
        | StoreError::Damaged { .. }
        | StoreError::Backup { .. }
        | StoreError::FaultyBackup { .. }
        | StoreError::Database { .. } => broken("MEMORY", &message),
    }
}

fn reason(why: &str, metadata: &[(&str, &str)]) -> ErrorDetails {
    let metadata: HashMap<String, String> =
        metadata.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    ErrorDetails::with_error_info(why, DOMAIN, metadata)
}

fn status(code: Code, message: &str, details: ErrorDetails) -> Status {
    Status::with_error_details(code, message, details)
}

#[cfg(test)]
mod tests;
