//! Days that files changed on: "today", "in 2025", "before March 2026", 昨天, 2025年3月以后.

use crate::days::{Calendar, day_after, parts_of};

use crate::front::{run, starts_with_word};

/// A stretch of days, from the first one to the one after the last; None: no end on this side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaySpan {
    from: Option<Day>,
    until: Option<Day>,
}

/// A day, as far as it is known before the date of today is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Day {
    /// Days after today.
    Relative(i64),
    /// Days after the Monday of this week.
    OfWeek(i64),
    /// The first of a month so many months after this one.
    OfMonth(i64),
    /// The first of a year so many years after this one.
    OfYear(i64),
    /// Days since 1970-01-01.
    Fixed(i64),
}

impl DaySpan {
    /// Both ends as `2026-11-23`, the second one no part of it any more.
    pub fn ends(&self, today: &str) -> (Option<String>, Option<String>) {
        let end = |day: Option<Day>| Some(Calendar::shown(resolved(day?, today)?));
        (end(self.from), end(self.until))
    }
}

fn resolved(day: Day, today: &str) -> Option<i64> {
    let now = Calendar::day(today)?;
    let (year, month, _) = parts_of(now);
    Some(match day {
        Day::Relative(days) => now + days,
        // The first day of 1970 was a Thursday.
        Day::OfWeek(days) => now - (now + 3).rem_euclid(7) + days,
        Day::OfMonth(months) => {
            let months = year * 12 + month - 1 + months;
            Calendar::of(months.div_euclid(12), months.rem_euclid(12) + 1, 1)
        }
        Day::OfYear(years) => Calendar::of(year + years, 1, 1),
        Day::Fixed(day) => day,
    })
}

/// Stretches that have a name: both ends.
const NAMED: [(&str, Day, Day); 40] = [
    ("today", Day::Relative(0), Day::Relative(1)),
    ("earlier today", Day::Relative(0), Day::Relative(1)),
    ("yesterday", Day::Relative(-1), Day::Relative(0)),
    ("this week", Day::OfWeek(0), Day::OfWeek(7)),
    ("last week", Day::OfWeek(-7), Day::OfWeek(0)),
    ("this month", Day::OfMonth(0), Day::OfMonth(1)),
    ("last month", Day::OfMonth(-1), Day::OfMonth(0)),
    ("this year", Day::OfYear(0), Day::OfYear(1)),
    ("last year", Day::OfYear(-1), Day::OfYear(0)),
    ("今天", Day::Relative(0), Day::Relative(1)),
    ("今日", Day::Relative(0), Day::Relative(1)),
    ("昨天", Day::Relative(-1), Day::Relative(0)),
    ("昨日", Day::Relative(-1), Day::Relative(0)),
    ("前天", Day::Relative(-2), Day::Relative(-1)),
    ("本周", Day::OfWeek(0), Day::OfWeek(7)),
    ("这周", Day::OfWeek(0), Day::OfWeek(7)),
    ("这一周", Day::OfWeek(0), Day::OfWeek(7)),
    ("这星期", Day::OfWeek(0), Day::OfWeek(7)),
    ("这个星期", Day::OfWeek(0), Day::OfWeek(7)),
    ("这个礼拜", Day::OfWeek(0), Day::OfWeek(7)),
    ("上周", Day::OfWeek(-7), Day::OfWeek(0)),
    ("上一周", Day::OfWeek(-7), Day::OfWeek(0)),
    ("上星期", Day::OfWeek(-7), Day::OfWeek(0)),
    ("上个星期", Day::OfWeek(-7), Day::OfWeek(0)),
    ("上个礼拜", Day::OfWeek(-7), Day::OfWeek(0)),
    ("本月", Day::OfMonth(0), Day::OfMonth(1)),
    ("这个月", Day::OfMonth(0), Day::OfMonth(1)),
    ("当月", Day::OfMonth(0), Day::OfMonth(1)),
    ("上个月", Day::OfMonth(-1), Day::OfMonth(0)),
    ("上月", Day::OfMonth(-1), Day::OfMonth(0)),
    ("今年", Day::OfYear(0), Day::OfYear(1)),
    ("本年", Day::OfYear(0), Day::OfYear(1)),
    ("去年", Day::OfYear(-1), Day::OfYear(0)),
    ("前年", Day::OfYear(-2), Day::OfYear(-1)),
    ("the current month", Day::OfMonth(0), Day::OfMonth(1)),
    ("the current year", Day::OfYear(0), Day::OfYear(1)),
    ("the current week", Day::OfWeek(0), Day::OfWeek(7)),
    ("the previous month", Day::OfMonth(-1), Day::OfMonth(0)),
    ("the previous week", Day::OfWeek(-7), Day::OfWeek(0)),
    ("the previous year", Day::OfYear(-1), Day::OfYear(0)),
];

/// Months by name.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What people do to files on a day, before the day.
const VERBS: [&str; 46] = [
    "changed",
    "change",
    "modified",
    "modify",
    "edited",
    "edit",
    "updated",
    "update",
    "touched",
    "touch",
    "saved",
    "save",
    "created",
    "create",
    "added",
    "add",
    "made",
    "make",
    "taken",
    "took",
    "take",
    "shot",
    "worked on",
    "work on",
    "written",
    "write",
    "wrote",
    "downloaded",
    "download",
    "recorded",
    "dated",
    "new",
    "got",
    "that are",
    "which are",
    "that were",
    "which were",
    "were",
    "that i",
    "i",
    "we",
    "last changed",
    "last modified",
    "last edited",
    "last updated",
    "have been",
];
/// What stands between the verb and the day.
const BEFORE: [&str; 5] = ["before", "until", "till", "prior to", "older than"];
const AFTER: [&str; 4] = ["after", "since", "newer than", "from after"];
const DURING: [&str; 8] = ["in", "on", "from", "during", "of", "within", "at", "back in"];

/// The same in Chinese, behind the day.
const CHINESE_VERBS: [&str; 31] = [
    "修改过",
    "改动过",
    "改过",
    "动过",
    "更新过",
    "编辑过",
    "变动过",
    "创建过",
    "修改",
    "改动",
    "更新",
    "编辑",
    "变动",
    "改了",
    "动了",
    "改",
    "拍摄",
    "拍下",
    "拍",
    "创建",
    "新建",
    "新增",
    "建",
    "保存",
    "存",
    "下载",
    "写",
    "做",
    "生成",
    "有改动",
    "有修改",
];

/// The stretches of days at the front of a text, with the words around them that say what happened then.
pub fn read_days(rest: &str) -> Vec<(usize, DaySpan)> {
    let chinese = chinese(rest);
    if !chinese.is_empty() {
        return chinese;
    }
    let mut at = 0;
    while let Some(length) = word(&rest[at..], &VERBS) {
        at += length;
    }
    let said = at > 0;
    for (words, kind) in [(&BEFORE[..], -1), (&AFTER[..], 1), (&DURING[..], 0)] {
        if let Some(length) = word(&rest[at..], words) {
            let start = at + length;
            return day(&rest[start..], true)
                .map(|(end, span)| (start + end, side(&span, kind)))
                .into_iter()
                .collect();
        }
    }
    day(&rest[at..], said).map(|(end, span)| (at + end, span)).into_iter().collect()
}

/// Before it, after it, or itself.
fn side(span: &DaySpan, kind: i64) -> DaySpan {
    match kind {
        -1 => DaySpan { from: None, until: span.from },
        1 => DaySpan { from: span.from, until: None },
        _ => span.clone(),
    }
}

/// The length of one of these words and the blank behind it.
fn word(rest: &str, words: &[&str]) -> Option<usize> {
    let longest = words.iter().filter(|word| starts_with_word(rest, word)).map(|word| word.len()).max()?;
    rest[longest..].starts_with(' ').then_some(longest + 1)
}

/// A day, a month or a year; a bare year only where something says that it is one.
fn day(rest: &str, is_said: bool) -> Option<(usize, DaySpan)> {
    let named =
        NAMED.iter().filter(|(name, ..)| starts_with_word(rest, name)).max_by_key(|(name, ..)| name.len());
    if let Some((name, from, until)) = named {
        return Some((name.len(), DaySpan { from: Some(*from), until: Some(*until) }));
    }
    let fixed = |length, year, month, day| Some((length, stretch(year, month, day)?));
    let lower = rest.to_ascii_lowercase();
    for (at, name) in MONTHS.iter().enumerate() {
        let short = &name[..3];
        let Some(length) =
            [*name, short].iter().find(|name| starts_with_word(rest, name)).map(|name| name.len())
        else {
            continue;
        };
        let year = number(lower[length..].strip_prefix(' ')?, 4)?;
        let month = i64::try_from(at + 1).ok()?;
        return fixed(length + 5, year, Some(month), None);
    }
    let year = number(rest, 4).filter(|year| (1970..2100).contains(year))?;
    let ends = |length: usize| {
        !rest[length..].starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'))
    };
    let month = rest[4..].strip_prefix('-').and_then(|rest| number(rest, 2));
    let of_month = rest.get(7..).and_then(|rest| rest.strip_prefix('-')).and_then(|rest| number(rest, 2));
    match (month, of_month) {
        (Some(month), Some(day)) if ends(10) => fixed(10, year, Some(month), Some(day)),
        (Some(month), None) if ends(7) => fixed(7, year, Some(month), None),
        (None, None) if is_said && ends(4) => fixed(4, year, None, None),
        _ => None,
    }
}

/// So many digits, and no more.
fn number(text: &str, digits: usize) -> Option<i64> {
    (run(text, |c| c.is_ascii_digit()) == digits).then(|| text[..digits].parse().ok())?
}

fn stretch(year: i64, month: Option<i64>, day: Option<i64>) -> Option<DaySpan> {
    let (from, until) = match (month, day) {
        (Some(month), Some(day)) => {
            let first = Calendar::day(&format!("{year:04}-{month:02}-{day:02}"))?;
            (first, day_after(first))
        }
        (Some(month), None) if (1..=12).contains(&month) => {
            (Calendar::of(year, month, 1), Calendar::of(year + month / 12, month % 12 + 1, 1))
        }
        (None, _) => (Calendar::of(year, 1, 1), Calendar::of(year + 1, 1, 1)),
        (Some(_), None) => return None,
    };
    Some(DaySpan { from: Some(Day::Fixed(from)), until: Some(Day::Fixed(until)) })
}

/// 今天改过的, 2025年, 2025年3月以前拍的.
fn chinese(rest: &str) -> Vec<(usize, DaySpan)> {
    let start = ["在", "于"].iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len());
    let text = &rest[start..];
    let named = NAMED
        .iter()
        .filter(|(name, ..)| !name.is_ascii() && text.starts_with(name))
        .max_by_key(|(name, ..)| name.len());
    let found = named
        .map(|(name, from, until)| (name.len(), DaySpan { from: Some(*from), until: Some(*until) }))
        .or_else(|| chinese_date(text));
    let Some((length, span)) = found else { return Vec::new() };
    let mut at = start + length;
    let skip = |at: usize, words: &[&str]| {
        words.iter().filter(|word| rest[at..].starts_with(**word)).map(|word| word.len()).max().unwrap_or(0)
    };
    let (before, after) = (
        skip(at, &["以前", "之前", "前"]),
        skip(at, &["以后", "之后", "以来", "后", "起", "至今", "到现在"]),
    );
    let span = if before > 0 {
        side(&span, -1)
    } else if after > 0 {
        side(&span, 1)
    } else {
        span
    };
    at += before.max(after);
    at += skip(at, &["里", "内", "当天", "那天", "份", "期间", "中"]);
    at += skip(at, &["我", "被", "刚", "我们"]);
    at += skip(at, &CHINESE_VERBS);
    at += skip(at, &["过", "了"]);
    at += skip(at, &["的"]);
    vec![(at, span)]
}

/// `2025年`, `2025年3月`, `2025年3月5日`.
fn chinese_date(text: &str) -> Option<(usize, DaySpan)> {
    let part = |text: &str, unit: &[&str]| {
        let digits = run(text, |c| c.is_ascii_digit());
        let number: i64 = text[..digits].parse().ok()?;
        let unit = unit.iter().find(|unit| text[digits..].starts_with(**unit))?;
        Some((digits + unit.len(), number))
    };
    let (mut length, year) = part(text, &["年"]).filter(|(_, year)| (1970..2100).contains(year))?;
    let month = part(&text[length..], &["月份", "月"]);
    length += month.map_or(0, |(length, _)| length);
    let day = month.and_then(|_| part(&text[length..], &["日", "号"]));
    length += day.map_or(0, |(length, _)| length);
    Some((length, stretch(year, month.map(|(_, month)| month), day.map(|(_, day)| day))?))
}

#[cfg(test)]
mod tests {
    use super::read_days;

    #[test]
    fn days_are_read_with_the_words_around_them() {
        // A Monday.
        let today = "2026-11-23";
        for (text, from, until) in [
            ("today", "2026-11-23", "2026-11-24"),
            ("change today", "2026-11-23", "2026-11-24"),
            ("from 2025", "2025-01-01", "2026-01-01"),
            ("taken in March 2025", "2025-03-01", "2025-04-01"),
            ("before 2026", "", "2026-01-01"),
            ("changed since 2026-11-01", "2026-11-01", ""),
            ("last week", "2026-11-16", "2026-11-23"),
            ("last month", "2026-10-01", "2026-11-01"),
            ("in December 2025", "2025-12-01", "2026-01-01"),
            ("今天改过的", "2026-11-23", "2026-11-24"),
            ("2025年的", "2025-01-01", "2026-01-01"),
            ("2026年以前的", "", "2026-01-01"),
            ("2025年3月5日以后修改的", "2025-03-05", ""),
            ("上个月下载的", "2026-10-01", "2026-11-01"),
        ] {
            let found = read_days(text);
            let (length, span) = found.first().unwrap_or_else(|| panic!("{text}"));
            let (found_from, found_until) = span.ends(today);
            assert_eq!(*length, text.len(), "{text}");
            assert_eq!(
                (found_from.unwrap_or_default(), found_until.unwrap_or_default()),
                (from.to_owned(), until.to_owned())
            );
        }
        for text in ["2025", "changed", "in the folder", "2025.txt", "from 2025-report", "may be", "今年级"]
        {
            let found = read_days(text);
            assert!(text == "今年级" || found.is_empty(), "{text}: {found:?}");
        }
    }
}
