//! Programs in the little languages that the gate reads itself, against the programs that run them: what it calls safe leaves
//! the folder as it was, whichever awk, sed, jq or find runs it.
//!
//! Those of the machine are taken, and those in the folders that `ARTOO_FUZZ_PROGRAMS` names, as in `PATH`. Most inputs are
//! asked about, so that few of them run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use artoo_gate::paths::PathRules;
use artoo_gate::{Decision, Explanation, explain};

/// How one language is run: the names of its programs, each with the words in front of the program text.
type Runners = &'static [(&'static str, &'static [&'static str])];

const AWKS: Runners =
    &[("mawk", &[]), ("gawk", &[]), ("original-awk", &[]), ("busybox", &["awk"]), ("awk", &[])];
const SEDS: Runners = &[("sed", &[]), ("busybox", &["sed"])];
const JQS: Runners = &[("jq", &[])];
const FINDS: Runners = &[("find", &[]), ("busybox", &["find"])];

/// Programs and pieces of them. Every act makes the file `ran`, or takes away the one that is there.
pub(crate) const AWK: &[&str] = &[
    "{print $1}",
    "BEGIN{ x = length /\"/ ; print \"touch ran\" | \"sh\" #\"\n}",
    "BEGIN{ x = length / 2 ; print x }",
    "NR>1 {s+=$2/4; t=$1/$2} END {print s/NR, t}",
    "/a[/\"]b/ {print \"x\" > \"/dev/stderr\"}",
    "BEGIN{ print length /x/ > \"ran\" }",
    "BEGIN{ system(\"touch ran\") }",
    "BEGIN{ print \"touch ran\" | \"sh\" }",
    "BEGIN{ \"touch ran\" | getline }",
    "BEGIN{ printf \"x\" > \"ran\" }",
    "{ if (/a/) /b\"/ ; x = \"c\" }",
    "{ gsub(/[\"]/, \"/\"); print NF ? $1 : \"\" }",
    "$1 ~ /^[[:alpha:]]/ { c[$1]++ } END { for (k in c) print k, c[k] }",
    "function f(a) { return a / 2 } { print f($2) }",
    "{ print > \"ran\" }",
    "length /\"/",
    "return /\"/",
    "\\\"",
    "\\/",
    " #\"\n",
    "++ /\"/",
];
pub(crate) const SED: &[&str] = &[
    "s/a/b/g",
    "s/[/]/x/w ran",
    "/a/,/b/p",
    "s/a/touch ran/e",
    "w ran",
    "1e touch ran",
    "y/abc/xyz/;s,a,b,2p;$!d",
    "/[]]/{s/x/y/;p}",
    "s/a\\/b/c/;w ran",
    "s/[^]/w ran\n]/x/",
    "s|a|b|;s/\\(a\\)/\\1/",
    "\\,a,w ran",
    "a\\\nw ran",
    "}",
    "{p",
];
pub(crate) const JQ: &[&str] = &[
    ".[] | .a",
    "map(select(.a > 1)) | length",
    "import \"ran\" as $x; .",
    "include \"ran\"; .",
    "\"\\(.a)\" as $b | [$b]",
    "input_filename",
    "# \"\n.",
    "reduce .[] as $x (0; . + $x.a)",
    "def f: .a; f",
];
/// Arguments of `find`, one a line.
pub(crate) const FIND: &[&str] = &[
    ".\n-name\n*.txt",
    ".\n-delete",
    ".\n-exec\ntouch\nran\n;",
    ".\n-exec\nrm\nnotes.txt\n;",
    ".\n-name\nnotes.txt\n-exec\nrm\n{}\n+",
    ".\n-fprint\nran",
    ".\n-type\nf\n-printf\n%p\\n",
    ".\n(\n-name\na\n-o\n-newer\nnotes.txt\n)\n-print0",
    ".\n-ok\ntouch\nran\n;",
    ".\n-name\n-fls\nran",
    ".\n-exec\nls\n{}\n+",
    "-files0-from\nran",
];

/// One language on one input.
pub(crate) fn awk(input: &[u8]) {
    check("awk", AWKS, &[], &String::from_utf8_lossy(input));
}

pub(crate) fn sed(input: &[u8]) {
    check("sed", SEDS, &[], &String::from_utf8_lossy(input));
}

pub(crate) fn jq(input: &[u8]) {
    check("jq", JQS, &[], &String::from_utf8_lossy(input));
}

pub(crate) fn find(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let words: Vec<&str> = text.split('\n').collect();
    run_if_safe("find", FINDS, &words);
}

fn check(name: &str, runners: Runners, options: &[&str], program: &str) {
    let words: Vec<&str> = options.iter().copied().chain([program, "notes.txt"]).collect();
    run_if_safe(name, runners, &words);
}

/// Where it runs: a home with a folder of files.
struct Scene {
    _folder: tempfile::TempDir,
    work: PathBuf,
    paths: PathRules,
}

static SCENE: LazyLock<Scene> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = folder.path().canonicalize().expect("it is there").join("home");
    let work = home.join("files");
    std::fs::create_dir_all(&work).expect("a folder");
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let paths = PathRules {
        working_directory: text(&work),
        workspace: text(&home.join("workspace")),
        data_dir: text(&home.join(".artoo")),
        home: text(&home),
        unasked: Default::default(),
        real: Default::default(),
    };
    let scene = Scene { _folder: folder, work, paths };
    scene.tidy();
    scene
});

/// What the file of the scene holds: text and JSON at once.
const NOTES: &str = "[{\"a\": 1}, {\"a\": 2}]\n";

impl Scene {
    fn tidy(&self) {
        for entry in self.work.read_dir().expect("it is there").flatten() {
            let path = entry.path();
            let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        }
        std::fs::write(self.work.join("notes.txt"), NOTES).expect("a file");
    }

    /// Whether the file is as it was, and nothing is new but what the gate said.
    fn is_as_told(&self, told: &Explanation) -> bool {
        let is_told = |path: &Path| told.creates.iter().any(|new| Path::new(&new.path) == path);
        let mut paths = self.work.read_dir().expect("it is there").flatten().map(|entry| entry.path());
        paths.all(|path| path.ends_with("notes.txt") || is_told(&path))
            && std::fs::read_to_string(self.work.join("notes.txt")).is_ok_and(|text| text == NOTES)
    }
}

fn run_if_safe(name: &str, runners: Runners, words: &[&str]) {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let command = format!("{name} {}", quoted.join(" "));
    let is_passable = words.iter().all(|word| !word.contains('\0'));
    if !is_passable {
        return;
    }
    let told = explain(&command, &SCENE.paths);
    if told.decision != Decision::Safe {
        return;
    }
    for (program, front) in runners {
        let Some(path) = found(program) else { continue };
        let _ = Command::new("timeout")
            .args(["-s", "KILL", "2"])
            .arg(path)
            .args(*front)
            .args(words)
            .current_dir(&SCENE.work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let is_kept = SCENE.is_as_told(&told);
        SCENE.tidy();
        assert!(is_kept, "{program} did something by what is called safe: {command}");
    }
}

/// Where a program lies, if it is there.
fn found(name: &str) -> Option<PathBuf> {
    let own = std::env::var_os("ARTOO_FUZZ_PROGRAMS").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&own).chain(std::env::split_paths(&path)).collect::<Vec<_>>();
    folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}
