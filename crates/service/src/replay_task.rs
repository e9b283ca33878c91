//! Replaying a task for a client: bounded in time and number, away from the threads that answer everybody else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_protocol::v1;
use artoo_task::replay::{ControllerDecision, DecisionPair, ReplayDifference};
use tokio::sync::Semaphore;
use tonic::Status;

use super::entrance::ANSWER_WITHIN;
use super::service::{Calls, MAX_REPLAYS, blocking};
use super::{convert, errors, fields};
use artoo_runtime::task::{ReplayError, Replayed, replay};

/// How long one may take. A step folds in about a millisecond, so that this is far beyond what any task records.
const REPLAY_WITHIN: Duration = Duration::from_secs(60);
/// Settings of the controller in one request; there are fewer keys.
const MAX_SETTINGS: usize = 64;

/// Folds a task's journal again.
pub(super) async fn replay_task(
    calls: &Calls,
    request: v1::ReplayTaskRequest,
) -> Result<v1::ReplayTaskResponse, Status> {
    let task_id = fields::task_id(&request.task_id)?;
    if request.control.len() > MAX_SETTINGS {
        return Err(errors::invalid("control", "it names more settings than there are; leave some out"));
    }
    let slots: Arc<Semaphore> = Arc::clone(&calls.parts.replays);
    let slot = tokio::time::timeout(ANSWER_WITHIN, slots.acquire_owned()).await;
    let Ok(Ok(slot)) = slot else {
        let message = format!("{MAX_REPLAYS} replays are under way, which is the limit");
        return Err(errors::too_much("TOO_MANY_REPLAYS", &message));
    };
    let (tasks, stop) = (calls.parts.tasks.clone(), calls.stop.clone());
    let deadline = Instant::now() + REPLAY_WITHIN;
    let control = request.control.into_iter().collect();
    blocking(move || {
        let _slot = slot;
        let replayed = replay(&tasks, task_id, &control, || stop.is_set() || Instant::now() > deadline);
        replayed.map(|replayed| response(&replayed)).map_err(|error| {
            let goes_down = matches!(error, ReplayError::Stopped(_)) && stop.is_set();
            if goes_down { errors::shutting_down() } else { refusal(&error) }
        })
    })
    .await
}

fn refusal(error: &ReplayError) -> Status {
    match error {
        ReplayError::Unknown(id) => errors::not_found("task", &id.to_string(), &error.to_string()),
        ReplayError::Control(problem) => errors::invalid("control", problem),
        ReplayError::Journal(error) => errors::of_journal(error),
        ReplayError::Gone(error) => errors::of_task(error),
        ReplayError::Stopped(_) => errors::too_late(&format!(
            "{error}: it took longer than {} s; try again when the machine does less",
            REPLAY_WITHIN.as_secs()
        )),
    }
}

fn response(replayed: &Replayed) -> v1::ReplayTaskResponse {
    let seen = &replayed.seen;
    v1::ReplayTaskResponse {
        identical: seen.difference.is_none(),
        first_difference: seen.difference.as_ref().map(difference),
        steps: seen.steps,
        decisions: seen.decisions.iter().map(decided_twice).collect(),
        remarks: replayed.remarks.clone(),
        envelopes: seen.envelopes,
        effects: seen.effects,
    }
}

fn difference(difference: &ReplayDifference) -> v1::ReplayDifference {
    v1::ReplayDifference {
        step: difference.seq,
        path: difference.path.clone(),
        about: difference.about.clone(),
        recorded: difference.recorded.clone(),
        replayed: difference.folded.clone(),
    }
}

fn decided_twice(pair: &DecisionPair) -> v1::ReplayedDecision {
    v1::ReplayedDecision {
        recorded: pair.recorded.as_ref().map(decided),
        replayed: pair.folded.as_ref().map(decided),
        agrees: pair.agrees(),
    }
}

fn decided(decided: &ControllerDecision) -> v1::ControllerDecision {
    v1::ControllerDecision {
        round: decided.round,
        loss: Some(convert::loss(&decided.loss)),
        grad_l: decided.grad_l,
        grad_q: decided.grad_q,
        directive: decided.directive.as_str().to_owned(),
        reason: decided.reason.map_or_else(String::new, |reason| reason.as_str().to_owned()),
    }
}
