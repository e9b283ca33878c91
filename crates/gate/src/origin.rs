//! Where a file came from: what reading it brings into a task.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;

use artoo_types::taint::Taint;
use artoo_types::target::is_below;

use crate::paths::{PathRules, canonical};

/// The attribute in which macOS keeps where a file came from, and the one that programs of Linux use.
pub const ORIGIN: &str =
    if cfg!(target_os = "macos") { "com.apple.quarantine" } else { "user.xdg.origin.url" };

/// What is read at this normalised path brings.
pub fn of_path(paths: &PathRules, path: &str) -> Taint {
    let real = canonical(path);
    let private = !paths.in_roots(path) || !paths.in_roots(&real);
    Taint { untrusted: is_downloaded(paths, &real), private, ..Taint::NONE }
}

/// Entries that are looked at, nearest first. What a folder with more holds nobody knows.
const MAX_ENTRIES: usize = 10_000;
/// Folders of the system with programs: a link to one leads to nothing private.
pub(crate) const PROGRAMS: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt/homebrew", "/nix"];
/// The folder of a repository beside its work tree. Its names are of branches and of contents.
const REPOSITORY: &str = ".git";

/// What is read anywhere in these folders brings, where nobody can tell which files are read. A home is private as a whole.
pub fn of_folders(paths: &PathRules, folders: &BTreeSet<String>) -> Taint {
    let is_home = |folder: &&str| paths.holds_home(&canonical(folder));
    let here = paths.working_directory.as_str();
    let mut all = folders.iter().map(String::as_str);
    let private =
        !folders.is_empty() && is_home(&here) || all.any(|f| is_home(&f) || holds_private(paths, f));
    Taint { private, ..Taint::NONE }
}

/// Whether a folder holds a file whose name says that it keeps a secret, or a link that leads out of it to what is no
/// program's; also one that is too large to be looked through.
fn holds_private(paths: &PathRules, folder: &str) -> bool {
    let top = canonical(folder);
    let is_outside = |end: &str| {
        !is_below(end, &top) && !paths.in_roots(end) && !PROGRAMS.iter().any(|place| is_below(end, place))
    };
    let mut open = VecDeque::from([PathBuf::from(&top)]);
    let mut entries = 0;
    while let Some(folder) = open.pop_front() {
        // What cannot be read here cannot be read by the command either.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MAX_ENTRIES {
                return true;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                open.extend((path.file_name() != Some(REPOSITORY.as_ref())).then_some(path));
            } else if paths.is_secret(&path.to_string_lossy())
                || kind.is_symlink() && is_outside(&canonical(&path.to_string_lossy()))
            {
                return true;
            }
        }
    }
    false
}

/// Whether a file came from elsewhere: it says so itself in an attribute that browsers and download tools set, or it
/// lies in a folder for downloads.
fn is_downloaded(paths: &PathRules, real: &str) -> bool {
    let lower = real.to_lowercase();
    let home = canonical(&paths.home).to_lowercase();
    is_below(&lower, &format!("{home}/downloads")) || has_origin(real)
}

/// Whether a file says itself that it came from elsewhere.
pub fn has_origin(path: &str) -> bool {
    rustix::fs::getxattr_query(path, ORIGIN).is_ok_and(|length| length > 0)
}

#[cfg(test)]
mod tests {
    use artoo_types::taint::Taint;

    use super::of_path;
    use crate::explain;
    use crate::paths::PathRules;

    struct Home {
        _folder: tempfile::TempDir,
        root: String,
    }

    impl Home {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
            for name in ["work", "artoo_workspace", "other", "Downloads", ".artoo"] {
                std::fs::create_dir(folder.path().join(name)).unwrap();
                std::fs::write(folder.path().join(name).join("a.txt"), "a\n").unwrap();
            }
            std::os::unix::fs::symlink(format!("{root}/other"), format!("{root}/work/link")).unwrap();
            Self { _folder: folder, root }
        }

        fn paths(&self, working_directory: &str) -> PathRules {
            PathRules {
                working_directory: format!("{}/{working_directory}", self.root),
                workspace: format!("{}/artoo_workspace", self.root),
                home: self.root.clone(),
                data_dir: format!("{}/.artoo", self.root),
                unasked: Default::default(),
                real: Default::default(),
            }
        }
    }

    #[test]
    fn where_a_file_lies_says_what_it_brings() {
        let home = Home::new();
        let check = |working_directory, path: &str, expected| {
            let path = format!("{}/{path}", home.root);
            assert_eq!(of_path(&home.paths(working_directory), &path), expected, "{path}");
        };
        check("work", "work/a.txt", Taint::NONE);
        check("work", "artoo_workspace/a.txt", Taint::NONE);
        check("work", "work/not/there", Taint::NONE);
        check("work", "other/a.txt", Taint::PRIVATE);
        check("work", "work/link/a.txt", Taint::PRIVATE);
        check("work", "Downloads/a.txt", Taint::BOTH);
        check("Downloads", "Downloads/a.txt", Taint::UNTRUSTED);
        assert_eq!(of_path(&home.paths("work"), "/etc/hostname"), Taint::PRIVATE);
    }

    #[test]
    fn a_command_brings_what_its_paths_bring() {
        let home = Home::new();
        let paths = home.paths("work");
        for (command, expected) in [
            ("cat a.txt | sort", Taint::NONE),
            ("ls", Taint::NONE),
            ("cat ../other/a.txt", Taint::PRIVATE),
            ("cat ~/other/*.txt", Taint::PRIVATE),
            ("wc -l link/a.txt", Taint::PRIVATE),
            ("grep -r a ~/other", Taint::PRIVATE),
            ("find ~ -name '*.txt'", Taint::PRIVATE),
            ("ls ~/Downloads", Taint::PRIVATE),
            ("cat ~/Downloads/a.txt", Taint::BOTH),
            ("head -1 < ../other/a.txt", Taint::PRIVATE),
            ("cat \"$(basename a.txt)\"", Taint::BOTH),
        ] {
            let explanation = explain(command, &paths);
            assert_eq!(explanation.brings, expected, "{command}: {explanation:?}");
        }
    }
}
