//! What the daemon and a keeper say to each other: one line each way. The end of the daemon's side means: end it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Longest order in bytes. A command comes from a model's reply or a plan, and the environment holds a few names of
/// bounded number; the system itself allows 128 KiB for one argument.
pub(super) const MAX_ORDER_BYTES: u64 = 4 << 20;
/// Longest report in bytes: names of programs, of which at most [`super::tree::MAX_NAMES`] are listed.
pub(super) const MAX_REPORT_BYTES: u64 = 64 << 10;

/// A command to be started and kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// Program and arguments.
    pub(crate) arguments: Vec<String>,
    /// Where it runs.
    pub(crate) folder: String,
    /// Its whole environment.
    pub(crate) environment: BTreeMap<String, String>,
}

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// It could not be started; why.
    NotStarted(String),
    /// It is over, and so is everything that it had started, except for what is named.
    Over {
        /// The command's exit status as shells count it; none when it would not go.
        exit: Option<i64>,
        /// What still ran when the command had ended by itself.
        left_running: Vec<String>,
        /// What the system would not let go.
        survivors: Vec<String>,
    },
}
