//! R5's two requests, answered with a plain template over what the message says; nothing is concluded.

use serde_json::{Value, json};

/// Characters of the quoted experience.
const QUOTED_CHARS: usize = 400;
/// Words that show that the experience was a bad one.
const BAD: [&str; 8] =
    ["failed", "avoid", "must not", "abandon", "environmental", "negative", "失败", "避免"];

/// A rule of the shape `sop`: what happened, as it was written down.
pub(super) fn rule(text: &str) -> Value {
    let quoted = facts(text);
    let bad = is_bad(&quoted);
    json!({
        "rule": format!("{}{quoted}", if bad { "Avoid what failed before: " } else { "Prefer what worked before: " }),
        "conditions": "The same kind of request with the same tool or place.",
        "kind": if bad { "constraint" } else { "best_practice" },
    })
}

/// A lesson of the shape `reflection`: what happened, as it was written down.
pub(super) fn lesson(text: &str) -> Value {
    let quoted = facts(text);
    json!({
        "lesson": quoted,
        "tags": ["offline_rules"],
        "category": if is_bad(&quoted) { "constraint" } else { "fact" },
    })
}

/// The lines of the message that are no headings, in one paragraph.
fn facts(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    let all: String = lines.join(" ").chars().take(QUOTED_CHARS).collect();
    if all.is_empty() { "nothing was recorded".to_owned() } else { all }
}

fn is_bad(text: &str) -> bool {
    let lower = text.to_lowercase();
    BAD.iter().any(|word| lower.contains(word))
}
