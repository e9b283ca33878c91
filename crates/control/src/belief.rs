//! What is believed of the cause of a step's failure, and what that makes worth trying.
//!
//! The table of 24 cells says what kind of change a round asks for. It reads D, P and their trend, in which the steps of a
//! plan are mixed. The belief reads each failed step alone: over five causes it keeps how likely they are, learns from
//! what all attempts of the step showed and from what the last plan changed about it, and gives each kind of change its
//! chance that the step matches next. The cell is where it starts from.
//!
//! The tables are data, `belief.tsv`: counts from the training plants of the laboratory, made anew by `make lab-learn`.
//! A count that is small leans on the product of its parts, so that no cell of the evidence is ever impossible.

use std::sync::LazyLock;

use artoo_types::belief::{Chances, StepAxis};
use artoo_types::control::Directive;
use artoo_types::criteria::FailureClass;
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::outcome::SubTaskOutcome;

/// Why a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The tool cannot do it.
    Approach,
    /// The input is the wrong one.
    Target,
    /// Both are right, and something about their use is not.
    Detail,
    /// It passes by itself.
    Transient,
    /// Nothing helps.
    Impossible,
}

impl Cause {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 5] =
        [Self::Approach, Self::Target, Self::Detail, Self::Transient, Self::Impossible];

    /// Its word in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approach => "approach",
            Self::Target => "target",
            Self::Detail => "detail",
            Self::Transient => "transient",
            Self::Impossible => "impossible",
        }
    }
}

/// What a plan changed about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    /// Neither tool nor input.
    Nothing,
    /// The tool.
    Class,
    /// The input.
    Target,
    /// Both.
    Both,
}

impl Changed {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Class, Self::Target, Self::Both];

    /// What lies between two rounds of a step.
    pub fn between(before: &CallMark, after: &CallMark) -> Self {
        match (before.class == after.class, before.target == after.target) {
            (true, true) => Self::Nothing,
            (false, true) => Self::Class,
            (true, false) => Self::Target,
            (false, false) => Self::Both,
        }
    }

    /// Its word in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Class => "class",
            Self::Target => "target",
            Self::Both => "both",
        }
    }
}

/// What a step worked with in its last call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallMark {
    /// The class that gets the blame.
    pub class: String,
    /// The normalised input.
    pub target: String,
}

impl CallMark {
    /// Of the last call of a round; a step that called nothing is known by what it planned.
    pub fn of(outcome: &SubTaskOutcome) -> Self {
        let planned = |list: &[String]| list.first().cloned().unwrap_or_default();
        match outcome.all_receipts().last() {
            Some(last) => Self { class: last.blame.clone(), target: last.target.clone() },
            None => {
                Self { class: planned(&outcome.subtask.tools), target: planned(&outcome.subtask.targets) }
            }
        }
    }
}

/// What all attempts of a round showed of a failed step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// Attempts whose last call failed itself: 0 none, 1 at most half, 2 more, 3 all; 4: the last one broke down.
    pub receipts: u8,
    /// What the attempts were classified as: 0 logical, 1 both, 2 environmental, 3 nothing.
    pub classes: u8,
    /// Criteria that the last attempt failed: 0 at most half, 1 more, 2 all.
    pub level: u8,
    /// From the first attempt to the last: 0 fewer failed, 1 as many, 2 more.
    pub trend: u8,
    /// There is one criterion.
    pub single: bool,
    /// A criterion that an attempt had met was failed by a later one.
    pub relapse: bool,
}

/// How many kinds of evidence there are.
pub const KINDS: usize = 5 * 4 * 3 * 3 * 2 * 2;

impl Evidence {
    /// Of one round of one step. Pure: the same outcome always shows the same.
    pub fn of(outcome: &SubTaskOutcome) -> Self {
        let calls: Vec<Option<&Receipt>> = outcome.attempts().map(|(_, receipts)| receipts.last()).collect();
        let failed = calls.iter().flatten().filter(|call| call.call_failed()).count();
        let broke = calls.last().copied().flatten().is_some_and(|call| call.end != CallEnd::Ran);
        let receipts = match (broke, failed) {
            (true, _) => 4,
            (false, 0) => 0,
            (false, n) if n >= calls.len() => 3,
            (false, n) if 2 * n <= calls.len() => 1,
            (false, _) => 2,
        };
        let points = &outcome.gap_trajectory;
        let has = |class| points.iter().any(|point| point.failure_class == Some(class));
        let classes = match (has(FailureClass::Logical), has(FailureClass::Environmental)) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        let share = |score: Option<f64>| 1.0 - score.unwrap_or(0.0);
        let (first, last) = (share(points.first().map(|p| p.score)), share(points.last().map(|p| p.score)));
        let judged = if broke { points.len().saturating_sub(1) } else { points.len() };
        let relapse = (1..judged).any(|later| {
            let met_before = |i: &usize| points[..later].iter().any(|p| !p.unmet_indexes.contains(i));
            points[later].unmet_indexes.iter().any(met_before)
        });
        Self {
            receipts,
            classes,
            level: if last <= 0.5 { 0 } else { 1 + u8::from(last >= 0.999) },
            trend: if first > last + 1e-9 { 0 } else { 1 + u8::from(first < last - 1e-9) },
            single: outcome.subtask.success_criteria.len() == 1,
            relapse,
        }
    }

    /// Its parts as numbers, each below its entry of [`PARTS`].
    pub fn parts(self) -> [usize; 6] {
        let Self { receipts, classes, level, trend, single, relapse } = self;
        [receipts, classes, level, trend, u8::from(single), u8::from(relapse)].map(usize::from)
    }

    /// Its place among all kinds.
    pub fn index(self) -> usize {
        self.parts().iter().zip(PARTS).fold(0, |index, (part, size)| index * size + part)
    }
}

/// How many values each part of the evidence has.
pub const PARTS: [usize; 6] = [5, 4, 3, 3, 2, 2];

/// How much the product of the parts weighs beside the counts of a kind.
const LEAN: f64 = 20.0;

/// Counts that a belief is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    /// Per directive and cause: steps that failed for the first time in such a round.
    pub prior: [[f64; 5]; 4],
    /// Per kind of evidence and cause.
    pub evidence: Vec<[f64; 5]>,
    /// Per change that the calls show, and cause: the causes after it, and last the matches.
    pub moves: [[[f64; 6]; 5]; 4],
    /// Per change that was meant (nothing but a detail, the tool, the input) and cause: how often it was tried, and matched.
    /// A changed detail may be part of the input, as in a query: then the calls show another input.
    pub tries: [[[f64; 2]; 5]; 3],
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            prior: [[0.0; 5]; 4],
            evidence: vec![[0.0; 5]; KINDS],
            moves: [[[0.0; 6]; 5]; 4],
            tries: [[[0.0; 2]; 5]; 3],
        }
    }
}

/// The row of a directive.
pub fn directive_row(directive: Directive) -> usize {
    match directive {
        Directive::Refine => 0,
        Directive::ChangePath => 1,
        Directive::ChangeApproach => 2,
        Directive::BreakSymmetry => 3,
    }
}

const DIRECTIVES: [&str; 4] = ["refine", "change_path", "change_approach", "break_symmetry"];

impl Counts {
    /// Reads the form that [`Counts::write`] writes. None where a line is of no known form.
    pub fn read(text: &str) -> Option<Self> {
        let mut counts = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let kind = cells.next()?;
            let cells: Vec<&str> = cells.collect();
            let numbers = |from: usize| -> Option<Vec<f64>> {
                cells.get(from..)?.iter().map(|cell| cell.parse().ok()).collect()
            };
            match kind {
                "prior" => {
                    let row = DIRECTIVES.iter().position(|word| cells.first() == Some(word))?;
                    counts.prior[row] = numbers(1)?.try_into().ok()?;
                }
                "evidence" => {
                    let parts: Vec<usize> =
                        cells.get(..6)?.iter().map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
                    let fits = parts.iter().zip(PARTS).all(|(part, size)| *part < size);
                    let index = parts.iter().zip(PARTS).fold(0, |index, (part, size)| index * size + part);
                    counts.evidence[Some(index).filter(|_| fits)?] = numbers(6)?.try_into().ok()?;
                }
                "move" => {
                    let change = Changed::ALL.iter().position(|c| cells.first() == Some(&c.as_str()))?;
                    let cause = Cause::ALL.iter().position(|c| cells.get(1) == Some(&c.as_str()))?;
                    counts.moves[change][cause] = numbers(2)?.try_into().ok()?;
                }
                "try" => {
                    let change = Changed::ALL[..3].iter().position(|c| cells.first() == Some(&c.as_str()))?;
                    let cause = Cause::ALL.iter().position(|c| cells.get(1) == Some(&c.as_str()))?;
                    counts.tries[change][cause] = numbers(2)?.try_into().ok()?;
                }
                _ => return None,
            }
        }
        Some(counts)
    }

    /// The counts as text, a line each, kinds of evidence that never were left out.
    pub fn write(&self) -> String {
        let join = |row: &[f64]| row.iter().map(|n| format!("{n}")).collect::<Vec<_>>().join("\t");
        let mut text = String::new();
        for (word, row) in DIRECTIVES.iter().zip(&self.prior) {
            text.push_str(&format!("prior\t{word}\t{}\n", join(row)));
        }
        for (change, rows) in Changed::ALL.iter().zip(&self.moves) {
            for (cause, row) in Cause::ALL.iter().zip(rows) {
                text.push_str(&format!("move\t{}\t{}\t{}\n", change.as_str(), cause.as_str(), join(row)));
            }
        }
        for (change, rows) in Changed::ALL.iter().zip(&self.tries) {
            for (cause, row) in Cause::ALL.iter().zip(rows) {
                text.push_str(&format!("try\t{}\t{}\t{}\n", change.as_str(), cause.as_str(), join(row)));
            }
        }
        for (index, row) in self.evidence.iter().enumerate().filter(|(_, row)| row.iter().any(|n| *n > 0.0)) {
            let mut rest = index;
            let mut parts: Vec<String> = PARTS
                .iter()
                .rev()
                .map(|size| {
                    let part = rest % size;
                    rest /= size;
                    part.to_string()
                })
                .collect();
            parts.reverse();
            text.push_str(&format!("evidence\t{}\t{}\n", parts.join("\t"), join(row)));
        }
        text
    }
}

/// What the counts come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    prior: [[f64; 5]; 4],
    /// E: how likely each kind of evidence is under each cause.
    likelihood: Vec<[f64; 5]>,
    /// M: per change and cause, how likely the step fails of each cause next.
    moves: [[[f64; 5]; 5]; 4],
    /// Per cause and meant change, how likely the step matches next.
    matches: [[f64; 3]; 5],
}

/// From this chance on code sees to it; below, it is advice.
pub const ENFORCED: f64 = 0.5;

/// From this edition on a call that failed itself is not made again once the input is what is to be changed, however weak the
/// belief in it; and a round is weighed with those that may follow it.
pub const SEES_AHEAD: u32 = 3;

static FIRST: LazyLock<Tables> = LazyLock::new(|| built_in(include_str!("belief-1.tsv")));
static NEWEST: LazyLock<Tables> = LazyLock::new(|| built_in(include_str!("belief.tsv")));

fn built_in(text: &str) -> Tables {
    Tables::of(&Counts::read(text).expect("a test reads the tables that are built in"))
}

impl Tables {
    /// The tables that artoo comes with.
    pub fn built_in() -> &'static Self {
        &NEWEST
    }

    /// The tables of an edition: tasks go on, and are replayed, with those that they began with.
    pub fn edition(number: u32) -> &'static Self {
        if number <= 1 { &FIRST } else { &NEWEST }
    }

    /// Tables from counts.
    pub fn of(counts: &Counts) -> Self {
        let mut likelihood = vec![[0.0; 5]; KINDS];
        for cause in 0..5 {
            let total: f64 = counts.evidence.iter().map(|row| row[cause]).sum();
            let marginals = marginals(counts, cause);
            for (index, row) in likelihood.iter_mut().enumerate() {
                let mut rest = index;
                let mut product = 1.0;
                for (part, size) in PARTS.iter().enumerate().rev() {
                    product *= marginals[part][rest % size];
                    rest /= size;
                }
                row[cause] = (counts.evidence[index][cause] + LEAN * product) / (total + LEAN);
            }
        }
        let share = |row: &[f64; 6], to: usize| (row[to] + 0.5) / (row.iter().sum::<f64>() + 3.0);
        let moves = std::array::from_fn(|c| {
            std::array::from_fn(|h| std::array::from_fn(|to| share(&counts.moves[c][h], to)))
        });
        let matched = |[tried, matched]: [f64; 2]| (matched + 0.5) / (tried + 3.0);
        let matches = std::array::from_fn(|h| std::array::from_fn(|c| matched(counts.tries[c][h])));
        let prior = std::array::from_fn(|d| {
            let total: f64 = counts.prior[d].iter().sum();
            std::array::from_fn(|h| (counts.prior[d][h] + 1.0) / (total + 5.0))
        });
        Self { prior, likelihood, moves, matches }
    }

    /// What is believed of a step that fails for the first time, in a round that ended in this cell, before its evidence.
    pub fn prior(&self, cell: Directive) -> [f64; 5] {
        self.prior[directive_row(cell)]
    }

    /// What is believed once a plan changed this about a step and it failed all the same, before the evidence of that.
    pub fn moved(&self, belief: [f64; 5], changed: Changed) -> [f64; 5] {
        let rows = &self.moves[changed as usize];
        std::array::from_fn(|to| belief.iter().zip(rows).map(|(chance, row)| chance * row[to]).sum())
    }

    /// What is believed with this evidence, which counts to the power `trust`: 1 as it was measured, 0 not at all.
    pub fn seen(&self, belief: [f64; 5], evidence: Evidence, trust: f64) -> [f64; 5] {
        let row = &self.likelihood[evidence.index()];
        let weighed: [f64; 5] = std::array::from_fn(|h| belief[h] * row[h].powf(trust));
        let total: f64 = weighed.iter().sum();
        weighed.map(|chance| chance / total)
    }

    /// The chance that a step that failed of this cause matches once the calls show this change.
    pub fn mends(&self, cause: Cause, changed: Changed) -> f64 {
        1.0 - self.moves[changed as usize][cause as usize].iter().sum::<f64>()
    }

    /// The chance that it fails of that cause instead.
    pub fn leads(&self, from: Cause, changed: Changed, to: Cause) -> f64 {
        self.moves[changed as usize][from as usize][to as usize]
    }

    /// How likely this evidence is under a cause.
    pub fn shows(&self, cause: Cause, evidence: Evidence) -> f64 {
        self.likelihood[evidence.index()][cause as usize]
    }

    /// How likely one part of the evidence has this value under a cause.
    pub fn part(&self, cause: Cause, part: usize, value: usize) -> f64 {
        let below: usize = PARTS[part + 1..].iter().product();
        let has = |index: usize| (index / below) % PARTS[part] == value;
        (0..KINDS).filter(|index| has(*index)).map(|index| self.likelihood[index][cause as usize]).sum()
    }

    /// The chance that the step matches next when this is changed about it: nothing but a detail, the tool, or the input.
    pub fn value(&self, belief: [f64; 5], changed: Changed) -> f64 {
        belief.iter().zip(&self.matches).map(|(chance, row)| chance * row[(changed as usize).min(2)]).sum()
    }

    /// The chance that it matches when the planner, who finds the right change with this skill, is left alone: else it
    /// changes a detail half of the time, the tool or the input a quarter each.
    pub fn own_value(&self, belief: [f64; 5], skill: f64) -> f64 {
        let of = |row: &[f64; 3]| {
            let best = row[0].max(row[1]).max(row[2]);
            skill * best + (1.0 - skill) * (0.5 * row[0] + 0.25 * row[1] + 0.25 * row[2])
        };
        belief.iter().zip(&self.matches).map(|(chance, row)| chance * of(row)).sum()
    }
}

fn marginals(counts: &Counts, cause: usize) -> [Vec<f64>; 6] {
    let mut sums: [Vec<f64>; 6] = std::array::from_fn(|part| vec![0.5; PARTS[part]]);
    for (index, row) in counts.evidence.iter().enumerate() {
        let mut rest = index;
        for (part, size) in PARTS.iter().enumerate().rev() {
            sums[part][rest % size] += row[cause];
            rest /= size;
        }
    }
    sums.map(|sum| {
        let total: f64 = sum.iter().sum();
        sum.into_iter().map(|n| n / total).collect()
    })
}

/// What a belief makes of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepChoice {
    /// What is worth most to change.
    pub axis: StepAxis,
    /// The belief in it is strong enough for code to see to it.
    pub enforced: bool,
    /// The chance that the step matches next.
    pub chance: f64,
}

/// What the changes are weighed with, beside the belief.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighing {
    /// The step has been tried again as it was.
    pub retried: bool,
    /// It gets worse, or the budget runs out.
    pub pressed: bool,
    /// How often the planner finds the right change by itself.
    pub skill: f64,
}

/// Weighs the changes against each other. A step that has been tried again is not tried again once more. Under pressure
/// (`pressed`) what is nearly as good and cheaper wins: a detail before an input before a tool.
pub fn weigh(tables: &Tables, belief: [f64; 5], given: Weighing) -> StepChoice {
    let Weighing { retried, pressed, skill } = given;
    let ways = [
        (StepAxis::Detail, Changed::Nothing, belief[2] + belief[3]),
        (StepAxis::Target, Changed::Target, belief[1]),
        (StepAxis::Approach, Changed::Class, belief[0]),
    ];
    let valued = ways.map(|(axis, changed, held)| (axis, held, tables.value(belief, changed)));
    let best = valued.iter().map(|(_, _, value)| *value).fold(0.0, f64::max);
    let slack = if pressed { NEARLY } else { 0.0 };
    let (axis, held, value) =
        valued.into_iter().find(|(_, _, value)| *value >= best - slack).unwrap_or(valued[0]);
    let own = tables.own_value(belief, skill);
    if own > value {
        return StepChoice { axis: StepAxis::Own, enforced: false, chance: own };
    }
    let again = axis == StepAxis::Detail && belief[3] >= ENFORCED && !retried;
    StepChoice { axis: if again { StepAxis::Again } else { axis }, enforced: held >= ENFORCED, chance: value }
}

/// Under pressure a change that is worth this much less counts as good.
const NEARLY: f64 = 0.03;

/// The belief by name.
pub fn named(belief: [f64; 5]) -> Chances {
    let [approach, target, detail, transient, impossible] = belief;
    Chances { approach, target, detail, transient, impossible }
}

#[cfg(test)]
mod tests;
