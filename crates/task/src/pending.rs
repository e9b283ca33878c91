//! Effects that are under way, and whom their completion concerns.

use std::collections::BTreeMap;

use artoo_types::chat::ChatRequest;
use artoo_types::envelope::Role;
use artoo_types::machine::{AskedCheck, CheckSubject, Intent, TaskEffect};
use artoo_types::memory::MemoryQuery;
use artoo_types::taint::Taint;
use artoo_types::tool::ToolCall;
use artoo_types::{EffectId, SubtaskId, Timestamp};

/// Who waits for a model's reply or for checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// R1.
    Perceiver,
    /// R2.
    Planner,
    /// The dispatcher; it asks no model.
    Dispatcher,
    /// R3 of this subtask.
    Executor(SubtaskId),
    /// R4a of this subtask.
    AgentValidator(SubtaskId),
    /// R4b.
    MetaValidator,
}

impl Caller {
    /// The role.
    pub(crate) fn role(self) -> Role {
        match self {
            Self::Perceiver => Role::Perceiver,
            Self::Planner => Role::Planner,
            Self::Dispatcher => Role::Dispatcher,
            Self::Executor(_) => Role::Executor,
            Self::AgentValidator(_) => Role::AgentValidator,
            Self::MetaValidator => Role::MetaValidator,
        }
    }

    /// The subtask, for roles that work on one.
    pub(crate) fn subtask(self) -> Option<SubtaskId> {
        match self {
            Self::Executor(id) | Self::AgentValidator(id) => Some(id),
            Self::Perceiver | Self::Planner | Self::Dispatcher | Self::MetaValidator => None,
        }
    }
}

/// One effect that is under way, with all that is needed to want it again after a restart.
#[derive(Debug, Clone)]
pub(crate) enum Pending {
    /// A model call.
    Model {
        /// Who asked.
        caller: Caller,
        /// Ordinal of the call within the task.
        call: u64,
        /// What was asked.
        request: ChatRequest,
    },
    /// A tool call.
    Tool {
        /// The call.
        call: ToolCall,
        /// When it was wanted.
        since: Timestamp,
        /// What it was about to do, once it was about to do it.
        intent: Option<Intent>,
        /// When it was about to do it, the last time.
        began_at: Option<Timestamp>,
        /// When the run began that the daemon did not live to see the end of, the first such.
        interrupted: Option<Timestamp>,
    },
    /// Checks.
    Checks {
        /// Who asked.
        caller: Caller,
        /// The checks.
        checks: Vec<AskedCheck>,
        /// What they are about.
        subject: CheckSubject,
    },
    /// A memory query of R2.
    Memory(MemoryQuery),
    /// A look at the place, for R2.
    Look {
        /// The person's words, where rules plan that are told what they name.
        request: String,
    },
}

impl Pending {
    /// The effect that wants it again after a restart. Model calls, memory queries and checks are repeated, and so is a tool
    /// call that had not begun to do more than read; one that had begun is recovered. A call carries what the task has taken
    /// in by now.
    pub(crate) fn again(&self, effect_id: EffectId, working_directory: &str, taint: Taint) -> TaskEffect {
        match self {
            Self::Model { request, .. } => TaskEffect::CallModel { effect_id, request: request.clone() },
            Self::Tool { call, intent: None, .. } => {
                TaskEffect::RunTool { call: ToolCall { taint, ..call.clone() }, approval: None }
            }
            Self::Tool { call, intent: Some(_), .. } => {
                TaskEffect::RecoverTool { call: ToolCall { taint, ..call.clone() } }
            }
            Self::Checks { checks, subject, .. } => TaskEffect::RunChecks {
                effect_id,
                checks: checks.clone(),
                subject: subject.clone(),
                working_directory: working_directory.to_owned(),
            },
            Self::Memory(query) => TaskEffect::QueryMemory { effect_id, query: query.clone() },
            Self::Look { request } => TaskEffect::LookAround {
                effect_id,
                working_directory: working_directory.to_owned(),
                request: request.clone(),
            },
        }
    }
}

/// Every effect that is under way. A completion that finds none here is late and is ignored.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingEffects {
    open: BTreeMap<EffectId, Pending>,
    last: u64,
}

impl PendingEffects {
    /// The id of the next effect.
    pub(crate) fn next_id(&mut self) -> EffectId {
        self.last += 1;
        EffectId(self.last)
    }

    /// Notes that the effect is under way.
    pub(crate) fn open(&mut self, id: EffectId, pending: Pending) {
        self.open.insert(id, pending);
    }

    /// The tool call, still under way, and when it was wanted.
    pub(crate) fn tool(&self, id: EffectId) -> Option<(&ToolCall, Timestamp)> {
        match self.open.get(&id)? {
            Pending::Tool { call, since, .. } => Some((call, *since)),
            Pending::Model { .. } | Pending::Checks { .. } | Pending::Memory(_) | Pending::Look { .. } => {
                None
            }
        }
    }

    /// Notes what a tool call is about to do.
    pub(crate) fn starting(&mut self, now: Timestamp, id: EffectId, new: Intent) {
        if let Some(Pending::Tool { intent, began_at, .. }) = self.open.get_mut(&id) {
            *intent = Some(new);
            *began_at = Some(now);
        }
    }

    /// Notes that nobody knows what became of the run that had begun.
    pub(crate) fn interrupted(&mut self, id: EffectId) {
        if let Some(Pending::Tool { began_at, interrupted, .. }) = self.open.get_mut(&id) {
            *interrupted = interrupted.or(*began_at);
        }
    }

    /// The tool calls that are under way.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &ToolCall> {
        self.all().filter_map(|(_, pending)| match pending {
            Pending::Tool { call, .. } => Some(call),
            Pending::Model { .. } | Pending::Checks { .. } | Pending::Memory(_) | Pending::Look { .. } => {
                None
            }
        })
    }

    /// Every effect that is under way, in the order in which they were wanted.
    pub(crate) fn all(&self) -> impl Iterator<Item = (EffectId, &Pending)> {
        self.open.iter().map(|(id, pending)| (*id, pending))
    }

    /// Ends the effect.
    pub(crate) fn close(&mut self, id: EffectId) -> Option<Pending> {
        self.open.remove(&id)
    }

    /// Ends all of them.
    pub(crate) fn close_all(&mut self) {
        self.open.clear();
    }

    /// Whether nothing is under way.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}

/// What the receipt of a call says that was run a second time: its effect may be there twice.
pub(crate) fn ran_again(began_at: Timestamp) -> String {
    format!(
        "interrupted: it began at {began_at} and the daemon went down, so it may have happened then too; run again \
         on your yes"
    )
}
