//! The decision about one path.

use super::super::decide::{CallStep, UndoDecision, decide};
use super::super::state::EntryState;

fn file(digest: &str) -> EntryState {
    EntryState::File { mode: 0o644, bytes: 1, digest: digest.to_owned() }
}

fn step(before: &EntryState, after: Option<&EntryState>) -> CallStep {
    CallStep { before: before.clone(), after: after.cloned() }
}

fn skips(decision: &UndoDecision) -> bool {
    matches!(decision, UndoDecision::Skip(_))
}

#[test]
fn each_case() {
    let (a, b, c, x) = (file("a"), file("b"), file("c"), file("x"));
    let chain = [step(&a, Some(&b)), step(&b, Some(&c))];
    assert_eq!(decide(&chain, &c, false), UndoDecision::Restore(0));
    assert_eq!(decide(&chain, &b, false), UndoDecision::Restore(0), "an undo that stopped half way");
    assert_eq!(decide(&chain, &a, false), UndoDecision::Unchanged);
    assert_eq!(decide(&chain, &EntryState::Absent, false), UndoDecision::Restore(0));
    assert!(skips(&decide(&chain, &x, false)));
    assert_eq!(decide(&chain, &x, true), UndoDecision::Restore(0));

    // Somebody wrote x between the two calls: the undo stops there.
    let broken = [step(&a, Some(&b)), step(&x, Some(&c))];
    assert_eq!(decide(&broken, &c, false), UndoDecision::Restore(1));
    assert!(skips(&decide(&broken, &x, false)));
    assert_eq!(decide(&broken, &x, true), UndoDecision::Restore(0));
    assert!(skips(&decide(&broken, &b, false)), "b is not what the last call left");

    // Nobody looked after the call.
    let unknown = [step(&a, None)];
    assert_eq!(decide(&unknown, &a, false), UndoDecision::Unchanged);
    assert_eq!(decide(&unknown, &EntryState::Absent, false), UndoDecision::Restore(0));
    assert!(skips(&decide(&unknown, &b, false)));
}
