use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};

use super::*;

const SECRET: &str = "canary-0042-value";

fn check<T: Entering + std::fmt::Debug>(mut request: T, texts: usize) {
    let known = KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::ApiKey };
    let before = format!("{request:?}").matches(SECRET).count();
    request.redact(&Redactor::new(&[known]));
    let after = format!("{request:?}");
    assert_eq!((before, after.matches("[redacted: api key]").count()), (texts, texts), "{after}");
    assert!(!after.contains(SECRET), "{after}");
}

#[test]
fn every_text_of_a_request_is_redacted() {
    let s = || format!("a {SECRET} b");
    let none = String::new;
    let tags = || vec![v1::Tag { space: s(), entity: s() }];
    check(
        v1::SubmitTaskRequest {
            input: s(),
            session_id: s(),
            request_id: s(),
            working_directory: s(),
            options: None,
        },
        4,
    );
    check(v1::StreamEventsRequest { task_id: s(), after_sequence: 1, follow: true, heartbeat_ms: 0 }, 1);
    check(v1::GetTaskRequest { task_id: s() }, 1);
    check(v1::ListTasksRequest { page_size: 1, page_token: String::new(), state: s() }, 1);
    check(v1::CancelTaskRequest { task_id: s() }, 1);
    check(v1::AnswerClarificationRequest { task_id: s(), answer: s() }, 2);
    check(v1::QueryMemoryRequest { tags: tags(), level: s(), text: s(), compare_to: s() }, 5);
    check(
        v1::ListMegramsRequest {
            tags: tags(),
            level: s(),
            text: s(),
            page_size: 1,
            page_token: String::new(),
            ids: vec![s()],
        },
        5,
    );
    check(v1::RememberRequest { text: s(), tags: tags(), level: s(), constraint: false, token: none() }, 4);
    check(
        v1::ForgetRequest { megram_ids: vec![s()], tags: tags(), level: s(), dry_run: false, token: none() },
        4,
    );
    check(v1::ExportMemoryRequest { level: s() }, 1);
    check(v1::ImportMemoryRequest { lines: format!("{}\n{}", s(), s()), first_line: 1, token: none() }, 2);
    check(v1::SeparateRequestsRequest { first: s(), second: s(), undo: false, token: none() }, 2);
    check(v1::ExplainActionRequest { tool: s(), arguments: s(), working_directory: s() }, 3);
    check(v1::VerifyAuditRequest { task_id: s(), include_memory: false, anchors: vec![s()] }, 2);
    check(v1::ReplayTaskRequest { task_id: s(), control: [(s(), s())].into() }, 3);
    check(v1::ReportTaskRequest { task_id: s(), all: false }, 1);
    check(v1::UndoTaskRequest { task_id: s(), dry_run: false, force: false, token: none() }, 1);
    check(v1::ReadOutputRequest { task_id: s(), offset: 1 }, 1);
    check(v1::ListPromptsRequest { task_id: s(), after_call: 1 }, 1);
}

#[test]
fn a_confirmation_keeps_its_token_alone() {
    let mut request = v1::ResolveConfirmationRequest {
        confirmation_id: SECRET.to_owned(),
        approved: true,
        token: SECRET.to_owned(),
        remember_for_task: false,
    };
    let known = KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::Confirmation };
    request.redact(&Redactor::new(&[known]));
    assert_eq!(
        (request.token.as_str(), request.confirmation_id.as_str()),
        (SECRET, "[redacted: confirmation token]")
    );
}

#[test]
fn what_artoo_started_may_not_do_what_only_a_person_may() {
    let token = Secret::new("the token");
    let own = Peer { pid: None, is_own_child: true };
    let person = Peer { pid: Some(std::process::id()), is_own_child: false };
    let code = |outcome: Result<(), Status>| outcome.map_err(|status| status.code());
    let denied = Err(tonic::Code::PermissionDenied);
    let verify = |rebuild| v1::VerifyMemoryRequest { rebuild, token: "the token".to_owned() };
    for peer in [Some(own), None] {
        assert_eq!(code(check_caller(&verify(true), peer, &token)), denied);
        assert_eq!(code(check_caller(&verify(false), peer, &token)), Ok(()));
        assert_eq!(code(check_caller(&v1::GetStatusRequest {}, peer, &token)), Ok(()));
    }
    assert_eq!(code(check_caller(&verify(true), Some(person), &token)), Ok(()));
    for (given, outcome) in [("the token", Ok(())), ("", denied), ("another", denied)] {
        let token_of = || given.to_owned();
        let answer = v1::ResolveConfirmationRequest { token: token_of(), ..Default::default() };
        let remember = v1::RememberRequest { token: token_of(), ..Default::default() };
        let undo = v1::UndoTaskRequest { token: token_of(), ..Default::default() };
        for (peer, expected) in [(person, outcome), (own, denied)] {
            assert_eq!(code(check_caller(&answer, Some(peer), &token)), expected);
            assert_eq!(code(check_caller(&remember, Some(peer), &token)), expected);
            assert_eq!(code(check_caller(&undo, Some(peer), &token)), expected);
        }
    }
}
