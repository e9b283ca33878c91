//! One line of output: text with tones, so that the same facts come with and without colour.

use std::fmt::Write;

use crate::render::text::{columns, fit, one_line, wrap};

/// Most lines that one list takes on the screen; the rest is counted.
pub const LIST_LINES: usize = 6;
/// Columns that hanging text has at least, on a screen that is too narrow for it.
const MIN_HANGING: usize = 16;

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

    /// The line with foreign text at its end: escaped and on one line. Spaces before and behind it stay.
    #[must_use]
    pub fn foreign(self, tone: Tone, text: &str) -> Self {
        let before = text.len() - text.trim_start_matches(' ').len();
        let behind = text.trim_start_matches(' ').len() - text.trim_matches(' ').len();
        let text = format!("{}{}{}", " ".repeat(before), one_line(text), " ".repeat(behind));
        self.add(tone, text)
    }

    /// The line and foreign text behind it, in at most `most` lines of `width` columns; further lines start where the
    /// text starts. Only what is beyond the last line is cut.
    pub fn hanging(self, tone: Tone, text: &str, width: usize, most: usize) -> Vec<Self> {
        let start = self.columns();
        let pieces = wrap(&one_line(text), width.saturating_sub(start).max(MIN_HANGING));
        let cut = pieces.len() > most;
        let mut lines = Vec::new();
        let mut head = self;
        for (index, piece) in pieces.into_iter().take(most).enumerate() {
            let piece = if cut && index + 1 == most { format!("{piece}…") } else { piece };
            let line = std::mem::replace(&mut head, Self::plain(" ".repeat(start)));
            lines.push(line.add(tone, piece).fit(width));
        }
        lines
    }

    /// The line as it stands if it fits or is no prose (a table, a path, code that is indented), else in lines that break
    /// between words: a terminal would break them anywhere.
    #[must_use]
    pub fn broken(self, width: usize) -> Vec<Self> {
        let text = self.text(false);
        let is_prose = !text.contains("  ") && !text.contains('\t') && text.contains(' ');
        if columns(&text) <= width || !is_prose || self.parts.len() != 1 {
            return vec![self];
        }
        let tone = self.parts.first().map_or(Tone::Plain, |(tone, _)| *tone);
        wrap(&text, width).into_iter().map(|piece| Self::new().add(tone, piece)).collect()
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

/// A line that counts what did not fit into a list.
pub fn and_more(length: usize, indent: &str) -> Option<Line> {
    let rest = length.saturating_sub(LIST_LINES);
    (rest > 0).then(|| Line::plain(indent).add(Tone::Dim, format!("and {rest} more")))
}

/// One line of the end, and where it belongs: answers go to standard output, everything else to standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Part of the answer.
    Answer(Line),
    /// About the task.
    Note(Line),
}
