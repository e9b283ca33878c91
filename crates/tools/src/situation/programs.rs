//! Which programs there are that people work with. Some twenty names in some ten folders are looked for before every plan, so
//! that the names of a folder are remembered as long as it does not change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;

use crate::installed::is_program;

/// Programs that people work with, and plans ask for.
const PROGRAMS: &[&str] = &[
    "python3",
    "pytest",
    "node",
    "npm",
    "git",
    "jq",
    "cargo",
    "go",
    "make",
    "gcc",
    "java",
    "ruby",
    "perl",
    "sqlite3",
    "pdftotext",
    "ffmpeg",
    "pandoc",
    "convert",
    "rg",
    "uv",
    "docker",
];

/// A folder that was changed less than this before it was read may change again without another time.
const SETTLED: Duration = Duration::from_secs(2);
/// Folders that are remembered: search paths have some ten.
const MAX_FOLDERS: usize = 64;

/// A folder as it was read.
#[derive(Debug)]
struct ReadFolder {
    changed_at: SystemTime,
    /// The programs that have an entry there, whatever it leads to.
    names: Vec<&'static str>,
}

static FOLDERS: Mutex<BTreeMap<PathBuf, ReadFolder>> = Mutex::new(BTreeMap::new());

/// Those that are found in the folders of `search_path`, a list as in `PATH`.
pub(super) fn programs(search_path: &str) -> Vec<String> {
    let folders = search_path.split(':').filter(|folder| folder.starts_with('/')).map(Path::new);
    let entries: Vec<(&Path, Vec<&str>)> = folders.map(|folder| (folder, names_in(folder))).collect();
    let is_there = |name: &&&str| {
        entries.iter().any(|(folder, names)| names.contains(*name) && is_program(&folder.join(name)))
    };
    PROGRAMS.iter().filter(is_there).map(|name| (*name).to_owned()).collect()
}

/// The names of programs that the folder has entries for.
fn names_in(folder: &Path) -> Vec<&'static str> {
    let Some(changed_at) = folder.metadata().and_then(|meta| meta.modified()).ok() else { return Vec::new() };
    if let Some(read) = FOLDERS.lock().get(folder).filter(|read| read.changed_at == changed_at) {
        return read.names.clone();
    }
    let has = |name: &&&str| folder.join(name).symlink_metadata().is_ok();
    let names: Vec<&str> = PROGRAMS.iter().filter(has).copied().collect();
    let is_settled = SystemTime::now().duration_since(changed_at).is_ok_and(|since| since > SETTLED);
    let mut folders = FOLDERS.lock();
    if is_settled && (folders.len() < MAX_FOLDERS || folders.contains_key(folder)) {
        folders.insert(folder.to_owned(), ReadFolder { changed_at, names: names.clone() });
    }
    names
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::{FOLDERS, programs};

    fn put(folder: &Path, name: &str, mode: u32) {
        std::fs::write(folder.join(name), "").unwrap();
        std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// As if nothing had happened there for a while.
    fn settle(folder: &Path, seconds: u64) {
        let then = SystemTime::now() - Duration::from_secs(seconds);
        File::open(folder).unwrap().set_modified(then).unwrap();
    }

    #[test]
    fn what_comes_and_goes_is_seen_although_folders_are_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        for folder in [&a, &b] {
            std::fs::create_dir(folder).unwrap();
        }
        let path = format!("relative:{}:{}:/none", a.display(), b.display());
        let found = || programs(&path);
        put(&a, "python3", 0o755);
        put(&b, "jq", 0o644);
        settle(&a, 60);
        settle(&b, 60);
        for _ in 0..2 {
            assert_eq!(found(), ["python3"], "what cannot be run is none");
        }
        assert!(FOLDERS.lock().contains_key(&a));
        put(&b, "jq", 0o755);
        assert_eq!(found(), ["python3", "jq"], "rights are looked at every time");
        put(&b, "git", 0o755);
        settle(&b, 30);
        assert_eq!(found(), ["python3", "git", "jq"]);
        std::fs::remove_file(a.join("python3")).unwrap();
        assert_eq!(found(), ["git", "jq"]);
        // A folder that changed just now is read again.
        put(&a, "cargo", 0o755);
        assert_eq!(found(), ["git", "jq", "cargo"]);
        std::os::unix::fs::symlink("/nowhere", a.join("node")).unwrap();
        assert_eq!(found(), ["git", "jq", "cargo"]);
    }
}
