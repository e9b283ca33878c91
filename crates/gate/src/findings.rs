//! What a command would do, as far as it has been read. Findings only grow, and a decision only becomes stricter.

use std::collections::BTreeSet;
use std::path::Path;

use artoo_types::evidence::EffectClass;
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;

use crate::origin;
use crate::paths::PathRules;
use crate::paths::secrets::is_secret_pattern;
use crate::programs::flags::{Flags, MOVES};
use crate::{Creation, Decision, Explanation, Leeway, ModeOrder, SparingAct, UNREAD};

/// Reasons that are told.
const MAX_REASONS: usize = 8;
/// Targets that are told. A question shows no more, so what touches more is not known well enough.
pub(crate) const MAX_TARGETS: usize = 256;

/// A program of the command, wrappers left out.
#[derive(Clone)]
pub(crate) struct NamedProgram {
    /// Its name in classes.
    pub(crate) name: String,
    /// What holds for it, also when it is called by a path.
    pub(crate) flags: Flags,
    /// Whether blame passes it by.
    pub(crate) is_filter: bool,
    /// Whether what it shows may change while every file stays as it is.
    pub(crate) is_live: bool,
}

impl NamedProgram {
    /// Whether one of these properties holds.
    pub(crate) fn has(&self, flags: Flags) -> bool {
        self.flags & flags != 0
    }
}

/// Paths that the command has come by so far.
#[derive(Clone)]
pub(crate) struct PathHistory {
    /// New entries that it makes.
    pub(crate) creations: Vec<Creation>,
    /// Absolute patterns that the shell has expanded.
    pub(crate) patterns: BTreeSet<String>,
    /// Absolute paths that were looked at.
    pub(crate) looked: BTreeSet<String>,
    /// Files that hold what was fetched from the network.
    pub(crate) fetched: BTreeSet<String>,
    /// What those that are known bring into a task.
    pub(crate) brought: Taint,
    /// Absolute folders that are read with all that is in them.
    pub(crate) folders: BTreeSet<String>,
    /// It reads files that a listing names.
    pub(crate) reads_listed: bool,
    /// Names and patterns by which it picks files.
    pub(crate) sought: BTreeSet<String>,
    /// Those by which it picks files of a repository's history, which need not be there.
    pub(crate) sought_in_history: BTreeSet<String>,
    /// Absolute paths of the files that its words name.
    pub(crate) named: BTreeSet<String>,
    /// What variables stand for when nothing is in them.
    pub(crate) defaults: BTreeSet<String>,
}

/// What a command changes, as far as that is known before it runs.
#[derive(Clone, Default)]
struct KnownChanges {
    paths: Vec<String>,
    /// It may change others too.
    and_more: bool,
    /// It does more that a person is asked about than to make new files and to put files under free names.
    is_rough: bool,
    /// It goes to a folder that is known only when it runs: relative paths behind that are in no folder that is known.
    is_elsewhere: bool,
    /// The files whose modes it sets.
    modes: Vec<ModeOrder>,
    /// It writes more than may be written unasked.
    is_too_much: bool,
}

/// What a command shows that must not be sent away, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RevealedText {
    Nothing,
    /// The whole environment, which holds none of the person's secrets where a command runs.
    Environment,
    /// A place with secrets is named, or a program that keeps them.
    Secrets,
}

/// What has been found out so far.
#[derive(Clone)]
pub(crate) struct Findings {
    pub(crate) decision: Decision,
    pub(crate) why: Vec<String>,
    pub(crate) effects: BTreeSet<EffectClass>,
    /// Those of them that a person is asked about.
    asked: BTreeSet<EffectClass>,
    pub(crate) targets: Vec<String>,
    changes: KnownChanges,
    pub(crate) programs: Vec<NamedProgram>,
    pub(crate) operands: BTreeSet<String>,
    /// What it shows.
    pub(crate) reveals: RevealedText,
    /// A program that talks to the network is named.
    pub(crate) sends: bool,
    /// It ends processes or services.
    pub(crate) stops: bool,
    /// artoo itself is named, and not only its workspace.
    pub(crate) names_artoo: bool,
    /// What the paths that it reads bring into a task.
    pub(crate) brings: Taint,
    /// A part of it could not be read.
    pub(crate) is_unread: bool,
    /// The paths that it has come by.
    pub(crate) history: PathHistory,
}

impl Findings {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        let history = PathHistory {
            creations: Vec::new(),
            patterns: BTreeSet::new(),
            looked: BTreeSet::new(),
            fetched: BTreeSet::new(),
            brought: Taint::NONE,
            folders: BTreeSet::new(),
            named: BTreeSet::new(),
            reads_listed: false,
            sought: BTreeSet::new(),
            sought_in_history: BTreeSet::new(),
            defaults: BTreeSet::new(),
        };
        Self {
            decision: Decision::Safe,
            why: Vec::new(),
            effects: BTreeSet::new(),
            asked: BTreeSet::new(),
            targets: Vec::new(),
            changes: KnownChanges::default(),
            programs: Vec::new(),
            operands: BTreeSet::new(),
            reveals: RevealedText::Nothing,
            sends: false,
            stops: false,
            names_artoo: false,
            brings: Taint::NONE,
            is_unread: false,
            history,
        }
    }

    /// Forgets what was found since `before` in text that may never be run, apart from what must never be done and the signs
    /// of that.
    pub(crate) fn back_to(&mut self, before: Self) {
        let after = std::mem::replace(self, before);
        if after.decision == Decision::Forbidden {
            after.why.iter().for_each(|why| self.forbid(why));
        }
        self.reveal(after.reveals);
        self.sends |= after.sends;
        self.stops |= after.stops;
        self.names_artoo |= after.names_artoo;
        self.brings |= after.brings;
        self.history.reads_listed |= after.history.reads_listed;
        self.history.sought.extend(after.history.sought);
        self.history.sought_in_history.extend(after.history.sought_in_history);
        self.history.folders.extend(after.history.folders);
        self.history.named.extend(after.history.named);
        self.history.brought |= after.history.brought;
        self.history.fetched.extend(after.history.fetched);
    }

    /// It shows this.
    pub(crate) fn reveal(&mut self, what: RevealedText) {
        self.reveals = self.reveals.max(what);
    }

    /// A person has to be asked, for this reason.
    pub(crate) fn confirm(&mut self, why: &str) {
        self.act(EffectClass::Unknown, why);
    }

    /// It writes more than may be written unasked, for this reason: no box is for that.
    pub(crate) fn exceed(&mut self, why: &str) {
        self.changes.is_too_much = true;
        self.act(EffectClass::Create, why);
    }

    /// It goes to a folder that is known only when it runs.
    pub(crate) fn goes_elsewhere(&mut self) {
        self.changes.is_elsewhere = true;
    }

    /// It sets the mode of this file.
    pub(crate) fn sets_mode(&mut self, order: ModeOrder) {
        if self.changes.modes.len() < MAX_TARGETS {
            self.changes.modes.push(order);
        }
    }

    /// It must never run, for this reason.
    pub(crate) fn forbid(&mut self, why: &str) {
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
    pub(crate) fn act(&mut self, effect: EffectClass, why: &str) {
        self.changes.and_more |= effect != EffectClass::Read;
        self.act_on(effect, why, &[]);
    }

    /// An effect, for this reason, which in a box reaches nothing but what the command itself has started. Outside of one it is
    /// asked about as it is.
    pub(crate) fn act_on_itself(&mut self, effect: EffectClass, why: &str) {
        self.changes.and_more = true;
        self.changes.is_rough = true;
        self.effects.insert(effect);
        self.asked.insert(EffectClass::Unknown);
        self.raise(Decision::Confirm, why);
    }

    /// An effect, for this reason, on exactly these paths.
    pub(crate) fn act_on(&mut self, effect: EffectClass, why: &str, paths: &[String]) {
        self.changes.is_rough = true;
        self.effects.insert(effect);
        self.asked.insert(effect);
        self.raise(Decision::Confirm, why);
        for path in paths {
            if self.changes.paths.len() >= MAX_TARGETS {
                self.changes.and_more = true;
            } else if !self.changes.paths.contains(path) {
                self.changes.paths.push(path.clone());
            }
        }
    }

    /// The same, on these paths where they are known, of what puts nothing in the place of another file.
    pub(crate) fn act_sparing(&mut self, effect: EffectClass, why: &str, paths: Option<&[String]>) {
        let is_rough = self.changes.is_rough;
        match paths {
            Some(paths) => self.act_on(effect, why, paths),
            None => self.act(effect, why),
        }
        self.changes.is_rough = is_rough;
    }

    /// Something that it touches.
    pub(crate) fn touch(&mut self, target: String) {
        if self.targets.contains(&target) {
            return;
        }
        if self.targets.len() < MAX_TARGETS {
            self.targets.push(target);
        } else {
            self.confirm(&format!("it touches more than the {MAX_TARGETS} paths that can be shown"));
        }
    }

    /// Remembers whether the text names artoo itself, and not only its workspace.
    pub(crate) fn note_artoo(&mut self, text: &str) {
        self.names_artoo |= text.to_lowercase().replace("artoo_workspace", "").contains("artoo");
    }

    /// The folders of which it may read anything: those that it reads as a whole, and where it works if nobody can tell
    /// before it runs which files it reads.
    pub(crate) fn read_folders(&self, paths: &PathRules) -> BTreeSet<String> {
        let mut folders = self.history.folders.clone();
        let is_known = self.decision == Decision::Safe && self.brings == self.history.brought;
        if !is_known || self.history.reads_listed {
            folders.insert(paths.working_directory.clone());
        }
        if self.history.reads_listed {
            folders.extend(self.operands.iter().filter(|path| Path::new(path).is_dir()).cloned());
        }
        if self.brings != self.history.brought {
            folders.insert(paths.workspace.clone());
        }
        folders
    }

    /// Whether it picks files by a name that keeps secrets, and reads what it finds. Where none is in the folders that it reads,
    /// nothing is found.
    pub(crate) fn settle_sought(&mut self, paths: &PathRules) {
        if !self.history.reads_listed && self.history.folders.is_empty() {
            return;
        }
        let first = |names: &BTreeSet<String>| names.iter().find(|name| is_secret_pattern(name)).cloned();
        let are_there = || origin::of_folders(paths, &self.read_folders(paths)).private;
        let sought = first(&self.history.sought).filter(|_| are_there());
        if let Some(name) = sought.or_else(|| first(&self.history.sought_in_history)) {
            self.reveal(RevealedText::Secrets);
            self.act(
                EffectClass::Read,
                &format!("it would read the files called {name}, which keep secrets"),
            );
        }
    }

    /// What it makes, each without what it makes within it, and what it changes.
    fn changed(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        for path in self.history.creations.iter().map(|creation| &creation.path).chain(&self.changes.paths) {
            if !paths.iter().any(|outer| is_below(path, outer)) {
                paths.push(path.clone());
            }
        }
        paths
    }

    /// All of it, as it is told of this command.
    pub(crate) fn into_explanation(mut self, command: &str, folder: &str) -> Explanation {
        if self.decision == Decision::Safe {
            if self.history.creations.is_empty() || !self.programs.is_empty() {
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
        let is_live = self.programs.iter().any(|seen| seen.is_live)
            || self.effects.iter().any(|effect| matches!(effect, EffectClass::Send | EffectClass::System));
        let mut looks_at: Vec<String> = self.operands.iter().cloned().collect();
        if looks_at.is_empty() || self.decision != Decision::Safe {
            looks_at.push(folder.to_owned());
        }
        let looks_at = (!is_live).then_some(looks_at);
        let changes = (!self.changes.and_more).then(|| self.changed());
        let sparing = match (self.changes.is_rough, self.programs.iter().any(|seen| seen.has(MOVES))) {
            (true, _) => None,
            (false, true) => Some(SparingAct::Moves),
            (false, false) => Some(SparingAct::Copies),
        };
        let may_be_boxed = self.decision == Decision::Confirm
            && self.reveals < RevealedText::Secrets
            && !self.changes.is_too_much;
        Explanation {
            decision: self.decision,
            effects: self.effects.into_iter().collect(),
            targets: self.targets,
            creates: self.history.creations,
            changes,
            why: self.why,
            classes,
            blame,
            target,
            looks_at,
            brings: self.brings,
            brought: self.history.brought,
            folders_bring: Taint::NONE,
            names: self.history.named.into_iter().collect(),
            leeway: Leeway {
                asked: if may_be_boxed { self.asked.into_iter().collect() } else { Vec::new() },
                sparing: sparing.filter(|_| may_be_boxed && !self.is_unread),
                is_elsewhere: self.changes.is_elsewhere,
                modes: self.changes.modes,
            },
        }
    }
}
