//! How many calls there may be at a time, over all connections and services, and for how long.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tower::Layer;

use super::errors;
use super::service::ANSWER_WITHIN;

/// Calls whose answers may take longer than others, and how long; None is as long as they need. What is begun is finished
/// in any case: an undo copies what may be gigabytes, a replay folds a whole journal, a verification reads the whole log,
/// and what the operator wishes of the memory is journaled before it is done.
const SLOW: [(&str, Option<Duration>); 6] = [
    ("/artoo.v1.ArtooService/UndoTask", Some(Duration::from_secs(3_600))),
    ("/artoo.v1.ArtooService/ReplayTask", Some(Duration::from_secs(120))),
    ("/artoo.v1.ArtooService/VerifyAudit", Some(Duration::from_secs(600))),
    ("/artoo.v1.ArtooService/Forget", None),
    ("/artoo.v1.ArtooService/ImportMemory", None),
    ("/artoo.v1.ArtooService/VerifyMemory", None),
];

/// How long a call may take until its answer begins. Calls bound themselves; this is also for a caller that never sends
/// its request to the end.
fn longest(path: &str) -> Option<Duration> {
    let slow = SLOW.iter().find(|(name, _)| *name == path);
    slow.map_or(Some(ANSWER_WITHIN + Duration::from_secs(1)), |(_, longest)| *longest)
}

/// Lets so many calls in at a time. A call counts until the last byte of its answer is sent or given up, so that a stream
/// counts for as long as it is open. One more is refused at once: it would wait for streams that may never end.
#[derive(Debug, Clone)]
pub(super) struct InFlight {
    seats: Arc<Semaphore>,
}

impl InFlight {
    /// At most this many calls.
    pub(super) fn new(calls: usize) -> Self {
        Self { seats: Arc::new(Semaphore::new(calls)) }
    }
}

impl<S> Layer<S> for InFlight {
    type Service = Seated<S>;

    fn layer(&self, inner: S) -> Seated<S> {
        Seated { inner, seats: Arc::clone(&self.seats) }
    }
}

/// A service with so many seats.
#[derive(Debug, Clone)]
pub(super) struct Seated<S> {
    inner: S,
    seats: Arc<Semaphore>,
}

impl<S, B> Service<http::Request<B>> for Seated<S>
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

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() else {
            let refusal = errors::too_much(
                "TOO_MANY_CALLS",
                "too many calls and streams are open at a time; end some of them, then try again",
            );
            return Box::pin(async move { Ok(refusal.into_http()) });
        };
        let within = longest(request.uri().path());
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = match within {
                None => answer.await,
                Some(within) => match tokio::time::timeout(within, answer).await {
                    Ok(answer) => answer,
                    Err(_) => {
                        let why = format!(
                            "the request was not complete, or not answered, within {} s",
                            within.as_secs()
                        );
                        return Ok(tonic::Status::deadline_exceeded(why).into_http());
                    }
                },
            };
            Ok(answer?.map(|body| Body::new(SeatedBody { body, _seat: seat })))
        })
    }
}

/// The body of an answer with the seat of its call.
struct SeatedBody {
    body: Body,
    _seat: OwnedSemaphorePermit,
}

impl http_body::Body for SeatedBody {
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
