//! Publishers at a steady rate, once with an auditor at work, once with one that stands still from the first to the last
//! message and then catches up. What is measured is what a publisher does for the auditor's sake, which is to ring its
//! bell, and the whole of appending a step and ringing.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use artoo_journal::{CrashPoint, TaskJournal};
use artoo_runtime::auditor::{self, AuditLimits, AuditorBell, AuditorConfig, AuditorPlaces, SystemLog};
use artoo_runtime::health::Health;
use artoo_runtime::live::LiveTaps;
use artoo_runtime::system::SystemBus;
use artoo_types::envelope::Role;
use artoo_types::machine::{StepRecordRef, TaskInput};
use artoo_types::operator::AuditHead;
use artoo_types::task::{StopCause, TaskCancelled};
use artoo_types::{Envelope, TaskId, Timestamp};

use crate::say;

const PUBLISHERS: u128 = 4;
/// Messages a second over all publishers.
const RATE: u64 = 20_000;
/// Messages of one step.
const STEP: u64 = 5;

/// What the publishers felt, in microseconds, in ascending order.
struct Felt {
    rings: Vec<f64>,
    steps: Vec<f64>,
    published: u64,
}

pub(crate) fn measure() -> anyhow::Result<()> {
    let seconds = match std::env::var("ARTOO_BENCH_STALL_SECONDS") {
        Ok(text) => text.parse().context("ARTOO_BENCH_STALL_SECONDS is no number of seconds")?,
        Err(_) => 5,
    };
    let running = run(Duration::from_secs(seconds), true)?;
    let stalled = run(Duration::from_secs(seconds), false)?;
    say(&format!(
        "{seconds} s at {RATE} messages a second, {} and {} published, all of them in the log afterwards",
        running.published, stalled.published
    ));
    for (what, running, stalled) in [
        ("ringing the auditor's bell", &running.rings, &stalled.rings),
        ("appending a step and ringing", &running.steps, &stalled.steps),
    ] {
        let (r50, r99) = (share(running, 0.5), share(running, 0.99));
        let (s50, s99) = (share(stalled, 0.5), share(stalled, 0.99));
        say(&format!(
            "{what}: p50 {s50:.1} µs, p99 {s99:.1} µs with a stalled auditor; {r50:.1} and {r99:.1} with one at work: p99 \
             {:.2} x (goal: p99 <= 1000 µs)",
            s99 / r99
        ));
    }
    Ok(())
}

fn run(long: Duration, at_work: bool) -> anyhow::Result<Felt> {
    let folder = tempfile::Builder::new().prefix("artoo-bench-").tempdir()?;
    let places = AuditorPlaces::below(folder.path(), folder.path().join("tasks"));
    std::fs::create_dir(&places.segments)?;
    std::fs::create_dir(&places.journals)?;
    let bell = AuditorBell::default();
    let system = SystemBus::open(
        folder.path().join("system.jsonl"),
        CrashPoint::never(),
        Arc::new(LiveTaps::default()),
        bell.clone(),
    )?;
    let config = AuditorConfig {
        places: places.clone(),
        limits: AuditLimits::default(),
        system_log: SystemLog::Absent,
        health: Health::new(folder.path(), 0, bell.clone()),
        system,
    };
    let mut waiting = Some(config);
    let mut started = None;
    if at_work {
        started = waiting.take().map(|config| auditor::start(config, &bell)).transpose()?;
    }
    let felt = publish(&places.journals, &bell, long)?;
    if let Some(config) = waiting {
        started = Some(auditor::start(config, &bell)?);
    }
    started.context("one of both")?.thread.stop().join().ok().context("the auditor ends in order")?;
    let logged = messages(&places.segments)?;
    ensure!(logged == felt.published, "{} were published and {logged} are in the log", felt.published);
    Ok(felt)
}

fn publish(journals: &Path, bell: &AuditorBell, long: Duration) -> anyhow::Result<Felt> {
    let mut felt = Felt { rings: Vec::new(), steps: Vec::new(), published: 0 };
    let parts: Vec<anyhow::Result<Felt>> = std::thread::scope(|threads| {
        let spawned: Vec<_> =
            (1..=PUBLISHERS).map(|n| threads.spawn(move || publisher(journals, bell, long, n))).collect();
        let joined = spawned.into_iter().map(|thread| thread.join().expect("a publisher does not panic"));
        joined.collect()
    });
    for part in parts {
        let part = part?;
        felt.rings.extend(part.rings);
        felt.steps.extend(part.steps);
        felt.published += part.published;
    }
    felt.rings.sort_by(f64::total_cmp);
    felt.steps.sort_by(f64::total_cmp);
    Ok(felt)
}

/// One task that publishes steps at its share of the rate.
fn publisher(journals: &Path, bell: &AuditorBell, long: Duration, n: u128) -> anyhow::Result<Felt> {
    let task_id = TaskId(uuid::Uuid::from_u128(n));
    let mut journal = TaskJournal::create_unsynced(journals, task_id, CrashPoint::never())?;
    let mut felt = Felt { rings: Vec::new(), steps: Vec::new(), published: 0 };
    let pause =
        Duration::from_secs(1) * u32::try_from(STEP)? * u32::try_from(PUBLISHERS)? / u32::try_from(RATE)?;
    let started = Instant::now();
    let mut due = started;
    while started.elapsed() < long {
        let envelopes: Vec<Envelope> = (1..=STEP).map(|i| envelope(task_id, felt.published + i)).collect();
        let began = Instant::now();
        let (seq, at, input) = (journal.next_seq(), Timestamp(0), &TaskInput::Wake);
        journal.append(StepRecordRef { seq, at, input, envelopes: &envelopes, effects: &[] })?;
        let rang = Instant::now();
        bell.ring(task_id);
        felt.rings.push(rang.elapsed().as_secs_f64() * 1e6);
        felt.steps.push(began.elapsed().as_secs_f64() * 1e6);
        felt.published += STEP;
        due += pause;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    Ok(felt)
}

fn envelope(task_id: TaskId, sequence: u64) -> Envelope {
    Envelope {
        id: uuid::Uuid::nil(),
        sequence,
        task_id: Some(task_id),
        round: 0,
        time: Timestamp(1),
        from: Role::Runtime,
        to: Role::Solver,
        refused: false,
        payload: TaskCancelled { cause: StopCause::Cancelled, detail: AuditHead::GENESIS.to_owned() }.into(),
    }
}

/// Messages of tasks in the log.
fn messages(segments: &Path) -> anyhow::Result<u64> {
    let mut count = 0;
    for entry in std::fs::read_dir(segments)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("audit-")) {
            let text = std::fs::read_to_string(path)?;
            count += text.lines().filter(|line| line.contains("\"event\":\"message\"")).count() as u64;
        }
    }
    Ok(count)
}

/// The value that this share of all is at most.
fn share(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
