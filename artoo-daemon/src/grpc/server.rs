//! The server on the socket: who is let in, how much, and how it ends.

use std::io;
use std::os::unix::net::UnixListener;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use artoo_protocol::v1::artoo_service_server::ArtooServiceServer;
use artoo_protocol::{FILE_DESCRIPTOR_SET, MAX_REPLY_BYTES, MAX_REQUEST_BYTES};
use futures_util::stream::unfold;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_stream::Stream;
use tonic::transport::Server;
use tonic::transport::server::Connected;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use super::peer::Peer;
use super::service::{ANSWER_WITHIN, Calls, Service};
use super::stop::Stop;

/// Connections at a time. A client has one; more of them than this is a client that leaks them.
const MAX_CONNECTIONS: usize = 64;
/// Calls at a time on one connection.
const MAX_CALLS: u32 = 64;
/// How often an idle connection is asked whether it lives, and how long it may take to answer.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));
/// How long the server waits for clients that do not take their last answers. All of ours take them at once.
const DRAIN: Duration = Duration::from_secs(3);
/// How long accepting pauses after the system refused it, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Why the server ended before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The socket cannot be used.
    #[error("the socket cannot be listened on: {0}; restart the daemon")]
    Listener(#[from] io::Error),
    /// The protocol's description is damaged: a bug of ours.
    #[error("the description of the protocol cannot be read: {0}; this build is broken")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport gave up.
    #[error("the server ended: {0}; restart the daemon")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves until `stop` holds true, then ends open streams with UNAVAILABLE and returns when all clients have taken that
/// in, or 3 s later. Beside the service itself there are health and reflection, so that generic tools work.
///
/// # Errors
/// See [`ServeError`].
pub async fn serve(
    listener: UnixListener,
    service: Service,
    stop: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::UnixListener::from_std(listener)?;
    let stop = Stop(stop);
    let calls = Calls { parts: Arc::new(service), stop: stop.clone() };
    let artoo = ArtooServiceServer::new(calls)
        .max_decoding_message_size(MAX_REQUEST_BYTES)
        .max_encoding_message_size(MAX_REPLY_BYTES);
    let (health, health_service) = tonic_health::server::health_reporter();
    health.set_serving::<ArtooServiceServer<Calls>>().await;

    let mut stopping = stop.clone();
    let shutdown = async move {
        stopping.wait().await;
        end_health(health).await;
    };
    let server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE.0))
        .http2_keepalive_timeout(Some(KEEPALIVE.1))
        .max_concurrent_streams(MAX_CALLS)
        // Calls bound themselves; this is for a caller that never sends its request to the end.
        .timeout(ANSWER_WITHIN + Duration::from_secs(1))
        .add_service(artoo)
        .add_service(health_service)
        .add_service(described().build_v1()?)
        .add_service(described().build_v1alpha()?)
        .serve_with_incoming_shutdown(connections(listener), shutdown);
    tokio::select! {
        ended = server => ended?,
        () = drained(stop) => tracing::warn!("a client did not take its last answers; the server ends without it"),
    }
    Ok(())
}

fn described() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}

/// Says that nothing is served any more, and lets everybody go who watches that.
async fn end_health(mut health: HealthReporter) {
    health.set_service_status("", ServingStatus::NotServing).await;
    health.set_not_serving::<ArtooServiceServer<Calls>>().await;
    health.clear_service_status("").await;
    health.clear_service_status(<ArtooServiceServer<Calls> as tonic::server::NamedService>::NAME).await;
}

async fn drained(mut stop: Stop) {
    stop.wait().await;
    tokio::time::sleep(DRAIN).await;
}

/// Connections of our own account, no more than there are seats.
fn connections(listener: tokio::net::UnixListener) -> impl Stream<Item = io::Result<Connection>> {
    let seats = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    unfold((listener, seats), |(listener, seats)| async move {
        loop {
            let seat = Arc::clone(&seats).acquire_owned().await.ok()?;
            match listener.accept().await {
                Ok((stream, _)) => match Peer::of(&stream) {
                    Some(peer) => {
                        tracing::debug!(?peer, "a client connected");
                        return Some((Ok(Connection { stream, peer, _seat: seat }), (listener, seats)));
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
struct Connection {
    stream: UnixStream,
    peer: Peer,
    _seat: OwnedSemaphorePermit,
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
        Pin::new(&mut self.stream).poll_read(cx, buffer)
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
