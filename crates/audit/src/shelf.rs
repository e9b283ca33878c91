//! The findings that the operator has not acknowledged yet, and the last ones that were.

use std::collections::{BTreeMap, VecDeque};

use artoo_types::Timestamp;
use artoo_types::finding::{AuditFinding, FindingId, FindingKind};
use serde::{Deserialize, Serialize};

/// Open findings that are kept, some 400 bytes each in the saved state, which is written once a second at most. Nobody
/// reads more; what is beyond is counted, and stands in the log.
const MAX_OPEN: usize = 512;
/// Acknowledged findings that are kept, so that an acknowledgement can be looked up, and repeated without harm.
const MAX_ACKNOWLEDGED: usize = 256;

/// Everything that was found and can be looked up, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FindingShelf {
    open: VecDeque<AuditFinding>,
    acknowledged: VecDeque<AcknowledgedFinding>,
    /// Open findings that were dropped for want of room.
    dropped: u64,
}

/// A finding that the operator has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcknowledgedFinding {
    /// The finding.
    pub finding: AuditFinding,
    /// When it was acknowledged.
    pub at: Timestamp,
}

/// Why no finding is meant by a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindingUnknown {
    /// None begins like that.
    #[error("no finding is called {0}; `artoo audit list` shows them")]
    NoSuch(String),
    /// Several begin like that.
    #[error("several findings begin with {0}; give more digits of the one you mean")]
    Ambiguous(String),
}

impl FindingShelf {
    /// Open findings, newest first.
    pub fn open(&self) -> impl Iterator<Item = &AuditFinding> {
        self.open.iter().rev()
    }

    /// Acknowledged findings, the one that was acknowledged last first.
    pub fn acknowledged(&self) -> impl Iterator<Item = &AcknowledgedFinding> {
        self.acknowledged.iter().rev()
    }

    /// Open findings of each kind.
    pub fn open_by_kind(&self) -> BTreeMap<FindingKind, u64> {
        let mut counts = BTreeMap::new();
        for finding in &self.open {
            *counts.entry(finding.kind).or_default() += 1;
        }
        counts
    }

    /// Open findings that were dropped for want of room; the log has them.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The finding of that name, or of the one name that begins like that, and when it was acknowledged.
    ///
    /// # Errors
    /// When none or several begin like that.
    pub fn find(&self, start: &str) -> Result<(&AuditFinding, Option<Timestamp>), FindingUnknown> {
        let acknowledged = self.acknowledged().map(|known| (&known.finding, Some(known.at)));
        let all = self.open().map(|finding| (finding, None)).chain(acknowledged);
        let mut meant = all.filter(|(finding, _)| finding.id.0.starts_with(start));
        match (meant.next(), meant.next()) {
            (Some(found), None) if !start.is_empty() => Ok(found),
            (Some(found), Some(_)) if found.0.id.0 == start => Ok(found),
            (None, _) => Err(FindingUnknown::NoSuch(start.to_owned())),
            (Some(_), _) => Err(FindingUnknown::Ambiguous(start.to_owned())),
        }
    }

    /// Takes a finding in; false when it is known already. When there is no room the oldest of the kind that has most
    /// goes, so that a flood of one kind never hides another.
    pub(crate) fn raise(&mut self, finding: &AuditFinding) -> bool {
        let known = self.open.iter().chain(self.acknowledged.iter().map(|known| &known.finding));
        if known.into_iter().any(|known| known.id == finding.id) {
            return false;
        }
        if self.open.len() >= MAX_OPEN {
            let most = self.open_by_kind().into_iter().max_by_key(|(_, count)| *count).map(|(kind, _)| kind);
            if let Some(oldest) = self.open.iter().position(|old| Some(old.kind) == most) {
                self.open.remove(oldest);
                self.dropped += 1;
            }
        }
        self.open.push_back(finding.clone());
        true
    }

    /// Closes a finding; what is closed already, or unknown, stays as it is.
    pub(crate) fn acknowledge(&mut self, id: &FindingId, at: Timestamp) {
        let Some(place) = self.open.iter().position(|finding| finding.id == *id) else { return };
        let Some(finding) = self.open.remove(place) else { return };
        if self.acknowledged.len() >= MAX_ACKNOWLEDGED {
            self.acknowledged.pop_front();
        }
        self.acknowledged.push_back(AcknowledgedFinding { finding, at });
    }
}

#[cfg(test)]
mod tests;
