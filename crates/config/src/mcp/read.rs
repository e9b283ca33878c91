//! The tables of servers, each value checked where it stands.

use std::collections::BTreeMap;

use artoo_mcp::{MAX_NAME_CHARS, MAX_SERVERS, is_name};
use artoo_model::Secret;
use artoo_types::evidence::EffectClass;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{EFFECTS, KEYS, ServerKey, ServerSettings, ServerValue, Shape, describe};
use crate::document::position;
use crate::error::ConfigError;
use crate::table::MCP_SERVERS;
use crate::value::{KEY_LIMIT, Value, ValueKind, from_toml, secret};

/// Most entries of a list or a table of a server.
const MAX_ENTRIES: usize = 256;

/// A text with what names it in errors.
struct Document<'a> {
    text: &'a str,
    shown: &'a str,
}

/// The servers of a document, in the order of their names.
///
/// # Errors
/// The first table, key or value that cannot be.
pub(crate) fn read(
    document: &DeTable<'_>,
    text: &str,
    shown: &str,
) -> Result<Vec<ServerSettings>, ConfigError> {
    let document_text = Document { text, shown };
    let Some((at, mcp)) = document.iter().find(|(name, _)| name.get_ref() == "mcp") else {
        return Ok(Vec::new());
    };
    let mcp = document_text.table(mcp, at.span().start, "mcp")?;
    let mut servers = Vec::new();
    for (name, value) in mcp {
        if name.get_ref() != "servers" {
            let place = document_text.line(name.span().start);
            return Err(ConfigError::UnknownKey {
                place,
                key: name.get_ref().to_string(),
                nearest: "servers",
            });
        }
        for (name, server) in document_text.table(value, name.span().start, MCP_SERVERS)? {
            servers.push(document_text.server(name, server)?);
        }
    }
    if servers.len() > MAX_SERVERS {
        let problem = format!("has more than {MAX_SERVERS} servers; remove some");
        return Err(ConfigError::Value { place: shown.to_owned(), key: MCP_SERVERS.to_owned(), problem });
    }
    servers.sort_by(|a: &ServerSettings, b: &ServerSettings| a.name.cmp(&b.name));
    Ok(servers)
}

impl Document<'_> {
    fn line(&self, at: usize) -> String {
        format!("{} line {}", self.shown, position(self.text, at).0)
    }

    fn table<'a>(
        &self,
        value: &'a Spanned<DeValue<'a>>,
        at: usize,
        key: &str,
    ) -> Result<&'a DeTable<'a>, ConfigError> {
        value.get_ref().as_table().ok_or_else(|| ConfigError::Value {
            place: self.line(at),
            key: key.to_owned(),
            problem: format!(
                "must be a table: write [{MCP_SERVERS}.NAME] on a line of its own, and its keys below"
            ),
        })
    }

    fn server(
        &self,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<ServerSettings, ConfigError> {
        let place = self.line(name.span().start);
        let path = format!("{MCP_SERVERS}.{}", name.get_ref());
        if !is_name(name.get_ref()) {
            let problem = format!(
                "is no name of a server: write 1 to {MAX_NAME_CHARS} letters, digits, - and single _, such as notes"
            );
            return Err(ConfigError::Value { place, key: path, problem });
        }
        let mut values = Vec::new();
        for (written, value) in self.table(value, name.span().start, &path)? {
            let Some(key) = KEYS.iter().find(|key| key.name == written.get_ref()) else {
                let place = self.line(written.span().start);
                let (key, nearest) = (written.get_ref().to_string(), nearest(written.get_ref()));
                return Err(ConfigError::UnknownKey { place, key, nearest });
            };
            let checked = checked(key, value.get_ref()).map_err(|problem| {
                let place = self.line(value.span().start);
                ConfigError::Value { place, key: format!("{path}.{}", key.name), problem }
            })?;
            values.push((key, checked));
        }
        values.sort_by_key(|(key, _)| KEYS.iter().position(|known| known.name == key.name));
        Ok(ServerSettings { name: name.get_ref().to_string(), place, values })
    }
}

fn nearest(unknown: &str) -> &'static str {
    let likeness = |key: &&ServerKey| strsim::normalized_damerau_levenshtein(unknown, key.name);
    let best = KEYS.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.map_or("command", |key| key.name)
}

/// Checks a value.
///
/// # Errors
/// A phrase that follows the key in a sentence and never repeats a secret.
fn checked(key: &ServerKey, value: &DeValue<'_>) -> Result<ServerValue, String> {
    let wrong = || format!("must be {}, not of the TOML type {}", describe(key.shape), value.type_str());
    let text =
        |value: &DeValue<'_>, kind: ValueKind| from_toml(kind, value).map(|found| found.text().to_owned());
    match key.shape {
        Shape::Text => text(value, ValueKind::Text).map(ServerValue::Text),
        Shape::Address => text(value, ValueKind::Address).map(ServerValue::Text),
        Shape::Secret => secret(value.as_str().ok_or_else(wrong)?).map(ServerValue::Secret),
        Shape::Count(least, most) => match from_toml(ValueKind::Count(least, most), value)? {
            Value::Count(number) => Ok(ServerValue::Count(number)),
            Value::Text(_) | Value::Secret(_) | Value::Number(_) | Value::Headers(_) => Err(wrong()),
        },
        Shape::Switch => value.as_bool().map(ServerValue::Switch).ok_or_else(wrong),
        Shape::Effect => effect(value.as_str().ok_or_else(wrong)?).map(ServerValue::Effect),
        Shape::Texts => {
            let items = value.as_array().ok_or_else(wrong)?;
            bounded(items.len())?;
            let texts: Option<Vec<String>> =
                items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect();
            Ok(ServerValue::Texts(texts.ok_or_else(wrong)?))
        }
        Shape::Table => pairs(value.as_table().ok_or_else(wrong)?).map(ServerValue::Table),
        Shape::Effects => {
            let table = value.as_table().ok_or_else(wrong)?;
            bounded(table.len())?;
            let pair = |(name, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                let word = value.get_ref().as_str().ok_or_else(wrong)?;
                Ok((name.get_ref().to_string(), effect(word)?))
            };
            table.iter().map(pair).collect::<Result<_, String>>().map(ServerValue::Effects)
        }
    }
}

fn pairs(table: &DeTable<'_>) -> Result<BTreeMap<String, Secret>, String> {
    bounded(table.len())?;
    let pair = |(name, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        let name = name.get_ref();
        let text =
            value.get_ref().as_str().ok_or_else(|| format!("has a {name} that is no text in quotes"))?;
        if name.is_empty() || name.contains(['=', '\0', '\n', '\r']) || text.contains('\0') {
            return Err("has a name or a value that cannot be passed on".to_owned());
        }
        if text.len() > KEY_LIMIT {
            return Err(format!("has a {name} of more than {KEY_LIMIT} bytes"));
        }
        Ok((name.to_string(), Secret::new(text)))
    };
    table.iter().map(pair).collect()
}

fn bounded(entries: usize) -> Result<(), String> {
    if entries > MAX_ENTRIES {
        return Err(format!("has more than {MAX_ENTRIES} entries"));
    }
    Ok(())
}

fn effect(word: &str) -> Result<EffectClass, String> {
    let found = EFFECTS.into_iter().find(|effect| effect.as_str() == word);
    found.ok_or_else(|| format!("must be {}, not {word:?}", super::effects()))
}
