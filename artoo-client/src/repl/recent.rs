//! The latest tasks, for whoever types the start of an id.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use artoo_protocol::v1::ListTasksRequest;

use crate::connection::DaemonConnector;
use crate::render::figures::short_id;
use crate::render::text::{fit, one_line};

/// Tasks that are kept: more fit on no menu.
const KEPT: usize = 100;
/// Ids that are offered at once.
const OFFERED: usize = 20;
/// Columns of a request beside its id.
const REQUEST_COLUMNS: usize = 40;

/// The latest tasks, the newest first: id and request.
#[derive(Debug, Default)]
pub struct RecentTasks(Mutex<VecDeque<(String, String)>>);

impl RecentTasks {
    /// Notes a task that was just accepted.
    pub fn note(&self, id: &str, request: &str) {
        let mut tasks = self.lock();
        tasks.retain(|(known, _)| known != id);
        tasks.push_front((id.to_owned(), request.to_owned()));
        tasks.truncate(KEPT);
    }

    /// Reads those of before. A conversation goes on without them.
    pub async fn read(&self, daemon: &DaemonConnector) {
        let Ok(mut client) = daemon.running().connect().await else { return };
        let request =
            ListTasksRequest { page_size: u32::try_from(KEPT).unwrap_or(u32::MAX), ..Default::default() };
        let Ok(page) = daemon.answer(client.list_tasks(request).await) else { return };
        let mut tasks = self.lock();
        for task in page.tasks {
            if !tasks.iter().any(|(id, _)| *id == task.task_id) {
                tasks.push_back((task.task_id, task.input));
            }
        }
    }

    /// Short ids that begin like this, each with its request.
    pub fn beginning_with(&self, start: &str) -> Vec<(String, String)> {
        let start = start.to_lowercase();
        let tasks = self.lock();
        let fitting = tasks.iter().filter(|(id, _)| short_id(id).starts_with(&start));
        let shown = |(id, request): &(String, String)| {
            (short_id(id).to_owned(), fit(&one_line(request), REQUEST_COLUMNS))
        };
        fitting.take(OFFERED).map(shown).collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, String)>> {
        // Whoever broke down while holding it left a list all the same.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
