//! Confirmations: a call that needs a person's word is asked about, and runs or is denied with the answer. So is what an executor
//! asks by itself: put as the perceiver's questions are, one at a time, and answered with a receipt.

use artoo_types::envelope::Role;
use artoo_types::evidence::{CallAct, CallEnd, CallTime, EffectClass, Receipt};
use artoo_types::limits::QUESTION_EXPIRY_MS;
use artoo_types::machine::{HeldCall, TaskEffect};
use artoo_types::outcome::Denial;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;
use artoo_types::task::{
    ClarificationAnswer, ClarificationRequest, ConfirmationRequest, ConfirmationResolved,
};
use artoo_types::tool::{Approval, PersonQuestion, ToolCall, names};
use artoo_types::undo::Undoing;
use artoo_types::{ConfirmationId, EffectId, EvidenceId, Timestamp};

use crate::asking::answered;
use crate::confirmation_scope::ActionKind;
use crate::machine::TaskMachine;
use crate::questions::{AskReason, OpenQuestion, PersonAsk};

impl TaskMachine {
    /// A call needs a person's word. It is asked for, unless the word is known: nobody can be asked, the same was denied
    /// before, or the same was approved for the whole task.
    pub(crate) fn tool_held(&mut self, now: Timestamp, effect_id: EffectId, mut held: HeldCall) {
        if self.questions.was_done(&held) {
            held.why.push("the same was done before in this task".to_owned());
        }
        let is_attended = self.phase.task().is_some_and(|task| task.setting.interactive);
        if is_attended && self.questions.has_denied() && held.effects.contains(&EffectClass::Unknown) {
            held.why.push(
                "something was asked about before in this task, and nobody allowed it; it cannot be told whether this comes \
                 to the same"
                    .to_owned(),
            );
        }
        self.ask(now, effect_id, held, AskReason::First);
    }

    /// Puts the question, or answers it where the answer is known.
    pub(crate) fn ask(&mut self, now: Timestamp, effect_id: EffectId, held: HeldCall, reason: AskReason) {
        let Some((call, since)) = self.pending.tool(effect_id) else { return };
        let interactive = self.phase.task().is_some_and(|task| task.setting.interactive);
        if call.by_judge {
            let question = OpenQuestion { effect_id, held, reason, expires_at: now };
            let receipt = denied_receipt(call, &question, since, Denial::Unanswered);
            return self.tool_finished(now, effect_id, receipt);
        }
        let id = ConfirmationId(self.task_id.derive("confirmation", self.bus.next_sequence()));
        let expires_at = now.plus_ms(QUESTION_EXPIRY_MS);
        let request = confirmation_request(id, call, &held, expires_at);
        self.publish(now, Role::Runtime, Role::User, request.into());
        let known = if let Some(denial) = self.questions.was_denied(&held) {
            Some(ConfirmationAnswer::Denied(denial))
        } else if reason == AskReason::First && self.questions.is_remembered(&held) {
            Some(ConfirmationAnswer::Approved { remember: false })
        } else if !interactive {
            Some(ConfirmationAnswer::Denied(Denial::Unanswered))
        } else {
            None
        };
        self.questions.ask(now, id, OpenQuestion { effect_id, held, reason, expires_at });
        match known {
            Some(answer) => self.resolve(now, id, answer),
            None => self.out.effects.push(TaskEffect::WakeAt { at: expires_at }),
        }
    }

    /// A person answered.
    pub(crate) fn confirmed(&mut self, now: Timestamp, id: ConfirmationId, approved: bool, remember: bool) {
        let is_late = self.questions.expires_at(id).is_some_and(|expires_at| now >= expires_at);
        let answer = match approved {
            // The machine may have slept past the moment at which the question should have gone.
            _ if is_late => ConfirmationAnswer::Denied(Denial::Unanswered),
            true => ConfirmationAnswer::Approved { remember },
            false => ConfirmationAnswer::Denied(Denial::Refused),
        };
        self.resolve(now, id, answer);
    }

    /// Nobody answered in time.
    pub(crate) fn expire(&mut self, now: Timestamp, id: ConfirmationId) {
        self.resolve(now, id, ConfirmationAnswer::Denied(Denial::Unanswered));
    }

    /// Forgets what was approved for the rest of the task where it lands outside the workspace and the working directory. A
    /// folder that holds the home holds more than the task's own.
    pub(crate) fn forget_approvals_beyond_its_folders(&mut self) {
        let Some(task) = self.phase.task() else { return };
        let folders = [&task.setting.workspace, &task.submitted.working_directory];
        let own = folders.into_iter().filter(|folder| !is_below(&task.setting.home, folder));
        let own: Vec<String> = own.cloned().collect();
        self.questions.forget_approvals_beyond(&own);
    }

    fn resolve(&mut self, now: Timestamp, id: ConfirmationId, answer: ConfirmationAnswer) {
        let Some(question) = self.questions.answered(now, id) else { return };
        self.set_deadline_again(now);
        let Some((call, since)) = self.pending.tool(question.effect_id) else { return };
        let call = self.as_of_now(call);
        let (approved, remember, denial) = match answer {
            // What has no kind is asked about every time, whatever was answered.
            ConfirmationAnswer::Approved { remember } => {
                (true, remember && ActionKind::of(&question.held).is_some(), None)
            }
            ConfirmationAnswer::Denied(denial) => (false, false, Some(denial)),
        };
        let resolved = ConfirmationResolved {
            confirmation_id: id,
            effect_id: question.effect_id,
            approved,
            digest: question.held.digest.clone(),
            remember_for_task: remember,
            denial,
        };
        self.publish(now, Role::User, Role::Runtime, resolved.clone().into());
        if remember {
            self.questions.remember(&question.held);
        }
        if let Some(denial) = denial {
            self.questions.deny(&question.held, denial);
            self.note_denial(now, call.subtask_id, denial);
            let receipt = denied_receipt(&call, &question, since, denial);
            self.tool_finished(now, question.effect_id, receipt);
            // What else waits for a word on the same has it now.
            if let Some((id, denial)) = self.questions.denied_meanwhile() {
                self.resolve(now, id, ConfirmationAnswer::Denied(denial));
            }
        } else {
            let approval = Approval::from_confirmation(&resolved);
            self.out.effects.push(TaskEffect::RunTool { call, approval });
        }
    }

    /// Takes a call that is a question to the person. False when it is none, or none that is put: then it runs as any call
    /// does, which says why.
    pub(crate) fn asks_person(&mut self, now: Timestamp, call: &ToolCall) -> bool {
        let interactive = self.phase.task().is_some_and(|task| task.setting.interactive);
        if call.tool != names::ASK_PERSON || !interactive {
            return false;
        }
        let Some(question) = PersonQuestion::read(&call.arguments) else { return false };
        let ask = PersonAsk { effect_id: call.effect_id, question };
        let takes = self.questions.takes(ask);
        self.ask_next(now);
        takes
    }

    /// Puts the next question, if no other waits for its answer.
    fn ask_next(&mut self, now: Timestamp) {
        let Some(ask) = self.questions.next_unasked() else { return };
        let expires_at = now.plus_ms(QUESTION_EXPIRY_MS);
        let request = ClarificationRequest { questions: vec![ask.question.words()], expires_at };
        self.questions.clarify(now, expires_at, Some(ask));
        self.out.effects.push(TaskEffect::WakeAt { at: expires_at });
        self.publish(now, Role::Runtime, Role::User, request.into());
    }

    /// The person answered, or the time for it is over.
    pub(crate) fn person_answered(&mut self, now: Timestamp, ask: &PersonAsk, answer: ClarificationAnswer) {
        let Some((call, since)) = self.pending.tool(ask.effect_id) else { return };
        let receipt = answered(call, ask, &answer, (since, now));
        self.publish(now, Role::User, Role::Runtime, answer.into());
        self.tool_finished(now, ask.effect_id, receipt);
        self.ask_next(now);
    }
}

/// How a question ended.
#[derive(Debug, Clone, Copy)]
enum ConfirmationAnswer {
    Approved { remember: bool },
    Denied(Denial),
}

fn confirmation_request(
    id: ConfirmationId,
    call: &ToolCall,
    held: &HeldCall,
    expires_at: Timestamp,
) -> ConfirmationRequest {
    ConfirmationRequest {
        confirmation_id: id,
        effect_id: call.effect_id,
        subtask_id: call.subtask_id,
        tool: held.tool.clone(),
        action: held.action.clone(),
        working_directory: call.working_directory.clone(),
        effects: held.effects.clone(),
        targets: held.targets.clone(),
        why: held.why.clone(),
        states: held.states.clone(),
        undoable: held.undo.is_possible(),
        undo_bytes: match &held.undo {
            Undoing::Trash { bytes } => *bytes,
            Undoing::No { .. } => 0,
        },
        undo_why: match &held.undo {
            Undoing::Trash { .. } => String::new(),
            Undoing::No { why } => why.clone(),
        },
        rememberable: ActionKind::of(held).is_some(),
        digest: held.digest.clone(),
        expires_at,
    }
}

/// Why a call needs a yes, so that whoever made it can tell what would not.
fn asked_because(held: &HeldCall) -> String {
    let why = held.why.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
    if why.is_empty() { String::new() } else { format!("; it needs a person's yes because {why}") }
}

/// The record of a call that did not run, or not again, because it was denied.
fn denied_receipt(call: &ToolCall, question: &OpenQuestion, since: Timestamp, denial: Denial) -> Receipt {
    let held = &question.held;
    let who = match denial {
        Denial::Refused => "you said no",
        Denial::Unanswered => "nobody confirmed",
    };
    let (end, output) = match question.reason {
        AskReason::First => (CallEnd::Denied, format!("not done ({who}){}", asked_because(held))),
        AskReason::Again => (
            CallEnd::Interrupted,
            format!(
                "it was under way when the daemon went down, so it may have happened; it was not run again: {who}"
            ),
        ),
    };
    Receipt {
        id: EvidenceId::receipt(call.effect_id),
        tool: call.tool.clone(),
        classes: held.classes.clone(),
        blame: held.classes.first().cloned().unwrap_or_else(|| call.tool.clone()),
        target: held.target.clone(),
        arguments: call.arguments.clone(),
        effect: held.effects.first().copied().unwrap_or(EffectClass::Unknown),
        end,
        exit: None,
        output,
        output_bytes: 0,
        digest: String::new(),
        handle: None,
        time: CallTime { started_at: since, elapsed_ms: 0 },
        note: None,
        taint: Taint::NONE,
        act: CallAct::default(),
    }
}
