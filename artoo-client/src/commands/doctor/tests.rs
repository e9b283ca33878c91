use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use artoo_protocol::PROTOCOL_VERSION;
use artoo_protocol::v1::GetStatusResponse;

use super::{Verdict, lines, note, of_status, private};

#[test]
fn a_file_that_others_can_read_is_wrong() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("confirm.token");
    assert_eq!(private("token", &file, 0o600), None, "what does not exist leaks nothing");
    std::fs::write(&file, "x").expect("it can be written");
    for (mode, verdict) in [(0o600, Verdict::Fine), (0o640, Verdict::Wrong), (0o604, Verdict::Wrong)] {
        std::fs::set_permissions(&file, Permissions::from_mode(mode)).expect("its mode can be set");
        assert_eq!(private("token", &file, 0o600).map(|check| check.verdict), Some(verdict), "{mode:o}");
    }
}

/// The check with this name ends like this.
fn check(status: &GetStatusResponse, name: &str, verdict: Verdict) {
    let checks = of_status(status);
    let found = checks.iter().find(|check| check.name == name).expect("the check is made");
    assert_eq!(found.verdict, verdict, "{found:?}");
    assert_eq!(found.remedy.is_empty(), verdict == Verdict::Fine, "{found:?}");
}

#[test]
fn another_version_and_missing_models_are_told() {
    let mut status = GetStatusResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol_version: PROTOCOL_VERSION,
        provider: "openai".to_owned(),
        brain_model: "m".to_owned(),
        confinement: "landlock".to_owned(),
        audit_anchored_in: vec!["audit/anchors.jsonl".to_owned(), "system log (/dev/log)".to_owned()],
        children: "subreaper + process group (cgroup not writable)".to_owned(),
        ..Default::default()
    };
    for name in ["version", "model", "confinement", "audit log", "children"] {
        check(&status, name, Verdict::Fine);
    }
    status.version = "0.0.1".to_owned();
    check(&status, "version", Verdict::Note);
    status.protocol_version += 1;
    check(&status, "version", Verdict::Wrong);
    status.provider = "offline".to_owned();
    check(&status, "model", Verdict::Note);
    status.confinement.clear();
    check(&status, "confinement", Verdict::Note);
    status.audit_anchored_in.pop();
    check(&status, "audit log", Verdict::Note);
    for means in ["", "process group"] {
        status.children = means.to_owned();
        check(&status, "children", Verdict::Note);
    }
}

#[test]
fn texts_break_between_words_and_stay_under_each_other() {
    let saw = "only commands that are seen to read run unasked";
    let check = note("confinement", saw.to_owned(), "everything else asks before it runs".to_owned());
    let shown: Vec<String> = lines(&check, 50).iter().map(|line| line.text(false)).collect();
    let expected = [
        "! confinement   only commands that are seen to",
        "                read run unasked",
        "                → everything else asks before it",
        "                  runs",
    ];
    assert_eq!(shown, expected);
}
