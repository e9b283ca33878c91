//! How many calls and streams there may be at a time, over all connections and services, and how long a request may take to
//! arrive.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tower::Layer;

use super::connection::{Caller, MAX_CONNECTIONS, OpenCall};
use super::errors;

/// How long a request may take to arrive whole, and be answered where its service does not note that it has arrived.
const ARRIVE_WITHIN: Duration = Duration::from_secs(11);

/// Whether the request of a call has arrived whole. From there on its answer has the deadline of its RPC.
#[derive(Debug, Clone, Default)]
pub(super) struct Arrival(Arc<AtomicBool>);

impl Arrival {
    /// The request is here.
    pub(super) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns when the time is over without it.
    async fn late(self) {
        tokio::time::sleep(ARRIVE_WITHIN).await;
        if self.0.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    }
}

/// Streams at a time over all connections. One whose reader stalls holds some 500 KiB of answers, so all of them together stay
/// below 128 MiB.
const MAX_STREAMS: usize = 256;
/// Calls with one answer at a time over all connections.
const MAX_CALLS: usize = 128;
/// What is kept for calls of [`URGENT`] when everything else is taken.
const KEPT: usize = 32;
// There are fewer than connections, so that some connection is always idle and can give way.
const _: () = assert!(MAX_STREAMS + MAX_CALLS + KEPT < MAX_CONNECTIONS);

/// What stays open for as long as the client wants.
const STREAMS: &[&str] = &[
    "/artoo.v1.ArtooService/StreamEvents",
    "/artoo.v1.ArtooService/ExportMemory",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

/// What a person needs to see what is going on, and to stop it.
const URGENT: &[&str] = &[
    "/artoo.v1.ArtooService/GetStatus",
    "/artoo.v1.ArtooService/CancelTask",
    "/artoo.v1.ArtooService/ResolveConfirmation",
    "/artoo.v1.ArtooService/AnswerClarification",
    "/grpc.health.v1.Health/Check",
];

/// Lets so many calls and so many streams in at a time, counted apart, and keeps some for what is urgent. A call counts until
/// the last byte of its answer is sent or given up. One more is refused at once: it would wait for streams that may never end.
#[derive(Debug, Clone)]
pub(super) struct CallLimit {
    streams: Arc<Semaphore>,
    calls: Arc<Semaphore>,
    kept: Arc<Semaphore>,
}

impl CallLimit {
    /// As many as the daemon can serve.
    pub(super) fn new() -> Self {
        let seats = |count| Arc::new(Semaphore::new(count));
        Self { streams: seats(MAX_STREAMS), calls: seats(MAX_CALLS), kept: seats(KEPT) }
    }

    /// A seat for a call of this path.
    fn seat(&self, path: &str) -> Result<OwnedSemaphorePermit, tonic::Status> {
        let take = |seats: &Arc<Semaphore>| Arc::clone(seats).try_acquire_owned().ok();
        if STREAMS.contains(&path) {
            let refusal = || {
                format!(
                    "{MAX_STREAMS} streams are open, which is the limit; end some of them, then try again"
                )
            };
            return take(&self.streams).ok_or_else(|| errors::too_much("TOO_MANY_STREAMS", &refusal()));
        }
        let kept = || if URGENT.contains(&path) { take(&self.kept) } else { None };
        let refusal =
            || format!("{MAX_CALLS} calls are being answered, which is the limit; try again in a moment");
        take(&self.calls).or_else(kept).ok_or_else(|| errors::too_much("TOO_MANY_CALLS", &refusal()))
    }
}

impl<S> Layer<S> for CallLimit {
    type Service = LimitedService<S>;

    fn layer(&self, inner: S) -> LimitedService<S> {
        LimitedService { inner, limit: self.clone() }
    }
}

/// A service with so many seats.
#[derive(Debug, Clone)]
pub(super) struct LimitedService<S> {
    inner: S,
    limit: CallLimit,
}

impl<S, B> Service<http::Request<B>> for LimitedService<S>
where
    S: Service<http::Request<B>, Response = http::Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        let seat = match self.limit.seat(request.uri().path()) {
            Ok(permit) => CallSeat { _permit: permit, _open: request.extensions().get().map(Caller::call) },
            Err(refusal) => return Box::pin(async move { Ok(refusal.into_http()) }),
        };
        let arrival = Arrival::default();
        request.extensions_mut().insert(arrival.clone());
        let answer = self.inner.call(request);
        Box::pin(async move {
            tokio::select! {
                biased;
                answer = answer => Ok(explained(answer?).map(|body| Body::new(CountedBody { body, _seat: seat }))),
                () = arrival.late() => Ok(tonic::Status::deadline_exceeded(format!(
                    "the request was not complete, or not answered, within {} s",
                    ARRIVE_WITHIN.as_secs()
                ))
                .into_http()),
            }
        })
    }
}

/// What a call holds while it is open.
#[derive(Debug)]
struct CallSeat {
    _permit: OwnedSemaphorePermit,
    _open: Option<OpenCall>,
}

/// The answer; where the transport refused a message because of its size, a refusal like all others. Each of ours has
/// details, and the transport's have none.
fn explained(answer: http::Response<Body>) -> http::Response<Body> {
    let (headers, code) = (answer.headers(), tonic::Code::OutOfRange as i32);
    let is_of_transport = headers.get("grpc-status").is_some_and(|status| *status == *code.to_string())
        && !headers.contains_key("grpc-status-details-bin");
    if is_of_transport { errors::too_large().into_http() } else { answer }
}

/// The body of an answer with the seat of its call.
struct CountedBody {
    body: Body,
    _seat: CallSeat,
}

impl http_body::Body for CountedBody {
    type Data = <Body as http_body::Body>::Data;
    type Error = <Body as http_body::Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests;
