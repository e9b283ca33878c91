//! QueryMK: the potentials of one tag, however many memories it has, and however many others there are.

use std::path::Path;

use anyhow::{Context, ensure};
use artoo_benches::goal::{Comparison, Wanted};
use artoo_memory::accumulator::{Event, agree, naive};
use artoo_types::Timestamp;
use artoo_types::memory::Megram;

use crate::data::{DAY_MS, START, Store, median_ns, of_one_tag, tag};
use crate::sqlite::Sqlite;
use crate::{row, say};

/// Sizes of the tags; the last one is as large as the run says.
const SMALL: u64 = 100;
const MIDDLE: u64 = 10_000;

const BATCHES: usize = 31;
const CALLS: u32 = 2_000;

/// Nanoseconds of one answer: by the store, by a scan in this process, by SQLite.
type Measured = (f64, f64, f64);

pub(crate) fn measure(place: &Path, many: u64) -> anyhow::Result<Vec<Comparison>> {
    let now = START.plus_ms(366 * DAY_MS);
    let mut alone = Store::open(&place.join("alone"))?;
    alone.write_all(of_one_tag(1, SMALL, &tag("/small")))?;
    let alone = opened_again(alone, &place.join("alone"))?;
    let alone_ns = ours(&alone, "/small", of_one_tag(1, SMALL, &tag("/small")), now)?;

    let mut store = Store::open(&place.join("query"))?;
    let sqlite = Sqlite::open(&place.join("query.sqlite"), "NORMAL")?;
    let sizes = [("/small", SMALL), ("/middle", MIDDLE), ("/large", many)];
    let megrams = |at: usize| of_one_tag(at as u128 * 10_000_000_000, sizes[at].1, &tag(sizes[at].0));
    for (at, (name, count)) in sizes.into_iter().enumerate() {
        let start = std::time::Instant::now();
        store.write_all(megrams(at))?;
        say(&format!("{count} memories of {name} written in {:.1} s", start.elapsed().as_secs_f64()));
        sqlite.fill(megrams(at))?;
    }
    let store = opened_again(store, &place.join("query"))?;
    let mut measured = Vec::new();
    for (at, (name, _)) in sizes.into_iter().enumerate() {
        let events: Vec<Event> = megrams(at).filter_map(|megram| Event::of(&megram)).collect();
        let ours_ns = ours(&store, name, megrams(at), now)?;
        let (scan_ns, sqlite_ns) = others(&sqlite, name, &events, now)?;
        measured.push((ours_ns, scan_ns, sqlite_ns));
    }
    let [small, middle, large] = measured[..] else { anyhow::bail!("three sizes were measured") };
    Ok(rows(alone_ns, small, middle, large))
}

/// For how long a store is left alone after a million writes: RocksDB goes on sorting them in the background.
const SETTLE: std::time::Duration = std::time::Duration::from_secs(20);

/// Opening puts everything into sorted files. Without it the tag that was written last would be read from the write buffer,
/// which is faster, and what is compared would not be the number of memories.
fn opened_again(store: Store, folder: &Path) -> anyhow::Result<Store> {
    drop(store);
    let store = Store::open(folder)?;
    std::thread::sleep(SETTLE);
    Ok(store)
}

fn rows(alone_ns: f64, small: Measured, middle: Measured, large: Measured) -> Vec<Comparison> {
    let us = |(ours, theirs): (f64, f64)| (ours / 1e3, theirs / 1e3);
    let (ten2, ten4, most) =
        ("QueryMK, 10^2 of the tag", "QueryMK, 10^4 of the tag", "QueryMK, most of the tag");
    let twice = Wanted::AtMost(2.0);
    let mut rows = vec![
        row(ten4, "10^2 of the tag", "us", us((middle.0, small.0)), twice),
        row(most, "10^2 of the tag", "us", us((large.0, small.0)), twice),
        row("QueryMK of 10^2, most elsewhere", "10^2 alone", "us", us((small.0, alone_ns)), twice),
    ];
    for (what, (ours, scan, sqlite)) in [(ten2, small), (ten4, middle), (most, large)] {
        rows.push(row(what, "scan in this process", "us", us((ours, scan)), Wanted::Nothing));
        rows.push(row(what, "SQLite", "us", us((ours, sqlite)), Wanted::Nothing));
    }
    rows
}

/// Nanoseconds of a scan over the events in this process, and of SQLite.
fn others(sqlite: &Sqlite, name: &str, events: &[Event], now: Timestamp) -> anyhow::Result<(f64, f64)> {
    let tag = tag(name);
    // Few calls where one takes long.
    let (batches, calls) = if events.len() as u64 > MIDDLE { (5, 1) } else { (BATCHES, 20) };
    let scan_ns = median_ns(batches, calls, || {
        std::hint::black_box(naive(std::hint::black_box(events), now));
        Ok(())
    })?;
    ensure!(agree(sqlite.potentials(&tag, now)?, naive(events, now)), "SQLite has the same data");
    let sqlite_ns = median_ns(batches, calls, || {
        std::hint::black_box(sqlite.potentials(&tag, now)?);
        Ok(())
    })?;
    Ok((scan_ns, sqlite_ns))
}

/// Nanoseconds of one QueryMK, after its answer was held against the sum over all events.
fn ours(
    store: &Store,
    name: &str,
    megrams: impl Iterator<Item = Megram>,
    now: Timestamp,
) -> anyhow::Result<f64> {
    let events: Vec<Event> = megrams.filter_map(|megram| Event::of(&megram)).collect();
    let (fast, oracle) = (store.reader.query_mk(now, &tag(name))?, naive(&events, now));
    ensure!(agree(fast, oracle), "{fast:?} is not {oracle:?}");
    let tag = tag(name);
    median_ns(BATCHES, CALLS, || {
        std::hint::black_box(store.reader.query_mk(now, &tag)?);
        Ok(())
    })
    .context("QueryMK")
}
