//! The version of what is stored: of the truth, as major.minor, and of the derived records.

use std::path::Path;

use artoo_memory::encoding;
use artoo_memory::key::Key;
use rocksdb::DB;

use crate::disk::view::View;
use crate::error::StoreError;

/// The schema of the truth, as major.minor, independent of the program's version. A reader of one major reads all of
/// its minors, older and newer. What leads here from older ones stands in [`crate::migrate`].
pub(crate) const SCHEMA: (u32, u32) = (1, 0);

/// The name of the schema's key.
pub(crate) const SCHEMA_KEY: &str = "schema";

/// The name of the key that says of which version the derived records are. It is set last by a rebuild, so that an
/// interrupted one is done again.
pub(crate) const DERIVED_KEY: &str = "derived";

/// The version of the derived records that this program writes. It has to change with what the indexes hold, as it does
/// with the encoding of the sums.
pub(crate) fn derived_version() -> String {
    encoding::VERSION.to_string()
}

/// Whether the derived records were completed by a program that makes them as this one does.
pub(crate) fn derived_is_current(view: &View<'_>) -> Result<bool, StoreError> {
    let marker = view.value(&Key::Meta(DERIVED_KEY.to_owned()))?;
    Ok(marker.as_deref() == Some(derived_version().as_bytes()))
}

/// The schema in the database. A newer major is refused before anything is written; a database that holds nothing yet gets
/// this program's schema.
pub(crate) fn check_schema(db: &DB, folder: &Path) -> Result<(u32, u32), StoreError> {
    if let Some(found) = read_schema(db, folder)? {
        return Ok(found);
    }
    if db.iterator(rocksdb::IteratorMode::Start).next().is_some() {
        return Err(StoreError::NotAMemory { folder: folder.to_owned() });
    }
    let key = Key::Meta(SCHEMA_KEY.to_owned()).encode();
    db.put(key, version_text(SCHEMA)).map_err(StoreError::database("write its schema"))?;
    Ok(SCHEMA)
}

/// The schema that is written in the database, if any is.
pub(crate) fn read_schema(db: &DB, folder: &Path) -> Result<Option<(u32, u32)>, StoreError> {
    let key = Key::Meta(SCHEMA_KEY.to_owned()).encode();
    let Some(stored) = db.get(&key).map_err(StoreError::database("read its schema"))? else {
        return Ok(None);
    };
    let found = String::from_utf8_lossy(&stored).into_owned();
    let version = parse_version(&found).ok_or_else(|| StoreError::damaged(&key)("not a schema version"))?;
    if version.0 > SCHEMA.0 {
        let known = format!("{}.x", SCHEMA.0);
        return Err(StoreError::NewerSchema { folder: folder.to_owned(), found, known });
    }
    Ok(Some(version))
}

/// A version as it is written.
pub(crate) fn version_text((major, minor): (u32, u32)) -> String {
    format!("{major}.{minor}")
}

/// A version as it was written.
pub(crate) fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
