//! The criteria of the task, which are judged along with those of its step where it has only one.

use artoo_types::criteria::{Criterion, CriterionVerdict};
use artoo_types::reply::VerdictReply;
use artoo_types::tag::fold;

use crate::verdicts::{self, CitableEvidence};

/// What the only step of a plan is judged by beside its own criteria.
#[derive(Debug, Clone, Default)]
pub(super) struct TaskShare {
    /// The person's words.
    pub(super) request: String,
    /// The criteria of the task; none where it has several steps.
    pub(super) criteria: Vec<Criterion>,
    /// What the model said of those that it was asked about, in the last attempt.
    judged: Vec<CriterionVerdict>,
}

impl TaskShare {
    pub(super) fn new(request: String, criteria: Vec<Criterion>) -> Self {
        Self { request, criteria, judged: Vec::new() }
    }

    /// Whether the step is all of the task.
    pub(super) fn is_all(&self) -> bool {
        !self.criteria.is_empty()
    }

    /// The criteria of the task that neither a check nor a criterion of the step in the same words decides.
    pub(super) fn asked(&self, own: &[Criterion]) -> Vec<usize> {
        let mut asked = verdicts::unchecked(&self.criteria);
        asked.retain(|index| twin(own, &self.criteria[*index]).is_none());
        asked
    }

    /// Takes in what a reply says of them. What it leaves out stays open.
    pub(super) fn hear(&mut self, own: &[Criterion], replies: &[VerdictReply], evidence: &CitableEvidence) {
        let asked = self.asked(own);
        let is_answered = |index: &usize| !verdicts::on_criterion(&asked, replies, *index).is_empty();
        let answered: Vec<usize> = asked.iter().copied().filter(is_answered).collect();
        self.judged = verdicts::from_model(&self.criteria, &answered, replies, evidence);
    }

    /// The verdicts on the criteria of the task that no check decides, as far as they are known, once those of the step
    /// are.
    pub(super) fn verdicts(&self, own: &[Criterion], step: &[CriterionVerdict]) -> Vec<CriterionVerdict> {
        let of_twin = |(index, criterion): (usize, &Criterion)| {
            let twin = twin(own, criterion).filter(|_| criterion.check.is_none())?;
            let verdict = step.iter().find(|verdict| verdict.index == twin)?;
            Some(CriterionVerdict { index, mode: criterion.mode, ..verdict.clone() })
        };
        let mut all: Vec<CriterionVerdict> = self.criteria.iter().enumerate().filter_map(of_twin).collect();
        all.extend(self.judged.iter().cloned());
        all.sort_by_key(|verdict| verdict.index);
        all
    }

    /// Another attempt is judged anew.
    pub(super) fn forget(&mut self) {
        self.judged.clear();
    }
}

/// The criterion of the step that says the same and asks for no weaker proof.
fn twin(own: &[Criterion], criterion: &Criterion) -> Option<usize> {
    let text = fold(&criterion.text);
    let is_same = |other: &Criterion| {
        fold(&other.text) == text
            && (other.mode == criterion.mode || other.check.is_some())
            && !other.unchanged
    };
    own.iter().position(is_same)
}
