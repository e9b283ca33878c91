//! Units: how much of the unit below each is, and which currency is meant.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    Count,
    Size,
    Duration,
    /// One letter, which may stand for any of them.
    Letter,
}

/// A unit in bytes, seconds or ones; `k` may be 1000 or 1024 of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub(super) quantity: Quantity,
    pub(super) scales: &'static [f64],
}

const KILO: &[f64] = &[1e3, 1024.0];
const MEGA: &[f64] = &[1e6, 1_048_576.0];
const GIGA: &[f64] = &[1e9, 1_073_741_824.0];
const TERA: &[f64] = &[1e12, 1_099_511_627_776.0];

/// How units are written, in small letters and without the s of the plural.
const UNITS: [(&[&str], Quantity, &[f64]); 25] = [
    (&["thousand", "千"], Quantity::Count, &[1e3]),
    (&["million", "mio"], Quantity::Count, &[1e6]),
    (&["billion"], Quantity::Count, &[1e9]),
    (&["万"], Quantity::Count, &[1e4]),
    (&["亿"], Quantity::Count, &[1e8]),
    (&["byte", "字节"], Quantity::Size, &[1.0]),
    (&["kb", "kilobyte"], Quantity::Size, KILO),
    (&["mb", "megabyte"], Quantity::Size, MEGA),
    (&["gb", "gigabyte"], Quantity::Size, GIGA),
    (&["tb", "terabyte"], Quantity::Size, TERA),
    (&["kib", "ki", "kibibyte"], Quantity::Size, &[1024.0]),
    (&["mib", "mi", "mebibyte"], Quantity::Size, &[1_048_576.0]),
    (&["gib", "gi", "gibibyte"], Quantity::Size, &[1_073_741_824.0]),
    (&["tib", "ti", "tebibyte"], Quantity::Size, &[1_099_511_627_776.0]),
    (&["k"], Quantity::Letter, KILO),
    (&["m"], Quantity::Letter, &[1e6, 1_048_576.0, 60.0]),
    (&["g"], Quantity::Letter, GIGA),
    (&["t"], Quantity::Letter, TERA),
    (&["ms", "millisecond", "毫秒"], Quantity::Duration, &[1e-3]),
    (&["s", "sec", "second", "sekunde", "sekunden", "秒"], Quantity::Duration, &[1.0]),
    (&["min", "minute", "minuten", "分钟"], Quantity::Duration, &[60.0]),
    (&["h", "hr", "hour", "stunde", "stunden", "小时"], Quantity::Duration, &[3_600.0]),
    (&["day", "tag", "tage", "天"], Quantity::Duration, &[86_400.0]),
    (&["week", "woche", "wochen", "周"], Quantity::Duration, &[604_800.0]),
    (&["μs", "us", "microsecond"], Quantity::Duration, &[1e-6]),
];

/// What may stand behind a number, as a part of a pattern that takes no notice of case.
pub(super) const UNIT_PATTERN: &str = r"(?:%|percent\b|prozent\b|pour cent\b|thousand\b|million\b|mio\b|billion\b|[kmgt]i?b?\b|(?:kilo|mega|giga|tera|[kmgt][ei]bi)?bytes?\b|[mμu]s\b|s\b|secs?\b|(?:milli|micro)?seconds?\b|sekunden?\b|mins?\b|minut(?:es?|en)\b|h\b|hrs?\b|hours?\b|stunden?\b|days?\b|tage?\b|weeks?\b|wochen?\b|千|万|亿|毫秒|秒|分钟|小时|天|字节)";

impl Unit {
    /// The unit of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let is = |one: &&str| *one == name || name.strip_suffix('s') == Some(*one) && one.len() > 1;
        let row = UNITS.iter().find(|(names, ..)| names.iter().any(is))?;
        Some(Self { quantity: row.1, scales: row.2 })
    }

    /// Whether both may measure the same.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.quantity == other.quantity || [self.quantity, other.quantity].contains(&Quantity::Letter)
    }
}

/// Whether the word stands for a part of a hundred.
pub(super) fn is_percent(unit: &str) -> bool {
    ["%", "percent", "prozent", "pour cent"].iter().any(|word| unit.eq_ignore_ascii_case(word))
}

/// A time of several units: `1 h 30 min`, `2m3.5s`, `1分30秒`.
static LONG_TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?ix)\b(?:
        (\d+)\ ?(?:h|hours?|hrs?|stunden?|小时)(?:,|\ and|\ und)?\ ?(\d+)\ ?(?:m\b|min\b|mins\b|minut(?:es?|en)\b|分钟?)(?:(?:,|\ and|\ und)?\ ?(\d+(?:\.\d+)?)\ ?(?:s\b|secs?\b|seconds?\b|sekunden?\b|秒))?
        |(\d+)\ ?(?:m|min|mins|minut(?:es?|en)|分钟?)(?:,|\ and|\ und)?\ ?(\d+(?:\.\d+)?)\ ?(?:s\b|secs?\b|seconds?\b|sekunden?\b|秒)
        )",
    )
});

/// The times of several units in a text: where they stand, in seconds, and the digits behind the point.
pub(super) fn long_times(text: &str) -> Vec<(std::ops::Range<usize>, f64, i32)> {
    let read = |captures: regex::Captures<'_>| {
        let number = |group: usize| captures.get(group).map_or(Some(0.0), |m| m.as_str().parse::<f64>().ok());
        let seconds = number(1)? * 3_600.0 + (number(2)? + number(4)?) * 60.0 + number(3)? + number(5)?;
        let last = captures.get(3).or(captures.get(5)).map_or("", |m| m.as_str());
        let decimals = last.split_once('.').map_or(0, |(_, d)| i32::try_from(d.len()).unwrap_or(9));
        Some((captures.get(0)?.range(), seconds, decimals))
    };
    LONG_TIME.captures_iter(text).filter_map(read).collect()
}

/// A currency, by how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Currency {
    Euro,
    Dollar,
    Pound,
    Franc,
    Yuan,
    Yen,
}

static CURRENCIES: LazyLock<[(Currency, Regex); 6]> = LazyLock::new(|| {
    [
        (Currency::Euro, pattern(r"€|\bEUR\b|(?i:\beuros?\b)|欧元")),
        (Currency::Dollar, pattern(r"\bUSD\b|US\$|\$ ?\d[\d.,]*\d|(?i:\bdollars?\b)|美元")),
        (Currency::Pound, pattern(r"£|\bGBP\b")),
        (Currency::Franc, pattern(r"\bCHF\b|(?i:\bfranken\b|\bswiss francs?\b)|瑞士法郎")),
        (Currency::Yuan, pattern(r"\bCNY\b|\bRMB\b|[¥￥]|(?i:\byuan\b)|人民币|[\d万亿] ?元")),
        (Currency::Yen, pattern(r"\bJPY\b|[¥￥]|(?i:\byen\b)|日元")),
    ]
});

/// The currencies that a text speaks of.
pub(super) fn currencies(text: &str) -> BTreeSet<Currency> {
    CURRENCIES.iter().filter(|(_, form)| form.is_match(text)).map(|(one, _)| *one).collect()
}
