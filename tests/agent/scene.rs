//! A row is played twice, each time in a home of its own: by artoo, with the real client and the real daemon, and by a
//! plain loop. Nobody is there to answer a question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::folder::{Folder, Look};
use crate::mind::{Block, Model, blocks};
use crate::row::{Call, Row};
use artoo_benches::plain::{self, Said};
use artoo_testing::model_server::{ModelServer, Seen};
use artoo_testing::{Home, TaskRun};

/// How long one thing may take: the longest call of a row, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(240);

/// Work is done in projects without a question, kept first; elsewhere new files may be made.
const CONFIGURATION: &str = "[gate]\nproject = \"work\"\n";

/// What came of a row on one side.
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// Whether the test itself broke down.
    pub(crate) is_broken: bool,
    /// Whether it was told as done.
    pub(crate) is_accepted: bool,
    /// Everything that is not as it has to be in the folder and the answer.
    pub(crate) misses: Vec<String>,
    /// Calls of the model.
    pub(crate) calls: usize,
    /// Characters that the model read.
    pub(crate) read: usize,
    /// Characters that it wrote.
    pub(crate) written: usize,
    /// Calls that needed a person's yes.
    pub(crate) questions: usize,
    /// Why it ended as it did, in the words of the result.
    pub(crate) reason: String,
    /// What stands in the way of an acceptance, for a person who looks for the cause.
    pub(crate) cause: String,
}

/// Plays a row with artoo.
pub(crate) fn with_artoo(row: &Arc<Row>) -> Played {
    let tally: Arc<Mutex<Tally>> = Arc::default();
    let (model, count) = (Model::new(row), Arc::clone(&tally));
    let server = ModelServer::start(move |seen| {
        let reply = model.reply(seen);
        count.lock().unwrap_or_else(PoisonError::into_inner).note(seen, &reply);
        reply
    });
    let mut home = Home::with_model(&server.base_url());
    home.configure(CONFIGURATION, 0o600);
    home.start();
    let folder = furnished(row, home.root());
    let run = follow(&home, row.request);
    let result = run.result();
    keep_prompts(&home, row, text(&result["task_id"]));
    let said = said(&run);
    let mut look = Look::new(&folder, &said);
    (row.right)(&mut look);
    let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    Played {
        is_broken: result["type"] != "final_result",
        is_accepted: ["accept", "success"].contains(&text(&result["directive"])),
        misses: look.misses(),
        calls: tally.calls,
        read: tally.read,
        written: tally.written,
        questions: tally.denied.len(),
        reason: text(&result["reason"]).to_owned(),
        cause: format!("{:?} {}", tally.roles, cause(&run)),
    }
}

/// Writes what the models of the task were told into the folder that `ARTOO_AGENT_PROMPTS` names, one file a row.
fn keep_prompts(home: &Home, row: &Row, task_id: &str) {
    let Some(folder) = std::env::var_os("ARTOO_AGENT_PROMPTS") else { return };
    let name = row.name.replace(|c: char| !c.is_alphanumeric(), "_");
    let told = home.artoo(&["show", task_id, "--prompts"]);
    std::fs::write(std::path::Path::new(&folder).join(name), told.stdout).expect("the folder can be written");
}

/// Plays a row with a plain loop, which accepts whatever its model says.
pub(crate) fn with_a_plain_loop(row: &Row) -> Played {
    let home = tempfile::Builder::new().prefix("plain-").tempdir_in("/tmp").expect("/tmp can be written");
    std::fs::create_dir(home.path().join("work")).expect("the folder is new");
    let folder = furnished(row, home.path());
    let environment: Vec<(String, String)> = [
        ("HOME", home.path().to_string_lossy().into_owned()),
        ("PATH", std::env::var("PATH").unwrap_or_default()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    let mind = |call: usize, outputs: &[String]| match row.work.turns.get(call) {
        Some(turn) => Said::Commands(turn.iter().map(Call::command).collect()),
        None => {
            let last = outputs.last().and_then(|output| output.rsplit_once('\n'));
            Said::Answer(row.work.answer.replace("{last}", last.map_or("", |(output, _)| output)))
        }
    };
    let run = plain::run(row.request, folder.path(), &environment, PATIENCE, mind).expect("bash can be run");
    let answer = run.answer.unwrap_or_default();
    let mut look = Look::new(&folder, &answer);
    (row.right)(&mut look);
    Played {
        is_accepted: true,
        misses: look.misses(),
        calls: run.calls,
        read: run.read,
        written: run.written,
        ..Played::default()
    }
}

fn furnished(row: &Row, home: &std::path::Path) -> Folder {
    let folder = Folder::new(home);
    (row.prepare)(&folder);
    if row.is_project {
        folder.commit("as it was");
    }
    folder
}

/// Runs one task to its end.
fn follow(home: &Home, request: &str) -> TaskRun {
    let mut client = home.task(request, &["--unattended", "--max-replans", "1"]);
    let mut events = Vec::new();
    while let Some(line) = client.line_within(PATIENCE) {
        events.push(serde_json::from_str(&line).unwrap_or(Value::Null));
    }
    let ended = client.wait();
    TaskRun { events, code: ended.code, stderr: ended.stderr }
}

/// What the model read and wrote.
#[derive(Debug, Default)]
struct Tally {
    calls: usize,
    /// Calls of each role.
    roles: BTreeMap<String, usize>,
    read: usize,
    written: usize,
    /// Receipts of calls that were denied.
    denied: BTreeSet<String>,
}

impl Tally {
    fn note(&mut self, seen: &Seen, reply: &artoo_testing::model_server::Reply) {
        // The memory asks when the task has ended; that is no part of it.
        if seen.role == "R5" {
            return;
        }
        self.calls += 1;
        *self.roles.entry(seen.role.clone()).or_default() += 1;
        let messages = seen.body["messages"].as_array().into_iter().flatten();
        self.read += messages.map(|message| text(&message["content"]).chars().count()).sum::<usize>();
        if let artoo_testing::model_server::Reply::Sse(content) = reply {
            self.written += content.chars().count();
        }
        let denied = blocks(seen.message("user")).into_iter().filter(Block::was_denied);
        self.denied.extend(denied.map(|block| block.id().to_owned()));
    }
}

/// All that the person is told at the end: the answer, its summary, and what stands open.
fn said(run: &TaskRun) -> String {
    let result = run.result();
    let output = match &result["output"] {
        Value::String(output) => output.clone(),
        Value::Null => String::new(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => other.to_string(),
    };
    format!("{output}\n{}\n{}\n{}", text(&result["summary"]), result["unmet"], result["next_moves"])
}

/// The first thing that stands open, or what sent a draft back.
fn cause(run: &TaskRun) -> String {
    let result = run.result();
    let unmet = result["unmet"].as_array().and_then(|unmet| unmet.first());
    let drafts = run.of_type("plan_draft_rejected");
    let draft = drafts.first().map(|draft| draft["reasons"].to_string()).unwrap_or_default();
    let open = unmet.map(|unmet| format!("{}: {}", text(&unmet["criterion"]), text(&unmet["evidence"])));
    [open.unwrap_or_default(), draft, text(&result["summary"]).to_owned()].join(" | ").replace('\n', " ")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
