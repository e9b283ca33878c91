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

mod answer;
mod backup;
mod disk;
mod edit;
mod erase;
mod error;
mod explain;
mod inspect;
mod maintenance;
mod migrate;
mod open_store;
mod opening;
mod outlook;
mod promotion;
mod reader;
mod rebuild;
mod recalls;
mod requests;
mod restore;
mod rules;
mod schema;
mod sharing;
mod sweep;
mod verify;
mod wishes;
mod writer;

pub use backup::{Backup, BackupOccasion, backups};
pub use error::StoreError;
pub use explain::{Contribution, TagExplanation};
pub use inspect::{ListQuery, MemoryPage, MemoryStats, PageCursor};
pub use maintenance::{Demotion, ForgottenCluster, Maintenance, SharedKnowledge, TickReport};
pub use outlook::{DANGER, FadingCluster, LevelTotals, Outlook, RuleInDanger};
pub use promotion::{PromotedRule, PromotionOutcome};
pub use reader::MemoryReader;
pub use requests::{MAX_SEPARATIONS, Separation};
pub use restore::restore;
pub use verify::{MemoryFault, Verification};
pub use writer::{MemoryWriter, WriteOutcome};

use open_store::OpenStore;
use opening::OpenedMemory;

/// Opens the memory in `folder`, making it when there is none. An older schema is brought to this program's, after a
/// copy was made; derived records are made again when they are missing or of another version.
///
/// # Errors
/// When another process holds the folder, when it cannot be written, when its schema is newer than this program, or when
/// the database is damaged. The text says what to do.
pub fn open(folder: &Path) -> Result<(MemoryReader, MemoryWriter, Maintenance), StoreError> {
    open_with(folder, &migrate::STEPS)
}

fn open_with(
    folder: &Path,
    changes: &[migrate::SchemaStep],
) -> Result<(MemoryReader, MemoryWriter, Maintenance), StoreError> {
    let OpenedMemory { disk, schema, had_derived } = opening::open(folder)?;
    migrate::migrate(&disk, schema, changes)?;
    let derived_is_current = had_derived && schema::derived_is_current(&disk.view())?;
    let store = Arc::new(OpenStore::new(disk)?);
    if !derived_is_current {
        rebuild::rebuild(&store)?;
    }
    erase::finish_erasing(&store)?;
    Ok((
        MemoryReader::new(Arc::clone(&store)),
        MemoryWriter::new(Arc::clone(&store)),
        Maintenance::new(store),
    ))
}

#[cfg(test)]
mod tests;
