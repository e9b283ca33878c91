//! R6's thread: it reads the journals behind a durable cursor, as slowly as it likes, and nothing waits for it.
//!
//! Tasks only ring a bell when their journal has grown. What the auditor sees it reads from disk itself, so it misses
//! nothing, not even what happened while it was not running. Start with `reader`, its loop; `log` is what it writes,
//! `recovery` what a start finds, [`verify`] the check of it all.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::health::Health;
use crate::system::SystemBus;

mod anchors;
pub mod bell;
mod cursor;
mod desk;
mod log;
mod reader;
mod reading;
mod recovery;
mod reports;
mod retention;
mod segment;
mod storage;
mod system_log;
pub mod verify;
pub mod verify_task;
mod watch;

pub use artoo_audit::{AcknowledgedFinding, FindingShelf, FindingUnknown};
pub use bell::{AuditProgress, AuditStanding, AuditorBell};
pub use desk::AuditDesk;
pub use system_log::SystemLog;

use reader::AuditorLoop;
use storage::RealStorage;

/// Where the auditor reads and writes.
#[derive(Debug, Clone)]
pub struct AuditorPlaces {
    /// Folder of the tasks' journals.
    pub journals: PathBuf,
    /// Folder of the segments and of the anchors.
    pub segments: PathBuf,
    /// The link to the live segment.
    pub link: PathBuf,
    /// Statistics and cursor.
    pub stats: PathBuf,
}

impl AuditorPlaces {
    /// The places in this data folder, with the journals of tasks in `journals`.
    pub fn below(data: &Path, journals: PathBuf) -> Self {
        Self {
            journals,
            segments: data.join("audit"),
            link: data.join("audit.jsonl"),
            stats: data.join("audit_stats.json"),
        }
    }
}

/// How much is kept, and how often a report is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditLimits {
    /// A segment is closed at this size, in bytes.
    pub segment_bytes: u64,
    /// Old segments are deleted while all of them together are larger than this, in bytes.
    pub keep_bytes: u64,
    /// Segments to which nothing was added for so long are deleted, in days.
    pub keep_days: u32,
    /// How often the auditor reports by itself.
    pub report_every: Duration,
}

impl AuditLimits {
    /// The usual limits, but for how much is kept.
    pub fn keeping(keep_bytes: u64, keep_days: u32) -> Self {
        Self { keep_bytes, keep_days, ..Self::default() }
    }
}

impl Default for AuditLimits {
    /// As in the table of settings.
    fn default() -> Self {
        Self {
            segment_bytes: 64 * 1024 * 1024,
            keep_bytes: 1024 * 1024 * 1024,
            keep_days: 365,
            report_every: Duration::from_secs(300),
        }
    }
}

/// The auditor at work.
pub struct AuditorThread {
    thread: JoinHandle<()>,
    bell: AuditorBell,
}

impl AuditorThread {
    /// Lets the auditor read what there is, save and end. The thread is to be joined.
    pub fn stop(self) -> JoinHandle<()> {
        self.bell.inbox().stop();
        self.thread
    }
}

/// The auditor's thread, and the ways to it that `bell` is not.
pub struct RunningAuditor {
    /// For the operator's service.
    pub desk: AuditDesk,
    /// For whoever deletes old journals.
    pub progress: AuditProgress,
    /// For whoever ends the daemon.
    pub thread: AuditorThread,
}

/// Everything that the auditor is given.
pub struct AuditorConfig {
    /// Where it reads and writes.
    pub places: AuditorPlaces,
    /// How much it keeps.
    pub limits: AuditLimits,
    /// Where heads of the log go besides the data folder.
    pub system_log: SystemLog,
    /// Told what is wrong with the log.
    pub health: Health,
    /// Where questions come from and reports go to.
    pub system: SystemBus,
}

/// Starts the auditor.
///
/// # Errors
/// When its log cannot be opened or no thread can be made. A log that is damaged is no error: a new segment begins.
pub fn start(config: AuditorConfig, bell: &AuditorBell) -> std::io::Result<RunningAuditor> {
    let inbox = bell.inbox();
    let desk = AuditDesk::new(inbox.clone(), config.system.clone());
    let mut reader = AuditorLoop::open(config, Box::new(RealStorage), inbox.clone())?;
    let thread = std::thread::Builder::new().name("auditor".to_owned()).spawn(move || reader.run())?;
    Ok(RunningAuditor {
        desk,
        progress: AuditProgress::new(inbox.clone()),
        thread: AuditorThread { thread, bell: bell.clone() },
    })
}

#[cfg(test)]
mod tests;
