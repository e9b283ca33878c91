//! What a failure teaches. [`lesson`] is the one place that tells a fault of the approach from one of the surroundings;
//! the class that it gives is in every verdict, and the controller, the directives and the memory read it from there.
//!
//! The lesson is drawn from how calls ended and what checks measured. No class is an answer of its own: a limit, a denial,
//! an honest "failed", a wrong form and the silence of a judge speak neither against the approach nor against its input.

use serde::{Deserialize, Serialize};

use crate::criteria::FailureClass;
use crate::evidence::NO_MATCH;
use crate::evidence::{CallEnd, EffectClass, Receipt};

/// What one call shows of the place that it reached for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallResult {
    /// It did its work.
    Worked,
    /// It broke down, its status is not 0, or it read or searched and what it looked for was not there.
    Failed,
    /// It was not let, or not let finish.
    CutShort,
}

impl CallResult {
    /// From how the call ended.
    pub fn of(end: CallEnd, exit: Option<i64>, found_nothing: bool) -> Self {
        match end {
            CallEnd::Ran if exit == Some(0) && !found_nothing => Self::Worked,
            CallEnd::Ran | CallEnd::Error => Self::Failed,
            CallEnd::Timeout
            | CallEnd::Cancelled
            | CallEnd::Denied
            | CallEnd::Refused
            | CallEnd::Interrupted => Self::CutShort,
        }
    }
}

impl From<&Receipt> for CallResult {
    fn from(receipt: &Receipt) -> Self {
        Self::of(receipt.end, receipt.exit, found_nothing(receipt))
    }
}

/// Whether the call read or searched to its end and what it looked for was not there.
pub fn found_nothing(receipt: &Receipt) -> bool {
    let is_empty = receipt.output_bytes == 0 || receipt.output.trim() == NO_MATCH;
    receipt.end == CallEnd::Ran && receipt.effect == EffectClass::Read && is_empty
}

/// Why a criterion is not met. `last` is the call that the failure is about: the one that is cited or named, else the
/// last one that was made for the subtask; none when there was no call at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortfall {
    /// A check was made, and what it asks for is not so.
    NotSo {
        /// The call.
        last: Option<CallResult>,
    },
    /// It was so before the task, and nothing of the task did it.
    AsBefore,
    /// It was to stay as it was, and a call of the task changed it.
    Disturbed,
    /// The surroundings kept a check from being made, or it from holding.
    Prevented,
    /// A limit, a rule or the check itself kept it from being made.
    Unmeasured,
    /// An output is not in the form that a plan wanted.
    WrongForm {
        /// The call.
        last: Option<CallResult>,
    },
    /// A judge says that it is not met.
    Judged {
        /// The class that the judge gives.
        said: Option<FailureClass>,
        /// The call that the judge cites.
        cited: Option<CallResult>,
        /// The call.
        last: Option<CallResult>,
    },
    /// No judge said anything that counts.
    Unjudged,
    /// The step that was to bring it about ended for a reason that is nobody's fault: a limit, a denial, a silent model.
    Unreached,
    /// The attempt ended before it could be judged.
    Ended {
        /// How.
        end: AttemptEnd,
        /// The call.
        last: Option<CallResult>,
    },
}

/// How an attempt ended that is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptEnd {
    /// The executor says that it failed.
    GaveUp,
    /// Its steps, or its time, were spent, or it asked for the same refused call again.
    Limit,
    /// An action that it needed was denied.
    Denied,
    /// Its model did not answer, or not in form.
    NoModel,
}

/// Whose fault a criterion is that is not met: the approach's, the surroundings', or nobody's that could be told.
///
/// A call that failed, or found its target absent, outranks what a judge says of it: a missing file is no wrong approach.
pub fn lesson(shortfall: Shortfall) -> Option<FailureClass> {
    use FailureClass::{Environmental, Logical};
    match shortfall {
        Shortfall::AsBefore | Shortfall::Disturbed => Some(Logical),
        Shortfall::Prevented => Some(Environmental),
        Shortfall::Unmeasured | Shortfall::Unjudged | Shortfall::Unreached => None,
        Shortfall::NotSo { last } => match last {
            Some(CallResult::Worked) | None => Some(Logical),
            Some(CallResult::Failed) => Some(Environmental),
            Some(CallResult::CutShort) => None,
        },
        Shortfall::Judged { said, cited, last } => match cited.or(last.filter(|_| said.is_some())) {
            Some(CallResult::Worked) | None => said,
            Some(CallResult::Failed) => Some(Environmental),
            Some(CallResult::CutShort) => None,
        },
        Shortfall::WrongForm { last } | Shortfall::Ended { end: AttemptEnd::GaveUp, last } => {
            (last == Some(CallResult::Failed)).then_some(Environmental)
        }
        Shortfall::Ended { end: AttemptEnd::Limit | AttemptEnd::Denied | AttemptEnd::NoModel, .. } => None,
    }
}

/// Whose fault one call is that a failed criterion is blamed on, from the classes of the criteria that blame it. It is
/// never worse than they are: where they teach nothing, neither does the call.
pub fn call_lesson(call: CallResult, blamed_for: &[Option<FailureClass>]) -> Option<FailureClass> {
    use FailureClass::{Environmental, Logical};
    let worst = [Logical, Environmental].into_iter().find(|class| blamed_for.contains(&Some(*class)));
    match call {
        CallResult::Worked => worst,
        CallResult::Failed => worst.map(|_| Environmental),
        CallResult::CutShort => None,
    }
}

#[cfg(test)]
mod tests;
