use artoo_types::evidence::EffectClass;
use artoo_types::setting::{ProjectMode, UnaskedRules};
use artoo_types::taint::Taint;

use super::home;
use crate::paths::PathRules;
use crate::{CommandBox, Decision, SparingAct, explain};

fn working(paths: &PathRules) -> PathRules {
    PathRules {
        unasked: UnaskedRules { project: ProjectMode::Work, ..paths.unasked },
        real: Default::default(),
        ..paths.clone()
    }
}

#[test]
fn what_is_not_understood_runs_in_a_box_and_what_is_plainly_more_does_not() {
    let (_dir, paths) = home();
    let paths = working(&paths);
    let root = paths.working_directory.clone();
    let check = |command: &str, expected: bool| {
        let told = explain(command, &paths);
        let wanted = expected.then(|| CommandBox::Project(root.clone()));
        assert_eq!(told.boxed(&paths), wanted, "{command}: {told:?}");
    };
    for command in [
        "python3 -m unittest",
        "make",
        "mv notes.txt n.txt",
        "git commit -m x",
        "sed -i s/a/b/ notes.txt",
        "./script.sh",
        "curl -s http://localhost:8080/health",
        "python3 app.py & sleep 1; curl -sf -H 'Accept: text/html' 127.0.0.1:5000/a?b=1; kill %1",
        "for p in 80 81; do curl -s \"http://[::1]:$p/\"; done",
        "wget -qO- http://0.0.0.0:80/",
        "nc -z localhost 80",
        "curl -s -d \"$payload\" http://localhost:8080/",
        "python3 app.py & p=$!; sleep 1; kill -s TERM \"$p\"; kill -9 $!",
        "python3 app.py & p=$!; for i in 1 2; do curl -s localhost:80 && break; sleep 1; done; kill $p",
    ] {
        check(command, true);
    }
    for command in [
        "ls",
        "rm notes.txt",
        "rm -rf ~",
        "git push",
        "git config a.b c",
        "curl https://example.org | cat",
        "curl http://localhost:80 https://example.org",
        "curl http://localhost.example.org/",
        "curl http://localhost@example.org/",
        "curl \"http://localhost$name/\"",
        "curl \"$url\"",
        "curl http://128.0.0.1/",
        "kill 4711",
        "kill $(pgrep -f app.py)",
        "p=$!; p=$(cat pid); kill $p",
        "kill %1 4711",
        "kill -9 -1",
        "sudo make",
        "cat ~/.ssh/id_ed25519 | python3 -",
        "cp notes.txt ~/elsewhere.txt",
        "cp script.sh .git/hooks/pre-commit",
        "python3 -c \"import os; os.system('rm -rf /')\"",
    ] {
        check(command, false);
    }
    assert_eq!(
        explain("make", &paths).boxed(&PathRules {
            unasked: UnaskedRules { project: ProjectMode::Ask, ..paths.unasked },
            ..paths.clone()
        }),
        None
    );
}

#[test]
fn outside_of_a_project_a_box_reads_and_makes_what_was_named() {
    let (_dir, paths) = home();
    let plain = format!("{}/plain", paths.home);
    std::fs::create_dir(&plain).unwrap();
    std::fs::write(format!("{plain}/a.csv"), "a\n").unwrap();
    let paths = PathRules { working_directory: plain, ..working(&paths) };
    let boxed = |command: &str| explain(command, &paths).boxed(&paths);
    for command in ["python3 sum.py a.csv", "python3 - <<'EOF'\nprint(1)\nEOF", "python3 sum.py > new.txt"] {
        assert_eq!(boxed(command), Some(CommandBox::Reading), "{command}");
    }
    for command in ["mv a.csv b.csv", "python3 sum.py > a.csv", "sed -i s/a/b/ a.csv", "git init"] {
        assert_eq!(boxed(command), None, "{command}");
    }
}

/// A home with a folder of files that is no project.
fn plain() -> (tempfile::TempDir, PathRules) {
    let (dir, paths) = home();
    let plain = format!("{}/plain", paths.home);
    std::fs::create_dir_all(format!("{plain}/old")).unwrap();
    for name in ["a.csv", "b.csv", "Makefile"] {
        std::fs::write(format!("{plain}/{name}"), "a\n").unwrap();
    }
    let paths = PathRules { working_directory: plain, ..working(&paths) };
    (dir, paths)
}

/// A command is judged, and the box is chosen a moment later. A link that leads elsewhere by then opens no box: what the box is
/// given is made where the link led first.
#[test]
fn a_link_that_changes_between_two_looks_opens_no_box() {
    let (_dir, paths) = home();
    let paths = working(&paths);
    let elsewhere = format!("{}/elsewhere", paths.home);
    std::fs::create_dir_all(&elsewhere).unwrap();
    let link = format!("{}/d", paths.working_directory);
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
    let told = ["cp notes.txt d/new.txt", "echo x > d/new.txt", "mkdir d/new"]
        .map(|command| explain(command, &paths));
    std::fs::remove_file(&link).unwrap();
    std::fs::create_dir(&link).unwrap();
    for told in told {
        assert_eq!(told.decision, Decision::Confirm, "{told:?}");
        assert_eq!(told.boxed(&paths), None, "{told:?}");
    }
}

#[test]
fn what_takes_no_files_place_is_told_apart_from_what_may() {
    let (_dir, paths) = plain();
    let spared = |command: &str| {
        let told = explain(command, &paths);
        told.spared_folder(&paths).and(told.leeway.sparing)
    };
    for command in [
        "mv -n a.csv old/",
        "mkdir -p new && mv -nv *.csv new/",
        "for f in *.csv; do mv -n \"$f\" old/; done",
        "cd old; for f in ../*.csv; do case \"$f\" in *a*) mkdir -p x; mv -n -- \"$f\" x/;; esac; done",
        "mv a.csv c.csv",
        "cd old && for f in *; do d=x; case $f in *a) d=y;; esac; mkdir -p \"$d\" && mv -n -- \"$f\" \"$d\"/; done",
        "find . -maxdepth 1 -name '*.csv' -exec mv -n -t old {} +",
        "cd old && for f in *; do case \"$f\" in *.jpg|*.png) d=Images;; *) d=Other;; esac; if [ -f \"$f\" ]; then mkdir -p \"$d\"; \
         mv -n -- \"$f\" \"$d\"/; fi; done",
    ] {
        assert_eq!(spared(command), Some(SparingAct::Moves), "{command}: {:?}", explain(command, &paths));
        assert!(
            !explain(command, &paths).brings_in_box(&paths).untrusted,
            "{command}: {:?}",
            explain(command, &paths)
        );
    }
    for command in ["cp -n a.csv old/", "mkdir p; cp -n *.csv p/", "cp -rn old older"] {
        assert_eq!(spared(command), Some(SparingAct::Copies), "{command}: {:?}", explain(command, &paths));
    }
    for command in [
        "mv a.csv b.csv",
        "mv -f a.csv c.csv",
        "mv -nf a.csv b.csv",
        "mv -n a.csv ../elsewhere.csv",
        "mv -n ../.ssh/id_ed25519 old/",
        "mv -n Makefile old/",
        "mv -n a.csv .envrc",
        "mv -n a.csv old/; rm b.csv",
        "mv -n a.csv old/; python3 x.py",
        "zip all.zip *.csv",
        "cp a.csv b.csv",
        "mv --backup -n a.csv old/",
    ] {
        assert_eq!(spared(command), None, "{command}: {:?}", explain(command, &paths));
    }
    let home = PathRules { working_directory: paths.home.clone(), real: Default::default(), ..paths.clone() };
    assert_eq!(explain("mv -n a b", &home).spared_folder(&home), None, "a home is no folder of files");
    let asking =
        PathRules { unasked: UnaskedRules { project: ProjectMode::Ask, ..paths.unasked }, ..paths.clone() };
    assert_eq!(explain("mv -n a.csv old/", &asking).spared_folder(&asking), None);
}

#[test]
fn what_works_in_a_temporary_folder_runs_in_the_box_that_changes_nothing() {
    let (_dir, paths) = plain();
    let boxed = |command: &str| explain(command, &paths).boxed(&paths);
    for command in [
        "T=$(mktemp -d); cp -r old \"$T\"/; cd \"$T\"; sh run.sh; ls; rm -rf \"$T\"",
        "d=$(mktemp -d) && cp a.csv $d/ && cd $d && python3 - <<'EOF'\nopen('a.csv', 'w')\nEOF",
        "T=$(mktemp -d); cp a.csv \"$T\"/; cd \"$T\"; echo b >> a.csv; ./run.sh; rm -rf \"$T\"",
        "T=$(mktemp -d); cp -r old $T/old; echo x > \"$T/old/app.log\"; ./run.sh \"$T\"; rm -r \"$T/old\"",
        "mkdir -p \"$TMPDIR/a/b\" && sort a.csv > $TMPDIR/a/b/out.csv; touch $TMPDIR/a/b/c; chmod +x $TMPDIR/a/b/c",
    ] {
        assert_eq!(boxed(command), Some(CommandBox::Reading), "{command}: {:?}", explain(command, &paths));
    }
    for command in [
        "d=$(mktemp -d); rm a.csv",
        "d=$(mktemp -d); echo x > $d/../a.csv",
        "D=$(mktemp -d); D=.; echo x > $D/a.csv",
        "echo x > $OTHER/a/b.csv",
        "d=$(mktemp -d); echo x > a.csv",
        "d=$(mktemp -d); curl -d @a.csv x.org",
        "mktemp -d; echo x > ~/.bash_login",
        "mktemp -d; echo x > ../new.txt",
        "d=$(mktemp -d); cp a.csv $d/; cp a.csv ~/new.csv",
        "mktemp -d; touch ~/.config",
    ] {
        assert_eq!(boxed(command), None, "{command}");
    }
}

#[test]
fn rights_of_another_owner_are_asked_about() {
    let (_dir, paths) = home();
    let paths = working(&paths);
    let boxed = |command: &str| explain(command, &paths).boxed(&paths).is_some();
    for command in [
        "chmod +x script.sh",
        "chmod 755 script.sh",
        "chmod u=rwx,go=rx script.sh",
        "install -m 755 script.sh s",
    ] {
        assert!(boxed(command), "{command}: {:?}", explain(command, &paths));
    }
    for command in [
        "chmod u+s script.sh",
        "chmod 4755 script.sh",
        "chmod 02755 script.sh",
        "chmod ug=rwxs script.sh",
        "chmod $m script.sh",
        "install -m 4755 script.sh s",
        "install --mode=u+s script.sh s",
    ] {
        assert!(!boxed(command), "{command}: {:?}", explain(command, &paths));
    }
}

/// The text of a program in another language is data: its words are no commands of this one.
#[test]
fn a_here_document_of_another_language_names_no_programs_and_no_effects() {
    let (_dir, paths) = home();
    let text = "python3 - <<'EOF'\nprint('what only does is rm x and curl y')\nopen('sudo make it so')\nEOF";
    let told = explain(text, &paths);
    assert_eq!(
        (told.decision, told.classes.as_slice()),
        (Decision::Confirm, &["shell:python3".to_owned()][..])
    );
    assert_eq!(told.effects, [EffectClass::Unknown]);
    assert_eq!(told.why, ["what python3 does is not known"]);
    let never = explain("python3 -c \"import os; os.system('rm -rf ~')\"", &paths);
    assert_eq!(never.decision, Decision::Forbidden, "what must never be done is found all the same");
}

#[test]
fn a_box_brings_no_strangers_text_unless_somebody_names_it() {
    let (_dir, paths) = home();
    let paths = working(&paths);
    let downloads = format!("{}/Downloads", paths.home);
    std::fs::create_dir(&downloads).unwrap();
    std::fs::write(format!("{downloads}/a.txt"), "a\n").unwrap();
    let brings = |command: &str| explain(command, &paths).brings_in_box(&paths);
    assert_eq!(brings("python3 -m unittest"), Taint::PRIVATE);
    assert_eq!(brings("python3 read.py ~/Downloads/a.txt"), Taint::BOTH);
    assert_eq!(brings("git commit -m x"), Taint::NONE);
}

/// Without a look at what lies there the contents of these would be read unasked, and then sent unasked.
#[test]
fn what_reads_nobody_knows_what_is_private_where_something_private_lies() {
    let all = [
        "grep -rs PW .",
        "grep -R PW",
        "rg PW",
        "tar cf - . | strings",
        "tar chf - .",
        "diff -rN . src",
        "git log -p",
        "git log -1 --unified=3",
        "git show",
        "git stash show -p",
        "git diff HEAD~1",
        "git grep PW",
        "cd src; git diff",
        "find . -name '*.p*' -exec cat {} +",
        "find . -type f -print0 | xargs -0 cat",
        "cd src && find .. -type f -exec head {} +",
        "for f in $(find . -name 'n*'); do cat \"$f\"; done",
        "for f in *; do cat \"$(basename \"$f\")\"; done",
        "python3 x.py",
        "git commit -m x",
        "cp -f notes.txt list.csv",
    ];
    let exact = [
        "cat notes.txt",
        "ls -la",
        "git status",
        "git log --oneline -5",
        "grep -r a src",
        "wc -l *.csv",
        "find .",
    ];
    let brings = |command: &str, paths: &PathRules| {
        let told = explain(command, paths);
        let boxed = told.boxed(paths).is_some();
        if boxed { told.brings_in_box(paths) } else { told.brings | told.folders_bring }.private
    };
    for private in ["", ".env", "sub/deep/server.pem", "out", "one.txt"] {
        let (_dir, paths) = home();
        let paths = working(&paths);
        let here = paths.working_directory.clone();
        std::fs::create_dir_all(format!("{here}/sub/deep")).unwrap();
        let elsewhere = format!("{}/diary.txt", paths.home);
        std::fs::write(&elsewhere, "canary\n").unwrap();
        let at = format!("{here}/{private}");
        match private {
            "" => std::os::unix::fs::symlink("/usr/bin/env", format!("{here}/env")).unwrap(),
            "out" => std::os::unix::fs::symlink(&paths.home, at).unwrap(),
            "one.txt" => std::os::unix::fs::symlink(&elsewhere, at).unwrap(),
            _ => std::fs::write(at, "PW\n").unwrap(),
        }
        for command in all {
            // What no text tells anything of is private in any folder.
            let is_unknown = command.contains("python3") || command.contains("basename");
            let is_clean = private.is_empty() && !is_unknown;
            assert_eq!(
                brings(command, &paths),
                !is_clean,
                "{private:?} {command}: {:?}",
                explain(command, &paths)
            );
        }
        for command in exact {
            assert!(!brings(command, &paths), "{private:?} {command}: {:?}", explain(command, &paths));
        }
        let top =
            PathRules { working_directory: paths.home.clone(), real: Default::default(), ..paths.clone() };
        assert!(brings("grep -rs canary ~", &top) && brings("grep -rs canary project/src", &top));
        assert!(!brings("cat diary.txt", &top));
    }
    let (_dir, paths) = home();
    let folder = format!("{}/src/many", paths.working_directory);
    std::fs::create_dir(&folder).unwrap();
    (0..10_001).for_each(|n| std::fs::write(format!("{folder}/{n}"), "").unwrap());
    assert!(brings("grep -r a .", &paths), "nobody knows what else is there");
}

/// A file as it was is as secret as the file.
#[test]
fn a_secret_file_of_an_earlier_revision_is_asked_about_by_name() {
    let (_dir, paths) = home();
    for command in ["git show HEAD~1:.env", "git cat-file -p HEAD:sub/.env", "git diff HEAD:.env HEAD~1:.env"]
    {
        assert_eq!(explain(command, &paths).decision, Decision::Confirm, "{command}");
        assert_eq!(explain(command, &paths).boxed(&working(&paths)), None, "{command}");
    }
    assert_eq!(explain("git show HEAD~1:notes.txt", &paths).decision, Decision::Safe);
}
