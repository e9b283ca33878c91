//! One line of output: text with tones, so that the same facts come with and without colour.

use std::fmt::Write;

use crate::render::text::{columns, fit, one_line};

/// How a piece of text is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// Of second rank.
    Dim,
    /// It went well.
    Good,
    /// It did not.
    Bad,
    /// Look at this.
    Warn,
    /// The loudest thing.
    Strong,
    /// A name.
    Accent,
}

impl Tone {
    /// The parameters of the escape sequence `SGR` (ECMA-48); only the eight basic colours, which every palette has.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Dim => "2",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Warn => "33",
            Self::Strong => "1",
            Self::Accent => "36",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    parts: Vec<(Tone, String)>,
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of plain text; it must be escaped already.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new().add(Tone::Plain, text)
    }

    /// The line with an escaped text at its end.
    #[must_use]
    pub fn add(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.parts.push((tone, text.into()));
        self
    }

    /// The line with foreign text at its end: escaped and on one line.
    #[must_use]
    pub fn foreign(self, tone: Tone, text: &str) -> Self {
        let text = one_line(text);
        self.add(tone, text)
    }

    /// The line with spaces at its end up to `column`, and at least two.
    #[must_use]
    pub fn to_column(self, column: usize) -> Self {
        let gap = column.saturating_sub(self.columns()).max(2);
        self.add(Tone::Plain, " ".repeat(gap))
    }

    /// Columns that it takes.
    pub fn columns(&self) -> usize {
        self.parts.iter().map(|(_, text)| columns(text)).sum()
    }

    /// The line cut to `width` columns.
    #[must_use]
    pub fn fit(self, width: usize) -> Self {
        if self.columns() <= width {
            return self;
        }
        let mut left = width;
        let mut parts = Vec::new();
        for (tone, text) in self.parts {
            let wanted = columns(&text);
            if wanted < left {
                left -= wanted;
                parts.push((tone, text));
                continue;
            }
            let cut = if wanted == left { format!("{text}…") } else { text };
            parts.push((tone, fit(&cut, left)));
            break;
        }
        Self { parts }
    }

    /// The text, with escape sequences for the tones if `colour`. Without trailing spaces, without a line feed.
    pub fn text(&self, colour: bool) -> String {
        let mut out = String::new();
        for (tone, text) in &self.parts {
            let code = tone.code();
            if colour && !code.is_empty() && !text.trim().is_empty() {
                let _ = write!(out, "\u{1b}[{code}m{text}\u{1b}[0m");
            } else {
                out.push_str(text);
            }
        }
        out.truncate(out.trim_end_matches(' ').len());
        out
    }
}
