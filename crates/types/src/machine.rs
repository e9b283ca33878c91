//! What goes into the machine that runs one task, what comes out, and the journal record of one step.

mod record;

use serde::{Deserialize, Serialize};

use crate::chat::{ChatRequest, ModelOutcome};
use crate::criteria::Check;
use crate::evidence::{CallEnd, CheckEvidence, EffectClass, Receipt};
use crate::lesson::{CallResult, found_nothing};
use crate::memory::{Megram, MemoryQuery, MemoryReply};
use crate::setting::TaskSetting;
use crate::situation::Situation;
use crate::task::{StopCause, TaskSubmitted};
use crate::tool::{Approval, ToolCall};
use crate::undo::{TargetState, Undoing};
use crate::{ConfirmationId, EffectId, Envelope, EvidenceId, Timestamp};

pub use record::{StepEnvelopes, StepRecord, StepRecordRef};

/// Everything that can reach a task from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskInput {
    /// The task was accepted. Always the first input, and only the first.
    Submitted {
        /// The request.
        submitted: TaskSubmitted,
        /// The surroundings.
        setting: Box<TaskSetting>,
    },
    /// A model call ended.
    ModelFinished {
        /// The effect that it completes.
        effect_id: EffectId,
        /// How it ended.
        outcome: ModelOutcome,
    },
    /// A tool call may not run without a person's word.
    ToolHeld {
        /// The effect.
        effect_id: EffectId,
        /// What a person has to decide.
        question: HeldCall,
    },
    /// A tool call that is more than reading is about to run. On the disk before it starts, so that a call without an
    /// end is known for what it is after a crash.
    ToolStarting {
        /// The effect.
        effect_id: EffectId,
        /// What it is about to do.
        intent: Intent,
    },
    /// A tool call was under way when the daemon went down, and whether it happened cannot be told. It does not run
    /// again without a person's word.
    ToolInterrupted {
        /// The effect.
        effect_id: EffectId,
        /// What a person has to decide.
        question: HeldCall,
    },
    /// A tool call ended.
    ToolFinished {
        /// The effect that it completes.
        effect_id: EffectId,
        /// The record.
        receipt: Box<Receipt>,
    },
    /// Checks were evaluated.
    ChecksFinished {
        /// The effect that they complete.
        effect_id: EffectId,
        /// What was seen, one a check, in the order asked.
        evidence: Vec<CheckEvidence>,
    },
    /// The memory answered.
    MemoryAnswered {
        /// The effect that it completes.
        effect_id: EffectId,
        /// The answer.
        reply: MemoryReply,
    },
    /// The place that the task works in was looked at.
    LookedAround {
        /// The effect that it completes.
        effect_id: EffectId,
        /// What was seen.
        situation: Box<Situation>,
    },
    /// A person answered a confirmation.
    Confirmed {
        /// The question.
        confirmation_id: ConfirmationId,
        /// The answer.
        approved: bool,
        /// Also for the same effect on the same target class in this task.
        remember_for_task: bool,
    },
    /// A person answered the questions.
    Clarified {
        /// The answer; empty means proceed.
        answer: String,
    },
    /// Stop now.
    Stop {
        /// Why.
        cause: StopCause,
        /// In words.
        detail: String,
    },
    /// Everything that ran has ended.
    Stopped {
        /// Children that would not go, for the person to know.
        survivors: Vec<String>,
    },
    /// The time of a `WakeAt` has come.
    Wake,
    /// The daemon was started anew, and the task goes on from what its journal holds.
    Resumed {
        /// The build of artoo that goes on, as in [`TaskSetting::build`].
        #[serde(default, skip_serializing_if = "String::is_empty")]
        build: String,
    },
}

impl TaskInput {
    /// Whether something that the task waited for has come, so that it gets further.
    pub fn is_progress(&self) -> bool {
        match self {
            Self::Submitted { .. }
            | Self::ModelFinished { .. }
            | Self::ToolFinished { .. }
            | Self::ChecksFinished { .. }
            | Self::MemoryAnswered { .. }
            | Self::LookedAround { .. }
            | Self::Confirmed { .. }
            | Self::Clarified { .. }
            | Self::Stopped { .. } => true,
            Self::ToolHeld { .. }
            | Self::ToolStarting { .. }
            | Self::ToolInterrupted { .. }
            | Self::Stop { .. }
            | Self::Wake
            | Self::Resumed { .. } => false,
        }
    }
}

/// What a call that is more than reading is about to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// What it does to the world.
    pub effects: Vec<EffectClass>,
    /// What it touches.
    pub targets: Vec<String>,
    /// SHA-256 over tool, arguments, folder and the state of the targets, as in [`HeldCall::digest`].
    pub digest: String,
}

/// What the gate needs a person to decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldCall {
    /// The tool.
    pub tool: String,
    /// The exact action, escaped for display.
    pub action: String,
    /// Tool classes of the call.
    pub classes: Vec<String>,
    /// Normalised target.
    pub target: String,
    /// What it would do to the world.
    pub effects: Vec<EffectClass>,
    /// What it would touch.
    pub targets: Vec<String>,
    /// Why artoo asks.
    pub why: Vec<String>,
    /// Each target as it is now, in the order of `targets`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<TargetState>,
    /// Whether it can be undone.
    #[serde(default)]
    pub undo: Undoing,
    /// Memory calls for caution with it: a yes to its kind, given before, does not cover it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub caution: bool,
    /// SHA-256 over action, folder and targets.
    pub digest: String,
}

/// What the checks of one judgement are about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckSubject {
    /// The output that `output_*` read.
    pub output: String,
    /// Whether the output is the words of a model: then it proves nothing beyond what `shown` holds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_claim: bool,
    /// The words of the steps that it is about: a number of theirs is no finding, and no invention either.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub told: String,
    /// The receipts on whose outputs a claim may rest, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<EvidenceId>,
    /// The receipts of calls that ran and failed: what they put out is shown as well, but nothing good rests on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<EvidenceId>,
    /// Artifact with the full output, when `output` is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// The calls that `exit_status` and `tool_called` read, in order.
    pub calls: Vec<CallFact>,
    /// What steps that count no more did: it tells where a bare name was written, and is no call of this work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<CallFact>,
}

/// What a check may know of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFact {
    /// The tool.
    pub tool: String,
    /// Its classes.
    pub classes: Vec<String>,
    /// How it ended.
    pub end: CallEnd,
    /// Exit status.
    pub exit: Option<i64>,
    /// It read or searched, and what it looked for was not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub found_nothing: bool,
}

impl From<&Receipt> for CallFact {
    fn from(receipt: &Receipt) -> Self {
        Self {
            tool: receipt.tool.clone(),
            classes: receipt.classes.clone(),
            end: receipt.end,
            exit: receipt.exit,
            found_nothing: found_nothing(receipt),
        }
    }
}

impl From<&CallFact> for CallResult {
    fn from(call: &CallFact) -> Self {
        Self::of(call.end, call.exit, call.found_nothing)
    }
}

/// One check and the criterion that carries it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedCheck {
    /// Index of the criterion.
    pub criterion: usize,
    /// The predicate.
    pub check: Check,
}

/// Everything that a task can want from outside. There is no other way out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskEffect {
    /// Ask a model.
    CallModel {
        /// Names the completion.
        effect_id: EffectId,
        /// What to ask.
        request: ChatRequest,
    },
    /// Run a tool.
    RunTool {
        /// The call.
        call: ToolCall,
        /// A person's yes to exactly this call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        approval: Option<Approval>,
    },
    /// Find out what became of a tool call that was under way when the daemon went down: `ToolFinished` when that can be
    /// told or made good without repeating anything, else `ToolInterrupted`.
    RecoverTool {
        /// The call.
        call: ToolCall,
    },
    /// Evaluate checks.
    RunChecks {
        /// Names the completion.
        effect_id: EffectId,
        /// The checks.
        checks: Vec<AskedCheck>,
        /// What they are about.
        subject: CheckSubject,
        /// Where relative paths start.
        working_directory: String,
    },
    /// Read the memory.
    QueryMemory {
        /// Names the completion.
        effect_id: EffectId,
        /// The query.
        query: MemoryQuery,
    },
    /// Look at the place that the task works in. It changes nothing.
    LookAround {
        /// Names the completion.
        effect_id: EffectId,
        /// The place.
        working_directory: String,
        /// The person's words, where rules plan that are told what they name; else empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        request: String,
    },
    /// Remember. Nothing completes it.
    WriteMemory {
        /// What to remember.
        megram: Megram,
    },
    /// Give a `Wake` no earlier than this.
    WakeAt {
        /// When.
        at: Timestamp,
    },
    /// Stop every model call and tool that runs; `Stopped` completes it.
    StopAll,
}

/// What one step produced.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepOutput {
    /// Envelopes, in sequence order.
    pub envelopes: Vec<Envelope>,
    /// Effects, in order.
    pub effects: Vec<TaskEffect>,
}
