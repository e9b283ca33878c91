//! How long and how often a call is tried again.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// The first attempt and three more: with the waits below, a server may be away for a second or two, and for a network's hiccup
/// that is enough. A server that is busy for longer is waited for by the task.
pub(super) const MAX_TRIES: u32 = 4;

/// The times of one provider. Its default suits servers on this machine and far away alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Longest time to make a connection.
    pub connect: Duration,
    /// The first wait before another attempt is drawn from 0 to this; each further one from twice as much.
    pub backoff_base: Duration,
    /// Upper end of any drawn wait.
    pub backoff_cap: Duration,
    /// Longest wait that a server may ask for within a call.
    pub retry_after_cap: Duration,
    /// First wait after a refused connection; each further one is twice as long.
    pub refused_base: Duration,
    /// How long after the first refused connection another one is tried. The waits before it add up to at most this.
    pub refused_total: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            backoff_base: Duration::from_millis(500),
            backoff_cap: Duration::from_secs(8),
            retry_after_cap: Duration::from_secs(2),
            refused_base: Duration::from_millis(300),
            refused_total: Duration::from_secs(3),
        }
    }
}

impl Timing {
    /// The wait before the attempt after `tries`, which is at least 1: what the server asks for up to the cap, else
    /// full jitter, `share * min(cap, base * 2^(tries - 1))` with `share` in 0..=1.
    pub(super) fn backoff(&self, tries: u32, retry_after: Option<Duration>, share: f64) -> Duration {
        match retry_after {
            Some(asked) => asked.min(self.retry_after_cap),
            None => doubled(self.backoff_base, tries).min(self.backoff_cap).mul_f64(share.clamp(0.0, 1.0)),
        }
    }

    /// The wait before another connection is tried, `since_first` after the first attempt began; None when that would
    /// be too late.
    pub(super) fn reconnect(&self, tries: u32, since_first: Duration) -> Option<Duration> {
        let wait = doubled(self.refused_base, tries);
        (since_first + wait <= self.refused_total).then_some(wait)
    }
}

fn doubled(base: Duration, tries: u32) -> Duration {
    base.saturating_mul(1_u32 << tries.saturating_sub(1).min(16))
}

/// The wait that a `Retry-After` header asks for: whole seconds, or a date (RFC 9110, section 10.2.3).
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Some(seconds) = value.parse::<f64>().ok().filter(|seconds| !seconds.is_nan()) {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    // A date of HTTP is one of mail with its zone written as a name.
    static DATES: DateTimeParser = DateTimeParser::new();
    let date: Timestamp = DATES.parse_timestamp(value).ok()?;
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    let at = u64::try_from(date.as_second()).ok()?;
    Some(Duration::from_secs(at).saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::{Timing, retry_after};

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
        assert_eq!(timing.backoff(1, Some(ms(1_200)), 0.0), ms(1_200));
        assert_eq!(timing.backoff(1, Some(ms(3_600_000)), 0.0), ms(2_000));
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
}
