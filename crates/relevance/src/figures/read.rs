//! Reading figures out of a text.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::forms::{LocalForm, NumberReading, local_forms, local_numbers, reading};
use super::units::{Quantity, UNIT_PATTERN, Unit, is_percent, long_times};
use crate::names::named_paths;
use crate::pattern;

/// A figure as it is written, and what it says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) shown: String,
    pub(super) kind: FigureKind,
    /// Other ways to read it: of one of them all must be so.
    pub(super) otherwise: Vec<Vec<Amount>>,
}

impl Figure {
    fn new(shown: &str, kind: FigureKind) -> Self {
        Self { shown: shown.trim().to_owned(), kind, otherwise: Vec::new() }
    }

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
    /// Letters and digits of a hash, and the numbers of a version.
    Digest(String),
}

/// A number with its precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) value: f64,
    /// Digits behind the point.
    pub(super) decimals: i32,
    /// The unit that follows: `k`, `MB`, `million`, `万`, `minutes`.
    pub(super) unit: Option<Unit>,
    pub(super) is_percent: bool,
    /// "about" stands before it.
    pub(super) is_rough: bool,
    /// It is told as a part of a date or a time: "in 2025", "the 5th", "hour 14".
    pub(super) is_of_date: bool,
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

    /// Whether both may lie in the same month.
    pub(super) fn agrees_in_month(&self, other: &Self) -> bool {
        Self { day: other.day, ..*self }.agrees(other)
    }

    /// Whether a month begins or ends with it.
    pub(super) fn is_edge(&self) -> bool {
        let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match self.month {
            2 if self.year.is_some_and(is_leap) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        self.day == 1 || self.day == last || self.month == 2 && self.year.is_none() && self.day == 29
    }
}

/// A form of dates and which capture holds year, month and day; 0 for none.
struct DateForm {
    regex: Regex,
    year: usize,
    month: usize,
    day: usize,
}

/// How names of months begin, in English, German and French.
const MONTHS: [(&str, i64); 22] = [
    ("jan", 1),
    ("feb", 2),
    ("fév", 2),
    ("mar", 3),
    ("mär", 3),
    ("apr", 4),
    ("avr", 4),
    ("may", 5),
    ("mai", 5),
    ("jun", 6),
    ("juin", 6),
    ("jul", 7),
    ("juil", 7),
    ("aug", 8),
    ("aoû", 8),
    ("sep", 9),
    ("oct", 10),
    ("okt", 10),
    ("nov", 11),
    ("dec", 12),
    ("dez", 12),
    ("déc", 12),
];

static DATES: LazyLock<Vec<DateForm>> = LazyLock::new(|| {
    let month = "(jan|feb|fév|mar|mär|apr|avr|may|mai|jun|juin|jul|juil|aug|aoû|sep|oct|okt|nov|dec|dez|déc)[a-zä-ü]*";
    let form = |text: &str, year, month, day| DateForm { regex: pattern(text), year, month, day };
    vec![
        form(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", 1, 2, 3),
        form(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]", 1, 2, 3),
        form(r"(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]", 0, 1, 2),
        form(&format!(r"(?i)\b(\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?: of)? {month}\.?,? (\d{{4}})\b"), 3, 2, 1),
        form(&format!(r"(?i)\b{month}\.? +(\d{{1,2}})(?:st|nd|rd|th)?,? +(\d{{4}})\b"), 3, 1, 2),
        form(&format!(r"(?i)\b(\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?: of)? {month}\b"), 0, 2, 1),
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
static GERMAN_CLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(\d{1,2})\.(\d{2}) ?Uhr\b"));
static DIGEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{8,64}\b"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"(?i)(\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)( ?{UNIT_PATTERN})?"))
});
/// What stands behind a number that was read.
static FOLLOWING: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)^ ?{UNIT_PATTERN}")));
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^[\s>*#-]*\(?\d{1,3}[.)、:](?:\s|$)"));
static ROUGH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:about|approximately|approx\.?|roughly|around|nearly|almost|over|some|~|≈|circa|ca\.|rund|etwa|约|大约|近|超过) ?(?:[$€£¥]|(?:EUR|USD|CHF|GBP|CNY|RMB|JPY) ?)?$",
    )
});
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"));
/// A version: numbers of which none counts anything.
static VERSION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bv?\d+(?:\.\d+){2,}\b|\bv\d+(?:\.\d+)+\b"));
/// What of a tool's output are parts of dates, times, addresses and versions.
static NO_COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)\b(?:19|20)\d{2}[-/]\d{1,2}[-/]\d{1,2}(?:[T\ _]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?
        |\b\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2}\b
        |\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b
        |\b\d{1,3}(?:\.\d{1,3}){3}\b|\bv?\d+(?:\.\d{1,2}){2,}\b|\bv\d+(?:\.\d+)+\b",
    )
});
/// How long something took, as programs tell it.
static SPAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d{1,3}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\b"));
/// What stands before and behind a part of a date or a time; a date that was read is a gap by then: "7 and 8 November".
static BEFORE_PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:hours?|days?|months?|years?|weeks?|fy|stunde|tag|monat|jahr|at|um|heure|année|versions?|python|node|java|ruby|go|rust|php|perl)\s*$",
    )
});
static BEHIND_PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:st|nd|rd|th)\b|^ ?[年月日号时点]|^ ?(?:h|uhr|o'clock|am|pm)\b|^,? ?(?:and|to|until|till|bis|und|et|–|-|,) {5,}",
    )
});
/// What is counted, behind a number that could be a year.
static COUNTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^ ?[a-z]+[^s\W]s\b|^ ?[个行条件项人份次张页家台]"));
static OF_YEAR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:the|in|for|of|since|until|till|from|to|through|by|this|year|fy|during|before|after|and|im|seit|bis)\s*$",
    )
});

static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:,\d+)*(?:\.\d+)?"));
static GROUPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d{1,3}(?:,\d{3})+(?:\.\d+)?$"));

/// The figures of a text that claims something. Numbers of lists, of names, of addresses and inside words are none.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let text = ADDRESS.replace_all(text, |c: &Captures<'_>| " ".repeat(c[0].len()));
    let mut text = ORDINAL.replace_all(&text, |c: &Captures<'_>| " ".repeat(c[0].len())).into_owned();
    for name in named_paths(&parted(&text)) {
        text = text.replace(&name, &" ".repeat(name.len()));
    }
    let mut found = Vec::new();
    take_long_times(&mut text, &mut found);
    take_local_forms(&mut text, &mut found);
    let mut text = parted(&text);
    for name in named_paths(&text) {
        text = text.replace(&name, &" ".repeat(name.len()));
    }
    for form in DATES.iter() {
        take_dates(&mut text, form, &mut found);
    }
    take_clocks(&mut text, &mut found);
    let version = |_: &str, _: &str, c: &Captures<'_>| {
        Some(Figure::new(&c[0], FigureKind::Digest(c[0].trim_start_matches('v').to_owned())))
    };
    take(&mut text, &VERSION, version, &mut found);
    take(
        &mut text,
        &DIGEST,
        |_, _, c| {
            let mixed =
                c[0].chars().any(|x| x.is_ascii_digit()) && c[0].chars().any(|x| x.is_ascii_alphabetic());
            mixed.then(|| Figure::new(&c[0], FigureKind::Digest(c[0].to_owned())))
        },
        &mut found,
    );
    take(&mut text, &NUMBER, amount, &mut found);
    found
}

/// Numbers that a comma parts are parted by a space.
fn parted(text: &str) -> String {
    DIGITS.replace_all(text, |c: &Captures<'_>| apart(&c[0])).into_owned()
}

fn take_long_times(text: &mut String, found: &mut Vec<Figure>) {
    for (range, value, decimals) in long_times(text) {
        let one = NumberReading { value, decimals };
        let amount = amount_of(one, &text[..range.start], "s", false);
        found.push(Figure::new(&text[range.clone()], FigureKind::Amount(amount)));
        text.replace_range(range.clone(), &" ".repeat(range.len()));
    }
}

fn take_local_forms(text: &mut String, found: &mut Vec<Figure>) {
    for LocalForm { range, whole, parts } in local_forms(text) {
        let shown = &text[range.clone()];
        let is_english = shown.contains(',') && parts.is_empty() && whole.len() > 1;
        if is_english || is_glued(&text[..range.start]) {
            continue;
        }
        let unit = FOLLOWING.find(&text[range.end..]).map_or("", |unit| unit.as_str());
        let (before, end) = (&text[..range.start], range.end + unit.len());
        let mut readings = whole.iter().map(|one| amount_of(*one, before, unit, false));
        let Some(first) = readings.next() else { continue };
        let mut otherwise: Vec<Vec<Amount>> = readings.map(|one| vec![one]).collect();
        if !parts.is_empty() {
            let last = parts.len() - 1;
            let part = |(at, one): (usize, &NumberReading)| {
                amount_of(*one, before, if at == last { unit } else { "" }, false)
            };
            otherwise.push(parts.iter().enumerate().map(part).collect());
        }
        let mut figure = Figure::new(shown, FigureKind::Amount(first));
        figure.otherwise = otherwise;
        found.push(figure);
        text.replace_range(range.start..end, &" ".repeat(end - range.start));
    }
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
    let read = |_: &str, _: &str, c: &Captures<'_>| {
        let at =
            |group: usize| if group == 0 { None } else { c.get(group).and_then(|m| number_of(m.as_str())) };
        let (month, day) = (at(form.month)?, at(form.day)?);
        let known = (1..=12).contains(&month) && (1..=31).contains(&day);
        let day = CalendarDay { year: at(form.year), month, day };
        known.then(|| Figure::new(&c[0], FigureKind::Date(day)))
    };
    take(text, &form.regex, read, found);
}

fn take_clocks(text: &mut String, found: &mut Vec<Figure>) {
    let read = |_: &str, _: &str, c: &Captures<'_>| {
        let (hour, minute) = (c[1].parse().ok()?, c[2].parse().ok()?);
        (hour < 25 && minute < 60).then(|| Figure::new(&c[0], FigureKind::Clock { hour, minute }))
    };
    take(text, &CLOCK, read, found);
    take(text, &GERMAN_CLOCK, read, found);
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
    numbers.extend(local_numbers(text));
    numbers
}

/// The numbers of a tool's output that may count something: none is a part of a date, a time, an address or a version.
pub(super) fn counting_numbers(text: &str) -> Vec<f64> {
    // Most cells of a table are words or whole numbers.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().into_iter().collect();
    }
    every_number(&NO_COUNTS.replace_all(text, " "))
}

/// The parts of dates, times and versions of a tool's output, also the first two of `3.12.4` as one number.
pub(super) fn parts_of_dates(text: &str) -> Vec<f64> {
    let mut parts = Vec::new();
    for part in NO_COUNTS.find_iter(text).map(|part| part.as_str()) {
        parts.extend(every_number(part));
        parts.extend(
            part.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<f64>().ok()),
        );
    }
    parts
}

/// The times of a tool's output in seconds, as if they told how long something took: `0:05:30`, `5:30`.
pub(super) fn spans(text: &str) -> Vec<f64> {
    let read = |captures: Captures<'_>| {
        let number = |group: usize| captures.get(group).map_or(Some(0.0), |m| m.as_str().parse::<f64>().ok());
        let (first, second) = (number(1)?, number(2)?);
        Some(match captures.get(3) {
            Some(_) => first * 3_600.0 + second * 60.0 + number(3)?,
            None => first * 60.0 + second,
        })
    };
    SPAN.captures_iter(text).filter_map(read).collect()
}

/// The numbers of a tool's output that stand before a unit.
pub(super) fn measures(text: &str) -> Vec<(f64, Unit)> {
    let mut text = text.to_owned();
    let mut found = Vec::new();
    take_long_times(&mut text, &mut found);
    take_local_forms(&mut text, &mut found);
    take(&mut text, &NUMBER, amount, &mut found);
    let measure = |figure: Figure| match figure.kind {
        FigureKind::Amount(amount) => Some((amount.value, amount.unit?)),
        FigureKind::Date(_) | FigureKind::Clock { .. } | FigureKind::Digest(_) => None,
    };
    found.into_iter().filter_map(measure).collect()
}

/// Takes the matches that are figures out of the text, so that no part of one is read again.
fn take(
    text: &mut String,
    regex: &Regex,
    read: impl Fn(&str, &str, &Captures<'_>) -> Option<Figure>,
    found: &mut Vec<Figure>,
) {
    let mut taken = Vec::new();
    for captures in regex.captures_iter(text) {
        let range = captures.get(0).map(|m| m.range()).unwrap_or_default();
        if let Some(figure) = read(&text[..range.start], &text[range.end..], &captures) {
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
    let month = MONTHS.iter().find(|(name, _)| folded.starts_with(name)).map(|(_, month)| *month);
    month.or_else(|| text.parse().ok())
}

/// Whether the number goes on from a word or a name.
fn is_glued(before: &str) -> bool {
    before.chars().next_back().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '#')
        || before.ends_with(['-', '.'])
            && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// A number that stands for itself: nothing is glued to it but a sign of money or a unit.
fn amount(before: &str, behind: &str, captures: &Captures<'_>) -> Option<Figure> {
    let digits = captures.get(1)?.as_str();
    let mut unit = captures.get(2).map_or("", |m| m.as_str());
    if is_glued(before) {
        return None;
    }
    let one = reading(&digits.replace(',', ""))?;
    let is_year = one.decimals == 0 && digits.len() == 4 && (1900.0..2100.0).contains(&one.value);
    // The nineties are no seconds.
    if is_year && unit == "s" {
        unit = "";
    }
    let is_counted = COUNTED.is_match(behind) && !OF_YEAR.is_match(before);
    let is_of_date = is_year && unit.is_empty() && !is_counted
        || one.decimals == 0 && one.value < 60.0 && is_part(before, &format!("{unit}{behind}"), digits);
    let is_long = Unit::named(unit).is_some_and(|known| matches!(known.quantity, Quantity::Duration));
    let shown = format!("{digits}{}", if is_long { unit } else { unit.trim() });
    Some(Figure::new(&shown, FigureKind::Amount(amount_of(one, before, unit, is_of_date))))
}

/// Whether a small number is told as a part of a date or a time.
fn is_part(before: &str, behind: &str, digits: &str) -> bool {
    digits.len() == 2 && digits.starts_with('0')
        || BEFORE_PART.is_match(before)
        || BEHIND_PART.is_match(behind)
}

fn amount_of(one: NumberReading, before: &str, unit: &str, is_of_date: bool) -> Amount {
    Amount {
        value: one.value,
        decimals: one.decimals,
        unit: Unit::named(unit),
        is_percent: is_percent(unit.trim()),
        is_rough: ROUGH.is_match(before),
        is_of_date,
    }
}
