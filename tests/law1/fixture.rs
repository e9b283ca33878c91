//! The folder that the commands of a corpus are judged in, and in which `against_bash` runs what the gate calls safe.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use artoo_redact::Redactor;
use artoo_tools::{Toolbox, ToolboxConfig};

/// Files of the working directory, and what is in them.
const FILES: &[(&str, &str)] = &[
    ("existing.txt", "alpha\nbeta\n"),
    ("other.txt", "gamma\n"),
    ("notes.txt", "a\n"),
    ("list.csv", "a,b\n"),
    ("-f", "a file whose name looks like an option\n"),
    ("archive.tar", "not read\n"),
    ("archive.zip", "not read\n"),
    ("data.db", "not read\n"),
    ("image.iso", "not read\n"),
    ("script.sh", "#!/bin/sh\nrm existing.txt\n"),
    ("rm.d", "a\n"),
    ("shred.log", "a\n"),
    ("lock", ""),
    ("data/one.txt", "1\n"),
    ("data/two.txt", "2\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("marked", "#!/bin/sh\necho > ran\n"),
];

/// A home with a project in it.
pub(crate) struct Fixture {
    /// Goes with everything in it.
    _folder: tempfile::TempDir,
    home: PathBuf,
    work: PathBuf,
    toolbox: Toolbox,
}

impl Fixture {
    /// Makes it: files, a repository with two commits, a branch and an uncommitted change, some secrets in the home.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let top = folder.path().canonicalize().expect("it exists");
        let home = top.join("home");
        let work = home.join("project");
        for name in ["project/emptydir", ".ssh", ".artoo", "artoo_workspace"] {
            std::fs::create_dir_all(home.join(name)).expect("a folder");
        }
        for (name, text) in FILES {
            write(&work.join(name), text);
        }
        for name in [".ssh/id_ed25519", ".netrc", ".artoo/audit.jsonl"] {
            write(&home.join(name), "canary\n");
        }
        let marked = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(work.join("marked"), marked).expect("a program");
        repository(&work);
        let config = ToolboxConfig {
            workspace: home.join("artoo_workspace"),
            data_dir: home.join(".artoo"),
            artifacts: home.join(".artoo/artifacts"),
            home: home.clone(),
            environment: BTreeMap::new(),
            redactor: Redactor::default(),
            web: Default::default(),
            trash: artoo_trash::TrashLimits::default(),
            launcher: None,
            sandbox: artoo_command::sandbox::Sandboxing::Waived,
            unasked: Default::default(),
        };
        Self { _folder: folder, home, work, toolbox: Toolbox::new(config) }
    }

    /// Runs a command in the working directory with bash, for a few seconds of computing at most, and waits for it.
    pub(crate) fn run(&self, command: &str) {
        Command::new("bash")
            .args(["--noprofile", "--norc", "-c"])
            .arg("ulimit -t 2; exec bash --noprofile --norc -c \"$1\"")
            .args(["bash", command])
            .current_dir(&self.work)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &self.home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("bash starts");
    }

    /// Whether the marked file is as it was made, and the marked program has not run.
    pub(crate) fn is_untouched(&self) -> bool {
        let is_kept = std::fs::read_to_string(self.work.join("notes.txt")).is_ok_and(|text| text == "a\n");
        is_kept && !self.work.join("ran").exists()
    }

    /// What the gate says of a command in the working directory.
    pub(crate) fn explain(&self, command: &str) -> artoo_gate::Explanation {
        self.toolbox.explain(command, &self.work.to_string_lossy())
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn repository(work: &Path) {
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(work)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git starts");
        assert!(done.status.success(), "git {arguments:?}: {done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    write(&work.join("existing.txt"), "alpha\nbeta\ngamma\n");
    git(&["commit", "-q", "-a", "-m", "second"]);
    git(&["branch", "feature"]);
    write(&work.join("existing.txt"), "changed\n");
}
