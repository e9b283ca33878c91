//! System calls that a confined command cannot make, as tables: what Landlock does not cover, and what would lead around
//! it. Everything else stays allowed.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule, sock_filter,
};

use crate::sandbox::ModeRights;

/// What the filter leaves to a command beyond reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowed {
    /// Sockets of the internet families.
    pub(super) network: bool,
    /// Changing modes, owners and times of files; of all of them attributes too, and bits by which one runs as its owner.
    pub(super) modes: ModeRights,
    /// Signals; only where Landlock keeps them inside.
    pub(super) signals: bool,
    /// What it may believe to do.
    pub(super) believed: Believed,
}

/// What was made before the command starts, so that the calls that would make it succeed and do nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Believed {
    /// Making folders.
    pub(super) folders: bool,
    /// Making links.
    pub(super) links: bool,
    /// Setting modes of files.
    pub(super) modes: bool,
}

/// Ways into the kernel, into other processes and into other views of the file system.
const NEVER: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    libc::SYS_open_by_handle_at,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
];
/// Ways to other processes of the user that are no files: queues, memory and locks of System V, and message queues.
const MAILBOXES: &[c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];
/// Settings of a process that is named in the first argument. With 0 it is the caller itself; a limit or a priority of
/// another is how the daemon could be stopped without a signal.
const SETTINGS: &[c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];
/// The same with the process in the second argument, and in the first the kind of what is named, of which
/// the one here is allowed.
const RANKED: &[(c_long, u64)] =
    &[(libc::SYS_setpriority, libc::PRIO_PROCESS as u64), (libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS)];
/// Of the x86 alone: access to the machine's ports.
#[cfg(target_arch = "x86_64")]
const NEVER_HERE: &[c_long] = &[libc::SYS_iopl, libc::SYS_ioperm];
#[cfg(not(target_arch = "x86_64"))]
const NEVER_HERE: &[c_long] = &[];

/// Changes of a file's owner, and of its times, which Landlock does not see. Those that can be told from "now" are apart, see
/// [`times`].
const OWNERS: &[c_long] = &[libc::SYS_fchown, libc::SYS_fchownat];
/// Changes of a file's attributes, which Landlock does not see either.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
];
/// The older forms of the same, which newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const OWNERS_HERE: &[c_long] =
    &[libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const OWNERS_HERE: &[c_long] = &[];

/// The changes of a file's mode alone.
const PERMISSIONS: &[c_long] = &[libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchmodat2];
#[cfg(target_arch = "x86_64")]
const PERMISSIONS_HERE: &[c_long] = &[libc::SYS_chmod];
#[cfg(not(target_arch = "x86_64"))]
const PERMISSIONS_HERE: &[c_long] = &[];

/// The same, and the making of files that are told by their call alone, with the argument that is the mode.
const WITH_MODE: &[(c_long, u8)] =
    &[(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (libc::SYS_fchmodat2, 2), (libc::SYS_mknodat, 2)];
#[cfg(target_arch = "x86_64")]
const WITH_MODE_HERE: &[(c_long, u8)] = &[(libc::SYS_chmod, 1), (libc::SYS_creat, 1), (libc::SYS_mknod, 1)];
#[cfg(not(target_arch = "x86_64"))]
const WITH_MODE_HERE: &[(c_long, u8)] = &[];

/// Opening, with the argument that is the flags; the mode of a file that is made comes next.
const OPENING: &[(c_long, u8)] = &[(libc::SYS_openat, 2)];
#[cfg(target_arch = "x86_64")]
const OPENING_HERE: &[(c_long, u8)] = &[(libc::SYS_open, 1)];
#[cfg(not(target_arch = "x86_64"))]
const OPENING_HERE: &[(c_long, u8)] = &[];

/// Making folders, and making links.
const FOLDERS: &[c_long] = &[libc::SYS_mkdirat];
const LINKS: &[c_long] = &[libc::SYS_symlinkat, libc::SYS_linkat];
#[cfg(target_arch = "x86_64")]
const FOLDERS_HERE: &[c_long] = &[libc::SYS_mkdir];
#[cfg(target_arch = "x86_64")]
const LINKS_HERE: &[c_long] = &[libc::SYS_symlink, libc::SYS_link];
#[cfg(not(target_arch = "x86_64"))]
const FOLDERS_HERE: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
const LINKS_HERE: &[c_long] = &[];

/// What is done with a socket that reaches others.
const SOCKETS: &[c_long] =
    &[libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];
/// Signals to others.
const SIGNALS: &[c_long] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
];

/// Commands of `fcntl`, and requests of `ioctl`, that name who gets a signal when a file is ready, or which. Source:
/// fcntl(2), `linux/sockios.h`.
const FCNTL_SIGNALS: &[u64] = &[libc::F_SETOWN as u64, F_SETSIG, F_SETOWN_EX];
const IOCTL_SIGNALS: &[u64] = &[0x8901, 0x8902];

// Numbers that the libc crate does not have for every architecture; they are the same on all. Source: the kernel's
// `scripts/syscall.tbl`.
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

// Source: `asm-generic/fcntl.h`.
const F_SETSIG: u64 = 10;
const F_SETOWN_EX: u64 = 15;

/// One process, for `ioprio_set`; see ioprio_set(2).
const IOPRIO_WHO_PROCESS: u64 = 1;
/// Requests of `ioctl` that put input into a terminal. Source: ioctl_tty(2).
const IOCTL_TERMINAL: &[u64] = &[libc::TIOCSTI, libc::TIOCLINUX, libc::TIOCSETD];
/// Those that make and remove subvolumes and snapshots of btrfs in a folder that is open for reading, which Landlock does
/// not see. Source: `linux/btrfs.h`, in its order: making and removing, each in two forms; which one is mounted; flags; what
/// was received.
const IOCTL_VOLUMES: &[u64] = &[
    0x5000_9401,
    0x5000_940e,
    0x5000_940f,
    0x5000_9417,
    0x5000_9418,
    0x5000_943f,
    0x4008_9413,
    0x4008_941a,
    0xc0c8_9425,
];
/// Those that change flags and attributes of a file that is open for reading, or make it unchangeable for good. Sources:
/// ioctl_iflags(2), `linux/fs.h`, `linux/fsverity.h`.
const IOCTL_MODES: &[u64] = &[0x4008_6602, 0x4004_6602, 0x401c_5820, 0x4080_6685];

/// New namespaces, in the flags of `clone`.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32 as u64;
/// The part of a socket's type that is not a flag.
const SOCKET_TYPE: u64 = 0xf;

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// The programs of the filter, to be installed one after the other; the strictest answer counts.
///
/// # Errors
/// When this processor is not known to the filter's compiler.
pub(super) fn programs(allowed: Allowed) -> Result<Vec<BpfProgram>, seccompiler::Error> {
    // A caller that gets "not implemented" falls back to the older call, whose flags can be looked at.
    let missing = Rules::from([libc::SYS_clone3, libc::SYS_openat2].map(|call| (call, Vec::new())));
    let mut programs = vec![
        compiled(refused(allowed)?, SeccompAction::Errno(libc::EPERM as u32))?,
        compiled(missing, SeccompAction::Errno(libc::ENOSYS as u32))?,
    ];
    let sets_none = allowed.modes == ModeRights::Nothing;
    if sets_none {
        // Setting the times of a file that was just made to "now" changes nothing, so `touch` may believe that it did.
        let now = vec![rule(&[equal(1, 0)?, equal(2, 0)?])?];
        programs.push(compiled(Rules::from([(libc::SYS_utimensat, now)]), SeccompAction::Errno(0))?);
    }
    if allowed.modes == ModeRights::OfGrants {
        // Who gets that goes on without them, as on a file system that has none: an undo restores none.
        let attributes: Rules = ATTRIBUTES.iter().map(|call| (*call, Vec::new())).collect();
        programs.push(compiled(attributes, SeccompAction::Errno(libc::EOPNOTSUPP as u32))?);
    }
    let Believed { folders, links, modes } = allowed.believed;
    let believed = [
        (folders, [FOLDERS, FOLDERS_HERE]),
        (links, [LINKS, LINKS_HERE]),
        (modes && allowed.modes != ModeRights::All, [PERMISSIONS, PERMISSIONS_HERE]),
    ];
    for (is_made, calls) in believed {
        if is_made {
            let calls: Rules = calls.concat().into_iter().map(|call| (call, Vec::new())).collect();
            programs.push(compiled(calls, SeccompAction::Errno(0))?);
        }
    }
    programs.extend(other_numbers());
    Ok(programs)
}

fn refused(allowed: Allowed) -> Result<Rules, seccompiler::Error> {
    let mut rules: Rules =
        NEVER.iter().chain(NEVER_HERE).chain(MAILBOXES).map(|call| (*call, Vec::new())).collect();
    let flags = (0..64).map(|bit| 1_u64 << bit).filter(|flag| NAMESPACES & flag != 0);
    let clone: Result<Vec<_>, _> = flags.map(|flag| rule(&[masked(0, flag, flag)?])).collect();
    rules.insert(libc::SYS_clone, clone?);
    for call in SETTINGS {
        rules.insert(*call, vec![rule(&[differs(0, 0)?])?]);
    }
    for (call, process) in RANKED {
        rules.insert(*call, vec![rule(&[differs(0, *process)?])?, rule(&[differs(1, 0)?])?]);
    }
    // Reading the limits of another changes nothing.
    rules.insert(libc::SYS_prlimit64, vec![rule(&[differs(0, 0)?, differs(2, 0)?])?]);
    let mut ioctl = [IOCTL_TERMINAL, IOCTL_VOLUMES].concat();
    let whole = |calls: &[c_long]| -> Rules { calls.iter().map(|call| (*call, Vec::new())).collect() };
    if allowed.modes == ModeRights::Nothing {
        rules.extend(whole(OWNERS).into_iter().chain(whole(OWNERS_HERE)));
        if !allowed.believed.modes {
            rules.extend(whole(PERMISSIONS).into_iter().chain(whole(PERMISSIONS_HERE)));
        }
        rules.insert(libc::SYS_utimensat, times()?);
    }
    if allowed.modes != ModeRights::All {
        if allowed.modes == ModeRights::Nothing {
            rules.extend(whole(ATTRIBUTES));
        }
        ioctl.extend(IOCTL_MODES);
        for (call, mode) in WITH_MODE.iter().chain(WITH_MODE_HERE) {
            rules.entry(*call).or_insert(as_owner(*mode)?);
        }
        for (call, flags) in OPENING.iter().chain(OPENING_HERE) {
            rules.insert(*call, made_as_owner(*flags)?);
        }
    }
    if !allowed.signals {
        rules.extend(SIGNALS.iter().map(|call| (*call, Vec::new())));
        rules.insert(libc::SYS_fcntl, one_of(FCNTL_SIGNALS)?);
        ioctl.extend(IOCTL_SIGNALS);
    }
    rules.insert(libc::SYS_ioctl, one_of(&ioctl)?);
    rules.insert(libc::SYS_socketpair, pairs()?);
    if allowed.network {
        rules.insert(libc::SYS_socket, local_sockets()?);
    } else {
        rules.insert(libc::SYS_socket, Vec::new());
        rules.extend(SOCKETS.iter().map(|call| (*call, Vec::new())));
    }
    Ok(rules)
}

/// Calls whose mode, in this argument, has a bit by which a file runs as its owner or group.
fn as_owner(mode: u8) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    [libc::S_ISUID, libc::S_ISGID]
        .iter()
        .map(|bit| rule(&[masked(mode, u64::from(*bit), u64::from(*bit))?]))
        .collect()
}

/// Calls that open a file by the flags in this argument, where they make one with such a bit in its mode, which comes next.
fn made_as_owner(flags: u8) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let makes = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY].map(|flag| u64::from(flag as u32));
    let bits = [libc::S_ISUID, libc::S_ISGID].map(u64::from);
    let each = makes.iter().flat_map(|flag| bits.iter().map(move |bit| (*flag, *bit)));
    each.map(|(flag, bit)| rule(&[masked(flags, flag, flag)?, masked(flags + 1, bit, bit)?])).collect()
}

/// Every change of times, except for [`programs`]' one of an open file to "now".
fn times() -> Result<Vec<SeccompRule>, seccompiler::Error> {
    Ok(vec![rule(&[differs(1, 0)?])?, rule(&[differs(2, 0)?])?])
}

/// Calls with one of these in the second argument, of which the kernel takes 32 bits.
fn one_of(requests: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    requests.iter().map(|request| rule(&[equal_word(1, *request)?])).collect()
}

/// Every pair of sockets that can be pointed at another socket by its path: all but streams and packets in order. What the
/// kernel makes of a type is its own choice; for a raw one it makes datagrams.
fn pairs() -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let connected = [libc::SOCK_STREAM as u64, libc::SOCK_SEQPACKET as u64];
    let mut pairs = vec![rule(&[differs(0, libc::AF_UNIX as u64)?])?];
    for other in (0..=SOCKET_TYPE).filter(|kind| !connected.contains(kind)) {
        pairs.push(rule(&[masked(1, SOCKET_TYPE, other)?])?);
    }
    Ok(pairs)
}

/// Everything but plain streams and datagrams of the internet families.
fn local_sockets() -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let (four, six) = (libc::AF_INET as u64, libc::AF_INET6 as u64);
    let raw = libc::SOCK_RAW as u64;
    Ok(vec![rule(&[differs(0, four)?, differs(0, six)?])?, rule(&[masked(1, SOCKET_TYPE, raw)?])?])
}

fn compiled(rules: Rules, action: SeccompAction) -> Result<BpfProgram, seccompiler::Error> {
    let arch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()?)
}

fn rule(conditions: &[SeccompCondition]) -> Result<SeccompRule, seccompiler::Error> {
    Ok(SeccompRule::new(conditions.to_vec())?)
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, Length::Qword, Op::Eq, value)?)
}

/// As [`equal`] for an argument that the kernel takes as 32 bits.
fn equal_word(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, Length::Dword, Op::Eq, value)?)
}

fn differs(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    // The families of sockets are words; addresses are whole, and no address is 0 in its lower half alone by accident.
    let length = if value == 0 { Length::Qword } else { Length::Dword };
    Ok(SeccompCondition::new(argument, length, Op::Ne, value)?)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, Length::Qword, Op::MaskedEq(mask), value)?)
}

/// Refuses system calls of the x32 kind, which have numbers of their own and would pass by the tables.
#[cfg(target_arch = "x86_64")]
fn other_numbers() -> Option<BpfProgram> {
    const LOAD_NUMBER: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const X32: u32 = 0x4000_0000;
    const REFUSE: u32 = 0x0005_0000 | libc::ENOSYS as u32;
    const ALLOW: u32 = 0x7fff_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    Some(vec![
        step(LOAD_NUMBER, 0, 0, 0),
        step(JUMP_IF_AT_LEAST, 0, 1, X32),
        step(RETURN, 0, 0, REFUSE),
        step(RETURN, 0, 0, ALLOW),
    ])
}

#[cfg(not(target_arch = "x86_64"))]
fn other_numbers() -> Option<BpfProgram> {
    None
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socket, socketpair};
    use rustix::process::{getpid, test_kill_process};

    use super::{Allowed, Believed, ModeRights, programs};

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
        modes: ModeRights::Nothing,
        signals: false,
        believed: Believed { folders: false, links: false, modes: false },
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
                std::process::Command::new("python3")
                    .args(["-c", &program])
                    .output()
                    .unwrap()
                    .status
                    .success()
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
        let makes = |family, kind| {
            within(NOTHING, move || socketpair(family, kind, SocketFlags::CLOEXEC, None).is_ok())
        };
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
        let believing =
            |folders, links| Allowed { believed: Believed { folders, links, modes: false }, ..NOTHING };
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
        assert_eq!(within(Allowed { modes: ModeRights::All, ..NOTHING }, change), Ok(()));
        let file = dir.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let sets = || rustix::fs::chmod(&file, rustix::fs::Mode::empty());
        let believing = Allowed { believed: Believed { modes: true, ..Believed::default() }, ..NOTHING };
        assert_eq!(within(believing, sets), Ok(()), "it was set before");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "x", "it only believes so");
        let takes = || rustix::fs::chown(&file, Some(rustix::process::getuid()), None);
        assert_eq!(within(believing, takes), Err(Errno::PERM), "owners are nobody's to set");
    }
}
