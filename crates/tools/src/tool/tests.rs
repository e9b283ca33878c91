use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_types::Timestamp;
use artoo_types::evidence::CallEnd;

use super::{Work, act};
use crate::action;
use crate::artifact::Outputs;
use crate::installed::Installed;
use artoo_command::stop::{StopSignal, StopSwitch};
use artoo_gate::places::Places;
use artoo_types::tool::CallOutcome;

/// Makes a program of this text. Another process writes it: one that this process has open for writing could be inherited
/// by a child that another test starts at that moment, and then it could not be run (ETXTBSY).
pub(crate) fn make_program(file: &std::path::Path, text: &str) {
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
    pub(super) work: Work,
}

impl Bench {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap().join("home");
        for folder in ["project", "artoo_workspace", ".ssh", ".artoo/artifacts"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        let text = |name: &str| home.join(name).to_string_lossy().into_owned();
        let work = Work {
            places: Places {
                working_directory: text("project"),
                workspace: text("artoo_workspace"),
                data_dir: text(".artoo"),
                real: Default::default(),
                home: home.to_string_lossy().into_owned(),
            },
            installed: Installed::default(),
            artifacts: home.join(".artoo/artifacts"),
            outputs: Arc::<Outputs>::default(),
            seen: Arc::default(),
            deadline: Instant::now() + Duration::from_secs(60),
            stop: StopSignal::never(),
            now: Timestamp(4_000_000_000_000),
            agreed: None,
        };
        Self { _dir: dir, work }
    }

    pub(super) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.work.places.working_directory)
    }

    pub(super) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = std::path::PathBuf::from(self.path(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(super) fn run(&self, tool: &str, arguments: &serde_json::Value) -> CallOutcome {
        let (_, action) = action::read(tool, &arguments.to_string(), &Installed::default()).unwrap();
        act(&action, &self.work)
    }

    /// Runs a tool and compares status and output, where `~` stands for the project.
    pub(super) fn check(&self, tool: &str, arguments: &serde_json::Value, exit: i64, output: &str) {
        let produced = self.run(tool, arguments);
        let seen = produced.output.replace(&self.work.places.working_directory, "~");
        assert_eq!((produced.exit, seen.as_str()), (Some(exit), output), "{tool} {arguments}");
    }
}

mod files {
    use super::Bench;
    use artoo_types::evidence::CallEnd;
    use serde_json::json;

    #[test]
    fn read_file_returns_the_lines_asked_for() {
        let bench = Bench::new();
        bench.put("a.txt", "0\n1\n2\n3");
        bench.check("read_file", &json!({"path": "a.txt"}), 0, "0\n1\n2\n3");
        bench.check("read_file", &json!({"path": "./a.txt", "offset": 3}), 0, "3");
        bench.check("read_file", &json!({"path": "a.txt", "offset": 1, "limit": 2}), 0, "1\n2\n");
        bench.check(
            "read_file",
            &json!({"path": "a.txt", "offset": 9}),
            1,
            "~/a.txt has 4 lines; offset 9 is past its end",
        );
        bench.put("empty.txt", "");
        bench.check("read_file", &json!({"path": "empty.txt"}), 0, "");
    }

    #[test]
    fn read_file_says_why_it_cannot_read() {
        let bench = Bench::new();
        bench.put("b.bin", [1, 0, 2]);
        bench.check("read_file", &json!({"path": "missing.txt"}), 1, "~/missing.txt: no such file or folder");
        bench.check("read_file", &json!({"path": "."}), 1, "~ is a folder; list it with glob");
        let binary = bench.run("read_file", &json!({"path": "b.bin"}));
        assert!(binary.exit == Some(1) && binary.output.contains("binary"), "{binary:?}");
        let made = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
        assert!(made.success());
        bench.check(
            "read_file",
            &json!({"path": "pipe"}),
            1,
            "~/pipe is a named pipe and not a regular file, which is all that can be read",
        );
    }

    #[test]
    fn write_file_makes_new_files_and_never_replaces_one() {
        let bench = Bench::new();
        bench.check(
            "write_file",
            &json!({"path": "./x/y/a.md", "content": "a\nb\n"}),
            0,
            "wrote 4 bytes, 2 lines to ~/x/y/a.md",
        );
        assert_eq!(std::fs::read_to_string(bench.path("x/y/a.md")).unwrap(), "a\nb\n");
        let again = bench.run("write_file", &json!({"path": "./x/y/a.md", "content": "z"}));
        assert!(again.exit == Some(1) && again.output.contains("already exists"), "{again:?}");
        assert_eq!(std::fs::read_to_string(bench.path("x/y/a.md")).unwrap(), "a\nb\n");
        std::os::unix::fs::symlink(bench.path("nowhere"), bench.path("link")).unwrap();
        let link = bench.run("write_file", &json!({"path": "./link", "content": "z"}));
        assert!(link.exit == Some(1) && !std::path::Path::new(&bench.path("nowhere")).exists(), "{link:?}");
        let names: Vec<_> = std::fs::read_dir(bench.path("x/y")).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary file stays");
    }

    #[test]
    fn a_bare_name_lands_in_the_workspace() {
        let bench = Bench::new();
        bench.run("write_file", &json!({"path": "report.md", "content": "a"}));
        let path = format!("{}/report.md", bench.work.places.workspace);
        assert_eq!(std::fs::read_to_string(path).unwrap(), "a");
    }

    #[test]
    fn edit_file_replaces_what_occurs_exactly_once() {
        let bench = Bench::new();
        bench.put("a.txt", "one two two");
        bench.check(
            "edit_file",
            &json!({"path": "a.txt", "old": "one", "new": "1"}),
            0,
            "replaced 3 bytes by 1 in ~/a.txt",
        );
        assert_eq!(std::fs::read_to_string(bench.path("a.txt")).unwrap(), "1 two two");
        for old in ["two", "three", ""] {
            let produced = bench.run("edit_file", &json!({"path": "a.txt", "old": old, "new": "x"}));
            assert_eq!(produced.exit, Some(1), "{old:?}");
        }
        let redacted = json!({"path": "a.txt", "old": "key = [redacted: token]", "new": "x"});
        assert!(bench.run("edit_file", &redacted).output.contains("choose a text without it"));
        assert_eq!(std::fs::read_to_string(bench.path("a.txt")).unwrap(), "1 two two");
    }

    #[test]
    fn unknown_orders_and_kinds_are_refused() {
        let bench = Bench::new();
        let search = crate::registry::FILE_SEARCH;
        for arguments in [
            json!({"query": "a", "kind": "poem"}),
            json!({"query": "a", "order": "age"}),
            json!({"query": "", "larger_than": "big"}),
        ] {
            assert_eq!(bench.run(search, &arguments).end, CallEnd::Refused, "{arguments}");
        }
    }
}

#[test]
fn a_walk_ends_when_it_is_stopped_or_late() {
    let mut bench = Bench::new();
    bench.put("a.txt", "a");
    let (switch, signal) = StopSwitch::new();
    bench.work.stop = signal;
    switch.stop();
    assert_eq!(bench.run("glob", &serde_json::json!({"pattern": "*"})).end, CallEnd::Cancelled);
    bench.work.stop = StopSignal::never();
    bench.work.deadline = Instant::now();
    assert_eq!(bench.run("glob", &serde_json::json!({"pattern": "*"})).end, CallEnd::Timeout);
}
