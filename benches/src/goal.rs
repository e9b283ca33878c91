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

    /// Whether the goal is met; none when there is no ratio or no goal.
    pub fn is_met(&self) -> Option<bool> {
        let ratio = self.ratio()?;
        match self.wanted {
            Wanted::AtMostOneIn(share) => Some(ratio <= 1.0 / share),
            Wanted::AtLeastTimes(times) => Some(ratio >= times),
            Wanted::AtMost(most) => Some(ratio <= most),
            Wanted::Nothing => None,
        }
    }
}

/// Subtask counts that are measured: one, the most that run at once, and the most that a plan may have.
pub const SUBTASKS: [u32; 3] = [1, 8, 32];

/// Every comparison, in the order in which it is shown.
pub fn comparisons(figures: &[Figure]) -> Vec<Comparison> {
    let find = |system: &str, mode: &str, subtasks: u32| {
        figures.iter().find(|f| f.system == system && f.mode == mode && f.subtasks == subtasks)
    };
    let ours = |mode: &str| find("artoo", mode, 1);
    let peer = |system: &str, mode: &str| find(system, mode, 1);
    let cpu = |figure: Option<&Figure>| figure.map(|f| f.cpu_block_ms);
    let wall = |figure: Option<&Figure>| figure.map(|f| f.wall_ms);
    let rate = |figure: Option<&Figure>| figure.and_then(|f| f.at_once_per_s);
    let row = |what, baseline, unit, ours, theirs, wanted| Comparison {
        what,
        baseline,
        unit,
        ours,
        theirs,
        wanted,
    };
    let slope = |system: &str, mode: &str, from: u32, to: u32| {
        let (low, high) = (cpu(find(system, mode, from))?, cpu(find(system, mode, to))?);
        Some((high - low) / f64::from(to - from))
    };
    let [one, some, most] = SUBTASKS;
    // The faster of the two modes that sync while the task runs is the harder baseline.
    let saver = [wall(peer("langgraph", "sqlite-sync")), wall(peer("langgraph", "sqlite-async"))];
    let saver = saver.into_iter().flatten().min_by(f64::total_cmp);
    let (written, durable) = (ours("written"), ours("durable"));
    let langgraph = peer("langgraph", "memory");
    let autogen = peer("autogen-core", "memory");
    vec![
        row("CPU of a task", "LangGraph", "ms", cpu(written), cpu(langgraph), Wanted::AtMostOneIn(30.0)),
        row("CPU of a task", "autogen-core", "ms", cpu(written), cpu(autogen), Wanted::AtMostOneIn(3.0)),
        row(
            "wall time of a durable task",
            "LangGraph+SQLite",
            "ms",
            wall(durable),
            saver,
            Wanted::AtMostOneIn(20.0),
        ),
        row(
            "wall time of a durable task",
            "the same, saved at the end only",
            "ms",
            wall(durable),
            wall(peer("langgraph", "sqlite-exit")),
            Wanted::Nothing,
        ),
        row(
            "100 tasks at once",
            "autogen-core",
            "tasks/s",
            rate(written),
            rate(autogen),
            Wanted::AtLeastTimes(5.0),
        ),
        row(
            "100 tasks at once",
            "LangGraph",
            "tasks/s",
            rate(written),
            rate(langgraph),
            Wanted::AtLeastTimes(50.0),
        ),
        row(
            "100 durable tasks at once",
            "LangGraph+SQLite",
            "tasks/s",
            rate(durable),
            rate(peer("langgraph", "sqlite-async")),
            Wanted::Nothing,
        ),
        row(
            "CPU of one more parallel subtask",
            "LangGraph Send",
            "ms",
            slope("artoo", "written", one, most),
            slope("langgraph", "send", one, most),
            Wanted::AtMostOneIn(10.0),
        ),
        row(
            "one more subtask, from 8 to 32",
            "artoo, from 1 to 8",
            "ms",
            slope("artoo", "written", some, most),
            slope("artoo", "written", one, some),
            Wanted::AtMost(1.3),
        ),
        row(
            "resident memory at the end",
            "LangGraph",
            "MB",
            written.and_then(|f| f.resident_end_mb),
            langgraph.and_then(|f| f.resident_end_mb),
            Wanted::Nothing,
        ),
    ]
}

#[cfg(test)]
mod tests;
