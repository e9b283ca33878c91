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

/// Streams that stay open count, whoever holds them; one that ends makes room, and meanwhile everything else is answered.
#[tokio::test(flavor = "multi_thread")]
async fn too_many_open_streams_are_refused_until_some_end() {
    let mut running = start(offline()).await;
    let follow = v1::StreamEventsRequest::default;
    let mut open = Vec::new();
    for _ in 0..256 {
        // All on one connection: its library holds none of them back.
        let stream = running.client.stream_events(follow()).await;
        open.push(stream.expect("there is room").into_inner());
    }
    let mut another = ArtooServiceClient::new(channel(&running).await);
    let refusal = refused(another.stream_events(follow()).await, Code::ResourceExhausted, "TOO_MANY_STREAMS");
    assert!(refusal.get_error_details().retry_info().is_some(), "{refusal:?}");
    another.get_status(v1::GetStatusRequest {}).await.expect("calls are counted apart");
    // Taken back all at once, on a connection that goes on.
    open.clear();
    in_time(async {
        while running.client.stream_events(follow()).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// A thousand connections that say nothing, or nothing more, keep nobody out.
#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_give_way_to_the_next_client() {
    let running = start(offline()).await;
    let silent = || UnixStream::connect(running.folder.path().join("s")).expect("there is a socket");
    let mut first = ArtooServiceClient::new(channel(&running).await);
    first.get_status(v1::GetStatusRequest {}).await.expect("it is served");
    let mut held = Vec::new();
    for _ in 0..600 {
        held.push(silent());
    }
    let mut late = ArtooServiceClient::new(channel(&running).await);
    in_time(late.get_status(v1::GetStatusRequest {})).await.expect("it is served");
    // Its connection had to give way. A call that meets the closing may be lost; the next one connects again.
    if let Err(status) = in_time(first.get_status(v1::GetStatusRequest {})).await {
        assert!(matches!(status.code(), Code::Unknown | Code::Unavailable), "{status:?}");
        in_time(first.get_status(v1::GetStatusRequest {})).await.expect("it connects again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_too_large_is_refused_in_words() {
    let mut running = start(offline()).await;
    let request = v1::SubmitTaskRequest { input: "x".repeat(2 * 1024 * 1024), ..Default::default() };
    let refusal =
        refused(running.client.submit_task(request).await, Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    assert!(refusal.message().contains("1048576 bytes"), "{refusal:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compressed_message_is_refused_as_the_protocol_says() {
    let mut running = start(offline()).await;
    let mut request = tonic::Request::new(v1::GetStatusRequest {});
    request.metadata_mut().insert("grpc-encoding", "gzip".parse().expect("it is plain"));
    let status = running.client.get_status(request).await.expect_err("it is not understood");
    assert_eq!(status.code(), Code::Unimplemented, "{status:?}");
}

/// Connections that say nothing lose their seats even where nobody needs them.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_says_nothing_is_closed() {
    let running = start(offline()).await;
    let mut silent = UnixStream::connect(running.folder.path().join("s")).expect("there is a socket");
    let end = tokio::task::spawn_blocking(move || silent.read_to_end(&mut Vec::new()));
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
