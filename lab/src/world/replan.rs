//! The planner of the laboratory: how it answers a directive, and how the world moves on meanwhile.

use std::sync::Arc;

use artoo_types::belief::StepAxis;
use artoo_types::control::{Directive, PlanDirective};
use artoo_types::plan::{BlockedTarget, BlockedTool, DispatchManifest};
use serde_json::{Value, json};

use super::attempt::is_wrong_target;
use super::surroundings::{class_name, class_number, intent, step_number, target_name, target_number};
use super::{Advice, Planner, Ruled, Status, Step, Work, World};
use crate::plant::{CLASSES, Family, TARGETS, Trouble};

/// A plan that is about to be sent.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    reply: Value,
    /// The steps as they are when it goes out.
    steps: Vec<Step>,
}

/// What is known of a step when it is planned anew.
#[derive(Debug, Clone, Copy, Default)]
struct Guidance {
    axis: Option<StepAxis>,
    /// Code keeps its class.
    pinned: bool,
    /// A class that no step used before is asked for.
    novel: bool,
}

impl World<'_> {
    /// The reply of R2.
    pub(super) fn plan(&mut self) -> Value {
        if self.directive.is_none() {
            let steps: Vec<Value> =
                (0..self.steps.len()).map(|s| self.step_json(s, &self.steps[s], &[])).collect();
            return json!({"task_criteria": self.task_criteria(), "subtasks": steps});
        }
        if self.drafts.is_empty() {
            self.drafts = self.think();
            self.sent = 0;
        }
        let draft = &self.drafts[self.sent.min(self.drafts.len() - 1)];
        self.sent += 1;
        draft.reply.clone()
    }

    fn step_json(&self, s: usize, step: &Step, supersedes: &[String]) -> Value {
        let target = target_name(s, step.target, step.folded);
        let intent = intent(s, step.version);
        json!({"sequence": self.scene.truth.steps[s].group + 1, "intent": intent, "tools": [class_name(step.class)],
               "targets": [target], "success_criteria": self.criteria(s), "supersedes": supersedes})
    }

    /// A plan went out.
    pub(super) fn take_plan(&mut self, plan: &DispatchManifest) {
        if let Some(draft) =
            self.drafts.get(self.sent.saturating_sub(1).min(self.drafts.len().saturating_sub(1)))
        {
            self.steps.clone_from(&draft.steps);
        }
        self.drafts.clear();
        for subtask in &plan.subtasks {
            let s = step_number(&subtask.intent);
            self.ids.insert(subtask.subtask_id, s);
            let Some(s) = s else { continue };
            let step = &mut self.steps[s];
            step.class = subtask.tools.first().and_then(|class| class_number(class)).unwrap_or(step.class);
            step.target = subtask.targets.first().and_then(|t| target_number(t)).unwrap_or(step.target);
            step.status = Status::NotRun;
            step.work = Work::default();
            step.blocked = subtask.blocked.clone();
        }
    }

    /// A round is over: what is said of each failed step, and what moves on before the planner thinks.
    pub(super) fn directed(&mut self, directive: &Arc<PlanDirective>) {
        self.directive = Some(Arc::clone(directive));
        for seen in self.notes.rounds.iter_mut().rev().take_while(|seen| seen.cell.is_none()) {
            seen.cell = Some(directive.directive);
        }
        for s in 0..self.steps.len() {
            if self.steps[s].status == Status::Failed && !self.steps[s].is_right {
                let told = self.guidance(s).axis.unwrap_or(StepAxis::Own);
                let advice =
                    Advice { cell: directive.directive, round: self.scene.round, cause: self.cause(s), told };
                self.notes.advice.push(advice);
            }
        }
        self.choose_redone(directive);
        for s in 0..self.steps.len() {
            let clears = self.scene.draw(58, s, 0) < self.scene.plant.clears;
            let stales = self.scene.draw(59, s, 0) < 0.06;
            let gone: [bool; TARGETS] = std::array::from_fn(|g| self.scene.draw(60, s, g) < 0.12);
            let (targets, drifts) = (self.scene.truth.steps[s].targets, self.scene.family == Family::Drift);
            let step = &mut self.steps[s];
            step.troubled &= !clears;
            if drifts {
                step.stale |= step.status == Status::Matched && !step.redo && stales;
                for (g, gone) in gone.iter().enumerate().take(targets).skip(usize::from(targets == 1)) {
                    step.gone[g] |= gone;
                }
            }
        }
        self.drafts.clear();
        self.drafts = self.think();
        self.sent = 0;
        self.scene.round = directive.replan as usize;
    }

    /// What matched and is done anew: after the whole was rejected what the directive says, else what the planner guesses.
    fn choose_redone(&mut self, directive: &PlanDirective) {
        for step in &mut self.steps {
            step.redo = false;
        }
        self.cover.planned = false;
        if self.steps.iter().any(|step| step.status != Status::Matched) {
            return;
        }
        let cited: Vec<usize> =
            directive.grounds.redo.iter().filter_map(|id| self.ids.get(id).copied().flatten()).collect();
        let some = (self.scene.draw(55, 0, 0) * self.steps.len() as f64) as usize;
        if self.scene.policy.planner != Planner::Deaf && !cited.is_empty() {
            for s in &cited {
                self.steps[*s].redo = true;
            }
        } else if let Some(wrong) = self.wrong_step().filter(|_| self.scene.draw(53, 0, 0) < 0.5) {
            self.steps[wrong].redo = true;
        } else if self.scene.draw(54, 0, 0) < 0.5 {
            self.steps[some].redo = true;
        }
        self.cover.planned = !self.cover.whole && self.scene.draw(56, 0, 0) < 0.6;
        self.cover.whole |= self.cover.planned;
        if !self.cover.planned && self.steps.iter().all(|step| !step.redo) {
            self.steps[some].redo = true; // no plan is empty
        }
    }

    /// What a step needs: another class 0, another target 1, another detail 2.
    pub(super) fn hidden(&self, s: usize) -> usize {
        if !self.scene.truth.steps[s].good[self.steps[s].class] {
            0
        } else if is_wrong_target(&self.steps[s], &self.scene.truth.steps[s]) {
            1
        } else {
            2
        }
    }

    /// What the directive says of a step.
    fn guidance(&self, s: usize) -> Guidance {
        let Some(directive) = &self.directive else { return Guidance::default() };
        let deaf = self.scene.policy.planner == Planner::Deaf;
        let of_step = directive
            .grounds
            .steps
            .iter()
            .find(|told| self.ids.get(&told.subtask).copied().flatten() == Some(s));
        if let Some(told) = of_step {
            let axis = Some(told.axis).filter(|axis| *axis != StepAxis::Own && !deaf);
            return Guidance { axis, pinned: !told.pinned.is_empty(), novel: false };
        }
        if deaf || !self.scene.policy.control.steering.law.has_cells() {
            return Guidance::default();
        }
        let remark = format!("\"{}\" ran, its output falls short", intent(s, self.steps[s].version));
        let axis = match directive.directive {
            Directive::ChangePath if directive.grounds.rationale.contains(&remark) => StepAxis::Detail,
            Directive::ChangePath => StepAxis::Target,
            Directive::Refine => StepAxis::Detail,
            Directive::ChangeApproach | Directive::BreakSymmetry => StepAxis::Approach,
        };
        let novel = directive.directive == Directive::BreakSymmetry;
        Guidance { axis: Some(axis), pinned: false, novel }
    }

    /// The drafts of this round, in the order in which they are sent: one that ignores what code enforces, where the planner
    /// would have, and the one that heeds it.
    fn think(&self) -> Vec<Draft> {
        let Some(directive) = self.directive.clone() else { return Vec::new() };
        let established = |s: usize| {
            let ids = directive.established.iter();
            let ids =
                ids.filter(|o| step_number(&o.subtask.intent) == Some(s)).map(|o| o.subtask_id.to_string());
            ids.collect::<Vec<String>>()
        };
        let (mut heeding, mut naive) = (self.steps.clone(), self.steps.clone());
        let (mut forced_any, mut stuck) = (false, false);
        let mut planned = Vec::new();
        for s in 0..self.steps.len() {
            let step = &self.steps[s];
            if step.status == Status::Matched && !step.redo {
                continue;
            }
            let (next, forced, cannot) = self.next(s, &directive);
            stuck |= cannot;
            heeding[s] = next;
            heeding[s].version += 1;
            naive[s] = heeding[s].clone();
            if forced {
                forced_any = true;
                (naive[s].class, naive[s].target) = (step.class, step.target);
                if self.guidance(s).pinned {
                    let other =
                        self.scene.truth.steps[s].class_at(|k| k != step.class, self.scene.draw(68, s, 0));
                    naive[s].class = other.unwrap_or(step.class);
                }
            }
            planned.push((s, if step.status == Status::Matched { established(s) } else { Vec::new() }));
        }
        if stuck || (self.scene.policy.planner == Planner::Oracle && self.scene.family == Family::Impossible)
        {
            let reply = json!({"task_criteria": [], "subtasks": [], "decline": {"reason": "no way is left"}});
            return vec![Draft { reply, steps: self.steps.clone() }];
        }
        let reply = |steps: &[Step]| {
            let mut list: Vec<Value> =
                planned.iter().map(|(s, over)| self.step_json(*s, &steps[*s], over)).collect();
            list.extend(self.cover.planned.then(|| {
                json!({"sequence": 1, "intent": format!("zulu cover what is missing, version {}", directive.replan),
                       "tools": ["t4"], "targets": [], "supersedes": [],
                       "success_criteria": [{"text": "zulu is covered", "mode": "plausible", "check": null}]})
            }));
            json!({"task_criteria": [], "subtasks": list})
        };
        let mut drafts = Vec::new();
        if forced_any {
            drafts.push(Draft { reply: reply(&naive), steps: naive.clone() });
        }
        drafts.push(Draft { reply: reply(&heeding), steps: heeding.clone() });
        drafts
    }

    /// How a step is planned anew: the step, whether code forced something on it, whether no way is left.
    fn next(&self, s: usize, directive: &PlanDirective) -> (Step, bool, bool) {
        let truth = &self.scene.truth.steps[s];
        let mut step = self.steps[s].clone();
        let (class, target) = (step.class, step.target);
        if self.scene.policy.planner == Planner::Oracle && step.status != Status::NotRun {
            match self.hidden(s) {
                0 => step.tried.known_bad.0.push(class),
                1 => step.tried.known_bad.1.push((class, target)),
                _ => {}
            }
        }
        let taboo = Taboo { known_bad: step.tried.known_bad.clone(), ..self.taboo(s, directive) };
        if step.status == Status::NotRun {
            if taboo.class(class) || taboo.target(class, target, step.folded) {
                let free = |k: usize| !taboo.class(k) && !taboo.target(k, target, step.folded);
                step.class = truth.class_at(free, self.scene.draw(74, s, 0)).unwrap_or(class);
            }
            return (step, false, false);
        }
        let guidance = self.guidance(s);
        let (mut axis, follows) = self.axis(s, guidance);
        let mut forced = false;
        if guidance.pinned && axis == StepAxis::Approach {
            (axis, forced) = (StepAxis::Detail, true);
        }
        if self.scene.draw(66, s, 0) < self.scene.plant.regression {
            step.quality = (step.quality - 0.2).max(0.0);
        }
        if axis == StepAxis::Detail {
            step.quality = (step.quality + if follows || forced { 0.25 } else { 0.15 }).min(1.0);
            step.folded += u32::from(truth.folds);
        }
        let mut stuck = false;
        if axis == StepAxis::Approach || taboo.class(class) {
            forced |= axis != StepAxis::Approach && !follows;
            stuck = self.change_class(&mut step, &taboo, guidance.novel && follows);
        }
        if axis == StepAxis::Target || taboo.target(step.class, target, step.folded) {
            forced |= axis != StepAxis::Target && !follows;
            let free = |g: usize, tries: u8| {
                g != target
                    && !taboo.target(step.class, g, step.folded)
                    && (tries > 0 || !step.tried.targets[g] || self.scene.draw(71, s, g) >= 0.6)
            };
            let at = self.scene.draw(72, s, 0);
            step.target = (0..2).find_map(|tries| truth.target_at(|g| free(g, tries), at)).unwrap_or(target);
        }
        (step, forced && self.scene.policy.planner != Planner::Oracle, stuck)
    }

    fn taboo<'a>(&self, s: usize, directive: &'a PlanDirective) -> Taboo<'a> {
        let of = |block: &BlockedTool| {
            let named = block.subtask.and_then(|id| self.ids.get(&id).copied().flatten());
            named.or_else(|| step_number(&block.intent))
        };
        let blocks = directive.blocked_tools.iter().filter(|block| of(block) == Some(s));
        Taboo {
            s,
            classes: blocks.map(|block| block.class.as_str()).collect(),
            targets: &directive.blocked_targets,
            known_bad: (Vec::new(), Vec::new()),
        }
    }

    /// What the planner changes about a step, and whether it follows advice in that.
    fn axis(&self, s: usize, guidance: Guidance) -> (StepAxis, bool) {
        let hidden = [StepAxis::Approach, StepAxis::Target, StepAxis::Detail][self.hidden(s)];
        let knows = self.scene.policy.planner == Planner::Oracle;
        let follows = self.scene.draw(63, s, 0) < self.scene.plant.obedience;
        if follows && knows {
            return (hidden, true);
        }
        if let Some(axis) = guidance.axis.filter(|_| follows) {
            return (axis, true);
        }
        if self.scene.draw(64, s, 0) < self.scene.plant.skill + self.scene.policy.skill {
            return (hidden, false);
        }
        let own = match self.scene.draw(65, s, 0) {
            x if x < 0.5 => StepAxis::Detail,
            x if x < 0.75 => StepAxis::Approach,
            _ => StepAxis::Target,
        };
        (own, false)
    }

    /// Takes another class: one that is new and untried, else untried, else any that is not blocked. Gives whether no way is left.
    fn change_class(&self, step: &mut Step, taboo: &Taboo<'_>, novel: bool) -> bool {
        let (s, truth) = (taboo.s, &self.scene.truth.steps[taboo.s]);
        let (class, target) = (step.class, step.target);
        let free = |k: usize, tries: u8| {
            k != class
                && !taboo.class(k)
                && !taboo.target(k, target, step.folded)
                && (tries > 0 || !novel || !self.used[k])
                && (tries > 1 || !step.tried.classes[k] || self.scene.draw(67, s, k) >= 0.6)
        };
        let at = self.scene.draw(68, s, 0);
        let found = (0..3).find_map(|tries| truth.class_at(|k| free(k, tries), at));
        if let Some(k) = found {
            let x = self.scene.draw(69, s, k);
            step.class = k;
            step.quality = if truth.trouble == Trouble::Parameter { 0.2 + 0.4 * x } else { 0.8 + 0.2 * x };
            return false;
        }
        if !taboo.class(class) {
            return false;
        }
        // Something that is allowed and cannot do it.
        step.class = (0..CLASSES).find(|k| !truth.feasible[*k] && !taboo.class(*k)).unwrap_or(class);
        self.scene.draw(70, s, 0) < 0.5
    }
}

/// What a directive forbids one step.
struct Taboo<'a> {
    s: usize,
    classes: Vec<&'a str>,
    targets: &'a [BlockedTarget],
    known_bad: Ruled,
}

impl Taboo<'_> {
    fn class(&self, class: usize) -> bool {
        self.known_bad.0.contains(&class) || self.classes.contains(&class_name(class).as_str())
    }

    fn target(&self, class: usize, target: usize, folded: u32) -> bool {
        if self.known_bad.1.contains(&(class, target)) {
            return true;
        }
        let (class, name) = (class_name(class), target_name(self.s, target, folded));
        self.targets.iter().any(|block| block.class == class && block.target == name)
    }
}
