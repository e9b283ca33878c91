//! Finding everything around what is hidden: on the way down to each hidden path, all that lies beside the way.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open, openat2};

use super::mounts;

/// Most inodes that are granted one by one, a few microseconds each. A home and a temporary folder with this many entries
/// directly in them are not found in practice; where they are, commands cannot be confined, and a person is asked.
const MAX_INODES: usize = 8_192;
/// What is never granted as a whole: devices are granted by name.
const APART: &str = "/dev";

/// Calls `grant` for everything that is neither hidden nor on the way to something hidden, also where the same is mounted
/// a second time. Names are compared without regard to case, so that a file system that does the same has no second way in.
///
/// # Errors
/// When there is too much of it, what is mounted cannot be read, or `grant` fails.
pub(super) fn around<T>(
    hidden: &[String],
    start: T,
    mut grant: impl FnMut(T, OwnedFd) -> std::io::Result<T>,
) -> std::io::Result<T> {
    let mut ways: Vec<Vec<OsString>> = hidden
        .iter()
        .chain(&mounts::aliases(hidden)?)
        .filter(|path| Path::new(path).symlink_metadata().is_ok())
        .map(|path| parts(path))
        .collect();
    ways.push(parts(APART));
    let mut open_folders = vec![(PathBuf::from("/"), ways)];
    let (mut granted, mut count) = (start, 0);
    // Each folder on the list is one step deeper on the way to a hidden path, so this ends.
    while let Some((folder, ways)) = open_folders.pop() {
        for name in names(&folder, &ways) {
            let path = folder.join(&name);
            let lower = name.to_ascii_lowercase();
            let deeper: Vec<&[OsString]> = ways
                .iter()
                .filter(|way| way.first().is_some_and(|first| first.to_ascii_lowercase() == lower))
                .map(|way| &way[1..])
                .collect();
            if deeper.iter().any(|way| way.is_empty()) {
                continue;
            }
            if !deeper.is_empty() {
                open_folders.push((path, deeper.into_iter().map(<[OsString]>::to_vec).collect()));
                continue;
            }
            // What is gone by now, or may not be looked at, needs no grant; a link leads to what has its own.
            let Ok(inode) = opened(&path) else { continue };
            let is_link = fstat(&inode).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_symlink());
            if !is_link {
                count += 1;
                if count > MAX_INODES {
                    return Err(std::io::Error::other(format!(
                        "there are more than {MAX_INODES} files beside what must stay hidden, such as in {}",
                        folder.display()
                    )));
                }
                granted = grant(granted, inode)?;
            }
        }
    }
    Ok(granted)
}

/// The inode at a path, without following a link at its end.
pub(super) fn opened(path: &Path) -> std::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(open(path, flags, Mode::empty())?)
}

/// The inode at a path whose links were resolved before. A link that has taken the place of a part since then is an error.
pub(super) fn real(path: &Path) -> std::io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS).map_err(|error| {
        std::io::Error::other(format!("{} is no longer what it was: {error}", path.display()))
    })
}

fn parts(path: &str) -> Vec<OsString> {
    Path::new(path)
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect()
}

/// The names in a folder; where it may not be listed, those that are on the way.
fn names(folder: &Path, ways: &[Vec<OsString>]) -> BTreeSet<OsString> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.file_name()).collect(),
        Err(_) => ways.iter().filter_map(|way| way.first().cloned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::fs::symlink;

    use super::{around, real};

    /// What is granted below a folder when these paths in it are hidden.
    fn granted(folder: &std::path::Path, hidden: &[&str]) -> BTreeSet<String> {
        let base = folder.canonicalize().unwrap();
        let hidden: Vec<String> =
            hidden.iter().map(|path| base.join(path).to_string_lossy().into_owned()).collect();
        let found = around(&hidden, BTreeSet::new(), |mut found, inode| {
            let path =
                std::fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&inode)))
                    .unwrap();
            if let Ok(below) = path.strip_prefix(&base) {
                found.insert(below.to_string_lossy().into_owned());
            }
            assert!(!base.starts_with(&path), "nothing on the way is granted: {}", path.display());
            Ok(found)
        });
        found.unwrap()
    }

    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["home/.artoo", "home/.config/gh", "home/.config/other", "home/project"] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        std::fs::write(dir.path().join("home/notes"), "").unwrap();
        symlink(dir.path().join("home/.artoo"), dir.path().join("home/way-in")).unwrap();
        dir
    }

    fn check(hidden: &[&str], expected: &[&str]) {
        let dir = folder();
        let expected: BTreeSet<String> = expected.iter().map(|path| (*path).to_owned()).collect();
        assert_eq!(granted(dir.path(), hidden), expected, "{hidden:?}");
    }

    #[test]
    fn everything_beside_the_way_to_what_is_hidden_is_granted_and_no_link() {
        check(&["home/.artoo"], &["home/.config", "home/notes", "home/project"]);
        check(&["home/.artoo", "home/.config/gh"], &["home/.config/other", "home/notes", "home/project"]);
        check(&["home", "home/.artoo"], &[]);
    }

    #[test]
    fn what_is_not_there_hides_nothing_and_case_does_not_matter() {
        check(&["home/.artoo", "home/project/.netrc"], &["home/.config", "home/notes", "home/project"]);
        let dir = folder();
        std::fs::create_dir(dir.path().join("home/.ARTOO")).unwrap();
        let seen = granted(dir.path(), &["home/.artoo"]);
        assert!(!seen.contains("home/.ARTOO"), "{seen:?}");
    }

    #[test]
    fn too_much_beside_what_is_hidden_is_an_error() {
        let dir = folder();
        let hidden = [dir.path().canonicalize().unwrap().join("home/.artoo").to_string_lossy().into_owned()];
        let all = around(&hidden, 0, |count, _| Ok(count + 1)).unwrap();
        // Other programs of this machine may take files away from beside it meanwhile.
        for number in all..super::MAX_INODES + 1_000 {
            std::fs::write(dir.path().join(format!("home/{number}")), "").unwrap();
        }
        let error = around(&hidden, (), |(), _| Ok(())).unwrap_err();
        assert!(error.to_string().contains("/home"), "{error}");
    }

    #[test]
    fn a_link_that_took_the_place_of_a_folder_is_not_followed() {
        let dir = folder();
        let base = dir.path().canonicalize().unwrap();
        assert!(real(&base.join("home/project")).is_ok());
        std::fs::remove_dir(base.join("home/project")).unwrap();
        symlink("/etc", base.join("home/project")).unwrap();
        assert!(real(&base.join("home/project")).is_err());
        assert!(real(&base.join("home/project/passwd")).is_err());
    }
}
