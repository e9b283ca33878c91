use artoo_types::TaskId;
use tonic_types::ErrorDetails;
use uuid::Uuid;

use super::*;

/// What travels: the details as a client reads them.
fn check(status: &Status, code: Code, why: &str) -> ErrorDetails {
    assert_eq!(status.code(), code);
    assert!(!status.message().is_empty());
    let details = status.check_error_details().expect("details can be read");
    let info = details.error_info().expect("every refusal has a reason");
    assert_eq!((info.reason.as_str(), info.domain.as_str()), (why, "artoo"));
    details
}

#[test]
fn a_wrong_field_is_named() {
    let error = TaskError::Invalid { field: "input", problem: "it is empty; say something".to_owned() };
    let details = check(&of_task(&error), Code::InvalidArgument, "INVALID_FIELD");
    let violations = &details.bad_request().expect("the field").field_violations;
    assert_eq!(violations[0].field, "input");
    assert_eq!(violations[0].description, "it is empty; say something");
}

#[test]
fn an_unknown_task_is_named() {
    let id = TaskId(Uuid::from_u128(7));
    let details = check(&of_task(&TaskError::Unknown(id)), Code::NotFound, "NOT_FOUND");
    let resource = details.resource_info().expect("the resource");
    assert_eq!((resource.resource_type.as_str(), resource.resource_name.clone()), ("task", id.to_string()));
}

#[test]
fn a_reused_key_is_named() {
    let status = of_task(&TaskError::KeyReused("k1".to_owned()));
    let details = check(&status, Code::AlreadyExists, "REQUEST_ID_REUSED");
    assert_eq!(details.resource_info().expect("the key").resource_name, "k1");
}

#[test]
fn what_may_work_later_says_when() {
    let busy = check(&of_task(&TaskError::Busy(256)), Code::ResourceExhausted, "TOO_MANY_TASKS");
    let down = check(&of_task(&TaskError::ShuttingDown), Code::Unavailable, "SHUTTING_DOWN");
    let late = check(&too_late("later"), Code::DeadlineExceeded, "DEADLINE");
    for details in [busy, down, late] {
        assert!(
            details.retry_info().and_then(|retry| retry.retry_delay).is_some_and(|delay| !delay.is_zero())
        );
    }
}

#[test]
fn a_full_disk_may_work_later_and_a_broken_journal_does_not() {
    let full = JournalError::Full { path: "/x".into(), source: std::io::ErrorKind::StorageFull.into() };
    check(&of_task(&full.into()), Code::ResourceExhausted, "DISK_FULL");
    let gone = JournalError::Missing { path: "/x".into() };
    check(&of_task(&gone.into()), Code::Internal, "JOURNAL");
}

#[test]
fn nothing_waits() {
    let status = of_task(&TaskError::NotWaiting("nobody waits".to_owned()));
    let details = check(&status, Code::FailedPrecondition, "NOT_WAITING");
    assert_eq!(details.precondition_failure().expect("what").violations[0].description, "nobody waits");
}

#[test]
fn a_stream_beyond_the_log_says_where_the_log_ends() {
    let error = EventsError::Stream(StreamError::Beyond { asked: 9, latest: 4 });
    let details = check(&of_stream(&error), Code::OutOfRange, "AFTER_SEQUENCE_BEYOND_LOG");
    assert_eq!(details.error_info().expect("info").metadata["latest_sequence"], "4");
}

#[test]
fn the_memory_refuses_in_the_same_form() {
    check(&of_store(&StoreError::BadCursor), Code::InvalidArgument, "INVALID_FIELD");
    let damaged = StoreError::Damaged { key: "m|1".to_owned(), why: "cut".to_owned() };
    check(&of_store(&damaged), Code::Internal, "MEMORY");
    check(&forbidden("WRONG_TOKEN", "no"), Code::PermissionDenied, "WRONG_TOKEN");
}
