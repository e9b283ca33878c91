//! What the memory is worth: a family of tasks with traps in them, run with the memory and without it, by the real daemon
//! with real tools. Two planners are measured: a naive model behind a real HTTP server, which does out of habit what fails
//! unless its prompt tells it otherwise (`naive.rs`), and the built-in offline rules. What is counted stands in the journals.
//! Start reading at `families.rs`; `make learn` prints the whole of it.

mod families;
mod figures;
mod fixture;
mod memory_line;
mod naive;
mod prompt;
mod report;
mod runs;

use families::{NAIVE, OFFLINE, Task};
use figures::Figures;
use runs::{Memory, Planner, run};

/// Every task is run this often with the memory and without it, each time from nothing.
fn rounds() -> usize {
    if is_full() { 2 } else { 1 }
}

fn is_full() -> bool {
    std::env::var_os("ARTOO_LEARNING_FULL").is_some()
}

/// The tasks that are run: all, or of each family those that show the most.
fn chosen(tasks: &'static [Task]) -> Vec<&'static Task> {
    tasks.iter().filter(|task| is_full() || task.in_short).collect()
}

fn check(planner: Planner, tasks: &'static [Task]) {
    let tasks = chosen(tasks);
    let mut all: Vec<(Memory, Figures)> = Vec::new();
    for _ in 0..rounds() {
        for memory in [Memory::On, Memory::Off] {
            all.push((memory, run(planner, memory, &tasks)));
        }
    }
    report::print(planner, &tasks, &all);
    for with in all.iter().filter(|(memory, _)| *memory == Memory::On).map(|(_, figures)| figures) {
        for without in all.iter().filter(|(memory, _)| *memory == Memory::Off).map(|(_, figures)| figures) {
            check_pair(with, without);
        }
    }
}

/// The figure that is promised: at most a tenth of the failures come again, and nothing gets worse.
fn check_pair(with: &Figures, without: &Figures) {
    let (kept, made) = (with.repeats(), without.repeats());
    assert!(made > 0, "without memory nothing failed twice, so nothing is measured");
    assert!(10 * kept <= made, "{kept} of {made} failures came again with the memory");
    assert!(with.successes() >= without.successes(), "the memory cost successes");
    assert!(with.replans() <= without.replans(), "the memory cost replans");
    assert!(
        with.harmless_calls() <= without.harmless_calls(),
        "the memory cost calls where there is no trap"
    );
}

#[test]
fn a_naive_model_repeats_hardly_a_failure() {
    check(Planner::Naive, NAIVE);
}

#[test]
fn the_offline_rules_repeat_hardly_a_failure() {
    check(Planner::Offline, OFFLINE);
}
