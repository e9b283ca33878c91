//! Bringing an older memory to this program's schema.
//!
//! A copy of the memory is made first. Then the steps that are due run one after the other, and behind each the version
//! is written. A step that was cut short is run again from its start when the memory is opened next, so each has to lead
//! to the same end however often, and however far, it ran before.

use artoo_memory::key::Key;

use crate::backup;
use crate::disk::Disk;
use crate::error::StoreError;
use crate::schema::{SCHEMA_KEY, version_text};

/// The name of the key that says that a change of the schema is under way, and the copy is made.
const UNDER_WAY_KEY: &str = "migrating";

/// One change of the schema.
pub(crate) struct SchemaStep {
    /// The schema that it leads to, as major.minor.
    pub(crate) to: (u32, u32),
    /// What it does, for the log.
    pub(crate) what: &'static str,
    /// Does it; running it again leads to the same.
    pub(crate) run: fn(&Disk) -> Result<(), StoreError>,
}

/// Every change there was, oldest first; the last one leads to [`crate::schema::SCHEMA`]. There was none yet: what came
/// since the first version is derived, and made again when *its* version changes.
pub(crate) const STEPS: [SchemaStep; 0] = [];

/// Runs the steps that lead further than `found`. A memory that is as new, or newer, is not touched.
pub(crate) fn migrate(disk: &Disk, found: (u32, u32), steps: &[SchemaStep]) -> Result<(), StoreError> {
    let due: Vec<&SchemaStep> = steps.iter().filter(|step| step.to > found).collect();
    let Some(last) = due.last() else { return Ok(()) };
    let under_way = Key::Meta(UNDER_WAY_KEY.to_owned());
    // The copy from before an interrupted change is the one worth having.
    if !disk.view().has(&under_way)? {
        backup::before_change(disk, found)?;
        let mut batch = disk.batch();
        batch.put(&under_way, version_text(found).as_bytes());
        batch.commit(true)?;
    }
    for step in &due {
        tracing::info!(
            from = version_text(found),
            to = version_text(step.to),
            "the memory's schema changes: {}",
            step.what
        );
        (step.run)(disk)?;
        let mut batch = disk.batch();
        batch.put(&Key::Meta(SCHEMA_KEY.to_owned()), version_text(step.to).as_bytes());
        if step.to == last.to {
            batch.delete(&under_way);
        }
        // What the step wrote lies before it in the same log, so this puts both on the disk.
        batch.commit(true)?;
    }
    Ok(())
}
