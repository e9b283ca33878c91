//! Writing: memories a second, each with its indexes and sums, under three promises about a power cut.

use std::path::Path;
use std::time::{Duration, Instant};

use artoo_benches::figure::median;
use artoo_benches::goal::{Comparison, Wanted};
use artoo_types::memory::Megram;

use crate::data::{Store, megram, tag};
use crate::row;
use crate::sqlite::Sqlite;

/// Rounds, each with a new store; and how long each lasts at the least.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(2);
/// Writes that share a sync.
const SHARED: usize = 100;

/// Memories of 50 tags in turn, without end.
fn megrams() -> impl Iterator<Item = Megram> {
    let tags: Vec<_> = (0..50).map(|n| tag(&format!("/folder/{n}"))).collect();
    (1_u64..).map(move |n| megram(u128::from(n), &tags[(n % 50) as usize], n * 1_000))
}

pub(crate) fn measure(place: &Path) -> anyhow::Result<Vec<Comparison>> {
    // As the daemon does: what is a second old is put on the disk.
    let second = Duration::from_secs(1);
    let ours = rate(|round| {
        let mut store = Store::open(&place.join(format!("written-{round}")))?;
        let mut synced = Instant::now();
        Ok(move |megram: &Megram| {
            store.writer.write(megram.created_at, megram)?;
            if synced.elapsed() >= second {
                store.writer.flush()?;
                synced = Instant::now();
            }
            Ok(())
        })
    })?;
    let normal = sqlite(place, "NORMAL", 1)?;
    let each = ours_synced(place, 1)?;
    let full = sqlite(place, "FULL", 1)?;
    let shared = ours_synced(place, SHARED)?;
    let full_shared = sqlite(place, "FULL", SHARED)?;
    let wanted = Wanted::AtLeastTimes(1.0);
    Ok(vec![
        row("writes, synced once a second", "SQLite WAL, NORMAL", "/s", (ours, normal), wanted),
        row("writes, each synced", "SQLite WAL, FULL", "/s", (each, full), wanted),
        row("writes, a sync for 100", "SQLite WAL, FULL, 100 a commit", "/s", (shared, full_shared), wanted),
    ])
}

/// Every `together` writes are followed by a sync.
fn ours_synced(place: &Path, together: usize) -> anyhow::Result<f64> {
    rate(|round| {
        let mut store = Store::open(&place.join(format!("synced-{together}-{round}")))?;
        let mut waiting = 0;
        Ok(move |megram: &Megram| {
            store.writer.write(megram.created_at, megram)?;
            waiting += 1;
            if waiting == together {
                store.writer.flush()?;
                waiting = 0;
            }
            Ok(())
        })
    })
}

/// Every `together` inserts are a transaction.
fn sqlite(place: &Path, synchronous: &str, together: usize) -> anyhow::Result<f64> {
    rate(|round| {
        let database =
            Sqlite::open(&place.join(format!("{synchronous}-{together}-{round}.sqlite")), synchronous)?;
        let mut waiting = 0;
        Ok(move |megram: &Megram| {
            if together > 1 && waiting == 0 {
                database.connection.execute_batch("BEGIN")?;
            }
            database.insert(megram)?;
            waiting += 1;
            if waiting == together {
                if together > 1 {
                    database.connection.execute_batch("COMMIT")?;
                }
                waiting = 0;
            }
            Ok(())
        })
    })
}

/// Writes a second: the median over rounds, each on something new that `start` makes.
fn rate<W: FnMut(&Megram) -> anyhow::Result<()>>(
    start: impl Fn(usize) -> anyhow::Result<W>,
) -> anyhow::Result<f64> {
    let mut rates = Vec::new();
    for round in 0..ROUNDS {
        let mut write = start(round)?;
        let mut written = 0_u32;
        let began = Instant::now();
        for megram in megrams() {
            write(&megram)?;
            written += 1;
            // Only now and then, since asking for the time costs something too.
            if written.is_multiple_of(100) && began.elapsed() >= ROUND {
                break;
            }
        }
        rates.push(f64::from(written) / began.elapsed().as_secs_f64());
    }
    median(rates).ok_or_else(|| anyhow::anyhow!("no round was measured"))
}
