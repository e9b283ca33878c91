//! The table of processes on Linux: `/proc`.

use super::Process;

/// Whether orphans can be adopted.
pub(in crate::children) const ADOPTION: bool = true;

/// Makes this process the parent of every orphan below it. False when the system refuses.
pub(in crate::children) fn adopt_orphans() -> bool {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
}

/// Everything below this process is found by way of its parents, because orphans are adopted.
pub(in crate::children) fn nothing_escaped() -> bool {
    true
}

/// Nothing: what stays in the group of a command is found without it.
pub(in crate::children) fn note_group(_: i32) {}

/// Nothing, as above.
pub(in crate::children) fn note_groups() {}

/// All processes, those with the highest number first: it is mostly the youngest. `seen` hears of each as soon as it is
/// read.
pub(super) fn processes(mut seen: impl FnMut(&Process)) -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut numbers: Vec<i32> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    let mut all = Vec::with_capacity(numbers.len());
    for number in numbers {
        if let Some(process) = look(number) {
            seen(&process);
            all.push(process);
        }
    }
    all
}

/// The session of this process as the table shows it: 0 when whoever began it is outside of this PID namespace, where
/// `getsid` has no number to give. None when the table cannot be read.
pub(in crate::children) fn own_session() -> Option<i32> {
    look(super::own_id()).map(|process| process.session)
}

/// When the process of this number started; `None` if there is none.
pub(super) fn started(pid: i32) -> Option<u64> {
    look(pid).map(|process| process.started)
}

fn look(pid: i32) -> Option<Process> {
    // Not UTF-8 when the program's name is not.
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// `pid (name) state parent group session ...`, see proc_pid_stat(5). The name may hold spaces and brackets, and nothing
/// after it does.
pub(super) fn parse(pid: i32, stat: &str) -> Option<Process> {
    let (head, rest) = stat.rsplit_once(") ")?;
    let name = head.split_once(" (")?.1;
    let mut fields = rest.split(' ');
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    // Field 22 of the line; the session was field 6.
    let started = fields.nth(15)?.parse().ok()?;
    Some(Process {
        pid,
        parent,
        group,
        session,
        is_dead: matches!(state, "Z" | "X" | "x"),
        started,
        name: name.chars().map(|c| if c.is_control() { '?' } else { c }).collect(),
    })
}
