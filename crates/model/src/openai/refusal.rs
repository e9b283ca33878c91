//! What a server says instead of a reply: an HTTP status, or an error object inside a reply that began well.

use std::time::Duration;

use artoo_types::text::first_chars;
use serde_json::Value;

/// Characters of a server's words that are kept: many more than a message quotes, so that a secret that is cut in two
/// here is cut away afterwards.
const KEPT_CHARS: usize = 4_096;

/// An answer that is no reply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ServerRefusal {
    /// The HTTP status, or the status that an error object names; absent when it names none.
    pub(super) status: Option<u16>,
    /// The server's words for it: `insufficient_quota`, `invalid_api_key` and the like; both `code` and `type`.
    codes: Vec<String>,
    /// What it says, one line. It may repeat a key.
    pub(super) said: String,
    /// The whole body in lower case, for what it mentions.
    body: String,
    /// How long it asks to wait.
    pub(super) retry_after: Option<Duration>,
}

/// What can be done about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Ask again later: the server is busy or broken for now.
    Wait,
    /// Another key.
    Key,
    /// Money, or another model.
    Credit,
    /// Another account or model: this one may not.
    Permission,
    /// Another address or model name.
    Address,
    /// Nothing in the configuration: it refuses this request.
    None,
}

impl ServerRefusal {
    /// A refusal by HTTP status with the body that came with it.
    pub(super) fn from_status(status: u16, body: &str, retry_after: Option<Duration>) -> Self {
        let parsed = serde_json::from_str::<Value>(body).unwrap_or(Value::Null);
        let mut refusal = Self::from_value(&parsed, body);
        refusal.status = Some(status);
        refusal.retry_after = retry_after.or(refusal.retry_after);
        refusal
    }

    /// The refusal inside a JSON value of a reply with status 200, if it holds one. `named_error`: the event that
    /// brought it is called an error, so that anything in it is one.
    pub(super) fn inside(value: &Value, named_error: bool) -> Option<Self> {
        let holds_error = value.get("error").is_some_and(|error| !error.is_null());
        let is_error = value.get("object").and_then(Value::as_str) == Some("error");
        (named_error || holds_error || is_error).then(|| Self::from_value(value, &value.to_string()))
    }

    /// An error that came as plain words.
    pub(super) fn in_words(text: &str) -> Self {
        Self { said: one_line(text), body: text.to_lowercase(), ..Self::default() }
    }

    /// What can be done.
    pub(super) fn remedy(&self) -> Remedy {
        let has = |words: &[&str]| self.codes.iter().any(|code| words.contains(&code.as_str()));
        // A 429 with one of these words does not pass by waiting.
        if has(&[
            "insufficient_quota",
            "insufficient_balance",
            "exceeded_current_quota_error",
            "billing_hard_limit_reached",
            "billing_not_active",
        ]) {
            return Remedy::Credit;
        }
        if has(&["model_not_found"]) {
            return Remedy::Address;
        }
        match self.status {
            Some(401) => Remedy::Key,
            Some(402) => Remedy::Credit,
            Some(403) => Remedy::Permission,
            Some(300..=399 | 404 | 405) => Remedy::Address,
            Some(408 | 429 | 500..=599) => Remedy::Wait,
            Some(_) => Remedy::None,
            None if has(&["invalid_api_key", "authentication_error"]) => Remedy::Key,
            // An error object without a status, inside a reply that began well, is the server's own trouble.
            None => Remedy::Wait,
        }
    }

    /// Whether the server says that it will answer later: it loads its model, is overloaded, or counts calls.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.status, Some(408 | 425 | 429 | 502..=504 | 520..=524 | 529))
    }

    /// Whether it refuses the request's form and mentions one of `words`.
    pub(super) fn objects_to(&self, words: &[&str]) -> bool {
        matches!(self.status, Some(400 | 422)) && words.iter().any(|word| self.body.contains(word))
    }

    fn from_value(value: &Value, body: &str) -> Self {
        // `{"error": {...}}`, `{"error": "..."}`, `{"message": ...}`, `{"detail": ...}`: all are in use.
        // Google's compatible endpoint puts the object into a list.
        let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        let mut codes = Vec::new();
        let mut status = None;
        for key in ["code", "type", "status"] {
            match error.get(key) {
                Some(Value::String(word)) => {
                    status = status.or_else(|| word.parse().ok().filter(is_error_status));
                    codes.push(word.to_lowercase());
                }
                Some(Value::Number(number)) => {
                    let number = number.as_u64().and_then(|number| u16::try_from(number).ok());
                    status = status.or_else(|| number.filter(is_error_status));
                }
                Some(_) | None => {}
            }
        }
        let said = [error.get("message"), Some(error), error.get("detail")]
            .into_iter()
            .flatten()
            .find_map(Value::as_str)
            .unwrap_or(body);
        let retry_after = retry_info(error);
        Self { status, codes, said: one_line(said), body: body.to_lowercase(), retry_after }
    }
}

/// The wait that Google's servers name beside the error rather than in a header: `{"@type": ".../google.rpc.RetryInfo",
/// "retryDelay": "34s"}`.
fn retry_info(error: &Value) -> Option<Duration> {
    let details = error.get("details").and_then(Value::as_array)?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay").and_then(Value::as_str))?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

/// The head of a server's text, on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(KEPT_CHARS).collect();
    first_chars(&words.join(" "), KEPT_CHARS)
}

fn is_error_status(status: &u16) -> bool {
    (400..600).contains(status)
}
