//! Programs that change the machine, or decide about artoo itself.

use artoo_types::evidence::EffectClass::{self, System, Unknown};

use super::flags::{Flags, LOOKS_LIKE_COMMAND, NONE, QUOTED_COMMANDS, REVEALS, STOPS};
use super::row::{Changes, Harmless, Help, Never, Program, ProgramOutput, Runs, SandboxNeeds};
use crate::never;

#[allow(clippy::too_many_arguments)] // a column each
const fn acts(
    names: &'static str,
    runs: Runs,
    effect: EffectClass,
    harmless: Harmless,
    help: Help,
    never: Never,
    flags: Flags,
    sandbox: SandboxNeeds,
) -> Program {
    Program {
        names,
        runs,
        effect,
        harmless,
        help,
        changes: Changes::Operands,
        never,
        flags,
        output: ProgramOutput::Unknown,
        sandbox,
    }
}

/// Programs that change the machine and run nothing that they are given.
const fn changes(
    names: &'static str,
    harmless: Harmless,
    never: Never,
    flags: Flags,
    sandbox: SandboxNeeds,
) -> Program {
    acts(names, Runs::Nothing, System, harmless, Help::Long, never, flags, sandbox)
}

use Harmless::{Alone, FirstWords, No};
use SandboxNeeds::{Escalation, Unbounded};
use never::nothing;

pub(super) static ROWS: &[Program] = &[
    // Packages.
    changes("apt", FirstWords(&["list", "show", "search", "policy"]), nothing, NONE, Unbounded),
    changes("apt-get dnf yum zypper apk pacman port softwareupdate", No, nothing, NONE, Unbounded),
    changes("brew", FirstWords(&["list", "--prefix", "--cellar"]), nothing, STOPS, Unbounded),
    changes(
        "dpkg",
        FirstWords(&["-l", "-L", "-s", "-S", "--list", "--status", "--listfiles"]),
        nothing,
        NONE,
        Unbounded,
    ),
    changes("snap flatpak", No, nothing, NONE, Escalation),
    changes("docker", No, never::shares_machine, QUOTED_COMMANDS, Unbounded),
    changes("podman", No, never::shares_machine, QUOTED_COMMANDS, Escalation),
    // Processes and services.
    changes("kill", FirstWords(&["-l"]), never::kills, STOPS | LOOKS_LIKE_COMMAND, Unbounded),
    changes("pkill killall skill xkill service loginctl", No, nothing, STOPS, Unbounded),
    acts("rc-service", Runs::Nothing, System, No, Help::No, nothing, STOPS | QUOTED_COMMANDS, Unbounded),
    changes("launchctl", FirstWords(&["list", "print"]), nothing, STOPS, Unbounded),
    changes(
        "systemctl",
        FirstWords(&[
            "status",
            "list-units",
            "list-unit-files",
            "list-timers",
            "is-active",
            "is-enabled",
            "is-failed",
            "show",
            "cat",
        ]),
        nothing,
        STOPS,
        Unbounded,
    ),
    changes("shutdown reboot halt poweroff init telinit launchd update-rc.d", No, nothing, NONE, Unbounded),
    acts("at", Runs::Input, System, No, Help::Long, nothing, QUOTED_COMMANDS, Escalation),
    acts("batch", Runs::Input, System, No, Help::Long, nothing, NONE, Unbounded),
    acts("crontab", Runs::Input, System, FirstWords(&["-l"]), Help::Long, nothing, NONE, Escalation),
    acts("osascript", Runs::Language, System, No, Help::No, nothing, NONE, Unbounded),
    // Disks.
    changes("mkfs* mkswap sfdisk sgdisk cryptsetup asr", No, never::erases, LOOKS_LIKE_COMMAND, Unbounded),
    acts("mke2fs newfs* pvcreate", Runs::Nothing, System, No, Help::No, never::erases, NONE, Unbounded),
    changes("fdisk gdisk parted hdparm nvme", No, never::partitions, NONE, Unbounded),
    changes("zpool zfs", No, never::destroys_pool, NONE, Unbounded),
    changes("diskutil", FirstWords(&["list", "info"]), never::diskutil, NONE, Unbounded),
    changes("btrfs hdiutil lvremove vgremove pvremove mdadm swapoff swapon", No, nothing, NONE, Unbounded),
    changes("mount", Alone, nothing, NONE, Escalation),
    changes("umount", No, nothing, NONE, Escalation),
    acts("fusermount fusermount3", Runs::Nothing, Unknown, No, Help::No, nothing, NONE, Escalation),
    changes("mdutil", FirstWords(&["-s"]), nothing, NONE, Unbounded),
    changes(
        "tmutil",
        FirstWords(&["listbackups", "status", "latestbackup", "destinationinfo"]),
        nothing,
        NONE,
        Unbounded,
    ),
    // Accounts and settings.
    changes("passwd chsh", No, nothing, NONE, Escalation),
    changes("useradd userdel usermod groupadd groupdel chpasswd visudo dscl", No, nothing, NONE, Unbounded),
    changes("security", No, nothing, REVEALS, Unbounded),
    changes("defaults", FirstWords(&["read", "domains", "read-type"]), nothing, NONE, Unbounded),
    changes("pmset", FirstWords(&["-g"]), nothing, NONE, Unbounded),
    changes("scutil", FirstWords(&["--get", "--dns", "--proxy"]), nothing, NONE, Unbounded),
    changes("spctl", FirstWords(&["--status"]), nothing, NONE, Unbounded),
    changes("csrutil", FirstWords(&["status"]), nothing, NONE, Unbounded),
    changes(
        "sysctl",
        FirstWords(&["-n", "-a", "hw.ncpu", "hw.memsize", "kern.ostype"]),
        nothing,
        NONE,
        Unbounded,
    ),
    changes(
        "hostnamectl timedatectl localectl hwclock networksetup systemsetup",
        No,
        nothing,
        NONE,
        Unbounded,
    ),
    changes(
        "modprobe insmod rmmod setpci nvram efibootmgr grub-install dracut",
        No,
        nothing,
        NONE,
        Unbounded,
    ),
    changes("iptables nft ufw firewall-cmd", No, nothing, NONE, Unbounded),
    acts(
        "artoo artoo-daemon",
        Runs::Nothing,
        Unknown,
        No,
        Help::No,
        never::decides_for_person,
        NONE,
        Unbounded,
    ),
];
