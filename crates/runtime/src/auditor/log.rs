//! The audit log on disk: its chain, its segments, its anchors, and the state from which a start goes on.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use artoo_audit::chain::Chain;
use artoo_audit::{AuditEvent, Auditor, Incident, ReportRequest};
use artoo_types::operator::{AuditHead, AuditReport};
use artoo_types::{Envelope, Timestamp};

use super::anchors::{self, Anchor, AnchorReason, Anchors};
use super::cursor::JournalCursor;
use super::recovery::{self, SavedState};
use super::segment;
use super::storage::Storage;
use super::system_log::SystemLog;
use super::{AuditLimits, AuditorPlaces};
use crate::clock;

/// Lines are written in batches of about this size.
const BATCH_BYTES: usize = 64 * 1024;
/// Lines after which the head is recorded outside of the log, if nothing else did: some 2 MiB.
const ANCHOR_LINES: u64 = 4_096;

/// The log and the state.
pub(super) struct AuditLog {
    pub(super) places: AuditorPlaces,
    pub(super) limits: AuditLimits,
    pub(super) storage: Box<dyn Storage>,
    pub(super) anchors: Anchors,
    pub(super) saved: SavedState,
    system_log: SystemLog,
    chain: Chain,
    file: File,
    /// Lines that are sealed and not written yet, at most [`BATCH_BYTES`] and the lines of one step more.
    batch: Vec<u8>,
    /// Length of the live segment, and its last line.
    bytes: u64,
    head: AuditHead,
    /// The last line that is on the disk for good.
    synced: AuditHead,
    /// The live segment may end with a part of a batch.
    must_cut: bool,
    /// What the live segment holds may not be on the disk for good.
    sync_failed: bool,
    damage: Vec<String>,
}

impl AuditLog {
    /// Opens the log where it ended. A log that is not as it was left is kept, and a new segment begins; see
    /// [`AuditLog::take_damage`].
    pub(super) fn open(
        places: &AuditorPlaces,
        limits: AuditLimits,
        system_log: SystemLog,
        mut storage: Box<dyn Storage>,
    ) -> io::Result<Self> {
        let anchors = Anchors::open(&places.segments, storage.as_mut())?;
        let found = recovery::recover(&places.segments, &places.stats, anchors.last())?;
        let live = segment::path(&places.segments, found.saved.segment);
        let file = storage.open(&live)?;
        if let Some((path, length)) = &found.torn {
            let torn = storage.open(path)?;
            storage.cut(&torn, *length)?;
        }
        let chain = Chain::after(found.head.clone(), &boot_id());
        let mut log = Self {
            places: places.clone(),
            limits,
            storage,
            anchors,
            synced: found.saved.head.clone(),
            saved: found.saved,
            system_log,
            chain,
            file,
            batch: Vec::new(),
            bytes: found.bytes,
            head: found.head,
            must_cut: false,
            sync_failed: false,
            damage: found.damage,
        };
        if !log.damage.is_empty() && log.bytes > 0 {
            log.begin_segment()?;
        }
        log.link()?;
        Ok(log)
    }

    /// Checks the live segment as a whole, and begins a new one when it is damaged. It may take some tenths of a second.
    pub(super) fn examine(&mut self) -> io::Result<()> {
        if !self.damage.is_empty() || self.saved.segment_bytes == 0 {
            return Ok(());
        }
        let recorded = anchors::read(&self.places.segments)?.map_or_else(Vec::new, |(heads, _)| heads);
        let path = segment::path(&self.places.segments, self.saved.segment);
        if let Some(what) = recovery::examine(&path, &self.head, recorded)? {
            self.damage.push(what);
            self.begin_segment()?;
        }
        Ok(())
    }

    /// What was found wrong since the last call.
    pub(super) fn take_damage(&mut self) -> Vec<String> {
        std::mem::take(&mut self.damage)
    }

    /// How far the journals were read.
    pub(super) fn cursor(&mut self) -> &mut JournalCursor {
        &mut self.saved.cursor
    }

    /// The statistics.
    pub(super) fn auditor(&mut self) -> &mut Auditor {
        &mut self.saved.auditor
    }

    /// The last line that can be read from the disk.
    pub(super) fn head(&self) -> &AuditHead {
        &self.head
    }

    /// Takes one envelope in; its events go into the log, unless they are there already.
    pub(super) fn observe(&mut self, envelope: &Envelope) {
        let events = self.saved.auditor.observe(envelope);
        let known = self.saved.written.lines_of(envelope.task_id, envelope.sequence);
        self.seal(events.get(known..).unwrap_or_default());
    }

    /// Takes in what no envelope says; true when something came of it.
    pub(super) fn incident(&mut self, now: Timestamp, incident: Incident) -> bool {
        let event = self.saved.auditor.incident(now, incident);
        self.seal(event.as_slice());
        event.is_some()
    }

    /// The report on the window, which starts anew. Its head is on the disk before anybody sees it.
    pub(super) fn report(&mut self, now: Timestamp, request: ReportRequest) -> AuditReport {
        let (mut report, drift) = self.saved.auditor.report(now, request);
        self.seal(&drift);
        if let Err(error) = self.flush().and_then(|()| self.sync()) {
            tracing::error!(%error, "the audit log is not on the disk; the report names an earlier head");
        }
        report.head = self.synced.clone();
        report.anchored_in = self.anchored_in();
        report
    }

    /// Where heads are recorded besides the log and the reports.
    pub(super) fn anchored_in(&self) -> Vec<String> {
        let file = format!("audit/{}", anchors::FILE);
        [Some(file), self.system_log.name()].into_iter().flatten().collect()
    }

    /// Puts an event into the log that is not of the statistics.
    pub(super) fn note(&mut self, event: &AuditEvent) {
        self.seal(std::slice::from_ref(event));
    }

    fn seal(&mut self, events: &[AuditEvent]) {
        for event in events {
            match self.chain.seal(event, &mut self.batch) {
                Ok(()) => self.batch.push(b'\n'),
                Err(error) => tracing::error!(%error, ?event, "an event of the audit has no JSON form"),
            }
        }
    }

    /// Whether enough is sealed to be written.
    pub(super) fn is_full(&self) -> bool {
        self.batch.len() >= BATCH_BYTES
    }

    /// Writes what is sealed. After an error it stays sealed, and the same call may be tried again.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.must_cut {
            self.storage.cut(&self.file, self.bytes)?;
            self.must_cut = false;
        }
        if self.batch.is_empty() {
            return Ok(());
        }
        if self.bytes >= self.limits.segment_bytes {
            self.begin_segment()?;
        }
        self.must_cut = true;
        self.storage.append(&mut self.file, &self.batch)?;
        self.must_cut = false;
        self.bytes += self.batch.len() as u64;
        self.batch.clear();
        self.head = self.chain.head().clone();
        Ok(())
    }

    /// Ends the live segment and begins the next one, whose first line names the last one of this.
    fn begin_segment(&mut self) -> io::Result<()> {
        if self.damage.is_empty() {
            self.sync()?;
            self.anchor(clock::now(), AnchorReason::Segment)?;
        }
        let next = self.saved.segment + 1;
        self.file = self.storage.open(&segment::path(&self.places.segments, next))?;
        self.saved.segment = next;
        (self.bytes, self.saved.segment_bytes) = (0, 0);
        (self.must_cut, self.sync_failed) = (false, false);
        self.link()
    }

    fn link(&mut self) -> io::Result<()> {
        let target = PathBuf::from("audit").join(segment::name(self.saved.segment));
        self.storage.link(&target, &self.places.link)
    }

    /// Returns when every written line is on the disk. After a failure this is never known again for this segment.
    fn sync(&mut self) -> io::Result<()> {
        if self.sync_failed {
            return Err(io::Error::other(
                "an earlier attempt failed; restart artoo-daemon when the disk is well",
            ));
        }
        self.storage.sync(&self.file).inspect_err(|_| self.sync_failed = true)?;
        self.synced = self.head.clone();
        Ok(())
    }

    /// Saves statistics and cursor, after the log itself is on the disk.
    pub(super) fn save(&mut self, now: Timestamp) -> io::Result<()> {
        self.flush()?;
        self.sync()?;
        self.saved.segment_bytes = self.bytes;
        self.saved.head = self.head.clone();
        let state = serde_json::to_vec(&self.saved)?;
        self.storage.replace(&self.places.stats, &state)?;
        if self.synced.seq.saturating_sub(self.anchors.last().seq) >= ANCHOR_LINES {
            self.anchor(now, AnchorReason::Lines)?;
        }
        Ok(())
    }

    /// Records outside of the segments the last line that is on the disk for good, unless it is recorded already. A head
    /// that a power loss takes back would look like a log that was cut.
    pub(super) fn anchor(&mut self, now: Timestamp, why: AnchorReason) -> io::Result<()> {
        let head = self.synced.clone();
        if head == *self.anchors.last() || head.seq == 0 {
            return Ok(());
        }
        let line = format!("audit head {} {} ({})", head.seq, head.hash, why.as_str());
        if let Err(error) = self.system_log.send(&line) {
            tracing::warn!(%error, "the system log does not take the head of the audit log");
        }
        tracing::info!(seq = head.seq, hash = %head.hash, why = why.as_str(), "audit head");
        let segment = segment::name(self.saved.segment);
        self.anchors.record(&Anchor { time: now, head, segment, why }, self.storage.as_mut())
    }

    /// Bytes of all segments.
    pub(super) fn sizes(&self) -> io::Result<Vec<(u32, fs::Metadata)>> {
        let folder = &self.places.segments;
        let sized = |number| Ok((number, fs::metadata(segment::path(folder, number))?));
        segment::numbers(folder)?.into_iter().map(sized).collect()
    }
}

/// Names this run of the daemon.
fn boot_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
