//! How many calls there may be at a time, over all connections and services, and how long a request may take to arrive.

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

/// Lets so many calls in at a time. A call counts until the last byte of its answer is sent or given up, so that a stream
/// counts for as long as it is open. One more is refused at once: it would wait for streams that may never end.
#[derive(Debug, Clone)]
pub(super) struct CallLimit {
    seats: Arc<Semaphore>,
}

impl CallLimit {
    /// At most this many calls.
    pub(super) fn new(calls: usize) -> Self {
        Self { seats: Arc::new(Semaphore::new(calls)) }
    }
}

impl<S> Layer<S> for CallLimit {
    type Service = LimitedService<S>;

    fn layer(&self, inner: S) -> LimitedService<S> {
        LimitedService { inner, seats: Arc::clone(&self.seats) }
    }
}

/// A service with so many seats.
#[derive(Debug, Clone)]
pub(super) struct LimitedService<S> {
    inner: S,
    seats: Arc<Semaphore>,
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
        let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() else {
            let refusal = errors::too_much(
                "TOO_MANY_CALLS",
                "too many calls and streams are open at a time; end some of them, then try again",
            );
            return Box::pin(async move { Ok(refusal.into_http()) });
        };
        let arrival = Arrival::default();
        request.extensions_mut().insert(arrival.clone());
        let answer = self.inner.call(request);
        Box::pin(async move {
            tokio::select! {
                biased;
                answer = answer => Ok(answer?.map(|body| Body::new(CountedBody { body, _seat: seat }))),
                () = arrival.late() => Ok(tonic::Status::deadline_exceeded(format!(
                    "the request was not complete, or not answered, within {} s",
                    ARRIVE_WITHIN.as_secs()
                ))
                .into_http()),
            }
        })
    }
}

/// The body of an answer with the seat of its call.
struct CountedBody {
    body: Body,
    _seat: OwnedSemaphorePermit,
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
