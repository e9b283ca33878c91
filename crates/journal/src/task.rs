//! The journal of one task: one line a step of its machine.

use std::path::{Path, PathBuf};

use artoo_types::TaskId;
use artoo_types::machine::StepRecordRef;

use crate::line::{self, LineHash};
use crate::line_file::{LineFile, OnDamage};
use crate::repeats::Repeats;
use crate::{AppendedLine, CrashPoint, JournalError, OpenReport};

/// The one writer of a task's journal.
///
/// An appended line survives the end of the process; a synced one survives a power loss. Only one writer may exist for
/// a task at a time; readers may follow it (see [`TaskReader`](crate::TaskReader)).
pub struct TaskJournal {
    file: LineFile,
    next_seq: u64,
}

impl TaskJournal {
    /// Makes the journal in the folder of all tasks' journals, which is made when missing. Files get mode 0600,
    /// folders 0700; the new folder entries are on the disk afterwards.
    ///
    /// # Errors
    /// [`JournalError::Exists`] when the task has a journal, else what the file system refuses.
    pub fn create(folder: &Path, task_id: TaskId, crash: CrashPoint) -> Result<Self, JournalError> {
        Ok(Self::new(LineFile::create(&task_path(folder, task_id), crash)?))
    }

    /// As [`Self::create`], without waiting for the disk: what a benchmark of everything else needs.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_unsynced(folder: &Path, task_id: TaskId, crash: CrashPoint) -> Result<Self, JournalError> {
        Ok(Self::new(LineFile::create_unsynced(&task_path(folder, task_id), crash)?))
    }

    /// Opens the journal to continue it. A torn tail is cut.
    ///
    /// # Errors
    /// [`JournalError::BadLine`] when a line before the last whole one is damaged or missing, or no line is whole: the first one was
    /// on the disk before anybody relied on it. The file stays as it is.
    pub fn open(
        folder: &Path,
        task_id: TaskId,
        crash: CrashPoint,
    ) -> Result<(Self, OpenReport), JournalError> {
        let mut next_seq = 1;
        let (mut repeats, mut at) = (Repeats::default(), 0);
        let mut in_order = |json: &str| {
            if let Ok(line) = line::unseal(json.as_bytes()) {
                repeats.take_over(&line, at);
            }
            at += json.len() as u64 + 1;
            let seq = step_number(json).ok_or("it does not start with seq")?;
            if seq != next_seq {
                return Err(format!("its seq is {seq}, {next_seq} is next"));
            }
            next_seq += 1;
            Ok(())
        };
        let path = task_path(folder, task_id);
        let (file, recovered) = LineFile::open(&path, crash, OnDamage::Refuse, &mut in_order)?;
        Ok((Self { file: file.with_references(repeats), next_seq }, recovered))
    }

    fn new(file: LineFile) -> Self {
        Self { file: file.with_references(Repeats::default()), next_seq: 1 }
    }

    /// A journal in this file, which is empty.
    #[cfg(test)]
    pub(crate) fn over(file: LineFile) -> Self {
        Self::new(file)
    }

    /// Appends one step as one line, by exactly one write call. What the journal holds already is only referred to.
    ///
    /// # Errors
    /// [`JournalError::OutOfOrder`] when the step is not the next one. After [`JournalError::Full`] the file is as it
    /// was before, and the same step may be appended again when there is room.
    pub fn append<'a>(&mut self, record: impl Into<StepRecordRef<'a>>) -> Result<AppendedLine, JournalError> {
        let record = record.into();
        if record.seq != self.next_seq {
            let path = self.file.path().to_owned();
            return Err(JournalError::OutOfOrder { path, expected: self.next_seq, got: record.seq });
        }
        assert!(!self.file.crash().breaks_at(record.seq), "a test breaks the task here");
        let appended = self.file.append(&record)?;
        self.next_seq += 1;
        Ok(appended)
    }

    /// Returns when every appended step is on the disk (`fdatasync`; on macOS `F_FULLFSYNC`).
    ///
    /// # Errors
    /// A failure is final for this journal: what is on the disk is unknown, and asking again could pretend success.
    /// Every later call is [`JournalError::Poisoned`]; only opening the journal anew reads what is there.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync()
    }

    /// The ordinal that the next step must have.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Where the next line will start, in bytes.
    pub fn end(&self) -> u64 {
        self.file.end()
    }

    /// The hash of the last line. Each line names the one before it, so this stands for the whole journal.
    pub fn head(&self) -> LineHash {
        self.file.last()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

/// The file of a task's journal in the folder of all tasks' journals.
pub fn task_path(folder: &Path, task_id: TaskId) -> PathBuf {
    folder.join(format!("{task_id}.jsonl"))
}

/// The tasks that have a journal in the folder, in the order of their ids, which is that of acceptance. Empty when the
/// folder does not exist. Files with other names are passed over.
pub fn task_ids(folder: &Path) -> Result<Vec<TaskId>, JournalError> {
    let entries = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|e| JournalError::from_io("list", folder, e))?,
    };
    let mut ids = Vec::new();
    for entry in entries {
        let name = entry.map_err(|e| JournalError::from_io("list", folder, e))?.file_name();
        let id = name.to_str().and_then(|n| n.strip_suffix(".jsonl")).and_then(parse_id);
        ids.extend(id);
    }
    ids.sort();
    Ok(ids)
}

fn parse_id(text: &str) -> Option<TaskId> {
    let id: TaskId = serde_json::from_value(serde_json::Value::from(text)).ok()?;
    // Only the one spelling that `task_path` makes names the journal again.
    (id.to_string() == text).then_some(id)
}

/// The `seq` of a step's line, which is its first field, without reading the rest.
fn step_number(json: &str) -> Option<u64> {
    let rest = json.strip_prefix("{\"seq\":")?;
    rest.split_once(',')?.0.parse().ok()
}

#[cfg(test)]
mod tests;
