//! Which calls a judgement rests on: one selection for a step and for the whole.
//!
//! They are the calls of the work that is judged, of every attempt, in the order in which they were asked for; and what steps
//! that count no more did to the world. A plan is judged by its own looks, for what an earlier plan saw may be another by now;
//! but what that plan did stays done. Of one step only what it carries on counts, so that no step lives on another's work.

use artoo_types::SubtaskId;
use artoo_types::brief::EarlierWork;
use artoo_types::criteria::Criterion;
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::machine::{AskedCheck, CallFact, CheckSubject};
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::plan::DispatchManifest;
use artoo_types::tool::names::SHELL;

use crate::claimed;
use crate::located::located;

/// What steps that count no more did to the world, and saw.
#[derive(Debug, Clone, Default)]
pub(crate) struct PastDeeds(Vec<PastStep>);

#[derive(Debug, Clone)]
struct PastStep {
    work: EarlierWork,
    /// The steps that carry on its work; none where nobody is known to.
    heirs: Vec<SubtaskId>,
}

impl PastDeeds {
    /// A plan goes out, and of these outcomes it keeps only what it says.
    pub(crate) fn pass_on<'a>(
        &mut self,
        outcomes: impl Iterator<Item = &'a SubTaskOutcome>,
        plan: &DispatchManifest,
    ) {
        for outcome in outcomes.filter(|outcome| !plan.kept.contains(&outcome.subtask_id)) {
            self.0.push(PastStep { work: work_of(outcome), heirs: vec![outcome.subtask_id] });
        }
        for past in &mut self.0 {
            let own = std::mem::take(&mut past.heirs);
            let next =
                plan.subtasks.iter().filter(|step| step.replaces.is_some_and(|old| own.contains(&old)));
            let next: Vec<SubtaskId> = next.map(|step| step.subtask_id).collect();
            past.heirs = own.into_iter().filter(|id| plan.kept.contains(id)).chain(next).collect();
        }
    }

    /// All deeds, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Receipt> {
        self.0.iter().flat_map(|past| &past.work.receipts).filter(|receipt| is_deed(receipt))
    }

    /// All that they did and saw, oldest first.
    pub(crate) fn seen(&self) -> impl Iterator<Item = &Receipt> {
        self.0.iter().flat_map(|past| &past.work.receipts)
    }

    /// The deeds that this step carries on, and those that no step is known to.
    pub(crate) fn of(&self, step: SubtaskId) -> Vec<Receipt> {
        let receipts = self.inherited(step).flat_map(|work| &work.receipts);
        receipts.filter(|receipt| is_deed(receipt)).cloned().collect()
    }

    /// All work that this step carries on, looks included: what it begins with, and no evidence.
    pub(crate) fn work_of(&self, step: SubtaskId) -> Vec<EarlierWork> {
        self.inherited(step).cloned().collect()
    }

    fn inherited(&self, step: SubtaskId) -> impl Iterator<Item = &EarlierWork> {
        let is_its = move |past: &&PastStep| past.heirs.is_empty() || past.heirs.contains(&step);
        self.0.iter().filter(is_its).map(|past| &past.work)
    }
}

/// What a step that counts no more did, and how it ended.
fn work_of(outcome: &SubTaskOutcome) -> EarlierWork {
    let ending = match &outcome.failure_reason {
        Some(why) => why.clone(),
        None => "it is planned anew".to_owned(),
    };
    // Where nothing was answered, the reason stands in the place of the answer.
    let is_answer = outcome.output != ending;
    EarlierWork {
        receipts: outcome.all_receipts().cloned().collect(),
        answer: if is_answer { outcome.output.clone() } else { String::new() },
        ending,
    }
}

/// Whether the call did something that outlasts it: it changed files, or what it does lies beyond files and it worked. What a
/// command may have done where nobody looked is no deed: most commands only look.
pub(crate) fn is_deed(receipt: &Receipt) -> bool {
    let beyond_files = match receipt.effect {
        EffectClass::Read => false,
        EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete => receipt.act.changes_omitted > 0,
        EffectClass::Send | EffectClass::System => true,
        EffectClass::Unknown => receipt.tool != SHELL,
    };
    !receipt.act.changes.is_empty() || beyond_files && receipt.succeeded()
}

/// The calls that a judgement rests on.
#[derive(Debug, Clone)]
pub(crate) struct JudgedCalls<'a> {
    /// What was done by steps that count no more.
    past: Vec<&'a Receipt>,
    /// Those of the work that is judged, every attempt of it.
    own: Vec<&'a Receipt>,
}

impl<'a> JudgedCalls<'a> {
    /// Of these deeds and these calls, whatever order they come in.
    pub(crate) fn new(
        past: impl Iterator<Item = &'a Receipt>,
        own: impl Iterator<Item = &'a Receipt>,
    ) -> Self {
        let in_order = |mut calls: Vec<&'a Receipt>| {
            calls.sort_by_key(|receipt| receipt.id.call_order());
            calls
        };
        Self { past: in_order(past.collect()), own: in_order(own.collect()) }
    }

    /// The calls of the work itself, in the order in which they were asked for.
    pub(crate) fn own(&self) -> &[&'a Receipt] {
        &self.own
    }

    /// All of them in that order.
    pub(crate) fn all(&self) -> Vec<&'a Receipt> {
        Self::new(std::iter::empty(), self.past.iter().chain(&self.own).copied()).own
    }

    /// The checks of these criteria, each with its index, that look where these calls put what they made.
    pub(crate) fn checks_of(&self, criteria: &[Criterion]) -> Vec<AskedCheck> {
        let calls = self.all();
        let check =
            |(index, criterion)| Some(AskedCheck { criterion: index, check: located(criterion, &calls)? });
        criteria.iter().enumerate().filter_map(check).collect()
    }

    /// What checks of this output are about. `words` are known without proving anything.
    pub(crate) fn subject(&self, output: String, handle: Option<String>, words: String) -> CheckSubject {
        let facts = |calls: &[&Receipt]| calls.iter().map(|receipt| CallFact::from(*receipt)).collect();
        let own = || self.own.iter().copied();
        // What a failing call showed is no finding, and no invention.
        let failing = claimed::shown_in_failing(own(), claimed::TOLD_CHARS);
        CheckSubject {
            is_claim: claimed::is_claim(&output, own()),
            shown: claimed::shown(own()),
            failed: claimed::failed(own()).map(|receipt| receipt.id.clone()).collect(),
            told: if failing.is_empty() { words } else { format!("{words}\n{failing}") },
            output,
            handle,
            calls: facts(&self.own),
            past: facts(&self.past),
        }
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{CallEnd, ChangeKind, EffectClass, FileChange, Receipt};
    use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
    use artoo_types::plan::SubTask;

    use super::{JudgedCalls, PastDeeds, is_deed};
    use crate::testing::{manifest, outcome, receipt, subtask, subtask_id};

    fn deed(n: u64) -> Receipt {
        let mut deed = receipt(n, CallEnd::Ran, Some(0), "");
        let (path, kind) = (format!("/w/{n}"), ChangeKind::Made);
        deed.act.changes = vec![FileChange { path, kind, before: None, after: None, modes: None }];
        deed
    }

    fn failed(step: u32, receipts: Vec<Receipt>) -> SubTaskOutcome {
        SubTaskOutcome { receipts, ..outcome(subtask(step, 1), OutcomeStatus::Failed, "") }
    }

    /// A step that takes the place of another one.
    fn heir(step: u32, old: u32) -> SubTask {
        SubTask { replaces: Some(subtask_id(old)), ..subtask(step, 1) }
    }

    fn ids(receipts: &[Receipt]) -> Vec<&str> {
        receipts.iter().map(|receipt| receipt.id.0.as_str()).collect()
    }

    /// Fails where a step lives on another one's work, or looks of an earlier plan count.
    #[test]
    fn what_was_done_goes_to_who_carries_it_on() {
        let look = receipt(3, CallEnd::Ran, Some(0), "seen");
        let [first, second] = [failed(1, vec![deed(1), look]), failed(2, vec![deed(2)])];
        let mut past = PastDeeds::default();
        past.pass_on([&first, &second].into_iter(), &manifest(1, vec![heir(3, 1), subtask(4, 1)]));
        assert_eq!(ids(&past.of(subtask_id(3))), ["r1", "r2"]);
        assert_eq!(ids(&past.of(subtask_id(4))), ["r2"]);
        // The heir's heir carries it on; a kept step keeps what it carried on.
        let third = failed(3, vec![deed(5)]);
        past.pass_on(std::iter::once(&third), &manifest(2, vec![heir(6, 3), heir(7, 9)]));
        assert_eq!(ids(&past.of(subtask_id(6))), ["r1", "r2", "r5"]);
        assert_eq!(ids(&past.of(subtask_id(7))), ["r2"]);
        let all: Vec<Receipt> = past.all().cloned().collect();
        assert_eq!(ids(&all), ["r1", "r2", "r5"]);
    }

    #[test]
    fn only_what_outlasts_a_call_is_a_deed() {
        let of = |effect, tool: &str| Receipt {
            effect,
            tool: tool.to_owned(),
            ..receipt(1, CallEnd::Ran, Some(0), "OK")
        };
        assert!(is_deed(&deed(1)) && is_deed(&of(EffectClass::Send, "http")));
        assert!(is_deed(&of(EffectClass::Unknown, "notes__add")));
        assert!(!is_deed(&of(EffectClass::Unknown, "shell")), "tests that ran");
        assert!(!is_deed(&of(EffectClass::Overwrite, "shell")) && !is_deed(&of(EffectClass::Read, "glob")));
        assert!(!is_deed(&Receipt { exit: Some(1), ..of(EffectClass::Send, "http") }));
    }

    /// Fails where a step and the whole, judged by the same calls, are told of different ones, or in another order.
    #[test]
    fn a_step_and_the_whole_rest_on_the_same_calls() {
        let (late, early) =
            (receipt(12, CallEnd::Ran, Some(0), "x"), receipt(4, CallEnd::Ran, Some(1), "4711"));
        let past = [deed(2)];
        let calls = JudgedCalls::new(past.iter(), [&late, &early].into_iter());
        let subject = calls.subject("x".to_owned(), None, "words".to_owned());
        assert_eq!(subject.calls.iter().map(|call| call.exit).collect::<Vec<_>>(), [Some(1), Some(0)]);
        assert_eq!((subject.past.len(), subject.is_claim, subject.told.as_str()), (1, false, "words\n4711"));
        let order: Vec<&str> = calls.all().into_iter().map(|receipt| receipt.id.0.as_str()).collect();
        assert_eq!(order, ["r2", "r4", "r12"]);
    }
}
