//! Memories, page by page or by their ids.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use artoo_protocol::v1;
use artoo_store::MemoryReader;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use tonic::Status;
use uuid::Uuid;

use super::fields::TagFilter;
use super::memory_search::{SCAN_TIME, by_id, check_text, levels, note_reading, scan, stats};
use super::service::{Calls, blocking};
use super::{convert, errors, fields, page};

/// One page of memories, newest first.
pub(super) async fn list_megrams(
    calls: &Calls,
    request: v1::ListMegramsRequest,
) -> Result<v1::ListMegramsResponse, Status> {
    let level = fields::level(&request.level)?;
    let tags = fields::tags(&request.tags)?;
    check_text(&request.text)?;
    if !request.ids.is_empty() {
        return named_megrams(calls, request).await;
    }
    let question = format!("megrams {level:?} {tags:?} {}", request.text);
    let before = page::cursor(&question, &request.page_token)?;
    let before = before.map(|cursor| ListPosition::read(&cursor).ok_or_else(page::foreign)).transpose()?;
    let search = MegramSearch { level, tags, text: request.text.to_lowercase(), before };
    let size = page::size(request.page_size);
    let memory = calls.parts.memory()?;
    note_reading(calls, &search.tags, &request.text);
    blocking(move || {
        let mut found = search.newest(&memory, size + 1)?;
        let more = found.len() > size;
        found.truncate(size);
        let last = found.last().filter(|_| more).map(|megram| ListPosition::of(megram).to_string());
        Ok(v1::ListMegramsResponse {
            megrams: found.iter().map(convert::megram).collect(),
            next_page_token: last.map(|last| page::token(&question, &last)).unwrap_or_default(),
            levels: levels(&stats(&memory)?),
        })
    })
    .await
}

/// The memories with these ids, in the order in which they were named.
async fn named_megrams(
    calls: &Calls,
    request: v1::ListMegramsRequest,
) -> Result<v1::ListMegramsResponse, Status> {
    if !(request.tags.is_empty() && request.text.is_empty() && request.page_token.is_empty()) {
        return Err(errors::invalid("ids", "ids go without tags, a text and a page token"));
    }
    let memory = calls.parts.memory()?;
    note_reading(calls, &[], &request.ids.join(" "));
    blocking(move || {
        let found = by_id(&memory, &request.ids)?;
        Ok(v1::ListMegramsResponse {
            megrams: found.iter().map(convert::megram).collect(),
            next_page_token: String::new(),
            levels: levels(&stats(&memory)?),
        })
    })
    .await
}

/// Which memories to list.
struct MegramSearch {
    level: Option<Level>,
    tags: Vec<TagFilter>,
    text: String,
    before: Option<ListPosition>,
}

/// Where a memory stands in the list: by time, and by id among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ListPosition(Timestamp, Uuid);

impl ListPosition {
    fn of(megram: &Megram) -> Self {
        Self(megram.created_at, megram.id)
    }

    fn read(text: &str) -> Option<Self> {
        let (time, id) = text.split_once(' ')?;
        Some(Self(Timestamp(time.parse().ok()?), Uuid::try_parse(id).ok()?))
    }
}

impl std::fmt::Display for ListPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0.0, self.1)
    }
}

impl MegramSearch {
    /// The `most` newest memories that are wanted. The store is ordered by tag, so all that may match are looked at;
    /// only the newest are kept.
    fn newest(&self, memory: &MemoryReader, most: usize) -> Result<Vec<Megram>, Status> {
        let deadline = Instant::now() + SCAN_TIME;
        let mut newest = BTreeMap::new();
        let everything = BTreeSet::from([""]);
        let named: BTreeSet<&str> = self.tags.iter().map(TagFilter::space).collect();
        let spaces = if named.is_empty() { everything } else { named };
        for space in spaces {
            scan(memory, self.level, space, deadline, |megram| {
                if self.wants(&megram) {
                    newest.insert(ListPosition::of(&megram), megram);
                    if newest.len() > most {
                        newest.pop_first();
                    }
                }
            })?;
        }
        Ok(newest.into_values().rev().collect())
    }

    fn wants(&self, megram: &Megram) -> bool {
        self.before.is_none_or(|before| ListPosition::of(megram) < before)
            && (self.tags.is_empty() || self.tags.iter().any(|wanted| wanted.covers(&megram.tag)))
            && (self.text.is_empty() || megram.content.to_lowercase().contains(&self.text))
    }
}
