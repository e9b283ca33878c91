//! Reading figures out of a text.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::names::named_paths;

/// A figure as it is written, and what it says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) shown: String,
    pub(super) kind: FigureKind,
}

impl Figure {
    /// The plain numbers in it.
    pub(super) fn amounts(&self) -> Vec<f64> {
        every_number(&self.shown)
    }
}

/// What a figure says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FigureKind {
    Amount(Amount),
    Date(CalendarDay),
    Clock {
        hour: u32,
        minute: u32,
    },
    /// Letters and digits of a hash.
    Digest(String),
}

/// A number with its precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) value: f64,
    /// Digits behind the point.
    pub(super) decimals: i32,
    /// A unit follows that stands for a power: `k`, `MB`, `million`, `万`.
    pub(super) is_scaled: bool,
    pub(super) is_percent: bool,
    /// "about" stands before it.
    pub(super) is_rough: bool,
}

/// A day; the year may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CalendarDay {
    pub(super) year: Option<i64>,
    pub(super) month: i64,
    pub(super) day: i64,
}

impl Amount {
    /// Whether this is the number, as precisely as it is written.
    pub(super) fn is_rounded(&self, number: f64) -> bool {
        let unit = 10_f64.powi(self.decimals);
        ((number * unit).round() / unit - self.value).abs() < 1e-9
    }
}

impl CalendarDay {
    /// Whether both may be the same day.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let same_year = self.year.is_none() || other.year.is_none() || self.year == other.year;
        same_year && self.month == other.month && self.day == other.day
    }
}

/// A form of dates and which capture holds year, month and day; 0 for none.
struct DateForm {
    regex: Regex,
    year: usize,
    month: usize,
    day: usize,
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A pattern of this file.
#[allow(clippy::expect_used, reason = "the pattern is a constant that the tests compile")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

static DATES: LazyLock<Vec<DateForm>> = LazyLock::new(|| {
    let month = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
    let form = |text: &str, year, month, day| DateForm { regex: pattern(text), year, month, day };
    vec![
        form(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", 1, 2, 3),
        form(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]", 1, 2, 3),
        form(r"(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]", 0, 1, 2),
        form(&format!(r"(?i)\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {month}\.?,? (\d{{4}})\b"), 3, 2, 1),
        form(&format!(r"(?i)\b{month}\.? +(\d{{1,2}})(?:st|nd|rd|th)?,? +(\d{{4}})\b"), 3, 1, 2),
        form(&format!(r"(?i)\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {month}\b"), 0, 2, 1),
        form(&format!(r"(?i)\b{month}\.? +(\d{{1,2}})(?:st|nd|rd|th)?\b"), 0, 1, 2),
        form(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b", 3, 2, 1),
    ]
});
/// A day without signs between its parts, as in names of files: `IMG_20240105.jpg`.
static COMPACT: LazyLock<DateForm> = LazyLock::new(|| DateForm {
    regex: pattern(r"\b((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\b"),
    year: 1,
    month: 2,
    day: 3,
});
/// Between day and time of a stamp: `2026-11-20T08:41:49Z`.
static JOINED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d)T(\d)"));
static CLOCK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(\d{1,2}):(\d{2})(?::\d{2})?(?:\.\d+)?(?: ?[ap]m)?"));
static DIGEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{8,64}\b"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)( ?(?:%|percent\b|thousand\b|million\b|billion\b|[kmgt]i?b?\b|[kmgt]ilobytes?\b|万|亿))?",
    )
});
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[\s>*#-]*\(?\d{1,3}[.)、:](?:\s|$)"));
static ROUGH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:about|approximately|approx\.?|roughly|around|nearly|almost|over|some|~|≈|约|大约|近|超过) ?[$€£¥]?$",
    )
});
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"));
static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:,\d+)*(?:\.\d+)?"));
static GROUPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d{1,3}(?:,\d{3})+(?:\.\d+)?$"));

/// The figures of a text that claims something. Numbers of lists, of names, of addresses and inside words are none.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let text = ADDRESS.replace_all(text, |c: &Captures<'_>| " ".repeat(c[0].len()));
    let text = ORDINAL.replace_all(&text, |c: &Captures<'_>| " ".repeat(c[0].len()));
    let mut text = DIGITS.replace_all(&text, |c: &Captures<'_>| apart(&c[0])).into_owned();
    for name in named_paths(&text) {
        text = text.replace(&name, &" ".repeat(name.len()));
    }
    let mut found = Vec::new();
    for form in DATES.iter() {
        take_dates(&mut text, form, &mut found);
    }
    take_clocks(&mut text, &mut found);
    take(
        &mut text,
        &DIGEST,
        |_, c| {
            let mixed =
                c[0].chars().any(|x| x.is_ascii_digit()) && c[0].chars().any(|x| x.is_ascii_alphabetic());
            mixed.then(|| Figure { shown: c[0].to_owned(), kind: FigureKind::Digest(c[0].to_owned()) })
        },
        &mut found,
    );
    take(&mut text, &NUMBER, amount, &mut found);
    found
}

/// The days and times of a text wherever they stand, inside names and stamps too: what evidence may hold.
pub(super) fn every_moment(text: &str) -> Vec<Figure> {
    let mut text = JOINED.replace_all(text, "$1 $2").replace('_', " ");
    let mut found = Vec::new();
    for form in DATES.iter().chain([&*COMPACT]) {
        take_dates(&mut text, form, &mut found);
    }
    take_clocks(&mut text, &mut found);
    found
}

fn take_dates(text: &mut String, form: &DateForm, found: &mut Vec<Figure>) {
    let read = |_: &str, c: &Captures<'_>| {
        let at =
            |group: usize| if group == 0 { None } else { c.get(group).and_then(|m| number_of(m.as_str())) };
        let (month, day) = (at(form.month)?, at(form.day)?);
        let known = (1..=12).contains(&month) && (1..=31).contains(&day);
        let day = CalendarDay { year: at(form.year), month, day };
        known.then(|| Figure { shown: c[0].trim().to_owned(), kind: FigureKind::Date(day) })
    };
    take(text, &form.regex, read, found);
}

fn take_clocks(text: &mut String, found: &mut Vec<Figure>) {
    let read = |_: &str, c: &Captures<'_>| {
        let (hour, minute) = (c[1].parse().ok()?, c[2].parse().ok()?);
        (hour < 25 && minute < 60)
            .then(|| Figure { shown: c[0].trim().to_owned(), kind: FigureKind::Clock { hour, minute } })
    };
    take(text, &CLOCK, read, found);
}

/// Commas that part no thousands part numbers: `199,4236.62` is two of them.
fn apart(run: &str) -> String {
    if GROUPED.is_match(run) { run.to_owned() } else { run.replace(',', " ") }
}

/// The numbers of a text wherever they stand, inside names and words too: what evidence may hold.
pub(super) fn every_number(text: &str) -> Vec<f64> {
    let mut numbers = Vec::new();
    for run in DIGITS.find_iter(text) {
        let run = run.as_str();
        if GROUPED.is_match(run) {
            numbers.extend(run.replace(',', "").parse::<f64>());
        }
        // A comma also stands between two numbers: `[200,49871.88]`, `120,500`.
        numbers.extend(run.split(',').filter_map(|part| part.parse::<f64>().ok()));
    }
    numbers
}

/// Takes the matches that are figures out of the text, so that no part of one is read again.
fn take(
    text: &mut String,
    regex: &Regex,
    read: impl Fn(&str, &Captures<'_>) -> Option<Figure>,
    found: &mut Vec<Figure>,
) {
    let mut taken = Vec::new();
    for captures in regex.captures_iter(text) {
        let range = captures.get(0).map(|m| m.range()).unwrap_or_default();
        if let Some(figure) = read(&text[..range.start], &captures) {
            found.push(figure);
            taken.push(range);
        }
    }
    for range in taken {
        text.replace_range(range.clone(), &" ".repeat(range.len()));
    }
}

fn number_of(text: &str) -> Option<i64> {
    let folded = text.to_lowercase();
    let month = MONTHS.iter().position(|m| folded.starts_with(m)).and_then(|at| i64::try_from(at + 1).ok());
    month.or_else(|| text.parse().ok())
}

/// A number that stands for itself: nothing is glued to it but a sign of money or a unit.
fn amount(before: &str, captures: &Captures<'_>) -> Option<Figure> {
    let digits = captures.get(1)?.as_str();
    let unit = captures.get(2).map_or("", |m| m.as_str()).trim();
    let glued = before.chars().next_back().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '#')
        || before.ends_with(['-', '.'])
            && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_alphanumeric());
    let plain = digits.replace(',', "");
    let value: f64 = plain.parse().ok()?;
    if glued {
        return None;
    }
    let decimals = plain.split_once('.').map_or(0, |(_, d)| i32::try_from(d.len()).unwrap_or(9));
    let is_percent = unit == "%" || unit.eq_ignore_ascii_case("percent");
    let is_rough = ROUGH.is_match(before);
    let kind = Amount { value, decimals, is_scaled: !unit.is_empty() && !is_percent, is_percent, is_rough };
    Some(Figure { shown: format!("{digits}{unit}"), kind: FigureKind::Amount(kind) })
}
