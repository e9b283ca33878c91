use artoo_types::memory::Relatedness;
use artoo_types::tag::Tag;

use super::{KnownRequests, MAX_REQUESTS, pair};

fn knowing(requests: &[&str]) -> KnownRequests {
    let mut known = KnownRequests::default();
    for request in requests {
        known.insert(&Tag::intent(request), request);
    }
    known
}

#[test]
fn the_same_task_in_other_words_comes_before_what_only_looks_alike() {
    let known = knowing(&[
        "Delete the largest files in Downloads",
        "Find the largest files",
        "Show the ten largest files in the Downloads folder",
        "Find the ten largest files in Documents",
    ]);
    let found = known.related("Find the 10 biggest files in Downloads");
    let kinds: Vec<_> =
        found.iter().map(|recalled| (recalled.via.relation, recalled.via.request.as_str())).collect();
    assert_eq!(
        kinds,
        [
            (Relatedness::Alias, "Show the ten largest files in the Downloads folder"),
            (Relatedness::Hint, "Find the largest files"),
        ]
    );
}

#[test]
fn a_tag_that_only_another_task_has_used_is_a_namesake() {
    let known = knowing(&["Find the ten largest files"]);
    let tag = Tag::intent("Find the ten");
    let namesake = |request: &str| known.namesake(&tag, request).map(|via| via.relation);
    assert_eq!(namesake("Find the ten smallest files"), Some(Relatedness::Hint));
    assert_eq!(namesake("Find the ten largest files"), None);
    assert_eq!(namesake("Find the ten biggest files"), None);
    assert_eq!(
        known.namesake(&Tag::intent("list all logs"), "list all logs"),
        None,
        "nothing is known of it"
    );
}

#[test]
fn what_is_known_is_bounded() {
    let mut known = KnownRequests::default();
    for number in 0..MAX_REQUESTS + 10 {
        known.insert(&Tag::new(&format!("intent:{number}"), "env:local"), "x");
    }
    assert_eq!(known.related("x").len(), MAX_REQUESTS);
    let mut one = KnownRequests::default();
    let tag = Tag::intent("list the files");
    for number in 0..100 {
        one.insert(&tag, &format!("list the files {number}"));
    }
    assert_eq!(one.count, super::MAX_WORDINGS);
}

#[test]
fn requests_that_are_kept_apart_are_different_tasks() {
    let remembered = "Show the ten largest files in the Downloads folder";
    let asked = "Find the 10 biggest files in Downloads";
    let mut known = knowing(&[remembered]);
    assert_eq!(known.related(asked)[0].via.relation, Relatedness::Alias);
    known.separate(pair(&asked.to_uppercase(), &format!("{remembered}!")));
    assert_eq!(known.related(asked), []);
    assert_eq!(known.related(remembered)[0].via.relation, Relatedness::Same, "others relate as before");
    let namesake = known.namesake(&Tag::intent(remembered), asked).expect("it is known as another task");
    assert_eq!(
        (namesake.relation, namesake.why.as_str()),
        (Relatedness::Hint, "you said that they are different tasks")
    );
}

#[test]
fn a_pair_has_no_order_and_its_texts_do_not_run_together() {
    assert_eq!(pair("a b", "c"), pair("C!", "A  b"));
    assert_ne!(pair("a b", "c"), pair("a", "b c"));
}
