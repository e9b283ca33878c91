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
    /// The share of the prompt that would have fitted, in thousandths, where it names figures.
    fits: Option<u32>,
}

/// Words by which servers say that a prompt is too long.
const OVERFLOW_WORDS: [&str; 8] = [
    "context length",
    "context size",
    "context window",
    "prompt is too long",
    "input is too long",
    "maximum number of tokens",
    "input token count",
    "reduce the length",
];
/// Words by which servers say that they do not know the model.
const MODEL_WORDS: [&str; 6] = [
    "invalid model",
    "unknown model",
    "not a valid model",
    "model not found",
    "model does not exist",
    "no such model",
];
/// Numbers in a sentence about tokens that are counts of tokens: no version, no status, no time.
const LEAST_TOKENS: u64 = 600;
const MOST_TOKENS: u64 = 100_000_000;

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
    /// Another model name.
    Model,
    /// A shorter prompt.
    Shorten,
    /// The proxy's name and password: it is the proxy that refuses.
    Proxy,
    /// Other words, or another model: a filter took offence.
    Reword,
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
        (named_error || holds_error || is_error).then(|| Self::of(value))
    }

    /// The refusal that an error object is.
    pub(super) fn of(value: &Value) -> Self {
        Self::from_value(value, &value.to_string())
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
        let says = |words: &[&str]| words.iter().any(|word| self.body.contains(word));
        let is_request = matches!(self.status, Some(400 | 404 | 413 | 422));
        if has(&["context_length_exceeded", "exceed_context_size_error", "request_too_large"])
            || is_request && says(&OVERFLOW_WORDS)
        {
            return Remedy::Shorten;
        }
        if has(&["model_not_found"]) || is_request && says(&MODEL_WORDS) {
            return Remedy::Model;
        }
        if is_request && (has(&["api_key_invalid"]) || says(&["api key not valid", "invalid api key"])) {
            return Remedy::Key;
        }
        if is_request && says(&["credit balance"]) {
            return Remedy::Credit;
        }
        if has(&["content_filter", "content_policy_violation", "responsibleaipolicyviolation"]) {
            return Remedy::Reword;
        }
        match self.status {
            Some(401) => Remedy::Key,
            Some(407) => Remedy::Proxy,
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

    /// The share of the prompt that would have fitted, where the server names figures.
    pub(super) fn fits(&self) -> Option<f64> {
        self.fits.map(|thousandths| f64::from(thousandths) / 1000.0)
    }

    /// Whether the server says that it will answer later: it loads its model, is overloaded, or counts calls.
    pub(super) fn is_busy(&self) -> bool {
        let busy = ["overloaded_error", "rate_limit_error", "rate_limit_exceeded", "server_overloaded"];
        matches!(self.status, Some(408 | 425 | 429 | 502..=504 | 520..=524 | 529))
            || self.status.is_none() && self.codes.iter().any(|code| busy.contains(&code.as_str()))
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
        for detail in error.get("details").and_then(Value::as_array).into_iter().flatten() {
            codes.extend(detail.get("reason").and_then(Value::as_str).map(str::to_lowercase));
        }
        let retry_after = retry_info(error);
        let fits = fitting(error, said).map(|share| (share * 1000.0) as u32);
        Self { status, codes, said: one_line(said), body: body.to_lowercase(), retry_after, fits }
    }
}

/// The wait that Google's servers name beside the error rather than in a header: `{"@type": ".../google.rpc.RetryInfo",
/// "retryDelay": "34s"}`.
fn retry_info(error: &Value) -> Option<Duration> {
    let details = error.get("details").and_then(Value::as_array)?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay").and_then(Value::as_str))?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

/// The share of a prompt that fits, from the tokens that a server names: llama.cpp in fields, others in their sentence.
fn fitting(error: &Value, said: &str) -> Option<f64> {
    let field = |name: &str| error.get(name).and_then(Value::as_u64);
    let (sent, room) = match (field("n_prompt_tokens"), field("n_ctx")) {
        (Some(sent), Some(room)) => (sent, room),
        _ => {
            let numbers = said.split(|c: char| !c.is_ascii_digit() && c != ',');
            let tokens = numbers.filter_map(|text| text.replace(',', "").parse::<u64>().ok());
            let tokens: Vec<u64> = tokens.filter(|n| (LEAST_TOKENS..MOST_TOKENS).contains(n)).collect();
            (*tokens.iter().max()?, *tokens.iter().min()?)
        }
    };
    (room > 0 && room < sent).then(|| room as f64 / sent as f64)
}

/// The head of a server's text, on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(KEPT_CHARS).collect();
    first_chars(&words.join(" "), KEPT_CHARS)
}

fn is_error_status(status: &u16) -> bool {
    (400..600).contains(status)
}
