//! What the controller computes and says.

use serde::{Deserialize, Serialize};

use crate::TaskId;
use crate::belief::Grounds;
use crate::criteria::FailureClass;
use crate::form::OutputForm;
use crate::plan::{BlockedTarget, BlockedTool};
use crate::unit::{Cost, Distance, Implausibility};

/// The four figures of a round.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Loss {
    /// D, distance from the goal.
    #[serde(rename = "D")]
    pub distance: Distance,
    /// P, implausibility of the approach.
    #[serde(rename = "P")]
    pub implausibility: Implausibility,
    /// Ω, share of the budget that is spent.
    #[serde(rename = "Omega")]
    pub cost: Cost,
    /// L = αD + β(1−Ω)P + λΩ.
    #[serde(rename = "L")]
    pub total: f64,
}

/// What kind of change the next plan needs. A directive cannot say "abandon".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Directive {
    /// Has signal, approach sound: tighten parameters.
    Refine,
    /// Stuck, approach sound: another target.
    ChangePath,
    /// Has signal, approach wrong: another method.
    ChangeApproach,
    /// Stuck, approach wrong: a class of tool that was not used before.
    BreakSymmetry,
}

/// How a task ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Everything was evaluated and everything is met.
    Accept,
    /// Within tolerance: only plausible criteria are unmet.
    Success,
    /// It stops, and says why.
    Abandon,
}

/// Every word that the `directive` and `prev_directive` fields may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MacroState {
    /// Before the first decision.
    Init,
    /// See [`Directive::Refine`].
    Refine,
    /// See [`Directive::ChangePath`].
    ChangePath,
    /// See [`Directive::ChangeApproach`].
    ChangeApproach,
    /// See [`Directive::BreakSymmetry`].
    BreakSymmetry,
    /// See [`Ending::Success`].
    Success,
    /// See [`Ending::Accept`].
    Accept,
    /// See [`Ending::Abandon`].
    Abandon,
}

impl From<Directive> for MacroState {
    fn from(directive: Directive) -> Self {
        match directive {
            Directive::Refine => Self::Refine,
            Directive::ChangePath => Self::ChangePath,
            Directive::ChangeApproach => Self::ChangeApproach,
            Directive::BreakSymmetry => Self::BreakSymmetry,
        }
    }
}

impl From<Ending> for MacroState {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Accept => Self::Accept,
            Ending::Success => Self::Success,
            Ending::Abandon => Self::Abandon,
        }
    }
}

impl MacroState {
    /// The word of the wire format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Refine => "refine",
            Self::ChangePath => "change_path",
            Self::ChangeApproach => "change_approach",
            Self::BreakSymmetry => "break_symmetry",
            Self::Success => "success",
            Self::Accept => "accept",
            Self::Abandon => "abandon",
        }
    }
}

/// Why a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Accept: all criteria are met.
    CriteriaMet,
    /// Accept: answered without tools.
    Answered,
    /// Success: D ≤ δ and nothing verifiable is unmet.
    WithinTolerance,
    /// Abandon: Ω ≥ θ, or the token ceiling.
    BudgetExhausted,
    /// Abandon: what its model calls may cost is spent.
    CostExhausted,
    /// Abandon: another directive would be needed and none is left.
    ReplansExhausted,
    /// Abandon: another round costs more than it is worth.
    NotWorthIt,
    /// Abandon: Law 2, two worsening rounds in a row.
    Diverging,
    /// Abandon: the deadline passed.
    Deadline,
    /// Abandon: a person stopped it.
    Cancelled,
    /// Abandon: an action without which the goal cannot be met was denied.
    Refused,
    /// Abandon: the planner will not do this.
    Declined,
    /// Abandon: nothing can do this, as evidence shows.
    CannotBeDone,
    /// Abandon: no valid plan came about.
    CannotPlan,
    /// Abandon: no model answered.
    ModelUnavailable,
    /// Abandon: the daemon went down.
    Interrupted,
    /// Abandon: a bug of ours.
    Internal,
}

impl Reason {
    /// The word of the wire format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CriteriaMet => "criteria_met",
            Self::Answered => "answered",
            Self::WithinTolerance => "within_tolerance",
            Self::BudgetExhausted => "budget_exhausted",
            Self::CostExhausted => "cost_exhausted",
            Self::ReplansExhausted => "replans_exhausted",
            Self::NotWorthIt => "not_worth_it",
            Self::Diverging => "diverging",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
            Self::Declined => "declined",
            Self::CannotBeDone => "cannot_be_done",
            Self::CannotPlan => "cannot_plan",
            Self::ModelUnavailable => "model_unavailable",
            Self::Interrupted => "interrupted",
            Self::Internal => "internal",
        }
    }
}

/// How urgent the change is: the sign of the deciding gradient beyond ±ε.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    /// Keep the decomposition, change only what failed.
    Improving,
    /// No direction.
    #[default]
    Steady,
    /// Differ from both failed rounds.
    Worsening,
}

/// What the class of the round's failures was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundFailure {
    /// The approach.
    Logical,
    /// The surroundings.
    Environmental,
    /// Both.
    Mixed,
    /// Neither: nobody is to blame who could be named.
    Neither,
}

impl From<FailureClass> for RoundFailure {
    fn from(class: FailureClass) -> Self {
        match class {
            FailureClass::Logical => Self::Logical,
            FailureClass::Environmental => Self::Environmental,
        }
    }
}

/// R7 to R2: how the next plan must differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanDirective {
    /// The task.
    pub task_id: TaskId,
    /// 1 for the first directive.
    pub replan: u32,
    /// Most directives of this task.
    pub max_replans: u32,
    /// Figures of the round that ended.
    pub loss: Loss,
    /// The decision before this one.
    pub prev_directive: MacroState,
    /// What kind of change is needed.
    pub directive: Directive,
    /// Tool classes that must not be used, each for the successor of one subtask.
    pub blocked_tools: Vec<BlockedTool>,
    /// Inputs that must not be used; accumulates over the rounds.
    pub blocked_targets: Vec<BlockedTarget>,
    /// Inputs that failed but may be the only ones there are; listed, not blocked.
    pub failed_before: Vec<BlockedTarget>,
    /// Ask for a tool class that is not in this list (`break_symmetry` only).
    pub tried_classes: Vec<String>,
    /// The first failed criterion.
    pub failed_criterion: String,
    /// What kind of failure it was.
    pub failure_class: RoundFailure,
    /// Ω as a number.
    pub budget_pressure: f64,
    /// ∇L = L_t − L_{t−1}, literal.
    pub grad_l: f64,
    /// ∇Q of the quality part Q = αD + βP: what decided.
    pub grad_q: f64,
    /// Sign of the deciding gradient beyond ±ε.
    pub urgency: Urgency,
    /// Why, in words and step by step.
    #[serde(flatten)]
    pub grounds: Grounds,
    /// What was not met in the round before this one and in this one, for the planner.
    pub unmet: Vec<Unmet>,
    /// Matched outcomes that the next plan keeps, with their outputs.
    pub established: Vec<crate::outcome::SubTaskOutcome>,
}

/// A criterion that was not met, or not verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmet {
    /// The criterion.
    pub criterion: String,
    /// What was seen instead.
    pub evidence: String,
    /// False when it was never evaluated.
    pub evaluated: bool,
}

/// One round in the trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryPoint {
    /// The figures.
    pub loss: Loss,
    /// What was decided on them.
    pub directive: MacroState,
    /// ∇L, literal.
    pub grad_l: f64,
    /// ∇Q, deciding.
    pub grad_q: f64,
}

/// What a person must know of an output before they rely on it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OutputMarks {
    /// True when the output is only what matched before the end.
    pub partial: bool,
    /// Its figures, dates and names that stand in no receipt, and the effects that it tells of and no receipt has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_in_receipts: Vec<String>,
    /// The artifact that holds the whole of it, when it was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// How it is shown to a person; none for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<OutputForm>,
}

/// R7 to the person: the one end of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinalResult {
    /// The task.
    pub task_id: TaskId,
    /// For people.
    pub summary: String,
    /// The result: concrete data; on abandon what matched, labelled as partial, else what was said last, with a
    /// first line that says that it is unverified.
    pub output: serde_json::Value,
    /// Figures of the last round.
    pub loss: Loss,
    /// ∇L of the last round.
    pub grad_l: f64,
    /// ∇Q of the last round.
    pub grad_q: f64,
    /// Directives issued.
    pub replans: u32,
    /// The decision before this one.
    pub prev_directive: MacroState,
    /// accept, success or abandon.
    pub directive: Ending,
    /// Why it ended.
    pub reason: Reason,
    /// Every criterion that was not met or not verified.
    pub unmet: Vec<Unmet>,
    /// What is said beside the output.
    #[serde(flatten)]
    pub marks: OutputMarks,
    /// Concrete next moves for the person.
    pub next_moves: Vec<String>,
    /// Tool classes that were tried.
    pub tried: Vec<String>,
    /// Inputs that were ruled out.
    pub ruled_out: Vec<String>,
    /// Figures of every round.
    pub trajectory: Vec<TrajectoryPoint>,
    /// An action needed a confirmation that nobody gave.
    #[serde(default)]
    pub unanswered_confirmation: bool,
    /// What the task cost.
    pub usage: crate::usage::TaskUsage,
    /// What the task had taken in.
    #[serde(default, skip_serializing_if = "crate::taint::Taint::is_none")]
    pub taint: crate::taint::Taint,
}
