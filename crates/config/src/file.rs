//! Files that a person writes: `config.toml`, and files with keys. They are bounded, and keys in them are for the owner alone.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::error::ConfigError;
use crate::folder::Places;

/// Largest configuration file, in bytes: a thousand times what all keys with comments need.
pub(super) const FILE_LIMIT: u64 = 1 << 20;

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
