//! The thread of R5: it holds the one memory writer, and its inbox is the only way to it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use artoo_store::{Maintenance, MemoryReader, MemoryWriter};
use artoo_types::memory::{Megram, MemoryQuery, MemoryReply};
use tokio::sync::oneshot;

use crate::clock;

/// How often the Dreamer looks, when nothing else wakes it.
const DREAMER_PERIOD: Duration = Duration::from_secs(300);
/// How soon after an end of a task it looks.
const DREAMER_SETTLE: Duration = Duration::from_secs(2);
/// How long unsynced writes may wait for their sync.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// What the memory's inbox takes. Experience comes from R7 alone, as journaled megram writes.
enum Request {
    Write(Box<Megram>),
    Query(MemoryQuery, oneshot::Sender<MemoryReply>),
    TaskEnded,
    Drain(oneshot::Sender<()>),
}

/// The way to the memory's inbox. It is not bounded: a task writes some tens of megrams, each of a few hundred bytes,
/// and a write that is already journaled must not be dropped.
#[derive(Debug, Clone)]
pub struct MemoryInbox {
    requests: Sender<Request>,
}

impl MemoryInbox {
    /// Remembers; nothing waits for it.
    pub fn write(&self, megram: Megram) {
        if self.requests.send(Request::Write(Box::new(megram))).is_err() {
            tracing::error!("the memory's thread is gone; the journal still holds the write");
        }
    }

    /// What is known about the tags. A memory that cannot answer says so in the reply.
    pub async fn query(&self, query: MemoryQuery) -> MemoryReply {
        let (sender, receiver) = oneshot::channel();
        let gone = || MemoryReply {
            unavailable: Some("the memory does not answer".to_owned()),
            ..MemoryReply::default()
        };
        if self.requests.send(Request::Query(query, sender)).is_err() {
            return gone();
        }
        match tokio::time::timeout(Duration::from_secs(5), receiver).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) | Err(_) => gone(),
        }
    }

    /// A task ended: the Dreamer looks soon.
    pub fn task_ended(&self) {
        let _ = self.requests.send(Request::TaskEnded);
    }

    /// Returns when everything sent before is written and synced.
    pub async fn drain(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.requests.send(Request::Drain(sender)).is_ok() {
            let _ = receiver.await;
        }
    }
}

/// Starts the thread. It ends when the last inbox is dropped, after what is queued is written.
pub fn start(
    reader: MemoryReader,
    writer: MemoryWriter,
    dreamer: Maintenance,
) -> std::io::Result<(MemoryInbox, JoinHandle<()>)> {
    let (requests, inbox) = channel();
    let thread = std::thread::Builder::new().name("memory".to_owned()).spawn(move || {
        Memory { reader, writer, dreamer, unsynced: None, next_dream: Instant::now() + DREAMER_PERIOD }
            .run(&inbox);
    })?;
    Ok((MemoryInbox { requests }, thread))
}

struct Memory {
    reader: MemoryReader,
    writer: MemoryWriter,
    dreamer: Maintenance,
    /// When the oldest write was made that is not synced yet.
    unsynced: Option<Instant>,
    next_dream: Instant,
}

impl Memory {
    fn run(mut self, inbox: &Receiver<Request>) {
        loop {
            let until_dream = self.next_dream.saturating_duration_since(Instant::now());
            let until_flush = self.unsynced.map(|since| FLUSH_AFTER.saturating_sub(since.elapsed()));
            match inbox.recv_timeout(until_flush.unwrap_or(until_dream).min(until_dream)) {
                Ok(request) => self.serve(request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.unsynced.is_some_and(|since| since.elapsed() >= FLUSH_AFTER) {
                self.flush();
            }
            if Instant::now() >= self.next_dream {
                self.dream();
            }
        }
        self.flush();
    }

    fn serve(&mut self, request: Request) {
        match request {
            Request::Write(megram) => match self.writer.write(clock::now(), &megram) {
                Ok(_) => {
                    self.unsynced.get_or_insert_with(Instant::now);
                }
                // The journal holds it: the next start brings it in again.
                Err(error) => tracing::error!(%error, id = %megram.id, "a memory could not be written"),
            },
            Request::Query(query, reply) => {
                let _ = reply.send(self.reader.answer(clock::now(), &query));
            }
            Request::TaskEnded => self.next_dream = self.next_dream.min(Instant::now() + DREAMER_SETTLE),
            Request::Drain(done) => {
                self.flush();
                let _ = done.send(());
            }
        }
    }

    fn flush(&mut self) {
        if self.unsynced.take().is_some()
            && let Err(error) = self.writer.flush()
        {
            tracing::error!(%error, "the memory could not be synced");
        }
    }

    /// The downward flow: forgetting and demotion. Never a model call.
    fn dream(&mut self) {
        self.next_dream = Instant::now() + DREAMER_PERIOD;
        match self.dreamer.tick(clock::now()) {
            Ok(report) => {
                if report.more {
                    self.next_dream = Instant::now() + DREAMER_SETTLE;
                }
                tracing::debug!(?report, "the dreamer looked");
            }
            Err(error) => tracing::error!(%error, "the dreamer could not finish"),
        }
    }
}
