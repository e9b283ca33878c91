//! What the index of accepted tasks tells about tasks that came before.

use artoo_journal::line::LineHash;
use artoo_journal::{Ended, JournalError, task_path};
use artoo_task::view::TaskView;
use artoo_types::{TaskId, Timestamp};

use super::registry::Tasks;
use crate::clock;

/// How long the id of a request stands for its task at least, in milliseconds: 30 days. Seven are promised; the rest is
/// for clocks that jump. An entry whose journal is still there is never forgotten.
const KEYS_KEPT_MS: i64 = 30 * 24 * 3_600 * 1_000;

impl Tasks {
    /// Forgets requests that are old and whose journals are gone, so that the index does not grow for ever. Returns how
    /// many. It writes the index anew when there are any, so it belongs on a thread that may wait.
    ///
    /// # Errors
    /// When the index cannot be written; then nothing is forgotten.
    pub fn forget_old(&self) -> Result<usize, JournalError> {
        let before = Timestamp(clock::now().0.saturating_sub(KEYS_KEPT_MS));
        let journals = &self.shared.config.journals;
        let gone = |task_id| matches!(task_path(journals, task_id).try_exists(), Ok(false));
        self.shared.index.forget(before, gone)
    }

    /// Marks a task as ended that the index does not know to be. `head` is the hash of its journal's last line.
    pub(super) fn mark_ended(&self, view: &TaskView, head: LineHash) {
        if let (Some(result), Some(at)) = (&view.result, view.ended_at) {
            let (directive, reason) = (result.directive, result.reason);
            let mark = Ended { task_id: view.task_id, at, directive, reason, head: Some(head) };
            if let Err(error) = self.shared.index.ended(mark) {
                // The journal has the end; the mark only saves opening it.
                tracing::warn!(%error, "the end of a task is not in the index");
            }
        }
    }

    /// Tasks that are not known to have ended.
    pub(super) fn unfinished(&self) -> Vec<TaskId> {
        self.shared.index.unfinished()
    }

    /// Takes the pairs of an ended task into its session, at the start.
    pub(super) fn remember_session(&self, view: &TaskView) {
        self.state().sessions.ended(view);
    }

    /// The last `most` tasks, and further ones that ended after `since`, or up to `within_ms` before it; without it the
    /// last end is meant. The bounds on journals of old tasks bound this too.
    pub(super) fn latest(&self, most: usize, since: Option<Timestamp>, within_ms: u64) -> Vec<TaskId> {
        self.shared.index.read(|tasks| {
            let last = tasks.iter().filter_map(|t| t.ended.map(|e| e.at)).max();
            let since = last.map(|last| since.map_or(last, |since| since.min(last)));
            let is_late = |at: Timestamp| since.is_some_and(|since| since.since_ms(at) <= within_ms);
            let all = tasks.iter().rev().enumerate();
            all.filter(|(i, t)| *i < most || t.ended.is_some_and(|e| is_late(e.at)))
                .map(|(_, t)| t.accepted.task_id)
                .collect()
        })
    }

    /// The last tasks of sessions, oldest first: what a restart reads to know the sessions again.
    pub(super) fn session_tasks(&self, most: usize) -> Vec<TaskId> {
        let mut ids: Vec<TaskId> = self.shared.index.read(|tasks| {
            tasks
                .iter()
                .rev()
                .filter(|t| !t.accepted.session_id.is_empty() && t.ended.is_some())
                .take(most)
                .map(|t| t.accepted.task_id)
                .collect()
        });
        ids.reverse();
        ids
    }
}
