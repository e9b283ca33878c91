//! The built-in provider `offline`: fixed rules that answer for every role with the same JSON as a language model.
//!
//! It reads the values of a [`Brief`] and never the words of a prompt, understands everyday requests about files, tables,
//! repositories and the machine in English and Chinese, and declines everything else as a whole. It is not a language model
//! and never says that it is one. It makes no calls, reads no files, knows no time: equal briefs give equal replies.
//!
//! Start reading at [`answer`]; the words of requests are in [`requests`], the way from a clause to its steps in
//! [`measures`].

mod act;
mod alternatives;
mod causes;
mod clause;
mod clauses;
mod concepts;
mod decline;
mod doing;
mod dreams;
mod follow_up;
mod form;
mod fragments;
mod judge;
mod kinds;
mod lines;
mod material;
mod measure;
mod measures;
mod named;
mod near;
mod new_names;
mod pattern;
mod places;
mod plan;
mod query;
mod report;
mod requests;
mod saving;
mod semantic;
mod setting;
mod shell;
mod slots;
mod specify;
mod suggest;
mod table;
mod too_slow;
mod wording;

#[cfg(test)]
mod tests;

pub use clause::RequestKind;
pub use named::named_paths;
pub use requests::{Example, examples};

pub(crate) use artoo_request::{front as scan, quantities as numbers};
use artoo_types::brief::Brief;

/// The name under which results of these rules appear in place of a model's name.
pub const MODEL_NAME: &str = "offline-rules";

/// The reply to a question, as JSON text of the shape that the role asked for.
pub fn answer(brief: &Brief) -> String {
    let value = match brief {
        Brief::Specify(brief) => specify::specify(brief),
        Brief::Plan(brief) => plan::plan(brief),
        Brief::Act(brief) => act::act(brief),
        Brief::Judge(brief) => judge::verdicts(brief),
        Brief::Merge(brief) => judge::merge(brief),
        // A list of rules has nothing to add to what the receipts say.
        Brief::Farewell(_) => serde_json::json!({"found": [], "next_moves": []}),
        Brief::Rule(brief) => dreams::rule(brief),
        Brief::Lesson(brief) => dreams::lesson(brief),
    };
    value.to_string()
}
