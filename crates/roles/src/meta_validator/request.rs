//! The meta-validator's question to its model.

use artoo_types::brief::{Brief, MergeBrief};
use artoo_types::evidence::Receipt;
use artoo_types::limits::PromptLimits;
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::text::{head_tail, indented};

use crate::prompt::{Prompt, Sections, one_line};
use crate::receipt::judged_blocks;
use crate::verdicts;

/// Characters of the receipts of earlier plans, for the usual context as the next one.
const PAST_CHARS: usize = 6_000;
/// Characters of all receipts.
const RECEIPTS_CHARS: usize = 24_000;

/// Characters of each of so many outputs.
fn share(outcomes: usize, limits: &PromptLimits) -> usize {
    limits.evidence_chars() * 3 / 4 / outcomes.max(1)
}

/// The outcomes, the output of each cut to its share.
pub(super) fn shortened(outcomes: &[&SubTaskOutcome], limits: &PromptLimits) -> Vec<SubTaskOutcome> {
    let most = share(outcomes.len(), limits);
    let shorten = |o: &&SubTaskOutcome| SubTaskOutcome { output: head_tail(&o.output, most), ..(*o).clone() };
    outcomes.iter().map(shorten).collect()
}

impl Prompt for MergeBrief {
    fn user_message(&self, limits: &PromptLimits) -> String {
        let blocks: Vec<String> = self
            .outcomes
            .iter()
            .enumerate()
            .map(|(i, o)| {
                let (number, intent) = (i + 1, one_line(&o.subtask.intent));
                format!("[subtask {}] {number}. {intent}: matched\n{}", o.subtask_id, indented(&o.output))
            })
            .collect();
        let receipts: Vec<String> = self
            .outcomes
            .iter()
            .map(|o| {
                let all: Vec<Receipt> = o.all_receipts().cloned().collect();
                judged_blocks(&all, limits.scaled(RECEIPTS_CHARS) / self.outcomes.len().max(1), &o.output)
            })
            .filter(|text| !text.is_empty())
            .collect();
        Sections::default()
            .add("Outcomes", &blocks.join("\n"))
            .add("Done by earlier plans", &judged_blocks(&self.past, limits.scaled(PAST_CHARS), ""))
            .add("Receipts", &receipts.join("\n"))
            .add("Checked", &verdicts::checked_lines(&self.criteria, &self.checks))
            .add("Not in any receipt", &verdicts::unsupported_line(&self.unsupported))
            .add("Task criteria", &verdicts::criteria_lines(&self.criteria, &self.asked))
            .add("Request", &self.request)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Merge(self)
    }
}
