use super::{CallAct, ChangeKind, FileChange, Receipt};
use crate::{EffectId, EvidenceId};

fn receipt() -> Receipt {
    Receipt::quiet(EvidenceId::receipt(EffectId(1)), "shell")
}

fn change(path: &str, kind: ChangeKind) -> FileChange {
    FileChange { path: path.to_owned(), kind, before: None, after: None, modes: None }
}

#[test]
fn a_receipt_knows_what_its_call_changed() {
    let changes = vec![
        change("/w/a.txt", ChangeKind::Changed),
        change("/w/new", ChangeKind::Made),
        change("/w/docs/deep/b.txt", ChangeKind::Deleted),
        change("/w/kept", ChangeKind::Changed),
    ];
    let receipt = Receipt { act: CallAct { changes, ..CallAct::default() }, ..receipt() };
    for changed in ["/w/a.txt", "/w", "/", "/w/docs", "/w/docs/", "/w/docs/deep/b.txt", "/w/new/x/y"] {
        assert!(receipt.changed(changed), "{changed}");
    }
    // A name that only begins alike, a sibling, and what lies in a folder that itself was only touched.
    for other in ["/w/a.txt2", "/w/a", "/w/docs/c.txt", "/w/newer", "/w/kept/x", "/x"] {
        assert!(!receipt.changed(other), "{other}");
    }
}

#[test]
fn a_receipt_without_changes_has_the_form_that_it_always_had() {
    let quiet = serde_json::to_string(&receipt()).unwrap();
    assert_eq!(
        quiet,
        r#"{"id":"r1","tool":"shell","classes":["shell"],"blame":"shell","target":"","arguments":"{}","effect":"read","end":"ran","exit":0,"output":"","output_bytes":0,"digest":"","started_at":0,"elapsed_ms":1}"#
    );
    assert_eq!(serde_json::from_str::<Receipt>(&quiet).unwrap(), receipt());
}

#[test]
fn what_a_call_did_is_kept_in_its_journal() {
    let change = FileChange {
        path: "/w/a".to_owned(),
        kind: ChangeKind::Made,
        before: None,
        after: Some("ab".to_owned()),
        modes: None,
    };
    let act = CallAct {
        changes: vec![change],
        changes_omitted: 3,
        written: Some("text".to_owned()),
        ..CallAct::default()
    };
    let receipt = Receipt { act, ..receipt() };
    let text = serde_json::to_string(&receipt).unwrap();
    assert!(
        text.ends_with(
            r#""changes":[{"path":"/w/a","kind":"made","after":"ab"}],"changes_omitted":3,"written":"text"}"#
        ),
        "{text}"
    );
    assert_eq!(serde_json::from_str::<Receipt>(&text).unwrap(), receipt);
}
