//! What the finished tasks of this installation say of the controller's numbers: read from their journals, without a daemon.

use std::fmt::Write;
use std::path::Path;

use artoo_control::belief::Tables;
use artoo_control::calibrate::{Calibration, ENOUGH_ROUNDS, Estimate, Reader, Share};
use artoo_journal::JournalError;
use artoo_types::Message;
use artoo_types::setting::ControlParams;

/// What was read, and what it would change.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The report for a person.
    pub text: String,
    /// Settings with their new values.
    pub changes: Vec<(String, String)>,
}

/// What was read of all journals.
struct Evidence {
    tasks: u64,
    /// Journals that cannot be read whole, and tasks that have not ended.
    passed_over: u64,
    calibration: Calibration,
}

/// Reads the journals in `folder` and holds what they say against the settings in force. It writes nothing.
///
/// # Errors
/// When the folder cannot be listed. Journals that cannot be read are counted and passed over.
pub fn propose(folder: &Path, control: &ControlParams) -> Result<Proposal, JournalError> {
    let read = read(folder, Tables::edition(control.steering.tables))?;
    let changes = if read.calibration.is_enough() { changes(&read.calibration, control) } else { Vec::new() };
    let mut text = head(&read);
    text.push_str(&numbers(&read.calibration, control));
    text.push_str(&shares("E, what attempts showed", &read.calibration.evidence));
    text.push_str(&shares("M, what mended a step", &read.calibration.moves));
    Ok(Proposal { text, changes })
}

fn read(folder: &Path, tables: &Tables) -> Result<Evidence, JournalError> {
    let (mut stories, mut rounds, mut tasks, mut passed_over) = (Vec::new(), 0, 0, 0);
    for id in artoo_journal::task_ids(folder)? {
        match of_task(&artoo_journal::task_path(folder, id)) {
            Ok(Some((told, of_it))) => {
                stories.extend(told);
                rounds += of_it;
                tasks += 1;
            }
            Ok(None) | Err(_) => passed_over += 1,
        }
    }
    Ok(Evidence { tasks, passed_over, calibration: Calibration::of(&stories, rounds, tables) })
}

type Stories = (Vec<artoo_control::calibrate::Story>, u64);

/// What one task tells, once it has ended.
fn of_task(journal: &Path) -> Result<Option<Stories>, JournalError> {
    let (mut records, mut reader, mut has_ended) =
        (artoo_journal::read(journal, 0)?, Reader::default(), false);
    while let Some(record) = records.next_record()? {
        for envelope in &record.envelopes {
            reader.take(&envelope.payload);
            has_ended |= matches!(envelope.payload, Message::FinalResult(_));
        }
    }
    Ok(has_ended.then(|| reader.finish()))
}

/// A number as it is written into config.toml.
fn figure(number: f64) -> String {
    format!("{}", (number * 100.0).round() / 100.0)
}

/// The settings whose value is not credible here.
fn changes(calibration: &Calibration, control: &ControlParams) -> Vec<(String, String)> {
    let of = [
        ("control.trust", control.steering.trust, &calibration.trust),
        ("control.rho", control.rho, &calibration.rho),
    ];
    let differs = of.into_iter().filter(|(_, now, seen)| !seen.holds(*now));
    differs.map(|(key, _, seen)| (key.to_owned(), figure(seen.value))).collect()
}

fn head(read: &Evidence) -> String {
    let Evidence { tasks, passed_over, calibration } = read;
    let mut text =
        format!("{tasks} ended tasks, {} failed rounds of steps that were planned anew", calibration.rounds);
    if *passed_over > 0 {
        let _ = write!(text, "; {passed_over} journals are passed over: not ended, or not readable");
    }
    text.push_str(".\n");
    if !calibration.is_enough() {
        let _ = writeln!(text, "Below {ENOUGH_ROUNDS} rounds nothing is changed: the defaults stay.");
    }
    text
}

fn interval(seen: &Estimate) -> String {
    format!("{:.2} (nine chances of ten: {:.2} to {:.2})", seen.value, seen.low, seen.high)
}

fn numbers(calibration: &Calibration, control: &ControlParams) -> String {
    let mut text = String::from("\nNumbers, with what is in force:\n");
    let mut row = |name: &str, now: f64, seen: &Estimate, note: &str| {
        let _ = writeln!(text, "  {name:<16} {now:.2}   here {}{note}", interval(seen));
    };
    row("control.trust", control.steering.trust, &calibration.trust, "");
    row("control.rho", control.rho, &calibration.rho, "");
    for (kind, (rounds, seen)) in &calibration.rho_of {
        row(&format!("  of {kind}"), control.rho, seen, &format!(", {rounds} rounds"));
    }
    if let Some(skill) = &calibration.skill {
        row("control.skill", control.steering.skill, skill, "; reads low, so it is told and never set");
    }
    text
}

/// The shares that are not what is built in.
fn shares(title: &str, all: &[Share]) -> String {
    let mut text = format!("\n{title}: ");
    let differing: Vec<&Share> = all.iter().filter(|share| share.differs()).collect();
    let _ = writeln!(text, "{} of {} shares are not those that are built in.", differing.len(), all.len());
    for share in differing {
        let _ = writeln!(
            text,
            "  {:<60} {:.2}   here {}, {:.0} steps",
            share.of,
            share.built_in,
            interval(&share.seen),
            share.steps
        );
    }
    text
}

#[cfg(test)]
mod tests;
