//! The built-in provider `offline`: fixed rules that answer for every role with the same JSON as a language model.
//!
//! It reads only the messages of a request, understands everyday requests about files, tables, repositories and the
//! machine in English and Chinese, and declines everything else as a whole. It is not a language model and never says
//! that it is one. It makes no calls, reads no files, knows no time: equal messages give equal replies.
//!
//! Start reading at [`reply`]; the words of requests are in [`requests`], the way from a clause to its steps in
//! [`measures`].

mod act;
mod clauses;
mod decline;
mod dreams;
mod fragments;
mod judge;
mod kinds;
mod language;
mod measure;
mod measure_content;
mod measure_file;
mod measure_files;
mod measure_machine;
mod measures;
mod normalise;
mod numbers;
mod pattern;
mod places;
mod plan;
mod prompt;
mod report;
mod request;
mod requests;
mod requests_files;
mod requests_machine;
mod requests_other;
mod rungs;
mod shell;
mod slots;
mod specify;
mod table;
mod wording;

#[cfg(test)]
mod tests;

pub use request::Kind;
pub use requests::{Example, examples};

use prompt::Prompt;

/// The name under which results of these rules appear in place of a model's name.
pub const MODEL_NAME: &str = "offline-rules";

/// The reply to one request of a role, as JSON text of the shape that `schema_name` names.
///
/// `messages` are `(role, text)` pairs as in a chat: `system`, `user`, and on a repair the rejected reply and what was
/// wrong with it. The first `user` message holds the request; the rules have no better reply than their first, so a
/// repair gets the same one. An unknown schema name gets an empty object, which no validator accepts.
pub fn reply(schema_name: &str, messages: &[(&str, &str)]) -> String {
    let text = messages.iter().find(|(role, _)| *role == "user").map_or("", |(_, text)| *text);
    let parse = |last: &str| Prompt::parse(text, last);
    let value = match schema_name {
        "task_spec" => specify::specify(&parse("Request")),
        "plan" => plan::plan(&parse("Request")),
        "action" => act::act(&parse("Subtask")),
        "verdicts" => judge::verdicts(&parse("Subtask")),
        "merge_verdict" => judge::merge(&parse("Request")),
        "sop" => dreams::rule(&parse("Evidence")),
        "reflection" => dreams::lesson(&parse("Intent")),
        _ => serde_json::json!({}),
    };
    value.to_string()
}
