//! The way up: when evidence becomes a rule, and which one.
//!
//! A cluster is ripe when its evidence has M_attention ≥ 5 and |M_decision| ≥ 3 and no rule of that sign is in force. Only
//! evidence since the tag's last rule was distilled, fell or was forgotten counts, so that a second rule needs a further
//! 5.0 of energy of its own. Evidence is never changed or consumed.
//!
//! No rule is made of hearsay: only what happened to artoo counts, in tasks that no stranger's text had touched. "Newer than the
//! last rule" is a mark on the disk, set when a rule is distilled, falls or is forgotten; the gate is tested again before the
//! batch that holds rule and mark. A hypothesis is in no sum that advises, and the outcome that names it buries it.

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, Potentials, state};
use artoo_types::rate::{DAY_MS, Rate};
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::accumulator::{Cluster, Event};
use crate::admission::MAX_PARENTS;
use crate::crossing::{comes_up_to, decision_parts};
use crate::record::{ClusterRecord, is_evidence};
pub use crate::sign::Sign;

/// M_attention of the evidence from which it may become a rule.
pub const RIPE_ATTENTION: f64 = 5.0;

/// |M_decision| of the evidence from which it may become a rule.
pub const RIPE_DECISION: f64 = 3.0;

/// f of a distilled rule: how much contrary evidence it withstands.
pub const RULE_MAGNITUDE: f64 = 0.90;

/// Longest text of a distilled rule, in characters. It stands in prompts for good.
pub const MAX_RULE_CHARS: usize = 600;

/// How many pieces of evidence a candidate quotes. Twelve lessons of at most 2,000 characters fit into one model call.
pub const MAX_QUOTED: usize = 12;

/// How long after it was found a candidate may become a rule, in milliseconds: a slow model call with its repair fits in
/// many times. After that what is known may be another.
pub const CANDIDATE_AGE_MS: u64 = 3_600_000;

/// The gate: which rule the summed evidence is enough for at `at`.
pub fn gate(evidence: &Cluster, at: Timestamp) -> Option<Sign> {
    let Potentials { attention, decision, .. } = evidence.potentials(at);
    (attention >= RIPE_ATTENTION && decision.abs() >= RIPE_DECISION).then_some(Sign::of(decision))
}

/// The gate for a tag: fresh evidence alone, and no rule of that sign in force.
pub fn ripe(record: &ClusterRecord, at: Timestamp) -> Option<Sign> {
    gate(&record.fresh.sums, at).filter(|sign| is_free(record, *sign))
}

/// When to look whether a tag is ripe, if nothing more is written: `now` when it is, `None` when it will not be. Attention
/// only falls, and the decision rises where contrary evidence fades faster; never later than the true time by more
/// than a minute.
pub fn ripe_at(record: &ClusterRecord, now: Timestamp) -> Option<Timestamp> {
    let evidence = &record.fresh.sums;
    if evidence.is_empty() || evidence.potentials(now).attention < RIPE_ATTENTION {
        return None;
    }
    if ripe(record, now).is_some() {
        return Some(now);
    }
    let parts = decision_parts(evidence, now);
    let free = Sign::ALL.into_iter().filter(|sign| is_free(record, *sign));
    let times = free.filter_map(|sign| comes_up_to(&parts, sign.value(), RIPE_DECISION));
    let at = times.map(|days| now.plus_ms((days * DAY_MS).ceil() as u64)).min()?;
    (evidence.potentials(at).attention >= RIPE_ATTENTION).then_some(at)
}

fn is_free(record: &ClusterRecord, sign: Sign) -> bool {
    record.rules.iter().all(|rule| rule.sign != sign)
}

/// Evidence that is enough for a rule, with what is needed to put it into words.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What the rule will be about.
    pub tag: Tag,
    /// For or against it.
    pub sign: Sign,
    /// When it was found ripe.
    pub at: Timestamp,
    /// What its evidence sums to at `at`.
    pub potentials: Potentials,
    /// How many pieces of evidence there are.
    pub count: u64,
    /// The newest of them; with tag and sign it names the rule.
    pub newest: Uuid,
    /// The heaviest of them, at most [`MAX_PARENTS`], heaviest first.
    pub parents: Vec<Uuid>,
    /// The first [`MAX_QUOTED`] of the parents themselves.
    pub evidence: Vec<Megram>,
}

impl Candidate {
    /// The candidate of `tag` at `at`, if it is ripe; `memories` are those of the tag, in any order.
    ///
    /// # Errors
    /// The first error among `memories`.
    pub fn of<E>(
        tag: &Tag,
        record: &ClusterRecord,
        memories: impl IntoIterator<Item = Result<Megram, E>>,
        at: Timestamp,
    ) -> Result<Option<Self>, E> {
        let Some(sign) = ripe(record, at) else { return Ok(None) };
        let mut evidence = Heaviest::new(at);
        for megram in memories {
            let megram = megram?;
            if is_evidence(&megram) && megram.created_at > record.fresh.since {
                evidence.take(megram);
            }
        }
        let Some((_, newest)) = evidence.newest else { return Ok(None) };
        let kept = evidence.kept();
        Ok(Some(Self {
            tag: tag.clone(),
            sign,
            at,
            potentials: record.fresh.sums.potentials(at),
            count: record.fresh.sums.count(),
            newest,
            parents: kept.iter().map(|megram| megram.id).collect(),
            evidence: kept.into_iter().take(MAX_QUOTED).collect(),
        }))
    }

    /// The id of the rule: it depends on tag, sign and newest evidence alone, so that the same evidence makes one rule.
    pub fn rule_id(&self) -> Uuid {
        let name =
            format!("{}|{}|{}|{}", state::DISTILLED, self.sign.value(), self.tag.space, self.tag.entity);
        Uuid::new_v5(&self.newest, name.as_bytes())
    }

    /// The rule in these words, in force from `now` on.
    pub fn rule(&self, text: &RuleText, now: Timestamp) -> Megram {
        let about = self.evidence.iter().map(|megram| &megram.about).find(|about| !about.is_empty());
        Megram {
            id: self.rule_id(),
            level: Level::C,
            created_at: now,
            last_recalled_at: None,
            tag: self.tag.clone(),
            content: text.as_str().to_owned(),
            state: state::DISTILLED.to_owned(),
            f: RULE_MAGNITUDE,
            sigma: self.sign.value(),
            k: Rate::Timeless,
            agent_id: "R5".to_owned(),
            task_id: None,
            parents: self.parents.clone(),
            tainted: false,
            about: about.cloned().unwrap_or_default(),
            failed: Default::default(),
        }
    }
}

/// Keeps the heaviest memories at a time, and the newest.
struct Heaviest {
    at: Timestamp,
    memories: Vec<(f64, Megram)>,
    newest: Option<(Timestamp, Uuid)>,
}

impl Heaviest {
    fn new(at: Timestamp) -> Self {
        Self { at, memories: Vec::new(), newest: None }
    }

    fn take(&mut self, megram: Megram) {
        let Some(event) = Event::of(&megram) else { return };
        self.newest = self.newest.max(Some((megram.created_at, megram.id)));
        self.memories.push((event.weight(self.at).0, megram));
        if self.memories.len() >= 2 * MAX_PARENTS {
            self.sort();
        }
    }

    fn kept(mut self) -> Vec<Megram> {
        self.sort();
        self.memories.into_iter().map(|(_, megram)| megram).collect()
    }

    fn sort(&mut self) {
        self.memories.sort_by(|(a, one), (b, other)| {
            let newer = other.created_at.cmp(&one.created_at);
            b.total_cmp(a).then(newer).then(one.id.cmp(&other.id))
        });
        self.memories.truncate(MAX_PARENTS);
    }
}

/// The words of a rule: one line of 1 to [`MAX_RULE_CHARS`] characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText(String);

/// Why a text cannot be a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleTextRejected {
    /// It says nothing.
    #[error("the rule is empty")]
    Empty,
    /// It is too long.
    #[error("the rule has {0} characters; at most {MAX_RULE_CHARS} are allowed")]
    TooLong(usize),
    /// It has line breaks or other control characters.
    #[error("the rule has to be one line without control characters")]
    NotOneLine,
}

impl RuleText {
    /// Checks a text; white space around it is dropped.
    ///
    /// # Errors
    /// When it is empty, too long or not one line.
    pub fn new(text: &str) -> Result<Self, RuleTextRejected> {
        let text = text.trim();
        let length = text.chars().count();
        if length == 0 {
            return Err(RuleTextRejected::Empty);
        }
        if length > MAX_RULE_CHARS {
            return Err(RuleTextRejected::TooLong(length));
        }
        if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            return Err(RuleTextRejected::NotOneLine);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests;
