//! Requests that the operator keeps apart, whatever their words say.

use artoo_memory::known::apart;
use artoo_memory::relate::{Meaning, Relation, relate};
use artoo_protocol::v1;
use artoo_store::{MAX_SEPARATIONS, MemoryReader};
use artoo_types::limits::MAX_INPUT_BYTES;
use artoo_types::memory::{ChangeKind, MemoryChange, Relatedness};
use tonic::Status;

use super::remember::not_granted;
use super::service::{Calls, blocking};
use super::{convert, errors};

/// Keeps two requests apart, or lets them relate by their words again.
pub(super) async fn separate_requests(
    calls: &Calls,
    request: v1::SeparateRequestsRequest,
) -> Result<v1::SeparateRequestsResponse, Status> {
    let v1::SeparateRequestsRequest { first, second, undo, token: _ } = request;
    for (field, text) in [("first", &first), ("second", &second)] {
        if text.trim().is_empty() {
            return Err(errors::invalid(field, "it is empty; two requests are needed"));
        }
        if text.len() > MAX_INPUT_BYTES {
            return Err(errors::invalid(field, &format!("more than {MAX_INPUT_BYTES} bytes are not taken")));
        }
    }
    let relation = relate(&Meaning::of(&first), &Meaning::of(&second));
    if relation.kind == Relatedness::Same {
        return Err(errors::invalid("second", "it has the same words as the first; these cannot be apart"));
    }
    let memory = calls.parts.memory()?;
    let (a, b) = (first.clone(), second.clone());
    let (so_far, full) = blocking(move || {
        let separate = memory.are_separate(&a, &b).map_err(|error| errors::of_store(&error))?;
        let all = memory.separations(MAX_SEPARATIONS).map_err(|error| errors::of_store(&error))?;
        Ok((separate, all.len() == MAX_SEPARATIONS))
    })
    .await?;
    if full && !undo && !so_far {
        let message = format!("{MAX_SEPARATIONS} pairs are kept apart already; undo some first");
        return Err(errors::not_now("TOO_MANY_SEPARATIONS", "memory", &message));
    }
    let changed = so_far == undo;
    if changed {
        let kind = if undo { ChangeKind::Rejoined } else { ChangeKind::Separated };
        let wish = MemoryChange {
            requests: vec![first, second.clone()],
            ..MemoryChange::of(kind, "the operator said so")
        };
        calls.parts.memory_desk.ask(vec![wish.into()]).await.map_err(|error| not_granted(&error))?;
    }
    let relation = if undo { relation } else { apart(&relation) };
    let relation = Some(convert::relation(second, &relation));
    Ok(v1::SeparateRequestsResponse { changed, relation })
}

/// How two requests relate: by their words, unless the operator keeps them apart.
pub(super) fn relation(memory: &MemoryReader, first: &str, second: &str) -> Result<Relation, Status> {
    let relation = relate(&Meaning::of(first), &Meaning::of(second));
    let separate = memory.are_separate(first, second).map_err(|error| errors::of_store(&error))?;
    Ok(if separate { apart(&relation) } else { relation })
}
