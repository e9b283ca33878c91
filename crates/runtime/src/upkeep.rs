//! What is done from time to time, whatever the tasks do: looking at the disk and the clock, and deleting what is old.

use std::path::PathBuf;
use std::time::Duration;

use artoo_audit::Incident;
use artoo_trash::Trash;

use crate::auditor::{AuditProgress, AuditorBell};
use crate::clock::{self, ClockWatch};
use crate::health::Health;
use crate::system::SystemBus;
use crate::task::Tasks;
use crate::wiring::Daemon;
use artoo_config::StorageParams;

/// Between two looks. An idle daemon should not wake up more often for this, and what is full before the next look is met
/// by the write itself.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// Looks between two passes over what is old: an hour.
const LOOKS_A_PASS: u64 = 60;
/// Passes between two times that old requests are forgotten: a day. They are kept for weeks.
const PASSES_A_FORGETTING: u64 = 24;

/// Bound of the system journal, in bytes. A report of the auditor has some kilobytes; a month of them fits in half of it.
const SYSTEM_JOURNAL_BYTES: u64 = 64 * 1024 * 1024;

/// What upkeep works with.
pub struct Upkeep {
    tasks: Tasks,
    system: SystemBus,
    audited: AuditProgress,
    auditor: AuditorBell,
    health: Health,
    storage: StorageParams,
    artifacts: PathBuf,
    trash: Trash,
}

impl Upkeep {
    /// The upkeep of this daemon, whose long outputs lie in `artifacts`.
    pub fn new(daemon: &Daemon, storage: StorageParams, artifacts: PathBuf) -> Self {
        Self {
            tasks: daemon.tasks.clone(),
            system: daemon.system.clone(),
            audited: daemon.audited.clone(),
            auditor: daemon.auditor_bell.clone(),
            health: daemon.health.clone(),
            storage,
            artifacts,
            trash: daemon.toolbox.trash().clone(),
        }
    }

    /// Goes on until it is dropped.
    pub async fn run(self) {
        let upkeep = std::sync::Arc::new(self);
        let mut clock = ClockWatch::start();
        let mut often = tokio::time::interval(LOOK_EVERY);
        // A machine that slept needs one look, not one for each that it missed.
        often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        for look in 0_u64.. {
            often.tick().await;
            if let Some(by_ms) = clock.look() {
                tracing::warn!(by_ms, "the clock was set; running tasks do not notice");
                upkeep.auditor.tell(Incident::ClockSet { by_ms });
            }
            let upkeep = std::sync::Arc::clone(&upkeep);
            if let Err(error) = tokio::task::spawn_blocking(move || upkeep.look(look)).await {
                tracing::warn!(%error, "upkeep broke off");
            }
        }
    }

    /// The work of one look; it waits for the disk.
    fn look(&self, look: u64) {
        // What it finds stands in the warnings, and the auditor hears of it.
        drop(self.health.shortage());
        match self.system.trim(SYSTEM_JOURNAL_BYTES, self.audited.system_sequence()) {
            Ok(0) => {}
            Ok(dropped) => tracing::info!(dropped, "the oldest envelopes of the system journal are gone"),
            Err(error) => tracing::warn!(%error, "the system journal cannot be made shorter"),
        }
        if look.is_multiple_of(LOOKS_A_PASS) {
            self.delete_old();
        }
        if look.is_multiple_of(LOOKS_A_PASS * PASSES_A_FORGETTING) {
            match self.tasks.forget_old() {
                Ok(0) => {}
                Ok(forgotten) => tracing::info!(forgotten, "old requests are not known any more"),
                Err(error) => tracing::warn!(%error, "old requests cannot be forgotten"),
            }
        }
    }

    fn delete_old(&self) {
        match self.tasks.delete_old(&self.storage, &self.artifacts, |task_id| self.audited.has_read(task_id))
        {
            Ok(deleted) if deleted.tasks.is_empty() && deleted.artifacts == 0 => {}
            Ok(deleted) => tracing::info!(
                tasks = deleted.tasks.len(),
                artifacts = deleted.artifacts,
                "records of old tasks are deleted"
            ),
            Err(error) => tracing::warn!(%error, "records of old tasks cannot be deleted"),
        }
        match self.trash.sweep(clock::now(), |task_id| self.tasks.is_running(task_id)) {
            Ok(0) => {}
            Ok(swept) => tracing::info!(swept, "calls of old tasks can no longer be undone"),
            Err(error) => tracing::warn!(%error, "the trash cannot be swept"),
        }
    }
}

#[cfg(test)]
mod tests;
