//! `config.toml`: a bounded file, read into checked values that know where they stand.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::mcp;
use super::table::{SECTIONS, Setting, find, nearest};
use super::value::{Value, from_toml};
use crate::folder::Places;

/// Largest configuration file, in bytes: a thousand times what all keys with comments need.
pub(super) const FILE_LIMIT: u64 = 1 << 20;

/// One key of the file.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) setting: &'static Setting,
    pub(super) value: Value,
    /// The bytes of the value in the text.
    pub(super) span: Range<usize>,
}

/// The configuration file.
pub(super) fn config_path(places: &Places) -> PathBuf {
    places.data.join("config.toml")
}

/// The path as people know it: with `~` for the home folder.
pub(super) fn shown_path(places: &Places, path: &Path) -> String {
    match path.strip_prefix(&places.home) {
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

/// The entries of `config.toml` and its MCP servers; none when there is no file.
///
/// # Errors
/// When the file cannot be read, is exposed while it holds a key, or has anything in it that [`parse`] refuses.
pub(super) fn load(places: &Places) -> Result<(Vec<Entry>, Vec<mcp::Written>), ConfigError> {
    let path = config_path(places);
    let shown = shown_path(places, &path);
    let Some((text, mode)) = read_bounded(&path, &shown, FILE_LIMIT)? else { return Ok(Default::default()) };
    let entries = parse(&text, &shown)?;
    let servers = mcp::read(document(&text, &shown)?.get_ref(), &text, &shown)?;
    let has_key = entries.iter().any(|entry| matches!(&entry.value, Value::Secret(key) if !key.is_empty()));
    if has_key || servers.iter().any(|server| !server.secrets().is_empty()) {
        refuse_exposed(&path, &shown, mode)?;
    }
    Ok((entries, servers))
}

/// The text and the permission bits of a regular file of at most `limit` bytes, or nothing when there is none.
pub(super) fn read_bounded(
    path: &Path,
    shown: &str,
    limit: u64,
) -> Result<Option<(String, u32)>, ConfigError> {
    let unreadable = |source| ConfigError::Read { path: shown.to_owned(), source };
    let wrong = |problem: String| ConfigError::File { path: shown.to_owned(), problem };
    // Opening a pipe would wait for a writer.
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(wrong("is not a file; move it away".to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    }
    let file = File::open(path).map_err(unreadable)?;
    let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o7777;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(wrong(format!("is larger than {limit} bytes; check that it is the right file")));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8 text; save it as UTF-8".to_owned()))?;
    Ok(Some((text, mode)))
}

/// Refuses a file with a secret that its group or others can do anything with.
pub(super) fn refuse_exposed(path: &Path, shown: &str, mode: u32) -> Result<(), ConfigError> {
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    let text = path.display().to_string();
    let argument = if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) };
    Err(ConfigError::Exposed { path: shown.to_owned(), mode, argument })
}

/// The entries of a text in their order, each checked. Tables of MCP servers are left to [`mcp::read`].
///
/// # Errors
/// The first thing in the text that is no TOML, no known key, or no value of its key.
pub(super) fn parse(text: &str, shown: &str) -> Result<Vec<Entry>, ConfigError> {
    let document = document(text, shown)?;
    let mut found = Vec::new();
    collect("", document.get_ref(), &mut found);
    found.retain(|item| !(item.section.is_empty() && item.name == "mcp"));
    found.sort_by_key(|item| item.at);
    found.into_iter().map(|item| item.checked(text, shown)).collect()
}

fn document<'a>(text: &'a str, shown: &str) -> Result<Spanned<DeTable<'a>>, ConfigError> {
    DeTable::parse(text).map_err(|error| {
        let (line, column) = position(text, error.span().map_or(0, |span| span.start));
        ConfigError::Syntax { path: shown.to_owned(), line, column, problem: error.message().to_owned() }
    })
}

/// A key with what stands behind it, not yet looked at.
struct Item<'a> {
    /// Byte offset of the key.
    at: usize,
    section: String,
    name: String,
    value: &'a Spanned<DeValue<'a>>,
}

/// All keys but those of known sections. The parser bounds the depth of a document, and only two levels are known.
fn collect<'a>(section: &str, table: &'a DeTable<'a>, found: &mut Vec<Item<'a>>) {
    for (name, value) in table {
        let path = join(section, name.get_ref());
        match value.get_ref().as_table() {
            Some(inner) if SECTIONS.contains(&path.as_str()) && find(&path).is_none() => {
                collect(&path, inner, found);
            }
            Some(_) | None => {
                let (section, name_text) = (section.to_owned(), name.get_ref().to_string());
                found.push(Item { at: name.span().start, section, name: name_text, value });
            }
        }
    }
}

impl Item<'_> {
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
        match from_toml(setting.kind, self.value.get_ref()) {
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
