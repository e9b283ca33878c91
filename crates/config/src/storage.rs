//! How much of the disk is left to others, and what is kept how long.

use artoo_trash::TrashLimits;

/// One MiB, in bytes.
const MIB: u64 = 1024 * 1024;

/// What the daemon may take of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageParams {
    /// With fewer free bytes on the data folder's disk new tasks are refused.
    pub min_free_bytes: u64,
    /// Days for which ended tasks are kept.
    pub keep_days: u64,
    /// Most ended tasks that are kept.
    pub keep_tasks: u64,
    /// Most bytes of the journals of ended tasks.
    pub keep_bytes: u64,
    /// Days for which closed segments of the audit log are kept.
    pub audit_days: u32,
    /// Most bytes of the audit log.
    pub audit_bytes: u64,
    /// What the trash may hold.
    pub trash: TrashLimits,
    /// Most daily copies of the memory.
    pub memory_backups: usize,
}

impl Default for StorageParams {
    /// As in the table of settings.
    fn default() -> Self {
        Self {
            min_free_bytes: 1_024 * MIB,
            keep_days: 90,
            keep_tasks: 10_000,
            keep_bytes: 5_120 * MIB,
            audit_days: 365,
            audit_bytes: 1_024 * MIB,
            trash: TrashLimits::default(),
            memory_backups: 3,
        }
    }
}
