use artoo_types::Timestamp;
use artoo_types::tag::Tag;
use proptest::prelude::*;
use uuid::Uuid;

use super::{Key, LEVELS, check_tag, due_before, of_level, rules, tagged};

fn any_tag() -> impl Strategy<Value = Tag> {
    ("[a-z|%:\u{0}-\u{1f}é下]{1,20}", ".{1,300}").prop_map(|(space, entity)| Tag::new(&space, &entity))
}

fn any_key() -> impl Strategy<Value = Key> {
    let id = || any::<u128>().prop_map(Uuid::from_u128);
    prop_oneof![
        id().prop_map(Key::Megram),
        id().prop_map(Key::Recalled),
        id().prop_map(Key::Tombstone),
        "[a-z_]{1,12}".prop_map(Key::Meta),
        (any_tag(), id()).prop_map(|(tag, id)| Key::Tagged(tag, id)),
        (prop::sample::select(LEVELS.to_vec()), id()).prop_map(|(level, id)| Key::Level(level, id)),
        (any_tag(), id()).prop_map(|(tag, id)| Key::Rule(tag, id)),
        any_tag().prop_map(Key::Cluster),
        (any::<i64>(), any_tag()).prop_map(|(at, tag)| Key::Due(Timestamp(at), tag)),
        any_tag().prop_map(Key::Ripe),
        any_tag().prop_map(Key::Since),
    ]
}

proptest! {
    #[test]
    fn every_key_survives_the_round_trip(key in any_key()) {
        prop_assert_eq!(Key::decode(&key.encode()), Some(key));
    }

    #[test]
    fn outside_bytes_decode_to_the_key_that_encodes_to_them_or_to_none(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Some(key) = Key::decode(&bytes) {
            prop_assert_eq!(key.encode(), bytes);
        }
    }

    #[test]
    fn prefixes_match_their_own_tag_only(tag in any_tag(), other in any_tag(), id in any::<u128>()) {
        let id = Uuid::from_u128(id);
        let key = Key::Tagged(other.clone(), id).encode();
        prop_assert_eq!(key.starts_with(&tagged(&tag)), tag == other);
        let key = Key::Rule(other.clone(), id).encode();
        prop_assert_eq!(key.starts_with(&rules(&tag)), tag == other);
    }

    #[test]
    fn due_keys_sort_by_time(a in any::<i64>(), b in any::<i64>(), tag in any_tag()) {
        let key = Key::Due(Timestamp(a), tag).encode();
        prop_assert_eq!(key < due_before(Timestamp(b)), a < b);
    }
}

#[test]
fn the_keys_are_those_of_the_design() {
    let id = Uuid::from_u128(7);
    let tag = Tag::new("tool:glob", "path:/tmp/a|b");
    let text = |key: Key| String::from_utf8(key.encode()).expect("it is text");
    assert_eq!(text(Key::Megram(id)), "m|00000000-0000-0000-0000-000000000007");
    assert_eq!(
        text(Key::Tagged(tag.clone(), id)),
        "x|tool:glob|path:/tmp/a%7Cb|00000000-0000-0000-0000-000000000007"
    );
    assert_eq!(text(Key::Level(LEVELS[2], id)), "l|C|00000000-0000-0000-0000-000000000007");
    assert!(Key::Level(LEVELS[2], id).encode().starts_with(&of_level(LEVELS[2])));
    assert_eq!(text(Key::Cluster(tag)), "a|tool:glob|path:/tmp/a%7Cb");
}

#[test]
fn tags_from_the_constructor_always_fit() {
    for (space, entity) in [("a|b", "c\n"), (&*"x".repeat(513), "y"), ("z", &*"|".repeat(400))] {
        assert!(check_tag(&Tag::new(space, entity)).is_ok(), "({space}, {entity})");
    }
}
