//! The check of one task: its journal, its lines of the audit log, and that both say the same. Lines of other tasks count
//! where they lie between those of this one, because the chain runs through them.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use artoo_audit::chain::Head;
use artoo_journal::line::LineHash;
use artoo_journal::{Follower, JournalError};
use artoo_types::machine::StepEnvelopes;
use artoo_types::{Envelope, TaskId};
use serde::Deserialize;

/// Bad lines of one journal after which the rest of it is not read.
const MAX_BAD_LINES: usize = 16;

/// A task whose records are to be checked.
#[derive(Debug, Clone)]
pub struct AuditedTask {
    /// The task.
    pub task_id: TaskId,
    /// Its journal.
    pub journal: PathBuf,
    /// Whether it still grows.
    pub stage: JournalStage,
    /// The auditor has read it to its end, so that every message has its line.
    pub is_read: bool,
}

/// Whether a journal still grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalStage {
    /// Somebody may write to it.
    Growing,
    /// Its task has ended, with this last line where that was noted.
    Ended(Option<LineHash>),
}

/// A message as both records have it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RecordedMessage {
    kind: String,
    from: String,
    to: String,
}

/// What a line of the log says of a task.
#[derive(Debug, Deserialize)]
struct TaskLine {
    event: String,
    #[serde(default)]
    task_id: Option<TaskId>,
    #[serde(default)]
    sequence: u64,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

/// The lines of one task, collected while the log is read from its beginning.
#[derive(Debug)]
pub(super) struct TaskLines {
    task_id: TaskId,
    spelled: String,
    /// What the log says, by sequence; more than one for a message that is in it twice.
    messages: BTreeMap<u64, Vec<RecordedMessage>>,
    pub(super) lines: u64,
    pub(super) head: Head,
    /// What is wrong since the last line of the task: it counts when another one follows.
    suspended: Vec<String>,
    pub(super) findings: Vec<String>,
    /// Segments that hold lines of the task.
    pub(super) segments: Vec<u32>,
}

impl TaskLines {
    pub(super) fn of(task_id: TaskId) -> Self {
        Self {
            task_id,
            spelled: task_id.to_string(),
            messages: BTreeMap::new(),
            lines: 0,
            head: Head::default(),
            suspended: Vec::new(),
            findings: Vec::new(),
            segments: Vec::new(),
        }
    }

    /// Takes in a line, and what is wrong with it, if anything.
    pub(super) fn see(&mut self, line: &str, segment: u32, checked: &Result<&Head, String>) {
        let names_task = line.contains(&self.spelled);
        let read = names_task.then(|| serde_json::from_str::<TaskLine>(line).ok()).flatten();
        let own = read.filter(|read| read.task_id == Some(self.task_id));
        let wrong = checked.as_ref().err();
        if own.is_none() && !(names_task && wrong.is_some()) {
            // Before the first line of the task nothing is its business.
            if self.lines > 0 {
                self.suspended.extend(wrong.cloned());
            }
            return;
        }
        self.findings.append(&mut self.suspended);
        self.findings.extend(wrong.cloned());
        self.lines += 1;
        if self.segments.last() != Some(&segment) {
            self.segments.push(segment);
        }
        if let Ok(head) = checked {
            self.head = (*head).clone();
        }
        if let Some(own) = own.filter(|own| own.event == "message") {
            let said = RecordedMessage { kind: own.kind, from: own.from, to: own.to };
            self.messages.entry(own.sequence).or_default().push(said);
        }
    }

    /// Compares with the journal. `begins_late`: the oldest lines of the log are deleted, and a record says so.
    pub(super) fn compare(mut self, task: &AuditedTask, begins_late: bool) -> io::Result<Self> {
        let journaled = self.read_journal(task)?;
        let first = self.messages.keys().next().copied();
        let last = self.messages.keys().next_back().copied().unwrap_or(0);
        for (sequence, (kind, said)) in journaled.iter().map(|(s, said)| (s, (&said.kind, said))) {
            let logged = self.messages.remove(sequence).unwrap_or_default();
            let is_due = task.is_read || *sequence <= last;
            let is_deleted = begins_late && first.is_none_or(|first| *sequence < first);
            match logged.as_slice() {
                [] if is_due && !is_deleted => self.findings.push(format!(
                    "message {sequence} ({kind}) is in the task's journal and not in the audit log"
                )),
                [] => {}
                [one] if one == said => {}
                [one] => self.findings.push(format!(
                    "message {sequence} is {kind} from {} to {} in the task's journal, and {} from {} to {} in the audit log",
                    said.from, said.to, one.kind, one.from, one.to
                )),
                several => {
                    let times = several.len();
                    self.findings.push(format!("message {sequence} ({kind}) is {times} times in the audit log"));
                }
            }
        }
        for (sequence, logged) in &self.messages {
            let kind = logged.first().map_or("", |said| said.kind.as_str());
            self.findings.push(format!(
                "message {sequence} ({kind}) is in the audit log and not in the task's journal"
            ));
        }
        Ok(self)
    }

    /// The messages of the journal; what is wrong with the journal itself becomes findings.
    fn read_journal(&mut self, task: &AuditedTask) -> io::Result<BTreeMap<u64, RecordedMessage>> {
        let mut found = BTreeMap::new();
        let mut steps: Follower<StepEnvelopes> = match Follower::open(&task.journal, 0) {
            Err(JournalError::Missing { .. }) => {
                return Err(io::Error::new(ErrorKind::InvalidInput, "the task's journal is deleted"));
            }
            opened => opened.map_err(|error| broken(&error))?,
        };
        let mut bad_lines = 0;
        loop {
            match steps.next_record() {
                Ok(Some(step)) => found.extend(step.envelopes.iter().map(recorded)),
                Ok(None) => break,
                Err(JournalError::BadLine(bad)) if bad_lines < MAX_BAD_LINES => {
                    bad_lines += 1;
                    self.findings.push(format!("the task's journal: {bad}"));
                }
                Err(error) => return Err(broken(&error)),
            }
        }
        let JournalStage::Ended(noted) = task.stage else { return Ok(found) };
        match steps.check_end() {
            Ok(()) => {}
            Err(JournalError::BadLine(bad)) => self.findings.push(format!("the task's journal: {bad}")),
            Err(error) => return Err(broken(&error)),
        }
        if bad_lines == 0 && noted.is_some_and(|noted| steps.head() != Some(noted)) {
            let said = "the task's journal is whole, but it is not the one that the task ended with: it was rewritten";
            self.findings.push(said.to_owned());
        }
        Ok(found)
    }
}

fn recorded(envelope: &Envelope) -> (u64, RecordedMessage) {
    let said = RecordedMessage {
        kind: envelope.payload.kind().as_str().to_owned(),
        from: envelope.from.as_str().to_owned(),
        to: envelope.to.as_str().to_owned(),
    };
    (envelope.sequence, said)
}

fn broken(error: &JournalError) -> io::Error {
    io::Error::other(error.to_string())
}
