//! Walking through a parsed command and collecting what it would do.

use std::collections::{BTreeSet, HashMap};

use artoo_types::evidence::EffectClass;
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;

use super::listing::Listing;
use super::programs;
use super::programs::row::Program;
use super::word::{Arg, Hole};
use super::{Creation, Decision, Explanation, UNREAD};
use crate::places::Places;

mod compound;
mod folder;
mod lists;
mod making;
mod paths;
pub(super) mod printed;
mod redirect;
mod variables;

pub(super) use printed::{Escapes, unescaped};

/// Reasons that are told.
const MAX_REASONS: usize = 8;
/// Targets that are told. A question shows no more, so what touches more is not known well enough.
const MAX_TARGETS: usize = 256;
/// Levels of substitutions and wrappers within each other.
const MAX_LEVELS: usize = 16;
/// Texts within one command that are parsed: more than 16 KiB can hold with a purpose.
const MAX_TEXTS: usize = 512;
/// Programs that are judged, those counted that are judged again with other words.
const MAX_RUNS: usize = 8_192;

/// A program of the command, wrappers left out.
#[derive(Clone)]
pub(super) struct Seen {
    pub(super) name: String,
    /// Its row in the table, also when it is called by a path.
    pub(super) row: &'static Program,
    pub(super) is_filter: bool,
}

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Hole(Hole),
}

/// What has been collected so far.
pub(super) struct Survey<'a> {
    pub(super) places: &'a Places,
    pub(super) decision: Decision,
    pub(super) why: Vec<String>,
    pub(super) effects: BTreeSet<EffectClass>,
    pub(super) targets: Vec<String>,
    /// What it changes, as far as that is known before it runs.
    changes: Vec<String>,
    /// It may also change what is not among `changes`.
    changes_more: bool,
    pub(super) programs: Vec<Seen>,
    pub(super) operands: BTreeSet<String>,
    /// A secret place, or the whole environment, is named.
    pub(super) reveals: bool,
    /// A program that talks to the network is named.
    pub(super) sends: bool,
    /// What the paths that it reads bring into a task.
    pub(super) brings: Taint,
    /// What the program that was surveyed last prints, when that is a listing of paths that was checked.
    pub(super) lists: Option<Listing>,
    /// The program that was surveyed last lists a home or a system.
    pub(super) lists_vital: bool,
    /// The folder that the command is in at this point.
    pub(super) folder: String,
    /// What the program that is surveyed reads from its standard input, where the command's text tells.
    pub(super) stdin: Option<String>,
    /// What the program that was surveyed last prints, where the command's text tells.
    pub(super) printed: Option<String>,
    /// The output of the command that is surveyed goes elsewhere.
    redirected: bool,
    /// Files that the command that is surveyed writes its output into.
    outputs: Vec<String>,
    /// Files that hold what was fetched from the network.
    fetched: BTreeSet<String>,
    /// artoo itself is named, and not only its workspace.
    names_artoo: bool,
    /// The program that was surveyed last is given a file that was fetched.
    pub(super) passes_fetched: bool,
    /// Words of the command that is surveyed hold what was fetched from the network.
    takes_fetched: bool,
    /// A part of it could not be read.
    is_unread: bool,
    /// Nothing comes behind the list that is surveyed next.
    is_last_list: bool,
    /// It ends processes or services.
    pub(super) stops: bool,
    /// New entries found so far.
    creations: Vec<Creation>,
    /// Absolute patterns that the shell has expanded so far.
    patterns: BTreeSet<String>,
    /// Absolute paths that were looked at so far.
    looked: BTreeSet<String>,
    variables: HashMap<String, Value>,
    /// What variables stand for when nothing is in them.
    defaults: BTreeSet<String>,
    level: usize,
    texts: usize,
    runs: usize,
}

/// Surveys a command that was admitted.
pub(super) fn survey(command: &str, places: &Places) -> Explanation {
    let mut survey = Survey {
        places,
        decision: Decision::Safe,
        why: Vec::new(),
        effects: BTreeSet::new(),
        targets: Vec::new(),
        changes: Vec::new(),
        changes_more: false,
        programs: Vec::new(),
        operands: BTreeSet::new(),
        reveals: false,
        sends: false,
        brings: Taint::NONE,
        lists: None,
        lists_vital: false,
        folder: places.working_directory.clone(),
        stdin: None,
        printed: None,
        redirected: false,
        outputs: Vec::new(),
        fetched: BTreeSet::new(),
        names_artoo: false,
        passes_fetched: false,
        takes_fetched: false,
        is_unread: false,
        is_last_list: false,
        stops: false,
        creations: Vec::new(),
        patterns: BTreeSet::new(),
        looked: BTreeSet::new(),
        variables: HashMap::new(),
        defaults: BTreeSet::new(),
        level: 0,
        texts: 0,
        runs: 0,
    };
    survey.text(command);
    if survey.is_unread {
        survey.pieces(command);
    }
    if survey.reveals && survey.sends {
        survey.forbid("it would send secrets away");
    }
    if survey.stops && survey.names_artoo {
        survey.forbid("it would stop artoo itself");
    }
    survey.settle();
    survey.told(command)
}

impl Survey<'_> {
    /// A person has to be asked, for this reason.
    pub(super) fn confirm(&mut self, why: &str) {
        self.act(EffectClass::Unknown, why);
    }

    /// It must never run, for this reason.
    pub(super) fn forbid(&mut self, why: &str) {
        self.raise(Decision::Forbidden, why);
    }

    fn raise(&mut self, decision: Decision, why: &str) {
        if decision > self.decision {
            self.decision = decision;
            if decision == Decision::Forbidden {
                self.why.clear();
            }
        }
        if decision == self.decision && self.why.len() < MAX_REASONS && !self.why.iter().any(|w| w == why) {
            self.why.push(why.to_owned());
        }
    }

    /// An effect, for this reason. What it changes is not known beforehand, unless it only reads.
    pub(super) fn act(&mut self, effect: EffectClass, why: &str) {
        self.changes_more |= effect != EffectClass::Read;
        self.effects.insert(effect);
        self.raise(Decision::Confirm, why);
    }

    /// An effect, for this reason, on exactly these paths.
    pub(super) fn act_on(&mut self, effect: EffectClass, why: &str, paths: &[String]) {
        let changed_more = self.changes_more;
        self.act(effect, why);
        self.changes_more = changed_more;
        for path in paths {
            if self.changes.len() >= MAX_TARGETS {
                self.changes_more = true;
            } else if !self.changes.contains(path) {
                self.changes.push(path.clone());
            }
        }
    }

    /// Something that it touches.
    pub(super) fn touch(&mut self, target: String) {
        if self.targets.contains(&target) {
            return;
        }
        if self.targets.len() < MAX_TARGETS {
            self.targets.push(target);
        } else {
            self.confirm(&format!("it touches more than the {MAX_TARGETS} places that can be shown"));
        }
    }

    /// Remembers whether the text names artoo itself, and not only its workspace.
    pub(super) fn note_artoo(&mut self, text: &str) {
        self.names_artoo |= text.to_lowercase().replace("artoo_workspace", "").contains("artoo");
    }

    /// Whether an interpreter would be given what was fetched from the network.
    pub(super) fn takes_fetched(&self, args: &[Arg]) -> bool {
        self.takes_fetched || args.iter().any(|a| self.holds_fetched(&a.shown()))
    }

    /// Whether one more program can be judged.
    pub(super) fn may_run(&mut self) -> bool {
        self.runs += 1;
        if self.runs > MAX_RUNS {
            self.confirm("it runs more programs than can be followed");
        }
        self.runs <= MAX_RUNS
    }

    /// A program of the command.
    pub(super) fn program(&mut self, name: &str, is_filter: bool) {
        self.programs.push(Seen { name: name.to_owned(), row: programs::find_any(name), is_filter });
    }

    /// What it makes, each without what it makes within it, and what it changes.
    fn changed(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        for path in self.creations.iter().map(|creation| &creation.path).chain(&self.changes) {
            if !paths.iter().any(|outer| is_below(path, outer)) {
                paths.push(path.clone());
            }
        }
        paths
    }

    fn told(mut self, command: &str) -> Explanation {
        if self.decision == Decision::Safe {
            if self.creations.is_empty() || !self.programs.is_empty() {
                self.effects.insert(EffectClass::Read);
            }
        } else if self.effects.is_empty() {
            self.effects.insert(EffectClass::Unknown);
        }
        let mut classes: Vec<String> = Vec::new();
        for seen in &self.programs {
            let class = format!("shell:{}", seen.name);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        if classes.is_empty() {
            classes.push(if self.decision == Decision::Safe {
                "shell:bash".to_owned()
            } else {
                UNREAD.to_owned()
            });
        }
        let blamed = self.programs.iter().find(|p| !p.is_filter).or(self.programs.first());
        let blame = blamed.map_or_else(|| classes[0].clone(), |p| format!("shell:{}", p.name));
        let target = if self.operands.is_empty() {
            fold(command)
        } else {
            self.operands.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        let changes = (!self.changes_more).then(|| self.changed());
        Explanation {
            decision: self.decision,
            effects: self.effects.into_iter().collect(),
            targets: self.targets,
            creates: self.creations,
            changes,
            why: self.why,
            classes,
            blame,
            target,
            brings: self.brings,
        }
    }
}
