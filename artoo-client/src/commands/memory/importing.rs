//! Taking memories in from a file: as it is read, in parts that the daemon takes, so that no file is too large to begin with and
//! none goes on for ever.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use artoo_protocol::v1::{ImportMemoryRequest, ImportMemoryResponse};

use crate::answers::token;
use crate::console::Console;
use crate::exit::{ABANDONED, DONE, Failure};
use crate::render::{Line, Tone};

/// What is read of a file.
const LIMITS: ImportLimits = ImportLimits { part_bytes: 512 * 1024, part_lines: 2_000, bytes: 1 << 30 };
/// Refusals of an import that are shown; the rest is counted.
const SHOWN_ERRORS: usize = 20;

/// What is read of a file, and how it is cut.
#[derive(Debug, Clone, Copy)]
struct ImportLimits {
    /// Bytes of lines in one import call, and of one line: under the daemon's limit of 1 MiB a message, with room for what
    /// surrounds them. The longest memory has a tenth of that.
    part_bytes: usize,
    /// Lines in one import call; the daemon takes 5,000.
    part_lines: usize,
    /// Bytes of the file: some 500,000 memories.
    bytes: u64,
}

/// `artoo memory import`; exit code 1 when a line was refused.
pub(super) async fn import(console: &mut Console, file: &Path) -> Result<u8, Failure> {
    let unreadable = |error| Failure::Local(format!("{} cannot be read: {error}", file.display()));
    let reader: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(BufReader::new(std::fs::File::open(file).map_err(unreadable)?))
    };
    let mut parts = FileParts::new(reader, LIMITS);
    let mut total = ImportMemoryResponse::default();
    while let Some((first_line, lines)) = parts.next().map_err(unreadable)? {
        let request = ImportMemoryRequest { lines, first_line, token: token(&console.daemon.paths)? };
        let part = console.daemon.answer(console.client.import_memory(request).await)?;
        total.imported += part.imported;
        total.known += part.known;
        total.buried += part.buried;
        total.refused += part.refused;
        let room = SHOWN_ERRORS.saturating_sub(total.errors.len());
        total.errors.extend(part.errors.into_iter().take(room));
    }
    total.refused += parts.too_long;
    let room = SHOWN_ERRORS.saturating_sub(total.errors.len());
    total.errors.extend(parts.refusals.drain(..).take(room));
    console.print(&total, |total, look| imported(total, look.width)).await?;
    Ok(if total.refused == 0 { DONE } else { ABANDONED })
}

/// A file in parts of whole lines.
struct FileParts<R> {
    reader: std::io::Take<R>,
    limits: ImportLimits,
    /// Lines that were read.
    number: u64,
    /// One that had no room in the part before.
    held: Option<(u64, String)>,
    /// Lines that are too long for any memory, and what is said of the first of them.
    too_long: u64,
    refusals: Vec<String>,
}

impl<R: BufRead> FileParts<R> {
    fn new(reader: R, limits: ImportLimits) -> Self {
        let reader = reader.take(limits.bytes);
        Self { reader, limits, number: 0, held: None, too_long: 0, refusals: Vec::new() }
    }

    /// The next part, with the number of its first line, from 1. Empty lines, and those that are refused here, stand as empty
    /// lines in it, so that the others keep their numbers.
    ///
    /// # Errors
    /// What the system says, that it is no text, or that the file is larger than is read.
    fn next(&mut self) -> std::io::Result<Option<(u64, String)>> {
        let (mut first, mut part, mut lines) = (0, String::new(), 0);
        loop {
            let held = self.held.take();
            let Some((number, line)) = held.map_or_else(|| self.line(), |held| Ok(Some(held)))? else {
                break;
            };
            if part.trim().is_empty() {
                // What is before it is passed over.
                (first, lines) = (number, 0);
                part.clear();
            } else if part.len() + line.len() >= self.limits.part_bytes || lines >= self.limits.part_lines {
                self.held = Some((number, line));
                break;
            }
            part.push_str(&line);
            part.push('\n');
            lines += 1;
        }
        Ok((!part.trim().is_empty()).then_some((first, part)))
    }

    /// The next line without its end, and its number.
    fn line(&mut self) -> std::io::Result<Option<(u64, String)>> {
        let mut bytes = Vec::new();
        let most = self.limits.part_bytes as u64;
        self.reader.by_ref().take(most).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return self.is_whole().map(|()| None);
        }
        self.number += 1;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() as u64 == most {
            self.reader.skip_until(b'\n')?;
            self.too_long += 1;
            if self.refusals.len() < SHOWN_ERRORS {
                let why = format!("line {}: it has more than {most} bytes, which no memory has", self.number);
                self.refusals.push(why);
            }
            bytes.clear();
        }
        let line = String::from_utf8(bytes).map_err(|_| {
            std::io::Error::other(format!("line {} is no text, so it is no file of memories", self.number))
        })?;
        Ok(Some((self.number, line)))
    }

    /// Whether the end that was met is the end of the file.
    fn is_whole(&mut self) -> std::io::Result<()> {
        if self.reader.limit() > 0 || self.reader.get_mut().fill_buf()?.is_empty() {
            return Ok(());
        }
        let what = format!(
            "it has more than {} bytes, and no more is taken from one file; split it (what stood before that was taken)",
            self.limits.bytes
        );
        Err(std::io::Error::other(what))
    }
}

fn imported(total: &ImportMemoryResponse, width: usize) -> Vec<Line> {
    let mut said = vec![format!("{} new", total.imported)];
    let others = [
        (total.known, "known already"),
        (total.buried, "stay away: they were forgotten here"),
        (total.refused, "refused"),
    ];
    said.extend(others.iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!("{many} {what}")));
    let mut lines = vec![Line::plain(said.join(", "))];
    let shown = total.errors.iter().take(SHOWN_ERRORS);
    lines.extend(shown.flat_map(|error| Line::plain("  ").hanging(Tone::Bad, error, width, 3)));
    let more = total.refused.saturating_sub(total.errors.len().min(SHOWN_ERRORS) as u64);
    if more > 0 {
        lines.push(Line::plain("  ").add(Tone::Dim, format!("and {more} more")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::ImportMemoryResponse;

    use super::{FileParts, ImportLimits, imported};

    fn cut(text: &[u8], part_bytes: usize, part_lines: usize, bytes: u64) -> Cut {
        let mut parts = FileParts::new(text, ImportLimits { part_bytes, part_lines, bytes });
        let mut all = Vec::new();
        let error = loop {
            match parts.next() {
                Ok(Some((number, lines))) => all.push((number, lines)),
                Ok(None) => break None,
                Err(error) => break Some(error.to_string()),
            }
        };
        Cut { parts: all, too_long: parts.too_long, refusals: parts.refusals, error }
    }

    #[derive(Debug)]
    struct Cut {
        parts: Vec<(u64, String)>,
        too_long: u64,
        refusals: Vec<String>,
        error: Option<String>,
    }

    #[test]
    fn an_import_is_cut_between_lines_and_keeps_their_numbers() {
        let check = |text: &str, bytes, most, expected: &[(u64, &str)]| {
            let cut = cut(text.as_bytes(), bytes, most, 1 << 20);
            let parts: Vec<(u64, &str)> =
                cut.parts.iter().map(|(number, part)| (*number, part.as_str())).collect();
            assert_eq!((parts, cut.error), (expected.to_vec(), None), "{text:?}");
        };
        check("aa\n\nbb\ncc\n", 8, 9, &[(1, "aa\n\nbb\n"), (4, "cc\n")]);
        check("a\nb\nc", 99, 2, &[(1, "a\nb\n"), (3, "c\n")]);
        check("\n\na\n", 99, 2, &[(3, "a\n")]);
        check("\n \n", 4, 9, &[]);
        check("", 4, 9, &[]);
    }

    #[test]
    fn a_line_that_no_memory_has_is_refused_by_its_number_alone() {
        let text = [b"a\n".to_vec(), vec![b'x'; 5_000], b"\nb\n".to_vec()].concat();
        let cut = cut(&text, 100, 9, 1 << 20);
        assert_eq!((cut.too_long, cut.error), (1, None));
        assert!(cut.refusals[0].starts_with("line 2: it has more than 100 bytes"), "{:?}", cut.refusals);
        assert_eq!(cut.parts, [(1, "a\n\nb\n".to_owned())]);
    }

    #[test]
    fn what_has_no_end_ends() {
        let endless = [b"a\n".to_vec(), vec![0; 50_000]].concat();
        let cut_off = cut(&endless, 100, 9, 10_000);
        assert!(
            cut_off.error.is_some_and(|why| why.contains("more than 10000 bytes")),
            "{:?}",
            cut_off.parts
        );
        let lines = "a\n".repeat(9_000);
        let cut_off = cut(lines.as_bytes(), 100, 9, 10_000);
        assert!(cut_off.error.is_some_and(|why| why.contains("split it")));
        let whole = cut(lines.as_bytes(), 100, 9, 18_000);
        assert_eq!(whole.error, None, "it has exactly as much as is read");
        let no_text = cut(b"a\n\xff\n", 100, 9, 100);
        assert!(no_text.error.is_some_and(|why| why.contains("line 2 is no text")));
    }

    #[test]
    fn an_import_tells_what_became_of_each_line() {
        let check = |total: ImportMemoryResponse, expected: &[&str]| {
            let lines: Vec<String> = imported(&total, 80).iter().map(|line| line.text(false)).collect();
            assert_eq!(lines, expected);
        };
        check(ImportMemoryResponse { imported: 3, ..Default::default() }, &["3 new"]);
        check(
            ImportMemoryResponse {
                known: 1,
                buried: 2,
                refused: 30,
                errors: vec!["line 7: no".to_owned()],
                ..Default::default()
            },
            &[
                "0 new, 1 known already, 2 stay away: they were forgotten here, 30 refused",
                "  line 7: no",
                "  and 29 more",
            ],
        );
    }
}
