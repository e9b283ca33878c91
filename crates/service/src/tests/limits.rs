//! What one client can take from the others, and what it is told.

use std::io::Read;
use std::os::unix::net::UnixStream;

use super::*;

/// A submission whose text is bytes: what a client in a language without checked strings can send.
#[derive(Clone, PartialEq, prost::Message)]
struct RawSubmission {
    #[prost(bytes = "vec", tag = "1")]
    input: Vec<u8>,
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_no_text_is_the_callers_mistake() {
    let mut running = start(offline()).await;
    let mut raw = tonic::client::Grpc::new(running.channel.clone());
    raw.ready().await.expect("it answers");
    let path = http::uri::PathAndQuery::from_static("/artoo.v1.ArtooService/SubmitTask");
    let codec = tonic_prost::ProstCodec::<RawSubmission, v1::SubmitTaskResponse>::default();
    let request = tonic::Request::new(RawSubmission { input: vec![b'a', 0xff, 0xfe] });
    let refusal = refused(raw.unary(request, path, codec).await, Code::InvalidArgument, "UNREADABLE_REQUEST");
    assert!(refusal.message().contains("SubmitTaskRequest.input"), "{refusal:?}");
    assert_eq!(running.list(0, "", "").await.tasks, []);
}

async fn channel(running: &Running) -> Channel {
    let address = format!("unix://{}", running.folder.path().join("s").display());
    Endpoint::from_shared(address).expect("an address").connect().await.expect("it answers")
}

/// Streams that stay open count, whoever holds them; one that ends makes room.
#[tokio::test(flavor = "multi_thread")]
async fn too_many_open_streams_are_refused_until_some_end() {
    let mut running = start(offline()).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let mut client = ArtooServiceClient::new(channel(&running).await);
        for _ in 0..64 {
            let stream = client.stream_events(v1::StreamEventsRequest::default()).await;
            open.push(stream.expect("there is room").into_inner());
        }
    }
    let status = running.client.get_status(v1::GetStatusRequest {}).await;
    let refusal = refused(status, Code::ResourceExhausted, "TOO_MANY_CALLS");
    assert!(refusal.get_error_details().retry_info().is_some(), "{refusal:?}");
    open.pop();
    in_time(async {
        while running.client.get_status(v1::GetStatusRequest {}).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// Connections that say nothing take every seat; they lose them, and the next client is served.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_says_nothing_is_closed() {
    let running = start(offline()).await;
    let connect = || UnixStream::connect(running.folder.path().join("s")).expect("there is a socket");
    let mut silent: Vec<UnixStream> = (0..64).map(|_| connect()).collect();
    let mut late = ArtooServiceClient::new(channel(&running).await);
    in_time(late.get_status(v1::GetStatusRequest {})).await.expect("it is served");
    let mut first = silent.remove(0);
    let end = tokio::task::spawn_blocking(move || first.read_to_end(&mut Vec::new()));
    in_time(end).await.expect("it reads").expect("it was closed in order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_stream_says_that_it_is_alive_where_that_is_wanted() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let all = running.task(&task_id).await.latest_sequence;
    for (task_id, latest) in [(task_id, all), (String::new(), 0)] {
        let request = v1::StreamEventsRequest { task_id, after_sequence: 0, follow: true, heartbeat_ms: 100 };
        let mut stream = running.client.stream_events(request).await.expect("a stream").into_inner();
        let (mut events, mut beats) = (0, 0);
        while beats < 3 {
            let answer = in_time(stream.message()).await.expect("in order").expect("it goes on");
            match (answer.event, answer.heartbeat) {
                (Some(event), None) => {
                    assert_eq!(beats, 0, "nothing happens any more");
                    events = event.sequence;
                }
                (None, Some(heartbeat)) => {
                    beats += 1;
                    assert_eq!(heartbeat.latest_sequence, latest);
                    assert!(heartbeat.time.is_some());
                }
                both => panic!("neither or both: {both:?}"),
            }
        }
        assert_eq!(events, latest);
    }
    for heartbeat_ms in [1, 99, 60_001] {
        let request = v1::StreamEventsRequest { heartbeat_ms, ..Default::default() };
        refused(running.client.stream_events(request).await, Code::InvalidArgument, "INVALID_FIELD");
    }
}
