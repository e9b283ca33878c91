//! Whether the auditor's own log is well, and what a person hears of it.

use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use crate::health::{Concern, Health};

/// How long reading pauses after the log could not be written. Nothing is lost meanwhile: what is not read waits.
const WRITE_RETRY_DELAY: Duration = Duration::from_secs(2);

/// The state of the log, as the auditor's last attempt to write found it.
pub(super) struct Watch {
    health: Health,
    /// The log could not be written; nothing is read before this.
    stuck_until: Option<Instant>,
}

impl Watch {
    pub(super) fn new(health: Health) -> Self {
        Self { health, stuck_until: None }
    }

    /// The log was not as it was left.
    pub(super) fn found_damage(&self, what: &str) {
        let said = format!(
            "the auditor's log was not as it was left, and a new file of it begins ({what}): `artoo audit verify` names \
             the first bad line"
        );
        self.health.raise(Concern::AuditDamage, said);
    }

    /// Whether the last attempt to write the log failed.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck_until.is_some()
    }

    /// How long reading still pauses; none when the log can be written.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.stuck_until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Notes how writing the log or the state went; true when it works again. After a failure reading pauses: what is
    /// not in the log must not count as read, and memory is finite.
    pub(super) fn note(&mut self, what: &str, outcome: io::Result<()>) -> bool {
        let was_stuck = self.is_stuck();
        match outcome {
            Ok(()) => {
                self.stuck_until = None;
                self.health.clear(&Concern::AuditLog);
                self.health.clear(&Concern::AuditFull);
            }
            Err(error) => {
                self.stuck_until = Some(Instant::now() + WRITE_RETRY_DELAY);
                let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
                let (concern, advice) = if is_full {
                    (Concern::AuditFull, "free some space on its disk")
                } else {
                    (Concern::AuditLog, "look at its disk")
                };
                let said = format!(
                    "{what} in the data folder ({error}): {advice}; the auditor reads on when that is done, and loses \
                     nothing"
                );
                self.health.raise(concern, said);
            }
        }
        was_stuck && !self.is_stuck()
    }
}
