//! Programs that act: what they would do, and the few uses that are never allowed.

use artoo_types::evidence::EffectClass;

use super::glob;
use super::survey::Survey;
use super::word::Arg;
use crate::places::{Places, canonical, is_below};

/// What programs do to the world when they are not in the table of harmless ones.
const EFFECTS: &[(EffectClass, &str, &[&str])] = &[
    (EffectClass::Delete, "deletes", &["rm", "rmdir", "unlink", "shred", "trash", "srm", "wipefs"]),
    (
        EffectClass::Overwrite,
        "may replace or change what is there",
        &[
            "mv", "cp", "ln", "install", "tee", "truncate", "dd", "tar", "unzip", "gunzip", "gzip", "bzip2",
            "xz", "zstd", "rsync", "patch", "chmod", "chown", "chgrp", "chattr", "setfacl", "touch", "split",
            "ditto", "cpio",
        ],
    ),
    (EffectClass::Create, "makes something new", &["mkdir", "mktemp", "mkfifo", "zip"]),
    (
        EffectClass::Send,
        "talks to the network",
        &[
            "curl", "wget", "fetch", "ssh", "scp", "sftp", "rclone", "nc", "ncat", "netcat", "telnet", "ftp",
            "dig", "nslookup", "host", "ping", "mail", "sendmail", "gh", "aws", "gcloud", "kubectl", "http",
            "socat", "whois",
        ],
    ),
    (
        EffectClass::System,
        "changes the machine",
        &[
            "systemctl",
            "service",
            "launchctl",
            "apt",
            "apt-get",
            "dpkg",
            "dnf",
            "yum",
            "pacman",
            "brew",
            "snap",
            "shutdown",
            "reboot",
            "halt",
            "poweroff",
            "kill",
            "pkill",
            "killall",
            "mount",
            "umount",
            "mkfs",
            "fdisk",
            "parted",
            "diskutil",
            "defaults",
            "crontab",
            "at",
            "useradd",
            "userdel",
            "usermod",
            "passwd",
            "sysctl",
            "modprobe",
            "insmod",
            "iptables",
            "ufw",
            "docker",
            "podman",
            "launchd",
            "nvram",
            "csrutil",
            "swapoff",
        ],
    ),
];

/// Programs that bring text in from the network.
const FETCHERS: &[&str] = &["curl", "wget", "fetch", "http", "lynx", "aria2c", "nc", "ncat", "netcat"];
/// Programs whose purpose is to talk to a machine that the person has a key for: naming the key is not sending it.
const KEY_USERS: &[&str] =
    &["ssh", "scp", "sftp", "rclone", "gh", "aws", "gcloud", "kubectl", "mail", "sendmail"];
/// Folders without which a system does not run.
const VITAL: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib64",
    "/opt",
    "/private",
    "/proc",
    "/root",
    "/sbin",
    "/sys",
    "/usr",
    "/var",
    "/applications",
    "/library",
    "/system",
    "/users",
    "/volumes",
];

/// Whether the program brings text in from the network.
pub(super) fn fetches(name: &str) -> bool {
    FETCHERS.contains(&name)
}

/// Whether the path is a disk.
pub(super) fn is_disk(path: &str) -> bool {
    const DISKS: &[&str] =
        &["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-"];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
}

/// Whether this path, or everything directly in it, is a home, a system, or holds one.
pub(super) fn is_vital(path: &str, places: &Places) -> bool {
    let path = path.trim_end_matches('*');
    let normal = places.path(if path.is_empty() { "." } else { path });
    [normal.clone(), canonical(&normal)].iter().any(|form| {
        let lower = form.to_lowercase();
        let home = places.home.to_lowercase();
        lower == "/"
            || VITAL.contains(&lower.as_str())
            || is_below(&home, &lower)
            || is_below(&canonical(&places.home).to_lowercase(), &lower)
    })
}

/// Judges a program that is not in the table of harmless ones.
pub(super) fn judge(name: &str, args: &[Arg], survey: &mut Survey<'_>) {
    let base = if name.starts_with("mkfs") { "mkfs" } else { name };
    match EFFECTS.iter().find(|(_, _, names)| names.contains(&base)) {
        Some((effect, what, _)) => {
            survey.act(effect_of(name, args, survey, *effect), &format!("{name} {what}"));
        }
        None => survey.act(EffectClass::Unknown, &format!("what {name} does is not known")),
    }
    let talks =
        EFFECTS.iter().any(|(effect, _, names)| *effect == EffectClass::Send && names.contains(&base));
    survey.sends |= talks && !KEY_USERS.contains(&base);
    for arg in args {
        // A path can stand behind a sign: name=@path, -o=path, host:path.
        for piece in arg.shown().split(['@', '=', ':']).filter(|piece| piece.contains('/')) {
            survey.path(&Arg::plain(piece), false);
        }
    }
    for arg in args.iter().filter(|a| !a.is_option()) {
        survey.path(arg, false);
        if !arg.shown().is_empty() {
            survey.touch(survey.places.path(&arg.shown()));
            survey.operand(arg);
        }
    }
    never(base, args, survey);
}

/// Copying or linking to a name that is free makes something new.
fn effect_of(name: &str, args: &[Arg], survey: &Survey<'_>, effect: EffectClass) -> EffectClass {
    let last = args.last().and_then(Arg::fixed);
    let is_free = last.is_some_and(|t| std::fs::symlink_metadata(survey.places.path(&t)).is_err());
    let is_plain = matches!(name, "cp" | "ln" | "touch" | "tee") && args.len() <= 2;
    if is_plain && is_free { EffectClass::Create } else { effect }
}

/// The uses that are refused whatever a person says.
fn never(name: &str, args: &[Arg], survey: &mut Survey<'_>) {
    let options: Vec<String> = args.iter().filter(|a| a.is_option()).map(Arg::prefix).collect();
    let has =
        |letters: &str, long: &str| options.iter().any(|o| super::options::is_one_of(o, letters, &[long]));
    let operands: Vec<&Arg> = args.iter().filter(|a| !a.is_option()).collect();
    let hits_vital = |survey: &Survey<'_>| operands.iter().any(|arg| may_be_vital(arg, survey.places));
    match name {
        "rm" | "shred" | "srm" if has("rR", "recursive") && hits_vital(survey) => {
            survey.forbid("it would delete a home or a system");
        }
        "chmod" | "chown" | "chgrp" if has("R", "recursive") && hits_vital(survey) => {
            survey.forbid("it would lock a home or a system");
        }
        "mv" if operands
            .split_last()
            .is_some_and(|(_, sources)| sources.iter().any(|arg| may_be_vital(arg, survey.places))) =>
        {
            survey.forbid("it would move a home or a system away");
        }
        "mkfs" | "wipefs" => survey.forbid("it would erase a disk"),
        "dd" if args.iter().any(|a| a.prefix().strip_prefix("of=").is_some_and(is_disk)) => {
            survey.forbid("it would overwrite a disk");
        }
        "tee" | "cp" | "shred" | "truncate" if operands.iter().any(|a| is_disk(&a.prefix())) => {
            survey.forbid("it would overwrite a disk");
        }
        "kill" | "pkill" | "killall" if args.iter().any(|a| a.shown().to_lowercase().contains("artoo")) => {
            survey.forbid("it would stop artoo itself");
        }
        _ => {}
    }
}

/// Whether an operand is, or may turn out to be, a home or a system: also `"$UNSET"/*`, which becomes `/*`.
fn may_be_vital(arg: &Arg, places: &Places) -> bool {
    use super::word::Part;
    match arg.fixed() {
        Some(text) => is_vital(&text, places),
        None => match arg.0.as_slice() {
            [Part::Hole { .. }, rest @ ..] => {
                let rest = Arg(rest.to_vec()).shown();
                rest.starts_with('/') && is_vital(&rest, places)
            }
            _ if arg.is_pattern() => glob::expand(arg, places, false)
                .unwrap_or_else(|| vec![arg.shown()])
                .iter()
                .any(|text| text.starts_with('/') && is_vital(text, places)),
            _ => false,
        },
    }
}

/// A `git` command that does more than look.
pub(super) fn git(command: &str, rest: &[Option<String>], survey: &mut Survey<'_>) {
    let effect = match command {
        "push" | "fetch" | "pull" | "clone" | "ls-remote" | "send-email" => EffectClass::Send,
        "clean" | "rm" | "stash" | "gc" | "prune" => EffectClass::Delete,
        "reset" | "checkout" | "restore" | "switch" | "revert" | "merge" | "rebase" | "apply" | "am"
        | "mv" | "cherry-pick" => EffectClass::Overwrite,
        "add" | "commit" | "tag" | "branch" | "init" => EffectClass::Create,
        _ => EffectClass::Unknown,
    };
    survey.act(effect, &format!("git {command} does more than look"));
    for word in rest.iter().flatten().filter(|w| !w.starts_with('-')) {
        survey.touch(survey.places.path(word));
    }
}
