//! The memory's copies, as the person at the machine sees them: `artoo-daemon memory backups` and `restore`.

use std::fmt::Write;

use anyhow::Context;
use artoo_store::{Backup, Verification};

use artoo_config::folder::Places;
use artoo_runtime::clock;

/// A line for each copy, newest first, that says whether it is whole.
///
/// # Errors
/// When the copies cannot be listed.
pub fn list(places: &Places) -> anyhow::Result<String> {
    let found = artoo_store::backups(&places.memory())?;
    if found.is_empty() {
        return Ok(format!(
            "{} has no copies yet; one is made on each day on which it changes.\n",
            places.memory().display()
        ));
    }
    let mut text = String::new();
    for backup in found {
        let state = match backup.verify() {
            Ok(report) if report.total_findings == 0 => format!("whole, {} memories", report.megrams),
            Ok(Verification { total_findings, .. }) => format!("not whole: {total_findings} faults"),
            Err(error) => format!("cannot be read: {error}"),
        };
        writeln!(text, "{}  {state}", backup.occasion.name())?;
    }
    Ok(text)
}

/// Puts the copy of this name, or the newest one that is whole, in the place of the memory, and says what it did. The
/// caller sees to it that no daemon runs.
///
/// # Errors
/// When there is no such copy, when it is not whole, or when a file cannot be written.
pub fn restore(places: &Places, name: Option<&str>) -> anyhow::Result<String> {
    let memory = places.memory();
    let found = artoo_store::backups(&memory)?;
    let is_whole = |backup: &&Backup| backup.verify().is_ok_and(|report| report.total_findings == 0);
    let chosen = match name {
        Some(name) => found.iter().find(|backup| backup.occasion.name() == name).with_context(|| {
            format!("there is no copy {name}; `artoo-daemon memory backups` lists those there are")
        })?,
        None => found.iter().find(is_whole).with_context(|| {
            format!(
                "{} has no copy that is whole; move it away and start again with an empty memory",
                memory.display()
            )
        })?,
    };
    let aside = artoo_store::restore(&memory, chosen, clock::now())?;
    let mut text = format!(
        "The memory is now that of {}. What tasks learned since then comes back from their journals when artoo is used \
         next.\n",
        chosen.occasion.name()
    );
    if let Some(aside) = aside {
        writeln!(
            text,
            "The memory as it was lies in {}; delete it when you do not need it.",
            aside.display()
        )?;
    }
    Ok(text)
}
