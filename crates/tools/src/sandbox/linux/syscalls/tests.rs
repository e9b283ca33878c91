use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::process::{getpid, test_kill_process};

use super::{Allowed, programs};

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

const NOTHING: Allowed = Allowed { network: false, modes: false, signals: false };

#[test]
fn where_landlock_keeps_no_signals_inside_none_is_sent() {
    let signal = || test_kill_process(getpid());
    assert_eq!(within(NOTHING, signal), Err(Errno::PERM));
    assert_eq!(within(Allowed { signals: true, ..NOTHING }, signal), Ok(()));
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
fn modes_are_the_owners_only_where_they_are_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let change = || rustix::fs::chmod(dir.path(), rustix::fs::Mode::RWXU);
    assert_eq!(within(NOTHING, change), Err(Errno::PERM));
    assert_eq!(within(Allowed { modes: true, ..NOTHING }, change), Ok(()));
}
