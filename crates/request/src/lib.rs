//! Reading a request without a model: its clauses, the action of each, and the files that it names, in English and in
//! Chinese. A crate of its own, so that the planner's validator and the offline rules cut a request at the same places and
//! neither can reach the other's tables.
//!
//! It is conservative: a question holds no action, words in quotation marks, in code and in material that the request is
//! about hold none, and what it does not know it leaves out. It never judges whether an action is wise; that is for the gate.
//!
//! Start reading at [`read`]; the words are in the tables of `verbs.rs`, the words of what an action leaves in `effects.rs`.

mod alone;
pub mod arithmetic;
mod claims;
mod clauses;
pub mod days;
mod effects;
pub mod front;
mod han_names;
mod joints;
mod language;
mod leads;
mod material;
mod names;
mod normalise;
mod nouns;
mod numbers;
mod outcomes;
pub mod quantities;
mod questions;
mod scan;
pub mod spans;
mod verbs;

#[cfg(test)]
mod tests;

pub use alone::stands_alone;
pub use claims::claims_action;
pub use clauses::{RequestClause, RequestReading, Standing, read};
pub use effects::is_look;
pub use han_names::han_names;
pub use joints::{Cut, cuts, strip_joints};
pub use language::{Language, is_han};
pub use names::mentions;
pub use normalise::{normalise, quoted_ranges};
pub use numbers::{NUMBER_WORDS, chinese_number, spoken_numbers};
pub use outcomes::{PathOutcome, path_outcomes};
pub use verbs::Action;
