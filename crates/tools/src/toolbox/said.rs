//! What a person has said that bears on a call, and what the task made itself: a change that they denied is not reached by a way
//! that nobody is asked about; a file that the request asks to change may be changed, files may be moved where it asks for
//! that, and what the task made and nobody else has changed is the task's to change.

use artoo_gate::paths::{PathAccess, PathRules, canonical, canonical_entry};
use artoo_types::evidence::EffectClass;
use artoo_types::setting::ProjectMode;
use artoo_types::target::is_below;
use artoo_types::tool::{PersonsWord, ToolCall};

use crate::files::own::OwnFiles;
use crate::tool::{CallFacts, Judgement, Permission, Reach};

/// Why a person is asked although such a change runs unasked elsewhere. The task answers it: it knows what was denied.
const DENIED: &str =
    "a change or a deletion of it was asked about before in this task, and nobody allowed it";

/// Judges a call by what was said before, and by what the task made.
pub(super) fn heed(
    call: &ToolCall,
    reach: Reach<'_>,
    judgement: &mut Judgement,
    places: &PathRules,
    own: &OwnFiles,
) {
    let word = &call.word;
    let is_calm = judgement.facts.cautioned(&call.blocked, &call.tool).is_none();
    let said = CallGrounds { word, places, own, strangers: call.taint.untrusted };
    match reach {
        Reach::Command => {
            if is_calm {
                said.free_command(call, judgement);
            }
            if let Some(project) = &mut judgement.facts.project {
                // Nobody knows beforehand what a program in a box changes; what was denied is put back after it.
                project.denied =
                    word.denied.iter().filter(|path| is_below(path, &project.root)).cloned().collect();
            }
        }
        Reach::Writes if judgement.facts.replaces() => said.heed_writing(judgement),
        Reach::Writes | Reach::Reads | Reach::Sends(_) | Reach::FullPower | Reach::Server(_) => {}
    }
}

/// What bears on one call.
pub(super) struct CallGrounds<'a> {
    pub(super) word: &'a PersonsWord,
    pub(super) places: &'a PathRules,
    pub(super) own: &'a OwnFiles,
    /// The task has taken in text that strangers may have written.
    pub(super) strangers: bool,
}

impl CallGrounds<'_> {
    /// A call that writes files: what is denied of one holds for all of it, and each must be free.
    fn heed_writing(&self, judgement: &mut Judgement) {
        let facts = &judgement.facts;
        let changed = facts.changes.clone().filter(|changed| !changed.is_empty());
        let targets = changed.unwrap_or_else(|| vec![facts.target.clone()]);
        if let Some(target) = targets.iter().find(|target| self.is_denied(target)) {
            if judgement.permission == Permission::Free {
                judgement.permission = Permission::ask(facts.effect, target, DENIED);
            }
            return;
        }
        let is_edit =
            facts.effect == EffectClass::Overwrite && self.places.unasked.project == ProjectMode::Work;
        let is_asked = matches!(judgement.permission, Permission::Ask { .. });
        let is_ours = |target: &String| {
            let is_meant =
                self.is_named(target) || self.own.holds(target) || self.places.is_project_file(target);
            self.is_open(target) && is_meant || self.is_told(target)
        };
        if is_edit && is_asked && targets.iter().all(is_ours) {
            judgement.permission = Permission::Free;
        }
    }

    /// A command that a person would be asked about, or that runs in a box and lacks what it may have there.
    fn free_command(&self, call: &ToolCall, judgement: &mut Judgement) {
        let is_freed = match &judgement.permission {
            Permission::Ask { effects, targets, .. } => self.frees_command(judgement, effects, targets),
            Permission::Free | Permission::Refuse(_) => false,
        };
        let is_asked = matches!(judgement.permission, Permission::Ask { .. });
        if is_freed {
            judgement.permission = Permission::Free;
        } else if is_asked
            && self.word.moves
            && let Some(moving) = judgement.moving.take()
        {
            (judgement.facts, judgement.confinement) = *moving;
            judgement.permission = Permission::Free;
        } else {
            self.open_folder(call, judgement);
        }
    }

    /// Outside of a project, where a box does that: whether a command, of which a person would be asked, changes exactly what is told of it, in bounds that the system
    /// keeps, and all of that is the task's own, or named by the request and not deleted, or not there yet.
    fn frees_command(&self, judgement: &Judgement, effects: &[EffectClass], targets: &[String]) -> bool {
        use EffectClass::{Create, Delete, Overwrite};
        let CallFacts { changes, project, .. } = &judgement.facts;
        let Some(changes) = changes.as_ref().filter(|changes| !changes.is_empty()) else { return false };
        let deletes = effects.contains(&Delete);
        let is_free = |path: &String| {
            let place = canonical_entry(path);
            let is_ours = match std::fs::symlink_metadata(&place) {
                Err(_) => !place.rsplit('/').next().unwrap_or_default().starts_with('.'),
                Ok(meta) => self.own.holds(&place) || meta.is_file() && !deletes && self.is_named(&place),
            };
            is_ours && self.is_open(path) && !self.is_denied(path)
        };
        self.places.unasked.project == ProjectMode::Work
            && self.places.project().is_none()
            && project.is_none()
            && judgement.confinement.is_confined()
            && !effects.is_empty()
            && effects.iter().all(|effect| matches!(effect, Create | Overwrite | Delete))
            && targets.iter().all(|target| self.places.in_roots(&canonical(target)))
            && changes.iter().all(is_free)
    }

    /// Whether an edit may reach a file here that tools execute by convention: the request names it, or the project is built by it,
    /// and nothing that strangers wrote is in the task.
    fn is_told(&self, target: &str) -> bool {
        let is_hidden = target.rsplit('/').next().is_none_or(|name| name.starts_with('.'));
        let is_meant = self.is_named(target) || self.places.is_build_file(target);
        is_meant && !is_hidden && !self.strangers && self.places.writing(target) == PathAccess::Free
    }

    pub(super) fn is_denied(&self, target: &str) -> bool {
        let forms = [target.to_owned(), canonical_entry(target), canonical(target)];
        let overlaps =
            |denied: &String| forms.iter().any(|form| is_below(form, denied) || is_below(denied, form));
        self.word.denied.iter().any(overlaps)
    }

    pub(super) fn is_named(&self, target: &str) -> bool {
        self.word.named.iter().any(|name| canonical(&self.places.path(name)) == canonical(target))
    }

    /// Whether a file here may be written by this process, and nothing executes it by convention but what the task made.
    pub(super) fn is_open(&self, target: &str) -> bool {
        let runs = || self.places.is_run_by_convention(target) && !self.own.holds(target);
        self.places.writing(target) == PathAccess::Free && !runs()
    }
}
