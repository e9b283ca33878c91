//! Journals that an earlier build wrote, in `journals/`: whatever the code is called now, each record is read as it was
//! written, and each task folds and replays to the same envelopes and effects.

use std::fs;
use std::path::{Path, PathBuf};

use artoo_journal::line::LineHash;
use artoo_journal::{AcceptIndex, CrashPoint, Follower};
use artoo_task::replay::Replay;
use artoo_types::machine::StepRecord;
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
fn tasks_of_an_earlier_build_replay() {
    for name in TASKS {
        let steps = records::<StepRecord>(name);
        let task_id = steps[0].envelopes[0].task_id.expect("it belongs to a task");
        let mut replay = Replay::new(task_id);
        for step in steps {
            assert!(replay.take(step), "{name} folds differently: {:#?}", replay.seen().difference);
        }
        assert!(replay.seen().is_finished && !replay.seen().other_builds.is_empty(), "{name}");
    }
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
