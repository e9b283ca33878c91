//! R2 Planner: actuator of the medium loop.
//! Receives   TaskSpec, PlanDirective, MemoryReply, FarewellRequest; model replies
//! Produces   DispatchManifest, MemoryQuery, PlanDraftRejected, Farewell
//! May        ask a model, ask the memory, have the working folder looked at
//! Does NOT   run tools, judge outputs, compute loss, choose directives, write memory

use std::collections::BTreeSet;
use std::sync::Arc;

use artoo_request::RequestReading;
use artoo_types::brief::{DraftFault, FarewellBrief, PlanBrief};
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::control::PlanDirective;
use artoo_types::envelope::Role;
use artoo_types::evidence::Receipt;
use artoo_types::farewell::{Farewell, FarewellRequest};
use artoo_types::limits::{MAX_DRAFT_REJECTIONS, MAX_MEMORY_ENTRIES};
use artoo_types::memory::{MemoryQuery, MemoryReply};
use artoo_types::plan::{Decline, DispatchManifest, NoPlan, PlanDraftRejected};
use artoo_types::reply::{FarewellReply, ImpossibleReply, PlanReply, SchemaName};
use artoo_types::setting::TaskSetting;
use artoo_types::situation::Situation;
use artoo_types::tag::Tag;
use artoo_types::target::{Bases, planned_forms};
use artoo_types::task::TaskSpec;
use artoo_types::{TaskId, Timestamp};

use uuid::Uuid;

use crate::ask::{AskFailed, Asker, ReplyOutcome};

mod coverage;
mod derive;
mod draft;
mod farewell;
mod impossible;
mod lint;
mod memory;
mod record;
mod request;
mod situation;
mod successor;
#[cfg(test)]
mod tests;

use draft::{DraftRejected, DraftRules};
use impossible::KnownEvidence;
use memory::PlanMemory;
use record::TaskRecord;

/// Most tags of one query: 32 steps with four pairs of tool and target each, and the tag of every such tool.
const MAX_TAGS: usize = 256;

/// What reaches the planner.
#[derive(Debug, Clone)]
pub enum Input {
    /// The task, for the first plan.
    Spec(TaskSpec),
    /// How the next plan must differ.
    Directive(PlanDirective),
    /// What the memory knows.
    Memory(MemoryReply),
    /// What there is where the task works.
    Situation(Situation),
    /// A model call ended.
    Model(ModelOutcome),
    /// The task is given up.
    Farewell(FarewellRequest),
}

/// What the planner can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the memory.
    Recall(MemoryQuery),
    /// Look at the place that the task works in.
    LookAround,
    /// Ask a model.
    AskModel(ChatRequest),
    /// Send a draft back, or report that there will be no plan.
    Reject(PlanDraftRejected),
    /// Publish a valid plan.
    Dispatch(DispatchManifest),
    /// Say what can be said at the end.
    Farewell(Farewell),
}

/// The planner of one task.
#[derive(Debug, Clone)]
pub struct Planner {
    task_id: TaskId,
    setting: Arc<TaskSetting>,
    working_directory: String,
    asker: Asker,
    /// The end of the task, once it is given up.
    parting: Option<Arc<FarewellRequest>>,
    spec: Option<Arc<TaskSpec>>,
    /// What the request asks for in words.
    request: RequestReading,
    directive: Option<Arc<PlanDirective>>,
    memory: PlanMemory,
    lookups: Lookups,
    /// A draft that waits for what the memory says of its tools and targets.
    held: Option<PlanReply>,
    plans: PastPlans,
    round: u32,
    rejections: Rejections,
    next_subtask: u64,
}

/// The plans that went out, and what was done.
#[derive(Debug, Clone, Default)]
struct PastPlans {
    last: Option<DispatchManifest>,
    /// Those that failed: one a round.
    failed: Vec<DispatchManifest>,
    /// What calls gave.
    record: TaskRecord,
}

/// What was looked up for the next plan.
#[derive(Debug, Clone, Default)]
struct Lookups {
    /// What there is where the task works.
    situation: Option<Arc<Situation>>,
    /// Answers that the plan waits for: of the memory, and of a look at the place.
    awaited: usize,
    /// What the memory was asked about since the last directive.
    tags: BTreeSet<Tag>,
}

/// The drafts of one round that were sent back.
#[derive(Debug, Clone, Default)]
struct Rejections {
    count: u32,
    /// One of them had more wrong with it than what there may be no way around.
    beyond_targets: bool,
    /// What was wrong with the last one.
    last: Vec<DraftFault>,
    /// The memories that stood against them.
    memories: Vec<Uuid>,
}

impl Planner {
    /// A planner for one task.
    pub fn new(task_id: TaskId, setting: &TaskSetting, working_directory: &str) -> Self {
        let system = include_str!("planner/prompt.md").trim_ascii_end();
        Self {
            task_id,
            setting: Arc::new(setting.clone()),
            working_directory: working_directory.to_owned(),
            asker: Asker::new(Role::Planner, Tier::Brain, SchemaName::Plan, system)
                .within(setting.models.brain_limits()),
            parting: None,
            spec: None,
            request: RequestReading::default(),
            directive: None,
            memory: PlanMemory::default(),
            lookups: Lookups::default(),
            held: None,
            plans: PastPlans::default(),
            round: 0,
            rejections: Rejections::default(),
            next_subtask: 1,
        }
    }

    /// Takes note of a call of the task that ended.
    pub fn saw(&mut self, receipt: &Receipt) {
        self.plans.record.note(receipt);
    }

    /// The command that runs the tests of the place, where that says so itself.
    pub fn suite(&self) -> Option<String> {
        artoo_relevance::suite(self.lookups.situation.as_deref()?)
    }

    /// One step. Time does not matter to a plan.
    pub fn step(&mut self, _now: Timestamp, input: Input) -> Vec<Effect> {
        match input {
            Input::Spec(spec) => {
                self.request = artoo_request::read(&spec.raw_input);
                self.spec = Some(Arc::new(spec));
                self.look_up()
            }
            Input::Directive(directive) => {
                self.round += 1;
                self.plans.failed.extend(self.plans.last.clone());
                self.directive = Some(Arc::new(directive));
                self.rejections = Rejections::default();
                self.look_up()
            }
            Input::Memory(reply) => match self.held.take() {
                Some(draft) => {
                    self.memory.learn(reply);
                    self.judge(draft)
                }
                None => {
                    // The built-in rules know no commands.
                    let reader = self.spec.as_ref().filter(|_| self.setting.models.language_model);
                    let request = reader.map_or("", |spec| spec.raw_input.as_str());
                    self.memory = PlanMemory::recalled(reply, &self.working_directory, request);
                    self.came()
                }
            },
            Input::Situation(situation) => {
                self.lookups.situation = Some(Arc::new(situation));
                self.came()
            }
            Input::Farewell(request) => vec![self.part(request)],
            Input::Model(outcome) if self.parting.is_some() => vec![self.last_words(outcome)],
            Input::Model(outcome) => match self.asker.read::<PlanReply>(outcome) {
                ReplyOutcome::AskAgain(request) => vec![Effect::AskModel(request)],
                ReplyOutcome::Reply(reply) => self.weigh(reply),
                ReplyOutcome::Failed(failed) => vec![self.no_model(failed)],
            },
        }
    }

    /// Asks for the last words, once: what is wrong with the reply is not repaired, since words of code stand in for it.
    fn part(&mut self, request: FarewellRequest) -> Effect {
        let system = include_str!("planner/farewell.md").trim_ascii_end();
        self.asker = Asker::new(Role::Planner, Tier::Brain, SchemaName::Farewell, system)
            .within(self.setting.models.brain_limits());
        let request = Arc::new(request);
        self.parting = Some(Arc::clone(&request));
        let deadline_ms = request.deadline_ms;
        let asked = self.asker.ask(FarewellBrief { request, words: self.words() });
        Effect::AskModel(ChatRequest { deadline_ms: deadline_ms.min(asked.deadline_ms), ..asked })
    }

    fn last_words(&mut self, outcome: ModelOutcome) -> Effect {
        let Some(request) = self.parting.take() else {
            return Effect::Farewell(Farewell::silent(self.task_id, None));
        };
        let said = match self.asker.read::<FarewellReply>(outcome) {
            ReplyOutcome::Reply(reply) => {
                farewell::admitted(&reply, &request, &self.words()).map_err(|fault| fault.as_str().to_owned())
            }
            ReplyOutcome::AskAgain(_) => Err("the reply is lost or not in the required form".to_owned()),
            ReplyOutcome::Failed(failed) => Err(failed.message),
        };
        Effect::Farewell(said.unwrap_or_else(|why| Farewell::silent(self.task_id, Some(why))))
    }

    /// The person's words.
    fn words(&self) -> String {
        self.spec.as_ref().map(|spec| spec.raw_input.clone()).unwrap_or_default()
    }

    /// Asks the memory and looks at the place as it is now; a plan is asked for when both have come.
    fn look_up(&mut self) -> Vec<Effect> {
        let mut effects = vec![self.recall()];
        let looks = self.setting.models.language_model || self.setting.models.rules_look;
        effects.extend(looks.then_some(Effect::LookAround));
        self.lookups.awaited = effects.len();
        effects
    }

    fn came(&mut self) -> Vec<Effect> {
        self.lookups.awaited = self.lookups.awaited.saturating_sub(1);
        if self.lookups.awaited == 0 { vec![self.ask()] } else { Vec::new() }
    }

    /// Declines with the draft; else looks up what it plans, and then judges it.
    fn weigh(&mut self, reply: PlanReply) -> Vec<Effect> {
        if let Some(said) = reply.impossible.clone().filter(|_| reply.subtasks.is_empty()) {
            return self.give_up(&said);
        }
        if let Some(decline) = reply.decline.clone().filter(|_| reply.subtasks.is_empty()) {
            // Once something was tried, "no way is left" is a result and not a refusal.
            let outcome = if self.directive.is_some() { NoPlan::CannotPlan } else { NoPlan::Declined };
            let request = self.spec.as_ref().map_or("", |spec| spec.raw_input.as_str());
            self.note_memories(self.memory.in_the_way(request));
            return vec![Effect::Reject(self.rejected(outcome, vec![decline.reason.clone()], Some(decline)))];
        }
        let tags = self.unknown(reply.subtasks.iter().map(|s| (s.tools.as_slice(), s.targets.as_slice())));
        if tags.is_empty() {
            return self.judge(reply);
        }
        self.lookups.tags.extend(tags.iter().cloned());
        self.held = Some(reply);
        vec![Effect::Recall(MemoryQuery { tags, tool_clusters: 0, intent: String::new() })]
    }

    /// Nothing can do this, where what is cited exists; else the draft goes back.
    fn give_up(&mut self, said: &ImpossibleReply) -> Vec<Effect> {
        let known = KnownEvidence {
            record: &self.plans.record,
            situation: self.lookups.situation.as_deref(),
            request: &self.request,
        };
        match known.reasons(said) {
            Ok(reasons) => vec![Effect::Reject(self.rejected(NoPlan::CannotBeDone, reasons, None))],
            Err(unknown) => self.send_back(DraftRejected {
                faults: vec![DraftFault::UnshownImpossibility(unknown)],
                only_mild: false,
            }),
        }
    }

    /// Dispatches the draft, or sends it back.
    fn judge(&mut self, reply: PlanReply) -> Vec<Effect> {
        match draft::validate(&self.rules(), reply) {
            Ok(manifest) => {
                self.next_subtask += manifest.subtasks.len() as u64;
                self.plans.last = Some(manifest.clone());
                vec![Effect::Dispatch(manifest)]
            }
            Err(rejected) => self.send_back(rejected),
        }
    }

    fn send_back(&mut self, rejected: DraftRejected) -> Vec<Effect> {
        let reasons = rejected.faults.iter().map(DraftFault::to_string).collect();
        self.rejections.count += 1;
        self.rejections.beyond_targets |= !rejected.only_mild;
        let against = rejected.faults.iter().flat_map(|fault| self.memory.behind(fault)).collect();
        self.note_memories(against);
        self.rejections.last = rejected.faults;
        if self.rejections.count > MAX_DRAFT_REJECTIONS {
            return vec![Effect::Reject(self.rejected(NoPlan::CannotPlan, reasons, None))];
        }
        let notice = self.rejected(NoPlan::SentBack, reasons, None);
        vec![Effect::Reject(notice), self.ask()]
    }

    /// A model that did not answer, or not in form, says nothing about the intent: it must not be remembered against it.
    fn no_model(&self, failed: AskFailed) -> Effect {
        let outcome = if failed.wrong_form { NoPlan::WrongForm } else { NoPlan::ModelUnavailable };
        Effect::Reject(self.rejected(outcome, vec![failed.message], None))
    }

    fn rejected(&self, outcome: NoPlan, reasons: Vec<String>, decline: Option<Decline>) -> PlanDraftRejected {
        let left_out = |fault: &DraftFault| {
            if let DraftFault::Uncovered(part) = fault { Some(part.clone()) } else { None }
        };
        let uncovered = self.rejections.last.iter().filter_map(left_out).collect();
        PlanDraftRejected {
            task_id: self.task_id,
            attempt: self.rejections.count,
            outcome,
            reasons,
            decline,
            uncovered,
            memories: self.rejections.memories.clone(),
        }
    }

    /// Each is named once. A round is sent back three times at most, for sixteen faults each time.
    fn note_memories(&mut self, ids: Vec<Uuid>) {
        for id in ids {
            if !self.rejections.memories.contains(&id) {
                self.rejections.memories.push(id);
            }
        }
    }

    /// A draft that was sent back twice for blocked targets alone is let through with the list of what failed before:
    /// the subtask may have only one input.
    fn rules(&self) -> DraftRules<'_> {
        DraftRules {
            task_id: self.task_id,
            round: self.round,
            setting: &self.setting,
            working_directory: &self.working_directory,
            directive: self.directive.as_deref(),
            memory: &self.memory,
            last: self.plans.last.as_ref(),
            failed: &self.plans.failed,
            next_subtask: self.next_subtask,
            targets_bind: self.rejections.count < MAX_DRAFT_REJECTIONS || self.rejections.beyond_targets,
            request: &self.request,
            raw_request: self.spec.as_ref().map(|spec| spec.raw_input.as_str()).unwrap_or_default(),
            coverage_binds: self.rejections.count < MAX_DRAFT_REJECTIONS,
        }
    }

    /// What the memory is asked before a model is: about the request, the person, and what the last plan used.
    fn recall(&mut self) -> Effect {
        let mut tags: Vec<Tag> = self.spec.iter().map(|s| s.intent_tag.clone()).collect();
        tags.push(Tag::user());
        self.lookups.tags = tags.iter().cloned().collect();
        let steps = self.plans.last.iter().flat_map(|m| &m.subtasks);
        tags.extend(self.unknown(steps.map(|s| (s.tools.as_slice(), s.targets.as_slice()))));
        tags.truncate(MAX_TAGS);
        self.lookups.tags.extend(tags.iter().cloned());
        let intent = self.spec.as_ref().map(|spec| spec.intent.clone()).unwrap_or_default();
        Effect::Recall(MemoryQuery { tags, tool_clusters: MAX_MEMORY_ENTRIES, intent })
    }

    /// The tags of these steps' tools and targets that were not looked up yet, each once.
    fn unknown<'a>(&self, steps: impl Iterator<Item = (&'a [String], &'a [String])>) -> Vec<Tag> {
        let mut tags = Vec::new();
        let mut seen = BTreeSet::new();
        for (tools, targets) in steps {
            for class in draft::normal_tools(tools) {
                let forms = targets.iter().flat_map(|t| planned_forms(t, self.bases()));
                let of_class = forms.map(|t| Tag::tool(&class, Some(&t))).chain([Tag::tool(&class, None)]);
                tags.extend(of_class.filter(|t| !self.lookups.tags.contains(t) && seen.insert(t.clone())));
            }
        }
        tags.truncate(MAX_TAGS);
        tags
    }

    fn bases(&self) -> Bases<'_> {
        Bases {
            working_directory: &self.working_directory,
            workspace: &self.setting.workspace,
            home: &self.setting.home,
        }
    }

    fn ask(&mut self) -> Effect {
        Effect::AskModel(self.asker.ask(PlanBrief {
            setting: Arc::clone(&self.setting),
            working_directory: self.working_directory.clone(),
            spec: self.spec.clone().expect("the machine gives a planner its task before anything else"),
            directive: self.directive.clone(),
            memory: self.memory.advice(),
            situation: self.lookups.situation.clone(),
            record: self.directive.iter().flat_map(|_| self.plans.record.lines()).collect(),
            faults: self.rejections.last.clone(),
        }))
    }
}
