//! `read_output`: pages through the full output of an earlier call.

use artoo_types::limits::{MESSAGE_OUTPUT_CHARS, MODEL_RESULT_CHARS};

use crate::arguments::OutputArguments;
use crate::tool::Work;
use artoo_types::tool::CallOutcome;

/// Returns characters `offset..offset + limit`.
pub(crate) fn run(arguments: &OutputArguments, work: &Work) -> CallOutcome {
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
