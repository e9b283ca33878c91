//! The tables.
#![allow(clippy::print_stdout, reason = "these figures are what the program is for")]

use crate::families::{Likeness, Task, Trap};
use crate::figures::{Figures, TaskFigures};
use crate::runs::{Memory, Planner};

/// Prints what was counted: by trap, by how tasks are like the first of their family, and in all.
pub(crate) fn print(planner: Planner, tasks: &[&Task], runs: &[(Memory, Figures)]) {
    let rounds = runs.len() / 2;
    println!(
        "\n{planner:?}: {} tasks, {rounds} times with the memory and {rounds} times without it",
        tasks.len()
    );
    println!(
        "{:<28}{:>6}{:>20}{:>26}{:>22}{:>20}",
        "", "tasks", "replans", "failures that came again", "model calls per task", "right results"
    );
    for trap in Trap::ALL {
        row(trap.name(), runs, |task| task.trap == trap);
    }
    for likeness in Likeness::ALL {
        row(&format!("trap, {}", likeness.name()), runs, |task| {
            task.trap != Trap::None && task.likeness == likeness
        });
    }
    row("all", runs, |_| true);
    let [with, without] = [Memory::On, Memory::Off].map(|memory| sum(runs, memory, |_| true).1);
    println!(
        "failures that came again, with the memory / without it: {with} / {without} = {:.1} %",
        100.0 * with as f64 / without.max(1) as f64
    );
    let dreamed: usize = runs.iter().map(|(_, figures)| figures.dreamed).sum();
    println!("model calls of the Dreamer, in no task: {dreamed}");
    for (_, figures) in runs.iter().filter(|(memory, _)| *memory == Memory::On).take(1) {
        for task in figures.tasks.iter().filter(|task| task.repeats > 0 || !task.success) {
            let what = if task.success { "came again" } else { "no right result" };
            println!("  {what}: {} ({}, {})", task.request, task.trap.name(), task.likeness.name());
            println!("    the memory had said:");
            task.told.lines().for_each(|line| println!("      {line}"));
        }
    }
}

/// One line: each figure with the memory, then without it.
fn row(name: &str, runs: &[(Memory, Figures)], belongs: impl Fn(&TaskFigures) -> bool + Copy) {
    let with = sum(runs, Memory::On, belongs);
    let without = sum(runs, Memory::Off, belongs);
    let tasks = with.4;
    if tasks == 0 {
        return;
    }
    let pair = |a: usize, b: usize| format!("{a} / {b}");
    let per_task = |calls: usize| calls as f64 / tasks as f64;
    println!(
        "{name:<28}{tasks:>6}{:>20}{:>26}{:>22}{:>20}",
        pair(with.0, without.0),
        pair(with.1, without.1),
        format!("{:.2} / {:.2}", per_task(with.2), per_task(without.2)),
        pair(with.3, without.3),
    );
}

/// Replans, repeated failures, model calls, right results and tasks of all runs of one kind.
fn sum(
    runs: &[(Memory, Figures)],
    memory: Memory,
    belongs: impl Fn(&TaskFigures) -> bool,
) -> (usize, usize, usize, usize, usize) {
    let of_kind = runs.iter().filter(|(kind, _)| *kind == memory);
    let tasks = of_kind.flat_map(|(_, figures)| &figures.tasks).filter(|task| belongs(task));
    tasks.fold((0, 0, 0, 0, 0), |sum, task| {
        (
            sum.0 + task.replans,
            sum.1 + task.repeats,
            sum.2 + task.calls,
            sum.3 + usize::from(task.success),
            sum.4 + 1,
        )
    })
}
