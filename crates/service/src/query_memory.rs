//! What is known about tags, and about a request in words.

use std::collections::BTreeSet;
use std::time::Instant;

use artoo_memory::known::RelatedRequest;
use artoo_memory::relate::{Meaning, relate};
use artoo_protocol::v1;
use artoo_store::MemoryReader;
use artoo_types::memory::Level;
use artoo_types::tag::Tag;
use tonic::Status;

use super::fields::TagFilter;
use super::memory_search::{SCAN_TIME, check_text, note_reading, scan};
use super::separate_requests::relation;
use super::service::{Calls, blocking};
use super::{convert, errors, fields};
use artoo_runtime::clock;

/// Most tags that one answer explains.
const MAX_CLUSTERS: usize = 64;
/// Memories that are named for each of them, heaviest first.
const CONTRIBUTIONS: usize = 20;

/// What is known about tags, and about a request in words.
pub(super) async fn query_memory(
    calls: &Calls,
    request: v1::QueryMemoryRequest,
) -> Result<v1::QueryMemoryResponse, Status> {
    let level = fields::level(&request.level)?;
    let mut wanted = fields::tags(&request.tags)?;
    check_text(&request.text)?;
    check_text(&request.compare_to)?;
    if !request.compare_to.is_empty() {
        if request.text.is_empty() {
            return Err(errors::invalid("text", "two requests are compared; this one is empty"));
        }
        let (text, other) = (request.text, request.compare_to);
        // Words can be compared without a memory; what the operator said about them stands in it.
        let memory = calls.parts.memory().ok();
        return blocking(move || {
            let relation = match memory {
                Some(memory) => relation(&memory, &text, &other)?,
                None => relate(&Meaning::of(&text), &Meaning::of(&other)),
            };
            let relations = vec![convert::relation(other, &relation)];
            Ok(v1::QueryMemoryResponse { clusters: Vec::new(), relations })
        })
        .await;
    }
    if wanted.is_empty() && request.text.is_empty() {
        return Err(errors::invalid("tags", "name a tag, or give a text"));
    }
    if !request.text.is_empty() {
        wanted.push(TagFilter::Tag(Tag::intent(&request.text)));
    }
    let memory = calls.parts.memory()?;
    let text = request.text;
    note_reading(calls, &wanted, &text);
    blocking(move || {
        let clusters = clusters(&memory, &wanted, level)?;
        let mut like_it = if text.is_empty() { Vec::new() } else { requests_like(&memory, &text)? };
        like_it.truncate(MAX_CLUSTERS);
        let relations = like_it.iter().map(|recalled| convert::via(&recalled.via)).collect();
        Ok(v1::QueryMemoryResponse { clusters, relations })
    })
    .await
}

fn requests_like(memory: &MemoryReader, text: &str) -> Result<Vec<RelatedRequest>, Status> {
    memory.requests_like(text).map_err(|error| errors::of_store(&error))
}

fn clusters(
    memory: &MemoryReader,
    wanted: &[TagFilter],
    level: Option<Level>,
) -> Result<Vec<v1::MemoryCluster>, Status> {
    let now = clock::now();
    let mut clusters = Vec::new();
    for tag in named(memory, wanted)? {
        let mut known = memory.why(now, &tag, CONTRIBUTIONS).map_err(|error| errors::of_store(&error))?;
        if known.count == 0 && known.rules.is_empty() {
            continue;
        }
        known.contributions.retain(|c| level.is_none_or(|level| level == c.megram.level));
        known.rules.retain(|rule| level.is_none_or(|level| level == rule.level));
        clusters.push(convert::cluster(&known));
    }
    Ok(clusters)
}

/// The tags that are meant, each once, in the order in which they were named; of a space those that exist.
fn named(memory: &MemoryReader, wanted: &[TagFilter]) -> Result<Vec<Tag>, Status> {
    let deadline = Instant::now() + SCAN_TIME;
    let mut tags: Vec<Tag> = Vec::new();
    for wanted in wanted {
        let mut found = BTreeSet::new();
        match wanted {
            TagFilter::Tag(tag) => {
                found.insert(tag.clone());
            }
            TagFilter::Space(space) => scan(memory, None, space, deadline, |megram| {
                if wanted.covers(&megram.tag) && found.len() < MAX_CLUSTERS {
                    found.insert(megram.tag);
                }
            })?,
        }
        let new: Vec<Tag> = found.into_iter().filter(|tag| !tags.contains(tag)).collect();
        tags.extend(new);
    }
    tags.truncate(MAX_CLUSTERS);
    Ok(tags)
}
