//! Which commands run unasked in a box although not all of them is understood: the system keeps what they may do, so that
//! nobody has to believe them.
//!
//! A box has no network, no secrets and no full power. Outside of a project it changes nothing but the new files that the gate
//! found; in a project it changes the project's files, which are kept before. What a command plainly says that it would
//! delete, send or do to the machine is asked about as ever: a box is for what nobody can tell, and for changes that can
//! be taken back.

use artoo_types::evidence::EffectClass;
use artoo_types::setting::ProjectMode;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;

use crate::paths::{PathAccess, PathRules, canonical, canonical_entry};
use crate::{Creation, CreationKind, Explanation, ModeOrder, origin};

/// What a command does that puts nothing in the place of another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SparingAct {
    /// It makes copies under free names.
    Copies,
    /// It puts files under free names, from where they are gone then.
    Moves,
}

/// What speaks for a box in the place of a question about a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leeway {
    /// The effects that a person is asked about, where a box could do in place of the question; empty otherwise.
    pub asked: Vec<EffectClass>,
    /// What it does at most that a person is asked about, where it puts nothing in the place of another file; None where it
    /// may, or a box could not do in place of the question.
    pub sparing: Option<SparingAct>,
    /// Whether it goes to a folder that is known only when it runs: what it names from there may be elsewhere.
    pub is_elsewhere: bool,
    /// The files whose modes it sets.
    pub modes: Vec<ModeOrder>,
}

/// The class of the program that makes a temporary folder.
const MAKES_SCRATCH: &str = "shell:mktemp";

/// The box that a command runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandBox {
    /// It reads, and makes the new files that were found beforehand.
    Reading,
    /// It changes what is in the project with this folder.
    Project(String),
}

impl Explanation {
    /// The box in which this command may run unasked; None if it needs none, or a person's word.
    pub fn boxed(&self, paths: &PathRules) -> Option<CommandBox> {
        if paths.unasked.project == ProjectMode::Ask || self.leeway.asked.is_empty() {
            return None;
        }
        match paths.project() {
            Some(root) => self.fits_project(paths, &root).then_some(CommandBox::Project(root)),
            None if !self.creates.iter().all(|new| is_free(new, paths)) => None,
            None if self.only_reads() || self.works_in_scratch(paths) => Some(CommandBox::Reading),
            None => match (self.leeway.sparing, self.spared_folder(paths)) {
                (Some(SparingAct::Copies), Some(folder)) => Some(CommandBox::Project(folder)),
                (Some(SparingAct::Copies | SparingAct::Moves) | None, _) => None,
            },
        }
    }

    /// The folder in which this command puts nothing in the place of another file, where that is no project: what is in it is
    /// kept before and can be put back, as in a project. None where it may do more, or where no folder of files is worked in.
    pub fn spared_folder(&self, paths: &PathRules) -> Option<String> {
        let folder = paths.plain_folder().filter(|_| self.leeway.sparing.is_some())?;
        self.fits_project(paths, &folder).then_some(folder)
    }

    /// What a command of which not all is understood says that it changes in a folder of files that is no project: all of it
    /// runs in a box in which this can be changed, where all of this is the task's own or the request's. None where it says
    /// that it does more, or where no folder of files is worked in.
    pub fn told_in_folder(&self, paths: &PathRules) -> Option<Vec<String>> {
        use EffectClass::{Create, Delete, Overwrite, Read, Unknown};
        let folder = paths.plain_folder()?;
        let asked = &self.leeway.asked;
        let fits = asked.iter().all(|effect| matches!(effect, Read | Create | Overwrite | Delete | Unknown))
            && self.creates.iter().all(|new| {
                let is_told = || self.targets.contains(&new.path) && !paths.runs_later(&new.path);
                is_plain(&new.kind) && (is_free(new, paths) || is_told())
            })
            && !paths.hidden().iter().any(|secret| is_below(secret, &folder));
        let told = self.targets.iter().filter(|target| **target != paths.working_directory);
        (fits && !asked.is_empty()).then(|| told.cloned().collect())
    }

    /// What the command brings into its task when it runs in a box. Without the network nothing comes but from this machine:
    /// what a program that is not understood reads there may be private.
    pub fn brings_in_box(&self, paths: &PathRules) -> Taint {
        let named = self.targets.iter().filter(|target| target.starts_with('/'));
        let named = named.fold(Taint::NONE, |sum, target| sum | origin::of_path(paths, target));
        let is_known = self.brings == self.brought && !self.leeway.asked.contains(&EffectClass::Unknown);
        let unknown = if is_known { Taint::NONE } else { Taint::PRIVATE };
        unknown | self.brought | self.folders_bring | named
    }

    /// Whether all that a person would be asked about is reading, or not known: nothing that is meant to change anything.
    fn only_reads(&self) -> bool {
        self.leeway.asked.iter().all(|effect| matches!(effect, EffectClass::Read | EffectClass::Unknown))
            && self.creates.iter().all(|new| is_plain(&new.kind))
    }

    /// Whether it works in a temporary folder of its own, and nothing is told that it would change elsewhere: in its box it
    /// cannot.
    fn works_in_scratch(&self, paths: &PathRules) -> bool {
        use EffectClass::{Create, Delete, Overwrite, Read, Unknown};
        let is_untold = |target: &String| {
            *target == paths.working_directory
                || self.leeway.is_elsewhere && is_below(target, &paths.working_directory)
                || self.creates.iter().any(|new| new.path == canonical_entry(target))
        };
        self.classes.iter().any(|class| class == MAKES_SCRATCH)
            && self
                .leeway
                .asked
                .iter()
                .all(|effect| matches!(effect, Read | Create | Overwrite | Delete | Unknown))
            && self.creates.iter().all(|new| new.kind == CreationKind::File)
            && self.targets.iter().all(is_untold)
    }

    /// Whether what it would change, as far as that is told, is the project's and nothing that runs later.
    fn fits_project(&self, paths: &PathRules, root: &str) -> bool {
        use EffectClass::{Create, Overwrite, Read, Unknown};
        if !self.leeway.asked.iter().all(|effect| matches!(effect, Read | Create | Overwrite | Unknown)) {
            return false;
        }
        if paths.hidden().iter().any(|secret| is_below(secret, root)) {
            return false;
        }
        let is_inside = |path: &String| {
            [canonical_entry(path), canonical(path)]
                .iter()
                .all(|real| is_below(real, root) && !paths.is_guarded_in(root, real))
        };
        let creates_fit = self.creates.iter().all(|new| {
            is_inside(&new.path)
                || new.kind == CreationKind::Index
                || new.kind == CreationKind::File && is_free(new, paths)
        });
        let changes = self.leeway.asked.contains(&Create) || self.leeway.asked.contains(&Overwrite);
        creates_fit && (!changes || self.targets.iter().all(is_inside))
    }
}

/// Whether this entry may be made unasked where it is made: what a box is given is made outside of the box, whatever the rest of
/// the command is. Its path has no links, and none is followed when it is made, so that this holds until then; the paths that
/// the command names may lead elsewhere by now.
fn is_free(new: &Creation, paths: &PathRules) -> bool {
    new.kind == CreationKind::Index || paths.writing(&new.path) == PathAccess::Free
}

/// Whether it is a file or a folder, and no other name of something.
fn is_plain(kind: &CreationKind) -> bool {
    matches!(kind, CreationKind::File | CreationKind::Folder | CreationKind::OwnFolder)
}
