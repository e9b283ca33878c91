//! Modes and times in a box: builds set them where they may write, undo takes them back, and no path, link or descriptor
//! leads to those of a file outside.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use artoo_types::evidence::{CallEnd, Receipt};

use crate::bench::Bench;
use crate::boxed::{difference, git, repository, succeeded, tree};
use crate::world::World;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

fn clean(receipt: &Receipt) {
    succeeded(receipt);
    assert!(!receipt.output.contains("not permitted"), "{}", receipt.output);
}

/// What builds do in their own folder. It fails where a box refuses one of it, and where undo forgets a mode.
#[test]
fn builds_set_modes_and_times_in_a_project_and_all_of_it_is_undone() {
    let world = World::new();
    let work = repository(&world);
    for (name, text) in [("run.sh", "#!/bin/sh\necho ran\n"), ("plain.txt", "plain\n")] {
        fs::write(work.join(name), text).expect("a file");
    }
    fs::set_permissions(work.join("plain.txt"), fs::Permissions::from_mode(0o640)).expect("it is there");
    git(&work, &["add", "-A"]);
    git(&work, &["commit", "-q", "-m", "second"]);
    let before = tree(&work);
    let bench = Bench::boxed(&world, "work");
    for command in [
        "python3 -c 'print(1)'; chmod +x run.sh && ./run.sh",
        "python3 -c 'print(1)'; cp -p plain.txt kept.txt; touch -d 2001-02-03 old.txt",
        "python3 -c 'print(1)'; sed -i s/plain/changed/ plain.txt",
        "python3 -m venv --without-pip env && env/bin/python -c 'print(2)'",
        "mkdir -p deep/in && cp run.sh deep/in/ && tar cf deep.tar deep && python3 -c \"import shutil; shutil.rmtree('deep')\" && tar xf deep.tar && ./deep/in/run.sh",
        "python3 -c \"import os; os.chmod('sums.py', 0o755); os.utime('sums.py', (1, 1)); os.mkdir('d'); os.chmod('d', 0o700)\"",
        "python3 -c \"open('area', 'w').write('#!/bin/sh\\necho area\\n'); import os; os.chmod('area', 0o755)\"; ./area",
        "python3 -c 'print(1)'; T=$(mktemp -d); cp run.sh \"$T\"; chmod 700 \"$T/run.sh\"; \"$T/run.sh\"",
    ] {
        clean(&bench.unasked(&format!("({command}) 2>&1")));
    }
    assert_eq!(mode(&work.join("run.sh")) & 0o111, 0o111);
    assert_eq!((mode(&work.join("kept.txt")), mode(&work.join("plain.txt"))), (0o640, 0o640));
    let meta = |name: &str| fs::metadata(work.join(name)).expect("it is there");
    assert_eq!((meta("sums.py").mtime(), mode(&work.join("sums.py"))), (1, 0o755));
    assert!(meta("old.txt").mtime() < 1_000_000_000, "it is from 2001");
    assert_eq!(bench.undo(), Vec::<String>::new());
    assert_eq!(difference(&before, &tree(&work)), Vec::<String>::new());
}

/// Every way to the mode or the times of a file outside, from a box that may set those of its own.
#[test]
fn modes_and_times_outside_of_the_box_stay_as_they_are() {
    let world = World::new();
    repository(&world);
    let victim = world.path("outside/victim");
    let state = || {
        let meta = fs::metadata(&victim).expect("it is there");
        (meta.mode(), meta.mtime(), meta.mtime_nsec(), meta.uid(), meta.gid())
    };
    let before = state();
    for folder in ["work", "plain"] {
        let receipt = Bench::boxed(&world, folder).naming(&["named.txt"]).unknown(
            &world,
            "
os.chdir(T)
os.symlink(VICTIM, T + '/soft')
os.symlink(OUTSIDE, T + '/folder')
fd, folder = os.open(VICTIM, os.O_RDONLY), os.open(OUTSIDE, os.O_RDONLY)
def paths():
    yield VICTIM
    yield T + '/soft'
    yield T + '/folder/victim'
    yield os.path.relpath(VICTIM)
    yield '/proc/self/root' + VICTIM
    yield '/proc/thread-self/root' + VICTIM
    yield '/proc/self/fd/%d' % fd
    yield '/dev/fd/%d' % fd
    yield '/proc/self/fd/%d/victim' % folder
    yield '/proc/self/task/%d/root%s' % (os.getpid(), VICTIM)
    for pid in (1, os.getppid(), PID):
        yield '/proc/%d/root%s' % (pid, VICTIM)
        yield '/proc/%d/cwd/../outside/victim' % pid
def attempt(name, what):
    try: what()
    except OSError: return
    print('done', name)
for path in paths():
    attempt('chmod ' + path, lambda: os.chmod(path, 0o777))
    attempt('utime ' + path, lambda: os.utime(path, (1, 1)))
    attempt('now ' + path, lambda: os.utime(path))
attempt('fchmod', lambda: os.chmod(fd, 0o777))
attempt('futimens', lambda: os.utime(fd, (1, 1)))
attempt('futimens now', lambda: os.utime(fd))
attempt('fchmodat', lambda: os.chmod('victim', 0o777, dir_fd=folder))
attempt('fchmodat2', lambda: call(452, folder, b'victim', 0o777, 0))
attempt('fchmodat2 of a descriptor', lambda: call(452, fd, b'', 0o777, 0x1000))
attempt('utimensat', lambda: os.utime('victim', (1, 1), dir_fd=folder))
attempt('chown', lambda: os.chown(VICTIM, os.getuid(), os.getgid()))
attempt('fchown', lambda: os.fchown(fd, os.getuid(), os.getgid()))
attempt('link', lambda: (os.link(VICTIM, T + '/hard'), os.chmod(T + '/hard', 0o777)))
attempt('link of a descriptor', lambda: (os.link('/proc/self/fd/%d' % fd, T + '/hard2', follow_symlinks=True), os.chmod(T + '/hard2', 0o777)))
attempt('rename', lambda: (os.rename(VICTIM, T + '/got'), os.chmod(T + '/got', 0o777)))
attempt('mount', lambda: call(165, b'', OUTSIDE.encode(), 0, 0x1020, 0))
attempt('unshare', lambda: call(272, 0x20000))
own('mine')
for name, mode in (('setuid', 0o4755), ('setgid', 0o2755)):
    attempt(name, lambda: os.chmod(T + '/mine', mode))
    attempt(name + ' made', lambda: os.close(os.open(T + '/' + name, os.O_CREAT | os.O_WRONLY, mode)))
os.chmod(T + '/mine', 0o750)
print('%o' % (os.stat(T + '/mine').st_mode & 0o7777))",
        );
        assert_eq!((receipt.end, receipt.output.as_str()), (CallEnd::Ran, "750\n"), "{folder}: {receipt:?}");
        assert_eq!(state(), before, "{folder}");
    }
}

/// A file of the project that has another name outside is that file too: nothing of its mode is anybody's to set there.
#[test]
fn a_name_in_the_project_leads_to_no_mode_outside() {
    let world = World::new();
    let work = repository(&world);
    let victim = world.path("outside/victim");
    fs::hard_link(&victim, work.join("hard")).expect("another name");
    let before = mode(&victim);
    let bench = Bench::boxed(&world, "work");
    // A file of the project that has another name outside is asked about before anything runs.
    let question = bench.question("python3 -c \"import os; os.chmod('hard', 0o777)\" 2>&1");
    assert!(format!("{:?}", question.undo).contains("has another name"), "{question:?}");
    assert_eq!(mode(&victim), before);
}

/// What runs later is as it was, whatever mode a program gives it.
#[test]
fn nothing_that_runs_later_becomes_a_program() {
    let world = World::new();
    let work = repository(&world);
    let hook = work.join(".git/hooks/pre-commit");
    fs::create_dir_all(work.join(".git/hooks")).expect("a folder");
    fs::write(&hook, "#!/bin/sh\n").expect("a file");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).expect("it is there");
    let bench = Bench::boxed(&world, "work");
    let receipt = bench.unasked("python3 -c \"import os; os.chmod('.git/hooks/pre-commit', 0o755)\"");
    assert_eq!((receipt.end, mode(&hook)), (CallEnd::Ran, 0o644), "{receipt:?}");
}

/// A file that the request names is edited in its place without a word about modes, in a project and outside of one.
#[test]
fn an_edit_in_place_is_silent() {
    let world = World::new();
    for folder in ["work", "plain"] {
        let file = world.path(folder).join("named.txt");
        fs::write(&file, "as it was\n").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is there");
        let bench = Bench::boxed(&world, folder).naming(&["named.txt"]);
        for command in ["sed -i s/was/is/ named.txt", "python3 -c 'print(1)'; sed -i s/as/so/ named.txt"] {
            if folder == "plain" && !bench.runs_unasked(command) {
                clean(&bench.agreed(&format!("{command} 2>&1")));
                continue;
            }
            clean(&bench.unasked(&format!("({command}) 2>&1")));
        }
        assert_eq!(mode(&file), 0o640, "{folder}");
    }
}
