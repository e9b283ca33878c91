//! Writes `config.toml`: as a whole or not at all, and readable by its owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::error::ConfigError;
use super::file::{config_path, shown_path};
use crate::folder::Places;

/// Replaces `config.toml` by `text`, mode 0600. The data folder must exist. A file that is a link stays one: what it
/// points to is replaced. After a crash the old or the new file is there, never a part.
///
/// # Errors
/// When the folder cannot be written, or another process is writing the file at the same moment.
pub fn write_config(places: &Places, text: &str) -> Result<(), ConfigError> {
    let path = config_path(places);
    let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    replace(&target, text).map_err(|source| ConfigError::Write { path: shown_path(places, &path), source })
}

fn replace(target: &Path, text: &str) -> io::Result<()> {
    let folder = target.parent().ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?;
    let draft = folder.join(".config.toml.new");
    // One that a crash left behind.
    if let Err(error) = fs::remove_file(&draft)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(error);
    }
    let written = write_new(&draft, text).and_then(|()| fs::rename(&draft, target));
    if written.is_err() {
        drop(fs::remove_file(&draft));
    }
    written?;
    File::open(folder)?.sync_all()
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
