//! What an executor asks the person: put as the perceiver's questions are, one at a time, and answered with a receipt.

use artoo_types::envelope::Role;
use artoo_types::evidence::{CallAct, CallEnd, CallTime, EffectClass, Receipt};
use artoo_types::limits::{PERSON_CHARS, QUESTION_EXPIRY_MS};
use artoo_types::machine::TaskEffect;
use artoo_types::taint::Taint;
use artoo_types::task::{ClarificationAnswer, ClarificationRequest};
use artoo_types::text::first_chars;
use artoo_types::tool::{PersonQuestion, ToolCall, names};
use artoo_types::{EvidenceId, Timestamp};

use crate::machine::TaskMachine;
use crate::questions::PersonAsk;

/// What the executor reads where nobody answered.
const UNANSWERED: &str = "nobody answered in time; decide by yourself and say what you assumed";
/// What it reads where the answer is empty.
const LEFT: &str = "the person leaves it to you; decide by yourself and say what you assumed";

impl TaskMachine {
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
    pub(crate) fn person_answered(&mut self, now: Timestamp, ask: PersonAsk, answer: ClarificationAnswer) {
        let Some((call, since)) = self.pending.tool(ask.effect_id) else { return };
        let receipt = answered(call, &ask, &answer, (since, now));
        self.publish(now, Role::User, Role::Runtime, answer.into());
        self.tool_finished(now, ask.effect_id, receipt);
        self.ask_next(now);
    }
}

/// The record of a question and its answer.
fn answered(
    call: &ToolCall,
    ask: &PersonAsk,
    answer: &ClarificationAnswer,
    (since, now): (Timestamp, Timestamp),
) -> Receipt {
    let said = first_chars(&ask.question.meant(&answer.answer), PERSON_CHARS);
    let (end, exit, output) = match (answer.assumed, said.is_empty()) {
        (true, _) => (CallEnd::Timeout, None, UNANSWERED.to_owned()),
        (false, true) => (CallEnd::Ran, Some(0), LEFT.to_owned()),
        (false, false) => (CallEnd::Ran, Some(0), said),
    };
    Receipt {
        id: EvidenceId::receipt(call.effect_id),
        tool: call.tool.clone(),
        classes: vec![call.tool.clone()],
        blame: call.tool.clone(),
        target: ask.question.question.trim().to_owned(),
        arguments: call.arguments.clone(),
        effect: EffectClass::Read,
        end,
        exit,
        output_bytes: output.len() as u64,
        output,
        digest: String::new(),
        handle: None,
        time: CallTime { started_at: since, elapsed_ms: now.since_ms(since) },
        note: None,
        taint: Taint::NONE,
        act: CallAct::default(),
    }
}
