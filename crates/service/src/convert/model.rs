//! Model calls and what they cost.

use artoo_protocol::v1;
use artoo_types::chat::{ModelCallFinished, ModelCallStarted, Usage};
use artoo_types::usage::{RoleUsage, TaskUsage};

pub(super) fn model_call_started(m: &ModelCallStarted) -> v1::ModelCallStarted {
    v1::ModelCallStarted {
        call: m.call,
        role: m.role.as_str().to_owned(),
        subtask_id: m.subtask_id.map(|id| id.to_string()),
        prompt_chars: m.prompt_chars as u64,
        repair: m.repair,
    }
}

pub(super) fn model_call_finished(m: &ModelCallFinished) -> v1::ModelCallFinished {
    v1::ModelCallFinished {
        call: m.call,
        role: m.role.as_str().to_owned(),
        subtask_id: m.subtask_id.map(|id| id.to_string()),
        model: m.model.clone(),
        usage: Some(usage(&m.usage)),
        elapsed_ms: m.elapsed_ms,
        attempts: m.attempts,
        failure: m.failure.clone(),
        retry_in_ms: m.retry_in_ms,
    }
}

pub(super) fn task_usage(m: &TaskUsage) -> v1::TaskUsage {
    v1::TaskUsage {
        roles: m.roles.iter().map(|(role, usage)| (role.as_str().to_owned(), role_usage(usage))).collect(),
        tool_calls: m.tool_calls,
        elapsed_ms: m.elapsed_ms,
        cost_usd: m.cost_nanousd.map(dollars),
        estimated_tokens: Some(m.estimated_tokens).filter(|tokens| *tokens > 0),
    }
}

fn usage(m: &Usage) -> v1::Usage {
    v1::Usage {
        prompt: m.prompt,
        cached: m.cached,
        completion: m.completion,
        reasoning: m.reasoning,
        estimated: m.estimated,
        cost_usd: m.cost_nanousd.map(dollars),
    }
}

fn dollars(nano: u64) -> f64 {
    nano as f64 / 1e9
}

fn role_usage(m: &RoleUsage) -> v1::RoleUsage {
    v1::RoleUsage {
        calls: m.calls,
        prompt_tokens: m.prompt_tokens,
        completion_tokens: m.completion_tokens,
        elapsed_ms: m.elapsed_ms,
    }
}
