//! The text of `config.toml`, read into checked values that know where they stand.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::table::{SECTIONS, Setting, find, nearest};
use super::value::{Value, from_toml};

/// One key of the file.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) setting: &'static Setting,
    pub(super) value: Value,
    /// The bytes of the value in the text.
    pub(super) span: Range<usize>,
}

/// A text as a TOML document.
///
/// # Errors
/// When it is none.
pub(super) fn document<'a>(text: &'a str, shown: &str) -> Result<Spanned<DeTable<'a>>, ConfigError> {
    DeTable::parse(text).map_err(|error| {
        let (line, column) = position(text, error.span().map_or(0, |span| span.start));
        ConfigError::Syntax { path: shown.to_owned(), line, column, problem: error.message().to_owned() }
    })
}

/// The entries of a document in their order, each checked. Tables of MCP servers are left to [`super::mcp::read`].
///
/// # Errors
/// The first thing in it that is no known key, or no value of its key.
pub(super) fn entries(document: &DeTable<'_>, text: &str, shown: &str) -> Result<Vec<Entry>, ConfigError> {
    let mut found = Vec::new();
    collect("", document, &mut found);
    found.retain(|item| !(item.section.is_empty() && item.name == "mcp"));
    found.sort_by_key(|item| item.at);
    found.into_iter().map(|item| item.checked(text, shown)).collect()
}

/// The entries of a text.
///
/// # Errors
/// As [`document`] and [`entries`].
pub(super) fn parse(text: &str, shown: &str) -> Result<Vec<Entry>, ConfigError> {
    entries(document(text, shown)?.get_ref(), text, shown)
}

/// A key with what stands behind it, not yet checked.
struct RawEntry<'a> {
    /// Byte offset of the key.
    at: usize,
    section: String,
    name: String,
    value: &'a Spanned<DeValue<'a>>,
}

/// All keys but those of known sections. The parser bounds the depth of a document, and only two levels are known.
fn collect<'a>(section: &str, table: &'a DeTable<'a>, found: &mut Vec<RawEntry<'a>>) {
    for (name, value) in table {
        let path = join(section, name.get_ref());
        match value.get_ref().as_table() {
            Some(inner) if SECTIONS.contains(&path.as_str()) && find(&path).is_none() => {
                collect(&path, inner, found);
            }
            Some(_) | None => {
                let (section, name_text) = (section.to_owned(), name.get_ref().to_string());
                found.push(RawEntry { at: name.span().start, section, name: name_text, value });
            }
        }
    }
}

impl RawEntry<'_> {
    fn checked(self, text: &str, shown: &str) -> Result<Entry, ConfigError> {
        let key = join(&self.section, &self.name);
        if SECTIONS.contains(&key.as_str()) {
            let place = format!("{shown} line {}", position(text, self.at).0);
            let problem = format!("is a section: write [{key}] on a line of its own, and its keys below");
            return Err(ConfigError::Value { place, key, problem });
        }
        let Some(setting) = find(&key) else {
            let place = format!("{shown} line {}", position(text, self.at).0);
            return Err(ConfigError::UnknownKey { place, key: self.name, nearest: nearest(&key) });
        };
        let span = self.value.span();
        match from_toml(setting.field.kind, self.value.get_ref()) {
            Ok(value) => Ok(Entry { setting, value, span }),
            Err(problem) => {
                let (line, column) = position(text, span.start);
                let place = format!("{shown} line {line} column {column}");
                Err(ConfigError::Value { place, key, problem })
            }
        }
    }
}

fn join(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

/// Line, and column in characters, both from 1.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
