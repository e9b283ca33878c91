//! Figures about the memory, and the comparison of its indexes and sums with its records.

use artoo_protocol::v1;
use artoo_types::memory::{ChangeKind, MemoryChange};
use tonic::Status;

use super::remember::not_granted;
use super::service::{Calls, blocking};
use super::{convert, errors, memory_search};
use artoo_runtime::clock;

/// Pairs of separate requests that the figures name.
const SEPARATIONS_SHOWN: usize = 100;

/// What each level holds, what comes next, what was refused.
pub(super) async fn get_memory_stats(
    calls: &Calls,
    _request: v1::GetMemoryStatsRequest,
) -> Result<v1::GetMemoryStatsResponse, Status> {
    let memory = calls.parts.memory()?;
    let dreamt_at = calls.parts.memory.dreamt_at();
    blocking(move || {
        let broken = |error| errors::of_store(&error);
        let stats = memory.stats().map_err(broken)?;
        let separations = memory.separations(SEPARATIONS_SHOWN).map_err(broken)?;
        let outlook = memory.outlook(clock::now()).map_err(broken)?;
        Ok(v1::GetMemoryStatsResponse {
            levels: memory_search::levels(&stats),
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
pub(super) async fn verify_memory(
    calls: &Calls,
    request: v1::VerifyMemoryRequest,
) -> Result<v1::VerifyMemoryResponse, Status> {
    if request.rebuild {
        let wish = MemoryChange::of(ChangeKind::Rebuilt, "the operator said so");
        calls.parts.memory_desk.ask(vec![wish.into()]).await.map_err(|error| not_granted(&error))?;
    }
    let memory = calls.parts.memory()?;
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
