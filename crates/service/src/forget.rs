//! What the operator wants forgotten.

use std::collections::BTreeSet;
use std::time::Instant;

use artoo_protocol::v1;
use artoo_store::MemoryReader;
use artoo_types::Message;
use artoo_types::memory::{ChangeKind, Level, MAX_CHANGE_IDS, Megram, MemoryChange};
use artoo_types::tag::Tag;
use tonic::Status;
use uuid::Uuid;

use super::fields::{self, TagFilter};
use super::memory_search::{self, SCAN_TIME};
use super::remember::not_granted;
use super::service::{Calls, blocking};
use super::{convert, errors};
use artoo_runtime::memory::WishOutcome;

/// Most memories that one request forgets. Their ids stand in the journal, some four megabytes of it.
const MAX_FORGOTTEN: usize = 100_000;
/// Memories that are shown before they are forgotten.
const SHOWN: usize = 50;
/// Most tags that one change names.
const MAX_TAGS_NAMED: usize = 32;

/// Forgets memories for good, or says which it would be.
pub(super) async fn forget(calls: &Calls, request: v1::ForgetRequest) -> Result<v1::ForgetResponse, Status> {
    if request.megram_ids.is_empty() && request.tags.is_empty() {
        return Err(errors::invalid("megram_ids", "name memories, or tags"));
    }
    let tags = fields::tags(&request.tags)?;
    let level = fields::level(&request.level)?;
    let memory = calls.parts.memory()?;
    let ids = request.megram_ids;
    let (shown, doomed) = blocking(move || {
        let mut doomed = ForgetSelection::default();
        for megram in memory_search::by_id(&memory, &ids)? {
            doomed.add(&megram);
        }
        for wanted in &tags {
            doomed.add_tag(&memory, wanted, level)?;
        }
        let shown = doomed.all.iter().take(SHOWN).map(|(id, _)| memory.get(*id));
        let shown: Vec<Option<Megram>> =
            shown.collect::<Result<_, _>>().map_err(|error| errors::of_store(&error))?;
        Ok((shown.into_iter().flatten().collect::<Vec<_>>(), doomed))
    })
    .await?;
    if request.dry_run {
        let megrams = shown.iter().map(convert::megram).collect();
        return Ok(v1::ForgetResponse { forgotten: doomed.all.len() as u64, megrams });
    }
    if doomed.all.is_empty() {
        return Ok(v1::ForgetResponse::default());
    }
    let granted = calls.parts.memory_desk.ask(doomed.wishes()).await.map_err(|error| not_granted(&error))?;
    let forgotten = granted.iter().map(|granted| match granted {
        WishOutcome::Forgotten(count) => *count,
        WishOutcome::Written(_) | WishOutcome::Related(_) | WishOutcome::Rebuilt => 0,
    });
    Ok(v1::ForgetResponse { forgotten: forgotten.sum(), megrams: Vec::new() })
}

/// What is to be forgotten, each once, in the order in which it was named.
#[derive(Default)]
struct ForgetSelection {
    all: Vec<(Uuid, Tag)>,
    seen: BTreeSet<Uuid>,
}

impl ForgetSelection {
    fn add(&mut self, megram: &Megram) {
        if self.seen.insert(megram.id) {
            self.all.push((megram.id, megram.tag.clone()));
        }
    }

    /// Everything under a tag on a level; on all but the laws when none is named.
    fn add_tag(
        &mut self,
        memory: &MemoryReader,
        wanted: &TagFilter,
        level: Option<Level>,
    ) -> Result<(), Status> {
        memory_search::scan(memory, level, wanted.space(), Instant::now() + SCAN_TIME, |megram| {
            let is_meant = wanted.covers(&megram.tag) && (level.is_some() || megram.level != Level::T);
            if is_meant && self.all.len() <= MAX_FORGOTTEN {
                self.add(&megram);
            }
        })?;
        if self.all.len() > MAX_FORGOTTEN {
            return Err(errors::invalid(
                "tags",
                &format!(
                    "more than {MAX_FORGOTTEN} memories are meant; forget them tag by tag, or level by level"
                ),
            ));
        }
        Ok(())
    }

    /// The wishes, each of at most [`MAX_CHANGE_IDS`] memories. None repeats what a memory says.
    fn wishes(&self) -> Vec<Message> {
        let wish = |part: &[(Uuid, Tag)]| -> Message {
            let tags: BTreeSet<&Tag> = part.iter().map(|(_, tag)| tag).collect();
            let tags = tags.into_iter().take(MAX_TAGS_NAMED).cloned().collect();
            let ids: Vec<Uuid> = part.iter().map(|(id, _)| *id).collect();
            let count = ids.len() as u64;
            MemoryChange {
                tags,
                ids,
                count,
                ..MemoryChange::of(ChangeKind::Forgotten, "the operator said so")
            }
            .into()
        };
        self.all.chunks(MAX_CHANGE_IDS).map(wish).collect()
    }
}
