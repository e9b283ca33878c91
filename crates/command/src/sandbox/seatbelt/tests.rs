use super::profile;
use crate::sandbox::{Bounds, Confinement, Grant};

/// The folder of artoo: its names are seen, what its files hold is not, a walk of a home does not end at it.
const HIDDEN: &str = r#"(deny file-write* file-link process-exec (subpath "/Users/u/.artoo"))
(deny file-read-data file-read-xattr (require-all (subpath "/Users/u/.artoo") (require-not (vnode-type DIRECTORY))))
"#;

fn bounds(grants: Vec<Grant>, network: bool) -> Bounds {
    Bounds { grants, network, ..Bounds::reading(vec!["/Users/u/.artoo".to_owned()]) }
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
(deny file-write* file-link process-exec (subpath "/Users/u/.artoo"))
(deny file-read-data file-read-xattr (require-all (subpath "/Users/u/.artoo") (require-not (vnode-type DIRECTORY))))
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
    let rules = "(allow file-write-data file-write-times (literal \"/w/new\"))
(allow file-write-create (literal \"/w/own\"))
(allow file-write-create (literal \"/l/link\"))
(allow file-write-create file-link (literal \"/l/hard\"))
(allow file-link (literal \"/w/x\"))
(allow file-write-data (literal \"/w/old\"))
(allow file-write* (subpath \"/w/all\"))
(allow file-write-unlink (subpath \"/n\"))
(allow network-outbound";
    assert!(text.contains(rules), "{text}");
    assert!(text.ends_with(HIDDEN), "{text}");
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
    assert_eq!(guard, Some(format!("(version 1)\n(allow default)\n{HIDDEN}")));
}

#[test]
fn only_a_command_that_shows_processes_starts_what_does_outside_of_its_profile() {
    let showing = text(Bounds { shows_processes: true, ..bounds(Vec::new(), false) });
    let plain = text(bounds(Vec::new(), false));
    let rule = "(allow process-exec (with no-sandbox) (literal \"/bin/ps\"))\n";
    assert_eq!(showing.replace(rule, ""), plain);
    assert!(showing.contains(rule) && showing.ends_with(HIDDEN), "{showing}");
}
