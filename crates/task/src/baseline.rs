//! What checks about the world gave before the task did anything, and what its receipts changed since.
//!
//! It is the state before the task, not before a round or an attempt: what an earlier round made, the task made.

use artoo_types::EvidenceId;
use artoo_types::changes::{ToldChange, net, told};
use artoo_types::criteria::{Check, FailureClass, Verdict};
use artoo_types::evidence::{BeforeState, CallAct, ChangeKind, CheckEvidence, FileChange, Receipt};
use artoo_types::machine::{AskedCheck, Intent};
use artoo_types::target::is_below;

/// The world before the task, as far as plans asked about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Baseline {
    looks: Vec<FirstLook>,
    acts: Vec<ReceivedAct>,
}

/// The first evaluation of a check.
#[derive(Debug, Clone)]
struct FirstLook {
    check: Check,
    evidence: CheckEvidence,
    /// Acts of the task before it: a plan that is not the first looks at what earlier ones left.
    acts_before: usize,
}

/// What a receipt says that its call did.
#[derive(Debug, Clone)]
struct ReceivedAct {
    receipt: EvidenceId,
    act: CallAct,
    /// What the call was about to touch, where not everything that it may have changed was looked at.
    targets: Vec<String>,
}

impl Baseline {
    /// Keeps what checks gave before a plan began. Of a check that was evaluated before, the first evaluation counts.
    pub(crate) fn note(&mut self, asked: &[AskedCheck], evidence: Vec<CheckEvidence>) {
        for (asked, evidence) in asked.iter().zip(evidence) {
            if !self.looks.iter().any(|look| look.check == asked.check) {
                let (check, acts_before) = (asked.check.clone(), self.acts.len());
                self.looks.push(FirstLook { check, evidence, acts_before });
            }
        }
    }

    /// Keeps what a call changed.
    pub(crate) fn did(&mut self, receipt: &Receipt, intent: Option<&Intent>) {
        let mut act = receipt.act.clone();
        act.written = None;
        let unseen = act.changes_omitted > 0 && receipt.succeeded();
        let targets = intent.filter(|_| unseen).map(|intent| intent.targets.clone()).unwrap_or_default();
        if !act.changes.is_empty() || !targets.is_empty() {
            self.acts.push(ReceivedAct { receipt: receipt.id.clone(), act, targets });
        }
    }

    /// The evidence with the state before, for checks about the world.
    pub(crate) fn complete(
        &self,
        asked: &[AskedCheck],
        mut evidence: Vec<CheckEvidence>,
    ) -> Vec<CheckEvidence> {
        for (asked, evidence) in asked.iter().zip(&mut evidence) {
            if asked.check.is_about_the_world() {
                evidence.before = Some(self.before(&asked.check, evidence));
            }
        }
        evidence
    }

    fn before(&self, check: &Check, now: &CheckEvidence) -> BeforeState {
        let look = self.looks.iter().find(|look| look.check == *check);
        let first = look.map(|look| &look.evidence);
        let looked_at = first.into_iter().chain([now]).flat_map(|evidence| &evidence.subjects);
        let subjects: Vec<&String> = looked_at.collect();
        let changed = |act: &&ReceivedAct| subjects.iter().any(|subject| act.changed(subject));
        let put_back = self.is_put_back(&subjects);
        // What an earlier plan had changed by then is not how it was before the task.
        let late = look.and_then(|look| self.acts[..look.acts_before].iter().rev().find(changed));
        let (verdict, saw) = match (first, late) {
            (_, Some(_)) if put_back => (measured(now), now.saw.clone()),
            (Some(_), Some(act)) => {
                (None, format!("when it was first looked at, {} had changed it", act.receipt))
            }
            (Some(first), None) => (measured(first), first.saw.clone()),
            (None, _) => (None, "it was not looked at".to_owned()),
        };
        let below = |act: &&ReceivedAct| match check {
            Check::FileExists { .. } => subjects.iter().any(|subject| act.changed_below(subject)),
            Check::FileAbsent { path } => act.deleted_elsewhere(path),
            Check::FileContains { .. }
            | Check::FileLines { .. }
            | Check::FileJson { .. }
            | Check::OutputContains { .. }
            | Check::OutputMatches { .. }
            | Check::OutputLines { .. }
            | Check::OutputJson { .. }
            | Check::ExitStatus { .. }
            | Check::ToolCalled { .. }
            | Check::FilesMatch { .. } => false,
        };
        BeforeState {
            id: first.unwrap_or(now).id.clone(),
            verdict,
            saw,
            put_back,
            moved_only: self.is_moved_only(&subjects),
            changed_by: self.acts.iter().rev().find(changed).map(|act| act.receipt.clone()),
            changed_below: self.acts.iter().rev().find(below).map(|act| act.receipt.clone()),
        }
    }
}

impl Baseline {
    /// Whether the task changed something of these, and all of that is again what it was when the task began.
    fn is_put_back(&self, subjects: &[&String]) -> bool {
        let touching = || self.acts.iter().filter(|act| subjects.iter().any(|subject| act.changed(subject)));
        let concerns = |change: &&FileChange| subjects.iter().any(|subject| touches(change, subject));
        let left = net(touching().flat_map(|act| &act.act.changes).filter(concerns));
        left.is_empty() && touching().next().is_some() && touching().all(|act| act.targets.is_empty())
    }
}

impl Baseline {
    /// Whether the task changed something of these, and all of that lies under other names with the same content.
    fn is_moved_only(&self, subjects: &[&String]) -> bool {
        let touching = || self.acts.iter().filter(|act| subjects.iter().any(|subject| act.changed(subject)));
        let left = net(self.acts.iter().flat_map(|act| &act.act.changes));
        let all: Vec<&FileChange> = left.iter().collect();
        let concerns = |change: &FileChange| subjects.iter().any(|subject| touches(change, subject));
        let is_move = |one: ToldChange<'_>| match one {
            ToldChange::Moved(..) => true,
            ToldChange::Other(change) => !concerns(change),
        };
        touching().next().is_some()
            && touching().all(|act| act.targets.is_empty())
            && told(&all).into_iter().all(is_move)
    }
}

/// Whether the change is one of this path: itself, or a folder above it that came or went as a whole. A path that ends in a
/// slash stands for everything below it.
fn touches(change: &FileChange, subject: &str) -> bool {
    let path = subject.trim_end_matches('/');
    let all_below = path != subject;
    change.path == path
        || (all_below && is_below(&change.path, path))
        || (change.kind != ChangeKind::Changed && is_below(path, &change.path))
}

impl ReceivedAct {
    /// Whether the call changed this path.
    fn changed(&self, subject: &str) -> bool {
        let is_target = |target: &String| target == subject.trim_end_matches('/');
        self.act.changes.iter().any(|change| touches(change, subject)) || self.targets.iter().any(is_target)
    }

    /// Whether the call made or changed something in this folder.
    fn changed_below(&self, folder: &str) -> bool {
        let is_there = |change: &FileChange| change.kind != ChangeKind::Deleted;
        self.act.changes.iter().any(|change| is_there(change) && is_below(&change.path, folder))
    }

    /// Whether the call deleted a file of this name, where the name says no folder: it may lie anywhere.
    fn deleted_elsewhere(&self, name: &str) -> bool {
        let is_it = |path: &str| path.rsplit('/').next() == Some(name);
        !name.contains('/')
            && self.act.changes.iter().any(|change| change.kind == ChangeKind::Deleted && is_it(&change.path))
    }
}

/// What an evaluation before the task measured. No call had failed by then: a failure that is not logical is that of the
/// measurement.
fn measured(evidence: &CheckEvidence) -> Option<Verdict> {
    let is_measured = match evidence.verdict {
        Verdict::Pass => true,
        Verdict::Fail => evidence.failure_class == Some(FailureClass::Logical),
    };
    is_measured.then_some(evidence.verdict)
}

#[cfg(test)]
mod tests;
