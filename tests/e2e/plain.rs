//! Work in a folder of files that is no project, with nobody there to be asked: what the request names and what the task made is
//! changed, files are moved where the request asks for it, all of it is kept and comes back; everything else stays.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask, tool};
use artoo_testing::{Home, TaskRun};

fn shell(command: &str) -> Value {
    tool("shell", &json!({"command": command}))
}

/// A home of whose folder `work` the executor does this, and a task with this request.
fn acted(request: &str, files: &[(&str, &str)], mut actions: Vec<Value>) -> (Home, TaskRun) {
    let step = subtask(1, "Do it", &["shell", "edit_file"], &[], &[criterion(request)]);
    actions.push(last_tool("shell", &json!({"command": "ls"})));
    let scenario = Scenario::new(plan(&[criterion(request)], &[step])).act("Do it", actions);
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    for (name, text) in files {
        home.file(name, text);
    }
    let run = home.run(request, &["--unattended"]);
    (home, run)
}

/// How each call ended.
fn ends(run: &TaskRun) -> Vec<String> {
    let end = |call: &&Value| format!("{} {}", call["end"].as_str().unwrap_or_default(), call["exit"]);
    run.of_type("tool_call_finished").iter().map(end).collect()
}

fn text(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

fn mode(file: &Path) -> u32 {
    std::fs::metadata(file).map_or(0, |meta| meta.permissions().mode() & 0o7777)
}

const RAN: &str = "ran 0";
const DENIED: &str = "denied null";

#[test]
fn files_are_moved_where_the_request_asks_for_it_and_come_back() {
    let sort = "for f in *; do case \"$f\" in *.png) d=Images;; *) d=Other;; esac; if [ -f \"$f\" ]; then mkdir -p \"$d\"; \
                mv -n -- \"$f\" \"$d\"/; fi; done";
    let files = [("sea.png", "sea\n"), ("what.xyz", "what\n"), (".envrc", "x\n")];
    let actions = || vec![shell(sort)];
    let (home, run) =
        acted("Sort the files in this folder into subfolders by their kind.", &files, actions());
    assert_eq!(ends(&run), [RAN, RAN], "{:#?}", run.of_type("confirmation_request"));
    assert_eq!(text(&home.work().join("Images/sea.png")), "sea\n");
    home.json(&["undo", run.id()]);
    assert_eq!(text(&home.work().join("sea.png")), "sea\n");
    assert!(!home.work().join("Images").exists() && !home.work().join("Other").exists());

    let (home, run) = acted("How many files are in this folder?", &files, actions());
    assert_eq!(ends(&run)[0], DENIED, "{}", run.outline());
    assert_eq!(text(&home.work().join("sea.png")), "sea\n");
    // What runs later is not put there by a move either.
    let later = vec![
        shell("for f in *.xyz; do mv -n \"$f\" \".$(printf pth).pth\"; done; true"),
        shell("mv -n what.xyz Makefile"),
    ];
    let (home, run) = acted("Rename the files in this folder.", &files, later);
    assert_eq!(text(&home.work().join("what.xyz")), "what\n", "{}", run.outline());
    assert!(!home.work().join("Makefile").exists() && !home.work().join(".pth.pth").exists());
}

#[test]
fn what_the_request_names_is_changed_with_its_mode_and_nothing_else() {
    let files = [("config.ini", "port = 8080\n"), ("other.ini", "port = 8080\n")];
    let actions = vec![
        shell("chmod 640 config.ini"),
        shell("sed -i s/8080/9090/ config.ini"),
        shell("sed -i s/8080/9090/ config.ini other.ini"),
        shell("echo x >> other.ini"),
        shell("rm config.ini"),
        shell("chmod u+s config.ini"),
        tool("edit_file", &json!({"path": "./other.ini", "old": "8080", "new": "1"})),
    ];
    let (home, run) = acted("In config.ini change the port from 8080 to 9090.", &files, actions);
    assert_eq!(ends(&run), [RAN, RAN, DENIED, DENIED, DENIED, DENIED, DENIED, RAN], "{}", run.outline());
    let config = home.work().join("config.ini");
    assert_eq!((text(&config).as_str(), mode(&config)), ("port = 9090\n", 0o640));
    assert_eq!(text(&home.work().join("other.ini")), "port = 8080\n");
    home.json(&["undo", run.id()]);
    assert_eq!((text(&config).as_str(), mode(&config)), ("port = 8080\n", 0o644));
}

/// Programs that nobody understands write what the request names and what the task made, without a question and from the start.
#[test]
fn a_program_writes_what_the_request_names_and_what_the_task_made() {
    let merge = "import csv\nrows = [*open('crm.csv')] + [*open('billing.csv')]\nopen('merged.csv', 'w').writelines(rows)\n";
    let script = "#!/bin/sh\necho tried >> \"$1\"\n";
    let actions = vec![
        tool("write_file", &json!({"path": "./merge.py", "content": merge})),
        shell("python3 merge.py && wc -l merged.csv"),
        shell(&format!("cat > run.sh <<'END'\n{script}END\nchmod +x run.sh && ./run.sh merged.csv")),
        shell("cp crm.csv copy.csv; ./run.sh copy.csv"),
        shell("cp merged.csv copy.csv; ./run.sh copy.csv"),
        shell("mkdir -p out && python3 -c \"open('out/new.txt', 'w').write('made')\""),
        shell("python3 -c \"open('out/more.txt', 'w').write('made')\""),
        shell("python3 -c \"open('theirs.txt', 'w')\" 2>&1"),
        shell("python3 -c \"open('.envrc', 'w')\" 2>&1"),
        shell("python3 -c \"import os; os.chmod('theirs.txt', 0o600)\" 2>&1"),
        shell("chmod 600 theirs.txt; ./run.sh copy.csv"),
    ];
    let files = [("crm.csv", "a,b\n"), ("billing.csv", "c,d\n"), ("theirs.txt", "theirs\n")];
    let (home, run) = acted("Merge crm.csv and billing.csv into merged.csv.", &files, actions);
    let failed = "ran 1";
    let expected = [RAN, RAN, RAN, RAN, RAN, RAN, RAN, failed, failed, failed, DENIED, RAN];
    assert_eq!(ends(&run), expected, "{:#?}", run.of_type("confirmation_request"));
    let here = home.work();
    assert_eq!(text(&here.join("merged.csv")), "a,b\nc,d\ntried\n");
    assert_eq!(text(&here.join("copy.csv")), "a,b\nc,d\ntried\ntried\n");
    assert_eq!((mode(&here.join("run.sh")), text(&here.join("out/more.txt")).as_str()), (0o755, "made"));
    assert_eq!(
        (text(&here.join("theirs.txt")).as_str(), mode(&here.join("theirs.txt"))),
        ("theirs\n", 0o644)
    );
    let made = &run.of_type("tool_call_finished")[1]["changes"];
    assert!(made.to_string().contains("merged.csv"), "{made:#}");
    home.json(&["undo", run.id()]);
    let left: Vec<String> = std::fs::read_dir(&here)
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// Reading whatever lies in the folder brings nothing into the task, so that what follows needs nobody; and the call's own
/// temporary folder is known.
#[test]
fn files_are_digested_and_then_sorted_by_kind_without_a_question() {
    let files =
        [("Downloads/sea.png", "sea\n"), ("Downloads/a b.pdf", "pdf\n"), ("Downloads/what.xyz", "what\n")];
    let actions = vec![
        shell("find Downloads -type f | while read f; do sha256sum \"$f\"; done"),
        shell(
            "find Downloads -type f -print0 | while IFS= read -r -d '' f; do sha256sum \"$f\"; done | sort > \"$TMPDIR/x\" && cat \"$TMPDIR/x\"",
        ),
        shell("find Downloads -type f -print0 | xargs -0 sha256sum"),
        shell("t=$(mktemp) && ls Downloads > \"$t\" && wc -l \"$t\" && rm \"$t\""),
        shell(
            "cd Downloads && mkdir -p Images Documents Other && for f in *; do [ -f \"$f\" ] || continue; case \"${f,,}\" in *.png) d=Images;; \
             *.pdf) d=Documents;; *) d=Other;; esac; mv -n -- \"$f\" \"$d/\"; done; find . -type f | sort",
        ),
    ];
    let request = "Clean up the folder Downloads: sort the files into subfolders Images, Documents and Other by their kind.";
    let (home, run) = acted(request, &files, actions);
    assert_eq!(ends(&run), [RAN; 6], "{:#?}", run.of_type("confirmation_request"));
    assert!(!run.result()["taint"].to_string().contains("untrusted"), "{}", run.outline());
    assert_eq!(text(&home.work().join("Downloads/Documents/a b.pdf")), "pdf\n");
    home.json(&["undo", run.id()]);
    assert_eq!(text(&home.work().join("Downloads/a b.pdf")), "pdf\n");
    assert!(!home.work().join("Downloads/Images").exists(), "folders that the task made go again");
}

/// A denial closes what was denied. Everything else is judged for itself, and an edit goes by what the file holds.
#[test]
fn after_a_denial_everything_else_is_judged_for_itself() {
    let edit =
        |path: &str, old: &str, new: &str| tool("edit_file", &json!({"path": path, "old": old, "new": new}));
    let actions = vec![
        shell("sed -i s/a/b/ theirs.txt; python3 -c 1"),
        tool("write_file", &json!({"path": "./package.json", "content": "{}\n"})),
        edit("./package.json", "{}", "{\"private\": true}"),
        tool("read_file", &json!({"path": "./config.ini"})),
        shell("sed -i s/8080/9090/ config.ini"),
        shell("cat config.ini"),
        edit("./config.ini", "9090", "7070"),
        shell("python3 -c \"open('config.ini', 'a').write('end')\""),
        edit("./theirs.txt", "a", "b"),
    ];
    let files = [("config.ini", "port = 8080\n"), ("theirs.txt", "a\n")];
    let (home, run) = acted("In config.ini change the port from 8080 to 7070.", &files, actions);
    let expected = [DENIED, RAN, RAN, RAN, RAN, RAN, RAN, RAN, DENIED, RAN];
    assert_eq!(ends(&run), expected, "{:#?}", run.of_type("tool_call_finished"));
    assert_eq!(text(&home.work().join("config.ini")), "port = 7070\nend");
    assert_eq!(text(&home.work().join("theirs.txt")), "a\n");
}

/// What a request names gives no more than a plain file of the folder: nothing that runs later, no link, nothing outside.
#[test]
fn a_name_in_a_request_opens_nothing_that_runs_later_or_lies_elsewhere() {
    let request = "Change notes.txt, .bashrc, .env, package.json, Makefile, link.txt, ../outside.txt, .git/hooks/pre-commit and \
                   ~/.bashrc as you like.";
    let write = "import os\nfor path in ['.bashrc', '.env', 'package.json', 'Makefile', 'link.txt', '../outside.txt', '.git/hooks/pre-commit', \
                 os.path.expanduser('~/.bashrc'), 'notes.txt']:\n    try:\n        open(path, 'a').write('evil')\n    except OSError as error:\n        \
                 print(error)\n";
    let actions = vec![shell(&format!("python3 - <<'END'\n{write}END"))];
    let files = [
        ("notes.txt", "n\n"),
        ("package.json", "{}\n"),
        ("Makefile", "all:\n"),
        (".bashrc", "b\n"),
        (".env", "e\n"),
    ];
    let step = subtask(1, "Do it", &["shell"], &[], &[criterion(request)]);
    let mut actions = actions;
    actions.push(last_tool("shell", &json!({"command": "ls"})));
    let scenario = Scenario::new(plan(&[criterion(request)], &[step])).act("Do it", actions);
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    files.iter().for_each(|(name, text)| {
        home.file(name, text);
    });
    let work = home.work();
    let outside = work.parent().expect("it lies in a folder").join("outside.txt");
    std::fs::write(&outside, "o\n").expect("it can be written");
    std::os::unix::fs::symlink(&outside, work.join("link.txt")).expect("it can be made");
    let run = home.run(request, &["--unattended"]);
    assert_eq!(ends(&run)[0], RAN, "{}", run.outline());
    for (name, content) in files.iter().skip(1) {
        assert_eq!(text(&work.join(name)), *content, "{name}");
    }
    assert_eq!((text(&outside).as_str(), text(&work.join("notes.txt")).as_str()), ("o\n", "n\nevil"));
    assert!(!work.join(".git").exists());
}

#[test]
fn what_the_task_made_is_its_own() {
    let script = "#!/bin/sh\necho it works > \"$1\"\n";
    let actions = vec![
        tool("write_file", &json!({"path": "./run.sh", "content": script})),
        shell("chmod +x run.sh"),
        shell("T=$(mktemp -d); ./run.sh \"$T\"/out; cat \"$T\"/out; rm -r \"$T\""),
        tool("write_file", &json!({"path": "./draft.txt", "content": "draft\n"})),
        tool("shell", &json!({"command": "./run.sh draft.txt", "needs": ["write ./draft.txt"]})),
        shell("cat draft.txt"),
        shell("rm draft.txt"),
        shell("rm theirs.txt"),
        tool("shell", &json!({"command": "./run.sh theirs.txt", "needs": ["write ./theirs.txt"]})),
    ];
    let (home, run) = acted("Write a script run.sh and try it.", &[("theirs.txt", "a\n")], actions);
    assert_eq!(ends(&run), [RAN, RAN, RAN, RAN, RAN, RAN, RAN, DENIED, DENIED, RAN], "{}", run.outline());
    let said: Vec<String> =
        run.of_type("tool_call_finished").iter().map(|call| call["output"].to_string()).collect();
    assert!(said[2].contains("it works") && said[5].contains("it works"), "{said:?}");
    let here = home.work();
    assert_eq!((mode(&here.join("run.sh")), text(&here.join("theirs.txt")).as_str()), (0o755, "a\n"));
    assert!(!here.join("draft.txt").exists());
    home.json(&["undo", run.id()]);
    assert!(!here.join("run.sh").exists() && !here.join("draft.txt").exists());
}

/// Who gets a refusal is told how the same is done without a question, and it is so.
#[test]
fn a_refused_change_says_how_it_is_done_without_a_question() {
    let files = [("calc.py", "print(1 +)\n")];
    let edit = || vec![tool("edit_file", &json!({"path": "./calc.py", "old": "1 +", "new": "1"}))];
    let fix = |request: &str, prepare: &dyn Fn(&Home)| {
        let wanted = checked(
            "calc.py is fixed",
            &json!({"kind": "file_contains", "path": "./calc.py", "text": "print(1)"}),
        );
        let step = subtask(1, "Fix the code", &["edit_file"], &[], std::slice::from_ref(&wanted));
        let scenario = Scenario::new(plan(&[wanted], &[step])).act("Fix the code", edit());
        let server = ModelServer::start(scenario.script());
        let home = Home::started(&server.base_url());
        home.file(files[0].0, files[0].1);
        prepare(&home);
        let run = home.run(request, &["--unattended"]);
        (text(&home.work().join("calc.py")), run)
    };
    let (left, run) = fix("Fix the code here.", &|_| ());
    assert_eq!(
        (left.as_str(), run.result()["reason"].as_str()),
        ("print(1 +)\n", Some("refused")),
        "{}",
        run.outline()
    );
    let moves = run.result()["next_moves"].to_string();
    assert!(moves.contains("(calc.py)") && moves.contains("git init"), "{moves}");
    let (named, run) = fix("Fix the code in calc.py.", &|_| ());
    assert_eq!(named, "print(1)\n", "{}", run.outline());
    let init = |home: &Home| {
        let done =
            std::process::Command::new("git").args(["init", "-q", "."]).current_dir(home.work()).status();
        assert!(done.is_ok_and(|status| status.success()));
    };
    let (in_project, run) = fix("Fix the code here.", &init);
    assert_eq!(in_project, "print(1)\n", "{}", run.outline());
}

/// Fails where a program that counts what is in the folder sees a file that is only to come.
#[test]
fn a_program_that_counts_the_files_sees_none_that_is_not_there() {
    let files = [("a.txt", "1\n"), ("b.txt", "2\n")];
    let count = "import os\nprint('there are', len(os.listdir('.')))\n";
    let actions = || {
        vec![
            shell("python3 -c \"import os; print('there are', len(os.listdir('.')))\""),
            shell("python3 -c \"import os; n = len(os.listdir('.')); open('count.txt', 'w').write(str(n))\""),
            tool("write_file", &json!({"path": "./count.py", "content": count})),
            shell("python3 count.py"),
        ]
    };
    for request in [
        "Count the files here and write the number to count.txt.",
        "统计这里有多少个文件，把数字写到count.txt。",
    ] {
        let (home, run) = acted(request, &files, actions());
        let shown: Vec<String> = run
            .of_type("tool_call_finished")
            .iter()
            .map(|call| call["output"].as_str().unwrap_or_default().trim().to_owned())
            .collect();
        assert_eq!(shown[0], "there are 2", "{request}: {}", run.outline());
        let count = text(&home.work().join("count.txt"));
        assert!(count == "2" || count.is_empty() && ends(&run)[1] != RAN, "{count:?} {}", run.outline());
    }
}
