//! What one finished task of this bench left behind: the bytes that its promises are made of.

use std::path::Path;

use anyhow::{Context, ensure};
use artoo_journal::line::unseal;
use artoo_journal::{read, task_ids, task_path};
use artoo_task::prompts::PromptReader;

/// A finished task as bytes.
pub(crate) struct Sample {
    /// The records of its journal as they stand there, without what closes a line.
    pub(crate) records: Vec<String>,
    /// Its share of the audit log.
    pub(crate) audit: Vec<String>,
    /// The words of its prompts, of which the journal holds hashes.
    pub(crate) prompts: Vec<String>,
    /// The lines of the index of tasks that tell of it.
    pub(crate) index: Vec<String>,
}

impl Sample {
    /// The last task of a daemon whose auditor has read everything.
    ///
    /// # Errors
    /// When what a task must leave behind is not there.
    pub(crate) fn of_last(data: &Path) -> anyhow::Result<Self> {
        let tasks = data.join("tasks");
        let id = *task_ids(&tasks)?.last().context("no task has run")?;
        let path = task_path(&tasks, id);
        let journal = std::fs::read_to_string(&path)?;
        let record = |line: &str| unseal(line.as_bytes()).map(|line| format!("{}}}", line.open));
        let records: Vec<String> = journal.lines().map(record).collect::<Result<_, _>>()?;
        let named = id.to_string();
        let telling = |file: &str| -> anyhow::Result<Vec<String>> {
            let text = std::fs::read_to_string(data.join(file)).with_context(|| file.to_owned())?;
            let lines: Vec<String> =
                text.lines().filter(|line| line.contains(&named)).map(str::to_owned).collect();
            ensure!(!lines.is_empty(), "{file} does not tell of the task");
            Ok(lines)
        };
        let mut reader = PromptReader::new(id);
        let mut prompts = Vec::new();
        for step in read(&path, 0)? {
            for prompt in reader.take(step?.0) {
                prompts.extend(prompt.request.messages.into_iter().map(|message| message.content));
            }
        }
        Ok(Self { records, audit: telling("audit.jsonl")?, prompts, index: telling("journal/accept.jsonl")? })
    }
}
