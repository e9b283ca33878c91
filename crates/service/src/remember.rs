//! What the operator has remembered. Only a person may: what artoo itself started must not be able to make its own rules.

use artoo_protocol::v1;
use artoo_redact::sanitise::sanitise;
use artoo_store::{MemoryReader, WriteOutcome};
use artoo_types::memory::{Level, Megram, MegramWrite, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use artoo_types::{Message, Timestamp};
use tonic::Status;
use uuid::Uuid;

use super::fields::{self, TagFilter};
use super::service::{Calls, blocking};
use super::{convert, errors};
use artoo_runtime::clock;
use artoo_runtime::memory::{WishError, WishOutcome};

/// Longest text that is remembered, in characters. It stands in the prompt of every plan that it is recalled for, beside up
/// to nine others.
const MAX_TEXT_CHARS: usize = 1_000;
/// Who writes in the operator's name.
const OPERATOR: &str = "operator";
/// f of what a person says: that of the strongest success.
const MAGNITUDE: f64 = 0.9;
/// How fast fades what a person says and does not want to last for good.
const FADING: Rate = Rate::Slow;
/// What the space of a request begins with; its words may follow, as a person writes them.
const INTENT: &str = "intent:";
/// Memories of one tag that are looked at for the same words: more are not written by a person.
const MAX_COMPARED: usize = 500;

/// Writes a memory down under each of the tags.
pub(super) async fn remember(
    calls: &Calls,
    request: v1::RememberRequest,
) -> Result<v1::RememberResponse, Status> {
    let text = paragraph(&request.text)?;
    let level = fields::level(&request.level)?.unwrap_or(Level::C);
    let tags = tags(&request.tags)?;
    let memory = calls.parts.memory()?;
    let sigma = if request.constraint { -1.0 } else { 1.0 };
    let all: Vec<Megram> =
        tags.into_iter().map(|tag| declared(clock::now(), tag, level, sigma, &text)).collect();
    let (all, known) = blocking(move || split(&memory, all)).await?;
    let wishes: Vec<Message> =
        all.iter().map(|megram| MegramWrite { megram: megram.clone() }.into()).collect();
    if !wishes.is_empty() {
        let granted = calls.parts.memory_desk.ask(wishes).await.map_err(|error| not_granted(&error))?;
        tracing::info!(?granted, "the operator had something remembered");
    }
    let added = u32::try_from(all.len()).unwrap_or(u32::MAX);
    let megrams = all.iter().chain(&known).map(convert::megram).collect();
    Ok(v1::RememberResponse { megrams, added })
}

/// A wish that was not granted, as callers see it.
pub(super) fn not_granted(error: &WishError) -> Status {
    match error {
        WishError::Journal(error) => errors::of_journal(error),
        WishError::Later(_) => errors::not_now("MEMORY_UNAVAILABLE", "memory", &error.to_string()),
        WishError::Refused(_) => errors::not_now("NOT_REMEMBERED", "memory", &error.to_string()),
    }
}

/// How many memories were stored, of the answers to wishes.
pub(super) fn count(granted: &[WishOutcome], what: WriteOutcome) -> u64 {
    granted.iter().filter(|granted| **granted == WishOutcome::Written(what)).count() as u64
}

/// One paragraph without anything that a person would not see.
fn paragraph(text: &str) -> Result<String, Status> {
    let text = sanitise(text).text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Err(errors::invalid("text", "it is empty; say what to remember"));
    }
    let length = text.chars().count();
    if length > MAX_TEXT_CHARS {
        let problem = format!(
            "it has {length} characters and at most {MAX_TEXT_CHARS} are remembered; say it shorter, or in several"
        );
        return Err(errors::invalid("text", &problem));
    }
    Ok(text)
}

/// The tags to file something under, each once; that of facts about the person when none is named.
fn tags(wanted: &[v1::Tag]) -> Result<Vec<Tag>, Status> {
    let mut tags: Vec<Tag> = Vec::new();
    for wanted in fields::tags(wanted)? {
        let tag = match wanted {
            TagFilter::Tag(tag) => tag,
            TagFilter::Space(space) if space.starts_with(INTENT) => Tag::intent(&space[INTENT.len()..]),
            TagFilter::Space(space) if space.starts_with("tool:") => {
                Tag { space, entity: "path:*".to_owned() }
            }
            TagFilter::Space(space) => Tag { space, entity: Tag::user().entity },
        };
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    if tags.is_empty() {
        tags.push(Tag::user());
    }
    Ok(tags)
}

fn declared(now: Timestamp, tag: Tag, level: Level, sigma: f64, text: &str) -> Megram {
    let k = match level {
        Level::M | Level::K => FADING,
        Level::C | Level::T => Rate::Timeless,
    };
    Megram {
        // Not derived from the words: what was forgotten by mistake can be said again.
        id: Uuid::now_v7(),
        level,
        created_at: now,
        last_recalled_at: None,
        tag,
        content: text.to_owned(),
        state: state::DECLARED.to_owned(),
        f: MAGNITUDE,
        sigma,
        k,
        agent_id: OPERATOR.to_owned(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

/// What is new, and what is remembered already in the same words, on the same level of the same tag, with the same sign.
fn split(memory: &MemoryReader, all: Vec<Megram>) -> Result<(Vec<Megram>, Vec<Megram>), Status> {
    let (mut new, mut known) = (Vec::new(), Vec::new());
    for megram in all {
        let stored = memory.under(&megram.tag, MAX_COMPARED).map_err(|error| errors::of_store(&error))?;
        let same = stored.into_iter().find(|stored| {
            (stored.level, stored.sigma, &stored.content) == (megram.level, megram.sigma, &megram.content)
        });
        match same {
            Some(stored) => known.push(stored),
            None => new.push(megram),
        }
    }
    Ok((new, known))
}

#[cfg(test)]
mod tests;
