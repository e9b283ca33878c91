//! Programs of this machine that tools are made of, looked for once, when the toolbox is made.
//!
//! What was found is what a task is offered, and that list stands in its journal. A program that comes or goes later
//! changes nothing until the next start; a call whose program is gone meanwhile fails with what the system says.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
    /// No program but this process's own way into the internet, where the configuration opens it.
    Web,
    /// The same with a search engine to ask.
    WebSearch,
}

/// Every program with its file name.
const PROGRAMS: &[(Program, &str)] = &[
    (Program::Osascript, "osascript"),
    (Program::Shortcuts, "shortcuts"),
    (Program::Mdfind, "mdfind"),
    (Program::Plocate, "plocate"),
    (Program::Locate, "locate"),
];

/// Where the indexes of file names lie. Sources: the manuals of plocate, mlocate and the locate of GNU findutils.
const DATABASES: &[(Program, &[&str])] = &[
    (Program::Plocate, &["/var/lib/plocate/plocate.db"]),
    (Program::Locate, &["/var/lib/mlocate/mlocate.db", "/var/cache/locate/locatedb"]),
];

/// Which programs there are, and where.
#[derive(Debug, Clone, Default)]
pub(crate) struct Installed {
    programs: BTreeMap<Program, PathBuf>,
    databases: Vec<(Program, PathBuf)>,
}

impl Installed {
    /// Looks in the folders of `path`, a list as in `PATH`; relative ones are left out, because what they mean depends on
    /// where one stands.
    pub(crate) fn find(path: &str) -> Self {
        let folders: Vec<&Path> = path.split(':').filter(|f| f.starts_with('/')).map(Path::new).collect();
        let place = |name: &str| folders.iter().map(|f| f.join(name)).find(|file| is_program(file));
        let databases = DATABASES
            .iter()
            .flat_map(|(program, files)| files.iter().map(|file| (*program, PathBuf::from(file))));
        Self {
            programs: PROGRAMS.iter().filter_map(|(program, name)| Some((*program, place(name)?))).collect(),
            databases: databases.collect(),
        }
    }

    /// The same with a way into the internet: pages, and a search where one is configured.
    pub(crate) fn with_web(mut self, pages: bool, search: bool) -> Self {
        for (there, part) in [(pages, Program::Web), (search, Program::WebSearch)] {
            if there {
                self.programs.insert(part, PathBuf::new());
            }
        }
        self
    }

    /// These programs at these places.
    #[cfg(test)]
    pub(crate) fn of(programs: &[(Program, &str)]) -> Self {
        let programs = programs.iter().map(|(program, path)| (*program, PathBuf::from(path))).collect();
        Self { programs, databases: Vec::new() }
    }

    /// The same with the index of this program in this file.
    #[cfg(test)]
    pub(crate) fn with_database(mut self, program: Program, file: PathBuf) -> Self {
        self.databases.push((program, file));
        self
    }

    /// Where the program is; none when it was not there.
    pub(crate) fn path(&self, program: Program) -> Option<&Path> {
        self.programs.get(&program).map(PathBuf::as_path)
    }

    /// When the index that this program asks was last brought up to date; none when there is none that can be seen.
    pub(crate) fn indexed_at(&self, program: Program) -> Option<SystemTime> {
        let files = self.databases.iter().filter(|(asks, _)| *asks == program);
        files.filter_map(|(_, file)| file.metadata().ok()?.modified().ok()).max()
    }
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests;
