//! How far a person's word reaches: a no to everything that would come to the same, a yes to no more than its kind.

use std::collections::BTreeSet;

use artoo_types::evidence::EffectClass;
use artoo_types::machine::HeldCall;
use artoo_types::target::is_below;
use artoo_types::undo::{TargetKind, TargetState};

/// An action that a person, or the absence of one, denied.
#[derive(Debug, Clone)]
pub(crate) struct DeniedAction {
    effects: Vec<EffectClass>,
    targets: Vec<TargetSpellings>,
    target: String,
}

/// The spellings of one target: as it was named, with the links of its folder resolved, and where it leads.
#[derive(Debug, Clone)]
struct TargetSpellings([String; 3]);

impl DeniedAction {
    /// What this denial is about.
    pub(crate) fn of(held: &HeldCall) -> Self {
        Self { effects: held.effects.clone(), targets: forms(held), target: held.target.clone() }
    }

    /// Whether all that it would have done was known.
    pub(crate) fn is_known(&self) -> bool {
        !self.effects.contains(&EffectClass::Unknown)
    }

    /// The paths that were to be changed or deleted, in every spelling; none of an action that changes no file.
    pub(crate) fn changed_places(&self) -> impl Iterator<Item = &str> {
        let changes =
            self.effects.iter().any(|effect| matches!(effect, EffectClass::Overwrite | EffectClass::Delete));
        let forms = self.targets.iter().filter(move |_| changes).flat_map(|forms| &forms.0);
        forms.map(String::as_str).filter(|path| path.starts_with('/'))
    }

    /// Whether `later` would come to what was denied, by whatever tool and spelling: it has an effect at least as strong on
    /// a target that was denied, that holds a denied one or lies in one; or what it does cannot be told, and it names one.
    pub(crate) fn reaches(&self, later: &HeldCall) -> bool {
        let is_as_strong = later.effects.iter().any(|l| self.effects.iter().any(|d| is_as_strong(*l, *d)));
        if !is_as_strong {
            return false;
        }
        let targets = forms(later);
        if self.targets.is_empty() {
            return targets.is_empty() && self.target == later.target;
        }
        let is_hit = self.targets.iter().any(|denied| targets.iter().any(|target| denied.overlaps(target)));
        is_hit || later.effects.contains(&EffectClass::Unknown) && self.is_named_in(&later.action)
    }

    /// Whether a text names one of the targets by its last part.
    fn is_named_in(&self, action: &str) -> bool {
        self.targets.iter().any(|forms| forms.is_named_in(action))
    }
}

impl TargetSpellings {
    /// Whether a text names it by its last part.
    fn is_named_in(&self, action: &str) -> bool {
        self.0.iter().any(|path| {
            let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            !name.is_empty() && names(action, name)
        })
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.0.iter().any(|one| other.0.iter().any(|two| is_within(one, two) || is_within(two, one)))
    }
}

/// A kind of action that a person approved for the rest of the task: the same programs with the same effects, on the same
/// kind of files right in the same folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActionKind {
    tool: String,
    classes: BTreeSet<String>,
    effects: BTreeSet<EffectClass>,
    places: BTreeSet<(String, TargetKind, String)>,
    can_be_undone: bool,
}

impl ActionKind {
    /// The kind of a call; none when it has none: its effects or targets are not known well enough, or they are such that
    /// each has to be asked about.
    pub(crate) fn of(held: &HeldCall) -> Option<Self> {
        let effects: BTreeSet<EffectClass> = held.effects.iter().copied().collect();
        let is_clear = !effects.is_empty() && effects.iter().all(|effect| may_be_remembered(*effect));
        if !is_clear || held.targets.is_empty() || held.states.len() != held.targets.len() {
            return None;
        }
        let reads = effects.contains(&EffectClass::Read);
        let places: Option<BTreeSet<_>> = held.states.iter().map(|state| place(state, reads)).collect();
        Some(Self {
            tool: held.tool.clone(),
            classes: held.classes.iter().cloned().collect(),
            effects,
            places: places?,
            can_be_undone: held.undo.is_possible(),
        })
    }

    /// Whether all that it touches lies below these folders, links being none of it.
    pub(crate) fn is_within(&self, roots: &[String]) -> bool {
        let is_inside = |folder: &str| roots.iter().any(|root| is_below(folder, root));
        self.places.iter().all(|(folder, kind, _)| *kind != TargetKind::Link && is_inside(folder))
    }

    /// Whether the yes to this kind covers `later`. It never covers what can no longer be undone.
    pub(crate) fn covers(&self, later: &Self) -> bool {
        self.tool == later.tool
            && self.classes == later.classes
            && self.effects == later.effects
            && later.places.is_subset(&self.places)
            && (later.can_be_undone || !self.can_be_undone)
    }
}

/// Whether `later` does at least what was denied: to a person a file is gone when it is overwritten as much as when it is
/// deleted, and what is sent was read.
fn is_as_strong(later: EffectClass, denied: EffectClass) -> bool {
    use EffectClass::{Create, Delete, Overwrite, Read, Send, System, Unknown};
    match later {
        Unknown | System => true,
        Overwrite | Delete => matches!(denied, Read | Create | Overwrite | Delete),
        Send => matches!(denied, Read | Send),
        Create => denied == Create,
        Read => denied == Read,
    }
}

fn may_be_remembered(effect: EffectClass) -> bool {
    match effect {
        EffectClass::Read | EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete => true,
        EffectClass::Send | EffectClass::System | EffectClass::Unknown => false,
    }
}

/// The class of a target: its folder, what it is, and the ending of its name. Files without an ending, hidden files,
/// folders and links are a class of their own, and so is every file whose content is secret.
fn place(state: &TargetState, reads: bool) -> Option<(String, TargetKind, String)> {
    let (folder, name) = state.real.rsplit_once('/')?;
    let ending = match (state.kind, name.rsplit_once('.')) {
        (TargetKind::Other, _) => return None,
        (TargetKind::File | TargetKind::Absent, Some((stem, ending))) if !stem.is_empty() && !reads => ending,
        (TargetKind::File | TargetKind::Absent | TargetKind::Folder | TargetKind::Link, _) => name,
    };
    Some((folder.to_owned(), state.kind, ending.to_owned()))
}

/// The targets in their spellings. Of an action that is not known in full only those that it names: the folder that it runs in
/// stands for what nobody can tell, and is no word about everything in it.
fn forms(held: &HeldCall) -> Vec<TargetSpellings> {
    let is_unclear = held.effects.contains(&EffectClass::Unknown);
    let form = |(index, target): (usize, &String)| {
        let state = held.states.get(index);
        let or_target = |path: Option<&String>| path.unwrap_or(target).clone();
        TargetSpellings([
            target.clone(),
            or_target(state.map(|s| &s.real)),
            or_target(state.map(|s| &s.leads_to)),
        ])
    };
    let all = held.targets.iter().enumerate().map(form);
    all.filter(|forms| !is_unclear || forms.is_named_in(&held.action)).collect()
}

/// Whether `path` is `root` or lies below it. What is no path is compared as it is.
fn is_within(path: &str, root: &str) -> bool {
    if root.starts_with('/') { is_below(path, root) } else { path == root }
}

/// Whether `name` stands in the text as a word of its own. A dot goes on with a name where a letter or digit is on its other
/// side: `x.txt` does not stand in `x.txt.gz`.
fn names(text: &str, name: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let goes_on = |mut chars: Box<dyn Iterator<Item = char> + '_>| match chars.next() {
        Some('.') => chars.next().is_some_and(char::is_alphanumeric),
        next => next.is_some_and(is_inside),
    };
    text.match_indices(name).any(|(at, _)| {
        let after = text[at + name.len()..].chars();
        !goes_on(Box::new(text[..at].chars().rev())) && !goes_on(Box::new(after))
    })
}

#[cfg(test)]
mod tests;
