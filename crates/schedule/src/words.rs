//! What people say of recurring times, in English and Chinese, as a pattern of cron. What is not understood as a whole is not
//! understood: half a pattern would run at the wrong time.

/// Days by their first three letters, as cron names them.
const DAYS: [(&str, &str); 7] =
    [("mon", "1"), ("tue", "2"), ("wed", "3"), ("thu", "4"), ("fri", "5"), ("sat", "6"), ("sun", "0")];
/// The rest of each day's name, and its usual short forms.
const DAY_ENDS: [&str; 10] = ["", "day", "sday", "nesday", "rsday", "urday", "s", "days", "rs", "nes"];

/// The pattern of `said`; None where it is none of these forms.
pub(crate) fn cron_of(said: &str) -> Option<String> {
    let said = said.trim().to_lowercase();
    english(&said).or_else(|| chinese(&said))
}

/// A time of the day.
#[derive(Debug, Clone, Copy)]
struct DayTime {
    hour: u32,
    minute: u32,
}

fn english(said: &str) -> Option<String> {
    let words: Vec<&str> = said.split([' ', ',']).filter(|word| !word.is_empty() && *word != "and").collect();
    match words.as_slice() {
        ["hourly"] | ["every", "hour"] => return Some("0 * * * *".to_owned()),
        ["every", "minute"] => return Some("* * * * *".to_owned()),
        ["every", number, "minutes" | "minute" | "min"] => {
            return step(number, 60).map(|n| format!("*/{n} * * * *"));
        }
        ["every", number, "hours" | "hour"] => return step(number, 24).map(|n| format!("0 */{n} * * *")),
        _ => {}
    }
    let (every, time) = match words.iter().position(|word| *word == "at") {
        Some(at) => (&words[..at], words[at + 1..].join("")),
        // Without "at" the last word is the time, or the last two are: "9 am".
        None => {
            let own = words.last().is_some_and(|word| matches!(*word, "am" | "pm" | "a.m." | "p.m."));
            let at = words.len().checked_sub(if own { 2 } else { 1 })?;
            (&words[..at], words[at..].join(""))
        }
    };
    let time = day_time(&time)?;
    let days = match every {
        ["daily"] | ["every" | "each", "day"] | ["everyday"] => "*".to_owned(),
        ["every" | "each", "morning"] if time.hour < 12 => "*".to_owned(),
        ["every" | "each", "evening" | "night"] if time.hour >= 12 => "*".to_owned(),
        ["every" | "each", "weekday"] | ["weekdays"] | ["on", "weekdays"] | ["every", "workday"] => {
            "1-5".to_owned()
        }
        ["every" | "each", "weekend"] | ["weekends"] | ["on", "weekends"] => "0,6".to_owned(),
        ["every" | "each" | "on", days @ ..] | days if !days.is_empty() => {
            let days: Option<Vec<&str>> = days.iter().map(|word| day(word)).collect();
            days?.join(",")
        }
        _ => return None,
    };
    Some(format!("{} {} * * {days}", time.minute, time.hour))
}

/// A step that divides `whole`: a pattern with another one would come at uneven distances.
fn step(number: &str, whole: u32) -> Option<u32> {
    number.parse().ok().filter(|n| (1..whole).contains(n) && whole.is_multiple_of(*n))
}

fn day(word: &str) -> Option<&'static str> {
    let (start, end) = word.split_at_checked(3)?;
    let (_, number) = DAYS.iter().find(|(name, _)| *name == start)?;
    DAY_ENDS.contains(&end).then_some(*number)
}

/// `9`, `9:30`, `9am`, `9:30pm`, `noon`, `midnight`.
fn day_time(text: &str) -> Option<DayTime> {
    match text {
        "noon" => return Some(DayTime { hour: 12, minute: 0 }),
        "midnight" => return Some(DayTime { hour: 0, minute: 0 }),
        _ => {}
    }
    let text = text.replace('.', "");
    let (text, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(rest), _) => (rest, Some(0)),
        (_, Some(rest)) => (rest, Some(12)),
        (None, None) => (text.strip_suffix("o'clock").unwrap_or(&text), None),
    };
    let (hour, minute) = text.split_once(':').unwrap_or((text, "00"));
    if minute.len() != 2 {
        return None;
    }
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = match half {
        None => hour,
        Some(later) if (1..=12).contains(&hour) => hour % 12 + later,
        Some(_) => return None,
    };
    (hour < 24 && minute < 60).then_some(DayTime { hour, minute })
}

fn chinese(said: &str) -> Option<String> {
    let said: String = said.chars().filter(|c| !c.is_whitespace()).collect();
    let said = said.replace('：', ":");
    for (start, number_of) in [("分钟", 60_u32), ("小时", 24), ("个小时", 24)] {
        let Some(number) = said.strip_prefix('每').map(|rest| rest.strip_prefix('隔').unwrap_or(rest))
        else {
            break;
        };
        if let Some(number) = number.strip_suffix(start) {
            let number = if number.is_empty() { 1 } else { figure(number)? };
            let number = step(&number.to_string(), number_of)?;
            return Some(if number_of == 60 {
                format!("*/{number} * * * *")
            } else {
                format!("0 */{number} * * *")
            });
        }
    }
    let (days, time) = if let Some(rest) = said.strip_prefix("每天").or_else(|| said.strip_prefix("每日"))
    {
        ("*".to_owned(), rest)
    } else if let Some(rest) = said.strip_prefix("每个工作日").or_else(|| said.strip_prefix("工作日"))
    {
        ("1-5".to_owned(), rest)
    } else if let Some(rest) = said.strip_prefix("每周末").or_else(|| said.strip_prefix("周末")) {
        ("0,6".to_owned(), rest)
    } else {
        let rest =
            ["每个星期", "每星期", "每周", "每礼拜"].iter().find_map(|start| said.strip_prefix(start))?;
        let mut characters = rest.chars();
        let number = match characters.next()? {
            '日' | '天' => 0,
            other => figure(&other.to_string()).filter(|n| (1..=6).contains(n))?,
        };
        (number.to_string(), characters.as_str())
    };
    let time = chinese_time(time)?;
    Some(format!("{} {} * * {days}", time.minute, time.hour))
}

/// `九点`, `9点半`, `下午三点十五分`, `早上8:30`.
fn chinese_time(text: &str) -> Option<DayTime> {
    let text = text.strip_prefix('的').unwrap_or(text);
    let (text, is_later) = ["凌晨", "早上", "上午", "早晨"]
        .iter()
        .find_map(|start| text.strip_prefix(start).map(|rest| (rest, false)))
        .or_else(|| {
            ["下午", "晚上", "傍晚"]
                .iter()
                .find_map(|start| text.strip_prefix(start).map(|rest| (rest, true)))
        })
        .or_else(|| text.strip_prefix("中午").map(|rest| (rest, !rest.starts_with("十"))))
        .unwrap_or((text, false));
    let (hour, minute) = match text.split_once('点') {
        None => {
            let time = day_time(text)?;
            (time.hour, time.minute)
        }
        Some((hour, "" | "整" | "钟")) => (figure(hour)?, 0),
        Some((hour, "半")) => (figure(hour)?, 30),
        Some((hour, "一刻")) => (figure(hour)?, 15),
        Some((hour, minute)) => (figure(hour)?, figure(minute.strip_suffix('分').unwrap_or(minute))?),
    };
    let hour = if is_later && hour < 12 { hour + 12 } else { hour };
    (hour < 24 && minute < 60).then_some(DayTime { hour, minute })
}

/// A number below a hundred, in figures or in Chinese: 九, 十五, 二十, 三十五, 两.
fn figure(text: &str) -> Option<u32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let digit = |c: char| "零一二三四五六七八九".chars().position(|d| d == c).or((c == '两').then_some(2));
    let digits: Vec<char> = text.chars().filter(|c| *c != '零' || text.chars().count() == 1).collect();
    let number = match digits.as_slice() {
        ['十'] => 10,
        ['十', ones] => 10 + digit(*ones)?,
        [tens, '十'] => 10 * digit(*tens)?,
        [tens, '十', ones] => 10 * digit(*tens)? + digit(*ones)?,
        [ones] => digit(*ones)?,
        _ => return None,
    };
    u32::try_from(number).ok()
}
