//! Connections: of our own account alone, so many at a time, and each has to say something soon.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::unfold;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tokio_stream::Stream;
use tonic::transport::server::Connected;

use super::peer::Peer;

/// Connections at a time. A client has one; more of them than this is a client that leaks them.
const MAX_CONNECTIONS: usize = 64;
/// How long accepting pauses after the system refused it, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long a connection may take to send the greeting of HTTP/2. A client does that at once; whoever does not would
/// keep a seat from others for nothing.
const GREETING_WITHIN: Duration = Duration::from_secs(3);
/// Length of that greeting, in bytes (RFC 9113, section 3.4).
const GREETING_BYTES: usize = 24;

/// The connections of this listener. Those beyond [`MAX_CONNECTIONS`] wait until another one ends.
pub(super) fn connections(listener: UnixListener) -> impl Stream<Item = io::Result<Connection>> {
    let seats = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    unfold((listener, seats), |(listener, seats)| async move {
        loop {
            let seat = Arc::clone(&seats).acquire_owned().await.ok()?;
            match listener.accept().await {
                Ok((stream, _)) => match Peer::of(&stream) {
                    Some(peer) => {
                        tracing::debug!(?peer, "a client connected");
                        return Some((Ok(Connection::new(stream, peer, seat)), (listener, seats)));
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

/// One client's connection and its seat.
pub(super) struct Connection {
    stream: UnixStream,
    peer: Peer,
    greeting: Option<Greeting>,
    _seat: OwnedSemaphorePermit,
}

/// A greeting that is not there yet.
struct Greeting {
    missing: usize,
    deadline: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(stream: UnixStream, peer: Peer, seat: OwnedSemaphorePermit) -> Self {
        let deadline = Box::pin(tokio::time::sleep(GREETING_WITHIN));
        let greeting = Some(Greeting { missing: GREETING_BYTES, deadline });
        Self { stream, peer, greeting, _seat: seat }
    }
}

impl Greeting {
    /// Whether its time is over.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        self.deadline.as_mut().poll(cx).is_ready()
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
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
