//! Journals that an earlier build wrote, in `journals/`: whatever the code is called now, each record is read as it was
//! written. A task folds to the same envelopes and effects, or, where artoo decides differently by now, the replay names
//! the first difference and the build that wrote the journal. What a restart makes of an unfinished one that folds
//! differently: `crates/runtime/src/task/restart/tests.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use artoo_journal::line::LineHash;
use artoo_journal::{AcceptIndex, CrashPoint, Follower};
use artoo_task::replay::Replay;
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::{Envelope, TaskId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const TASKS: [&str; 11] = [
    "cancelled",
    "chinese",
    "clarified",
    "confirmed",
    "declared",
    "declined",
    "greeting",
    "interrupted",
    "recalled",
    "replan",
    "unattended",
];

fn journal(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenario/journals").join(format!("{name}.jsonl"))
}

/// The records of a journal. Each has the JSON form of the line that it was read from, so that no field was lost,
/// renamed or added.
fn records<T: Serialize + DeserializeOwned>(name: &str) -> Vec<T> {
    let text = fs::read_to_string(journal(name)).expect("the journal is in the repository");
    let mut reader = Follower::<T>::open(&journal(name), 0).expect("it can be opened");
    let read = |line: &str| {
        let mut written: Value = serde_json::from_str(line).expect("a line is JSON");
        let fields = written.as_object_mut().expect("a line is an object");
        fields.retain(|name, _| name != "prev" && name != "crc");
        let record = reader.next_record().unwrap_or_else(|error| panic!("{error}")).expect("one a line");
        assert_eq!(serde_json::to_value(&record).expect("a record has a JSON form"), written, "in {name}");
        record
    };
    text.lines().map(read).collect()
}

#[test]
fn tasks_of_an_earlier_build_fold_the_same_or_say_where_they_part() {
    let mut same = Vec::new();
    for name in TASKS {
        let steps = records::<StepRecord>(name);
        let (task_id, count) = (steps[0].envelopes[0].task_id.expect("it belongs to a task"), steps.len());
        let TaskInput::Submitted { setting, .. } = &steps[0].input else {
            panic!("{name} has no submission")
        };
        let written_by = setting.build.clone();
        let mut replay = Replay::new(task_id);
        let folded = steps.into_iter().take_while(|step| replay.take(step.clone())).count();
        let seen = replay.seen();
        assert!(!written_by.is_empty() && seen.other_builds.contains(&written_by), "{name} {seen:?}");
        assert_eq!(seen.steps, folded as u64, "{name}: nothing after a difference counts");
        match &seen.difference {
            None => {
                assert!(folded == count && seen.is_finished, "{name} has no end");
                same.push(name);
            }
            Some(parted) => {
                assert_eq!(parted.seq, seen.steps + 1, "{name}: the first step that differs");
                assert!(!parted.path.is_empty() && !parted.about.is_empty(), "{name} {parted:?}");
                assert_ne!(parted.recorded, parted.folded, "{name}: what the difference is");
            }
        }
    }
    assert_ne!(same, [] as [&str; 0], "a change of the record's form would part them all");
}

#[test]
fn the_system_journal_of_an_earlier_build_is_read() {
    assert_eq!(records::<Envelope>("system").len(), 25);
}

#[test]
fn the_index_of_an_earlier_build_names_the_ends_of_its_tasks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = folder.path().join("accept.jsonl");
    fs::copy(journal("accept"), &copy).expect("it can be copied");
    let (index, recovered) = AcceptIndex::open(&copy, CrashPoint::never()).expect("it can be opened");
    assert_eq!((recovered.bad_lines.as_slice(), recovered.cut_bytes), (&[][..], 0));
    assert_eq!(index.unfinished(), [] as [TaskId; 0]);
    for name in TASKS {
        let text = fs::read_to_string(journal(name)).expect("the journal is in the repository");
        let first: StepRecord = serde_json::from_str(text.lines().next().expect("a step")).expect("a record");
        let task_id = first.envelopes[0].task_id.expect("it belongs to a task");
        let ended = index.get(task_id).and_then(|task| task.ended).expect("it has ended");
        let last = text.lines().last().map(LineHash::of);
        assert_eq!(ended.head, last, "the last line of {name}");
    }
}
