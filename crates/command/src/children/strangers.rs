//! Children of the daemon that it never started: orphans of a keeper that was killed. A command runs as the same user as
//! its keeper and can kill it; what it had started then lands with the daemon.

use std::collections::BTreeSet;
use std::time::Duration;

use super::tree::{self, Process};

/// Kills every stranger with everything below it. Returns what would not go.
///
/// A keeper begins a session of its own, so whatever comes from one is in another session than the daemon, and what the
/// daemon starts for itself is in the daemon's.
pub(super) fn end(keepers: &BTreeSet<i32>, limit: Duration) -> Vec<String> {
    let own = rustix::process::getpid().as_raw_pid();
    let session = tree::own_session();
    let is_stranger = |process: &Process| {
        let is_foreign = session.is_some_and(|session| session != process.session);
        process.parent == own && is_foreign && !keepers.contains(&process.pid)
    };
    if tree::kill_those_within(limit, is_stranger) { Vec::new() } else { tree::names_below(is_stranger) }
}
