//! RocksDB behind one reader and one writer.
//!
//! This crate does what `artoo-memory` decides, and decides nothing itself. Opening the folder yields three values, and
//! whoever holds one may do what it can do, no more:
//! - [`MemoryReader`] reads. It is cheap to clone.
//! - [`MemoryWriter`] writes experience and carries out the operator's wishes. There is one, and it cannot be cloned:
//!   it is moved into the thread of R5.
//! - [`Maintenance`] forgets what has faded, demotes rules that lost their trust, and makes rules of evidence that is
//!   enough. It cannot write experience, and it never calls a model.
//!
//! Start with [`open`].

use std::path::Path;
use std::sync::Arc;

mod disk;
mod edit;
mod error;
mod explain;
mod inspect;
mod maintenance;
mod opening;
mod outlook;
mod promotion;
mod reader;
mod rebuild;
mod shared;
mod sweep;
mod verify;
mod view;
mod writer;

pub use error::StoreError;
pub use explain::{Contribution, Explanation};
pub use inspect::{Cursor, ListQuery, Page, Stats};
pub use maintenance::{Demotion, Maintenance, Swept, TickReport};
pub use outlook::{DANGER, Falling, Outlook, RuleInDanger, Standing};
pub use promotion::{Promoted, Promotion};
pub use reader::MemoryReader;
pub use verify::{Finding, Verification};
pub use writer::{Forgotten, MemoryWriter, Written};

/// Opens the memory in `folder`, making it when there is none, and brings derived records up to date when they are
/// missing or of another version.
///
/// # Errors
/// When another process holds the folder, when it cannot be written, when its schema is newer than this program, or when
/// the database is damaged. The text says what to do.
pub fn open(folder: &Path) -> Result<(MemoryReader, MemoryWriter, Maintenance), StoreError> {
    let (disk, derived_is_current) = opening::open(folder)?;
    let shared = Arc::new(shared::Shared::new(disk)?);
    if !derived_is_current {
        shared.rebuild()?;
    }
    Ok((
        MemoryReader::new(Arc::clone(&shared)),
        MemoryWriter::new(Arc::clone(&shared)),
        Maintenance::new(shared),
    ))
}

#[cfg(test)]
mod tests;
