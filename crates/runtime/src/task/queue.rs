//! Requests that wait to be accepted, and the turn to accept the next batch of them.

use std::collections::{HashSet, VecDeque};

use artoo_types::TaskId;
use artoo_types::task::TaskSubmitted;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use super::error::TaskError;

/// Requests that are made durable together. The first of a batch waits for the last; with more, tasks that could run
/// already would wait for longer than a sync takes.
const MAX_BATCH: usize = 32;

/// An accepted request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// The task.
    pub task_id: TaskId,
    /// The same request had been accepted before.
    pub already_known: bool,
}

/// Requests that wait to be made durable. The server bounds how many can wait by the calls that it lets in.
#[derive(Default)]
pub(super) struct SubmissionQueue {
    waiting: Mutex<VecDeque<WaitingRequest>>,
    /// Held by the caller that accepts a batch: its own request, and those of others that wait.
    pub(super) turn: tokio::sync::Mutex<()>,
}

/// A checked request, and where its caller is answered.
pub(super) struct WaitingRequest {
    pub(super) submitted: TaskSubmitted,
    pub(super) request_hash: String,
    pub(super) reply: Reply,
}

/// Where the caller of one request is answered. A caller that has given up finds the task by its request's id.
pub(super) struct Reply(oneshot::Sender<Result<Accepted, TaskError>>);

/// What a caller waits for.
pub(super) type Replied = oneshot::Receiver<Result<Accepted, TaskError>>;

impl Reply {
    /// Answers the caller.
    pub(super) fn send(self, outcome: Result<Accepted, TaskError>) {
        let _ = self.0.send(outcome);
    }
}

impl SubmissionQueue {
    /// Adds a request at the end.
    pub(super) fn push(&self, submitted: TaskSubmitted, request_hash: String) -> Replied {
        let (reply, replied) = oneshot::channel();
        self.waiting().push_back(WaitingRequest { submitted, request_hash, reply: Reply(reply) });
        replied
    }

    /// The next requests, at most [`MAX_BATCH`], without those whose caller has given up. Of requests with the same id
    /// only the first is among them: what becomes of the others depends on it.
    pub(super) fn next_batch(&self) -> Vec<WaitingRequest> {
        let mut waiting = self.waiting();
        let (mut batch, mut later) = (Vec::new(), VecDeque::new());
        let mut ids = HashSet::new();
        while batch.len() < MAX_BATCH
            && let Some(request) = waiting.pop_front()
        {
            let id = &request.submitted.request_id;
            if request.reply.0.is_closed() {
                continue;
            }
            if id.is_empty() || ids.insert(id.clone()) {
                batch.push(request);
            } else {
                later.push_back(request);
            }
        }
        later.append(&mut waiting);
        *waiting = later;
        batch
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<WaitingRequest>> {
        self.waiting.lock()
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::task::TaskOptions;

    use super::*;

    fn push(queue: &SubmissionQueue, request_id: &str) -> Replied {
        let submitted = TaskSubmitted {
            input: "think".to_owned(),
            session_id: String::new(),
            request_id: request_id.to_owned(),
            working_directory: "/".to_owned(),
            options: TaskOptions::default(),
        };
        queue.push(submitted, String::new())
    }

    #[test]
    fn a_batch_holds_each_id_once_in_order_and_nobody_who_gave_up() {
        let queue = SubmissionQueue::default();
        let names = ["a", "gone", "", "a", "b", "", "b", "a"];
        let mut callers = Vec::new();
        for name in names {
            let caller = push(&queue, name);
            callers.extend((name != "gone").then_some(caller));
        }
        let taken = || -> Vec<String> {
            queue.next_batch().into_iter().map(|request| request.submitted.request_id).collect()
        };
        assert_eq!(taken(), ["a", "", "b", ""]);
        assert_eq!(taken(), ["a", "b"]);
        assert_eq!(taken(), ["a"]);
        assert_eq!(taken(), [""; 0]);

        let _callers: Vec<Replied> = (0..MAX_BATCH + 3).map(|_| push(&queue, "")).collect();
        assert_eq!([queue.next_batch().len(), queue.next_batch().len()], [MAX_BATCH, 3]);
    }
}
