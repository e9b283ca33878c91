//! Where everything lies on the disk: keys and their prefixes.
//!
//! ```text
//! truth     m|<id>                        the memory, JSON
//!           r|<id>                        when it was last recalled
//!           t|<id>                        tombstone: never store this id again
//!           n|<space>|<entity>            since when evidence of a tag may become a new rule
//!           s|<id>                        two requests that the operator keeps apart; the id is of the pair
//!           meta|<name>                   schema, clock, state of the derived records
//! derived   x|<space>|<entity>|<id>       which memories a tag has
//!           l|<level>|<id>                which memories a level has
//!           c|<space>|<entity>|<id>       which rules (levels C and T) a tag has
//!           a|<space>|<entity>            the accumulators of a tag
//!           e|<8 bytes time>|<space>|<entity>   when a cluster is due, in order of time
//!           p|<space>|<entity>            clusters whose evidence may become a rule, and when
//! ```
//! Tags are percent-encoded, so they hold no `|`, and a prefix matches whole parts only.

use artoo_types::Timestamp;
use artoo_types::memory::Level;
use artoo_types::tag::Tag;
use uuid::Uuid;

/// Longest part of a tag, in bytes: longer ones are hashed when the tag is made.
pub const MAX_TAG_PART_BYTES: usize = 512;

/// A tag that was not made by [`Tag::new`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the tag ({space}, {entity}) cannot be a key: both parts need 1 to {MAX_TAG_PART_BYTES} bytes without `|` and \
     control characters; make it with Tag::new"
)]
pub struct TagRejected {
    space: String,
    entity: String,
}

/// Whether both parts of `tag` are encoded: not empty, not over [`MAX_TAG_PART_BYTES`], without `|` and controls.
///
/// # Errors
/// When it is not so.
pub fn check_tag(tag: &Tag) -> Result<(), TagRejected> {
    let fits = |part: &str| {
        (1..=MAX_TAG_PART_BYTES).contains(&part.len()) && !part.contains(|c: char| c == '|' || c.is_control())
    };
    if fits(&tag.space) && fits(&tag.entity) {
        Ok(())
    } else {
        let shown = |part: &str| artoo_types::text::first_chars(part, 80);
        Err(TagRejected { space: shown(&tag.space), entity: shown(&tag.entity) })
    }
}

/// One key. The tags in it have passed [`check_tag`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// `m|<id>`.
    Megram(Uuid),
    /// `r|<id>`.
    Recalled(Uuid),
    /// `t|<id>`.
    Tombstone(Uuid),
    /// `n|<space>|<entity>`.
    Since(Tag),
    /// `s|<id>`.
    Separated(Uuid),
    /// `meta|<name>`.
    Meta(String),
    /// `x|<space>|<entity>|<id>`.
    Tagged(Tag, Uuid),
    /// `l|<level>|<id>`.
    Level(Level, Uuid),
    /// `c|<space>|<entity>|<id>`.
    Rule(Tag, Uuid),
    /// `a|<space>|<entity>`.
    Cluster(Tag),
    /// `e|<time>|<space>|<entity>`.
    Due(Timestamp, Tag),
    /// `p|<space>|<entity>`.
    Ripe(Tag),
}

impl Key {
    /// The bytes of the key.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Megram(id) => format!("m|{id}").into_bytes(),
            Self::Recalled(id) => format!("r|{id}").into_bytes(),
            Self::Tombstone(id) => format!("t|{id}").into_bytes(),
            Self::Since(tag) => format!("n|{}|{}", tag.space, tag.entity).into_bytes(),
            Self::Separated(id) => format!("s|{id}").into_bytes(),
            Self::Meta(name) => format!("meta|{name}").into_bytes(),
            Self::Tagged(tag, id) => [tagged(tag).as_slice(), id.to_string().as_bytes()].concat(),
            Self::Level(level, id) => [of_level(*level).as_slice(), id.to_string().as_bytes()].concat(),
            Self::Rule(tag, id) => [rules(tag).as_slice(), id.to_string().as_bytes()].concat(),
            Self::Cluster(tag) => format!("a|{}|{}", tag.space, tag.entity).into_bytes(),
            Self::Due(at, tag) => {
                [due_before(*at).as_slice(), format!("|{}|{}", tag.space, tag.entity).as_bytes()].concat()
            }
            Self::Ripe(tag) => format!("p|{}|{}", tag.space, tag.entity).into_bytes(),
        }
    }

    /// The key that `bytes` hold; `None` when no key encodes to them.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        if let Some(rest) = bytes.strip_prefix(b"e|") {
            let (time, rest) = rest.split_first_chunk::<8>()?;
            let at = Timestamp((u64::from_be_bytes(*time) ^ SIGN) as i64);
            return Some(Self::Due(at, tag(str::from_utf8(rest).ok()?.strip_prefix('|')?)?));
        }
        let (kind, rest) = str::from_utf8(bytes).ok()?.split_once('|')?;
        match kind {
            "m" => Some(Self::Megram(id(rest)?)),
            "r" => Some(Self::Recalled(id(rest)?)),
            "t" => Some(Self::Tombstone(id(rest)?)),
            "n" => tag(rest).map(Self::Since),
            "s" => Some(Self::Separated(id(rest)?)),
            "meta" => Some(Self::Meta(rest.to_owned())),
            "x" => tag_and_id(rest).map(|(tag, id)| Self::Tagged(tag, id)),
            "c" => tag_and_id(rest).map(|(tag, id)| Self::Rule(tag, id)),
            "l" => {
                let (name, rest) = rest.split_once('|')?;
                Some(Self::Level(LEVELS.into_iter().find(|level| letter(*level) == name)?, id(rest)?))
            }
            "a" => tag(rest).map(Self::Cluster),
            "p" => tag(rest).map(Self::Ripe),
            _ => None,
        }
    }
}

/// The levels, lowest first.
pub const LEVELS: [Level; 4] = [Level::M, Level::K, Level::C, Level::T];

/// Every `m|` key begins with this.
pub const MEGRAMS: &[u8] = b"m|";
/// Every `t|` key begins with this.
pub const TOMBSTONES: &[u8] = b"t|";
/// Every `s|` key begins with this.
pub const SEPARATIONS: &[u8] = b"s|";
/// Every `x|` key begins with this.
pub const TAGGED: &[u8] = b"x|";
/// Every `l|` key begins with this.
pub const BY_LEVEL: &[u8] = b"l|";
/// Every `c|` key begins with this.
pub const RULES: &[u8] = b"c|";
/// Every `a|` key begins with this.
pub const CLUSTERS: &[u8] = b"a|";
/// Every `e|` key begins with this.
pub const DUE: &[u8] = b"e|";
/// Every `p|` key begins with this.
pub const RIPE: &[u8] = b"p|";
/// Every `n|` key begins with this.
pub const SINCE: &[u8] = b"n|";

/// The `x|` keys of one tag begin with this.
pub fn tagged(tag: &Tag) -> Vec<u8> {
    format!("x|{}|{}|", tag.space, tag.entity).into_bytes()
}

/// The `x|` keys of every tag whose space begins with `space` begin with this.
pub fn tagged_space(space: &str) -> Vec<u8> {
    format!("x|{space}").into_bytes()
}

/// The `a|` keys of every tag whose space begins with `space` begin with this.
pub fn clusters_of_space(space: &str) -> Vec<u8> {
    format!("a|{space}").into_bytes()
}

/// The `c|` keys of one tag begin with this.
pub fn rules(tag: &Tag) -> Vec<u8> {
    format!("c|{}|{}|", tag.space, tag.entity).into_bytes()
}

/// The `l|` keys of one level begin with this.
pub fn of_level(level: Level) -> Vec<u8> {
    format!("l|{}|", letter(level)).into_bytes()
}

/// The `e|` keys of all earlier times sort before this, the keys of `at` and later after it.
pub fn due_before(at: Timestamp) -> Vec<u8> {
    // Flipping the sign bit makes the order of bytes the order of times.
    [DUE, &((at.0 as u64) ^ SIGN).to_be_bytes()].concat()
}

const SIGN: u64 = 1 << 63;

fn letter(level: Level) -> &'static str {
    match level {
        Level::M => "M",
        Level::K => "K",
        Level::C => "C",
        Level::T => "T",
    }
}

/// An id in the one spelling that is written: lower case, with hyphens.
fn id(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok().filter(|id| id.to_string() == text)
}

fn tag(text: &str) -> Option<Tag> {
    let (space, entity) = text.split_once('|')?;
    let tag = Tag { space: space.to_owned(), entity: entity.to_owned() };
    check_tag(&tag).is_ok().then_some(tag)
}

fn tag_and_id(text: &str) -> Option<(Tag, Uuid)> {
    let (text, last) = text.rsplit_once('|')?;
    Some((tag(text)?, id(last)?))
}

#[cfg(test)]
mod tests {
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
}
