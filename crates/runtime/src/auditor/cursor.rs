//! How far the journals were read.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::TaskId;
use serde::{Deserialize, Serialize};

/// Ended tasks that are remembered one by one, some 40 bytes each in the saved file. A task is overlooked after a crash
/// only if so many later ones ended between the making of its id and the first line of its journal.
const MAX_DONE: usize = 2_048;

/// How far the journals were read. `audit_stats.json` holds it, next to the statistics that came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct JournalCursor {
    /// Byte at which the next step of each unfinished task starts.
    open: BTreeMap<TaskId, u64>,
    /// Tasks after `floor` that were read to their end.
    done: BTreeSet<TaskId>,
    /// Every task up to this one, those in `open` excepted, was read to its end. Ids are ordered by time.
    floor: Option<TaskId>,
    /// Byte at which the next envelope of the system journal starts.
    system_offset: u64,
    /// Sequence of the last envelope of the system journal that was read.
    system_sequence: u64,
}

impl JournalCursor {
    /// Whether this task's journal was read to its end, or given up.
    pub(super) fn has_read(&self, task_id: TaskId) -> bool {
        let is_below = self.floor.is_some_and(|floor| task_id <= floor);
        !self.open.contains_key(&task_id) && (is_below || self.done.contains(&task_id))
    }

    /// Where to go on reading a task's journal.
    pub(super) fn offset(&self, task_id: TaskId) -> u64 {
        self.open.get(&task_id).copied().unwrap_or(0)
    }

    /// Tasks that were read in part.
    pub(super) fn open_tasks(&self) -> impl Iterator<Item = TaskId> {
        self.open.keys().copied()
    }

    /// The journal was read so far.
    pub(super) fn advance(&mut self, task_id: TaskId, offset: u64) {
        self.open.insert(task_id, offset);
    }

    /// The journal was read to its end, or is not worth another look.
    pub(super) fn close(&mut self, task_id: TaskId) {
        self.open.remove(&task_id);
        if self.floor.is_none_or(|floor| task_id > floor) {
            self.done.insert(task_id);
        }
        if self.done.len() > MAX_DONE {
            while self.done.len() > MAX_DONE / 2 {
                self.floor = self.done.pop_first();
            }
        }
    }

    /// Where to go on reading the system journal: byte, and the sequence that was read last.
    pub(super) fn system(&self) -> (u64, u64) {
        (self.system_offset, self.system_sequence)
    }

    /// Sequence of the last envelope of the system journal that was read.
    pub(super) fn system_sequence(&self) -> u64 {
        self.system_sequence
    }

    /// The system journal was read so far.
    pub(super) fn advance_system(&mut self, offset: u64, sequence: u64) {
        (self.system_offset, self.system_sequence) = (offset, sequence);
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::TaskId;
    use uuid::Uuid;

    use super::{JournalCursor, MAX_DONE};

    fn task(n: usize) -> TaskId {
        TaskId(Uuid::from_u128(n as u128))
    }

    #[test]
    fn a_task_counts_as_read_once_it_is_closed_whatever_came_after_it() {
        let mut cursor = JournalCursor::default();
        cursor.advance(task(5), 100);
        cursor.close(task(9));
        assert!(cursor.has_read(task(9)));
        for unread in [4, 5, 10] {
            assert!(!cursor.has_read(task(unread)), "{unread}");
        }
        assert_eq!((cursor.offset(task(5)), cursor.offset(task(4))), (100, 0));
        cursor.close(task(5));
        assert!(cursor.has_read(task(5)) && !cursor.has_read(task(4)));
    }

    #[test]
    fn what_is_remembered_is_bounded_and_an_open_task_stays_open() {
        let mut cursor = JournalCursor::default();
        cursor.advance(task(1), 7);
        for n in 2..4 * MAX_DONE {
            cursor.close(task(n));
            assert!(cursor.done.len() <= MAX_DONE, "{n}");
        }
        assert!((2..4 * MAX_DONE).all(|n| cursor.has_read(task(n))));
        assert!(!cursor.has_read(task(1)) && !cursor.has_read(task(4 * MAX_DONE)));
        assert_eq!(cursor.open_tasks().collect::<Vec<_>>(), [task(1)]);
        cursor.close(task(1));
        assert!(cursor.has_read(task(1)));
    }
}
