//! Removing what was forgotten from the files themselves, and from every copy of the memory.

use artoo_memory::key::Key;

use crate::backup;
use crate::disk::{Batch, Family};
use crate::error::StoreError;
use crate::open_store::{OpenStore, WriteLock};

/// The name of the key that says that something was forgotten and may still lie in files. It is set together with the
/// tombstone and goes when the files are clean, so that a process that was killed in between does not leave it undone.
const ERASE_KEY: &str = "erase";

/// Notes in `batch`, which forgets something, that the files are to be cleaned.
pub(crate) fn erase_next(batch: &mut Batch<'_>) {
    batch.put(&Key::Meta(ERASE_KEY.to_owned()), b"");
}

/// Removes what was deleted from the files, and every copy of the memory, which still has it. Whole families: a
/// forgotten text may lie in any of their files, and a memory of a hundred thousand records is compacted in about a
/// second.
pub(crate) fn erase(store: &OpenStore, _: &WriteLock<'_>) -> Result<(), StoreError> {
    backup::remove_all(store.disk.folder())?;
    store.disk.erase(Family::Truth, b"", &[0xFF])?;
    store.disk.erase(Family::Derived, b"", &[0xFF])?;
    let mut batch = store.disk.batch();
    batch.delete(&Key::Meta(ERASE_KEY.to_owned()));
    batch.commit(false)
}

/// Does what a killed process left undone.
pub(crate) fn finish_erasing(store: &OpenStore) -> Result<(), StoreError> {
    if store.disk.view().has(&Key::Meta(ERASE_KEY.to_owned()))? {
        erase(store, &store.lock())?;
    }
    Ok(())
}
