//! Requests in other words.

use artoo_types::memory::{Megram, MemoryEntry, MemoryQuery, Relatedness};
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{START, Store, after, megram, rule};

/// What an accepted task teaches about a request.
fn learned(number: u128, request: &str) -> Megram {
    Megram { about: request.to_owned(), ..megram(number, &Tag::intent(request)) }
}

fn answer(store: &Store, request: &str) -> Vec<MemoryEntry> {
    let query = MemoryQuery {
        tags: vec![Tag::intent(request), Tag::user()],
        tool_clusters: 0,
        intent: request.to_owned(),
    };
    let reply = store.reader.answer(after(1.0), &query);
    assert_eq!(reply.unavailable, None);
    reply.entries
}

/// The relations of the entries: none for an exact tag.
fn relations(store: &Store, request: &str) -> Vec<Option<Relatedness>> {
    answer(store, request).iter().map(|entry| entry.via.as_ref().map(|via| via.relation)).collect()
}

#[test]
fn the_same_task_in_other_words_is_recalled_and_says_why() {
    let mut store = Store::new();
    store.write(&learned(1, "Show the ten largest files in Downloads"));
    store.remember(&rule(2, &Tag::intent("Show the ten largest files in Downloads"), -1.0));
    let check = |store: &Store| {
        let entries = answer(store, "Find the 10 biggest files in my Downloads folder");
        let [entry] = entries.as_slice() else { panic!("{entries:#?}") };
        let via = entry.via.as_ref().expect("it is not the exact tag");
        assert_eq!(
            (via.relation, via.request.as_str()),
            (Relatedness::Alias, "Show the ten largest files in Downloads")
        );
        assert!(!entry.is_hint() && via.similarity >= 0.5 && !via.why.is_empty());
        assert_eq!((entry.sops.len(), entry.top.len()), (1, 1));
    };
    check(&store);
    // What is known was read before; what is written now is found as well.
    store.write(&learned(3, "列出下载目录里最大的文件"));
    assert_eq!(relations(&store, "显示下载文件夹中最大的文件"), [Some(Relatedness::Alias)]);
    check(&store.reopened());
}

#[test]
fn near_misses_are_not_recalled() {
    let mut store = Store::new();
    store.write(&learned(1, "Show the ten largest files in Downloads"));
    for other in [
        "Find the ten smallest files in Downloads",
        "Find the ten largest files in Documents",
        "Delete the ten largest files in Downloads",
    ] {
        assert_eq!(relations(&store, other), [], "{other}");
    }
    assert_eq!(relations(&store, "Find the largest files in Downloads"), [Some(Relatedness::Hint)]);
}

#[test]
fn another_task_under_the_same_tag_is_a_hint() {
    let mut store = Store::new();
    store.write(&learned(1, "Find largest files in Downloads"));
    assert_eq!(relations(&store, "Find largest files in Documents"), [Some(Relatedness::Hint)]);
    assert_eq!(relations(&store, "Find largest files in Downloads"), [None]);
    // Memories of an older daemon do not name their request: the tag is all there is.
    store.write(&megram(2, &Tag::intent("list all logs")));
    assert_eq!(relations(&store, "list all logs by size"), [None]);
}

#[test]
fn what_was_forgotten_is_not_named_any_more() {
    let mut store = Store::new();
    store.write(&learned(1, "Show the largest files"));
    let named = |store: &Store| store.reader.requests_like("Find the biggest files").expect("it reads").len();
    assert_eq!(named(&store), 1);
    store.forget(START, &[Uuid::from_u128(1)]);
    assert_eq!(named(&store), 0);
    store.write(&learned(2, "Show the largest files"));
    assert_eq!(named(&store), 1);
    store.forget_tag(START, &Tag::intent("Show the largest files"));
    assert_eq!(named(&store), 0);
}

#[test]
fn what_was_declared_last_comes_first() {
    let mut store = Store::new();
    for (number, age) in [(1, 0.1), (2, 0.3), (3, 0.2)] {
        store.remember(&Megram { created_at: after(age), ..rule(number, &Tag::user(), 1.0) });
    }
    let entries = answer(&store, "anything");
    let said: Vec<Uuid> = entries[0].sops.iter().map(|sop| sop.id).collect();
    assert_eq!(said, [2, 3, 1].map(Uuid::from_u128));
}
