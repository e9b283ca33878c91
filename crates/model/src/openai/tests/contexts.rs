//! How much a model takes at once is asked of its server, kept, and no prompt is longer.

use std::time::Duration;

use artoo_redact::Redactor;
use artoo_types::chat::ChatRequest;

use super::{config, reply, request, sse, timing};
use crate::{ChatModel, KnownServers, OpenAi, ProviderConfig};
use artoo_testing::model_server::ModelServer;

fn model(server: &ModelServer, known: &KnownServers, context: Option<u64>) -> OpenAi {
    let config = ProviderConfig { context, ..config(&server.base_url()) };
    OpenAi::new(&config, timing(), &Redactor::default(), known).unwrap()
}

async fn wait_until(done: impl Fn() -> bool) {
    let waiting = async {
        while !done() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(40), waiting).await.unwrap();
}

/// A request whose second message has so many characters.
fn long(chars: usize) -> ChatRequest {
    let mut request = request();
    request.messages[1].content = format!("first {} last", "word ".repeat(chars / 5));
    request
}

/// Characters of what the server got in its last request, and its end.
fn got(server: &ModelServer) -> (usize, bool) {
    let seen = server.requests().pop().unwrap();
    let text = seen.message("user");
    (text.chars().count(), text.starts_with("first ") && text.ends_with(" last"))
}

#[tokio::test]
async fn a_server_is_asked_once_and_what_it_says_is_kept_over_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let known = KnownServers::open(folder.path().join("servers.json"));
    let server = ModelServer::with_context(4_096, |_| sse("{}"));
    let first = model(&server, &known, None);
    assert_eq!(first.context(), None);
    for _ in 0..3 {
        reply(first.complete(request()).await);
        wait_until(|| first.context() == Some(4_096)).await;
    }
    assert_eq!(server.context_asked(), 1);
    let again = model(&server, &KnownServers::open(folder.path().join("servers.json")), None);
    assert_eq!(again.context(), Some(4_096), "a task that starts now knows it");
    reply(again.complete(long(40_000)).await);
    let (chars, has_ends) = got(&server);
    assert!((4_000..=11_000).contains(&chars) && has_ends, "{chars} characters for 4096 tokens");
}

#[tokio::test]
async fn what_is_configured_is_not_asked_for_and_what_fits_is_left_whole() {
    let server = ModelServer::with_context(4_096, |_| sse("{}"));
    let model = model(&server, &KnownServers::default(), Some(100_000));
    reply(model.complete(long(40_000)).await);
    assert_eq!(got(&server), (40_011, true));
    reply(model.complete(long(1_000_000)).await);
    let (chars, has_ends) = got(&server);
    assert!(chars < 320_000 && has_ends, "{chars}");
    assert_eq!((server.context_asked(), model.context()), (0, Some(100_000)));
}

#[tokio::test]
async fn a_server_that_does_not_tell_is_sent_all_of_it() {
    let server = ModelServer::replies(vec![sse("{}")]);
    let model = model(&server, &KnownServers::default(), None);
    reply(model.complete(long(40_000)).await);
    wait_until(|| server.context_asked() == 1).await;
    reply(model.complete(long(40_000)).await);
    assert_eq!((got(&server), model.context()), ((40_011, true), None));
}
