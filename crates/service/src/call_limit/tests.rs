use std::convert::Infallible;

use artoo_protocol::FILE_DESCRIPTOR_SET;
use prost::Message;
use tonic_types::StatusExt;

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
        let Ok(answer) = CallLimit::new().layer(Slow { notes }).call(http::Request::new(())).await;
        assert_eq!(answer.headers().contains_key("grpc-status"), !notes);
    }
}

/// Which calls answer with a stream is what the protocol says, and nothing is urgent that is not there.
#[test]
fn the_streams_are_those_of_the_protocol() {
    let files = prost_types::FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).expect("it is ours");
    let (mut streams, mut urgent) = (Vec::new(), 0);
    for file in &files.file {
        for service in &file.service {
            for method in &service.method {
                let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                urgent += usize::from(URGENT.contains(&path.as_str()));
                if method.server_streaming() {
                    streams.push(path);
                }
            }
        }
    }
    let of_artoo = |path: &&&str| path.starts_with("/artoo.v1.");
    assert_eq!(streams, STREAMS.iter().filter(of_artoo).copied().collect::<Vec<_>>());
    assert_eq!(urgent, URGENT.iter().filter(of_artoo).count());
}

/// Whatever is taken, somebody can still see what is going on and stop it; also that has a bound.
#[test]
fn what_is_urgent_has_seats_of_its_own() {
    let limit = CallLimit::new();
    let why = |path: &str| {
        limit.seat(path).expect_err(path).get_error_details().error_info().expect("a reason").reason.clone()
    };
    let mut taken: Vec<_> =
        (0..MAX_STREAMS).map(|_| limit.seat(STREAMS[0]).expect("there is room")).collect();
    assert_eq!(why(STREAMS[1]), "TOO_MANY_STREAMS");
    taken
        .extend((0..MAX_CALLS).map(|_| limit.seat("/artoo.v1.ArtooService/GetTask").expect("there is room")));
    assert_eq!(why("/artoo.v1.ArtooService/GetTask"), "TOO_MANY_CALLS");
    taken.extend((0..KEPT).map(|call| limit.seat(URGENT[call % URGENT.len()]).expect("it is kept")));
    assert_eq!(why(URGENT[0]), "TOO_MANY_CALLS");
    taken.clear();
    assert!(limit.seat("/artoo.v1.ArtooService/GetTask").is_ok());
}
