//! The record of a step, and what of its envelopes follows from the step and the task: a journal leaves that out.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use super::{TaskEffect, TaskInput};
use crate::envelope::{Message, Role};
use crate::{Envelope, TaskId, Timestamp};

/// One line of a task's journal: one step of its machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "RecordedStep")]
pub struct StepRecord {
    /// Ordinal of the step, from 1.
    pub seq: u64,
    /// The clock reading that the step was given.
    pub at: Timestamp,
    /// What came in.
    pub input: TaskInput,
    /// What was published.
    pub envelopes: Vec<Envelope>,
    /// What was wanted.
    pub effects: Vec<TaskEffect>,
}

/// A [`StepRecord`] whose parts are borrowed, as the writer of a journal has it. Envelopes are written without ids that follow from
/// the task and their sequence, and without times that are the step's own; a reader puts both in.
#[derive(Debug, Clone, Copy)]
pub struct StepRecordRef<'a> {
    /// See [`StepRecord::seq`].
    pub seq: u64,
    /// See [`StepRecord::at`].
    pub at: Timestamp,
    /// See [`StepRecord::input`].
    pub input: &'a TaskInput,
    /// See [`StepRecord::envelopes`].
    pub envelopes: &'a [Envelope],
    /// See [`StepRecord::effects`].
    pub effects: &'a [TaskEffect],
}

/// What a record says of its envelopes; the rest of it is passed over.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "RecordedEnvelopes")]
pub struct StepEnvelopes {
    /// See [`StepRecord::envelopes`].
    pub envelopes: Vec<Envelope>,
}

impl<'a> From<&'a StepRecord> for StepRecordRef<'a> {
    fn from(record: &'a StepRecord) -> Self {
        Self {
            seq: record.seq,
            at: record.at,
            input: &record.input,
            envelopes: &record.envelopes,
            effects: &record.effects,
        }
    }
}

impl Serialize for StepRecordRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { seq, at, input, envelopes, effects } = self;
        let envelopes: Vec<WrittenEnvelope<'_>> =
            envelopes.iter().map(|envelope| WrittenEnvelope::of(envelope, *at)).collect();
        let mut record = serializer.serialize_struct("StepRecord", 5)?;
        record.serialize_field("seq", seq)?;
        record.serialize_field("at", at)?;
        record.serialize_field("input", input)?;
        record.serialize_field("envelopes", &envelopes)?;
        record.serialize_field("effects", effects)?;
        record.end()
    }
}

/// The id that the bus of a task gives the envelope with this sequence.
fn usual_id(task_id: Option<TaskId>, sequence: u64) -> Option<Uuid> {
    Some(task_id?.envelope_id(sequence))
}

/// An envelope as a journal holds it. The fields are those of [`Envelope`], in their order.
#[derive(Serialize)]
struct WrittenEnvelope<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
    sequence: u64,
    task_id: Option<TaskId>,
    round: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Timestamp>,
    from: Role,
    to: Role,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    refused: bool,
    payload: &'a Message,
}

impl<'a> WrittenEnvelope<'a> {
    fn of(envelope: &'a Envelope, at: Timestamp) -> Self {
        let Envelope { id, sequence, task_id, round, time, from, to, refused, payload } = envelope;
        Self {
            id: Some(*id).filter(|id| usual_id(*task_id, *sequence) != Some(*id)),
            sequence: *sequence,
            task_id: *task_id,
            round: *round,
            time: Some(*time).filter(|time| *time != at),
            from: *from,
            to: *to,
            refused: *refused,
            payload,
        }
    }
}

#[derive(Deserialize)]
struct RecordedStep {
    seq: u64,
    at: Timestamp,
    input: TaskInput,
    envelopes: Vec<RecordedEnvelope>,
    effects: Vec<TaskEffect>,
}

#[derive(Deserialize)]
struct RecordedEnvelopes {
    at: Timestamp,
    envelopes: Vec<RecordedEnvelope>,
}

/// An envelope as a journal holds it. Earlier builds wrote every id and time.
#[derive(Deserialize)]
struct RecordedEnvelope {
    #[serde(default)]
    id: Option<Uuid>,
    sequence: u64,
    task_id: Option<TaskId>,
    round: u32,
    #[serde(default)]
    time: Option<Timestamp>,
    from: Role,
    to: Role,
    #[serde(default)]
    refused: bool,
    payload: Message,
}

impl RecordedEnvelope {
    /// The envelope that was published at this time.
    fn published(self, at: Timestamp) -> Envelope {
        let Self { id, sequence, task_id, round, time, from, to, refused, payload } = self;
        Envelope {
            id: id.or_else(|| usual_id(task_id, sequence)).unwrap_or_default(),
            sequence,
            task_id,
            round,
            time: time.unwrap_or(at),
            from,
            to,
            refused,
            payload,
        }
    }
}

fn published(envelopes: Vec<RecordedEnvelope>, at: Timestamp) -> Vec<Envelope> {
    envelopes.into_iter().map(|envelope| envelope.published(at)).collect()
}

impl From<RecordedStep> for StepRecord {
    fn from(recorded: RecordedStep) -> Self {
        let RecordedStep { seq, at, input, envelopes, effects } = recorded;
        Self { seq, at, input, envelopes: published(envelopes, at), effects }
    }
}

impl From<RecordedEnvelopes> for StepEnvelopes {
    fn from(recorded: RecordedEnvelopes) -> Self {
        Self { envelopes: published(recorded.envelopes, recorded.at) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use uuid::Uuid;

    use super::{StepEnvelopes, StepRecord, StepRecordRef};
    use crate::envelope::Role;
    use crate::machine::TaskInput;
    use crate::operator::Lagged;
    use crate::{Envelope, TaskId, Timestamp};

    fn envelope(sequence: u64, id: Option<Uuid>, time: i64) -> Envelope {
        let task_id = TaskId(Uuid::from_u128(7));
        Envelope {
            id: id.unwrap_or_else(|| task_id.envelope_id(sequence)),
            sequence,
            task_id: Some(task_id),
            round: 0,
            time: Timestamp(time),
            from: Role::Runtime,
            to: Role::User,
            refused: sequence == 2,
            payload: Lagged { from: 1, to: 2 }.into(),
        }
    }

    #[test]
    fn what_follows_from_the_step_is_left_out_and_put_in_again() {
        let at = Timestamp(50);
        let other = Some(Uuid::from_u128(9));
        let envelopes = vec![envelope(1, None, 50), envelope(2, other, 50), envelope(3, None, 51)];
        let record = StepRecord { seq: 1, at, input: TaskInput::Wake, envelopes, effects: Vec::new() };
        let short = serde_json::to_value(StepRecordRef::from(&record)).expect("it has a JSON form");
        let has = |i: usize, field: &str| short["envelopes"][i].get(field).is_some();
        assert_eq!(
            [0, 1, 2].map(|i| (has(i, "id"), has(i, "time"))),
            [(false, false), (true, false), (false, true)]
        );
        let whole = serde_json::to_value(&record).expect("it has a JSON form");
        assert!(whole["envelopes"].as_array().is_some_and(|all| all.iter().all(|e| e["id"].is_string())));
        // Earlier builds wrote all of it.
        for form in [short, whole] {
            assert_eq!(serde_json::from_value::<StepRecord>(form.clone()).ok().as_ref(), Some(&record));
            let published: StepEnvelopes = serde_json::from_value(form).expect("a record");
            assert_eq!(published.envelopes, record.envelopes);
        }
    }

    #[test]
    fn a_record_without_its_clock_reading_is_none() {
        assert!(serde_json::from_value::<StepEnvelopes>(Value::Object([].into_iter().collect())).is_err());
    }
}
