//! What a command may take of the machine at most, set on its keeper, from which it inherits it and cannot take it back.
//!
//! No process of it gets more than half of the memory, and when memory runs out it is ended before others.

use rustix::process::{Resource, Rlimit, setrlimit};

/// The same on every machine: no core files; one file of at most 16 GiB, which more than fills the disk reserve of a usual
/// machine before it fills the disk; descriptors as on a usual server. Time is bounded by the deadline, which the keeper
/// keeps.
const FIXED: &[(Resource, u64)] =
    &[(Resource::Core, 0), (Resource::Fsize, 16 << 30), (Resource::Nofile, 4_096)];
/// The share of the machine's memory that one process may have for itself: half. What it only reserves does not count, as
/// programs with a garbage collector do by the terabyte, nor what it maps from files or shares.
const SHARE_OF_MEMORY: u64 = 2;
/// Least memory of a process, on small machines.
const LEAST_MEMORY: u64 = 1 << 30;
/// Processes and threads that the user may have beyond all that there are when the command begins, where its number is not
/// bounded by a control group. This system's limit counts all that the user runs, so it is far above what a command needs,
/// and below what a machine cannot bear. It does not bind root.
const MORE_PROCESSES: u64 = 4_096;
/// How much sooner than others a command is ended when the machine runs out of memory, in thousandths of all memory
/// (proc_pid_oom_score_adj(5)): long before the daemon and the person's own programs.
#[cfg(target_os = "linux")]
const SACRIFICE: &str = "500";

/// Limits this process and what it will start.
pub(super) fn apply() {
    let mut limits = FIXED.to_vec();
    limits.extend(memory().map(|bytes| (Resource::Data, bytes)));
    #[cfg(target_os = "linux")]
    {
        limits.extend(processes(&read("/proc/loadavg")).map(|most| (Resource::Nproc, most)));
        // Where it cannot be said, the system chooses by size alone.
        let _ = std::fs::write("/proc/self/oom_score_adj", SACRIFICE);
    }
    for (resource, limit) in limits {
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        // It fails where a harder limit holds already.
        let _ = setrlimit(resource, limit);
    }
}

/// How much memory one process may have for itself, in bytes; `None` if the system cannot bound that.
pub(super) fn memory() -> Option<u64> {
    cfg!(target_os = "linux").then(|| bound_of(&read("/proc/meminfo"))).flatten()
}

/// The bound on memory in a few words; empty where there is none.
pub(super) fn means() -> String {
    memory().map_or_else(String::new, |bytes| format!(", at most {} MiB of memory a process", bytes >> 20))
}

/// From the text of `/proc/meminfo`, which counts in units of 1,024 bytes.
fn bound_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some((total.saturating_mul(1_024) / SHARE_OF_MEMORY).max(LEAST_MEMORY))
}

/// From the text of `/proc/loadavg`, whose fourth field ends with how many processes and threads there are.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has it"))]
fn processes(loadavg: &str) -> Option<u64> {
    let (_, there) = loadavg.split_whitespace().nth(3)?.split_once('/')?;
    Some(there.parse::<u64>().ok()?.saturating_add(MORE_PROCESSES))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{bound_of, processes};

    #[test]
    fn a_process_may_have_half_of_the_memory_and_never_less_than_a_gibibyte() {
        let check = |text: &str, bytes| assert_eq!(bound_of(text), bytes, "{text}");
        check("MemTotal:       24684084 kB\nMemFree:        1 kB\n", Some(12_638_251_008));
        check("MemTotal:         500000 kB\n", Some(1 << 30));
        check("MemTotal: 99999999999999999999 kB\n", None);
        check("", None);
    }

    #[test]
    fn processes_are_counted_from_those_that_there_are() {
        let check = |text: &str, most| assert_eq!(processes(text), most, "{text}");
        check("2.00 2.05 1.47 3/345 1234\n", Some(4_441));
        check("2.00 2.05 1.47\n", None);
        check("", None);
    }
}
