//! What the belief makes of whole tasks once more, written straight from its description, over a hundred thousand random
//! rounds: what is kept of each step, what is told, blocked and pinned, and which inputs are not taken again. The tables and the
//! choice among the axes have a second implementation of their own, beside `belief`.

use artoo_types::belief::StepAxis;
use artoo_types::control::{PlanDirective, Urgency};
use artoo_types::criteria::FailureClass;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::outcome::{AttemptRecord, Denial, GapPoint, OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::BlockedTarget;
use artoo_types::setting::{ControlParams, Law, Steering};
use artoo_types::{EvidenceId, SubtaskId};

use super::super::Effect;
use super::fell_short;
use crate::belief::{Changed, ENFORCED, Evidence, Tables, Weighing, weigh};
use crate::testing::*;

const ROUNDS: usize = 100_000;
const NAMES: [&str; 3] = ["alpha", "bravo", "charlie"];
const CLASSES: [&str; 5] = ["shell:awk", "shell:sed", "write_file", "read_file", "glob"];
/// The last one is in the request.
const TARGETS: [&str; 4] = ["/guess/1", "/guess/2", "", "/home/u/wd/budget.csv"];

/// splitmix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 33) as usize % sides
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len())]
    }

    fn receipt(&mut self, number: usize) -> Receipt {
        let exit = self.roll(2) as i64;
        let mut receipt = call(&format!("r{number}"), self.of(&CLASSES), self.of(&TARGETS), exit);
        if receipt.tool == "write_file" {
            receipt.effect = EffectClass::Unknown;
        }
        if self.roll(6) == 0 {
            receipt.end = self.of(&[CallEnd::Error, CallEnd::Timeout, CallEnd::Refused]);
            receipt.exit = None;
        }
        receipt
    }

    /// A step of this round; `last` are the names and ids of the steps before.
    fn outcome(&mut self, name: &str, round: usize, last: &[(String, SubtaskId)]) -> SubTaskOutcome {
        let status = self.of(&[
            OutcomeStatus::Failed,
            OutcomeStatus::Failed,
            OutcomeStatus::Matched,
            OutcomeStatus::NotRun,
        ]);
        let (criteria, class) =
            (1 + self.roll(3), self.of(&[Some(Logical), Some(Environmental), Some(Logical), None]));
        let verdicts = (0..criteria).map(|i| match status {
            OutcomeStatus::Matched => pass(i, Verifiable),
            OutcomeStatus::Failed | OutcomeStatus::NotRun => fail(i, Verifiable, class),
        });
        let mut told = outcome(&format!("{name} {round}"), status, verdicts.collect(), Vec::new());
        told.subtask.replaces =
            last.iter().find(|(old, _)| old == name).map(|(_, id)| *id).filter(|_| self.roll(5) > 0);
        told.subtask.tools = vec![self.of(&CLASSES).to_owned()];
        told.subtask.targets = vec![self.of(&TARGETS).to_owned()];
        told.denied = (status == OutcomeStatus::Failed && self.roll(12) == 0).then_some(Denial::Refused);
        let attempts = 1 + self.roll(3);
        told.gap_trajectory = (1..=attempts as u32).map(|attempt| self.point(attempt, criteria)).collect();
        let mut number = 0;
        for attempt in 1..=attempts {
            let receipts: Vec<Receipt> = (0..self.roll(3))
                .map(|_| {
                    number += 1;
                    self.receipt(number)
                })
                .collect();
            if attempt == attempts {
                told.receipts = receipts;
            } else {
                let verdicts =
                    vec![fail(0, Verifiable, self.of(&[Some(Logical), Some(Environmental), None]))];
                told.earlier.push(AttemptRecord { attempt: attempt as u32, verdicts, receipts });
            }
        }
        if number > 0 && self.roll(2) == 0 {
            let cited = EvidenceId(format!("r{}", 1 + self.roll(number)));
            told.criteria_verdicts[0].cites = Some(cited);
        }
        told
    }

    fn point(&mut self, attempt: u32, criteria: usize) -> GapPoint {
        let unmet: Vec<usize> = (0..criteria).filter(|_| self.roll(2) == 0).collect();
        let class = self.of(&[Some(Logical), Some(Environmental), None]);
        let score = 1.0 - unmet.len() as f64 / criteria as f64;
        GapPoint { score, failure_class: class, ..gap(attempt, &unmet) }
    }
}

/// What the book keeps of a step that failed.
#[derive(Clone)]
struct Kept {
    id: SubtaskId,
    chances: [f64; 5],
    class: String,
    target: String,
    again: bool,
    blocked: Vec<String>,
}

/// What the book says of a round.
#[derive(Debug, PartialEq, Default)]
struct Told {
    /// Axis, force, pins.
    steps: Vec<(SubtaskId, StepAxis, bool, Vec<String>)>,
    /// Class and step.
    blocks: Vec<(String, Option<SubtaskId>)>,
}

#[derive(Default)]
struct Book {
    kept: Vec<Kept>,
    blocked: Vec<BlockedTarget>,
    listed: Vec<BlockedTarget>,
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn calls(step: &SubTaskOutcome) -> Vec<&Receipt> {
    let mut all = Vec::new();
    for attempt in &step.earlier {
        all.extend(&attempt.receipts);
    }
    all.extend(&step.receipts);
    all
}

fn failed_itself(call: &Receipt) -> bool {
    call.end != CallEnd::Ran || call.exit != Some(0)
}

fn evidence(step: &SubTaskOutcome) -> Evidence {
    let mut lasts: Vec<Option<&Receipt>> = step.earlier.iter().map(|a| a.receipts.last()).collect();
    lasts.push(step.receipts.last());
    let bad = lasts.iter().flatten().filter(|call| failed_itself(call)).count();
    let broke = lasts.last().copied().flatten().is_some_and(|call| call.end != CallEnd::Ran);
    let share = bad as f64 / lasts.len() as f64;
    let (mut logical, mut environmental) = (false, false);
    let mut relapse = false;
    let (mut met, mut judged) = (Vec::new(), Vec::new());
    for (i, point) in step.gap_trajectory.iter().enumerate() {
        logical |= point.failure_class == Some(FailureClass::Logical);
        environmental |= point.failure_class == Some(FailureClass::Environmental);
        if broke && i + 1 == step.gap_trajectory.len() {
            continue;
        }
        relapse |= point.unmet_indexes.iter().any(|unmet| met.contains(unmet));
        met.extend((0..3).filter(|c| !point.unmet_indexes.contains(c)));
        judged.push(point.score);
    }
    let first = step.gap_trajectory.first().map_or(0.0, |point| point.score);
    let last = step.gap_trajectory.last().map_or(0.0, |point| point.score);
    Evidence {
        receipts: match share {
            _ if broke => 4,
            _ if bad == 0 => 0,
            x if x <= 0.5 => 1,
            x if x < 1.0 => 2,
            _ => 3,
        },
        classes: match (logical, environmental) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        },
        level: if last >= 0.5 {
            0
        } else if last > 0.001 {
            1
        } else {
            2
        },
        trend: if last > first {
            0
        } else if last < first {
            2
        } else {
            1
        },
        single: step.subtask.success_criteria.len() == 1,
        relapse,
    }
}

impl Book {
    fn round(&mut self, steps: &[SubTaskOutcome], given: &PlanDirective, usable: &[String]) -> Told {
        let (before, mut told) = (std::mem::take(&mut self.kept), Told::default());
        for step in steps {
            let old = step.subtask.replaces.and_then(|id| before.iter().find(|kept| kept.id == id));
            match step.status {
                OutcomeStatus::NotRun => {
                    self.kept.extend(old.map(|old| Kept { id: step.subtask_id, ..old.clone() }));
                }
                OutcomeStatus::Failed if step.denied.is_none() => {
                    let kept = self.step(step, old, given, &mut told);
                    self.kept.push(kept);
                }
                OutcomeStatus::Failed | OutcomeStatus::Matched => {}
            }
        }
        // A block that leaves a step nothing to go on with is none.
        let wanted = std::mem::take(&mut told.blocks);
        for (class, step) in wanted {
            let left = |tool: &&String| {
                let taken = told.blocks.iter().any(|(other, of)| *of == step && other == *tool);
                *tool != "read_output" && **tool != class && !taken
            };
            if usable.iter().any(|tool| left(&tool)) {
                add(&mut told.blocks, (class, step));
            }
        }
        self.inputs(steps, &told);
        told
    }

    fn step(
        &self,
        step: &SubTaskOutcome,
        old: Option<&Kept>,
        given: &PlanDirective,
        told: &mut Told,
    ) -> Kept {
        let (tables, all) = (Tables::built_in(), calls(step));
        let (class, target) = match all.last() {
            Some(call) => (call.blame.clone(), call.target.clone()),
            None => (step.subtask.tools[0].clone(), step.subtask.targets[0].clone()),
        };
        let start = match old {
            None => tables.prior(given.directive),
            Some(old) => {
                let changed = match (old.class != class, old.target != target) {
                    (false, false) => Changed::Nothing,
                    (true, false) => Changed::Class,
                    (false, true) => Changed::Target,
                    (true, true) => Changed::Both,
                };
                tables.moved(old.chances, changed)
            }
        };
        let chances = tables.seen(start, evidence(step), 1.0);
        let again = old.is_some_and(|old| old.again);
        let pressed = given.urgency == Urgency::Worsening || given.budget_pressure >= 0.5;
        let choice = weigh(tables, chances, Weighing { retried: again, pressed, skill: 0.35 });
        let mut blocked = old.map_or(Vec::new(), |old| old.blocked.clone());
        let (mut must, mut pins) = (choice.enforced, Vec::new());
        if must && choice.axis == StepAxis::Approach {
            match all.last() {
                Some(call) if call.effect != EffectClass::Read => add(&mut blocked, call.blame.clone()),
                Some(_) | None => must = false,
            }
            if must {
                told.blocks.extend(blocked.iter().map(|class| (class.clone(), Some(step.subtask_id))));
            }
        }
        if must && matches!(choice.axis, StepAxis::Detail | StepAxis::Again) {
            must = !all.is_empty();
            if let Some(call) = all.last() {
                for class in step.subtask.tools.iter().chain(&call.classes).chain([&call.blame]) {
                    add(&mut pins, class.clone());
                }
            }
        }
        told.steps.push((step.subtask_id, choice.axis, must, pins));
        let again = again || choice.axis == StepAxis::Again;
        Kept { id: step.subtask_id, chances, class, target, again, blocked }
    }

    /// Where another input is told, the calls to blame that failed themselves are not made again; what may be the only input
    /// there is is listed.
    fn inputs(&mut self, steps: &[SubTaskOutcome], told: &Told) {
        let (mut blocked, mut listed) = (Vec::new(), Vec::new());
        for step in steps {
            let of_step = told.steps.iter().find(|(id, ..)| *id == step.subtask_id);
            if of_step.is_none_or(|(_, axis, ..)| *axis != StepAxis::Target) {
                continue;
            }
            for call in to_blame(step) {
                let made = |o: &SubTaskOutcome| {
                    o.matched()
                        && calls(o).iter().any(|c| {
                            c.effect != EffectClass::Read && !failed_itself(c) && c.target == call.target
                        })
                };
                let only = call.target.contains("budget") || steps.iter().any(made);
                let list = if only { &mut listed } else { &mut blocked };
                add(list, BlockedTarget { class: call.blame.clone(), target: call.target.clone() });
            }
        }
        blocked.retain(|pair| !self.listed.contains(pair));
        listed.retain(|pair| !self.blocked.contains(pair));
        blocked.into_iter().for_each(|pair| add(&mut self.blocked, pair));
        listed.into_iter().for_each(|pair| add(&mut self.listed, pair));
    }
}

/// Calls with a target that failed themselves and that a failed criterion of a known class is about: those that are cited, else all.
fn to_blame(step: &SubTaskOutcome) -> Vec<&Receipt> {
    let mut attempts: Vec<_> = step.earlier.iter().map(|a| (&a.verdicts, &a.receipts)).collect();
    attempts.push((&step.criteria_verdicts, &step.receipts));
    let reached = |call: &&Receipt| call.end != CallEnd::Refused;
    let mut cited = false;
    let mut blamed = Vec::new();
    for call in calls(step).into_iter().filter(reached) {
        let about =
            || attempts.iter().flat_map(|(v, _)| v.iter()).filter(|v| v.cites.as_ref() == Some(&call.id));
        cited |= about().next().is_some();
        if about().any(|verdict| verdict.failure_class.is_some()) {
            blamed.push(call);
        }
    }
    if !cited {
        for (verdicts, receipts) in attempts {
            if verdicts.iter().any(|verdict| verdict.failure_class.is_some()) {
                blamed.extend(receipts.iter().filter(reached));
            }
        }
    }
    // What was cut short reached for nothing that could be told.
    blamed.retain(|c| failed_itself(c) && c.end != CallEnd::Timeout && !c.target.is_empty());
    blamed
}

fn compare(book: &mut Book, outcomes: &[SubTaskOutcome], directive: &PlanDirective, usable: &[String]) {
    let told = book.round(outcomes, directive, usable);
    let steps = directive.grounds.steps.iter();
    let given = Told {
        steps: steps.map(|s| (s.subtask, s.axis, s.enforced, s.pinned.clone())).collect(),
        blocks: directive.blocked_tools.iter().map(|b| (b.class.clone(), b.subtask)).collect(),
    };
    assert_eq!(given, told, "{outcomes:#?}");
    assert_eq!(directive.blocked_targets, book.blocked, "{outcomes:#?}");
    assert_eq!(directive.failed_before, book.listed, "{outcomes:#?}");
}

#[test]
fn a_second_implementation_keeps_blocks_and_pins_the_same_in_every_round() {
    let (mut dice, mut rounds, mut blocks, mut pins, mut dead) = (Dice(3), 0, 0, 0, 0);
    assert_eq!(ENFORCED, 0.5);
    while rounds < ROUNDS {
        let steering = Steering { law: Law::Belief, worth: 1e9, ..Steering::default() };
        let mut solver = solver_with(ControlParams { steering, max_replans: 6, ..ControlParams::default() });
        if dice.roll(3) == 0 {
            solver.tools = vec!["write_file".into(), "read_output".into()];
        }
        let usable = solver.tools.clone();
        let (mut book, mut last) = (Book::default(), Vec::new());
        for round in 0.. {
            let names: Vec<&str> = NAMES.into_iter().filter(|_| dice.roll(3) > 0).collect();
            let outcomes: Vec<_> = names.iter().map(|name| dice.outcome(name, round, &last)).collect();
            last = names.iter().zip(&outcomes).map(|(name, o)| ((*name).to_owned(), o.subtask_id)).collect();
            let effects = at(&mut solver, (round * dice.roll(60_000)) as i64, fell_short(outcomes.clone()));
            let Some(Effect::Direct(directive)) = effects.last() else { break };
            rounds += 1;
            compare(&mut book, &outcomes, directive, &usable);
            blocks += directive.blocked_tools.len();
            pins += directive.grounds.steps.iter().filter(|step| !step.pinned.is_empty()).count();
            dead += directive.blocked_targets.len();
        }
    }
    assert!(blocks > 1_000 && pins > 1_000 && dead > 1_000, "{blocks} blocks, {pins} pins, {dead} inputs");
}
