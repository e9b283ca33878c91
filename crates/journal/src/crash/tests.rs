use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use super::{CrashPoint, VARIABLE};
use crate::TaskJournal;
use crate::fixtures::{step, task};

/// Tells the test process below where to write, and that it is the one that has to die.
const FOLDER: &str = "ARTOO_JOURNAL_CRASH_TEST";
const SIGABRT: i32 = 6;

fn check(text: &str, appends: u64, syncs: u64) -> bool {
    let point = CrashPoint::parse(text).expect("a crash point");
    let other = point.clone();
    let mut hit = false;
    for _ in 0..appends {
        hit = other.at_append();
    }
    for _ in 0..syncs {
        hit = point.at_sync();
    }
    hit
}

#[test]
fn it_hits_at_exactly_the_number_over_all_clones() {
    assert!(check("append:3", 3, 0));
    assert!(!check("append:3", 2, 0));
    assert!(!check("append:3", 4, 0));
    assert!(check("sync:2", 7, 2));
    assert!(!check("sync:2", 2, 1));
    assert!(!check("", 1, 1));
}

#[test]
fn anything_else_is_refused() {
    for text in ["append", "append:0", "append:x", "sync:-1", "write:1", ":1"] {
        let error = CrashPoint::parse(text).expect_err(text);
        assert!(error.to_string().contains("append:N or sync:N"), "{error}");
    }
}

/// Appends and syncs three steps; run in a process of its own by the test below.
#[test]
fn a_process_that_has_to_die() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let crash = CrashPoint::from_env().expect("a crash point");
    let mut journal = TaskJournal::create(Path::new(&folder), task(), crash).expect("a new journal");
    for seq in 1..=3 {
        journal.append(&step(seq)).expect("room");
        journal.sync().expect("a disk");
    }
}

#[test]
fn the_process_dies_where_the_environment_says() {
    for (at, whole, torn) in [("append:2", 1, true), ("sync:2", 2, false), ("append:1", 0, true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let end = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "crash::tests::a_process_that_has_to_die"])
            .env(FOLDER, folder.path())
            .env(VARIABLE, at)
            .output()
            .expect("a process");
        assert_eq!(end.status.signal(), Some(SIGABRT), "{at}");
        let (journal, recovered) =
            TaskJournal::open(folder.path(), task(), CrashPoint::never()).expect("the journal");
        assert_eq!((recovered.lines, recovered.cut_bytes > 0), (whole, torn), "{at}");
        assert_eq!(journal.next_seq(), whole + 1, "{at}");
    }
}
