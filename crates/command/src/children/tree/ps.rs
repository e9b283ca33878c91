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

/// Groups of the commands that this process started, and those in which descendants of it were seen: what is left of them
/// is still ours when the parents are gone.
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Notes the group of a command that was started. Without that, what a command leaves in the background has another parent
/// by the time somebody looks.
pub(in crate::children) fn note_group(group: i32) {
    GROUPS.lock().insert(group);
}

/// Notes the groups that descendants of this process have begun since the last look.
pub(in crate::children) fn note_groups() {
    processes(|_| {});
}

/// Whether no group is left that was noted.
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
    let (own, printed) = ps(&["-axo", "pid=,ppid=,pgid=,stat=,lstart=,ucomm="])?;
    Ok(printed.lines().filter_map(parse).filter(|process| process.pid != own).collect())
}

/// Runs `ps`; returns its number and what it prints.
fn ps(arguments: &[&str]) -> std::io::Result<(i32, String)> {
    let mut ps = std::process::Command::new("/bin/ps");
    // The parts of a time are the same words at each look.
    ps.args(arguments).env("LC_ALL", "C");
    let ps = ps.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let own = i32::try_from(ps.id()).unwrap_or_default();
    let printed = ps.wait_with_output()?.stdout;
    Ok((own, String::from_utf8_lossy(&printed).into_owned()))
}

/// When the process of this number started, to a second; `None` if there is none.
pub(super) fn started(pid: i32) -> Option<u64> {
    let (_, printed) = ps(&["-o", "lstart=", "-p", &pid.to_string()]).ok()?;
    start_time(&mut printed.split_whitespace())
}

/// The start time that these fields begin with, `Tue Nov 24 18:20:12 2026`, as one number.
fn start_time<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let (_, month, day, time, year) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let clock = time.split(':').map(|part| part.parse::<u64>().ok());
    let seconds = clock.reduce(|all, part| Some(all? * 60 + part?)).flatten()?;
    let (month, day, year) =
        (MONTHS.find(month)? as u64, day.parse::<u64>().ok()?, year.parse::<u64>().ok()?);
    Some(((year * 36 + month) * 32 + day) * 86_400 + seconds)
}

fn parse(line: &str) -> Option<Process> {
    let mut fields = line.split_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let state = fields.next()?;
    let started = start_time(&mut fields)?;
    let name: Vec<&str> = fields.collect();
    Some(Process {
        pid,
        parent,
        group,
        session: 0,
        is_dead: state.starts_with('Z'),
        started,
        name: name.join(" ").chars().map(|c| if c.is_control() { '?' } else { c }).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Process, parse, started};

    #[test]
    fn a_line_of_ps_is_a_process_with_its_start() {
        let line = "  523     1   523 Ss   Tue Nov  3 08:01:09 2026     Google Chrome He\n";
        let process = parse(line).expect("it is a line of the table");
        let start = ((2026 * 36 + 30) * 32 + 3) * 86_400 + 8 * 3_600 + 69;
        let shown = Process {
            pid: 523,
            parent: 1,
            group: 523,
            session: 0,
            is_dead: false,
            started: start,
            name: "Google Chrome He".to_owned(),
        };
        assert_eq!(process, shown);
        let later = parse("523 1 523 Z Tue Nov 3 08:01:10 2026 x").expect("it is a line of the table");
        assert!(later.started != process.started && later.is_dead, "another process of the same number");
        for short in ["", "1 2 3", "1 2 3 S Tue Nov 3", "1 2 x S Tue Nov 3 08:01:10 2026 x"] {
            assert_eq!(parse(short), None, "{short:?}");
        }
    }

    #[test]
    fn this_process_is_in_the_table() {
        let own = crate::children::tree::own_id();
        let all = super::processes(|_| {});
        let seen = all.iter().find(|process| process.pid == own).expect("it runs");
        assert!(started(own).is_some_and(|start| start.abs_diff(seen.started) <= 1), "{seen:?}");
        assert_eq!(started(i32::MAX), None);
    }
}
