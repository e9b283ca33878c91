use std::collections::HashMap;

use artoo_protocol::v1::{
    AnchorFound, AuditHead, AuditReport, RoleShare, VerifyAuditResponse, WindowFigures,
};

use super::{lines, verify_lines};
use crate::render::Line;

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text(false))).collect()
}

fn report() -> AuditReport {
    AuditReport {
        trigger: "on-demand".to_owned(),
        head: Some(AuditHead { seq: 7, hash: "ab".repeat(32) }),
        anchored_in: vec!["audit/anchors.jsonl".to_owned(), "system log (/dev/log)".to_owned()],
        ..AuditReport::default()
    }
}

#[test]
fn a_report_shows_the_whole_head_however_narrow_the_screen_is() {
    let shown = text(&lines(&report(), 40));
    assert!(shown.contains(&format!("head      7 {}\n", "ab".repeat(32))), "{shown}");
    assert!(shown.contains("recorded  audit/anchors.jsonl, system log (/dev/log)"), "{shown}");
    assert!(!shown.contains("note the head down") && !shown.contains("behind"), "{shown}");
}

#[test]
fn a_report_says_where_there_is_no_system_log_and_that_it_is_behind() {
    let places = vec!["audit/anchors.jsonl".to_owned()];
    let shown = text(&lines(&AuditReport { anchored_in: places, unread: 3, ..report() }, 100));
    assert!(shown.contains("note the head down elsewhere"), "{shown}");
    assert!(shown.contains("behind    3 journals with more to read"), "{shown}");
}

#[test]
fn a_window_is_shown_when_it_is_there() {
    let share = RoleShare {
        role: "R3".to_owned(),
        measure: "failed verdicts".to_owned(),
        bad: 1,
        all: 20,
        bad_before: 3,
        all_before: 90,
    };
    let window = WindowFigures {
        envelopes: 41,
        replans: 1,
        reasons: HashMap::from([("criteria_met".to_owned(), 2), ("declined".to_owned(), 1)]),
        findings: HashMap::from([("drops".to_owned(), 1)]),
        roles: vec![share],
    };
    let shown = text(&lines(&AuditReport { window: Some(window), ..report() }, 100));
    for part in [
        "window    41 messages, 1 replan\n",
        "ended     2 criteria_met, 1 declined\n",
        "found     1 drops\n",
        "role      R3 failed verdicts: 1 of 20, before 3 of 90\n",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
}

#[test]
fn a_check_names_what_it_was_held_against_and_where_noted_hashes_are() {
    let found = VerifyAuditResponse {
        intact: true,
        lines: 12,
        segments: 2,
        anchors_checked: 1,
        anchors_found: vec![AnchorFound {
            hash: "cd".repeat(32),
            sequence: 9,
            segment: "audit-000001.jsonl".to_owned(),
        }],
        ..VerifyAuditResponse::default()
    };
    let shown = text(&verify_lines(&found));
    assert!(
        shown.contains("✓ intact   12 lines in 2 segments checked, against 1 recorded head\n"),
        "{shown}"
    );
    assert!(
        shown.contains(&format!("✓ {} is line 9 of the log, in audit-000001.jsonl", "cd".repeat(32))),
        "{shown}"
    );
    let broken = VerifyAuditResponse { findings: vec!["x: line 3 was changed".to_owned()], ..found };
    let shown = text(&verify_lines(&VerifyAuditResponse { intact: false, ..broken }));
    assert!(shown.starts_with("✗ not intact") && shown.contains("line 3 was changed"), "{shown}");
}
