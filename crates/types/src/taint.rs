//! What a task has taken in that it must not mix unasked: text of strangers, and the person's private data.
//!
//! Of three things (text that a stranger may have written, private data, a way out of the machine) a task may have two
//! without a person's word. Taint says which of the first two it has. It only ever grows: nothing takes a bit back.

use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

/// Two bits, both unset at first. Journals hold the words of those that are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "Vec<TaintWord>", into = "Vec<TaintWord>")]
pub struct Taint {
    /// A stranger may have written some of it: the network, servers of tools, other programs, downloaded files.
    pub untrusted: bool,
    /// Some of it is the person's and lies outside the workspace and the working directory.
    pub private: bool,
}

impl Taint {
    /// Nothing of either.
    pub const NONE: Self = Self { untrusted: false, private: false };
    /// Text of strangers.
    pub const UNTRUSTED: Self = Self { untrusted: true, private: false };
    /// Private data.
    pub const PRIVATE: Self = Self { untrusted: false, private: true };
    /// Both: from here on everything that leaves the machine, and every write outside the workspace, needs a person.
    pub const BOTH: Self = Self { untrusted: true, private: true };

    /// Whether neither bit is set; such a taint is left out of journals.
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Whether both bits are set.
    pub fn is_both(self) -> bool {
        self == Self::BOTH
    }

    /// The words that people see: `untrusted`, `private`.
    pub fn words(self) -> Vec<&'static str> {
        [(self.untrusted, "untrusted"), (self.private, "private")]
            .into_iter()
            .filter_map(|(is_set, word)| is_set.then_some(word))
            .collect()
    }
}

impl BitOr for Taint {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self { untrusted: self.untrusted | other.untrusted, private: self.private | other.private }
    }
}

impl BitOrAssign for Taint {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// One bit as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TaintWord {
    Untrusted,
    Private,
}

impl From<Vec<TaintWord>> for Taint {
    fn from(words: Vec<TaintWord>) -> Self {
        Self {
            untrusted: words.contains(&TaintWord::Untrusted),
            private: words.contains(&TaintWord::Private),
        }
    }
}

impl From<Taint> for Vec<TaintWord> {
    fn from(taint: Taint) -> Self {
        let set = [(taint.untrusted, TaintWord::Untrusted), (taint.private, TaintWord::Private)];
        set.into_iter().filter_map(|(is_set, word)| is_set.then_some(word)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Taint;

    const ALL: [Taint; 4] = [Taint::NONE, Taint::UNTRUSTED, Taint::PRIVATE, Taint::BOTH];

    #[test]
    fn it_only_grows() {
        for a in ALL {
            for b in ALL {
                let both = a | b;
                assert_eq!(both, b | a);
                assert_eq!((both | a, both | b), (both, both));
                assert_eq!(both.untrusted, a.untrusted || b.untrusted);
                assert_eq!(both.private, a.private || b.private);
            }
        }
        assert!((Taint::PRIVATE | Taint::UNTRUSTED).is_both());
    }

    #[test]
    fn journals_hold_the_bits_that_are_set() {
        let texts = ["[]", r#"["untrusted"]"#, r#"["private"]"#, r#"["untrusted","private"]"#];
        for (taint, text) in ALL.into_iter().zip(texts) {
            assert_eq!(serde_json::to_string(&taint).unwrap(), text);
            assert_eq!(serde_json::from_str::<Taint>(text).unwrap(), taint);
        }
        assert_eq!(Taint::BOTH.words(), ["untrusted", "private"]);
    }
}
