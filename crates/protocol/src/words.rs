//! The closed word sets of the wire. Messages carry their words as strings, so that either side may be newer than the
//! other; whoever decides by a word gets it as an enum here and matches every variant.
//!
//! Each set stands here once, with the fields that hold it: a field `status` gives the message a method `status()`.
//! That the words are those of the daemon's own enums is tested where both are seen, in `convert` of crates/service.

use crate::v1;

/// The enum of each set, its words, and a method for each field that holds one of them.
macro_rules! word_sets {
    ($($(#[$doc:meta])* $set:ident { $($variant:ident = $word:literal),+ } of [$($message:ident.$field:ident),*])+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $set {
            $(#[doc = concat!("`", $word, "`.")] $variant,)+
            /// A word that this build does not know; empty where none was set.
            Unknown(String),
        }

        impl $set {
            /// The words that this build knows.
            pub const WORDS: &[&str] = &[$($word),+];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unknown(word) => word,
                }
            }
        }

        impl From<&str> for $set {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)+
                    other => Self::Unknown(other.to_owned()),
                }
            }
        }

        $(impl v1::$message {
            #[doc = concat!("What the word in `", stringify!($field), "` means.")]
            pub fn $field(&self) -> $set {
                $set::from(self.$field.as_str())
            }
        })*
    )+};
}

word_sets! {
    /// Where a task stands.
    TaskState {
        Accepted = "accepted", Running = "running", WaitingForConfirmation = "waiting_for_confirmation",
        WaitingForClarification = "waiting_for_clarification", WaitingForModel = "waiting_for_model", Finished = "finished", Damaged = "damaged",
        Deleted = "deleted"
    } of [Task.state]

    /// What the controller decided: a directive, or how the task ended.
    MacroState {
        Init = "init", Refine = "refine", ChangePath = "change_path", ChangeApproach = "change_approach",
        BreakSymmetry = "break_symmetry", Success = "success", Accept = "accept", Abandon = "abandon"
    } of [Task.directive, FinalResult.directive]

    /// Why a task ended.
    Reason {
        CriteriaMet = "criteria_met", Answered = "answered", WithinTolerance = "within_tolerance",
        BudgetExhausted = "budget_exhausted", CostExhausted = "cost_exhausted", ReplansExhausted = "replans_exhausted", NotWorthIt = "not_worth_it", Diverging = "diverging",
        Deadline = "deadline", Cancelled = "cancelled", Refused = "refused", Declined = "declined",
        CannotBeDone = "cannot_be_done", CannotPlan = "cannot_plan", ModelUnavailable = "model_unavailable",
        Interrupted = "interrupted",
        Internal = "internal"
    } of [FinalResult.reason]

    /// Where the loss of a task goes.
    Urgency { Improving = "improving", Steady = "steady", Worsening = "worsening" } of [PlanDirective.urgency]

    /// Why no plan came about.
    NoPlan {
        SentBack = "sent_back", CannotPlan = "cannot_plan", Declined = "declined",
        CannotBeDone = "cannot_be_done", ModelUnavailable = "model_unavailable",
        WrongForm = "wrong_form"
    } of [PlanDraftRejected.outcome]

    /// How a step ended.
    OutcomeStatus { Matched = "matched", Failed = "failed", NotRun = "not_run" } of [SubTaskOutcome.status]

    /// Whether a criterion is met.
    Verdict { Pass = "pass", Fail = "fail" } of [CriterionVerdict.verdict]

    /// Why an action was denied.
    Denial { Refused = "refused", Unanswered = "unanswered" } of []

    /// What a tool call does to the world.
    EffectClass {
        Read = "read", Create = "create", Overwrite = "overwrite", Delete = "delete", Send = "send",
        System = "system", Undetermined = "unknown"
    } of [McpTool.effect]

    /// What a task has taken in.
    Taint { Untrusted = "untrusted", Private = "private", PrivateRead = "private_read" } of []

    /// What is at a path.
    TargetKind {
        Absent = "absent", File = "file", Folder = "folder", Link = "link", Other = "other"
    } of [TargetState.kind]

    /// What became of one path of an undo.
    UndoOutcome {
        Possible = "possible", Restored = "restored", Removed = "removed", Unchanged = "unchanged",
        Skipped = "skipped", Failed = "failed"
    } of [UndoItem.outcome]

    /// What the gate decides about a call.
    GateDecision {
        Safe = "safe", Confirm = "confirm", Forbidden = "forbidden"
    } of [ExplainActionResponse.decision]

    /// How the lines of an output are cut into cells.
    RowLayout {
        Text = "text", Cells = "cells", Matches = "matches", Objects = "objects", Records = "records",
        Rows = "rows"
    } of [OutputForm.layout]

    /// What the cells of a column are.
    ColumnKind {
        Text = "text", Number = "number", Bytes = "bytes", Path = "path", Hidden = "hidden"
    } of [FormColumn.kind]

    /// What memory advises about a tag.
    MemoryAction {
        Exploit = "exploit", Avoid = "avoid", Caution = "caution", Ignore = "ignore"
    } of [Potentials.action]

    /// How one request relates to another.
    Relatedness {
        Same = "same", Alias = "alias", Hint = "hint", None = "none"
    } of [Via.relation, Relation.relation]

    /// Level of the memory.
    Level { M = "M", K = "K", C = "C", T = "T" } of [Megram.level, LevelCount.level]

    /// Where an MCP server stands.
    McpState {
        Starting = "starting", Ready = "ready", Held = "held", Down = "down", Stopped = "stopped"
    } of [McpServer.state]

    /// Whether a tool of an MCP server is what was agreed to.
    PinState {
        Pinned = "pinned", New = "new", Changed = "changed", Gone = "gone", Unfit = "unfit"
    } of [McpTool.pin]

    /// Who answers when a model is asked.
    Provider { Offline = "offline", OpenAi = "openai" } of [GetStatusResponse.provider]

    /// How a model took a real call.
    ProbeVerdict {
        Answers = "answers", Unreadable = "unreadable", WrongKey = "wrong_key", NoKey = "no_key",
        NoCredit = "no_credit", NoPermission = "no_permission", UnknownModel = "unknown_model",
        WrongAddress = "wrong_address", Closed = "closed", Untrusted = "untrusted", Silent = "silent",
        Busy = "busy", Failing = "failing"
    } of [ProbedModel.verdict]
}

impl MacroState {
    /// Whether the task ended with a result that holds: accept or success.
    pub fn is_delivered(&self) -> bool {
        matches!(self, Self::Accept | Self::Success)
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Reason};
    use crate::v1::FinalResult;

    #[test]
    fn a_field_is_read_as_its_word_and_an_unknown_word_stays_what_it_is() {
        let result = FinalResult { reason: "cannot_plan".to_owned(), ..FinalResult::default() };
        assert_eq!(result.reason(), Reason::CannotPlan);
        for word in Level::WORDS.iter().chain(&["", "Z"]) {
            assert_eq!(Level::from(*word).as_str(), *word);
        }
        assert_eq!(Level::from("Z"), Level::Unknown("Z".to_owned()));
    }
}
