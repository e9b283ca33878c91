//! What an undo does with one path: a pure decision from what was recorded and what is there.

use super::state::EntryState;

/// What one call did at one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallStep {
    /// What was there before.
    pub(super) before: EntryState,
    /// What was there when the call had ended; `None` if nobody looked, because the daemon went down.
    pub(super) after: Option<EntryState>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UndoDecision {
    /// Nothing: it is as it was.
    Unchanged,
    /// Put it as it was before the step with this index.
    Restore(usize),
    /// Leave it alone, for this reason.
    Skip(String),
}

/// Decides from the steps that changed something, in the order of the calls; there is at least one.
///
/// Calls that follow each other without anybody else in between are taken back together: the path goes to where it was
/// before the first of them. Whatever the task itself left there, at any of these steps, may be replaced, and so may
/// nothing at all; so an undo that was cut short can be run again. Anything else was put there by somebody else.
pub(super) fn decide(steps: &[CallStep], now: &EntryState, force: bool) -> UndoDecision {
    let Some(last) = steps.len().checked_sub(1) else { return UndoDecision::Unchanged };
    let mut first = last;
    while first > 0 && steps[first - 1].after.as_ref() == Some(&steps[first].before) {
        first -= 1;
    }
    if force {
        first = 0;
    }
    let wanted = &steps[first].before;
    let interfered = first > 0;
    if now == wanted {
        return if interfered {
            UndoDecision::Skip(
                "between two calls of the task somebody else changed it, and it is as it was then; --force goes on to \
                 what it was before the task"
                    .to_owned(),
            )
        } else {
            UndoDecision::Unchanged
        };
    }
    let of_the_task = |state: &EntryState| {
        steps[first..].iter().any(|step| step.before == *state || step.after.as_ref() == Some(state))
    };
    // An undo that was cut short leaves a folder like this.
    let is_half_made =
        matches!((now, wanted), (EntryState::Folder { mode: 0o700 }, EntryState::Folder { .. }));
    if force || *now == EntryState::Absent || is_half_made || of_the_task(now) {
        return UndoDecision::Restore(first);
    }
    let why = if steps[last].after.is_none() {
        "the daemon went down while the task changed it, so it cannot be told whether somebody else did so since"
    } else {
        "it was changed since"
    };
    UndoDecision::Skip(format!(
        "{why}; --force restores it all the same and puts what is there into the trash"
    ))
}
