//! New files that a command makes unasked, what a person agreed to, and commands of every day, all of them confined.

use std::fs;

use artoo_command::sandbox::Sandboxing;
use artoo_types::evidence::{CallEnd, Receipt};

use crate::bench::Bench;
use crate::world::World;

fn text(world: &World, path: &str) -> String {
    fs::read_to_string(world.path(path)).unwrap_or_else(|error| format!("({error})"))
}

fn succeeds(receipt: &Receipt) {
    assert_eq!((receipt.end, receipt.exit), (CallEnd::Ran, Some(0)), "{receipt:?}");
}

/// Runs a command that a person has agreed to.
fn agreed(world: &World, command: &str) -> Receipt {
    let command = world.filled(command);
    Bench::confined(world).agreed(&command)
}

#[test]
fn what_a_person_agreed_to_works() {
    let world = World::new();
    fs::create_dir(world.path("work/src")).expect("a folder");
    fs::write(world.path("work/src/a"), "a").expect("a file");
    for (command, path, expected) in [
        ("sed -i s/notes/other/ notes.txt", "work/notes.txt", "other"),
        ("cp notes.txt {outside}/copy", "outside/copy", "other"),
        ("mv {outside}/copy {outside}/moved", "outside/moved", "other"),
        ("cp notes.txt {outside}/victim", "outside/victim", "other"),
        ("python3 -c 'open(\"made\", \"w\").write(\"x\")'", "work/made", "x"),
        (
            "rm -r {outside}/empty {outside}/moved",
            "outside/moved",
            "(No such file or directory (os error 2))",
        ),
        ("mkdir -p {outside}/a/b && cp notes.txt {outside}/a/b/c", "outside/a/b/c", "other"),
        ("cat {home}/.ssh/id_ed25519", "home/.ssh/id_ed25519", "key-canary"),
        // At the top of a repository.
        ("cp -r src dst", "work/dst/a", "a"),
        ("gzip -k notes.txt && gunzip -c notes.txt.gz > unpacked", "work/unpacked", "other"),
        ("tar cf a.tar src && rm -r src && tar xf a.tar", "work/src/a", "a"),
        ("mv src/a src/b", "work/src/b", "a"),
        ("rm src/b", "work/src/b", "(No such file or directory (os error 2))"),
        ("sed -i s/a/b/ dst/a", "work/dst/a", "b"),
        ("echo more >> {home}/.bashrc", "home/.bashrc", "\nmore\n"),
        ("echo new > {home}/.profile", "home/.profile", "new\n"),
        ("mkdir {home}/folder && echo x > {home}/file", "home/file", "x\n"),
        ("ln -s notes.txt {home}/link && true", "home/link", "(No such file or directory (os error 2))"),
    ] {
        let receipt = agreed(&world, command);
        assert_eq!((receipt.end, receipt.exit), (CallEnd::Ran, Some(0)), "{command}: {receipt:?}");
        assert_eq!(text(&world, path), expected, "{command}");
    }
}

#[test]
fn what_a_person_agreed_to_does_nothing_else() {
    for (name, command) in [
        ("truncate", "truncate -s 0 notes.txt"),
        ("tee", "echo x | tee -a {home}/.bashrc"),
        ("cp", "cp notes.txt {outside}/copy"),
        ("mkdir", "mkdir {outside}/fresh"),
        ("ln", "ln -s {work}/notes.txt {home}/link"),
        ("rm", "rm -r folder/sub"),
    ] {
        let world = World::new();
        fs::create_dir_all(world.path("work/folder/sub")).expect("a folder");
        // The program that is agreed to is another than it seems.
        replace(&world, name, PLANTS);
        let bench = Bench::confined(&world);
        let command = world.filled(command);
        let question = bench.question(&command);
        assert!(question.why.iter().any(|why| why.contains("it would run confined")), "{:?}", question.why);
        let receipt = bench.agreed(&command);
        assert!(receipt.output.contains(&format!("replaced-{name}")), "{command}: {receipt:?}");
        planted_nothing(&world, &receipt);
    }
}

#[test]
fn where_a_name_cannot_go_without_the_right_to_take_all_full_power_is_told() {
    let world = World::new();
    let bench = Bench::confined(&world);
    for command in ["rm {home}/.bashrc", "mv notes.txt renamed.txt", "cp -r .git copy"] {
        let question = bench.question(&world.filled(command));
        assert!(question.why.iter().any(|why| why.contains("full power")), "{command}: {:?}", question.why);
    }
}

#[test]
fn a_yes_is_to_what_the_command_could_do_when_it_was_asked_about() {
    let world = World::new();
    let deep = world.path("outside/deep");
    fs::create_dir(&deep).expect("a folder");
    let bench = Bench::confined(&world);
    let command = world.filled("cp -r src {outside}/deep/copy");
    let question = bench.question(&command);
    // Without the folder, the command would be given the one above it.
    fs::remove_dir(&deep).expect("it is empty");
    assert!(bench.answered(&command, &question).is_none(), "{question:?}");
    fs::create_dir(&deep).expect("a folder");
    assert!(bench.answered(&command, &question).is_some(), "it is the same question again");
}

#[test]
fn full_power_is_told_and_cannot_read_the_token_either() {
    let world = World::new();
    let bench = Bench::confined(&world);
    let command = world.filled("python3 -c 'print(open(\"{home}/.bashrc\").read(), open(\"{home}/.ar\" + \"too/confirm.token\").read())'");
    let question = bench.question(&command);
    assert!(question.why.iter().any(|why| why.contains("full power")), "{:?}", question.why);
    let receipt = bench.agreed(&command);
    assert!(
        receipt.output.contains("PermissionError") && !receipt.output.contains("token-canary"),
        "{receipt:?}"
    );
}

#[test]
fn everyday_commands_work_confined() {
    let world = World::new();
    let repository = world.path("repository");
    let made = std::process::Command::new("git").args(["init", "-q"]).arg(&repository).status();
    assert!(made.is_ok_and(|status| status.success()), "this test needs git");
    let bench = Bench::confined(&world);
    for command in [
        "ls -la . | head -5",
        "find . -name '*.txt' | sort | xargs wc -l",
        "grep -rn notes .",
        "cat notes.txt notes.txt | sort -u",
        "diff <(echo a) <(echo a)",
        "ps aux | wc -l",
        "df -h . && uname -a && date",
        "x=$(wc -c < notes.txt); echo \"$x\"",
        "cat <<< here",
        "du -sh . && stat notes.txt",
        "timeout 5 ls > /dev/null",
        "for f in *.txt; do head -1 \"$f\"; done",
        "git -C {repository} status --short",
    ] {
        succeeds(&bench.unasked(&command.replace("{repository}", &repository.to_string_lossy())));
    }
}

#[test]
fn where_nothing_confines_a_question_says_so() {
    let world = World::new();
    let bench = Bench::new(&world, true, Sandboxing::Lacking("an old kernel".to_owned()));
    let question = bench.question("ls");
    assert!(question.why.iter().any(|why| why.contains("an old kernel")), "{:?}", question.why);
    succeeds(&bench.agreed("ls"));
}

#[test]
fn what_a_harmless_command_makes_is_made_unasked() {
    let world = World::new();
    let bench = Bench::confined(&world);
    for (command, path, expected) in [
        ("echo x > new", "work/new", "x\n"),
        ("cp notes.txt copy", "work/copy", "notes"),
        ("sort -o sorted notes.txt", "work/sorted", "notes\n"),
        ("touch empty", "work/empty", ""),
        ("wc -c < notes.txt | tee counted", "work/counted", "5\n"),
        ("mkdir -p a/b && echo x > a/b/c", "work/a/b/c", "x\n"),
        ("ln -s notes.txt link", "work/link", "notes"),
    ] {
        succeeds(&bench.unasked(command));
        assert_eq!(text(&world, path), expected, "{command}");
    }
    succeeds(&bench.unasked("mkdir own"));
    assert!(world.path("work/own").is_dir());
}

#[test]
fn nothing_is_left_of_a_new_file_that_was_not_written() {
    let world = World::new();
    let receipt = Bench::confined(&world).unasked("cat missing > new");
    assert_ne!(receipt.exit, Some(0), "{receipt:?}");
    assert!(!world.path("work/new").exists());
}

/// Puts a shell script in the way of a program. It says on a line of its own that it ran.
fn replace(world: &World, name: &str, script: &str) {
    let file = world.path("probes").join(name);
    fs::write(&file, world.filled(&format!("#!/bin/bash\necho replaced-{name}\n{script}\n")))
        .expect("a file");
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is there");
}

/// Everything that a hostile program would like to have: something that runs later, or a change outside.
const PLANTS: &str = "
printf 'evil' > $TMPDIR/x; chmod +x $TMPDIR/x
for place in .git/hooks/pre-commit .envrc .vscode {home}/.bash_profile {home}/.ssh/rc {home}/.config {data}/evil {outside}/new
do
    /bin/mv $TMPDIR/x $place; /bin/ln $TMPDIR/x $place; /bin/ln -s $TMPDIR/x $place; /bin/mkdir $place; cat < $TMPDIR/x > $place
done
/bin/mv $TMPDIR/x {home}/.bashrc; /bin/mv $TMPDIR/x {outside}/victim; cat {data}/confirm.token
rm -f {home}/.bashrc {outside}/victim notes.txt
exit 0";

fn planted_nothing(world: &World, receipt: &Receipt) {
    for path in [
        "work/.git/hooks/pre-commit",
        "work/.envrc",
        "work/.vscode",
        "home/.bash_profile",
        "home/.ssh/rc",
        "home/.config",
        "home/.artoo/evil",
        "outside/new",
    ] {
        assert!(world.path(path).symlink_metadata().is_err(), "{path}: {receipt:?}");
    }
    assert!(!receipt.output.contains("token-canary"), "{receipt:?}");
    assert_eq!(text(world, "outside/victim"), "outside-canary", "{receipt:?}");
    assert_eq!(text(world, "work/notes.txt"), "notes", "{receipt:?}");
    assert_eq!(text(world, "home/.bashrc"), "\n", "{receipt:?}");
}

#[test]
fn what_makes_folders_and_links_unasked_makes_nothing_else() {
    for (name, command, made) in [
        ("ln", "ln -s notes.txt link", "work/link"),
        ("ln", "ln notes.txt hard", "work/hard"),
        ("mkdir", "mkdir own", "work/own"),
        ("mkdir", "mkdir -p own/deep", "work/own/deep"),
    ] {
        let world = World::new();
        replace(&world, name, PLANTS);
        let receipt = Bench::confined(&world).unasked(command);
        assert!(receipt.output.contains(&format!("replaced-{name}")), "{command}: {receipt:?}");
        planted_nothing(&world, &receipt);
        assert!(world.path(made).symlink_metadata().is_ok(), "{command}: {receipt:?}");
    }
}

#[test]
fn a_new_file_is_the_only_thing_that_its_command_writes() {
    let world = World::new();
    // What makes the file is another program than it seems: it also wants to put a link in the place of the file.
    replace(
        &world,
        "tee",
        &format!("rm -f made; ln -s {{outside}}/victim made; echo x > made; echo x > other\n{PLANTS}"),
    );
    let receipt = Bench::confined(&world).unasked("echo y | tee made");
    assert!(receipt.output.contains("replaced-tee"), "{receipt:?}");
    planted_nothing(&world, &receipt);
    assert!(!world.path("work/other").exists(), "{receipt:?}");
    let made = world.path("work/made");
    assert!(made.symlink_metadata().is_ok_and(|meta| meta.is_file()), "the file stays what it was");
    assert_eq!(text(&world, "work/made"), "x\n", "the program is the one that ran");
}
