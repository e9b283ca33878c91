use artoo_journal::task_path;
use artoo_journal::{CrashPoint, TaskJournal};
use artoo_task::TaskMachine;
use artoo_types::Timestamp;
use artoo_types::setting::{PersonClock, TaskSetting};
use artoo_types::task::{TaskOptions, TaskSubmitted};
use uuid::Uuid;

use super::*;

fn task() -> TaskId {
    TaskId(Uuid::from_u128(1))
}

/// A journal of this many steps in `folder`: a submission, and wake-ups for which it is too early.
fn written(folder: &Path, steps: u64) {
    let submitted = TaskSubmitted {
        input: "count".to_owned(),
        session_id: String::new(),
        request_id: String::new(),
        working_directory: "/w".to_owned(),
        options: TaskOptions::default(),
    };
    let setting = TaskSetting {
        control: ControlParams::default(),
        deadline_ms: 600_000,
        max_tokens: None,
        interactive: false,
        tools: Vec::new(),
        native_tool_calls: false,
        models: Default::default(),
        home: "/h".to_owned(),
        workspace: "/h/w".to_owned(),
        os: "linux".to_owned(),
        clock: PersonClock { date: "2026-11-21".to_owned(), utc_offset_minutes: 0 },
        provider: "test".to_owned(),
        workspace_files: Vec::new(),
        session: Vec::new(),
        build: BUILD.to_owned(),
    };
    let mut journal =
        TaskJournal::create_unsynced(folder, task(), CrashPoint::never()).expect("a new journal");
    let mut machine = TaskMachine::new(task());
    let mut input = TaskInput::Submitted { submitted, setting: Box::new(setting) };
    for seq in 1..=steps {
        let at = Timestamp(1_000);
        let output = machine.step(at, input.clone());
        let record = StepRecord { seq, at, input, envelopes: output.envelopes, effects: output.effects };
        journal.append(&record).expect("room");
        input = TaskInput::Wake;
    }
}

fn replay(folder: &Path, stop: impl Fn() -> bool) -> Result<Replayed, ReplayError> {
    of_journal(&task_path(folder, task()), task(), TaskStage::Open, &BTreeMap::new(), stop)
}

#[test]
fn a_long_journal_is_read_line_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 20_000);
    let replayed = replay(folder.path(), || false).expect("it is whole");
    assert_eq!((replayed.seen.steps, replayed.seen.difference), (20_000, None));
    assert_eq!(replayed.remarks, ["The task has no end; what it has done so far was compared."]);
}

#[test]
fn a_replay_stops_when_it_is_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), 100);
    let asked = std::cell::Cell::new(0);
    let stopped = replay(folder.path(), || {
        asked.set(asked.get() + 1);
        asked.get() == 7
    });
    assert!(matches!(stopped, Err(ReplayError::Stopped(7))), "{stopped:?}");
}

#[test]
fn an_empty_journal_has_nothing_to_compare() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(task_path(folder.path(), task()), "").expect("room");
    let replayed = replay(folder.path(), || false).expect("nothing is damaged");
    assert_eq!((replayed.seen.steps, replayed.seen.is_finished), (0, false));
}
