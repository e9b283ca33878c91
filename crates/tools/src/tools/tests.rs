use std::time::{Duration, Instant};

use artoo_command::stop::{StopSignal, StopSwitch};
use artoo_types::evidence::CallEnd;
use serde_json::{Value, json};

use super::{FILE_SEARCH, TOOLS, read, specs};
use crate::bench::Bench;
use crate::installed::{HelperProgram, HelperPrograms};
use crate::tool::{CommandRights, FileRights, PlaceRights};

/// Those of a folder that is no project.
pub(crate) const RIGHTS: PlaceRights =
    PlaceRights { files: FileRights::Named, commands: CommandRights::Boxed };

/// Every program there is, at places that nothing asks for here.
fn all() -> HelperPrograms {
    HelperPrograms::of(&[
        (HelperProgram::Osascript, "/usr/bin/osascript"),
        (HelperProgram::Shortcuts, "/usr/bin/shortcuts"),
        (HelperProgram::Mdfind, "/usr/bin/mdfind"),
    ])
    .with_web(true, true)
}

#[test]
fn a_command_gets_the_time_that_it_asks_for() {
    let installed = all();
    let check = |command: &str, asked: Option<u64>, left: u64, seconds: u64| {
        let arguments = json!({"command": command, "timeout_ms": asked}).to_string();
        let tool = read("shell", &arguments, &installed).unwrap();
        assert_eq!(tool.timeout(Duration::from_secs(left)).as_secs(), seconds, "{command} {asked:?} {left}");
    };
    check("ls -R", None, 600, 30);
    check("./make_report", None, 600, 30);
    check("make test", Some(50_000), 600, 50);
    for command in ["make test", "cd x && cargo test", "python3 -m pytest -q", "CI=1 /usr/bin/npm run build"]
    {
        check(command, None, 600, 120);
        check(command, None, 200, 50);
        check(command, None, 40, 30);
    }
}

#[test]
fn a_schema_is_derived_short_and_with_every_description() {
    let spec = specs(&all(), RIGHTS).into_iter().find(|spec| spec.name == "read_file").unwrap();
    assert_eq!(spec.signature, "{path, offset?, limit?}");
    let wanted = json!({"type": "object", "properties": {
        "path": {"type": "string", "description": "the file"},
        "offset": {"type": "integer", "description": "lines to skip first"},
        "limit": {"type": "integer", "description": "most lines; 2000 unless given"},
    }, "required": ["path"]});
    assert_eq!(spec.schema, wanted.to_string());
    for spec in specs(&all(), RIGHTS) {
        let schema: Value = serde_json::from_str(&spec.schema).unwrap();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let is_whole = property["type"].is_string() && property["description"].is_string();
            assert!(is_whole, "{}.{name}: {property}", spec.name);
        }
    }
}

#[test]
fn names_are_unique_and_a_call_that_does_not_fit_is_told_how() {
    for (index, row) in TOOLS.iter().enumerate() {
        assert!(TOOLS.iter().skip(index + 1).all(|other| other.name != row.name));
    }
    let refusal = |tool: &str, arguments: &str| read(tool, arguments, &all()).unwrap_err().0;
    assert!(refusal("rm", "{}").contains("the tools are"));
    let missing = refusal("write_file", r#"{"path":"x"}"#);
    assert!(missing.contains("content") && missing.contains("{path, content, executable?}"), "{missing}");
    assert!(refusal("glob", "[1]").contains("JSON object") && refusal("glob", "{").contains("not JSON"));
    // What may be left out may be null as well.
    read("read_file", r#"{"path":"x","offset":null,"other":1}"#, &all()).unwrap();
}

#[test]
fn a_tool_whose_program_is_missing_is_neither_offered_nor_found() {
    let bare = HelperPrograms::default();
    let offered = |installed: &HelperPrograms| {
        specs(installed, RIGHTS).into_iter().map(|spec| spec.name).collect::<Vec<_>>()
    };
    for name in ["applescript", "shortcuts", "search", "fetch_url"] {
        assert!(!offered(&bare).contains(&name.to_owned()) && offered(&all()).contains(&name.to_owned()));
        assert!(read(name, "{}", &bare).unwrap_err().0.contains("no tool"), "{name}");
    }
    assert_eq!(specs(&bare, RIGHTS).len() + 4, TOOLS.len(), "the others need nothing");
}

/// The order in which the design has an executor consider its tools.
#[test]
fn tools_stand_in_the_order_of_their_priority() {
    let order: Vec<String> = specs(&all(), RIGHTS).into_iter().map(|spec| spec.name).collect();
    let place = |name: &str| order.iter().position(|n| n == name).unwrap();
    let wanted =
        [FILE_SEARCH, "glob", "grep", "read_file", "write_file", "applescript", "shortcuts", "shell"];
    assert!(wanted.is_sorted_by_key(|name| place(name)), "{order:?}");
}

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
    let mode = |name: &str| {
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(bench.path(name)).unwrap().permissions())
            & 0o111
    };
    bench.run("write_file", &json!({"path": "./run.sh", "content": "#!/bin/sh\n", "executable": true}));
    assert_eq!((mode("run.sh") != 0, mode("x/y/a.md")), (true, 0));
    std::os::unix::fs::symlink(bench.path("nowhere"), bench.path("link")).unwrap();
    let link = bench.run("write_file", &json!({"path": "./link", "content": "z"}));
    assert!(link.exit == Some(1) && !std::path::Path::new(&bench.path("nowhere")).exists(), "{link:?}");
    let names: Vec<_> = std::fs::read_dir(bench.path("x/y")).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file stays");
}

#[test]
fn a_bare_name_lands_where_the_person_stands_and_from_home_in_the_workspace() {
    let mut bench = Bench::new();
    let places = bench.work.places.clone();
    for (here, folder) in
        [(&places.working_directory, &places.working_directory), (&places.home, &places.workspace)]
    {
        bench.work.places.working_directory.clone_from(here);
        bench.run("write_file", &json!({"path": "report.md", "content": "a"}));
        assert_eq!(std::fs::read_to_string(format!("{folder}/report.md")).unwrap(), "a");
    }
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
    for arguments in [
        json!({"query": "a", "kind": "poem"}),
        json!({"query": "a", "order": "age"}),
        json!({"query": "", "larger_than": "big"}),
    ] {
        assert_eq!(bench.run(FILE_SEARCH, &arguments).end, CallEnd::Refused, "{arguments}");
    }
}

#[test]
fn a_walk_ends_when_it_is_stopped_or_late() {
    let mut bench = Bench::new();
    bench.put("a.txt", "a");
    let (switch, signal) = StopSwitch::new();
    bench.work.stop = signal;
    switch.stop();
    assert_eq!(bench.run("glob", &json!({"pattern": "*"})).end, CallEnd::Cancelled);
    bench.work.stop = StopSignal::never();
    bench.work.deadline = Instant::now();
    assert_eq!(bench.run("glob", &json!({"pattern": "*"})).end, CallEnd::Timeout);
}
