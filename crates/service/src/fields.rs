//! Fields of requests, read into checked values.

use artoo_memory::key::check_tag;
use artoo_protocol::v1;
use artoo_task::view::TaskState;
use artoo_types::memory::Level;
use artoo_types::tag::Tag;
use artoo_types::{ConfirmationId, TaskId};
use tonic::Status;
use uuid::Uuid;

use super::errors::invalid;

/// Most tags in one request. Each costs a scan of its own.
const MAX_TAGS: usize = 32;
/// Most ids in one request. Each costs a lookup.
const MAX_IDS: usize = 1_000;
/// Fewest digits of the beginning of an id: fewer are a slip rather than a choice.
const MIN_DIGITS: usize = 4;

/// A task's id.
pub(super) fn task_id(text: &str) -> Result<TaskId, Status> {
    uuid("task_id", text).map(TaskId)
}

/// A confirmation's id.
pub(super) fn confirmation_id(text: &str) -> Result<ConfirmationId, Status> {
    uuid("confirmation_id", text).map(ConfirmationId)
}

/// A state to filter by; none for an empty word.
pub(super) fn task_state(word: &str) -> Result<Option<TaskState>, Status> {
    let states = [
        TaskState::Accepted,
        TaskState::Running,
        TaskState::WaitingForConfirmation,
        TaskState::WaitingForClarification,
        TaskState::WaitingForModel,
        TaskState::Finished,
    ];
    if word.is_empty() {
        return Ok(None);
    }
    let state = states.into_iter().find(|state| super::convert::task_state(*state).as_str() == word);
    state.map(Some).ok_or_else(|| {
        let known = states.map(|state| super::convert::task_state(state).as_str().to_owned()).join(", ");
        invalid("state", &format!("there is no state {word:?}; use one of {known}, or leave it empty"))
    })
}

/// A level to filter by; none for an empty word.
pub(super) fn level(word: &str) -> Result<Option<Level>, Status> {
    match word {
        "" => Ok(None),
        "M" => Ok(Some(Level::M)),
        "K" => Ok(Some(Level::K)),
        "C" => Ok(Some(Level::C)),
        "T" => Ok(Some(Level::T)),
        other => Err(invalid(
            "level",
            &format!("there is no level {other:?}; use M, K, C or T, or leave it empty"),
        )),
    }
}

/// The beginnings of ids, in the one spelling that is stored: lower case, with hyphens.
pub(super) fn id_starts(ids: &[String]) -> Result<Vec<String>, Status> {
    if ids.len() > MAX_IDS {
        return Err(invalid("ids", &format!("{} ids are too many; name at most {MAX_IDS}", ids.len())));
    }
    ids.iter().map(|id| id_start(id)).collect()
}

fn id_start(text: &str) -> Result<String, Status> {
    // Where the groups of a UUID end.
    const HYPHENS: [usize; 4] = [8, 12, 16, 20];
    let digits: String = text.trim().chars().filter(|c| *c != '-').map(|c| c.to_ascii_lowercase()).collect();
    if !(MIN_DIGITS..=32).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        let shown = artoo_types::text::first_chars(text, 80);
        let problem = format!(
            "{shown:?} is not the id of a memory; give the id, or its first {MIN_DIGITS} digits and more"
        );
        return Err(invalid("ids", &problem));
    }
    let mut start = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if HYPHENS.contains(&place) {
            start.push('-');
        }
        start.push(digit);
    }
    Ok(start)
}

/// A tag, or every tag of a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TagFilter {
    /// This tag.
    Tag(Tag),
    /// Every entity of this space.
    Space(String),
}

impl TagFilter {
    /// The space that it is in.
    pub(super) fn space(&self) -> &str {
        match self {
            Self::Tag(tag) => &tag.space,
            Self::Space(space) => space,
        }
    }

    /// Whether a memory with this tag is wanted.
    pub(super) fn covers(&self, tag: &Tag) -> bool {
        match self {
            Self::Tag(wanted) => wanted == tag,
            Self::Space(space) => *space == tag.space,
        }
    }
}

/// The tags that a request names, as they are shown or as a person would write them.
pub(super) fn tags(tags: &[v1::Tag]) -> Result<Vec<TagFilter>, Status> {
    if tags.len() > MAX_TAGS {
        return Err(invalid("tags", &format!("{} tags are too many; name at most {MAX_TAGS}", tags.len())));
    }
    tags.iter().map(wanted).collect()
}

fn wanted(tag: &v1::Tag) -> Result<TagFilter, Status> {
    if tag.space.is_empty() {
        return Err(invalid("tags", "a tag has no space; write one such as intent:find_files or tool:glob"));
    }
    if tag.entity.is_empty() {
        // Any entity will do to bring the space into its stored form.
        return Ok(TagFilter::Space(stored(&tag.space, "env:local").space));
    }
    Ok(TagFilter::Tag(stored(&tag.space, &tag.entity)))
}

/// The stored form: what is shown to people is already in it, what people write may not be.
fn stored(space: &str, entity: &str) -> Tag {
    let tag = Tag { space: space.to_owned(), entity: entity.to_owned() };
    if check_tag(&tag).is_ok() { tag } else { Tag::new(space, entity) }
}

fn uuid(field: &str, text: &str) -> Result<Uuid, Status> {
    Uuid::try_parse(text).map_err(|_| {
        let shown = artoo_types::text::first_chars(text, 80);
        invalid(
            field,
            &format!(
                "{shown:?} is not an id; give the whole id, for example 01890a5d-ac96-774b-bcce-b302099a8057"
            ),
        )
    })
}

#[cfg(test)]
mod tests;
