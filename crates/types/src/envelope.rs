//! The envelope and the closed set of messages.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::chat::{ModelCallFinished, ModelCallStarted};
use crate::control::{FinalResult, PlanDirective};
use crate::farewell::{Farewell, FarewellRequest};
use crate::finding::{AuditFindings, FindingAck};
use crate::memory::{MegramWrite, MemoryChange, MemoryQuery, MemoryReply};
use crate::operator::{AuditQuery, AuditReport, Lagged, McpChange};
use crate::outcome::{CorrectionSignal, ExecutionResult, OutcomeSummary, ReplanRequest, SubTaskOutcome};
use crate::plan::{DispatchManifest, PlanDraftRejected, SubTask};
use crate::task::{
    ClarificationAnswer, ClarificationRequest, ConfirmationRequest, ConfirmationResolved, TaskCancelled,
    TaskSpec, TaskSubmitted,
};
use crate::tool::{ToolCallFinished, ToolCallStarted};
use crate::undo::{TaskUndo, TaskUndone};
use crate::{TaskId, Timestamp};

pub use crate::role::Role;

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident $wire:ident),* $(,)?) => {
        /// What an envelope carries.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "type", content = "body", rename_all = "snake_case")]
        pub enum Message {
            $($(#[$doc])* $name($name),)*
        }

        /// The kind of a message.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum MessageKind {
            $($(#[$doc])* $name,)*
        }

        impl Message {
            /// Its kind.
            pub fn kind(&self) -> MessageKind {
                match self {
                    $(Self::$name(_) => MessageKind::$name,)*
                }
            }

            /// Calls the visitor's method for this kind.
            pub fn visit(&self, visitor: &mut impl MessageVisitor) {
                match self {
                    $(Self::$name(body) => visitor.$wire(body),)*
                }
            }
        }

        impl MessageKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name on the wire.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($wire),)*
                }
            }
        }

        /// A fold over messages. It passes over the kinds whose methods it does not have.
        #[allow(unused_variables, reason = "nothing is done with what is passed over")]
        pub trait MessageVisitor {
            $($(#[$doc])* fn $wire(&mut self, body: &$name) {})*
        }

        $(impl From<$name> for Message {
            fn from(body: $name) -> Self {
                Self::$name(body)
            }
        })*
    };
}

messages! {
    /// A request was accepted.
    TaskSubmitted task_submitted,
    /// R1 asks.
    ClarificationRequest clarification_request,
    /// The person answers.
    ClarificationAnswer clarification_answer,
    /// R1's reading of the request.
    TaskSpec task_spec,
    /// R2 asks the memory.
    MemoryQuery memory_query,
    /// The memory answers.
    MemoryReply memory_reply,
    /// A draft was rejected, or planning ended without a plan.
    PlanDraftRejected plan_draft_rejected,
    /// A valid plan.
    DispatchManifest dispatch_manifest,
    /// A step starts.
    SubTask sub_task,
    /// An attempt ended.
    ExecutionResult execution_result,
    /// Try again, like this.
    CorrectionSignal correction_signal,
    /// A step ended.
    SubTaskOutcome sub_task_outcome,
    /// The round fell short.
    ReplanRequest replan_request,
    /// The round met everything.
    OutcomeSummary outcome_summary,
    /// How the next plan must differ.
    PlanDirective plan_directive,
    /// The task is given up; what can be said?
    FarewellRequest farewell_request,
    /// What can be said.
    Farewell farewell,
    /// The end.
    FinalResult final_result,
    /// Remember this.
    MegramWrite megram_write,
    /// An action waits for a person's word.
    ConfirmationRequest confirmation_request,
    /// The word was given.
    ConfirmationResolved confirmation_resolved,
    /// A tool call begins.
    ToolCallStarted tool_call_started,
    /// A tool call ended.
    ToolCallFinished tool_call_finished,
    /// A model call begins.
    ModelCallStarted model_call_started,
    /// A model call ended.
    ModelCallFinished model_call_finished,
    /// Running work is stopped.
    TaskCancelled task_cancelled,
    /// The operator asks the auditor.
    AuditQuery audit_query,
    /// The auditor reports.
    AuditReport audit_report,
    /// The auditor found something.
    AuditFindings audit_findings,
    /// The operator has seen findings.
    FindingAck finding_ack,
    /// The operator takes back what a task did.
    TaskUndo task_undo,
    /// What an undo did.
    TaskUndone task_undone,
    /// The tools of an MCP server are others, or were agreed to.
    McpChange mcp_change,
    /// The operator changes the memory, or R5 changed its own records.
    MemoryChange memory_change,
    /// A live stream dropped events.
    Lagged lagged,
}

/// One message on the bus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// Derived from the task and the sequence.
    pub id: Uuid,
    /// From 1, without a gap within a task.
    pub sequence: u64,
    /// The task; none for what belongs to no task.
    pub task_id: Option<TaskId>,
    /// The round; 0 is the first plan.
    pub round: u32,
    /// When it was published.
    pub time: Timestamp,
    /// Who sends.
    pub from: Role,
    /// Who receives.
    pub to: Role,
    /// Set when the contract does not allow it: it was delivered to nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// What it carries.
    pub payload: Message,
}
