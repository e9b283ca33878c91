use std::time::{Duration, UNIX_EPOCH};

use super::{Jitter, Timing, retry_after};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn waits_double_up_to_the_cap_and_are_drawn_from_nothing_up() {
    let timing = Timing::default();
    let longest: Vec<Duration> = (1..=6).map(|tries| timing.backoff(tries, None, 1.0)).collect();
    assert_eq!(longest, [ms(500), ms(1_000), ms(2_000), ms(4_000), ms(8_000), ms(8_000)]);
    assert_eq!(timing.backoff(3, None, 0.25), ms(500));
    assert_eq!(timing.backoff(3, None, 0.0), ms(0));
    assert_eq!(timing.backoff(u32::MAX, None, 1.0), ms(8_000), "no overflow");
}

#[test]
fn a_server_may_ask_for_any_wait_up_to_the_cap() {
    let timing = Timing::default();
    assert_eq!(timing.backoff(1, Some(ms(12_000)), 0.0), ms(12_000));
    assert_eq!(timing.backoff(1, Some(ms(3_600_000)), 0.0), ms(30_000));
}

#[test]
fn connections_are_tried_again_for_three_seconds() {
    let timing = Timing::default();
    let mut waited = ms(0);
    let mut tries = 0;
    while let Some(wait) = timing.reconnect(tries + 1, waited) {
        tries += 1;
        waited += wait;
    }
    assert_eq!((tries, waited), (3, ms(2_100)));
    assert_eq!(timing.reconnect(1, ms(5_000)), None, "a connection that hung is not tried again");
}

#[test]
fn retry_after_is_read_in_all_its_forms() {
    // 2015-10-21T07:28:00Z
    let now = UNIX_EPOCH + Duration::from_secs(1_445_412_480);
    let read = |value: &str| retry_after(value, now);
    assert_eq!(read("7"), Some(ms(7_000)));
    assert_eq!(read(" 0 "), Some(ms(0)));
    assert_eq!(read("1.5"), Some(ms(1_500)));
    assert_eq!(read("-3"), Some(ms(0)));
    assert_eq!(read("Wed, 21 Oct 2015 07:28:30 GMT"), Some(ms(30_000)));
    assert_eq!(read("Wed, 21 Oct 2015 07:27:00 GMT"), Some(ms(0)), "a time that has passed");
    for value in ["", "soon", "inf", "NaN", "1e300", "Wed, 99 Oct 2015 07:28:30 GMT"] {
        assert_eq!(read(value), None, "{value}");
    }
}

#[test]
fn drawn_shares_differ_and_stay_in_range() {
    let jitter = Jitter::new();
    let drawn: Vec<f64> = (0..1_000).map(|_| jitter.share()).collect();
    assert!(drawn.iter().all(|share| (0.0..1.0).contains(share)));
    let low = drawn.iter().filter(|share| **share < 0.5).count();
    assert!((350..650).contains(&low), "{low} of 1000 in the lower half");
}
