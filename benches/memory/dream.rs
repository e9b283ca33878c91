//! The Dreamer's tick in a large memory of which little is due, against a look at all of it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, ensure};
use artoo_benches::figure::median;
use artoo_benches::goal::{Comparison, Wanted};
use artoo_memory::accumulator::{Event, naive};
use artoo_memory::expiry::FORGET_BELOW;
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::rate::Rate;

use crate::data::{DAY_MS, START, Store, megram, tag};
use crate::sqlite::Sqlite;
use crate::{row, say};

/// Memories of one tag.
const OF_A_TAG: u64 = 10;
/// Ticks that find something, a fifth of a day apart, and how many clusters are due at each.
const TICKS: u64 = 5;
const DUE: u64 = 100;
/// Rules that each tick tests.
const RULES: u64 = 100;

/// Memories that live on: ten of each tag, all of the hour before the ninth day.
fn lasting(many: u64) -> impl Iterator<Item = Megram> {
    (0..many).map(|n| {
        let of = tag(&format!("/home/somebody/folder/{}", n / OF_A_TAG));
        Megram {
            f: 0.9,
            sigma: 1.0,
            k: Rate::Slow,
            ..megram(u128::from(n) + 1, &of, 9 * DAY_MS - 3_600_000 + n % 3_600_000)
        }
    })
}

/// Small ones, each alone in its tag, made on the eighth day: the first hundred is due 1.386 days later (ln 2 / 0.5), the
/// others each a fifth of a day after the ones before.
fn fading() -> impl Iterator<Item = Megram> {
    (0..TICKS * DUE).map(|n| {
        let number = (1 << 100) + u128::from(n);
        let of = tag(&format!("/faded/{n}"));
        Megram {
            f: 0.1,
            sigma: 0.5,
            k: Rate::Fast,
            ..megram(number, &of, 8 * DAY_MS + n / DUE * (DAY_MS / 5))
        }
    })
}

/// 9.45 days after the start, and a fifth of a day later each time.
fn at_tick(tick: u64) -> Timestamp {
    START.plus_ms(DAY_MS * 189 / 20 + tick * (DAY_MS / 5))
}

/// The ratios, and the folder of the large memory.
pub(crate) fn measure(place: &Path, many: u64) -> anyhow::Result<(PathBuf, Vec<Comparison>)> {
    let folder = place.join("dream");
    let mut store = Store::open(&folder)?;
    let start = Instant::now();
    store.write_all(fading().chain(lasting(many)))?;
    say(&format!(
        "{many} memories of {} tags written in {:.1} s",
        many / OF_A_TAG,
        start.elapsed().as_secs_f64()
    ));
    for n in 0..RULES {
        let of = tag(&format!("/home/somebody/folder/{n}"));
        let rule = Megram {
            level: Level::C,
            sigma: 1.0,
            k: Rate::Timeless,
            ..megram((1 << 110) + u128::from(n), &of, 0)
        };
        store.writer.remember(rule.created_at, &rule)?;
    }
    let (tick, idle) = ticks(&mut store)?;
    let (scan, in_sqlite) = scans(place, many)?;
    let (busy, nothing) = ("tick that forgets 100 clusters", "tick with nothing due");
    let half = Wanted::AtMostOneIn(2.0);
    let rows = vec![
        row(busy, "finding them by a scan in this process", "ms", (tick, scan), Wanted::Nothing),
        row(busy, "finding them in SQLite", "ms", (tick, in_sqlite), half),
        row(nothing, "a scan in this process", "ms", (idle, scan), half),
        row(nothing, "SQLite", "ms", (idle, in_sqlite), half),
    ];
    Ok((folder, rows))
}

/// Milliseconds of a tick that forgets a hundred clusters, and of one that finds nothing due.
fn ticks(store: &mut Store) -> anyhow::Result<(f64, f64)> {
    let (mut busy, mut idle) = (Vec::new(), Vec::new());
    for tick in 0..TICKS {
        let now = at_tick(tick);
        let before = Instant::now();
        let report = store.dreamer.tick(now)?;
        busy.push(before.elapsed().as_secs_f64() * 1e3);
        ensure!(report.forgotten.len() as u64 == DUE, "{} were forgotten", report.forgotten.len());
        let before = Instant::now();
        ensure!(store.dreamer.tick(now)?.forgotten.is_empty(), "nothing is due any more");
        idle.push(before.elapsed().as_secs_f64() * 1e3);
    }
    Ok((median(busy).context("no tick was measured")?, median(idle).context("no tick was measured")?))
}

/// Milliseconds of finding what has faded by a look at all of it: in this process, and in SQLite.
fn scans(place: &Path, many: u64) -> anyhow::Result<(f64, f64)> {
    let now = at_tick(0);
    let mut by_tag: Vec<Vec<Event>> = Vec::new();
    for (n, megram) in lasting(many).enumerate() {
        if (n as u64).is_multiple_of(OF_A_TAG) {
            by_tag.push(Vec::new());
        }
        by_tag.last_mut().into_iter().for_each(|events| events.extend(Event::of(&megram)));
    }
    by_tag.extend(fading().map(|megram| Event::of(&megram).into_iter().collect()));
    let before = Instant::now();
    let faded = by_tag.iter().filter(|events| naive(*events, now).attention < FORGET_BELOW).count();
    let scan = before.elapsed().as_secs_f64() * 1e3;
    let sqlite = Sqlite::open(&place.join("dream.sqlite"), "NORMAL")?;
    sqlite.fill(fading().chain(lasting(many)))?;
    let before = Instant::now();
    let also = sqlite.faded_tags(now, FORGET_BELOW)?;
    let in_sqlite = before.elapsed().as_secs_f64() * 1e3;
    ensure!(also == faded as u64, "both scans find the same: {faded} and {also}");
    Ok((scan, in_sqlite))
}
