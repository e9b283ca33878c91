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
        Bus::new(Some(TaskId(Uuid::nil())), 7).publish(Timestamp(0), 0, Role::User, Role::Solver, message())
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
