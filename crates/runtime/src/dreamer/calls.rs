//! The Dreamer's model calls: told on the system bus, bounded in time, dropped when the daemon stops. They are no task's,
//! so that they count against no task's budget.

use std::time::Duration;

use artoo_model::Models;
use artoo_redact::Redactor;
use artoo_types::chat::{
    ChatRequest, ModelCallFinished, ModelCallStarted, ModelFailure, ModelFailureKind, ModelOutcome, Usage,
};
use artoo_types::envelope::Role;
use artoo_types::redaction::InputRedactor;
use tokio::sync::watch;

use crate::system::SystemBus;

/// Asks for the Dreamer, one call at a time.
pub(super) struct DreamerCalls {
    models: Models,
    redactor: Redactor,
    system: SystemBus,
    stop: watch::Receiver<bool>,
    /// Calls since the daemon started.
    calls: u64,
}

impl DreamerCalls {
    pub(super) fn new(
        models: Models,
        redactor: Redactor,
        system: SystemBus,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Self { models, redactor, system, stop, calls: 0 }
    }

    /// Tells when to stop.
    pub(super) fn stop(&self) -> watch::Receiver<bool> {
        self.stop.clone()
    }

    /// Whether it is time to stop. A sender that is gone means that the daemon is taken apart, which is the same.
    pub(super) fn stopped(&self) -> bool {
        *self.stop.borrow() || self.stop.has_changed().is_err()
    }

    /// Asks a model. None when there is nothing to go on with: the daemon stops, or the call cannot be told, and then it
    /// is not made.
    pub(super) async fn ask(&mut self, request: ChatRequest) -> Option<ModelOutcome> {
        self.calls += 1;
        let started = ModelCallStarted {
            call: self.calls,
            role: Role::Memory,
            subtask_id: None,
            prompt_chars: request.messages.iter().map(|m| m.content.chars().count()).sum(),
            repair: request.messages.len() > 2,
        };
        if let Err(error) = self.system.publish(Role::Runtime, Role::Memory, started.into()) {
            tracing::warn!(%error, "the dreamer asks nobody, because it cannot be told");
            return None;
        }
        let outcome = self.answer(request).await;
        let finished = finished(self.calls, &outcome);
        if let Err(error) = self.system.publish(Role::Runtime, Role::Memory, finished.into()) {
            tracing::warn!(%error, "the end of a call of the dreamer was not told");
        }
        (!self.stopped()).then_some(outcome)
    }

    async fn answer(&self, request: ChatRequest) -> ModelOutcome {
        let begun = tokio::time::Instant::now();
        let mut stop = self.stop.clone();
        let model = self.models.tier(request.tier);
        // The provider keeps its time itself; this is for one that hangs.
        let deadline = model.longest(&request) + Duration::from_secs(1);
        let mut outcome = tokio::select! {
            biased;
            () = async { drop(stop.wait_for(|stop| *stop).await) } => silence("the daemon stops", begun),
            answered = tokio::time::timeout(deadline, model.complete(request)) => {
                answered.unwrap_or_else(|_| silence("the model did not answer in time", begun))
            }
        };
        // What a model says passes the same entrance as in a task.
        InputRedactor(&self.redactor).outcome(&mut outcome);
        outcome
    }
}

fn silence(why: &str, begun: tokio::time::Instant) -> ModelOutcome {
    ModelOutcome::Failure(ModelFailure {
        kind: ModelFailureKind::Deadline,
        message: why.to_owned(),
        attempts: 1,
        elapsed_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        retry_after_ms: None,
    })
}

fn finished(call: u64, outcome: &ModelOutcome) -> ModelCallFinished {
    let (model, usage, elapsed_ms, attempts, failure) = match outcome {
        ModelOutcome::Reply(r) => (r.model.clone(), r.usage, r.elapsed_ms, r.attempts, None),
        ModelOutcome::Failure(f) => {
            (String::new(), Usage::default(), f.elapsed_ms, f.attempts, Some(f.message.clone()))
        }
    };
    ModelCallFinished {
        call,
        role: Role::Memory,
        subtask_id: None,
        model,
        usage,
        elapsed_ms,
        attempts,
        failure,
        retry_in_ms: None,
    }
}
