//! Projects: places whose files may be changed unasked, because they are kept first and can be put back.

use artoo_types::setting::ProjectMode;
use artoo_types::target::is_below;

use super::tables::{RUNS_LATER_ENDINGS, RUNS_LATER_PARTS};
use super::{PathRules, canonical};

/// Names of files that say how a project is built or tested, in lower case. They are its source: the person runs them.
const BUILD_FILES: &[&str] = &[
    "makefile",
    "gnumakefile",
    "justfile",
    "package.json",
    "conftest.py",
    "setup.py",
    "build.rs",
    "noxfile.py",
    "rakefile",
    "gulpfile.js",
];
/// Names of files that servers, editors and agents execute or follow by themselves, in lower case. `HEAD` makes a folder a
/// repository, whose settings git follows.
const FOLLOWED_FILES: &[&str] = &[
    "head",
    "jenkinsfile",
    ".gitlab-ci.yml",
    ".pnp.cjs",
    ".mcp.json",
    ".eslintrc.js",
    "claude.md",
    "agents.md",
];
/// Folders that a search for a repository goes up. Deeper trees are none that a person works in.
const MAX_LEVELS: usize = 64;

impl PathRules {
    /// The folder of the project that the working directory lies in: the work tree of a repository, or the workspace. None
    /// where `gate.project` is `ask`, and none that is a home folder or holds one: not everything there is a project's.
    pub fn project(&self) -> Option<String> {
        if self.unasked.project == ProjectMode::Ask {
            return None;
        }
        let (here, workspace) = (canonical(&self.working_directory), canonical(&self.workspace));
        if is_below(&here, &workspace) {
            return Some(workspace);
        }
        let mut folder = here.as_str();
        for _ in 0..MAX_LEVELS {
            if std::fs::symlink_metadata(format!("{folder}/.git")).is_ok() {
                return self.may_be_project(folder).then(|| folder.to_owned());
            }
            folder = match folder.rfind('/') {
                Some(0) | None => return None,
                Some(at) => &folder[..at],
            };
        }
        None
    }

    /// The working directory where it is a folder of files and no project. None where `gate.project` is `ask`, for a home folder
    /// and what holds one, and where something may run later.
    pub fn plain_folder(&self) -> Option<String> {
        if self.unasked.project == ProjectMode::Ask || self.project().is_some() {
            return None;
        }
        let here = canonical(&self.working_directory);
        self.may_be_project(&here).then_some(here)
    }

    /// Whether the file at this path, which may be written, is one of the project's own that nothing executes by convention.
    pub fn is_project_file(&self, path: &str) -> bool {
        let real = canonical(path);
        let is_inside = |root: String| is_below(path, &self.working_directory) && is_below(&real, &root);
        !self.is_run_by_convention(path) && self.project().is_some_and(is_inside)
    }

    /// The files right in the working directory that tools execute or follow by convention.
    pub fn run_by_convention(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.working_directory).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let run = names.filter(|name| is_run_by_name(&name.to_lowercase()));
        run.map(|name| format!("{}/{name}", self.working_directory.trim_end_matches('/'))).collect()
    }

    /// Whether tools execute or follow the file at this path by convention.
    pub fn is_run_by_convention(&self, path: &str) -> bool {
        let names = [last_name(path), last_name(&canonical(path))];
        names.iter().any(|name| is_run_by_name(name))
    }

    /// Whether the file at this path, which may be written, is one of the project's own by which it is built or tested.
    pub fn is_build_file(&self, path: &str) -> bool {
        let real = canonical(path);
        let is_inside = |root: String| is_below(path, &self.working_directory) && is_below(&real, &root);
        let is_one = [last_name(path), last_name(&real)].iter().all(|n| BUILD_FILES.contains(&n.as_str()));
        is_one && self.project().is_some_and(is_inside)
    }

    /// Whether what lies at this path in a project is for a person to decide about, because something runs it later: hooks and
    /// settings of the repository, tasks of editors, files that tools execute by convention. Paths have their links resolved.
    pub fn is_guarded_in(&self, root: &str, path: &str) -> bool {
        is_guarded_in(root, path)
    }

    fn may_be_project(&self, folder: &str) -> bool {
        !self.holds_home(folder)
            && !self.holds_data_dir(folder)
            && !self.in_data_dir(folder)
            && !self.runs_later(folder)
    }
}

/// The last part of a path, in lower case.
fn last_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// Whether tools execute or follow files of this name, in lower case. A person decides about what programs do to them.
fn is_run_by_name(name: &str) -> bool {
    BUILD_FILES.contains(&name) || FOLLOWED_FILES.contains(&name)
}

/// Entries of a repository that run something, or say what runs. The rest of it is its history, its index and its branches.
const RUN_BY_GIT: &[&str] = &["hooks", "config", "config.worktree", "commondir", "gitdir", "info/attributes"];

/// See [`PathRules::is_guarded_in`].
pub fn is_guarded_in(root: &str, path: &str) -> bool {
    let Some(rest) = path.strip_prefix(root.trim_end_matches('/')) else { return false };
    let rest = rest.trim_start_matches('/').to_lowercase();
    if let Some(inner) = rest.strip_prefix(".git/") {
        // What lies below `modules` and `worktrees` are the same again.
        let parts: Vec<&str> = inner.split('/').collect();
        let is_apart = matches!(parts[0], "modules" | "worktrees");
        let runs = |entry: &&str| is_below(&format!("/{inner}"), &format!("/{entry}"));
        return RUN_BY_GIT.iter().any(runs) || is_apart && parts.iter().any(|part| RUN_BY_GIT.contains(part));
    }
    let name = rest.rsplit('/').next().unwrap_or_default();
    let is_part = |part: &&str| {
        let part = part.to_lowercase();
        rest == part
            || rest.starts_with(&format!("{part}/"))
            || rest.ends_with(&format!("/{part}"))
            || rest.contains(&format!("/{part}/"))
    };
    is_run_by_name(name)
        || RUNS_LATER_PARTS.iter().any(is_part)
        || RUNS_LATER_ENDINGS.iter().any(|ending| rest.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::is_guarded_in;

    #[test]
    fn what_runs_later_is_guarded_and_history_is_not() {
        let guarded = |path: &str| is_guarded_in("/p", &format!("/p/{path}"));
        for path in [
            ".git",
            ".git/hooks/pre-commit",
            ".git/config",
            ".git/modules/x/hooks/y",
            ".git/info/attributes",
            "sub/.git/HEAD",
            "docs/HEAD",
            ".envrc",
            "a/.vscode/tasks.json",
            "Makefile",
            "sub/conftest.py",
            ".mcp.json",
            "x.pth",
            ".Rprofile",
        ] {
            assert!(guarded(path), "{path}");
        }
        for path in [
            ".git/HEAD",
            ".git/index",
            ".git/refs/heads/main",
            ".git/objects/ab/c",
            "src/main.rs",
            "",
            "configs/a",
        ] {
            assert!(!guarded(path), "{path}");
        }
        assert!(!is_guarded_in("/p", "/q/.envrc"), "it is outside");
    }
}
