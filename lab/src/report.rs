//! What a set of plants says of the policies, as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use artoo_control::belief::{Cause, Counts};

use crate::plant::{Family, Plant};
use crate::policy;
use crate::trial::{Confusion, TOLD, Tally, Tasks, learn, run};
use crate::world::Policy;

/// How many threads at once, where nothing else is said: all cores, for plants are independent.
fn workers() -> usize {
    let asked = std::env::var("ARTOO_LAB_THREADS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get)).max(1)
}

/// Does something for each plant and its tasks, on all cores; the order of the results is that of the plants.
///
/// Every plant has tasks of its own: with the same ones on all of them forty plants would be one sample of tasks, seen
/// forty times, and every interval would be too narrow.
pub fn for_each<T: Send>(plants: &[Plant], tasks: Tasks, work: impl Fn(&Plant, Tasks) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, T>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..workers() {
            scope.spawn(|| {
                while let Some((i, plant)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    plants.get(i).map(|plant| (i, plant))
                } {
                    let result = work(plant, Tasks { seed: tasks.seed + i as u64, ..tasks });
                    done.lock().unwrap_or_else(PoisonError::into_inner).insert(i, result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// One policy on every plant of a set.
#[derive(Debug, Clone)]
pub struct Row {
    /// The policy.
    pub name: String,
    /// A tally a plant.
    pub tallies: Vec<Tally>,
}

impl Row {
    /// Runs a policy on the plants.
    pub fn of(name: &str, policy: &Policy, plants: &[Plant], tasks: Tasks) -> Self {
        let tallies = for_each(plants, tasks, |plant, own| run(plant, policy, own, |_, _| {}));
        Self { name: name.to_owned(), tallies }
    }

    /// The mean over the plants of what `figure` reads off one.
    pub fn mean(&self, figure: impl Fn(&Tally) -> f64) -> f64 {
        self.tallies.iter().map(figure).sum::<f64>() / (self.tallies.len() as f64).max(1.0)
    }

    /// Mean and half the 95 % interval of the difference to another row, plant by plant.
    pub fn against(&self, other: &Self, figure: impl Fn(&Tally) -> f64) -> (f64, f64) {
        let pairs = self.tallies.iter().zip(&other.tallies);
        let differences: Vec<f64> = pairs.map(|(a, b)| figure(a) - figure(b)).collect();
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        (mean, 2.02 * (variance / n).sqrt())
    }

    /// On how many plants success is at least that of another row, falsehood at most, both, and falsehood above it by more than the
    /// luck of their tasks.
    pub fn holds(&self, other: &Self) -> [usize; 4] {
        let mut held = [0; 4];
        for (a, b) in self.tallies.iter().zip(&other.tallies) {
            let (good, bad) = (a.success() >= b.success() - 1e-9, a.falsehood() <= b.falsehood() + 1e-9);
            held[0] += usize::from(good);
            held[1] += usize::from(bad);
            held[2] += usize::from(good && bad);
            held[3] += usize::from(a.lies_beyond_chance(b));
        }
        held
    }
}

/// The rows of the names on the plants; progress goes to `told`.
pub fn rows(names: &[&str], plants: &[Plant], tasks: Tasks, told: impl Fn(&str)) -> Vec<Row> {
    let known = names.iter().filter_map(|name| Some((name, policy::named(name)?)));
    known
        .map(|(name, policy)| {
            let row = Row::of(name, &policy, plants, tasks);
            told(&format!("{name}: T {:.1} F {:.1}", row.mean(Tally::success), row.mean(Tally::falsehood)));
            row
        })
        .collect()
}

/// The table of a set. Differences are to the static replanner of the same world, points below to the row called `oracle`.
pub fn table(title: &str, rows: &[Row]) -> String {
    let mut text = String::new();
    let find = |name: &str| rows.iter().find(|row| row.name == name);
    let plants = rows.first().map_or(0, |row| row.tallies.len());
    let tasks: u64 = rows.first().map_or(0, |row| row.tallies.iter().map(Tally::tasks).sum());
    let _ = writeln!(text, "## {title}: {plants} plants, {tasks} tasks a policy\n");
    text.push_str(
        "| policy | success % | to static | false % | to static | calls | T ≥ | F ≤ | both | F > beyond chance | below oracle |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (t, f, c) = (row.mean(Tally::success), row.mean(Tally::falsehood), row.mean(Tally::calls_each));
        let ci = |(mean, half): (f64, f64)| format!("{mean:+.1} ± {half:.1}");
        let (dt, df, held) = match find(policy::base(&row.name)).filter(|base| base.name != row.name) {
            Some(base) => (
                ci(row.against(base, Tally::success)),
                ci(row.against(base, Tally::falsehood)),
                row.holds(base).map(|n| n.to_string()),
            ),
            None => (String::new(), String::new(), Default::default()),
        };
        let below =
            find("oracle").map_or(String::new(), |top| format!("{:.1}", top.mean(Tally::success) - t));
        let [good, bad, both, worse] = held;
        let _ = writeln!(
            text,
            "| {} | {t:.1} | {dt} | {f:.1} | {df} | {c:.1} | {good} | {bad} | {both} | {worse} | {below} |",
            row.name
        );
    }
    text
}

/// What one row did in detail: its ends, the cells and how often they named the right change, and each family against another row.
pub fn detail(row: &Row, base: &Row) -> String {
    let mut text = format!("\n{}\n\n", row.name);
    let (mut ends, mut cells) = (BTreeMap::<&str, u64>::new(), BTreeMap::<&str, [u64; 2]>::new());
    for tally in &row.tallies {
        for (end, n) in &tally.ends {
            *ends.entry(end).or_default() += n;
        }
        for (cell, [all, right]) in &tally.cells {
            let of_cell = cells.entry(cell).or_default();
            of_cell[0] += all;
            of_cell[1] += right;
        }
    }
    let share = |n: u64, all: u64| 100.0 * n as f64 / (all as f64).max(1.0);
    let all: u64 = ends.values().sum();
    let list: Vec<String> = ends.iter().map(|(end, n)| format!("{end} {:.1} %", share(*n, all))).collect();
    let _ = writeln!(text, "- ends of tasks that can be solved: {}", list.join(", "));
    let all: u64 = cells.values().map(|[n, _]| n).sum();
    let list: Vec<String> = cells
        .iter()
        .map(|(cell, [n, right])| {
            format!("{cell} {:.0} % (right {:.0} %)", share(*n, all), share(*right, *n))
        })
        .collect();
    let _ = writeln!(
        text,
        "- cells, and how often the change that was told is the one that is needed: {}",
        list.join(", ")
    );
    text.push_str(&confusions(row));
    let list: Vec<String> = Family::ALL
        .iter()
        .map(|family| {
            let ([t, f], [bt, bf]) = (row.of_family(*family), base.of_family(*family));
            let (dt, df) = (t - bt, f - bf);
            format!("{} {t:.0} ({dt:+.1}) / {f:.0} ({df:+.1})", family.as_str())
        })
        .collect();
    let _ = writeln!(text, "- true / false by family, and to {}: {}", base.name, list.join(", "));
    text
}

impl Row {
    /// True and false deliveries of a family over all plants, in percent.
    pub fn of_family(&self, family: Family) -> [f64; 2] {
        let mut sum = [0; 3];
        for counts in self.tallies.iter().filter_map(|tally| tally.families.get(&family)) {
            sum.iter_mut().zip(counts).for_each(|(to, n)| *to += n);
        }
        [1, 2].map(|i| 100.0 * sum[i] as f64 / (sum[0] as f64).max(1.0))
    }

    /// What was told for each cause in the rounds and families that are asked for.
    pub fn confusion(&self, of: impl Fn(Family, usize) -> bool) -> Confusion {
        let mut sum = Confusion::default();
        let told = self
            .tallies
            .iter()
            .flat_map(|tally| &tally.told)
            .filter(|((family, round), _)| of(*family, *round));
        for (_, counts) in told {
            for (to, from) in sum.iter_mut().flatten().zip(counts.iter().flatten()) {
                *to += from;
            }
        }
        sum
    }
}

/// The true cause against what was told: a table for each round, and the first round of each family in a line.
fn confusions(row: &Row) -> String {
    let mut text = String::new();
    let rounds: BTreeSet<usize> =
        row.tallies.iter().flat_map(|tally| tally.told.keys().map(|(_, round)| *round)).collect();
    let head: Vec<&str> = TOLD.iter().map(|axis| axis.as_str()).collect();
    for round in rounds {
        let _ =
            writeln!(text, "\n| true cause, round {} | steps | told {} % |", round + 1, head.join(" % | "));
        let _ = writeln!(text, "|---{}|", "|---".repeat(TOLD.len() + 1));
        for (cause, told) in Cause::ALL.iter().zip(row.confusion(|_, of| of == round)) {
            let all: u64 = told.iter().sum();
            let shares: Vec<String> =
                told.iter().map(|n| format!("{:.0}", 100.0 * *n as f64 / (all as f64).max(1.0))).collect();
            let _ = writeln!(text, "| {} | {all} | {} |", cause.as_str(), shares.join(" | "));
        }
    }
    text.push('\n');
    text
}

/// Counts for the belief, from tasks on these plants whose directives are drawn.
pub fn learned(plants: &[Plant], tasks: Tasks) -> Counts {
    let Some(policy) = policy::named("random cell") else { return Counts::default() };
    let each = for_each(plants, tasks, |plant, own| {
        let mut counts = Counts::default();
        run(plant, &policy, own, |_, course| learn(&mut counts, course));
        counts
    });
    let mut all = Counts::default();
    for counts in each {
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        all.prior.iter_mut().zip(&counts.prior).for_each(|(a, b)| add(a, b));
        all.evidence.iter_mut().zip(&counts.evidence).for_each(|(a, b)| add(a, b));
        for (to, from) in all.tries.iter_mut().zip(&counts.tries) {
            to.iter_mut().zip(from).for_each(|(a, b)| add(a, b));
        }
        for (to, from) in all.moves.iter_mut().zip(&counts.moves) {
            to.iter_mut().zip(from).for_each(|(a, b)| add(a, b));
        }
    }
    all
}
