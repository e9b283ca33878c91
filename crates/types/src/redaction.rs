//! The one place where everything that reaches a task from outside is redacted.

use artoo_redact::Redactor;

use crate::chat::{ChatReply, ModelFailure, ModelOutcome, NativeToolCall};
use crate::evidence::{BeforeState, CallAct, CallTime, CheckEvidence, FileChange, Receipt};
use crate::machine::{HeldCall, Intent, TaskInput};
use crate::memory::{
    Megram, MemoryEntry, MemoryReply, PlanInput, Proposal, RememberedFailure, SopRecord, Via, WorldState,
};
use crate::setting::{PersonClock, SessionPair, TaskSetting};
use crate::tag::Tag;
use crate::task::TaskSubmitted;
use crate::undo::{TargetState, Undoing};

/// Redacts what reaches a task, field by field.
#[derive(Debug, Clone, Copy)]
pub struct InputRedactor<'a>(pub &'a Redactor);

impl InputRedactor<'_> {
    /// The input without secrets. Every field of every input is named here, so that a new one cannot be forgotten.
    /// Ids, digests and names of artifacts stay: they are made here, not told.
    pub fn input(&self, mut input: TaskInput) -> TaskInput {
        match &mut input {
            TaskInput::Submitted { submitted, setting } => {
                self.submitted(submitted);
                self.setting(setting);
            }
            TaskInput::ModelFinished { effect_id: _, outcome } => self.outcome(outcome),
            TaskInput::ToolHeld { effect_id: _, question }
            | TaskInput::ToolInterrupted { effect_id: _, question } => self.held(question),
            TaskInput::ToolStarting { effect_id: _, intent } => {
                let Intent { effects: _, targets, digest: _ } = intent;
                self.0.clean_all(targets);
            }
            TaskInput::ToolFinished { effect_id: _, receipt } => self.receipt(receipt),
            TaskInput::ChecksFinished { effect_id: _, evidence } => {
                evidence.iter_mut().for_each(|seen| self.check(seen));
            }
            TaskInput::MemoryAnswered { effect_id: _, reply } => self.memory(reply),
            TaskInput::LookedAround { effect_id: _, situation } => {
                situation.texts_mut().for_each(|text| self.0.clean(text));
            }
            TaskInput::Clarified { answer } => self.0.clean(answer),
            TaskInput::Stop { cause: _, detail } => self.0.clean(detail),
            TaskInput::Stopped { survivors } => self.0.clean_all(survivors),
            TaskInput::Confirmed { confirmation_id: _, approved: _, remember_for_task: _ }
            | TaskInput::Wake
            | TaskInput::Resumed { build: _ } => {}
        }
        input
    }

    /// A request, everything that a person wrote in it. A folder whose name tells a secret does not exist any more
    /// afterwards; who accepts requests refuses such a one.
    pub fn submitted(&self, submitted: &mut TaskSubmitted) {
        let TaskSubmitted { input, session_id, request_id, working_directory, options: _ } = submitted;
        [input, session_id, request_id, working_directory].into_iter().for_each(|text| self.0.clean(text));
    }

    /// What came of a model call.
    pub fn outcome(&self, outcome: &mut ModelOutcome) {
        match outcome {
            ModelOutcome::Reply(reply) => self.reply(reply),
            ModelOutcome::Failure(failure) => self.failure(failure),
        }
    }

    fn setting(&self, setting: &mut TaskSetting) {
        let TaskSetting {
            control: _,
            deadline_ms: _,
            max_tokens: _,
            interactive: _,
            tools: _,
            native_tool_calls: _,
            models: _,
            build: _,
            home,
            workspace,
            os,
            clock: PersonClock { date, utc_offset_minutes: _ },
            provider,
            workspace_files,
            session,
        } = setting;
        [home, workspace, os, date, provider].into_iter().for_each(|text| self.0.clean(text));
        self.0.clean_all(workspace_files);
        for SessionPair { input, summary, answer, taint: _ } in session {
            self.0.clean(input);
            self.0.clean(summary);
            self.0.clean(answer);
        }
    }

    fn reply(&self, reply: &mut ChatReply) {
        let ChatReply { content, tool_calls, finish_reason, usage: _, model, attempts: _, elapsed_ms: _ } =
            reply;
        self.0.clean_json(content);
        for NativeToolCall { name, arguments } in tool_calls {
            self.0.clean(name);
            self.0.clean_json(arguments);
        }
        finish_reason.iter_mut().for_each(|reason| self.0.clean(reason));
        self.0.clean(model);
    }

    fn failure(&self, failure: &mut ModelFailure) {
        let ModelFailure { kind: _, message, attempts: _, elapsed_ms: _, retry_after_ms: _ } = failure;
        self.0.clean(message);
    }

    fn held(&self, held: &mut HeldCall) {
        let HeldCall {
            tool,
            action,
            classes,
            target,
            effects: _,
            targets,
            why,
            states,
            undo,
            caution: _,
            digest: _,
        } = held;
        for TargetState { real, leads_to, kind: _, bytes: _, files: _, sha256: _ } in states {
            self.0.clean(real);
            self.0.clean(leads_to);
        }
        match undo {
            Undoing::No { why } => self.0.clean(why),
            Undoing::Trash { bytes: _ } => {}
        }
        [tool, action, target].into_iter().for_each(|text| self.0.clean(text));
        [classes, targets, why].into_iter().for_each(|texts| self.0.clean_all(texts));
    }

    fn receipt(&self, receipt: &mut Receipt) {
        let Receipt {
            id: _,
            tool,
            classes,
            blame,
            target,
            arguments,
            effect: _,
            end: _,
            exit: _,
            output,
            output_bytes: _,
            digest: _,
            handle: _,
            time: CallTime { started_at: _, elapsed_ms: _ },
            note,
            taint: _,
            act:
                CallAct { changes, changes_omitted: _, folders_unseen: _, written, inputs, is_exact: _, image: _ },
        } = receipt;
        for FileChange { path, kind: _, before: _, after: _, modes: _ } in changes {
            self.0.clean(path);
        }
        written.iter_mut().for_each(|text| self.0.clean(text));
        self.inputs(inputs);
        [tool, blame, target, output].into_iter().for_each(|text| self.0.clean(text));
        self.0.clean_json(arguments);
        self.0.clean_all(classes);
        note.iter_mut().for_each(|note| self.0.clean(note));
    }

    fn check(&self, seen: &mut CheckEvidence) {
        let CheckEvidence { id: _, criterion: _, verdict: _, failure_class: _, saw, subjects, before } = seen;
        self.0.clean(saw);
        self.0.clean_all(subjects);
        let Some(before) = before else { return };
        let BeforeState {
            id: _,
            verdict: _,
            saw,
            changed_by: _,
            put_back: _,
            moved_only: _,
            changed_below: _,
        } = before;
        self.0.clean(saw);
    }

    fn memory(&self, reply: &mut MemoryReply) {
        let MemoryReply { entries, unavailable, present } = reply;
        self.inputs(present);
        unavailable.iter_mut().for_each(|why| self.0.clean(why));
        for MemoryEntry { tag, potentials: _, sops, top, via, proposals } in entries {
            self.tag(tag);
            for SopRecord { id: _, content, sigma: _, level: _, overwritten: _ } in sops {
                self.0.clean(content);
            }
            top.iter_mut().for_each(|megram| self.megram(megram));
            if let Some(Via { request, relation: _, similarity: _, why }) = via {
                self.0.clean(request);
                self.0.clean(why);
            }
            for Proposal { id: _, content, from: _ } in proposals {
                self.0.clean(content);
            }
        }
    }

    fn megram(&self, megram: &mut Megram) {
        let Megram {
            id: _,
            level: _,
            created_at: _,
            last_recalled_at: _,
            tag,
            content,
            state,
            f: _,
            sigma: _,
            k: _,
            agent_id,
            task_id: _,
            parents: _,
            tainted: _,
            about,
            failed,
        } = megram;
        let RememberedFailure { plans, world } = failed;
        for WorldState { folder, inputs } in plans.iter_mut().map(|plan| &mut plan.world).chain(world) {
            self.0.clean(folder);
            self.inputs(inputs);
        }
        self.tag(tag);
        [content, state, agent_id, about].into_iter().for_each(|text| self.0.clean(text));
    }

    fn inputs(&self, inputs: &mut [PlanInput]) {
        inputs.iter_mut().for_each(|PlanInput { path, state: _ }| self.0.clean(path));
    }

    fn tag(&self, tag: &mut Tag) {
        let Tag { space, entity } = tag;
        self.0.clean(space);
        self.0.clean(entity);
    }
}

#[cfg(test)]
mod tests;
