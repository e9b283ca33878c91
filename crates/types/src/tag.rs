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

    /// What is known of a folder.
    pub fn folder(folder: &str) -> Self {
        Self::new(&format!("{FOLDERS}{folder}"), "env:local")
    }

    /// A command in a folder.
    pub fn practice(folder: &str, command: &str) -> Self {
        Self::new(&format!("{FOLDERS}{folder}"), &format!("{PRACTICES}{command}"))
    }

    /// Facts about the person that every plan reads.
    pub fn user() -> Self {
        Self::new("global:user", "env:local")
    }
}

/// The space of every tag of a folder begins with this.
pub const FOLDERS: &str = "folder:";
/// The entity of every tag of a command in a folder begins with this.
pub const PRACTICES: &str = "run:";

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

/// Words of an intent's tag.
const SLUG_WORDS: usize = 3;
/// Characters of it in scripts without spaces.
const SLUG_CHARS: usize = 8;
/// So many of the first three words must say something, or words that do take their place.
const TELLING_WORDS: usize = 2;

/// Words that any request may begin with, numbers and places in an order included.
const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "help", "hey", "hi", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "kindly", "let", "like", "me", "my", "need", "of", "on", "or", "our", "out", "please", "s",
    "should", "so", "some", "that", "the", "their", "them", "then", "there", "these", "this", "those", "to",
    "up", "us", "want", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with",
    "would", "you", "your", "first", "last", "one", "two", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "twenty", "fifty", "hundred",
];

/// What a Chinese request may begin with before it says anything.
const UNSPACED_OPENINGS: &[&str] = &[
    "请问",
    "请你",
    "请您",
    "请",
    "麻烦你",
    "麻烦您",
    "麻烦",
    "帮我",
    "帮忙",
    "帮",
    "给我",
    "替我",
    "你能不能",
    "能不能",
    "你能",
    "您能",
    "能否",
    "可不可以",
    "可以",
    "可否",
    "我想要",
    "我想",
    "我要",
    "我需要",
    "需要",
    "把",
    "将",
    "一下",
];

/// The first three words of the intent, joined by underscores; for scripts without spaces the first eight characters. Where
/// those say nothing ("what is the", "请帮我"), the first ones that do. NFKC and case folding first, so that width and case do
/// not matter. Never empty.
///
/// What earlier builds remembered under a tag that says nothing is found again by the request that taught it, which
/// its memories hold; the few that are older than that stay where they are and fade.
pub fn intent_slug(intent: &str) -> String {
    let folded = fold(intent);
    let mut words = folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).peekable();
    let slug = match words.peek() {
        None => "empty".to_owned(),
        Some(first) if first.chars().any(is_unspaced) => {
            let text: String = folded.chars().filter(|c| c.is_alphanumeric()).collect();
            without_opening(&text).chars().take(SLUG_CHARS).collect()
        }
        // A tag that somebody wrote down stays as it is.
        Some(_) if !folded.contains(' ') => words.take(SLUG_WORDS).collect::<Vec<_>>().join("_"),
        Some(_) => telling_words(&words.collect::<Vec<_>>()).join("_"),
    };
    slug.chars().take(64).collect()
}

/// The first words, or the first telling ones where too few of those are.
fn telling_words<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let tells = |word: &&&str| !FUNCTION_WORDS.contains(*word) && word.parse::<f64>().is_err();
    let first = &words[..words.len().min(SLUG_WORDS)];
    let telling: Vec<&str> = words.iter().filter(tells).take(SLUG_WORDS).copied().collect();
    if telling.is_empty() || first.iter().filter(tells).count() >= TELLING_WORDS {
        first.to_vec()
    } else {
        telling
    }
}

/// The text behind its polite opening; all of it where there is nothing else.
fn without_opening(text: &str) -> &str {
    let mut rest = text;
    while let Some(shorter) = UNSPACED_OPENINGS.iter().find_map(|opening| rest.strip_prefix(opening)) {
        rest = shorter;
    }
    if rest.is_empty() { text } else { rest }
}

/// NFKC, lower case, white space runs folded to one space: the form in which texts are compared.
pub fn fold(text: &str) -> String {
    // Names of files are asked for by the hundred thousand.
    if text.is_ascii() && !text.contains(|c: char| c.is_ascii_whitespace() || c == '\u{b}') {
        return text.to_ascii_lowercase();
    }
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
            ("Find the largest files", "find_the_largest"),
            ("  FIND   the\nlargest ...", "find_the_largest"),
            ("列出下载目录里最大的文件", "列出下载目录里最"),
            ("Ｆｉｎｄ it", "find"),
            ("!!!", "empty"),
            ("", "empty"),
        ];
        for (intent, slug) in cases {
            assert_eq!(intent_slug(intent), slug, "for {intent:?}");
        }
    }

    #[test]
    fn words_that_say_nothing_make_no_tag() {
        let cases = [
            ("What is the capital of France?", "capital_france"),
            ("what is the size of notes.txt", "size_notes_txt"),
            ("Find the ten largest files", "find_largest_files"),
            ("find the 10 largest files", "find_largest_files"),
            ("How many of the reports are empty?", "many_reports_empty"),
            ("how many records are in north.csv", "how_many_records"),
            ("Please show me the first 2 lines of plan.txt", "show_lines_plan"),
            ("can you do it", "can_you_do"),
            ("find_the_ten", "find_the_ten"),
            ("请帮我列出下载目录里最大的文件", "列出下载目录里最"),
            ("麻烦你帮我把图片转成PDF", "图片转成pdf"),
            ("请帮我", "请帮我"),
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
