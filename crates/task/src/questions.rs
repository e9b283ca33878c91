//! Questions to the person: which are open, what was answered before, and how long the task waited.
//!
//! No question outlives its daemon: what the next one takes up has no open confirmation until the task, which judges the call anew,
//! has asked again. Question and answer stay on record.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use artoo_types::evidence::EffectClass;
use artoo_types::limits::MAX_PERSON_QUESTIONS;
use artoo_types::machine::{HeldCall, Intent};
use artoo_types::outcome::Denial;
use artoo_types::tool::PersonQuestion;
use artoo_types::{ConfirmationId, EffectId, Timestamp};

use crate::confirmation_scope::{ActionKind, DeniedAction};

/// Why a person is asked about an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskReason {
    /// It has not run.
    First,
    /// It was under way when the daemon went down; a yes runs it again.
    Again,
}

/// Places of denials that a call carries: more than a person denies in one task.
const MAX_DENIED: usize = 256;

/// A question of an executor to the person.
#[derive(Debug, Clone)]
pub(crate) struct PersonAsk {
    /// The call that asks.
    pub(crate) effect_id: EffectId,
    pub(crate) question: PersonQuestion,
}

/// Questions that wait for an answer in words.
#[derive(Debug, Clone)]
pub(crate) struct OpenClarification {
    expires_at: Timestamp,
    /// The call that asks; None for the perceiver.
    pub(crate) of: Option<PersonAsk>,
}

/// An action that waits for its answer.
#[derive(Debug, Clone)]
pub(crate) struct OpenQuestion {
    pub(crate) effect_id: EffectId,
    pub(crate) held: HeldCall,
    pub(crate) reason: AskReason,
    pub(crate) expires_at: Timestamp,
}

/// Effects and where they land.
type StartedAction = (Vec<EffectClass>, Vec<String>);

/// All questions of one task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Questions {
    confirmations: BTreeMap<ConfirmationId, OpenQuestion>,
    clarification: Option<OpenClarification>,
    /// Questions of executors that are put when the one before them is answered.
    unasked: VecDeque<PersonAsk>,
    /// What executors have asked in this task.
    asked: Vec<String>,
    /// Effects on targets that were denied: denied again without asking.
    denied: Vec<(DeniedAction, Denial)>,
    /// Kinds of actions that were approved for the rest of the task.
    remembered: Vec<ActionKind>,
    /// Effects on targets that began to run in this task, at most one a tool call: they are not repeated unasked.
    done: Vec<StartedAction>,
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
    pub(crate) fn clarify(&mut self, now: Timestamp, expires_at: Timestamp, of: Option<PersonAsk>) {
        self.clarification = Some(OpenClarification { expires_at, of });
        self.note(now);
    }

    /// The clarification is answered. None when none was open.
    pub(crate) fn clarified(&mut self, now: Timestamp) -> Option<OpenClarification> {
        let open = self.clarification.take();
        self.note(now);
        open
    }

    /// Whether the clarification has expired.
    pub(crate) fn clarification_expired(&self, now: Timestamp) -> bool {
        self.expiry().is_some_and(|at| now >= at)
    }

    /// Takes in what an executor wants to ask. False when that was asked before, or so much that no more is.
    pub(crate) fn takes(&mut self, ask: PersonAsk) -> bool {
        let words = ask.question.words();
        if self.asked.len() >= MAX_PERSON_QUESTIONS || self.asked.contains(&words) {
            return false;
        }
        self.asked.push(words);
        self.unasked.push_back(ask);
        true
    }

    /// The next question of an executor that can be put now.
    pub(crate) fn next_unasked(&mut self) -> Option<PersonAsk> {
        if self.clarification.is_some() { None } else { self.unasked.pop_front() }
    }

    /// Whether this call is a question to the person that has no answer yet.
    pub(crate) fn is_asked_by(&self, effect_id: EffectId) -> bool {
        let open = self.clarification.iter().filter_map(|open| open.of.as_ref());
        open.chain(&self.unasked).any(|ask| ask.effect_id == effect_id)
    }

    /// Confirmations that have expired.
    pub(crate) fn expired(&self, now: Timestamp) -> Vec<ConfirmationId> {
        self.confirmations.iter().filter(|(_, q)| now >= q.expires_at).map(|(id, _)| *id).collect()
    }

    /// Drops every question; the task is stopping.
    pub(crate) fn drop_all(&mut self, now: Timestamp) {
        self.confirmations.clear();
        self.clarification = None;
        self.unasked.clear();
        self.note(now);
    }

    /// Drops the questions about actions: an answer to them would be about things as they were before the restart.
    /// So is what was approved for the rest of the task. The task took its last step at `last`, and what passed since then
    /// counts as waiting.
    pub(crate) fn void(&mut self, now: Timestamp, last: Timestamp) {
        if !self.is_open() {
            self.waited_ms += now.since_ms(last);
        }
        self.confirmations.clear();
        self.remembered.clear();
        self.note(now);
    }

    /// When the clarification expires, if one is open.
    pub(crate) fn expiry(&self) -> Option<Timestamp> {
        self.clarification.as_ref().map(|open| open.expires_at)
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
        self.denied.push((DeniedAction::of(held), denial));
    }

    /// How what this comes to was denied before, by whatever tool.
    pub(crate) fn was_denied(&self, held: &HeldCall) -> Option<Denial> {
        self.denied.iter().find(|(denied, _)| denied.reaches(held)).map(|(_, denial)| *denial)
    }

    /// A question that is still open although what it asks was denied.
    pub(crate) fn denied_meanwhile(&self) -> Option<(ConfirmationId, Denial)> {
        self.confirmations.iter().find_map(|(id, question)| Some((*id, self.was_denied(&question.held)?)))
    }

    /// The places of which a change or a deletion was denied, in every spelling. Where nobody could be asked nobody said no to
    /// what a question was about besides, so only what was known to be done to them counts.
    pub(crate) fn denied_places(&self, could_ask: bool) -> Vec<String> {
        let counts = |denied: &DeniedAction, denial: Denial| {
            could_ask || denial == Denial::Refused || denied.is_known()
        };
        let counting = self.denied.iter().filter(|(denied, denial)| counts(denied, *denial));
        let places: BTreeSet<&str> = counting.flat_map(|(denied, _)| denied.changed_places()).collect();
        places.into_iter().take(MAX_DENIED).map(str::to_owned).collect()
    }

    /// Whether anything was denied.
    pub(crate) fn has_denied(&self) -> bool {
        !self.denied.is_empty()
    }

    /// Remembers an approval of this kind of action for the rest of the task.
    pub(crate) fn remember(&mut self, held: &HeldCall) {
        self.remembered.extend(ActionKind::of(held));
    }

    /// Forgets what was approved for the rest of the task, but for what lands below these folders. What sends has no kind, so
    /// nothing of it is among this.
    pub(crate) fn forget_approvals_beyond(&mut self, roots: &[String]) {
        self.remembered.retain(|kind| kind.is_within(roots));
    }

    /// Whether this kind of action was approved for the rest of the task. What has no kind, what was done before, and what
    /// memory calls for caution with is asked about every time.
    pub(crate) fn is_remembered(&self, held: &HeldCall) -> bool {
        let Some(kind) = ActionKind::of(held) else { return false };
        // A further edit of the same file that can be taken back is of the same kind; a deletion is asked about again.
        let is_edit = held.effects.iter().all(|effect| *effect <= EffectClass::Overwrite);
        let is_new = is_edit && held.undo.is_possible() || !self.was_done(held);
        !held.caution && is_new && self.remembered.iter().any(|remembered| remembered.covers(&kind))
    }

    /// When the question expires.
    pub(crate) fn expires_at(&self, id: ConfirmationId) -> Option<Timestamp> {
        self.confirmations.get(&id).map(|question| question.expires_at)
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
