//! Nothing of a server outlives it, and no server outlives the daemon.

use crate::bench::{Bench, is_alive, script};
use artoo_mcp::ServerState;
use artoo_testing::{Home, wait_until};

#[test]
fn what_a_server_starts_ends_with_it() {
    let bench = Bench::new(&["daemon"]);
    bench.once(ServerState::Ready);
    let pids = bench.pids();
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|pid| is_alive(pid)), "{pids:?}");
    bench.shut_down();
    assert!(!pids.iter().any(|pid| is_alive(pid)), "{pids:?}");
    assert_eq!(bench.view().state, ServerState::Stopped);
}

fn home() -> (Home, std::path::PathBuf) {
    let home = Home::new();
    let notes = home.root().join("notes");
    std::fs::create_dir(&notes).expect("the home is ours");
    let text = format!(
        "[mcp.servers.bad]\ncommand = \"python3\"\nargs = [{:?}, {:?}, \"daemon\"]\n",
        script(),
        notes.to_string_lossy()
    );
    home.configure(&text, 0o600);
    (home, notes.join("pids"))
}

fn pids(file: &std::path::Path) -> Vec<String> {
    let noted = std::fs::read_to_string(file).unwrap_or_default();
    noted.lines().map(str::to_owned).collect()
}

#[test]
fn a_server_ends_with_a_daemon_that_is_killed() {
    let (mut home, notes) = home();
    home.start();
    wait_until("the server has started", || pids(&notes).len() == 2);
    home.kill();
    wait_until("all of it is gone", || !pids(&notes).iter().any(|pid| is_alive(pid)));
}

#[test]
fn a_server_ends_before_a_daemon_that_is_asked_to_end() {
    let (mut home, notes) = home();
    home.start();
    wait_until("the server has started", || pids(&notes).len() == 2);
    wait_until("it is ready", || home.json(&["mcp", "list"])["servers"][0]["state"] == "ready");
    let (status, said) = home.terminate();
    assert!(status.success(), "{said}");
    assert!(!pids(&notes).iter().any(|pid| is_alive(pid)), "{:?}", pids(&notes));
}
