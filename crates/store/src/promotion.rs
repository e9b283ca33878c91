//! The way up: evidence that is enough becomes a rule, and a best practice is proposed for tasks that look alike.

use artoo_memory::consolidation::{CANDIDATE_AGE_MS, Candidate, RuleText, gate, ripe, ripe_at};
use artoo_memory::hypothesis::{MAX_PROPOSALS, is_transferable, propose};
use artoo_memory::key::{self, Key};
use artoo_memory::known::RelatedRequest;
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, Relatedness, state};
use artoo_types::tag::Tag;

use crate::disk::Family;
use crate::disk::view::{View, decode_time};
use crate::edit::Edit;
use crate::error::StoreError;
use crate::maintenance::Maintenance;

/// Most clusters that one search for candidates reads the sums of. Each costs some ten microseconds, and what is over
/// comes up in the next search.
const MAX_CLUSTERS_READ: usize = 1_024;

/// Most requests that look alike which are considered for a hypothesis. Reading whether one has good evidence of its own
/// reads its memories.
const MAX_CONSIDERED: usize = 16;

/// What became of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub enum PromotionOutcome {
    /// It is a rule now.
    Promoted(Box<PromotedRule>),
    /// It is not enough any more, or was found too long ago; nothing changed. The next search finds it again if it is
    /// still so.
    Stale(&'static str),
}

/// A rule that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct PromotedRule {
    /// The rule.
    pub rule: Megram,
    /// The hypotheses that it makes for tasks that look alike.
    pub proposals: Vec<Megram>,
}

impl Maintenance {
    /// At most `at_most` clusters whose evidence is enough for a rule at `now`; see [`artoo_memory::consolidation`]. The
    /// cost depends on how many clusters are near that, and a candidate costs reading its cluster. With no candidate and
    /// nothing to file anew, nothing is written. While the wall clock lies behind, there are none.
    ///
    /// # Errors
    /// When the database fails.
    pub fn candidates(&mut self, now: Timestamp, at_most: usize) -> Result<Vec<Candidate>, StoreError> {
        let mut found = Vec::new();
        if self.store.high_water().stepped_back_ms(now).is_some() {
            return Ok(found);
        }
        let listed = self.store.disk.frozen();
        for entry in listed.scan(Family::Derived, key::RIPE, None).take(MAX_CLUSTERS_READ) {
            if found.len() == at_most {
                break;
            }
            let (key, value) = entry?;
            let Key::Ripe(tag) = &key else { continue };
            if decode_time(&key, &value)? <= self.store.effective(now) {
                found.extend(self.candidate(now, tag)?);
            }
        }
        Ok(found)
    }

    /// Looks at a tag whose time has come; one that is not ripe is filed under its new time.
    fn candidate(&self, now: Timestamp, tag: &Tag) -> Result<Option<Candidate>, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let view = self.store.disk.view();
        let mut record = view.cluster(tag)?;
        if ripe(&record, now).is_some() {
            if let Some(candidate) = Candidate::of(tag, &record, view.evidence(tag), now)?
                && is_new(&view, &candidate)?
            {
                return Ok(Some(candidate));
            }
            // The very rule exists or was forgotten: it comes again with new evidence alone.
            record.filed.ripe = None;
        } else {
            record.filed.ripe = ripe_at(&record, now);
        }
        let filed = view.cluster(tag)?.filed;
        let mut batch = self.store.disk.batch();
        if filed.ripe.is_none() {
            // A leftover that no cluster claims.
            batch.delete(&Key::Ripe(tag.clone()));
        }
        batch.set_cluster(tag, &record, filed);
        self.store.commit(batch, now, false, &lock)?;
        Ok(None)
    }

    /// Makes the rule that `candidate` found, in these words, with the hypotheses that follow from it: one batch, on the
    /// disk when this returns. The gate is tested again, since the memory may have changed while the words were found:
    /// with the evidence of now, as of the time at which the candidate was found, so that a moment of fading does not
    /// undo it. Its evidence stays as it is.
    ///
    /// # Errors
    /// When the database fails.
    pub fn promote(
        &mut self,
        now: Timestamp,
        candidate: &Candidate,
        text: &RuleText,
    ) -> Result<PromotionOutcome, StoreError> {
        let lock = self.store.lock();
        let now = self.store.effective(now);
        let view = self.store.disk.view();
        if let Some(why) = self.staleness(now, candidate)? {
            return Ok(PromotionOutcome::Stale(why));
        }
        let rule = candidate.rule(text, now);
        let proposals = self.proposals(now, &rule, &view)?;
        let mut edit = Edit::new(&self.store, now, &lock);
        edit.consumed(&rule.tag);
        edit.add(&rule)?;
        for hypothesis in &proposals {
            edit.add(hypothesis)?;
        }
        self.store.commit(edit.finish()?, now, true, &lock)?;
        Ok(PromotionOutcome::Promoted(Box::new(PromotedRule { rule, proposals })))
    }

    /// Why a candidate is none any more.
    fn staleness(&self, now: Timestamp, candidate: &Candidate) -> Result<Option<&'static str>, StoreError> {
        let view = self.store.disk.view();
        if now.since_ms(candidate.at) > CANDIDATE_AGE_MS {
            return Ok(Some("it was found too long ago"));
        }
        let record = view.cluster(&candidate.tag)?;
        if gate(&record.fresh.sums, candidate.at) != Some(candidate.sign) {
            return Ok(Some("its evidence is not enough any more"));
        }
        if ripe(&record, candidate.at).is_none() {
            return Ok(Some("a rule of its sign is in force"));
        }
        if !is_new(&view, candidate)? {
            return Ok(Some("this very rule was made before"));
        }
        for parent in candidate.parents.iter().chain([&candidate.newest]) {
            if !view.has(&Key::Megram(*parent))? {
                return Ok(Some("evidence that its words were made from is gone"));
            }
        }
        Ok(None)
    }

    /// The hypotheses that a new rule makes.
    fn proposals(&self, now: Timestamp, rule: &Megram, view: &View<'_>) -> Result<Vec<Megram>, StoreError> {
        let mut proposals = Vec::new();
        if !is_transferable(rule) || rule.about.is_empty() {
            return Ok(proposals);
        }
        let related = self.store.requests.with(&self.store.disk, |known| known.related(&rule.about))?;
        let alike = related.into_iter().filter(|other| looks_alike(other) && other.tag != rule.tag);
        for RelatedRequest { tag, via } in alike.take(MAX_CONSIDERED) {
            if proposals.len() == MAX_PROPOSALS {
                break;
            }
            if has_good_evidence(view, &tag)? {
                continue;
            }
            let hypothesis = propose(rule, &tag, &via.request, now);
            let settled =
                view.has(&Key::Tombstone(hypothesis.id))? || view.has(&Key::Megram(hypothesis.id))?;
            if !settled {
                proposals.push(hypothesis);
            }
        }
        Ok(proposals)
    }
}

/// Whether another task only looks alike: for the same task in other words the rule is in force already.
fn looks_alike(other: &RelatedRequest) -> bool {
    match other.via.relation {
        Relatedness::Hint => true,
        Relatedness::Same | Relatedness::Alias | Relatedness::None => false,
    }
}

/// Whether anything went well under a tag, or a rule says what goes well.
fn has_good_evidence(view: &View<'_>, tag: &Tag) -> Result<bool, StoreError> {
    for megram in view.rules(tag) {
        if megram?.sigma > 0.0 {
            return Ok(true);
        }
    }
    for megram in view.evidence(tag) {
        let megram = megram?;
        if megram.sigma > 0.0 && state::is_evidence(&megram.state) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the rule of a candidate neither exists nor was buried.
fn is_new(view: &View<'_>, candidate: &Candidate) -> Result<bool, StoreError> {
    let id = candidate.rule_id();
    Ok(!view.has(&Key::Megram(id))? && !view.has(&Key::Tombstone(id))?)
}
