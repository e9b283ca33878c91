//! How the server ends, and what else is on the socket.

use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn stopping_ends_open_streams_and_the_server_returns() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let one = v1::StreamEventsRequest { task_id, after_sequence: 0, follow: true };
    let mut one = running.client.stream_events(one).await.expect("a stream").into_inner();
    let mut live = running
        .client
        .stream_events(v1::StreamEventsRequest::default())
        .await
        .expect("a stream")
        .into_inner();
    let watched = HealthCheckRequest { service: "artoo.v1.ArtooService".to_owned() };
    let mut health = HealthClient::new(running.channel.clone());
    let mut health = health.watch(watched).await.expect("it can be watched").into_inner();
    let serving = in_time(health.message()).await.expect("in order").expect("a state");
    assert_eq!(serving.status(), ServingStatus::Serving);

    running.stop.send_replace(true);
    let last = loop {
        match in_time(one.message()).await {
            Ok(Some(_)) => {}
            last => break last,
        }
    };
    refused(last, Code::Unavailable, "SHUTTING_DOWN");
    refused(in_time(live.message()).await, Code::Unavailable, "SHUTTING_DOWN");
    let ending = in_time(health.message()).await.expect("in order").expect("a state");
    assert_eq!(ending.status(), ServingStatus::NotServing);
    assert!(in_time(health.message()).await.expect("in order").is_none());
    in_time(running.server).await.expect("it returns").expect("in order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_nothing_does_not_hold_the_server() {
    let running = start(silent()).await;
    let _held = std::os::unix::net::UnixStream::connect(running.folder.path().join("s")).expect("it answers");
    running.stop.send_replace(true);
    in_time(running.server).await.expect("it returns").expect("in order");
}

#[tokio::test(flavor = "multi_thread")]
async fn generic_tools_find_the_service() {
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
    let running = start(offline()).await;
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut client = ServerReflectionClient::new(running.channel.clone());
    let answers = client.server_reflection_info(tokio_stream::iter([ask])).await.expect("it answers");
    let answer = in_time(answers.into_inner().message()).await.expect("in order").expect("one");
    let Some(MessageResponse::ListServicesResponse(services)) = answer.message_response else {
        panic!("not a list of services: {answer:?}")
    };
    let names: Vec<String> = services.service.into_iter().map(|service| service.name).collect();
    for name in ["artoo.v1.ArtooService", "grpc.health.v1.Health"] {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
}
