//! From M to K: what several tasks of one folder share. A command that did the work of enough tasks, with nothing newer
//! against it, is knowledge of that folder: "`make check` did its work here in 3 accepted tasks".
//!
//! Each task leaves one memory of a command at most, by its id, so that a task counts once however often it is replayed. The
//! knowledge is made anew from those that are there, under an id that derives from the folder and the command alone: it is
//! never there twice, and it says how many bear it out. It is derived, so that a crash between two looks loses nothing.

use std::collections::BTreeSet;

use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::{DAY_MS, Rate};
use artoo_types::tag::{FOLDERS, PRACTICES, Tag};
use artoo_types::text::first_chars;
use uuid::Uuid;

/// Tasks that have to agree: one is an event, two may be the same request twice.
pub const LEAST_TASKS: usize = 3;
/// Days after the last of them in which it still becomes knowledge: beyond it, it would be forgotten at once.
const FRESH_DAYS: f64 = 30.0;
/// f of what is shared: two of three full outcomes, so that it advises alone. It halves in 14 days from the last task, or from
/// when a plan was given it.
const MAGNITUDE: f64 = 0.6;
/// Requests that are named with it, and characters of each.
const NAMED_REQUESTS: usize = 3;
const REQUEST_CHARS: usize = 80;
/// Most memories that it names as its parents, the newest.
const MAX_PARENTS: usize = 32;

/// Whether the memories of a tag are of a command in a folder.
pub fn is_practice(tag: &Tag) -> bool {
    tag.space.starts_with(FOLDERS) && tag.entity.starts_with(PRACTICES)
}

/// The id of what is shared about the command of this tag.
pub fn shared_id(practice: &Tag) -> Uuid {
    let name = format!("{}|{}|{}", state::SHARED, practice.space, practice.entity);
    Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes())
}

/// How many tasks bear out what is shared.
pub fn support(knowledge: &Megram) -> usize {
    knowledge.parents.len()
}

/// What the memories of a command in a folder amount to at `now`: knowledge, or none. `memories` are those of the tag, in
/// any order.
pub fn shared(practice: &Tag, memories: &[Megram], now: Timestamp) -> Option<Megram> {
    let mut told: Vec<&Megram> =
        memories.iter().filter(|m| m.level == Level::M && m.state == state::PRACTICE && !m.tainted).collect();
    told.sort_by_key(|m| std::cmp::Reverse((m.created_at, m.id)));
    let mut tasks = BTreeSet::new();
    // Newest first, as far as nothing speaks against it.
    let since: Vec<&Megram> = told
        .into_iter()
        .take_while(|m| m.sigma > 0.0)
        .filter(|m| m.task_id.is_some_and(|task| tasks.insert(task)))
        .collect();
    let newest = since.first().filter(|_| since.len() >= LEAST_TASKS)?;
    if now.since_ms(newest.created_at) as f64 > FRESH_DAYS * DAY_MS {
        return None;
    }
    let mut requests: Vec<String> = Vec::new();
    for megram in &since {
        let request = first_chars(&megram.about, REQUEST_CHARS);
        if requests.len() < NAMED_REQUESTS && !request.is_empty() && !requests.contains(&request) {
            requests.push(request);
        }
    }
    let count = since.len();
    Some(Megram {
        id: shared_id(practice),
        level: Level::K,
        created_at: newest.created_at,
        last_recalled_at: None,
        tag: Tag { entity: Tag::folder("").entity, ..practice.clone() },
        content: format!(
            "`{}` did its work in this folder in {count} accepted tasks ({})",
            newest.content,
            requests.join("; ")
        ),
        state: state::SHARED.to_owned(),
        f: MAGNITUDE,
        sigma: 1.0,
        k: Rate::Slow,
        agent_id: "R5".to_owned(),
        task_id: None,
        parents: since.iter().take(MAX_PARENTS).map(|m| m.id).collect(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    })
}

#[cfg(test)]
mod tests {
    use artoo_types::TaskId;
    use artoo_types::memory::{Megram, state};
    use artoo_types::tag::Tag;
    use uuid::Uuid;

    use super::{LEAST_TASKS, is_practice, shared, shared_id, support};
    use crate::fixture::{DAY, START, megram};

    fn tag() -> Tag {
        Tag::practice("/home/u/proj", "make check")
    }

    fn practice(task: u128, day: u64, sigma: f64) -> Megram {
        Megram {
            tag: tag(),
            task_id: Some(TaskId(Uuid::from_u128(task))),
            sigma,
            state: state::PRACTICE.to_owned(),
            content: "make check".to_owned(),
            about: "run the tests".to_owned(),
            ..megram(1_000 * task + u128::from(day), "accept", START.plus_ms(day * DAY))
        }
    }

    /// How many tasks bear out what these make on this day; none where they make nothing.
    #[track_caller]
    fn check(memories: &[Megram], day: u64, expected: Option<usize>) {
        let found = shared(&tag(), memories, START.plus_ms(day * DAY));
        assert_eq!(found.as_ref().map(support), expected, "{found:?}");
    }

    #[test]
    fn three_tasks_of_a_folder_make_knowledge_of_it_and_fewer_do_not() {
        let agreeing = [practice(1, 0, 1.0), practice(2, 1, 1.0), practice(3, 2, 1.0)];
        check(&agreeing[..LEAST_TASKS - 1], 2, None);
        check(&agreeing, 2, Some(3));
        check(&agreeing, 32, Some(3));
        check(&agreeing, 33, None);
        let made = shared(&tag(), &agreeing, START.plus_ms(2 * DAY)).expect("they agree");
        assert_eq!((made.tag, made.id), (Tag::folder("/home/u/proj"), shared_id(&tag())));
        assert_eq!(
            made.content,
            "`make check` did its work in this folder in 3 accepted tasks (run the tests)"
        );
        assert!(is_practice(&tag()) && !is_practice(&Tag::folder("/home/u/proj")));
    }

    #[test]
    fn a_task_counts_once_and_a_strangers_text_never() {
        check(&[practice(1, 0, 1.0), practice(1, 1, 1.0), practice(2, 1, 1.0)], 2, None);
        let tainted = Megram { tainted: true, ..practice(3, 2, 1.0) };
        check(&[practice(1, 0, 1.0), practice(2, 1, 1.0), tainted], 2, None);
        let said = Megram { state: state::REFLECTION.to_owned(), ..practice(3, 2, 1.0) };
        check(&[practice(1, 0, 1.0), practice(2, 1, 1.0), said], 2, None);
    }

    #[test]
    fn what_failed_since_has_to_be_borne_out_anew() {
        let mut told =
            vec![practice(1, 0, 1.0), practice(2, 1, 1.0), practice(3, 2, 1.0), practice(4, 3, -1.0)];
        check(&told, 3, None);
        told.extend([practice(5, 4, 1.0), practice(6, 4, 1.0)]);
        check(&told, 5, None);
        told.push(practice(7, 5, 1.0));
        check(&told, 5, Some(3));
    }
}
