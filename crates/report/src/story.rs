//! The envelopes of a task in the order in which a person would tell it.

use std::collections::BTreeMap;

use artoo_types::chat::{ModelCallFinished, ModelCallStarted};
use artoo_types::control::{FinalResult, PlanDirective};
use artoo_types::criteria::CriterionVerdict;
use artoo_types::envelope::{Envelope, MessageVisitor, Role};
use artoo_types::evidence::CallEnd;
use artoo_types::memory::MegramWrite;
use artoo_types::outcome::{OutcomeSummary, ReplanRequest, SubTaskOutcome};
use artoo_types::plan::{DispatchManifest, PlanDraftRejected};
use artoo_types::task::{
    ClarificationAnswer, ClarificationRequest, ConfirmationRequest, ConfirmationResolved, TaskSpec,
    TaskSubmitted,
};
use artoo_types::tool::{ToolCallFinished, ToolCallStarted};
use artoo_types::{ConfirmationId, EffectId, Timestamp};

/// Everything that the page tells.
#[derive(Default)]
pub(crate) struct TaskStory {
    pub(crate) task_id: String,
    pub(crate) request: Option<TaskSubmitted>,
    /// What was taken for granted because nobody could be asked.
    pub(crate) assumptions: Vec<String>,
    pub(crate) result: Option<FinalResult>,
    /// When the first and the last thing happened.
    pub(crate) began: Timestamp,
    pub(crate) ended: Timestamp,
    pub(crate) rounds: BTreeMap<u32, RoundStory>,
    pub(crate) spans: Vec<Span>,
    pub(crate) learned: Vec<MegramWrite>,
    open: OpenSpans,
}

/// What began and has not ended yet.
#[derive(Default)]
struct OpenSpans {
    models: BTreeMap<u64, Timestamp>,
    tools: BTreeMap<EffectId, (Timestamp, String)>,
    questions: BTreeMap<ConfirmationId, Timestamp>,
    clarification: Option<Timestamp>,
}

/// What happened in one round.
#[derive(Default)]
pub(crate) struct RoundStory {
    /// Why drafts were sent back, or why there is no plan.
    pub(crate) rejected: Vec<PlanDraftRejected>,
    pub(crate) plan: Option<DispatchManifest>,
    pub(crate) outcomes: Vec<SubTaskOutcome>,
    pub(crate) task_verdicts: Vec<CriterionVerdict>,
    /// What it fell short of, in words.
    pub(crate) gap: String,
    pub(crate) directive: Option<PlanDirective>,
}

/// A stretch of time in which somebody worked or waited.
pub(crate) struct Span {
    pub(crate) lane: Lane,
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
    /// What it was.
    pub(crate) what: String,
    pub(crate) failed: bool,
}

/// Whose time it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    /// A role asks a model.
    Model(Role),
    /// A tool runs.
    Tool,
    /// A person is asked.
    Person,
}

impl Lane {
    /// What stands beside it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Model(role) => role_name(role),
            Self::Tool => "tools",
            Self::Person => "you",
        }
    }
}

/// What a person calls a role.
pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "you",
        Role::Operator => "operator",
        Role::Runtime => "runtime",
        Role::Perceiver => "R1 reads the request",
        Role::Planner => "R2 plans",
        Role::Dispatcher => "dispatcher",
        Role::Executor => "R3 works",
        Role::AgentValidator => "R4a judges a step",
        Role::MetaValidator => "R4b judges the task",
        Role::Memory => "R5 remembers",
        Role::Auditor => "R6 watches",
        Role::Solver => "R7 decides",
    }
}

/// A count that a server may have left out.
fn counted(tokens: Option<u64>) -> String {
    tokens.map_or_else(|| "untold".to_owned(), |count| count.to_string())
}

impl TaskStory {
    /// The story of these envelopes. A refused one was delivered to nobody and is left out.
    pub(crate) fn of(envelopes: &[Envelope]) -> Self {
        let mut story = Self::default();
        if let Some(first) = envelopes.first() {
            story.began = first.time;
            story.task_id = first.task_id.map(|id| id.to_string()).unwrap_or_default();
        }
        for envelope in envelopes.iter().filter(|envelope| !envelope.refused) {
            story.ended = story.ended.max(envelope.time);
            envelope.payload.visit(&mut Chapter {
                story: &mut story,
                round: envelope.round,
                now: envelope.time,
            });
        }
        story.close();
        story
    }

    /// From the first to the last thing that happened, in milliseconds, at least 1.
    pub(crate) fn length_ms(&self) -> u64 {
        self.ended.since_ms(self.began).max(1)
    }

    /// What is still open when the story ends lasts until then.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        for (from, what) in open.tools.into_values() {
            self.span(Lane::Tool, from, self.ended, what, false);
        }
        for from in open.questions.into_values().chain(open.clarification) {
            self.span(Lane::Person, from, self.ended, "waits for an answer".to_owned(), false);
        }
    }

    fn span(&mut self, lane: Lane, from: Timestamp, to: Timestamp, what: String, failed: bool) {
        self.spans.push(Span { lane, from, to, what, failed });
    }
}

/// One envelope, as it enters the story.
struct Chapter<'a> {
    story: &'a mut TaskStory,
    round: u32,
    now: Timestamp,
}

impl Chapter<'_> {
    fn round(&mut self) -> &mut RoundStory {
        self.story.rounds.entry(self.round).or_default()
    }
}

impl MessageVisitor for Chapter<'_> {
    fn task_submitted(&mut self, body: &TaskSubmitted) {
        self.story.request = Some(body.clone());
    }

    fn task_spec(&mut self, body: &TaskSpec) {
        self.story.assumptions.clone_from(&body.assumptions);
    }

    fn megram_write(&mut self, body: &MegramWrite) {
        self.story.learned.push(body.clone());
    }

    fn plan_draft_rejected(&mut self, body: &PlanDraftRejected) {
        self.round().rejected.push(body.clone());
    }

    fn dispatch_manifest(&mut self, body: &DispatchManifest) {
        self.round().plan = Some(body.clone());
    }

    fn sub_task_outcome(&mut self, body: &SubTaskOutcome) {
        self.round().outcomes.push(body.clone());
    }

    fn replan_request(&mut self, body: &ReplanRequest) {
        let round = self.round();
        round.task_verdicts.clone_from(&body.task_verdicts);
        round.gap.clone_from(&body.gap_summary);
    }

    fn outcome_summary(&mut self, body: &OutcomeSummary) {
        self.round().task_verdicts.clone_from(&body.task_verdicts);
    }

    fn plan_directive(&mut self, body: &PlanDirective) {
        // It ends the round whose figures it holds.
        let ended = body.replan.saturating_sub(1);
        self.story.rounds.entry(ended).or_default().directive = Some(body.clone());
    }

    fn final_result(&mut self, body: &FinalResult) {
        self.story.result = Some(body.clone());
    }

    fn model_call_started(&mut self, body: &ModelCallStarted) {
        self.story.open.models.insert(body.call, self.now);
    }

    fn model_call_finished(&mut self, body: &ModelCallFinished) {
        let from = self.story.open.models.remove(&body.call).unwrap_or(self.now);
        let what = match &body.failure {
            Some(failure) => failure.clone(),
            None => format!(
                "{}: {} tokens read, {} written",
                body.model,
                counted(body.usage.prompt),
                counted(body.usage.completion)
            ),
        };
        self.story.span(Lane::Model(body.role), from, self.now, what, body.failure.is_some());
    }

    fn tool_call_started(&mut self, body: &ToolCallStarted) {
        let what = format!("{} {}", body.tool, body.arguments);
        self.story.open.tools.insert(body.effect_id, (self.now, what));
    }

    fn tool_call_finished(&mut self, body: &ToolCallFinished) {
        let begun = self.story.open.tools.remove(&body.effect_id);
        let (from, what) = begun.unwrap_or_else(|| (self.now, format!("{} {}", body.tool, body.target)));
        let failed = body.end != CallEnd::Ran || body.exit != Some(0);
        self.story.span(Lane::Tool, from, self.now, what, failed);
    }

    fn confirmation_request(&mut self, body: &ConfirmationRequest) {
        self.story.open.questions.insert(body.confirmation_id, self.now);
    }

    fn confirmation_resolved(&mut self, body: &ConfirmationResolved) {
        if let Some(from) = self.story.open.questions.remove(&body.confirmation_id) {
            let what = if body.approved { "allowed" } else { "not allowed" };
            self.story.span(Lane::Person, from, self.now, what.to_owned(), !body.approved);
        }
    }

    fn clarification_request(&mut self, _: &ClarificationRequest) {
        self.story.open.clarification = Some(self.now);
    }

    fn clarification_answer(&mut self, body: &ClarificationAnswer) {
        if let Some(from) = self.story.open.clarification.take() {
            let what = if body.assumed { "assumed" } else { "answered" };
            self.story.span(Lane::Person, from, self.now, what.to_owned(), false);
        }
    }
}
