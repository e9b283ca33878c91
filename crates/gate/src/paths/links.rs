//! Paths with their symbolic links resolved.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The path with the links of its folder resolved; a link at its end stays a link.
pub fn canonical_entry(path: &str) -> String {
    match path.rsplit_once('/') {
        Some(("", _)) | None => path.to_owned(),
        Some((folder, name)) => format!("{}/{name}", canonical(folder).trim_end_matches('/')),
    }
}

/// The path with the symbolic links of its deepest existing ancestor resolved. A link that leads nowhere is followed by
/// name, because creating through it would create there.
pub fn canonical(path: &str) -> String {
    // Linux follows at most 40 links in one path; here it bounds dangling ones.
    canonical_within(Path::new(path), 40).to_string_lossy().into_owned()
}

fn canonical_within(path: &Path, links_left: u32) -> PathBuf {
    if let Some(real) = existing(path) {
        return real;
    }
    if links_left > 0
        && let Ok(leads_to) = path.read_link()
    {
        let next = path.parent().map_or_else(|| leads_to.clone(), |parent| parent.join(&leads_to));
        return canonical_within(&next, links_left - 1);
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => canonical_within(parent, links_left).join(name),
        (None | Some(_), None | Some(_)) => path.to_path_buf(),
    }
}

/// What is there under this path, with links resolved. None when nothing is.
#[cfg(not(target_os = "linux"))]
fn existing(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// What is there under this path, with links resolved. None when nothing is. The system walks a path at once where
/// `realpath` asks it for each part; what it tells has another form only of what was removed or lies outside of the root.
#[cfg(target_os = "linux")]
fn existing(path: &Path) -> Option<PathBuf> {
    use rustix::fs::{CWD, Mode, OFlags, openat, readlinkat};
    use std::ffi::OsString;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::ffi::OsStringExt as _;

    // Nothing is opened by that: it only names what is there.
    let named = match openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
        Ok(named) => named,
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => return None,
        Err(_) => return path.canonicalize().ok(),
    };
    let link = readlinkat(CWD, format!("/proc/self/fd/{}", named.as_raw_fd()), Vec::new());
    match link.map(std::ffi::CString::into_bytes) {
        Ok(real) if real.starts_with(b"/") && !real.ends_with(b" (deleted)") => {
            Some(PathBuf::from(OsString::from_vec(real)))
        }
        Ok(_) | Err(_) => path.canonicalize().ok(),
    }
}

/// Resolves the links of many paths. Each folder on the way is looked at once, so that it holds for a moment only.
#[derive(Debug, Default)]
pub(super) struct LinkResolver {
    folders: HashMap<String, ResolvedPath>,
}

/// A path with its links resolved.
#[derive(Debug, Clone)]
struct ResolvedPath {
    real: String,
    is_there: bool,
}

impl LinkResolver {
    /// As [`canonical`].
    pub(super) fn canonical(&mut self, path: &str) -> String {
        self.resolve(path).real
    }

    /// Whether something is there, be it a link that leads nowhere.
    pub(super) fn is_entry(&mut self, path: &str) -> bool {
        match plain_entry(path) {
            Some((folder, _)) if !self.folder(folder).is_there => false,
            Some(_) | None => Path::new(path).symlink_metadata().is_ok(),
        }
    }

    fn resolve(&mut self, path: &str) -> ResolvedPath {
        let Some((folder, name)) = plain_entry(path) else {
            return ResolvedPath { real: canonical(path), is_there: Path::new(path).exists() };
        };
        let folder = self.folder(folder);
        let entry = format!("{}/{name}", folder.real.trim_end_matches('/'));
        if !folder.is_there {
            return ResolvedPath { real: entry, is_there: false };
        }
        match Path::new(&entry).symlink_metadata() {
            // Elsewhere a name may be spelled otherwise than where it lies.
            Ok(meta) if meta.is_symlink() || !cfg!(target_os = "linux") => {
                ResolvedPath { real: canonical(path), is_there: Path::new(&entry).exists() }
            }
            found => ResolvedPath { real: entry, is_there: found.is_ok() },
        }
    }

    fn folder(&mut self, path: &str) -> ResolvedPath {
        if let Some(known) = self.folders.get(path) {
            return known.clone();
        }
        let folder = self.resolve(path);
        self.folders.insert(path.to_owned(), folder.clone());
        folder
    }
}

/// A path as its folder, which is not the root, and an entry of it. None for one that names its entry in another way.
fn plain_entry(path: &str) -> Option<(&str, &str)> {
    let (folder, name) = path.rsplit_once('/')?;
    (folder.starts_with('/') && !matches!(name, "" | "." | "..")).then_some((folder, name))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{LinkResolver, canonical};

    #[test]
    fn what_is_there_is_named_as_realpath_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().to_str().unwrap();
        fs::create_dir_all(format!("{base}/a/b c (deleted)")).unwrap();
        symlink("a", format!("{base}/link")).unwrap();
        let paths = ["a", "link/b c (deleted)", "a/b c (deleted)/..", "a//b c (deleted)/", "link/."];
        let paths = paths.map(|path| format!("{base}/{path}"));
        let others = ["/", "/proc/self", "/dev/null", "/dev/stdin", "/usr/bin/env"].map(str::to_owned);
        for path in paths.iter().chain(&others) {
            let real = fs::canonicalize(path).ok();
            assert_eq!(super::existing(path.as_ref()), real, "{path}");
        }
        assert_eq!(super::existing(format!("{base}/none").as_ref()), None);
    }

    #[test]
    fn many_paths_are_resolved_as_each_alone() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().to_str().unwrap();
        fs::create_dir_all(format!("{base}/a/b")).unwrap();
        fs::write(format!("{base}/a/file"), "").unwrap();
        for (to, name) in [
            ("a", "link"),
            ("nowhere/at/all", "dangling"),
            ("dangling", "chain"),
            ("loop", "loop"),
            ("../..", "a/b/up"),
            ("/", "root"),
        ] {
            symlink(to, format!("{base}/{name}")).unwrap();
        }
        let mut links = LinkResolver::default();
        let below = [
            "a",
            "a/b",
            "a/b/c/d",
            "a/file",
            "a/file/x",
            "a/file/x/y",
            "link",
            "link/b",
            "link/b/none",
            "link/none/x",
            "dangling",
            "dangling/x",
            "chain",
            "chain/x/y",
            "loop",
            "loop/x",
            "a/b/up",
            "a/b/up/a/file",
            "root",
            "root/none/x",
            "none",
            "none/x",
            "a/../a/b",
            "a/./b",
            "a/b/",
            "a/b/..",
            "none/..",
            "none/../a",
            "a//b",
        ];
        let paths = below.iter().map(|path| format!("{base}/{path}"));
        let paths: Vec<String> =
            paths.chain(["/", "/none", "//none/x", "/none/x/y", "/etc"].map(str::to_owned)).collect();
        // What is known of folders by the second time changes nothing.
        for path in paths.iter().chain(&paths) {
            assert_eq!(links.canonical(path), canonical(path), "{path}");
            assert_eq!(links.is_entry(path), fs::symlink_metadata(path).is_ok(), "{path}");
        }
    }
}
