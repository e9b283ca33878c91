//! Questions to the person: which are open, what was answered before, and how long the task waited.

use std::collections::BTreeMap;

use artoo_types::evidence::EffectClass;
use artoo_types::machine::{HeldCall, Intent};
use artoo_types::outcome::Denial;
use artoo_types::{ConfirmationId, EffectId, Timestamp};

/// Why a person is asked about an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// It has not run.
    First,
    /// It was under way when the daemon went down; a yes runs it again.
    Again,
}

/// An action that waits for its answer.
#[derive(Debug, Clone)]
pub(crate) struct OpenQuestion {
    pub(crate) effect_id: EffectId,
    pub(crate) held: HeldCall,
    pub(crate) asked: Asked,
    pub(crate) asked_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

/// What an answer is about, beyond the one action: its effects and where they land.
type Scope = (Vec<EffectClass>, Vec<String>);

/// All questions of one task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Questions {
    confirmations: BTreeMap<ConfirmationId, OpenQuestion>,
    clarification: Option<Timestamp>,
    /// Effects on targets that were denied: denied again without asking.
    denied: Vec<(Scope, Denial)>,
    /// Effects on target folders that were approved for the rest of the task.
    remembered: Vec<Scope>,
    /// Effects on targets that began to run in this task, at most one a tool call: they are not repeated unasked.
    done: Vec<Scope>,
    waiting_since: Option<Timestamp>,
    waited_ms: u64,
}

impl Questions {
    /// A confirmation is asked.
    pub(crate) fn ask(&mut self, now: Timestamp, id: ConfirmationId, question: OpenQuestion) {
        self.confirmations.insert(id, question);
        self.note(now);
    }

    /// The confirmation is answered, or gone.
    pub(crate) fn answered(&mut self, now: Timestamp, id: ConfirmationId) -> Option<OpenQuestion> {
        let question = self.confirmations.remove(&id);
        self.note(now);
        question
    }

    /// A clarification is asked; it expires then.
    pub(crate) fn clarify(&mut self, now: Timestamp, expires_at: Timestamp) {
        self.clarification = Some(expires_at);
        self.note(now);
    }

    /// The clarification is answered. False when none was open.
    pub(crate) fn clarified(&mut self, now: Timestamp) -> bool {
        let was_open = self.clarification.take().is_some();
        self.note(now);
        was_open
    }

    /// Whether the clarification has expired.
    pub(crate) fn clarification_expired(&self, now: Timestamp) -> bool {
        self.clarification.is_some_and(|at| now >= at)
    }

    /// Confirmations that have expired.
    pub(crate) fn expired(&self, now: Timestamp) -> Vec<ConfirmationId> {
        self.confirmations.iter().filter(|(_, q)| now >= q.expires_at).map(|(id, _)| *id).collect()
    }

    /// Drops every question; the task is stopping.
    pub(crate) fn drop_all(&mut self, now: Timestamp) {
        self.confirmations.clear();
        self.clarification = None;
        self.note(now);
    }

    /// Drops the questions about actions: an answer to them would be about things as they were before the restart.
    /// So is what was approved for the rest of the task. Returns which calls they were about and since when; the task
    /// took its last step at `last`, and what passed since then counts as waiting.
    pub(crate) fn void(&mut self, now: Timestamp, last: Timestamp) -> Vec<(EffectId, Timestamp)> {
        if !self.is_open() {
            self.waited_ms += now.since_ms(last);
        }
        let void = std::mem::take(&mut self.confirmations);
        self.remembered.clear();
        self.note(now);
        void.into_values().map(|q| (q.effect_id, q.asked_at)).collect()
    }

    /// When the clarification expires, if one is open.
    pub(crate) fn expiry(&self) -> Option<Timestamp> {
        self.clarification
    }

    /// An action begins to run.
    pub(crate) fn done(&mut self, intent: &Intent) {
        self.done.push((intent.effects.clone(), intent.targets.clone()));
    }

    /// Whether the same effect on the same target began to run before in this task.
    pub(crate) fn was_done(&self, held: &HeldCall) -> bool {
        self.done.contains(&(held.effects.clone(), held.targets.clone()))
    }

    /// Whether a question is open.
    pub(crate) fn is_open(&self) -> bool {
        self.clarification.is_some() || !self.confirmations.is_empty()
    }

    /// Milliseconds in which at least one question was open.
    pub(crate) fn waited_ms(&self, now: Timestamp) -> u64 {
        self.waited_ms + self.waiting_since.map_or(0, |since| now.since_ms(since))
    }

    /// Remembers a denial for the rest of the task.
    pub(crate) fn deny(&mut self, held: &HeldCall, denial: Denial) {
        self.denied.push(((held.effects.clone(), held.targets.clone()), denial));
    }

    /// How the same effect on the same target was denied before, by whatever tool.
    pub(crate) fn was_denied(&self, held: &HeldCall) -> Option<Denial> {
        let same = |scope: &Scope| scope.0 == held.effects && scope.1 == held.targets;
        self.denied.iter().find(|(scope, _)| same(scope)).map(|(_, denial)| *denial)
    }

    /// Remembers an approval of the same effect in the same folders for the rest of the task.
    pub(crate) fn remember(&mut self, held: &HeldCall) {
        self.remembered.push(scope_of(held));
    }

    /// Forgets what was approved for the rest of the task.
    pub(crate) fn forget_approvals(&mut self) {
        self.remembered.clear();
    }

    /// Whether the same effect in the same folders was approved for the rest of the task. Effects that could not be
    /// told, calls without a known target, and what was done before are asked about every time.
    pub(crate) fn is_remembered(&self, held: &HeldCall) -> bool {
        !held.targets.is_empty()
            && !held.effects.contains(&EffectClass::Unknown)
            && !self.was_done(held)
            && self.remembered.contains(&scope_of(held))
    }

    fn note(&mut self, now: Timestamp) {
        match (self.is_open(), self.waiting_since) {
            (true, None) => self.waiting_since = Some(now),
            (false, Some(since)) => {
                self.waited_ms += now.since_ms(since);
                self.waiting_since = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
}

/// The effects, and the folders of the targets.
fn scope_of(held: &HeldCall) -> Scope {
    let mut folders: Vec<String> = held
        .targets
        .iter()
        .map(|t| t.rsplit_once('/').map_or_else(|| t.clone(), |(folder, _)| folder.to_owned()))
        .collect();
    folders.sort();
    folders.dedup();
    (held.effects.clone(), folders)
}
