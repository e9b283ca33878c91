use std::convert::Infallible;

use artoo_protocol::FILE_DESCRIPTOR_SET;

use super::*;

/// Takes half a minute for every answer.
struct Slow;

impl Service<http::Request<()>> for Slow {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: http::Request<()>) -> Self::Future {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(30)).await;
            Ok(http::Response::new(Body::default()))
        })
    }
}

/// Whether an answer that takes half a minute reaches the caller.
async fn is_answered(call: &str) -> bool {
    let request = http::Request::builder().uri(format!("/artoo.v1.ArtooService/{call}"));
    let request = request.body(()).expect("it is a request");
    let Ok(answer) = InFlight::new(1).layer(Slow).call(request).await;
    !answer.headers().contains_key("grpc-status")
}

#[tokio::test(start_paused = true)]
async fn what_is_journaled_is_waited_for() {
    for call in ["Forget", "ImportMemory", "VerifyMemory"] {
        assert!(is_answered(call).await, "{call} ended before its work");
    }
    assert!(!is_answered("GetTask").await);
}

#[test]
fn the_slow_calls_exist() {
    let protocol = String::from_utf8_lossy(FILE_DESCRIPTOR_SET);
    for (path, _) in SLOW {
        let name = path.strip_prefix("/artoo.v1.ArtooService/").expect("it is one of artoo's");
        assert!(protocol.contains(name), "{name} is a call of the protocol");
    }
}
