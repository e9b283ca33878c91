//! Tool calls and their receipts.

use artoo_protocol::v1;
use artoo_types::evidence::{FileChange, Receipt};
use artoo_types::tool::{ToolCallFinished, ToolCallStarted};

use super::{texts, timestamp, word};

pub(super) fn receipt(m: &Receipt) -> v1::Receipt {
    v1::Receipt {
        id: m.id.to_string(),
        tool: m.tool.clone(),
        classes: m.classes.clone(),
        blame: m.blame.clone(),
        target: m.target.clone(),
        arguments: m.arguments.clone(),
        effect: m.effect.as_str().to_owned(),
        end: word(m.end),
        exit: m.exit,
        output: m.output.clone(),
        output_bytes: m.output_bytes,
        digest: m.digest.clone(),
        handle: m.handle.clone(),
        started_at: Some(timestamp(m.time.started_at)),
        elapsed_ms: m.time.elapsed_ms,
        note: m.note.clone(),
        taint: texts(&m.taint.words()),
        changes: m.act.changes.iter().map(change).collect(),
        changes_omitted: m.act.changes_omitted,
        written: m.act.written.clone(),
    }
}

fn change(m: &FileChange) -> v1::FileChange {
    v1::FileChange {
        path: m.path.clone(),
        kind: m.kind.as_str().to_owned(),
        before: m.before.clone(),
        after: m.after.clone(),
        modes: m.modes.map(|modes| modes.to_string()),
    }
}

pub(super) fn tool_call_started(m: &ToolCallStarted) -> v1::ToolCallStarted {
    v1::ToolCallStarted {
        effect_id: m.effect_id.0,
        subtask_id: m.subtask_id.to_string(),
        tool: m.tool.clone(),
        arguments: m.arguments.clone(),
    }
}

pub(super) fn tool_call_finished(m: &ToolCallFinished) -> v1::ToolCallFinished {
    v1::ToolCallFinished {
        effect_id: m.effect_id.0,
        subtask_id: m.subtask_id.to_string(),
        receipt: m.receipt.to_string(),
        tool: m.tool.clone(),
        target: m.target.clone(),
        effect: m.effect.as_str().to_owned(),
        end: word(m.end),
        exit: m.exit,
        output: m.output.clone(),
        elapsed_ms: m.elapsed_ms,
        taint: texts(&m.taint.words()),
        changes: m.changes.iter().map(change).collect(),
    }
}
