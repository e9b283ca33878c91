//! Events as lines for people. Everything in here is a function of its arguments: no clock, no terminal, no files.
//!
//! [`brief::BriefScreen`] folds the events of one task into its answer, [`compact::TaskScreen`] into its steps with
//! their evidence, [`pipeline`] shows one line a message, [`ending`] shows the final result.

pub mod bars;
pub mod brief;
pub mod changes;
pub mod compact;
pub mod ending;
pub mod figures;
pub mod language;
pub mod line;
pub mod pipeline;
pub mod question;
mod reasons;
pub mod receipt;
pub mod replan;
pub mod replay;
pub mod replays;
pub mod table;
pub mod text;
pub mod trajectory;
pub mod words;

pub use language::Language;
pub use line::{Line, Said, Tone};

#[cfg(test)]
mod tests;
