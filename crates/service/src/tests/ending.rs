//! How the server ends, and what else is on the socket.

use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn stopping_ends_open_streams_and_the_server_returns() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let one = v1::StreamEventsRequest { task_id, after_sequence: 0, follow: true, heartbeat_ms: 0 };
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

    // First it says that it goes; what is open stays open, and questions are answered.
    running.phase.send_replace(ServingPhase::Draining);
    let ending = in_time(health.message()).await.expect("in order").expect("a state");
    assert_eq!(ending.status(), ServingStatus::NotServing);
    running.client.get_status(v1::GetStatusRequest {}).await.expect("it still answers");

    running.phase.send_replace(ServingPhase::Stopped);
    let last = loop {
        match in_time(one.message()).await {
            Ok(Some(_)) => {}
            last => break last,
        }
    };
    refused(last, Code::Unavailable, "SHUTTING_DOWN");
    refused(in_time(live.message()).await, Code::Unavailable, "SHUTTING_DOWN");
    assert!(in_time(health.message()).await.expect("in order").is_none());
    in_time(running.server).await.expect("it returns").expect("in order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_goes_down_refuses_new_tasks_and_says_when_to_come_back() {
    let mut running = start(silent()).await;
    let request = |key: &str| v1::SubmitTaskRequest {
        input: "think".to_owned(),
        request_id: key.to_owned(),
        ..Default::default()
    };
    let first = running.client.submit_task(request("a")).await.expect("accepted").into_inner();
    let tasks = running.daemon.tasks.clone();
    let shutting_down = tokio::spawn(async move { tasks.shut_down(Duration::from_secs(60)).await });
    let refusal = in_time(async {
        loop {
            // It is closed as soon as the shutdown has begun.
            match running.client.submit_task(request(&uuid::Uuid::now_v7().to_string())).await {
                Ok(_) => tokio::task::yield_now().await,
                refusal => break refused(refusal, Code::Unavailable, "SHUTTING_DOWN"),
            }
        }
    })
    .await;
    assert!(refusal.get_error_details().retry_info().is_some(), "{refusal:?}");
    let known = running.client.submit_task(request("a")).await.expect("it is known").into_inner();
    assert_eq!((known.task_id, known.already_known), (first.task_id, true));
    shutting_down.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_nothing_does_not_hold_the_server() {
    let running = start(silent()).await;
    let _held = std::os::unix::net::UnixStream::connect(running.folder.path().join("s")).expect("it answers");
    running.phase.send_replace(ServingPhase::Stopped);
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
