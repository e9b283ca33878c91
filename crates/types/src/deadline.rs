//! When a person wants a task done, as a moment.

use crate::Timestamp;

const MINUTE_MS: i64 = 60_000;
const DAY_MINUTES: i64 = 24 * 60;
/// Largest distance of a zone from UTC, in minutes (ISO 8601 zones reach from -12:00 to +14:00).
const MAX_OFFSET: i64 = 14 * 60;

/// Reads a date or a time in ISO 8601: `2026-11-22`, which is that day's end, `2026-11-22T18:00`, with seconds, with `Z` or
/// `+02:00`. What names no zone is where the person is, `utc_offset_minutes` east of UTC. None for everything else, such
/// as "tomorrow".
pub fn read(text: &str, utc_offset_minutes: i32) -> Option<Timestamp> {
    let text = text.trim();
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let day = days(date)?;
    let (minutes, seconds_ms, offset) = match time {
        Some(time) => clock(time)?,
        // The last millisecond of the day is not told from the first one of the next.
        None => (DAY_MINUTES, 0, None),
    };
    let offset = offset.unwrap_or(i64::from(utc_offset_minutes));
    Some(Timestamp((day * DAY_MINUTES + minutes - offset) * MINUTE_MS + seconds_ms))
}

/// Minutes of the day, milliseconds of the minute, and minutes east of UTC where a zone is named.
fn clock(time: &str) -> Option<(i64, i64, Option<i64>)> {
    let (time, offset) = match time.trim_end_matches(['Z', 'z']) {
        utc if utc.len() < time.len() => (utc, Some(0)),
        _ => match time.rfind(['+', '-']) {
            Some(at) => (&time[..at], Some(zone(&time[at..])?)),
            None => (time, None),
        },
    };
    let mut parts = time.split(':');
    let (hour, minute) = (number(parts.next()?, 2, 24)?, number(parts.next()?, 2, 59)?);
    let seconds = match parts.next() {
        Some(seconds) => number(seconds.split_once(['.', ',']).map_or(seconds, |(whole, _)| whole), 2, 60)?,
        None => 0,
    };
    let minutes = hour * 60 + minute;
    (parts.next().is_none() && minutes <= DAY_MINUTES).then_some((minutes, seconds * 1_000, offset))
}

/// `+02:00`, `+0200`, `-05`.
fn zone(text: &str) -> Option<i64> {
    let digits: String = text[1..].chars().filter(|c| *c != ':').collect();
    if !digits.is_ascii() {
        return None;
    }
    let minutes = match digits.len() {
        2 => number(&digits, 2, 14)? * 60,
        4 => number(&digits[..2], 2, 14)? * 60 + number(&digits[2..], 2, 59)?,
        _ => return None,
    };
    let signed = if text.starts_with('-') { -minutes } else { minutes };
    (minutes <= MAX_OFFSET).then_some(signed)
}

/// Days since 1970-01-01 of a date of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms",
/// days_from_civil).
fn days(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4, 9_999)?;
    let (month, day) = (number(parts.next()?, 2, 12)?, number(parts.next()?, 2, 31)?);
    if parts.next().is_some() || month < 1 || day < 1 || day > month_days(year, month) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

fn month_days(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// So many digits, of a number up to `most`.
fn number(text: &str, digits: usize, most: i64) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && *number <= most)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_zone_that_is_no_number_is_none() {
        for zone in ["+\u{fffd}4", "+é7", "-:", "+把"] {
            assert_eq!(read(&format!("2026-11-22T18:00{zone}"), 0), None, "{zone}");
        }
    }

    #[test]
    fn dates_and_times_are_moments() {
        let check = |text: &str, offset: i32, ms: i64| {
            assert_eq!(read(text, offset).map(|at| at.0), Some(ms), "{text} at {offset}");
        };
        check("1970-01-01T00:00:00Z", 120, 0);
        check("2026-01-01T00:00Z", 0, 1_767_225_600_000);
        check("2026-01-01T02:00:07.5+02:00", 0, 1_767_225_607_000);
        check("2026-01-01 02:00", 120, 1_767_225_600_000);
        check("2025-12-31T19:00-0500", 0, 1_767_225_600_000);
        check("2025-12-31", 0, 1_767_225_600_000);
        check("2025-12-31", 60, 1_767_225_600_000 - 3_600_000);
        check("2024-02-29T24:00Z", 0, 1_709_251_200_000);
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "tomorrow",
            "18:00",
            "2026",
            "2026-13-01",
            "2026-02-29",
            "2026-1-1",
            "2026-01-01T25:00",
            "2026-01-01T12",
            "2026-01-01T12:00+99:00",
            "2026-01-01T12:00:00:00",
            "2026-01-01T24:30",
            "+026-01-01",
            "2026-01-01T1€:00",
        ] {
            assert_eq!(read(text, 0), None, "{text}");
        }
    }
}
