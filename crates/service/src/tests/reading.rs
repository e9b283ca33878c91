//! Lists, status, the gate, the memory, the auditor.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn tasks_are_listed_newest_first_page_by_page() {
    let mut running = start(silent()).await;
    let mut all = Vec::new();
    for input in ["one", "two", "three"] {
        all.insert(0, running.submit(input).await);
    }
    let first = running.list(2, "", "").await;
    assert_eq!(ids(&first.tasks), all[..2]);
    let second = running.list(2, &first.next_page_token, "").await;
    assert_eq!(ids(&second.tasks), all[2..]);
    assert_eq!(second.next_page_token, "");

    let foreign = v1::ListTasksRequest {
        page_token: first.next_page_token,
        state: "finished".to_owned(),
        ..Default::default()
    };
    refused(running.client.list_tasks(foreign).await, Code::InvalidArgument, "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_are_listed_by_state() {
    let mut running = start(silent()).await;
    let stopped = running.submit("one").await;
    let at_work = running.submit("two").await;
    let request = v1::CancelTaskRequest { task_id: stopped.clone() };
    running.client.cancel_task(request).await.expect("it stops");
    assert_eq!(ids(&running.list(0, "", "finished").await.tasks), [stopped.as_str()]);
    let running_page = running.list(0, "", "running").await;
    assert_eq!(ids(&running_page.tasks), [at_work.as_str()]);
    assert_eq!(running_page.next_page_token, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_counts_what_there_is() {
    let mut running = start(silent()).await;
    running.submit("one").await;
    let status = running.client.get_status(v1::GetStatusRequest {}).await.expect("a status").into_inner();
    assert_eq!(status.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(status.protocol_version, artoo_protocol::PROTOCOL_VERSION);
    assert_eq!(status.pid, std::process::id());
    assert_eq!((status.tasks["running"], status.tasks["finished"]), (1, 0));
    assert_eq!(status.megrams.len(), 4);
    assert_eq!(status.data_directory, running.folder.path().join("data").to_string_lossy());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gate_explains_itself() {
    let mut running = start(offline()).await;
    let mut check = async |tool: &str, arguments: &str, decision: &str| {
        let request = v1::ExplainActionRequest {
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            working_directory: "/tmp".to_owned(),
        };
        let explained = running.client.explain_action(request).await.expect("it says").into_inner();
        assert_eq!(explained.decision, decision, "{tool} {arguments}: {explained:?}");
    };
    check("shell", r#"{"command": "ls"}"#, "safe").await;
    check("shell", r#"{"command": "rm notes.txt"}"#, "confirm").await;
    check("shell", r#"{"command": "rm -rf /"}"#, "forbidden").await;
    check("glob", r#"{"root": "/tmp", "pattern": "*.txt"}"#, "safe").await;
    let unknown = v1::ExplainActionRequest { tool: "teleport".to_owned(), ..Default::default() };
    refused(running.client.explain_action(unknown).await, Code::InvalidArgument, "INVALID_FIELD");
    let broken = v1::ExplainActionRequest { tool: "shell".to_owned(), ..Default::default() };
    refused(running.client.explain_action(broken).await, Code::InvalidArgument, "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_auditor_reports() {
    let mut running = start(offline()).await;
    let task_id = running.submit("what is 2 + 2").await;
    running.events(&task_id, 0).await;
    let report = running.client.audit_query(v1::AuditQueryRequest::default()).await.expect("a report");
    let report = report.into_inner().report.expect("a report");
    assert_eq!((report.trigger.as_str(), report.tasks_observed), ("on-demand", 1));
    assert_eq!(report.boundary_violations, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_task_taught_can_be_read() {
    let mut running = start(offline()).await;
    let task_id = running.submit("list the files in this folder").await;
    let written = running.events(&task_id, 0).await;
    let written = written.iter().filter(|event| event_kind(event) == "megram_write").count();
    assert!(written > 0, "the task teaches something");
    running.daemon.tasks.shut_down(Duration::ZERO).await;

    let mut listed = Vec::new();
    let mut request = v1::ListMegramsRequest { page_size: 1, ..Default::default() };
    loop {
        let page = running.client.list_megrams(request.clone()).await.expect("a page").into_inner();
        let learned = page.levels.iter().filter(|level| level.level != "T");
        assert_eq!(learned.map(|level| level.count).sum::<u64>(), written as u64);
        listed.extend(page.megrams);
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    listed.retain(|megram| megram.level != "T");
    assert_eq!(listed.len(), written);
    let time = |megram: &v1::Megram| megram.created_at.map(|at| (at.seconds, at.nanos));
    assert!(listed.windows(2).all(|pair| time(&pair[0]) >= time(&pair[1])));

    let tag = v1::Tag { space: listed[0].space.clone(), entity: listed[0].entity.clone() };
    for entity in [tag.entity.clone(), String::new()] {
        let tags = vec![v1::Tag { entity, ..tag.clone() }];
        let known = running.client.query_memory(v1::QueryMemoryRequest { tags, ..Default::default() }).await;
        let clusters = known.expect("what is known").into_inner().clusters;
        let cluster = clusters.iter().find(|cluster| cluster.tag.as_ref() == Some(&tag)).expect("the tag");
        assert!(
            cluster.contributions.iter().any(|c| c.megram.as_ref().is_some_and(|m| m.id == listed[0].id))
        );
    }

    let mut export =
        running.client.export_memory(v1::ExportMemoryRequest::default()).await.expect("it").into_inner();
    let mut lines = String::new();
    while let Some(part) = in_time(export.message()).await.expect("in order") {
        lines.push_str(&part.lines);
    }
    let learned = lines.lines().filter(|line| !line.contains("\"level\":\"T\""));
    assert_eq!(learned.count(), written);
    assert!(listed.iter().all(|megram| lines.contains(&megram.id)));
}
