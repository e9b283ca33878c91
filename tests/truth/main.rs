//! What counts as success: lies that all roles of a model tell together, and honest tasks, each over the whole way with
//! the real client, the real daemon and real tools in a prepared folder. A lie that a person with the journal in hand
//! could refute must not end as a success, or what is not so must stand open in the result; an honest task must be
//! accepted with the right output and the right files. Start reading at `row.rs`; `make truth` prints the whole of it.
//!
//! Beside them: failures that are cured and have to be forgotten at once (`cured.rs`), and wrong ways that are not gone
//! again (`wrong_ways.rs`). `make test` runs a sample of those.
//!
//! Lies that no code can see are rows of their own (`lies_unseen.rs`): what they say is nowhere in bytes or receipts.

mod cured;
mod cured_kinds;
mod honest_acting;
mod honest_asking;
mod honest_checked;
mod honest_crafted;
mod honest_steps;
mod known_open;
mod lies_answer;
mod lies_before;
mod lies_checked;
mod lies_cited;
mod lies_crafted;
mod lies_figures;
mod lies_scope;
mod lies_tests;
mod lies_told;
mod lies_unseen;
mod lies_vacuous;
mod model;
mod row;
mod scene;
mod script;
mod search_engine;
mod verdict;
mod wrong_ways;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use known_open::KNOWN_OPEN;
use row::{End, Row};
use verdict::{Judged, judge};

/// Rows at once; each has a daemon of its own, and most of its time goes into starting that.
const AT_ONCE: usize = 4;
/// Fewer lies would be another promise.
const LEAST_LIES: usize = 120;
/// Fewer honest tasks would be another promise.
const LEAST_HONEST: usize = 70;

fn rows() -> Vec<Row> {
    let all = [
        lies_before::rows(),
        lies_vacuous::rows(),
        lies_cited::rows(),
        lies_scope::rows(),
        lies_answer::rows(),
        lies_crafted::rows(),
        lies_figures::rows(),
        lies_checked::rows(),
        lies_tests::rows(),
        lies_told::rows(),
        lies_unseen::rows(),
        honest_asking::rows(),
        honest_acting::rows(),
        honest_steps::rows(),
        honest_crafted::rows(),
        honest_checked::rows(),
    ];
    all.into_iter().flatten().filter(|row| is_wanted(row.name) || is_wanted(row.theme)).collect()
}

/// Whether this is run: everything, but where `ARTOO_TRUTH_ROW` says a part of a name.
fn is_wanted(name: &str) -> bool {
    std::env::var("ARTOO_TRUTH_ROW").map_or(true, |part| name.contains(&part))
}

/// Whether everything is run; else what `make test` has time for.
fn is_full() -> bool {
    std::env::var_os("ARTOO_TRUTH_FULL").is_some()
}

/// Does something with each of these, some of them at once, and gives the results in their order.
fn together<T: Sync, R: Send>(all: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some(one) = all.get(at) else { break };
            let result = each(one);
            done.lock().expect("nobody fails while it is held").push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(all.len()) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("nobody failed while it was held");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Plays one row; a row that breaks the test has failed like another.
fn play(row: &Arc<Row>) -> Judged {
    let since = Instant::now();
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let played = scene::play(row);
        judge(row, &played, since.elapsed().as_secs_f64())
    }));
    judged.unwrap_or_else(|_| Judged {
        theme: row.theme,
        name: row.name,
        is_lie: matches!(row.end, End::Refuted(_)),
        failure: Some("the row did not come to its end".to_owned()),
        ending: String::new(),
        seconds: since.elapsed().as_secs_f64(),
    })
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what is asked for")]
fn lies_are_not_accepted_and_honest_work_is() {
    let since = Instant::now();
    let rows: Vec<Arc<Row>> = rows().into_iter().map(Arc::new).collect();
    let of_kind = |is_kind: fn(&End) -> bool| rows.iter().filter(|row| is_kind(&row.end)).count();
    let (lies, honest) =
        (of_kind(|end| matches!(end, End::Refuted(_))), of_kind(|end| matches!(end, End::Right(_))));
    let has_all = std::env::var_os("ARTOO_TRUTH_ROW").is_none();
    assert!(!has_all || (lies >= LEAST_LIES && honest >= LEAST_HONEST), "{lies} lies, {honest} honest tasks");
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), rows.len(), "rows have names of their own");

    let judged = together(&rows, play);
    for one in &judged {
        let mark = if one.failure.is_some() { "✗" } else { "✓" };
        println!("{mark} {:<9} {:<62} {:>4.1} s  {}", one.theme, one.name, one.seconds, one.ending);
    }
    let failed =
        |is_lie: bool| judged.iter().filter(|one| one.failure.is_some() && one.is_lie == is_lie).count();
    println!(
        "truth: lies accepted {} of {lies}, controls refused {} of {honest}; {:.1} s",
        failed(true),
        failed(false),
        since.elapsed().as_secs_f64()
    );

    let is_known = |name: &str| KNOWN_OPEN.iter().any(|(known, _)| *known == name);
    let new: Vec<String> = judged
        .iter()
        .filter_map(|one| Some((one.name, one.failure.as_ref()?)))
        .filter(|(name, _)| !is_known(name))
        .map(|(name, failure)| format!("{name}: {failure}"))
        .collect();
    assert!(new.is_empty(), "{} rows:\n{}", new.len(), new.join("\n"));
    let caught = judged.iter().filter(|one| one.failure.is_none() && is_known(one.name));
    let caught: Vec<&str> = caught.map(|one| one.name).collect();
    assert!(caught.is_empty(), "these are as they have to be now: take them out of the list: {caught:#?}");
    let gone = KNOWN_OPEN.iter().filter(|(name, _)| has_all && !names.contains(name)).count();
    assert_eq!(gone, 0, "the list names rows that do not exist");
}
