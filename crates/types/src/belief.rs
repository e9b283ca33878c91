//! What the controller believes of a step that failed, and what it says of it beside the directive.

use serde::{Deserialize, Serialize};

use crate::SubtaskId;

/// How likely each cause of a failure is; together 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Chances {
    /// The approach: another tool is needed.
    pub approach: f64,
    /// The target: another input is needed.
    pub target: f64,
    /// A detail: tool and input are right, and something about their use is not.
    pub detail: f64,
    /// It passes by itself.
    pub transient: f64,
    /// Nothing helps.
    pub impossible: f64,
}

/// What the next plan is to change about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepAxis {
    /// The planner's own choice is worth more than any advice.
    Own,
    /// Nothing: the same, once more.
    Again,
    /// A detail.
    Detail,
    /// The input.
    Target,
    /// The tool.
    Approach,
}

impl StepAxis {
    /// The word of the wire format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Again => "again",
            Self::Detail => "detail",
            Self::Target => "target",
            Self::Approach => "approach",
        }
    }
}

/// What is believed of one failed step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepBelief {
    /// The step.
    #[serde(rename = "subtask_id")]
    pub subtask: SubtaskId,
    /// Its intent, for people.
    pub intent: String,
    /// Why it may have failed.
    pub chances: Chances,
    /// What is worth most to change.
    pub axis: StepAxis,
    /// Code sees to it; else it is advice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enforced: bool,
    /// Tool classes of which whatever takes the step's place has to use one; empty: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned: Vec<String>,
}

/// Why a directive is what it is, for the whole and step by step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Grounds {
    /// Why, in words.
    pub rationale: String,
    /// What is believed of each failed step.
    #[serde(default, rename = "belief", skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepBelief>,
    /// Steps that matched and are to be done anew, because the rejection of the whole cites them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redo: Vec<SubtaskId>,
    /// Steps that matched by themselves, and whose result the whole was rejected for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vetoed: Vec<VetoedStep>,
}

/// A step that matched, and on which the whole failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VetoedStep {
    /// The step.
    #[serde(rename = "subtask_id")]
    pub subtask: SubtaskId,
    /// The criterion of the whole that is not met, and why.
    pub why: String,
}
