//! What the calls that read the memory share: searching it in bounded time, finding memories by their ids, counting them,
//! and the record that it was read.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use artoo_protocol::v1;
use artoo_store::{ListQuery, MemoryReader, MemoryStats};
use artoo_types::envelope::Role;
use artoo_types::limits::MAX_INPUT_BYTES;
use artoo_types::memory::{Level, Megram, MemoryQuery};
use artoo_types::tag::Tag;
use artoo_types::text::first_chars;
use tonic::Status;

use super::fields::TagFilter;
use super::service::Calls;
use super::{errors, fields};

/// Memories that are read at once while the store is searched.
const SCAN_PAGE: usize = 500;
/// How long a search may take; it leaves room within the time that an answer may take.
pub(super) const SCAN_TIME: Duration = Duration::from_secs(6);
/// Characters of a text that was looked for, in the record of it.
const NOTED_CHARS: usize = 200;
/// Memories that are named when the beginning of an id is not enough.
const SOME: usize = 4;
/// The levels in the order in which the store counts them.
const LEVELS: [&str; 4] = ["M", "K", "C", "T"];

/// Leaves a record that the operator read the memory. It must not keep anybody from reading: on a full disk there is
/// none.
pub(super) fn note_reading(calls: &Calls, wanted: &[TagFilter], text: &str) {
    let tag = |wanted: &TagFilter| match wanted {
        TagFilter::Tag(tag) => tag.clone(),
        TagFilter::Space(space) => Tag { space: space.clone(), entity: String::new() },
    };
    let (tags, intent) = (wanted.iter().map(tag).collect(), first_chars(text, NOTED_CHARS));
    let query = MemoryQuery { tags, tool_clusters: 0, intent };
    if let Err(error) = calls.parts.system.publish(Role::Operator, Role::Memory, query.into()) {
        tracing::warn!(%error, "that the memory was read could not be recorded");
    }
}

/// A text to look for, or to compare.
pub(super) fn check_text(text: &str) -> Result<(), Status> {
    if text.len() > MAX_INPUT_BYTES {
        return Err(errors::invalid("text", &format!("more than {MAX_INPUT_BYTES} bytes are not taken")));
    }
    Ok(())
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

/// How many memories are on each level, by the level's letter.
pub(super) fn counts(memory: &MemoryReader) -> Result<BTreeMap<&'static str, u64>, Status> {
    Ok(LEVELS.into_iter().zip(stats(memory)?.levels).collect())
}

/// The figures of the memory.
pub(super) fn stats(memory: &MemoryReader) -> Result<MemoryStats, Status> {
    memory.stats().map_err(|error| errors::of_store(&error))
}

/// How many memories are on each level, lowest first.
pub(super) fn levels(stats: &MemoryStats) -> Vec<v1::LevelCount> {
    let count = |(level, count): (&str, u64)| v1::LevelCount {
        level: level.to_owned(),
        count,
        remark: String::new(),
    };
    LEVELS.into_iter().zip(stats.levels).map(count).collect()
}

/// Shows every memory of a level whose space begins with `space_prefix`.
pub(super) fn scan(
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
