//! What a person declares in a request, as a memory: their own words, kept until they are forgotten or fall.

use artoo_types::declare::declaration;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use artoo_types::{TaskId, Timestamp};

/// f of a declaration: it weighs as much as a rule that experience made.
const MAGNITUDE: f64 = 0.9;

/// The memory that the request of this task asks for, if it begins with a declaration. Secrets were taken out of requests
/// where they entered; words that held one are not kept. The id derives from the task, so that reading the same request
/// again makes the same memory.
pub fn declared(task_id: TaskId, at: Timestamp, request: &str) -> Option<Megram> {
    let said = declaration(request).filter(|said| !said.holds_secret)?;
    Some(Megram {
        id: task_id.derive("declared", 0),
        level: Level::C,
        created_at: at,
        last_recalled_at: None,
        tag: Tag::user(),
        content: said.fact,
        state: state::DECLARED.to_owned(),
        f: MAGNITUDE,
        sigma: if said.prohibits { -1.0 } else { 1.0 },
        k: Rate::Timeless,
        agent_id: "operator".to_owned(),
        task_id: Some(task_id),
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    })
}
