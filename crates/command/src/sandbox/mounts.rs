//! The same files at other paths: a tree that is mounted more than once has its files below each of its mount points, and
//! a rule of Landlock for one of these holds for the files, whatever lies hidden at another.

use artoo_types::target::is_below;

/// Where the kernel lists what is mounted for this process.
const LIST: &str = "/proc/self/mountinfo";

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mount {
    /// Numbers of the file system.
    device: String,
    /// The path within the file system of what is mounted.
    root: String,
    /// Where it is mounted.
    point: String,
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
    let mounts: Vec<Mount> = list.lines().filter_map(mount).collect();
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

fn mount(line: &str) -> Option<Mount> {
    let mut fields = line.split(' ').skip(2);
    let (device, root, point) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Mount { device: device.to_owned(), root: plain(root), point: plain(point) })
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
mod tests;
