//! The table of processes where there is no `/proc`: what `ps` prints. Orphans cannot be adopted there, so that only what
//! stays in a process group or below its parent is found.

use std::collections::BTreeSet;
use std::process::Stdio;

use parking_lot::Mutex;

use rustix::process::{Pid, test_kill_process_group};

use super::Process;

/// Whether orphans can be adopted.
pub(in crate::children) const ADOPTION: bool = false;

/// Nothing: orphans go to the first process of the system.
pub(in crate::children) fn adopt_orphans() -> bool {
    false
}

/// Groups in which descendants of this process were seen: what is left of them is still ours when the parents are gone.
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Whether no group is left in which a descendant was seen.
pub(in crate::children) fn nothing_escaped() -> bool {
    let mut groups = GROUPS.lock();
    groups.retain(|group| Pid::from_raw(*group).is_some_and(|group| test_kill_process_group(group).is_ok()));
    groups.is_empty()
}

/// All processes, those with the highest number first. `seen` hears of each. What is left of a group that was seen below
/// this process counts as its child.
#[expect(clippy::disallowed_methods, reason = "there are no PID namespaces where this is compiled")]
pub(super) fn processes(mut seen: impl FnMut(&Process)) -> Vec<Process> {
    let mut all = listed().unwrap_or_default();
    all.sort_unstable_by_key(|process| std::cmp::Reverse(process.pid));
    let own = super::own_id();
    let own_group = rustix::process::getpgrp().as_raw_pid();
    let mut groups = GROUPS.lock();
    for process in &mut all {
        if process.pid != own && groups.contains(&process.group) && process.group != own_group {
            process.parent = own;
        }
    }
    let ours = super::below(all.clone(), |process| process.parent == own);
    groups.extend(ours.iter().map(|process| process.group).filter(|group| *group != own_group));
    drop(groups);
    all.iter().for_each(&mut seen);
    all
}

/// The session of this process. The table has none, so that whatever is below this process counts as another's.
#[expect(clippy::disallowed_methods, reason = "there are no PID namespaces where this is compiled")]
pub(in crate::children) fn own_session() -> Option<i32> {
    rustix::process::getsid(None).ok().map(Pid::as_raw_pid)
}

/// What `ps` prints, without itself.
fn listed() -> std::io::Result<Vec<Process>> {
    let mut ps = std::process::Command::new("/bin/ps");
    ps.args(["-axo", "pid=,ppid=,pgid=,stat=,ucomm="]);
    let ps = ps.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let own = i32::try_from(ps.id()).unwrap_or_default();
    let printed = ps.wait_with_output()?.stdout;
    let lines = String::from_utf8_lossy(&printed);
    Ok(lines.lines().filter_map(parse).filter(|process| process.pid != own).collect())
}

/// `ps` tells no start time in a form to compare; numbers are reused after tens of thousands of processes only.
pub(super) fn started(_pid: i32) -> Option<u64> {
    Some(0)
}

fn parse(line: &str) -> Option<Process> {
    let mut fields = line.split_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let state = fields.next()?;
    let name: Vec<&str> = fields.collect();
    Some(Process {
        pid,
        parent,
        group,
        session: 0,
        is_dead: state.starts_with('Z'),
        started: 0,
        name: name.join(" ").chars().map(|c| if c.is_control() { '?' } else { c }).collect(),
    })
}
