//! What is counted, from the journals alone.

use std::collections::BTreeSet;
use std::path::Path;

use artoo_journal::{read, task_path};
use artoo_task::prompts::{PromptReader, SentPrompt};
use artoo_types::control::{Ending, FinalResult};
use artoo_types::envelope::Role;
use artoo_types::evidence::Receipt;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::{Message, TaskId};

use crate::families::{Likeness, Task, Trap};

/// What one task cost.
#[derive(Debug, Clone)]
pub(crate) struct TaskFigures {
    pub(crate) trap: Trap,
    pub(crate) likeness: Likeness,
    pub(crate) request: &'static str,
    pub(crate) replans: usize,
    /// Failures that had been met before, in this task or an earlier one.
    pub(crate) repeats: usize,
    pub(crate) calls: usize,
    pub(crate) success: bool,
    /// What the planner was told by the memory before its first plan.
    pub(crate) told: String,
}

/// All tasks of one run.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) tasks: Vec<TaskFigures>,
    /// Every failure that was met so far: that of a trap, else one of exactly this tool class on this target.
    met: BTreeSet<String>,
    /// Model calls that no task made: the Dreamer's.
    pub(crate) dreamed: usize,
}

impl Figures {
    /// Counts the task with this journal.
    pub(crate) fn take(&mut self, task: &Task, journals: &Path, id: TaskId) {
        let mut reader = read(&task_path(journals, id), 0).expect("the task has a journal");
        let (mut replans, mut repeats, mut calls, mut end, mut told) = (0, 0, 0, None, None);
        let mut prompts = PromptReader::new(id);
        while let Some(record) = reader.next_record().expect("the journal is whole") {
            told = told.or_else(|| prompts.take(record.clone()).iter().find_map(memory_section));
            for envelope in record.envelopes {
                if let Message::PlanDirective(_) = &envelope.payload {
                    replans += 1;
                } else if let Message::ModelCallStarted(_) = &envelope.payload {
                    calls += 1;
                } else if let Message::SubTaskOutcome(outcome) = &envelope.payload {
                    let failures = failures(outcome);
                    repeats += failures.iter().filter(|failure| self.met.contains(*failure)).count();
                    self.met.extend(failures);
                } else if let Message::FinalResult(result) = envelope.payload {
                    end = Some(result);
                }
            }
        }
        let end = end.expect("every task has a result");
        self.tasks.push(TaskFigures {
            trap: task.trap,
            likeness: task.likeness,
            request: task.request,
            replans,
            repeats,
            calls,
            success: is_right(&end, task.truth),
            told: told.unwrap_or_default(),
        });
    }

    pub(crate) fn repeats(&self) -> usize {
        self.tasks.iter().map(|task| task.repeats).sum()
    }

    pub(crate) fn replans(&self) -> usize {
        self.tasks.iter().map(|task| task.replans).sum()
    }

    pub(crate) fn successes(&self) -> usize {
        self.tasks.iter().filter(|task| task.success).count()
    }

    /// Model calls of the tasks without a trap.
    pub(crate) fn harmless_calls(&self) -> usize {
        self.tasks.iter().filter(|task| task.trap == Trap::None).map(|task| task.calls).sum()
    }
}

/// The memory section of a question to the planner's model.
fn memory_section(prompt: &SentPrompt) -> Option<String> {
    let request = &prompt.request;
    if request.role != Role::Planner {
        return None;
    }
    let text = request.messages.get(1)?.content.as_str();
    let lines = text.lines().skip_while(|line| *line != "## Memory").skip(1);
    Some(lines.take_while(|line| !line.starts_with("## ")).collect::<Vec<_>>().join("\n"))
}

/// The failures of a step, each once.
fn failures(outcome: &SubTaskOutcome) -> BTreeSet<String> {
    if outcome.status != OutcomeStatus::Failed {
        return BTreeSet::new();
    }
    outcome.receipts.iter().map(failure).collect()
}

fn failure(receipt: &Receipt) -> String {
    let class = receipt.blame.as_str();
    let trap = Trap::ALL.into_iter().find(|trap| trap.springs(class, &receipt.target));
    trap.map_or_else(|| format!("{class} on {}", receipt.target), |trap| trap.name().to_owned())
}

/// Whether the task was accepted and its output is the right one.
fn is_right(end: &FinalResult, truth: &str) -> bool {
    end.directive == Ending::Accept && end.output.to_string().contains(truth)
}
