//! Dates in a request: how far it is to one, or from one to another, and which day of the week one is.

use crate::language::Language;

const ENGLISH_DAYS: [&str; 7] =
    ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const CHINESE_DAYS: [&str; 7] = ["星期四", "星期五", "星期六", "星期日", "星期一", "星期二", "星期三"];

/// The answer to a normalised request that asks for nothing but this; `today` as `2026-11-23`.
pub fn answer(request: &str, today: &str) -> Option<String> {
    let text = request.to_lowercase();
    let language = Language::of(request);
    let today = date(today)?;
    if let Some(day) = weekday_asked(&text) {
        let of_week = usize::try_from(day.rem_euclid(7)).ok()?;
        return Some(match language {
            Language::English => format!("{} is a {}", shown(day), ENGLISH_DAYS[of_week]),
            Language::Chinese => format!("{} 是{}", shown(day), CHINESE_DAYS[of_week]),
        });
    }
    if let Some(shift) = shift_asked(&text) {
        let day = today + shift;
        let of_week = usize::try_from(day.rem_euclid(7)).ok()?;
        return Some(match language {
            Language::English => format!("{}, a {}", shown(day), ENGLISH_DAYS[of_week]),
            Language::Chinese => format!("{}，{}", shown(day), CHINESE_DAYS[of_week]),
        });
    }
    let (from, to) = span_asked(&text, today)?;
    let days = to - from;
    Some(match language {
        Language::English => format!(
            "{days} {} from {} to {}",
            if days.abs() == 1 { "day" } else { "days" },
            shown(from),
            shown(to)
        ),
        Language::Chinese => format!("从 {} 到 {} 有 {days} 天", shown(from), shown(to)),
    })
}

/// The calendar, in days since 1970-01-01.
#[derive(Debug)]
pub struct Calendar;

impl Calendar {
    /// The day that is written as `2026-11-23`; none for one that the calendar does not have.
    pub fn day(text: &str) -> Option<i64> {
        date(text)
    }

    /// The day of a year, a month and a day of it.
    pub fn of(year: i64, month: i64, day: i64) -> i64 {
        days(year, month, day)
    }

    /// A day as `2026-11-23`.
    pub fn shown(day: i64) -> String {
        shown(day)
    }
}

/// Year, month and day.
pub fn parts_of(day: i64) -> (i64, i64, i64) {
    civil(day)
}

/// The next day.
pub fn day_after(day: i64) -> i64 {
    day + 1
}

fn weekday_asked(text: &str) -> Option<i64> {
    let fronts = [
        "what weekday is ",
        "which weekday is ",
        "what day of the week is ",
        "which day of the week is ",
        "what weekday was ",
        "which weekday was ",
        "what day of the week was ",
        "which day of the week was ",
        "what day of the week will ",
        "what weekday will ",
        "what day is ",
        "what day was ",
        "on what day of the week was ",
        "on which day was ",
        "on what day is ",
        "on which weekday is ",
        "on which weekday was ",
        "day of the week of ",
        "weekday of ",
    ];
    let backs = [
        "是星期几",
        "是周几",
        "是礼拜几",
        "是哪一天",
        "星期几",
        "周几",
        "礼拜几",
        "是礼拜几来着",
        "是星期几来着",
        "那天是星期几",
        "那天是周几",
        "那天星期几",
    ];
    let text = text.strip_suffix(" be").unwrap_or(text);
    let rest = fronts
        .iter()
        .find_map(|front| text.strip_prefix(front))
        .or_else(|| backs.iter().find_map(|back| text.strip_suffix(back)))?;
    date(rest)
}

/// Days from today to the one that is asked for: "what date is it in 45 days", 三周后是几号.
fn shift_asked(text: &str) -> Option<i64> {
    if text.chars().any(crate::is_han) { chinese_shift(text) } else { english_shift(text) }
}

fn english_shift(text: &str) -> Option<i64> {
    const ASKS: [&str; 4] = ["date", "day", "weekday", "days"];
    const AHEAD: [&str; 6] = ["in", "from", "later", "after", "hence", "now"];
    const SAYS_NOTHING: [&str; 21] = [
        "what", "what's", "whats", "which", "is", "it", "will", "be", "was", "the", "of", "week", "today",
        "we", "have", "do", "tell", "me", "and", "on", "then",
    ];
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ',' || c == '?')
        .filter(|word| !word.is_empty())
        .collect();
    let number = |word: &str| {
        let spoken = || crate::NUMBER_WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
        word.parse::<u64>().ok().or_else(spoken)
    };
    let unit = |word: &str| match word {
        "day" | "days" => Some(1),
        "week" | "weeks" => Some(7),
        _ => None,
    };
    let (at, count, length) =
        words.windows(2).enumerate().find_map(|(at, two)| Some((at, number(two[0])?, unit(two[1])?)))?;
    let rest: Vec<&str> = words[..at].iter().chain(&words[at + 2..]).copied().collect();
    let is_past = rest.contains(&"ago") || rest.contains(&"before");
    let known = |word: &&str| {
        ASKS.contains(word)
            || AHEAD.contains(word)
            || SAYS_NOTHING.contains(word)
            || ["ago", "before"].contains(word)
    };
    let says_when = is_past || rest.iter().any(|word| AHEAD.contains(word));
    let asks = rest.iter().any(|word| ASKS.contains(word) || *word == "what");
    (says_when && asks && rest.iter().all(known)).then(|| signed(count, length, is_past)).flatten()
}

fn chinese_shift(text: &str) -> Option<i64> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && !",，?？。".contains(*c)).collect();
    let rest = ["请问", "从今天起", "从今天算起", "今天起", "再过", "过", "从现在起"]
        .iter()
        .fold(plain.as_str(), |rest, front| rest.strip_prefix(front).unwrap_or(rest));
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (length, count) = match rest[..digits].parse::<u64>() {
        Ok(count) => (digits, count),
        Err(_) => crate::chinese_number(rest)?,
    };
    let rest = &rest[length..];
    let (unit, rest) = [("个星期", 7), ("星期", 7), ("个礼拜", 7), ("周", 7), ("天", 1), ("日", 1)]
        .iter()
        .find_map(|(word, days)| Some((*days, rest.strip_prefix(word)?)))?;
    let (is_past, rest) =
        [("之后", false), ("以后", false), ("后", false), ("之前", true), ("以前", true), ("前", true)]
            .iter()
            .find_map(|(word, past)| Some((*past, rest.strip_prefix(word)?)))?;
    const ASKS: [&str; 17] = [
        "是几月几号",
        "是几月几日",
        "几月几号",
        "是哪一天",
        "哪一天",
        "是哪天",
        "哪天",
        "是几号",
        "几号",
        "是星期几",
        "星期几",
        "是周几",
        "周几",
        "是什么日期",
        "日期是多少",
        "是礼拜几",
        "礼拜几",
    ];
    let mut rest = rest.strip_prefix('的').unwrap_or(rest);
    let mut asks = false;
    while !rest.is_empty() {
        let next = ASKS.iter().find_map(|ask| rest.strip_prefix(ask));
        asks |= next.is_some();
        let filler =
            || ["呢", "啊", "和", "又", "，", "那天"].iter().find_map(|word| rest.strip_prefix(word));
        rest = next.or_else(filler)?;
    }
    asks.then(|| signed(count, unit, is_past)).flatten()
}

/// Most days that are gone forward or back.
const FARTHEST: i64 = 1_000_000;

fn signed(count: u64, unit: i64, is_past: bool) -> Option<i64> {
    let days = i64::try_from(count).ok()?.checked_mul(unit).filter(|days| *days <= FARTHEST)?;
    Some(if is_past { -days } else { days })
}

/// The two days between which the days are counted.
fn span_asked(text: &str, today: i64) -> Option<(i64, i64)> {
    let until = [
        "how many days until ",
        "how many days are left until ",
        "how many days are left till ",
        "how many days are left to ",
        "how many days left until ",
        "how many days are there until ",
        "how many days remain until ",
        "how many more days until ",
        "days left until ",
        "how many days till ",
        "how many days to ",
        "days until ",
        "how long until ",
    ];
    if let Some(rest) = until.iter().find_map(|front| text.strip_prefix(front)) {
        return Some((today, date(rest)?));
    }
    let since = ["how many days since ", "days since "];
    if let Some(rest) = since.iter().find_map(|front| text.strip_prefix(front)) {
        return Some((date(rest)?, today));
    }
    if let Some((from, to)) = days_between(text) {
        return Some((date(from)?, date(to)?));
    }
    let backs = ["多少天", "几天", "多少日", "天数", "的天数"];
    let rest = backs.iter().find_map(|back| text.strip_suffix(back))?;
    let verbs =
        ["还有", "一共有", "总共有", "相隔", "隔了", "间隔", "相差", "相距", "过了", "有", "隔", "差", "共"];
    let rest = verbs.iter().find_map(|verb| rest.strip_suffix(verb)).unwrap_or(rest);
    let rest =
        ["之间", "中间", "一共", "总共"].iter().find_map(|word| rest.strip_suffix(word)).unwrap_or(rest);
    for front in ["距离", "离", "到", "距"] {
        if let Some(day) = rest.strip_prefix(front).and_then(date) {
            return Some((today, day));
        }
    }
    let (from, to) = rest.strip_prefix('从').unwrap_or(rest).split_once('到')?;
    Some((date(from)?, date(to)?))
}

/// The two days of "how many days lie between one and the other", or "from one to the other".
fn days_between(text: &str) -> Option<(&str, &str)> {
    let asks = ["how many days", "the number of days", "number of days", "count the days", "days"];
    let rest = asks.iter().find_map(|ask| text.strip_prefix(ask))?.trim_start();
    let verbs =
        ["are there", "are", "lie", "pass", "passed", "fall", "is it", "does it take", "elapse", "elapsed"];
    let rest = verbs.iter().find_map(|verb| rest.strip_prefix(verb)).unwrap_or(rest).trim_start();
    let between = rest.strip_prefix("between ").and_then(|days| days.split_once(" and "));
    between.or_else(|| rest.strip_prefix("from ")?.split_once(" to "))
}

/// Days since 1970-01-01 of `2026-12-24` or `2026年12月24日`; none for a day that the calendar does not have.
fn date(text: &str) -> Option<i64> {
    if let Some(day) = spoken(text.trim()) {
        return Some(day);
    }
    let plain = text.trim().trim_end_matches(['日', '号']).replace(['年', '月'], "-");
    let mut parts = plain.split('-');
    let mut part = |digits: std::ops::RangeInclusive<usize>| {
        let text = parts.next()?;
        let fits = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|_| fits)
    };
    let (year, month, day) = (part(4..=4)?, part(1..=2)?, part(1..=2)?);
    let found = days(year, month, day);
    (parts.next().is_none() && civil(found) == (year, month, day)).then_some(found)
}

/// `1 May 2024`, `May 1, 2024`, `the 1st of May 2024`.
fn spoken(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    const FULL: [&str; 12] = [
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
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|found: char| found.is_whitespace() || found == ',')
        .filter(|word| !word.is_empty() && !["the", "of"].contains(word))
        .collect();
    let [one, two, year] = words.as_slice() else { return None };
    let month = |word: &str| {
        let word = word.trim_end_matches('.');
        let at =
            MONTHS.iter().position(|name| *name == word).or(FULL.iter().position(|name| *name == word))?;
        i64::try_from(at + 1).ok()
    };
    let day = |word: &str| -> Option<i64> {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        digits.parse().ok().filter(|day| (1..=31).contains(day))
    };
    let (month, day) = match (month(one), month(two)) {
        (Some(month), None) => (month, day(two)?),
        (None, Some(month)) => (month, day(one)?),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let year: i64 = year.parse().ok().filter(|year| (1000..10_000).contains(year))?;
    let found = days(year, month, day);
    (civil(found) == (year, month, day)).then_some(found)
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

fn shown(day: i64) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn a_request_is_read_as_it_is_normalised() {
        let text = crate::normalise("how many days are there between 2026-01-10 and 2026-03-01");
        assert_eq!(
            answer(&text, "2026-11-23").as_deref(),
            Some("50 days from 2026-01-10 to 2026-03-01"),
            "{text}"
        );
    }

    #[test]
    fn days_are_counted_and_named() {
        for (request, told) in [
            ("how many days until 2026-12-24", "31 days from 2026-11-23 to 2026-12-24"),
            ("how many days between 2026-01-01 and 2026-03-01", "59 days from 2026-01-01 to 2026-03-01"),
            ("how many days since 2026-11-22", "1 day from 2026-11-22 to 2026-11-23"),
            ("what day of the week was 1 May 2024", "2024-05-01 is a Wednesday"),
            (
                "how many days are there between 2026-01-10 and 2026-03-01",
                "50 days from 2026-01-10 to 2026-03-01",
            ),
            ("what weekday is 2026-12-25", "2026-12-25 is a Friday"),
            ("what day of the week is 1969-07-20", "1969-07-20 is a Sunday"),
            ("距离2026年12月24日还有多少天", "从 2026-11-23 到 2026-12-24 有 31 天"),
            ("2024-02-28到2024-03-01有多少天", "从 2024-02-28 到 2024-03-01 有 2 天"),
            ("2026年12月25日是星期几", "2026-12-25 是星期五"),
            ("what date is it in 45 days", "2027-01-07, a Thursday"),
            ("which day will it be in two weeks", "2026-12-07, a Monday"),
            ("what date was it 3 days ago", "2026-11-20, a Friday"),
            ("45天之后是几号?星期几", "2027-01-07，星期四"),
            ("三周后是星期几", "2026-12-14，星期一"),
            ("10天前是几号", "2026-11-13，星期五"),
        ] {
            assert_eq!(answer(request, "2026-11-23").as_deref(), Some(told), "{request}");
        }
    }

    #[test]
    fn what_is_no_date_is_not_answered() {
        for request in [
            "how many days until 2026-02-30",
            "how many days until christmas",
            "what weekday is 12/25",
            "how many days between 2026-01-01",
            "how many files until 2026-01-01",
            "how many days in 3 weeks",
            "files of 3 days ago",
            "which files did I change 3 days ago",
            "3天前改过的文件",
            "三天后提醒我",
            "去年有多少天",
        ] {
            assert_eq!(answer(request, "2026-11-23"), None, "{request}");
        }
    }
}
