//! The same files at other paths: a tree that is mounted more than once has its files below each of its mount points, and
//! a rule of Landlock for one of these holds for the files, whatever lies hidden at another.

use artoo_types::target::is_below;

/// Where the kernel lists what is mounted for this thread.
const LIST: &str = "/proc/thread-self/mountinfo";

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MountPoint {
    /// Numbers of the file system.
    device: String,
    /// The path within the file system of what is mounted.
    root: String,
    /// Where it is mounted.
    pub(super) point: String,
    /// How it is mounted there, as words with commas between them.
    pub(super) options: String,
}

/// Everything that is mounted for this thread.
///
/// # Errors
/// When that cannot be read.
pub(super) fn all() -> std::io::Result<Vec<MountPoint>> {
    Ok(std::fs::read_to_string(LIST)?.lines().filter_map(mount).collect())
}

/// The other paths at which these paths are to be found now.
///
/// # Errors
/// When what is mounted cannot be read.
pub(super) fn aliases(paths: &[String]) -> std::io::Result<Vec<String>> {
    Ok(listed(paths, &std::fs::read_to_string(LIST)?))
}

/// The same from the kernel's list; see proc_pid_mountinfo(5).
fn listed(paths: &[String], list: &str) -> Vec<String> {
    let mounts: Vec<MountPoint> = list.lines().filter_map(mount).collect();
    let mut aliases = Vec::new();
    for path in paths {
        // Of two mounts at the same place the later one covers the other.
        let around = mounts.iter().filter(|mount| is_below(path, &mount.point));
        let Some(home) = around.max_by_key(|mount| mount.point.trim_end_matches('/').len()) else { continue };
        let inside = joined(&home.root, behind(path, &home.point));
        for mount in mounts.iter().filter(|mount| mount.device == home.device) {
            let alias = if is_below(&inside, &mount.root) {
                joined(&mount.point, behind(&inside, &mount.root))
            } else if is_below(&mount.root, &inside) {
                mount.point.clone()
            } else {
                continue;
            };
            if alias != *path && !aliases.contains(&alias) {
                aliases.push(alias);
            }
        }
    }
    aliases
}

fn mount(line: &str) -> Option<MountPoint> {
    let mut fields = line.split(' ').skip(2);
    let (device, root, point) = (fields.next()?, fields.next()?, fields.next()?);
    let options = fields.next()?.to_owned();
    Some(MountPoint { device: device.to_owned(), root: plain(root), point: plain(point), options })
}

/// A path without the kernel's escapes of blanks and backslashes, three octal digits each.
fn plain(field: &str) -> String {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'\\')
            .then(|| after.get(..3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is behind a folder in the path of something below it.
fn behind<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder.trim_end_matches('/')).unwrap_or_default()
}

fn joined(folder: &str, rest: &str) -> String {
    let joined = format!("{}{rest}", folder.trim_end_matches('/'));
    if joined.is_empty() { "/".to_owned() } else { joined }
}

#[cfg(test)]
mod tests {
    use super::listed;

    /// Where these mounts show the path again.
    fn check(mounts: &[(&str, &str, &str)], path: &str, expected: &[&str]) {
        let line = |(number, (device, root, point)): (usize, &(&str, &str, &str))| {
            format!("{number} 1 {device} {root} {point} rw,relatime shared:1 - ext4 /dev/x rw\n")
        };
        let list: String = mounts.iter().enumerate().map(line).collect();
        assert_eq!(listed(&[path.to_owned()], &list), expected, "{list}");
    }

    const ROOT: (&str, &str, &str) = ("8:1", "/", "/");

    #[test]
    fn what_is_mounted_once_has_one_path() {
        check(&[ROOT, ("0:5", "/", "/dev")], "/home/u/.artoo", &[]);
        check(&[ROOT, ("8:2", "/", "/home")], "/home/u/.artoo", &[]);
        check(&[ROOT, ("8:2", "/", "/mnt")], "/home/u/.artoo", &[]);
    }

    #[test]
    fn a_folder_on_the_way_the_hidden_one_or_a_part_of_it_may_be_mounted_again() {
        check(&[ROOT, ("8:1", "/home/u", "/mnt/deep")], "/home/u/.artoo", &["/mnt/deep/.artoo"]);
        check(&[ROOT, ("8:1", "/", "/mnt")], "/home/u/.artoo", &["/mnt/home/u/.artoo"]);
        check(&[ROOT, ("8:1", "/home/u/.artoo", "/mnt")], "/home/u/.artoo", &["/mnt"]);
        check(&[ROOT, ("8:1", "/home/u/.artoo/tasks", "/mnt")], "/home/u/.artoo", &["/mnt"]);
        check(&[ROOT, ("8:1", "/home/u/.artoos", "/mnt")], "/home/u/.artoo", &[]);
        check(&[ROOT, ("8:1", "/home/u", "/home/u/again")], "/home/u/.artoo", &["/home/u/again/.artoo"]);
    }

    #[test]
    fn a_file_system_of_its_own_is_looked_up_by_its_own_paths() {
        let home = ("8:2", "/", "/home");
        check(&[ROOT, home, ("8:2", "/", "/mnt")], "/home/u/.artoo", &["/mnt/u/.artoo"]);
        check(&[ROOT, home, ("8:2", "/u/.artoo", "/mnt")], "/home/u/.artoo", &["/mnt"]);
        check(&[ROOT, home, ("8:1", "/home/u", "/mnt")], "/home/u/.artoo", &[]);
        // A part of a file system, such as a subvolume.
        check(&[ROOT, ("8:2", "/@home", "/home"), ("8:2", "/", "/top")], "/home/u/x", &["/top/@home/u/x"]);
    }

    #[test]
    fn the_mount_that_covers_another_counts_and_escaped_names_are_read() {
        check(
            &[ROOT, ("8:2", "/", "/home"), ("8:3", "/", "/home"), ("8:3", "/u", "/mnt/a\\040b\\134")],
            "/home/u/x",
            &["/mnt/a b\\/x"],
        );
    }
}
