use super::{BadLine, Chain, CutOff, Fault, GENESIS, Head, Line, Verifier, verify};
use crate::fixtures::{envelope, good_task};
use crate::{AuditEvent, Auditor};

/// The log of a good task, and the head after each line.
fn log() -> (Vec<String>, Vec<Head>) {
    let mut auditor = Auditor::default();
    let mut chain = Chain::after(Head::default(), "boot \"1\"");
    let (mut lines, mut heads) = (Vec::new(), Vec::new());
    for (i, payload) in good_task().into_iter().enumerate() {
        for event in auditor.observe(&envelope(i as u64 + 1, payload)) {
            lines.push(chain.seal(&event).expect("an event has a JSON form"));
            heads.push(chain.head().clone());
        }
    }
    (lines, heads)
}

fn check(lines: &[String]) -> Result<Head, BadLine> {
    verify(lines.iter().map(String::as_str))
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
    let line: Line = serde_json::from_str(&lines[1]).expect("a line");
    assert_eq!((line.seq, line.boot_id.as_str(), &line.prev), (2, "boot \"1\"", &heads[0].hash));
    assert!(matches!(line.event, AuditEvent::Message(seen) if seen.sequence == 2));
    assert_eq!(line.hash, heads[1].hash);
    let first: Line = serde_json::from_str(&lines[0]).expect("a line");
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
    assert!(check(&pick(&[2, 3, 4])).is_ok(), "old segments may be gone");
}

#[test]
fn anchors_find_a_rewritten_chain_and_a_cut_end() {
    let (lines, heads) = log();
    let verified = |lines: &[String], anchor: Head| {
        let mut verifier = Verifier::new().with_anchors([anchor]);
        lines.iter().try_for_each(|l| verifier.check(l)).map(|()| verifier.finish())
    };
    assert_eq!(verified(&lines, heads[3].clone()), Ok(Ok(heads[heads.len() - 1].clone())));
    assert_eq!(verified(&lines[..3], heads[3].clone()), Ok(Err(CutOff { ends_at: 3, anchored: 4 })));

    let mut chain = Chain::after(Head::default(), "boot 2");
    let rewritten: Vec<String> = lines
        .iter()
        .map(|l| serde_json::from_str::<Line>(l).expect("a line").event)
        .map(|event| chain.seal(&event).expect("an event"))
        .collect();
    assert!(check(&rewritten).is_ok(), "without an anchor a rewritten chain looks good");
    let bad = verified(&rewritten, heads[3].clone()).expect_err("the anchor tells");
    assert_eq!(bad, BadLine { line: 4, fault: Fault::Rewritten });
}

#[test]
fn a_new_segment_and_a_new_run_go_on_with_the_chain() {
    let (lines, heads) = log();
    let mut chain = Chain::after(heads[heads.len() - 1].clone(), "boot 2");
    let event = serde_json::from_str::<Line>(&lines[0]).expect("a line").event;
    let next = chain.seal(&event).expect("an event");
    let mut verifier = Verifier::new();
    lines.iter().try_for_each(|l| verifier.check(l)).expect("a good segment");
    verifier.next_segment();
    verifier.check(&next).expect("a good segment");
    let bad = verifier.check("{}").expect_err("no line");
    assert_eq!(bad, BadLine { line: 2, fault: Fault::NotALine });
}

#[test]
fn ordinals_have_no_gap() {
    let (lines, heads) = log();
    let event = serde_json::from_str::<Line>(&lines[0]).expect("a line").event;
    let skipping = Head { seq: 9, hash: heads[0].hash.clone() };
    let second = Chain::after(skipping, "boot 1").seal(&event).expect("an event");
    let bad = check(&[lines[0].clone(), second]).expect_err("lines 2 to 9 are missing");
    assert_eq!(bad, BadLine { line: 2, fault: Fault::Detached });
    let rootless = Head { seq: 0, hash: heads[0].hash.clone() };
    let first = Chain::after(rootless, "boot 1").seal(&event).expect("an event");
    assert_eq!(check(&[first]).expect_err("the first line follows nothing").fault, Fault::Detached);
}
