//! The bus: sequence numbers, the contract check, who receives what, and taps that drop and count.
//!
//! It never waits, never loses a message to an inbox, and holds no thread: it is a plain structure that the machine of
//! one task (or the daemon, for what belongs to no task) calls. Start with [`Bus::publish`].

mod tap;

pub use tap::{Delivery, Tap};

use artoo_types::contract;
use artoo_types::envelope::Role;
use artoo_types::{Envelope, Message, TaskId, Timestamp};
use uuid::Uuid;

/// Numbers the envelopes of one task, or of everything that belongs to no task, and says who receives them.
#[derive(Debug, Clone)]
pub struct Bus {
    task_id: Option<TaskId>,
    next: u64,
}

/// An envelope as it was published.
#[derive(Debug, Clone, PartialEq)]
pub struct Posted {
    /// The envelope; `refused` is set when the contract does not allow it.
    pub envelope: Envelope,
    /// Who receives it: nobody when it was refused.
    pub receivers: Vec<Role>,
}

impl Bus {
    /// A bus whose next envelope has the sequence `next` (1 for a new task).
    pub fn new(task_id: Option<TaskId>, next: u64) -> Self {
        Self { task_id, next }
    }

    /// The sequence of the next envelope.
    pub fn next_sequence(&self) -> u64 {
        self.next
    }

    /// Numbers the message and finds its receivers in the contract table. A pair that is not in the table is refused: the
    /// envelope keeps its number, so that the gapless sequence shows it, and is delivered to nobody.
    pub fn publish(&mut self, now: Timestamp, round: u32, from: Role, to: Role, payload: Message) -> Posted {
        let sequence = self.next;
        self.next += 1;
        let receivers = match contract::allows(payload.kind(), from, to) {
            Some(row) => std::iter::once(row.to).chain(row.copies.iter().copied()).collect(),
            None => Vec::new(),
        };
        let envelope = Envelope {
            id: self.envelope_id(sequence),
            sequence,
            task_id: self.task_id,
            round,
            time: now,
            from,
            to,
            refused: receivers.is_empty(),
            payload,
        };
        Posted { envelope, receivers }
    }

    fn envelope_id(&self, sequence: u64) -> Uuid {
        match self.task_id {
            Some(task) => task.envelope_id(sequence),
            None => Uuid::new_v5(&Uuid::nil(), format!("system envelope:{sequence}").as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::envelope::Role;
    use artoo_types::task::{StopCause, TaskCancelled};
    use artoo_types::{Message, TaskId, Timestamp};
    use uuid::Uuid;

    use crate::{Bus, Delivery, Tap};

    fn message() -> Message {
        TaskCancelled { cause: StopCause::Cancelled, detail: String::new() }.into()
    }

    #[test]
    fn an_allowed_message_reaches_its_receivers_and_is_numbered_without_a_gap() {
        let mut bus = Bus::new(Some(TaskId(Uuid::nil())), 1);
        let a = bus.publish(Timestamp(5), 2, Role::User, Role::Solver, message());
        let b = bus.publish(Timestamp(6), 2, Role::Runtime, Role::Solver, message());
        assert_eq!((a.envelope.sequence, b.envelope.sequence), (1, 2));
        assert_eq!(a.receivers, [Role::Solver]);
        assert!(!a.envelope.refused);
        assert_ne!(a.envelope.id, b.envelope.id);
    }

    #[test]
    fn a_message_outside_the_contract_is_kept_but_delivered_to_nobody() {
        let mut bus = Bus::new(Some(TaskId(Uuid::nil())), 1);
        let posted = bus.publish(Timestamp(0), 0, Role::Executor, Role::Solver, message());
        assert!(posted.envelope.refused);
        assert!(posted.receivers.is_empty());
        assert_eq!(bus.next_sequence(), 2, "the refused envelope keeps its number");
    }

    #[test]
    fn the_same_history_makes_the_same_ids() {
        let publish = || {
            Bus::new(Some(TaskId(Uuid::nil())), 7).publish(
                Timestamp(0),
                0,
                Role::User,
                Role::Solver,
                message(),
            )
        };
        assert_eq!(publish(), publish());
    }

    #[test]
    fn a_full_tap_drops_the_newest_and_says_which() {
        let mut tap = Tap::new(2);
        let kept: Vec<bool> = (1..=5).map(|i| tap.offer(i)).collect();
        assert_eq!(kept, [true, true, false, false, false]);
        assert_eq!(tap.take(), Some(Delivery::Item(1)));
        assert!(tap.offer(6));
        assert_eq!(tap.take(), Some(Delivery::Item(2)));
        assert_eq!(tap.take(), Some(Delivery::Lagged { from: 3, to: 5 }));
        assert_eq!(tap.take(), Some(Delivery::Item(6)));
        assert_eq!(tap.take(), None);
        assert_eq!(tap.dropped(), 3);
    }
}
