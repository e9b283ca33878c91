use artoo_types::Timestamp;

use super::{BadLine, Fault, Flaw, Verifier};
use crate::chain::{Chain, ChainLine, GENESIS, Head};
use crate::testing::{envelope, good_task};
use crate::{AuditEvent, Auditor, Deletion};

/// The log of a good task, and the head after each line.
fn log() -> (Vec<String>, Vec<Head>) {
    let mut auditor = Auditor::default();
    let mut chain = Chain::after(Head::default(), "boot \"1\"");
    let (mut lines, mut heads) = (Vec::new(), Vec::new());
    for (i, payload) in good_task().into_iter().enumerate() {
        for event in auditor.observe(&envelope(i as u64 + 1, payload)) {
            lines.push(seal(&mut chain, &event));
            heads.push(chain.head().clone());
        }
    }
    (lines, heads)
}

fn seal(chain: &mut Chain, event: &AuditEvent) -> String {
    let mut line = Vec::new();
    chain.seal(event, &mut line).expect("an event has a JSON form");
    String::from_utf8(line).expect("JSON is text")
}

/// The last line of a log, or its first bad line.
fn check(lines: &[String]) -> Result<Head, BadLine> {
    let mut verifier = Verifier::new();
    lines.iter().try_for_each(|line| verifier.check(line).map(drop))?;
    Ok(verifier.head().clone())
}

fn event(line: &str) -> AuditEvent {
    serde_json::from_str::<ChainLine>(line).expect("a line").event
}

#[test]
fn a_log_that_was_not_touched_is_good() {
    let (lines, heads) = log();
    assert_eq!(check(&lines).as_ref(), Ok(&heads[heads.len() - 1]));
    assert_eq!(check(&[]), Ok(Head::default()));
}

#[test]
fn a_line_is_read_back_with_its_event() {
    let (lines, heads) = log();
    let line: ChainLine = serde_json::from_str(&lines[1]).expect("a line");
    assert_eq!((line.seq, line.boot_id.as_str(), &line.prev), (2, "boot \"1\"", &heads[0].hash));
    assert!(matches!(line.event, AuditEvent::Message(seen) if seen.sequence == 2));
    assert_eq!(line.hash, heads[1].hash);
    let first: ChainLine = serde_json::from_str(&lines[0]).expect("a line");
    assert_eq!(first.prev, GENESIS);
}

#[test]
fn the_hash_is_that_of_the_line_without_it() {
    use sha2::Digest;
    let (lines, heads) = log();
    let field = format!(",\"hash\":\"{}\"", heads[0].hash);
    let without = lines[0].replace(&field, "");
    let digest: String =
        sha2::Sha256::digest(without.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(digest, heads[0].hash);
}

#[test]
fn every_changed_byte_is_named_by_its_line() {
    let (lines, _) = log();
    for number in 0..lines.len() {
        for at in 0..lines[number].len() {
            let mut bytes = lines[number].clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            let mut log = lines.clone();
            log[number] = changed;
            let bad = check(&log).expect_err("the change is seen");
            assert_eq!(bad.line, number as u64 + 1, "byte {at}: {bad}");
        }
    }
}

#[test]
fn removed_moved_and_doubled_lines_are_seen() {
    let (lines, _) = log();
    let pick = |order: &[usize]| order.iter().map(|i| lines[*i].clone()).collect::<Vec<_>>();
    for (order, line) in [(&[0, 2, 3][..], 2), (&[0, 2, 1], 2), (&[0, 1, 1], 3)] {
        let bad = check(&pick(order)).expect_err("the change is seen");
        assert_eq!(bad, BadLine { line, fault: Fault::Detached }, "{order:?}");
    }
    assert!(
        check(&pick(&[2, 3, 4])).is_ok(),
        "each line is good; that the first ones are gone is a flaw of the whole"
    );
}

#[test]
fn a_log_without_its_beginning_needs_the_record_of_the_deletion() {
    let (lines, heads) = log();
    let finish = |kept: &[String]| {
        let mut verifier = Verifier::new().with_anchors([heads[0].clone(), heads[4].clone()]);
        kept.iter().try_for_each(|line| verifier.check(line).map(drop)).expect("each line is good");
        verifier.finish().1
    };
    assert_eq!(finish(&lines), []);
    assert_eq!(finish(&lines[2..]), [Flaw::NoBeginning { first: 3 }]);
    let with_record = |last: &Head| {
        let deletion = Deletion {
            time: Timestamp(5),
            segment: "audit-000001.jsonl".to_owned(),
            last: last.clone(),
            why: "more than 1 MiB".to_owned(),
        };
        let mut chain = Chain::after(heads[heads.len() - 1].clone(), "boot 2");
        let record = seal(&mut chain, &AuditEvent::Deletion(deletion));
        [&lines[2..], &[record]].concat()
    };
    assert_eq!(finish(&with_record(&heads[1])), []);
    assert_eq!(finish(&with_record(&heads[2])), [Flaw::NoBeginning { first: 3 }], "more is gone than that");
}

#[test]
fn after_a_bad_line_the_rest_is_checked_as_well() {
    let (mut lines, heads) = log();
    lines[1] = lines[1].replacen("R2", "R3", 1);
    lines[4] = lines[4].replacen("R", "Q", 1);
    let mut verifier = Verifier::new().with_anchors([heads[1].clone(), heads[5].clone()]);
    let bad: Vec<u64> = lines.iter().filter_map(|l| verifier.check(l).err()).map(|bad| bad.line).collect();
    assert_eq!(bad, [2, 5]);
    let (head, flaws) = verifier.finish();
    assert_eq!((&head, flaws), (&heads[heads.len() - 1], vec![Flaw::Missing { anchored: 2 }]));
}

#[test]
fn anchors_find_a_rewritten_chain_and_a_cut_end() {
    let (lines, heads) = log();
    let verified = |lines: &[String], anchor: Head| {
        let mut verifier = Verifier::new().with_anchors([anchor]);
        lines.iter().try_for_each(|l| verifier.check(l).map(drop)).map(|()| verifier.finish())
    };
    let end = heads[heads.len() - 1].clone();
    assert_eq!(verified(&lines, heads[3].clone()), Ok((end, vec![])));
    let cut = Flaw::CutOff { ends_at: 3, anchored: 4 };
    assert_eq!(verified(&lines[..3], heads[3].clone()), Ok((heads[2].clone(), vec![cut])));

    let mut chain = Chain::after(Head::default(), "boot 2");
    let rewritten: Vec<String> = lines.iter().map(|line| seal(&mut chain, &event(line))).collect();
    assert!(check(&rewritten).is_ok(), "without an anchor a rewritten chain looks good");
    let bad = verified(&rewritten, heads[3].clone()).expect_err("the anchor tells");
    assert_eq!(bad, BadLine { line: 4, fault: Fault::Rewritten });
}

#[test]
fn a_new_segment_and_a_new_run_go_on_with_the_chain() {
    let (lines, heads) = log();
    let mut chain = Chain::after(heads[heads.len() - 1].clone(), "boot 2");
    let next = seal(&mut chain, &event(&lines[0]));
    let mut verifier = Verifier::new();
    lines.iter().try_for_each(|l| verifier.check(l).map(drop)).expect("a good segment");
    verifier.next_segment();
    verifier.check(&next).expect("a good segment");
    let bad = verifier.check("{}").expect_err("no line");
    assert_eq!(bad, BadLine { line: 2, fault: Fault::NotALine });
    let mut tail = Verifier::after(heads[heads.len() - 1].clone());
    assert_eq!(tail.check(&next).map(|head| head.seq), Ok(lines.len() as u64 + 1));
    assert!(Verifier::after(heads[0].clone()).check(&next).is_err());
}

#[test]
fn ordinals_have_no_gap() {
    let (lines, heads) = log();
    let skipping = Head { seq: 9, hash: heads[0].hash.clone() };
    let second = seal(&mut Chain::after(skipping, "boot 1"), &event(&lines[0]));
    let bad = check(&[lines[0].clone(), second]).expect_err("lines 2 to 9 are missing");
    assert_eq!(bad, BadLine { line: 2, fault: Fault::Detached });
    let rootless = Head { seq: 0, hash: heads[0].hash.clone() };
    let first = seal(&mut Chain::after(rootless, "boot 1"), &event(&lines[0]));
    assert_eq!(check(&[first]).expect_err("the first line follows nothing").fault, Fault::Detached);
}
