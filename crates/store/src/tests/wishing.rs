use artoo_types::memory::Relatedness;
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{START, Store, after, copy_of, megram, rule, tool_tag};
use crate::WriteOutcome;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

#[test]
fn many_are_forgotten_at_once_and_the_sums_are_of_what_is_left() {
    let mut store = Store::new();
    let (one, other) = (tool_tag("/one"), tool_tag("/other"));
    // More than one batch, over two tags.
    for number in 1..=1_200 {
        store.write(&megram(number, if number % 3 == 0 { &other } else { &one }));
    }
    store.remember(&rule(2_000, &one, 1.0));
    let doomed: Vec<Uuid> = (2..=1_200).chain([2_000, 9_999]).map(id).collect();
    assert_eq!(store.forget(after(1.0), &doomed), 1_200);
    let left = store.verified();
    assert_eq!((left.megrams, left.clusters), (1, 1));
    assert_eq!(store.forget(after(1.0), &doomed), 0, "nothing is left of them");
    for buried in [2, 2_000, 9_999] {
        assert!(store.reader.is_buried(id(buried)).expect("it reads"));
    }
    let back = store.writer.remember(after(2.0), &megram(9_999, &one)).expect("it is looked at");
    assert_eq!(back, WriteOutcome::Buried);
    let store = store.reopened();
    assert_eq!(store.verified().megrams, 1);
}

#[test]
fn requests_stay_apart_over_a_crash_until_that_is_undone() {
    let mut store = Store::new();
    let (asked, known) = ("Show the biggest files", "Find the largest files");
    let mut taught = megram(1, &Tag::intent(known));
    taught.about = known.to_owned();
    store.write(&taught);
    let relation = |store: &Store| {
        let found = store.reader.requests_like(asked).expect("it reads");
        found.first().map(|recalled| recalled.via.relation)
    };
    assert_eq!(relation(&store), Some(Relatedness::Alias));
    assert!(store.writer.separate(START, asked, known).expect("they are apart"));
    assert!(!store.writer.separate(START, known, asked).expect("they were"), "the order does not matter");
    assert_eq!(relation(&store), None);
    let mut store = Store::at(copy_of(store.folder.path()));
    assert_eq!(relation(&store), None);
    assert_eq!(store.reader.separations(9).expect("it reads")[0].requests, [asked, known]);
    assert!(store.writer.rejoin(START, asked, known).expect("it is undone"));
    assert!(!store.writer.rejoin(START, asked, known).expect("nothing is left to undo"));
    assert_eq!(relation(&store), Some(Relatedness::Alias));
    assert!(!store.reader.are_separate(asked, known).expect("it reads"));
    store.verified();
}

#[test]
fn the_mark_of_the_wishes_and_the_recall_of_what_came_from_a_file_stay() {
    let mut store = Store::new();
    assert_eq!(store.writer.carried_out().expect("it reads"), 0);
    store.writer.set_carried_out(7).expect("it is written");
    let mut recalled = megram(1, &tool_tag("/x"));
    recalled.last_recalled_at = Some(START);
    store.writer.remember(after(1.0), &recalled).expect("it is remembered");
    store.writer.flush().expect("it reaches the disk");
    let store = store.reopened();
    assert_eq!(store.writer.carried_out().expect("it reads"), 7);
    assert_eq!(store.reader.get(id(1)).expect("it reads"), Some(recalled));
}

#[test]
fn a_memory_is_found_by_the_beginning_of_its_id() {
    let mut store = Store::new();
    for number in [0x0197_u128 << 112, (0x0197 << 112) + 1, 0x0198 << 112] {
        store.write(&megram(number, &tool_tag("/x")));
    }
    let found = |start: &str| store.reader.ids_starting(start, 2).expect("it reads").len();
    assert_eq!([found("0197"), found("0198"), found("0199"), found("")], [2, 1, 0, 2]);
}
