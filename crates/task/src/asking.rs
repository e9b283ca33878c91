//! What an executor asks the person, as the receipt of its call tells it.

use artoo_types::evidence::{CallAct, CallEnd, CallTime, EffectClass, Receipt};
use artoo_types::limits::PERSON_CHARS;
use artoo_types::taint::Taint;
use artoo_types::task::ClarificationAnswer;
use artoo_types::text::first_chars;
use artoo_types::tool::ToolCall;
use artoo_types::{EvidenceId, Timestamp};

use crate::questions::PersonAsk;

/// What the executor reads where nobody answered.
const UNANSWERED: &str = "nobody answered in time; decide by yourself and say what you assumed";
/// What it reads where the answer is empty.
const LEFT: &str = "the person leaves it to you; decide by yourself and say what you assumed";

/// The record of a question and its answer.
pub(crate) fn answered(
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
