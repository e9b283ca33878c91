//! Commands that do not want to end, and a look at what is left of them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use artoo_testing::wait_until;

/// From the wish to cancel to the end of the last process.
const PROMISE: Duration = Duration::from_secs(3);

/// How many cancellations the long run makes; none in the usual run.
pub(crate) fn wanted_runs() -> Option<usize> {
    std::env::var("ARTOO_CANCEL_RUNS").ok().map(|runs| runs.parse().expect("ARTOO_CANCEL_RUNS is a number"))
}

/// Nothing with this mark is left after a cancellation that took so long. In the long run, which has the machine for
/// itself, the promised time is held as well. Otherwise a machine that had no time for killing is forgiven, if what was
/// left was told in `told`, and is gone soon.
pub(crate) fn check_gone(row: &str, mark: &str, took: Duration, told: &str) {
    let left = alive(mark);
    if wanted_runs().is_some() {
        assert!(left.is_empty(), "{row}: {} left after {took:?}: {left:#?}", left.len());
        assert!(took <= PROMISE, "{row}: {took:?}");
    }
    assert!(left.is_empty() || !told.is_empty(), "{row}: {} left and not told: {left:#?}", left.len());
    wait_until("everything is gone", || alive(mark).is_empty());
}

/// A number of seconds that no other process of this machine was told: it names whatever a command starts.
pub(crate) fn mark() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(1);
    format!("28.{}{:03}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst))
}

/// Commands that run until they are ended, each in its own way, and have `mark` in the command line of all that they
/// start. What would multiply or go on for ever is bounded, so that a failing test leaves a usable machine.
pub(crate) fn commands(mark: &str) -> Vec<(&'static str, String)> {
    let sleep = format!("sleep {mark}");
    let deaf = format!("trap '' TERM; while :; do {sleep}; done");
    vec![
        ("waits", sleep.clone()),
        ("does not hear TERM", deaf.clone()),
        ("has children that do not hear TERM", format!("bash -c \"{deaf}\" & bash -c \"{deaf}\" & wait")),
        ("begins a session", format!("setsid {sleep} & {sleep}")),
        ("forks twice", format!("( ( setsid {sleep} & ) & ); {sleep}")),
        ("forks twice and does not hear TERM", format!("( setsid bash -c \"{deaf}\" & ); {sleep}")),
        ("ignores hanging up", format!("nohup {sleep} >/dev/null 2>&1 & {sleep}")),
        ("prints without end", format!("while :; do echo {mark}; done")),
        ("prints without end and does not hear TERM", format!("trap '' TERM; while :; do echo {mark}; done")),
        ("stops itself", format!("{sleep} & kill -STOP $! $$")),
        // 2 to the power of 5 shells that fork at once, and as many that sleep.
        (
            "forks like a bomb",
            format!(
                "export S='[ $1 = 0 ] || {{ bash -c \"$S\" {mark} $(($1-1)) & bash -c \"$S\" {mark} $(($1-1)) & }}; \
                 {sleep}'; bash -c \"$S\" {mark} 5"
            ),
        ),
        // Each link lives for a moment only; 3,000 of them take longer than a cancellation may.
        (
            "forks like a chain",
            format!(
                "export S='sleep 0.005; [ $1 = 0 ] || bash -c \"$S\" {mark} $(($1-1)) &'; bash -c \"$S\" {mark} 3000; \
                 {sleep}"
            ),
        ),
        (
            "forks like a chain of sessions",
            format!(
                "export S='sleep 0.005; [ $1 = 0 ] || setsid bash -c \"$S\" {mark} $(($1-1)) &'; \
                 bash -c \"$S\" {mark} 3000; {sleep}"
            ),
        ),
    ]
}

/// Processes that have this mark among their arguments, each as a line.
pub(crate) fn alive(mark: &str) -> Vec<String> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        let listed = std::process::Command::new("ps").args(["-axo", "args"]).output().expect("ps can be run");
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        return text.lines().filter(|line| line.contains(mark)).map(str::to_owned).collect();
    };
    let lines = processes.flatten().filter_map(|process| {
        let words = std::fs::read(process.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&words).replace('\0', " ");
        // A process that has ended has no arguments any more.
        line.contains(mark).then(|| format!("{} {line}", process.file_name().to_string_lossy()))
    });
    lines.collect()
}
