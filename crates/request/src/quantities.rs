//! Numbers with and without units: counts, sizes in bytes, ages in minutes; digits, English and Chinese words.

use crate::numbers::{NUMBER_WORDS, chinese_number};

use crate::front::{run, starts_with_word};

/// Words that count as a number here, though they say none elsewhere.
const ARTICLES: [(&str, u64); 5] =
    [("a hundred", 100), ("a dozen", 12), ("a couple of", 2), ("a", 1), ("an", 1)];

/// Size units: name and bytes. Binary multiples, as `find -size` and `ls -h` use them.
const SIZES: [(&str, u64); 24] = [
    ("bytes", 1),
    ("byte", 1),
    ("b", 1),
    ("字节", 1),
    ("kilobytes", 1 << 10),
    ("kb", 1 << 10),
    ("kib", 1 << 10),
    ("k", 1 << 10),
    ("千字节", 1 << 10),
    ("megabytes", 1 << 20),
    ("megabyte", 1 << 20),
    ("mb", 1 << 20),
    ("mib", 1 << 20),
    ("m", 1 << 20),
    ("兆字节", 1 << 20),
    ("兆", 1 << 20),
    ("gigabytes", 1 << 30),
    ("gigabyte", 1 << 30),
    ("gb", 1 << 30),
    ("gib", 1 << 30),
    ("g", 1 << 30),
    ("吉字节", 1 << 30),
    ("tb", 1 << 40),
    ("t", 1 << 40),
];

const HOUR: u64 = 60;
const DAY: u64 = 24 * HOUR;

/// Units of age: name and minutes. A month is 30 days and a year 365, as people mean it when they clear out files.
const AGES: [(&str, u64); 29] = [
    ("minutes", 1),
    ("minute", 1),
    ("分钟", 1),
    ("hours", HOUR),
    ("hour", HOUR),
    ("h", HOUR),
    ("个小时", HOUR),
    ("小时", HOUR),
    ("days", DAY),
    ("day", DAY),
    ("d", DAY),
    ("天", DAY),
    ("日", DAY),
    ("weeks", 7 * DAY),
    ("week", 7 * DAY),
    ("w", 7 * DAY),
    ("个星期", 7 * DAY),
    ("星期", 7 * DAY),
    ("个礼拜", 7 * DAY),
    ("周", 7 * DAY),
    ("months", 30 * DAY),
    ("month", 30 * DAY),
    ("个月", 30 * DAY),
    ("月", 30 * DAY),
    ("quarter", 90 * DAY),
    ("years", 365 * DAY),
    ("year", 365 * DAY),
    ("年", 365 * DAY),
    ("个季度", 90 * DAY),
];

/// Spans that are one word; `past week` works because the number may be missing in English.
const SPANS: [(&str, u64); 9] = [
    ("半年", 182 * DAY),
    ("半个月", 15 * DAY),
    ("半天", 12 * HOUR),
    ("半小时", 30),
    ("半个小时", 30),
    ("half a year", 182 * DAY),
    ("half an hour", 30),
    ("24h", DAY),
    ("一个半月", 45 * DAY),
];

/// A whole number from 1 to a million at the front.
pub fn read_count(rest: &str) -> Vec<(usize, u64)> {
    let mut found: Vec<(usize, u64)> = Vec::new();
    let digits = run(rest, |found| found.is_ascii_digit());
    if (1..=7).contains(&digits) && !rest[digits..].starts_with('.') {
        found.extend(rest[..digits].parse().ok().map(|number| (digits, number)));
    }
    found.extend(
        NUMBER_WORDS
            .iter()
            .chain(&ARTICLES)
            .filter(|(word, _)| starts_with_word(rest, word))
            .map(|(word, number)| (word.len(), *number)),
    );
    found.extend(chinese_number(rest));
    found.retain(|(_, number)| (1..=1_000_000).contains(number));
    found
}

/// A size at the front, in bytes.
pub fn read_size(rest: &str) -> Vec<(usize, u64)> {
    let mut found = Vec::new();
    let digits = run(rest, |found| found.is_ascii_digit() || found == '.');
    let mut numbers: Vec<(usize, f64)> =
        read_count(rest).into_iter().map(|(length, count)| (length, count as f64)).collect();
    if let (1..=12, Ok(number)) = (digits, rest[..digits].parse::<f64>()) {
        numbers.push((digits, number));
    }
    for (length, number) in numbers {
        let after = rest[length..].trim_start_matches(' ');
        let gap = rest.len() - length - after.len();
        for (unit, bytes) in SIZES {
            let size = (number * bytes as f64).round();
            if starts_with_word(after, unit) && size >= 1.0 {
                let value = (length + gap + unit.len(), size as u64);
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
    }
    found
}

/// An age at the front, in minutes.
pub fn read_age(rest: &str) -> Vec<(usize, u64)> {
    let mut found: Vec<(usize, u64)> = SPANS
        .iter()
        .filter(|(span, _)| starts_with_word(rest, span))
        .map(|(span, age)| (span.len(), *age))
        .collect();
    let mut numbers = read_count(rest);
    numbers.push((0, 1));
    for (length, number) in numbers {
        let after = rest[length..].trim_start_matches([' ', '-']);
        let gap = rest.len() - length - after.len();
        for (unit, minutes) in AGES {
            // A bare unit is English only: "the last week"; 周, 月 and the letters need a number.
            let bare = length > 0 || (unit.is_ascii() && unit.len() > 1);
            if bare && starts_with_word(after, unit) {
                let value = (length + gap + unit.len(), number * minutes);
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
    }
    found
}
