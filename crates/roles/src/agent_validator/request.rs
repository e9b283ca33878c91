//! The agent-validator's question to its model.

use artoo_types::brief::{Brief, JudgeBrief};
use artoo_types::evidence::Receipt;
use artoo_types::limits::EVIDENCE_CHARS;
use artoo_types::outcome::ExecutionStatus;
use artoo_types::text::indented;

use crate::prompt::{Prompt, Sections};
use crate::receipt::receipt_blocks;
use crate::verdicts;

/// Characters of the receipts of earlier attempts: five with as much output as a model sees of one.
const EARLIER_CHARS: usize = 24_000;

impl Prompt for JudgeBrief {
    fn user_message(&self) -> String {
        let result = &self.result;
        let earlier: Vec<Receipt> =
            self.earlier.iter().flat_map(|attempt| attempt.receipts.clone()).collect();
        let status = match result.status {
            ExecutionStatus::Completed => "completed",
            ExecutionStatus::Uncertain => "uncertain",
            ExecutionStatus::Failed => "failed",
        };
        let answer = match &result.answer {
            Some(id) => format!("[{id}]\n{}", indented(&result.output)),
            None => String::new(),
        };
        Sections::default()
            .add("Status", status)
            .add("Receipts of earlier attempts", &receipt_blocks(&earlier, EARLIER_CHARS))
            .add("Receipts", &receipt_blocks(&result.receipts, EVIDENCE_CHARS))
            .add("Checked", &verdicts::checked_lines(&self.subtask.success_criteria, &self.checks))
            .add("Answer", &answer)
            .add("Not in any receipt", &verdicts::unsupported_line(&self.unsupported))
            .add("Criteria", &verdicts::criteria_lines(&self.subtask.success_criteria, &self.asked))
            .add("Task criteria", &verdicts::criteria_lines(&self.task_criteria, &self.task_asked))
            .add("Subtask", &self.subtask.intent)
            .add("Request", &self.request)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Judge(self)
    }
}
