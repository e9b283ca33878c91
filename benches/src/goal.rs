//! What is wanted, as ratios between two figures of the same run.

use crate::Figure;

/// How a ratio is held against its goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// artoo's cost is at most this share of the baseline's.
    AtMostOneIn(f64),
    /// artoo does at least this many times as much as the baseline.
    AtLeastTimes(f64),
    /// The ratio is at most this.
    AtMost(f64),
    /// Shown for comparison; nothing is wanted.
    Nothing,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What is compared.
    pub what: &'static str,
    /// With what.
    pub baseline: &'static str,
    /// Unit of both values.
    pub unit: &'static str,
    /// artoo's value; none when it was not measured.
    pub ours: Option<f64>,
    /// The baseline's value; none when it was not measured.
    pub theirs: Option<f64>,
    /// The goal.
    pub wanted: Wanted,
}

impl Comparison {
    /// artoo's value over the baseline's.
    pub fn ratio(&self) -> Option<f64> {
        let (ours, theirs) = (self.ours?, self.theirs?);
        (ours > 0.0 && theirs > 0.0).then(|| ours / theirs)
    }

    /// How many times worse than the goal it is: 1 is the goal, less is better. None when there is no ratio or no goal.
    pub fn shortfall(&self) -> Option<f64> {
        let ratio = self.ratio()?;
        match self.wanted {
            Wanted::AtMostOneIn(share) => Some(ratio * share),
            Wanted::AtLeastTimes(times) => Some(times / ratio),
            Wanted::AtMost(most) => Some(ratio / most),
            Wanted::Nothing => None,
        }
    }

    /// Whether the goal is met; none when there is no ratio or no goal.
    pub fn is_met(&self) -> Option<bool> {
        self.shortfall().map(|times| times <= 1.0)
    }
}

/// Subtask counts that are measured: one, the most that run at once, and the most that a plan may have.
pub const SUBTASKS: [u32; 3] = [1, 8, 32];

/// Every comparison, in the order in which it is shown.
pub fn comparisons(figures: &[Figure]) -> Vec<Comparison> {
    let measured = Measured(figures);
    let mut all = of_one_task(measured);
    all.extend(of_many_tasks(measured));
    all.extend(of_subtasks(measured));
    all
}

/// The figures of one run.
#[derive(Clone, Copy)]
struct Measured<'a>(&'a [Figure]);

impl<'a> Measured<'a> {
    fn find(self, system: &str, mode: &str, subtasks: u32) -> Option<&'a Figure> {
        self.0.iter().find(|f| f.system == system && f.mode == mode && f.subtasks == subtasks)
    }

    fn cpu_ms(self, system: &str, mode: &str) -> Option<f64> {
        self.find(system, mode, 1).map(|f| f.cpu_block_ms)
    }

    fn wall_ms(self, system: &str, mode: &str) -> Option<f64> {
        self.find(system, mode, 1).map(|f| f.wall_ms)
    }

    fn rate(self, system: &str, mode: &str) -> Option<f64> {
        self.find(system, mode, 1)?.at_once_per_s
    }

    fn slope(self, system: &str, mode: &str, from: u32, to: u32) -> Option<f64> {
        let low = self.find(system, mode, from)?.cpu_block_ms;
        let high = self.find(system, mode, to)?.cpu_block_ms;
        Some((high - low) / f64::from(to - from))
    }
}

fn row(
    what: &'static str,
    baseline: &'static str,
    unit: &'static str,
    figures: (Option<f64>, Option<f64>),
    wanted: Wanted,
) -> Comparison {
    Comparison { what, baseline, unit, ours: figures.0, theirs: figures.1, wanted }
}

fn of_one_task(measured: Measured<'_>) -> Vec<Comparison> {
    let cpu = measured.cpu_ms("artoo", "written");
    let durable = measured.wall_ms("artoo", "durable");
    // The faster of the two modes that sync while the task runs is the harder baseline.
    let saver = [measured.wall_ms("langgraph", "sqlite-sync"), measured.wall_ms("langgraph", "sqlite-async")];
    let saver = saver.into_iter().flatten().min_by(f64::total_cmp);
    let at_end = measured.wall_ms("langgraph", "sqlite-exit");
    let (langgraph, autogen) =
        (measured.cpu_ms("langgraph", "memory"), measured.cpu_ms("autogen-core", "memory"));
    let wall = "wall time of a durable task";
    let floor = (cpu, measured.cpu_ms("artoo", "floor"));
    let journal = measured.find("artoo", "written", 1);
    let journal = (journal.and_then(|f| f.journal_bytes), journal.and_then(|f| f.journal_full_bytes));
    vec![
        row("CPU of a task", "LangGraph", "ms", (cpu, langgraph), Wanted::AtMostOneIn(30.0)),
        row("CPU of a task", "autogen-core", "ms", (cpu, autogen), Wanted::AtMostOneIn(3.0)),
        row("CPU of a task", "its hashes and system calls alone", "ms", floor, Wanted::Nothing),
        row(wall, "LangGraph+SQLite", "ms", (durable, saver), Wanted::AtMostOneIn(20.0)),
        row(wall, "the same, saved at the end only", "ms", (durable, at_end), Wanted::Nothing),
        row("journal of a task", "the same, each step in full", "bytes", journal, Wanted::AtMostOneIn(3.0)),
    ]
}

fn of_many_tasks(measured: Measured<'_>) -> Vec<Comparison> {
    let written = measured.rate("artoo", "written");
    let (autogen, langgraph) =
        (measured.rate("autogen-core", "memory"), measured.rate("langgraph", "memory"));
    let durable = (measured.rate("artoo", "durable"), measured.rate("langgraph", "sqlite-async"));
    let (at_once, unit) = ("100 tasks at once", "tasks/s");
    vec![
        row(at_once, "autogen-core", unit, (written, autogen), Wanted::AtLeastTimes(5.0)),
        row(at_once, "LangGraph", unit, (written, langgraph), Wanted::AtLeastTimes(50.0)),
        row("100 durable tasks at once", "LangGraph+SQLite", unit, durable, Wanted::Nothing),
    ]
}

fn of_subtasks(measured: Measured<'_>) -> Vec<Comparison> {
    let [one, some, most] = SUBTASKS;
    let whole =
        (measured.slope("artoo", "written", one, most), measured.slope("langgraph", "send", one, most));
    let halves =
        (measured.slope("artoo", "written", some, most), measured.slope("artoo", "written", one, some));
    let resident =
        |system, mode| measured.find(system, mode, one).and_then(|figure: &Figure| figure.resident_end_mb);
    let memory = (resident("artoo", "written"), resident("langgraph", "memory"));
    vec![
        row("CPU of one more parallel subtask", "LangGraph Send", "ms", whole, Wanted::AtMostOneIn(10.0)),
        row("one more subtask, from 8 to 32", "artoo, from 1 to 8", "ms", halves, Wanted::AtMost(1.3)),
        row("resident memory at the end", "LangGraph", "MB", memory, Wanted::Nothing),
    ]
}

#[cfg(test)]
mod tests;
