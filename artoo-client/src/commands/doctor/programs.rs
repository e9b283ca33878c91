//! Programs of this machine that the built-in rules and the tools use, and what does not work without each.

use super::check::DoctorCheck;

/// A program that something needs.
struct NeededProgram {
    name: &'static str,
    /// What does not work without it.
    lacks: &'static str,
    /// The package that holds it: of Debian, and of Homebrew.
    packages: [&'static str; 2],
}

const fn needed(name: &'static str, lacks: &'static str, packages: [&'static str; 2]) -> NeededProgram {
    NeededProgram { name, lacks, packages }
}

/// Each once, the most important first.
const NEEDED: &[NeededProgram] = &[
    needed("find", "finding, counting and comparing files", ["findutils", "findutils"]),
    needed("awk", "tables, sums and counts, of files too", ["gawk", "gawk"]),
    needed("sort", "every list that has an order", ["coreutils", "coreutils"]),
    needed("xargs", "counting what is in several files", ["findutils", "findutils"]),
    needed("git", "questions about a repository, and edits in it that can be undone", ["git", "git"]),
    needed("file", "what kind of file something is, and the sizes of images", ["file", "file-formula"]),
    needed("jq", "questions about JSON files", ["jq", "jq"]),
    needed("tar", "listing, packing and unpacking archives", ["tar", "gnu-tar"]),
    needed("unzip", "listing and unpacking zip archives", ["unzip", "unzip"]),
    needed("zip", "packing zip archives", ["zip", "zip"]),
    #[cfg(target_os = "linux")]
    needed("ss", "which program listens on a port", ["iproute2", ""]),
    #[cfg(target_os = "macos")]
    needed("lsof", "which program listens on a port", ["", "lsof"]),
    needed("ps", "which processes run, and what they use", ["procps", ""]),
    needed("python3", "running Python scripts and their tests", ["python3", "python"]),
];

/// Their file names, for whoever can look.
pub(super) fn names() -> Vec<String> {
    NEEDED.iter().map(|program| program.name.to_owned()).collect()
}

/// One check for each that is missing, or one that none is.
pub(super) fn of_missing(missing: &[String]) -> Vec<DoctorCheck> {
    let lacking = NEEDED.iter().filter(|program| missing.iter().any(|name| name == program.name));
    let checks: Vec<DoctorCheck> = lacking.map(told).collect();
    if checks.is_empty() {
        vec![DoctorCheck::fine("programs", format!("{} are there", names().join(", ")))]
    } else {
        checks
    }
}

fn told(program: &NeededProgram) -> DoctorCheck {
    let saw = format!("{} is not there; without it does not work: {}", program.name, program.lacks);
    let [debian, homebrew] = program.packages;
    if cfg!(target_os = "macos") {
        DoctorCheck::note("programs", saw, "install it").by(format!("brew install {homebrew}"))
    } else {
        let remedy = "install it with this system's packages, on Debian and Ubuntu";
        DoctorCheck::note("programs", saw, remedy).by(format!("sudo apt-get install {debian}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckVerdict;
    use super::{NEEDED, names, of_missing};

    #[test]
    fn each_program_that_is_missing_is_told_with_what_needs_it() {
        let fine = of_missing(&[]);
        assert!(matches!(fine.as_slice(), [one] if one.verdict == CheckVerdict::Fine), "{fine:?}");
        for program in NEEDED {
            let told = of_missing(&[program.name.to_owned(), "nobody-needs-it".to_owned()]);
            assert_eq!(told.len(), 1, "{told:?}");
            assert_eq!(told[0].verdict, CheckVerdict::Note);
            assert!(told[0].saw.starts_with(program.name) && told[0].saw.contains(program.lacks), "{told:?}");
            assert!(told[0].command.contains("install "), "{told:?}");
        }
        assert_eq!(of_missing(&names()).len(), NEEDED.len());
    }
}
