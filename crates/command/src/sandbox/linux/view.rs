//! A view of the file system for one command, in which all is mounted read-only but what the command is given. No rule of
//! Landlock is about modes, owners and times; a mount that is read-only keeps those as they are, by whatever path or
//! descriptor somebody comes. So a command may set them where it may write, and nowhere else.
//!
//! A file with a name outside of that would be changed there too, so that a folder with such a file gets no view.

use std::collections::HashMap;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use artoo_types::target::is_below;
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::process::{DumpableBehavior, getgid, getuid, set_dumpable_behavior};
use rustix::thread::{CapabilitySet, capabilities};

use crate::sandbox::{Bounds, Grant, mounts, reach};

/// Files and folders that are looked at for names elsewhere: some tenths of a second. A larger folder gets no view.
const MAX_LOOKED: usize = 100_000;

/// Lets this process make views, where it needs to be in a user namespace for that: it must have one thread then, and what it
/// starts later is no other user, whatever it runs. True if it is in one now.
///
/// # Errors
/// When the system gives no user namespace.
pub(super) fn prepare() -> std::io::Result<bool> {
    if capabilities(None)?.effective.contains(CapabilitySet::SYS_ADMIN) {
        return Ok(false);
    }
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    // The files below belong to somebody else while nobody may look into this process.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    let mapped = std::fs::write("/proc/self/setgroups", "deny")
        .and_then(|()| std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")))
        .and_then(|()| std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")));
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    mapped.map(|()| true)
}

/// Gives this thread, and what it starts, a view in which nothing outside of what these bounds let it change is writable.
///
/// # Errors
/// When that cannot be had. All that the command may write is writable then as well.
pub(super) fn enter(bounds: &Bounds, scratch: &Path) -> std::io::Result<()> {
    let places = places(bounds);
    if places.iter().any(|place| has_names_elsewhere(place)) {
        return Err(std::io::Error::other("a file in it has another name elsewhere"));
    }
    unshare(CloneFlags::CLONE_NEWNS)?;
    change(None, Path::new("/"), MsFlags::MS_REC | MsFlags::MS_PRIVATE)?;
    let mut open: Vec<String> = Vec::new();
    for place in places.iter().map(PathBuf::as_path).chain([scratch]).filter(|place| place.exists()) {
        let inode = reach::real(place)?;
        let held = PathBuf::from(format!("/proc/thread-self/fd/{}", inode.as_raw_fd()));
        change(Some(&held), &held, MsFlags::MS_BIND | MsFlags::MS_REC)?;
        open.push(place.to_string_lossy().into_owned());
    }
    for mounted in mounts::all()? {
        if open.iter().any(|place| is_below(&mounted.point, place)) {
            continue;
        }
        let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | flags(&mounted.options);
        match change(None, Path::new(&mounted.point), flags) {
            // What this user cannot reach, the command cannot either.
            Err(Errno::EACCES | Errno::ENOENT) | Ok(()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn change(from: Option<&Path>, to: &Path, flags: MsFlags) -> Result<(), Errno> {
    mount(from, to, None::<&str>, flags, None::<&str>)
}

/// The places that a command may change, none below another.
fn places(bounds: &Bounds) -> Vec<PathBuf> {
    let all: Vec<&String> = bounds
        .grants
        .iter()
        .filter_map(|grant| match grant {
            Grant::New(path)
            | Grant::Offered(path)
            | Grant::NewFolder(path)
            | Grant::OwnFolder(path)
            | Grant::Content(path)
            | Grant::Below(path)
            | Grant::Removals(path) => Some(path),
            Grant::Symlink { .. } | Grant::HardLink { .. } | Grant::Index(_) | Grant::Mode { .. } => None,
        })
        .collect();
    let is_apart = |path: &&&String| !all.iter().any(|other| other != *path && is_below(path, other));
    let mut apart: Vec<PathBuf> = all.iter().filter(is_apart).map(PathBuf::from).collect();
    apart.sort_unstable();
    apart.dedup();
    apart
}

/// Whether a file at this place has a name that is not below it, or there is too much to tell.
fn has_names_elsewhere(place: &Path) -> bool {
    let mut found: HashMap<(u64, u64), (u64, u64)> = HashMap::new();
    let (mut waiting, mut looked) = (vec![place.to_owned()], 0);
    while let Some(path) = waiting.pop() {
        // What is gone by now has no name any more.
        let Ok(meta) = path.symlink_metadata() else { continue };
        looked += 1;
        if looked > MAX_LOOKED {
            return true;
        }
        if meta.is_dir() {
            waiting
                .extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        } else if meta.nlink() > 1 {
            found.entry((meta.dev(), meta.ino())).or_insert((0, meta.nlink())).0 += 1;
        }
    }
    found.values().any(|(seen, names)| seen < names)
}

/// The options of a mount that stay as they are.
fn flags(options: &str) -> MsFlags {
    let flag = |option| match option {
        "nosuid" => MsFlags::MS_NOSUID,
        "nodev" => MsFlags::MS_NODEV,
        "noexec" => MsFlags::MS_NOEXEC,
        "noatime" => MsFlags::MS_NOATIME,
        "nodiratime" => MsFlags::MS_NODIRATIME,
        "relatime" => MsFlags::MS_RELATIME,
        _ => MsFlags::empty(),
    };
    options.split(',').map(flag).fold(MsFlags::empty(), |all, one| all | one)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{has_names_elsewhere, places};
    use crate::sandbox::{Bounds, Grant};

    #[test]
    fn a_name_elsewhere_is_told_from_two_names_inside() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(path("in/sub")).unwrap();
        std::fs::create_dir(path("out")).unwrap();
        std::fs::write(path("in/a"), "").unwrap();
        assert!(!has_names_elsewhere(&path("in")));
        std::fs::hard_link(path("in/a"), path("in/sub/b")).unwrap();
        assert!(!has_names_elsewhere(&path("in")), "both names are inside");
        assert!(has_names_elsewhere(&path("in/a")), "the other is not this file");
        std::fs::hard_link(path("in/a"), path("out/c")).unwrap();
        assert!(has_names_elsewhere(&path("in")));
    }

    #[test]
    fn a_place_in_another_is_no_place_of_its_own() {
        let text = |path: &str| path.to_owned();
        let grants = vec![
            Grant::Content(text("/w/a/b")),
            Grant::Below(text("/w/a")),
            Grant::New(text("/x")),
            Grant::New(text("/x")),
            Grant::Index(text("/i")),
        ];
        let bounds = Bounds { grants, ..Bounds::reading(Vec::new()) };
        assert_eq!(places(&bounds), ["/w/a", "/x"].map(PathBuf::from));
    }
}
