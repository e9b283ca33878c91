//! The invented plants: what a world is like, and tasks with a hidden cause of failure in each step.

use crate::draw::{Luck, pick};

/// Tool classes; the first four are programs of one tool, the shell.
pub const CLASSES: usize = 8;
/// Targets that a step may have.
pub const TARGETS: usize = 6;
/// Steps of a task.
pub const STEPS: usize = 4;
/// Criteria of a step.
pub const CRITERIA: usize = 4;
/// Criteria of a task.
pub const TASK_CRITERIA: usize = 2;

/// One invented world. Shares and chances lie in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plant {
    /// How often the planner follows advice. Blocks and pins are followed always, for code sees to it.
    pub obedience: f64,
    /// How often a judge names the wrong class; it errs in a verdict half as often.
    pub noise: f64,
    /// How often the planner finds the right change by itself.
    pub skill: f64,
    /// How often a wrong detail is reported as the fault of the surroundings.
    pub environmental: f64,
    /// How often a step comes out worse for being planned anew.
    pub regression: f64,
    /// The share of plausible criteria that matter.
    pub essential: f64,
    /// How slow models are; 1 is a call of 1 to 5 seconds.
    pub latency: f64,
    /// How often a receipt blames an auxiliary program.
    pub miscited: f64,
    /// The share of verifiable criteria that a check decides.
    pub checked: f64,
    /// How often a correction takes another tool after a logical failure.
    pub switches: f64,
    /// The share of steps with one possible target.
    pub single: f64,
    /// How often a step waits for those before it.
    pub grouped: f64,
    /// How often a passing trouble is over in the next round.
    pub clears: f64,
    /// The share of steps whose parameters are part of their target: queries, patterns.
    pub foldable: f64,
    /// How often a receipt shows truly whether the call itself failed.
    pub receipts: f64,
}

/// The plants as numbers: a name of the set, then the fields in the order of [`Plant`].
const PLANTS: &str = include_str!("../data/plants.tsv");

/// The plants of a set: `main` (one), `train`, `held`, `fresh`, `blind`, `sealed` or `sealed2` (forty each). `sealed2` is for the last
/// figure alone: whoever looks at it and changes something draws another, as was done after `sealed`.
pub fn plants(set: &str) -> Vec<Plant> {
    let rows = PLANTS.lines().map(|line| line.split('\t'));
    rows.filter_map(|mut row| {
        let of_set = row.next() == Some(set);
        let v: Vec<f64> = row.filter_map(|cell| cell.parse().ok()).collect();
        (of_set && v.len() == 15).then(|| Plant {
            obedience: v[0],
            noise: v[1],
            skill: v[2],
            environmental: v[3],
            regression: v[4],
            essential: v[5],
            latency: v[6],
            miscited: v[7],
            checked: v[8],
            switches: v[9],
            single: v[10],
            grouped: v[11],
            clears: v[12],
            foldable: v[13],
            receipts: v[14],
        })
    })
    .collect()
}

/// What a family of tasks fails of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The approach.
    Logical,
    /// The target.
    Target,
    /// A detail.
    Parameter,
    /// One of these, or a passing trouble, step by step.
    Mixed,
    /// A passing trouble.
    Transient,
    /// The approach, and criteria that it can satisfy without doing the work.
    Gameable,
    /// Nothing helps.
    Impossible,
    /// As [`Family::Mixed`], and what worked grows stale.
    Drift,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Logical,
        Self::Target,
        Self::Parameter,
        Self::Mixed,
        Self::Transient,
        Self::Gameable,
        Self::Impossible,
        Self::Drift,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Logical => "logical",
            Self::Target => "target",
            Self::Parameter => "parameter",
            Self::Mixed => "mixed",
            Self::Transient => "transient",
            Self::Gameable => "gameable",
            Self::Impossible => "impossible",
            Self::Drift => "drift",
        }
    }
}

/// Why a step fails at first; hidden from every role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing is wrong.
    None,
    /// The approach.
    Logical,
    /// The target.
    Target,
    /// A detail.
    Parameter,
    /// It passes.
    Transient,
    /// The approach, and the criteria can be satisfied without it.
    Gameable,
    /// Nothing helps.
    Impossible,
}

/// How a criterion is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// By a check.
    Check,
    /// By a judge who must cite.
    Verifiable,
    /// By a judge.
    Plausible,
}

/// One criterion of a step.
#[derive(Debug, Clone, Copy)]
pub struct StepCriterion {
    /// How it is judged.
    pub mode: Mode,
    /// Whether the work is wrong without it.
    pub essential: bool,
    /// The quality that meets it.
    pub threshold: f64,
}

/// One step of a task, as the world knows it.
#[derive(Debug, Clone)]
pub struct StepTruth {
    /// Its group, from 0.
    pub group: usize,
    /// Its criteria.
    pub criteria: Vec<StepCriterion>,
    /// Why it fails.
    pub trouble: Trouble,
    /// Classes that can be used at all.
    pub feasible: [bool; CLASSES],
    /// Classes that do the work.
    pub good: [bool; CLASSES],
    /// How likely a planner thinks of each class.
    pub class_weights: [f64; CLASSES],
    /// Targets that there are.
    pub targets: usize,
    /// Targets that hold what is needed.
    pub good_target: [bool; TARGETS],
    /// How likely a planner thinks of each target.
    pub target_weights: [f64; TARGETS],
    /// Classes that the first target is closed to.
    pub closed: [bool; CLASSES],
    /// The class of the first plan.
    pub class: usize,
    /// Quality of the first plan.
    pub quality: f64,
    /// A program beside the one that does the work.
    pub auxiliary: Option<usize>,
    /// Whether parameters are part of the target.
    pub folds: bool,
}

/// A task as the world knows it.
#[derive(Debug, Clone)]
pub struct TaskTruth {
    /// Its steps.
    pub steps: Vec<StepTruth>,
    /// How its own criteria are judged.
    pub task_modes: Vec<Mode>,
    /// Whether the first plan covers all of the request.
    pub covered: bool,
    /// Seconds of a model call.
    pub model_secs: f64,
    /// Seconds of a tool call.
    pub tool_secs: f64,
}

/// Makes the task that this luck stands for.
pub fn make_task(luck: Luck, family: Family, plant: &Plant) -> TaskTruth {
    let count = 1 + luck.below(STEPS, (1, 0, 0, 0));
    let hit = luck.below(count, (2, 0, 0, 0));
    let mut group = 0;
    let mut steps = Vec::new();
    for s in 0..count {
        if s > 0 && luck.happens(plant.grouped, (3, 0, s, 0)) {
            group += 1;
        }
        steps.push(make_step(luck, plant, s, group, trouble(luck, family, s, hit)));
    }
    let tasks = 1 + luck.below(TASK_CRITERIA, (23, 0, 0, 0));
    TaskTruth {
        steps,
        task_modes: (0..tasks).map(|j| mode(luck.draw((24, 0, 0, j)), plant)).collect(),
        covered: luck.happens(0.9, (27, 0, 0, 0)),
        model_secs: plant.latency * (luck.draw((25, 0, 0, 0)) * 5f64.ln()).exp(),
        tool_secs: (0.3f64.ln() + luck.draw((26, 0, 0, 0)) * 20f64.ln()).exp(),
    }
}

fn trouble(luck: Luck, family: Family, s: usize, hit: usize) -> Trouble {
    if s != hit && !luck.happens(0.35, (4, 0, s, 0)) {
        return Trouble::None;
    }
    match family {
        Family::Logical => Trouble::Logical,
        Family::Target => Trouble::Target,
        Family::Parameter => Trouble::Parameter,
        Family::Transient => Trouble::Transient,
        Family::Gameable => Trouble::Gameable,
        Family::Impossible if s == hit => Trouble::Impossible,
        Family::Impossible | Family::Mixed | Family::Drift => {
            [Trouble::Logical, Trouble::Target, Trouble::Parameter, Trouble::Transient]
                [luck.below(4, (5, 0, s, 0))]
        }
    }
}

fn mode(at: f64, plant: &Plant) -> Mode {
    if at < 0.35 {
        Mode::Plausible
    } else if at < 0.35 + 0.65 * plant.checked {
        Mode::Check
    } else {
        Mode::Verifiable
    }
}

fn make_step(luck: Luck, plant: &Plant, s: usize, group: usize, trouble: Trouble) -> StepTruth {
    let criterion = |i: usize| {
        let mode = mode(luck.draw((7, 0, s, i)), plant);
        let at = luck.draw((9, 0, s, i));
        StepCriterion {
            mode,
            essential: mode != Mode::Plausible || luck.happens(plant.essential, (8, 0, s, i)),
            threshold: if trouble == Trouble::Parameter { 0.3 + 0.65 * at } else { 0.2 + 0.6 * at },
        }
    };
    let wanted = 2 + luck.below(4, (10, 0, s, 0));
    let (start, stride) = (luck.below(CLASSES, (11, 0, s, 0)), 1 + 2 * luck.below(4, (11, 0, s, 1)));
    let mut feasible = [false; CLASSES];
    for j in 0..wanted {
        feasible[(start + j * stride) % CLASSES] = true;
    }
    let mut good: [bool; CLASSES] = std::array::from_fn(|k| feasible[k] && luck.happens(0.55, (13, 0, s, k)));
    good[start] = true;
    let one = luck.happens(plant.single, (14, 0, s, 0)) && trouble != Trouble::Target;
    let targets = if one { 1 } else { 2 + luck.below(TARGETS - 1, (14, 0, s, 1)) };
    let mut good_target: [bool; TARGETS] =
        std::array::from_fn(|g| g < targets && luck.happens(0.5, (15, 0, s, g)));
    good_target[0] = true;
    let mut closed = [false; CLASSES];
    match trouble {
        Trouble::Logical | Trouble::Gameable => {
            good[start] = false;
            good[(start + stride * (1 + luck.below(wanted - 1, (18, 0, s, 0)))) % CLASSES] = true;
        }
        Trouble::Target => {
            if luck.happens(0.35, (19, 0, s, 0)) {
                closed = std::array::from_fn(|k| k == start || luck.happens(0.6, (20, 0, s, k)));
            } else {
                good_target[0] = false;
            }
            good_target[1 + luck.below(targets - 1, (21, 0, s, 0))] = true;
        }
        Trouble::Impossible => good = [false; CLASSES],
        Trouble::None | Trouble::Parameter | Trouble::Transient => {}
    }
    let at = luck.draw((17, 0, s, 0));
    StepTruth {
        group,
        criteria: (0..=luck.below(CRITERIA, (6, 0, s, 0))).map(criterion).collect(),
        trouble,
        feasible,
        good,
        class_weights: std::array::from_fn(|k| 0.2 - (1e-9 + luck.draw((12, 0, s, k))).ln()),
        targets,
        good_target,
        target_weights: std::array::from_fn(|g| 0.2 - (1e-9 + luck.draw((16, 0, s, g))).ln()),
        closed,
        class: start,
        quality: if trouble == Trouble::Parameter { 0.2 + 0.35 * at } else { 0.85 + 0.15 * at },
        auxiliary: luck.happens(0.5, (22, 0, s, 0)).then(|| luck.below(CLASSES, (22, 0, s, 1))),
        folds: luck.happens(plant.foldable, (28, 0, s, 0)),
    }
}

impl StepTruth {
    /// A class that may be used, drawn by weight.
    pub fn class_at(&self, allowed: impl Fn(usize) -> bool, at: f64) -> Option<usize> {
        pick(&self.class_weights, |k| self.feasible[k] && allowed(k), at)
    }

    /// A target that may be used, drawn by weight.
    pub fn target_at(&self, allowed: impl Fn(usize) -> bool, at: f64) -> Option<usize> {
        pick(&self.target_weights, |g| g < self.targets && allowed(g), at)
    }
}
