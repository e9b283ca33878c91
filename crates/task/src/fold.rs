//! The fold: a task's machine from the inputs that its journal kept.

use artoo_types::TaskId;
use artoo_types::machine::StepRecord;

use crate::TaskMachine;
use crate::replay::{Replay, ReplayDifference};

/// The machine after these steps, and the first difference if there is one; prompts of another build may read
/// differently. After a difference the folding stops: what comes later answers to effects that this machine never
/// wanted.
pub fn fold(
    task_id: TaskId,
    records: impl IntoIterator<Item = StepRecord>,
) -> (TaskMachine, Option<ReplayDifference>) {
    let mut replay = Replay::new(task_id);
    for record in records {
        if !replay.take(record) {
            break;
        }
    }
    let difference = replay.seen().difference.clone();
    (replay.into_machine(), difference)
}
