use artoo_types::evidence::EffectClass;

use super::home;
use crate::rules::script::{awk_only_prints, sed_only_prints};
use crate::{Decision, explain};

#[test]
fn classes_name_the_programs_without_their_wrappers_and_blame_passes_filters_by() {
    let (_dir, paths) = home();
    let cases: &[(&str, &[&str], &str)] = &[
        ("find . -name '*.rs' | xargs wc -l | sort", &["shell:find", "shell:wc", "shell:sort"], "shell:find"),
        ("env LANG=C nice timeout 3 ls", &["shell:ls"], "shell:ls"),
        ("sort notes.txt | head", &["shell:sort", "shell:head"], "shell:sort"),
        ("cat notes.txt | git log", &["shell:cat", "shell:git"], "shell:git"),
        ("/bin/ls", &["shell:ls"], "shell:ls"),
        ("ls && ls", &["shell:ls"], "shell:ls"),
        ("sudo rm x", &["shell:rm"], "shell:rm"),
        ("ls )(", &["shell:unknown"], "shell:unknown"),
    ];
    for (command, classes, blame) in cases {
        let explanation = explain(command, &paths);
        assert_eq!(explanation.classes, *classes, "{command}");
        assert_eq!(explanation.blame, *blame, "{command}");
    }
}

#[test]
fn the_target_is_the_sorted_path_operands_or_the_folded_command() {
    let (_dir, paths) = home();
    let w = paths.working_directory.clone();
    let cases = [
        ("wc -l notes.txt list.csv", format!("{w}/list.csv {w}/notes.txt")),
        ("grep -n 'fn main' src/a.rs", format!("{w}/src/a.rs")),
        ("head -n 20 ./src/../notes.txt", format!("{w}/notes.txt")),
        ("find src -name '*.rs'", format!("{w}/src")),
        ("wc -l < notes.txt", format!("{w}/notes.txt")),
        ("echo Hello   World", "echo hello world".to_owned()),
        ("rm -f notes.txt", format!("{w}/notes.txt")),
    ];
    for (command, target) in cases {
        assert_eq!(explain(command, &paths).target, target, "{command}");
    }
}

#[test]
fn what_a_command_looks_at_is_not_known_where_it_shows_more_than_files() {
    let (_dir, paths) = home();
    let w = paths.working_directory.clone();
    let files: &[(&str, &[&str])] =
        &[("wc -l notes.txt", &["/notes.txt"]), ("ls", &[""]), ("./build.sh notes.txt", &["/notes.txt", ""])];
    for (command, looked) in files {
        let looked: Vec<String> = looked.iter().map(|name| format!("{w}{name}")).collect();
        assert_eq!(explain(command, &paths).looks_at, Some(looked), "{command}");
    }
    for command in [
        "df -h",
        "date +%u",
        "ps aux | wc -l",
        "uptime",
        "curl https://example.org/ | grep up",
        "systemctl status cron",
        "ping -c 1 example.org",
        "ssh host uptime",
        "cat notes.txt; free -m",
    ] {
        assert_eq!(explain(command, &paths).looks_at, None, "{command}");
    }
}

/// A person's yes is to these targets in this order; the order in which a folder lists its files may change.
#[test]
fn targets_of_a_pattern_are_sorted() {
    let (_dir, paths) = home();
    let w = &paths.working_directory;
    // Listed in the order in which they were made, or of their hashes, these are not sorted.
    let mut names: Vec<String> = (0..40).rev().map(|number| format!("{w}/{number:02}.o")).collect();
    names.iter().for_each(|name| std::fs::write(name, "x").unwrap());
    names.sort();
    let explanation = explain("rm *.o", &paths);
    assert_eq!((&explanation.targets, explanation.changes.as_ref()), (&names, Some(&names)));
}

#[test]
fn what_touches_more_than_is_told_is_not_known_well_enough() {
    let (_dir, paths) = home();
    for number in 0..300 {
        std::fs::write(format!("{}/src/{number:03}.log", paths.working_directory), "x").unwrap();
    }
    let names = |count: usize| (0..count).map(|number| format!(" src/{number:03}.log")).collect::<String>();
    for (command, is_known) in [
        (format!("rm{}", names(256)), true),
        (format!("rm{}", names(257)), false),
        ("rm src/0*.log src/1*.log".to_owned(), true),
        ("rm src/*.log".to_owned(), false),
    ] {
        let explanation = explain(&command, &paths);
        assert_eq!(explanation.decision, Decision::Confirm);
        let says_so = explanation.why.iter().any(|why| why.contains("256"));
        let is_unknown = explanation.effects.contains(&EffectClass::Unknown);
        assert_eq!(
            (says_so, is_unknown),
            (!is_known, !is_known),
            "{}: {:?}",
            first_words(&command),
            explanation.why
        );
        assert!(explanation.targets.len() <= 256);
    }
}

fn first_words(command: &str) -> String {
    command.chars().take(40).collect()
}

#[test]
fn effects_and_targets_of_acts_are_told() {
    let (_dir, paths) = home();
    let notes = format!("{}/notes.txt", paths.working_directory);
    let cases = [
        ("ls", "read", None),
        ("rm notes.txt", "delete", Some(&notes)),
        ("cp list.csv notes.txt", "overwrite", Some(&notes)),
        ("cp list.csv fresh.txt", "create", None),
        ("echo x > notes.txt", "overwrite", Some(&notes)),
        ("echo x > fresh.txt", "create", None),
        ("curl https://example.org", "send", None),
        ("git push", "send", None),
        ("systemctl stop x", "system", None),
        ("mke2fs x", "system", None),
        ("newfs x", "system", None),
        ("pvcreate x", "system", None),
        ("rc-service x stop", "system", None),
        ("frobnicate", "unknown", None),
        ("bash -c 'rm notes.txt'", "delete", Some(&notes)),
    ];
    for (command, effect, target) in cases {
        let explanation = explain(command, &paths);
        assert!(
            explanation.effects.iter().any(|e| e.as_str() == effect),
            "{command}: {:?}",
            explanation.effects
        );
        if let Some(target) = target {
            assert!(explanation.targets.contains(target), "{command}: {:?}", explanation.targets);
        }
        let is_safe = matches!(effect, "read" | "create");
        assert_eq!(explanation.decision == Decision::Safe, is_safe, "{command}");
        assert_eq!(explanation.why.is_empty(), is_safe, "{command}: a question says why");
    }
}

#[test]
fn a_repository_that_configures_programs_is_asked_about() {
    let (_dir, paths) = home();
    let config = format!("{}/.git/config", paths.working_directory);
    assert_eq!(explain("git status", &paths).decision, Decision::Safe);
    for text in [
        "[diff \"x\"]\n\ttextconv = id\n",
        "[core]\n\tfsmonitor = ./x\n",
        "[include]\n\tpath = x\n",
        "[core] pager = id",
        "\u{feff}[diff]\n\texternal = id\n",
        "[remote \"origin\"]\n\tpromisor = true\n",
    ] {
        std::fs::write(&config, text).unwrap();
        assert_eq!(explain("git status", &paths).decision, Decision::Confirm, "{text}");
    }
}

#[test]
fn a_repository_is_judged_where_git_finds_it() {
    type Change = fn(&std::path::Path);
    let changes: &[(&str, bool, Change)] = &[
        ("git diff", false, |_| ()),
        ("git diff", true, |project| std::fs::write(project.join(".git/commondir"), "../x\n").unwrap()),
        ("git -C inner diff", true, |project| {
            let other = project.join("other");
            std::fs::create_dir_all(other.join("sub")).unwrap();
            std::fs::create_dir_all(other.join(".git")).unwrap();
            std::fs::write(other.join(".git/config"), "[diff]\n\texternal = id\n").unwrap();
            std::os::unix::fs::symlink("other/sub", project.join("inner")).unwrap();
        }),
        ("git -C bare diff a b", true, |project| {
            std::fs::create_dir(project.join("bare")).unwrap();
            std::fs::write(project.join("bare/HEAD"), "ref: refs/heads/main\n").unwrap();
            std::fs::write(project.join("bare/commondir"), "../store\n").unwrap();
        }),
    ];
    for (command, asks, change) in changes {
        let (_dir, paths) = home();
        change(std::path::Path::new(&paths.working_directory));
        let explanation = explain(command, &paths);
        assert_eq!(explanation.decision == Decision::Confirm, *asks, "{command}: {:?}", explanation.why);
    }
}

#[test]
fn names_that_split_into_other_words_make_their_readers_ask() {
    let readers = [
        ("find . | xargs cat", true),
        ("cat $(find . -type f)", true),
        ("for f in $(find .); do cat $f; done", true),
        ("for f in *; do cat -- $f; done", true),
        ("find . | xargs -d '\\n' cat", true),
        ("find . | xargs -I{} cat {}", true),
        ("find . -print0 | xargs -0 cat", false),
        ("for f in *.txt; do cat \"$f\"; done", false),
        ("find src | xargs cat", false),
    ];
    for name in ["x\n", "x \n"] {
        for (reader, asks) in readers {
            let (_dir, paths) = home();
            // Line ends in a name split what blanks alone do not.
            let secret = format!("{}/{name}.txt", paths.working_directory);
            std::fs::write(secret, "a").unwrap();
            let explanation = explain(reader, &paths);
            assert_eq!(explanation.decision != Decision::Safe, asks, "{reader}: {:?}", explanation.why);
        }
    }
}

#[test]
fn files_with_secret_names_are_seen_in_folders_elsewhere() {
    let (_dir, paths) = home();
    let other = format!("{}/other", paths.home);
    std::fs::create_dir(&other).unwrap();
    let readers = ["find ~/other -name .env -exec cat {} +", "grep -r x ~/other"];
    for reader in readers {
        assert_eq!(explain(reader, &paths).decision, Decision::Safe, "{reader}");
    }
    std::fs::write(format!("{other}/.env"), "x").unwrap();
    for reader in readers {
        assert_eq!(explain(reader, &paths).decision, Decision::Confirm, "{reader}");
    }
}

#[test]
fn files_that_keep_secrets_are_picked_by_name_only_with_a_yes() {
    let (_dir, paths) = home();
    let check = |command: &str, expected: Decision| {
        let told = explain(command, &paths);
        assert_eq!(told.decision, expected, "{command}: {:?}", told.why);
        assert!(expected == Decision::Safe || told.boxed(&paths).is_none(), "{command}: {told:?}");
    };
    let seeking = [
        "find . -name .env -exec cat {} \\;",
        "find . -name '.env*' -print0 | xargs -0 cat",
        "find . -iname '*.KEY' -exec head {} +",
        "grep -rh . --include='*.key' .",
        "rg -g '.e*' x",
    ];
    for command in seeking {
        check(command, Decision::Safe);
    }
    for name in [".env", "server.key"] {
        std::fs::write(format!("{}/{name}", paths.working_directory), "x").unwrap();
    }
    for command in seeking.into_iter().chain(["git log -p -- '*.pem'", "git grep -h x -- '.env*'"]) {
        check(command, Decision::Confirm);
    }
    for command in [
        "find . -name .env",
        "find . -name '*.rs' -exec cat {} +",
        "find . -type f ! -name .env -exec wc -l {} +",
        "grep -rn token .",
        "grep -rn --include='*.json' x .",
        "grep -rn --exclude='*.key' x .",
        "git log -p -- src",
    ] {
        check(command, Decision::Safe);
    }
}

#[test]
fn a_link_to_a_secret_is_a_secret() {
    let (_dir, paths) = home();
    let link = format!("{}/key", paths.working_directory);
    std::os::unix::fs::symlink(format!("{}/.ssh/id_ed25519", paths.home), link).unwrap();
    for command in ["cat key", "cat k*", "cat ./k?y", "wc -c < key", "for f in k*; do cat \"$f\"; done"] {
        assert_eq!(explain(command, &paths).decision, Decision::Confirm, "{command}");
    }
}

#[test]
fn scripts_that_only_print_are_told_from_others() {
    for script in [
        "{print}",
        "NR==1",
        "/a|b/ {n++} END {print n}",
        "{ print $1/$2 }",
        "a || b { print (1) }",
        "$1 ~ /x/",
        "{ if (NF) /x/ } END { print length /2/ 1 }",
        "{ print $1/2, \"a\", $2/3 }",
    ] {
        assert!(awk_only_prints(script), "{script}");
    }
    for script in [
        "{ print > $1 }",
        "BEGIN{printf(\"x\") > \"f\"}",
        "{print|c}",
        "{ \"c\" | getline }",
        "{ print /\"/ > \"f\" }",
        "function f() { system(1) }",
        "{ @f() }",
        "{ x = \"unterminated }",
        "{ print 1 \\\n > \"f\" }",
        "//\"/ > \"f\"",
        "BEGIN{ x = length /\"/ ; print \"sh run.sh\" | \"sh\" #\"\n}",
        "{ print length /\"/ > \"f\" #\"\n}",
        "{ print NF++ /\"/ > \"f\" #\"\n}",
        "{ x = 1 /\\\n\"/ > \"f\" }",
    ] {
        assert!(!awk_only_prints(script), "{script}");
    }
    for script in [
        "p",
        "5p",
        "$p",
        "1,5p",
        "/a/,/b/p",
        "s/a/b/g",
        "s|x|y|2;d",
        "/x/d",
        "2q",
        "1!p",
        "1{p;q}",
        "y/a/b/",
        "$!N",
    ] {
        assert!(sed_only_prints(script), "{script}");
    }
    for script in [
        "w f",
        "s/a/b/w f",
        "e ls",
        "s/a/b/e",
        "r f",
        "p;w f",
        "s/[/]/b/w f",
        "1e",
        "/x/w f",
        "s/a/b/;e",
        "1{w f",
        "1{p;w f}",
        "y/a/b/;w f",
        "s/[]/]/;/w f",
    ] {
        assert!(!sed_only_prints(script), "{script}");
    }
}

#[test]
fn what_lands_under_another_name_is_not_promised() {
    let (_dir, paths) = home();
    for command in
        ["cp -r src/. emptydir", "cp -r . ../out", "cp -r src/ emptydir", "ln -sf ../other/notes.txt"]
    {
        assert_eq!(explain(command, &paths).changes, None, "{command}");
    }
}

#[test]
fn what_a_command_changes_is_told_when_it_is_known() {
    let (_dir, paths) = home();
    let w = paths.working_directory.clone();
    for name in ["x.o", "y.o"] {
        std::fs::write(format!("{w}/{name}"), "").unwrap();
    }
    let known: &[(&str, &[&str])] = &[
        ("ls", &[]),
        ("rm notes.txt", &["notes.txt"]),
        ("rm *.o", &["x.o", "y.o"]),
        ("rm -rf src {x,y}.o", &["src", "x.o", "y.o"]),
        ("mv notes.txt list.csv", &["notes.txt", "list.csv"]),
        ("mv notes.txt x.o src", &["notes.txt", "x.o", "src/notes.txt", "src/x.o"]),
        ("cp list.csv notes.txt", &["notes.txt"]),
        ("cp list.csv src/", &["src/list.csv"]),
        ("ln -sf list.csv notes.txt", &["notes.txt"]),
        ("echo x > notes.txt", &["notes.txt"]),
        ("echo x >> fresh.txt && rm x.o", &["fresh.txt", "x.o"]),
        ("echo x | tee notes.txt", &["notes.txt"]),
        ("truncate -s 0 notes.txt", &["notes.txt"]),
        ("chmod 600 notes.txt", &["notes.txt"]),
        ("touch -d yesterday notes.txt", &["notes.txt"]),
        ("mkdir -p new/deep/er", &["new"]),
        ("sed -i 's/a/b/' src/a.rs src/b.rs", &["src/a.rs", "src/b.rs"]),
        (": > notes.txt", &["notes.txt"]),
        ("bash -c 'rm notes.txt'", &["notes.txt"]),
    ];
    for (command, changes) in known {
        let explanation = explain(command, &paths);
        let expected: Vec<String> = changes.iter().map(|name| format!("{w}/{name}")).collect();
        let mut found = explanation.changes.clone().unwrap_or_else(|| panic!("{command}: {explanation:?}"));
        found.retain(|path| path != "/dev/null");
        assert_eq!(found, expected, "{command}");
        assert!(
            expected.iter().all(|path| explanation.targets.contains(path)),
            "{command}: {:?}",
            explanation.targets
        );
    }
    let unknown = [
        "rm \"$x\"",
        "rm $(ls)",
        "find . -name x | xargs rm",
        "find . -delete",
        "cd src && rm a.rs",
        "python3 x.py",
        "tar xf a.tar",
        "unzip a.zip",
        "git checkout .",
        "sed -i 's/a/b/' notes.txt",
        "sed -i.bak 's/a/b/' src/a.rs",
        "mv -t src notes.txt",
        "cp -b list.csv notes.txt",
        "for f in a b; do rm $f; done",
        "rm notes.txt &",
        "gzip notes.txt",
        "curl x.org",
        "rm -- \"$(cat list.csv)\"",
        "sudo rm notes.txt",
        "rsync -a src/ x.o",
    ];
    for command in unknown {
        assert_eq!(explain(command, &paths).changes, None, "{command}");
    }
    std::fs::write(format!("{w}/-rf"), "").unwrap();
    assert_eq!(explain("rm *", &paths).changes, None, "a name that would be taken for an option");
}
