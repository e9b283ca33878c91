//! What the operator sees of the memory. Everything here reads.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use artoo_memory::known::Recalled;
use artoo_memory::relate::{Meaning, relate};
use artoo_protocol::v1;
use artoo_store::{ListQuery, MemoryReader, Stats};
use artoo_types::envelope::Role;
use artoo_types::memory::{Level, Megram, MemoryQuery};
use artoo_types::tag::Tag;
use artoo_types::text::first_chars;
use artoo_types::{Timestamp, limits::MAX_INPUT_BYTES};
use tonic::Status;
use uuid::Uuid;

use super::fields::Wanted;
use super::service::{Calls, blocking};
use super::verify_memory::relation;
use super::{convert, errors, fields, page};
use crate::clock;

/// Most tags that one answer explains.
const MAX_CLUSTERS: usize = 64;
/// Memories that are named for each of them, heaviest first.
const CONTRIBUTIONS: usize = 20;
/// Memories that are read at once while the store is searched.
const SCAN_PAGE: usize = 500;
/// How long a search may take; it leaves room within the time that an answer may take.
const SCAN_TIME: Duration = Duration::from_secs(6);
/// Characters of a text that was looked for, in the record of it.
const NOTED_CHARS: usize = 200;
/// Memories that are named when the beginning of an id is not enough.
const SOME: usize = 4;
/// The levels in the order in which the store counts them.
const LEVELS: [&str; 4] = ["M", "K", "C", "T"];

impl Calls {
    /// What is known about tags, and about a request in words.
    pub(super) async fn recall(
        &self,
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
            let memory = self.parts.memory().ok();
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
            wanted.push(Wanted::Tag(Tag::intent(&request.text)));
        }
        let memory = self.parts.memory()?;
        let text = request.text;
        self.note_reading(&wanted, &text);
        blocking(move || {
            let clusters = clusters(&memory, &wanted, level)?;
            let mut like_it = if text.is_empty() { Vec::new() } else { requests_like(&memory, &text)? };
            like_it.truncate(MAX_CLUSTERS);
            let relations = like_it.iter().map(|recalled| convert::via(&recalled.via)).collect();
            Ok(v1::QueryMemoryResponse { clusters, relations })
        })
        .await
    }

    /// One page of memories, newest first.
    pub(super) async fn megrams(
        &self,
        request: v1::ListMegramsRequest,
    ) -> Result<v1::ListMegramsResponse, Status> {
        let level = fields::level(&request.level)?;
        let tags = fields::tags(&request.tags)?;
        check_text(&request.text)?;
        if !request.ids.is_empty() {
            return self.named_megrams(request).await;
        }
        let question = format!("megrams {level:?} {tags:?} {}", request.text);
        let before = page::cursor(&question, &request.page_token)?;
        let before = before.map(|cursor| Place::read(&cursor).ok_or_else(page::foreign)).transpose()?;
        let search = Search { level, tags, text: request.text.to_lowercase(), before };
        let size = page::size(request.page_size);
        let memory = self.parts.memory()?;
        self.note_reading(&search.tags, &request.text);
        blocking(move || {
            let mut found = search.newest(&memory, size + 1)?;
            let more = found.len() > size;
            found.truncate(size);
            let last = found.last().filter(|_| more).map(|megram| Place::of(megram).to_string());
            Ok(v1::ListMegramsResponse {
                megrams: found.iter().map(convert::megram).collect(),
                next_page_token: last.map(|last| page::token(&question, &last)).unwrap_or_default(),
                levels: levels(&stats(&memory)?),
            })
        })
        .await
    }

    /// Leaves a record that the operator read the memory. It must not keep anybody from reading: on a full disk there is
    /// none.
    pub(super) fn note_reading(&self, wanted: &[Wanted], text: &str) {
        let tag = |wanted: &Wanted| match wanted {
            Wanted::Tag(tag) => tag.clone(),
            Wanted::Space(space) => Tag { space: space.clone(), entity: String::new() },
        };
        let (tags, intent) = (wanted.iter().map(tag).collect(), first_chars(text, NOTED_CHARS));
        let query = MemoryQuery { tags, tool_clusters: 0, intent };
        if let Err(error) = self.parts.system.publish(Role::Operator, Role::Memory, query.into()) {
            tracing::warn!(%error, "that the memory was read could not be recorded");
        }
    }

    /// The memories with these ids, in the order in which they were named.
    async fn named_megrams(
        &self,
        request: v1::ListMegramsRequest,
    ) -> Result<v1::ListMegramsResponse, Status> {
        if !(request.tags.is_empty() && request.text.is_empty() && request.page_token.is_empty()) {
            return Err(errors::invalid("ids", "ids go without tags, a text and a page token"));
        }
        let memory = self.parts.memory()?;
        self.note_reading(&[], &request.ids.join(" "));
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
}

/// The memories that these ids name; each is an id, or the beginning of one that no other memory has.
pub(super) fn by_id(memory: &MemoryReader, ids: &[String]) -> Result<Vec<Megram>, Status> {
    let mut found = Vec::new();
    for start in fields::id_starts(ids)? {
        let broken = |error| errors::of_store(&error);
        let with_it = memory.ids_starting(&start, SOME).map_err(broken)?;
        let megram = match with_it.as_slice() {
            // It may have been forgotten since.
            [one] => memory.get(*one).map_err(broken)?,
            [] => None,
            several => {
                let some: Vec<String> = several.iter().map(ToString::to_string).collect();
                let problem =
                    format!("several memories begin with {start}: {}; write more of it", some.join(", "));
                return Err(errors::invalid("ids", &problem));
            }
        };
        let missing = || {
            let message = format!("no memory has the id {start}; `artoo memory list` shows what there is");
            errors::not_found("memory", &start, &message)
        };
        found.push(megram.ok_or_else(missing)?);
    }
    Ok(found)
}

/// Shows every memory of a level whose space begins with `space_prefix`, as far as there is time.
pub(super) fn search(
    memory: &MemoryReader,
    level: Option<Level>,
    space_prefix: &str,
    see: impl FnMut(Megram),
) -> Result<(), Status> {
    scan(memory, level, space_prefix, Instant::now() + SCAN_TIME, see)
}

/// How many memories are on each level, by the level's letter.
pub(super) fn counts(memory: &MemoryReader) -> Result<BTreeMap<&'static str, u64>, Status> {
    Ok(LEVELS.into_iter().zip(stats(memory)?.levels).collect())
}

fn stats(memory: &MemoryReader) -> Result<Stats, Status> {
    memory.stats().map_err(|error| errors::of_store(&error))
}

/// How many memories are on each level, lowest first.
pub(super) fn levels(stats: &Stats) -> Vec<v1::LevelCount> {
    let count = |(level, count): (&str, u64)| v1::LevelCount {
        level: level.to_owned(),
        count,
        remark: String::new(),
    };
    LEVELS.into_iter().zip(stats.levels).map(count).collect()
}

fn check_text(text: &str) -> Result<(), Status> {
    if text.len() > MAX_INPUT_BYTES {
        return Err(errors::invalid("text", &format!("more than {MAX_INPUT_BYTES} bytes are not taken")));
    }
    Ok(())
}

fn requests_like(memory: &MemoryReader, text: &str) -> Result<Vec<Recalled>, Status> {
    memory.requests_like(text).map_err(|error| errors::of_store(&error))
}

fn clusters(
    memory: &MemoryReader,
    wanted: &[Wanted],
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
fn named(memory: &MemoryReader, wanted: &[Wanted]) -> Result<Vec<Tag>, Status> {
    let deadline = Instant::now() + SCAN_TIME;
    let mut tags: Vec<Tag> = Vec::new();
    for wanted in wanted {
        let mut found = BTreeSet::new();
        match wanted {
            Wanted::Tag(tag) => {
                found.insert(tag.clone());
            }
            Wanted::Space(space) => scan(memory, None, space, deadline, |megram| {
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

/// Which memories to list.
struct Search {
    level: Option<Level>,
    tags: Vec<Wanted>,
    text: String,
    before: Option<Place>,
}

/// Where a memory stands in the list: by time, and by id among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place(Timestamp, Uuid);

impl Place {
    fn of(megram: &Megram) -> Self {
        Self(megram.created_at, megram.id)
    }

    fn read(text: &str) -> Option<Self> {
        let (time, id) = text.split_once(' ')?;
        Some(Self(Timestamp(time.parse().ok()?), Uuid::try_parse(id).ok()?))
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0.0, self.1)
    }
}

impl Search {
    /// The `most` newest memories that are wanted. The store is ordered by tag, so all that may match are looked at;
    /// only the newest are kept.
    fn newest(&self, memory: &MemoryReader, most: usize) -> Result<Vec<Megram>, Status> {
        let deadline = Instant::now() + SCAN_TIME;
        let mut newest = BTreeMap::new();
        let everything = BTreeSet::from([""]);
        let named: BTreeSet<&str> = self.tags.iter().map(Wanted::space).collect();
        let spaces = if named.is_empty() { everything } else { named };
        for space in spaces {
            scan(memory, self.level, space, deadline, |megram| {
                if self.wants(&megram) {
                    newest.insert(Place::of(&megram), megram);
                    if newest.len() > most {
                        newest.pop_first();
                    }
                }
            })?;
        }
        Ok(newest.into_values().rev().collect())
    }

    fn wants(&self, megram: &Megram) -> bool {
        self.before.is_none_or(|before| Place::of(megram) < before)
            && (self.tags.is_empty() || self.tags.iter().any(|wanted| wanted.covers(&megram.tag)))
            && (self.text.is_empty() || megram.content.to_lowercase().contains(&self.text))
    }
}

/// Shows every memory of a level whose space begins with `space_prefix`.
fn scan(
    memory: &MemoryReader,
    level: Option<Level>,
    space_prefix: &str,
    deadline: Instant,
    mut see: impl FnMut(Megram),
) -> Result<(), Status> {
    let mut query = ListQuery { level, space_prefix: space_prefix.to_owned(), after: None, limit: SCAN_PAGE };
    loop {
        let page = memory.list(&query).map_err(|error| errors::of_store(&error))?;
        page.megrams.into_iter().for_each(&mut see);
        if page.next.is_none() {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(errors::too_much(
                "TOO_MANY_MEMORIES",
                "there are too many memories to search them all in time; name tags or a level, or export them",
            ));
        }
        query.after = page.next;
    }
}
