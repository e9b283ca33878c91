//! What `config show` prints: values that may be seen, each with its origin.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::table::Setting;
use super::value::{Value, ValueKind};

/// One line of `config show`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownSetting {
    /// The key in `config.toml`.
    pub key: Cow<'static, str>,
    /// The effective value; nothing when there is none.
    pub value: Option<ShownValue>,
    /// `flag`, `environment NAME`, `config.toml` or `default`.
    pub origin: String,
}

/// A value that may be shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ShownValue {
    /// Text; `set (hidden)` for a secret.
    Text(String),
    /// A number.
    Number(f64),
    /// A whole number.
    Count(u64),
}

impl fmt::Display for ShownValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Number(number) => number.fmt(formatter),
            Self::Count(number) => number.fmt(formatter),
        }
    }
}

impl fmt::Display for ShownSetting {
    /// `key = value  (origin)`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(formatter, "{} = {value}  ({})", self.key, self.origin),
            None => write!(formatter, "{} is not set  ({})", self.key, self.origin),
        }
    }
}

/// One line for each setting.
pub fn as_text(shown: &[ShownSetting]) -> String {
    shown.iter().map(|line| format!("{line}\n")).collect()
}

/// A JSON array of `{"key", "value", "origin"}`, one line of text for each setting.
pub fn as_json(shown: &[ShownSetting]) -> String {
    let lines: Vec<String> = shown
        .iter()
        .map(|line| serde_json::to_string(line).expect("text and finite numbers always have a JSON form"))
        .collect();
    format!("[{}]\n", lines.join(",\n"))
}

/// An address is shown without its query, which may hold a key.
pub(super) fn shown_value(setting: &Setting, value: Value) -> Option<ShownValue> {
    match value {
        Value::Text(text) if setting.field.kind == ValueKind::Address => {
            let bare = text.split_once('?').map(|(bare, _)| format!("{bare}?..."));
            Some(ShownValue::Text(bare.unwrap_or(text)))
        }
        Value::Text(text) => Some(ShownValue::Text(text)),
        Value::Secret(key) if key.is_empty() => Some(ShownValue::Text("none is sent".to_owned())),
        Value::Secret(_) => Some(ShownValue::Text("set (hidden)".to_owned())),
        Value::Headers(fields) => {
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            Some(ShownValue::Text(format!("{} (hidden)", names.join(", "))))
        }
        Value::Number(number) => Some(ShownValue::Number(number)),
        Value::Count(number) => Some(ShownValue::Count(number)),
    }
}
