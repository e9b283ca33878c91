//! Connections: of our own account alone, so many at a time, and each has to say something soon. One more than there are
//! seats takes the seat of whoever has been idle for longest.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::unfold;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::oneshot;
use tokio::time::Sleep;
use tokio_stream::Stream;
use tonic::transport::server::Connected;

use super::peer::Peer;

/// Connections at a time.
pub(super) const MAX_CONNECTIONS: usize = 448;
/// How long accepting pauses after the system refused it, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long a connection may take to send the greeting of HTTP/2. A client does that at once; whoever does not would
/// keep a seat from others for nothing.
const GREETING_WITHIN: Duration = Duration::from_secs(3);
/// Length of that greeting, in bytes (RFC 9113, section 3.4).
const GREETING_BYTES: usize = 24;

/// The connections of this listener, all of them. Beyond [`MAX_CONNECTIONS`] the one that has been without a call for
/// longest is ended; its client connects again for its next call.
pub(super) fn connections(listener: UnixListener) -> impl Stream<Item = io::Result<Connection>> {
    unfold((listener, Seats::default()), |(listener, seats)| async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => match Peer::of(&stream) {
                    Some(peer) => {
                        tracing::debug!(?peer, "a client connected");
                        let connection = Connection::new(stream, peer, &seats);
                        return Some((Ok(connection), (listener, seats)));
                    }
                    None => tracing::warn!("a connection of another account was refused"),
                },
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    })
}

/// Who sits where.
#[derive(Debug, Clone, Default)]
struct Seats(Arc<Mutex<Seating>>);

#[derive(Debug, Default)]
struct Seating {
    /// Counts everything that happens, so that it is known who was idle first.
    moment: u64,
    /// Those who are connected, with the number of their seat.
    taken: Vec<(u64, Sitting)>,
}

/// One connection as the seating sees it.
#[derive(Debug)]
struct Sitting {
    calls: usize,
    /// When it last began or ended a call, or connected.
    active: u64,
    /// Dropped to have it end.
    _stay: oneshot::Sender<()>,
}

impl Seats {
    fn seating(&self) -> MutexGuard<'_, Seating> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat, and what ends when it is to be given up.
    fn take(&self) -> (Arc<Seat>, oneshot::Receiver<()>) {
        let (stay, ends) = oneshot::channel();
        let mut seating = self.seating();
        if seating.taken.len() >= MAX_CONNECTIONS {
            seating.end_the_idlest();
        }
        seating.moment += 1;
        let number = seating.moment;
        seating.taken.push((number, Sitting { calls: 0, active: number, _stay: stay }));
        drop(seating);
        (Arc::new(Seat { seats: self.clone(), number }), ends)
    }
}

impl Seating {
    fn end_the_idlest(&mut self) {
        let idle = self.taken.iter().enumerate().filter(|(_, (_, sitting))| sitting.calls == 0);
        if let Some((place, _)) = idle.min_by_key(|(_, (_, sitting))| sitting.active) {
            self.taken.swap_remove(place);
        }
    }
}

/// The seat of one connection. It is free when nothing holds it any more.
#[derive(Debug)]
struct Seat {
    seats: Seats,
    number: u64,
}

impl Seat {
    fn change(&self, change: impl FnOnce(&mut usize)) {
        let mut seating = self.seats.seating();
        seating.moment += 1;
        let moment = seating.moment;
        if let Some((_, sitting)) = seating.taken.iter_mut().find(|(number, _)| *number == self.number) {
            change(&mut sitting.calls);
            sitting.active = moment;
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.seating().taken.retain(|(number, _)| *number != self.number);
    }
}

/// Who makes a call: what is known of every connection.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// The process at its other end.
    pub(super) peer: Peer,
    seat: Arc<Seat>,
}

impl Caller {
    /// A call of this connection. While it lasts the connection is not idle.
    pub(super) fn call(&self) -> OpenCall {
        self.seat.change(|calls| *calls += 1);
        OpenCall(Arc::clone(&self.seat))
    }
}

/// A call that has not ended.
#[derive(Debug)]
pub(super) struct OpenCall(Arc<Seat>);

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.0.change(|calls| *calls = calls.saturating_sub(1));
    }
}

/// One client's connection and its seat.
pub(super) struct Connection {
    stream: UnixStream,
    caller: Caller,
    greeting: Option<Greeting>,
    ends: oneshot::Receiver<()>,
}

/// A greeting that is not there yet.
struct Greeting {
    missing: usize,
    deadline: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(stream: UnixStream, peer: Peer, seats: &Seats) -> Self {
        let deadline = Box::pin(tokio::time::sleep(GREETING_WITHIN));
        let greeting = Some(Greeting { missing: GREETING_BYTES, deadline });
        let (seat, ends) = seats.take();
        Self { stream, caller: Caller { peer, seat }, greeting, ends }
    }
}

impl Greeting {
    /// Whether its time is over.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        self.deadline.as_mut().poll(cx).is_ready()
    }
}

impl Connected for Connection {
    type ConnectInfo = Caller;

    fn connect_info(&self) -> Caller {
        self.caller.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if Pin::new(&mut self.ends).poll(cx).is_ready() {
            // Nothing more comes: the server ends the connection in order.
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let Some(greeting) = &mut self.greeting else { return read };
        greeting.missing = greeting.missing.saturating_sub(buffer.filled().len() - before);
        if greeting.missing == 0 {
            self.greeting = None;
        } else if read.is_pending() && greeting.is_late(cx) {
            return Poll::Ready(Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client does not say anything",
            )));
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests;
