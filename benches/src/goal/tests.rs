use super::*;

fn figure(system: &str, mode: &str, subtasks: u32, ms: f64, rate: f64) -> Figure {
    Figure {
        system: system.to_owned(),
        version: "1".to_owned(),
        mode: mode.to_owned(),
        subtasks,
        tasks: 200,
        wall_ms: ms,
        cpu_ms: ms,
        cpu_block_ms: ms,
        at_once_per_s: Some(rate),
        resident_start_mb: None,
        resident_end_mb: None,
        journal_bytes: None,
        journal_full_bytes: None,
    }
}

fn check(figures: &[Figure], what: &str, baseline: &str, ratio: Option<f64>, is_met: Option<bool>) {
    let all = comparisons(figures);
    let found = all.iter().find(|c| c.what == what && c.baseline == baseline).expect("the comparison exists");
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let same = match (found.ratio(), ratio) {
        (Some(a), Some(b)) => close(a, b),
        (a, b) => a == b,
    };
    assert!(same, "{what} against {baseline}: {:?}, expected {ratio:?}", found.ratio());
    assert_eq!(found.is_met(), is_met, "{what} against {baseline}");
}

#[test]
fn costs_are_met_below_and_rates_above() {
    let figures = [
        figure("artoo", "written", 1, 0.25, 4_000.0),
        figure("autogen-core", "memory", 1, 1.0, 1_000.0),
        figure("langgraph", "memory", 1, 5.0, 80.0),
    ];
    check(&figures, "CPU of a task", "autogen-core", Some(0.25), Some(true));
    check(&figures, "CPU of a task", "LangGraph", Some(0.05), Some(false));
    check(&figures, "100 tasks at once", "autogen-core", Some(4.0), Some(false));
    check(&figures, "100 tasks at once", "LangGraph", Some(50.0), Some(true));
}

#[test]
fn a_journal_is_held_against_itself_in_full() {
    let artoo = figure("artoo", "written", 1, 0.25, 4_000.0);
    let figures = [Figure { journal_bytes: Some(10.0), journal_full_bytes: Some(40.0), ..artoo.clone() }];
    check(&figures, "journal of a task", "the same, each step in full", Some(0.25), Some(true));
    check(&[artoo], "journal of a task", "the same, each step in full", None, None);
}

#[test]
fn the_durable_baseline_is_the_faster_mode() {
    let mut figures =
        vec![figure("artoo", "durable", 1, 2.0, 0.0), figure("langgraph", "sqlite-sync", 1, 40.0, 0.0)];
    check(&figures, "wall time of a durable task", "LangGraph+SQLite", Some(0.05), Some(true));
    figures.push(figure("langgraph", "sqlite-async", 1, 20.0, 0.0));
    check(&figures, "wall time of a durable task", "LangGraph+SQLite", Some(0.1), Some(false));
}

#[test]
fn a_subtask_costs_the_slope() {
    let line = |system: &str, mode: &str, each: f64| {
        SUBTASKS.map(|n| figure(system, mode, n, 7.0 + each * f64::from(n), 0.0))
    };
    let figures = [line("artoo", "written", 0.02), line("langgraph", "send", 0.1)].concat();
    check(&figures, "CPU of one more parallel subtask", "LangGraph Send", Some(0.2), Some(false));
    check(&figures, "one more subtask, from 8 to 32", "artoo, from 1 to 8", Some(1.0), Some(true));
}

#[test]
fn what_was_not_measured_is_neither_met_nor_missed() {
    let figures = [figure("artoo", "written", 1, 0.25, 4_000.0)];
    check(&figures, "CPU of a task", "autogen-core", None, None);
    check(&figures, "wall time of a durable task", "LangGraph+SQLite", None, None);
}

#[test]
fn a_goal_that_is_missed_is_a_number_above_one() {
    let figures = [
        figure("artoo", "written", 1, 0.25, 4_000.0),
        figure("artoo", "floor", 1, 0.125, 0.0),
        figure("autogen-core", "memory", 1, 1.0, 1_000.0),
    ];
    let all = comparisons(&figures);
    let times = |what: &str, baseline: &str| {
        let found = all.iter().find(|c| c.what == what && c.baseline == baseline);
        found.expect("the comparison exists").shortfall()
    };
    assert_eq!(times("CPU of a task", "autogen-core"), Some(0.75));
    assert_eq!(times("100 tasks at once", "autogen-core"), Some(1.25));
    assert_eq!(times("CPU of a task", "its hashes and system calls alone"), None, "nothing is wanted of it");
    assert_eq!(times("CPU of a task", "LangGraph"), None, "it was not measured");
}
