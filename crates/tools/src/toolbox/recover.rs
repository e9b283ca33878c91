//! The record of what a call is about to do, and what became of it when the daemon went down meanwhile.

use std::io::Read as _;
use std::time::Instant;

use artoo_types::Timestamp;
use artoo_types::evidence::EffectClass;
use artoo_types::machine::{HeldCall, Intent};
use artoo_types::tool::{Approval, ToolCall};

use super::question::Told;
use super::{RunOutcome, Toolbox, Weighed};
use crate::action::Action;
use crate::arguments::WriteArguments;
use crate::judge::Gate;
use artoo_command::stop::StopSignal;
use artoo_types::tool::CallOutcome;

impl Toolbox {
    /// What this call is about to do, when it may run and does more than reading; it must be on record before
    /// [`run`](Self::run) is called. None for a call that only reads, or that will not run as it stands.
    pub fn intent(&self, call: &ToolCall, approval: Option<&Approval>) -> Option<Intent> {
        let Weighed::Known { action, facts, gate, confinement, .. } = self.weigh(call) else { return None };
        let (effects, targets, why, is_asked) = match gate {
            Gate::Free => (vec![facts.effect], vec![facts.target.clone()], Vec::new(), false),
            Gate::Ask { effects, targets, why } => (effects, targets, why, true),
            Gate::Refuse(_) => return None,
        };
        if effects.iter().all(|e| *e == EffectClass::Read) {
            return None;
        }
        let told = Told { call, action: &action, facts: &facts, confinement: &confinement };
        let held = self.held(told, effects, targets, &why);
        if is_asked && !approval.is_some_and(|a| a.covers(&held.digest)) {
            return None;
        }
        Some(Intent { effects: held.effects, targets: held.targets, digest: held.digest })
    }

    /// Finds out what became of a call that had begun to do more than reading when the daemon went down. A new file that
    /// holds what was to be written was written; one that is absent is written now, which replaces nothing. Of anything
    /// else nobody can tell, and a person has to decide.
    pub async fn recover(&self, call: &ToolCall, stop: StopSignal, now: Timestamp) -> RunOutcome {
        let (action, facts, gate, confinement) = match self.weigh(call) {
            Weighed::Known { action, facts, gate, confinement, .. } => (action, facts, gate, confinement),
            // It can be read no more, so a yes could not run it either; the refusal says why.
            Weighed::Unreadable(_) => return self.run(call, None, stop, now).await,
        };
        if let Action::WriteFile(arguments) = &action {
            return match self.written(call, arguments) {
                Some(produced) => self.done(call, facts, produced, Instant::now(), now).await,
                None => self.run(call, None, stop, now).await,
            };
        }
        let told = Told { call, action: &action, facts: &facts, confinement: &confinement };
        RunOutcome::Interrupted(Box::new(self.interrupted(told, gate)))
    }

    fn written(&self, call: &ToolCall, arguments: &WriteArguments) -> Option<CallOutcome> {
        let path = self.places(&call.working_directory).written(&arguments.path);
        holds(&path, arguments.content.as_bytes())
            .then(|| crate::tool::write_file::written(&arguments.content, &path))
            .map(|p| p.noted(Some("it was written before the daemon went down".to_owned())))
    }

    /// The question about a call that may have happened.
    fn interrupted(&self, told: Told<'_>, gate: Gate) -> HeldCall {
        let facts = told.facts;
        let (effects, targets, mut why) = match gate {
            Gate::Ask { effects, targets, why } => (effects, targets, why),
            Gate::Free | Gate::Refuse(_) => (vec![facts.effect], vec![facts.target.clone()], Vec::new()),
        };
        why.insert(
            0,
            "it was under way when the daemon went down: it may have happened, wholly or in part; look before you say \
             yes, which runs it again"
                .to_owned(),
        );
        self.held(told, effects, targets, &why)
    }
}

/// Whether the file has exactly this content.
fn holds(path: &str, content: &[u8]) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    let is_same_size = file.metadata().is_ok_and(|m| m.is_file() && m.len() == content.len() as u64);
    let mut found = Vec::new();
    is_same_size && file.take(content.len() as u64 + 1).read_to_end(&mut found).is_ok() && found == content
}
