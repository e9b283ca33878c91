//! Requests that are refused, and surroundings in which the daemon does not start: what the person reads, and the exit
//! code that a script sees.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;

use artoo_testing::{Ended, Home};

const UNKNOWN: &str = "01890000-0000-7000-8000-000000000000";

/// It ended with this code and told everything in `words` on standard error.
fn check(row: &str, ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, Some(code), "{row}: {ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "{row}: no {word:?} in {ended:?}");
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it exists").permissions().mode() & 0o7777
}

/// The daemon does not start, with these words, and ends by itself.
fn check_no_start(row: &str, home: &Home, words: &[&str]) {
    let ended = home.daemon_program(&["--foreground"]);
    check(row, &ended, 1, words);
    assert!(!ended.stderr.contains("panicked"), "{row}: {ended:?}");
}

#[test]
fn the_daemon_refuses_what_cannot_be_a_request() {
    let mut home = Home::new();
    home.start();
    let folder = "/nowhere/at/all";
    let rows: [(&str, &[&str], &[&str]); 6] = [
        ("nothing to do", &["run", ""], &["input"]),
        ("only blanks", &["run", " \n\t "], &["input"]),
        ("show", &["show", UNKNOWN], &[UNKNOWN]),
        ("cancel", &["cancel", UNKNOWN], &[UNKNOWN]),
        ("show a prefix", &["show", "ffffff"], &["ffffff"]),
        ("no such folder", &["run", "--cwd", folder, "List the files"], &["working_directory", folder]),
    ];
    for (row, arguments, words) in rows {
        check(row, &home.artoo(arguments), 5, words);
    }
    let most = 64 * 1024;
    let long = home.client_with_input(&["run", "-"], Some(&"x".repeat(most + 1))).wait();
    check("one byte too long", &long, 5, &["input", "65536"]);
    assert_eq!(home.json(&["tasks"])["tasks"].as_array().map(Vec::len), Some(0), "nothing was accepted");
}

#[test]
fn a_request_of_the_greatest_length_is_taken() {
    let mut home = Home::new();
    home.start();
    let ended = home.client_with_input(&["run", "--json", "-"], Some(&"x".repeat(64 * 1024))).wait();
    assert_eq!(ended.code, Some(1), "the rules decline it: {}", ended.stderr);
    assert!(ended.stdout.contains("\"final_result\""), "{}", ended.stderr);
}

#[test]
fn without_a_daemon_the_client_says_what_to_do() {
    let home = Home::new();
    for arguments in [&["status"][..], &["run", "List the files"], &["tasks"], &["audit"]] {
        check("no daemon", &home.artoo(arguments), 3, &["does not answer", "--no-start", "artoo doctor"]);
    }
    check("usage", &home.artoo(&["run"]), 2, &["artoo run"]);
    check("usage", &home.artoo(&["tasks", "--nonsense"]), 2, &["--nonsense"]);
}

#[test]
fn a_socket_path_beyond_the_limit_is_refused_by_both_programs() {
    let long = format!("/tmp/{}/artoo.sock", "x".repeat(120));
    let home = Home::new().variable("ARTOO_SOCKET", &long);
    let limit = if cfg!(target_os = "macos") { "103" } else { "107" };
    check("client", &home.artoo(&["status"]), 1, &["ARTOO_SOCKET", limit]);
    check_no_start("daemon", &home, &["ARTOO_SOCKET", limit]);
}

#[test]
fn two_daemons_do_not_share_a_data_folder() {
    let mut home = Home::new();
    home.start();
    let pid = home.daemon_pid().to_string();
    // By its status a client tells a daemon that may be dying from what stays wrong.
    let second = home.daemon_program(&["--foreground"]);
    check("the second", &second, 75, &["another artoo-daemon", &pid]);
    assert_eq!(home.json(&["status"])["pid"].to_string(), pid, "the first goes on");
}

#[test]
fn a_socket_that_a_dead_daemon_left_is_replaced() {
    let mut home = Home::new();
    home.start();
    home.kill();
    assert!(home.socket().exists(), "a killed daemon cannot remove it");
    check("left over", &home.artoo(&["status"]), 3, &["nobody answers"]);
    home.start();
    assert_eq!(home.json(&["status"])["pid"], home.daemon_pid());
}

#[test]
fn what_is_no_socket_of_ours_is_left_alone() {
    let home = Home::new();
    home.configure("", 0o600);
    fs::write(home.socket(), "precious").expect("the data folder can be written");
    check_no_start("a file", &home, &["not a socket", "ARTOO_SOCKET"]);
    assert_eq!(fs::read_to_string(home.socket()).expect("it is still there"), "precious");

    fs::remove_file(home.socket()).expect("it is ours");
    let other = UnixListener::bind(home.socket()).expect("the path is free");
    check_no_start("a stranger listens", &home, &["another program", "ARTOO_SOCKET"]);
    assert!(home.socket().exists());
    drop(other);
}

#[test]
fn a_data_folder_that_cannot_be_used_is_named() {
    let home = Home::new();
    fs::write(home.data(), "in the way").expect("the home can be written");
    check_no_start("a file in its place", &home, &[".artoo", "ARTOO_DATA_DIR"]);

    let home = Home::new();
    std::os::unix::fs::symlink(home.work(), home.data()).expect("the home can be written");
    check_no_start("a link in its place", &home, &[".artoo", "ARTOO_DATA_DIR"]);
}

#[test]
fn a_configuration_with_mistakes_is_refused() {
    let rows: [(&str, &str, u32, &[&str]); 6] = [
        ("no TOML", "[model]\nmodel = \"a\"\nbase_url = http\n", 0o600, &["config.toml", "3"]),
        (
            "unknown key",
            "[model]\n\nbase_ulr = \"http://localhost\"\n",
            0o600,
            &["config.toml", "3", "base_url"],
        ),
        ("unknown section", "[controll]\nalpha = 0.5\n", 0o600, &["config.toml", "1", "control"]),
        ("value out of range", "[control]\ntheta = 7\n", 0o600, &["config.toml", "2", "theta", "1"]),
        ("readable secret", "[model]\napi_key = \"sk-1\"\n", 0o644, &["config.toml", "600"]),
        ("readable by the group", "[model]\napi_key = \"sk-1\"\n", 0o640, &["config.toml", "600"]),
    ];
    for (row, text, mode, words) in rows {
        let home = Home::new();
        home.configure(text, mode);
        check_no_start(row, &home, words);
        let ended = home.daemon_program(&["--foreground"]);
        assert!(!ended.stderr.contains("sk-1"), "{row} tells the secret: {ended:?}");
    }
}

#[test]
fn only_the_owner_can_reach_the_daemon_and_its_data() {
    let mut home = Home::new();
    fs::create_dir(home.data()).expect("the home can be written");
    fs::set_permissions(home.data(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    home.start();
    assert_eq!(mode(&home.socket()), 0o600);
    assert_eq!(mode(&home.data()), 0o700);
    for file in ["confirm.token", "debug.log", "daemon.lock"] {
        assert_eq!(mode(&home.data().join(file)) & 0o077, 0, "{file}");
    }
}
