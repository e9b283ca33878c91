//! The language that a person is spoken to in: that of the request, as the answers are.

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// Everything that holds no Chinese character.
    #[default]
    English,
    /// Any request with a Chinese character outside of quotation marks, where a name may stand.
    Chinese,
}

impl Language {
    /// The language of a request.
    pub fn of(request: &str) -> Self {
        let mut quoted = false;
        for c in request.chars() {
            match c {
                '"' => quoted = !quoted,
                '“' => quoted = true,
                '”' => quoted = false,
                _ if !quoted && is_han(c) => return Self::Chinese,
                _ => {}
            }
        }
        Self::English
    }
}

/// Whether a character is a Chinese ideograph: the unified blocks and their extensions.
fn is_han(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F)
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn a_quoted_name_is_no_language() {
        for (request, language) in [
            ("列出 sales.csv 的列", Language::Chinese),
            ("sales.csv 有多少行", Language::Chinese),
            ("count the lines of \"笔记.txt\"", Language::English),
            ("“笔记.txt” 有多少行", Language::Chinese),
            ("count the lines", Language::English),
            ("ひらがな", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::of(request), language, "{request}");
        }
    }
}
