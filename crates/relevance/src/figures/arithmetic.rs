//! What follows from the numbers that tools have shown: counts, sums, differences, products, shares, roundings. Every search
//! is bounded, so that an answer of any length is looked at in milliseconds.

use std::collections::{BTreeMap, BTreeSet};

use super::read::{Amount, CalendarDay, every_number};

/// Most numbers that are kept.
const MOST_NUMBERS: usize = 20_000;
/// Most distinct numbers of which pairs are formed. With more of them almost every small number is a sum of two.
const MOST_PAIRED: usize = 160;
/// Most distinct numbers of which every part is summed: 2^12 sums.
const MOST_SUMMED: usize = 12;
/// Most lines of one output that are read as a table, and most columns.
const MOST_LINES: usize = 5_000;
const MOST_COLUMNS: usize = 12;
/// Most words of one output whose lines are counted.
const MOST_WORDS: usize = 2_000;
/// Seconds since the epoch that may be a moment of files: 1990 to 2100.
const MOMENTS: std::ops::Range<f64> = 6.3e8..4.1e9;
const DAY_SECONDS: f64 = 86_400.0;

/// The numbers that receipts show.
#[derive(Debug, Default)]
pub(super) struct ShownNumbers {
    /// As they stand there, ascending after `settle`.
    plain: Vec<f64>,
    /// Counts and sums over lines and columns.
    derived: Vec<f64>,
    /// What pairs are formed of.
    paired: Vec<f64>,
    sums: Vec<f64>,
    /// A figure stands there or it does not: none follows from others.
    exact: bool,
}

impl ShownNumbers {
    /// Numbers from which nothing follows.
    pub(super) fn exact() -> Self {
        Self { exact: true, ..Self::default() }
    }

    /// Takes one number in.
    pub(super) fn add(&mut self, number: f64) {
        self.derived.push(number);
    }

    /// Takes every number of a text in, except those that are the model's own.
    pub(super) fn read(&mut self, text: &str, own: &BTreeSet<u64>) {
        let room = MOST_NUMBERS.saturating_sub(self.plain.len());
        let fresh = every_number(text).into_iter().filter(|n| !own.contains(&n.to_bits())).take(room);
        self.plain.extend(fresh.collect::<Vec<f64>>());
        self.tabulate(text, own);
    }

    /// Counts the lines, words and characters of an output, and the lines that hold each word.
    pub(super) fn count(&mut self, output: &str) {
        let lines: Vec<&str> = output.lines().take(MOST_LINES).collect();
        let filled = lines.iter().filter(|l| !l.trim().is_empty()).count();
        let words = output.split_whitespace().count();
        let counts = [lines.len(), filled, filled.saturating_sub(1), filled.saturating_sub(2), words];
        self.derived.extend(counts.map(|n| n as f64));
        self.derived.push(output.chars().count() as f64);
        let mut holding: BTreeMap<&str, u32> = BTreeMap::new();
        for line in &lines {
            let of_line: BTreeSet<&str> =
                line.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
            for word in of_line {
                if holding.len() < MOST_WORDS || holding.contains_key(word) {
                    *holding.entry(word).or_default() += 1;
                }
            }
        }
        let distinct: BTreeSet<&&str> = lines.iter().collect();
        self.derived.push(distinct.len() as f64);
        self.derived.extend(holding.values().map(|n| f64::from(*n)));
        self.derived.extend(holding.values().map(|n| filled as f64 - f64::from(*n)));
    }

    /// Sums, means, and row products of the columns of a text, as a whole and for the rows that share a word.
    pub(super) fn tabulate(&mut self, text: &str, own: &BTreeSet<u64>) {
        if self.exact {
            return;
        }
        let mut columns: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let mut products: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let mut groups: BTreeMap<(String, usize), (f64, u32)> = BTreeMap::new();
        for line in text.lines().take(MOST_LINES) {
            let cells: Vec<&str> = line
                .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | ':'))
                .filter(|c| !c.is_empty())
                .collect();
            let numbers: Vec<(usize, f64)> = cells
                .iter()
                .take(MOST_COLUMNS)
                .enumerate()
                .filter_map(|(i, cell)| Some((i, every_number(cell).first().copied()?)))
                .filter(|(_, n)| !own.contains(&n.to_bits()))
                .collect();
            for (i, n) in &numbers {
                columns.entry(*i).or_default().push(*n);
                for (j, m) in numbers.iter().filter(|(j, _)| j > i) {
                    *products.entry((*i, *j)).or_default() += n * m;
                    self.derived.push(n * m);
                }
                for word in cells.iter().filter(|c| c.chars().any(char::is_alphabetic)) {
                    if groups.len() < MOST_WORDS {
                        let (sum, count) = groups.entry(((*word).to_owned(), *i)).or_default();
                        *sum += n;
                        *count += 1;
                    }
                }
            }
        }
        self.derived.extend(products.into_values());
        self.derived.extend(groups.into_values().flat_map(|(sum, count)| [sum, sum / f64::from(count)]));
        for values in columns.into_values().filter(|v| v.len() > 1) {
            let sum: f64 = values.iter().sum();
            let mut sorted = values;
            sorted.sort_by(f64::total_cmp);
            let middle = sorted.len() / 2;
            let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
            let count = sorted.len() as f64;
            self.derived.extend([
                sum,
                sum / count,
                high - low,
                sorted[middle],
                f64::midpoint(sorted[middle], sorted[middle - 1]),
            ]);
            self.derived.extend([sum - low, sum - high, sum - sorted[0]]);
        }
        self.derived.truncate(MOST_NUMBERS);
    }

    /// Ends the taking in.
    pub(super) fn settle(&mut self) {
        let sort = |numbers: &mut Vec<f64>| {
            numbers.retain(|n| n.is_finite());
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
        };
        sort(&mut self.plain);
        sort(&mut self.derived);
        if self.exact {
            return;
        }
        if self.plain.len() <= MOST_PAIRED {
            self.paired.clone_from(&self.plain);
        }
        if self.plain.len() <= MOST_SUMMED {
            for chosen in 1_usize..1 << self.plain.len() {
                let of = |(i, n): (usize, &f64)| if chosen >> i & 1 == 1 { *n } else { 0.0 };
                self.sums.push(self.plain.iter().enumerate().map(of).sum());
            }
            sort(&mut self.sums);
        }
    }

    /// Whether the number itself stands there.
    pub(super) fn holds(&self, number: f64) -> bool {
        holds(&self.plain, number, 1e-9)
    }

    /// Whether the amount stands there or follows.
    pub(super) fn support(&self, amount: &Amount) -> bool {
        let v = amount.value;
        if v == 0.0 || v == 1.0 {
            return true;
        }
        if self.exact {
            return self.stands(amount);
        }
        let half = 0.5 * 10_f64.powi(-amount.decimals);
        let tolerance = if amount.is_rough { half.max(v * 0.05) } else { half } + 1e-9 * v;
        let is_shown = |wanted: f64, tolerance: f64| {
            [&self.plain, &self.derived, &self.sums]
                .into_iter()
                .any(|numbers| holds(numbers, wanted, tolerance))
        };
        if is_shown(v, tolerance) || amount.is_percent && is_shown(v / 100.0, tolerance / 100.0) {
            return true;
        }
        let scales = [1e3, 1e6, 1e9, 1e12, 1024.0, 1024.0 * 1024.0, 1024.0_f64.powi(3), 1e4, 1e8];
        if amount.is_scaled
            && scales.iter().any(|s| is_shown(v * s, tolerance * s) || is_shown(v / s, tolerance / s))
        {
            return true;
        }
        self.pairs(v, tolerance, amount.is_percent)
    }

    /// Whether the amount is one of the numbers, in another unit or with fewer digits.
    fn stands(&self, amount: &Amount) -> bool {
        const SCALES: [f64; 9] =
            [1e3, 1e6, 1e9, 1e12, 1024.0, 1024.0 * 1024.0, 1024.0 * 1024.0 * 1024.0, 1e4, 1e8];
        let is_of = |shown: f64| is_shortened(shown, amount);
        let fits = |shown: f64| {
            is_of(shown)
                || amount.is_percent && is_of(shown * 100.0)
                || amount.is_scaled && SCALES.iter().any(|scale| is_of(shown / scale) || is_of(shown * scale))
        };
        self.plain.iter().chain(&self.derived).any(|shown| fits(*shown))
    }

    fn pairs(&self, v: f64, tolerance: f64, is_percent: bool) -> bool {
        let near = |result: f64| (result - v).abs() <= tolerance;
        let all = || self.paired.iter().copied();
        all().any(|a| {
            all().any(|b| {
                near(a + b)
                    || near((a - b).abs())
                    || near(a * b)
                    || b != 0.0
                        && (near(a / b)
                            || near((a / b - 1.0).abs() * 100.0)
                            || is_percent && near(a / b * 100.0))
                    || near(a * (1.0 + b / 100.0))
                    || near(a * b / 100.0)
            })
        })
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
    is_cut || (amount.is_rough || amount.is_scaled) && (1..9).any(without)
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
