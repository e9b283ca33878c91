//! Belief and table once more, written straight from their descriptions, over a hundred thousand random rounds.

use artoo_types::belief::StepAxis;
use artoo_types::control::{Directive, Ending, Reason};
use artoo_types::setting::ControlParams;
use artoo_types::unit::{Cost, Distance, Implausibility};

use crate::belief::{Changed, Counts, Evidence, Tables, Weighing, weigh};
use crate::cascade::{Bounds, Cell, Decision, Situation, decide};

const ROUNDS: usize = 100_000;

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

    fn evidence(&mut self) -> Evidence {
        Evidence {
            receipts: self.roll(5) as u8,
            classes: self.roll(4) as u8,
            level: self.roll(3) as u8,
            trend: self.roll(3) as u8,
            single: self.roll(2) == 1,
            relapse: self.roll(2) == 1,
        }
    }
}

const DIRECTIVES: [Directive; 4] =
    [Directive::Refine, Directive::ChangePath, Directive::ChangeApproach, Directive::BreakSymmetry];

/// All kinds of evidence, in the order of the rows of the counts.
fn kinds() -> Vec<Evidence> {
    let mut all = Vec::new();
    for receipts in 0..5 {
        for classes in 0..4 {
            for level in 0..3 {
                for trend in 0..3 {
                    for single in [false, true] {
                        for relapse in [false, true] {
                            all.push(Evidence { receipts, classes, level, trend, single, relapse });
                        }
                    }
                }
            }
        }
    }
    all
}

/// The same tables, by the book: a count leans on the product of the shares of its parts with the weight of twenty steps.
struct Book {
    kinds: Vec<Evidence>,
    likelihood: Vec<[f64; 5]>,
    counts: Counts,
}

impl Book {
    fn new(counts: Counts) -> Self {
        let kinds = kinds();
        let mut likelihood = vec![[0.0; 5]; kinds.len()];
        for cause in 0..5 {
            let mut total = 0.0;
            for row in &counts.evidence {
                total += row[cause];
            }
            for (i, kind) in kinds.iter().enumerate() {
                let share = |same: &dyn Fn(&Evidence) -> bool, values: f64| {
                    let mut count = 0.0;
                    for (j, other) in kinds.iter().enumerate() {
                        if same(other) {
                            count += counts.evidence[j][cause];
                        }
                    }
                    (count + 0.5) / (total + 0.5 * values)
                };
                let product = share(&|o| o.receipts == kind.receipts, 5.0)
                    * share(&|o| o.classes == kind.classes, 4.0)
                    * share(&|o| o.level == kind.level, 3.0)
                    * share(&|o| o.trend == kind.trend, 3.0)
                    * share(&|o| o.single == kind.single, 2.0)
                    * share(&|o| o.relapse == kind.relapse, 2.0);
                likelihood[i][cause] = (counts.evidence[i][cause] + 20.0 * product) / (total + 20.0);
            }
        }
        Self { kinds, likelihood, counts }
    }

    fn share(&self, change: usize, from: usize, to: usize) -> f64 {
        let row = self.counts.moves[change][from];
        let mut sum = 0.0;
        for n in row {
            sum += n;
        }
        (row[to] + 0.5) / (sum + 3.0)
    }

    fn matched(&self, change: usize, cause: usize) -> f64 {
        let [tried, matched] = self.counts.tries[change][cause];
        (matched + 0.5) / (tried + 3.0)
    }

    fn prior(&self, directive: usize) -> [f64; 5] {
        let row = self.counts.prior[directive];
        let sum: f64 = row.iter().sum();
        row.map(|n| (n + 1.0) / (sum + 5.0))
    }

    fn update(&self, start: [f64; 5], evidence: Evidence, trust: f64) -> [f64; 5] {
        let i = self.kinds.iter().position(|kind| *kind == evidence).expect("a kind");
        let mut out = [0.0; 5];
        let mut sum = 0.0;
        for h in 0..5 {
            out[h] = start[h] * self.likelihood[i][h].powf(trust);
            sum += out[h];
        }
        out.map(|x| x / sum)
    }

    fn moved(&self, start: [f64; 5], change: usize) -> [f64; 5] {
        let mut out = [0.0; 5];
        for (from, chance) in start.iter().enumerate() {
            for (to, x) in out.iter_mut().enumerate() {
                *x += chance * self.share(change, from, to);
            }
        }
        out
    }

    /// Axis, force and chance: the change of highest value, unless the planner's own choice is worth more.
    fn weigh(&self, b: [f64; 5], retried: bool, pressed: bool) -> (StepAxis, bool, f64) {
        let value = |change: usize| (0..5).map(|h| b[h] * self.matched(change, h)).sum::<f64>();
        let (detail, class, target) = (value(0), value(1), value(2));
        let mut own = 0.0;
        for (h, held) in b.iter().enumerate() {
            let v = [self.matched(0, h), self.matched(1, h), self.matched(2, h)];
            let best = v.iter().fold(0.0f64, |a, x| a.max(*x));
            own += held * (0.35 * best + 0.65 * (0.5 * v[0] + 0.25 * v[1] + 0.25 * v[2]));
        }
        let slack = if pressed { 0.03 } else { 0.0 };
        let enough = detail.max(class).max(target) - slack;
        let (axis, held, chance) = if detail >= enough {
            (StepAxis::Detail, b[2] + b[3], detail)
        } else if target >= enough {
            (StepAxis::Target, b[1], target)
        } else {
            (StepAxis::Approach, b[0], class)
        };
        if own > chance {
            return (StepAxis::Own, false, own);
        }
        let again = axis == StepAxis::Detail && b[3] >= 0.5 && !retried;
        (if again { StepAxis::Again } else { axis }, held >= 0.5, chance)
    }
}

#[test]
fn a_second_implementation_believes_the_same_in_every_round() {
    let counts = Counts::read(include_str!("../../belief.tsv")).expect("readable");
    let (book, tables) = (Book::new(counts.clone()), Tables::of(&counts));
    let mut dice = Dice(1);
    let near = |a: [f64; 5], b: [f64; 5]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    let (mut one, mut other) = ([0.2; 5], [0.2; 5]);
    for round in 0..ROUNDS {
        if round == 0 || dice.roll(4) == 0 {
            let d = dice.roll(4);
            (one, other) = (tables.prior(DIRECTIVES[d]), book.prior(d));
        } else {
            let change = dice.roll(4);
            (one, other) = (tables.moved(one, Changed::ALL[change]), book.moved(other, change));
        }
        let (evidence, trust) = (dice.evidence(), [1.0, 0.5, 0.0][dice.roll(3)]);
        (one, other) = (tables.seen(one, evidence, trust), book.update(other, evidence, trust));
        assert!(near(one, other), "round {round}: {one:?} and {other:?}");
        let (retried, pressed) = (dice.roll(2) == 1, dice.roll(2) == 1);
        let weighed = weigh(&tables, one, Weighing { retried, pressed, skill: 0.35 });
        let (axis, enforced, chance) = book.weigh(one, retried, pressed);
        assert_eq!((weighed.axis, weighed.enforced), (axis, enforced), "round {round}: {one:?}");
        assert!((weighed.chance - chance).abs() < 1e-9, "round {round}");
    }
}

/// The cascade as the design says it in words: accept, success, refusal, budget, Law 2, replans, and then trend against
/// approach.
fn by_the_book(p: &ControlParams, s: &Situation, b: Bounds) -> Decision {
    let tiny = 1e-12;
    let (d, plausible, cost) = (s.distance.get(), s.implausibility.get(), s.cost.get());
    let spent = cost >= p.theta - tiny;
    let near = s.proven && d <= p.delta + tiny;
    let abandon = |reason| Decision::Finish(Ending::Abandon, reason);
    if b.complete {
        return Decision::Finish(Ending::Accept, Reason::CriteriaMet);
    }
    if near && !spent {
        return Decision::Finish(Ending::Success, Reason::WithinTolerance);
    }
    if b.denied_only {
        return abandon(Reason::Refused);
    }
    if spent {
        return abandon(Reason::BudgetExhausted);
    }
    if b.worsening >= 2 {
        return abandon(Reason::Diverging);
    }
    if b.directives_left == 0 {
        return abandon(Reason::ReplansExhausted);
    }
    let signal = s.gradient.abs() >= p.epsilon - tiny;
    let wrong = plausible > p.rho + tiny;
    Decision::Replan(match (signal, wrong) {
        (true, false) => Directive::Refine,
        (false, false) => Directive::ChangePath,
        (true, true) => Directive::ChangeApproach,
        (false, true) => Directive::BreakSymmetry,
    })
}

#[test]
fn a_second_implementation_of_the_table_decides_the_same_in_every_round() {
    let mut dice = Dice(2);
    for round in 0..ROUNDS {
        let tenth = |n: usize| n as f64 / 10.0;
        let params = ControlParams { delta: tenth(dice.roll(4)), ..ControlParams::default() };
        let situation = Situation {
            // Tenths meet every threshold exactly.
            gradient: tenth(dice.roll(9)) - 0.4,
            distance: Distance::clamped(tenth(dice.roll(11))),
            proven: dice.roll(2) == 1,
            implausibility: Implausibility::clamped(tenth(dice.roll(11))),
            cost: Cost::clamped(tenth(dice.roll(11))),
        };
        let bounds = Bounds {
            complete: dice.roll(8) == 0,
            denied_only: dice.roll(8) == 0,
            worsening: dice.roll(4) as u32,
            directives_left: dice.roll(4) as u32,
        };
        let decided = decide(Cell::of(&params, &situation), bounds);
        assert_eq!(
            decided,
            by_the_book(&params, &situation, bounds),
            "round {round}: {situation:?} {bounds:?}"
        );
    }
}
