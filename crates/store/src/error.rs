//! What can go wrong, and what to do about it.

use std::path::PathBuf;

use artoo_memory::admission::MegramRejected;

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process, or another handle in this one, has the folder open.
    #[error(
        "the memory in {folder} is in use by another process; only one may write it. Stop the other daemon, or set \
         ARTOO_DATA_DIR to another folder"
    )]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder cannot be made or written.
    #[error(
        "the memory folder {folder} cannot be written: {why}. Give the folder to this user, or set ARTOO_DATA_DIR"
    )]
    NotWritable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The folder was written by a newer program.
    #[error(
        "the memory in {folder} has schema {found}, and this program knows {known} and older; use the newer program, or \
         set ARTOO_DATA_DIR to another folder"
    )]
    NewerSchema {
        /// The folder.
        folder: PathBuf,
        /// The schema in the folder.
        found: String,
        /// The newest schema that this program can read.
        known: String,
    },
    /// The folder holds a database that is not a memory.
    #[error("{folder} holds a database without a memory schema; set ARTOO_DATA_DIR to another folder")]
    NotAMemory {
        /// The folder.
        folder: PathBuf,
    },
    /// The memory breaks a rule, so it is not stored.
    #[error("not remembered: {0}")]
    Rejected(#[from] MegramRejected),
    /// A record that cannot be read.
    #[error(
        "the memory record {key} is damaged: {why}. Run `artoo memory verify`; if it persists, set the memory folder \
         aside and restart"
    )]
    Damaged {
        /// Its key.
        key: String,
        /// What is wrong with it.
        why: String,
    },
    /// The page cursor is not one that a list with this space gave out.
    #[error("this is not the cursor of an earlier page of the same list; start without a cursor")]
    BadCursor,
    /// A copy of the memory cannot be made, read or deleted.
    #[error(
        "the copy of the memory at {path} cannot be kept in order: {why}. Check the disk for space, and the folder's owner"
    )]
    Backup {
        /// The copy.
        path: PathBuf,
        /// What the system or the database said.
        why: String,
    },
    /// A copy of the memory that is not whole.
    #[error(
        "the copy of the memory at {path} has {found} faults, so it is not put in its place; take another one"
    )]
    FaultyBackup {
        /// The copy.
        path: PathBuf,
        /// How many.
        found: u64,
    },
    /// The database failed.
    #[error(
        "the memory could not {doing}: {source}. Check the disk for space and errors; the write can be repeated"
    )]
    Database {
        /// What was tried.
        doing: &'static str,
        /// What RocksDB said.
        source: rocksdb::Error,
    },
}

impl StoreError {
    /// For `map_err`: the database failed while `doing` this.
    pub(crate) fn database(doing: &'static str) -> impl Fn(rocksdb::Error) -> Self {
        move |source| Self::Database { doing, source }
    }

    /// For `map_err`: the record with this key does not hold what it should.
    pub(crate) fn damaged<E: std::fmt::Display>(key: &[u8]) -> impl FnOnce(E) -> Self {
        let key = String::from_utf8_lossy(key).into_owned();
        move |why| Self::Damaged { key, why: why.to_string() }
    }
}
