//! What a call changed: the places that it may change are looked at before and after it, whatever it says of itself.
//!
//! A call that only reads has no survey and pays nothing. Where the gate knows what a call changes, only that is looked at;
//! else the working folder, what the question named and what the arguments name. Everything is bounded in entries, bytes and
//! time, and what was not looked at is counted. Two calls that run at once at the same places each list what both did: when
//! something changed is known, and not who changed it.

use std::path::Path;

use artoo_gate::origin::of_path;
use artoo_gate::paths::PathRules;
use artoo_types::evidence::{EffectClass, FileChange};
use artoo_types::taint::Taint;
use artoo_types::target::is_below;
use serde_json::Value;

use crate::judged::ReadyCall;
use crate::tool::{CallFacts, Reach};

mod difference;
mod look;

use look::{ALL_LEVELS, Look, Looking};

/// Paths that are taken from the text of arguments.
const MAX_NAMED: usize = 32;

/// What a call did to files, before it is cut and redacted for its receipt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SurveyedAct {
    /// At most `limits::MAX_CHANGES`.
    pub(crate) changes: Vec<FileChange>,
    /// Changes beyond that.
    pub(crate) more: u64,
    /// Folders that were not looked into.
    pub(crate) unseen: u64,
    /// What was written, file by file: the whole text of a new one, the difference of one that was there.
    pub(crate) texts: Vec<WrittenText>,
}

/// What was written to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenText {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A place that a call may change.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SurveyRoot {
    path: String,
    /// Levels of folders that are looked into, itself included.
    levels: usize,
}

/// What a call is about to change, as it is before it.
#[derive(Debug)]
pub(crate) struct Survey {
    roots: Vec<SurveyRoot>,
    places: PathRules,
    /// What the call brings into its task. What it wrote is shown only where showing it brings nothing else.
    brings: Taint,
    before: Look,
}

/// The places at which to look, found without looking.
#[derive(Debug)]
pub(crate) struct SurveyPlan {
    roots: Vec<SurveyRoot>,
    places: PathRules,
    brings: Taint,
}

impl SurveyPlan {
    /// Where this call may change something; none for one that only reads or sends.
    pub(crate) fn of(ready: &ReadyCall, places: &PathRules) -> Option<Self> {
        let facts = &ready.facts;
        let deep = |paths: &[String]| -> Vec<SurveyRoot> {
            paths.iter().map(|path| SurveyRoot { path: path.clone(), levels: ALL_LEVELS }).collect()
        };
        let roots = match ready.prepared.tool.reach() {
            Reach::Reads | Reach::Sends(_) => return None,
            Reach::Writes => return Some(Self::of_files(facts, places)),
            Reach::Command | Reach::FullPower | Reach::Server(_) if facts.effect == EffectClass::Read => {
                return None;
            }
            Reach::Command | Reach::FullPower | Reach::Server(_) => match &facts.changes {
                Some(paths) => deep(paths),
                None => unknown(ready, places),
            },
        };
        Some(Self { roots, places: places.clone(), brings: facts.brings })
    }

    /// A survey of places of which nothing was there: what is there now was made.
    pub(crate) fn of_new(self) -> Survey {
        let Self { roots, places, brings } = self;
        Survey { roots, places, brings, before: Look::default() }
    }

    /// The places that a tool of this program writes.
    pub(crate) fn of_files(facts: &CallFacts, places: &PathRules) -> Self {
        let told = facts.changes.clone().filter(|changed| !changed.is_empty());
        let files = told.unwrap_or_else(|| vec![facts.target.clone()]);
        let roots = files.into_iter().map(|path| SurveyRoot { path, levels: ALL_LEVELS }).collect();
        Self { roots, places: places.clone(), brings: facts.brings }
    }

    /// Looks at these places; `is_stopped` ends that early.
    pub(crate) fn look(self, is_stopped: &dyn Fn() -> bool) -> Survey {
        let Self { mut roots, places, brings } = self;
        for root in &mut roots {
            root.path = first_missing(&root.path);
        }
        let before = Looking::new(&places, is_stopped).before(&roots);
        Survey { roots, places, brings, before }
    }
}

impl Survey {
    /// Looks again, and tells what is another than before.
    pub(crate) fn compare(self, is_stopped: &dyn Fn() -> bool) -> SurveyedAct {
        let Self { roots, places, brings, before } = self;
        let after = Looking::new(&places, is_stopped).after(&roots, &before);
        let is_shown = |path: &str| {
            let read = of_path(&places, path);
            !places.is_secret(path) && (read | brings) == brings
        };
        difference::difference(&before, &after, &is_shown)
    }
}

/// Where a call may change something of which nothing is known before it has run.
fn unknown(ready: &ReadyCall, places: &PathRules) -> Vec<SurveyRoot> {
    let asked = ready.agreed.as_ref().map(|question| question.targets()).unwrap_or_default();
    let mut roots = vec![place(&places.working_directory, places)];
    for path in asked.iter().cloned().chain(named_paths(&ready.call.arguments, places)) {
        let is_new = !roots.iter().any(|root| root.path == path);
        if path.starts_with('/') && !is_of_system(&path) && is_new {
            roots.push(place(&path, places));
        }
    }
    roots
}

/// A place that somebody named. In a folder that holds the whole home, others work too: only what lies directly in it counts.
fn place(path: &str, places: &PathRules) -> SurveyRoot {
    let is_own = places.in_roots(path) && !is_below(&places.home, path);
    SurveyRoot { path: path.to_owned(), levels: if is_own { ALL_LEVELS } else { 1 } }
}

/// Folders that are no place of a person's files, and change by themselves.
fn is_of_system(path: &str) -> bool {
    ["/dev", "/proc", "/sys", "/run", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/System", "/Library"]
        .iter()
        .any(|folder| is_below(path, folder))
}

/// The absolute paths that stand in the text of arguments.
fn named_paths(arguments: &str, places: &PathRules) -> Vec<String> {
    let mut paths = Vec::new();
    let Ok(value) = serde_json::from_str::<Value>(arguments) else { return paths };
    let mut waiting = vec![&value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(fields) => waiting.extend(fields.values()),
            Value::Array(items) => waiting.extend(items),
            Value::String(text) => {
                let words = text.split(|c: char| c.is_whitespace() || "'\"`=,;()<>|&".contains(c));
                let absolute = words.filter(|word| word.len() > 1 && word.starts_with(['/', '~']));
                paths.extend(absolute.map(|word| places.path(word)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    paths.truncate(MAX_NAMED);
    paths
}

/// The path itself where its folder exists; else the first folder on the way to it that does not: that is what is made.
fn first_missing(path: &str) -> String {
    let mut first = Path::new(path);
    while let Some(parent) = first.parent()
        && parent.symlink_metadata().is_err()
    {
        first = parent;
    }
    first.to_string_lossy().into_owned()
}
