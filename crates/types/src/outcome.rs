//! Results on their way up: from the executor to the controller.

use serde::{Deserialize, Serialize};

use crate::criteria::{CriterionVerdict, FailureClass};
use crate::evidence::Receipt;
use crate::lesson::AttemptEnd;
use crate::plan::SubTask;
use crate::{EvidenceId, SubtaskId, TaskId};

/// How an executor says that its attempt ended. `uncertain` is judged like `completed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionStatus {
    /// It thinks that the subtask is done.
    Completed,
    /// It cannot tell.
    Uncertain,
    /// It gave up.
    Failed,
}

/// What R3 reports to R4a after one attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExecutionResult {
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// 1 for the first attempt.
    pub attempt: u32,
    /// How it ended.
    pub status: ExecutionStatus,
    /// The result text; a claim until evidence supports it. Head and tail, at most `limits::MESSAGE_OUTPUT_CHARS`.
    pub output: String,
    /// The answer as citable evidence, when the output is the executor's own text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<EvidenceId>,
    /// Artifact that holds the full output, when `output` is the cut output of a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// One line a call, made from receipts: `tool: input → first 200 characters of the output`.
    pub tool_calls: Vec<String>,
    /// The receipts of this attempt, attached by the machine.
    pub receipts: Vec<Receipt>,
    /// Why it failed, when the reason is not the executor's own: deadline, model, denial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infrastructure: Option<String>,
    /// How it ended, when there is nothing to judge; older journals do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<AttemptEnd>,
}

/// R4a asks R3 to try again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CorrectionSignal {
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// The attempt that is being asked for: 2 or 3.
    pub attempt: u32,
    /// What the last attempt got wrong.
    pub what_was_wrong: String,
    /// What to do instead.
    pub what_to_do: String,
    /// The class of the failure, when it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_class: Option<FailureClass>,
    /// Calls of the attempts so far, which must not simply be repeated.
    pub prior_calls: Vec<String>,
}

/// One attempt in the trajectory of a subtask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GapPoint {
    /// 1 for the first attempt.
    pub attempt: u32,
    /// Passed criteria over all criteria.
    pub score: f64,
    /// Texts of the criteria that were not met.
    pub unmet_criteria: Vec<String>,
    /// Indexes of the criteria that were not met.
    pub unmet_indexes: Vec<usize>,
    /// Class of the failure, when there was one and it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_class: Option<FailureClass>,
}

/// How a subtask ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeStatus {
    /// Every criterion passed.
    Matched,
    /// Some did not.
    Failed,
    /// An earlier group failed, so it never started. It does not count in D.
    NotRun,
}

/// What an attempt that was corrected had done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// 1 for the first attempt.
    pub attempt: u32,
    /// What was said of it.
    pub verdicts: Vec<CriterionVerdict>,
    /// Its calls, the output of each as a model saw it.
    pub receipts: Vec<Receipt>,
}

/// What a denial did to a subtask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Denial {
    /// A person said no.
    Refused,
    /// Nobody answered, or nobody could be asked.
    Unanswered,
}

/// The final word on one subtask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubTaskOutcome {
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// The task.
    pub parent_task_id: TaskId,
    /// How it ended.
    pub status: OutcomeStatus,
    /// What it produced.
    pub output: String,
    /// Artifact with the full output, when `output` is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// Every attempt.
    pub gap_trajectory: Vec<GapPoint>,
    /// Verdicts of the last attempt.
    pub criteria_verdicts: Vec<CriterionVerdict>,
    /// Verdicts on the criteria of the task that no check decides, where this is its only step and matched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_verdicts: Vec<CriterionVerdict>,
    /// One line a call, over all attempts.
    pub tool_calls: Vec<String>,
    /// Receipts of the last attempt.
    pub receipts: Vec<Receipt>,
    /// The attempts before the last one, at most as many as there are corrections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<AttemptRecord>,
    /// Set when an action that it needed was denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied: Option<Denial>,
    /// The step as it was planned.
    pub subtask: SubTask,
}

impl SubTaskOutcome {
    /// Whether every criterion passed.
    pub fn matched(&self) -> bool {
        self.status == OutcomeStatus::Matched
    }

    /// Every attempt in order: what was said of it, and its calls.
    pub fn attempts(&self) -> impl Iterator<Item = (&[CriterionVerdict], &[Receipt])> {
        let last = (self.criteria_verdicts.as_slice(), self.receipts.as_slice());
        self.earlier.iter().map(|a| (a.verdicts.as_slice(), a.receipts.as_slice())).chain([last])
    }

    /// The calls of every attempt, in order.
    pub fn all_receipts(&self) -> impl Iterator<Item = &Receipt> {
        self.attempts().flat_map(|(_, receipts)| receipts)
    }
}

/// R4b to R7: the round fell short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplanRequest {
    /// The task.
    pub task_id: TaskId,
    /// Every outcome that counts: this round's and the kept ones, in sequence order.
    pub outcomes: Vec<SubTaskOutcome>,
    /// The failed ones among them.
    pub failed_outcomes: Vec<SubtaskId>,
    /// Verdicts on the task criteria, where they were judged.
    pub task_verdicts: Vec<CriterionVerdict>,
    /// How often each task criterion was judged, and how often it failed, by index.
    pub task_history: Vec<JudgedTimes>,
    /// All task criteria, judged or not.
    pub task_criteria: Vec<crate::criteria::Criterion>,
    /// One paragraph for people.
    pub gap_summary: String,
    /// What matched so far, joined in sequence order: what an abandoned task still delivers.
    pub partial_output: String,
    /// What the failed steps said last, without what no call bears out, and with a first line that says so: what an abandoned
    /// task tells where nothing matched. Empty where nothing is left.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unverified_output: String,
    /// Figures, dates and names of what is delivered that stand in no receipt, and effects that none has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_in_receipts: Vec<String>,
}

/// How often a task criterion was judged and failed, over the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JudgedTimes {
    /// Rounds in which it was judged.
    pub judged: u32,
    /// Rounds in which it failed.
    pub failed: u32,
}

/// R4b to R7: every criterion is met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeSummary {
    /// The task.
    pub task_id: TaskId,
    /// Concrete data, taken from receipts and outputs.
    pub merged_output: serde_json::Value,
    /// One or two sentences.
    pub summary: String,
    /// Every outcome, in sequence order.
    pub outcomes: Vec<SubTaskOutcome>,
    /// Verdicts on the task criteria.
    pub task_verdicts: Vec<CriterionVerdict>,
    /// How often each task criterion was judged, by index.
    pub task_history: Vec<JudgedTimes>,
    /// The task criteria themselves.
    pub task_criteria: Vec<crate::criteria::Criterion>,
    /// Figures, dates and names of what is delivered that stand in no receipt, and effects that none has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_in_receipts: Vec<String>,
}
