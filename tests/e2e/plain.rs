//! Work in a folder of files that is no project, with nobody there to be asked: what the request names and what the task made is
//! changed, files are moved where the request asks for it, all of it is kept and comes back; everything else stays.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask, tool};
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
