//! The same requests with the commands that are planned on macOS: run here with programs that know no more than those of BSD do,
//! beside a folder that may not be read.
#![cfg(target_os = "linux")]

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::commands::{Folder, PROJECT, project};

/// Programs that do here what they do there, as far as the rules use them.
const SAME: &[&str] = &[
    "awk", "bash", "basename", "cat", "cut", "date", "df", "diff", "file", "git", "grep", "head", "ls", "ps",
    "shasum", "sort", "tail", "tr", "uname", "uptime", "wc", "xargs",
];
/// Programs of macOS as scripts. What theirs does not know ends as it does there.
const BSD: &[(&str, &str)] = &[
    (
        "find",
        r#"for word; do case "$word" in -printf|-readable|-writable|-executable|-regextype|-daystart|-xtype|-used|-fprint*)
  echo "find: $word: unknown primary or operator" >&2; exit 1;; esac; done
case "$1" in -*) echo "usage: find [-H | -L | -P] [-EXdsx] path ..." >&2; exit 1;; esac
exec /usr/bin/find "$@""#,
    ),
    (
        "stat",
        r#"[ "$1" = -f ] || { echo "stat: illegal option" >&2; exit 1; }
format=$2 shape=; shift 2
if [ "$1" = -t ]; then shape=$2; shift 2; fi
if [ "$1" = -- ]; then shift; fi
for name; do
  line=${format//%t/$'\t'}
  line=${line//%Sm/$(/usr/bin/date -r "$name" "+$shape")}
  line=${line//%Sp/$(/usr/bin/stat -c %A -- "$name")}
  line=${line//%z/$(/usr/bin/stat -c %s -- "$name")}
  line=${line//%m/$(/usr/bin/stat -c %Y -- "$name")}
  printf '%s\n' "${line//%N/$name}"
done"#,
    ),
    (
        "du",
        r#"words=(); while [ $# -gt 0 ]; do if [ "$1" = -I ]; then words+=("--exclude=$2"); shift; else
  case "$1" in --*?) echo "du: unrecognized option" >&2; exit 64;; esac; words+=("$1"); fi; shift; done
exec /usr/bin/du "${words[@]}""#,
    ),
    ("md5", r#"[ "$1" = -r ] && shift && exec /usr/bin/md5sum "$@""#),
    ("sysctl", r#"case "$2" in hw.memsize) echo 8589934592;; hw.ncpu) echo 8;; *) exit 1;; esac"#),
    ("lsof", "exit 1"),
];
/// What bash 3.2, which is the bash of macOS, does not read, or reads otherwise.
const LATER_BASH: &[&str] = &[
    "|&",
    "&>>",
    "mapfile",
    "readarray",
    "declare -A",
    "local -n",
    ",,}",
    "^^}",
    ";;&",
    "$'\\u",
    "globstar",
    "wait -n",
    "${!",
    "coproc",
];
/// An account that may read nothing of root's.
const NOBODY: u32 = 65_534;

/// A folder with those programs alone.
fn programs(test: &str) -> Folder {
    let folder = Folder::new(&format!("programs {test}"));
    let path = std::env::var_os("PATH").expect("tests have a PATH");
    let found =
        |name: &str| std::env::split_paths(&path).map(|place| place.join(name)).find(|file| file.is_file());
    for name in SAME {
        symlink(found(name).unwrap_or_else(|| panic!("{name} is needed")), folder.0.join(name))
            .expect("a link");
    }
    for (name, text) in BSD {
        let script = folder.0.join(name);
        std::fs::write(&script, format!("#!/bin/bash\n{text}\n")).expect("a script");
        std::fs::set_permissions(&script, Permissions::from_mode(0o755)).expect("its mode");
    }
    folder
}

/// Runs a command as it would be there, by somebody who is not root.
fn run(folder: &Path, programs: &Path, command: &str) -> String {
    let later = LATER_BASH.iter().find(|form| command.contains(**form));
    assert_eq!(later, None, "bash 3.2 cannot read {command}");
    let here = command.replace("/usr/bin/stat", "stat");
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-o", "pipefail", "-c", &here]).current_dir(folder);
    bash.env_clear().env("PATH", programs).env("LC_ALL", "C");
    // Not for root would anything be unreadable.
    if Folder::is_roots() {
        bash.uid(NOBODY).gid(NOBODY);
    }
    let output = bash.output().expect("bash runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{command}: {:?} {errors}", output.status);
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// A project beside which lies what nobody may read.
fn project_with_a_shut_folder(name: &str) -> Folder {
    let folder = project(name).with("shut/hidden.rs", "// TODO nobody\n");
    std::fs::set_permissions(folder.0.join("shut"), Permissions::from_mode(0o0)).expect("its mode");
    folder
}

fn asked(folder: &Folder, programs: &Folder, request: &str) -> String {
    let command = folder.planned(request, "macos", &[]);
    run(&folder.0, &programs.0, &command).replace(folder.0.to_str().expect("text"), "")
}

#[test]
fn what_is_measured_in_a_project_is_the_same_with_the_programs_of_macos() {
    let (folder, programs) = (project_with_a_shut_folder("apple project"), programs("project"));
    for (request, expected) in PROJECT {
        // That something could not be read is told beside the answer.
        let told = asked(&folder, &programs, request).replace("\n(not readable: 1)", "");
        assert_eq!(told, *expected, "{request}");
    }
    for (request, part) in [
        ("list the 20 newest files", "/notes.md"),
        ("find duplicate files", "/src/main.rs"),
        ("count files by type", ".rs"),
        ("how many files are here", "10 files"),
        ("how many folders are here", "3 folders"),
        ("list all todos here", "/src/main.rs:2:// TODO one"),
        ("sha256 of notes.md", "notes.md"),
        ("md5 of notes.md", "notes.md"),
        ("details of notes.md", "notes.md"),
        ("how much disk space is free", "%"),
        ("which processes use the most memory", "MiB"),
        ("which processes use the most cpu", "%"),
        ("what time is it", ":"),
        ("how much memory does this computer have", "8.0 GiB"),
        ("how many cpu cores", "8"),
        ("which ports are open", "no port is open"),
        ("disk usage by folder", "/src"),
    ] {
        let told = asked(&folder, &programs, request);
        assert!(told.contains(part), "{request}: {told}");
    }
}

#[test]
fn a_folder_that_cannot_be_read_itself_is_no_answer() {
    let (folder, programs) = (project_with_a_shut_folder("apple shut"), programs("shut"));
    let command = folder.planned("find empty files", "macos", &[]);
    let shut: PathBuf = folder.0.join("shut");
    let inside = command.replace(folder.0.to_str().expect("text"), shut.to_str().expect("text"));
    let mut bash = Command::new("bash");
    bash.args(["-o", "pipefail", "-c", &inside]).env("PATH", &programs.0).current_dir("/");
    if Folder::is_roots() {
        bash.uid(NOBODY).gid(NOBODY);
    }
    let output = bash.output().expect("bash runs");
    assert!(!output.status.success(), "{inside}: {}", String::from_utf8_lossy(&output.stdout));
}
