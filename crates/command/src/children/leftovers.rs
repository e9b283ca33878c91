//! What calls of an earlier run left behind: processes that still run, and private folders.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

use super::keeper::WORD;
use super::{KILL_GRACE, TERM_GRACE};

/// Pause between two looks.
const POLL: Duration = Duration::from_millis(10);

/// What the names of all private folders begin with; behind it stand a digest of the data folder, the number of the process
/// that made it, and a count.
pub(super) const FRONT: &str = "artoo-call-";
/// How long a private folder is left alone that no daemon of its data folder takes away: longer than any call may run.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// A process of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LeftoverProcess {
    pid: i32,
    is_keeper: bool,
}

/// Ends every process whose command line or environment has this mark. With the mark of a data folder, only a daemon that
/// holds the lock of it may do this. Returns how many processes were found at first.
///
/// A keeper of the earlier run is ending its command already, because its daemon is gone. It is left to do so, since it
/// knows what belongs to it; what it waits for is killed at once, so this is a matter of milliseconds.
///
/// `kill_at_once` is called when something was found, for whatever can end all of it.
pub(super) fn end(mark: &str, kill_at_once: impl FnOnce()) -> usize {
    let lenient = Instant::now() + TERM_GRACE + KILL_GRACE;
    let until = lenient + KILL_GRACE;
    let first = found(mark);
    if !first.is_empty() {
        kill_at_once();
    }
    let mut left = first.clone();
    while !left.is_empty() && Instant::now() < until {
        let is_late = Instant::now() >= lenient;
        for process in left.iter().filter(|process| is_late || !process.is_keeper) {
            if let Some(pid) = Pid::from_raw(process.pid) {
                // It fails only when the process is gone.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        std::thread::sleep(POLL);
        left = found(mark);
    }
    if !left.is_empty() {
        tracing::warn!(?left, "processes of an earlier run cannot be ended");
    }
    first.len()
}

/// Removes the private folders whose names begin with this mark.
pub(super) fn remove_folders(mark: &str) {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(mark))
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::warn!(path = %entry.path().display(), %error, "a temporary folder of an earlier run stays");
        }
    }
}

/// Removes this user's private folders of daemons with whatever data folder, where they are old and the process that made them
/// is gone: a daemon whose data folder is gone too never starts again to do it.
pub(super) fn remove_abandoned(folder: &Path, now: SystemTime) {
    let own = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(maker);
        let Ok(meta) = entry.path().symlink_metadata() else { continue };
        let is_old =
            meta.modified().is_ok_and(|time| now.duration_since(time).is_ok_and(|age| age > ABANDONED_AFTER));
        if meta.is_dir() && meta.uid() == own && is_old && maker.is_some_and(is_gone) {
            // It fails where another daemon was faster.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The process that made the private folder with this name; None for any other name.
fn maker(name: &str) -> Option<Pid> {
    let parts: Vec<&str> = name.strip_prefix(FRONT)?.split('-').collect();
    match parts.as_slice() {
        [digest, process, count, ""] if digest.len() == 12 && count.parse::<u64>().is_ok() => {
            Pid::from_raw(process.parse().ok()?)
        }
        _ => None,
    }
}

fn is_gone(process: Pid) -> bool {
    rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
}

/// Processes with the mark, except for this one and those that it comes from: the daemon may have been started by a
/// client that a command runs.
fn found(mark: &str) -> Vec<LeftoverProcess> {
    let listed = listed();
    let mut own = BTreeSet::new();
    let mut next = Some(rustix::process::getpid().as_raw_pid());
    while let Some(pid) = next.filter(|pid| own.insert(*pid)) {
        next = listed.iter().find(|process| process.pid == pid).map(|process| process.parent);
    }
    let marked = listed.iter().filter(|process| !own.contains(&process.pid) && process.text.contains(mark));
    marked
        .map(|process| LeftoverProcess {
            pid: process.pid,
            is_keeper: process.text.contains(&format!("{WORD} {mark}")),
        })
        .collect()
}

/// A process with its command line and, as far as the system lets us see it, its environment. Words are separated by
/// spaces.
struct ListedProcess {
    pid: i32,
    parent: i32,
    text: String,
}

#[cfg(target_os = "linux")]
fn listed() -> Vec<ListedProcess> {
    super::tree::all()
        .into_iter()
        .filter(|process| !process.is_dead)
        .map(|process| {
            let read =
                |name: &str| std::fs::read(format!("/proc/{}/{name}", process.pid)).unwrap_or_default();
            let words = [read("cmdline"), read("environ")].concat();
            let text = String::from_utf8_lossy(&words).replace('\0', " ");
            ListedProcess { pid: process.pid, parent: process.parent, text }
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn listed() -> Vec<ListedProcess> {
    let printed = std::process::Command::new("/bin/ps").args(["-axEwwo", "pid=,ppid=,command="]).output();
    let printed = printed.map(|output| output.stdout).unwrap_or_default();
    let parse = |line: &str| {
        let mut words = line.split_whitespace();
        let pid = words.next()?.parse().ok()?;
        let parent = words.next()?.parse().ok()?;
        Some(ListedProcess { pid, parent, text: words.collect::<Vec<_>>().join(" ") })
    };
    String::from_utf8_lossy(&printed).lines().filter_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::{ABANDONED_AFTER, remove_abandoned};

    // Fails when a folder goes that somebody may still use, or that is none of ours.
    #[test]
    fn private_folders_of_daemons_that_are_gone_are_swept_when_they_are_old() {
        let dir = tempfile::tempdir().unwrap();
        let gone = std::process::Command::new("true").spawn().unwrap();
        let gone_id = gone.id();
        gone.wait_with_output().unwrap();
        let own = std::process::id();
        let abandoned = format!("artoo-call-0123456789ab-{gone_id}-7-");
        let kept = [
            format!("artoo-call-0123456789ab-{own}-7-"),
            format!("artoo-call-short-{gone_id}-7-"),
            format!("artoo-call-0123456789ab-{gone_id}-7"),
            "something-else".to_owned(),
        ];
        for name in kept.iter().chain([&abandoned]) {
            std::fs::create_dir_all(dir.path().join(name).join("inside")).unwrap();
        }
        let is_there = |name: &String| dir.path().join(name).exists();
        remove_abandoned(dir.path(), SystemTime::now());
        assert!(is_there(&abandoned), "it is not old");
        remove_abandoned(dir.path(), SystemTime::now() + ABANDONED_AFTER + Duration::from_secs(60));
        assert!(!is_there(&abandoned));
        assert!(kept.iter().all(is_there));
    }
}
