use artoo_types::TaskId;
use artoo_types::memory::{Level, Megram, MemoryQuery, state};
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{DAY, START, Store};
use crate::WriteOutcome;

fn tag() -> Tag {
    Tag::practice("/w", "make check")
}

/// What task `task` teaches about the command.
fn practice(task: u128, sigma: f64) -> Megram {
    Megram {
        tag: tag(),
        task_id: Some(TaskId(Uuid::from_u128(task))),
        state: state::PRACTICE.to_owned(),
        content: "make check".to_owned(),
        about: "run the tests".to_owned(),
        f: 0.3,
        sigma,
        created_at: START.plus_ms(task as u64 * 1_000),
        ..super::megram(0x5000 + task, &tag())
    }
}

/// What is known of the folder.
fn known(store: &Store) -> Vec<(String, usize)> {
    let query = MemoryQuery { tags: vec![Tag::folder("/w")], tool_clusters: 0, intent: String::new() };
    let reply = store.reader.answer(START.plus_ms(DAY), &query);
    let told = |megram: Megram| {
        assert_eq!((megram.level, megram.state.as_str()), (Level::K, state::SHARED));
        (megram.content, megram.parents.len())
    };
    reply.entries.into_iter().flat_map(|entry| entry.top).map(told).collect()
}

/// How many changes one look makes.
fn look(store: &mut Store) -> usize {
    store.maintenance.tick(START.plus_ms(DAY)).expect("it looks").shared.len()
}

#[test]
fn what_three_tasks_share_is_known_of_their_folder_once_and_after_every_restart() {
    let mut store = Store::new();
    for task in 1..=2 {
        store.write(&practice(task, 1.0));
    }
    assert_eq!((look(&mut store), known(&store)), (0, vec![]));
    store.write(&practice(3, 1.0));
    assert_eq!(look(&mut store), 1);
    let words = "`make check` did its work in this folder in 3 accepted tasks (run the tests)";
    assert_eq!(known(&store), [(words.to_owned(), 3)]);
    assert_eq!(look(&mut store), 0, "nothing is written twice");
    let mut store = store.reopened();
    // A restart brings in again what its journals hold.
    let again = store.writer.write(START.plus_ms(DAY), &practice(3, 1.0)).expect("it is known");
    assert_eq!(again, WriteOutcome::Known);
    assert_eq!((look(&mut store), known(&store).len()), (0, 1));
    store.write(&practice(4, 1.0));
    assert_eq!((look(&mut store), known(&store)[0].1), (1, 4));
    store.verified();
}

#[test]
fn what_a_later_task_speaks_against_is_taken_back_and_what_is_forgotten_stays_away() {
    let mut store = Store::new();
    (1..=3).for_each(|task| store.write(&practice(task, 1.0)));
    look(&mut store);
    store.write(&practice(4, -1.0));
    assert_eq!((look(&mut store), known(&store)), (1, vec![]));
    (5..=7).for_each(|task| store.write(&practice(task, 1.0)));
    assert_eq!((look(&mut store), known(&store).len()), (1, 1));
    assert_eq!(store.forget_tag(START.plus_ms(DAY), &Tag::folder("/w")), 1);
    store.write(&practice(8, 1.0));
    assert_eq!((look(&mut store), known(&store)), (0, vec![]));
}

#[test]
fn knowledge_fades_and_does_not_come_back_by_itself() {
    let mut store = Store::new();
    (1..=3).for_each(|task| store.write(&practice(task, 1.0)));
    look(&mut store);
    let later = START.plus_ms(38 * DAY);
    let report = store.maintenance.tick(later).expect("it looks");
    assert!(report.forgotten.iter().any(|gone| gone.tag == Tag::folder("/w")), "{report:?}");
    assert_eq!((report.shared, store.maintenance.tick(later).expect("it looks").shared), (vec![], vec![]));
}
