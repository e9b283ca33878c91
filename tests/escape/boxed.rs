//! Programs that nobody understands, run unasked in a box: in a project they work and can be taken back, elsewhere they
//! read, and nothing gets out of either.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use artoo_types::evidence::{CallEnd, EffectClass, Receipt};

use crate::bench::Bench;
use crate::probes::PROBES;
use crate::world::{Trace, World};

/// Probes that run at once.
const WORKERS: usize = 4;
/// What a program may change in a project: what is taken back by an undo.
const OF_THE_PROJECT: &[&str] = &["work/notes.txt", "work/new"];

/// What a request may name so that more is opened than a plain file of the folder.
const LIARS_NAMES: [&str; 10] = [
    "named.txt",
    ".bashrc",
    ".envrc",
    "package.json",
    "../outside/victim",
    "../outside/new",
    "../work/.git/config",
    "~/.bashrc",
    "~/.ssh/id_ed25519",
    ".git/hooks/pre-commit",
];

/// Everything below a folder: what it is, its mode and what it holds.
pub(crate) fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let Ok(meta) = path.symlink_metadata() else { continue };
        use std::os::unix::fs::PermissionsExt as _;
        let content = if meta.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let kind = (meta.is_dir(), meta.is_symlink(), meta.permissions().mode());
        all.insert(path.clone(), format!("{kind:?} {:?}", String::from_utf8_lossy(&content)));
        if meta.is_dir() {
            waiting.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
    }
    all
}

/// The paths at which two trees differ, and how.
pub(crate) fn difference(
    before: &BTreeMap<PathBuf, String>,
    after: &BTreeMap<PathBuf, String>,
) -> Vec<String> {
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let told =
        |path: &&PathBuf| format!("{}: {:?} / {:?}", path.display(), before.get(*path), after.get(*path));
    paths.iter().filter(|path| before.get(**path) != after.get(**path)).map(told).collect()
}

pub(crate) fn git(folder: &Path, words: &[&str]) -> String {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(words)
        .output()
        .expect("git is there");
    assert!(ran.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// A repository with a history in the project of the world.
pub(crate) fn repository(world: &World) -> PathBuf {
    let work = world.path("work");
    fs::remove_dir_all(&work).expect("it is there");
    fs::create_dir(&work).expect("it is gone");
    git(&work, &["init", "-q", "-b", "main"]);
    git(&work, &["config", "user.name", "Ann"]);
    git(&work, &["config", "user.email", "ann@example.org"]);
    for (name, text) in [
        ("sums.py", "def total(items):\n    return sum(items) + 1\n"),
        (
            "test_sums.py",
            "import unittest, sums\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(sums.total([1, 2]), 3)\n",
        ),
        (".gitignore", "out/\n*.log\n"),
        ("docs/a.md", "# A\n"),
        ("Makefile", "all:\n\ttrue\n"),
    ] {
        fs::create_dir_all(work.join(name).parent().expect("a folder")).expect("a folder");
        fs::write(work.join(name), text).expect("a file");
    }
    git(&work, &["add", "-A"]);
    git(&work, &["commit", "-q", "-m", "first"]);
    work
}

pub(crate) fn succeeded(receipt: &Receipt) {
    assert_eq!((receipt.end, receipt.exit), (CallEnd::Ran, Some(0)), "{} {:?}", receipt.output, receipt.note);
}

#[test]
fn no_unknown_program_gets_out_of_its_box() {
    let next = AtomicUsize::new(0);
    let bad = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(probe) = PROBES.get(at) else { break };
                    // What has to do with the folder is tried in both, the rest in one of them.
                    let is_of_a_place =
                        matches!(probe.trace, Trace::ChangedAt(_) | Trace::AppearsAt(_) | Trace::Called);
                    let folders = if is_of_a_place {
                        &["work", "plain"][..]
                    } else {
                        &["work", "plain"][at % 2..=at % 2]
                    };
                    for folder in folders {
                        let folder = *folder;
                        let mut world = World::new();
                        let before = tree(&world.path("work"));
                        // In the plain folder the request names as much as it can.
                        let named = if folder == "plain" { &LIARS_NAMES[..] } else { &[] };
                        let bench = Bench::boxed(&world, folder).naming(named);
                        let receipt = bench.unknown(&world, probe.program);
                        let is_of_project = folder == "work"
                            && matches!(probe.trace, Trace::ChangedAt(path) | Trace::AppearsAt(path)
                                if OF_THE_PROJECT.contains(&path));
                        let is_kept = match probe.trace {
                            // Put back, so that it has other times than before.
                            Trace::ChangedAt("work/.git/config") => true,
                            trace @ (Trace::Changed
                            | Trace::ChangedAt(_)
                            | Trace::Appears
                            | Trace::AppearsAt(_)
                            | Trace::Gone(_)
                            | Trace::SharedMemory
                            | Trace::Done
                            | Trace::Says(_)
                            | Trace::Killed
                            | Trace::Limited
                            | Trace::Connected
                            | Trace::Received
                            | Trace::Called
                            | Trace::CalledAbstractly
                            | Trace::Told
                            | Trace::Survives) => !world.shows(trace, &receipt),
                        };
                        let undone = bench.undo();
                        let is_restored = tree(&world.path("work")) == before;
                        if !(is_kept || is_of_project) || !is_restored || !undone.is_empty() {
                            let name = probe.name;
                            bad.lock().expect("nobody fails").push(format!(
                                "{name} in {folder}: kept {is_kept}, restored {is_restored}, {undone:?}: {}",
                                receipt.output
                            ));
                        }
                    }
                }
            });
        }
    });
    let bad = bad.into_inner().expect("nobody fails");
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn tests_moves_copies_and_commits_work_in_a_project_and_are_undone() {
    let world = World::new();
    let work = repository(&world);
    let before = tree(&work);
    let bench = Bench::boxed(&world, "work");
    let failing = bench.unasked("python3 -m unittest 2>&1");
    assert_eq!((failing.end, failing.exit), (CallEnd::Ran, Some(1)), "{}", failing.output);
    assert!(failing.output.contains("4 != 3"), "{}", failing.output);
    succeeded(&bench.unasked("sed -i 's/ + 1//' sums.py"));
    for command in [
        "python3 -m unittest 2>&1",
        "mv docs/a.md docs/b.md",
        "cp sums.py copy.py",
        "git add -A && git commit -q -m second",
        "mkdir -p new/deep && echo x > new/deep/x.txt",
        "python3 - <<'EOF'\nimport shutil\nshutil.rmtree('docs')\nopen('made by only\\'s rm.txt', 'w').write('rm -rf /x; curl y')\nEOF",
        "git stash -q -u",
    ] {
        let receipt = bench.unasked(command);
        succeeded(&receipt);
        assert!(receipt.effect <= EffectClass::Overwrite, "{command}");
    }
    assert_eq!(git(&work, &["log", "--format=%s"]).lines().count(), 2, "the commit is there");
    let moved = bench.unasked("mv sums.py other.py");
    assert!(moved.changed(&work.join("other.py").to_string_lossy()), "{:?}", moved.act);
    assert_eq!(bench.undo(), Vec::<String>::new());
    // A commit of the person's may need what the task put among the objects by now.
    let mut left = difference(&before, &tree(&work));
    left.retain(|line| !line.contains("/.git/objects/") || !line.contains(": None / "));
    assert_eq!(left, Vec::<String>::new());
    assert_eq!(git(&work, &["log", "--format=%s"]), "first\n");
    assert_eq!(git(&work, &["status", "--porcelain"]), "");
}

#[test]
fn a_program_that_deletes_the_whole_project_is_undone() {
    let world = World::new();
    let work = repository(&world);
    fs::create_dir(work.join("out")).expect("a folder");
    fs::write(work.join("out/built"), "x").expect("a file");
    fs::write(work.join("settings.log"), "small and ignored").expect("a file");
    let before = tree(&work);
    let bench = Bench::boxed(&world, "work");
    let program = "import shutil, os\nfor name in os.listdir(WORK):\n    path = WORK + '/' + name\n    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)";
    succeeded(&bench.unknown(&world, program));
    assert!(!work.join("sums.py").exists());
    assert!(work.join(".git/config").exists(), "what runs later is put back at once");
    assert_eq!(bench.undo(), Vec::<String>::new());
    let mut after = tree(&work);
    let built = work.join("out");
    let is_built = |path: &PathBuf| path.starts_with(&built);
    assert!(!after.keys().any(is_built), "what git ignores is not kept");
    after.extend(
        before.iter().filter(|(path, _)| is_built(path)).map(|(path, text)| (path.clone(), text.clone())),
    );
    assert_eq!(difference(&before, &after), Vec::<String>::new());
    assert_eq!(git(&work, &["status", "--porcelain"]), "");
    assert_eq!(git(&work, &["fsck"]), "");
}

#[test]
fn what_runs_later_is_put_back_and_told() {
    let world = World::new();
    let work = repository(&world);
    let before = tree(&work);
    let bench = Bench::boxed(&world, "work");
    let program = "
open(WORK + '/.git/hooks/pre-commit', 'w').write('#!/bin/sh\\n')
open(WORK + '/.git/config', 'a').write('[core]\\n\\tfsmonitor = evil\\n')
for name in ('.vscode', 'sub/.git/hooks'):
    os.makedirs(WORK + '/' + name)
for name in ('.envrc', '.mcp.json', 'Makefile', 'conftest.py', '.vscode/tasks.json', 'sub/.git/hooks/post-checkout', 'plain.txt'):
    open(WORK + '/' + name, 'a').write('x')
os.rename(WORK + '/.git/info', WORK + '/info')";
    let receipt = bench.unknown(&world, program);
    succeeded(&receipt);
    let note = receipt.note.clone().unwrap_or_default();
    assert!(note.contains("put back") && note.contains(".git/config"), "{note}");
    let after = tree(&work);
    for path in [".git/hooks/pre-commit", ".envrc", ".mcp.json", "conftest.py", ".vscode", "sub/.git"] {
        assert!(!after.contains_key(&work.join(path)), "{path} is there");
    }
    assert!(after.contains_key(&work.join("plain.txt")));
    assert_eq!(after[&work.join("Makefile")], before[&work.join("Makefile")]);
    assert_eq!(fs::read_to_string(work.join(".git/config")).ok(), before_text(&before, &work));
    assert_eq!(bench.undo(), Vec::<String>::new());
    assert_eq!(difference(&before, &tree(&work)), Vec::<String>::new());
}

fn before_text(before: &BTreeMap<PathBuf, String>, work: &Path) -> Option<String> {
    let text = fs::read_to_string(work.join(".git/config")).ok()?;
    before[&work.join(".git/config")].contains(&format!("{text:?}")).then_some(text)
}

#[test]
fn in_a_plain_folder_programs_read_and_make_only_what_was_named() {
    let world = World::new();
    let plain = world.path("plain");
    fs::write(plain.join("sales.csv"), "region,units\nsouth,3\nnorth,4\n").expect("a file");
    let bench = Bench::boxed(&world, "plain");
    let sum = "python3 - <<'EOF'\nimport csv\nprint(sum(int(row['units']) for row in csv.DictReader(open('sales.csv'))))\nEOF";
    let receipt = bench.unasked(sum);
    succeeded(&receipt);
    assert_eq!((receipt.output.as_str(), receipt.effect), ("7\n", EffectClass::Read));
    let made = bench.unasked("python3 -c 'print(7)' > sum.txt");
    succeeded(&made);
    assert_eq!(made.effect, EffectClass::Create);
    let changing = bench.unasked("python3 -c \"open('sales.csv', 'w')\" 2>&1");
    assert_eq!(changing.exit, Some(1), "{}", changing.output);
    assert!(fs::read_to_string(plain.join("sales.csv")).is_ok_and(|text| text.contains("south")));
    assert_eq!(bench.undo(), Vec::<String>::new());
    assert!(!plain.join("sum.txt").exists());
    for command in
        ["cp sales.csv sum.csv && cp sum.csv sales.csv", "mv sales.csv x.csv", "sed -i s/a/b/ sales.csv"]
    {
        assert!(!bench.runs_unasked(command), "{command}: it changes what is there");
    }
}

/// A named file is opened from the start: its content, and that of nothing else, and neither by way of its folder nor of a link.
#[test]
fn in_a_plain_folder_a_program_writes_what_the_request_names_and_nothing_beside_it() {
    let world = World::new();
    let plain = world.path("plain");
    for name in ["named.txt", "theirs.txt", "package.json", ".envrc", "second.txt"] {
        fs::write(plain.join(name), "as it was").expect("a file");
    }
    std::os::unix::fs::symlink(world.path("outside/victim"), plain.join("link")).expect("a link");
    fs::hard_link(world.path("home/.bashrc"), plain.join("hard")).expect("another name");
    let before = tree(&plain);
    let names = [&LIARS_NAMES[..], &["new.txt", "link", "hard", "sub/new.txt"]].concat();
    let bench = Bench::boxed(&world, "plain").naming(&names);
    let receipt = bench.unknown(
        &world,
        "
def attempt(what):
    try: what()
    except OSError: return
    print('done')
PLAIN = WORK + '/../plain/'
open(PLAIN + 'named.txt', 'w').write('written')
open(PLAIN + 'new.txt', 'w').write('made')
for name in ('theirs.txt', 'package.json', '.envrc', 'second.txt', 'link', 'hard', '.bashrc', 'sub/new.txt', 'other.txt'):
    attempt(lambda: open(PLAIN + name, 'a').write('evil'))
attempt(lambda: os.remove(PLAIN + 'named.txt'))
attempt(lambda: os.rename(PLAIN + 'named.txt', PLAIN + 'theirs.txt'))
attempt(lambda: os.rename(PLAIN + 'new.txt', PLAIN + '.profile'))
attempt(lambda: os.chmod(PLAIN + 'named.txt', 0o4755))
attempt(lambda: os.link(PLAIN + 'named.txt', PLAIN + '.profile'))
attempt(lambda: os.symlink('/etc', PLAIN + 'etc'))
attempt(lambda: os.mkdir(PLAIN + '.vscode'))",
    );
    succeeded(&receipt);
    assert_eq!(receipt.output, "", "something beside the named files was changed");
    let mut after = tree(&plain);
    assert!(after.remove(&plain.join("new.txt")).is_some_and(|text| text.contains("made")));
    let named = plain.join("named.txt");
    assert!(after.insert(named.clone(), before[&named].clone()).is_some_and(|text| text.contains("written")));
    assert_eq!(difference(&before, &after), Vec::<String>::new());
    let mut changed: Vec<&str> = receipt.act.changes.iter().map(|change| change.path.as_str()).collect();
    changed.sort_unstable();
    assert_eq!(changed, [named.to_string_lossy(), plain.join("new.txt").to_string_lossy()]);
    assert_eq!(bench.undo(), Vec::<String>::new());
    assert_eq!(difference(&before, &tree(&plain)), Vec::<String>::new());
}

/// What reads paths that are known only when it runs is kept to the folders that the task works in.
#[test]
fn what_is_read_by_a_name_that_is_not_told_is_in_the_folder() {
    let world = World::new();
    let plain = world.path("plain");
    fs::write(plain.join("a.txt"), "inside\n").expect("a file");
    let bench = Bench::boxed(&world, "plain");
    let list = |path: &str| {
        bench.unasked(&format!("printf '%s' '{path}' | while read -r f; do sha256sum \"$f\"; done"))
    };
    let inside = list("a.txt");
    succeeded(&inside);
    assert_eq!(inside.taint, artoo_types::taint::Taint::NONE);
    for path in ["outside/victim", "home/.bashrc"] {
        let path = world.path(path);
        let outside = list(&path.to_string_lossy());
        assert!(!outside.output.contains("  /"), "{path:?}: {}", outside.output);
    }
}

#[test]
fn what_is_plainly_more_than_work_is_asked_about() {
    let world = World::new();
    repository(&world);
    let bench = Bench::boxed(&world, "work");
    for command in [
        "rm -rf docs",
        "git push",
        "git clean -fdx",
        "git config core.pager x",
        "curl https://example.org",
        "cp sums.py ../outside/x.py",
        "cp sums.py .git/hooks/pre-commit",
        "echo x > Makefile",
        "python3 -c \"print(open('/etc/shadow').read())\"",
        "cat ~/.ssh/id_ed25519 | python3 -c 'x'",
        "sudo make install",
    ] {
        assert!(!bench.runs_unasked(command), "{command}");
    }
    for command in [
        "make",
        "cargo test",
        "pytest -q",
        "./test.sh",
        "bash test.sh",
        "node -e 1",
        "git commit -m x",
        "T=$(mktemp -d); echo $T",
    ] {
        assert!(bench.runs_unasked(command), "{command}");
    }
}

/// Nothing is kept of what does not fit, so a person is asked.
#[test]
fn a_project_that_cannot_be_kept_is_asked_about() {
    let world = World::new();
    let work = repository(&world);
    let bench = Bench::boxed(&world, "work");
    fs::create_dir(work.join("many")).expect("a folder");
    for number in 0..10_000 {
        fs::write(work.join(format!("many/{number}")), "").expect("a file");
    }
    let question = bench.question("make");
    assert!(!question.undo.is_possible(), "{question:?}");
    fs::write(work.join(".gitignore"), "many/\n").expect("a file");
    assert!(bench.runs_unasked("make"), "what git ignores does not count");
}

#[test]
fn an_unasked_program_fills_no_disk() {
    let world = World::new();
    let bench = Bench::boxed(&world, "work");
    let receipt = bench.unknown(
        &world,
        "
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open(T + '/big', 'wb') as file: file.truncate(300 << 20)
except OSError as error: print('too large')",
    );
    assert!(receipt.output.contains("too large"), "{}", receipt.output);
}
