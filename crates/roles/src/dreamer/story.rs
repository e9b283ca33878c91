//! What happened in a task, read off its envelopes: enough to learn from it, and no more than fits a prompt.

use std::collections::VecDeque;

use artoo_types::control::{Ending, FinalResult, MacroState, PlanDirective, Reason};
use artoo_types::memory::plans::step_line;
use artoo_types::outcome::CorrectionSignal;
use artoo_types::plan::{DispatchManifest, SubTask};
use artoo_types::task::TaskSpec;
use artoo_types::{Envelope, MessageVisitor, Timestamp};

/// Plans, troubles and open criteria that are kept, of each the last: with their bound of characters a prompt of some
/// thousand tokens.
const KEPT: usize = 12;

/// A task that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// What was asked.
    pub spec: TaskSpec,
    /// Whether it ended well.
    pub well: bool,
    /// Why it ended.
    pub why: Reason,
    /// The same as a word.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// It had seen text of strangers.
    pub untrusted: bool,
    /// Its plans, one a line.
    pub plans: Vec<String>,
    /// Corrections and directives, in their order.
    pub troubles: Vec<String>,
    /// What was not met in the end.
    pub unmet: Vec<String>,
}

/// Collects a story.
#[derive(Debug, Default)]
pub struct StoryReader {
    spec: Option<TaskSpec>,
    plans: VecDeque<String>,
    troubles: VecDeque<String>,
    story: Option<Story>,
    /// When the latest envelope was published.
    at: Timestamp,
}

impl StoryReader {
    /// Takes the next envelope in.
    pub fn observe(&mut self, envelope: &Envelope) {
        if envelope.refused {
            return;
        }
        self.at = envelope.time;
        envelope.payload.visit(self);
    }

    /// The story, once the task has ended, if something went wrong on its way: a correction, a directive, or the end.
    pub fn trouble(self) -> Option<Story> {
        self.story.filter(|story| !story.well || !story.troubles.is_empty())
    }
}

impl MessageVisitor for StoryReader {
    fn task_spec(&mut self, spec: &TaskSpec) {
        self.spec = Some(spec.clone());
    }

    fn dispatch_manifest(&mut self, plan: &DispatchManifest) {
        keep(&mut self.plans, plan_line(plan));
    }

    fn correction_signal(&mut self, signal: &CorrectionSignal) {
        let line = format!("corrected: {} Then: {}", signal.what_was_wrong, signal.what_to_do);
        keep(&mut self.troubles, line);
    }

    fn plan_directive(&mut self, directive: &PlanDirective) {
        let line = format!(
            "{} after \"{}\" failed: {}",
            MacroState::from(directive.directive).as_str(),
            directive.failed_criterion,
            directive.grounds.rationale
        );
        keep(&mut self.troubles, line);
    }

    fn final_result(&mut self, result: &FinalResult) {
        let Some(spec) = self.spec.take() else { return };
        let unmet = result.unmet.iter().take(KEPT);
        self.story = Some(Story {
            spec,
            well: match result.directive {
                Ending::Accept | Ending::Success => true,
                Ending::Abandon => false,
            },
            why: result.reason,
            reason: result.reason.as_str().to_owned(),
            at: self.at,
            untrusted: result.taint.untrusted,
            plans: std::mem::take(&mut self.plans).into(),
            troubles: std::mem::take(&mut self.troubles).into(),
            unmet: unmet.map(|u| format!("{} ({})", u.criterion, u.evidence)).collect(),
        });
    }
}

fn keep(kept: &mut VecDeque<String>, line: String) {
    if kept.len() == KEPT {
        kept.pop_front();
    }
    kept.push_back(line);
}

fn plan_line(plan: &DispatchManifest) -> String {
    let step = |s: &SubTask| step_line(s.sequence, &s.tools, &s.intent);
    plan.subtasks.iter().map(step).collect::<Vec<_>>().join("; ")
}
