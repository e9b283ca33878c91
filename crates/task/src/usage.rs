//! What a task's model calls cost, and the notices that say so.

use artoo_types::chat::{ChatRequest, ModelCallFinished, ModelCallStarted, ModelOutcome, Usage};
use artoo_types::setting::TaskSetting;
use artoo_types::task::StopCause;
use artoo_types::usage::TaskUsage;

use crate::pending::Caller;

/// The calls of one task so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsageMeter {
    pub(crate) usage: TaskUsage,
    /// Model calls that were started.
    calls: u64,
}

impl UsageMeter {
    /// Why no further call may start, once what a task may use up is used up.
    pub(crate) fn over(&self, setting: &TaskSetting) -> Option<(StopCause, String)> {
        let (tokens, most) = (self.usage.tokens(), setting.control.max_cost);
        if setting.max_tokens.is_some_and(|max| tokens > max) {
            return Some((StopCause::TokenCeiling, format!("{tokens} tokens were used{}", self.estimated())));
        }
        let spent = self.usage.cost_nanousd.unwrap_or(0) as f64 / 1e9;
        (most > 0.0 && spent >= most).then(|| {
            let said = format!(
                "its model calls cost {spent:.4} USD, and may cost {most} (control.max_cost){}",
                self.estimated()
            );
            (StopCause::CostCeiling, said)
        })
    }

    /// What is said of tokens that were not reported.
    fn estimated(&self) -> String {
        match self.usage.estimated_tokens {
            0 => String::new(),
            tokens => {
                format!("; {tokens} tokens of that are estimated, because the server does not report them")
            }
        }
    }

    /// Numbers a call that starts.
    pub(crate) fn started(&mut self, caller: Caller, request: &ChatRequest) -> ModelCallStarted {
        self.calls += 1;
        ModelCallStarted {
            call: self.calls,
            role: caller.role(),
            subtask_id: caller.subtask(),
            prompt_chars: request.messages.iter().map(|m| m.content.chars().count()).sum(),
            repair: request.messages.len() > 2,
        }
    }

    /// Adds up what a call took.
    pub(crate) fn finished(
        &mut self,
        caller: Caller,
        call: u64,
        outcome: &ModelOutcome,
    ) -> ModelCallFinished {
        let (model, usage, elapsed_ms, attempts, failure) = match outcome {
            ModelOutcome::Reply(r) => (r.model.clone(), r.usage, r.elapsed_ms, r.attempts, None),
            ModelOutcome::Failure(f) => {
                (String::new(), Usage::default(), f.elapsed_ms, f.attempts, Some(f.message.clone()))
            }
        };
        if let Some(cost) = usage.cost_nanousd {
            self.usage.cost_nanousd = Some(self.usage.cost_nanousd.unwrap_or(0).saturating_add(cost));
        }
        let estimated = usage.estimated.unwrap_or(0);
        self.usage.estimated_tokens = self.usage.estimated_tokens.saturating_add(estimated);
        let sum = self.usage.roles.entry(caller.role()).or_default();
        sum.calls += 1;
        sum.prompt_tokens = sum.prompt_tokens.saturating_add(usage.prompt.unwrap_or(0));
        sum.completion_tokens = sum.completion_tokens.saturating_add(usage.completion.unwrap_or(0));
        sum.elapsed_ms += elapsed_ms;
        let (role, subtask_id) = (caller.role(), caller.subtask());
        ModelCallFinished {
            call,
            role,
            subtask_id,
            model,
            usage,
            elapsed_ms,
            attempts,
            failure,
            retry_in_ms: None,
        }
    }
}
