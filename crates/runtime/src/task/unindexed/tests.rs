use std::path::{Path, PathBuf};

use artoo_journal::{AcceptIndex, CrashPoint, OpenReport, TaskJournal, task_ids, task_path};
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::setting::{ControlParams, PersonClock, TaskSetting};
use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::{TaskId, Timestamp};
use uuid::Uuid;

use super::enter_unindexed;
use crate::auditor::AuditorBell;
use crate::health::Health;
use crate::task::admission::request_hash;

fn id(number: u128) -> TaskId {
    TaskId(Uuid::from_u128(number))
}

fn submitted(number: u128) -> TaskSubmitted {
    TaskSubmitted {
        input: format!("think of {number}"),
        session_id: "s".to_owned(),
        request_id: format!("key {number}"),
        working_directory: "/".to_owned(),
        options: TaskOptions::default(),
    }
}

fn setting() -> Box<TaskSetting> {
    Box::new(TaskSetting {
        control: ControlParams::default(),
        deadline_ms: 1_000,
        max_tokens: None,
        interactive: false,
        tools: Vec::new(),
        native_tool_calls: false,
        models: Default::default(),
        home: String::new(),
        workspace: String::new(),
        os: String::new(),
        clock: PersonClock { date: String::new(), utc_offset_minutes: 0 },
        workspace_files: Vec::new(),
        provider: String::new(),
        build: String::new(),
        session: Vec::new(),
    })
}

/// Writes a journal with so many steps.
fn write(journals: &Path, number: u128, steps: u64) {
    let mut journal = TaskJournal::create(journals, id(number), CrashPoint::never()).expect("it is new");
    for seq in 1..=steps {
        let input = match seq {
            1 => TaskInput::Submitted { submitted: submitted(number), setting: setting() },
            _ => TaskInput::Wake,
        };
        let at = Timestamp(7_000 + i64::try_from(seq).expect("small"));
        let step = StepRecord { seq, at, input, envelopes: Vec::new(), effects: Vec::new() };
        journal.append(&step).expect("there is room");
    }
}

struct Case {
    folder: tempfile::TempDir,
    health: Health,
}

impl Case {
    /// Task 1 is in the index; 2 has run, 3 has not; 4 is a file of other bytes.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let case = Self { health: Health::new(folder.path(), 0, AuditorBell::default()), folder };
        write(&case.journals(), 1, 2);
        assert_eq!(case.open().0, 1);
        write(&case.journals(), 2, 2);
        write(&case.journals(), 3, 1);
        std::fs::write(task_path(&case.journals(), id(4)), "{\"seq\":1,\"at\":7}\n").expect("there is room");
        case
    }

    fn journals(&self) -> PathBuf {
        self.folder.path().join("tasks")
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("accept.jsonl")
    }

    /// As at a start: how many tasks were entered, and the index.
    fn open(&self) -> (usize, AcceptIndex, OpenReport) {
        let (index, recovered) =
            AcceptIndex::open(&self.index(), CrashPoint::never()).expect("it can be opened");
        let entered = enter_unindexed(&index, &recovered, &self.journals(), &self.health);
        (entered.expect("it can be written"), index, recovered)
    }

    fn warnings(&self) -> String {
        self.health.warnings().join("\n")
    }

    fn left(&self) -> Vec<u128> {
        task_ids(&self.journals()).expect("a folder").into_iter().map(|id| id.0.as_u128()).collect()
    }
}

fn known(index: &AcceptIndex) -> Vec<u128> {
    index.read(|tasks| tasks.iter().map(|t| t.accepted.task_id.0.as_u128()).collect())
}

#[test]
fn a_whole_index_gets_back_what_ran_and_loses_what_was_never_acknowledged() {
    let case = Case::new();
    let (entered, index, _) = case.open();
    assert_eq!((entered, known(&index), case.left()), (1, vec![1, 2], vec![1, 2]));
    let entry = index.get(id(2)).expect("it was entered").accepted;
    assert_eq!((entry.request_hash, entry.accepted_at), (request_hash(&submitted(2)), Timestamp(7_001)));
    assert_eq!((entry.session_id.as_str(), entry.title.as_str()), ("s", "think of 2"));
    assert!(index.find("key 2").is_some(), "its request is known");
    assert!(case.warnings().contains("had lost 1 tasks"), "{}", case.warnings());
    let (entered, index, _) = case.open();
    assert_eq!((entered, known(&index)), (0, vec![1, 2]), "it stays entered");
}

#[test]
fn an_index_that_is_gone_is_made_again_from_the_journals() {
    let case = Case::new();
    std::fs::remove_file(case.index()).expect("it is there");
    let (entered, index, _) = case.open();
    assert_eq!((entered, known(&index)), (3, vec![1, 2, 3]));
    assert_eq!(case.left(), [1, 2, 3, 4], "what nobody can read stays");
    assert!(case.warnings().contains("cannot be read: it has no whole first line"), "{}", case.warnings());
}

#[test]
fn a_damaged_index_is_completed_and_kept() {
    let case = Case::new();
    drop(case.open());
    let mut bytes = std::fs::read(case.index()).expect("it is there");
    bytes[40] ^= 1;
    std::fs::write(case.index(), &bytes).expect("it is ours");
    let (entered, index, recovered) = case.open();
    assert_eq!((entered, known(&index)), (1, vec![2, 1]));
    assert_eq!(recovered.bad_lines.len(), 1);
    assert!(case.warnings().contains("line 1 of"), "{}", case.warnings());
    assert!(
        std::fs::read(case.index()).expect("it is there").starts_with(&bytes),
        "the damage stays to be seen"
    );
}
