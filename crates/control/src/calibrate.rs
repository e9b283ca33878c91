//! What the finished tasks of an installation say of the numbers that the belief was given.
//!
//! No journal says why a step failed. What is known is what its attempts showed, what each plan changed, and whether it
//! matched in the end; the tables give each cause its chance along the whole of that story, forwards and backwards
//! ([`Story::causes`]). From these chances come shares of evidence (E) and of what a change led to (M), with credible
//! intervals. What is told to be set are single numbers alone: how far evidence is to be trusted, and ρ. Whole tables of one's own tasks were worth nothing in the laboratory.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::belief::StepAxis;
use artoo_types::control::Directive;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::{Message, SubtaskId};

use crate::belief::{CallMark, Cause, Changed, Evidence, PARTS, Tables};

mod grid;

pub use grid::Estimate;
use grid::{of_share, weighted};

/// Fewer rounds than this say too little: the numbers stay as they are.
pub const ENOUGH_ROUNDS: u64 = 200;
/// How many steps the built-in share of a row counts for.
const BUILT_IN_WEIGHT: f64 = 20.0;

/// One failed round of a step.
#[derive(Debug, Clone, PartialEq)]
struct FailedRound {
    evidence: Evidence,
    /// What the last plan had changed, and whether that was the planner's own choice; none in the first round.
    change: Option<(Changed, bool)>,
    cell: Option<Directive>,
    implausibility: Option<f64>,
    mark: CallMark,
    told: Option<StepAxis>,
}

/// A step from its first failure on, under all its names.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// The tool of its first plan.
    pub kind: String,
    rounds: Vec<FailedRound>,
    /// The change of the plan after which it matched, if it did.
    mended: Option<(Changed, bool)>,
}

/// Reads the stories of one task off its messages.
#[derive(Debug, Default)]
pub struct Reader {
    open: BTreeMap<SubtaskId, Story>,
    round: BTreeMap<SubtaskId, Story>,
    told: Vec<Story>,
    rounds: u64,
}

impl Reader {
    /// Takes the next message.
    pub fn take(&mut self, message: &Message) {
        if let Message::SubTaskOutcome(outcome) = message {
            self.hear(outcome);
        } else if let Message::PlanDirective(directive) = message {
            for (id, mut story) in std::mem::take(&mut self.round) {
                if let Some(last) = story.rounds.last_mut().filter(|last| last.cell.is_none()) {
                    last.cell = Some(directive.directive);
                    last.implausibility = Some(directive.loss.implausibility.get());
                    let of_step = directive.grounds.steps.iter().find(|step| step.subtask == id);
                    last.told = of_step.map(|step| step.axis);
                    self.rounds += 1;
                }
                self.open.insert(id, story);
            }
        }
    }

    fn hear(&mut self, outcome: &SubTaskOutcome) {
        let before = outcome.subtask.replaces.and_then(|old| self.open.remove(&old));
        let mark = CallMark::of(outcome);
        let change = before.as_ref().and_then(|story| {
            let last = story.rounds.last()?;
            Some((Changed::between(&last.mark, &mark), last.told == Some(StepAxis::Own)))
        });
        match (outcome.status, before) {
            (OutcomeStatus::Matched, Some(story)) => self.told.push(Story { mended: change, ..story }),
            (OutcomeStatus::NotRun, Some(story)) => {
                self.round.insert(outcome.subtask_id, story);
            }
            (OutcomeStatus::Failed, before) if outcome.denied.is_none() => {
                let first = || outcome.subtask.tools.first().map_or("", String::as_str);
                let mut story = before.unwrap_or_else(|| Story {
                    kind: first().split(':').next().unwrap_or_default().to_owned(),
                    rounds: Vec::new(),
                    mended: None,
                });
                story.rounds.push(FailedRound {
                    evidence: Evidence::of(outcome),
                    change,
                    cell: None,
                    implausibility: None,
                    mark,
                    told: None,
                });
                self.round.insert(outcome.subtask_id, story);
            }
            (OutcomeStatus::Matched | OutcomeStatus::NotRun | OutcomeStatus::Failed, _) => {}
        }
    }

    /// The stories and how many failed rounds of steps they hold that led to another plan.
    pub fn finish(mut self) -> (Vec<Story>, u64) {
        self.told.extend(self.open.into_values().chain(self.round.into_values()));
        (self.told, self.rounds)
    }
}

type Chances = [f64; 5];

fn brought_to_one(chances: Chances) -> Chances {
    let total: f64 = chances.iter().sum();
    chances.map(|chance| chance / total)
}

impl Story {
    /// What is believed in each round, by what was known then.
    fn forwards(&self, tables: &Tables, trust: f64) -> Vec<Chances> {
        let mut all: Vec<Chances> = Vec::new();
        for round in &self.rounds {
            let start = match (all.last(), round.change) {
                (Some(before), Some((changed, _))) => tables.moved(*before, changed),
                _ => tables.prior(round.cell.unwrap_or(Directive::ChangePath)),
            };
            all.push(tables.seen(start, round.evidence, trust));
        }
        all
    }

    /// How likely each cause was in each round, by all that came after as well.
    pub fn causes(&self, tables: &Tables) -> Vec<[f64; 5]> {
        let forwards = self.forwards(tables, 1.0);
        let mut after: Chances = match self.mended {
            Some((changed, _)) => Cause::ALL.map(|cause| tables.mends(cause, changed)),
            None => [1.0; 5],
        };
        let mut all = Vec::new();
        for (i, chances) in forwards.iter().enumerate().rev() {
            all.push(brought_to_one(std::array::from_fn(|h| chances[h] * after[h])));
            if let Some((changed, _)) = self.rounds[i].change {
                let seen: Chances =
                    std::array::from_fn(|h| after[h] * tables.shows(Cause::ALL[h], self.rounds[i].evidence));
                after = Cause::ALL.map(|from| {
                    Cause::ALL.iter().map(|to| tables.leads(from, changed, *to) * seen[*to as usize]).sum()
                });
            }
        }
        all.reverse();
        all
    }

    /// Each plan for it: what was believed before, what it changed, whether the planner chose that itself, whether it mended.
    fn plans(&self, beliefs: &[Chances]) -> Vec<(Chances, Changed, bool, bool)> {
        let failed = self.rounds.iter().skip(1).map(|round| (round.change, false));
        let all = failed.chain([(self.mended, true)]).zip(beliefs);
        all.filter_map(|((change, mended), belief)| {
            change.map(|(changed, own)| (*belief, changed, own, mended))
        })
        .collect()
    }
}

/// How often something was seen, beside the share that is built in.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// What of, in words.
    pub of: String,
    /// The share that is built in.
    pub built_in: f64,
    /// What is seen here, the built-in share counted as twenty steps.
    pub seen: Estimate,
    /// How many steps stand behind it; causes are believed, not counted.
    pub steps: f64,
}

impl Share {
    /// Whether the built-in share is not credible here.
    pub fn differs(&self) -> bool {
        self.built_in < self.seen.low - grid::STEP || self.built_in > self.seen.high + grid::STEP
    }
}

/// What finished tasks say.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Failed rounds of steps that led to another plan.
    pub rounds: u64,
    /// E: how often each part of the evidence is what it is, under each cause.
    pub evidence: Vec<Share>,
    /// M: what becomes of each cause after each change.
    pub moves: Vec<Share>,
    /// How far evidence is to be trusted: by how well the belief foretells whether a step matches next.
    pub trust: Estimate,
    /// How often the planner finds the right change where it was left alone; none where it never was. It reads low, 0.26 where
    /// 0.35 is true in the laboratory, for a changed detail may look like another input: it is told and never set.
    pub skill: Option<Estimate>,
    /// ρ over all tasks.
    pub rho: Estimate,
    /// ρ by the tool of the step, with how many rounds stand behind it.
    pub rho_of: BTreeMap<String, (u64, Estimate)>,
}

impl Calibration {
    /// Weighs the stories.
    pub fn of(stories: &[Story], rounds: u64, tables: &Tables) -> Self {
        let causes: Vec<Vec<Chances>> = stories.iter().map(|story| story.causes(tables)).collect();
        let kinds: BTreeSet<&str> = stories.iter().map(|story| story.kind.as_str()).collect();
        let of_kind = |kind: &&str| {
            let own: Vec<(&Story, &Vec<Chances>)> =
                stories.iter().zip(&causes).filter(|(story, _)| story.kind == **kind).collect();
            let count = own.iter().map(|(story, _)| story.rounds.len() as u64).sum();
            ((*kind).to_owned(), (count, rho(&own)))
        };
        let all: Vec<(&Story, &Vec<Chances>)> = stories.iter().zip(&causes).collect();
        Self {
            rounds,
            evidence: evidence(&all, tables),
            moves: moves(&all, tables),
            trust: trust(stories, tables),
            skill: skill(&all, tables),
            rho: rho(&all),
            rho_of: kinds.iter().map(of_kind).collect(),
        }
    }

    /// Whether there is enough to change anything.
    pub fn is_enough(&self) -> bool {
        self.rounds >= ENOUGH_ROUNDS
    }
}

/// The words of the parts of the evidence, as [`Evidence`] orders them.
const PART_WORDS: [(&str, [&str; 5]); 6] = [
    ("calls that failed", ["none", "at most half", "more than half", "all", "broke down"]),
    ("blamed on", ["approach", "both", "surroundings", "nothing", ""]),
    ("criteria failed", ["at most half", "more", "all", "", ""]),
    ("trend of that", ["fewer", "as many", "more", "", ""]),
    ("criteria", ["several", "one", "", "", ""]),
    ("relapse", ["no", "yes", "", "", ""]),
];

fn evidence(all: &[(&Story, &Vec<Chances>)], tables: &Tables) -> Vec<Share> {
    let mut shares = Vec::new();
    for (part, size) in PARTS.into_iter().enumerate() {
        for cause in Cause::ALL {
            let mut seen = vec![0.0; size];
            for (round, chances) in all.iter().flat_map(|(story, causes)| story.rounds.iter().zip(*causes)) {
                seen[round.evidence.parts()[part]] += chances[cause as usize];
            }
            let total: f64 = seen.iter().sum();
            let (word, values) = PART_WORDS[part];
            for (value, count) in seen.into_iter().enumerate() {
                let built_in = tables.part(cause, part, value);
                shares.push(Share {
                    of: format!("{}: {word}: {}", cause.as_str(), values[value]),
                    built_in,
                    seen: of_share(
                        count + BUILT_IN_WEIGHT * built_in,
                        total - count + BUILT_IN_WEIGHT * (1.0 - built_in),
                    ),
                    steps: total,
                });
            }
        }
    }
    shares
}

/// How often each change mends each cause.
fn moves(all: &[(&Story, &Vec<Chances>)], tables: &Tables) -> Vec<Share> {
    let mut counts = [[[0.0; 2]; 5]; 4];
    for (belief, changed, _, mended) in all.iter().flat_map(|(story, causes)| story.plans(causes)) {
        for (cause, chance) in belief.into_iter().enumerate() {
            counts[changed as usize][cause][usize::from(mended)] += chance;
        }
    }
    let mut shares = Vec::new();
    for changed in Changed::ALL {
        for cause in Cause::ALL {
            let [not, mended] = counts[changed as usize][cause as usize];
            let built_in = tables.mends(cause, changed);
            shares.push(Share {
                of: format!("{}: {} changed: matched next", cause.as_str(), changed.as_str()),
                built_in,
                seen: of_share(mended + BUILT_IN_WEIGHT * built_in, not + BUILT_IN_WEIGHT * (1.0 - built_in)),
                steps: not + mended,
            });
        }
    }
    shares
}

/// Places at which a number between 0 and 1 is tried.
const PLACES: usize = 21;

fn place(i: usize) -> f64 {
    i as f64 / (PLACES - 1) as f64
}

fn trust(stories: &[Story], tables: &Tables) -> Estimate {
    let log = |trust: f64| -> f64 {
        let plans = stories.iter().flat_map(|story| story.plans(&story.forwards(tables, trust)));
        plans
            .map(|(belief, changed, _, mended)| {
                let chance: f64 =
                    Cause::ALL.iter().map(|h| belief[*h as usize] * tables.mends(*h, changed)).sum();
                if mended { chance.ln() } else { (1.0 - chance).ln() }
            })
            .sum()
    };
    weighted((0..PLACES).map(|i| (place(i), log(place(i)))))
}

/// What a planner that is left alone does where it does not find the right change: as `Tables::own_value` has it.
fn by_itself(cause: Cause, changed: Changed, skill: f64, tables: &Tables) -> Option<f64> {
    let usual = match changed {
        Changed::Nothing => 0.5,
        Changed::Class | Changed::Target => 0.25,
        Changed::Both => return None,
    };
    let values = Changed::ALL[..3].iter().map(|one| tables.mends(cause, *one));
    let is_best = values.fold(0.0, f64::max) <= tables.mends(cause, changed);
    Some(skill * f64::from(u8::from(is_best)) + (1.0 - skill) * usual)
}

fn skill(all: &[(&Story, &Vec<Chances>)], tables: &Tables) -> Option<Estimate> {
    let plans: Vec<(Chances, Changed)> = all
        .iter()
        .flat_map(|(story, causes)| story.plans(causes))
        .filter(|(_, changed, own, _)| *own && *changed != Changed::Both)
        .map(|(belief, changed, ..)| (belief, changed))
        .collect();
    let log = |skill: f64| -> f64 {
        let chance = |(belief, changed): &(Chances, Changed)| -> f64 {
            let of = |h: &Cause| belief[*h as usize] * by_itself(*h, *changed, skill, tables).unwrap_or(1.0);
            Cause::ALL.iter().map(of).sum()
        };
        plans.iter().map(|plan| chance(plan).max(1e-9).ln()).sum()
    };
    (!plans.is_empty()).then(|| weighted((0..PLACES).map(|i| (place(i), log(place(i))))))
}

/// The ρ with which the table would have told fewest rounds the wrong kind of change; a mistake weighs one unit of log.
fn rho(all: &[(&Story, &Vec<Chances>)]) -> Estimate {
    let rounds: Vec<(f64, f64)> = all
        .iter()
        .flat_map(|(story, causes)| story.rounds.iter().zip(*causes))
        .filter_map(|(round, chances)| Some((round.implausibility?, chances[Cause::Approach as usize])))
        .collect();
    let mistakes = |rho: f64| -> f64 {
        rounds.iter().map(|(p, approach)| if *p > rho { 1.0 - approach } else { *approach }).sum()
    };
    weighted((0..PLACES).map(|i| (place(i), -mistakes(place(i)))))
}

#[cfg(test)]
mod tests;
