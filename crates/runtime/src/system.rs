//! Envelopes that belong to no task: what the operator and the auditor say to each other.

use std::path::PathBuf;
use std::sync::Arc;

use artoo_bus::Bus;
use artoo_journal::{CrashPoint, JournalError, SystemJournal};
use artoo_types::envelope::Role;
use artoo_types::{Envelope, Message};
use parking_lot::Mutex;

use crate::auditor::bell::AuditorBell;
use crate::clock;
use crate::live::LiveTaps;

/// The bus of everything that belongs to no task. Cheap to clone.
#[derive(Clone)]
pub struct SystemBus {
    inner: Arc<Mutex<JournaledBus>>,
    live: Arc<LiveTaps>,
    auditor: AuditorBell,
    path: PathBuf,
}

struct JournaledBus {
    bus: Bus,
    journal: SystemJournal,
}

impl SystemBus {
    /// The bus of this journal; it continues the journal's sequence.
    ///
    /// # Errors
    /// When the journal cannot be opened.
    pub fn open(
        path: PathBuf,
        crash: CrashPoint,
        live: Arc<LiveTaps>,
        auditor: AuditorBell,
    ) -> Result<Self, JournalError> {
        let (journal, recovered) = SystemJournal::open(&path, crash)?;
        tracing::debug!(?recovered, "opened the system journal");
        let bus = Bus::new(None, journal.next_sequence());
        Ok(Self { inner: Arc::new(Mutex::new(JournaledBus { bus, journal })), live, auditor, path })
    }

    /// Journals and publishes one message.
    ///
    /// # Errors
    /// When it cannot be journaled; then nobody has seen it.
    pub fn publish(&self, from: Role, to: Role, payload: Message) -> Result<Envelope, JournalError> {
        let mut inner = self.inner.lock();
        let posted = inner.bus.clone().publish(clock::now(), 0, from, to, payload);
        inner.journal.append(&posted.envelope)?;
        inner.bus = Bus::new(None, posted.envelope.sequence + 1);
        drop(inner);
        self.live.publish([posted.envelope.clone()]);
        self.auditor.ring_system();
        Ok(posted.envelope)
    }

    /// Journals and publishes several messages of one sender, and returns when they are on the disk: what they wish may
    /// be carried out then.
    ///
    /// # Errors
    /// When they cannot be journaled or synced. Those that the journal holds by then stand there, and nobody was told.
    pub fn publish_synced(
        &self,
        from: Role,
        to: Role,
        payloads: Vec<Message>,
    ) -> Result<Vec<Envelope>, JournalError> {
        let mut inner = self.inner.lock();
        let mut envelopes = Vec::new();
        for payload in payloads {
            let posted = inner.bus.clone().publish(clock::now(), 0, from, to, payload);
            inner.journal.append(&posted.envelope)?;
            inner.bus = Bus::new(None, posted.envelope.sequence + 1);
            envelopes.push(posted.envelope);
        }
        inner.journal.sync()?;
        drop(inner);
        self.live.publish(envelopes.iter().cloned());
        self.auditor.ring_system();
        Ok(envelopes)
    }

    /// Drops the oldest envelopes when the journal has more than `limit` bytes, none of them after `through`. It belongs on
    /// a thread that may wait; who publishes waits for it, some tens of milliseconds.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn trim(&self, limit: u64, through: u64) -> Result<u64, JournalError> {
        let mut inner = self.inner.lock();
        inner.journal.trim(limit, through)
    }

    /// Where the journal lies.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }
}
