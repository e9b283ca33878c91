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
pub(crate) enum HelperProgram {
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
const PROGRAMS: &[(HelperProgram, &str)] = &[
    (HelperProgram::Osascript, "osascript"),
    (HelperProgram::Shortcuts, "shortcuts"),
    (HelperProgram::Mdfind, "mdfind"),
    (HelperProgram::Plocate, "plocate"),
    (HelperProgram::Locate, "locate"),
];

/// Where the indexes of file names lie. Sources: the manuals of plocate, mlocate and the locate of GNU findutils.
const DATABASES: &[(HelperProgram, &[&str])] = &[
    (HelperProgram::Plocate, &["/var/lib/plocate/plocate.db"]),
    (HelperProgram::Locate, &["/var/lib/mlocate/mlocate.db", "/var/cache/locate/locatedb"]),
];

/// Which programs there are, and where.
#[derive(Debug, Clone, Default)]
pub(crate) struct HelperPrograms {
    programs: BTreeMap<HelperProgram, PathBuf>,
    databases: Vec<(HelperProgram, PathBuf)>,
}

impl HelperPrograms {
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
        for (there, part) in [(pages, HelperProgram::Web), (search, HelperProgram::WebSearch)] {
            if there {
                self.programs.insert(part, PathBuf::new());
            }
        }
        self
    }

    /// These programs at these places.
    #[cfg(test)]
    pub(crate) fn of(programs: &[(HelperProgram, &str)]) -> Self {
        let programs = programs.iter().map(|(program, path)| (*program, PathBuf::from(path))).collect();
        Self { programs, databases: Vec::new() }
    }

    /// The same with the index of this program in this file.
    #[cfg(test)]
    pub(crate) fn with_database(mut self, program: HelperProgram, file: PathBuf) -> Self {
        self.databases.push((program, file));
        self
    }

    /// Where the program is; `None` if it was not there.
    pub(crate) fn path(&self, program: HelperProgram) -> Option<&Path> {
        self.programs.get(&program).map(PathBuf::as_path)
    }

    /// When the index that this program asks was last brought up to date; `None` if there is none that can be seen.
    pub(crate) fn indexed_at(&self, program: HelperProgram) -> Option<SystemTime> {
        let files = self.databases.iter().filter(|(asks, _)| *asks == program);
        files.filter_map(|(_, file)| file.metadata().ok()?.modified().ok()).max()
    }
}

pub(crate) fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::{HelperProgram, HelperPrograms};

    #[test]
    fn the_first_folder_that_has_it_executable_counts() {
        let dir = tempfile::tempdir().unwrap();
        for (folder, name, mode) in
            [("a", "osascript", 0o644), ("b", "osascript", 0o755), ("c", "osascript", 0o755)]
        {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
            let file = dir.path().join(folder).join(name);
            std::fs::write(&file, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        std::fs::create_dir(dir.path().join("b/shortcuts")).unwrap();
        let at = |folder: &str| dir.path().join(folder).to_string_lossy().into_owned();
        let installed = HelperPrograms::find(&[at("none"), at("a"), at("b"), at("c")].join(":"));
        assert_eq!(installed.path(HelperProgram::Osascript), Some(dir.path().join("b/osascript").as_path()));
        assert_eq!(installed.path(HelperProgram::Shortcuts), None, "a folder is no program");
    }

    #[test]
    fn relative_folders_are_not_looked_into() {
        // The tests run in the crate's folder, where this file is.
        assert_eq!(HelperPrograms::find("src:.:").path(HelperProgram::Mdfind), None);
        assert!(super::is_program(std::path::Path::new("/bin/sh")));
    }
}
