//! Descendants of this process: seeing them, asking them to end, killing them until none is left.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait, waitpid,
};

// With the feature, tests on Linux use the table of systems without `/proc` and without adoption.
#[cfg_attr(all(target_os = "linux", not(feature = "portable")), path = "tree/proc.rs")]
#[cfg_attr(not(all(target_os = "linux", not(feature = "portable"))), path = "tree/ps.rs")]
mod table;

pub(super) use table::{ADOPTION, adopt_orphans, note_group, note_groups, nothing_escaped, own_session};

/// Most different names that are told of processes that were left.
pub(super) const MAX_NAMES: usize = 8;
/// Pause between two looks at processes that were asked to end.
const POLL: Duration = Duration::from_millis(5);
/// Pause between two rounds of killing. A killed process takes about as long to be gone.
const ROUND: Duration = Duration::from_millis(1);

/// Longest pause between two rounds once a process has proved that it cannot go.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// One process as the system's table shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// 0 where the system does not tell.
    pub(super) session: i32,
    /// It has ended and waits for its parent to notice.
    pub(super) is_dead: bool,
    /// When it started, in the system's own unit: tells it from a later process of the same number.
    pub(super) started: u64,
    /// The program's short name, as printable text.
    pub(super) name: String,
}

/// What waiting for children saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaped {
    /// There is no child left, dead or alive.
    All,
    /// Some still run.
    Some,
}

/// Collects every child of this process that has ended, and tells `seen` of each.
pub(super) fn reap(mut seen: impl FnMut(Pid, WaitStatus)) -> Reaped {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => seen(pid, status),
            Ok(None) => return Reaped::Some,
            Err(Errno::INTR) => {}
            // ECHILD; the other error of this call is an option that does not exist.
            Err(_) => return Reaped::All,
        }
    }
}

/// Everything below this process, also what has ended and was not collected.
pub(super) fn descendants() -> Vec<Process> {
    let own = own_id();
    below(all(), |process| process.parent == own)
}

/// Every process of the system.
pub(super) fn all() -> Vec<Process> {
    table::processes(|_| {})
}

/// Asks every descendant to end; wakes those that were stopped, so that they can.
pub(super) fn ask() {
    for process in descendants() {
        signal(process.pid, Signal::TERM);
        signal(process.pid, Signal::CONT);
    }
}

/// Waits until the last descendant is gone, but not longer than `limit`; true when it is. `seen` hears of each child.
pub(super) fn gone_within(limit: Duration, mut seen: impl FnMut(Pid, WaitStatus)) -> bool {
    let until = Instant::now() + limit;
    loop {
        if reap(&mut seen) == Reaped::All && nothing_escaped() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(POLL);
    }
}

/// Kills every descendant, round after round, until none is left or `limit` is over; true when none is.
///
/// Killing a process hands its children to this one, so each round reaches those that the round before uncovered; and a
/// group that is killed at once cannot fork out of it, which ends a fork bomb.
pub(super) fn kill_within(limit: Duration, mut seen: impl FnMut(Pid, WaitStatus)) -> bool {
    let until = Instant::now() + limit;
    let own = own_id();
    loop {
        kill_round(|process| process.parent == own);
        if reap(&mut seen) == Reaped::All && nothing_escaped() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(ROUND);
    }
}

/// Kills every descendant until none is left, which the system may put off: a process that waits for a disk or a network
/// drive ends when the wait does. The pauses grow to a minute.
pub(super) fn kill_until_gone() {
    let own = own_id();
    let mut pause = POLL;
    while reap(|_, _| {}) != Reaped::All || !nothing_escaped() {
        kill_round(|process| process.parent == own);
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// As [`kill_within`] for those children alone that `is_root` picks, each with everything below it. It collects no other
/// child, because somebody waits for those.
pub(super) fn kill_those_within(limit: Duration, is_root: impl Fn(&Process) -> bool) -> bool {
    let until = Instant::now() + limit;
    // The table is not read at one instant: a process that forks and ends meanwhile can hide from one look.
    let mut empty_looks = 0;
    loop {
        let dead_or_alive = kill_round(&is_root);
        for process in dead_or_alive.iter().filter(|process| process.is_dead) {
            if let Some(pid) = Pid::from_raw(process.pid) {
                // Whether it is gone shows in the next round.
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
        empty_looks = if dead_or_alive.is_empty() { empty_looks + 1 } else { 0 };
        if empty_looks == 3 {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(ROUND);
    }
}

/// What those children are called that `is_root` picks, with everything below them.
pub(super) fn names_below(is_root: impl Fn(&Process) -> bool) -> Vec<String> {
    identities(&below(all(), is_root))
}

/// Names of programs that still run, each once with how many there are, bounded.
pub(super) fn names(processes: &[Process]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for process in processes.iter().filter(|process| !process.is_dead) {
        *counts.entry(&process.name).or_default() += 1;
    }
    let told = |(name, count): (&str, usize)| {
        if count == 1 { name.to_owned() } else { format!("{name} ({count})") }
    };
    bounded(counts.into_iter().map(told).collect())
}

/// Name and number of each process that still runs, bounded.
pub(super) fn identities(processes: &[Process]) -> Vec<String> {
    let alive = processes.iter().filter(|process| !process.is_dead);
    bounded(alive.map(|process| format!("{} (process {})", process.name, process.pid)).collect())
}

fn bounded(mut names: Vec<String>) -> Vec<String> {
    if names.len() > MAX_NAMES {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("and {more} more"));
    }
    names
}

/// Kills the roots and everything below them, and returns the roots, also those that have ended already.
fn kill_round(is_root: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut roots = Vec::new();
    // At once, while the table is being read: a process that lives for a moment is gone by the end of it.
    let all = table::processes(|process| {
        if is_root(process) {
            // Also when it looks dead: a process whose first thread has ended looks like that.
            signal(process.pid, Signal::KILL);
            roots.push(process.clone());
        }
    });
    // From the table, because `getpgrp` has no number to give when the leader is outside of this PID namespace.
    let own_group = all.iter().find(|process| process.pid == own_id()).map(|own| own.group);
    let below = below(all, &is_root);
    let groups: BTreeSet<i32> = below.iter().chain(&roots).map(|process| process.group).collect();
    for group in groups {
        if own_group.is_some_and(|own_group| own_group != group)
            && let Some(group) = Pid::from_raw(group)
        {
            // A group that is gone meanwhile cannot be signalled, and that is the goal.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    for process in below {
        // Its number may belong to another process by now, unless it is a child of this one.
        if roots.iter().all(|root| root.pid != process.pid)
            && table::started(process.pid) == Some(process.started)
        {
            signal(process.pid, Signal::KILL);
        }
    }
    roots
}

/// The roots and everything below them.
fn below(all: Vec<Process>, is_root: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut of_parent: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
    let mut open = Vec::new();
    for process in all {
        if is_root(&process) {
            open.push(process);
        } else {
            of_parent.entry(process.parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    // Each process is taken out of the map with its parent, so that this ends whatever the table says.
    while let Some(process) = open.pop() {
        open.extend(of_parent.remove(&process.pid).unwrap_or_default());
        found.push(process);
    }
    found
}

fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        // It fails only when the process is gone, or has become another user's.
        let _ = kill_process(pid, signal);
    }
}

fn own_id() -> i32 {
    rustix::process::getpid().as_raw_pid()
}

/// The other table, for its own tests.
#[cfg(all(test, target_os = "linux", not(feature = "portable")))]
#[allow(dead_code, reason = "its parts are tested and nothing else uses them here")]
mod ps;
#[cfg(all(test, target_os = "linux", not(feature = "portable")))]
mod tests;
