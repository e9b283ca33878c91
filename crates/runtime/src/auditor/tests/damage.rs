//! A log that is not as it was left: the auditor starts, says so, and goes on in a new segment.

use std::fs;

use artoo_types::operator::AuditReport;

use super::super::anchors;
use super::{KnownHeads, Run, World, segment, task};

/// A log of one run with one task, ended in order.
fn logged() -> (World, Run) {
    let mut world = World::new();
    let run = world.run();
    world.first_half(1);
    world.second_half(1);
    let mut auditor = run.begun(&world);
    run.report(&mut auditor);
    run.stop(&mut auditor);
    (world, run)
}

/// Starts on what is there and reports.
fn restart(world: &World, run: &Run) -> AuditReport {
    let mut auditor = run.begun(world);
    let report = run.report(&mut auditor);
    run.stop(&mut auditor);
    report
}

/// The auditor says `said`, the old segment stays, a new one begins, and a check names `named`.
fn check(damage: impl FnOnce(&World), said: &str, named: &str) {
    let (world, run) = logged();
    damage(&world);
    let before = fs::read(segment::path(&world.places.segments, 1)).ok();
    let report = restart(&world, &run);
    assert!(report.anomalies.iter().any(|line| line.contains(said)), "{said}: {:?}", report.anomalies);
    let warnings = run.health.warnings();
    assert!(warnings.iter().any(|w| w.contains(said) && w.contains("artoo audit verify")), "{warnings:?}");
    assert_eq!(fs::read(segment::path(&world.places.segments, 1)).ok(), before, "{said}: it stays as it is");
    let live = fs::read_link(&world.places.link).expect("a link");
    assert_eq!(live.to_str(), Some("audit/audit-000002.jsonl"), "{said}");
    let findings = world.check(&KnownHeads::default()).findings;
    assert!(findings.iter().any(|finding| finding.contains(named)), "{said}: {findings:?}");
    // It is said once, and what was in the log is not written again.
    assert_eq!(restart(&world, &run).anomalies, Vec::<String>::new(), "{said}");
}

fn edit(world: &World, change: impl FnOnce(String) -> String) {
    let path = segment::path(&world.places.segments, 1);
    let text = fs::read_to_string(&path).expect("text");
    fs::write(&path, change(text)).expect("it is ours");
}

fn without_line(text: &str, number: usize) -> String {
    let kept = text.lines().enumerate().filter(|(at, _)| at + 1 != number);
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

#[test]
fn a_changed_line_is_named() {
    let change = |text: String| text.replacen("count the files", "count the fires", 1);
    let named = "audit-000001.jsonl: line 1 was changed";
    check(|world| edit(world, change), named, named);
}

#[test]
fn a_removed_line_is_named() {
    // The length shows it first.
    let named = "audit-000001.jsonl: line 2 does not follow the line before it";
    check(|world| edit(world, |text| without_line(&text, 2)), "shorter than it was", named);
}

#[test]
fn a_cut_end_is_found_by_the_saved_head_and_by_the_anchors() {
    let cut = |text: String| without_line(&text, text.lines().count());
    check(|world| edit(world, cut), "shorter than it was", "line 1 does not follow the line before it");
    let forget_too = |world: &World| {
        edit(world, cut);
        fs::remove_file(&world.places.stats).expect("it is ours");
    };
    check(forget_too, "its end was cut off", "and it is gone");
}

#[test]
fn a_rewritten_chain_is_found_by_the_anchors() {
    let rewrite = |world: &World| {
        let events = world.lines();
        let mut chain =
            artoo_audit::chain::Chain::after(Default::default(), "00000000-0000-0000-0000-000000forged");
        let mut text = Vec::new();
        for line in events {
            let line: artoo_audit::chain::ChainLine = serde_json::from_value(line).expect("a line");
            chain.seal(&line.event, &mut text).expect("it has a JSON form");
            text.push(b'\n');
        }
        fs::write(segment::path(&world.places.segments, 1), &text).expect("it is ours");
    };
    check(rewrite, "the log was rewritten", "the log was rewritten");
}

#[test]
fn a_whole_segment_that_is_gone_is_found() {
    let (world, run) = logged();
    fs::remove_file(segment::path(&world.places.segments, 1)).expect("it is ours");
    let report = restart(&world, &run);
    assert!(report.anomalies[0].contains("audit-000001.jsonl is gone"), "{report:?}");
    let findings = world.check(&KnownHeads::default()).findings;
    assert!(findings[0].contains("no deletion of the lines before it is on record"), "{findings:?}");
}

#[test]
fn a_line_that_a_crash_cut_short_is_taken_back_and_told() {
    let (world, run) = logged();
    edit(&world, |text| format!("{text}{{\"seq\":9,\"boot"));
    let report = restart(&world, &run);
    assert!(report.anomalies[0].contains("ended in the middle of a line"), "{report:?}");
    assert_eq!(world.check(&KnownHeads::default()).findings, Vec::<String>::new());
}

#[test]
fn lost_statistics_start_anew_and_nothing_is_written_twice() {
    for garbled in [false, true] {
        let (world, run) = logged();
        if garbled {
            fs::write(&world.places.stats, "{\"auditor\":").expect("it is ours");
        } else {
            fs::remove_file(&world.places.stats).expect("it is ours");
        }
        let report = restart(&world, &run);
        assert!(report.anomalies[0].contains("statistics start anew"), "{report:?}");
        assert_eq!(report.totals.tasks_observed, 1, "the journal is still there");
        assert_eq!(world.logged(Some(task(1))).len(), 4);
        let system: Vec<u64> = world.logged(None).iter().map(|(sequence, _)| *sequence).collect();
        assert_eq!(system, (1..=world.system().len() as u64).collect::<Vec<_>>());
        assert_eq!(world.check(&KnownHeads::default()).findings, Vec::<String>::new());
    }
}

#[test]
fn anchors_that_are_gone_or_changed_are_told() {
    let (world, run) = logged();
    let path = world.places.segments.join(anchors::FILE);
    let text = fs::read_to_string(&path).expect("text");
    fs::write(&path, format!("{text}nonsense\n")).expect("it is ours");
    let findings = world.check(&KnownHeads::default()).findings;
    assert!(findings[0].contains("is not a recorded head"), "{findings:?}");
    fs::remove_file(&path).expect("it is ours");
    let findings = world.check(&KnownHeads::default()).findings;
    assert!(findings[0].contains("anchors.jsonl is gone"), "{findings:?}");
    fs::write(&path, text).expect("it is ours");
    assert_eq!(world.check(&KnownHeads::default()).findings, Vec::<String>::new());
    drop(run);
}
