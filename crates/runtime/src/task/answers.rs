//! What people said to one task at work. Of two answers to the same question one counts, whoever gives them: the same
//! answer again is harmless, and another one is refused instead of being dropped in silence.

use std::sync::Arc;

use artoo_types::ConfirmationId;
use parking_lot::{Mutex, MutexGuard};

/// The answers that were passed on to one task. A task asks a bounded number of questions, so this stays small.
#[derive(Debug, Clone, Default)]
pub(super) struct AnswerLog {
    passed_on: Arc<Mutex<PassedOn>>,
}

#[derive(Debug, Default)]
struct PassedOn {
    confirmations: Vec<(ConfirmationId, Consent)>,
    /// The questions that were answered last, and the answer.
    clarification: Option<(Vec<String>, String)>,
}

/// A person's word on an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Consent {
    pub(super) approved: bool,
    pub(super) remember_for_task: bool,
}

/// How an answer relates to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerOrder {
    /// It is the first one, and has to be passed on.
    First,
    /// The same was said before.
    Repeated,
    /// Something else was said before.
    Late,
}

impl AnswerLog {
    /// Whether a word on this confirmation was passed on.
    pub(super) fn knows(&self, confirmation_id: ConfirmationId) -> bool {
        self.passed_on().confirmations.iter().any(|(id, _)| *id == confirmation_id)
    }

    /// Notes the word on a confirmation; None when the task does not know it.
    pub(super) fn confirm(
        &self,
        confirmation_id: ConfirmationId,
        consent: Consent,
        is_open: bool,
    ) -> Option<AnswerOrder> {
        let mut passed_on = self.passed_on();
        match passed_on.confirmations.iter().find(|(id, _)| *id == confirmation_id) {
            Some((_, before)) => {
                Some(if *before == consent { AnswerOrder::Repeated } else { AnswerOrder::Late })
            }
            None if is_open => {
                passed_on.confirmations.push((confirmation_id, consent));
                Some(AnswerOrder::First)
            }
            None => None,
        }
    }

    /// Notes the answer to the open `questions`; None when there are none, now or before.
    pub(super) fn clarify(&self, questions: &[String], answer: &str) -> Option<AnswerOrder> {
        let mut passed_on = self.passed_on();
        match &passed_on.clarification {
            Some((before, said)) if questions.is_empty() || before == questions => {
                Some(if said == answer { AnswerOrder::Repeated } else { AnswerOrder::Late })
            }
            None if questions.is_empty() => None,
            Some(_) | None => {
                passed_on.clarification = Some((questions.to_vec(), answer.to_owned()));
                Some(AnswerOrder::First)
            }
        }
    }

    fn passed_on(&self) -> MutexGuard<'_, PassedOn> {
        self.passed_on.lock()
    }
}

#[cfg(test)]
mod tests;
