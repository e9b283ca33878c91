//! The decision about one path.

use super::super::decide::{Decision, Step, decide};
use super::super::state::State;

fn file(digest: &str) -> State {
    State::File { mode: 0o644, bytes: 1, digest: digest.to_owned() }
}

fn step(before: &State, after: Option<&State>) -> Step {
    Step { before: before.clone(), after: after.cloned() }
}

fn skips(decision: &Decision) -> bool {
    matches!(decision, Decision::Skip(_))
}

#[test]
fn each_case() {
    let (a, b, c, x) = (file("a"), file("b"), file("c"), file("x"));
    let chain = [step(&a, Some(&b)), step(&b, Some(&c))];
    assert_eq!(decide(&chain, &c, false), Decision::Restore(0));
    assert_eq!(decide(&chain, &b, false), Decision::Restore(0), "an undo that stopped half way");
    assert_eq!(decide(&chain, &a, false), Decision::Unchanged);
    assert_eq!(decide(&chain, &State::Absent, false), Decision::Restore(0));
    assert!(skips(&decide(&chain, &x, false)));
    assert_eq!(decide(&chain, &x, true), Decision::Restore(0));

    // Somebody wrote x between the two calls: the undo stops there.
    let broken = [step(&a, Some(&b)), step(&x, Some(&c))];
    assert_eq!(decide(&broken, &c, false), Decision::Restore(1));
    assert!(skips(&decide(&broken, &x, false)));
    assert_eq!(decide(&broken, &x, true), Decision::Restore(0));
    assert!(skips(&decide(&broken, &b, false)), "b is not what the last call left");

    // Nobody looked after the call.
    let unknown = [step(&a, None)];
    assert_eq!(decide(&unknown, &a, false), Decision::Unchanged);
    assert_eq!(decide(&unknown, &State::Absent, false), Decision::Restore(0));
    assert!(skips(&decide(&unknown, &b, false)));
}
