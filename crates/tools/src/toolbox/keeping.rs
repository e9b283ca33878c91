//! Before a call changes something, what it changes goes into the trash.

use artoo_types::Timestamp;
use artoo_types::evidence::EffectClass;
use artoo_types::machine::HeldCall;
use artoo_types::text::first_chars;
use artoo_types::tool::ToolCall;
use artoo_types::undo::Undoing;

use super::{CallFacts, Toolbox, Verdict, question};
use crate::action::Action;
use artoo_command::stop::StopSignal;
use artoo_trash::{Change, Kept, real_paths};

/// Characters of the action that are recorded.
const MAX_ACTION_CHARS: usize = 2_000;

/// Whether a call may start.
pub(super) enum Keeping {
    /// It may; none when it changes nothing.
    Done(Option<Kept>),
    /// It may not: what the person said yes to changed meanwhile. This is the new question.
    Changed(Box<HeldCall>),
    /// It may not: the gate refuses it by now, or it was told that it can be undone and what it changes could not be kept.
    Failed(String),
}

impl Toolbox {
    /// Keeps what a call is about to change. `asked` is the question that was answered with yes, where there was one.
    pub(super) async fn keep(
        &self,
        call: &ToolCall,
        action: &Action,
        facts: &CallFacts,
        asked: Option<&HeldCall>,
        stop: &StopSignal,
        now: Timestamp,
    ) -> Keeping {
        let effects = asked.map_or_else(|| vec![facts.effect], |held| held.effects.clone());
        let Some(task_id) = self.task_id.filter(|_| effects.iter().any(|e| *e != EffectClass::Read)) else {
            return Keeping::Done(None);
        };
        let undo = asked.map_or(Undoing::Trash { bytes: 0 }, |held| held.undo.clone());
        let change = Change {
            task_id,
            effect_id: call.effect_id,
            action: first_chars(&question::shown(action, facts), MAX_ACTION_CHARS),
            paths: facts.changes.as_deref().map(|paths| real_paths(&effects, paths)),
            effects,
            at: now,
        };
        let kept = {
            let (trash, stop, change, undo) = (self.trash().clone(), stop.clone(), change, undo.clone());
            tokio::task::spawn_blocking(move || {
                trash.keep(&change, &undo, &|| stop.is_stopped()).map_err(|error| error.to_string())
            })
        };
        let kept = kept.await.unwrap_or_else(|error| Err(format!("the trash broke down: {error}")));
        match (kept, asked) {
            // Copying takes its time, in which somebody may have put something else there.
            (Ok(kept), Some(held)) => match self.examine(call) {
                Verdict::Ask(again) if again.digest != held.digest => {
                    kept.discard();
                    Keeping::Changed(Box::new(question::changed(again)))
                }
                Verdict::Refuse(reason) => {
                    kept.discard();
                    Keeping::Failed(reason)
                }
                Verdict::Ask(_) | Verdict::Run { .. } => Keeping::Done(Some(kept)),
            },
            (Ok(kept), None) => Keeping::Done(Some(kept)),
            (Err(why), Some(held)) if held.undo.is_possible() => Keeping::Failed(format!(
                "not run: what it changes could not be kept in the trash, so it could not be undone: {why}"
            )),
            // It replaces nothing, or it was told that it cannot be undone.
            (Err(why), Some(_) | None) => {
                tracing::warn!(%why, "what a call did cannot be listed for an undo");
                Keeping::Done(None)
            }
        }
    }
}

/// Records what a call left behind.
pub(super) async fn settle(kept: Option<Kept>, stop: StopSignal) {
    if let Some(kept) = kept
        && let Err(error) = tokio::task::spawn_blocking(move || kept.settle(&|| stop.is_stopped())).await
    {
        tracing::warn!(%error, "what a call left behind could not be recorded");
    }
}
