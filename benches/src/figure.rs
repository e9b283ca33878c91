//! What one measurement says, as one JSON line.

use serde::{Deserialize, Serialize};

/// The medians of one measurement of one system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The system's name.
    pub system: String,
    /// Its version.
    pub version: String,
    /// What is written where: `written`, `durable` for artoo; `memory`, `sqlite-sync` and the like for others.
    pub mode: String,
    /// Parallel subtasks of the plan.
    pub subtasks: u32,
    /// Tasks that were measured one after the other.
    pub tasks: u32,
    /// Wall time of a task, in milliseconds: median over the tasks.
    pub wall_ms: f64,
    /// CPU time of the whole process during a task, in milliseconds: median over the tasks.
    pub cpu_ms: f64,
    /// CPU time for a task with the work that it leaves to the background, in milliseconds: median over blocks of
    /// tasks, each block's total divided by its tasks.
    pub cpu_block_ms: f64,
    /// Tasks per second when many are begun at once: median over the bursts. None when that was not measured.
    pub at_once_per_s: Option<f64>,
    /// Resident memory before the first task, in MB.
    pub resident_start_mb: Option<f64>,
    /// Resident memory after the last task, in MB.
    pub resident_end_mb: Option<f64>,
    /// Bytes of a task's journal, the mean over all tasks. None for a system without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal_bytes: Option<f64>,
    /// What they would be with everything written in full: prompts, ids, and what the journal holds already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal_full_bytes: Option<f64>,
}

impl Figure {
    /// Figures from lines of JSON. Empty lines are passed over.
    ///
    /// # Errors
    /// The number of the first line that is not a figure, and what is wrong with it.
    pub fn parse_lines(text: &str) -> Result<Vec<Self>, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(i, line)| serde_json::from_str(line).map_err(|e| format!("line {}: {e}", i + 1)))
            .collect()
    }
}

/// The median: of an even number of values the mean of the two in the middle. None of no values.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests;
