//! Tasks from submission to their end.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_has_every_event_once_and_ends_with_the_result() {
    let mut running = start(offline()).await;
    let task_id = running.submit("list the files in this folder").await;
    let events = running.events(&task_id, 0).await;
    let sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=events.len() as u64).collect::<Vec<_>>());
    assert!(events.iter().all(|event| event.task_id == task_id && !event.refused));
    assert_eq!(event_kind(&events[0]), "task_submitted");
    assert_eq!(event_kind(events.last().expect("events")), "final_result");

    let middle = events.len() as u64 / 2;
    assert_eq!(running.events(&task_id, middle).await, events[middle as usize..]);
    let last = events.len() as u64;
    assert_eq!(running.events(&task_id, last).await, []);
    let request = v1::StreamEventsRequest {
        task_id: task_id.clone(),
        after_sequence: last + 1,
        follow: true,
        heartbeat_ms: 0,
    };
    let refusal =
        refused(running.client.stream_events(request).await, Code::OutOfRange, "AFTER_SEQUENCE_BEYOND_LOG");
    let details = refusal.get_error_details();
    assert_eq!(details.error_info().expect("info").metadata["latest_sequence"], last.to_string());

    let task = running.task(&task_id).await;
    assert_eq!((task.state.as_str(), task.latest_sequence), ("finished", last));
    assert_eq!(task.working_directory, running.folder.path().join("home").to_string_lossy());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_follows_a_task_at_work_and_cancelling_ends_both() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let request = v1::StreamEventsRequest {
        task_id: task_id.clone(),
        after_sequence: 0,
        follow: true,
        heartbeat_ms: 0,
    };
    let mut stream = running.client.stream_events(request).await.expect("a stream").into_inner();
    let first = in_time(stream.message()).await.expect("in order").expect("an event").event.expect("one");
    assert_eq!(event_kind(&first), "task_submitted");
    assert_ne!(running.task(&task_id).await.state, "finished");

    let request = v1::CancelTaskRequest { task_id: task_id.clone() };
    let cancelled = running.client.cancel_task(request.clone()).await.expect("it stops").into_inner();
    let cancelled = cancelled.task.expect("the task");
    assert_eq!((cancelled.state.as_str(), cancelled.reason.as_str()), ("finished", "cancelled"));
    let mut last = first;
    while let Some(response) = in_time(stream.message()).await.expect("in order") {
        last = response.event.expect("an event");
    }
    assert_eq!(event_kind(&last), "final_result");
    let again = running.client.cancel_task(request).await.expect("nothing happens").into_inner();
    assert_eq!(again.task.expect("the task"), cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_following_a_stream_ends_with_what_is_there() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let request = v1::StreamEventsRequest { task_id, after_sequence: 0, follow: false, heartbeat_ms: 0 };
    let mut stream = running.client.stream_events(request).await.expect("a stream").into_inner();
    let mut count = 0;
    while let Some(response) = in_time(stream.message()).await.expect("in order") {
        assert_ne!(event_kind(&response.event.expect("an event")), "final_result");
        count += 1;
    }
    assert!(count > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_stream_sees_every_task() {
    let mut running = start(offline()).await;
    let mut live = running
        .client
        .stream_events(v1::StreamEventsRequest::default())
        .await
        .expect("a stream")
        .into_inner();
    let tasks =
        [running.submit("list the files in this folder").await, running.submit("what is 2 + 2").await];
    let mut ended = Vec::new();
    while ended.len() < tasks.len() {
        let event = in_time(live.message()).await.expect("in order").expect("an event").event.expect("one");
        if event_kind(&event) == "final_result" {
            ended.push(event.task_id);
        }
    }
    assert!(tasks.iter().all(|task| ended.contains(task)), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_is_the_same_task() {
    let mut running = start(silent()).await;
    let request = v1::SubmitTaskRequest {
        input: "think".to_owned(),
        request_id: "key".to_owned(),
        ..Default::default()
    };
    let first = running.client.submit_task(request.clone()).await.expect("accepted").into_inner();
    let second = running.client.submit_task(request.clone()).await.expect("known").into_inner();
    assert_eq!((first.task_id, false, true), (second.task_id, first.already_known, second.already_known));
    let other = v1::SubmitTaskRequest { input: "think again".to_owned(), ..request };
    refused(running.client.submit_task(other).await, Code::AlreadyExists, "REQUEST_ID_REUSED");
}
