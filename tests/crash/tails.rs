//! Journals of real tasks that end too early, at each of their last bytes, or in which one byte is another: they open
//! with a beginning of what was written, or they are refused with the line that is bad. Nothing is ever invented.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use artoo_journal::{
    AcceptIndex, CrashPoint, JournalError, SystemJournal, TaskJournal, read, task_ids, task_path,
};
use artoo_task::fold::fold;
use artoo_types::TaskId;
use tempfile::TempDir;

use crate::story::{Kind, Story, play};
use artoo_testing::Home;
use artoo_testing::dice::{Dice, setting};
use artoo_testing::model_server::ModelServer;

/// Bytes from the end at which each journal is cut.
const TAIL: usize = 4 * 1024;
/// Bytes that are changed in each journal, one at a time.
const FLIPS: u64 = 500;

/// The journals of some tasks, and a folder in which copies are opened: in memory where that can be had, because opening
/// a journal syncs it.
struct Journals {
    _home: Home,
    scratch: TempDir,
    task: (TaskId, Vec<u8>),
    index: Vec<u8>,
    system: Vec<u8>,
}

fn journals() -> Journals {
    let server = ModelServer::start(play);
    let home = Home::started(&server.base_url());
    for (number, kind) in [Kind::Read, Kind::Write, Kind::Replan].into_iter().enumerate() {
        let story = Story { kind, number };
        let run = home.run(&story.request(), &["--request-id", &story.key()]);
        assert_eq!(run.result()["directive"], story.end().0, "{}", run.outline());
        assert_eq!(home.artoo(&["audit"]).code, Some(0));
    }
    let tasks = home.data().join("tasks");
    let longest = |id: &TaskId| std::fs::metadata(task_path(&tasks, *id)).map_or(0, |found| found.len());
    let id = task_ids(&tasks).expect("a folder").into_iter().max_by_key(longest).expect("there are some");
    let bytes = |path: PathBuf| std::fs::read(path).expect("it is there");
    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    Journals {
        scratch: scratch.expect("a folder can be made"),
        task: (id, bytes(task_path(&tasks, id))),
        index: bytes(home.data().join("journal/accept.jsonl")),
        system: bytes(home.data().join("journal/system.jsonl")),
        _home: home,
    }
}

/// How many whole lines are in the first bytes.
fn whole_lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// The last bytes at which to cut.
fn ends(bytes: &[u8]) -> std::ops::Range<usize> {
    bytes.len().saturating_sub(TAIL)..bytes.len()
}

impl Journals {
    /// Puts the bytes into a file of their own.
    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.scratch.path().join(name);
        std::fs::write(&path, bytes).expect("there is room");
        path
    }

    /// Opens the task's journal with these bytes; returns the lines that are left of it.
    fn open_task(&self, bytes: &[u8]) -> Result<u64, JournalError> {
        let path = self.put(&format!("{}.jsonl", self.task.0), bytes);
        let opened = TaskJournal::open(self.scratch.path(), self.task.0, CrashPoint::never());
        let left = std::fs::read(path).expect("it is there");
        match opened {
            Ok((_, recovered)) => {
                assert!(self.task.1.starts_with(&left), "something was invented");
                assert_eq!(recovered.lines, whole_lines(&left));
                Ok(recovered.lines)
            }
            Err(error) => {
                assert_eq!(left, bytes, "a refused journal is left as it is");
                Err(error)
            }
        }
    }

    /// The beginning of the task with so many steps leads to the same decisions.
    fn check_fold(&self, bytes: &[u8]) {
        let path = self.put("fold.jsonl", bytes);
        let records = read(&path, 0).expect("it is there").map(|record| record.expect("a whole line").0);
        let (_, difference) = fold(self.task.0, records);
        assert!(difference.is_none(), "{difference:?}");
    }
}

#[test]
fn a_journal_that_ends_at_any_of_its_last_bytes_is_a_beginning() {
    let journals = journals();
    let bytes = &journals.task.1;
    assert!(bytes.len() > TAIL && whole_lines(bytes) > 10);
    let mut folded = BTreeSet::new();
    for end in ends(bytes) {
        let lines = journals.open_task(&bytes[..end]).unwrap_or_else(|error| panic!("cut at {end}: {error}"));
        assert_eq!(lines, whole_lines(&bytes[..end]), "cut at {end}");
        if folded.insert(lines) {
            journals.check_fold(&bytes[..end]);
        }
    }

    let index = &journals.index;
    for end in ends(index) {
        let path = journals.put("accept.jsonl", &index[..end]);
        let (opened, recovered) = AcceptIndex::open(&path, CrashPoint::never()).expect("it opens");
        assert_eq!(
            (recovered.lines, recovered.bad_lines.len()),
            (whole_lines(&index[..end]), 0),
            "cut at {end}"
        );
        let accepted = String::from_utf8_lossy(&index[..end]).matches("{\"mark\":\"accepted\"").count();
        let known = opened.read(|tasks| tasks.len());
        assert!(known == accepted || known + 1 == accepted, "cut at {end}: {known} of {accepted}");
        assert!(index.starts_with(&std::fs::read(&path).expect("it is there")), "cut at {end}");
    }

    let system = &journals.system;
    for end in ends(system) {
        let path = journals.put("system.jsonl", &system[..end]);
        let (opened, recovered) = SystemJournal::open(&path, CrashPoint::never()).expect("it opens");
        let lines = whole_lines(&system[..end]);
        assert_eq!((recovered.lines, recovered.bad_lines.len()), (lines, 0), "cut at {end}");
        assert_eq!(opened.next_sequence(), lines + 1, "cut at {end}");
        assert!(system.starts_with(&std::fs::read(&path).expect("it is there")), "cut at {end}");
    }
}

/// The journal with another byte at a random place, and the number of the line in which it lies.
fn flipped(bytes: &[u8], dice: &mut Dice) -> (Vec<u8>, u64) {
    let at = usize::try_from(dice.below(bytes.len() as u64)).expect("it is in the file");
    let mut flipped = bytes.to_vec();
    flipped[at] ^= u8::try_from(1 + dice.below(255)).expect("it is a byte");
    (flipped, whole_lines(&bytes[..at]) + 1)
}

#[test]
fn a_changed_byte_is_named_by_its_line_or_lies_in_a_tail_that_is_cut() {
    let journals = journals();
    let seed = setting("ARTOO_CRASH_SEED", 1);
    let mut dice = Dice::new(seed);
    for _ in 0..FLIPS {
        let (bytes, line) = flipped(&journals.task.1, &mut dice);
        match journals.open_task(&bytes) {
            Err(JournalError::BadLine(bad)) => assert_eq!(bad.line, line, "seed {seed}: {bad}"),
            Err(error) => panic!("seed {seed}, line {line}: {error}"),
            Ok(lines) => assert_eq!((lines, line), (line - 1, whole_lines(&journals.task.1)), "seed {seed}"),
        }
    }
    // Each line of these stands for itself: the bad one is named, and the others hold.
    for _ in 0..FLIPS {
        let (bytes, line) = flipped(&journals.index, &mut dice);
        let path = journals.put("accept.jsonl", &bytes);
        let (_, recovered) = AcceptIndex::open(&path, CrashPoint::never()).expect("it opens");
        let is_last = line == whole_lines(&journals.index);
        assert_eq!(
            recovered.bad_lines.first().map(|bad| bad.line),
            (!is_last).then_some(line),
            "seed {seed}"
        );
        assert!(recovered.lines + 2 >= whole_lines(&journals.index), "seed {seed}");

        let (bytes, line) = flipped(&journals.system, &mut dice);
        let path = journals.put("system.jsonl", &bytes);
        let (_, recovered) = SystemJournal::open(&path, CrashPoint::never()).expect("it opens");
        let is_last = line == whole_lines(&journals.system);
        assert_eq!(
            recovered.bad_lines.first().map(|bad| bad.line),
            (!is_last).then_some(line),
            "seed {seed}"
        );
    }
}
