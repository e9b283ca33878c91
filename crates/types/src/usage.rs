//! What a task costs in calls, tokens and time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::role::Role;

/// What one role cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RoleUsage {
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts, where reported.
    pub prompt_tokens: u64,
    /// Tokens of replies, where reported.
    pub completion_tokens: u64,
    /// Milliseconds waited.
    pub elapsed_ms: u64,
}

/// What a task cost.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TaskUsage {
    /// By role.
    pub roles: BTreeMap<Role, RoleUsage>,
    /// Tool calls.
    pub tool_calls: u64,
    /// From acceptance to the end, in milliseconds, waits for a person included.
    pub elapsed_ms: u64,
    /// What its model calls cost, in billionths of a dollar, as far as prices are known; None where none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_nanousd: Option<u64>,
    /// Tokens that no server reported, by the bytes of prompts and replies. The cost counts them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub estimated_tokens: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl TaskUsage {
    /// Model calls over all roles.
    pub fn model_calls(&self) -> u64 {
        self.roles.values().fold(0, |sum, r| sum.saturating_add(r.calls))
    }

    /// Tokens over all roles, those that were not reported as they are estimated.
    pub fn tokens(&self) -> u64 {
        self.roles.values().fold(self.estimated_tokens, |sum, r| {
            sum.saturating_add(r.prompt_tokens).saturating_add(r.completion_tokens)
        })
    }
}
