//! The agent-validator's question to its model.

use artoo_types::brief::{Brief, JudgeBrief};
use artoo_types::limits::EVIDENCE_CHARS;
use artoo_types::outcome::ExecutionStatus;
use artoo_types::text::indented;

use crate::prompt::{Prompt, Sections};
use crate::receipt::receipt_blocks;
use crate::verdicts;

impl Prompt for JudgeBrief {
    fn user_message(&self) -> String {
        let result = &self.result;
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
            .add("Receipts", &receipt_blocks(&result.receipts, EVIDENCE_CHARS))
            .add("Checked", &verdicts::checked_lines(&self.subtask.success_criteria, &self.checks))
            .add("Answer", &answer)
            .add("Not in any receipt", &verdicts::unsupported_line(&self.unsupported))
            .add("Criteria", &verdicts::criteria_lines(&self.subtask.success_criteria, &self.asked))
            .add("Subtask", &self.subtask.intent)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Judge(self)
    }
}
