//! The server on the socket: who is let in, how much, and how it ends.

use std::io;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::time::Duration;

use artoo_protocol::v1::artoo_service_server::ArtooServiceServer;
use artoo_protocol::{FILE_DESCRIPTOR_SET, MAX_REPLY_BYTES, MAX_REQUEST_BYTES};
use tokio::sync::watch;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use super::call_limit::CallLimit;
use super::connection::connections;
use super::service::{Calls, Service};
use super::shutdown::{ServingPhase, ShutdownSignal};

/// Calls at a time on one connection. A client's library holds back what is beyond this, without a word, so there are more
/// than [`CallLimit`] lets in, which says no at once.
const MAX_CALLS: u32 = 512;
/// Bytes of a call's header fields. Ours have some hundred.
const MAX_HEADER_BYTES: u32 = 16 * 1024;
/// Calls that a client has taken back, and that wait to be forgotten; more of them end the connection (CVE-2023-44487). A
/// client of ours may take back all that it has at once.
const MAX_TAKEN_BACK: usize = MAX_CALLS as usize;
/// Broken calls on one connection; more of them end it (CVE-2025-8671).
const MAX_BROKEN: usize = MAX_CALLS as usize;
/// How often an idle connection is asked whether it lives, and how long it may take to answer.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(20));
/// How long the server waits for clients that do not take their last answers. All of ours take them at once.
const DRAIN: Duration = Duration::from_secs(3);

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

/// Serves until the phase is [`ServingPhase::Stopped`], then ends open streams with UNAVAILABLE and returns when all clients
/// have taken that in, or 3 s later. From [`ServingPhase::Draining`] on its health is NOT_SERVING. Beside the service itself there
/// are health and reflection, so that generic tools work.
///
/// # Errors
/// See [`ServeError`].
pub async fn serve(
    listener: UnixListener,
    service: Service,
    phase: watch::Receiver<ServingPhase>,
) -> Result<(), ServeError> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::UnixListener::from_std(listener)?;
    let stop = ShutdownSignal(phase);
    let calls = Calls { parts: Arc::new(service), stop: stop.clone() };
    let artoo = ArtooServiceServer::new(calls)
        .max_decoding_message_size(MAX_REQUEST_BYTES)
        .max_encoding_message_size(MAX_REPLY_BYTES);
    let (health, health_service) = tonic_health::server::health_reporter();
    health.set_serving::<ArtooServiceServer<Calls>>().await;

    let mut stopping = stop.clone();
    let shutdown = async move {
        stopping.draining().await;
        not_serving(&health).await;
        stopping.wait().await;
        let_watchers_go(health).await;
    };
    let server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE.0))
        .http2_keepalive_timeout(Some(KEEPALIVE.1))
        .http2_max_header_list_size(MAX_HEADER_BYTES)
        .http2_max_pending_accept_reset_streams(Some(MAX_TAKEN_BACK))
        .http2_max_local_error_reset_streams(Some(MAX_BROKEN))
        .max_concurrent_streams(MAX_CALLS)
        .layer(CallLimit::new())
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

/// Says that nothing is served any more.
async fn not_serving(health: &HealthReporter) {
    health.set_service_status("", ServingStatus::NotServing).await;
    health.set_not_serving::<ArtooServiceServer<Calls>>().await;
}

/// Ends the calls of everybody who watches the health.
async fn let_watchers_go(mut health: HealthReporter) {
    health.clear_service_status("").await;
    health.clear_service_status(<ArtooServiceServer<Calls> as tonic::server::NamedService>::NAME).await;
}

async fn drained(mut stop: ShutdownSignal) {
    stop.wait().await;
    tokio::time::sleep(DRAIN).await;
}
