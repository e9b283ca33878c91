//! Who is at the other end of a connection, and what they may do.

use rustix::process::geteuid;
use sha2::{Digest, Sha256};
use tokio::net::UnixStream;

/// Longest chain of parents that is followed. Real ones have some tens; beyond this the table is being changed while
/// it is read.
const MAX_ANCESTORS: usize = 1_024;

/// The process that connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Peer {
    /// Its process id, where the system tells it and it is in our view of the machine.
    pub(super) pid: Option<u32>,
    /// It was started by this daemon, directly or not: a tool, or something that a tool started.
    pub(super) is_own_child: bool,
}

impl Peer {
    /// The peer of a connection; none when it is not of our own account or the system does not say.
    pub(super) fn of(stream: &UnixStream) -> Option<Self> {
        let credentials = stream.peer_cred().ok()?;
        if credentials.uid() != geteuid().as_raw() {
            return None;
        }
        let pid = credentials.pid().and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid != 0);
        Some(Self { pid, is_own_child: pid.is_some_and(descends_from_us) })
    }

    /// Whether a person can be at the other end. What artoo itself started cannot answer artoo's questions. This looks
    /// again, because a process that was not ours when it connected stays what it is, and one that was remains ours
    /// even if it has cut itself loose since.
    pub(super) fn may_answer(&self) -> bool {
        !self.is_own_child && !self.pid.is_some_and(descends_from_us)
    }
}

/// Whether the caller knows the token. Digests are compared, all of them, so that the time taken says nothing about
/// how much of it was right.
pub(super) fn knows(token: &str, given: &str) -> bool {
    let (own, given) = (Sha256::digest(token.trim()), Sha256::digest(given.trim()));
    let difference = own.iter().zip(given.iter()).fold(0, |all, (a, b)| std::hint::black_box(all | (a ^ b)));
    difference == 0 && !token.trim().is_empty()
}

/// Whether this process, or one that it was started by, was started by us. Where the system does not tell, it counts as
/// ours: then nobody can answer, which harms nobody.
fn descends_from_us(pid: u32) -> bool {
    match table::parents() {
        Some(parent) => descends(pid, std::process::id(), parent),
        None => true,
    }
}

/// Who started whom, from `/proc`.
#[cfg(target_os = "linux")]
mod table {
    /// The parent of a process, asked one by one.
    pub(super) fn parents() -> Option<impl Fn(u32) -> Option<u32>> {
        Some(|pid| super::parent_of(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?))
    }
}

/// Who started whom, as `ps` prints it.
#[cfg(not(target_os = "linux"))]
mod table {
    use std::process::{Command, Stdio};

    /// The parent of a process, out of one table of all.
    pub(super) fn parents() -> Option<impl Fn(u32) -> Option<u32>> {
        let mut ps = Command::new("/bin/ps");
        ps.args(["-axo", "pid=,ppid="]).stdin(Stdio::null()).stderr(Stdio::null());
        let parents = super::parents_in(&String::from_utf8_lossy(&ps.output().ok()?.stdout));
        (!parents.is_empty()).then_some(move |pid| parents.get(&pid).copied())
    }
}

/// Whether `pid` is a strict descendant of `ancestor`. A process of which nothing is known counts as one: it has ended
/// after connecting, so nobody can tell any more who it was.
fn descends(pid: u32, ancestor: u32, parent_of: impl Fn(u32) -> Option<u32>) -> bool {
    if pid == ancestor {
        return false;
    }
    let Some(mut parent) = parent_of(pid) else { return true };
    for _ in 0..MAX_ANCESTORS {
        if parent == ancestor {
            return true;
        }
        if parent <= 1 {
            return false;
        }
        match parent_of(parent) {
            Some(next) => parent = next,
            // An ancestor that hides is not ours: we can see what we started.
            None => return false,
        }
    }
    true
}

/// The parent in a line of `/proc/<pid>/stat`. The name in it, in brackets, may hold anything, brackets too (proc(5)).
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has it"))]
fn parent_of(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// Processes and their parents, one pair a line: what `ps -axo pid=,ppid=` prints.
#[cfg_attr(target_os = "linux", allow(dead_code, reason = "Linux has /proc"))]
fn parents_in(listed: &str) -> std::collections::BTreeMap<u32, u32> {
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    listed.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests;
