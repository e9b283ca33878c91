use super::*;

/// `parents` are pairs of a process and its parent; 100 is the daemon.
fn check(pid: u32, parents: &[(u32, u32)], expected: bool) {
    let stat = |pid: u32| {
        let (_, parent) = parents.iter().find(|(child, _)| *child == pid)?;
        parent_of(&format!("{pid} (a (b) 7 R 9 c) S {parent} 5 5 0 -1"))
    };
    assert_eq!(descends(pid, 100, stat), expected, "{pid} in {parents:?}");
    let listed: String = parents.iter().map(|(child, parent)| format!("  {child} {parent}\n")).collect();
    let table = parents_in(&format!("{listed}not a line\n"));
    assert_eq!(
        descends(pid, 100, |pid| table.get(&pid).copied()),
        expected,
        "{pid} in the table {parents:?}"
    );
}

#[test]
fn children_of_any_depth_are_found() {
    check(200, &[(200, 100)], true);
    check(202, &[(202, 201), (201, 200), (200, 100), (100, 1)], true);
}

#[test]
fn the_daemon_itself_and_strangers_are_not_children() {
    check(100, &[(100, 1)], false);
    check(300, &[(300, 1), (100, 1)], false);
    check(50, &[(100, 50), (50, 1)], false);
    check(301, &[(301, 300), (300, 0)], false);
}

#[test]
fn who_is_gone_counts_as_a_child_and_who_hides_above_does_not() {
    check(400, &[], true);
    check(401, &[(401, 400)], false);
}

#[test]
fn a_circle_of_parents_ends() {
    check(500, &[(500, 501), (501, 500)], true);
}

#[test]
fn a_real_child_is_found_and_a_real_parent_is_not() {
    let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("sleep exists");
    assert!(descends_from_us(child.id()));
    child.kill().and_then(|()| child.wait()).expect("it can be ended");
    let parent = std::os::unix::process::parent_id();
    assert!(!descends_from_us(parent));
    assert!(!descends_from_us(std::process::id()));
}

#[test]
fn only_the_whole_token_is_known() {
    let token = "0123456789abcdef";
    assert!(knows(token, token));
    assert!(knows(token, "0123456789abcdef\n"), "as the file holds it");
    for wrong in ["", "0123456789abcde", "0123456789abcdeff", "0123456789ABCDEF", "1123456789abcdef"] {
        assert!(!knows(token, wrong), "{wrong:?}");
    }
    assert!(!knows("", ""), "a daemon without a token takes no answers");
}

#[tokio::test]
async fn a_connection_of_ours_may_answer() {
    let (ours, _theirs) = UnixStream::pair().expect("a pair of sockets");
    let peer = Peer::of(&ours).expect("our own account");
    assert_eq!(peer.pid, Some(std::process::id()));
    assert!(peer.may_answer());
    assert!(!Peer { is_own_child: true, ..peer }.may_answer());
}
