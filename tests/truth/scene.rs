//! Where a row happens: a home of its own with a daemon and a model server, so that no row learns from another.

use std::process::Command;
use std::sync::Arc;

use serde_json::Value;

use crate::row::Row;
use artoo_testing::model_server::ModelServer;
use artoo_testing::{Home, TaskRun};

/// What is left of a row when its task has ended.
pub(crate) struct Played {
    pub(crate) run: TaskRun,
    pub(crate) home: Home,
    _server: ModelServer,
}

/// Runs one row in a home of its own.
pub(crate) fn play(row: &Arc<Row>) -> Played {
    let mut home = Home::new();
    let work = home.work().to_string_lossy().into_owned();
    let actor = Arc::clone(row);
    let server = ModelServer::start(move |seen| {
        let fill = |text: &str| text.replace("{work}", &work);
        actor.model.reply(seen, &fill)
    });
    for (name, value) in [
        ("OPENAI_BASE_URL", server.base_url().as_str()),
        ("OPENAI_MODEL", "scripted"),
        ("OPENAI_API_KEY", "test-key"),
    ] {
        home.set(name, value);
    }
    furnish(&home, row);
    home.start();
    let run = run(&home, row);
    Played { run, home, _server: server }
}

fn furnish(home: &Home, row: &Row) {
    for (name, content) in &row.files {
        if name.ends_with('/') {
            std::fs::create_dir_all(home.work().join(name)).expect("the home can be written");
        } else {
            home.file(name, content);
        }
    }
    if !row.prepared_by.is_empty() {
        let mut shell = Command::new("sh");
        shell.args(["-ec", row.prepared_by]).current_dir(home.work()).env("HOME", home.root());
        let ended = shell.output().expect("sh can be run");
        assert!(ended.status.success(), "{}: {ended:?}", row.name);
    }
}

fn run(home: &Home, row: &Row) -> TaskRun {
    let mode = if row.has_person { "--attended" } else { "--unattended" };
    follow(home, row.request, &[mode, "--max-replans", "1"])
}

/// Runs one task. Where somebody is asked, they say yes.
pub(crate) fn follow(home: &Home, request: &str, options: &[&str]) -> TaskRun {
    let mut client = home.task(request, options);
    let mut events = Vec::new();
    while let Some(line) = client.line() {
        let event: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
        if event["type"] == "confirmation_request" && options.contains(&"--attended") {
            let id = event["confirmation_id"].as_str().expect("a question has an id");
            // A question that was asked before in this task has its answer already.
            home.artoo(&["confirm", id, "yes"]);
        }
        events.push(event);
    }
    let ended = client.wait();
    TaskRun { events, code: ended.code, stderr: ended.stderr }
}
