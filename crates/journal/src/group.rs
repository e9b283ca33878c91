//! Making several new journals durable together.

use std::path::Path;
use std::thread;

use crate::line_file::sync_folder;
use crate::{JournalError, TaskJournal};

/// Files that are synced at the same time. A disk takes several syncs at once for little more than the price of one, and
/// more of them gain little (100 files: 16 ms one by one, 11 with 2 at a time, 8 with 4, 7 with 8 or 16).
const AT_ONCE: usize = 4;
/// Below this many files a thread costs more than it saves.
const WORTH_A_THREAD: usize = 4;

/// Returns when every step in these new journals of `folder` is on the disk, and their names are too. One result for
/// each, in order; see [`TaskJournal::sync`].
///
/// # Errors
/// When the folder cannot be synced: then none of the journals may be relied on.
pub fn sync_new(
    folder: &Path,
    mut journals: Vec<&mut TaskJournal>,
) -> Result<Vec<Result<(), JournalError>>, JournalError> {
    let share = journals.len().div_ceil(AT_ONCE).max(WORTH_A_THREAD);
    let own = share.min(journals.len());
    let sync = |part: &mut [&mut TaskJournal]| part.iter_mut().map(|j| j.sync()).collect::<Vec<_>>();
    let results = thread::scope(|scope| {
        let (own, others) = journals.split_at_mut(own);
        let others: Vec<_> = others.chunks_mut(share).map(|part| scope.spawn(|| sync(part))).collect();
        let mut results = sync(own);
        for other in others {
            results.extend(other.join().expect("syncing does not panic"));
        }
        results
    });
    sync_folder(folder)?;
    Ok(results)
}

#[cfg(test)]
mod tests;
