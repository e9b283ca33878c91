//! Going on after a restart: what was under way is wanted again, unless repeating it could do harm.
//!
//! Model calls, memory queries and checks are simply repeated; so is a tool call that had not begun to do more than
//! read. A call that had begun is recovered: the shell finds out what became of it, and where that cannot be told, a
//! person decides. Everything else of the task, the controller's counters included, came back with the fold.

use artoo_types::limits::MAX_RESTARTS;
use artoo_types::machine::{HeldCall, Intent, TaskEffect};
use artoo_types::task::StopCause;
use artoo_types::{EffectId, Timestamp};

use crate::TaskMachine;
use crate::pending::Pending;
use crate::questions::Asked;

impl TaskMachine {
    /// The daemon was started anew.
    pub(crate) fn resumed(&mut self, now: Timestamp) {
        if self.running.is_none() {
            return;
        }
        if self.stopping.is_some() {
            // Whatever still ran is stopped by the successor of the daemon that was stopping it.
            self.out.effects.push(TaskEffect::StopAll);
            return;
        }
        self.restarts += 1;
        if self.restarts > MAX_RESTARTS {
            let detail = format!(
                "the daemon went down {MAX_RESTARTS} times in a row without this task getting any further"
            );
            self.stop(now, StopCause::Interrupted, detail);
            return;
        }
        self.pass_over_the_pause(now);
        let again: Vec<TaskEffect> =
            self.pending.all().map(|(effect_id, pending)| self.again(effect_id, pending)).collect();
        self.out.effects.extend(again);
        let wakes = self.questions.expiry().into_iter().chain([self.deadline(now)]);
        self.out.effects.extend(wakes.map(|at| TaskEffect::WakeAt { at }));
    }

    /// Neither the budget nor a deadline counts the time in which there was no daemon. Questions about actions are void:
    /// their calls are judged again, as things are now.
    fn pass_over_the_pause(&mut self, now: Timestamp) {
        let last = self.last_step_at;
        for (effect_id, asked_at) in self.questions.void(now, last) {
            if let Some(subtask) = self.pending.tool(effect_id).map(|(call, _)| call.subtask_id) {
                self.not_waiting(subtask, last.since_ms(asked_at));
            }
        }
        let pause = now.since_ms(last);
        let loops = self.running.iter_mut().flat_map(|r| r.loops.values_mut());
        loops.for_each(|fast| fast.executor.waited(pause));
    }

    fn again(&self, effect_id: EffectId, pending: &Pending) -> TaskEffect {
        match pending {
            Pending::Model { request, .. } => TaskEffect::CallModel { effect_id, request: request.clone() },
            Pending::Tool { call, intent: None, .. } => {
                TaskEffect::RunTool { call: self.as_of_now(call), approval: None }
            }
            Pending::Tool { call, intent: Some(_), .. } => {
                TaskEffect::RecoverTool { call: self.as_of_now(call) }
            }
            Pending::Checks { checks, subject, .. } => TaskEffect::RunChecks {
                effect_id,
                checks: checks.clone(),
                subject: subject.clone(),
                working_directory: self
                    .running
                    .as_ref()
                    .map(|r| r.submitted.working_directory.clone())
                    .unwrap_or_default(),
            },
            Pending::Memory(query) => TaskEffect::QueryMemory { effect_id, query: query.clone() },
        }
    }

    /// A call that is more than reading is about to run. From here on it is never repeated unasked, neither after a
    /// restart nor by a later attempt or plan.
    pub(crate) fn tool_starting(&mut self, effect_id: EffectId, intent: Intent) {
        self.questions.done(&intent);
        self.pending.starting(effect_id, intent);
    }

    /// Nobody knows whether the call happened.
    pub(crate) fn tool_interrupted(&mut self, now: Timestamp, effect_id: EffectId, held: HeldCall) {
        self.ask(now, effect_id, held, Asked::Again);
    }
}
