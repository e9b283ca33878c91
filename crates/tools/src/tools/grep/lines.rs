//! The lines that a search found, as they are shown: `path:12:text`, and `path-11-text` for what stands around.

use std::collections::VecDeque;
use std::path::Path;

/// Bytes of one line that are shown.
const MAX_LINE_BYTES: usize = 500;
/// Bytes of the whole result.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// What stands between lines that do not follow each other, where lines around are shown.
const APART: &str = "--";

/// How much is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatchLayout {
    /// Lines before and after each that matches.
    pub(super) context: usize,
    /// Lines that match which are shown; all are counted.
    pub(super) limit: usize,
}

/// What was found so far.
#[derive(Debug)]
pub(super) struct FoundLines {
    layout: MatchLayout,
    shown: Vec<String>,
    bytes: usize,
    /// Lines that match, shown or not, and the files with at least one.
    matches: usize,
    files: usize,
    shown_matches: usize,
    /// The file that is read now.
    file: String,
    has_match: bool,
    before: VecDeque<(u64, String)>,
    after: usize,
    last: u64,
}

impl FoundLines {
    pub(super) fn new(layout: MatchLayout) -> Self {
        Self {
            layout,
            shown: Vec::new(),
            bytes: 0,
            matches: 0,
            files: 0,
            shown_matches: 0,
            file: String::new(),
            has_match: false,
            before: VecDeque::new(),
            after: 0,
            last: 0,
        }
    }

    /// The next lines are of this file; without a name, of the one that the call names.
    pub(super) fn begin(&mut self, file: Option<&Path>) {
        self.file = file.map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
        self.before.clear();
        (self.has_match, self.after, self.last) = (false, 0, 0);
    }

    /// The next line of the file, counted from 1, without its end.
    pub(super) fn line(&mut self, number: u64, text: &[u8], is_match: bool) {
        if is_match {
            self.matches += 1;
            self.files += usize::from(!self.has_match);
            self.has_match = true;
            if self.shown_matches == self.layout.limit || self.bytes >= MAX_TEXT_BYTES {
                self.after = 0;
                return;
            }
            self.shown_matches += 1;
            let before: Vec<(u64, String)> = self.before.drain(..).collect();
            for (number, text) in before {
                self.show(number, '-', &text);
            }
            self.show(number, ':', &excerpt(text));
            self.after = self.layout.context;
        } else if self.after > 0 {
            self.after -= 1;
            self.show(number, '-', &excerpt(text));
        } else if self.layout.context > 0 {
            if self.before.len() == self.layout.context {
                self.before.pop_front();
            }
            self.before.push_back((number, excerpt(text)));
        }
    }

    fn show(&mut self, number: u64, mark: char, text: &str) {
        let follows = self.last > 0 && number == self.last + 1;
        if self.layout.context > 0 && !follows && !self.shown.is_empty() {
            self.shown.push(APART.to_owned());
        }
        self.last = number;
        let file = if self.file.is_empty() { String::new() } else { format!("{}{mark}", self.file) };
        let line = format!("{file}{number}{mark}{text}");
        self.bytes += line.len();
        self.shown.push(line);
    }

    /// How many lines match, where not all of them are shown.
    pub(super) fn remark(&self) -> Option<String> {
        let (shown, all, files) = (self.shown_matches, self.matches, self.files);
        (shown < all).then(|| {
            format!(
                "the first {shown} of {all} matching lines in {files} files; narrow the pattern or the path"
            )
        })
    }

    /// One line each; None if nothing matched.
    pub(super) fn into_text(mut self) -> Option<String> {
        if self.shown_matches < self.matches {
            self.shown.push(format!("... and {} more", self.matches - self.shown_matches));
        }
        (!self.shown.is_empty()).then(|| self.shown.join("\n"))
    }
}

/// The beginning of a line.
fn excerpt(text: &[u8]) -> String {
    if text.len() <= MAX_LINE_BYTES {
        return String::from_utf8_lossy(text).into_owned();
    }
    let whole = text[..MAX_LINE_BYTES].utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
    let cut = if MAX_LINE_BYTES - whole < 4 { whole } else { MAX_LINE_BYTES };
    let more = text.len() - cut;
    format!("{} [... {more} more bytes of this line]", String::from_utf8_lossy(&text[..cut]))
}
