//! Control groups (version 2) of keepers, where the daemon's own group lets it make some. A group holds whatever its
//! members start, is killed in one go, which no fork escapes, and may bound how many processes there are.

use std::path::{Path, PathBuf};

/// Most processes and threads of one command. A parallel build on a large machine has several hundred; a fork bomb has no
/// end.
const MAX_TASKS: u32 = 1_024;

/// Where groups can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CgroupPlace {
    /// The group below which they are made.
    pub(super) folder: PathBuf,
    /// Whether they bound the number of processes.
    pub(super) is_bounded: bool,
}

impl CgroupPlace {
    /// The daemon's own group, when it may make groups there; else why not, in a few words. `name` is free for a trial.
    pub(super) fn find(name: &str) -> Result<Self, &'static str> {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let folder =
            own_folder(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo")).ok_or("no cgroup v2")?;
        let trial = folder.join(name);
        std::fs::create_dir(&trial).map_err(|_| "cgroup not writable")?;
        let can_kill = trial.join("cgroup.kill").exists();
        // A group without members can always be removed.
        let _ = std::fs::remove_dir(&trial);
        if !can_kill {
            return Err("cgroup of an old kernel");
        }
        let is_bounded = bound(&folder, name);
        Ok(Self { folder, is_bounded })
    }

    /// How it is called when somebody asks.
    pub(super) fn means(&self) -> String {
        if self.is_bounded { format!("cgroup (at most {MAX_TASKS} processes)") } else { "cgroup".to_owned() }
    }

    /// Kills all that is in the groups whose names begin with `mark`.
    pub(super) fn kill_marked(&self, mark: &str) {
        for group in self.marked(mark) {
            // What it does not reach is killed one by one.
            let _ = std::fs::write(group.join("cgroup.kill"), "1");
        }
    }

    /// Removes the groups whose names begin with `mark` and that are empty.
    pub(super) fn remove_marked(&self, mark: &str) {
        for group in self.marked(mark) {
            let _ = std::fs::remove_dir(group);
        }
    }

    fn marked(&self, mark: &str) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_ours = move |name: &str| name.starts_with(mark) && !name.ends_with(DAEMON);
        entries
            .filter(move |entry| entry.file_name().to_str().is_some_and(&is_ours))
            .map(|entry| entry.path())
    }
}

/// The end of the name of the group that the daemon itself goes to.
const DAEMON: &str = "daemon";

/// Lets groups below this one bound the number of processes; true when they can. A group that passes a bound on may have
/// no members of its own, so the daemon moves into a group beside those of its keepers, unless others are here as well.
fn bound(folder: &Path, name: &str) -> bool {
    let has_pids = |file: &str| {
        let names = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        names.split_whitespace().any(|controller| controller == "pids")
    };
    if has_pids("cgroup.subtree_control") {
        return true;
    }
    let members = std::fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    if !has_pids("cgroup.controllers") || members.trim() != std::process::id().to_string() {
        return false;
    }
    let own = folder.join(format!("{name}{DAEMON}"));
    let moved = std::fs::create_dir(&own).and_then(|()| enter(&own));
    let bounded = moved.and_then(|()| std::fs::write(folder.join("cgroup.subtree_control"), "+pids"));
    if bounded.is_err() {
        let _ = enter(folder);
        let _ = std::fs::remove_dir(&own);
    }
    bounded.is_ok()
}

/// The group of one keeper.
#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
    outside: PathBuf,
}

impl Group {
    /// Makes the group and moves this process into it, so that what it starts is born there.
    pub(super) fn enter(folder: &Path) -> std::io::Result<Self> {
        let outside = folder.parent().unwrap_or(folder).to_owned();
        std::fs::create_dir(folder)?;
        let bound = folder.join("pids.max");
        if bound.exists() {
            std::fs::write(bound, MAX_TASKS.to_string())?;
        }
        let group = Self { folder: folder.to_owned(), outside };
        enter(folder)?;
        Ok(group)
    }

    /// Moves this process out and kills all that is left inside. Does nothing when it cannot get out.
    pub(super) fn kill_others(&self) {
        if self.leave().is_ok() {
            // What it does not reach is killed one by one.
            let _ = std::fs::write(self.folder.join("cgroup.kill"), "1");
        }
    }

    /// A group with processes has no place for one beside the groups below it, so this is where the daemon is.
    fn leave(&self) -> std::io::Result<()> {
        enter(&self.outside).or_else(|_| {
            let mut siblings = std::fs::read_dir(&self.outside)?.flatten();
            let daemon = siblings.find(|entry| entry.file_name().to_string_lossy().ends_with(DAEMON));
            enter(&daemon.map_or(self.outside.clone(), |entry| entry.path()))
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Where something is left, the next start of the daemon tries again.
        let _ = self.leave().and_then(|()| std::fs::remove_dir(&self.folder));
    }
}

/// Moves this process.
fn enter(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join("cgroup.procs"), "0")
}

/// Where the own group of version 2 is mounted, from the text of `/proc/self/cgroup` and `/proc/self/mountinfo`; see
/// cgroups(7) and proc_pid_mountinfo(5).
fn own_folder(groups: &str, mounts: &str) -> Option<PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (head, tail) = line.split_once(" - ")?;
        if !tail.starts_with("cgroup2 ") {
            return None;
        }
        let mut fields = head.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        let below = Path::new(own).strip_prefix(root).ok()?;
        Some(Path::new(point).join(below))
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::own_folder;

    const HYBRID: &str = "25 30 0:22 / /sys rw - sysfs sysfs rw\n\
                          35 25 0:30 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n\
                          36 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n";

    fn check(groups: &str, mounts: &str, folder: Option<&str>) {
        assert_eq!(own_folder(groups, mounts), folder.map(PathBuf::from), "{groups}");
    }

    #[test]
    fn the_own_group_is_found_below_its_mount() {
        let desktop = "35 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        let service = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/artoo.service\n";
        let folder = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/artoo.service";
        check(service, desktop, Some(folder));
        check("9:name=systemd:/\n8:pids:/\n0::/\n", HYBRID, Some("/sys/fs/cgroup/unified/"));
        // In a container only a part of the hierarchy is mounted.
        let part = "35 25 0:30 /machine/a /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        check("0::/machine/a/b\n", part, Some("/sys/fs/cgroup/b"));
        check("0::/machine/c\n", part, None);
        check("8:pids:/\n", HYBRID, None);
        check("0::/\n", "36 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n", None);
    }
}
