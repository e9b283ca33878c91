//! The pair of executor and validator of one subtask, and the receipts of its running attempt.

use artoo_roles::agent_validator::AgentValidator;
use artoo_roles::executor::{AttemptOutput, AttemptReport, Executor, call_line};
use artoo_types::evidence::Receipt;
use artoo_types::limits::MESSAGE_OUTPUT_CHARS;
use artoo_types::outcome::ExecutionResult;
use artoo_types::setting::TaskSetting;
use artoo_types::task::TaskSubmitted;
use artoo_types::text::head_tail;
use artoo_types::{EvidenceId, SubtaskId};

/// The fast loop of one subtask.
#[derive(Debug, Clone)]
pub(crate) struct FastLoop {
    pub(crate) executor: Executor,
    pub(crate) validator: AgentValidator,
    receipts: Vec<Receipt>,
}

impl FastLoop {
    pub(crate) fn new(setting: &TaskSetting, submitted: &TaskSubmitted) -> Self {
        Self {
            executor: Executor::new(setting, &submitted.working_directory, &submitted.input),
            validator: AgentValidator::new(setting.control.max_retries)
                .within(setting.models.tool_limits())
                .looking(setting.models.judge_looks),
            receipts: Vec::new(),
        }
    }

    /// Keeps the receipt as evidence of the running attempt, in the order in which the calls were asked for: calls that run
    /// together end in any order.
    pub(crate) fn keep(&mut self, receipt: Receipt) {
        let order = receipt.id.call_order();
        let at = self.receipts.partition_point(|kept| kept.id.call_order() <= order);
        self.receipts.insert(at, receipt);
    }

    /// The result of the attempt: what the executor reports, with the receipts that the runtime made. `answer` names
    /// the executor's own text as evidence.
    pub(crate) fn result(
        &mut self,
        subtask_id: SubtaskId,
        report: AttemptReport,
        answer: EvidenceId,
    ) -> ExecutionResult {
        let receipts = std::mem::take(&mut self.receipts);
        let (output, handle, answer) = match report.output {
            AttemptOutput::Answer(text) => (head_tail(&text, MESSAGE_OUTPUT_CHARS), None, Some(answer)),
            AttemptOutput::Receipt(id) => match receipts.iter().find(|r| r.id == id) {
                Some(receipt) => (receipt.output.clone(), receipt.handle.clone(), None),
                None => (String::new(), None, None),
            },
        };
        ExecutionResult {
            subtask_id,
            attempt: report.attempt,
            status: report.status,
            output,
            answer,
            handle,
            tool_calls: receipts.iter().map(call_line).collect(),
            receipts,
            infrastructure: report.infrastructure,
            end: report.end,
        }
    }
}
