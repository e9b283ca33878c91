use super::profile;
use crate::sandbox::{Bounds, Confinement, Grant, ModeRights};

fn bounds(grants: Vec<Grant>, network: bool) -> Bounds {
    Bounds {
        hidden: vec!["/Users/u/.artoo".to_owned()],
        reads: Vec::new(),
        grants,
        network,
        modes: ModeRights::Nothing,
    }
}

fn text(bounds: Bounds) -> String {
    profile(&Confinement::Confined(bounds), "/private/tmp/call").unwrap()
}

#[test]
fn a_command_that_reads_gets_no_more_than_this() {
    let expected = r#"(version 1)
(deny default)
(allow process-fork)
(allow process-exec)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-write-data
    (literal "/dev/null")
    (literal "/dev/zero")
    (literal "/dev/dtracehelper")
    (literal "/dev/random")
    (literal "/dev/urandom"))
(allow file-ioctl (literal "/dev/dtracehelper"))
(allow ipc-posix-sem)
(allow mach-lookup
    (global-name "com.apple.system.opendirectoryd.libinfo")
    (global-name "com.apple.system.notification_center")
    (global-name "com.apple.system.logger"))
(allow file-write* (subpath "/private/tmp/call"))
(deny file-read* file-write* (subpath "/Users/u/.artoo"))
"#;
    assert_eq!(text(bounds(Vec::new(), false)), expected);
}

#[test]
fn each_grant_is_one_rule_before_what_is_hidden() {
    let grants = vec![
        Grant::New("/w/new".to_owned()),
        Grant::NewFolder("/w/folder".to_owned()),
        Grant::OwnFolder("/w/own".to_owned()),
        Grant::Symlink { path: "/l/link".to_owned(), text: "x".to_owned() },
        Grant::HardLink { path: "/l/hard".to_owned(), of: "/w/x".to_owned() },
        Grant::Content("/w/old".to_owned()),
        Grant::Below("/w/all".to_owned()),
        Grant::Removals("/n".to_owned()),
    ];
    let text = text(bounds(grants, true));
    let rules = "(allow file-write-data (literal \"/w/new\"))
(allow file-write-create (literal \"/w/own\"))
(allow file-write-create (literal \"/l/link\"))
(allow file-write-create (literal \"/l/hard\"))
(allow file-write-data (literal \"/w/old\"))
(allow file-write* (subpath \"/w/all\"))
(allow file-write-unlink (subpath \"/n\"))
(allow network-outbound";
    assert!(text.contains(rules), "{text}");
    assert!(text.ends_with("(deny file-read* file-write* (subpath \"/Users/u/.artoo\"))\n"), "{text}");
}

#[test]
fn no_path_gets_out_of_its_quotes() {
    let paths = [
        ("/w/a b", "(literal \"/w/a b\")"),
        ("/w/\"))(allow default)", "(literal \"/w/\\\"))(allow default)\")"),
        ("/w/back\\", "(literal \"/w/back\\\\\")"),
        ("/w/\\\"", "(literal \"/w/\\\\\\\"\")"),
        ("/w/line\n(allow default)", "(literal \"/w/line\n(allow default)\")"),
    ];
    for (path, expected) in paths {
        let text = text(bounds(vec![Grant::Content(path.to_owned())], false));
        assert!(text.contains(expected), "{path}: {text}");
    }
}

#[test]
fn full_power_needs_no_profile_and_a_guard_hides_alone() {
    assert_eq!(profile(&Confinement::FullPower, "/t"), None);
    let guard = profile(&Confinement::Guarded(vec!["/Users/u/.artoo".to_owned()]), "/t");
    let expected =
        "(version 1)\n(allow default)\n(deny file-read* file-write* (subpath \"/Users/u/.artoo\"))\n";
    assert_eq!(guard.as_deref(), Some(expected));
}
