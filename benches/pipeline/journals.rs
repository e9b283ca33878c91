//! How long the journals of the tasks are, and how long they would be if each step were written in full.

use std::path::Path;

use anyhow::ensure;
use artoo_journal::{read, task_ids, task_path};
use artoo_task::prompts::PromptReader;
use artoo_types::TaskId;
use artoo_types::machine::TaskEffect;

/// What of the bytes of full journals these tasks may take. It is counted, not timed, and so it is the same on every machine.
const MOST_OF_FULL: f64 = 0.5;

/// Bytes of a task's journal, and of one with everything in full: the means over the tasks of a folder.
///
/// # Errors
/// When a journal cannot be read, or journals have grown.
pub(crate) fn sizes(folder: &Path) -> anyhow::Result<(f64, f64)> {
    let ids = task_ids(folder)?;
    let (mut written, mut full) = (0, 0);
    for id in &ids {
        let path = task_path(folder, *id);
        written += std::fs::metadata(&path)?.len();
        full += full_bytes(&path, *id)?;
    }
    let (tasks, written, full) = (ids.len() as f64, written as f64, full as f64);
    ensure!(
        written <= MOST_OF_FULL * full,
        "a journal has {:.0} bytes, more than {MOST_OF_FULL} of the {:.0} that it has in full",
        written / tasks,
        full / tasks
    );
    Ok((written / tasks, full / tasks))
}

/// Bytes of the records as JSON with all their words, and of what closes each line.
fn full_bytes(path: &Path, id: TaskId) -> anyhow::Result<u64> {
    const SEAL: usize = "\"prev\":\"0123456789abcdef\",\"crc\":\"01234567\",\n".len();
    let (mut reader, mut prompts) = (read(path, 0)?, PromptReader::new(id));
    let mut bytes = 0;
    while let Some(record) = reader.next_record()? {
        bytes += serde_json::to_string(&record)?.len() + SEAL;
        for effect in &record.effects {
            if let TaskEffect::CallModel { request, .. } = effect {
                bytes -= serde_json::to_string(&request.messages)?.len();
            }
        }
        for prompt in prompts.take(record) {
            bytes += serde_json::to_string(&prompt.request.messages)?.len();
        }
    }
    Ok(bytes as u64)
}
