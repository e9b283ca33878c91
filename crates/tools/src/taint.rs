//! What a call brings into its task, and what a task that holds both text of strangers and private data must ask about.
//!
//! A call is judged by what it may bring before it runs: private is what lies outside the workspace and the working
//! directory, file names included; untrusted is what comes from the network, from programs that act as the person, and
//! from downloaded files. A command that is not understood may bring both.

use std::sync::{Arc, Mutex, PoisonError};

use artoo_gate::origin::{ORIGIN, of_path};
use artoo_gate::places::{Places, canonical};
use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;

use crate::action::Action;
use crate::judge::Gate;
use crate::toolbox::CallFacts;

/// Why a person is asked although the call by itself would run.
const BOTH_KINDS: &str = "this task has read text that a stranger may have written, and private data outside the workspace \
                          and the working directory; whatever leaves the machine or the workspace now could carry that data";

/// What this call may bring. A shell command is judged by the gate, which reads its text.
pub(crate) fn brings(action: &Action, facts: &CallFacts, places: &Places) -> Taint {
    match action {
        Action::FindFiles(a) => {
            let names = of_path(places, &places.path(a.root.as_deref().unwrap_or("~")));
            Taint { untrusted: false, ..names }
        }
        Action::Glob(a) => {
            let (root, _) = crate::tool::glob::split(&a.root, &a.pattern);
            Taint { untrusted: false, ..of_path(places, &places.path(&root)) }
        }
        Action::ReadFile(_) | Action::EditFile(_) => of_path(places, &facts.target),
        // It tells what it wrote; an earlier output is in the task already.
        Action::WriteFile(_) | Action::ReadOutput(_) => Taint::NONE,
        Action::FetchUrl(_) | Action::Search(_) => Taint::UNTRUSTED,
        Action::AppleScript(_) | Action::Shortcut(_) => Taint::BOTH,
        Action::Shell(_) | Action::Mcp(_) => facts.brings,
    }
}

/// The verdict on a call of a task that holds this, the call's own part included.
pub(crate) fn gate(
    action: &Action,
    facts: &mut CallFacts,
    gate: Gate,
    taint: Taint,
    places: &Places,
) -> Gate {
    if !taint.is_both() {
        return gate;
    }
    match gate {
        Gate::Free => match passes_on(action, facts, places) {
            None => Gate::Free,
            Some(effect) => {
                facts.effect = effect;
                let targets = vec![facts.target.clone()];
                Gate::Ask { effects: vec![effect], targets, why: vec![BOTH_KINDS.to_owned()] }
            }
        },
        Gate::Ask { effects, targets, mut why } => {
            if effects.iter().any(|effect| *effect > EffectClass::Read) {
                why.push(BOTH_KINDS.to_owned());
            }
            Gate::Ask { effects, targets, why }
        }
        Gate::Refuse(reason) => Gate::Refuse(reason),
    }
}

/// How this call, which may run by itself, would carry data out of the workspace; none when it does not.
fn passes_on(action: &Action, facts: &CallFacts, places: &Places) -> Option<EffectClass> {
    let writes = |path: &str| {
        let inside =
            is_below(path, &places.workspace) && is_below(&canonical(path), &canonical(&places.workspace));
        (!inside).then_some(facts.effect)
    };
    match action {
        Action::FindFiles(_) | Action::Glob(_) | Action::ReadFile(_) | Action::ReadOutput(_) => None,
        Action::WriteFile(_) | Action::EditFile(_) => writes(&facts.target),
        Action::FetchUrl(_) | Action::Search(_) => Some(EffectClass::Send),
        // What a server gets may leave the machine with it, also when its tool only reads.
        Action::Mcp(_) => Some(facts.effect.max(EffectClass::Send)),
        Action::AppleScript(_) | Action::Shortcut(_) => Some(facts.effect),
        // Where it writes is known to the gate alone; a command that only reads has no network.
        Action::Shell(_) => (facts.effect > EffectClass::Read).then_some(facts.effect),
    }
}

/// Marks a file that a task with text of strangers wrote, so that a later task that reads it takes that in as well.
/// Best effort: some file systems have no attributes.
pub(crate) fn mark_origin(path: &str) {
    let value = if cfg!(target_os = "macos") { "0081;00000000;artoo;" } else { "artoo:untrusted" };
    // Without the attribute the file is what the person's own files are.
    let _ = rustix::fs::setxattr(path, ORIGIN, value.as_bytes(), rustix::fs::XattrFlags::empty());
}

/// What the calls of one task have brought so far, those that are under way included: of two calls at once that must
/// not mix, the later one sees the earlier. It outlives no restart; the task itself keeps what receipts brought.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flow(Arc<Mutex<Sums>>);

#[derive(Debug, Default)]
struct Sums {
    settled: Taint,
    untrusted: usize,
    private: usize,
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct UnderWay {
    flow: Flow,
    brings: Taint,
}

impl Flow {
    /// A call begins. It counts as having brought what it may bring until it settles or is dropped.
    pub(crate) fn enter(&self, brings: Taint) -> UnderWay {
        self.change(|sums| {
            sums.untrusted += usize::from(brings.untrusted);
            sums.private += usize::from(brings.private);
        });
        UnderWay { flow: self.clone(), brings }
    }

    /// What there is so far.
    pub(crate) fn so_far(&self) -> Taint {
        let sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sums.settled | Taint { untrusted: sums.untrusted > 0, private: sums.private > 0 }
    }

    fn change(&self, how: impl FnOnce(&mut Sums)) {
        how(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl UnderWay {
    /// The call has ended and brought this.
    pub(crate) fn settle(self, brought: Taint) {
        self.flow.change(|sums| sums.settled |= brought);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let brings = self.brings;
        self.flow.change(|sums| {
            sums.untrusted -= usize::from(brings.untrusted);
            sums.private -= usize::from(brings.private);
        });
    }
}

#[cfg(test)]
pub(crate) mod tests;
