//! Folding a task's journal again, for a person who wants to know whether it is what it says.
//!
//! Offline by construction: a replay holds the journal of one task and a machine, no model, no tool and no memory.

use std::collections::BTreeMap;
use std::path::Path;

use artoo_journal::line::LineHash;
use artoo_journal::{EndRecord, JournalError};
use artoo_task::replay::{BUILD, Replay, ReplayDifference, ReplayReport};
use artoo_types::TaskId;
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::setting::ControlParams;

use super::error::TaskError;
use super::registry::Tasks;
use artoo_config::changed_control;

/// What a replay found.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// The comparison.
    pub seen: ReplayReport,
    /// What limits it, one sentence each.
    pub remarks: Vec<String>,
}

/// Why a task cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// There is no such task.
    #[error("there is no task {0}; `artoo tasks` lists them")]
    Unknown(TaskId),
    /// A setting of the controller is none.
    #[error("{0}")]
    Control(String),
    /// The journal cannot be read, or a line of it is damaged.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal is not there; this says what is left of the task.
    #[error(transparent)]
    Gone(TaskError),
    /// It was told to stop.
    #[error("the replay was stopped after {0} steps, all of them the same so far")]
    Stopped(u64),
}

/// Folds the journal of a task again, with these settings of the controller in the place of the recorded ones if
/// there are any. The journal is read line by line. It waits for the disk, and asks `stop` after each step.
///
/// # Errors
/// See [`ReplayError`]. A difference is no error.
pub fn replay(
    tasks: &Tasks,
    task_id: TaskId,
    control: &BTreeMap<String, String>,
    stop: impl Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    // Asked before reading, so that a task that ends meanwhile counts as still at work; and in this order, because
    // the index hears of an end a moment before the actor is gone.
    let at_work = tasks.is_running(task_id);
    let archive = &tasks.inner.archive;
    let known = archive.find(task_id).ok_or(ReplayError::Unknown(task_id))?;
    let ended = known.ended.map_or(TaskStage::Open, TaskStage::Ended);
    let stage = if at_work { TaskStage::AtWork } else { ended };
    match of_journal(&archive.journal(task_id), task_id, stage, control, stop) {
        Err(ReplayError::Journal(JournalError::Missing { path })) => {
            let gone = || ReplayError::Journal(JournalError::Missing { path });
            Err(archive.read_view(known).err().map_or_else(gone, |task| ReplayError::Gone(task.into())))
        }
        replayed => replayed,
    }
}

/// Where a task stands, as the index knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TaskStage {
    /// Its actor lives, and writes its journal.
    AtWork,
    /// It has ended like this.
    Ended(EndRecord),
    /// Nobody works on it, and it is not known to have ended.
    Open,
}

/// The same from the journal alone: there is nothing else here that it could use.
fn of_journal(
    journal: &Path,
    task_id: TaskId,
    stage: TaskStage,
    control: &BTreeMap<String, String>,
    stop: impl Fn() -> bool,
) -> Result<Replayed, ReplayError> {
    let mut reader = artoo_journal::read(journal, 0)?;
    let mut next = reader.next_record()?;
    let mut replay = match changed(next.as_ref(), control).map_err(ReplayError::Control)? {
        Some(params) => Replay::with_control(task_id, params),
        None => Replay::new(task_id),
    };
    while let Some(record) = next {
        if !replay.take(record) {
            break;
        }
        if stop() {
            return Err(ReplayError::Stopped(replay.seen().steps));
        }
        next = reader.next_record()?;
    }
    let mut seen = replay.seen().clone();
    if seen.difference.is_none() && stage != TaskStage::AtWork {
        reader.check_end()?;
        seen.difference = cut_short(&seen, stage).or_else(|| another_journal(&seen, stage, reader.head()));
    }
    let remarks = remarks(&seen, stage, control);
    Ok(Replayed { seen, remarks })
}

/// The recorded parameters with these settings in their place; none when nothing is to change.
fn changed(
    first: Option<&StepRecord>,
    control: &BTreeMap<String, String>,
) -> Result<Option<ControlParams>, String> {
    let recorded = match first.map(|record| &record.input) {
        Some(TaskInput::Submitted { setting, .. }) => setting.control,
        // Without a submission nothing is decided at all; the settings are checked all the same.
        Some(_) | None => ControlParams::default(),
    };
    let settings = control.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let params = changed_control(recorded, settings).map_err(|error| error.to_string())?;
    Ok((!control.is_empty()).then_some(params))
}

/// A journal without the end that its task is known to have had.
fn cut_short(seen: &ReplayReport, stage: TaskStage) -> Option<ReplayDifference> {
    let TaskStage::Ended(ended) = stage else { return None };
    if seen.is_finished {
        return None;
    }
    let end = format!("the end of the task: {} ({})", word(ended.directive), ended.reason.as_str());
    Some(ReplayDifference::of_end(seen.steps + 1, "nothing", &end))
}

/// A journal that is whole and folds the same, but is not the one that its task ended with: something was changed that
/// no decision depends on, and every line after it was sealed anew.
fn another_journal(
    seen: &ReplayReport,
    stage: TaskStage,
    head: Option<LineHash>,
) -> Option<ReplayDifference> {
    let TaskStage::Ended(EndRecord { head: Some(noted), .. }) = stage else { return None };
    let head = head.filter(|head| *head != noted)?;
    let about = "the hash of the last line, which was noted when the task ended: a field that no decision depends on \
                 was changed afterwards, in a line that cannot be told";
    Some(ReplayDifference {
        about: about.to_owned(),
        ..ReplayDifference::of_end(seen.steps, &head.to_string(), &noted.to_string())
    })
}

fn word(ending: artoo_types::control::Ending) -> &'static str {
    artoo_types::control::MacroState::from(ending).as_str()
}

fn remarks(seen: &ReplayReport, stage: TaskStage, control: &BTreeMap<String, String>) -> Vec<String> {
    let mut remarks = Vec::new();
    if seen.difference.is_none() && !seen.is_finished {
        let state = if stage == TaskStage::AtWork { "is still at work" } else { "has no end" };
        remarks.push(format!("The task {state}; what it has done so far was compared."));
    }
    if !control.is_empty() {
        remarks.push("With other settings only the controller's decisions are compared.".to_owned());
        if seen.difference.is_some() {
            remarks.push("It holds up to there: what would have followed, nobody has tried.".to_owned());
        }
        if control.keys().any(|key| key.ends_with("time_budget_ms")) {
            remarks.push("The hard deadline is as it was recorded.".to_owned());
        }
    } else if !seen.other_builds.is_empty() {
        let name =
            |build: &String| if build.is_empty() { "an unnamed build".to_owned() } else { build.clone() };
        let builds: Vec<String> = seen.other_builds.iter().map(name).collect();
        remarks.push(format!(
            "Recorded by {} and replayed by {BUILD}: the words of prompts were not compared ({} read differently now).",
            builds.join(", "),
            seen.other_prompts
        ));
    }
    remarks
}

#[cfg(test)]
mod tests;
