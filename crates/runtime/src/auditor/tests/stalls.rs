//! An auditor that is held up: nobody waits for it, and nothing is missing afterwards.

use std::time::Duration;

use artoo_audit::Incident;

use super::super::start;
use super::super::storage::{RealStorage, Storage};
use super::{AuditLimits, KnownHeads, World, task, wait_until};

#[test]
fn tasks_that_run_while_the_auditor_stands_still_are_all_seen_later() {
    const TASKS: u128 = 100;
    let mut world = World::new();
    let run = world.run();
    // Nobody listens to the bell; who rings it goes on all the same.
    for n in 1..=TASKS {
        world.first_half(n);
        run.bell.ring(task(n));
        world.second_half(n);
        run.bell.ring(task(n));
        run.bell.tell(Incident::DiskRelieved);
    }
    let started = start(run.config(&world, AuditLimits::default()), &run.bell).expect("it starts");
    wait_until("everything is read", || (1..=TASKS).all(|n| started.progress.has_read(task(n))));
    started.thread.stop().join().expect("it ends in order");
    for n in 1..=TASKS {
        assert_eq!(world.logged(Some(task(n))).len(), 4, "task {n}");
    }
    assert_eq!(world.check(&KnownHeads::default()).findings, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_while_tasks_go_on() {
    let mut world = World::new();
    let run = world.run();
    let started = start(run.config(&world, AuditLimits::default()), &run.bell).expect("it starts");
    for n in 1..=120 {
        world.first_half(n);
        world.second_half(n);
        run.bell.ring(task(n));
        if n % 30 == 0 {
            let report = started.desk.report(false).await.expect("an answer within 3 s");
            let head = started.desk.head().await.expect("an answer within 3 s");
            assert!(report.head.seq > 0 && head.seq > report.head.seq, "the report is a line as well");
        }
    }
    wait_until("everything is read", || (1..=120).all(|n| started.progress.has_read(task(n))));
    let report = started.desk.report(true).await.expect("an answer within 3 s");
    assert_eq!((report.totals.tasks_observed, report.standing.unread), (120, 0));
    started.thread.stop().join().expect("it ends in order");
    assert_eq!(started.desk.head().await, None, "nobody is there any more");
}

/// A disk that is full while `full` says so; of an append a part is done.
struct Small {
    full: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Small {
    fn room(&self) -> std::io::Result<RealStorage> {
        if self.full.load(std::sync::atomic::Ordering::SeqCst) {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        Ok(RealStorage)
    }
}

impl Storage for Small {
    fn open(&mut self, path: &std::path::Path) -> std::io::Result<std::fs::File> {
        self.room()?.open(path)
    }

    fn append(&mut self, file: &mut std::fs::File, bytes: &[u8]) -> std::io::Result<()> {
        if self.room().is_err() {
            RealStorage.append(file, &bytes[..bytes.len() / 3])?;
        }
        self.room()?.append(file, bytes)
    }

    fn cut(&mut self, file: &std::fs::File, length: u64) -> std::io::Result<()> {
        RealStorage.cut(file, length)
    }

    fn sync(&mut self, file: &std::fs::File) -> std::io::Result<()> {
        RealStorage.sync(file)
    }

    fn replace(&mut self, path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
        self.room()?.replace(path, bytes)
    }

    fn link(&mut self, target: &std::path::Path, link: &std::path::Path) -> std::io::Result<()> {
        RealStorage.link(target, link)
    }

    fn remove(&mut self, path: &std::path::Path) -> std::io::Result<()> {
        RealStorage.remove(path)
    }
}

#[test]
fn a_full_disk_stops_reading_and_nothing_is_lost() {
    let mut world = World::new();
    let run = world.run();
    let full = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let limits = AuditLimits { segment_bytes: 1_000, ..AuditLimits::default() };
    let mut auditor = run.auditor(&world, limits, Box::new(Small { full: full.clone() }));
    auditor.begin();
    world.first_half(1);
    run.bell.ring(task(1));
    run.settle(&mut auditor);
    full.store(true, std::sync::atomic::Ordering::SeqCst);
    world.second_half(1);
    run.bell.ring(task(1));
    run.turn(&mut auditor);
    let said = run.health.warnings();
    assert!(matches!(said.as_slice(), [one] if one.contains("free some space on its disk")), "{said:?}");
    // While it is stuck it reads nothing more, and its log holds whole lines.
    world.first_half(2);
    run.bell.ring(task(2));
    run.turn(&mut auditor);
    assert!(auditor.log.cursor().offset(task(2)) == 0);
    full.store(false, std::sync::atomic::Ordering::SeqCst);
    let since = std::time::Instant::now();
    while auditor.log.cursor().offset(task(2)) == 0 {
        assert!(since.elapsed() < Duration::from_secs(60), "it goes on by itself");
        run.turn(&mut auditor);
        std::thread::sleep(Duration::from_millis(10));
    }
    run.stop(&mut auditor);
    assert_eq!(run.health.warnings(), Vec::<String>::new());
    assert_eq!(world.findings(), ["disk_pressure"]);
    assert_eq!(world.logged(Some(task(1))).len(), 4);
    assert_eq!(world.check(&KnownHeads::default()).findings, Vec::<String>::new());
}
