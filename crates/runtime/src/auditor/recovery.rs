//! What a start finds of the log: where it ended, which messages are in it although the saved cursor does not know, and
//! whether it is as it was left.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use artoo_audit::Auditor;
use artoo_audit::verify::{Flaw, Verifier};
use artoo_types::TaskId;
use artoo_types::operator::{AuditHead, AuditReport};
use serde::{Deserialize, Serialize};

use super::cursor::JournalCursor;
use super::segment::{self, LineFields, WholeLines};

/// The form of what is saved. Another one is not read; the journals are, again.
const FORM: u32 = 2;

/// What `audit_stats.json` holds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedState {
    form: u32,
    /// Statistics.
    pub(super) auditor: Auditor,
    /// Number of the live segment.
    pub(super) segment: u32,
    /// Its length when this was saved.
    pub(super) segment_bytes: u64,
    /// The last line then.
    pub(super) head: AuditHead,
    /// How far the journals were read.
    pub(super) cursor: JournalCursor,
    /// A report that was made and may not have been published yet.
    pub(super) pending: Option<AuditReport>,
    /// What the log holds although the cursor does not know.
    pub(super) written: LoggedMessages,
}

impl SavedState {
    fn new() -> Self {
        Self { form: FORM, ..Self::default() }
    }

    /// The saved state, or none with the reason when it was there and cannot be used.
    pub(super) fn load(path: &Path) -> Result<Option<Self>, String> {
        let wrong = |why: &str| {
            format!("{} {why}; statistics start anew with the journals that are left", path.display())
        };
        match fs::read(path) {
            Ok(bytes) => match serde_json::from_slice::<Self>(&bytes) {
                Ok(saved) if saved.form == FORM => Ok(Some(saved)),
                Ok(_) => Err(wrong("is of another version")),
                Err(error) => Err(wrong(&format!("cannot be read ({error})"))),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(&format!("cannot be read ({error})"))),
        }
    }
}

/// Messages that are in the log although the cursor does not know: written shortly before a crash. Each task's messages
/// are in the order of their sequence, so that the last one and the number of its lines say it all.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LoggedMessages {
    tasks: BTreeMap<TaskId, LastLogged>,
    system: LastLogged,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LastLogged {
    sequence: u64,
    lines: usize,
}

impl LoggedMessages {
    fn note(&mut self, task_id: Option<TaskId>, sequence: u64) {
        // Lines without a sequence come of no message, and are not written again.
        if sequence == 0 {
            return;
        }
        let last = match task_id {
            Some(task_id) => self.tasks.entry(task_id).or_default(),
            None => &mut self.system,
        };
        if sequence > last.sequence {
            *last = LastLogged { sequence, lines: 1 };
        } else if sequence == last.sequence {
            last.lines += 1;
        }
    }

    /// How many of the lines of this message, which comes now, are in the log already.
    pub(super) fn lines_of(&mut self, task_id: Option<TaskId>, sequence: u64) -> usize {
        let last = match task_id {
            Some(task_id) => self.tasks.get(&task_id).copied().unwrap_or_default(),
            None => self.system,
        };
        if sequence < last.sequence {
            return usize::MAX;
        }
        match task_id {
            Some(task_id) => drop(self.tasks.remove(&task_id)),
            None => self.system = LastLogged::default(),
        }
        if sequence == last.sequence { last.lines } else { 0 }
    }

    /// Everything that there is was read: what is left is of journals that are gone.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Where the log goes on.
pub(super) struct RecoveredLog {
    pub(super) saved: SavedState,
    /// The line that the next one follows.
    pub(super) head: AuditHead,
    /// Length of the live segment up to its last whole line.
    pub(super) bytes: u64,
    /// What is not as it was left. Then a new segment begins, and the old one stays as it is.
    pub(super) damage: Vec<String>,
    /// A line that a crash cut short, beyond everything that was on the disk for sure: file, and length without it.
    pub(super) torn: Option<(PathBuf, u64)>,
}

/// Looks at the segments in `folder`. `anchored` is the last head that was recorded outside of them.
pub(super) fn recover(folder: &Path, stats: &Path, anchored: &AuditHead) -> io::Result<RecoveredLog> {
    let numbers = segment::numbers(folder)?;
    let (loaded, mut damage) = match SavedState::load(stats) {
        Ok(loaded) => (loaded, Vec::new()),
        Err(why) => (None, vec![why]),
    };
    if loaded.is_none() && damage.is_empty() && !numbers.is_empty() {
        damage.push(format!(
            "{} is gone; statistics start anew with the journals that are left",
            stats.display()
        ));
    }
    // Without the saved state the whole log tells what is in it.
    let verifier = loaded.as_ref().map_or_else(Verifier::new, |saved| Verifier::after(saved.head.clone()));
    let mut saved = loaded.unwrap_or_else(SavedState::new);
    let written = std::mem::take(&mut saved.written);
    let mut tail = LogTail { written, verifier, damage, torn: None, bytes: 0 };
    if saved.segment > 0 && !numbers.contains(&saved.segment) {
        tail.damage.push(format!("{} is gone", segment::name(saved.segment)));
    }
    for number in numbers.iter().copied().filter(|number| *number >= saved.segment) {
        let from = if number == saved.segment { saved.segment_bytes } else { 0 };
        tail.read(folder, number, from, Some(&number) == numbers.last())?;
    }
    let mut head = tail.verifier.head().clone();
    for known in [&saved.head, anchored] {
        if known.seq > head.seq {
            tail.damage.push(format!(
                "the log ends with line {}, but line {} was in it: its end was cut off",
                head.seq, known.seq
            ));
            head = known.clone();
        }
    }
    saved.segment = saved.segment.max(numbers.last().copied().unwrap_or(0)).max(1);
    let LogTail { written, damage, torn, bytes, .. } = tail;
    saved.written = written;
    Ok(RecoveredLog { saved, head, bytes, damage, torn })
}

/// What was written after the state was saved.
struct LogTail {
    written: LoggedMessages,
    verifier: Verifier,
    damage: Vec<String>,
    torn: Option<(PathBuf, u64)>,
    /// Length of the segment that was read last.
    bytes: u64,
}

impl LogTail {
    fn read(&mut self, folder: &Path, number: u32, from: u64, is_last: bool) -> io::Result<()> {
        let path = segment::path(folder, number);
        let name = segment::name(number);
        let length = fs::metadata(&path)?.len();
        self.bytes = length;
        if length < from {
            self.damage.push(format!("{name} is shorter than it was: {length} of {from} bytes"));
            return Ok(());
        }
        self.verifier.next_segment();
        let mut lines = WholeLines::open(&path, from)?;
        let mut is_sound = true;
        while let Some(line) = lines.next_line()? {
            if let Err(bad) = self.verifier.check(line)
                && is_sound
            {
                is_sound = false;
                let fault = bad.fault;
                self.damage.push(format!("{name}: a line that was written last {fault}"));
            }
            if let Some(fields) =
                LineFields::read(line).filter(|f| f.event == "message" || f.event == "finding")
            {
                self.written.note(fields.task_id, fields.sequence);
            }
        }
        self.bytes = lines.offset();
        if lines.rest() > 0 {
            let rest = lines.rest();
            self.damage
                .push(format!("{name} ended in the middle of a line, as a crash leaves it: {rest} bytes"));
            self.torn = is_last.then_some((path, lines.offset()));
        }
        Ok(())
    }
}

/// What is wrong with a segment up to the line that was last when its state was saved; `anchors` are heads that were
/// recorded elsewhere. None when all is well.
pub(super) fn examine(
    path: &Path,
    end: &AuditHead,
    anchors: impl IntoIterator<Item = AuditHead>,
) -> io::Result<Option<String>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let up_to_end = anchors.into_iter().filter(|anchor| anchor.seq <= end.seq).chain([end.clone()]);
    let mut verifier = Verifier::new().with_anchors(up_to_end);
    let mut lines = WholeLines::open(path, 0)?;
    let mut is_empty = true;
    while let Some(line) = lines.next_line()? {
        is_empty = false;
        if let Err(bad) = verifier.check(line) {
            return Ok(Some(format!("{name}: {bad}")));
        }
        if verifier.head().seq >= end.seq {
            break;
        }
    }
    if is_empty {
        return Ok(None);
    }
    // What lies before this segment is not looked at here.
    let flaw = verifier.finish().1.into_iter().find(|flaw| !matches!(flaw, Flaw::NoBeginning { .. }));
    Ok(flaw.map(|flaw| format!("{name}: {flaw}")))
}
