//! What an agent-validator looks at itself.

use std::collections::VecDeque;

use artoo_relevance::{Rerun, rerun_outcome};
use artoo_types::evidence::Receipt;

/// The looks of one judgement.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnLooks {
    /// Whether it may look at all.
    pub(super) may_look: bool,
    /// Runs of tests that are still to be made, the most telling first.
    reruns: VecDeque<String>,
    /// Why tests do not pass that are said to.
    pub(super) refuted: Option<String>,
}

impl OwnLooks {
    /// Begins a judgement with these runs of tests.
    pub(super) fn begin(&mut self, reruns: Vec<String>) {
        self.reruns = reruns.into();
        self.refuted = None;
    }

    /// The arguments of the next run.
    pub(super) fn next_rerun(&mut self) -> Option<String> {
        self.reruns.pop_front()
    }

    /// Takes in how a run ended. One that tells whether the tests pass is enough.
    pub(super) fn note(&mut self, receipt: &Receipt) {
        match rerun_outcome(receipt) {
            Rerun::Unknown => {}
            Rerun::Passed => self.reruns.clear(),
            Rerun::Failed(why) => {
                self.reruns.clear();
                self.refuted = Some(why);
            }
        }
    }
}
