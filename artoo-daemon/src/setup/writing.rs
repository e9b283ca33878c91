//! What changes in `config.toml`, shown before it is written.

use anyhow::Context as _;
use artoo_config::folder::Places;
use artoo_model::Secret;
use similar::{ChangeTag, TextDiff};

/// A change of the configuration that is not written yet.
pub(super) struct ConfigChange {
    before: String,
    after: String,
}

impl ConfigChange {
    /// The change that these settings make: each is a key with its value, or without one to take it out.
    ///
    /// # Errors
    /// When `config.toml` cannot be read, or would be no configuration afterwards.
    pub(super) fn new(places: &Places, settings: &[(String, Option<String>)]) -> anyhow::Result<Self> {
        let before = existing(places)?;
        let after = artoo_config::edited(&before, settings)?;
        Ok(Self { before, after })
    }

    /// Whether nothing changes.
    pub(super) fn is_empty(&self) -> bool {
        self.before == self.after
    }

    /// The lines that change, without the key.
    pub(super) fn shown(&self, key: &Secret) -> String {
        let diff = TextDiff::from_lines(&self.before, &self.after);
        let mut text = String::new();
        for change in diff.iter_all_changes() {
            let mark = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => continue,
            };
            let line = change.value().trim_end();
            let is_key = line.trim_start().starts_with("api_key ");
            let line = if is_key { "api_key = \"...\"".to_owned() } else { line.to_owned() };
            let line = if key.is_empty() { line } else { line.replace(key.expose(), "...") };
            text.push_str(&format!("  {mark} {line}\n"));
        }
        text
    }

    /// Writes it.
    ///
    /// # Errors
    /// When the data folder cannot be written.
    pub(super) fn write(&self, places: &Places) -> anyhow::Result<()> {
        places.prepare()?;
        artoo_config::write_config(places, &self.after)?;
        Ok(())
    }
}

/// The text of config.toml; empty where there is none.
///
/// # Errors
/// When it is there and cannot be read.
pub fn existing(places: &Places) -> anyhow::Result<String> {
    let target = places.data.join("config.toml");
    match std::fs::read_to_string(&target) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("cannot read {}", target.display())),
    }
}
