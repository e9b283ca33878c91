//! What a machine or a person cannot do without: homes, system folders, disks, and files that the machine needs.

use artoo_types::target::is_below;

use crate::arg::{Arg, Part};
use crate::findings::Findings;
use crate::glob;
use crate::paths::canonical;
use crate::scope::Scope;

/// Folders without which a system does not run, in lower case.
const VITAL: &[&str] = &[
    "/applications",
    "/bin",
    "/boot",
    "/dev",
    "/efi",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/library",
    "/opt",
    "/private",
    "/private/etc",
    "/private/var",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/sys",
    "/system",
    "/usr",
    "/users",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
    "/var/log",
    "/volumes",
];

/// Folders of which every part is vital, in lower case.
const VITAL_WHOLLY: &[&str] = &[
    "/bin",
    "/boot",
    "/efi",
    "/lib",
    "/lib64",
    "/sbin",
    "/system",
    "/usr/bin",
    "/usr/lib",
    "/usr/sbin",
    "/proc",
    "/sys",
];

/// Files without which nobody can log in or the machine does not start, in lower case.
const VITAL_FILES: &[&str] = &[
    "/etc/passwd",
    "/etc/shadow",
    "/etc/group",
    "/etc/sudoers",
    "/etc/fstab",
    "/etc/hosts",
    "/etc/master.passwd",
    "/private/etc/passwd",
    "/private/etc/sudoers",
    "/proc/sysrq-trigger",
    "/dev/mem",
    "/dev/kmem",
    "/dev/port",
];

/// Whether the path is a disk.
pub(crate) fn is_disk(path: &str) -> bool {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-", "loop", "zd",
        "vg",
    ];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
}

/// Whether this path, or everything directly in it, is a home, a system, or holds one.
pub(crate) fn is_vital(path: &str, scope: &Scope<'_>) -> bool {
    let path = path.trim_end_matches(['*', '?']);
    let normal = scope.resolve(if path.is_empty() { "." } else { path });
    [normal.clone(), canonical(&normal)].iter().any(|form| {
        let lower = form.to_lowercase();
        let home = scope.paths.home.to_lowercase();
        lower == "/"
            || VITAL.contains(&lower.as_str())
            || VITAL_WHOLLY.iter().any(|vital| is_below(&lower, vital))
            || is_below(&home, &lower)
            || is_below(&canonical(&scope.paths.home).to_lowercase(), &lower)
            // Another person's home.
            || lower.strip_prefix("/home/").or(lower.strip_prefix("/users/")).is_some_and(|name| !name.contains('/'))
    })
}

/// Whether an operand is, or may turn out to be, a home or a system: also `"$UNSET"/*`, which becomes `/*`.
pub(crate) fn may_be_vital(arg: &Arg, scope: &Scope<'_>, found: &Findings) -> bool {
    if let Some(text) = arg.fixed() {
        return is_vital(&text, scope);
    }
    if arg.is_pattern() {
        let texts = glob::expand(arg, &scope.folder, true).unwrap_or_else(|| vec![arg.shown()]);
        return texts.iter().any(|text| is_vital(text, scope));
    }
    if arg.0.iter().any(|part| matches!(part, Part::Hole { .. }))
        && found.history.defaults.iter().any(|text| is_vital(text, scope))
    {
        return true;
    }
    // What is not known may be nothing at all.
    let rest: String = arg
        .0
        .iter()
        .map(|part| match part {
            Part::Text(text) | Part::Wild(text) | Part::Split(text) => text.as_str(),
            Part::Hole { .. } => "",
        })
        .collect();
    let words = if arg.is_loose() { rest.split_whitespace().collect() } else { vec![rest.as_str()] };
    words.iter().any(|word| word.starts_with('/') && is_vital(word, scope))
}

/// Whether an operand names something in a folder of which every part is vital.
pub(crate) fn is_of_system(arg: &Arg, scope: &Scope<'_>) -> bool {
    let texts = match arg.fixed() {
        Some(text) => vec![text],
        None if arg.is_pattern() => glob::expand(arg, &scope.folder, true)
            .unwrap_or_default()
            .into_iter()
            .chain([arg.shown()])
            .collect(),
        None => return false,
    };
    let within = |form: String| {
        let lower = form.to_lowercase();
        VITAL_WHOLLY.iter().any(|vital| is_below(&lower, vital))
    };
    texts.iter().map(|text| scope.resolve(text)).any(|normal| within(canonical(&normal)) || within(normal))
}

/// A file that gets emptied or written over: a disk, or a file that the machine needs, never is.
pub(crate) fn overwritten(arg: &Arg, scope: &Scope<'_>, found: &mut Findings) {
    let start = arg.prefix();
    let path = scope.resolve(&start);
    if is_disk(&start) || is_disk(&path) {
        found.forbid("it would overwrite a disk");
    }
    if arg.fixed().is_some() && VITAL_FILES.contains(&path.to_lowercase().as_str()) {
        found.forbid("it would overwrite a file that the machine needs");
    }
}
