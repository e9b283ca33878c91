use artoo_types::limits::MAX_MEMORY_ENTRIES;
use artoo_types::memory::{Level, Megram, MemoryQuery, MemoryReply};
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{START, Store, after, megram, rule, tool_tag};
use crate::{ListQuery, PageCursor, StoreError};

fn numbers(ids: impl IntoIterator<Item = Uuid>) -> Vec<u128> {
    ids.into_iter().map(|id| id.as_u128()).collect()
}

fn answer(store: &Store, tags: &[Tag], tool_clusters: usize) -> MemoryReply {
    let reply = store
        .reader
        .answer(after(1.0), &MemoryQuery { tags: tags.to_vec(), tool_clusters, intent: String::new() });
    assert_eq!(reply.unavailable, None);
    reply
}

#[test]
fn reading_a_rule_updates_when_it_was_recalled() {
    let mut store = Store::new();
    let tag = Tag::intent("find files");
    store.remember(&rule(1, &tag, -1.0));
    store.remember(&rule(2, &Tag::intent("find"), 1.0));
    let id = Uuid::from_u128(1);
    let recalled =
        |store: &Store| store.reader.get(id).expect("it reads").expect("it is there").last_recalled_at;
    assert_eq!(recalled(&store), None);
    let rules = store.reader.query_c(after(2.0), &tag).expect("it reads");
    assert_eq!(numbers(rules.iter().map(|rule| rule.id)), [1]);
    assert_eq!((rules[0].level, rules[0].sigma), (Level::C, -1.0));
    assert_eq!(recalled(&store), Some(after(2.0)));
    store.writer.flush().expect("it flushes");
    let store = store.reopened();
    assert_eq!(recalled(&store), Some(after(2.0)));
}

#[test]
fn an_answer_follows_the_tags_then_the_liveliest_tools_and_is_bounded() {
    let mut store = Store::new();
    let intent = Tag::intent("find files");
    store.write(&megram(1, &intent));
    store.remember(&rule(2, &Tag::user(), 1.0));
    for number in 0..20_u128 {
        for copy in 0..=number {
            store.write(&megram(1_000 + 100 * number + copy, &tool_tag(&format!("/{number}"))));
        }
    }
    let asked = [Tag::intent("unknown"), intent.clone(), intent.clone(), Tag::user(), tool_tag("/19")];
    let reply = answer(&store, &asked, 3);
    let tags: Vec<Tag> = reply.entries.iter().map(|entry| entry.tag.clone()).collect();
    let expected =
        [intent.clone(), Tag::user(), tool_tag("/19"), tool_tag("/18"), tool_tag("/17"), tool_tag("/16")];
    assert_eq!(tags, expected);
    assert_eq!(numbers(reply.entries[1].sops.iter().map(|rule| rule.id)), [2]);
    assert_eq!(answer(&store, &asked, 50).entries.len(), MAX_MEMORY_ENTRIES);
    assert_eq!(answer(&store, &asked, 0).entries.len(), 3);
    let many: Vec<Tag> = (0..20).map(|number| tool_tag(&format!("/{number}"))).collect();
    assert_eq!(answer(&store, &many, 5).entries.len(), MAX_MEMORY_ENTRIES);
}

#[test]
fn the_top_memories_are_the_heaviest_three() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    for (number, f) in [(1, 0.3), (2, 0.9), (3, 0.5), (4, 0.7)] {
        let mut one = megram(number, &tag);
        one.f = f;
        store.write(&one);
    }
    let top = |store: &Store| {
        let reply = answer(store, &[tool_tag("/tmp")], 0);
        numbers(reply.entries[0].top.iter().map(|megram| megram.id))
    };
    assert_eq!(top(&store), [2, 4, 3]);
    store.forget(after(1.0), &[Uuid::from_u128(2)]);
    assert_eq!(top(&store), [4, 3, 1]);
}

#[test]
fn a_raw_tag_has_no_memories() {
    let mut store = Store::new();
    store.write(&megram(1, &Tag::new("tool:a", "path:b")));
    let raw = Tag { space: "tool:a|path:b".to_owned(), entity: String::new() };
    assert_eq!(store.reader.query_mk(START, &raw).expect("it reads").attention, 0.0);
    assert!(store.reader.query_c(START, &raw).expect("it reads").is_empty());
    assert!(answer(&store, std::slice::from_ref(&raw), 0).entries.is_empty());
    assert!(matches!(store.reader.why(START, &raw, 3), Err(StoreError::Rejected(_))));
}

#[test]
fn pages_list_everything_once() {
    let mut store = Store::new();
    for number in 0..25_u128 {
        store.write(&megram(number, &tool_tag(&format!("/{}", number % 4))));
    }
    store.remember(&rule(90, &Tag::user(), 1.0));
    let all = |level, space: &str, limit| {
        let mut query = ListQuery { level, space_prefix: space.to_owned(), after: None, limit };
        let mut found = Vec::new();
        loop {
            let page = store.reader.list(&query).expect("it lists");
            assert!(page.megrams.len() <= limit);
            found.extend(numbers(page.megrams.iter().map(|megram| megram.id)));
            match page.next {
                None => break,
                next => query.after = next,
            }
        }
        found.sort_unstable();
        found
    };
    assert_eq!(all(None, "tool:", 7), (0..25).collect::<Vec<_>>());
    assert_eq!(all(None, "", 500).len(), 26);
    assert_eq!(all(Some(Level::C), "", 3), [90]);
    assert_eq!(all(Some(Level::M), "global", 3), [] as [u128; 0]);
    let foreign =
        ListQuery { after: Some(PageCursor("x|other".to_owned())), limit: 3, ..ListQuery::default() };
    assert!(matches!(store.reader.list(&foreign), Err(StoreError::BadCursor)));
}

#[test]
fn an_explanation_adds_up() {
    let mut store = Store::new();
    let tag = Tag::intent("find files");
    for (number, sigma, state) in [(1, 1.0, "accept"), (2, -1.0, "abandon"), (3, 1.0, "success")] {
        let mut one = megram(number, &tag);
        (one.sigma, one.state) = (sigma, state.to_owned());
        one.created_at = after(number as f64);
        store.write(&one);
    }
    store.remember(&rule(4, &tag, 1.0));
    let why = store.reader.why(after(9.0), &tag, 10).expect("it explains");
    assert_eq!(numbers(why.contributions.iter().map(|part| part.megram.id)), [3, 2, 1]);
    let attention: f64 = why.contributions.iter().map(|part| part.attention).sum();
    let decision: f64 = why.contributions.iter().map(|part| part.decision).sum();
    assert!((attention - why.potentials.attention).abs() < 1e-9);
    assert!((decision - why.potentials.decision).abs() < 1e-9);
    assert_eq!((why.count, why.rules.len()), (3, 1));
    let gone = why.forgotten_at.expect("it fades");
    let left = |at| store.reader.query_mk(at, &tag).expect("it reads").attention;
    assert!(left(gone.plus_ms(2)) < 0.1 && left(after(9.0)) > 0.1);
}

#[test]
fn what_forbids_is_told_before_what_says_nothing() {
    let mut store = Store::new();
    let tag = |number: u128| tool_tag(&format!("/{number:02}"));
    for number in 0..20_u128 {
        let faint = Megram { f: 0.2, sigma: 0.0, ..megram(number, &tag(number)) };
        store.write(&faint);
    }
    store.write(&Megram { f: 0.85, sigma: -1.0, ..megram(100, &tag(17)) });
    store.remember(&rule(101, &tag(18), -1.0));
    store.write(&megram(102, &Tag::intent("find files")));
    let mut asked = vec![Tag::intent("find files")];
    asked.extend((0..20).map(tag));
    let entries = answer(&store, &asked, 0).entries;
    let tags: Vec<Tag> = entries.iter().take(4).map(|entry| entry.tag.clone()).collect();
    assert_eq!(tags, [Tag::intent("find files"), tag(17), tag(18), tag(0)]);
    assert_eq!(entries.len(), MAX_MEMORY_ENTRIES);
}
