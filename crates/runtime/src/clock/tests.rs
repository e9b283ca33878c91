use std::time::Duration;

use artoo_types::Timestamp;

use super::{ClockWatch, TaskClock, now};

/// A year, in milliseconds.
const YEAR: i64 = 365 * 86_400_000;

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[test]
fn a_tasks_time_is_its_start_and_what_has_passed_since() {
    let clock = TaskClock { start: Timestamp(1_000), started: seconds(50) };
    let check = |steady, expected| assert_eq!(clock.at(steady), Timestamp(expected));
    check(seconds(50), 1_000);
    check(seconds(57), 8_000);
    // A steady clock that starts anew cannot be, and takes nothing back.
    check(seconds(3), 1_000);
}

#[test]
fn a_task_goes_on_after_its_last_record_when_the_clock_was_set_back() {
    let next_year = Timestamp(now().0 + YEAR);
    let clock = TaskClock::after(next_year);
    assert!(clock.now() >= next_year);
    assert!(clock.now().0 < next_year.0 + 60_000);
    let last_year = Timestamp(now().0 - YEAR);
    assert!(TaskClock::after(last_year).now().since_ms(last_year) >= YEAR.unsigned_abs());
}

#[test]
fn a_clock_that_was_set_is_noticed_once() {
    let mut watch = ClockWatch { wall: Timestamp(0), steady: seconds(0) };
    let mut look = |wall: i64, steady| watch.compare(Timestamp(wall), seconds(steady));
    assert_eq!(look(30_000, 30), None);
    assert_eq!(look(61_900, 60), None, "a small correction");
    assert_eq!(look(YEAR + 90_000, 90), Some(YEAR - 1_900), "forward");
    assert_eq!(look(YEAR + 120_000, 120), None, "the new time is the time");
    assert_eq!(look(150_000, 150), Some(-YEAR), "back");
    assert_eq!(look(8 * 3_600_000, 8 * 3_600), None, "a sleep of eight hours is no jump");
}
