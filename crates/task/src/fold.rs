//! The fold: a task's machine from the inputs that its journal kept.

use artoo_types::TaskId;
use artoo_types::machine::{StepOutput, StepRecord};

use crate::TaskMachine;

/// The first step at which the machine did something else than the journal says.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Ordinal of the step.
    pub seq: u64,
    /// What the journal says.
    pub recorded: StepOutput,
    /// What the machine does now.
    pub folded: StepOutput,
}

/// The machine after these steps, and the first difference if there is one. After a difference the folding stops: what
/// comes later answers to effects that this machine never wanted.
pub fn fold(
    task_id: TaskId,
    records: impl IntoIterator<Item = StepRecord>,
) -> (TaskMachine, Option<Box<Difference>>) {
    let mut machine = TaskMachine::new(task_id);
    for record in records {
        let folded = machine.step(record.at, record.input);
        let recorded = StepOutput { envelopes: record.envelopes, effects: record.effects };
        if folded != recorded {
            return (machine, Some(Box::new(Difference { seq: record.seq, recorded, folded })));
        }
    }
    (machine, None)
}

impl TaskMachine {
    /// Continues the numbering after `last_sequence`: for a task whose journal folds differently now, so that its end
    /// still follows the envelopes that were seen.
    pub fn number_from(&mut self, last_sequence: u64) {
        self.bus = artoo_bus::Bus::new(Some(self.task_id), last_sequence + 1);
    }
}
