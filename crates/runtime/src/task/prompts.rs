//! The prompts of a task, for whoever wants to see what its models were told.

use artoo_journal::JournalError;
use artoo_task::prompts::{PromptReader, SentPrompt};
use artoo_types::TaskId;

use super::error::TaskError;
use super::registry::Tasks;

/// Some prompts of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptPage {
    /// In the order in which they were sent.
    pub prompts: Vec<SentPrompt>,
    /// There are more after the last one.
    pub more: bool,
}

/// The prompts of the calls after `after`, as many as have room in `most_chars` characters, at least one where there is one.
/// The journal is read from its beginning. It waits for the disk.
///
/// # Errors
/// There is no such task, or its journal cannot be read.
pub fn prompts(
    tasks: &Tasks,
    task_id: TaskId,
    after: u64,
    most_chars: usize,
) -> Result<PromptPage, TaskError> {
    let archive = &tasks.inner.archive;
    let known = archive.find(task_id).ok_or(TaskError::Unknown(task_id))?;
    let mut steps = match artoo_journal::read(&archive.journal(task_id), 0) {
        Err(JournalError::Missing { path }) => {
            let gone = || TaskError::from(JournalError::Missing { path });
            return Err(archive.read_view(known).err().map_or_else(gone, TaskError::from));
        }
        opened => opened?,
    };
    let (mut reader, mut page, mut room) = (PromptReader::new(task_id), PromptPage::default(), most_chars);
    while let Some(record) = steps.next_record()? {
        for prompt in reader.take(record).into_iter().filter(|prompt| prompt.call > after) {
            if prompt.chars > room && !page.prompts.is_empty() {
                return Ok(PromptPage { more: true, ..page });
            }
            room = room.saturating_sub(prompt.chars);
            page.prompts.push(prompt);
        }
    }
    Ok(page)
}

#[cfg(test)]
mod tests;
