//! A pattern of times.

use artoo_types::Timestamp;
use croner::Cron;
use jiff::Zoned;

use crate::words;

/// Shortest distance of two occurrences, in milliseconds: a task that is due more often never ends before the next one.
const LEAST_DISTANCE_MS: i64 = 60_000;
/// Occurrences that are compared to find the shortest distance.
const COMPARED: usize = 48;
/// Longest text: what people say and what cron allows is far shorter.
const MAX_CHARS: usize = 200;

/// When something recurs.
#[derive(Debug, Clone)]
pub struct Recurrence {
    cron: Cron,
    text: String,
}

/// Why words are no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternRejected {
    /// They are not understood.
    #[error(
        "{0:?} is no time that recurs; write for example \"every day at 9\", \"every weekday 9:00\", \"every monday at 18:30\", \
         \"every 15 minutes\", \"每天九点\", or a cron pattern such as \"0 9 * * 1-5\""
    )]
    NotUnderstood(String),
    /// It never comes.
    #[error("{0:?} never comes")]
    Never(String),
    /// It comes too often.
    #[error("{0:?} comes more often than once a minute")]
    TooOften(String),
}

impl Recurrence {
    /// Reads words in English or Chinese, or a cron pattern of five fields (minute, hour, day, month, weekday) or `@daily` and the
    /// like. `now` only serves to see whether it ever comes.
    ///
    /// # Errors
    /// [`PatternRejected`], with examples.
    pub fn read(said: &str, now: &Zoned) -> Result<Self, PatternRejected> {
        let not_understood = || PatternRejected::NotUnderstood(said.chars().take(MAX_CHARS).collect());
        if said.chars().count() > MAX_CHARS {
            return Err(not_understood());
        }
        let text = words::cron_of(said).unwrap_or_else(|| said.trim().to_owned());
        let fields = text.split_whitespace().count();
        if fields != 5 && !text.starts_with('@') {
            return Err(not_understood());
        }
        let cron: Cron = text.parse().map_err(|_| not_understood())?;
        let pattern = Self { cron, text };
        let mut last = pattern.next(now).ok_or_else(|| PatternRejected::Never(said.to_owned()))?;
        for next in pattern.upcoming(now, COMPARED).into_iter().skip(1) {
            if next.0 - last.0 < LEAST_DISTANCE_MS {
                return Err(PatternRejected::TooOften(said.to_owned()));
            }
            last = next;
        }
        Ok(pattern)
    }

    /// It in the form of cron, which [`Recurrence::read`] takes again.
    pub fn as_cron(&self) -> &str {
        &self.text
    }

    /// The first occurrence after `now`.
    pub fn next(&self, now: &Zoned) -> Option<Timestamp> {
        self.cron.find_next_occurrence(&whole_second(now)?, false).ok().map(|at| timestamp(&at))
    }

    /// The last occurrence that is not after `now`.
    pub fn latest(&self, now: &Zoned) -> Option<Timestamp> {
        self.cron.find_previous_occurrence(&whole_second(now)?, true).ok().map(|at| timestamp(&at))
    }

    /// The next occurrences after `now`, at most so many.
    pub fn upcoming(&self, now: &Zoned, most: usize) -> Vec<Timestamp> {
        self.cron.iter_after(now.clone()).take(most).map(|at| timestamp(&at)).collect()
    }
}

/// Patterns count whole seconds: what is a part of one later is not later.
fn whole_second(now: &Zoned) -> Option<Zoned> {
    now.with().subsec_nanosecond(0).build().ok()
}

fn timestamp(at: &Zoned) -> Timestamp {
    // Patterns have no parts of a second.
    Timestamp(at.timestamp().as_second() * 1_000)
}
