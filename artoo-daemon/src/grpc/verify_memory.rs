//! Figures about the memory, and the comparison of its indexes and sums with its records.

use artoo_memory::known::apart;
use artoo_memory::relate::{Meaning, Relation, relate};
use artoo_protocol::v1;
use artoo_store::MemoryReader;
use artoo_types::memory::{ChangeKind, MemoryChange};
use tonic::Status;

use super::peer::Peer;
use super::remember::{check_person, not_granted};
use super::service::{Calls, blocking};
use super::{convert, errors, query_memory};
use crate::clock;

/// Pairs of separate requests that the figures name.
const SEPARATIONS_SHOWN: usize = 100;

impl Calls {
    /// What each level holds, what comes next, what was refused.
    pub(super) async fn memory_stats(&self) -> Result<v1::GetMemoryStatsResponse, Status> {
        let memory = self.parts.memory()?;
        let dreamt_at = self.parts.memory.dreamt_at();
        blocking(move || {
            let broken = |error| errors::of_store(&error);
            let stats = memory.stats().map_err(broken)?;
            let separations = memory.separations(SEPARATIONS_SHOWN).map_err(broken)?;
            let outlook = memory.outlook(clock::now()).map_err(broken)?;
            Ok(v1::GetMemoryStatsResponse {
                levels: query_memory::levels(&stats),
                clusters: stats.clusters,
                buried: stats.tombstones,
                written: stats.written,
                refused: stats.rejected,
                disk_bytes: stats.disk_bytes,
                schema: stats.schema,
                dreamer_looked_at: dreamt_at.map(convert::timestamp),
                forgotten_next: outlook.forgotten_next.iter().map(convert::falling).collect(),
                in_danger: outlook.in_danger.iter().map(convert::in_danger).collect(),
                rising_next: outlook.rising_next.iter().map(convert::falling).collect(),
                energy: outlook.experience.energy,
                separations: separations
                    .into_iter()
                    .map(|pair| {
                        let [first, second] = pair.requests;
                        v1::Separation { first, second }
                    })
                    .collect(),
            })
        })
        .await
    }

    /// Compares every index and sum with the records; before that, makes them anew when that is wanted.
    pub(super) async fn check_memory(
        &self,
        peer: Option<Peer>,
        request: v1::VerifyMemoryRequest,
    ) -> Result<v1::VerifyMemoryResponse, Status> {
        if request.rebuild {
            check_person(peer, "rebuild")?;
            let wish = MemoryChange::of(ChangeKind::Rebuilt, "the operator said so");
            self.parts.memory_desk.ask(vec![wish.into()]).await.map_err(|error| not_granted(&error))?;
        }
        let memory = self.parts.memory()?;
        blocking(move || {
            let found =
                memory.verify().map_err(|error| errors::broken("MEMORY_UNREADABLE", &error.to_string()))?;
            Ok(v1::VerifyMemoryResponse {
                intact: found.total_findings == 0,
                memories: found.megrams,
                clusters: found.clusters,
                findings: found.findings.iter().map(ToString::to_string).collect(),
                total_findings: found.total_findings,
                rebuilt: request.rebuild,
            })
        })
        .await
    }
}

/// How two requests relate: by their words, unless the operator keeps them apart.
pub(super) fn relation(memory: &MemoryReader, first: &str, second: &str) -> Result<Relation, Status> {
    let relation = relate(&Meaning::of(first), &Meaning::of(second));
    let separate = memory.are_separate(first, second).map_err(|error| errors::of_store(&error))?;
    Ok(if separate { apart(&relation) } else { relation })
}
