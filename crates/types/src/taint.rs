//! What a task has taken in that it must not mix unasked: text of strangers, and the person's private data.
//!
//! Of three things (text that a stranger may have written, private data, a way out of the machine) a task may have two
//! without a person's word. Taint says which of the first two it has. It only ever grows: nothing takes a bit back.

use std::ops::{BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

/// Bits that are unset at first. Journals hold the words of those that are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "Vec<TaintWord>", into = "Vec<TaintWord>")]
pub struct Taint {
    /// A stranger may have written some of it: the network, servers of tools, other programs, downloaded files.
    pub untrusted: bool,
    /// Some of it is the person's and lies outside the workspace and the working directory, or may be.
    pub private: bool,
    /// Private data was read for certain, and not only by programs that could read it. It decides nothing: people are told.
    pub private_read: bool,
}

impl Taint {
    /// Nothing of either.
    pub const NONE: Self = Self { untrusted: false, private: false, private_read: false };
    /// Text of strangers.
    pub const UNTRUSTED: Self = Self { untrusted: true, ..Self::NONE };
    /// What may be private data.
    pub const PRIVATE: Self = Self { private: true, ..Self::NONE };
    /// Both: from here on everything that leaves the machine, and every write outside the workspace, needs a person.
    pub const BOTH: Self = Self { untrusted: true, private: true, ..Self::NONE };

    /// Whether no bit is set; such a taint is left out of journals.
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Whether text of strangers meets what may be private.
    pub fn is_both(self) -> bool {
        self.untrusted && self.private
    }

    /// The same of a call that has read what it brings of private data, where `is_read` says so.
    #[must_use]
    pub fn read(self, is_read: bool) -> Self {
        Self { private_read: self.private && is_read, ..self }
    }

    /// The words that people see: `untrusted`, `private`, `private_read`.
    pub fn words(self) -> Vec<&'static str> {
        [(self.untrusted, "untrusted"), (self.private, "private"), (self.private_read, "private_read")]
            .into_iter()
            .filter_map(|(is_set, word)| is_set.then_some(word))
            .collect()
    }
}

impl BitOr for Taint {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            untrusted: self.untrusted | other.untrusted,
            private: self.private | other.private,
            private_read: self.private_read | other.private_read,
        }
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
    PrivateRead,
}

impl From<Vec<TaintWord>> for Taint {
    fn from(words: Vec<TaintWord>) -> Self {
        Self {
            untrusted: words.contains(&TaintWord::Untrusted),
            private: words.contains(&TaintWord::Private),
            private_read: words.contains(&TaintWord::PrivateRead),
        }
    }
}

impl From<Taint> for Vec<TaintWord> {
    fn from(taint: Taint) -> Self {
        let set = [
            (taint.untrusted, TaintWord::Untrusted),
            (taint.private, TaintWord::Private),
            (taint.private_read, TaintWord::PrivateRead),
        ];
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
        let read = Taint::PRIVATE.read(true);
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"["private","private_read"]"#);
        assert_eq!(serde_json::from_str::<Taint>(r#"["private","private_read"]"#).unwrap(), read);
        assert_eq!((read | Taint::UNTRUSTED).words(), ["untrusted", "private", "private_read"]);
        assert!((read | Taint::UNTRUSTED).is_both() && Taint::UNTRUSTED.read(true) == Taint::UNTRUSTED);
    }
}
