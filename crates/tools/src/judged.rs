//! A call that was judged: what may become of it, and on what terms it runs.

use artoo_command::sandbox::Confinement;
use artoo_types::EffectId;
use artoo_types::evidence::EffectClass;
use artoo_types::machine::{HeldCall, Intent};
use artoo_types::tool::{Approval, CallRefusal, ToolCall};

use crate::question::BoundQuestion;
use crate::tool::{CallFacts, Tool};

/// A call that was read and judged once. It is moved: to its run, or to wherever it waits for a person's word.
#[derive(Debug)]
pub struct JudgedCall {
    pub(crate) call: ToolCall,
    pub(crate) facts: CallFacts,
    pub(crate) ruling: Ruling,
}

/// What the judgement of a call came to.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// It does not run.
    Refused(CallRefusal),
    /// It runs after a person's yes to this question.
    Asks(PreparedTool, BoundQuestion),
    /// It runs unasked. What it is about to do, where that is more than reading and somebody wants to know.
    Free(PreparedTool, Option<BoundQuestion>),
}

/// A tool with its arguments, and what a command of it may do.
#[derive(Debug)]
pub(crate) struct PreparedTool {
    pub(crate) tool: Box<dyn Tool>,
    pub(crate) confinement: Confinement,
}

/// A call that runs now: it may run by itself, or a person's yes covers exactly it.
#[derive(Debug)]
pub(crate) struct ReadyCall {
    pub(crate) call: ToolCall,
    pub(crate) facts: CallFacts,
    pub(crate) prepared: PreparedTool,
    /// The question that was answered with yes, where one was put.
    pub(crate) agreed: Option<BoundQuestion>,
}

/// Whether a call may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallVerdict<'a> {
    /// It may run unasked.
    Run(&'a CallFacts),
    /// A person has to decide.
    Ask(&'a HeldCall),
    /// It does not run. The reason says what to do instead.
    Refuse(&'a CallRefusal),
}

impl JudgedCall {
    /// The effect that calls.
    pub fn effect_id(&self) -> EffectId {
        self.call.effect_id
    }

    /// Whether it may run.
    pub fn verdict(&self) -> CallVerdict<'_> {
        match &self.ruling {
            Ruling::Refused(refusal) => CallVerdict::Refuse(refusal),
            Ruling::Asks(_, question) => CallVerdict::Ask(&question.held),
            Ruling::Free(..) => CallVerdict::Run(&self.facts),
        }
    }

    /// The question that it puts to a person, if it needs one.
    pub fn question(&self) -> Option<&HeldCall> {
        match self.verdict() {
            CallVerdict::Ask(question) => Some(question),
            CallVerdict::Run(_) | CallVerdict::Refuse(_) => None,
        }
    }

    /// What this call is about to do, when it may run and does more than reading; that must be on record before it runs.
    /// None for a call that only reads, or that will not run as it stands.
    pub fn intent(&self, approval: Option<&Approval>) -> Option<Intent> {
        let held = match &self.ruling {
            Ruling::Refused(_) => return None,
            Ruling::Asks(_, question) => {
                Some(&question.held).filter(|held| approval.is_some_and(|a| a.covers(&held.digest)))?
            }
            Ruling::Free(_, question) => &question.as_ref()?.held,
        };
        let is_more = held.effects.iter().any(|effect| *effect != EffectClass::Read);
        is_more.then(|| Intent {
            effects: held.effects.clone(),
            targets: held.targets.clone(),
            digest: held.digest.clone(),
        })
    }

    /// The same for the call as it comes back with an answer to its question. None when it is another call by now, or what
    /// it is about looks otherwise, so that it has to be judged anew.
    pub fn renewed(self, call: &ToolCall) -> Option<Self> {
        let is_same = ToolCall { taint: self.call.taint, ..call.clone() } == self.call;
        let stands = match &self.ruling {
            Ruling::Asks(_, question) => question.looks_the_same(),
            Ruling::Refused(_) | Ruling::Free(..) => false,
        };
        (is_same && stands).then(|| Self { call: call.clone(), ..self })
    }

    /// The call, ready to run, when it needs no word or this approval is one for exactly it.
    pub(crate) fn permitted(self, approval: Option<&Approval>) -> Result<ReadyCall, Box<NotReady>> {
        let Self { call, facts, ruling } = self;
        match ruling {
            Ruling::Refused(refusal) => Err(Box::new(NotReady::Refused(call, facts, refusal))),
            Ruling::Free(prepared, _) => Ok(ReadyCall { call, facts, prepared, agreed: None }),
            Ruling::Asks(prepared, question) => match approval {
                Some(approval) if approval.covers(&question.held.digest) => {
                    Ok(ReadyCall { call, facts, prepared, agreed: Some(question) })
                }
                other => {
                    let question = if other.is_some() { question.changed() } else { question };
                    let held = Box::new(question.held.clone());
                    let ruling = Ruling::Asks(prepared, question);
                    Err(Box::new(NotReady::Held(held, Box::new(Self { call, facts, ruling }))))
                }
            },
        }
    }
}

/// Why a call does not run now.
#[derive(Debug)]
pub(crate) enum NotReady {
    /// It is refused.
    Refused(ToolCall, CallFacts, CallRefusal),
    /// It needs a person's yes to this question.
    Held(Box<HeldCall>, Box<JudgedCall>),
}

impl ReadyCall {
    /// The effects that it was agreed to with, or that it has.
    pub(crate) fn effects(&self) -> Vec<EffectClass> {
        self.agreed.as_ref().map_or_else(|| vec![self.facts.effect], |question| question.held.effects.clone())
    }
}
