//! Values and files that the tests of this crate share.

use std::path::Path;

use artoo_types::envelope::Role;
use artoo_types::machine::{StepRecord, TaskEffect, TaskInput};
use artoo_types::operator::Lagged;
use artoo_types::{Envelope, TaskId, Timestamp};
use uuid::Uuid;

use crate::{CrashPoint, TaskJournal, task_path};

pub(crate) fn task() -> TaskId {
    TaskId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001))
}

pub(crate) fn envelope(sequence: u64, task_id: Option<TaskId>) -> Envelope {
    Envelope {
        id: Uuid::from_u128(u128::from(sequence)),
        sequence,
        task_id,
        round: 0,
        time: Timestamp(1_000 + i64::try_from(sequence).expect("small")),
        from: Role::Runtime,
        to: Role::User,
        refused: false,
        payload: Lagged { from: 1, to: sequence }.into(),
    }
}

/// A step with two envelopes, so that step `n` carries the sequences `2n - 1` and `2n`.
pub(crate) fn step(seq: u64) -> StepRecord {
    StepRecord {
        seq,
        at: Timestamp(1_700_000_000_000),
        input: TaskInput::Clarified { answer: format!("\"größer\"\n答案 {seq}") },
        envelopes: vec![envelope(2 * seq - 1, Some(task())), envelope(2 * seq, Some(task()))],
        effects: vec![TaskEffect::StopAll],
    }
}

/// Writes the journal of [`task`] with this many steps and returns its bytes.
pub(crate) fn written(folder: &Path, steps: u64) -> Vec<u8> {
    let mut journal = TaskJournal::create(folder, task(), CrashPoint::never()).expect("a new journal");
    for seq in 1..=steps {
        journal.append(&step(seq)).expect("room");
    }
    journal.sync().expect("a disk");
    std::fs::read(task_path(folder, task())).expect("the journal")
}

/// Start of each line.
pub(crate) fn starts(bytes: &[u8]) -> Vec<usize> {
    let after = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
    std::iter::once(0).chain(after).filter(|i| *i < bytes.len()).collect()
}
