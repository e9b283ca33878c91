//! What the controller carries from round to round. It is rebuilt by folding the task's inputs, so a restart resets
//! neither Law 2 nor a block.

use std::collections::BTreeSet;

use artoo_types::changes::net;
use artoo_types::control::{Directive, Loss, MacroState, RoundFailure, TrajectoryPoint, Unmet};
use artoo_types::evidence::{FileChange, Receipt};
use artoo_types::form::OutputForm;
use artoo_types::limits::MESSAGE_OUTPUT_CHARS;
use artoo_types::memory::plans::step_line;
use artoo_types::memory::{InputState, PlanInput, WorldState};
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::plan::{BlockedTarget, BlockedTool, DispatchManifest, PlanMark, UncoveredPart};
use artoo_types::tag::fold;
use artoo_types::text::{first_chars, head_tail};
use serde_json::Value;

use crate::blame::{FailingCall, extend_new, pair};
use crate::cascade::above;
use crate::steering::StepMemories;

/// The past of one task. Every list is bounded by rounds × subtasks × tool steps.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Figures of every round.
    pub trajectory: Vec<TrajectoryPoint>,
    /// The last decision; `init` before the first.
    pub previous: MacroState,
    /// Directives issued.
    pub directives: u32,
    /// Worsening rounds in a row.
    pub worsening: u32,
    /// The plan that is being carried out; none between a round's end and the next plan.
    pub running: Option<DispatchManifest>,
    /// Steps of that plan that have ended, and the matched ones of earlier plans that it keeps.
    pub ended: Vec<SubTaskOutcome>,
    /// Every plan so far.
    pub plans: Vec<TriedPlan>,
    /// Folded intents that matched at least once.
    pub matched: BTreeSet<String>,
    /// What its calls were, and which of them may not come again.
    pub calls: CallHistory,
    /// What was not met in the last round.
    pub unmet: Vec<Unmet>,
    /// Whose fault the failures of each round were, in the order of the trajectory.
    pub faults: Vec<RoundFailure>,
    /// What the last round did and could deliver.
    pub last: LastRound,
    /// What is verified: of the plan that runs, else of the last round.
    pub met: MetCriteria,
    /// What of the request the last plan, or the last draft, leaves out.
    pub uncovered: Vec<UncoveredPart>,
    /// What is believed of the steps that failed in the last round.
    pub beliefs: StepMemories,
}

/// A plan that went out.
#[derive(Debug, Clone, PartialEq)]
pub struct TriedPlan {
    line: String,
    /// Its mark.
    pub mark: PlanMark,
    /// What its round looked at; known when that is over.
    pub world: WorldState,
    /// How its result is shown to a person.
    pub form: Option<OutputForm>,
}

impl TriedPlan {
    /// This plan, before anything is known of its round.
    pub fn new(plan: &DispatchManifest) -> Self {
        let mark = PlanMark::of_steps(&plan.subtasks);
        Self { line: plan_line(plan), mark, world: WorldState::default(), form: plan.form.clone() }
    }

    /// Whether its round made a call. One that called nothing has shown nothing.
    fn was_tried(&self) -> bool {
        !self.world.folder.is_empty()
    }

    /// The plan on one line.
    pub fn line(&self) -> &str {
        &self.line
    }
}

/// What the last round did and could deliver.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LastRound {
    /// Its outcomes.
    pub outcomes: Vec<SubTaskOutcome>,
    /// What it could deliver; null for nothing.
    pub output: Value,
    /// What of that stands in no receipt.
    pub not_in_receipts: Vec<String>,
    /// What its failed steps said, told as unverified; empty when there is nothing.
    pub unverified: String,
}

/// What is verified of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MetCriteria {
    /// The criteria that are met.
    pub met: Vec<String>,
    /// How many there are.
    pub all: usize,
}

/// The calls of one task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallHistory {
    /// Every (class, target) that was used.
    pub used: BTreeSet<BlockedTarget>,
    /// Tool classes that were tried, in order.
    pub tried: Vec<String>,
    /// Classes that failed logically, with the intents they failed for; the latest round first.
    pub class_faults: Vec<BlockedTool>,
    /// Blocked targets; they only grow.
    pub blocked: Vec<BlockedTarget>,
    /// Targets that failed and are listed, not blocked.
    pub failed_before: Vec<BlockedTarget>,
    /// Targets whose call failed, in any round.
    pub ruled_out: Vec<String>,
    /// What they changed of files and did not put back.
    pub changes: Vec<FileChange>,
}

impl History {
    /// Before the first round.
    pub fn new() -> Self {
        Self {
            trajectory: Vec::new(),
            previous: MacroState::Init,
            directives: 0,
            worsening: 0,
            running: None,
            ended: Vec::new(),
            plans: Vec::new(),
            matched: BTreeSet::new(),
            calls: CallHistory::default(),
            unmet: Vec::new(),
            faults: Vec::new(),
            last: LastRound::default(),
            met: MetCriteria::default(),
            uncovered: Vec::new(),
            beliefs: StepMemories::new(),
        }
    }

    /// The figures of the last round, if there was one.
    pub fn last_loss(&self) -> Option<&Loss> {
        self.trajectory.last().map(|point| &point.loss)
    }

    /// Whether the plan of this round was asked to break symmetry, so that what is new in it may earn praise.
    pub fn broke_symmetry(&self) -> bool {
        self.previous == Directive::BreakSymmetry.into()
    }

    /// Whether the rounds so far say anything about approach or surroundings: limits, denials and the silence of judges
    /// do not.
    pub fn teaches(&self) -> bool {
        self.faults.is_empty() || self.faults.iter().any(|fault| *fault != RoundFailure::Neither)
    }

    /// A plan goes out.
    pub fn note_plan(&mut self, plan: DispatchManifest) {
        self.calls.class_faults = inherited(&self.calls.class_faults, &plan);
        self.plans.push(TriedPlan::new(&plan));
        self.ended.retain(|o| o.matched() && plan.kept.contains(&o.subtask_id));
        self.uncovered.clone_from(&plan.uncovered);
        self.running = Some(plan);
    }

    /// The plans whose own round failed because the approach was wrong. A plan that met a missing file is no bad plan, whatever
    /// came after it (Law 3), one that was cut short in its midst has not failed, and one that called nothing was not tried.
    pub fn wrong_plans(&self, rho: f64) -> impl Iterator<Item = &TriedPlan> {
        self.plans_by_fault(rho).filter(|(_, wrong)| *wrong).map(|(plan, _)| plan)
    }

    /// The other plans, whether their round is over or not.
    pub fn other_plans(&self, rho: f64) -> impl Iterator<Item = &TriedPlan> {
        self.plans_by_fault(rho).filter(|(_, wrong)| !wrong).map(|(plan, _)| plan)
    }

    fn plans_by_fault(&self, rho: f64) -> impl Iterator<Item = (&TriedPlan, bool)> {
        self.plans.iter().enumerate().map(move |(round, plan)| {
            let ended = self.trajectory.get(round);
            (plan, plan.was_tried() && ended.is_some_and(|point| above(point.loss.implausibility.get(), rho)))
        })
    }

    /// Marks what the round of the last plan looked at, in this working folder. What the plan made or changed itself is
    /// no input of it.
    pub fn note_world(&mut self, folder: &str, outcomes: &[SubTaskOutcome]) {
        let Some(plan) = self.plans.last_mut() else { return };
        let calls: Vec<&Receipt> = outcomes.iter().flat_map(|outcome| &outcome.receipts).collect();
        if !calls.is_empty() {
            plan.world = world_of(folder, calls.into_iter());
        }
    }

    /// A call ended: what it changed stays until another one puts it back.
    pub fn note_changes(&mut self, receipt: &Receipt) {
        if !receipt.act.changes.is_empty() {
            self.calls.changes = net(self.calls.changes.iter().chain(&receipt.act.changes));
        }
    }

    /// A step of the running plan ended.
    pub fn note_ended(&mut self, outcome: SubTaskOutcome) {
        self.ended.retain(|o| o.subtask_id != outcome.subtask_id);
        self.ended.push(outcome);
    }

    /// What the request asks for and no plan covers, as something that is not met.
    pub fn left_out(&self) -> impl Iterator<Item = Unmet> {
        self.uncovered.iter().map(|part| Unmet {
            criterion: part.words().to_owned(),
            evidence: match part {
                UncoveredPart::Action(_) => "the request asks for it, and no plan covers it: it was not done",
                UncoveredPart::File(_) => "the request names it, and no plan does: nothing was done with it",
            }
            .to_owned(),
            evaluated: false,
        })
    }

    /// What the running plan has reached so far: the outputs of its matched steps, else what the last round had.
    pub fn reached(&self) -> Value {
        let mut matched: Vec<&SubTaskOutcome> = self.ended.iter().filter(|o| o.matched()).collect();
        matched.sort_by_key(|o| (o.subtask.sequence, o.subtask.round, o.subtask.ordinal));
        let outputs: Vec<String> = matched
            .iter()
            .map(|o| format!("{}\n{}", first_chars(&o.subtask.intent, 200), o.output))
            .collect();
        if outputs.is_empty() {
            return self.last.output.clone();
        }
        Value::String(head_tail(&outputs.join("\n\n"), MESSAGE_OUTPUT_CHARS))
    }

    /// Marks what matched; says whether an intent matched that never had before.
    pub fn note_matched(&mut self, outcomes: &[SubTaskOutcome]) -> bool {
        let before = self.matched.len();
        self.matched.extend(outcomes.iter().filter(|o| o.matched()).map(|o| fold(&o.subtask.intent)));
        self.matched.len() > before
    }

    /// Marks every call of a round, and the classes that are at fault for it; gives the (class, target) pairs that were never used before.
    pub fn note_calls(
        &mut self,
        outcomes: &[SubTaskOutcome],
        failing: &[FailingCall<'_>],
        mut faults: Vec<BlockedTool>,
    ) -> Vec<BlockedTarget> {
        let mut fresh = Vec::new();
        for receipt in outcomes.iter().flat_map(|o| o.all_receipts()) {
            let pair = pair(receipt);
            extend_new(&mut self.calls.tried, receipt.classes.iter().chain([&receipt.blame]).cloned());
            if self.calls.used.insert(pair.clone()) {
                fresh.push(pair);
            }
        }
        extend_new(&mut faults, std::mem::take(&mut self.calls.class_faults));
        self.calls.class_faults = faults;
        // What is not there is no input that another one could take the place of.
        let is_there = |receipt: &Receipt| {
            let is_missing =
                |input: &PlanInput| input.path == receipt.target && input.state == InputState::Absent;
            !receipt.act.inputs.iter().any(is_missing)
        };
        let ends =
            failing.iter().filter(|c| c.dead_end() && !c.receipt.target.is_empty() && is_there(c.receipt));
        extend_new(&mut self.calls.ruled_out, ends.map(|c| c.receipt.target.clone()));
        fresh
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}

/// Faults follow their step to what takes its place in this plan, and end where nothing does: it matched, or was given up.
/// Those of earlier builds know no step and stay as they are.
fn inherited(faults: &[BlockedTool], plan: &DispatchManifest) -> Vec<BlockedTool> {
    let heirs = |fault: &BlockedTool| -> Vec<BlockedTool> {
        let Some(old) = fault.subtask else { return vec![fault.clone()] };
        let heirs = plan.subtasks.iter().filter(|step| step.replaces == Some(old));
        heirs
            .map(|step| BlockedTool {
                class: fault.class.clone(),
                intent: fold(&step.intent),
                subtask: Some(step.subtask_id),
            })
            .collect()
    };
    let mut all = Vec::new();
    extend_new(&mut all, faults.iter().flat_map(heirs));
    all
}

/// What these calls, in their order, looked at, before one of them changed it.
pub fn world_of<'a>(folder: &str, calls: impl Iterator<Item = &'a Receipt>) -> WorldState {
    let mut world = WorldState { folder: folder.to_owned(), inputs: Vec::new() };
    let mut before: Vec<&Receipt> = Vec::new();
    for call in calls {
        let is_own = |path: &str| before.iter().any(|earlier| earlier.changed(path));
        let found: Vec<PlanInput> =
            call.act.inputs.iter().filter(|input| !is_own(&input.path)).cloned().collect();
        world.note(&found);
        before.push(call);
    }
    world
}

/// A plan on one line: `1 [glob] list the files; 2 [write_file] write the report`, each step with its sequence number,
/// its sorted tool classes and its folded intent: what makes two plans the same.
fn plan_line(plan: &DispatchManifest) -> String {
    let step = |s: &artoo_types::plan::SubTask| {
        let mut tools = s.tools.clone();
        tools.sort();
        step_line(s.sequence, &tools, &fold(&s.intent))
    };
    plan.subtasks.iter().map(step).collect::<Vec<_>>().join("; ")
}
