use artoo_types::chat::{ChatReply, NativeToolCall, Usage};
use serde_json::json;

use super::{BadChunk, ReplyParts};
use crate::openai::sse::Event;

fn gather(chunks: &[serde_json::Value]) -> ChatReply {
    let mut gathered = ReplyParts::default();
    for chunk in chunks {
        let event = Event { name: String::new(), data: chunk.to_string() };
        assert_eq!(gathered.take_event(&event), Ok(false), "{chunk}");
    }
    gathered.into_reply("configured")
}

fn delta(delta: &serde_json::Value) -> serde_json::Value {
    json!({"choices": [{"delta": delta}]})
}

fn calls(expected: &[(&str, &str)], chunks: &[serde_json::Value]) {
    let expected: Vec<NativeToolCall> = expected
        .iter()
        .map(|(name, arguments)| NativeToolCall {
            name: (*name).to_owned(),
            arguments: (*arguments).to_owned(),
        })
        .collect();
    let deltas: Vec<_> = chunks.iter().map(|chunk| delta(&json!({"tool_calls": [chunk]}))).collect();
    assert_eq!(gather(&deltas).tool_calls, expected, "{chunks:?}");
}

#[test]
fn content_is_joined_and_reasoning_is_left_out_under_both_names() {
    let reply = gather(&[
        delta(&json!({"reasoning_content": "hm"})),
        delta(&json!({"role": "assistant", "content": ""})),
        delta(&json!({"reasoning": "well", "content": null})),
        delta(&json!({"content": "<think>a</think>{\"a\""})),
        delta(&json!({"content": ":1}"})),
        json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
    ]);
    assert_eq!(reply.content, "<think>a</think>{\"a\":1}", "reading the text is the role's business");
    assert_eq!(reply.finish_reason.as_deref(), Some("stop"));
    assert_eq!(reply.model, "configured", "the server named none");
}

#[test]
fn every_field_may_be_missing_or_odd() {
    let reply = gather(&[
        json!({}),
        json!({"choices": null, "usage": null, "model": 7}),
        json!({"choices": [{}]}),
        json!({"choices": [{"delta": null, "finish_reason": null}], "error": null}),
        json!({"choices": [{"delta": {"content": [{"type": "thinking", "text": "x"}, {"type": "text", "text": "a"}]}}]}),
        json!({"model": "served", "choices": [{"message": {"content": "b"}}]}),
    ]);
    assert_eq!((reply.content.as_str(), reply.model.as_str()), ("ab", "served"));
    assert_eq!(reply.usage, Usage::default(), "unknown usage is absent");
    assert_eq!(reply.finish_reason, None);
}

#[test]
fn only_the_first_of_several_answers_counts() {
    let reply = gather(&[
        json!({"choices": [{"index": 1, "delta": {"content": "no"}}, {"index": 0, "delta": {"content": "yes"}}]}),
        json!({"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "length"}]}),
    ]);
    assert_eq!((reply.content.as_str(), reply.finish_reason), ("yes", None));
}

#[test]
fn a_refusal_field_is_what_the_model_said() {
    assert_eq!(
        gather(&[delta(&json!({"refusal": "I "})), delta(&json!({"refusal": "won't"}))]).content,
        "I won't"
    );
    assert_eq!(gather(&[delta(&json!({"refusal": "no", "content": "{}"}))]).content, "{}");
}

#[test]
fn usage_is_read_under_each_of_its_names() {
    let usage = |usage: serde_json::Value| gather(&[json!({"choices": [], "usage": usage})]).usage;
    let full = Usage {
        prompt: Some(9),
        cached: Some(4),
        completion: Some(5),
        reasoning: Some(2),
        estimated: None,
        cost_nanousd: None,
    };
    assert_eq!(
        usage(
            json!({"prompt_tokens": 9, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4},
                     "completion_tokens_details": {"reasoning_tokens": 2}})
        ),
        full
    );
    assert_eq!(
        usage(
            json!({"prompt_tokens": 9, "completion_tokens": 5, "prompt_cache_hit_tokens": 4, "reasoning_tokens": 2})
        ),
        full
    );
    assert_eq!(usage(json!({"prompt_tokens": 0})), Usage { prompt: Some(0), ..Usage::default() });
    let last = gather(&[
        json!({"usage": {"prompt_tokens": 9, "completion_tokens": 1}}),
        json!({"choices": [{"delta": {}}], "usage": {"completion_tokens": 5}}),
    ]);
    assert_eq!(last.usage, Usage { prompt: Some(9), completion: Some(5), ..Usage::default() });
}

#[test]
fn native_tool_calls_are_put_together() {
    calls(
        &[("glob", "{\"a\":1}"), ("shell", "{}")],
        &[
            json!({"index": 0, "id": "c1", "function": {"name": "glob", "arguments": ""}}),
            json!({"index": 0, "function": {"arguments": "{\"a\""}}),
            json!({"index": 1, "id": "c2", "function": {"name": "shell", "arguments": "{}"}}),
            json!({"index": 0, "id": "", "function": {"arguments": ":1}"}}),
        ],
    );
}

#[test]
fn native_tool_calls_of_careless_servers_are_put_together() {
    // One index for all, told apart by their ids.
    calls(
        &[("a", "1"), ("b", "2")],
        &[
            json!({"index": 0, "id": "x", "function": {"name": "a", "arguments": "1"}}),
            json!({"index": 0, "id": "y", "function": {"name": "b", "arguments": "2"}}),
        ],
    );
    // No index and no id: each name begins a call, and arguments may be an object.
    calls(
        &[("a", "{\"n\":1}"), ("b", "2")],
        &[
            json!({"function": {"name": "a", "arguments": {"n": 1}}}),
            json!({"function": {"name": "b", "arguments": "2"}}),
        ],
    );
    // Id and name repeated in each piece.
    calls(
        &[("a", "12")],
        &[
            json!({"index": 0, "id": "x", "function": {"name": "a", "arguments": "1"}}),
            json!({"index": 0, "id": "x", "function": {"name": "a", "arguments": "2"}}),
        ],
    );
    calls(&[], &[json!({"index": 0, "id": "x"}), json!(null), json!({"function": 7})]);
}

#[test]
fn the_number_of_tool_calls_is_bounded() {
    let many: Vec<_> = (0..500)
        .map(|index| {
            delta(&
                json!({"tool_calls": [{"index": index, "id": index.to_string(), "function": {"name": "a"}}]}),
            )
        })
        .collect();
    assert_eq!(gather(&many).tool_calls.len(), super::MAX_TOOL_CALLS);
}

#[test]
fn errors_in_events_are_told_from_chunks() {
    let take = |name: &str, data: &str| {
        ReplyParts::default().take_event(&Event { name: name.to_owned(), data: data.to_owned() })
    };
    let refused = |name: &str, data: &str| match take(name, data) {
        Err(BadChunk::Refused(refusal)) => (refusal.status, refusal.said),
        other => panic!("{data}: {other:?}"),
    };
    assert_eq!(
        refused("", r#"{"error":{"code":502,"message":"bad gate"}}"#),
        (Some(502), "bad gate".to_owned())
    );
    assert_eq!(refused("", r#"{"error":{"code":"429","message":"slow"}}"#), (Some(429), "slow".to_owned()));
    assert_eq!(refused("", r#"{"error":"words"}"#), (None, "words".to_owned()));
    assert_eq!(
        refused("", r#"{"object":"error","message":"old","code":400}"#),
        (Some(400), "old".to_owned())
    );
    assert_eq!(refused("error", r#"{"message":"named"}"#), (None, "named".to_owned()));
    assert_eq!(refused("error", "plain"), (None, "plain".to_owned()));
    assert_eq!(take("", "not json"), Err(BadChunk::NotJson));
    assert_eq!(take("", " [DONE] "), Ok(true));
}

#[test]
fn chunks_divided_by_single_line_breaks_are_read() {
    let mut gathered = ReplyParts::default();
    let data = format!("{}\n{}\n[DONE]", delta(&json!({"content": "a"})), delta(&json!({"content": "b"})));
    assert_eq!(gathered.take_event(&Event { name: String::new(), data }), Ok(true));
    assert_eq!(gathered.into_reply("").content, "ab");
}
