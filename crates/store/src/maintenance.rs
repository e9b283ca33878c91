//! The Dreamer's hands: what R5 does to its own records on the way down. The way up is in [`crate::promotion`].

use std::sync::Arc;

use artoo_memory::dreamer::{DreamerAction, DueCluster, Rule, decide};
use artoo_memory::key::{self, Key};
use artoo_memory::record::IndexTimes;
use artoo_types::Timestamp;
use artoo_types::memory::Level;
use artoo_types::tag::Tag;
use uuid::Uuid;

use crate::backup::{Backup, back_up};
use crate::disk::Family;
use crate::edit::Edit;
use crate::error::StoreError;
use crate::open_store::{OpenStore, WriteLock};
use crate::rebuild::rebuild;
use crate::sweep::sweep;

/// Most due clusters that one tick looks at; the rest waits for the next tick. Writers wait for one cluster at most.
const MAX_DUE: usize = 1_024;

/// A cluster that was forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgottenCluster {
    /// Its tag.
    pub tag: Tag,
    /// How many memories it had.
    pub count: u64,
}

/// A rule that lost its trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demotion {
    /// The rule; it is buried.
    pub rule: Uuid,
    /// The knowledge that it became.
    pub into: Uuid,
    /// The tag of both.
    pub tag: Tag,
}

/// Knowledge of a folder that was written, or taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedKnowledge {
    /// Where it is.
    pub tag: Tag,
    /// The memory.
    pub id: Uuid,
    /// How many tasks bear it out; 0 where it was taken back.
    pub tasks: usize,
}

/// What one tick did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TickReport {
    /// Set when nothing was done, since the wall clock lies this many milliseconds behind the latest memory. That is
    /// an anomaly for the auditor.
    pub held_behind_ms: Option<u64>,
    /// Clusters that were forgotten.
    pub forgotten: Vec<ForgottenCluster>,
    /// Rules that fell.
    pub demoted: Vec<Demotion>,
    /// Due clusters that live on, because they were written to since they were filed.
    pub postponed: u64,
    /// What several tasks of a folder share, as far as it changed.
    pub shared: Vec<SharedKnowledge>,
    /// More clusters are due than one tick looks at; tick again soon.
    pub more: bool,
}

/// Forgets and demotes, and makes rules of evidence. It cannot write experience, and it never calls a model.
pub struct Maintenance {
    pub(crate) store: Arc<OpenStore>,
}

impl Maintenance {
    /// The maintenance handle of this store; made by [`crate::open`].
    pub(crate) fn new(store: Arc<OpenStore>) -> Self {
        Self { store }
    }

    /// Forgets clusters that are due (the cost depends on how many are due, not on how many there are) and tests every
    /// rule on level C for Trust Bankruptcy. With nothing to do it writes nothing. Each action is one decision of
    /// [`artoo_memory::dreamer`], and atomic; demotions are on the disk when this returns.
    ///
    /// # Errors
    /// When the database fails. What was done until then stays done, and the next tick goes on from there.
    pub fn tick(&mut self, now: Timestamp) -> Result<TickReport, StoreError> {
        let mut report =
            TickReport { held_behind_ms: self.store.high_water().stepped_back_ms(now), ..Default::default() };
        if report.held_behind_ms.is_some() {
            return Ok(report);
        }
        self.forget_due(now, &mut report)?;
        self.test_rules(now, &mut report)?;
        report.shared = self.share(now)?;
        Ok(report)
    }

    /// Makes every derived record again from the memories themselves. Readers see an incomplete memory until it
    /// returns; writers wait.
    ///
    /// # Errors
    /// When the database fails, or a memory cannot be read. An interrupted rebuild is done again on opening.
    pub fn rebuild(&mut self) -> Result<(), StoreError> {
        rebuild(&self.store)
    }

    /// Keeps a copy of the memory beside it when the last one is a day old and something changed since: the `keep` newest
    /// stay, with 0 none is made. Costs milliseconds; writers wait for it.
    ///
    /// # Errors
    /// When the copy cannot be made, or an old one not deleted. The memory itself is as before.
    pub fn back_up(&mut self, now: Timestamp, keep: usize) -> Result<Option<Backup>, StoreError> {
        let lock = self.store.lock();
        back_up(&self.store, now, keep, &lock)
    }

    fn forget_due(&self, now: Timestamp, report: &mut TickReport) -> Result<(), StoreError> {
        let end = key::due_before(self.store.effective(now).plus_ms(1));
        let mut after: Option<Vec<u8>> = None;
        for _ in 0..MAX_DUE {
            let lock = self.store.lock();
            let now = self.store.effective(now);
            let view = self.store.disk.view();
            let next = view.scan(Family::Derived, key::DUE, after.as_deref()).next().transpose()?;
            let Some((Key::Due(at, tag), _)) = next else { return Ok(()) };
            let key = Key::Due(at, tag.clone());
            let bytes = key.encode();
            if bytes >= end {
                return Ok(());
            }
            after = Some(bytes);
            let record = view.cluster(&tag)?;
            if record.filed.due != Some(at) {
                // A leftover that no cluster claims.
                let mut batch = self.store.disk.batch();
                batch.delete(&key);
                self.store.commit(batch, now, false, &lock)?;
                continue;
            }
            for action in decide(now, &[DueCluster { tag, cluster: record.all() }], &[]) {
                self.act(action, now, report, &lock)?;
            }
        }
        report.more = true;
        Ok(())
    }

    /// Rules are few: one for each tag and sign that reflection found worth one, and what the operator remembers.
    fn test_rules(&self, now: Timestamp, report: &mut TickReport) -> Result<(), StoreError> {
        let listed = self.store.disk.frozen();
        for entry in listed.scan(Family::Derived, &key::of_level(Level::C), None) {
            let lock = self.store.lock();
            let view = self.store.disk.view();
            let now = self.store.effective(now);
            let Key::Level(_, id) = entry?.0 else { continue };
            // The operator may have forgotten it since it was listed.
            let Some(megram) = view.megram(id)? else { continue };
            let decision = view.cluster(&megram.tag)?.cluster.potentials(now).decision;
            for action in decide(now, &[], &[Rule { megram, decision }]) {
                self.act(action, now, report, &lock)?;
            }
        }
        Ok(())
    }

    /// Carries out one decision, atomically.
    fn act(
        &self,
        action: DreamerAction,
        now: Timestamp,
        report: &mut TickReport,
        lock: &WriteLock<'_>,
    ) -> Result<(), StoreError> {
        let disk = &self.store.disk;
        match action {
            DreamerAction::Forget { tag } => {
                let count = sweep(&self.store, &tag, now, lock)?;
                report.forgotten.push(ForgottenCluster { tag, count });
            }
            DreamerAction::Postpone { tag, due } => {
                let mut record = disk.view().cluster(&tag)?;
                let filed = record.filed;
                record.filed = IndexTimes { due, ..filed };
                let mut batch = disk.batch();
                batch.set_cluster(&tag, &record, filed);
                self.store.commit(batch, now, false, lock)?;
                report.postponed += 1;
            }
            DreamerAction::Demote { rule, into } => {
                let Some(fallen) = disk.view().megram(rule)? else { return Ok(()) };
                let mut edit = Edit::new(&self.store, now, lock);
                edit.remove_with_hypotheses(&fallen, "demoted")?;
                edit.add(&into)?;
                self.store.commit(edit.finish()?, now, true, lock)?;
                report.demoted.push(Demotion { rule, into: into.id, tag: fallen.tag });
            }
        }
        Ok(())
    }
}
