//! What follows from the numbers that tools have shown: counts and roundings always; sums, differences, means, products and
//! shares where the answer or the request names one, by that one alone. Every search is bounded, so that an answer of any
//! length is looked at in milliseconds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::operations::{NamedOperations, SpokenWords};
use super::read::{Amount, CalendarDay, counting_numbers, measures, parts_of_dates, spans};
use super::units::{Quantity, Unit};
use crate::pattern;

/// Most numbers that are kept.
const MOST_NUMBERS: usize = 20_000;
/// Most distinct numbers of which all pairs are formed; of more, only of those that the answer tells itself and of whole columns.
const MOST_PAIRED: usize = 12;
/// Most numbers that the answer tells itself of which pairs are formed.
const MOST_TOLD: usize = 40;
/// Most lines of one output that are read as a table, and most columns.
const MOST_LINES: usize = 5_000;
const MOST_COLUMNS: usize = 12;
/// Most words of one output whose lines are counted.
const MOST_WORDS: usize = 2_000;
/// Most lists of one output whose lines are counted.
const MOST_LISTS: usize = 12;
/// Seconds since the epoch that may be a moment of files: 1990 to 2100.
const MOMENTS: std::ops::Range<f64> = 6.3e8..4.1e9;
const DAY_SECONDS: f64 = 86_400.0;

/// What an answer says beside a figure that may explain it.
#[derive(Debug, Default)]
pub(super) struct Explanation {
    /// The operations that the answer or the request names.
    pub(super) named: NamedOperations,
    /// The numbers that the answer tells and that stand in receipts as they are.
    pub(super) told: Vec<f64>,
    /// Counts and sums for the words that the answer or the request holds.
    pub(super) of_words: Vec<f64>,
}

/// What was counted or summed for one word.
#[derive(Debug)]
struct WordNumber {
    word: String,
    number: f64,
    kind: WordNumberKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordNumberKind {
    Count,
    /// Of the lines without the word.
    Others,
    Sum,
    Mean,
}

/// The numbers that receipts show.
#[derive(Debug, Default)]
pub(super) struct ShownNumbers {
    /// As they stand there, ascending after `settle`.
    plain: Vec<f64>,
    /// How many lines an output has, and the like.
    counts: Vec<f64>,
    /// Over the columns of a table.
    sums: Vec<f64>,
    means: Vec<f64>,
    differences: Vec<f64>,
    products: Vec<f64>,
    of_words: Vec<WordNumber>,
    /// Those that stand before a unit.
    measured: Vec<(f64, Unit)>,
    /// Those that do not, by what they could be: sizes and times.
    bare: [Vec<f64>; 2],
    /// Parts of dates and times.
    of_dates: Vec<f64>,
    /// Programs that count in blocks of 1024 bytes have spoken.
    pub(super) has_blocks: bool,
    /// What is read now without a unit are bytes.
    pub(super) is_in_bytes: bool,
    /// A figure is rounded as it is written.
    is_strict: bool,
}

impl ShownNumbers {
    /// Numbers that are told with all their digits, or rounded as they are written.
    pub(super) fn strict() -> Self {
        Self { is_strict: true, ..Self::default() }
    }

    /// Takes one number in.
    pub(super) fn add(&mut self, number: f64) {
        self.counts.push(number);
    }

    /// Takes every number of a text in, except those that are the model's own.
    pub(super) fn read(&mut self, text: &str, own: &BTreeSet<u64>) {
        let room = MOST_NUMBERS.saturating_sub(self.plain.len());
        let is_fresh = |n: &f64| !own.contains(&n.to_bits());
        let fresh: Vec<f64> = counting_numbers(text).into_iter().filter(is_fresh).take(room).collect();
        let mut measured: Vec<(f64, Unit)> =
            measures(text).into_iter().filter(|(n, _)| is_fresh(n)).collect();
        if self.is_in_bytes {
            let bytes = Unit { quantity: Quantity::Size, scales: &[1.0] };
            measured.extend(fresh.iter().map(|n| (*n, bytes)));
        }
        for (bare, quantity) in self.bare.iter_mut().zip([Quantity::Size, Quantity::Duration]) {
            let mut with_unit: BTreeMap<u64, u32> = BTreeMap::new();
            let is_of = |unit: &Unit| unit.is_like(&Unit { quantity, scales: &[] });
            for (n, _) in measured.iter().filter(|(_, unit)| is_of(unit)) {
                *with_unit.entry(n.to_bits()).or_default() += 1;
            }
            bare.extend(fresh.iter().filter(|n| match with_unit.get_mut(&n.to_bits()) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                Some(_) | None => true,
            }));
        }
        for (n, unit) in &measured {
            if unit.quantity == Quantity::Count {
                self.counts.extend(unit.scales.iter().map(|scale| n * scale));
            }
        }
        self.measured.extend(measured.into_iter().take(room));
        let seconds = Unit { quantity: Quantity::Duration, scales: &[1.0] };
        self.measured.extend(spans(text).into_iter().take(room).map(|span| (span, seconds)));
        self.plain.extend(fresh);
        self.of_dates.extend(parts_of_dates(text).into_iter().filter(is_fresh).take(room));
        self.tabulate(text, own);
    }

    /// Counts the lines of an output, all and those of each list, and the lines that hold each word.
    pub(super) fn count(&mut self, output: &str) {
        let lines: Vec<&str> = output.lines().take(MOST_LINES).collect();
        let filled = lines.iter().filter(|l| !l.trim().is_empty()).count();
        self.counts.extend([lines.len(), filled].map(|n| n as f64));
        self.counts.extend(lists(&lines).into_iter().map(|n| n as f64));
        self.counts.extend(lines.iter().filter_map(|line| all_tests(line)));
        let distinct: BTreeSet<&&str> = lines.iter().collect();
        self.counts.push(distinct.len() as f64);
        let mut note = |word: &str, number: f64, kind| {
            self.of_words.push(WordNumber { word: word.to_owned(), number, kind });
        };
        for (word, count) in
            [("word", output.split_whitespace().count()), ("character", output.chars().count())]
        {
            note(word, count as f64, WordNumberKind::Count);
        }
        note("词", output.split_whitespace().count() as f64, WordNumberKind::Count);
        note("字", output.chars().filter(|c| !c.is_whitespace()).count() as f64, WordNumberKind::Count);
        let mut holding: BTreeMap<String, u32> = BTreeMap::new();
        for line in &lines {
            let line = line.to_lowercase();
            let of_line: BTreeSet<&str> =
                line.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
            for word in of_line {
                if holding.len() < MOST_WORDS || holding.contains_key(word) {
                    *holding.entry(word.to_owned()).or_default() += 1;
                }
            }
        }
        for (word, count) in &holding {
            note(word, f64::from(*count), WordNumberKind::Count);
            note(word, filled as f64 - f64::from(*count), WordNumberKind::Others);
        }
    }

    /// How long the list is that is called this.
    pub(super) fn count_list(&mut self, word: &str, length: usize) {
        let (word, number) = (word.to_lowercase(), length as f64);
        self.of_words.push(WordNumber { word, number, kind: WordNumberKind::Count });
    }

    /// Sums, means, and row products of the columns of a text, as a whole and for the rows that share a word.
    pub(super) fn tabulate(&mut self, text: &str, own: &BTreeSet<u64>) {
        let mut columns: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let mut products: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let mut groups: BTreeMap<(String, usize), (f64, u32)> = BTreeMap::new();
        for line in text.lines().take(MOST_LINES) {
            let (cells, numbers) = row(line, own);
            for (i, n) in &numbers {
                columns.entry(*i).or_default().push(*n);
                for (j, m) in numbers.iter().filter(|(j, _)| j > i) {
                    *products.entry((*i, *j)).or_default() += n * m;
                    self.products.push(n * m);
                }
                for word in cells.iter().filter(|c| c.chars().any(char::is_alphabetic)) {
                    if groups.len() < MOST_WORDS {
                        let (sum, count) = groups.entry((word.to_lowercase(), *i)).or_default();
                        *sum += n;
                        *count += 1;
                    }
                }
            }
        }
        self.products.extend(products.into_values());
        self.products.truncate(MOST_NUMBERS);
        for ((word, _), (sum, count)) in groups.into_iter().filter(|(_, (_, count))| *count > 1) {
            let mean = sum / f64::from(count);
            self.of_words.push(WordNumber { word: word.clone(), number: sum, kind: WordNumberKind::Sum });
            self.of_words.push(WordNumber { word, number: mean, kind: WordNumberKind::Mean });
        }
        for mut values in columns.into_values().filter(|v| v.len() > 1) {
            let sum: f64 = values.iter().sum();
            values.sort_by(f64::total_cmp);
            let middle = values.len() / 2;
            let (low, high) = (values[0], values[values.len() - 1]);
            self.sums.push(sum);
            self.means.extend([
                sum / values.len() as f64,
                values[middle],
                f64::midpoint(values[middle], values[middle - 1]),
            ]);
            self.differences.extend([high - low, sum - low, sum - high]);
        }
    }

    /// Ends the taking in.
    pub(super) fn settle(&mut self) {
        let [sizes, times] = &mut self.bare;
        for numbers in [
            &mut self.plain,
            &mut self.counts,
            &mut self.sums,
            &mut self.means,
            &mut self.differences,
            &mut self.products,
            &mut self.of_dates,
            sizes,
            times,
        ] {
            numbers.retain(|n| n.is_finite());
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
        }
    }

    /// Whether the number itself stands there.
    pub(super) fn holds(&self, number: f64) -> bool {
        holds(&self.plain, number, 1e-9) || holds(&self.of_dates, number, 1e-9)
    }

    /// Counts, and where they are named sums and means, for the words that are spoken of.
    pub(super) fn of_words(&self, spoken: &SpokenWords, named: NamedOperations) -> Vec<f64> {
        let is_named = |kind: WordNumberKind| match kind {
            WordNumberKind::Count | WordNumberKind::Sum => true,
            WordNumberKind::Others => named.difference,
            WordNumberKind::Mean => named.mean,
        };
        let of = self.of_words.iter().filter(|one| is_named(one.kind) && spoken.hold(&one.word));
        let mut numbers: Vec<f64> = of.map(|one| one.number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        numbers
    }

    /// Whether the amount stands there, nothing computed.
    pub(super) fn stands(&self, amount: &Amount) -> bool {
        let v = amount.value;
        if amount.is_of_date && holds(&self.of_dates, v, 1e-9) {
            return true;
        }
        match &amount.unit {
            Some(unit) => self.measures(amount, unit, &[&self.counts]),
            None => self.is_in(&self.plain, amount) || self.is_in(&self.counts, amount),
        }
    }

    /// Whether the amount stands there, or follows from what is explained.
    pub(super) fn support(&self, amount: &Amount, explained: &Explanation) -> bool {
        let v = amount.value;
        if v == 0.0 || v == 1.0 || self.stands(amount) {
            return true;
        }
        let named = explained.named;
        let computed = [
            (true, &explained.of_words),
            (named.sum, &self.sums),
            (named.mean, &self.means),
            (named.difference, &self.differences),
            (named.product, &self.products),
        ];
        let mut lists = computed.iter().filter(|(is_named, _)| *is_named).map(|(_, numbers)| *numbers);
        let is_computed = match &amount.unit {
            Some(unit) => {
                let all: Vec<&Vec<f64>> = lists.collect();
                self.measures(amount, unit, &all)
            }
            None => lists.any(|numbers| self.is_in(numbers, amount)),
        };
        is_computed || self.follows(amount, explained)
    }

    /// Whether the amount, without a unit, is one of the ascending numbers.
    fn is_in(&self, numbers: &[f64], amount: &Amount) -> bool {
        if self.is_strict {
            let is = |shown: f64| {
                is_shortened(shown, amount) || amount.is_percent && is_shortened(shown * 100.0, amount)
            };
            return numbers.iter().any(|shown| is(*shown));
        }
        let tolerance = tolerance(amount);
        holds(numbers, amount.value, tolerance)
            || amount.is_percent && holds(numbers, amount.value / 100.0, tolerance / 100.0)
    }

    /// Whether the amount is a number with a unit, that unit or one that measures the same, or a number whose unit is not
    /// told: then it is of the same unit, or of ones, bytes and seconds.
    fn measures(&self, amount: &Amount, unit: &Unit, computed: &[&Vec<f64>]) -> bool {
        let is = |shown: f64| match self.is_strict {
            true => is_shortened(shown, amount),
            false => (shown - amount.value).abs() <= tolerance(amount),
        };
        let by_unit = |(shown, of): &(f64, Unit)| {
            of.is_like(unit)
                && of.scales.iter().any(|from| unit.scales.iter().any(|to| is(shown * from / to)))
        };
        if self.measured.iter().any(by_unit) {
            return true;
        }
        let bare = match unit.quantity {
            Quantity::Size => &self.bare[0],
            Quantity::Duration => &self.bare[1],
            Quantity::Count | Quantity::Letter => &self.plain,
        };
        let thousandths: &[f64] = if unit.quantity == Quantity::Duration { &[1.0, 1e3] } else { &[1.0] };
        let is_block = self.has_blocks && matches!(unit.quantity, Quantity::Size | Quantity::Letter);
        let by_value = |shown: f64| {
            is(shown)
                || unit.scales.iter().any(|scale| {
                    thousandths.iter().any(|part| is(shown / part / scale))
                        || is_block && is(shown * 1024.0 / scale)
                })
        };
        [bare].into_iter().chain(computed.iter().copied()).flatten().any(|shown| by_value(*shown))
    }

    /// Whether one operation that is named makes the amount of two numbers, or of all that the answer tells.
    fn follows(&self, amount: &Amount, explained: &Explanation) -> bool {
        let mut named = explained.named;
        named.ratio |= amount.is_percent;
        let told = &explained.told[..explained.told.len().min(MOST_TOLD)];
        let wholes = || self.sums.iter().chain(&self.counts).chain(&explained.of_words).copied();
        let mut from: Vec<f64> =
            if self.plain.len() <= MOST_PAIRED { self.plain.clone() } else { told.to_vec() };
        if named.sum {
            let others = |all: &[f64]| all.iter().filter(|n| **n != amount.value).sum::<f64>();
            if [others(told), others(&from)].into_iter().any(|sum| near(sum, amount)) {
                return true;
            }
        }
        if pairs(&from, &from, amount, named) {
            return true;
        }
        from.truncate(MOST_TOLD);
        let no_sum = NamedOperations { sum: false, product: false, ..named };
        let wholes: Vec<f64> = wholes().take(MOST_WORDS).collect();
        pairs(&from, &wholes, amount, no_sum)
            || wholes.len() <= MOST_TOLD && pairs(&wholes, &wholes, amount, no_sum)
    }

    /// Whether a moment in seconds or milliseconds since the epoch falls on this day or beside it, for time zones.
    pub(super) fn holds_day(&self, date: &CalendarDay) -> bool {
        let moments = self.plain.iter().map(|n| if MOMENTS.contains(&(n / 1e3)) { n / 1e3 } else { *n });
        moments.filter(|n| MOMENTS.contains(n)).any(|n| is_day_of(n, date))
    }
}

/// Whether the amount is the number, or the number with fewer digits: behind the point always, before it where "about" or a unit
/// stands at it, and then by no more than a twentieth.
fn is_shortened(shown: f64, amount: &Amount) -> bool {
    let is = |value: f64| (value - amount.value).abs() <= 1e-9 * amount.value.abs().max(1.0);
    let unit = 10_f64.powi(amount.decimals);
    if is(shown) || is((shown * unit).round() / unit) {
        return true;
    }
    let without = |digits: i32| {
        let unit = 10_f64.powi(digits);
        let value = (shown / unit).round() * unit;
        is(value) && (value - shown).abs() <= shown.abs() * 0.05
    };
    let is_cut = amount.is_rough && is((shown * unit).trunc() / unit);
    let is_scaled = amount.unit.is_some_and(|unit| unit.quantity != Quantity::Duration);
    is_cut || (amount.is_rough || is_scaled) && (1..9).any(without)
}

/// How far a number may be from the amount that is told of it.
fn tolerance(amount: &Amount) -> f64 {
    let half = 0.5 * 10_f64.powi(-amount.decimals);
    (if amount.is_rough { half.max(amount.value * 0.05) } else { half }) + 1e-9 * amount.value
}

/// Whether a computed number is the amount, rounded as that is written.
fn near(result: f64, amount: &Amount) -> bool {
    (result - amount.value).abs() <= tolerance(amount)
}

/// Whether a named operation makes the amount of one number of each list.
fn pairs(first: &[f64], second: &[f64], amount: &Amount, named: NamedOperations) -> bool {
    let near = |result: f64| near(result, amount);
    let of = |a: f64, b: f64| {
        named.sum && near(a + b)
            || named.difference && near((a - b).abs())
            || (named.ratio || named.mean) && b != 0.0 && (near(a / b) || a != 0.0 && near(b / a))
            || named.ratio && (amount.is_percent && is_share(a, b, amount) || near(a * b / 100.0))
            || named.product && (near(a * b) || near(a * (1.0 + b / 100.0)) || near(a * b / 100.0))
    };
    first.iter().any(|a| second.iter().any(|b| of(*a, *b) || named.product && of(*b, *a)))
}

/// Whether the amount, in percent, is the share of one of both numbers in the other, or by how much they differ.
fn is_share(a: f64, b: f64, amount: &Amount) -> bool {
    let is = |part: f64, whole: f64| {
        whole != 0.0
            && (near(part / whole * 100.0, amount) || near((part / whole - 1.0).abs() * 100.0, amount))
    };
    is(a, b) || is(b, a)
}

/// The cells of a line, and the numbers among them by their column.
fn row<'a>(line: &'a str, own: &BTreeSet<u64>) -> (Vec<&'a str>, Vec<(usize, f64)>) {
    let cells: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | ':'))
        .filter(|c| !c.is_empty())
        .collect();
    let numbers = cells
        .iter()
        .take(MOST_COLUMNS)
        .enumerate()
        .filter_map(|(i, cell)| Some((i, counting_numbers(cell).first().copied()?)))
        .filter(|(_, n)| !own.contains(&n.to_bits()))
        .collect();
    (cells, numbers)
}

/// How many tests a line tells of that counts them by how they ended: `1 failed, 4 passed`.
fn all_tests(line: &str) -> Option<f64> {
    static ENDS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(\d+) (?:tests? )?(?:passed|failed|failing|passing|skipped|ignored|errors?|xfailed|xpassed|pending)\b",
        )
    });
    let ends: Vec<f64> = ENDS.captures_iter(line).filter_map(|c| c[1].parse().ok()).collect();
    (ends.len() > 1).then(|| ends.iter().sum())
}

/// How long the lists of an output are: the runs of lines without an empty one between them, with and without a heading, a
/// single one also without a rule below that, and the lines with a mark of a list.
fn lists(lines: &[&str]) -> Vec<usize> {
    let runs: Vec<usize> =
        lines.split(|line| line.trim().is_empty()).map(<[&str]>::len).filter(|run| *run > 0).collect();
    let is_marked = |line: &&&str| ["- ", "* ", "• "].iter().any(|mark| line.trim_start().starts_with(mark));
    let marked = lines.iter().filter(is_marked).count();
    let of_table = runs.first().filter(|_| runs.len() == 1).map(|run| run.saturating_sub(2));
    let all = if runs.len() <= MOST_LISTS { runs } else { Vec::new() };
    all.iter().flat_map(|run| [*run, run.saturating_sub(1)]).chain(of_table).chain([marked]).collect()
}

/// Whether it is this day somewhere on earth so many seconds after 1970.
pub(super) fn is_day_of(seconds: f64, date: &CalendarDay) -> bool {
    [-1.0, 0.0, 1.0].into_iter().any(|shift| day_of((seconds / DAY_SECONDS).floor() + shift).agrees(date))
}

/// The day that is so many days after 1 January 1970 (Howard Hinnant, chrono-compatible date algorithms, `civil_from_days`).
fn day_of(days: f64) -> CalendarDay {
    let z = days as i64 + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    CalendarDay { year: Some(year), month, day: of_year - (153 * shifted + 2) / 5 + 1 }
}

/// Whether ascending numbers hold one within the tolerance.
fn holds(numbers: &[f64], wanted: f64, tolerance: f64) -> bool {
    let at = numbers.partition_point(|n| *n < wanted - tolerance);
    numbers.get(at).is_some_and(|n| *n <= wanted + tolerance)
}
