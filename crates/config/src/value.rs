//! A value and its check. Text from flags and variables and values from TOML go through the same rules.

use std::collections::BTreeMap;
use std::fmt;

use artoo_model::Secret;
use artoo_redact::SecretKind;
use toml::de::{DeTable, DeValue};

/// Longest text of a setting, in bytes: an address, a path or a command of a person stays far below it.
const TEXT_LIMIT: usize = 4_096;
/// Longest key, in bytes: HTTP servers refuse header lines beyond 8 KiB.
pub(super) const KEY_LIMIT: usize = 8_192;

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ValueKind {
    /// One of these words.
    Word(&'static [&'static str]),
    /// An HTTP address.
    Address,
    /// Any text that is not empty.
    Text,
    /// A key. Empty means: use none, not even a shared one.
    Secret,
    /// A finite number between the two, both included.
    Number(f64, f64),
    /// A whole number between the two, both included.
    Count(u64, u64),
    /// A table of header fields, whose values may be keys.
    Headers,
}

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Secret(Secret),
    Number(f64),
    Count(u64),
    Headers(BTreeMap<String, Secret>),
}

impl Value {
    /// The key, when it is one.
    pub(super) fn secret(&self) -> Option<&Secret> {
        match self {
            Self::Secret(key) => Some(key),
            Self::Text(_) | Self::Number(_) | Self::Count(_) | Self::Headers(_) => None,
        }
    }

    /// Every key in it.
    pub(super) fn secrets(&self) -> Vec<&Secret> {
        match self {
            Self::Headers(fields) => {
                fields.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value).collect()
            }
            Self::Secret(_) | Self::Text(_) | Self::Number(_) | Self::Count(_) => {
                self.secret().into_iter().collect()
            }
        }
    }

    /// The text, when it is one.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Secret(_) | Self::Number(_) | Self::Count(_) | Self::Headers(_) => "",
        }
    }
}

/// Where a value comes from. A later variant outranks an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody configured it.
    Default,
    /// The file `config.toml`.
    File,
    /// This environment variable.
    Environment(&'static str),
    /// A flag.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File => formatter.write_str("config.toml"),
            Self::Environment(name) => write!(formatter, "environment {name}"),
            Self::Flag => formatter.write_str("flag"),
        }
    }
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SourcedValue {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// What values a kind takes, as a phrase: `a number from 0 to 1`.
pub(super) fn describe(kind: ValueKind) -> String {
    match kind {
        ValueKind::Word(words) => words.join(" or "),
        ValueKind::Address => "an address such as http://127.0.0.1:11434/v1".to_owned(),
        ValueKind::Text => "text".to_owned(),
        ValueKind::Secret => "a key".to_owned(),
        ValueKind::Headers => "a table of names and texts".to_owned(),
        ValueKind::Number(least, most) => format!("a number from {least} to {most}"),
        ValueKind::Count(least, most) => format!("a whole number from {least} to {most}"),
    }
}

/// Reads a value written as text.
///
/// # Errors
/// A phrase that follows the key in a sentence and never repeats a secret.
pub(super) fn from_text(kind: ValueKind, text: &str) -> Result<Value, String> {
    let text = text.trim();
    match kind {
        ValueKind::Word(words) if words.contains(&text) => Ok(Value::Text(text.to_owned())),
        ValueKind::Word(_) => Err(format!("must be {}, not {text:?}", describe(kind))),
        ValueKind::Address => address(text),
        ValueKind::Text if text.is_empty() => Err("is empty; leave it out, or write a value".to_owned()),
        ValueKind::Text if text.len() > TEXT_LIMIT => Err(format!("is longer than {TEXT_LIMIT} bytes")),
        ValueKind::Text if text.contains(['\n', '\r', '\0']) => Err("must be a single line".to_owned()),
        ValueKind::Text => Ok(Value::Text(text.to_owned())),
        ValueKind::Secret => secret(text).map(Value::Secret),
        ValueKind::Headers => Err(format!("must be {} in config.toml", describe(kind))),
        ValueKind::Number(least, most) => match text.parse::<f64>() {
            // The comparison is false for NaN.
            Ok(number) if number >= least && number <= most => Ok(Value::Number(number)),
            Ok(_) | Err(_) => Err(format!("must be {}, not {text:?}", describe(kind))),
        },
        ValueKind::Count(least, most) => match text.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) => Ok(Value::Count(number)),
            Ok(_) | Err(_) => Err(format!("must be {}, not {text:?}", describe(kind))),
        },
    }
}

/// Reads a value from a TOML document.
///
/// # Errors
/// As [`from_text`]; also when the value has another type than the setting.
pub(super) fn from_toml(kind: ValueKind, value: &DeValue<'_>) -> Result<Value, String> {
    let wrong_type = || {
        let quotes = if takes_text(kind) { " in quotes" } else { " without quotes" };
        Err(format!("must be {}{quotes}, not of the TOML type {}", describe(kind), value.type_str()))
    };
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum belongs to the TOML parser")]
    match value {
        DeValue::Table(fields) if kind == ValueKind::Headers => headers(fields),
        DeValue::String(text) if takes_text(kind) => from_text(kind, text),
        DeValue::Integer(number) if !takes_text(kind) => {
            let shown = number.to_string();
            match u64::from_str_radix(number.as_str(), number.radix()) {
                Ok(parsed) => from_text(kind, &parsed.to_string()),
                Err(_) => from_text(kind, &shown),
            }
        }
        DeValue::Boolean(switch) if matches!(kind, ValueKind::Word(words) if words.contains(&"true")) => {
            from_text(kind, &switch.to_string())
        }
        DeValue::Float(number) if matches!(kind, ValueKind::Number(..)) => from_text(kind, number.as_str()),
        _ => wrong_type(),
    }
}

/// A key as it was found anywhere.
///
/// # Errors
/// When it is too long or more than one line.
pub(super) fn secret(text: &str) -> Result<Secret, String> {
    let text = text.trim();
    if text.len() > KEY_LIMIT {
        return Err(format!("is longer than {KEY_LIMIT} bytes, which is no key"));
    }
    if text.contains(['\n', '\r']) {
        return Err("has more than one line; a key is one line".to_owned());
    }
    Ok(Secret::new(text))
}

/// Whether the name of a variable or a header field says that its value is secret.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.replace('-', "_");
    ["authorization", "cookie"].iter().any(|known| name.to_ascii_lowercase().ends_with(known))
        || SecretKind::of_variable(&name).is_some()
}

fn headers(fields: &DeTable<'_>) -> Result<Value, String> {
    let field = |(name, value): (&toml::Spanned<std::borrow::Cow<'_, str>>, &toml::Spanned<DeValue<'_>>)| {
        let name = name.get_ref().to_string();
        let text =
            value.get_ref().as_str().ok_or_else(|| format!("has a value for {name} that is no text"))?;
        Ok((name, secret(text)?))
    };
    fields.iter().map(field).collect::<Result<_, String>>().map(Value::Headers)
}

fn takes_text(kind: ValueKind) -> bool {
    match kind {
        ValueKind::Word(_) | ValueKind::Address | ValueKind::Text | ValueKind::Secret => true,
        ValueKind::Number(..) | ValueKind::Count(..) | ValueKind::Headers => false,
    }
}

/// The rough form of an address. A password in it would be shown and logged, so it is refused unseen.
fn address(text: &str) -> Result<Value, String> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    if text.contains('@') {
        return Err("holds an `@`: put a user name or key into api_key, and write %40 in a path".to_owned());
    }
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty()
        || text.len() > TEXT_LIMIT
        || text.contains(|c: char| c.is_whitespace() || c.is_control())
    {
        return Err(format!("must be {}", describe(ValueKind::Address)));
    }
    Ok(Value::Text(text.to_owned()))
}
