//! How much of the disk is left to others, from the settings.

use super::settings::Settings;

/// One MiB, in bytes.
const MIB: u64 = 1024 * 1024;

/// What the daemon may take of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageParams {
    /// With fewer free bytes on the data folder's disk new tasks are refused.
    pub min_free_bytes: u64,
}

impl Default for StorageParams {
    /// As in the table of settings.
    fn default() -> Self {
        Self { min_free_bytes: 1_024 * MIB }
    }
}

/// The parameters.
pub(super) fn params(settings: &Settings) -> StorageParams {
    StorageParams { min_free_bytes: settings.count("storage.min_free_mib") * MIB }
}
