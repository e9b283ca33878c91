use artoo_types::task::{TaskOptions, TaskSubmitted};

use super::{check, request_hash};
use crate::task::TaskError;

fn request() -> TaskSubmitted {
    TaskSubmitted {
        input: "count".to_owned(),
        session_id: String::new(),
        request_id: "key".to_owned(),
        working_directory: "/".to_owned(),
        options: TaskOptions::default(),
    }
}

/// The field that a changed request is refused for; none when it is accepted.
fn refused(change: impl FnOnce(&mut TaskSubmitted)) -> Option<&'static str> {
    let mut request = request();
    change(&mut request);
    match check(&request) {
        Ok(()) => None,
        Err(TaskError::Invalid { field, .. }) => Some(field),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn each_field_is_checked_at_its_bound() {
    assert_eq!(refused(|_| ()), None);
    assert_eq!(refused(|r| r.input = " \n".to_owned()), Some("input"));
    assert_eq!(
        refused(|r| r.input = "  \u{200b}\u{2060} ".to_owned()),
        Some("input"),
        "nobody sees anything"
    );
    assert_eq!(refused(|r| r.input = "x".repeat(64 * 1024)), None);
    assert_eq!(refused(|r| r.input = "x".repeat(64 * 1024 + 1)), Some("input"));
    assert_eq!(refused(|r| r.working_directory = "tmp".to_owned()), Some("working_directory"));
    assert_eq!(refused(|r| r.working_directory = "/no/such/folder".to_owned()), Some("working_directory"));
    assert_eq!(refused(|r| r.session_id = "a\nb".to_owned()), Some("session_id"));
    assert_eq!(refused(|r| r.request_id = "x".repeat(129)), Some("request_id"));
    assert_eq!(refused(|r| r.options.max_replans = Some(20)), None);
    assert_eq!(refused(|r| r.options.max_replans = Some(21)), Some("options.max_replans"));
    assert_eq!(refused(|r| r.options.time_budget_ms = Some(0)), Some("options.time_budget_ms"));
    assert_eq!(refused(|r| r.options.deadline_ms = Some(86_400_001)), Some("options.deadline_ms"));
    assert_eq!(refused(|r| r.options.max_tokens = Some(0)), Some("options.max_tokens"));
}

#[test]
fn the_key_alone_does_not_make_another_request() {
    let same = TaskSubmitted { request_id: "other".to_owned(), ..request() };
    assert_eq!(request_hash(&request()), request_hash(&same));
    let other = TaskSubmitted { input: "count again".to_owned(), ..request() };
    assert_ne!(request_hash(&request()), request_hash(&other));
    let unattended = TaskOptions { unattended: true, ..TaskOptions::default() };
    assert_ne!(request_hash(&request()), request_hash(&TaskSubmitted { options: unattended, ..request() }));
}
