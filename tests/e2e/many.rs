//! A data folder with very many old tasks: a start does not open their journals.

use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::path::Path;

use artoo_journal::{
    AcceptIndex, AcceptRecord, CrashPoint, EndRecord, TaskJournal, read, task_ids, task_path,
};
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::{Envelope, Message, TaskId, Timestamp};
use rustix::fs::inotify;
use serde_json::json;
use uuid::Uuid;

use artoo_testing::{Home, wait_until};

/// Old tasks; `ARTOO_OLD_TASKS` sets another number.
const OLD_TASKS: u128 = 2_000;
/// Journals that a start may open: the last 64 for their memories, and as many for the sessions.
const MOST_OPENED: usize = 128;

/// The envelope of the first task's end.
fn an_end(tasks: &Path) -> Envelope {
    let id = task_ids(tasks).expect("a folder")[0];
    let records = read(&task_path(tasks, id), 0).expect("it is there");
    let envelopes = records.flat_map(|record| record.expect("a whole line").0.envelopes);
    envelopes.last().expect("it has an end")
}

/// Puts ended tasks into the data folder that are older than everything in it.
fn put(home: &Home, count: u128) {
    let tasks = home.data().join("tasks");
    let end = an_end(&tasks);
    let Message::FinalResult(result) = end.payload.clone() else { panic!("it ends with {end:?}") };
    let index = AcceptIndex::open(&home.data().join("journal/accept.jsonl"), CrashPoint::never());
    let (index, _) = index.expect("nobody else has it");
    let start = Uuid::parse_str("01800000-0000-7000-8000-000000000000").expect("it is one").as_u128();
    for number in 0..count {
        let (task_id, at) = (TaskId(Uuid::from_u128(start + number)), Timestamp(end.time.0 - 86_400_000));
        let entry = AcceptRecord {
            task_id,
            request_id: String::new(),
            request_hash: String::new(),
            session_id: "s".to_owned(),
            accepted_at: at,
            title: format!("old task {number}"),
        };
        index.accept(vec![entry], false).expect("there is room");
        let (directive, reason) = (result.directive, result.reason);
        index.ended(EndRecord { task_id, at, directive, reason, head: None }).expect("it is known");
        let envelope = Envelope { task_id: Some(task_id), sequence: 1, time: at, ..end.clone() };
        let (input, envelopes, effects) = (TaskInput::Wake, vec![envelope], Vec::new());
        let mut journal =
            TaskJournal::create_unsynced(&tasks, task_id, CrashPoint::never()).expect("it is new");
        journal.append(&StepRecord { seq: 1, at, input, envelopes, effects }).expect("there is room");
    }
}

/// The names in the folder that are opened while `work` goes on.
fn opened_during(folder: &Path, work: impl FnOnce()) -> BTreeSet<String> {
    let watch = inotify::init(inotify::CreateFlags::NONBLOCK).expect("folders can be watched");
    inotify::add_watch(&watch, folder, inotify::WatchFlags::OPEN).expect("this one, too");
    work();
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = inotify::Reader::new(&watch, &mut buffer);
    let mut names = BTreeSet::new();
    while let Ok(event) = reader.next() {
        assert!(!event.events().contains(inotify::ReadFlags::QUEUE_OVERFLOW), "far too many were opened");
        names.extend(event.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    names
}

#[test]
fn a_start_opens_the_last_journals_and_no_more() {
    let count = std::env::var("ARTOO_OLD_TASKS").map_or(OLD_TASKS, |n| n.parse().expect("a number"));
    let mut home = Home::new();
    home.journals_are_damaged();
    home.start();
    let run = home.run("how many files are there here", &[]);
    assert_eq!(run.code, Some(0), "{}", run.outline());
    home.terminate();
    put(&home, count);
    home.start();
    // The auditor reads what it has not seen, beside everything else, and remembers.
    wait_until("the auditor has read the old tasks", || {
        home.json(&["audit"])["totals"]["tasks_observed"].as_u64() == Some(count as u64 + 1)
    });
    home.terminate();
    let opened = opened_during(&home.data().join("tasks"), || {
        home.start();
        let listed = home.json(&["tasks", "--limit", "1"]);
        assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(1), "{listed:#}");
    });
    assert!(!opened.is_empty() && opened.len() <= MOST_OPENED, "{} journals were opened", opened.len());
    assert_eq!(home.json(&["status"])["warnings"], json!([]));
}
