//! The last question of a task that is given up, and what becomes of its end meanwhile. The end is decided before the
//! question: the answer only adds words to it, and whatever happens in between, there is one result.

use artoo_types::TaskId;
use artoo_types::control::{FinalResult, Reason};
use artoo_types::farewell::{Farewell, FarewellRequest};
use artoo_types::memory::MegramWrite;
use artoo_types::outcome::SubTaskOutcome;

use crate::loss::Spending;

/// Milliseconds that the question may take of what is left until the deadline.
const MOST_MS: u64 = 180_000;
/// With less than this left no model would get to answer.
const LEAST_MS: u64 = 5_000;

/// Whether a task that ends for this reason is asked for last words. Who cancelled wants none, and where no model answers,
/// nothing was tried, or the time is gone, there are none to be had.
pub(crate) fn is_due(reason: Reason) -> bool {
    match reason {
        Reason::BudgetExhausted
        | Reason::ReplansExhausted
        | Reason::NotWorthIt
        | Reason::Diverging
        | Reason::Refused
        | Reason::CannotPlan => true,
        Reason::CriteriaMet
        | Reason::Answered
        | Reason::WithinTolerance
        | Reason::Deadline
        | Reason::Cancelled
        | Reason::CostExhausted
        | Reason::Declined
        | Reason::CannotBeDone
        | Reason::ModelUnavailable
        | Reason::Interrupted
        | Reason::Internal => false,
    }
}

/// How long the question may take when so much is left; none when that is too little.
pub(crate) fn time_for(left_ms: u64) -> Option<u64> {
    (left_ms >= LEAST_MS).then_some(left_ms.min(MOST_MS))
}

/// An end that is decided and waits for its last words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DecidedEnd {
    pub(crate) writes: Vec<MegramWrite>,
    pub(crate) result: FinalResult,
}

impl DecidedEnd {
    /// The question.
    pub(crate) fn request(
        &self,
        task_id: TaskId,
        outcomes: &[SubTaskOutcome],
        deadline_ms: u64,
    ) -> FarewellRequest {
        FarewellRequest {
            task_id,
            reason: self.result.reason,
            loss: self.result.loss,
            grad_l: self.result.grad_l,
            grad_q: self.result.grad_q,
            outcomes: outcomes.to_vec(),
            unmet: self.result.unmet.clone(),
            deadline_ms,
        }
    }

    /// The end with these last words; without any the words of code stand.
    pub(crate) fn with(mut self, farewell: Farewell, spent: &Spending) -> Self {
        self.result.usage = spent.usage.clone();
        self.result.taint = spent.taint;
        let found: Vec<String> =
            farewell.found.iter().map(|line| format!("{} [{}]", line.text, line.cites)).collect();
        if !found.is_empty() {
            self.result.summary = format!("{} {}", self.result.summary, found.join(" "));
        }
        if !farewell.next_moves.is_empty() {
            // How to look at the evidence stays, and how to allow what was refused, whoever says the rest.
            let mut own = std::mem::take(&mut self.result.next_moves);
            let look = own.pop();
            let allow = own.into_iter().filter(|_| self.result.reason == Reason::Refused);
            self.result.next_moves = allow.chain(farewell.next_moves).chain(look).collect();
        }
        self
    }

    /// The end as code words it.
    pub(crate) fn in_own_words(self, spent: &Spending) -> Self {
        let silent = Farewell::silent(self.result.task_id, None);
        self.with(silent, spent)
    }
}
