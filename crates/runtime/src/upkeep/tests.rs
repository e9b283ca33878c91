use std::time::Duration;

use crate::testing::{assembled, offline, places};

#[tokio::test(flavor = "multi_thread")]
async fn the_auditor_goes_on_reading_a_system_journal_that_was_made_shorter() {
    let folder = tempfile::tempdir().expect("a folder");
    let places = places(folder.path());
    let daemon = assembled(&places, offline(), false);
    let size = || std::fs::metadata(places.system_journal()).expect("it is there").len();
    for _ in 0..20 {
        daemon.auditor.report(false).await.expect("it answers");
    }
    let read = tokio::time::timeout(Duration::from_secs(60), async {
        while daemon.audited.system_sequence() < 30 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    read.await.expect("the auditor saves what it has read");
    let before = size();
    let limit = before / 4;
    let dropped = daemon.system.trim(limit, daemon.audited.system_sequence()).expect("there is room");
    assert!(dropped >= 30 && size() < before, "{dropped}");
    let seen = daemon.auditor.report(false).await.expect("it answers").totals.envelopes;
    let report = daemon.auditor.report(false).await.expect("it answers");
    assert_eq!(report.anomalies, Vec::<String>::new());
    assert_eq!(report.totals.envelopes, seen + 2, "a question and a report; nothing is seen twice or missed");
    daemon.shut_down(Duration::ZERO).await;
}
