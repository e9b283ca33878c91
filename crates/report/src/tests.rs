//! What the page holds, and what it can never hold.

use artoo_types::envelope::{Envelope, Message, Role};
use artoo_types::memory::MemoryReply;
use artoo_types::plan::DispatchManifest;
use artoo_types::task::TaskSubmitted;
use artoo_types::tool::{ToolCallFinished, ToolCallStarted};
use artoo_types::{TaskId, Timestamp};
use base64::Engine as _;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::frame::{POLICY, STYLE};
use crate::{TaskLine, index, page};

fn envelope(sequence: u64, time: i64, payload: Message) -> Envelope {
    Envelope {
        id: Uuid::nil(),
        sequence,
        task_id: Some(TaskId(Uuid::nil())),
        round: 0,
        time: Timestamp(time),
        from: Role::Runtime,
        to: Role::Runtime,
        refused: false,
        payload,
    }
}

fn submitted(input: &str) -> Message {
    let body: TaskSubmitted = serde_json::from_value(serde_json::json!({
        "input": input, "working_directory": "/home/me/<b>"
    }))
    .expect("a request");
    body.into()
}

fn tool(arguments: &str) -> [Message; 2] {
    let subtask = Uuid::nil();
    let started: ToolCallStarted = serde_json::from_value(serde_json::json!({
        "effect_id": 1, "subtask_id": subtask, "tool": "shell", "arguments": arguments
    }))
    .expect("a start");
    let finished: ToolCallFinished = serde_json::from_value(serde_json::json!({
        "effect_id": 1, "subtask_id": subtask, "receipt": "r1", "tool": "shell", "target": "", "effect": "read",
        "end": "ran", "exit": 1, "output": "", "elapsed_ms": 2_000
    }))
    .expect("an end");
    [started.into(), finished.into()]
}

#[test]
fn the_policy_names_the_style_and_nothing_else() {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE));
    assert!(POLICY.contains(&format!("style-src 'sha256-{hash}'")), "the style is sha256-{hash}");
    assert!(POLICY.starts_with("default-src 'none'"), "{POLICY}");
}

#[test]
fn text_of_strangers_stays_text() {
    let html = page(&[envelope(1, 0, submitted("</h1><script>alert(1)</script>\u{202e}"))]);
    assert!(html.contains("&lt;/h1&gt;&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    assert!(!html.contains("<script") && !html.contains('\u{202e}'), "{html}");
    assert!(html.contains("/home/me/&lt;b&gt;"), "{html}");
    for what in ["http://", "https://", " style=", " src=", " href=", "@import", "url("] {
        assert!(!html.contains(what), "{what} in {html}");
    }
}

#[test]
fn a_call_is_drawn_where_it_happened_and_as_it_ended() {
    let [started, finished] = tool("{\"command\": \"false <x>\"}");
    let html = page(&[
        envelope(1, 0, submitted("try")),
        envelope(2, 1_000, started),
        envelope(3, 3_000, finished),
        envelope(4, 4_000, submitted("try")),
    ]);
    // A quarter of 810 units after the first 150, and half of them long.
    assert!(html.contains(r#"<rect class="bar tool failed" x="352.5" y="4" width="405.0""#), "{html}");
    assert!(
        html.contains("<title>2.0 s · shell {&quot;command&quot;: &quot;false &lt;x&gt;&quot;}</title>"),
        "{html}"
    );
}

#[test]
fn what_has_not_ended_lasts_until_now() {
    let [started, _] = tool("{}");
    let open =
        [envelope(1, 0, submitted("try")), envelope(2, 500, started), envelope(3, 1_000, submitted("try"))];
    let html = page(&open);
    assert!(html.contains(r#"class="bar tool" x="555.0""#) && html.contains("at work"), "{html}");
}

#[test]
fn a_refused_message_is_no_part_of_the_story() {
    let mut refused = envelope(1, 0, submitted("never accepted"));
    refused.refused = true;
    assert!(!page(&[refused]).contains("never accepted"));
    assert!(page(&[]).contains("at work"), "nothing is a page too");
}

#[test]
fn the_index_says_what_it_leaves_out() {
    let line = TaskLine {
        task_id: "0197".to_owned(),
        input: "<i>count".to_owned(),
        created_at: Timestamp(0),
        end: "cannot_plan".to_owned(),
        delivered: false,
        calls: 3,
        elapsed_ms: 1_250,
    };
    let html = index(&[line], 7);
    for part in ["&lt;i&gt;count", "cannot plan", "1.2 s", "0 of 1 delivered", "7 older tasks"] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
}

/// The memory is asked about words and tools, and answers with what other tasks met as well.
#[test]
fn what_a_task_knew_is_what_its_steps_carried() {
    let recalled: MemoryReply = serde_json::from_value(serde_json::json!({"entries": [{
        "tag": {"space": "tool", "entity": "shell"}, "potentials": {"attention": 1.0, "decision": -1.0, "action": "avoid"}, "sops": [],
        "top": [{
            "id": Uuid::nil(), "level": "M", "created_at": 0, "space": "tool", "entity": "shell",
            "content": "denied: rm another.txt", "state": "denied", "f": 0.9, "sigma": -0.9, "k": 0.2,
        }],
    }]}))
    .expect("a recall");
    let plan: DispatchManifest = serde_json::from_value(serde_json::json!({
        "task_id": Uuid::nil(), "round": 0, "task_criteria": [], "kept": [], "superseded": [],
        "subtasks": [{
            "subtask_id": Uuid::nil(), "parent_task_id": Uuid::nil(), "round": 0, "ordinal": 1, "sequence": 1,
            "intent": "count", "context": "", "tools": [], "targets": [], "success_criteria": [],
            "known": [{"force": "prefer", "content": "wc counts lines"}],
        }],
    }))
    .expect("a plan");
    let html = page(&[
        envelope(1, 0, submitted("count")),
        envelope(2, 1, recalled.into()),
        envelope(3, 2, plan.into()),
    ]);
    assert!(html.contains("What it knew") && html.contains("wc counts lines"), "{html}");
    assert!(!html.contains("another.txt"), "{html}");
}
