//! Rows of a table, several at a time, each to its end: one that fails does not hide the others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Rows that run at once. Most of their time they wait for another process.
const WORKERS: usize = 3;

/// Checks every row, then fails if one has failed.
pub(crate) fn check_rows<Row: Send>(rows: Vec<Row>, check: fn(&Row)) {
    let total = rows.len();
    assert!(total > 0, "a table has rows");
    let open = Mutex::new(rows.into_iter());
    let next = || open.lock().expect("no row fails while the lock is held").next();
    let failed: usize = std::thread::scope(|scope| {
        let work = || {
            let mut failed = 0;
            while let Some(row) = next() {
                // The panic has been printed; the other rows do not depend on this one.
                failed += usize::from(catch_unwind(AssertUnwindSafe(|| check(&row))).is_err());
            }
            failed
        };
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker catches what its rows do")).sum()
    });
    assert_eq!(failed, 0, "{failed} of {total} rows failed, see above");
}
