//! How long and how often a call is tried again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// The first attempt and three more: with the waits below, a server may be away for about ten seconds.
pub(super) const MAX_TRIES: u32 = 4;

/// The times of one provider. Its default suits servers on this machine and far away alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Longest time to make a connection.
    pub connect: Duration,
    /// Longest silence: only data of the reply ends it, so that a server cannot keep a call alive with comments.
    pub idle: Duration,
    /// The first wait before another attempt is drawn from 0 to this; each further one from twice as much.
    pub backoff_base: Duration,
    /// Upper end of any drawn wait.
    pub backoff_cap: Duration,
    /// Longest wait that a server may ask for.
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
            idle: Duration::from_secs(60),
            backoff_base: Duration::from_millis(500),
            backoff_cap: Duration::from_secs(8),
            retry_after_cap: Duration::from_secs(30),
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

    /// The wait before another connection is tried, `since_first` after the first attempt began; none when that would
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

/// Random numbers good enough to keep clients apart: xorshift64*.
#[derive(Debug)]
pub(super) struct Jitter(AtomicU64);

impl Jitter {
    /// Seeded from the clock and from where the value lies, so that two processes differ.
    pub(super) fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let place = std::ptr::from_ref(&since).addr();
        let seed = u64::from(since.subsec_nanos())
            ^ since.as_secs().rotate_left(32)
            ^ (place as u64).rotate_left(16);
        // The state must not be 0, which the generator would keep.
        Self(AtomicU64::new(seed | 1))
    }

    /// The next number in 0..1.
    pub(super) fn share(&self) -> f64 {
        let mut state = self.0.load(Ordering::Relaxed);
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        // Two threads may draw the same number; they wait for different servers or for each other's luck.
        self.0.store(state, Ordering::Relaxed);
        let drawn = state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        drawn as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests;
