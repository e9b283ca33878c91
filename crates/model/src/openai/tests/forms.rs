//! The other interfaces, in the form that each has on the wire.

use artoo_types::chat::{ChatRequest, ModelFailureKind, NativeToolCall};
use artoo_types::tool::ToolSpec;
use serde_json::{Value, json};

use super::{KEY, config, failure, long_request, made, reply, request, timing};
use crate::config::ApiForm;
use crate::{ChatModel, OpenAi, ProviderConfig, ToolCallForm};
use artoo_testing::model_server::{ModelServer, Reply};

fn speaking(api: ApiForm, server: &ModelServer) -> OpenAi {
    let config = ProviderConfig { api, tool_calls: ToolCallForm::Native, ..config(&server.base_url()) };
    made(&config, timing())
}

/// Named events, as both interfaces stream them.
fn events(events: &[Value]) -> Reply {
    let event = |value: &Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap());
    Reply::Stream(events.iter().map(event).collect::<String>().into_bytes())
}

fn with_tool() -> ChatRequest {
    let tool = ToolSpec {
        name: "glob".to_owned(),
        signature: "{root}".to_owned(),
        purpose: "finds".to_owned(),
        schema: r#"{"type":"object","required":["root"]}"#.to_owned(),
        reads: false,
    };
    ChatRequest { native_tools: vec![tool], ..request() }
}

fn message(events_between: Vec<Value>, stop: &str) -> Reply {
    let usage = json!({"input_tokens": 25, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 70, "output_tokens": 1});
    let start = json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
        "model": "claude-x", "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage}});
    let mut all = vec![start, json!({"type": "ping"})];
    all.extend(events_between);
    all.push(json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
        "usage": {"output_tokens": 15}}));
    all.push(json!({"type": "message_stop"}));
    events(&all)
}

fn block(index: u64, start: &Value, deltas: &[Value]) -> Vec<Value> {
    let mut all = vec![json!({"type": "content_block_start", "index": index, "content_block": start})];
    let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
    all.extend(deltas.iter().map(delta));
    all.push(json!({"type": "content_block_stop", "index": index}));
    all
}

#[tokio::test]
async fn messages_are_asked_and_read_in_their_form() {
    let thought = block(
        0,
        &json!({"type": "thinking", "thinking": ""}),
        &[json!({"type": "thinking_delta", "thinking": "hm"})],
    );
    let said =
        [json!({"type": "text_delta", "text": "{\"a\": "}), json!({"type": "text_delta", "text": "1}"})];
    let text = block(1, &json!({"type": "text", "text": ""}), &said);
    let server = ModelServer::replies(vec![message([thought, text].concat(), "end_turn")]);
    let reply = reply(speaking(ApiForm::Messages, &server).complete(request()).await);
    assert_eq!((reply.content.as_str(), reply.finish_reason.as_deref()), ("{\"a\": 1}", Some("stop")));
    assert_eq!((reply.model.as_str(), reply.usage.prompt), ("claude-x", Some(100)));
    assert_eq!((reply.usage.cached, reply.usage.completion), (Some(70), Some(15)));

    let seen = &server.requests()[0];
    assert_eq!(seen.path, "/v1/messages");
    assert_eq!(
        (seen.headers["x-api-key"].as_str(), seen.headers["anthropic-version"].as_str()),
        (KEY, "2023-06-01")
    );
    assert!(!seen.headers.contains_key("authorization"));
    let system = &seen.body["system"][0];
    assert_eq!(system["cache_control"], json!({"type": "ephemeral"}));
    let words = system["text"].as_str().unwrap();
    assert!(words.starts_with("# Role: R2 Planner") && words.contains("\"subtasks\""), "{words}");
    assert_eq!(seen.body["messages"], json!([{"role": "user", "content": "## Request\ngo"}]));
    assert_eq!((&seen.body["stream"], &seen.body["max_tokens"]), (&json!(true), &json!(16_000)));
    let keys: Vec<&String> = seen.body.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["model", "max_tokens", "system", "messages", "stream"], "and nothing else");
}

#[tokio::test]
async fn tools_of_messages_are_called_in_their_form() {
    let begin = json!({"type": "tool_use", "id": "toolu_1", "name": "glob", "input": {}});
    let pieces = ["", "{\"root\":", " \"/x\"}"]
        .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
    let empty = json!({"type": "tool_use", "id": "toolu_2", "name": "now", "input": {}});
    let blocks = [
        block(
            0,
            &json!({"type": "text", "text": ""}),
            &[json!({"type": "text_delta", "text": "Let me look."})],
        ),
        block(1, &begin, &pieces),
        block(2, &empty, &[]),
    ]
    .concat();
    let whole = json!({"id": "msg_2", "type": "message", "role": "assistant", "model": "claude-x",
        "content": [{"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "a", "name": "glob", "input": {"root": "/x"}},
            {"type": "tool_use", "id": "b", "name": "now", "input": {}}],
        "stop_reason": "tool_use", "stop_sequence": null, "usage": {"input_tokens": 100, "output_tokens": 15}});
    for answer in [message(blocks, "tool_use"), Reply::Junk(whole.to_string().into_bytes())] {
        let server = ModelServer::replies(vec![answer]);
        let reply = reply(speaking(ApiForm::Messages, &server).complete(with_tool()).await);
        let calls: Vec<(&str, Value)> = reply
            .tool_calls
            .iter()
            .map(|call| (call.name.as_str(), serde_json::from_str(&call.arguments).unwrap()))
            .collect();
        assert_eq!(calls, [("glob", json!({"root": "/x"})), ("now", json!({}))]);
        assert_eq!(
            (reply.content.as_str(), reply.finish_reason.as_deref()),
            ("Let me look.", Some("tool_calls"))
        );
        assert_eq!((reply.usage.prompt, reply.usage.completion), (Some(100), Some(15)));
        let sent = &server.requests()[0].body["tools"];
        assert_eq!(
            *sent,
            json!([{"name": "glob", "description": "finds", "input_schema": {"type": "object", "required": ["root"]}}])
        );
    }
}

#[tokio::test]
async fn failures_of_messages_are_told_for_what_they_are() {
    let error = |kind: &str, said: &str| json!({"type": "error", "error": {"type": kind, "message": said}});
    let status = |code, kind: &str, said: &str| Reply::status(code, &error(kind, said).to_string());
    let gone = ModelFailureKind::Unreachable;
    let rows = [
        (status(529, "overloaded_error", "Overloaded"), ModelFailureKind::Busy, "Overloaded"),
        (events(&[error("overloaded_error", "Overloaded")]), ModelFailureKind::Busy, "Overloaded"),
        (status(401, "authentication_error", "invalid x-api-key"), gone, "does not accept the key"),
        (status(400, "invalid_request_error", "Your credit balance is too low"), gone, "no credit"),
        (status(404, "not_found_error", "model: configured"), gone, "configured"),
        (message(Vec::new(), "refusal"), ModelFailureKind::Refused, "content filter"),
    ];
    for (answer, kind, words) in rows {
        let server = ModelServer::replies(vec![answer.clone()]);
        let failure = failure(speaking(ApiForm::Messages, &server).complete(request()).await);
        assert_eq!(failure.kind, kind, "{answer:?}: {}", failure.message);
        assert!(failure.message.contains(words) && !failure.message.contains(KEY), "{}", failure.message);
    }
    let broken = events(&[
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "{"}}),
        error("api_error", "Internal server error"),
    ]);
    let server = ModelServer::replies(vec![broken]);
    let failure = failure(speaking(ApiForm::Messages, &server).complete(request()).await);
    assert_eq!((failure.kind, failure.attempts), (ModelFailureKind::Failed, 1), "{}", failure.message);
}

#[tokio::test]
async fn messages_shrink_a_prompt_and_the_bound_of_a_reply() {
    let error = |said: &str| {
        let error = json!({"type": "error", "error": {"type": "invalid_request_error", "message": said}});
        Reply::status(400, &error.to_string())
    };
    let server = ModelServer::start(move |seen| {
        let sent = seen.message("user").chars().count();
        if seen.body["max_tokens"].as_u64() > Some(8_192) {
            error(
                "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for configured",
            )
        } else if sent > 60_000 {
            error(&format!("prompt is too long: {sent} tokens > 60000 maximum"))
        } else {
            let text = [json!({"type": "text_delta", "text": "{}"})];
            message(block(0, &json!({"type": "text", "text": ""}), &text), "end_turn")
        }
    });
    let provider = speaking(ApiForm::Messages, &server);
    assert_eq!(reply(provider.complete(long_request(100_000)).await).attempts, 3);
    assert_eq!(reply(provider.complete(long_request(100_000)).await).attempts, 1, "both are remembered");
}

fn response(status: &str, output: &Value, more: &Value) -> Value {
    let mut response = json!({"id": "resp_1", "object": "response", "status": status, "model": "gpt-x", "error": null,
        "incomplete_details": null, "output": output,
        "usage": {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 64}, "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 8}, "total_tokens": 120}});
    for (key, value) in more.as_object().unwrap() {
        response[key] = value.clone();
    }
    response
}

fn said(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn streamed(deltas: &[&str], last: &str, response: &Value) -> Reply {
    let mut all = vec![
        json!({"type": "response.created", "sequence_number": 0, "response": {"object": "response", "status": "in_progress",
            "output": [], "error": null}}),
        json!({"type": "response.in_progress", "sequence_number": 1, "response": {}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "id": "rs_1"}}),
    ];
    let delta = |text: &&str| json!({"type": "response.output_text.delta", "item_id": "msg_1", "content_index": 0, "delta": text});
    all.extend(deltas.iter().map(delta));
    all.push(json!({"type": last, "response": response}));
    events(&all)
}

#[tokio::test]
async fn responses_are_asked_and_read_in_their_form() {
    let whole = response(
        "completed",
        &json!([{"type": "reasoning", "id": "rs_1", "summary": []}, said("{\"a\": 1}")]),
        &json!({}),
    );
    let stream = streamed(&["{\"a\"", ": 1}"], "response.completed", &whole);
    for answer in [stream, Reply::Junk(whole.to_string().into_bytes())] {
        let server = ModelServer::replies(vec![answer]);
        let reply = reply(speaking(ApiForm::Responses, &server).complete(request()).await);
        assert_eq!((reply.content.as_str(), reply.finish_reason.as_deref()), ("{\"a\": 1}", Some("stop")));
        assert_eq!(
            (reply.model.as_str(), reply.usage.prompt, reply.usage.cached),
            ("gpt-x", Some(100), Some(64))
        );
        assert_eq!((reply.usage.completion, reply.usage.reasoning), (Some(20), Some(8)));
        let seen = &server.requests()[0];
        assert_eq!(
            (seen.path.as_str(), seen.headers["authorization"].as_str()),
            ("/v1/responses", &*format!("Bearer {KEY}"))
        );
        assert_eq!(seen.body["instructions"], "# Role: R2 Planner\nPlan.");
        let content = json!([{"type": "input_text", "text": "## Request\ngo"}]);
        assert_eq!(seen.body["input"], json!([{"type": "message", "role": "user", "content": content}]));
        let form = &seen.body["text"]["format"];
        assert_eq!(
            (&form["type"], &form["name"], &form["strict"]),
            (&json!("json_schema"), &json!("plan"), &json!(false))
        );
        assert_eq!(form["schema"]["properties"]["subtasks"]["minItems"], 1);
        assert_eq!((&seen.body["store"], &seen.body["stream"]), (&json!(false), &json!(true)));
        let keys: Vec<&String> = seen.body.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["model", "instructions", "input", "stream", "store", "text"], "and nothing else");
    }
}

#[tokio::test]
async fn tools_of_responses_are_called_in_their_form() {
    let call = |arguments: &str, status: &str| {
        json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "glob", "arguments": arguments,
            "status": status})
    };
    let whole = response("completed", &json!([call("{\"root\": \"/x\"}", "completed")]), &json!({}));
    let stream = events(&[
        json!({"type": "response.output_item.added", "output_index": 0, "item": call("", "in_progress")}),
        json!({"type": "response.function_call_arguments.delta", "item_id": "fc_1", "delta": "{\"root\": \"/x\"}"}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": call("{\"root\": \"/x\"}", "completed")}),
        json!({"type": "response.completed", "response": whole}),
    ]);
    for answer in [stream, Reply::Junk(whole.to_string().into_bytes())] {
        let server = ModelServer::replies(vec![answer]);
        let reply = reply(speaking(ApiForm::Responses, &server).complete(with_tool()).await);
        let arguments = "{\"root\": \"/x\"}".to_owned();
        assert_eq!(reply.tool_calls, [NativeToolCall { name: "glob".to_owned(), arguments }]);
        assert_eq!(reply.finish_reason.as_deref(), Some("tool_calls"));
        let tools = &server.requests()[0].body["tools"];
        assert_eq!(
            *tools,
            json!([{"type": "function", "name": "glob", "description": "finds", "strict": false,
                "parameters": {"type": "object", "required": ["root"]}}])
        );
    }
}

#[tokio::test]
async fn failures_of_responses_are_told_for_what_they_are() {
    let failed = response(
        "failed",
        &json!([]),
        &json!({"error": {"code": "rate_limit_exceeded", "message": "Rate limit reached"}}),
    );
    let filtered = response(
        "incomplete",
        &json!([said("{")]),
        &json!({"incomplete_details": {"reason": "content_filter"}}),
    );
    let rows = [
        (streamed(&[], "response.failed", &failed), ModelFailureKind::Busy, "Rate limit reached"),
        (
            events(&[json!({"type": "error", "code": "server_error", "message": "upstream is gone"})]),
            ModelFailureKind::Lost,
            "upstream is gone",
        ),
        (streamed(&["{"], "response.incomplete", &filtered), ModelFailureKind::Refused, "content filter"),
        (streamed(&["{"], "response.failed", &failed), ModelFailureKind::Failed, "broke"),
    ];
    for (answer, kind, words) in rows {
        let server = ModelServer::replies(vec![answer.clone()]);
        let failure = failure(speaking(ApiForm::Responses, &server).complete(request()).await);
        assert_eq!(failure.kind, kind, "{answer:?}: {}", failure.message);
        assert!(failure.message.contains(words), "{}", failure.message);
    }
    let cut = response(
        "incomplete",
        &json!([said("{\"a\"")]),
        &json!({"incomplete_details": {"reason": "max_output_tokens"}}),
    );
    let server = ModelServer::replies(vec![streamed(&["{\"a\""], "response.incomplete", &cut)]);
    let reply = reply(speaking(ApiForm::Responses, &server).complete(request()).await);
    assert_eq!(reply.finish_reason.as_deref(), Some("length"));
}

#[tokio::test]
async fn responses_step_down_where_a_form_is_refused() {
    let whole = response("completed", &json!([said("{}")]), &json!({}));
    let server = ModelServer::start(move |seen| {
        if seen.body["text"]["format"]["type"] == "json_schema" {
            Reply::status(400, r#"{"error": {"message": "Invalid schema", "param": "text.format.schema"}}"#)
        } else {
            Reply::Junk(whole.to_string().into_bytes())
        }
    });
    let provider = speaking(ApiForm::Responses, &server);
    assert_eq!(reply(provider.complete(request()).await).attempts, 2);
    assert_eq!(reply(provider.complete(request()).await).attempts, 1, "it is remembered");
    let seen = server.requests().pop().unwrap();
    assert_eq!(seen.body["text"]["format"]["type"], "json_object");
    assert!(seen.body["instructions"].as_str().unwrap().contains("json"), "{}", seen.body);
}

/// The blocks of the person's message, and which of them are marked.
async fn blocks_sent(asked: ChatRequest) -> (Value, Vec<bool>) {
    let server = ModelServer::replies(vec![message(Vec::new(), "end_turn")]);
    speaking(ApiForm::Messages, &server).complete(asked).await;
    let content = server.requests()[0].body["messages"][0]["content"].clone();
    let marks = content
        .as_array()
        .into_iter()
        .flatten()
        .map(|block| block["cache_control"] == json!({"type": "ephemeral"}));
    (content.clone(), marks.collect())
}

#[tokio::test]
async fn what_stays_of_a_question_is_marked_for_the_servers_of_messages() {
    let text = "## Request\ngo".to_owned();
    let ends = vec![4, 10, 12];
    assert_eq!(request().messages[1].content, text);
    let (blocks, marks) = blocks_sent(ChatRequest { steady: ends, ..request() }).await;
    let texts: Vec<&str> =
        blocks.as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap()).collect();
    assert_eq!((texts.concat(), marks), (text, vec![true, false, true, false]));
    for unknown in [Vec::new(), vec![4, 99], vec![9, 3]] {
        let (content, _) = blocks_sent(ChatRequest { steady: unknown, ..request() }).await;
        assert!(content.is_string(), "{content}");
    }
}
