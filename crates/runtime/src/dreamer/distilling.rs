//! Rules from evidence: the law of the memory found it ripe, a model or the evidence itself gives it words, and the law
//! judges it once more before it is written.

use artoo_memory::consolidation::{Candidate, RuleText, Sign};
use artoo_roles::dreamer::Effect;
use artoo_roles::dreamer::rule::{Cluster, Distiller, RuleWords};
use artoo_types::envelope::Role;
use artoo_types::memory::{ChangeKind, Level, MemoryChange};
use artoo_types::reply::RuleKind;

use super::Dreamer;

impl Dreamer {
    /// Puts candidates into words, one after the other, and tells the memory when it is through.
    pub(super) async fn distil(&mut self, candidates: Vec<Candidate>) {
        let mut any = false;
        for candidate in candidates {
            match self.words(&candidate).await {
                Some((text, by_model)) => any |= self.promote(candidate, text, by_model).await,
                None if self.calls.stopped() => return,
                None => {}
            }
        }
        self.memory.dreamt(any);
    }

    /// The words of a rule, and whether a model found them.
    async fn words(&mut self, candidate: &Candidate) -> Option<(RuleText, bool)> {
        let mut distiller = Distiller::new(Cluster {
            tag: candidate.tag.clone(),
            kind: match candidate.sign {
                Sign::For => RuleKind::BestPractice,
                Sign::Against => RuleKind::Constraint,
            },
            evidence: candidate.evidence.clone(),
        });
        let mut request = distiller.ask();
        // The distiller asks at most three times: once, once when the reply is lost, once to repair it.
        let words = loop {
            match distiller.hear(self.calls.ask(request).await?) {
                Effect::AskModel(again) => request = again,
                Effect::Conclude(words) => break words,
            }
        };
        let text = |words: RuleWords| RuleText::new(&words.rule).map(|text| (text, words.by_model));
        text(words)
            .or_else(|_| text(distiller.without_model()))
            .inspect_err(|error| tracing::error!(%error, tag = ?candidate.tag, "a rule without words"))
            .ok()
    }

    /// Has the rule written, and tells of it. False when the law did not let it pass any more.
    async fn promote(&mut self, candidate: Candidate, text: RuleText, by_model: bool) -> bool {
        let (tag, count, potentials) = (candidate.tag.clone(), candidate.count, candidate.potentials);
        let Some(promoted) = self.memory.promote(candidate, text).await else { return false };
        let source = if by_model { "a model found the words" } else { "in the words of the evidence" };
        let why = format!(
            "{count} memories, attention {:.2}, decision {:+.2}; {source}",
            potentials.attention, potentials.decision
        );
        self.tell(MemoryChange {
            tags: vec![tag],
            ids: vec![promoted.rule.id],
            count: 1,
            level: Some(Level::C),
            ..MemoryChange::of(ChangeKind::Distilled, &why)
        });
        let proposals = promoted.proposals.into_iter().map(|proposal| (proposal.tag, proposal.id));
        let (tags, ids): (Vec<_>, Vec<_>) = proposals.unzip();
        if !ids.is_empty() {
            self.tell(MemoryChange {
                tags,
                count: ids.len() as u64,
                ids,
                level: Some(Level::M),
                ..MemoryChange::of(ChangeKind::Proposed, "a new rule may hold for requests that look alike")
            });
        }
        true
    }

    fn tell(&self, change: MemoryChange) {
        if let Err(error) = self.system.publish(Role::Memory, Role::Operator, change.into()) {
            tracing::warn!(%error, "what the dreamer did was not told");
        }
    }
}
