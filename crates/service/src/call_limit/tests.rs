use std::convert::Infallible;

use super::*;

/// Takes half a minute for every answer.
struct Slow {
    /// Notes that the request has arrived.
    notes: bool,
}

impl Service<http::Request<()>> for Slow {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<()>) -> Self::Future {
        if self.notes {
            request.extensions().get::<Arrival>().expect("the call has one").note();
        }
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(30)).await;
            Ok(http::Response::new(Body::default()))
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_arrived_is_waited_for_and_one_that_does_not_is_ended() {
    for notes in [true, false] {
        let Ok(answer) = CallLimit::new(1).layer(Slow { notes }).call(http::Request::new(())).await;
        assert_eq!(answer.headers().contains_key("grpc-status"), !notes);
    }
}
