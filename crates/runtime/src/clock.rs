//! The one place that reads clocks.
//!
//! The wall clock can be set, forward and back, while a task runs. So a task has a [`TaskClock`] of its own, which starts
//! with the wall clock and then runs steadily: its deadline, its budget and the order of its events do not depend on
//! what becomes of the wall clock. A [`ClockWatch`] notices when the wall clock was set.

use std::time::Duration;

use artoo_types::Timestamp;
use rustix::time::{ClockId, clock_gettime};

/// A wall clock that differs by more than this from what the steady clock expects was set. Time servers correct in
/// smaller steps, and reading both clocks takes no time.
const JUMP_MS: i64 = 2_000;

/// What the steady clock counts: also the time in which the machine sleeps.
#[cfg(target_os = "linux")]
const STEADY: ClockId = ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const STEADY: ClockId = ClockId::Monotonic;

/// Now by the wall clock, in milliseconds since the epoch. A clock before the epoch reads as the epoch.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Time since some moment before this process, by a clock that nobody can set and that counts sleep.
pub fn steady() -> Duration {
    let time = clock_gettime(STEADY);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Today's date where the person is, ISO 8601.
pub fn today() -> String {
    jiff::Zoned::now().date().to_string()
}

/// How far this machine's time is east of UTC, in minutes.
pub fn utc_offset_minutes() -> i32 {
    jiff::Zoned::now().offset().seconds() / 60
}

/// The clock by which recurring tasks are due: the wall clock where the person is.
#[derive(Debug, Clone)]
pub struct ScheduleClock {
    /// For tests: a file that holds the time, in milliseconds since the epoch.
    file: Option<std::path::PathBuf>,
}

impl ScheduleClock {
    /// The wall clock, or for tests the file that ARTOO_SCHEDULE_CLOCK names.
    pub fn from_env() -> Self {
        Self { file: std::env::var_os("ARTOO_SCHEDULE_CLOCK").map(Into::into) }
    }

    /// Now, in the zone of this machine.
    pub fn now(&self) -> jiff::Zoned {
        let Some(file) = &self.file else { return jiff::Zoned::now() };
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let at = text.trim().parse().ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        at.unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_zoned(jiff::tz::TimeZone::system())
    }

    /// Between two looks: `usual`, and less where a test sets the time.
    pub fn look_every(&self, usual: Duration) -> Duration {
        if self.file.is_some() { usual / 50 } else { usual }
    }
}

/// The time of one task: never back, and never faster or slower than real time.
#[derive(Debug, Clone, Copy)]
pub struct TaskClock {
    start: Timestamp,
    started: Duration,
}

impl TaskClock {
    /// The clock of a task that begins now.
    pub fn start() -> Self {
        Self::after(Timestamp::default())
    }

    /// The clock of a task whose last record is of `last`: it goes on from the wall clock, and from `last` when the wall
    /// clock was set back before it.
    pub fn after(last: Timestamp) -> Self {
        Self { start: now().max(last), started: steady() }
    }

    /// The task's time.
    pub fn now(&self) -> Timestamp {
        self.at(steady())
    }

    fn at(&self, steady: Duration) -> Timestamp {
        let passed = steady.saturating_sub(self.started);
        self.start.plus_ms(u64::try_from(passed.as_millis()).unwrap_or(u64::MAX))
    }
}

/// Notices when the wall clock was set.
#[derive(Debug)]
pub struct ClockWatch {
    wall: Timestamp,
    steady: Duration,
}

impl ClockWatch {
    /// Watches from now on.
    pub fn start() -> Self {
        Self { wall: now(), steady: steady() }
    }

    /// By how many milliseconds the wall clock was set since the last look; negative is back. None when it was not.
    pub fn look(&mut self) -> Option<i64> {
        self.compare(now(), steady())
    }

    fn compare(&mut self, wall: Timestamp, steady: Duration) -> Option<i64> {
        let passed = steady.saturating_sub(self.steady).as_millis();
        let expected = self.wall.0.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX));
        *self = Self { wall, steady };
        let jump = wall.0.saturating_sub(expected);
        (jump.saturating_abs() > JUMP_MS).then_some(jump)
    }
}

#[cfg(test)]
mod tests;
