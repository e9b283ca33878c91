//! What a call brings into its task, and what a task that holds both text of strangers and private data must ask about.
//!
//! A call is judged by what it may bring before it runs: private is what lies outside the workspace and the working
//! directory, file names included; untrusted is what comes from the network, from programs that act as the person, and
//! from downloaded files. A command that is not understood may bring both.
//!
//! Taint is told by each receipt, folded into the task, inherited by results, memories and later turns, and carried by each call to
//! its judgement. Calls that run at once count as having brought what they may bring. Not promised: that data is recognised; a
//! task without private reading may search for anything but a known secret.

use std::sync::Arc;

use artoo_gate::origin::ORIGIN;
use artoo_gate::paths::PathRules;
use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;
use parking_lot::Mutex;

use crate::tool::{Judgement, Permission, Reach};

/// Why a person is asked although the call by itself would run.
const READ_BOTH: &str = "this task has taken in text that strangers may have written, and it has read private data outside the \
                         workspace and the working directory; whatever leaves the machine or the workspace now could carry \
                         that data";
/// The same where nobody knows what was read.
const MAY_HOLD_BOTH: &str = "this task has taken in text that strangers may have written, and it ran programs that could read \
                             private data outside the workspace and the working directory; nobody knows whether they did, \
                             and whatever leaves the machine or the workspace now could carry that data";
/// The same where the call itself would make it so.
const WOULD_HOLD_BOTH: &str = "with this call the task may hold text that strangers have written and private data outside the \
                               workspace and the working directory; whatever leaves the machine or the workspace could then \
                               carry that data";

/// Judges a call of a task that holds this, the call's own part not included: what would run by itself and carry data out
/// of the workspace is asked about.
pub(crate) fn guard(reach: Reach<'_>, judgement: &mut Judgement, holds: Taint, places: &PathRules) {
    let brings = judgement.facts.brings;
    if !(holds | brings).is_both() {
        return;
    }
    let why_both = match holds.is_both() {
        true if holds.private_read => READ_BOTH,
        true => MAY_HOLD_BOTH,
        false => WOULD_HOLD_BOTH,
    };
    match &mut judgement.permission {
        Permission::Free => {
            if let Some(effect) = reach.carries_out(&judgement.facts, places) {
                judgement.facts.effect = effect;
                judgement.permission = Permission::ask(effect, &judgement.facts.target, why_both);
            }
        }
        Permission::Ask { effects, why, .. } => {
            // What is asked about anyway is told only what did happen.
            if holds.is_both() && effects.iter().any(|effect| *effect > EffectClass::Read) {
                why.push(why_both.to_owned());
            }
        }
        Permission::Refuse(_) => {}
    }
}

/// Marks a file that came from strangers, made by a task with their text or edited and marked before, so that a later task that reads it takes that in as well.
/// Best effort: some file systems have no attributes.
pub(crate) fn mark_origin(path: &str) {
    let value = if cfg!(target_os = "macos") { "0081;00000000;artoo;" } else { "artoo:untrusted" };
    // Without the attribute the file is what the person's own files are.
    let _ = rustix::fs::setxattr(path, ORIGIN, value.as_bytes(), rustix::fs::XattrFlags::empty());
}

/// What the calls of one task have brought so far, those that are under way included: of two calls at once that must
/// not mix, the later one sees the earlier. It outlives no restart; the task itself keeps what receipts brought.
#[derive(Debug, Clone, Default)]
pub(crate) struct TaintFlow(Arc<Mutex<TaintSums>>);

#[derive(Debug, Default)]
struct TaintSums {
    settled: Taint,
    untrusted: usize,
    private: usize,
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct CallUnderWay {
    flow: TaintFlow,
    brings: Taint,
}

impl TaintFlow {
    /// A call begins. It counts as having brought what it may bring until it settles or is dropped.
    pub(crate) fn enter(&self, brings: Taint) -> CallUnderWay {
        self.change(|sums| {
            sums.untrusted += usize::from(brings.untrusted);
            sums.private += usize::from(brings.private);
        });
        CallUnderWay { flow: self.clone(), brings }
    }

    /// What there is so far.
    pub(crate) fn so_far(&self) -> Taint {
        let sums = self.0.lock();
        sums.settled | Taint { untrusted: sums.untrusted > 0, private: sums.private > 0, ..Taint::NONE }
    }

    fn change(&self, how: impl FnOnce(&mut TaintSums)) {
        how(&mut self.0.lock());
    }
}

impl CallUnderWay {
    /// The call has ended and brought this.
    pub(crate) fn settle(self, brought: Taint) {
        self.flow.change(|sums| sums.settled |= brought);
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        let brings = self.brings;
        self.flow.change(|sums| {
            sums.untrusted -= usize::from(brings.untrusted);
            sums.private -= usize::from(brings.private);
        });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use artoo_gate::origin::has_origin;
    use artoo_gate::paths::PathRules;
    use artoo_types::taint::Taint;

    use super::{ORIGIN, TaintFlow, mark_origin};
    use artoo_gate::origin::of_path;

    /// Whether files in this folder can say where they come from, tried with one that goes again.
    pub(crate) fn keeps_origins(folder: &std::path::Path) -> bool {
        let probe = tempfile::NamedTempFile::new_in(folder).unwrap();
        rustix::fs::setxattr(probe.path(), ORIGIN, b"probe", rustix::fs::XattrFlags::empty()).is_ok()
    }

    #[test]
    fn a_file_says_itself_that_it_came_from_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
        let file = format!("{root}/a.txt");
        std::fs::write(&file, "a\n").unwrap();
        let places = PathRules {
            working_directory: root.clone(),
            workspace: root.clone(),
            home: root.clone(),
            data_dir: format!("{root}/.artoo"),
            unasked: Default::default(),
            real: Default::default(),
        };
        assert!(!has_origin(&file));
        mark_origin(&file);
        if keeps_origins(folder.path()) {
            assert!(has_origin(&file));
            assert_eq!(of_path(&places, &file), Taint::UNTRUSTED);
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "a\n");
    }

    #[test]
    fn calls_under_way_count_until_they_end_or_settle() {
        let flow = TaintFlow::default();
        let first = flow.enter(Taint::PRIVATE);
        let second = flow.clone().enter(Taint::BOTH);
        assert_eq!(flow.so_far(), Taint::BOTH);
        drop(second);
        assert_eq!(flow.so_far(), Taint::PRIVATE, "it did not run");
        first.settle(Taint::PRIVATE);
        assert_eq!(flow.so_far(), Taint::PRIVATE, "it has run");
        flow.enter(Taint::UNTRUSTED).settle(Taint::NONE);
        assert_eq!(flow.so_far(), Taint::PRIVATE);
    }
}
