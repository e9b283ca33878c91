//! Waiting for the model. A call that met a busy server, or one that is gone and was there before, is asked again, within a
//! budget of its own: the wait counts neither as time of the task nor against its plan, and it outlives the daemon.

use std::collections::BTreeSet;

use artoo_types::Timestamp;
use artoo_types::chat::{ChatRequest, ModelFailure, ModelFailureKind, Tier};
use artoo_types::limits::{MODEL_RETRY_CAP_MS, MODEL_RETRY_MS};

use crate::pending::Caller;

/// A call that is asked again later.
#[derive(Debug, Clone)]
pub(crate) struct WaitingCall {
    pub(crate) caller: Caller,
    pub(crate) request: ChatRequest,
    again_at: Timestamp,
}

/// The calls of one task that wait for their model. At most one a role and subtask.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModelWaits {
    calls: Vec<WaitingCall>,
    /// The tiers whose model has answered in this task.
    answered: BTreeSet<Tier>,
    /// Waits since the last answer.
    tries: u32,
    waiting_since: Option<Timestamp>,
    waited_ms: u64,
}

/// What follows a call that came to nothing.
pub(crate) enum AfterFailure {
    /// Its role hears of it.
    Told,
    /// It is asked again after so many milliseconds.
    Again(u64),
    /// It was waited for as long as is allowed: in words.
    Over(String),
}

impl ModelWaits {
    /// Whether a call waits.
    pub(crate) fn is_open(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Milliseconds in which at least one call waited.
    pub(crate) fn waited_ms(&self, now: Timestamp) -> u64 {
        self.waited_ms + self.waiting_since.map_or(0, |since| now.since_ms(since))
    }

    /// Drops every call; the task is stopping.
    pub(crate) fn drop_all(&mut self, now: Timestamp) {
        self.calls.clear();
        self.note(now);
    }

    /// A model of this tier answered.
    pub(crate) fn answered(&mut self, tier: Tier) {
        self.answered.insert(tier);
        self.tries = 0;
    }

    /// The call waits until then.
    pub(crate) fn begin(
        &mut self,
        now: Timestamp,
        caller: Caller,
        request: ChatRequest,
        again_at: Timestamp,
    ) {
        self.tries += 1;
        self.calls.push(WaitingCall { caller, request, again_at });
        self.note(now);
    }

    /// The daemon was started anew: the pause since the step at `last` was no waiting, and every call is due.
    pub(crate) fn pass_over(&mut self, now: Timestamp, last: Timestamp) {
        let pause = now.since_ms(last);
        for call in &mut self.calls {
            call.again_at = now;
        }
        self.waiting_since = self.waiting_since.map(|since| since.plus_ms(pause));
    }

    /// What follows a failure of a call to this tier.
    pub(crate) fn after(
        &self,
        now: Timestamp,
        tier: Tier,
        failure: &ModelFailure,
        budget_ms: u64,
    ) -> AfterFailure {
        let message = &failure.message;
        match failure.kind {
            ModelFailureKind::Busy => {}
            ModelFailureKind::Lost if self.answered.contains(&tier) => {}
            // It may never have been there.
            ModelFailureKind::Lost => return AfterFailure::Over(message.clone()),
            ModelFailureKind::Unreachable
            | ModelFailureKind::Deadline
            | ModelFailureKind::Failed
            | ModelFailureKind::Refused => return AfterFailure::Told,
        }
        let usual = MODEL_RETRY_MS.saturating_mul(1 << self.tries.min(16)).min(MODEL_RETRY_CAP_MS);
        let wait = failure.retry_after_ms.map_or(usual, |asked| asked.max(MODEL_RETRY_MS));
        let (waited, seconds) = (self.waited_ms(now), |ms: u64| ms.div_ceil(1000));
        if waited.saturating_add(wait) <= budget_ms {
            return AfterFailure::Again(wait);
        }
        let asked = failure
            .retry_after_ms
            .map_or_else(String::new, |asked| format!(" and it asks to wait {} s more", seconds(asked)));
        AfterFailure::Over(format!(
            "{message}; the task waited {} s for it{asked}, and waits {} s at most (control.model_wait_ms)",
            seconds(waited),
            seconds(budget_ms)
        ))
    }

    /// Takes out the calls that are due.
    pub(crate) fn due(&mut self, now: Timestamp) -> Vec<WaitingCall> {
        let (due, later) = std::mem::take(&mut self.calls).into_iter().partition(|call| now >= call.again_at);
        self.calls = later;
        self.note(now);
        due
    }

    fn note(&mut self, now: Timestamp) {
        match (self.is_open(), self.waiting_since) {
            (true, None) => self.waiting_since = Some(now),
            (false, Some(since)) => {
                self.waited_ms += now.since_ms(since);
                self.waiting_since = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
}
