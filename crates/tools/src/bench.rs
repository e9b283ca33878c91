//! A home with some folders, in which the file tools are tried.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_command::children::Children;
use artoo_command::sandbox::Confinement;
use artoo_command::stop::StopSignal;
use artoo_gate::paths::PathRules;
use artoo_types::Timestamp;
use artoo_types::tool::CallOutcome;
use artoo_web::{Web, WebConfig};

use crate::installed::HelperPrograms;
use crate::outputs::Outputs;
use crate::tools;
use crate::work::{Commands, ToolRun, Work};

/// Makes a program of this text. Another process writes it: one that this process has open for writing could be inherited
/// by a child that another test starts at that moment, and then it could not be run (ETXTBSY).
pub(crate) fn make_program(file: &Path, text: &str) {
    let mut shell = std::process::Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\"", &file.to_string_lossy()])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut shell.stdin.take().unwrap(), text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success(), "{} can be written", file.display());
}

/// A home with a project and a workspace, and the work on them.
pub(crate) struct Bench {
    _dir: tempfile::TempDir,
    pub(crate) work: Work,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap().join("home");
        for folder in ["project", "artoo_workspace", ".ssh", ".artoo/artifacts"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        let text = |name: &str| home.join(name).to_string_lossy().into_owned();
        let work = Work {
            places: PathRules {
                working_directory: text("project"),
                workspace: text("artoo_workspace"),
                data_dir: text(".artoo"),
                unasked: Default::default(),
                real: Default::default(),
                home: home.to_string_lossy().into_owned(),
            },
            installed: HelperPrograms::default(),
            artifacts: home.join(".artoo/artifacts"),
            outputs: Arc::<Outputs>::default(),
            seen: Arc::default(),
            deadline: Instant::now() + Duration::from_secs(60),
            stop: StopSignal::never(),
            now: Timestamp(4_000_000_000_000),
            agreed: None,
            replaces: false,
            shows_images: false,
        };
        Self { _dir: dir, work }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.work.places.working_directory)
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = std::path::PathBuf::from(self.path(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn run(&self, tool: &str, arguments: &serde_json::Value) -> CallOutcome {
        let tool = tools::read(tool, &arguments.to_string(), &HelperPrograms::default()).unwrap();
        let commands = Commands {
            children: Children::new(None, Path::new(&self.work.places.data_dir)),
            environment: BTreeMap::new(),
            home: self.work.places.home.clone().into(),
            survivors: Arc::default(),
        };
        let run = ToolRun {
            work: self.work.clone(),
            timeout: Duration::from_secs(60),
            confinement: Confinement::FullPower,
            commands,
            web: Web::new(&WebConfig::default()),
        };
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(tool.run(run))
    }

    /// Runs a tool and compares status and output, where `~` stands for the project.
    pub(crate) fn check(&self, tool: &str, arguments: &serde_json::Value, exit: i64, output: &str) {
        let produced = self.run(tool, arguments);
        let seen = produced.output.replace(&self.work.places.working_directory, "~");
        assert_eq!((produced.exit, seen.as_str()), (Some(exit), output), "{tool} {arguments}");
    }
}
