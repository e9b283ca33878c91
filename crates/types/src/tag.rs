//! Memory tags: (space, entity) pairs that are the same for reader and writer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// Where a memory belongs. Both parts are percent-encoded, so that `|` can separate them in a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Tag {
    /// For example `intent:find_the_ten` or `tool:glob`.
    pub space: String,
    /// For example `env:local` or `path:/tmp/x`.
    pub entity: String,
}

impl Tag {
    /// A tag from raw parts, encoded.
    pub fn new(space: &str, entity: &str) -> Self {
        Self { space: encode(space), entity: encode(entity) }
    }

    /// The tag of an intent: `(intent:<slug>, env:local)`.
    pub fn intent(intent: &str) -> Self {
        Self::new(&format!("intent:{}", intent_slug(intent)), "env:local")
    }

    /// The tag of a tool class and a target; `None` stands for every target.
    pub fn tool(class: &str, target: Option<&str>) -> Self {
        Self::new(&format!("tool:{class}"), &format!("path:{}", target.unwrap_or("*")))
    }

    /// Facts about the person that every plan reads.
    pub fn user() -> Self {
        Self::new("global:user", "env:local")
    }
}

/// Longest encoded part; longer ones are replaced by `~` and a 128-bit FNV-1a hash in hex.
const MAX_PART_BYTES: usize = 512;

fn encode(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for c in part.chars() {
        if c == '%' || c == '|' || c.is_control() {
            let mut bytes = [0; 4];
            for b in c.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("%{b:02X}"));
            }
        } else {
            out.push(c);
        }
    }
    if out.len() > MAX_PART_BYTES { format!("~{:032x}", fnv1a(out.as_bytes())) } else { out }
}

/// FNV-1a with 128 bits (Fowler, Noll, Vo; offset basis and prime of the reference).
fn fnv1a(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(BASIS, |hash, b| (hash ^ u128::from(*b)).wrapping_mul(PRIME))
}

/// The first three words of the intent, joined by underscores; for scripts without spaces the first eight characters.
/// NFKC and case folding first, so that width and case do not matter. Never empty.
pub fn intent_slug(intent: &str) -> String {
    let folded = fold(intent);
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).take(3).collect();
    let slug = match words.first() {
        None => "empty".to_owned(),
        Some(first) if first.chars().any(is_unspaced) => {
            folded.chars().filter(|c| c.is_alphanumeric()).take(8).collect()
        }
        Some(_) => words.join("_"),
    };
    slug.chars().take(64).collect()
}

/// NFKC, lower case, white space runs folded to one space: the form in which texts are compared.
pub fn fold(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters of scripts that are written without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F | 0x0E00..=0x0E7F)
}

#[cfg(test)]
mod tests {
    use super::{Tag, fold, intent_slug};

    #[test]
    fn a_slug_is_three_words_or_eight_characters_and_never_empty() {
        let cases = [
            ("Find the ten largest files", "find_the_ten"),
            ("  FIND   the\nTEN ...", "find_the_ten"),
            ("列出下载目录里最大的文件", "列出下载目录里最"),
            ("Ｆｉｎｄ it", "find_it"),
            ("!!!", "empty"),
            ("", "empty"),
        ];
        for (intent, slug) in cases {
            assert_eq!(intent_slug(intent), slug, "for {intent:?}");
        }
    }

    #[test]
    fn separators_cannot_be_smuggled_into_a_tag() {
        let tag = Tag::new("a|b%", "c\nd");
        assert_eq!(tag.space, "a%7Cb%25");
        assert_eq!(tag.entity, "c%0Ad");
    }

    #[test]
    fn long_parts_are_hashed_and_stay_distinct() {
        let a = Tag::new("tool:x", &"p".repeat(600));
        let b = Tag::new("tool:x", &"p".repeat(601));
        assert!(a.entity.starts_with('~') && a.entity.len() == 33);
        assert_ne!(a, b);
    }

    #[test]
    fn folding_ignores_case_width_and_space() {
        assert_eq!(fold(" A  b\tＣ "), "a b c");
    }
}
