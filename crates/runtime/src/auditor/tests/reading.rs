//! What the auditor reads, and how far it says to have read.

use std::fs;

use artoo_audit::Incident;
use artoo_journal::task_path;
use artoo_types::operator::Lagged;

use super::super::AuditProgress;
use super::{Run, World, cancelled, correction, submitted, task};
use artoo_types::envelope::Role;

fn progress(run: &Run) -> AuditProgress {
    AuditProgress::new(run.bell.inbox().clone())
}

fn drop_of(run: &Run, from: u64) {
    let gap = Lagged { from, to: from };
    run.system.publish(Role::Runtime, Role::User, gap.into()).expect("the journal takes it");
}

#[test]
fn what_was_read_counts_once_it_is_saved_and_not_before_its_end() {
    let mut world = World::new();
    let run = world.run();
    let progress = progress(&run);
    let mut auditor = run.begun(&world);
    world.first_half(1);
    world.first_half(2);
    world.second_half(2);
    drop_of(&run, 1);
    run.bell.ring(task(1));
    run.bell.ring(task(2));
    run.settle(&mut auditor);
    assert!(!progress.has_read(task(2)), "a crash could still make it forget");
    assert_eq!(progress.system_sequence(), 0);
    run.stop(&mut auditor);
    assert!(progress.has_read(task(2)));
    assert!(!progress.has_read(task(1)), "it has not ended");
    assert!(!progress.has_read(task(3)), "it is not there yet");
    assert_eq!(progress.system_sequence(), 2, "the gap, and what told of it");
}

#[test]
fn a_journal_that_goes_after_it_was_read_is_not_missed() {
    let mut world = World::new();
    let run = world.run();
    let mut auditor = run.begun(&world);
    world.first_half(1);
    world.second_half(1);
    run.report(&mut auditor);
    run.stop(&mut auditor);
    fs::remove_file(task_path(&world.places.journals, task(1))).expect("it was read");
    let mut auditor = run.begun(&world);
    run.bell.ring(task(1));
    let report = run.report(&mut auditor);
    assert_eq!(report.anomalies, Vec::<String>::new());
    assert_eq!(report.totals.tasks_observed, 1);
}

#[test]
fn a_journal_that_goes_before_it_was_read_to_its_end_is_reported_once() {
    let mut world = World::new();
    let run = world.run();
    world.first_half(1);
    let mut auditor = run.begun(&world);
    run.report(&mut auditor);
    run.stop(&mut auditor);
    fs::remove_file(task_path(&world.places.journals, task(1))).expect("it is there");
    let mut auditor = run.begun(&world);
    let report = run.report(&mut auditor);
    assert!(
        matches!(report.anomalies.as_slice(), [one] if one.contains("gone before the auditor had read it"))
    );
    assert_eq!(run.report(&mut auditor).anomalies, Vec::<String>::new());
    assert!(progress(&run).has_read(task(1)), "nothing is waited for any more");
}

#[test]
fn a_bad_line_of_a_journal_is_reported_and_the_rest_is_read() {
    let mut world = World::new();
    let run = world.run();
    world.step(1, 1, vec![submitted()]);
    world.step(1, 2, vec![correction()]);
    world.second_half(1);
    let path = task_path(&world.places.journals, task(1));
    let text = fs::read_to_string(&path).expect("text");
    let second = text.lines().nth(1).expect("a second step");
    fs::write(&path, text.replacen(second, &second.replacen("empty", "emptY", 1), 1)).expect("it is ours");
    let mut auditor = run.begun(&world);
    let report = run.report(&mut auditor);
    assert_eq!(report.tasks_observed, 1, "the end was read");
    let found: Vec<&str> =
        report.anomalies.iter().map(|line| line.split(':').next().unwrap_or_default()).collect();
    // The next step does not follow the line before it either, and what it holds comes after a gap.
    assert_eq!(found[0], "log_damage", "{report:?}");
    assert!(found.contains(&"sequence_gap"), "{report:?}");
}

#[test]
fn a_journal_that_lost_what_was_audited_is_read_anew_and_reported() {
    let mut world = World::new();
    let run = world.run();
    world.step(1, 1, vec![submitted()]);
    let path = task_path(&world.places.journals, task(1));
    let length = fs::metadata(&path).expect("it is there").len();
    world.step(1, 2, vec![correction()]);
    let mut auditor = run.begun(&world);
    run.report(&mut auditor);
    // A power loss takes back what was not synced.
    fs::OpenOptions::new().write(true).open(&path).and_then(|f| f.set_len(length)).expect("it is ours");
    run.bell.ring(task(1));
    let report = run.report(&mut auditor);
    assert!(matches!(report.anomalies.as_slice(), [one] if one.contains("shorter than what was audited")));
}

#[test]
fn the_system_journal_may_lose_what_was_read() {
    let world = World::new();
    let run = world.run();
    let mut auditor = run.begun(&world);
    (1..=5).for_each(|n| drop_of(&run, n));
    run.report(&mut auditor);
    run.stop(&mut auditor);
    // Rewritten without its first four envelopes; the chain of its lines begins anew.
    let text = fs::read_to_string(world.system_journal()).expect("text");
    let kept: Vec<&str> = text.lines().skip(4).collect();
    fs::write(world.system_journal(), format!("{}\n", kept.join("\n"))).expect("it is ours");
    let run = world.run();
    drop_of(&run, 6);
    let mut auditor = run.begun(&world);
    let report = run.report(&mut auditor);
    run.stop(&mut auditor);
    assert_eq!(report.totals.envelopes, 9, "six gaps, what told of them twice, and the first report");
    let seen: Vec<u64> = world.logged(None).iter().map(|(sequence, _)| *sequence).collect();
    assert_eq!(seen, (1..=10).collect::<Vec<_>>());
    let kinds = world.findings();
    assert!(kinds.iter().all(|kind| kind == "drops" || kind == "log_damage"), "{kinds:?}");
}

#[test]
fn incidents_become_findings_and_more_bells_than_memory_are_still_heard() {
    let mut world = World::new();
    let run = world.run();
    let mut auditor = run.begun(&world);
    run.settle(&mut auditor);
    run.bell.tell(Incident::DiskPressure { what: "only 5 MiB are free".to_owned() });
    run.bell.tell(Incident::ClockSet { by_ms: -90_000 });
    world.step(70_000, 1, vec![submitted(), cancelled()]);
    (1..=70_000).for_each(|n| run.bell.ring(task(n)));
    let (grown, rescan) = {
        let waiting = run.bell.inbox().waiting();
        (waiting.grown.len(), waiting.rescan)
    };
    assert!(rescan && grown < 20_000, "memory is bounded");
    let report = run.report(&mut auditor);
    assert_eq!(
        report.anomalies,
        ["disk_pressure: only 5 MiB are free", "clock_jump: the clock was set back by 90.000 s"]
    );
    assert_eq!(world.logged(Some(task(70_000))).len(), 2);
}
