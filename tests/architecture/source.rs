//! The repository's Rust files, read so that rules can look at code alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// One Rust file.
pub(crate) struct Source {
    /// Path from the top of the repository, with `/`.
    pub(crate) path: String,
    /// The text with comments, and the content of strings and character literals, replaced by spaces. Line numbers
    /// are those of the file.
    pub(crate) code: String,
    /// The text as it is.
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), code: blank(text), text: text.to_owned() }
    }

    /// True for files that hold nothing but tests: their own package, `tests.rs`, and folders called `tests`.
    pub(crate) fn is_test(&self) -> bool {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        self.path.split('/').any(|part| part == "tests") || file == "tests.rs" || file.ends_with("_tests.rs")
    }

    /// The code without inline `#[cfg(test)]` items.
    pub(crate) fn product_code(&self) -> String {
        let mut code = self.code.clone();
        while let Some(start) = code.find("#[cfg(test)]") {
            let end = item_end(&code, start + "#[cfg(test)]".len());
            let blanked = spaces(&code[start..end]);
            code.replace_range(start..end, &blanked);
        }
        code
    }

    /// The line, counted from 1, of a byte offset.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.code[..offset].matches('\n').count() + 1
    }
}

/// The top folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests package lies in the repository")
        .to_owned()
}

/// A file of the repository as text; an unreadable file is a failure that names it.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}. The rules need it: write it, or bring it back."))
}

/// Every Rust file of the repository, build products aside. They are read once for all rules.
pub(crate) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let files = files().into_iter().filter(|path| path.ends_with(".rs"));
        files.map(|path| Source::new(&path, &read(&path))).collect()
    });
    &SOURCES
}

/// Every file of the repository, sorted, hidden folders and build products aside.
pub(crate) fn files() -> Vec<String> {
    let top = root();
    let mut found = Vec::new();
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository is readable") {
            let path = entry.expect("an entry of the repository is readable").path();
            let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            if name.starts_with('.') || name == "target" || name == "__pycache__" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(&top).expect("it was found below the top").to_string_lossy();
                found.push(relative.replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// True if the bytes before and after `range` of `code` belong to no longer word.
pub(crate) fn stands_alone(code: &str, start: usize, length: usize) -> bool {
    let before = code[..start].chars().next_back();
    let after = code[start + length..].chars().next();
    ![before, after].into_iter().flatten().any(|c| c.is_alphanumeric() || c == '_')
}

/// Offsets at which `word` stands in `code` as a word of its own.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| stands_alone(code, *at, word.len()))
}

/// The offset behind the bracket that closes the one at `open`, or the end of the code.
pub(crate) fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The offset behind the item that starts at `from`: behind its first `;`, or behind its block.
fn item_end(code: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = code.as_bytes().get(at) {
        match byte {
            b';' => return at + 1,
            b'{' => return closing(code, at),
            b'(' | b'[' => at = closing(code, at),
            _ => at += 1,
        }
    }
    code.len()
}

fn spaces(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// Replaces comments and the content of literals by spaces, byte for byte.
fn blank(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let previous = code.chars().next_back();
        let inside_word = previous.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let (length, quotes) = literal(rest, inside_word);
        if length > 0 {
            let piece = &rest[..length];
            let blanked = spaces(piece);
            match quotes {
                // The quotes stay: a rule may ask whether there is a string at all.
                true if length >= 2 => code.push_str(&format!("\"{}\"", &blanked[1..length - 1])),
                _ => code.push_str(&blanked),
            }
            at += length;
        } else {
            let c = rest.chars().next().expect("the text goes on");
            // One space for each byte keeps offsets equal.
            if c.is_ascii() {
                code.push(c);
            } else {
                code.push_str(&" ".repeat(c.len_utf8()));
            }
            at += c.len_utf8();
        }
    }
    code
}

/// The length in bytes of the comment or literal at the start of `rest` (0: neither), and whether it is a string.
fn literal(rest: &str, inside_word: bool) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    if rest.starts_with('"') {
        return (quoted(rest, 1, '"'), true);
    }
    if rest.starts_with('\'') {
        return (character(rest), false);
    }
    if !inside_word {
        let prefix = ["br", "cr", "r", "b", "c"].into_iter().find(|prefix| {
            rest.strip_prefix(prefix).is_some_and(|tail| tail.trim_start_matches('#').starts_with('"'))
        });
        if let Some(prefix) = prefix {
            let hashes = rest[prefix.len()..].bytes().take_while(|byte| *byte == b'#').count();
            let body = prefix.len() + hashes + 1;
            if !prefix.ends_with('r') {
                return if hashes == 0 { (quoted(rest, body, '"'), true) } else { (0, false) };
            }
            let end = format!("\"{}", "#".repeat(hashes));
            return (rest[body..].find(&end).map_or(rest.len(), |found| body + found + end.len()), true);
        }
    }
    (0, false)
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let bytes = &rest.as_bytes()[at..];
        if bytes.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of a literal whose content starts at `body` and ends at an unescaped `quote`.
fn quoted(rest: &str, body: usize, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest[body..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return body + at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal, or 0 for a lifetime.
fn character(rest: &str) -> usize {
    let mut following = rest[1..].chars();
    match (following.next(), following.next()) {
        (Some('\\'), _) => quoted(rest, 1, '\''),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}
