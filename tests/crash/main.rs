//! The daemon is killed at every boundary of its journals and at random moments, also while it recovers. Whatever
//! happens, every accepted task ends as it would have ended, no action happens twice, and no event is lost or doubled. And
//! it loses its power: what was not synced may be gone.
//!
//! `make test` runs a short version, `make crash` the whole of it. `ARTOO_CRASH_KILLS` sets the number of random kills,
//! `ARTOO_CRASH_SEED` repeats a run's choices.

mod boundaries;
mod kills;
mod person;
mod power;
mod story;
mod tails;
mod victim;
