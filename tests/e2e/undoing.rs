//! What a person confirmed can be taken back; what cannot be taken back said so before.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::audit_log;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask, tool};
use artoo_testing::{Home, TaskRun, binaries};

/// A server whose executor takes these actions, the last of which gives the result.
fn acting(actions: Vec<Value>) -> ModelServer {
    let steps =
        [subtask(1, "Do it", &["shell", "edit_file", "write_file"], &[], &[criterion("It is done.")])];
    let scenario = Scenario::new(plan(&[criterion("The steps took place in this order.")], &steps))
        .act("Do it", actions);
    ModelServer::start(scenario.script())
}

fn shell(command: &str) -> Value {
    tool("shell", &json!({"command": command}))
}

fn last_shell(command: &str) -> Value {
    last_tool("shell", &json!({"command": command}))
}

fn home(server: &ModelServer) -> Home {
    furnished(Home::started(&server.base_url()))
}

/// The same where programs that are not understood are asked about.
fn asking_home(server: &ModelServer) -> Home {
    let mut home = Home::with_model(&server.base_url());
    home.configure("[gate]\nproject = \"ask\"\n", 0o600);
    home.start();
    furnished(home)
}

fn furnished(home: Home) -> Home {
    home.file("stays.txt", "stays");
    home.file("x.txt", "precious");
    home.file("notes.txt", "old notes\n");
    home.file("build/a.o", "aaa");
    home.file("build/deep/b.o", "bbb");
    home
}

/// Runs the task and says yes to every question; returns the questions too.
fn confirmed(home: &Home, questions: usize) -> (TaskRun, Vec<Value>) {
    let mut client = home.task("Do it", &["--attended"]);
    let mut asked = Vec::new();
    for _ in 0..questions {
        let question = client.event("confirmation_request");
        let id = question["confirmation_id"].as_str().expect("it has an id");
        assert_eq!(home.artoo(&["confirm", id, "yes"]).code, Some(0));
        asked.push(question);
    }
    let run = client.finish();
    check_end("confirmed", &run, &ACCEPT);
    (run, asked)
}

fn read(home: &Home, name: &str) -> Option<String> {
    std::fs::read_to_string(home.work().join(name)).ok()
}

/// The outcomes that `artoo undo` told, by the last part of each path.
fn outcomes(undone: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = |path: String| path.rsplit('/').next().unwrap_or_default().to_owned();
    let items = undone["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|item| (name(text(&item["path"])), text(&item["outcome"]))).collect()
}

/// In a project an edit needs nobody's word, because it is kept first; a plain folder's files are still asked about.
#[test]
fn an_edit_in_a_project_runs_unattended_and_is_undone() {
    let edited = json!({"kind": "file_contains", "path": "./notes.txt", "text": "new notes"});
    let steps = [subtask(
        1,
        "Do it",
        &["edit_file"],
        &["notes.txt"],
        &[checked("notes.txt says new notes", &edited)],
    )];
    let edit =
        last_tool("edit_file", &json!({"path": "./notes.txt", "old": "old notes", "new": "new notes"}));
    let scenario =
        Scenario::new(plan(&[checked("notes.txt says new notes", &edited)], &steps)).act("Do it", vec![edit]);
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    home.file("notes.txt", "old notes\n");
    let run = home.run("Write new notes", &["--unattended"]);
    assert_eq!((run.code, read(&home, "notes.txt").as_deref()), (Some(4), Some("old notes\n")));
    home.file(".git/HEAD", "ref: refs/heads/main\n");
    let run = home.run("Write new notes into notes.txt", &["--unattended"]);
    check_end("in a project", &run, &ACCEPT);
    assert!(run.of_type("confirmation_request").is_empty(), "{}", run.outline());
    assert_eq!(read(&home, "notes.txt").as_deref(), Some("new notes\n"));
    let undone = home.json(&["undo", run.id()]);
    assert_eq!(outcomes(&undone), [("notes.txt".to_owned(), "restored".to_owned())]);
    assert_eq!(read(&home, "notes.txt").as_deref(), Some("old notes\n"));
}

/// A command with a person's full power can do what the person can, but it is not the person.
#[test]
fn what_artoo_itself_started_cannot_undo_a_task() {
    let server = acting(vec![last_shell("rm x.txt")]);
    let mut home = asking_home(&server);
    let (run, _) = confirmed(&home, 1);
    let program = binaries().join("artoo");
    home.file("undo.sh", &format!("'{}' --no-start undo {}\necho code $?\n", program.display(), run.id()));
    assert!(home.terminate().0.success());
    let other = acting(vec![last_shell("bash undo.sh 2>&1")]);
    home.set("OPENAI_BASE_URL", &other.base_url());
    home.start();
    let (tried, asked) = confirmed(&home, 1);
    assert!(asked[0]["why"].to_string().contains("your full power"), "{:#}", asked[0]);
    let said = tried.of_type("tool_call_finished")[0]["output"].to_string();
    assert!(said.contains("confirm.token cannot be read") && said.contains("code 1"), "{said}");
    assert_eq!(read(&home, "x.txt"), None);
    home.json(&["undo", run.id()]);
    assert_eq!(read(&home, "x.txt").as_deref(), Some("precious"), "a person can");
}

#[test]
fn a_confirmed_delete_and_an_overwrite_are_undone() {
    let edit = tool("edit_file", &json!({"path": "./notes.txt", "old": "old", "new": "new"}));
    let write = tool("write_file", &json!({"path": "./made.txt", "content": "made"}));
    let server = acting(vec![write, edit, shell("rm x.txt"), last_shell("rm -r build")]);
    let home = home(&server);
    let (run, asked) = confirmed(&home, 3);
    assert_eq!((read(&home, "x.txt"), read(&home, "notes.txt")), (None, Some("new notes\n".to_owned())));
    assert!(!home.work().join("build").exists());
    for (question, bytes) in asked.iter().zip([10, 8, 6]) {
        assert_eq!(question["undoable"], true, "{question:#}");
        assert_eq!(question["undo_bytes"], bytes, "{question:#}");
    }
    assert_eq!(asked[2]["states"][0]["kind"], "folder", "{:#}", asked[2]);
    assert_eq!(asked[2]["states"][0]["files"], 2, "{:#}", asked[2]);

    // Looking changes nothing.
    let id = run.id();
    let listed = home.json(&["undo", &id[..13], "--list"]);
    assert!(outcomes(&listed).iter().all(|(_, outcome)| outcome == "possible"), "{listed:#}");
    assert_eq!((outcomes(&listed).len(), read(&home, "x.txt")), (4, None));

    let undone = home.json(&["undo", id]);
    let told = outcomes(&undone);
    for (name, outcome) in
        [("build", "restored"), ("made.txt", "removed"), ("notes.txt", "restored"), ("x.txt", "restored")]
    {
        assert!(told.contains(&(name.to_owned(), outcome.to_owned())), "{undone:#}");
    }
    assert_eq!(read(&home, "x.txt").as_deref(), Some("precious"));
    assert_eq!(read(&home, "notes.txt").as_deref(), Some("old notes\n"));
    assert_eq!(read(&home, "build/deep/b.o").as_deref(), Some("bbb"));
    assert_eq!(read(&home, "made.txt"), None);

    // Once more changes nothing, and what was done is on record.
    let again = home.json(&["undo", id]);
    assert!(outcomes(&again).iter().all(|(_, outcome)| outcome == "unchanged"), "{again:#}");
    home.json(&["audit"]);
    let logged = audit_log::log(&home.data());
    for kind in ["task_undo", "task_undone"] {
        let lines: Vec<&Value> = logged.iter().filter(|line| line["kind"] == kind).collect();
        assert_eq!(lines.len(), 2, "{lines:#?}");
        assert!(lines.iter().all(|line| line.to_string().contains(id)), "{lines:#?}");
    }
}

#[test]
fn what_cannot_be_undone_says_so_before() {
    let server = acting(vec![last_shell("python3 -c \"import os; os.remove('x.txt')\"")]);
    let home = asking_home(&server);
    let (run, asked) = confirmed(&home, 1);
    assert_eq!(asked[0]["undoable"], false, "{:#}", asked[0]);
    assert!(asked[0]["undo_why"].as_str().is_some_and(|why| why.contains("has run")), "{:#}", asked[0]);
    let ended = home.artoo(&["undo", run.id(), "--json"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let undone: Value = serde_json::from_str(&ended.stdout).expect("it is JSON");
    assert_eq!(undone["items"][0]["outcome"], "skipped", "{undone:#}");
    assert!(undone["not_restored"][0].as_str().is_some_and(|what| what.contains("os.remove")), "{undone:#}");
}

#[test]
fn what_is_too_large_says_so_before() {
    let server = acting(vec![last_shell("rm x.txt")]);
    let mut home = Home::with_model(&server.base_url());
    home.configure("[storage]\ntrash_call_mib = 1\n", 0o600);
    home.start();
    home.file("stays.txt", "stays");
    home.file("x.txt", &"x".repeat(1_048_577));
    let (run, asked) = confirmed(&home, 1);
    assert_eq!(asked[0]["undoable"], false, "{:#}", asked[0]);
    assert!(
        asked[0]["undo_why"].as_str().is_some_and(|why| why.contains("trash_call_mib")),
        "{:#}",
        asked[0]
    );
    assert_eq!(home.artoo(&["undo", run.id()]).code, Some(1));
}

#[test]
fn what_was_changed_since_is_left_alone_and_told() {
    let server = acting(vec![last_shell("rm x.txt")]);
    let home = home(&server);
    let (run, _) = confirmed(&home, 1);
    home.file("x.txt", "written by a person meanwhile");
    let ended = home.artoo(&["undo", run.id()]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("left alone") && ended.stdout.contains("--force"), "{ended:?}");
    assert_eq!(read(&home, "x.txt").as_deref(), Some("written by a person meanwhile"));
    assert_eq!(home.artoo(&["undo", run.id(), "--force"]).code, Some(0));
    assert_eq!(read(&home, "x.txt").as_deref(), Some("precious"));
}

#[test]
fn a_task_at_work_and_one_that_is_unknown_are_not_undone() {
    let server = acting(vec![last_shell("rm x.txt")]);
    let home = home(&server);
    let mut client = home.task("Do it", &["--attended"]);
    let question = client.event("confirmation_request");
    let task = question["task_id"].as_str().expect("it has a task");
    let refused = home.artoo(&["undo", task]);
    assert_eq!(refused.code, Some(5), "{refused:?}");
    assert!(refused.stderr.contains("has not ended"), "{refused:?}");
    assert_eq!(home.artoo(&["cancel", task]).code, Some(0));
    client.wait();
    let nothing = home.artoo(&["undo", task]);
    assert_eq!(nothing.code, Some(0), "{nothing:?}");
    let unknown = home.artoo(&["undo", "01890a5d-ac96-774b-bcce-b302099a8057"]);
    assert_eq!(unknown.code, Some(5), "{unknown:?}");
}

#[test]
fn a_crash_right_after_the_deletion_loses_nothing() {
    let server = acting(vec![last_shell("rm x.txt")]);
    let mut home = home(&server);
    let (_, asked) = confirmed(&home, 1);
    let task = asked[0]["task_id"].as_str().expect("it has a task").to_owned();
    // The same task once more, and the daemon goes down while the call runs: at each of its next appends.
    assert_eq!(home.artoo(&["undo", &task]).code, Some(0));
    home.kill();
    let steps =
        std::fs::read_to_string(home.data().join(format!("tasks/{task}.jsonl"))).expect("it is there");
    let started =
        steps.lines().position(|line| line.contains("tool_starting")).expect("it was announced") + 1;
    // What one task appends: its own steps and one line of the index.
    let mut lost_meanwhile = 0;
    for at in started..started + 4 {
        home.set("ARTOO_CRASH_AT", &format!("append:{at}"));
        home.start();
        home.unset("ARTOO_CRASH_AT");
        let mut client = home.task("Do it", &["--attended"]);
        let question = client.event("confirmation_request");
        let id = question["confirmation_id"].as_str().expect("it has an id");
        home.artoo(&["confirm", id, "yes"]);
        home.wait_for_end();
        drop(client);
        home.start();
        let task = question["task_id"].as_str().expect("it has a task");
        home.artoo(&["cancel", task]);
        lost_meanwhile += usize::from(read(&home, "x.txt").is_none());
        let undone = home.artoo(&["undo", task]);
        assert_eq!(undone.code, Some(0), "append {at}: {undone:?}");
        assert_eq!(read(&home, "x.txt").as_deref(), Some("precious"), "append {at}: {undone:?}");
        home.kill();
    }
    assert!(lost_meanwhile > 0, "no crash came between the deletion and its record");
}
