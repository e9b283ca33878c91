//! Every change of the log before a recorded head is found: bytes, lines, segments, and chains that were made anew.

use std::collections::BTreeMap;
use std::fs;

use artoo_audit::chain::{Chain, ChainLine};
use artoo_types::operator::AuditHead;

use super::{AuditLimits, KnownHeads, Run, World, segment, small, task};

/// How many changes are tried.
const CHANGES: u64 = 1_000;
const SEED: u64 = 0x5eed_a0d1;

/// The segments of a log, by number.
type Segments = BTreeMap<u32, Vec<u8>>;

/// A log of a few runs and segments, ended in order, so that its very last line is recorded.
fn log(limits: AuditLimits) -> (World, Run) {
    let mut world = World::new();
    let run = world.run();
    for n in 1..=6 {
        world.first_half(n);
        world.second_half(n);
        let mut auditor = run.auditor(&world, limits, Box::new(super::RealStorage));
        auditor.begin();
        run.report(&mut auditor);
        auditor.log.retire(crate::clock::now()).expect("the disk is well");
        run.stop(&mut auditor);
    }
    (world, run)
}

fn read(world: &World) -> Segments {
    let folder = &world.places.segments;
    let numbers = segment::numbers(folder).expect("a folder");
    numbers.into_iter().map(|n| (n, fs::read(segment::path(folder, n)).expect("a file"))).collect()
}

fn write(world: &World, before: &Segments, after: &Segments) {
    let folder = &world.places.segments;
    for number in before.keys().chain(after.keys()) {
        let path = segment::path(folder, *number);
        match after.get(number) {
            Some(bytes) if before.get(number) != Some(bytes) => fs::write(path, bytes).expect("it is ours"),
            Some(_) => {}
            None => drop(fs::remove_file(path)),
        }
    }
}

/// The lines of all segments, each with its segment.
fn lines(segments: &Segments) -> Vec<(u32, String)> {
    let of = |(number, bytes): (&u32, &Vec<u8>)| {
        let text = String::from_utf8(bytes.clone()).expect("the log is text");
        text.lines().map(|line| (*number, line.to_owned())).collect::<Vec<_>>()
    };
    segments.iter().flat_map(of).collect()
}

fn joined(segments: &Segments, lines: &[(u32, String)]) -> Segments {
    let mut joined: Segments = segments.keys().map(|number| (*number, Vec::new())).collect();
    for (number, line) in lines {
        joined.entry(*number).or_default().extend(format!("{line}\n").bytes());
    }
    joined
}

/// Makes the chain anew from line `at` on, as someone does who knows how: every hash is right.
fn forge(lines: &mut [(u32, String)], at: usize) {
    let parsed: Vec<ChainLine> =
        lines.iter().map(|(_, line)| serde_json::from_str(line).expect("a line")).collect();
    let before = AuditHead { seq: parsed[at].seq - 1, hash: parsed[at].prev.clone() };
    let mut chain = Chain::after(before, &parsed[at].boot_id);
    for ((_, line), parsed) in lines.iter_mut().zip(&parsed).skip(at) {
        let mut sealed = Vec::new();
        chain.seal(&parsed.event, &mut sealed).expect("an event has a JSON form");
        *line = String::from_utf8(sealed).expect("JSON is text");
    }
}

/// One change of some kind, and what it was.
fn change(segments: &Segments, numbers: &mut fastrand::Rng) -> (Segments, String) {
    let mut changed = segments.clone();
    let names: Vec<u32> = segments.keys().copied().collect();
    let number = names[numbers.usize(..names.len())];
    let mut all = lines(segments);
    let (one, other) = (numbers.usize(..all.len()), numbers.usize(..all.len()));
    let kind = numbers.usize(..11);
    let bytes = changed.get_mut(&number).expect("it is one of them");
    let at = numbers.usize(..bytes.len());
    let what = match kind {
        0 => {
            bytes[at] ^= 1 << numbers.usize(..8);
            format!("byte {at} of segment {number}")
        }
        1 => {
            bytes.remove(at);
            format!("byte {at} of segment {number} removed")
        }
        2 => {
            bytes.truncate(at);
            format!("segment {number} cut at {at}")
        }
        3 => {
            let last = *names.last().expect("there are some");
            changed.get_mut(&last).expect("the last one").truncate(at);
            format!("the last segment cut at {at}")
        }
        4 => {
            changed.remove(&number);
            format!("segment {number} removed")
        }
        5 => {
            let partner = names[numbers.usize(..names.len())];
            changed.insert(number, segments[&partner].clone());
            changed.insert(partner, segments[&number].clone());
            format!("segments {number} and {partner} swapped")
        }
        6 => {
            all.remove(one);
            changed = joined(segments, &all);
            format!("line {one} removed")
        }
        7 => {
            let (to, line) = (all[other].0, all[one].1.clone());
            all.insert(other, (to, line));
            changed = joined(segments, &all);
            format!("line {one} doubled at {other}")
        }
        8 => {
            let (a, b) = (all[one].1.clone(), all[other].1.clone());
            (all[one].1, all[other].1) = (b, a);
            changed = joined(segments, &all);
            format!("lines {one} and {other} swapped")
        }
        9 => {
            all[one].1 = all[one].1.replacen("\"time\":", "\"time\":1", 1);
            forge(&mut all, one);
            changed = joined(segments, &all);
            format!("line {one} changed and the chain made anew")
        }
        _ => {
            all.remove(one);
            if one < all.len() {
                let (first, _) = (all[one].clone(), ());
                let removed = lines(segments)[one].1.clone();
                let removed: ChainLine = serde_json::from_str(&removed).expect("a line");
                // The next line takes the place of the one that is gone.
                let line: ChainLine = serde_json::from_str(&first.1).expect("a line");
                let moved = ChainLine { seq: removed.seq, prev: removed.prev, ..line };
                all[one].1 = serde_json::to_string(&moved).expect("it has a JSON form");
                forge(&mut all, one);
            }
            changed = joined(segments, &all);
            format!("line {one} removed and the chain made anew")
        }
    };
    (changed, what)
}

#[test]
fn a_thousand_changes_before_a_recorded_head_are_all_found() {
    let whole = log(small());
    let shortened = log(AuditLimits { keep_bytes: 6_000, ..small() });
    let logs = [(&whole.0, read(&whole.0)), (&shortened.0, read(&shortened.0))];
    for (world, segments) in &logs {
        assert!(segments.len() > 2, "several segments");
        assert_eq!(world.check(&KnownHeads::default()).findings, Vec::<String>::new());
    }
    assert!(!logs[1].1.contains_key(&1), "the second log lost its first segment in order");
    let mut numbers = fastrand::Rng::with_seed(SEED);
    let mut tried = 0;
    while tried < CHANGES {
        let (world, segments) = &logs[numbers.usize(..logs.len())];
        let (changed, what) = change(segments, &mut numbers);
        if changed == *segments {
            continue;
        }
        tried += 1;
        write(world, segments, &changed);
        let findings = world.check(&KnownHeads::default()).findings;
        assert!(!findings.is_empty(), "seed {SEED:#x}, change {tried}: {what} was not found");
        write(world, &changed, segments);
    }
}

#[test]
fn a_hash_that_was_noted_down_is_looked_for() {
    let (world, run) = log(small());
    let head = world.reports()[2].head.clone();
    let noted = |hash: &str| KnownHeads { noted: vec![hash.to_owned()], live: None };
    let checked = world.check(&noted(&head.hash[..20]));
    assert_eq!((checked.findings.len(), checked.found.len()), (0, 1));
    assert_eq!(checked.found[0].head, head);
    let findings = world.check(&noted(&"0".repeat(64))).findings;
    assert!(matches!(findings.as_slice(), [one] if one.contains("no line of the log has the hash 0000")));
    drop(run);
}

#[test]
fn the_auditors_own_word_finds_what_no_anchor_covers() {
    let mut world = World::new();
    let run = world.run();
    let mut auditor = run.begun(&world);
    run.report(&mut auditor);
    world.first_half(1);
    run.bell.ring(task(1));
    run.settle(&mut auditor);
    let live = KnownHeads { live: Some(auditor.log.head().clone()), noted: Vec::new() };
    assert_eq!(world.check(&live).findings, Vec::<String>::new());
    let path = segment::path(&world.places.segments, 1);
    let text = fs::read_to_string(&path).expect("text");
    // Half a line that is being written right now is no fault; half of one that was written is.
    fs::write(&path, format!("{text}{{\"seq\":99")).expect("it is ours");
    assert_eq!(world.check(&live).findings, Vec::<String>::new());
    fs::write(&path, &text[..text.len() - 9]).expect("it is ours");
    let findings = world.check(&live).findings;
    assert!(findings.iter().any(|finding| finding.contains("in the middle of a line")), "{findings:?}");
    assert!(findings.iter().any(|finding| finding.contains("its end was cut off")), "{findings:?}");
}
