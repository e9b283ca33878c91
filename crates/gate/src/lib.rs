//! The gate: what a shell command would do, told from its text before it runs, and where a call may read and write.
//! A crate of its own, so that its manifest proves that judging runs nothing.
//!
//! A command is safe only when all of it is understood and it changes nothing that is there: every program is in the table
//! of `programs` with options that the table allows, each file that it writes is new, and no secret is read. Whatever is
//! not understood, or read by bash otherwise than by the parser (`doubt`), needs a person's word; a short list of
//! commands that destroy a machine or a home is refused. A mistake here must fall on the side of asking.

mod acts;
mod admit;
mod arg;
mod boxed;
mod changes;
mod commands;
mod creation;
mod doubt;
mod findings;
mod glob;
mod links;
mod listing;
mod localhost;
mod modes;
mod never;
mod options;
pub mod origin;
pub mod paths;
mod printed;
mod programs;
mod quantity;
mod reader_pool;
mod rules;
mod run;
mod scope;
mod vital;
mod walk;
mod word;

use artoo_types::evidence::EffectClass;
use artoo_types::tag::fold;
use artoo_types::taint::Taint;

use crate::findings::RevealedText;
use crate::paths::PathRules;
use reader_pool::ReaderPool;
use walk::Walk;

pub use boxed::{CommandBox, Leeway, SparingAct};
pub use creation::{Creation, CreationKind};
pub use modes::{ModeOrder, made_executable};
pub use programs::find as program;
pub use programs::row::{FileNeeds, NewNames, Program, SandboxNeeds};

/// What may happen with a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// It only reads, or makes what is not there yet, and runs unasked.
    Safe,
    /// A person has to say yes to exactly this command.
    Confirm,
    /// It never runs.
    Forbidden,
}

impl Decision {
    /// The word that people see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Confirm => "confirm",
            Self::Forbidden => "forbidden",
        }
    }
}

/// What a command would do, as far as its text tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What may happen with it.
    pub decision: Decision,
    /// What it does to the world, weakest first; `read`, `create` or both when it is safe.
    pub effects: Vec<EffectClass>,
    /// What it touches: absolute paths where they are known.
    pub targets: Vec<String>,
    /// The entries that it makes as [`Creation`] says, each after the folder that it is in: when it is safe, all that it
    /// changes; otherwise it may do more than make these.
    pub creates: Vec<Creation>,
    /// The files and folders whose content it may change, replace, make or remove, as absolute paths; returns None if that is
    /// known only once it has run.
    pub changes: Option<Vec<String>>,
    /// Why it is not safe.
    pub why: Vec<String>,
    /// `shell:<program>` for each program, wrappers left out, in the order of the text.
    pub classes: Vec<String>,
    /// The class that gets the blame when the command fails: the first that is no filter, else the first.
    pub blame: String,
    /// The normalised target: its path operands, sorted, or the folded command.
    pub target: String,
    /// The paths that it names to look at, and its folder where it names none or may look at more, as absolute paths; returns
    /// None if it shows what may change while every file stays as it is.
    pub looks_at: Option<Vec<String>>,
    /// What it would bring into a task by what it reads, as far as its text tells.
    pub brings: Taint,
    /// The same of the paths that its text tells.
    pub brought: Taint,
    /// What the folders bring of which it may read anything.
    pub folders_bring: Taint,
    /// The files that its words name, and those of its folder that programs run or follow without being told, where nobody
    /// knows what it does: absolute paths.
    pub names: Vec<String>,
    /// What speaks for a box in the place of a question.
    pub leeway: Leeway,
}

/// Who reads commands, for all of the program.
static READER_POOL: ReaderPool<Explanation> = ReaderPool::new();
/// The class of a command that could not be read.
const UNREAD: &str = "shell:unknown";

/// Tells what `command` would do in the working directory of `paths`. Never panics, never runs anything; it looks at
/// the file system to resolve paths. It takes some milliseconds at most.
pub fn explain(command: &str, paths: &PathRules) -> Explanation {
    if let Err(why) = admit::admit(command) {
        return unread(command, paths, why);
    }
    let text = command.to_owned();
    let their_paths = paths.clone();
    // The parser is foreign code: should it break, the command is simply not understood.
    READER_POOL
        .read(reader_pool::READ_TIMEOUT, move || analyse(&text, &their_paths))
        .unwrap_or_else(|| unread(command, paths, "the command could not be read".to_owned()))
}

/// How a walk goes back to reading from within a command.
static RECURSION: walk::Recursion =
    walk::Recursion { text: commands::read_text, run: run::run, foreign: run::foreign::look_through };

/// Judges a command that was admitted.
fn analyse(command: &str, paths: &PathRules) -> Explanation {
    let mut walk = Walk::new(paths, &RECURSION);
    walk.text(command);
    walk.note_unnamed(command);
    if walk.found.is_unread {
        commands::read_pieces(&mut walk, command);
    }
    walk.found.settle_sought(paths);
    if walk.found.reveals > RevealedText::Nothing && walk.found.sends {
        walk.found.forbid("it would send secrets away");
    }
    if walk.found.stops && walk.found.names_artoo {
        walk.found.forbid("it would stop artoo itself");
    }
    walk.settle();
    let folders_bring = origin::of_folders(paths, &walk.found.read_folders(paths));
    Explanation { folders_bring, ..walk.found.into_explanation(command, &paths.working_directory) }
}

fn unread(command: &str, paths: &PathRules, why: String) -> Explanation {
    let mut walk = Walk::new(paths, &RECURSION);
    walk.note_unnamed(command);
    Explanation {
        decision: Decision::Confirm,
        effects: vec![EffectClass::Unknown],
        targets: Vec::new(),
        creates: Vec::new(),
        changes: None,
        why: vec![why],
        classes: vec![UNREAD.to_owned()],
        blame: UNREAD.to_owned(),
        target: fold(command),
        looks_at: Some(vec![paths.working_directory.clone()]),
        brings: Taint::BOTH,
        brought: Taint::NONE,
        folders_bring: Taint::NONE,
        names: walk.found.history.named.into_iter().collect(),
        leeway: Leeway::default(),
    }
}

#[cfg(test)]
mod tests;
