//! Which tasks were accepted, and how they ended, without opening their journals.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use artoo_types::control::{Ending, Reason};
use artoo_types::{TaskId, Timestamp};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::line::LineHash;
use crate::line_file::LineFile;
use crate::rewrite::{remove_unfinished, rewrite};
use crate::{CrashPoint, JournalError, OpenReport};

/// A task as it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptRecord {
    /// The task.
    pub task_id: TaskId,
    /// The caller's idempotency key, or empty.
    pub request_id: String,
    /// Digest of the request's content: the same key with another digest is another request.
    pub request_hash: String,
    /// The session, or empty.
    pub session_id: String,
    /// When.
    pub accepted_at: Timestamp,
    /// What a list of tasks shows, redacted and cut by the caller; empty when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
}

/// The end of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRecord {
    /// The task.
    pub task_id: TaskId,
    /// When.
    pub at: Timestamp,
    /// accept, success or abandon.
    pub directive: Ending,
    /// Why.
    pub reason: Reason,
    /// The hash of its journal's last line. It is kept here, outside the journal, so that a journal that was changed and
    /// sealed again is not the one that the task ended with. None in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<LineHash>,
}

/// A task in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedTask {
    /// How it began.
    pub accepted: AcceptRecord,
    /// How it ended; none while it is not known to have ended.
    pub ended: Option<EndRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case")]
enum IndexLine {
    Accepted(AcceptRecord),
    Ended(EndRecord),
}

/// The index of accepted tasks, `accept.jsonl`: which requests became which tasks, and how those ended.
///
/// A task's journal is made and synced before [`accept`](Self::accept) is called; so an entry always has a journal until
/// [`forget`](Self::forget) is asked about one that is gone, and a journal without an entry belongs to a request that was
/// never acknowledged. Looking things up never waits for the disk: a group of requests is synced beside what is known,
/// and becomes known afterwards.
pub struct AcceptIndex {
    /// The one writer. Whoever needs both takes this first.
    log: Mutex<Log>,
    known: Mutex<Entries>,
}

struct Log {
    file: LineFile,
    crash: CrashPoint,
    /// Some lines could not be read. Then the file is evidence, and is never written anew.
    damaged: bool,
}

#[derive(Default)]
struct Entries {
    tasks: Vec<AcceptedTask>,
    by_task: HashMap<TaskId, usize>,
    by_request: HashMap<String, usize>,
}

impl AcceptIndex {
    /// Opens the index at `path`, or makes it. A torn tail is cut. Lines that are damaged are listed and left out, the
    /// others hold: each stands for itself. What an interrupted [`forget`](Self::forget) left behind is removed.
    ///
    /// # Errors
    /// When the file cannot be read or made.
    pub fn open(path: &Path, crash: CrashPoint) -> Result<(Self, OpenReport), JournalError> {
        remove_unfinished(path)?;
        let mut known = Entries::default();
        let mut take = |json: &str| {
            let line: IndexLine = serde_json::from_str(json).map_err(|e| e.to_string())?;
            let taken = match line {
                IndexLine::Accepted(accepted) => known.accept(accepted),
                IndexLine::Ended(ended) => known.end(ended),
            };
            taken.map_err(|e| e.to_string())
        };
        let (file, recovered) = LineFile::open_or_create(path, crash.clone(), &mut take)?;
        let log = Log { file, crash, damaged: !recovered.bad_lines.is_empty() };
        Ok((Self { log: Mutex::new(log), known: Mutex::new(known) }, recovered))
    }

    /// Notes a group of accepted tasks down with one sync for all of them; they are on the disk when this returns. With
    /// `sync` false nothing is waited for: what a benchmark of everything else needs. One result for each, in order:
    /// [`JournalError::AlreadyAccepted`] for a task or request id that is known, also from earlier in the group, and
    /// [`JournalError::Full`] for what there was no room for.
    ///
    /// # Errors
    /// When the sync fails, none of the group is accepted: its lines are taken back as far as the disk lets that happen,
    /// and the index takes nothing any more (see [`TaskJournal::sync`](crate::TaskJournal::sync)).
    pub fn accept(
        &self,
        group: Vec<AcceptRecord>,
        sync: bool,
    ) -> Result<Vec<Result<(), JournalError>>, JournalError> {
        let mut log = self.log.lock();
        let start = log.file.end();
        let mut taken = Entries::default();
        let append = |accepted: AcceptRecord| {
            self.known.lock().check_new(&accepted)?;
            taken.check_new(&accepted)?;
            log.file.append(&IndexLine::Accepted(accepted.clone()))?;
            taken.accept(accepted)
        };
        let results = group.into_iter().map(append).collect();
        if sync && !taken.tasks.is_empty() {
            let synced = log.file.sync();
            synced.inspect_err(|_| log.file.take_back(start))?;
        }
        let mut known = self.known.lock();
        taken.tasks.into_iter().for_each(|task| known.insert(task));
        Ok(results)
    }

    /// Notes the end of a task. It is not synced: should it be lost, the task's journal still ends with its result.
    /// The first end of a task stays; a later one changes nothing.
    ///
    /// # Errors
    /// [`JournalError::UnknownTask`] when the task was not accepted.
    pub fn ended(&self, ended: EndRecord) -> Result<(), JournalError> {
        let mut log = self.log.lock();
        match self.get(ended.task_id) {
            None => Err(JournalError::UnknownTask(ended.task_id)),
            Some(task) if task.ended.is_some() => Ok(()),
            Some(_) => {
                // Known at once, whatever becomes of the line: the journal has the end.
                self.known.lock().end(ended)?;
                log.file.append(&IndexLine::Ended(ended)).map(|_| ())
            }
        }
    }

    /// Forgets the tasks that were accepted before `before` and whose journal is `gone`: their requests' ids are free
    /// again. The file is written anew beside the old one, synced, and put in its place by a rename, so that a crash
    /// leaves one or the other. Returns how many tasks were forgotten. An index with damaged lines is left as it is.
    ///
    /// # Errors
    /// What the disk refuses: then nothing is forgotten. When the rename alone cannot be synced, nobody knows which of
    /// the two files a power loss leaves, and the index takes nothing any more.
    pub fn forget(&self, before: Timestamp, gone: impl Fn(TaskId) -> bool) -> Result<usize, JournalError> {
        let is_old = |t: &&AcceptedTask| t.accepted.accepted_at < before;
        let old: Vec<TaskId> =
            self.read(|tasks| tasks.iter().filter(is_old).map(|t| t.accepted.task_id).collect());
        let forgotten: HashSet<TaskId> = old.into_iter().filter(|id| gone(*id)).collect();
        let mut log = self.log.lock();
        if log.damaged || forgotten.is_empty() {
            return Ok(0);
        }
        let stays = |t: &&AcceptedTask| !forgotten.contains(&t.accepted.task_id);
        let kept: Vec<AcceptedTask> = self.read(|tasks| tasks.iter().filter(stays).cloned().collect());
        let rewritten = log.rewrite(&kept)?;
        let mut known = Entries::default();
        kept.into_iter().for_each(|task| known.insert(task));
        *self.known.lock() = known;
        rewritten.map(|()| forgotten.len())
    }

    /// The task that was accepted for this idempotency key; none for the empty key.
    pub fn find(&self, request_id: &str) -> Option<AcceptedTask> {
        let known = self.known.lock();
        known.by_request.get(request_id).map(|i| known.tasks[*i].clone())
    }

    /// The task.
    pub fn get(&self, task_id: TaskId) -> Option<AcceptedTask> {
        let known = self.known.lock();
        known.by_task.get(&task_id).map(|i| known.tasks[*i].clone())
    }

    /// Reads every task in the order of acceptance. `look` should be quick: others wait meanwhile.
    pub fn read<T>(&self, look: impl FnOnce(&[AcceptedTask]) -> T) -> T {
        look(&self.known.lock().tasks)
    }

    /// The tasks that are not known to have ended, in the order of acceptance: those to resume.
    pub fn unfinished(&self) -> Vec<TaskId> {
        let unfinished = |t: &&AcceptedTask| t.ended.is_none();
        self.read(|tasks| tasks.iter().filter(unfinished).map(|t| t.accepted.task_id).collect())
    }
}

impl Log {
    /// Puts a file that holds these tasks alone into the place of the log. The inner result says whether that is durable;
    /// when it is not, the log is closed.
    fn rewrite(&mut self, tasks: &[AcceptedTask]) -> Result<Result<(), JournalError>, JournalError> {
        let path = self.file.path().to_owned();
        let (file, durable) = rewrite(&path, self.crash.clone(), |file| {
            for task in tasks {
                file.append(&IndexLine::Accepted(task.accepted.clone()))?;
                if let Some(ended) = task.ended {
                    file.append(&IndexLine::Ended(ended))?;
                }
            }
            Ok(())
        })?;
        self.file = file;
        Ok(durable)
    }
}

impl Entries {
    fn check_new(&self, accepted: &AcceptRecord) -> Result<(), JournalError> {
        let known = self.by_task.contains_key(&accepted.task_id)
            || self.by_request.contains_key(&accepted.request_id);
        if known { Err(JournalError::AlreadyAccepted(accepted.task_id)) } else { Ok(()) }
    }

    fn accept(&mut self, accepted: AcceptRecord) -> Result<(), JournalError> {
        self.check_new(&accepted)?;
        self.insert(AcceptedTask { accepted, ended: None });
        Ok(())
    }

    fn insert(&mut self, task: AcceptedTask) {
        let index = self.tasks.len();
        self.by_task.insert(task.accepted.task_id, index);
        if !task.accepted.request_id.is_empty() {
            self.by_request.insert(task.accepted.request_id.clone(), index);
        }
        self.tasks.push(task);
    }

    fn end(&mut self, ended: EndRecord) -> Result<(), JournalError> {
        let index = self.by_task.get(&ended.task_id).ok_or(JournalError::UnknownTask(ended.task_id))?;
        self.tasks[*index].ended.get_or_insert(ended);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
