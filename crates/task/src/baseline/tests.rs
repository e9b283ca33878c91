use artoo_types::criteria::{Check, Compare, FailureClass, Verdict};
use artoo_types::evidence::{CallAct, ChangeKind, CheckEvidence, EffectClass, FileChange, Receipt};
use artoo_types::machine::{AskedCheck, Intent};
use artoo_types::{EffectId, EvidenceId};

use super::Baseline;

fn exists(path: &str) -> Check {
    Check::FileExists { path: path.to_owned() }
}

fn asked(check: &Check) -> Vec<AskedCheck> {
    vec![AskedCheck { criterion: 0, check: check.clone() }]
}

fn evidence(effect: u64, verdict: Verdict, subjects: &[&str]) -> Vec<CheckEvidence> {
    vec![CheckEvidence {
        id: EvidenceId::check(EffectId(effect), 0),
        criterion: 0,
        verdict,
        failure_class: (verdict == Verdict::Fail).then_some(FailureClass::Logical),
        saw: format!("look {effect}"),
        subjects: subjects.iter().map(|path| (*path).to_owned()).collect(),
        before: None,
    }]
}

fn receipt(effect: u64, changes: &[(&str, ChangeKind)]) -> Receipt {
    let change = |(path, kind): &(&str, ChangeKind)| FileChange {
        path: (*path).to_owned(),
        kind: *kind,
        before: None,
        after: None,
        modes: None,
    };
    let act = CallAct { changes: changes.iter().map(change).collect(), ..CallAct::default() };
    Receipt { act, ..Receipt::quiet(EvidenceId::receipt(EffectId(effect)), "shell") }
}

/// What changed the subjects, according to receipts.
fn changed_by(subjects: &[&str], receipts: &[Receipt]) -> Option<String> {
    let mut baseline = Baseline::default();
    receipts.iter().for_each(|receipt| baseline.did(receipt, None));
    let check = exists("x");
    let completed = baseline.complete(&asked(&check), evidence(9, Verdict::Pass, subjects));
    completed[0].before.as_ref().expect("it is about the world").changed_by.clone().map(|id| id.0)
}

#[test]
fn the_first_look_at_a_check_is_the_state_before() {
    let mut baseline = Baseline::default();
    let check = exists("/w/a");
    baseline.note(&asked(&check), evidence(1, Verdict::Fail, &["/w/a"]));
    baseline.note(&asked(&check), evidence(2, Verdict::Pass, &["/w/a"]));
    let completed = baseline.complete(&asked(&check), evidence(3, Verdict::Pass, &["/w/a"]));
    let before = completed[0].before.clone().expect("it is about the world");
    assert_eq!(
        (before.verdict, before.saw.as_str(), before.id.0.as_str()),
        (Some(Verdict::Fail), "look 1", "c1.0")
    );
}

#[test]
fn what_was_not_or_could_not_be_looked_at_is_not_known() {
    let mut baseline = Baseline::default();
    let check = exists("/w/a");
    let before = |baseline: &Baseline| {
        let completed = baseline.complete(&asked(&check), evidence(3, Verdict::Pass, &["/w/a"]));
        completed[0].before.clone().expect("it is about the world").verdict
    };
    assert_eq!(before(&baseline), None);
    let mut prevented = evidence(1, Verdict::Fail, &[]);
    prevented[0].failure_class = Some(FailureClass::Environmental);
    baseline.note(&asked(&check), prevented);
    assert_eq!(before(&baseline), None);
}

#[test]
fn only_checks_about_the_world_have_a_state_before() {
    let check = Check::OutputContains { text: "x".to_owned() };
    let completed = Baseline::default().complete(&asked(&check), evidence(3, Verdict::Pass, &[]));
    assert_eq!(completed[0].before, None);
}

#[test]
fn a_subject_is_changed_by_the_last_receipt_that_names_it() {
    let made = receipt(1, &[("/w/new", ChangeKind::Made)]);
    let edited = receipt(2, &[("/w/a", ChangeKind::Changed), ("/w/new", ChangeKind::Changed)]);
    let gone = receipt(3, &[("/w/old", ChangeKind::Deleted)]);
    let receipts = [made, edited, gone, receipt(4, &[])];
    let check = |subjects: &[&str], expected: Option<&str>| {
        assert_eq!(changed_by(subjects, &receipts).as_deref(), expected, "{subjects:?}");
    };
    check(&["/w/a"], Some("r2"));
    check(&["/w/new"], Some("r2"));
    check(&["/w/new/below"], Some("r1"));
    check(&["/w/old/below"], Some("r3"));
    // The folder around a changed file is another thing than the file, unless everything below it is meant.
    check(&["/w"], None);
    check(&["/w/"], Some("r3"));
    check(&["/w/a/below"], None);
    check(&["/w/ab"], None);
    check(&[], None);
}

#[test]
fn a_target_counts_only_where_not_all_changes_could_be_seen() {
    let intent = Intent {
        effects: vec![EffectClass::Overwrite],
        targets: vec!["/w/a".to_owned()],
        digest: String::new(),
    };
    let check = |receipt: Receipt, expected: Option<&str>| {
        let mut baseline = Baseline::default();
        baseline.did(&receipt, Some(&intent));
        let completed = baseline.complete(&asked(&exists("a")), evidence(9, Verdict::Pass, &["/w/a"]));
        let before = completed[0].before.clone().expect("it is about the world");
        assert_eq!(before.changed_by.map(|id| id.0).as_deref(), expected);
    };
    let mut seen = receipt(1, &[]);
    check(seen.clone(), None);
    seen.act.changes_omitted = 1;
    check(seen.clone(), Some("r1"));
    seen.exit = Some(1);
    check(seen, None);
}

/// Fails where a file that went counts as moved because some other came, or a rename as a loss.
#[test]
fn what_was_only_moved_is_told_from_what_came_and_went() {
    let check = Check::FilesMatch { glob: "/w/*".to_owned(), op: Compare::Eq, n: 2.0 };
    let moved_only = |changes: &[(&str, ChangeKind, &str)]| {
        let mut mv = receipt(2, &[]);
        mv.act.changes = changes
            .iter()
            .map(|(path, kind, digest)| {
                let digest = |of: ChangeKind| (of != *kind).then(|| (*digest).to_owned());
                FileChange {
                    path: (*path).to_owned(),
                    kind: *kind,
                    before: digest(ChangeKind::Made),
                    after: digest(ChangeKind::Deleted),
                    modes: None,
                }
            })
            .collect();
        let mut baseline = Baseline::default();
        baseline.note(&asked(&check), evidence(1, Verdict::Pass, &["/w/a", "/w/b"]));
        baseline.did(&mv, None);
        let completed = baseline.complete(&asked(&check), evidence(9, Verdict::Pass, &["/w/b", "/w/c"]));
        completed[0].before.clone().expect("it is about the world").moved_only
    };
    let (gone, made) = (ChangeKind::Deleted, ChangeKind::Made);
    assert!(moved_only(&[("/w/a", gone, "x"), ("/w/c", made, "x")]));
    assert!(moved_only(&[("/w/a", gone, "x"), ("/w/c", made, "x"), ("/else", made, "z")]));
    assert!(!moved_only(&[("/w/a", gone, "x"), ("/w/c", made, "y")]), "another file");
    assert!(!moved_only(&[("/w/a", gone, "x"), ("/w/c", made, "x"), ("/w/b", ChangeKind::Changed, "z")]));
    assert!(!moved_only(&[]), "nothing was moved");
}

/// One change of `/w/a` with these digests.
fn edit(effect: u64, before: &str, after: &str) -> Receipt {
    let mut edit = receipt(effect, &[("/w/a", ChangeKind::Changed)]);
    edit.act.changes[0].before = Some(before.to_owned());
    edit.act.changes[0].after = Some(after.to_owned());
    edit
}

/// Fails where the state before is that of a later plan, or a file that was put back counts as disturbed.
#[test]
fn what_a_later_plan_looks_at_first_is_compared_with_the_beginning_of_the_task() {
    let check = exists("/w/a");
    let before = |acts: &[Receipt], later: &[Receipt]| {
        let mut baseline = Baseline::default();
        acts.iter().for_each(|receipt| baseline.did(receipt, None));
        baseline.note(&asked(&check), evidence(5, Verdict::Pass, &["/w/a"]));
        later.iter().for_each(|receipt| baseline.did(receipt, None));
        let completed = baseline.complete(&asked(&check), evidence(9, Verdict::Pass, &["/w/a"]));
        completed[0].before.clone().expect("it is about the world")
    };
    let untouched = before(&[], &[]);
    assert_eq!((untouched.verdict, untouched.put_back), (Some(Verdict::Pass), false));
    let changed = before(&[edit(1, "x", "y")], &[]);
    assert_eq!((changed.verdict, changed.put_back), (None, false));
    assert_eq!(changed.saw, "when it was first looked at, r1 had changed it");
    let restored = before(&[edit(1, "x", "y")], &[edit(6, "y", "x")]);
    assert_eq!((restored.verdict, restored.put_back), (Some(Verdict::Pass), true));
    assert_eq!(restored.changed_by.map(|id| id.0).as_deref(), Some("r6"));
    let elsewhere = before(&[edit(1, "x", "y")], &[edit(6, "y", "z")]);
    assert!(!elsewhere.put_back);
    assert!(
        !before(&[receipt(1, &[("/w/a", ChangeKind::Changed)])], &[]).put_back,
        "nobody knows what it held"
    );
}
