//! Places at which a test makes the daemon die.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that [`CrashPoint::from_env`] reads.
const VARIABLE: &str = "ARTOO_CRASH_AT";

/// Where the process dies, counted over all journals that share this value. Clones share the counts.
///
/// `append:N` dies in the middle of the N-th append: half of the line is in the file, everything that the step before
/// it wanted may have happened. `sync:N` dies just before the N-th sync: the line is in the file, nothing that it wants
/// has happened.
#[derive(Debug, Clone, Default)]
pub struct CrashPoint {
    at: Option<(Boundary, u64)>,
    appends: Arc<AtomicU64>,
    syncs: Arc<AtomicU64>,
}

/// `ARTOO_CRASH_AT` holds something else than a crash point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{VARIABLE}={0} is not a crash point: write append:N or sync:N with N from 1, or unset it")]
pub struct CrashPointError(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Append,
    Sync,
}

impl CrashPoint {
    /// The process never dies here.
    pub fn never() -> Self {
        Self::default()
    }

    /// The crash point that the environment names; none when the variable is absent or empty.
    pub fn from_env() -> Result<Self, CrashPointError> {
        match std::env::var_os(VARIABLE) {
            None => Ok(Self::never()),
            Some(value) => Self::parse(&value.to_string_lossy()),
        }
    }

    /// Reads `append:N` or `sync:N`; empty text is no crash point.
    pub fn parse(text: &str) -> Result<Self, CrashPointError> {
        if text.is_empty() {
            return Ok(Self::never());
        }
        let wrong = || CrashPointError(text.to_owned());
        let (word, number) = text.split_once(':').ok_or_else(wrong)?;
        let boundary = match word {
            "append" => Boundary::Append,
            "sync" => Boundary::Sync,
            _ => return Err(wrong()),
        };
        let number = number.parse::<u64>().ok().filter(|n| *n > 0).ok_or_else(wrong)?;
        Ok(Self { at: Some((boundary, number)), ..Self::default() })
    }

    /// Syncs so far.
    #[cfg(test)]
    pub(crate) fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// Counts one append; true when the process has to die in it.
    pub(crate) fn at_append(&self) -> bool {
        self.hit(Boundary::Append, &self.appends)
    }

    /// Counts one sync; true when the process has to die before it.
    pub(crate) fn at_sync(&self) -> bool {
        self.hit(Boundary::Sync, &self.syncs)
    }

    fn hit(&self, boundary: Boundary, count: &AtomicU64) -> bool {
        let now = count.fetch_add(1, Ordering::Relaxed) + 1;
        self.at == Some((boundary, now))
    }
}

#[cfg(test)]
mod tests;
