//! Many tasks of one policy on one plant, and what they come to.

use std::collections::BTreeMap;

use artoo_control::belief::{Cause, Counts, directive_row};
use artoo_types::belief::StepAxis;

use crate::plant::{Family, Plant};
use crate::world::{Advice, Course, Policy, World};

/// Which tasks are run.
#[derive(Debug, Clone, Copy)]
pub struct Tasks {
    /// The seed of their luck.
    pub seed: u64,
    /// How many of each family.
    pub each: u64,
}

/// Per true cause how often each change was told.
pub type Confusion = [[u64; TOLD.len()]; Cause::ALL.len()];

/// What can be told of a step.
pub const TOLD: [StepAxis; 5] =
    [StepAxis::Approach, StepAxis::Target, StepAxis::Detail, StepAxis::Again, StepAxis::Own];

/// What the tasks of one plant came to.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Tasks, true and false deliveries by family.
    pub families: BTreeMap<Family, [u64; 3]>,
    /// Model calls.
    pub calls: u64,
    /// Drafts that were sent back.
    pub sent_back: u64,
    /// Ends of tasks that can be solved.
    pub ends: BTreeMap<&'static str, u64>,
    /// Cells of all directives about a step, with how often the right change was told: all, right.
    pub cells: BTreeMap<&'static str, [u64; 2]>,
    /// Which tasks were delivered wrong, in the order in which they were run: the same tasks for every policy.
    pub lies: Vec<bool>,
    /// By family and round: how often each change was told (as in [`TOLD`]) for each cause.
    pub told: BTreeMap<(Family, usize), Confusion>,
}

impl Tally {
    fn add(&mut self, family: Family, course: &Course) {
        let of_family = self.families.entry(family).or_default();
        of_family[0] += 1;
        of_family[1] += u64::from(course.is_true);
        of_family[2] += u64::from(course.is_false);
        self.lies.push(course.is_false);
        self.calls += course.calls;
        self.sent_back += u64::from(course.sent_back);
        if family != Family::Impossible {
            *self.ends.entry(course.reason.as_str()).or_default() += 1;
        }
        for advice in &course.advice {
            self.hear(family, advice);
        }
    }

    fn hear(&mut self, family: Family, advice: &Advice) {
        if advice.cause != Cause::Impossible {
            let cell = artoo_types::control::MacroState::from(advice.cell).as_str();
            let of_cell = self.cells.entry(cell).or_default();
            of_cell[0] += 1;
            of_cell[1] += u64::from(advice.is_right());
        }
        let column = TOLD.iter().position(|axis| *axis == advice.told).unwrap_or(TOLD.len() - 1);
        self.told.entry((family, advice.round)).or_default()[advice.cause as usize][column] += 1;
    }

    /// Share of tasks that can be solved and were delivered right, in percent.
    pub fn success(&self) -> f64 {
        let solvable = self.families.iter().filter(|(family, _)| **family != Family::Impossible);
        let (all, good) = solvable.fold((0, 0), |(all, good), (_, [n, t, _])| (all + n, good + t));
        100.0 * good as f64 / (all as f64).max(1.0)
    }

    /// Share of all tasks that were delivered wrong, in percent.
    pub fn falsehood(&self) -> f64 {
        let (all, bad) = self.families.values().fold((0, 0), |(all, bad), [n, _, f]| (all + n, bad + f));
        100.0 * bad as f64 / (all as f64).max(1.0)
    }

    /// Whether more was delivered wrong than by another policy, by more than the luck of these tasks explains: of the tasks that only
    /// one of the two delivered wrong, half would be this one's by chance (McNemar, 95 %).
    pub fn lies_beyond_chance(&self, other: &Self) -> bool {
        let pairs = || self.lies.iter().zip(&other.lies);
        let own = pairs().filter(|(own, others)| **own && !**others).count() as f64;
        let others = pairs().filter(|(own, others)| !**own && **others).count() as f64;
        own - others > 1.96 * (own + others).sqrt()
    }

    /// Tasks.
    pub fn tasks(&self) -> u64 {
        self.families.values().map(|[n, ..]| n).sum()
    }

    /// Model calls of a task.
    pub fn calls_each(&self) -> f64 {
        self.calls as f64 / (self.tasks() as f64).max(1.0)
    }
}

/// Runs the tasks on a plant.
pub fn run(plant: &Plant, policy: &Policy, tasks: Tasks, mut each: impl FnMut(Family, &Course)) -> Tally {
    let mut tally = Tally::default();
    for family in Family::ALL {
        for task in 0..tasks.each {
            let course = World::new(tasks.seed, task, family, plant, policy).run();
            tally.add(family, &course);
            each(family, &course);
        }
    }
    tally
}

/// Adds what a task showed to the counts that the belief is made of.
pub fn learn(counts: &mut Counts, course: &Course) {
    for record in &course.rounds {
        if let Some(evidence) = record.evidence {
            counts.evidence[evidence.index()][record.cause as usize] += 1.0;
            if let (None, Some(cell)) = (record.before, record.cell) {
                counts.prior[directive_row(cell)][record.cause as usize] += 1.0;
            }
        }
        if let Some((before, changed)) =
            record.before.filter(|_| record.evidence.is_some() || record.is_right)
        {
            let next = if record.evidence.is_some() { record.cause as usize } else { 5 };
            counts.moves[changed as usize][before as usize][next] += 1.0;
            if let Some(meant) = record.meant {
                let tried = &mut counts.tries[meant as usize][before as usize];
                tried[0] += 1.0;
                tried[1] += f64::from(u8::from(next == 5));
            }
        }
    }
}
