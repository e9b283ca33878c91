//! Places at which a test makes the daemon die.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The variable that [`CrashPoint::from_env`] reads.
const VARIABLE: &str = "ARTOO_CRASH_AT";

/// Where the process dies, counted over all journals that share this value. Clones share the counts.
///
/// `append:N` dies in the middle of the N-th append: half of the line is in the file, everything that the step before
/// it wanted may have happened. `sync:N` dies just before the N-th sync: the line is in the file, nothing that it wants
/// has happened. `break:N` lets the first task whose step number N is to be appended panic, as a bug of ours would, and the
/// process goes on.
#[derive(Debug, Clone, Default)]
pub struct CrashPoint {
    at: Option<(Boundary, u64)>,
    appends: Arc<AtomicU64>,
    syncs: Arc<AtomicU64>,
    broke: Arc<AtomicBool>,
}

/// `ARTOO_CRASH_AT` holds something else than a crash point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{VARIABLE}={0} is not a crash point: write append:N, sync:N or break:N with N from 1, or unset it")]
pub struct CrashPointError(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Append,
    Sync,
    Break,
}

impl CrashPoint {
    /// The process never dies here.
    pub fn never() -> Self {
        Self::default()
    }

    /// The crash point that the environment names; none when the variable is absent or empty.
    pub fn from_env() -> Result<Self, CrashPointError> {
        match std::env::var_os(VARIABLE) {
            None => Ok(Self::never()),
            Some(value) => Self::parse(&value.to_string_lossy()),
        }
    }

    /// Reads `append:N`, `sync:N` or `break:N`; empty text is no crash point.
    pub fn parse(text: &str) -> Result<Self, CrashPointError> {
        if text.is_empty() {
            return Ok(Self::never());
        }
        let wrong = || CrashPointError(text.to_owned());
        let (word, number) = text.split_once(':').ok_or_else(wrong)?;
        let boundary = match word {
            "append" => Boundary::Append,
            "sync" => Boundary::Sync,
            "break" => Boundary::Break,
            _ => return Err(wrong()),
        };
        let number = number.parse::<u64>().ok().filter(|n| *n > 0).ok_or_else(wrong)?;
        Ok(Self { at: Some((boundary, number)), ..Self::default() })
    }

    /// Syncs so far.
    #[cfg(test)]
    pub(crate) fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// Counts one append; true when the process has to die in it.
    pub(crate) fn at_append(&self) -> bool {
        self.hit(Boundary::Append, &self.appends)
    }

    /// Counts one sync; true when the process has to die before it.
    pub(crate) fn at_sync(&self) -> bool {
        self.hit(Boundary::Sync, &self.syncs)
    }

    /// Whether the task that appends its step with this number has to panic; true once.
    pub(crate) fn breaks_at(&self, step: u64) -> bool {
        self.at == Some((Boundary::Break, step)) && !self.broke.swap(true, Ordering::Relaxed)
    }

    fn hit(&self, boundary: Boundary, count: &AtomicU64) -> bool {
        let now = count.fetch_add(1, Ordering::Relaxed) + 1;
        self.at == Some((boundary, now))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::Command;

    use super::{CrashPoint, VARIABLE};
    use crate::testing::{step, task};
    use crate::{JournalError, TaskJournal};

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
            assert!(error.to_string().contains("append:N, sync:N or break:N"), "{error}");
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
            let opened = TaskJournal::open(folder.path(), task(), CrashPoint::never());
            if whole == 0 {
                // The task was never accepted, and nothing of it is gone on with.
                assert!(matches!(opened.map(drop), Err(JournalError::BadLine(_))), "{at}");
                continue;
            }
            let (journal, recovered) = opened.expect("the journal");
            assert_eq!((recovered.lines, recovered.cut_bytes > 0), (whole, torn), "{at}");
            assert_eq!(journal.next_seq(), whole + 1, "{at}");
        }
    }
}
