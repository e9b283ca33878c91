//! When a server that went away is started again, and when no more.

use std::time::Duration;

use crate::server::McpTransport;

/// Pause before a server is started again, doubled with each failure in a row up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause: somebody who mended the server does not want to wait for long.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Starts in a row that fail in the same way, after which there is no further one: two minutes of a program, half an hour of
/// an address, which others may be mending.
const MAX_EQUAL_PROGRAM: u32 = 8;
const MAX_EQUAL_ADDRESS: u32 = 40;

/// The pause before the next start after so many failures in a row.
pub(super) fn pause(failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(LONGEST_PAUSE)
}

/// Starts in a row that may fail in the same way.
pub(super) fn most_equal(way: &McpTransport) -> u32 {
    match way {
        McpTransport::Process { .. } => MAX_EQUAL_PROGRAM,
        McpTransport::Http { .. } => MAX_EQUAL_ADDRESS,
    }
}

/// How often in a row a server failed in the same way without having been ready.
#[derive(Debug, Default)]
pub(super) struct EqualFailures {
    last: String,
    times: u32,
}

impl EqualFailures {
    /// Counts a failure. Numbers in its words, such as a process's, make no difference.
    pub(super) fn add(&mut self, why: &str, was_ready: bool) -> u32 {
        let words: String = why.chars().filter(|c| !c.is_ascii_digit()).collect();
        self.times = if was_ready || words != self.last { 1 } else { self.times + 1 };
        self.last = words;
        self.times
    }
}
