//! What earlier turns of a session a new task sees.

use std::collections::BTreeMap;

use artoo_task::view::TaskView;
use artoo_types::control::Reason;
use artoo_types::limits::{SESSION_CHARS, SESSION_PAIRS};
use artoo_types::setting::SessionPair;
use artoo_types::text::{first_chars, head_tail};
use serde_json::Value;

/// Sessions that are kept in memory; older ones start anew.
const MAX_SESSIONS: usize = 256;

/// Characters below which a rest of an answer tells nothing.
const LEAST_CHARS: usize = 200;

/// The last turns of each session.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    pairs: BTreeMap<String, Vec<SessionPair>>,
    order: Vec<String>,
}

impl Sessions {
    /// The turns of a session, oldest first.
    pub(super) fn of(&self, session_id: &str) -> Vec<SessionPair> {
        let mut pairs = self.pairs.get(session_id).cloned().unwrap_or_default();
        let mut room = SESSION_CHARS;
        for pair in pairs.iter_mut().rev() {
            // The newest answer has what it needs up to half of the room, and older ones what is left.
            let most = room.min(SESSION_CHARS / 2);
            pair.answer = if most < LEAST_CHARS { String::new() } else { head_tail(&pair.answer, most) };
            room -= pair.answer.chars().count().min(room);
        }
        pairs
    }

    /// Takes in a task that ended. Cancelled ones leave no trace.
    pub(super) fn ended(&mut self, view: &TaskView) {
        let (Some(submitted), Some(result)) = (&view.submitted, &view.result) else { return };
        if submitted.session_id.is_empty() || result.reason == Reason::Cancelled {
            return;
        }
        let session = &submitted.session_id;
        self.order.retain(|s| s != session);
        self.order.push(session.clone());
        if self.order.len() > MAX_SESSIONS {
            let oldest = self.order.remove(0);
            self.pairs.remove(&oldest);
        }
        let pairs = self.pairs.entry(session.clone()).or_default();
        pairs.push(SessionPair {
            input: first_chars(&submitted.input, 2_000),
            summary: first_chars(&result.summary, 1_000),
            answer: answer(&result.output, &result.task_id.to_string()),
            taint: result.taint,
        });
        if pairs.len() > SESSION_PAIRS {
            pairs.remove(0);
        }
    }
}

/// What a task delivered, as text; of a long one the beginning and the end, and where the whole is.
fn answer(output: &Value, task_id: &str) -> String {
    let whole = match output {
        Value::Null => return String::new(),
        Value::String(text) => text.clone(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => other.to_string(),
    };
    let cut = head_tail(&whole, SESSION_CHARS / 2 - 100);
    if cut == whole { whole } else { format!("{cut}\n[the whole answer: artoo show {task_id}]") }
}

#[cfg(test)]
mod tests {
    use artoo_types::setting::SessionPair;
    use serde_json::{Value, json};

    use super::{SESSION_CHARS, Sessions, answer};

    #[test]
    fn answers_share_their_room_and_the_newest_comes_first() {
        let pair = |n: usize| SessionPair {
            input: format!("question {n}"),
            summary: "done".to_owned(),
            answer: answer(&json!(n.to_string().repeat(20_000)), "0190"),
            taint: Default::default(),
        };
        let mut sessions = Sessions::default();
        sessions.pairs.insert("s".to_owned(), (1..=4).map(pair).collect());
        let told = sessions.of("s");
        let chars: Vec<usize> = told.iter().map(|pair| pair.answer.chars().count()).collect();
        assert!(chars[3] > 3_800 && chars.iter().sum::<usize>() <= SESSION_CHARS + 200, "{chars:?}");
        assert!(
            told[3].answer.contains("characters omitted") && told[3].answer.ends_with("artoo show 0190]")
        );
        assert_eq!(told[0].told(), "done", "an answer without room leaves its summary");
    }

    #[test]
    fn a_short_answer_is_kept_as_it_is() {
        assert_eq!(answer(&json!("a.txt\nb.txt"), "0190"), "a.txt\nb.txt");
        assert_eq!(answer(&json!({"n": 3}), "0190"), "{\"n\":3}");
        assert_eq!(answer(&Value::Null, "0190"), "");
    }
}
