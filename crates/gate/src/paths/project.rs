//! Projects: places whose files may be changed unasked, because they are kept first and can be put back.

use artoo_types::setting::ProjectMode;
use artoo_types::target::is_below;

use super::{PathRules, canonical};

/// Names of files that build tools, test runners, editors and agents execute or follow by convention, in lower case. A
/// person decides about them in a project too.
const RUN_BY_CONVENTION: &[&str] = &[
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
        if self.project == ProjectMode::Ask {
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

    /// Whether the file at this path, which may be written, is one of the project's own that nothing executes by convention.
    pub fn is_project_file(&self, path: &str) -> bool {
        let real = canonical(path);
        let name = real.rsplit('/').next().unwrap_or_default().to_lowercase();
        let is_inside = |root: String| is_below(path, &self.working_directory) && is_below(&real, &root);
        !RUN_BY_CONVENTION.contains(&name.as_str()) && self.project().is_some_and(is_inside)
    }

    fn may_be_project(&self, folder: &str) -> bool {
        let homes = self.homes();
        let lower = folder.to_lowercase();
        let holds_home = homes.iter().any(|home| is_below(home, &lower));
        !holds_home && !self.holds_data_dir(folder) && !self.in_data_dir(folder) && !self.runs_later(folder)
    }
}
