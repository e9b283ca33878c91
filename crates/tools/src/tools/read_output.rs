//! `read_output`: pages through the full output of an earlier call.

use artoo_gate::paths::PathRules;
use artoo_types::evidence::EffectClass;
use artoo_types::limits::{MESSAGE_OUTPUT_CHARS, MODEL_RESULT_CHARS};
use artoo_types::taint::Taint;
use artoo_types::tool::CallOutcome;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Permission, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

pub(super) const ROW: ToolRow = ToolRow::of::<ReadOutput>(
    "read_output",
    "read more of the output of an earlier call whose output was cut",
)
.looking();

#[derive(Debug, Deserialize, JsonSchema)]
struct ReadOutput {
    /// id of the earlier call's receipt, such as r3
    receipt: String,
    /// first character, counted from 0
    offset: Option<u64>,
    /// most characters; 16000 unless given
    limit: Option<u64>,
}

impl Tool for ReadOutput {
    /// It brings nothing: an earlier output is in the task already.
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let facts = CallFacts::new(ROW.name, self.receipt.clone(), EffectClass::Read, Taint::NONE)
            .looking_at_nothing();
        Judgement::new(facts, Permission::Free)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Reads
    }

    fn describe(&self, target: &str) -> String {
        format!("read the output of {target}")
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(move |work| page(&self, work))
    }
}

/// Returns characters `offset..offset + limit`.
fn page(arguments: &ReadOutput, work: &Work) -> CallOutcome {
    let text = match work.outputs.read(&work.artifacts, &arguments.receipt) {
        Ok(text) => text,
        Err(message) => return CallOutcome::failed(message),
    };
    let size =
        |n: Option<u64>, default: usize| usize::try_from(n.unwrap_or(default as u64)).unwrap_or(usize::MAX);
    let offset = size(arguments.offset, 0);
    let limit = size(arguments.limit, MODEL_RESULT_CHARS).clamp(1, MESSAGE_OUTPUT_CHARS);
    let page: String = text.chars().skip(offset).take(limit).collect();
    let total = text.chars().count();
    if page.is_empty() && offset > 0 {
        return CallOutcome::failed(format!(
            "the output has {total} characters; offset {offset} is past its end"
        ));
    }
    let end = offset.saturating_add(limit).min(total);
    CallOutcome::done(page).noted(Some(format!("characters {offset} to {end} of {total}")))
}
