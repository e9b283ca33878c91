//! The provider against a scripted server on loopback.

mod contexts;
mod forms;
mod probing;

use std::sync::Arc;
use std::time::Duration;

use artoo_redact::{KnownSecret, Redactor, SecretKind};
use artoo_types::chat::{
    ChatMessage, ChatReply, ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome, NativeToolCall,
    Speaker, Tier, Usage,
};
use artoo_types::envelope::Role;
use artoo_types::reply::SchemaName;
use artoo_types::tool::ToolSpec;

use super::{OpenAi, Timing};
use crate::{ChatModel, KnownServers, Patience, ProviderConfig, ProviderKind, Secret, ToolCallForm};
use artoo_testing::model_server::{ModelServer, Reply, dead_base_url, event_stream};

const KEY: &str = "sk-hidden-0123456789";
const LONG: Duration = Duration::from_secs(60);

/// Waits short enough for a test; everything else as it ships.
fn timing() -> Timing {
    Timing {
        backoff_base: Duration::from_millis(1),
        backoff_cap: Duration::from_millis(2),
        refused_base: Duration::from_millis(1),
        ..Timing::default()
    }
}

fn config(base_url: &str) -> ProviderConfig {
    ProviderConfig {
        kind: ProviderKind::OpenAi,
        base_url: base_url.to_owned(),
        model: "configured".to_owned(),
        api_key: Secret::new(KEY),
        tool_calls: ToolCallForm::Json,
        ..ProviderConfig::default()
    }
}

fn made(config: &ProviderConfig, timing: Timing) -> OpenAi {
    let known = KnownSecret { secret: Secret::new(KEY), kind: SecretKind::ApiKey };
    OpenAi::new(config, timing, &Redactor::new(&[known]), &KnownServers::default()).unwrap()
}

/// Why there can be no provider.
fn refused(config: &ProviderConfig) -> String {
    let made = OpenAi::new(config, timing(), &Redactor::default(), &KnownServers::default());
    made.unwrap_err().to_string()
}

fn provider(server: &ModelServer) -> OpenAi {
    made(&config(&server.base_url()), timing())
}

fn request() -> ChatRequest {
    let message = |speaker, content: &str| ChatMessage { speaker, content: content.to_owned() };
    ChatRequest {
        role: Role::Planner,
        tier: Tier::Brain,
        messages: vec![
            message(Speaker::System, "# Role: R2 Planner\nPlan."),
            message(Speaker::User, "## Request\ngo"),
        ],
        schema: SchemaName::Plan,
        native_tools: Vec::new(),
        deadline_ms: 60_000,
        brief: None,
        steady: Vec::new(),
        images: Vec::new(),
    }
}

fn reply(outcome: ModelOutcome) -> ChatReply {
    match outcome {
        ModelOutcome::Reply(reply) => reply,
        ModelOutcome::Failure(failure) => panic!("{failure:?}"),
    }
}

fn failure(outcome: ModelOutcome) -> ModelFailure {
    match outcome {
        ModelOutcome::Failure(failure) => failure,
        ModelOutcome::Reply(reply) => panic!("{reply:?}"),
    }
}

/// These replies lead to the content after so many requests.
async fn check(replies: Vec<Reply>, content: &str, attempts: u32) {
    let server = ModelServer::replies(replies.clone());
    let reply = reply(provider(&server).complete(request()).await);
    assert_eq!((reply.content.as_str(), reply.attempts), (content, attempts), "{replies:?}");
    assert_eq!(server.requests().len(), attempts as usize, "{replies:?}");
}

/// This reply, for ever, leads to a failure after so many requests, with these words in its message.
async fn check_failure(always: Reply, kind: ModelFailureKind, attempts: u32, words: &[&str]) {
    let server = ModelServer::replies(vec![always.clone()]);
    let failure = failure(provider(&server).complete(request()).await);
    assert_eq!((failure.kind, failure.attempts), (kind, attempts), "{always:?}: {}", failure.message);
    assert_eq!(server.requests().len(), attempts as usize, "{always:?}");
    for word in words {
        assert!(failure.message.contains(word), "{word} is missing: {}", failure.message);
    }
    assert!(!failure.message.contains(KEY), "{}", failure.message);
}

fn sse(content: &str) -> Reply {
    Reply::Sse(content.to_owned())
}

#[tokio::test]
async fn a_streamed_reply_arrives_whole_with_its_usage() {
    let server = ModelServer::replies(vec![sse("{\"a\": \"找出\"}")]);
    let provider = provider(&server);
    let reply = reply(provider.complete(request()).await);
    assert_eq!(reply.content, "{\"a\": \"找出\"}");
    assert_eq!(reply.finish_reason.as_deref(), Some("stop"));
    assert_eq!(reply.model, "scripted");
    assert_eq!(reply.attempts, 1);
    assert!(reply.usage.prompt == Some(100) && reply.usage.completion.is_some());
    assert_eq!((reply.usage.cached, reply.usage.reasoning), (None, None), "not reported is absent");

    let seen = &server.requests()[0];
    assert_eq!(seen.path, "/v1/chat/completions");
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!((seen.role.as_str(), seen.schema(), seen.section("Request").as_str()), ("R2", "plan", "go"));
    assert_eq!(seen.body["stream"], true);
    assert!(!format!("{provider:?} {}", provider.label()).contains(KEY));
}

#[tokio::test]
async fn a_plain_reply_and_one_without_a_key_arrive_too() {
    let server = ModelServer::replies(vec![Reply::Json("{}".to_owned())]);
    let keyless = ProviderConfig { api_key: Secret::default(), ..config(&server.base_url()) };
    let provider = made(&keyless, timing());
    assert_eq!(reply(provider.complete(request()).await).content, "{}");
    assert!(!server.requests()[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn reasoning_is_dropped_and_think_blocks_in_the_content_stay() {
    let reasoned =
        Reply::Reasoned { reasoning: "let me see".to_owned(), content: "<think>x</think>{}".to_owned() };
    check(vec![reasoned], "<think>x</think>{}", 1).await;
}

#[tokio::test]
async fn hand_made_streams_arrive() {
    let plain = event_stream("", "{\"n\": 1}");
    let shapes = [
        format!(": keep-alive\n\n{}", plain.replace("\n\n", "\n\n: OPENROUTER PROCESSING\n\n")),
        plain.replace('\n', "\r\n"),
        plain.replace("data: ", "data:"),
        plain.replace("data: [DONE]\n\n", ""),
        format!("\n\n\n{plain}"),
    ];
    for shape in shapes {
        assert_ne!(shape, plain);
        check(vec![Reply::Stream(shape.into_bytes())], "{\"n\": 1}", 1).await;
    }
    let blank = format!("\n\n\n{}", r#"{"choices":[{"message":{"content":"{}"}}]}"#);
    check(vec![Reply::Junk(blank.into_bytes())], "{}", 1).await;
}

#[tokio::test]
async fn unknown_usage_is_absent() {
    let chunk = r#"data: {"choices":[{"delta":{"content":"{}"},"finish_reason":"stop"}]}"#;
    let server = ModelServer::replies(vec![Reply::Stream(format!("{chunk}\n\n").into_bytes())]);
    let reply = reply(provider(&server).complete(request()).await);
    let estimated = reply.usage.estimated;
    assert_eq!(reply.usage, Usage { estimated, ..Usage::default() }, "it is not taken for a report");
    assert!(estimated.is_some_and(|tokens| (10..10_000).contains(&tokens)), "{estimated:?}");
    assert_eq!(reply.model, "configured");
}

#[tokio::test]
async fn passing_trouble_is_waited_out() {
    for code in [408, 429, 500, 502, 503, 529] {
        check(vec![Reply::status(code, "busy"), sse("{}")], "{}", 2).await;
    }
    let broken = [
        Reply::Raw(Vec::new()),
        Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n".to_vec()),
        Reply::Junk(b"not json".to_vec()),
        Reply::Junk(Vec::new()),
        Reply::Cut { content: "{}".to_owned(), after: 0 },
        Reply::Cut { content: "{}".to_owned(), after: 40 },
        Reply::Stream(b"data: {\"error\": {\"message\": \"overloaded\", \"code\": 503}}\n\n".to_vec()),
    ];
    for first in broken {
        check(vec![first, sse("{}")], "{}", 2).await;
    }
    let three = vec![Reply::status(503, ""), Reply::Raw(Vec::new()), Reply::retry_after(429, "0"), sse("{}")];
    check(three, "{}", 4).await;
}

#[tokio::test]
async fn lasting_trouble_ends_after_four_tries() {
    let gone = ModelFailureKind::Lost;
    let busy = r#"{"error": {"message": "all slots are in use"}}"#;
    check_failure(Reply::status(503, busy), ModelFailureKind::Busy, 4, &["HTTP 503", "all slots are in use"])
        .await;
    check_failure(Reply::status(500, busy), gone, 4, &["HTTP 500", "kept failing"]).await;
    check_failure(Reply::Junk(b"<html>".to_vec()), gone, 4, &["<html>", "base_url"]).await;
    check_failure(Reply::Raw(Vec::new()), gone, 4, &["gave no reply"]).await;
}

#[tokio::test]
async fn refusals_that_no_repetition_changes_are_final() {
    let unreachable = ModelFailureKind::Unreachable;
    let echo = format!(
        r#"{{"error": {{"message": "Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}}}"#
    );
    check_failure(Reply::status(401, &echo), unreachable, 1, &["does not accept the key", "api_key"]).await;
    check_failure(Reply::status(402, "pay"), unreachable, 1, &["no credit", "HTTP 402"]).await;
    check_failure(
        Reply::status(403, &echo),
        unreachable,
        1,
        &["may not use configured", "[redacted: api key]"],
    )
    .await;
    let missing = r#"{"error": {"message": "no such thing", "code": "model_not_found"}}"#;
    let tried = ["/v1/chat/completions", "does not know the model configured", "no such thing"];
    check_failure(Reply::status(404, missing), unreachable, 1, &tried).await;
    let nothing = ["/v1/chat/completions", "configured", "page not found", "base_url", "model"];
    check_failure(Reply::status(404, "page not found"), unreachable, 1, &nothing).await;
    for quota in
        [r#"{"error": {"code": "insufficient_quota"}}"#, r#"{"error": {"type": "insufficient_quota"}}"#]
    {
        check_failure(Reply::status(429, quota), unreachable, 1, &["no credit"]).await;
    }
    let elsewhere = Reply::Status {
        code: 301,
        headers: vec![("Location".to_owned(), "https://b.example/v1".to_owned())],
        body: String::new(),
    };
    check_failure(elsewhere, unreachable, 1, &["https://b.example/v1", "base_url"]).await;
    let other = r#"{"error": {"message": "logprobs must be null"}}"#;
    check_failure(Reply::status(400, other), ModelFailureKind::Refused, 1, &["logprobs must be null"]).await;
    let keyed = r#"data: {"error": {"message": "no", "code": "invalid_api_key"}}"#;
    check_failure(Reply::Stream(format!("{keyed}\n\n").into_bytes()), unreachable, 1, &["api_key"]).await;
}

#[tokio::test]
async fn what_a_server_says_is_redacted_before_it_is_cut() {
    // Wherever the cut of a quotation falls, it never leaves the beginning of a key.
    for before in [0, 200, 240, 270, 280, 290, 296, 299, 300] {
        let said = format!("{} {KEY} {KEY}", "x".repeat(before));
        let body = serde_json::json!({"error": {"message": said}}).to_string();
        for reply in [Reply::status(422, &body), Reply::Junk(said.clone().into_bytes())] {
            let server = ModelServer::start(move |_| reply.clone());
            let failure = failure(provider(&server).complete(request()).await);
            assert!(!failure.message.contains("sk-h"), "{before}: {}", failure.message);
        }
    }
}

#[tokio::test]
async fn a_missing_key_is_named_as_missing() {
    let server = ModelServer::replies(vec![Reply::status(401, "")]);
    let keyless = ProviderConfig { api_key: Secret::default(), ..config(&server.base_url()) };
    let failure = failure(made(&keyless, timing()).complete(request()).await);
    assert!(failure.message.contains("none is configured"), "{}", failure.message);
}

#[tokio::test]
async fn a_break_after_the_answer_began_is_a_failure_and_not_repeated() {
    let content = "{\"answer\": \"a long one\"}".to_owned();
    let after = event_stream("", &content).len() / 2;
    check_failure(Reply::Cut { content, after }, ModelFailureKind::Failed, 1, &["broke off"]).await;
    let error = "data: {\"error\": {\"message\": \"upstream is gone\", \"code\": 503}}\n\n";
    let begun = event_stream("", "{}").split_inclusive("\n\n").take(2).collect::<String>() + error;
    check_failure(Reply::Stream(begun.into_bytes()), ModelFailureKind::Failed, 1, &["upstream is gone"])
        .await;
}

#[tokio::test]
async fn nobody_at_the_address_is_told_after_a_few_tries() {
    let url = dead_base_url();
    let failure = failure(made(&config(&url), timing()).complete(request()).await);
    assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Lost, 4), "{}", failure.message);
    assert!(failure.message.contains(&url) && failure.message.contains("base_url"), "{}", failure.message);
    assert!(failure.message.to_lowercase().contains("refused"), "{}", failure.message);
    let own = ProviderConfig { command: Some("llama-server".to_owned()), ..config(&url) };
    let failure = self::failure(made(&own, timing()).complete(request()).await);
    assert_eq!(failure.kind, ModelFailureKind::Busy, "one's own server is waited for: {}", failure.message);
}

#[tokio::test]
async fn a_server_without_the_expected_encryption_is_unreachable() {
    let server = ModelServer::replies(vec![sse("{}")]);
    let config = config(&server.base_url().replace("http://", "https://"));
    let brief = Timing { connect: Duration::from_millis(100), ..timing() };
    let failure = failure(made(&config, brief).complete(request()).await);
    assert_eq!(failure.kind, ModelFailureKind::Lost, "{}", failure.message);
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn nobody_at_the_address_is_told_even_when_time_runs_out() {
    let slow = Timing { refused_base: LONG, refused_total: Duration::from_secs(600), ..timing() };
    let provider = made(&config(&dead_base_url()), slow);
    let hurried = ChatRequest { deadline_ms: 30_000, ..request() };
    let failure = failure(provider.complete(hurried).await);
    assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Lost, 1), "{}", failure.message);
}

#[tokio::test]
async fn a_long_wait_that_a_server_asks_for_is_passed_on() {
    let google = r#"[{"error": {"code": 429, "message": "quota of this minute", "status": "RESOURCE_EXHAUSTED", "details":
        [{"@type": "type.googleapis.com/google.rpc.Help"},
         {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}]"#;
    // If the wait were begun, this test would take an hour.
    for (reply, ms) in [(Reply::retry_after(429, "3600"), 3_600_000), (Reply::status(429, google), 34_500)] {
        let server = ModelServer::replies(vec![reply]);
        let failure = failure(provider(&server).complete(request()).await);
        assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Busy, 1), "{}", failure.message);
        assert_eq!(failure.retry_after_ms, Some(ms));
        assert!(failure.message.contains("HTTP 429"), "{}", failure.message);
    }
    let server = ModelServer::replies(vec![Reply::status(429, google)]);
    let failure = failure(provider(&server).complete(request()).await);
    assert!(
        failure.message.contains("quota of this minute") && !failure.message.contains("[{"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn a_server_that_hangs_runs_into_the_deadline() {
    let server = ModelServer::replies(vec![Reply::Hang]);
    let hurried = ChatRequest { deadline_ms: 50, ..request() };
    let failure = failure(provider(&server).complete(hurried).await);
    assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Deadline, 1), "{}", failure.message);
    assert!(failure.message.contains("0.25 s"), "{}", failure.message);
}

#[tokio::test]
async fn silence_ends_a_call_and_signs_of_life_extend_it_to_its_bound() {
    let drip = |piece: &[u8]| Reply::Drip { piece: piece.to_vec(), every: Duration::from_millis(5) };
    let thought = drip(b"data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n\n");
    let long = Patience { first_token_ms: 60_000, idle_ms: 60_000, call_ms: 60_000 };
    let rows = [
        (Reply::Hang, Patience { first_token_ms: 100, ..long }, "nothing for 0.1 s", "first_token_ms"),
        (
            drip(b": keep-alive\n\n"),
            Patience { first_token_ms: 100, call_ms: 700, ..long },
            "0.7 s",
            "call_ms",
        ),
        (thought, Patience { call_ms: 700, ..long }, "within 0.7 s", "call_ms"),
    ];
    for (reply, patience, words, setting) in rows {
        let server = ModelServer::replies(vec![reply]);
        let config = ProviderConfig { patience, ..config(&server.base_url()) };
        let failure = failure(made(&config, timing()).complete(request_of_usual_length()).await);
        assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Deadline, 1), "{}", failure.message);
        assert!(failure.message.contains(words) && failure.message.contains(setting), "{}", failure.message);
    }
}

fn request_of_usual_length() -> ChatRequest {
    ChatRequest { deadline_ms: artoo_types::limits::MODEL_CALL_MS, ..request() }
}

#[tokio::test]
async fn dropping_the_call_closes_its_connection() {
    let server = Arc::new(ModelServer::replies(vec![Reply::Hang]));
    let provider = provider(&server);
    let call = tokio::spawn(async move { provider.complete(request()).await });
    let waiting = Arc::clone(&server);
    let arrived = tokio::task::spawn_blocking(move || waiting.wait_for_requests(1, LONG));
    arrived.await.unwrap();
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    let waiting = Arc::clone(&server);
    tokio::task::spawn_blocking(move || waiting.wait_for_hang_ups(1, LONG)).await.unwrap();
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn refusals_in_the_words_of_each_server_are_told_for_what_they_are() {
    let gone = ModelFailureKind::Unreachable;
    let google = r#"[{"error": {"code": 400, "message": "Please pass a valid one.", "status": "INVALID_ARGUMENT",
        "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]}}]"#;
    let rows = [
        (google, gone, "does not accept the key"),
        (
            r#"{"error": {"message": "invalid model ID", "type": "invalid_request_error"}}"#,
            gone,
            "check model",
        ),
        (
            r#"{"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}"#,
            gone,
            "no credit",
        ),
        (
            r#"{"error": {"code": "content_filter", "message": "The prompt was filtered"}}"#,
            ModelFailureKind::Refused,
            "content filter",
        ),
    ];
    for (body, kind, words) in rows {
        check_failure(Reply::status(400, body), kind, 1, &[words]).await;
    }
}

#[tokio::test]
async fn a_reply_that_cannot_be_read_or_was_filtered_is_told_as_such() {
    let refused = ModelFailureKind::Refused;
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3].to_vec();
    check_failure(Reply::Junk(gzip), refused, 1, &["compressed with gzip", "turn compression off"]).await;
    let coded = "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc";
    check_failure(Reply::Raw(coded.as_bytes().to_vec()), refused, 1, &["compressed with br"]).await;
    let filtered = r#"data: {"choices":[{"delta":{"content":"I"},"finish_reason":"content_filter"}]}"#;
    check_failure(Reply::Stream(format!("{filtered}\n\n").into_bytes()), refused, 1, &["content filter"])
        .await;
}

/// A request whose person said so many characters.
fn long_request(chars: usize) -> ChatRequest {
    let mut request = request();
    request.messages[1].content = format!("## Request\ngo\n{}\nthe end", "x".repeat(chars));
    request
}

#[tokio::test]
async fn a_prompt_beyond_the_context_is_cut_and_the_room_remembered() {
    // As llama.cpp says it: four characters to a token.
    let server = ModelServer::start(|seen| {
        let tokens = seen.message("user").chars().count() / 4;
        let body = format!(
            r#"{{"error": {{"code": 400, "message": "request ({tokens} tokens) exceeds the available context size (2048 tokens)",
            "type": "exceed_context_size_error", "n_prompt_tokens": {tokens}, "n_ctx": 2048}}}}"#
        );
        if tokens > 2_048 { Reply::status(400, &body) } else { sse("{}") }
    });
    let provider = provider(&server);
    let first = reply(provider.complete(long_request(20_000)).await);
    assert_eq!((first.content.as_str(), first.attempts), ("{}", 2));
    let sent = server.requests()[1].message("user").to_owned();
    assert!(sent.starts_with("## Request\ngo\n") && sent.ends_with("\nthe end"), "{sent}");
    assert!(sent.contains("characters omitted") && sent.chars().count() > 5_000, "{}", sent.chars().count());
    assert_eq!(reply(provider.complete(long_request(20_000)).await).attempts, 1, "it is remembered");
    assert_eq!(reply(provider.complete(request()).await).attempts, 1);
}

#[tokio::test]
async fn a_prompt_that_no_cut_makes_fit_ends_with_what_to_do() {
    let body = r#"{"error": {"message": "prompt is too long: 9,000 tokens > 8,000 maximum", "type": "invalid_request_error"}}"#;
    let server = ModelServer::start(move |_| Reply::status(400, body));
    let failure = failure(provider(&server).complete(long_request(100_000)).await);
    assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Refused, 5), "{}", failure.message);
    assert!(
        failure.message.contains("does not fit") && failure.message.contains("8,000"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn what_a_server_does_not_take_is_left_out_once_and_for_good() {
    let said =
        |words: &str| Reply::status(400, &serde_json::json!({"error": {"message": words}}).to_string());
    let server = ModelServer::start(move |seen| {
        if !seen.body["tools"].is_null() {
            said("configured does not support tools")
        } else if seen.body["stream"] == true {
            said("Your organization must be verified to stream this model.")
        } else if !seen.message("system").is_empty() {
            said("System role not supported")
        } else {
            Reply::Json("{}".to_owned())
        }
    });
    let tool = ToolSpec {
        name: "glob".to_owned(),
        signature: "{root}".to_owned(),
        purpose: "finds".to_owned(),
        schema: "{\"type\": \"object\"}".to_owned(),
        reads: false,
    };
    let native = ProviderConfig { tool_calls: ToolCallForm::Native, ..config(&server.base_url()) };
    let provider = made(&native, timing());
    let asked = ChatRequest { native_tools: vec![tool], schema: SchemaName::ExecutionResult, ..request() };
    assert_eq!(reply(provider.complete(asked.clone()).await).attempts, 4);
    assert_eq!(reply(provider.complete(asked).await).attempts, 1, "it is remembered");
    let seen = server.requests().pop().unwrap();
    let user = seen.message("user");
    assert!(
        user.starts_with("# Role: R2 Planner") && user.contains("- glob {\"type\": \"object\"}: finds"),
        "{user}"
    );
    assert_eq!((seen.schema(), seen.body["stream"].as_bool()), ("action", Some(false)));
}

#[tokio::test]
async fn configured_header_fields_travel_and_outrank_others() {
    let server = ModelServer::replies(vec![sse("{}")]);
    let headers = [("api-key", "k2"), ("HTTP-Referer", "https://a.example"), ("User-Agent", "me")];
    let headers = headers.map(|(name, value)| (name.to_owned(), Secret::new(value))).into();
    let config = ProviderConfig { headers, ..config(&server.base_url()) };
    reply(made(&config, timing()).complete(request()).await);
    let seen = &server.requests()[0].headers;
    let sent = ["api-key", "http-referer", "user-agent"].map(|name| seen[name].as_str());
    assert_eq!(sent, ["k2", "https://a.example", "me"]);
    let bad = ProviderConfig { headers: [("a b".to_owned(), Secret::new("c"))].into(), ..config };
    assert!(refused(&bad).contains("\"a b\""));
}

#[tokio::test]
async fn what_a_call_cost_is_told_where_its_price_is_known() {
    let file = std::env::temp_dir().join(format!("artoo-prices-{}.json", std::process::id()));
    let prices = serde_json::json!({
        "sample_spec": {"mode": "one of: chat, ..."},
        "other/configured": {"input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6,
            "cache_read_input_token_cost": 5e-7, "litellm_provider": "other", "mode": "chat"},
    });
    std::fs::write(&file, prices.to_string()).unwrap();
    let chunk = r#"data: {"choices":[{"delta":{"content":"{}"},"finish_reason":"stop"}],"usage":
        {"prompt_tokens":1000,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":400}}}"#
        .replace('\n', "");
    let server = ModelServer::replies(vec![Reply::Stream(format!("{chunk}\n\n").into_bytes())]);
    let priced = ProviderConfig { prices: Some(file.clone()), ..config(&server.base_url()) };
    let other = ProviderConfig { model: "unknown".to_owned(), ..priced.clone() };
    let cost = reply(made(&priced, timing()).complete(request()).await).usage.cost_nanousd;
    assert_eq!(cost, Some(600 * 2_000 + 400 * 500 + 10 * 8_000));
    let silent = r#"data: {"choices":[{"delta":{"content":"{}"},"finish_reason":"stop"}]}"#;
    let silent = ModelServer::replies(vec![Reply::Stream(format!("{silent}\n\n").into_bytes())]);
    let silent = ProviderConfig { base_url: config(&silent.base_url()).base_url, ..priced.clone() };
    let usage = reply(made(&silent, timing()).complete(request()).await).usage;
    let (tokens, cost) = (usage.estimated.unwrap(), usage.cost_nanousd.unwrap());
    assert!(tokens > 10 && (tokens * 2_000..=tokens * 8_000).contains(&cost), "{tokens} tokens, {cost}");
    let other = made(&other, timing());
    assert_eq!(reply(other.complete(request()).await).usage.cost_nanousd, None);
    assert!(other.advice().unwrap().contains("has none for unknown"));
    std::fs::write(&file, "[]").unwrap();
    assert!(refused(&priced).contains("no object"));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn certificates_that_cannot_be_read_are_refused_at_the_start() {
    let made = |file: &str| {
        let config = ProviderConfig { ca_file: Some(file.into()), ..config("https://a.example/v1") };
        OpenAi::new(&config, timing(), &Redactor::default(), &KnownServers::default())
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert!(made("/nowhere/ca.pem").unwrap_err().contains("No such file"));
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(made(other).unwrap_err().contains("it holds no certificate"));
}

/// A server that takes only these forms; a request for another one is a 400.
fn choosy(takes: &'static [&'static str], said: &'static str) -> ModelServer {
    ModelServer::start(
        move |seen| {
            if takes.contains(&seen.form()) { sse("{}") } else { Reply::status(400, said) }
        },
    )
}

#[tokio::test]
async fn the_form_that_a_server_takes_is_found_and_remembered() {
    let said = "{\"error\": {\"message\": \"this response_format is unavailable\"}}";
    for (takes, expected) in [
        (&["json_schema", "text"][..], &["json_schema"][..]),
        (&["json_object", "text"], &["json_schema", "json_object"]),
        (&["text"], &["json_schema", "json_object", "text"]),
    ] {
        let server = choosy(takes, said);
        let provider = provider(&server);
        let first = reply(provider.complete(request()).await);
        assert_eq!(first.attempts as usize, expected.len());
        assert_eq!(reply(provider.complete(request()).await).attempts, 1, "{takes:?} is remembered");
        let forms: Vec<String> = server.requests().iter().map(|seen| seen.form().to_owned()).collect();
        let last = *expected.last().unwrap();
        assert_eq!(forms, [expected, &[last]].concat());
        let system = server.requests().last().unwrap().message("system").to_owned();
        assert_eq!(system.contains("JSON schema"), last != "json_schema");
    }
}

#[tokio::test]
async fn steps_of_the_ladder_do_not_use_up_tries() {
    let server = ModelServer::start(|seen| match (seen.form(), seen.number) {
        ("json_schema" | "json_object", _) => Reply::status(400, "response_format"),
        (_, 2..=4) => Reply::status(503, ""),
        _ => sse("{}"),
    });
    assert_eq!(reply(provider(&server).complete(request()).await).attempts, 6);
}

#[tokio::test]
async fn native_tools_are_called_when_configured() {
    let tool = ToolSpec {
        name: "glob".to_owned(),
        signature: "{root}".to_owned(),
        purpose: "finds".to_owned(),
        schema: "{\"type\": \"object\"}".to_owned(),
        reads: false,
    };
    let asked = ChatRequest { native_tools: vec![tool], schema: SchemaName::ExecutionResult, ..request() };
    let arguments = "{\"root\": \"/x\", \"pattern\": \"*.rs\"}".to_owned();
    let server = ModelServer::start(move |seen| match seen.body.get("tools") {
        Some(_) => Reply::ToolCall { name: "glob".to_owned(), arguments: arguments.clone() },
        None => sse("{}"),
    });
    let json = provider(&server);
    assert!(!json.native_tool_calls());
    assert_eq!(reply(json.complete(asked.clone()).await).tool_calls, []);

    let native = ProviderConfig { tool_calls: ToolCallForm::Native, ..config(&server.base_url()) };
    let native = made(&native, timing());
    assert!(native.native_tool_calls());
    let reply = reply(native.complete(asked).await);
    let arguments = "{\"root\": \"/x\", \"pattern\": \"*.rs\"}".to_owned();
    assert_eq!(reply.tool_calls, [NativeToolCall { name: "glob".to_owned(), arguments }]);
    assert_eq!((reply.content.as_str(), reply.finish_reason.as_deref()), ("", Some("tool_calls")));
    assert_eq!(server.requests()[1].form(), "text", "a form would keep the model from calling a tool");
}
