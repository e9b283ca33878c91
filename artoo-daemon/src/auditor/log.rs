//! The audit log on disk, its chain, and the cursor that remembers how far the journals were read.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use artoo_audit::chain::{Chain, Head};
use artoo_audit::{AuditEvent, Auditor, Incident};
use artoo_types::operator::{AuditReport, Trigger};
use artoo_types::{Envelope, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use super::AuditorPlaces;

/// A segment is closed at this size.
const SEGMENT_BYTES: u64 = 64 * 1024 * 1024;

/// Lines are written in batches of about this size.
const BATCH_BYTES: usize = 64 * 1024;

/// Ended tasks that are remembered so that a late bell does not have them read again: far more than can be at work.
const MAX_CLOSED: usize = 4_096;

/// What `audit_stats.json` holds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    /// Statistics.
    auditor: Auditor,
    /// Number of the live segment.
    segment: u32,
    /// Its length when this was saved.
    segment_bytes: u64,
    /// The last line then.
    head: Head,
    /// How far the journals of unfinished tasks were read.
    cursors: BTreeMap<TaskId, u64>,
    /// Tasks up to this one, those with a cursor excepted, were read to their end. Ids are ordered by time.
    through: Option<TaskId>,
    /// How far the system journal was read.
    system_cursor: u64,
}

/// The log and the cursor.
pub(super) struct AuditLog {
    places: AuditorPlaces,
    saved: Saved,
    chain: Chain,
    file: File,
    /// Lines that are sealed and not written yet, at most [`BATCH_BYTES`] and a message more.
    batch: String,
    /// Length of the live segment, the batch included.
    bytes: u64,
    /// Messages that are in the log already although the cursor does not know: written shortly before a crash.
    written: BTreeSet<(Option<TaskId>, u64)>,
    damage: Option<String>,
    closed: VecDeque<TaskId>,
}

impl AuditLog {
    /// Opens the log where it ended. A log that is not as it was left is kept, and a new segment begins.
    pub(super) fn open(places: &AuditorPlaces) -> io::Result<Self> {
        let (mut saved, mut damage) = load(&places.stats);
        saved.segment = saved.segment.max(last_segment(&places.segments)?).max(1);
        let path = segment_path(&places.segments, saved.segment);
        let tail = Tail::read(&path, &saved);
        let mut head = saved.head.clone();
        let mut written = BTreeSet::new();
        match tail {
            Ok(tail) => {
                written = tail.written;
                head = tail.head.unwrap_or(head);
                if tail.torn {
                    damage.get_or_insert(format!("{} ends in the middle of a line", path.display()));
                }
            }
            Err(what) => damage = Some(what),
        }
        if damage.is_some() {
            saved.segment += 1;
        }
        let path = segment_path(&places.segments, saved.segment);
        let file = open_segment(&path, &places.link)?;
        let bytes = file.metadata()?.len();
        let chain = Chain::after(head, &boot_id());
        Ok(Self {
            places: places.clone(),
            saved,
            chain,
            file,
            batch: String::new(),
            bytes,
            written,
            damage,
            closed: VecDeque::new(),
        })
    }

    /// What was found wrong when opening, once.
    pub(super) fn take_damage(&mut self) -> Option<String> {
        self.damage.take()
    }

    /// Whether the journal of this task may hold something unread.
    pub(super) fn is_unread(&self, task_id: TaskId) -> bool {
        self.saved.cursors.contains_key(&task_id)
            || self.saved.through.is_none_or(|through| task_id > through)
    }

    /// Where to go on reading a task's journal.
    pub(super) fn cursor(&self, task_id: TaskId) -> u64 {
        self.saved.cursors.get(&task_id).copied().unwrap_or(0)
    }

    /// The journal was read so far; an ended task needs no cursor any more.
    pub(super) fn advance(&mut self, task_id: TaskId, offset: u64, ended: bool) {
        if ended {
            self.close(task_id);
        } else {
            self.saved.cursors.insert(task_id, offset);
        }
        self.saved.through = self.saved.through.max(Some(task_id));
    }

    /// Whether the journal of this task was read to its end, or given up, by this process: its bell may still ring for
    /// what was read already.
    pub(super) fn is_closed(&self, task_id: TaskId) -> bool {
        self.closed.contains(&task_id)
    }

    fn close(&mut self, task_id: TaskId) {
        self.saved.cursors.remove(&task_id);
        self.closed.push_back(task_id);
        if self.closed.len() > MAX_CLOSED {
            self.closed.pop_front();
        }
    }

    /// A journal that cannot be read is not tried for ever.
    pub(super) fn give_up(&mut self, task_id: TaskId) {
        self.close(task_id);
        self.saved.through = self.saved.through.max(Some(task_id));
    }

    /// Where to go on reading the system journal.
    pub(super) fn system_cursor(&self) -> u64 {
        self.saved.system_cursor
    }

    /// The system journal was read so far.
    pub(super) fn advance_system(&mut self, offset: u64) {
        self.saved.system_cursor = offset;
    }

    /// Takes one envelope in and writes its events, unless they are there already.
    pub(super) fn observe(&mut self, envelope: &Envelope) -> io::Result<()> {
        let events = self.saved.auditor.observe(envelope);
        if self.written.remove(&(envelope.task_id, envelope.sequence)) {
            return Ok(());
        }
        self.write(&events)
    }

    /// Takes in what no envelope says.
    pub(super) fn incident(&mut self, now: Timestamp, incident: Incident) -> io::Result<()> {
        match self.saved.auditor.incident(now, incident) {
            Some(event) => self.write(&[event]),
            None => Ok(()),
        }
    }

    /// The report on the window, which starts anew.
    pub(super) fn report(&mut self, now: Timestamp, trigger: Trigger) -> AuditReport {
        self.saved.auditor.report(now, trigger)
    }

    /// Hash of the last line.
    pub(super) fn head_hash(&self) -> &str {
        &self.chain.head().hash
    }

    fn write(&mut self, events: &[AuditEvent]) -> io::Result<()> {
        if self.bytes >= SEGMENT_BYTES {
            self.next_segment()?;
        }
        for event in events {
            let line = self.chain.seal(event)?;
            self.bytes += line.len() as u64 + 1;
            self.batch.push_str(&line);
            self.batch.push('\n');
        }
        if self.batch.len() >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes what is sealed.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(self.batch.as_bytes())?;
        self.batch.clear();
        Ok(())
    }

    fn next_segment(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync_data()?;
        self.saved.segment += 1;
        self.file =
            open_segment(&segment_path(&self.places.segments, self.saved.segment), &self.places.link)?;
        self.bytes = 0;
        Ok(())
    }

    /// Saves statistics and cursor, after the log itself is on the disk.
    pub(super) fn save(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync_data()?;
        self.saved.segment_bytes = self.bytes;
        self.saved.head = self.chain.head().clone();
        let temporary = self.places.stats.with_extension("json.new");
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        file.write_all(&serde_json::to_vec(&self.saved)?)?;
        file.sync_data()?;
        fs::rename(&temporary, &self.places.stats)
    }
}

/// What the live segment holds beyond the saved cursor.
struct Tail {
    written: BTreeSet<(Option<TaskId>, u64)>,
    head: Option<Head>,
    torn: bool,
}

/// The fields of a line that matter here.
#[derive(Deserialize)]
struct Line {
    seq: u64,
    hash: String,
    event: String,
    #[serde(default)]
    task_id: Option<TaskId>,
    #[serde(default)]
    sequence: u64,
}

impl Tail {
    fn read(path: &Path, saved: &Saved) -> Result<Self, String> {
        let mut tail = Self { written: BTreeSet::new(), head: None, torn: false };
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && saved.segment_bytes == 0 => {
                return Ok(tail);
            }
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        let length = file.metadata().map_err(|e| e.to_string())?.len();
        if length < saved.segment_bytes {
            return Err(format!(
                "{} is shorter than it was: {length} of {} bytes",
                path.display(),
                saved.segment_bytes
            ));
        }
        file.seek(SeekFrom::Start(saved.segment_bytes)).map_err(|e| e.to_string())?;
        let mut reader = BufReader::new(file);
        let mut line = String::new();
        while reader.read_line(&mut line).map_err(|e| e.to_string())? > 0 {
            if !line.ends_with('\n') {
                tail.torn = true;
                break;
            }
            let parsed: Line = serde_json::from_str(&line)
                .map_err(|_| format!("{} holds a line that is not of the audit log", path.display()))?;
            if parsed.event == "message" {
                tail.written.insert((parsed.task_id, parsed.sequence));
            }
            tail.head = Some(Head { seq: parsed.seq, hash: parsed.hash });
            line.clear();
        }
        Ok(tail)
    }
}

fn load(path: &Path) -> (Saved, Option<String>) {
    match fs::read(path) {
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(saved) => (saved, None),
            Err(error) => (
                Saved::default(),
                Some(format!("{} cannot be read ({error}); counting starts anew", path.display())),
            ),
        },
        Err(_) => (Saved::default(), None),
    }
}

fn segment_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("audit-{number:06}.jsonl"))
}

fn last_segment(folder: &Path) -> io::Result<u32> {
    let mut last = 0;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name
            .to_string_lossy()
            .strip_prefix("audit-")
            .and_then(|n| n.strip_suffix(".jsonl")?.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}

fn open_segment(path: &Path, link: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let target = Path::new("audit").join(path.file_name().unwrap_or_default());
    if fs::read_link(link).ok().as_deref() != Some(&target) {
        let temporary = link.with_extension("new");
        let _ = fs::remove_file(&temporary);
        std::os::unix::fs::symlink(&target, &temporary)?;
        fs::rename(&temporary, link)?;
    }
    Ok(file)
}

/// Names this run of the daemon.
fn boot_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
