//! Tool calls as values.
//!
//! Law 1 is the type `Approval`: no call that needs a person's word runs without one, and it is made only from a confirmation that
//! says yes to exactly that action.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::evidence::{CallEnd, EffectClass, FileChange, ShownImage};
use crate::limits::{MAX_CHOICES, PERSON_CHARS};
use crate::plan::Blocks;
use crate::taint::Taint;
use crate::task::ConfirmationResolved;
use crate::{EffectId, SubtaskId};

/// The names of the tools that others than the tools themselves speak of.
pub mod names {
    /// Lists files by a pattern.
    pub const GLOB: &str = "glob";
    /// Finds files of the person; on macOS it is [`MDFIND`].
    pub const FIND_FILES: &str = "find_files";
    /// [`FIND_FILES`] where Spotlight answers it.
    pub const MDFIND: &str = "mdfind";
    /// Finds lines of text files.
    pub const GREP: &str = "grep";
    /// Reads a text file.
    pub const READ_FILE: &str = "read_file";
    /// Makes a new file.
    pub const WRITE_FILE: &str = "write_file";
    /// Changes a text file.
    pub const EDIT_FILE: &str = "edit_file";
    /// Runs a command.
    pub const SHELL: &str = "shell";
    /// Asks the person who attends; the task itself answers it with what they say.
    pub const ASK_PERSON: &str = "ask_person";
}

/// How `read_file` says that a file goes on, and that it went no further: in brackets, in the last line of its output.
pub const MORE_LINES: &str = "more lines follow";
/// See [`MORE_LINES`].
pub const STOPPED: &str = "stopped";

/// Whether the output of `read_file` lacks the rest of the file.
pub fn lacks_rest(output: &str) -> bool {
    let remark = output.lines().next_back().and_then(|line| line.strip_prefix('['));
    remark.is_some_and(|remark| remark.starts_with(MORE_LINES) || remark.starts_with(STOPPED))
}

/// What an executor asks the person: the arguments of [`names::ASK_PERSON`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonQuestion {
    /// one question, in the person's language
    pub question: String,
    /// answers to choose from, at most 6; the person may say something else
    pub choices: Option<Vec<String>>,
}

impl PersonQuestion {
    /// The question of these arguments; None if they hold none, or one that nobody would read.
    pub fn read(arguments: &str) -> Option<Self> {
        let read: Self = serde_json::from_str(arguments).ok()?;
        let is_short = |text: &str| !text.trim().is_empty() && text.chars().count() <= PERSON_CHARS;
        let choices = read.choices.as_deref().unwrap_or_default();
        let fits = choices.len() <= MAX_CHOICES && choices.iter().all(|choice| is_short(choice));
        (is_short(&read.question) && fits).then_some(read)
    }

    /// The question as it is put, its choices numbered.
    pub fn words(&self) -> String {
        let choices = self.choices.iter().flatten().enumerate();
        let told: String = choices.map(|(at, choice)| format!("  [{}] {}", at + 1, choice.trim())).collect();
        format!("{}{told}", self.question.trim())
    }

    /// What an answer means: the choice of its number, else what it says.
    pub fn meant(&self, answer: &str) -> String {
        let said = answer.trim();
        let number = said.trim_matches(['[', ']', '.']).parse::<usize>().ok();
        let choice = number.and_then(|number| self.choices.as_ref()?.get(number.checked_sub(1)?));
        choice.map_or(said, |choice| choice.trim()).to_owned()
    }
}

/// How a tool is offered to a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// Its arguments as people write them: `{root, pattern}`.
    pub signature: String,
    /// When to use it, one line.
    pub purpose: String,
    /// JSON schema of the arguments, as JSON text. Empty in the setting of a task whose model reads tools in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub schema: String,
    /// It only looks, so that several of its calls may run together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reads: bool,
}

/// A call that an executor wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The effect.
    pub effect_id: EffectId,
    /// The subtask that wants it.
    pub subtask_id: SubtaskId,
    /// The tool.
    pub tool: String,
    /// Arguments as JSON text with sorted keys.
    pub arguments: String,
    /// Where relative paths start.
    pub working_directory: String,
    /// What this executor must not use.
    #[serde(default, skip_serializing_if = "Blocks::is_empty")]
    pub blocked: Blocks,
    /// Deadline in milliseconds.
    pub deadline_ms: u64,
    /// What the task has taken in so far.
    #[serde(default, skip_serializing_if = "Taint::is_none")]
    pub taint: Taint,
    /// What the person has said that bears on it.
    #[serde(default, skip_serializing_if = "PersonsWord::is_nothing")]
    pub word: PersonsWord,
    /// R4a wants it, to see for itself: nobody is asked about it, and what may not run unasked does not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_judge: bool,
    /// Whoever reads its receipt sees pictures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shows_images: bool,
}

/// What a person has said, in the request or since, that bears on what may be done unasked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PersonsWord {
    /// Places of which a change or a deletion was denied in this task, in every spelling: they stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<String>,
    /// Files that the request asks to change, as it names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<String>,
    /// Files that the request asks to make, or to write its answer into, as it names them: what is there already stays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<String>,
    /// The request asks to put files elsewhere, or to give them other names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moves: bool,
}

impl PersonsWord {
    /// Whether nothing was said.
    pub fn is_nothing(&self) -> bool {
        self.denied.is_empty() && self.named.is_empty() && self.made.is_empty() && !self.moves
    }
}

/// A person's yes to one exact call. It can only be made from a resolved confirmation that says so, which is why the
/// tools shell takes it as proof (Law 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    digest: String,
}

impl Approval {
    /// The approval that `resolved` carries; none when it was denied.
    pub fn from_confirmation(resolved: &ConfirmationResolved) -> Option<Self> {
        resolved.approved.then(|| Self { digest: resolved.digest.clone() })
    }

    /// Whether this approval holds for the action with this digest.
    pub fn covers(&self, digest: &str) -> bool {
        self.digest == digest
    }
}

/// A tool call begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallStarted {
    /// The effect.
    pub effect_id: EffectId,
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// The tool.
    pub tool: String,
    /// Arguments as JSON text.
    pub arguments: String,
}

/// A tool call ended. The receipt itself travels in the execution result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallFinished {
    /// The effect.
    pub effect_id: EffectId,
    /// The subtask.
    pub subtask_id: SubtaskId,
    /// The receipt's id.
    pub receipt: crate::EvidenceId,
    /// The tool.
    pub tool: String,
    /// Normalised target.
    pub target: String,
    /// What it did to the world.
    pub effect: EffectClass,
    /// How it ended.
    pub end: CallEnd,
    /// Exit status.
    pub exit: Option<i64>,
    /// First characters of the output.
    pub output: String,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// What it brought into the task.
    #[serde(default, skip_serializing_if = "Taint::is_none")]
    pub taint: Taint,
    /// What it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FileChange>,
}

/// Why a call does not run. It says what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CallRefusal(pub String);

/// What came of a call, before it becomes a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallOutcome {
    /// How it ended.
    pub end: CallEnd,
    /// Exit status; none when it did not run to its end.
    pub exit: Option<i64>,
    /// Everything that it put out.
    pub output: String,
    /// Remarks of the runtime.
    pub note: Option<String>,
    /// The picture that it shows.
    pub image: Option<Box<ShownImage>>,
}

impl CallOutcome {
    /// The tool did its work.
    pub fn done(output: String) -> Self {
        Self { end: CallEnd::Ran, exit: Some(0), output, note: None, image: None }
    }

    /// The tool ran and could not do its work; the text says why.
    pub fn failed(output: String) -> Self {
        Self { end: CallEnd::Ran, exit: Some(1), output, note: None, image: None }
    }

    /// The call did not run to its end.
    pub fn ended(end: CallEnd, output: String) -> Self {
        Self { end, exit: None, output, note: None, image: None }
    }

    /// The same with these remarks of the runtime, and no others.
    pub fn noted(self, remarks: impl IntoIterator<Item = String>) -> Self {
        Self { note: joined_remarks(remarks), ..self }
    }
}

/// Remarks as one note; none when there are none.
pub fn joined_remarks(remarks: impl IntoIterator<Item = String>) -> Option<String> {
    let remarks: Vec<String> = remarks.into_iter().collect();
    (!remarks.is_empty()).then(|| remarks.join("; "))
}

/// The one spelling of an arguments object: keys sorted at every depth, no spaces. Text that is not JSON is returned
/// as it is, because it can only be compared with itself.
pub fn canonical_arguments(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(value) => sorted(value).to_string(),
        Err(_) => arguments.to_owned(),
    }
}

/// Depth is bounded: the JSON reader refuses more than 128 levels.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> = map.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(pairs.into_iter().collect::<Map<String, Value>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical_arguments;

    #[test]
    fn key_order_and_spacing_do_not_matter() {
        let a = canonical_arguments(r#"{"b": 1, "a": {"d": [2, {"z": 1, "y": 2}], "c": null}}"#);
        let b = canonical_arguments(r#"{"a":{"c":null,"d":[2,{"y":2,"z":1}]},"b":1}"#);
        assert_eq!(a, b);
        assert_eq!(a, r#"{"a":{"c":null,"d":[2,{"y":2,"z":1}]},"b":1}"#);
        assert_eq!(canonical_arguments("not json"), "not json");
    }
}
