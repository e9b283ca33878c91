//! Real work on prepared folders with known answers: each task is done by artoo (the real client, the real daemon, real
//! tools, nobody there to be asked) and by a plain agent loop (`benches/src/plain.rs`) on the same turns of a scripted
//! model, which is good, weak or lying. Whether it is right is told by a look at the folder and the answer. Start reading
//! at `row.rs`; `make agent` runs all of it and prints the table, `make test` a sample.

mod folder;
mod mind;
mod row;
mod rows_bugs;
mod rows_changes;
mod rows_checked;
mod rows_chinese;
mod rows_data;
mod rows_documents;
mod rows_faults;
mod rows_impossible;
mod rows_injections;
mod rows_large;
mod rows_logs;
mod rows_plain;
mod scene;
mod table;
mod waits_for;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use row::Row;
use scene::Played;
use table::{Line, totals};
use waits_for::WAITS_FOR;

/// Rows at once; each has a daemon of its own.
const AT_ONCE: usize = 3;
/// Fewer rows would be another promise.
const LEAST_ROWS: usize = 40;

/// All rows, of which `ARTOO_AGENT_ROW` names one kind or a part of a name.
fn rows() -> Vec<Row> {
    let all = [
        rows_bugs::rows(),
        rows_data::rows(),
        rows_logs::rows(),
        rows_changes::rows(),
        rows_documents::rows(),
        rows_chinese::rows(),
        rows_large::rows(),
        rows_impossible::rows(),
        rows_injections::rows(),
        rows_faults::rows(),
        rows_checked::rows(),
        rows_plain::rows(),
    ];
    let rows = all.into_iter().flatten();
    match std::env::var("ARTOO_AGENT_ROW") {
        Ok(part) => rows.filter(|row| row.name.contains(&part) || row.kind == part).collect(),
        Err(_) => rows.collect(),
    }
}

/// Whether everything is run; else what `make test` has time for.
pub(crate) fn is_full() -> bool {
    std::env::var_os("ARTOO_AGENT_FULL").is_some()
}

fn is_installed(program: &str) -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file())
}

/// Plays one row on one side; a row that breaks the test has failed like another.
fn play(play: impl FnOnce() -> Played) -> Played {
    catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|_| Played { is_broken: true, ..Played::default() })
}

/// Plays the rows, some of them at once, and gives what became of them in their order.
fn play_all(rows: &[Arc<Row>]) -> Vec<Line<'_>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((at, row)) =
            Some(next.fetch_add(1, Ordering::SeqCst)).and_then(|at| Some((at, rows.get(at)?)))
        {
            let artoo = play(|| scene::with_artoo(row));
            let plain = play(|| scene::with_a_plain_loop(row));
            let line = Line { row, artoo, plain };
            done.lock().expect("nobody fails while it is held").push((at, line));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(rows.len()) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("nobody failed while it was held");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, line)| line).collect()
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what is asked for")]
fn prepared_tasks_are_done_right_or_honestly_not() {
    let all = rows();
    let is_whole = is_full() && std::env::var_os("ARTOO_AGENT_ROW").is_none();
    let names: BTreeSet<&str> = all.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), all.len(), "rows have names of their own");
    if std::env::var_os("ARTOO_AGENT_ROW").is_none() {
        assert!(all.len() >= LEAST_ROWS, "{} rows", all.len());
    }
    let unknown: Vec<&str> =
        WAITS_FOR.iter().map(|(name, _)| *name).filter(|name| is_whole && !names.contains(name)).collect();
    assert!(unknown.is_empty(), "the list of what is missing names rows that do not exist: {unknown:?}");

    let is_asked_for =
        |row: &Row| is_full() || row.is_sample || std::env::var_os("ARTOO_AGENT_ROW").is_some();
    let (able, unable): (Vec<Row>, Vec<Row>) = all
        .into_iter()
        .filter(is_asked_for)
        .partition(|row| row.needs.iter().all(|program| is_installed(program)));
    for row in &unable {
        println!("- {:<10} {:<44} left out: it needs {}", row.kind, row.name, row.needs.join(", "));
    }
    let rows: Vec<Arc<Row>> = able.into_iter().map(Arc::new).collect();
    let lines = play_all(&rows);
    for line in &lines {
        println!("{}", line.told());
    }
    print!("{}", totals(&lines));
    check(&lines, is_whole);
}

/// Every row is as it has to be, or waits for what is named; where all were run, none waits in vain.
fn check(lines: &[Line<'_>], is_whole: bool) {
    let waits = |name: &str| WAITS_FOR.iter().any(|(waiting, _)| *waiting == name);
    let wrong: Vec<String> = lines
        .iter()
        .filter_map(|line| Some((line.row.name, line.failure()?)))
        .filter(|(name, _)| !waits(name))
        .map(|(name, failure)| format!("{name}: {failure}"))
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    if !is_whole {
        return;
    }
    let well = lines.iter().filter(|line| line.failure().is_none() && waits(line.row.name));
    let well: Vec<&str> = well.map(|line| line.row.name).collect();
    assert!(well.is_empty(), "these are as they have to be now: take them out of the list: {well:#?}");
}
