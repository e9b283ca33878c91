//! A stream that is left and taken up again, at any point and across power cuts, is the journal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use artoo_journal::{envelopes_after, task_path};
use artoo_protocol::v1::Event;
use artoo_protocol::v1::event::Payload;

use crate::calls::{Calls, in_time, is_outage, request, runtime};
use artoo_testing::dice::{Dice, setting};
use artoo_testing::{Home, wait_until};

/// How often streams are left and taken up again. The design asks for 1,000.
const RECONNECTS: &str = "ARTOO_TEST_RECONNECTS";
const USUAL: u64 = 250;
/// Reconnects between two power cuts.
const A_POWER_CUT_EACH: u64 = 50;
const FOLLOWERS: u64 = 6;

/// What all followers have in common.
struct Shared {
    root: std::path::PathBuf,
    socket: std::path::PathBuf,
    reconnects: AtomicU64,
    enough: AtomicBool,
    seed: u64,
}

/// Follows one task after the other until there were enough reconnects; returns each task with its events as they came.
async fn follow(shared: Arc<Shared>, number: u64) -> Vec<(String, Vec<Event>)> {
    let mut dice = Dice::stream(shared.seed, number);
    let mut calls = Calls::new(&shared.socket);
    let mut tasks = Vec::new();
    while !shared.enough.load(Ordering::SeqCst) {
        let key = format!("follower {number} task {}", tasks.len());
        let input = if dice.below(2) == 0 { "list the files in this folder" } else { "what is 2 + 2" };
        let task_id = calls.submit(&request(&shared.root, &key, input)).await.task_id;
        let mut events = Vec::new();
        while !is_whole(&events) {
            read_some(&mut calls, &task_id, &mut events, &mut dice).await;
            shared.reconnects.fetch_add(1, Ordering::SeqCst);
            if dice.below(3) == 0 {
                calls.hang_up();
            }
        }
        tasks.push((task_id, events));
    }
    tasks
}

/// Opens the stream after the last event that was seen, and leaves it after a few.
async fn read_some(calls: &mut Calls, task_id: &str, events: &mut Vec<Event>, dice: &mut Dice) {
    let after = events.last().map_or(0, |event| event.sequence);
    let mut stream = calls.events(task_id, after).await;
    for _ in 0..dice.below(6) {
        match in_time("the stream goes on", stream.message()).await {
            Ok(Some(answer)) => events.push(answer.event.expect("nobody asked for heartbeats")),
            Ok(None) => return assert!(is_whole(events), "{task_id} ends after {after} without a result"),
            Err(status) => {
                assert!(is_outage(&status), "{status:?}");
                return calls.hang_up();
            }
        }
    }
}

fn is_whole(events: &[Event]) -> bool {
    matches!(events.last(), Some(Event { payload: Some(Payload::FinalResult(_)), .. }))
}

/// What was pieced together is gapless, the same as one look at the whole, and what the journal holds.
async fn check(home: &Home, calls: &mut Calls, task_id: &str, joined: &[Event]) {
    let sequences: Vec<u64> = joined.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=joined.len() as u64).collect::<Vec<_>>(), "{task_id}");
    let mut stream = calls.events(task_id, 0).await;
    let mut whole = Vec::new();
    while let Some(answer) = in_time("the stream goes on", stream.message()).await.expect("it ends in order")
    {
        whole.push(answer.event.expect("nobody asked for heartbeats"));
    }
    assert_eq!(joined, whole, "{task_id}");
    let task: artoo_types::TaskId =
        serde_json::from_value(serde_json::Value::from(task_id)).expect("an id of a task");
    let journal = envelopes_after(&task_path(&home.data().join("tasks"), task), 0).expect("a journal");
    let recorded: Vec<(u64, String)> =
        journal.map(|e| e.map(|e| (e.sequence, e.id.to_string())).expect("a whole journal")).collect();
    let told: Vec<(u64, String)> = whole.into_iter().map(|event| (event.sequence, event.event_id)).collect();
    assert_eq!(told, recorded, "{task_id}");
}

#[test]
fn a_stream_that_is_left_and_taken_up_again_is_the_journal() {
    let reconnects = setting(RECONNECTS, USUAL);
    let seed = setting("ARTOO_TEST_SEED", 1);
    let mut home = Home::new();
    home.start();
    let shared = Arc::new(Shared {
        root: home.root().to_owned(),
        socket: home.socket(),
        reconnects: AtomicU64::new(0),
        enough: AtomicBool::new(false),
        seed,
    });
    let runtime = runtime();
    let followers: Vec<_> =
        (0..FOLLOWERS).map(|number| runtime.spawn(follow(Arc::clone(&shared), number))).collect();
    for cut_at in (A_POWER_CUT_EACH..reconnects).step_by(usize::try_from(A_POWER_CUT_EACH).expect("small")) {
        let there = || shared.reconnects.load(Ordering::SeqCst) >= cut_at;
        wait_until("streams are taken up again", || there() || followers.iter().any(|f| f.is_finished()));
        home.kill();
        home.start();
    }
    wait_until("streams are taken up again", || {
        shared.reconnects.load(Ordering::SeqCst) >= reconnects || followers.iter().any(|f| f.is_finished())
    });
    shared.enough.store(true, Ordering::SeqCst);
    runtime.block_on(async {
        let mut calls = Calls::new(&home.socket());
        for (number, follower) in followers.into_iter().enumerate() {
            let tasks =
                follower.await.unwrap_or_else(|error| panic!("follower {number}, seed {seed}: {error}"));
            for (task_id, joined) in tasks {
                check(&home, &mut calls, &task_id, &joined).await;
            }
        }
    });
}
