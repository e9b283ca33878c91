//! The two languages the rules speak, and picking one of two texts.

/// The language of a request; answers, headings and file sections are in the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Everything that holds no Chinese character.
    English,
    /// Any text with at least one Chinese character outside quotation marks, or nothing but quoted Chinese.
    Chinese,
}

impl Language {
    /// The language of `text`: Chinese as soon as one Han character stands outside quotation marks.
    pub fn of(text: &str) -> Self {
        let mut inside = false;
        for found in text.chars() {
            match found {
                '"' => inside = !inside,
                '“' => inside = true,
                '”' => inside = false,
                _ if !inside && is_han(found) => return Self::Chinese,
                _ => {}
            }
        }
        Self::English
    }

    /// The text of this language.
    pub fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// Whether a character is a Chinese ideograph (the unified blocks and extension A).
pub fn is_han(found: char) -> bool {
    matches!(found, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}
