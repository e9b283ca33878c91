//! A process group: asking it to end, killing it, and knowing when it is gone.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::Child;
use tokio::time::{Instant, sleep};

/// How often a group that was asked to end is looked at.
const POLL: Duration = Duration::from_millis(10);

/// A group that is led by a child of this process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group(Pid);

impl Group {
    /// The group whose leader has this process id.
    pub(super) fn of_leader(id: u32) -> Option<Self> {
        i32::try_from(id).ok().and_then(Pid::from_raw).map(Self)
    }

    /// Its id.
    pub(super) fn id(self) -> i32 {
        self.0.as_raw_pid()
    }

    /// Ends what is left of the group: first by request, then by force. The leader is reaped on the way. The error says
    /// what is left after both.
    pub(super) async fn end(self, ask: Duration, force: Duration, child: &mut Child) -> Result<(), String> {
        if self.is_gone() {
            return Ok(());
        }
        // A group that is gone meanwhile cannot be signalled, and that is the goal.
        let _ = kill_process_group(self.0, Signal::TERM);
        let _ = kill_process_group(self.0, Signal::CONT);
        if self.gone_within(ask, child).await {
            return Ok(());
        }
        let _ = kill_process_group(self.0, Signal::KILL);
        if self.gone_within(force, child).await {
            return Ok(());
        }
        Err("still there after being killed".to_owned())
    }

    async fn gone_within(self, limit: Duration, child: &mut Child) -> bool {
        let until = Instant::now() + limit;
        loop {
            // Reaping the leader is what makes it vanish; its status was read before or does not matter any more.
            let _ = child.try_wait();
            if self.is_gone() {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            sleep(POLL).await;
        }
    }

    fn is_gone(self) -> bool {
        test_kill_process_group(self.0).is_err() || only_zombies(self.0)
    }
}

/// Whether every process of the group has ended and merely waits for its parent. Where there is no `/proc`, zombies
/// cannot be signalled either, so this is not needed.
fn only_zombies(group: Pid) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else { return false };
    let mut seen = false;
    for entry in entries.flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // pid (name) state parent group ...; the name may hold spaces and brackets.
        let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
        let mut fields = rest.split(' ');
        let state = fields.next().unwrap_or_default();
        if fields.nth(1).and_then(|g| g.parse().ok()) == Some(group.as_raw_pid()) {
            seen = true;
            if !matches!(state, "Z" | "X" | "x") {
                return false;
            }
        }
    }
    seen
}
