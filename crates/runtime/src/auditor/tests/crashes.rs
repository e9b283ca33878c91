//! The process ends before, in the middle of, and after each change that the auditor makes to the disk. Nothing may be
//! missing afterwards, and nothing doubled: neither lines of the log, nor figures of reports.

use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use super::super::storage::{RealStorage, Storage};
use super::{AuditLimits, KnownHeads, Run, World, small, task};

const TASKS: u128 = 6;
/// More changes than any of the lives here makes.
const MANY: usize = 10_000;

/// A disk under a process that ends at a given change. Of an append half is done.
struct Dying {
    changes_left: usize,
}

/// What such a process ends with.
struct Died;

impl Dying {
    fn change(&mut self) -> RealStorage {
        if self.changes_left == 0 {
            resume_unwind(Box::new(Died));
        }
        self.changes_left -= 1;
        RealStorage
    }
}

impl Storage for Dying {
    fn open(&mut self, path: &Path) -> io::Result<File> {
        self.change().open(path)
    }

    fn append(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if self.changes_left == 0 {
            file.write_all(&bytes[..bytes.len() / 2])?;
        }
        self.change().append(file, bytes)
    }

    fn cut(&mut self, file: &File, length: u64) -> io::Result<()> {
        self.change().cut(file, length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        self.change().sync(file)
    }

    fn replace(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.change().replace(path, bytes)
    }

    fn link(&mut self, target: &Path, link: &Path) -> io::Result<()> {
        self.change().link(target, link)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.change().remove(path)
    }
}

/// One life of the auditor: it starts, reads what there is, reports, and ends in order, if it lives so long.
fn live(world: &World, run: &Run, limits: AuditLimits, changes_left: usize) -> bool {
    let life = AssertUnwindSafe(|| {
        let mut auditor = run.auditor(world, limits, Box::new(Dying { changes_left }));
        auditor.begin();
        run.report(&mut auditor);
        auditor.log.retire(crate::clock::now()).expect("the disk is well");
        run.stop(&mut auditor);
    });
    match catch_unwind(life) {
        Ok(()) => true,
        Err(died) if died.is::<Died>() => false,
        Err(other) => resume_unwind(other),
    }
}

/// Three lives: the first one sees half of what happens and dies after `first` changes, the second one sees all of it and
/// dies after `second`, the last one is left alone. True when neither died.
fn lives(limits: AuditLimits, first: usize, second: usize) -> (World, bool) {
    let mut world = World::new();
    let run = world.run();
    (1..=TASKS).for_each(|n| world.first_half(n));
    let one = live(&world, &run, limits, first);
    (1..=TASKS).for_each(|n| world.second_half(n));
    let two = live(&world, &run, limits, second);
    assert!(live(&world, &run, limits, MANY), "nothing kills the last one");
    (world, one && two)
}

fn check(limits: AuditLimits, is_log_whole: bool, first: usize, second: usize) -> bool {
    let (world, nobody_died) = lives(limits, first, second);
    let when = format!("after {first} and {second} changes");
    let checked = world.check(&KnownHeads::default());
    assert_eq!(checked.findings, Vec::<String>::new(), "{when}");
    let reports = world.reports();
    let totals = &reports.last().expect("the last life reported").totals;
    let of_system = world.system().len() as u64 - 1;
    assert_eq!(totals.envelopes, 4 * TASKS as u64 + of_system, "{when}");
    assert_eq!((totals.tasks_observed, totals.total_corrections), (TASKS as u64, TASKS as u64), "{when}");
    let (tasks, corrections) =
        reports.iter().fold((0, 0), |sum, r| (sum.0 + r.tasks_observed, sum.1 + r.total_corrections));
    assert_eq!((tasks, corrections), (TASKS as u64, TASKS as u64), "each is in one window: {when}");
    if is_log_whole {
        let expected: Vec<(u64, String)> = (1..)
            .zip(["task_submitted", "correction_signal", "task_cancelled", "final_result"].map(str::to_owned))
            .collect();
        for n in 1..=TASKS {
            assert_eq!(world.logged(Some(task(n))), expected, "task {n} {when}");
        }
        let seen: Vec<u64> = world.logged(None).into_iter().map(|(sequence, _)| sequence).collect();
        let there: Vec<u64> = world.system().iter().map(|envelope| envelope.sequence).collect();
        assert_eq!(seen, there, "{when}");
    }
    assert!(world.findings().iter().all(|kind| kind == "log_damage"), "{when}: {:?}", world.findings());
    nobody_died
}

#[test]
fn nothing_is_missing_or_doubled_after_a_crash_at_any_change() {
    for limits in [AuditLimits::default(), small()] {
        assert!(check(limits, true, MANY, MANY));
        let first = (0..MANY).find(|changes| check(limits, true, *changes, MANY));
        let second = (0..MANY).find(|changes| check(limits, true, MANY, *changes));
        assert!(first > Some(10) && second > Some(10), "a life makes some changes: {first:?} {second:?}");
    }
}

#[test]
fn two_crashes_in_a_row_lose_nothing_either() {
    for first in (0..24).step_by(3) {
        for second in 0..12 {
            check(small(), true, first, second);
        }
    }
}

#[test]
fn a_crash_while_old_segments_are_deleted_leaves_a_log_that_explains_itself() {
    let limits = AuditLimits { keep_bytes: 5_000, ..small() };
    let (world, _) = lives(limits, MANY, MANY);
    assert_ne!(world.lines()[0]["seq"], 1, "segments were deleted");
    let done = (0..MANY).find(|changes| check(limits, false, MANY, *changes));
    assert!(done > Some(10), "{done:?}");
}
