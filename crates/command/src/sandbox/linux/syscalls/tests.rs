use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket, socketpair};
use rustix::process::{getpid, test_kill_process};

use super::{Allowed, Believed, programs};

/// What a thread with this filter sees.
fn within<T: Send>(allowed: Allowed, see: impl FnOnce() -> T + Send) -> T {
    let programs = programs(allowed).unwrap();
    std::thread::scope(|scope| {
        let filtered = || {
            for program in &programs {
                seccompiler::apply_filter(program).unwrap();
            }
            see()
        };
        scope.spawn(filtered).join().unwrap()
    })
}

const NOTHING: Allowed = Allowed {
    network: false,
    modes: false,
    signals: false,
    believed: Believed { folders: false, links: false },
};

#[test]
fn where_landlock_keeps_no_signals_inside_none_is_sent() {
    let signal = || test_kill_process(getpid());
    assert_eq!(within(NOTHING, signal), Err(Errno::PERM));
    assert_eq!(within(Allowed { signals: true, ..NOTHING }, signal), Ok(()));
}

#[test]
fn where_landlock_keeps_no_signals_inside_none_is_sent_by_way_of_a_file_either() {
    let asks = |way: &'static str| {
        let program = format!("import fcntl, os, struct\nr, w = os.pipe()\n{way}");
        move || {
            std::process::Command::new("python3").args(["-c", &program]).output().unwrap().status.success()
        }
    };
    for way in [
        "fcntl.fcntl(r, 8, os.getpid())",
        "fcntl.fcntl(r, 10, 10)",
        "fcntl.fcntl(r, 15, struct.pack('ii', 1, os.getpid()))",
        "import socket\na, b = socket.socketpair()\nfcntl.ioctl(a, 0x8901, struct.pack('i', os.getpid()))",
        "import socket\na, b = socket.socketpair()\nfcntl.ioctl(a, 0x8902, struct.pack('i', os.getpid()))",
    ] {
        assert!(within(Allowed { signals: true, ..NOTHING }, asks(way)), "it can be done: {way}");
        assert!(!within(NOTHING, asks(way)), "{way}");
    }
    assert!(within(NOTHING, asks("fcntl.fcntl(r, fcntl.F_GETFL)")), "the rest of it works");
}

#[test]
fn the_network_opens_plain_sockets_of_the_internet_and_no_other() {
    let opens = |allowed, family, kind| within(allowed, move || socket(family, kind, None).is_ok());
    let network = Allowed { network: true, ..NOTHING };
    for (allowed, family, kind, expected) in [
        (NOTHING, AddressFamily::INET, SocketType::STREAM, false),
        (NOTHING, AddressFamily::UNIX, SocketType::STREAM, false),
        (network, AddressFamily::INET, SocketType::STREAM, true),
        (network, AddressFamily::INET, SocketType::DGRAM, true),
        (network, AddressFamily::INET, SocketType::RAW, false),
        (network, AddressFamily::UNIX, SocketType::STREAM, false),
        (network, AddressFamily::NETLINK, SocketType::RAW, false),
    ] {
        assert_eq!(opens(allowed, family, kind), expected, "{allowed:?} {family:?} {kind:?}");
    }
}

#[test]
fn only_pairs_of_sockets_that_stay_connected_are_made() {
    let makes =
        |family, kind| within(NOTHING, move || socketpair(family, kind, SocketFlags::CLOEXEC, None).is_ok());
    for (family, kind, expected) in [
        (AddressFamily::UNIX, SocketType::STREAM, true),
        (AddressFamily::UNIX, SocketType::SEQPACKET, true),
        (AddressFamily::UNIX, SocketType::DGRAM, false),
        (AddressFamily::UNIX, SocketType::RAW, false),
        (AddressFamily::INET, SocketType::STREAM, false),
    ] {
        assert_eq!(makes(family, kind), expected, "{family:?} {kind:?}");
    }
}

#[test]
fn what_was_made_before_is_believed_to_be_made_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let believing = |folders, links| Allowed { believed: Believed { folders, links }, ..NOTHING };
    std::fs::write(path("file"), "x").unwrap();
    let tries = || {
        let folder = std::fs::create_dir(path("folder")).is_ok();
        let links = [
            std::os::unix::fs::symlink("file", path("soft")).is_ok(),
            std::fs::hard_link(path("file"), path("hard")).is_ok(),
        ];
        (folder, links)
    };
    let there = || ["folder", "soft", "hard"].map(|name| path(name).symlink_metadata().is_ok());
    assert_eq!(within(believing(true, true), tries), (true, [true, true]));
    assert_eq!(there(), [false, false, false], "it only believes so");
    assert_eq!(within(believing(true, false), tries), (true, [true, true]));
    assert_eq!(there(), [false, true, true], "folders say nothing of links");
    std::fs::remove_file(path("soft")).unwrap();
    std::fs::remove_file(path("hard")).unwrap();
    assert_eq!(within(believing(false, true), tries), (true, [true, true]));
    assert_eq!(there(), [true, false, false], "and links nothing of folders");
}

#[test]
fn modes_are_the_owners_only_where_they_are_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let change = || rustix::fs::chmod(dir.path(), rustix::fs::Mode::RWXU);
    assert_eq!(within(NOTHING, change), Err(Errno::PERM));
    assert_eq!(within(Allowed { modes: true, ..NOTHING }, change), Ok(()));
}
