//! Figures: the numbers, dates, times, digests and file names of an answer, and whether receipts show them.
//!
//! A model that has not looked makes its figures up; so a figure of its text counts only if a tool's output holds it, if it
//! follows from such outputs by plain arithmetic, or if the person said it.

mod arithmetic;
mod forms;
mod json;
mod operations;
mod own;
mod read;
mod units;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use artoo_request::spoken_numbers;
use artoo_types::evidence::Receipt;
use artoo_types::text::{first_chars, head_tail};
use artoo_types::tool::names::{EDIT_FILE, WRITE_FILE};
use regex::Regex;
use serde_json::Value;

use crate::names::{mentions, named_paths};
use arithmetic::{Explanation, ShownNumbers, is_day_of};
use operations::{NamedOperations, SpokenWords};
use own::{MixedNumbers, numbers_of, own_numbers};
use read::{Amount, CalendarDay, Figure, FigureKind, every_moment, every_number, figures};
use units::{Currency, currencies};

/// Bytes of outputs that are read, shared by all receipts: reading them takes some tens of milliseconds.
const MOST_BYTES: usize = 200_000;
/// Most figures of one text that are looked for, and most that are told.
const MOST_FIGURES: usize = 64;
/// Most unsupported figures that are told.
const MOST_TOLD: usize = 8;
/// Characters of one that is told.
const TOLD_CHARS: usize = 80;

/// Commands whose numbers without a unit are bytes, never more than that.
static TELLS_BYTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bwc +(?:-\w+ +)*-\w*c\b|\bstat\b[^|;]*%s|-printf\b[^|;]*%s|\bdu +(?:-\w+ +)*-\w*b")
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
    /// What the person asks for, and what was accepted before.
    asked: String,
    /// The currencies that the outputs and the person speak of.
    currencies: BTreeSet<Currency>,
    /// What calls show that also read a file of this work.
    mixed: Vec<MixedNumbers>,
    /// Whether a call shows a picture: what can be read off that stands in no text.
    has_picture: bool,
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
            evidence.know(text);
        }
        let share = MOST_BYTES / receipts.len().max(1);
        for (at, receipt) in receipts.iter().enumerate() {
            let own = own_numbers(receipt, &receipts[..at], &mut evidence.mixed);
            let output = head_tail(&receipt.output, share);
            evidence.numbers.is_in_bytes = TELLS_BYTES.is_match(&receipt.arguments);
            evidence.note(&output, &own);
            evidence.numbers.is_in_bytes = false;
            evidence.currencies.extend(currencies(&output));
            evidence.numbers.has_blocks |= receipt.classes.iter().any(|class| counts_blocks(class));
            if let Some(written) = receipt.act.written.as_deref().filter(|_| !dictates(receipt)) {
                evidence.note(written, &numbers_of(&receipt.arguments));
            }
            evidence.numbers.count(&output);
            if let Some(document) = json::document(&receipt.output) {
                let rows = json::rows(&document);
                evidence.numbers.tabulate(&rows, &own);
                evidence.numbers.count(&rows);
                evidence.count_lists(&document);
                evidence.text.push_str(&json::keys(&document).to_lowercase());
            }
            evidence.has_picture |= receipt.act.image.is_some();
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

    /// What these outputs and texts show, to the digit: figures, written in other ways or rounded, how many lines an output has
    /// and its lists have, and what follows from them by an operation that the answer or the texts name. The classes are those
    /// of the calls.
    pub fn as_shown(outputs: &[&str], known: &[&str], classes: &[&str]) -> Self {
        let mut evidence = Self { numbers: ShownNumbers::strict(), ..Self::default() };
        evidence.numbers.has_blocks = classes.iter().any(|class| counts_blocks(class));
        let share = MOST_BYTES / (outputs.len() + known.len()).max(1);
        for text in outputs.iter().chain(known) {
            evidence.note(&head_tail(text, share), &BTreeSet::new());
        }
        for text in known {
            evidence.know(text);
            spoken_numbers(text).into_iter().for_each(|number| evidence.numbers.add(number as f64));
        }
        for output in outputs {
            let output = head_tail(output, share);
            evidence.text.push_str(&output.to_lowercase());
            evidence.text.push('\n');
            evidence.currencies.extend(currencies(&output));
            evidence.numbers.count(&output);
            if let Some(document) = json::document(&output) {
                evidence.numbers.count(&json::rows(&document));
                evidence.count_lists(&document);
            }
        }
        evidence.numbers.settle();
        evidence
    }

    fn count_lists(&mut self, document: &Value) {
        json::lists(document).into_iter().for_each(|(name, length)| self.numbers.count_list(&name, length));
    }

    /// Takes in what a person said, or what was accepted before.
    fn know(&mut self, text: &str) {
        self.currencies.extend(currencies(text));
        for place in [&mut self.text, &mut self.asked] {
            place.push_str(&text.to_lowercase());
            place.push('\n');
        }
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
    /// Where a call shows a picture, nothing is known to rest on nothing.
    pub fn unsupported_numbers(&self, text: &str) -> Vec<String> {
        if self.has_picture { Vec::new() } else { self.unshown_numbers(text) }
    }

    /// The same for a reader, who may look at pictures.
    pub(crate) fn unshown_numbers(&self, text: &str) -> Vec<String> {
        let all = figures(text);
        let explained = self.explanation(text, &all);
        let mut found: Vec<String> = Vec::new();
        for figure in all.into_iter().take(MOST_FIGURES) {
            if found.len() < MOST_TOLD
                && !self.supports(&figure, text, &explained)
                && !found.contains(&figure.shown)
            {
                found.push(figure.shown);
            }
        }
        found.retain(|shown| !self.is_owned_up(text, shown));
        found
    }

    /// Whether the text tells figures, and all of them are shown.
    pub fn shows_all(&self, text: &str) -> bool {
        !figures(text).is_empty() && self.unsupported_numbers(text).is_empty()
    }

    /// What the text says that may explain a figure of it.
    fn explanation(&self, text: &str, all: &[Figure]) -> Explanation {
        let named = NamedOperations::of(text).and(NamedOperations::of(&self.asked));
        let of_words = self.numbers.of_words(&SpokenWords::of(&format!("{text}\n{}", self.asked)), named);
        let readings = |figure: &Figure| -> Vec<Amount> {
            let first = match &figure.kind {
                FigureKind::Amount(amount) => Some(amount.clone()),
                FigureKind::Date(_) | FigureKind::Clock { .. } | FigureKind::Digest(_) => None,
            };
            first.into_iter().chain(figure.otherwise.iter().flatten().cloned()).collect()
        };
        let mut told: Vec<f64> = Vec::new();
        for amount in all.iter().take(MOST_FIGURES).flat_map(readings) {
            if self.numbers.stands(&amount) && !told.contains(&amount.value) {
                told.push(amount.value);
            }
        }
        Explanation { named, told, of_words }
    }

    /// In which words these figures are refused, with what would show them.
    pub(crate) fn refusal(&self, figures: &[String]) -> String {
        let numbers: BTreeSet<u64> = figures.iter().flat_map(|figure| numbers_of(figure)).collect();
        let mixed = self.mixed.iter().find(|mixed| !mixed.numbers.is_disjoint(&numbers));
        let how = mixed.map_or_else(String::new, |mixed| {
            format!(
                " ({} reads {}, which this work wrote, beside other files: read those in a call of their own)",
                mixed.id, mixed.file
            )
        });
        format!("{}{how}", not_shown(figures))
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

    fn supports(&self, figure: &Figure, text: &str, explained: &Explanation) -> bool {
        let is_otherwise =
            || figure.otherwise.iter().any(|all| all.iter().all(|one| self.numbers.support(one, explained)));
        match &figure.kind {
            FigureKind::Amount(amount) => {
                let begins = || amount.decimals > 0 && self.text.contains(&format!(" {}.", figure.shown));
                (self.numbers.support(amount, explained) || is_otherwise() || begins())
                    && self.is_paid_so(figure, text)
            }
            FigureKind::Digest(digest) => self.text.contains(digest),
            FigureKind::Date(date) => self.holds_day(date),
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

    /// Whether a day is shown: a date, a moment of a file, the day of a call, or where a month of it begins or ends.
    fn holds_day(&self, date: &CalendarDay) -> bool {
        let mut days = self.figures.iter().filter_map(|f| match &f.kind {
            FigureKind::Date(shown) => Some(shown),
            FigureKind::Amount(_) | FigureKind::Clock { .. } | FigureKind::Digest(_) => None,
        });
        self.numbers.holds_day(date)
            || self.moments.iter().any(|moment| is_day_of(*moment, date))
            || days.any(|shown| shown.agrees(date) || date.is_edge() && shown.agrees_in_month(date))
    }

    /// Whether the sign of money at a figure is one that the outputs or the person know, if they know any.
    fn is_paid_so(&self, figure: &Figure, text: &str) -> bool {
        if self.currencies.is_empty() {
            return true;
        }
        let mut places = text.match_indices(figure.shown.as_str()).map(|(at, _)| {
            let (before, behind) = (&text[..at], &text[at..]);
            let before: String = before.chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect();
            currencies(&format!("{before}{}", first_chars(behind, figure.shown.chars().count() + 6)))
        });
        places.all(|told| told.is_empty() || told.iter().any(|one| self.currencies.contains(one)))
    }
}

/// Whether a program of this class tells sizes in blocks of 1024 bytes.
fn counts_blocks(class: &str) -> bool {
    class.split_once(':').is_some_and(|(_, program)| ["du", "df", "ls", "free"].contains(&program))
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
    let is_otherwise = |figure: &Figure| {
        let all_there = |all: &Vec<Amount>| all.iter().all(|one| numbers.iter().any(|n| one.is_rounded(*n)));
        figure.otherwise.iter().any(all_there)
    };
    for figure in figures(wanted).into_iter().take(MOST_FIGURES) {
        if found.len() < MOST_TOLD
            && !holds(&figure)
            && !is_otherwise(&figure)
            && !found.contains(&figure.shown)
        {
            found.push(figure.shown);
        }
    }
    found
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
