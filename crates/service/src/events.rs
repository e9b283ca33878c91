//! Streams of events: one task from any point on, or all tasks from now on.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use artoo_bus::Delivery;
use artoo_protocol::v1;
use artoo_protocol::v1::event::Payload;
use artoo_types::TaskId;
use artoo_types::envelope::Role;
use artoo_types::operator::Lagged;
use futures_util::stream::unfold;
use tonic::Status;

use super::service::{Calls, ResponseStream, blocking};
use super::shutdown::ShutdownSignal;
use super::{convert, errors, fields};
use artoo_runtime::clock;
use artoo_runtime::health::{Concern, Health};
use artoo_runtime::live::LiveReader;
use artoo_runtime::system::SystemBus;
use artoo_runtime::task::TaskStream;

/// Heartbeats that can be asked for. More often they would cost more than they tell; more seldom nobody would wait.
const HEARTBEAT_MS: RangeInclusive<u32> = 100..=60_000;
/// PendingGaps of one reader are put on record at most this often: a reader that is slow for long must not fill the journal.
const RECORD_EVERY: Duration = Duration::from_secs(1);

/// The events that a request asks for.
pub(super) async fn stream_events(
    calls: &Calls,
    request: v1::StreamEventsRequest,
) -> Result<ResponseStream<v1::StreamEventsResponse>, Status> {
    let pulse = HeartbeatInterval::of(request.heartbeat_ms)?;
    if request.task_id.is_empty() {
        if request.after_sequence != 0 {
            return Err(errors::invalid(
                "after_sequence",
                "the live stream of all tasks has no past; leave it 0, or name a task_id",
            ));
        }
        let reader = calls.parts.live.subscribe();
        return Ok(live(reader, calls.parts.system.clone(), calls.stop.clone(), pulse));
    }
    let task_id = fields::task_id(&request.task_id)?;
    let tasks = calls.parts.tasks.clone();
    let events = blocking(move || {
        let events = tasks.events(task_id, request.after_sequence, request.follow);
        events.map_err(|error| errors::of_stream(&error))
    });
    let stopped = StreamEnd { task_id, health: calls.parts.health.clone() };
    Ok(of_task(events.await?, calls.stop.clone(), stopped, pulse))
}

/// How long a stream may be quiet before it says that it is alive.
#[derive(Debug, Clone, Copy)]
struct HeartbeatInterval(Option<Duration>);

impl HeartbeatInterval {
    fn of(heartbeat_ms: u32) -> Result<Self, Status> {
        match heartbeat_ms {
            0 => Ok(Self(None)),
            ms if HEARTBEAT_MS.contains(&ms) => Ok(Self(Some(Duration::from_millis(ms.into())))),
            other => Err(errors::invalid(
                "heartbeat_ms",
                &format!(
                    "{other} ms is not between {} and {}; 0 asks for no heartbeats",
                    HEARTBEAT_MS.start(),
                    HEARTBEAT_MS.end()
                ),
            )),
        }
    }

    /// Returns when it is time to say something. A new wait starts with each answer, so that a busy stream has none.
    async fn beat(self) {
        match self.0 {
            Some(every) => tokio::time::sleep(every).await,
            None => std::future::pending().await,
        }
    }
}

/// Tells why a task gives no more events although it has not ended.
struct StreamEnd {
    task_id: TaskId,
    health: Health,
}

impl StreamEnd {
    fn why(&self) -> Status {
        match self.health.said_of(&Concern::Journal(self.task_id)) {
            Some(what) => errors::not_now("TASK_DAMAGED", "", &what),
            None => errors::shutting_down(),
        }
    }
}

/// What is on the disk comes first, even while the daemon goes down; then the stream ends.
fn of_task(
    events: TaskStream,
    stop: ShutdownSignal,
    stopped: StreamEnd,
    pulse: HeartbeatInterval,
) -> ResponseStream<v1::StreamEventsResponse> {
    Box::pin(unfold(Some((events, stop, stopped)), move |open| async move {
        let (mut events, mut stop, stopped) = open?;
        tokio::select! {
            biased;
            next = events.next() => match next {
                Ok(Some(envelope)) => Some((Ok(response(convert::event(&envelope))), Some((events, stop, stopped)))),
                Ok(None) if events.is_complete() => None,
                Ok(None) => Some((Err(stopped.why()), None)),
                Err(error) => Some((Err(errors::of_journal(&error)), None)),
            },
            () = stop.wait() => Some((Err(errors::shutting_down()), None)),
            () = pulse.beat() => Some((Ok(heartbeat(events.latest_sequence())), Some((events, stop, stopped)))),
        }
    }))
}

/// Everything from now on, with marks where this reader was too slow.
fn live(
    reader: LiveReader,
    system: SystemBus,
    stop: ShutdownSignal,
    pulse: HeartbeatInterval,
) -> ResponseStream<v1::StreamEventsResponse> {
    let gaps = GapRecorder { gaps: PendingGaps::default(), system };
    Box::pin(unfold(Some((reader, gaps, stop)), move |open| async move {
        let (reader, mut gaps, mut stop) = open?;
        let answer = tokio::select! {
            biased;
            delivery = reader.next() => match delivery {
                Delivery::Item(envelope) => response(convert::event(&envelope)),
                Delivery::Lagged { from, to } => {
                    gaps.note(from, to);
                    response(gap(from, to))
                }
            },
            () = stop.wait() => return Some((Err(errors::shutting_down()), None)),
            () = pulse.beat() => heartbeat(0),
        };
        Some((Ok(answer), Some((reader, gaps, stop))))
    }))
}

/// The mark of a gap. It stands in this stream alone, so it has no sequence and no id.
fn gap(from: u64, to: u64) -> v1::Event {
    v1::Event {
        time: Some(convert::timestamp(clock::now())),
        from: Role::Runtime.as_str().to_owned(),
        to: Role::User.as_str().to_owned(),
        payload: Some(Payload::Lagged(v1::Lagged { from, to })),
        ..v1::Event::default()
    }
}

fn response(event: v1::Event) -> v1::StreamEventsResponse {
    v1::StreamEventsResponse { event: Some(event), heartbeat: None }
}

fn heartbeat(latest_sequence: u64) -> v1::StreamEventsResponse {
    let heartbeat = v1::Heartbeat { time: Some(convert::timestamp(clock::now())), latest_sequence };
    v1::StreamEventsResponse { event: None, heartbeat: Some(heartbeat) }
}

/// Puts the gaps of one reader on record.
struct GapRecorder {
    gaps: PendingGaps,
    system: SystemBus,
}

impl GapRecorder {
    fn note(&mut self, from: u64, to: u64) {
        if let Some(gap) = self.gaps.note(Instant::now(), from, to) {
            self.record(gap);
        }
    }

    /// Nobody waits for the record, and the stream goes on without it when the disk is full.
    fn record(&self, gap: Lagged) {
        // Without a runtime the process is ending.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let system = self.system.clone();
        runtime.spawn_blocking(move || {
            if let Err(error) = system.publish(Role::Runtime, Role::User, gap.into()) {
                tracing::warn!(%error, "a gap of a live stream is not on record");
            }
        });
    }
}

impl Drop for GapRecorder {
    fn drop(&mut self) {
        if let Some(rest) = self.gaps.rest() {
            self.record(rest);
        }
    }
}

/// PendingGaps that wait for the next record. Several become one that reaches from the first to the last missing ordinal.
#[derive(Debug, Default)]
struct PendingGaps {
    waiting: Option<Lagged>,
    recorded_at: Option<Instant>,
}

impl PendingGaps {
    /// Takes a gap in; returns what to put on record now.
    fn note(&mut self, now: Instant, from: u64, to: u64) -> Option<Lagged> {
        let from = self.waiting.as_ref().map_or(from, |waiting| waiting.from);
        self.waiting = Some(Lagged { from, to });
        if self.recorded_at.is_some_and(|at| now.saturating_duration_since(at) < RECORD_EVERY) {
            return None;
        }
        self.recorded_at = Some(now);
        self.waiting.take()
    }

    /// What was never put on record.
    fn rest(&mut self) -> Option<Lagged> {
        self.waiting.take()
    }
}

#[cfg(test)]
mod tests;
