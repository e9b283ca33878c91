//! Words, occurrences over changes of clocks, and what becomes of missed ones.

use artoo_types::Timestamp;
use jiff::Zoned;
use jiff::civil::date;
use jiff::tz::TimeZone;

use super::{DueDecision, MissedPolicy, ON_TIME_MS, PatternRejected, Recurrence, decide};

/// Central European time by its rule, so that no database of zones is needed.
fn berlin() -> TimeZone {
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a rule of POSIX")
}

fn at(month: i8, day: i8, hour: i8, minute: i8) -> Zoned {
    date(2026, month, day).at(hour, minute, 0, 0).to_zoned(berlin()).expect("it exists")
}

fn pattern(said: &str) -> Recurrence {
    Recurrence::read(said, &at(1, 1, 0, 0)).unwrap_or_else(|error| panic!("{error}"))
}

fn ms(zoned: &Zoned) -> Timestamp {
    Timestamp(zoned.timestamp().as_millisecond())
}

#[test]
fn what_people_say_is_understood() {
    for (said, cron) in [
        ("every weekday 9:00", "0 9 * * 1-5"),
        ("Every weekday at 9", "0 9 * * 1-5"),
        ("every day at 9", "0 9 * * *"),
        ("daily at 7:30 pm", "30 19 * * *"),
        ("every day 12am", "0 0 * * *"),
        ("every day at noon", "0 12 * * *"),
        ("every morning at 8", "0 8 * * *"),
        ("weekends at 10:15", "15 10 * * 0,6"),
        ("every monday at 18:30", "30 18 * * 1"),
        ("every tue, thursday and sat 6pm", "0 18 * * 2,4,6"),
        ("mondays at 9", "0 9 * * 1"),
        ("every 15 minutes", "*/15 * * * *"),
        ("every 2 hours", "0 */2 * * *"),
        ("every hour", "0 * * * *"),
        ("每天九点", "0 9 * * *"),
        ("每天 9:30", "30 9 * * *"),
        ("每天下午三点半", "30 15 * * *"),
        ("每个工作日早上八点", "0 8 * * 1-5"),
        ("工作日9点", "0 9 * * 1-5"),
        ("每周一上午十点十五分", "15 10 * * 1"),
        ("每星期天晚上8点", "0 20 * * 0"),
        ("每天中午十二点", "0 12 * * *"),
        ("每15分钟", "*/15 * * * *"),
        ("每隔两小时", "0 */2 * * *"),
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        ("@daily", "@daily"),
    ] {
        assert_eq!(pattern(said).as_cron(), cron, "{said}");
        assert_eq!(pattern(cron).as_cron(), cron, "it is read again as it was");
    }
}

#[test]
fn what_is_not_wholly_understood_is_refused() {
    let read =
        |said: &str| Recurrence::read(said, &at(1, 1, 0, 0)).map(|pattern| pattern.as_cron().to_owned());
    for said in [
        "",
        "soon",
        "at 9",
        "9:00",
        "every day",
        "every day at 25",
        "every day at 9:5",
        "every day at 13pm",
        "every 7 minutes",
        "every 0 minutes",
        "every monkey at 9",
        "every day at 9 but not in may",
        "每天",
        "每天九点左右",
        "每周八九点",
        "* * * *",
        "61 * * * *",
        "* * * * * *",
    ] {
        assert_eq!(read(said), Err(PatternRejected::NotUnderstood(said.to_owned())), "{said}");
    }
    assert_eq!(read("0 0 30 2 *"), Err(PatternRejected::Never("0 0 30 2 *".to_owned())));
    assert!(matches!(read(&"9".repeat(300)), Err(PatternRejected::NotUnderstood(_))));
}

#[test]
fn a_time_that_does_not_exist_comes_after_the_gap_and_one_that_is_twice_comes_once() {
    // In 2026 clocks go forward on March 29 at 2:00 and back on October 25 at 3:00.
    let daily = pattern("30 2 * * *");
    let spring = daily.upcoming(&at(3, 28, 12, 0), 2);
    assert_eq!(spring, [ms(&at(3, 29, 3, 0)), ms(&at(3, 30, 2, 30))]);
    let autumn = daily.upcoming(&at(10, 24, 12, 0), 2);
    assert_eq!(autumn[1], ms(&at(10, 26, 2, 30)), "once on the day with two");
    // What is counted by minutes goes on through both.
    let often = pattern("every 15 minutes");
    for start in [at(3, 29, 0, 50), at(10, 25, 0, 50)] {
        let times = often.upcoming(&start, 16);
        assert!(times.windows(2).all(|pair| pair[1].0 - pair[0].0 == 900_000), "{start}: {times:?}");
    }
}

#[test]
fn every_occurrence_is_handed_out_once_whatever_the_zone_does() {
    for said in ["every 15 minutes", "30 2 * * *", "every day at 3", "every hour"] {
        let pattern = pattern(said);
        let (mut now, mut handled) = (at(10, 24, 22, 0), ms(&at(10, 24, 22, 0)));
        let expected = pattern.upcoming(&now, 400);
        let mut run = Vec::new();
        for _ in 0..3 * 24 * 60 {
            now = now.checked_add(jiff::SignedDuration::from_secs(61)).expect("far from the end of time");
            if let DueDecision::Run(occurrence) = decide(&pattern, MissedPolicy::RunOnce, handled, &now) {
                run.push(occurrence);
                handled = occurrence;
            }
        }
        let until = ms(&now);
        let expected: Vec<_> = expected.into_iter().filter(|at| at.0 <= until.0).collect();
        let shared = run.len().min(expected.len());
        assert!(shared > 2 && run[..shared] == expected[..shared], "{said}: {run:?} {expected:?}");
    }
}

#[test]
fn missed_ones_run_once_or_not_at_all() {
    let pattern = pattern("every day at 9");
    let handled = ms(&at(5, 1, 9, 0));
    let decide = |policy, now: &Zoned| decide(&pattern, policy, handled, now);
    let later = at(5, 4, 11, 0);
    assert_eq!(decide(MissedPolicy::RunOnce, &later), DueDecision::Run(ms(&at(5, 4, 9, 0))));
    assert_eq!(decide(MissedPolicy::Skip, &later), DueDecision::Skip(ms(&at(5, 4, 9, 0))));
    let on_time = at(5, 2, 9, 0);
    assert_eq!(decide(MissedPolicy::Skip, &on_time), DueDecision::Run(ms(&on_time)));
    let just = on_time.checked_add(jiff::SignedDuration::from_millis(ON_TIME_MS + 1)).expect("a time");
    assert_eq!(decide(MissedPolicy::Skip, &just), DueDecision::Skip(ms(&on_time)));
    let wait = DueDecision::Wait(Some(ms(&on_time)));
    assert_eq!(decide(MissedPolicy::RunOnce, &at(5, 1, 9, 0)), wait);
    let half = at(5, 2, 9, 0).checked_add(jiff::SignedDuration::from_millis(500)).expect("a time");
    assert_eq!(decide(MissedPolicy::Skip, &half), DueDecision::Run(ms(&on_time)));
    let before = on_time.checked_sub(jiff::SignedDuration::from_millis(1)).expect("a time");
    assert_eq!(decide(MissedPolicy::Skip, &before), wait);
    // A clock that was set back repeats nothing.
    let back = DueDecision::Wait(Some(ms(&at(4, 30, 9, 0))));
    assert_eq!(decide(MissedPolicy::RunOnce, &at(4, 30, 8, 0)), back);
}
