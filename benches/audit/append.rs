//! A line of the audit log, from the event to the file, against serialising the event alone. CPU time.

use std::fs::File;
use std::io::Write;

use anyhow::Context;
use artoo_audit::chain::{Chain, Head};
use artoo_audit::{AuditEvent, Auditor};
use artoo_benches::figure::median;
use artoo_types::envelope::Role;
use artoo_types::task::{StopCause, TaskCancelled};
use artoo_types::{Envelope, TaskId, Timestamp};
use rustix::time::{ClockId, clock_gettime};

use crate::say;

/// Lines of one round: some 10 MB.
const LINES: u64 = 20_000;
const ROUNDS: usize = 15;
/// As long as what a usual message says in a line.
const DETAIL: &str =
    "Count the files of each kind in this folder and in every folder below it, and name the largest.";
/// As the auditor writes them.
const BATCH_BYTES: usize = 64 * 1024;

pub(crate) fn measure() -> anyhow::Result<()> {
    let events = events();
    let (mut alone, mut appended) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(cpu_ms(|| serialise(&events))?);
        appended.push(cpu_ms(|| append(&events))?);
    }
    let alone = median(alone).context("no round")?;
    let appended = median(appended).context("no round")?;
    let each = |ms: f64| ms * 1e3 / LINES as f64;
    say(&format!(
        "audit append: {:.2} µs CPU a line, serialising alone {:.2} µs: {:.2} x (goal <= 3 x)",
        each(appended),
        each(alone),
        appended / alone
    ));
    Ok(())
}

fn serialise(events: &[AuditEvent]) -> anyhow::Result<()> {
    let mut batch = Vec::with_capacity(2 * BATCH_BYTES);
    for event in events {
        serde_json::to_writer(&mut batch, event)?;
        if batch.len() >= BATCH_BYTES {
            std::hint::black_box(&batch);
            batch.clear();
        }
    }
    Ok(())
}

fn append(events: &[AuditEvent]) -> anyhow::Result<()> {
    let mut file: File = tempfile::tempfile()?;
    let mut chain = Chain::after(Head::default(), "01980000-0000-7000-8000-000000000000");
    let mut batch = Vec::with_capacity(2 * BATCH_BYTES);
    for event in events {
        chain.seal(event, &mut batch)?;
        batch.push(b'\n');
        if batch.len() >= BATCH_BYTES {
            file.write_all(&batch)?;
            batch.clear();
        }
    }
    file.write_all(&batch)?;
    Ok(())
}

/// Events as the auditor makes them of messages of a usual length.
fn events() -> Vec<AuditEvent> {
    let mut auditor = Auditor::default();
    let mut events = Vec::new();
    for sequence in 1..=LINES {
        let envelope = Envelope {
            id: uuid::Uuid::from_u128(u128::from(sequence)),
            sequence,
            task_id: Some(TaskId(uuid::Uuid::from_u128(1))),
            round: 0,
            time: Timestamp(1_790_000_000_000),
            from: Role::Runtime,
            to: Role::Solver,
            refused: false,
            payload: TaskCancelled { cause: StopCause::Cancelled, detail: DETAIL.to_owned() }.into(),
        };
        events.extend(auditor.observe(&envelope));
    }
    events
}

fn cpu_ms(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let before = now();
    work()?;
    Ok(now() - before)
}
