//! One attempt at one step: what the plant lets happen.

use super::surroundings::{class_name, target_name};
use super::{Scene, Status, Step};
use crate::plant::{CLASSES, Mode, StepTruth, TARGETS, Trouble};

/// What an attempt was, and what is seen of it.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    /// It broke down: nothing is judged.
    pub(super) broke: bool,
    /// Its receipt shows that the call failed.
    pub(super) call_failed: bool,
    /// Per criterion: seen as failed.
    pub(super) failed: Vec<bool>,
    /// Per criterion that a judge fails: whether it blames the approach.
    pub(super) blames_approach: Vec<Option<bool>>,
    /// Seconds of its call.
    pub(super) secs: f64,
    /// Its receipt, once the call has run.
    pub(super) receipt: Option<String>,
    /// What the round looks like for a correction: whether the failure is logical.
    logical: Option<bool>,
}

/// Why an attempt falls short.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Logical,
    Surroundings,
    Detail,
}

/// One step and its world, for the time of an attempt.
pub(super) struct Bench<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) s: usize,
    pub(super) step: &'a mut Step,
}

/// Whether the target that a step uses does not hold what is needed.
pub(super) fn is_wrong_target(step: &Step, truth: &StepTruth) -> bool {
    !truth.good_target[step.target]
        || step.gone[step.target]
        || (step.target == 0 && truth.closed[step.class])
}

impl Bench<'_> {
    fn draw(&self, purpose: u64, index: usize) -> f64 {
        self.scene.draw(purpose, self.s, index)
    }

    fn truth(&self) -> &StepTruth {
        &self.scene.truth.steps[self.s]
    }

    /// The next attempt; gives the class that it uses.
    pub(super) fn attempt(&mut self) -> usize {
        let a = self.step.work.attempts;
        if a > 0 {
            self.correct(a - 1);
        }
        self.step.work.attempts += 1;
        let (class, target) = (self.step.class, self.step.target);
        self.step.tried.classes[class] = true;
        self.step.tried.targets[target] = true;
        if self.step.troubled && a > 0 && self.draw(30, a) < 0.2 {
            self.step.troubled = false;
        }
        let (kind, wrong_class) = self.kind(a);
        let secs = self.scene.truth.tool_secs
            * (0.5 + self.draw(34, a))
            * if kind == Kind::Surroundings { 3.0 } else { 1.0 };
        let broke = kind == Kind::Surroundings && self.draw(35, a) < 0.3;
        let environmental = match kind {
            Kind::Surroundings => true,
            Kind::Logical => false,
            Kind::Detail => self.draw(36, 0) < self.scene.plant.environmental,
        };
        let mut shows_failure = environmental && kind != Kind::Detail;
        if self.draw(38, a) > self.scene.plant.receipts {
            shows_failure = !shows_failure;
        }
        if self.draw(81, a) < self.scene.policy.false_evidence {
            shows_failure = !shows_failure;
        }
        let mut attempt = Attempt {
            broke,
            call_failed: shows_failure || broke,
            failed: Vec::new(),
            blames_approach: Vec::new(),
            secs,
            receipt: None,
            logical: None,
        };
        if broke {
            self.step.status = Status::Failed;
            self.step.is_right = false;
        } else {
            self.judge(a, (kind, wrong_class, environmental), &mut attempt);
        }
        self.step.work.last = Some(attempt);
        class
    }

    /// Why the attempt falls short if it does, and whether its class cannot do the work.
    fn kind(&self, a: usize) -> (Kind, bool) {
        let (step, truth) = (&*self.step, self.truth());
        let (class, target) = (step.class, step.target);
        let troubled = step.troubled && target == 0;
        let wrong_target = troubled || is_wrong_target(step, truth);
        let wrong_class = !truth.good[class];
        if truth.trouble == Trouble::Impossible {
            let logical = self.scene.luck.happens(0.5, (33, self.scene.round / 2, self.s, 0));
            return (if logical { Kind::Logical } else { Kind::Surroundings }, wrong_class);
        }
        if wrong_target && (!wrong_class || self.draw(32, a) < 0.7) {
            return (Kind::Surroundings, wrong_class);
        }
        (if wrong_class { Kind::Logical } else { Kind::Detail }, wrong_class)
    }

    /// What judges and checks see.
    fn judge(&mut self, a: usize, what: (Kind, bool, bool), attempt: &mut Attempt) {
        let (kind, wrong_class, environmental) = what;
        let truth = &self.scene.truth.steps[self.s];
        let count = truth.criteria.len();
        let flips = self.draw(37, a) < self.scene.plant.noise;
        let forced = ((self.draw(39, a) * count as f64) as usize).min(count - 1);
        let (mut right, mut all_seen) = (truth.trouble != Trouble::Impossible, true);
        let (mut logical, mut named) = (0, 0);
        for (i, criterion) in truth.criteria.iter().enumerate() {
            let n = a * 4 + i;
            let fails = if kind == Kind::Detail {
                self.step.quality < criterion.threshold || self.draw(40, n) < 0.02
            } else {
                i == forced || self.draw(40, n) < 0.8
            };
            right &= !(fails && criterion.essential);
            let at = self.draw(41, n);
            let judged = criterion.mode != Mode::Check;
            let mut seen = if judged && at < 0.5 * self.scene.plant.noise { !fails } else { fails };
            if fails && wrong_class && truth.trouble == Trouble::Gameable {
                let games = if judged { (0.45 + 0.15 * self.scene.round as f64).min(0.9) } else { 0.3 };
                seen &= at >= games;
            }
            let mut blames = None;
            if seen {
                all_seen = false;
                let is_logical = match (judged, fails) {
                    (true, true) => environmental == flips,
                    (true, false) => self.draw(42, i) < 0.5,
                    (false, _) => !attempt.call_failed,
                };
                let is_logical = is_logical != (self.draw(82, n) < self.scene.policy.false_evidence);
                named += 1;
                logical += i32::from(is_logical);
                blames = judged.then_some(is_logical);
            }
            attempt.failed.push(seen);
            attempt.blames_approach.push(blames);
        }
        attempt.logical = (named > 0).then_some(2 * logical > named);
        self.step.is_right = right;
        self.step.status = if all_seen { Status::Matched } else { Status::Failed };
    }

    /// A correction: the executor tries something else within the same plan.
    fn correct(&mut self, a: usize) {
        let logical = self.step.work.last.as_ref().and_then(|attempt| attempt.logical);
        self.step.quality = (self.step.quality + 0.12 * self.draw(43, a)).min(1.0);
        let (class, target) = (self.step.class, self.step.target);
        let blocked = self.blocked();
        let switches = if logical == Some(true) { self.scene.plant.switches } else { 0.1 };
        if self.draw(44, a) < switches {
            let free: [bool; CLASSES] = std::array::from_fn(|k| k != class && !blocked(k, target));
            if let Some(k) = self.truth().class_at(|k| free[k], self.draw(45, a)) {
                self.step.class = k;
            }
        }
        let moves = if logical == Some(false) { 0.2 } else { 0.05 };
        if self.draw(46, a) < moves {
            let class = self.step.class;
            let free: [bool; TARGETS] = std::array::from_fn(|g| g != target && !blocked(class, g));
            if let Some(g) = self.truth().target_at(|g| free[g], self.draw(47, a)) {
                self.step.target = g;
            }
        }
    }

    /// Whether the executor may not use a class on a target.
    fn blocked(&self) -> impl Fn(usize, usize) -> bool + use<> {
        let (s, folded, blocked) = (self.s, self.step.folded, self.step.blocked.clone());
        move |k, g| {
            let (class, target) = (class_name(k), target_name(s, g, folded));
            blocked.classes.contains(&class)
                || blocked.targets.iter().any(|b| b.class == class && b.target == target)
        }
    }
}
