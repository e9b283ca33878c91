//! A reader that does not read holds nobody up, costs little, and is told exactly what it missed.

use std::collections::BTreeMap;

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{Event, GetStatusRequest, StreamEventsResponse};
use tonic::Streaming;

use crate::calls::{Calls, in_time, request, runtime};
use crate::flooding::{MOST_MEMORY_KIB, peak_memory_kib};
use artoo_testing::Home;

const TASKS: usize = 100;
/// The smallest window there is, so that little is hidden in buffers on the way.
const WINDOW: u32 = 65_535;

async fn next(stream: &mut Streaming<StreamEventsResponse>) -> Option<Event> {
    let answer = in_time("the stream goes on", stream.message()).await.expect("it ends in order")?;
    Some(answer.event.expect("nobody asked for heartbeats"))
}

/// Reads a task to its end; returns how many events it has.
async fn read_to_end(stream: &mut Streaming<StreamEventsResponse>) -> u64 {
    let mut last = 0;
    while let Some(event) = next(stream).await {
        assert_eq!(event.sequence, last + 1);
        last = event.sequence;
    }
    last
}

/// Reads the live stream up to the end of a task; returns how many events came and how many were dropped, and checks that
/// the marks of gaps say exactly where.
async fn read_up_to_the_end_of(live: &mut Streaming<StreamEventsResponse>, task_id: &str) -> (u64, u64) {
    let (mut ordinal, mut dropped) = (0, 0);
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    while let Some(event) = next(live).await {
        if let Some(Payload::Lagged(gap)) = event.payload {
            assert_eq!(gap.from, ordinal + 1, "a gap begins behind what came last");
            assert!(gap.to >= gap.from);
            dropped += gap.to - ordinal;
            ordinal = gap.to;
            continue;
        }
        ordinal += 1;
        let last = seen.insert(event.task_id.clone(), event.sequence).unwrap_or(0);
        assert!(event.sequence > last, "{}: {} after {last}", event.task_id, event.sequence);
        if event.task_id == task_id && matches!(event.payload, Some(Payload::FinalResult(_))) {
            break;
        }
    }
    (ordinal - dropped, dropped)
}

#[test]
fn a_reader_that_stalls_holds_nobody_up_and_is_told_what_it_missed() {
    let mut home = Home::new();
    home.start();
    let submission = |name: &str| request(home.root(), name, "list the files in this folder");
    runtime().block_on(async {
        let mut stalled = Calls::new(&home.socket()).with_window(WINDOW);
        let mut live = stalled.events("", 0).await;
        let mut calls = Calls::new(&home.socket());
        let first = calls.submit(&submission("first")).await.task_id;
        let mut one = stalled.events(&first, 0).await;
        let mut tasks = Vec::new();
        for number in 0..TASKS {
            tasks.push(calls.submit(&submission(&format!("task {number}"))).await.task_id);
        }
        let mut published = 0;
        for task_id in &tasks {
            published += read_to_end(&mut calls.events(task_id, 0).await).await;
        }
        if let Some(peak) = peak_memory_kib(home.daemon_pid()) {
            assert!(peak < MOST_MEMORY_KIB, "{peak} KiB");
        }
        // The stream of one task is as slow as its reader; of all tasks, what did not fit is gone, and says so.
        let of_first = read_to_end(&mut one).await;
        let last = calls.submit(&submission("last")).await.task_id;
        let (came, dropped) = read_up_to_the_end_of(&mut live, &last).await;
        assert!(of_first > 0 && dropped > 0, "{of_first} {dropped}: the stalled reader did not stall");
        let of_last = read_to_end(&mut calls.events(&last, 0).await).await;
        // Only reports of the auditor come besides.
        let all = of_first + published + of_last;
        assert!((all..all + 10).contains(&(came + dropped)), "{came} came, {dropped} dropped, of {all}");
        let status =
            calls.client().await.get_status(GetStatusRequest {}).await.expect("a status").into_inner();
        assert_eq!(status.dropped_events, dropped);
    });
}
