//! Programs of this machine that tools are made of, looked for once, when the toolbox is made.
//!
//! What was found is what a task is offered, and that list stands in its journal. A program that comes or goes later
//! changes nothing until the next start; a call whose program is gone meanwhile fails with what the system says.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// A program that a tool needs, or can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Program {
    /// Runs AppleScript (macOS).
    Osascript,
    /// Runs Shortcuts (macOS 12 and later).
    Shortcuts,
    /// Asks the Spotlight index (macOS).
    Mdfind,
    /// Asks an index of file names (Linux).
    Plocate,
    /// The same, of older systems.
    Locate,
}

/// Every program with its file name.
const PROGRAMS: &[(Program, &str)] = &[
    (Program::Osascript, "osascript"),
    (Program::Shortcuts, "shortcuts"),
    (Program::Mdfind, "mdfind"),
    (Program::Plocate, "plocate"),
    (Program::Locate, "locate"),
];

/// Which programs there are, and where.
#[derive(Debug, Clone, Default)]
pub(crate) struct Installed(BTreeMap<Program, PathBuf>);

impl Installed {
    /// Looks in the folders of `path`, a list as in `PATH`; relative ones are left out, because what they mean depends on
    /// where one stands.
    pub(crate) fn find(path: &str) -> Self {
        let folders: Vec<&Path> = path.split(':').filter(|f| f.starts_with('/')).map(Path::new).collect();
        let place = |name: &str| folders.iter().map(|f| f.join(name)).find(|file| is_program(file));
        Self(PROGRAMS.iter().filter_map(|(program, name)| Some((*program, place(name)?))).collect())
    }

    /// These programs at these places.
    #[cfg(test)]
    pub(crate) fn of(programs: &[(Program, &str)]) -> Self {
        Self(programs.iter().map(|(program, path)| (*program, PathBuf::from(path))).collect())
    }

    /// Where the program is; none when it was not there.
    pub(crate) fn path(&self, program: Program) -> Option<&Path> {
        self.0.get(&program).map(PathBuf::as_path)
    }
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests;
