//! How much advice binds.

use serde::{Deserialize, Serialize};

/// How much a line of advice binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceForce {
    /// The operator allows it.
    Law,
    /// A best practice.
    Rule,
    /// A rule against something.
    MustNot,
    /// Experience against a tool on an input.
    MustNotUse,
    /// Experience against the plans that are named.
    MustNotRepeat,
    /// Experience for it.
    Prefer,
    /// Learned from a task that only looks alike.
    Hint,
    /// A warning.
    Caution,
    /// Experience against it from another folder, or with inputs that have changed since.
    FailedElsewhere,
    /// Newer experience contradicts it.
    Outdated,
    /// Nobody has tried it.
    Hypothesis,
    /// What the person declared, or what is known of them.
    Fact,
}
