//! What stands when a task ends without its whole result: what is verified, what is open, what was changed and left so.

use artoo_types::changes::{ToldChange, is_kept_by_a_program, told};
use artoo_types::control::Reason;
use artoo_types::evidence::FileChange;
use artoo_types::text::first_chars;

use super::Closing;

/// Files that a summary names: more than a person reads are none.
const MAX_CHANGED: usize = 5;
/// Criteria that a summary names.
const MAX_CRITERIA: usize = 3;
/// Characters of each.
const CRITERION_CHARS: usize = 100;

impl Closing<'_> {
    /// How much is verified; by name where the task was cut short, so that nobody has to look it up.
    pub(super) fn achieved(&self) -> String {
        let reached = &self.history.met;
        match (reached.met.len(), reached.all) {
            (_, 0) => String::new(),
            (met, all) if met > 0 && self.is_cut_short() => {
                format!("{met} of {all} criteria met: {}.", some_of(reached.met.iter().map(String::as_str)))
            }
            (met, all) => format!("{met} of {all} criteria met."),
        }
    }

    /// What is open, by name, where the task was cut short.
    pub(super) fn open(&self) -> String {
        if self.unmet.is_empty() || !self.is_cut_short() {
            return String::new();
        }
        format!("Open: {}.", some_of(self.unmet.iter().map(|unmet| unmet.criterion.as_str())))
    }

    /// Whether something ran out before the task came to its own end.
    fn is_cut_short(&self) -> bool {
        match self.reason {
            Reason::BudgetExhausted
            | Reason::CostExhausted
            | Reason::ReplansExhausted
            | Reason::NotWorthIt
            | Reason::Deadline
            | Reason::ModelUnavailable
            | Reason::Interrupted => true,
            Reason::CriteriaMet
            | Reason::Answered
            | Reason::WithinTolerance
            | Reason::Diverging
            | Reason::Cancelled
            | Reason::Refused
            | Reason::Declined
            | Reason::CannotBeDone
            | Reason::CannotPlan
            | Reason::Internal => false,
        }
    }

    /// What the task changed and left so, by name: who gets no result has to know of it all the same.
    pub(super) fn left_changed(&self) -> String {
        let changes = self.history.calls.changes.iter();
        let left: Vec<&FileChange> = changes.filter(|change| !is_kept_by_a_program(&change.path)).collect();
        let left = told(&left);
        let named = left.iter().take(MAX_CHANGED).map(|one| match one {
            ToldChange::Moved(from, to) => format!("moved {} to {}", from.path, to.path),
            ToldChange::Other(change) => format!("{} {}", change.kind.as_str(), change.path),
        });
        let named = named.collect::<Vec<_>>().join("; ");
        match (named.is_empty(), left.len().saturating_sub(MAX_CHANGED)) {
            (true, _) => String::new(),
            (false, 0) => format!("Left as it is now: {named}."),
            (false, more) => format!("Left as it is now: {named}; and {more} more."),
        }
    }
}

/// The first of these texts, and how many more there are; each text once.
fn some_of<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut once: Vec<&str> = Vec::new();
    for text in texts.filter(|text| !text.trim().is_empty()) {
        if !once.contains(&text) {
            once.push(text);
        }
    }
    let named =
        once.iter().take(MAX_CRITERIA).map(|text| first_chars(text.trim_end_matches('.'), CRITERION_CHARS));
    let named = named.collect::<Vec<_>>().join("; ");
    match once.len().saturating_sub(MAX_CRITERIA) {
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}
