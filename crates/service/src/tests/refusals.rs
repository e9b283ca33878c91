//! What is not done, and that nothing changes then.

use super::*;

fn field_of(status: &Status) -> String {
    let details = status.get_error_details();
    details.bad_request().expect("the field is named").field_violations[0].field.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_submission_names_its_field_and_leaves_nothing_behind() {
    let mut running = start(offline()).await;
    let data = running.folder.path().join("data");
    let other_name = running.folder.path().join("other-name");
    std::os::unix::fs::symlink(&data, &other_name).expect("a link can be made");
    let within = |folder: std::path::PathBuf| folder.to_str().expect("it is plain").to_owned();
    let good = v1::SubmitTaskRequest { input: "think".to_owned(), ..Default::default() };
    let cases = [
        ("input", v1::SubmitTaskRequest { input: " \n".to_owned(), ..good.clone() }),
        ("input", v1::SubmitTaskRequest { input: "x".repeat(64 * 1024 + 1), ..good.clone() }),
        (
            "working_directory",
            v1::SubmitTaskRequest { working_directory: "/no/such/folder".to_owned(), ..good.clone() },
        ),
        ("working_directory", v1::SubmitTaskRequest { working_directory: "here".to_owned(), ..good.clone() }),
        (
            "working_directory",
            v1::SubmitTaskRequest { working_directory: within(data.join("tasks")), ..good.clone() },
        ),
        (
            "working_directory",
            v1::SubmitTaskRequest { working_directory: within(other_name), ..good.clone() },
        ),
        ("session_id", v1::SubmitTaskRequest { session_id: "a\nb".to_owned(), ..good }),
    ];
    for (field, request) in cases {
        let refusal =
            refused(running.client.submit_task(request).await, Code::InvalidArgument, "INVALID_FIELD");
        assert_eq!(field_of(&refusal), field);
    }
    assert_eq!(running.list(0, "", "").await.tasks, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_with_too_little_room_takes_no_task_and_answers_everything_else() {
    let mut running =
        start_on(offline(), StorageParams { min_free_bytes: u64::MAX, ..StorageParams::default() }).await;
    let request = v1::SubmitTaskRequest { input: "think".to_owned(), ..Default::default() };
    let refusal = refused(running.client.submit_task(request).await, Code::ResourceExhausted, "DISK_LOW");
    let retry = refusal.get_error_details().retry_info().and_then(|info| info.retry_delay);
    assert_eq!(retry, Some(Duration::from_secs(30)));
    assert!(refusal.message().contains("free some space on that disk"), "{}", refusal.message());
    assert_eq!(running.list(0, "", "").await.tasks, []);
    let journals = std::fs::read_dir(running.folder.path().join("data/tasks")).expect("the folder is there");
    assert_eq!(journals.count(), 0);
    let status = running.client.get_status(v1::GetStatusRequest {}).await.expect("it answers").into_inner();
    assert_eq!(status.warnings, [refusal.message()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_and_malformed_ids_are_told_apart() {
    let mut running = start(offline()).await;
    let unknown = "01890a5d-ac96-774b-bcce-b302099a8057".to_owned();
    let get = running.client.get_task(v1::GetTaskRequest { task_id: unknown.clone() }).await;
    refused(get, Code::NotFound, "NOT_FOUND");
    let stream = v1::StreamEventsRequest { task_id: unknown.clone(), ..Default::default() };
    refused(running.client.stream_events(stream).await, Code::NotFound, "NOT_FOUND");
    let cancel = running.client.cancel_task(v1::CancelTaskRequest { task_id: "018".to_owned() }).await;
    assert_eq!(field_of(&refused(cancel, Code::InvalidArgument, "INVALID_FIELD")), "task_id");
    let answer = v1::AnswerClarificationRequest { task_id: unknown, answer: String::new() };
    refused(running.client.answer_clarification(answer).await, Code::NotFound, "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_token_answers_a_confirmation() {
    let mut running = start(offline()).await;
    let request = v1::ResolveConfirmationRequest {
        confirmation_id: "01890a5d-ac96-774b-bcce-b302099a8057".to_owned(),
        approved: true,
        token: "guessed".to_owned(),
        remember_for_task: false,
    };
    let wrong = running.client.resolve_confirmation(request.clone()).await;
    refused(wrong, Code::PermissionDenied, "WRONG_TOKEN");
    let right = v1::ResolveConfirmationRequest { token: TOKEN.to_owned(), ..request };
    refused(running.client.resolve_confirmation(right).await, Code::FailedPrecondition, "NOT_WAITING");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_without_a_question_takes_no_answer() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let answer = v1::AnswerClarificationRequest { task_id: task_id.clone(), answer: "yes".to_owned() };
    refused(running.client.answer_clarification(answer).await, Code::FailedPrecondition, "NOT_WAITING");
    let long = v1::AnswerClarificationRequest { task_id, answer: "x".repeat(64 * 1024 + 1) };
    let refusal =
        refused(running.client.answer_clarification(long).await, Code::InvalidArgument, "INVALID_FIELD");
    assert_eq!(field_of(&refusal), "answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_needs_a_task_or_all_of_them() {
    let mut running = start(offline()).await;
    let report = running.client.report_task(v1::ReportTaskRequest::default()).await;
    assert_eq!(field_of(&refused(report, Code::InvalidArgument, "INVALID_FIELD")), "task_id");
    let unknown = v1::ReportTaskRequest { task_id: uuid::Uuid::now_v7().to_string(), all: false };
    refused(running.client.report_task(unknown).await, Code::NotFound, "NOT_FOUND");
    let all = v1::ReportTaskRequest { all: true, ..Default::default() };
    let html = running.client.report_task(all).await.expect("an index of nothing").into_inner().html;
    assert!(html.contains("0 of 0 delivered"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_over_the_limit_is_refused() {
    let mut running = start(offline()).await;
    let request = v1::SubmitTaskRequest { input: "x".repeat(2 * 1024 * 1024), ..Default::default() };
    running.client.submit_task(request).await.expect_err("it is too large");
    running.submit("the connection still works").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_refusal_repeats_a_secret() {
    let mut running = start(offline()).await;
    let s = || format!("a {SECRET} b");
    let text = |value: &str| value.to_owned();
    let client = &mut running.client;
    let submission = v1::SubmitTaskRequest { input: text("think"), request_id: s(), ..Default::default() };
    client.submit_task(submission.clone()).await.expect("it is accepted");
    let explain = |tool: &str, arguments: String, working_directory: String| v1::ExplainActionRequest {
        tool: tool.to_owned(),
        arguments,
        working_directory,
    };
    let tags = vec![v1::Tag { space: s(), entity: s() }];
    let refusals = [
        client
            .submit_task(v1::SubmitTaskRequest { input: text("other"), ..submission.clone() })
            .await
            .map(drop),
        client
            .submit_task(v1::SubmitTaskRequest { working_directory: s(), ..submission.clone() })
            .await
            .map(drop),
        client
            .submit_task(v1::SubmitTaskRequest { working_directory: format!("/{SECRET}"), ..submission })
            .await
            .map(drop),
        client.get_task(v1::GetTaskRequest { task_id: s() }).await.map(drop),
        client.list_tasks(v1::ListTasksRequest { state: s(), ..Default::default() }).await.map(drop),
        client
            .query_memory(v1::QueryMemoryRequest { level: s(), tags, ..Default::default() })
            .await
            .map(drop),
        client.explain_action(explain(&s(), s(), text("/"))).await.map(drop),
        client.explain_action(explain("shell", s(), text("/"))).await.map(drop),
        client.explain_action(explain("shell", text("{}"), s())).await.map(drop),
    ];
    for refusal in refusals {
        let status = refusal.expect_err("it is refused");
        let details = String::from_utf8_lossy(status.details()).into_owned();
        let told = format!("{} {details}", status.message());
        assert!(!told.contains("canary"), "{told}");
    }
    let command = serde_json::json!({"command": format!("cat '{SECRET}' > /tmp/x")}).to_string();
    let explained = client.explain_action(explain("shell", command, text("/"))).await.expect("it answers");
    assert!(!format!("{explained:?}").contains("canary"), "{explained:?}");
}
