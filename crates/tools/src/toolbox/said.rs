//! What a person has said that bears on a call: a change that they denied is not reached by a way that nobody is asked about,
//! and a file that the request asks to change may be changed.

use artoo_gate::paths::{PathAccess, PathRules, canonical, canonical_entry};
use artoo_types::evidence::EffectClass;
use artoo_types::setting::ProjectMode;
use artoo_types::target::is_below;
use artoo_types::tool::PersonsWord;

use crate::tool::{Judgement, Permission, Reach};

/// Why a person is asked although such a change runs unasked elsewhere. The task answers it: it knows what was denied.
const DENIED: &str = "a change or a deletion of it was denied before in this task";

/// Judges a call by what was said before.
pub(super) fn heed(word: &PersonsWord, reach: Reach<'_>, judgement: &mut Judgement, places: &PathRules) {
    let facts = &mut judgement.facts;
    if let Some(project) = &mut facts.project {
        // Nobody knows beforehand what a program in a box changes; what was denied is put back after it.
        project.denied = word.denied.iter().filter(|path| is_below(path, &project.root)).cloned().collect();
        return;
    }
    if reach != Reach::Writes || !facts.replaces() {
        return;
    }
    // A call may write several files: what is denied of one holds for all of it, and each must be named.
    let changed = facts.changes.clone().filter(|changed| !changed.is_empty());
    let targets = changed.unwrap_or_else(|| vec![facts.target.clone()]);
    let is_denied = |target: &&String| {
        let forms = [(*target).clone(), canonical_entry(target), canonical(target)];
        let overlaps =
            |denied: &String| forms.iter().any(|form| is_below(form, denied) || is_below(denied, form));
        word.denied.iter().any(overlaps)
    };
    if let Some(target) = targets.iter().find(is_denied) {
        if judgement.permission == Permission::Free {
            judgement.permission = Permission::ask(facts.effect, target, DENIED);
        }
        return;
    }
    let is_named =
        |target: &String| word.named.iter().any(|name| canonical(&places.path(name)) == canonical(target));
    let is_plain =
        |target: &String| places.writing(target) == PathAccess::Free && !places.is_run_by_convention(target);
    let is_edit = facts.effect == EffectClass::Overwrite && places.project == ProjectMode::Work;
    let is_asked = matches!(judgement.permission, Permission::Ask { .. });
    if is_edit && is_asked && targets.iter().all(|target| is_plain(target) && is_named(target)) {
        judgement.permission = Permission::Free;
    }
}
