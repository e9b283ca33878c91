//! What an agent-validator looks at itself: tests that code runs again, and what its model wants to see before it judges.

use std::collections::VecDeque;

use artoo_relevance::{Rerun, rerun_outcome};
use artoo_types::chat::ModelOutcome;
use artoo_types::evidence::Receipt;
use artoo_types::limits::MAX_JUDGE_LOOKS;
use artoo_types::reply::{LookReply, LooksReply};
use artoo_types::tool::names::{GLOB, GREP, READ_FILE, SHELL};

use super::Effect;
use crate::extract::parse_reply;

/// What its model may look with: each reads what lies here, and does nothing else.
const LOOKING: [&str; 3] = [READ_FILE, GREP, GLOB];

/// The looks of one judgement.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnLooks {
    /// Whether it may look at all.
    pub(super) may_look: bool,
    /// The command that runs the tests of the place.
    pub(super) suite: Option<String>,
    /// Runs of tests that are still to be made, the most telling first.
    reruns: VecDeque<String>,
    /// Why tests do not pass that are said to.
    pub(super) refuted: Option<String>,
    /// What the model wants to see, none before it has said so.
    wanted: Option<VecDeque<Effect>>,
}

impl OwnLooks {
    /// Begins a judgement with these runs of tests.
    pub(super) fn begin(&mut self, reruns: Vec<String>) {
        (self.reruns, self.refuted, self.wanted) = (reruns.into(), None, None);
    }

    /// The next run.
    pub(super) fn next_rerun(&mut self) -> Option<Effect> {
        self.reruns.pop_front().map(|arguments| Effect::Look { tool: SHELL.to_owned(), arguments })
    }

    /// Takes in what the model wants to see, once a judgement, and gives the first of it. What it asks for later, or with
    /// another tool, is left out: it then judges by what it has.
    pub(super) fn want(&mut self, outcome: &ModelOutcome) -> Option<Effect> {
        let ModelOutcome::Reply(reply) = outcome else { return None };
        if !self.may_look || self.wanted.is_some() {
            return None;
        }
        let asked: LooksReply = parse_reply(reply).ok()?;
        let looks = asked.look.iter().filter(|look| LOOKING.contains(&look.tool.as_str()));
        let look = |look: &LookReply| Effect::Look {
            tool: look.tool.clone(),
            arguments: look.arguments.to_string(),
        };
        let mut wanted: VecDeque<Effect> = looks.take(MAX_JUDGE_LOOKS).map(look).collect();
        let first = wanted.pop_front()?;
        self.wanted = Some(wanted);
        Some(first)
    }

    /// The next that the model wants to see.
    pub(super) fn next_wanted(&mut self) -> Option<Effect> {
        self.wanted.as_mut()?.pop_front()
    }

    /// Takes in how a look ended; says whether it was one that the model wants. A run of tests that tells whether they pass
    /// is enough.
    pub(super) fn note(&mut self, receipt: &Receipt) -> bool {
        if self.wanted.is_some() {
            return true;
        }
        match rerun_outcome(receipt) {
            Rerun::Unknown => {}
            Rerun::Passed => self.reruns.clear(),
            Rerun::Failed(why) => {
                self.reruns.clear();
                self.refuted = Some(why);
            }
        }
        false
    }
}
