//! A stream of events that survives a restart of the daemon: it goes on after the last event that was seen.

use std::collections::VecDeque;
use std::time::Duration;

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{Event, StreamEventsRequest};
use tonic::Streaming;

use crate::connection::{DaemonConnector, is_outage};
use crate::exit::Failure;

/// How often in a row a stream may be opened without bringing an event. A daemon that restarts is given 10 s each time.
const FRUITLESS_OPENINGS: u32 = 5;

/// How a daemon shows that it is alive while nothing happens.
#[derive(Debug, Clone, Copy)]
pub struct HeartbeatTiming {
    /// It says so this often.
    pub every: Duration,
    /// One that has said so before, and is silent for this long, is gone.
    pub patience: Duration,
}

impl Default for HeartbeatTiming {
    fn default() -> Self {
        Self { every: Duration::from_secs(5), patience: Duration::from_secs(20) }
    }
}

/// What happens on a stream.
#[derive(Debug)]
pub enum StreamChange {
    /// An event.
    Event(Box<Event>),
    /// The daemon went away; the stream is opened again when it is back.
    Lost,
    /// It is back, and the stream goes on where it was.
    Back,
}

/// Events, in order and without a gap for one task.
pub struct EventStream {
    daemon: DaemonConnector,
    pulse: HeartbeatTiming,
    /// The daemon sends heartbeats; an older one does not know them.
    pulsing: bool,
    request: StreamEventsRequest,
    stream: Option<Streaming<artoo_protocol::v1::StreamEventsResponse>>,
    fruitless: u32,
    /// The daemon said that it is going down.
    stopped: bool,
    /// It went away and is not back.
    away: bool,
    ended: bool,
    /// The live stream of all tasks was open before.
    was_open: bool,
    missed: bool,
}

impl EventStream {
    /// Events of `task_id` (empty: of all tasks, live) with a sequence above `after`; with `follow` until the task ends.
    pub fn new(daemon: &DaemonConnector, task_id: &str, after: u64, follow: bool) -> Self {
        let request = StreamEventsRequest {
            task_id: task_id.to_owned(),
            after_sequence: after,
            follow,
            heartbeat_ms: 0,
        };
        let events = Self {
            daemon: daemon.clone(),
            pulse: HeartbeatTiming::default(),
            pulsing: false,
            request,
            stream: None,
            fruitless: 0,
            stopped: false,
            away: false,
            ended: false,
            was_open: false,
            missed: false,
        };
        events.with_pulse(HeartbeatTiming::default())
    }

    /// The same events, with another pulse.
    #[must_use]
    pub fn with_pulse(mut self, pulse: HeartbeatTiming) -> Self {
        self.pulse = pulse;
        self.request.heartbeat_ms = u32::try_from(pulse.every.as_millis()).unwrap_or(u32::MAX);
        self
    }

    /// The next event; None if the task has ended, or without `follow` if there are no more.
    ///
    /// # Errors
    /// What the daemon refuses, or [`Failure::Unreachable`] when it stays away.
    pub async fn next(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            match self.next_change().await? {
                Some(StreamChange::Event(event)) => return Ok(Some(*event)),
                Some(StreamChange::Lost | StreamChange::Back) => {}
                None => return Ok(None),
            }
        }
    }

    /// As [`EventStream::next`], and also that the daemon went away or is back.
    ///
    /// # Errors
    /// As [`EventStream::next`].
    pub async fn next_change(&mut self) -> Result<Option<StreamChange>, Failure> {
        if self.ended {
            return Ok(None);
        }
        loop {
            let patience = if self.pulsing { self.pulse.patience } else { Duration::MAX };
            let stream = match &mut self.stream {
                Some(stream) => stream,
                None => {
                    self.open().await?;
                    if std::mem::take(&mut self.away) {
                        return Ok(Some(StreamChange::Back));
                    }
                    continue;
                }
            };
            let Ok(answer) = tokio::time::timeout(patience, stream.message()).await else {
                self.lose_silent_stream()?;
                self.away = true;
                return Ok(Some(StreamChange::Lost));
            };
            match answer {
                Ok(Some(message)) => {
                    self.pulsing |= message.heartbeat.is_some();
                    self.fruitless = 0;
                    if let Some(event) = message.event.and_then(|event| self.take(event)) {
                        return Ok(Some(StreamChange::Event(Box::new(event))));
                    }
                }
                Ok(None) if self.request.follow && !self.request.task_id.is_empty() => {
                    self.lose_stream(None)?;
                }
                Ok(None) => {
                    self.ended = true;
                    return Ok(None);
                }
                Err(status) => {
                    self.lose_stream(Some(status))?;
                    self.away = true;
                    return Ok(Some(StreamChange::Lost));
                }
            }
        }
    }

    /// Whether events before the last one were missed since this was last asked: the live stream of all tasks has no past,
    /// so one that is opened again begins anew.
    pub fn take_missed(&mut self) -> bool {
        std::mem::take(&mut self.missed)
    }

    /// Every event there is, without following.
    ///
    /// # Errors
    /// As [`EventStream::next`].
    pub async fn all(mut self) -> Result<VecDeque<Event>, Failure> {
        let mut events = VecDeque::new();
        while let Some(event) = self.next().await? {
            events.push_back(event);
        }
        Ok(events)
    }

    /// Notes the event down; None if it was seen before.
    fn take(&mut self, event: Event) -> Option<Event> {
        if self.request.task_id.is_empty() {
            return Some(event);
        }
        if event.sequence <= self.request.after_sequence {
            return None;
        }
        self.request.after_sequence = event.sequence;
        self.ended = matches!(event.payload, Some(Payload::FinalResult(_)));
        Some(event)
    }

    async fn open(&mut self) -> Result<(), Failure> {
        loop {
            let mut client = if self.stopped {
                self.daemon.wait_until_back().await?
            } else {
                self.daemon.connect().await?
            };
            let opening = client.stream_events(self.request.clone());
            match tokio::time::timeout(self.pulse.patience, opening).await {
                Ok(Ok(response)) => {
                    let is_live = self.request.task_id.is_empty();
                    self.missed |= std::mem::replace(&mut self.was_open, is_live);
                    self.stream = Some(response.into_inner());
                    return Ok(());
                }
                Ok(Err(status)) => self.lose_stream(Some(status))?,
                Err(_) => self.lose_silent_stream()?,
            }
        }
    }

    /// Forgets a stream on which nothing comes any more, so that it is opened again, if that can help.
    fn lose_silent_stream(&mut self) -> Result<(), Failure> {
        self.stream = None;
        self.fruitless += 1;
        if self.fruitless >= FRUITLESS_OPENINGS { Err(self.daemon.silent()) } else { Ok(()) }
    }

    /// Forgets the stream so that it is opened again, if that can help.
    fn lose_stream(&mut self, status: Option<tonic::Status>) -> Result<(), Failure> {
        self.stream = None;
        self.fruitless += 1;
        self.stopped = status.as_ref().is_some_and(|status| !is_outage(status));
        match status {
            Some(status) if !is_outage(&status) && status.code() != tonic::Code::Unavailable => {
                Err(self.daemon.failure(status))
            }
            Some(status) if self.fruitless >= FRUITLESS_OPENINGS => Err(self.daemon.failure(status)),
            None if self.fruitless >= FRUITLESS_OPENINGS => Err(Failure::Local(
                "the daemon ends the stream of events before the task ends; see: artoo doctor".to_owned(),
            )),
            Some(_) | None => Ok(()),
        }
    }
}
