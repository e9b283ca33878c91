//! Whether a model calls tools by itself is found out, and kept.

use std::time::Duration;

use artoo_redact::Redactor;

use super::{config, reply, request, sse, timing};
use crate::{ChatModel, KnownServers, OpenAi, ProviderConfig, ToolCallForm};
use artoo_testing::model_server::{ModelServer, Reply};

fn finding_out(server: &ModelServer, known: &KnownServers) -> OpenAi {
    let config = ProviderConfig { tool_calls: ToolCallForm::Auto, ..config(&server.base_url()) };
    OpenAi::new(&config, timing(), &Redactor::default(), known).unwrap()
}

/// Waits on the runtime of the test, which asks.
async fn wait_until(done: impl Fn() -> bool) {
    let waiting = async {
        while !done() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(40), waiting).await.unwrap();
}

#[tokio::test]
async fn a_model_that_calls_tools_is_asked_once_and_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let known = KnownServers::open(folder.path().join("servers.json"));
    let server = ModelServer::with_tools(|_| sse("{}"));
    let model = finding_out(&server, &known);
    assert!(!model.native_tool_calls() && server.probes() == 0, "nothing is sent before a task asks");
    reply(model.complete(request()).await);
    wait_until(|| model.native_tool_calls()).await;
    reply(model.complete(request()).await);
    let after_a_start = KnownServers::open(folder.path().join("servers.json"));
    let again = finding_out(&server, &after_a_start);
    assert!(again.native_tool_calls());
    reply(again.complete(request()).await);
    assert_eq!((server.probes(), server.requests().len()), (1, 3));
}

#[tokio::test]
async fn a_model_that_does_not_is_asked_for_json_and_asked_once_more_after_a_start() {
    let known = KnownServers::default();
    let server = ModelServer::start(|_| sse("{}"));
    for starts in 1..=2 {
        let model = finding_out(&server, &known);
        for _ in 0..3 {
            reply(model.complete(request()).await);
            wait_until(|| server.probes() == starts).await;
            assert!(!model.native_tool_calls());
        }
    }
}

#[tokio::test]
async fn a_server_that_never_answered_is_not_asked() {
    let server = ModelServer::start(|_| Reply::status(401, "{}"));
    let model = finding_out(&server, &KnownServers::default());
    super::failure(model.complete(request()).await);
    tokio::task::yield_now().await;
    assert_eq!((server.probes(), model.native_tool_calls()), (0, false));
}
