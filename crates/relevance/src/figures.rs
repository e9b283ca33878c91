//! Figures: the numbers, dates, times, digests and file names of an answer, and whether receipts show them.
//!
//! A model that has not looked makes its figures up; so a figure of its text counts only if a tool's output holds it, if it
//! follows from such outputs by plain arithmetic, or if the person said it.

mod arithmetic;
mod json;
mod read;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use artoo_request::spoken_numbers;
use artoo_types::evidence::Receipt;
use artoo_types::target::is_below;
use artoo_types::text::{first_chars, head_tail};
use artoo_types::tool::names::{EDIT_FILE, GREP, WRITE_FILE};
use regex::Regex;
use serde_json::Value;

use crate::names::{mentions, named_paths};
use arithmetic::{ShownNumbers, is_day_of};
use read::{Figure, FigureKind, every_moment, every_number, figures};

/// Bytes of outputs that are read, shared by all receipts: reading them takes some tens of milliseconds.
const MOST_BYTES: usize = 200_000;
/// Most figures of one text that are looked for, and most that are told.
const MOST_FIGURES: usize = 64;
/// Most unsupported figures that are told.
const MOST_TOLD: usize = 8;
/// Characters of one that is told.
const TOLD_CHARS: usize = 80;

/// Bytes of arguments beyond which they are a program with a grammar of its own, rather than a text that is repeated.
const GRAMMAR_BYTES: usize = 200;
/// Programs that print what their arguments say: a number that stands in the arguments is the model's, not the world's.
const SPEAKERS: [&str; 21] = [
    "echo", "printf", "python", "python3", "perl", "ruby", "node", "php", "lua", "awk", "gawk", "mawk",
    "nawk", "bc", "dc", "expr", "seq", "jq", "yes", "cat", "tee",
];

/// Digits of a program of `awk` that none of its outputs repeats: the width of a printed number, `%.12g`, and what a count is
/// compared with, `NR<=200`.
static FORMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(^|[^%])(?:%[-+ #0]*[0-9]*(?:\.[0-9]+)?[diouxXeEfFgGcs]|\b(?:F?NR|[a-z])(?:<=?|-)[0-9]+|\b[0-9]+<(?:F?NR|[a-z])\b)")
        .expect("a constant pattern compiles")
});

/// Programs with a number in their name, and signs of a stream sent into another.
static PROGRAMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(python|pip|perl|ruby|node|lua|sqlite|sha|md|base|bzip|gawk)\d+(?:\.\d+)*(?:sum)?\b")
        .expect("a constant pattern compiles")
});
/// Words by which an answer says that something before it was wrong.
static OWNS_UP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:wrong(?:ly)?|mistake(?:n|nly)?|mistyped|typo|erroneous(?:ly)?|corrected|instead of|in place of|rather than)\b|误|错|更正")
        .expect("a constant pattern compiles")
});

/// What a figure may rest on.
#[derive(Debug, Default)]
pub struct FigureEvidence {
    numbers: ShownNumbers,
    figures: Vec<Figure>,
    /// When the calls were made, in seconds: every role is told the date.
    moments: Vec<f64>,
    /// All of it in small letters, for names and digests.
    text: String,
}

impl FigureEvidence {
    /// What these receipts, the person's words and texts that were accepted before show.
    pub fn of(receipts: &[&Receipt], known: &[&str]) -> Self {
        let mut evidence = Self::default();
        for text in known {
            evidence.note(text, &BTreeSet::new());
            // "The ten largest" may be told as "the 10 largest".
            for number in spoken_numbers(text) {
                evidence.numbers.add(number as f64);
            }
            evidence.text.push_str(&text.to_lowercase());
            evidence.text.push('\n');
        }
        let share = MOST_BYTES / receipts.len().max(1);
        for (at, receipt) in receipts.iter().enumerate() {
            let own = own_numbers(receipt, &receipts[..at]);
            let output = head_tail(&receipt.output, share);
            evidence.note(&output, &own);
            if let Some(written) = receipt.act.written.as_deref().filter(|_| !dictates(receipt)) {
                evidence.note(written, &numbers_of(&receipt.arguments));
            }
            evidence.numbers.count(&output);
            if let Some(document) = json::document(&receipt.output) {
                let rows = json::rows(&document);
                evidence.numbers.tabulate(&rows, &own);
                evidence.numbers.count(&rows);
                evidence.text.push_str(&json::keys(&document).to_lowercase());
            }
            evidence.moments.push(receipt.time.started_at.0 as f64 / 1e3);
            evidence.numbers.add(receipt.output_bytes as f64);
            evidence.numbers.add(receipt.act.changes.len() as f64 + receipt.act.changes_omitted as f64);
            let changed: Vec<&str> = receipt.act.changes.iter().map(|c| c.path.as_str()).collect();
            let shown =
                [output.as_str(), &receipt.target, &receipt.arguments, &changed.join("\n")].join("\n");
            evidence.text.push_str(&shown.to_lowercase());
            evidence.text.push('\n');
        }
        evidence.numbers.add(receipts.len() as f64);
        evidence.numbers.settle();
        evidence
    }

    /// What these outputs and texts show as it stands there: figures, written in other ways or rounded, and how many lines an
    /// output has. Nothing is computed from them.
    pub fn as_shown(outputs: &[&str], known: &[&str]) -> Self {
        let mut evidence = Self { numbers: ShownNumbers::exact(), ..Self::default() };
        let share = MOST_BYTES / (outputs.len() + known.len()).max(1);
        for text in outputs.iter().chain(known) {
            let text = head_tail(text, share);
            evidence.note(&text, &BTreeSet::new());
            evidence.text.push_str(&text.to_lowercase());
            evidence.text.push('\n');
        }
        for text in known {
            spoken_numbers(text).into_iter().for_each(|number| evidence.numbers.add(number as f64));
        }
        for output in outputs {
            let lines = output.lines().filter(|line| !line.trim().is_empty()).count();
            [lines, lines.saturating_sub(1)].into_iter().for_each(|count| evidence.numbers.add(count as f64));
        }
        evidence.numbers.settle();
        evidence
    }

    fn note(&mut self, text: &str, own: &BTreeSet<u64>) {
        self.numbers.read(text, own);
        // A date is the model's own when all of it is: days and months are digits of every program.
        let is_own = |f: &Figure| {
            let amounts = f.amounts();
            !amounts.is_empty() && amounts.iter().all(|n| own.contains(&n.to_bits()))
        };
        let shown = figures(text).into_iter().chain(every_moment(text));
        self.figures.extend(shown.filter(|f| !is_own(f)));
    }

    /// The numbers, dates and times of the text that rest on nothing, as they are written there.
    pub fn unsupported_numbers(&self, text: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for figure in figures(text).into_iter().take(MOST_FIGURES) {
            if found.len() < MOST_TOLD && !self.supports(&figure) && !found.contains(&figure.shown) {
                found.push(figure.shown);
            }
        }
        found.retain(|shown| !self.is_owned_up(text, shown));
        found
    }

    /// Whether a figure of a call of this work is told as what was wrong.
    fn is_owned_up(&self, text: &str, shown: &str) -> bool {
        let mut sentences = text.split(['\n', ';', '。', '；']).flat_map(|line| line.split(". "));
        self.text.contains(&shown.to_lowercase())
            && sentences.any(|sentence| sentence.contains(shown) && OWNS_UP.is_match(sentence))
    }

    /// The same with the file names that nothing mentions.
    pub fn unsupported(&self, text: &str) -> Vec<String> {
        let mut found = self.unsupported_numbers(text);
        for name in named_paths(text).into_iter().take(MOST_FIGURES) {
            if found.len() < MOST_TOLD && !mentions(&self.text, &name) {
                found.push(first_chars(&name, TOLD_CHARS));
            }
        }
        found
    }

    fn supports(&self, figure: &Figure) -> bool {
        match &figure.kind {
            FigureKind::Amount(amount) => self.numbers.support(amount),
            FigureKind::Digest(digest) => self.text.contains(digest),
            FigureKind::Date(date) => {
                self.numbers.holds_day(date)
                    || self.moments.iter().any(|moment| is_day_of(*moment, date))
                    || self
                        .figures
                        .iter()
                        .any(|f| matches!(&f.kind, FigureKind::Date(shown) if shown.agrees(date)))
            }
            FigureKind::Clock { hour, minute } => {
                let is_shown = self.figures.iter().any(|f| match &f.kind {
                    FigureKind::Clock { hour: shown, minute: m } => m == minute && shown % 12 == hour % 12,
                    FigureKind::Amount(_) | FigureKind::Digest(_) | FigureKind::Date(_) => false,
                });
                // "14:00 to 14:59" is hour 14.
                is_shown || matches!(minute, 0 | 59) && self.numbers.holds(f64::from(*hour))
            }
        }
    }
}

/// In which words these figures are refused.
pub(crate) fn not_shown(figures: &[String]) -> String {
    format!("not in any receipt: {}; let a tool compute or read it", figures.join(", "))
}

/// The figures of a text that another one does not hold, as they are written. Unlike what evidence supports, nothing is
/// computed here: a number stands there with its value, a day as a day, however both are written.
pub(crate) fn missing(wanted: &str, text: &str) -> Vec<String> {
    let there = figures(text);
    let numbers: Vec<f64> =
        every_number(text).into_iter().chain(spoken_numbers(text).into_iter().map(|n| n as f64)).collect();
    let holds = |figure: &Figure| match &figure.kind {
        FigureKind::Amount(amount) => numbers.iter().any(|number| amount.is_rounded(*number)),
        FigureKind::Date(day) => {
            there.iter().any(|f| matches!(&f.kind, FigureKind::Date(shown) if shown.agrees(day)))
        }
        FigureKind::Clock { .. } => there.iter().any(|f| f.kind == figure.kind),
        FigureKind::Digest(digest) => text.to_lowercase().contains(digest),
    };
    let mut found: Vec<String> = Vec::new();
    for figure in figures(wanted).into_iter().take(MOST_FIGURES) {
        if found.len() < MOST_TOLD && !holds(&figure) && !found.contains(&figure.shown) {
            found.push(figure.shown);
        }
    }
    found
}

/// The numbers of a receipt's output that the model itself put there: those of the arguments of a program that repeats them,
/// and those of a text that an earlier call wrote to the file that is read here. The digits of a long program over a file are
/// its grammar: columns, exit statuses, steps.
fn own_numbers(receipt: &Receipt, earlier: &[&Receipt]) -> BTreeSet<u64> {
    let mut own = BTreeSet::new();
    let speaks = receipt
        .classes
        .iter()
        .any(|class| class.split_once(':').is_some_and(|(_, program)| SPEAKERS.contains(&program)));
    if speaks {
        let is_program = !receipt.act.inputs.is_empty() && receipt.arguments.len() > GRAMMAR_BYTES;
        let is_grammar = |bits: &u64| is_program && (0.0..10.0).contains(&f64::from_bits(*bits));
        let words = own_words(receipt);
        let is_awk = receipt.classes.iter().any(|class| class.ends_with("awk"));
        let spoken = if is_awk { FORMS.replace_all(&words, "$1 ") } else { words.as_str().into() };
        own.extend(numbers_of(&spoken).into_iter().filter(|bits| !is_grammar(bits)));
    }
    for writer in earlier.iter().filter(|r| dictates(r) || !r.act.changes.is_empty()) {
        let mut touched: Vec<&str> = writer.act.changes.iter().map(|c| c.path.as_str()).collect();
        if touched.is_empty() {
            touched.push(&writer.target);
        }
        if touched.iter().any(|path| !path.is_empty() && looks_at(receipt, path)) {
            let found = found_there(writer);
            own.extend(numbers_of(&own_words(writer)).difference(&found));
        }
    }
    own
}

/// Whether a call may have read this file: it names it, by a pattern as well, or reads all that lies in a folder of it.
fn looks_at(receipt: &Receipt, path: &str) -> bool {
    let looked_at = format!("{} {}", receipt.arguments, receipt.target);
    if mentions(&looked_at, path)
        || looked_at.split_whitespace().any(|folder| is_below(path, folder)) && reads_deep(receipt)
    {
        return true;
    }
    let words = looked_at
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ';' | '|' | '(' | ')'));
    words.filter(|word| word.contains('*')).any(|pattern| fits(pattern.trim_start_matches("./"), path))
}

/// Whether the call reads what lies below the folders that it names.
fn reads_deep(receipt: &Receipt) -> bool {
    static DEEP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:find|rg|fd|tar|grep +(?:-\w+ +)*-\w*[rR])").expect("a constant pattern compiles")
    });
    receipt.tool == GREP || DEEP.is_match(&receipt.arguments)
}

/// Whether a pattern of names with `*` may mean this path; its folder as far as it names one.
fn fits(pattern: &str, path: &str) -> bool {
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let (path_folder, path_name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_there = folder.is_empty() || folder.contains('*') || path_folder.ends_with(folder);
    let (front, back) =
        (name.split('*').next().unwrap_or_default(), name.rsplit('*').next().unwrap_or_default());
    is_there && path_name.starts_with(front) && path_name.ends_with(back)
}

/// The numbers that an edit found in the file: what it took away, and what stands around it.
fn found_there(writer: &Receipt) -> BTreeSet<u64> {
    let Some(written) =
        writer.act.written.as_deref().filter(|text| text.lines().any(|line| line.starts_with("@@")))
    else {
        return BTreeSet::new();
    };
    let there = written.lines().filter(|line| line.starts_with(['-', ' ']));
    numbers_of(&there.collect::<Vec<_>>().join("\n"))
}

/// The arguments without the names of files that are there or came to be: their digits tell nothing. A name without any
/// letter stays, for a number that is to be told looks the same.
fn own_words(receipt: &Receipt) -> String {
    let inputs = receipt.act.inputs.iter().map(|input| input.path.as_str());
    let changes = receipt.act.changes.iter().map(|change| change.path.as_str());
    // The 3 of `python3` is no number.
    let mut words = PROGRAMS.replace_all(&receipt.arguments, "$1").into_owned();
    for path in inputs.chain(changes) {
        let name = path.rsplit('/').next().unwrap_or(path);
        for known in [path, name].into_iter().filter(|known| known.contains(char::is_alphabetic)) {
            words = words.replace(known, " ");
        }
    }
    words
}

/// The numbers of a text, by their bits.
fn numbers_of(text: &str) -> BTreeSet<u64> {
    every_number(text).into_iter().map(f64::to_bits).collect()
}

/// Whether the call puts the model's own text into a file, so that what it wrote shows nothing.
fn dictates(receipt: &Receipt) -> bool {
    [WRITE_FILE, EDIT_FILE].contains(&receipt.tool.as_str())
}

/// The text that a call wrote: as the runtime saw it, else as the arguments say. Of a difference only what was added.
pub(crate) fn written_text(receipt: &Receipt) -> Option<String> {
    let Some(written) = receipt.act.written.as_deref() else {
        if !dictates(receipt) {
            return None;
        }
        let arguments: Value = serde_json::from_str(&receipt.arguments).ok()?;
        return Some(arguments.get("content")?.as_str()?.to_owned());
    };
    let is_difference = written.lines().any(|line| line.starts_with("@@"));
    let stays = |line: &&str| !is_difference || line.starts_with('+') && !line.starts_with("+++");
    Some(written.lines().filter(stays).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests;
