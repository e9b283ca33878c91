use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Places, SOCKET_PATH_BYTES};

/// With this flag and environment, and the home folder `/h`, the places are these.
fn check(flag: Option<&str>, environment: &[(&str, &str)], data: &str, socket: &str) {
    let variable =
        |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
    let places =
        Places::resolve(flag.map(Path::new), variable, Some(PathBuf::from("/h"))).expect("it resolves");
    assert_eq!(places, Places { data: data.into(), socket: socket.into() });
}

#[test]
fn the_flag_comes_before_the_environment_and_that_before_the_default() {
    check(None, &[], "/h/.artoo", "/h/.artoo/artoo.sock");
    check(None, &[("ARTOO_DATA_DIR", "/d")], "/d", "/d/artoo.sock");
    check(None, &[("ARTOO_DATA_DIR", "/d"), ("ARTOO_SOCKET", "/s/x")], "/d", "/s/x");
    check(Some("/f"), &[("ARTOO_SOCKET", "/s/x")], "/h/.artoo", "/f");
    check(None, &[("ARTOO_SOCKET", ""), ("ARTOO_DATA_DIR", "")], "/h/.artoo", "/h/.artoo/artoo.sock");
}

#[test]
fn a_socket_path_over_the_limit_is_refused_with_limit_and_variable() {
    let fits = format!("/{}", "x".repeat(SOCKET_PATH_BYTES - 1));
    check(Some(&fits), &[], "/h/.artoo", &fits);
    let error = Places::resolve(Some(Path::new(&format!("{fits}x"))), |_| None, Some("/h".into()))
        .expect_err("one byte too long");
    let text = error.to_string();
    assert!(text.contains(&SOCKET_PATH_BYTES.to_string()) && text.contains("ARTOO_SOCKET"), "{text}");
}

#[test]
fn without_a_home_folder_the_variable_is_asked_for() {
    let error = Places::resolve(None, |_| None, None).expect_err("nowhere to go");
    assert!(error.to_string().contains("ARTOO_DATA_DIR"));
}
