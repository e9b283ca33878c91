//! The agent-validator's question to its model.

use artoo_types::brief::{Brief, JudgeBrief};
use artoo_types::chat::ChatImage;
use artoo_types::evidence::Receipt;
use artoo_types::limits::PromptLimits;
use artoo_types::outcome::ExecutionStatus;
use artoo_types::tag::fold;
use artoo_types::text::indented;

use crate::images::shown_images;
use crate::prompt::{Prompt, Sections};
use crate::receipt::{copies_named, judged_blocks};
use crate::verdicts;

/// Characters of the receipts of the attempt, for the usual context as the next ones.
const RECEIPTS_CHARS: usize = 24_000;
/// Characters of the receipts of earlier attempts.
const EARLIER_CHARS: usize = 12_000;
/// Characters of the receipts of earlier plans.
const PAST_CHARS: usize = 6_000;

impl Prompt for JudgeBrief {
    fn user_message(&self, limits: &PromptLimits) -> String {
        let result = &self.result;
        let earlier: Vec<Receipt> =
            self.earlier.iter().flat_map(|attempt| attempt.receipts.clone()).collect();
        let status = match result.status {
            ExecutionStatus::Completed => "completed",
            ExecutionStatus::Uncertain => "uncertain",
            ExecutionStatus::Failed => "failed",
        };
        let answer = match &result.answer {
            Some(id) => format!("[{id}]\n{}", indented(&copies_named(&result.output, &result.receipts))),
            None => String::new(),
        };
        let claim = if result.answer.is_some() { result.output.as_str() } else { "" };
        // The words of a step that is all of the task are the person's.
        let is_told = fold(&self.request) == fold(&self.subtask.intent);
        let request = if is_told { "" } else { self.request.as_str() };
        Sections::default()
            .add("Status", status)
            .add("Done by earlier plans", &judged_blocks(&self.past, limits.scaled(PAST_CHARS), claim))
            .add(
                "Receipts of earlier attempts",
                &judged_blocks(&earlier, limits.scaled(EARLIER_CHARS), claim),
            )
            .add("Receipts", &judged_blocks(&result.receipts, limits.scaled(RECEIPTS_CHARS), claim))
            .add("Checked", &verdicts::checked_lines(&self.subtask.success_criteria, &self.checks))
            .add("Answer", &answer)
            .add("Not in any receipt", &verdicts::unsupported_line(&self.unsupported))
            .add("Criteria", &verdicts::criteria_lines(&self.subtask.success_criteria, &self.asked))
            .add("Task criteria", &verdicts::criteria_lines(&self.task_criteria, &self.task_asked))
            .add("Subtask", &self.subtask.intent)
            .add("Request", request)
            .finish()
    }

    fn images(&self) -> Vec<ChatImage> {
        let earlier = self.earlier.iter().flat_map(|attempt| &attempt.receipts);
        shown_images(self.past.iter().chain(earlier).chain(&self.result.receipts))
    }

    fn into_brief(self) -> Brief {
        Brief::Judge(self)
    }
}
