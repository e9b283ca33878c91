//! MCP servers that this project did not write, from PyPI: a task of the real daemon uses a tool of theirs. `scripts/mcp-servers`
//! installs them into the build cache. It is a program of its own kind, because the standard test harness cannot count a
//! test as skipped when it turns out that the registry cannot be reached. With `CI=true` that is a failure.
#![allow(clippy::print_stdout, reason = "a test program says how it went")]

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use serde_json::{Value, json};

use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, wait_until};

/// A test, given the folder of the servers.
type Test = fn(&Path);

/// Every test, with its name.
const TESTS: [(&str, Test); 4] = [
    ("a_task_uses_a_tool_over_standard_input_and_output", over_standard_streams),
    ("a_task_uses_a_tool_over_streamable_http", over_http),
    ("a_tool_that_nobody_spoke_for_is_asked_about", asked),
    ("unattended_such_a_tool_is_denied", unattended),
];

/// The question of the task: 16:30 in Tokyo is 13:00 in Kolkata, all year round.
const TASK: &str = "What time is it in Kolkata when it is 16:30 in Tokyo?";
const ANSWER: &str = "13:00:00+05:30";

fn main() -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted =
        |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    let chosen: Vec<_> = TESTS.into_iter().filter(|(name, _)| wanted(name)).collect();
    println!("\nrunning {} tests", chosen.len());
    let folder = if chosen.is_empty() { Ok(String::new()) } else { installed() };
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, test) in chosen {
        match &folder {
            Ok(folder) => {
                let outcome = std::panic::catch_unwind(|| test(Path::new(folder)));
                (passed, failed) = if outcome.is_ok() { (passed + 1, failed) } else { (passed, failed + 1) };
                println!("test {name} ... {}", if outcome.is_ok() { "ok" } else { "FAILED" });
            }
            Err(why) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
                failed += 1;
                println!("test {name} ... FAILED: {why}");
            }
            Err(why) => {
                skipped += 1;
                println!("test {name} ... ignored: {why}");
            }
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {word}. {passed} passed; {failed} failed; {skipped} ignored; 0 measured; 0 filtered out\n"
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The folder of the servers, for `PYTHONPATH`; else why there is none.
fn installed() -> Result<String, String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/mcp-servers");
    let output = Command::new(script).output().map_err(|error| format!("{script} cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let last = said.lines().last().unwrap_or("it said nothing").to_owned();
        return Err(format!("the servers could not be installed from PyPI ({last})"));
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.lines().last().map(str::to_owned).ok_or_else(|| "the script named no folder".to_owned())
}

fn over_standard_streams(folder: &Path) {
    let server = model();
    let mut home = home(&server, &program(folder), true);
    let (ready, task) = (ready(&mut home), home.run(TASK, &[]));
    assert_eq!(ready["transport"], "stdio");
    check(&home, &task);
}

fn over_http(folder: &Path) {
    let server = model();
    let proxy = Proxy::start(folder);
    let mut home = home(&server, &format!("url = \"http://127.0.0.1:{}/mcp\"\n", proxy.port), true);
    let (ready, task) = (ready(&mut home), home.run(TASK, &[]));
    assert_eq!(ready["transport"], "http");
    check(&home, &task);
    drop(proxy);
    // Without its server the call fails as the environment's fault, and nothing hangs.
    let late = home.run(TASK, &[]);
    let ends: Vec<&Value> = late.of_type("tool_call_finished").iter().map(|call| &call["end"]).collect();
    assert!(!ends.is_empty() && ends.iter().all(|end| **end == "error"), "{}", late.outline());
}

fn asked(folder: &Path) {
    let server = model();
    let mut home = home(&server, &program(folder), false);
    ready(&mut home);
    let mut client = home.task(TASK, &["--attended"]);
    let question = client.event("confirmation_request");
    let action = question["action"].as_str().unwrap_or_default();
    for part in ["the tool convert_time of the MCP server time", "Asia/Tokyo", "16:30"] {
        assert!(action.contains(part), "{part}: {question:#}");
    }
    assert!(question["why"].to_string().contains("your full power"), "{question:#}");
    assert_eq!(question["undoable"], false);
    let task = question["task_id"].as_str().expect("it has a task");
    assert_eq!(home.artoo(&["confirm", task, "yes"]).code, Some(0));
    check(&home, &client.finish());
}

fn unattended(folder: &Path) {
    let server = model();
    let mut home = home(&server, &program(folder), false);
    ready(&mut home);
    let task = home.run(TASK, &["--unattended"]);
    assert_eq!(task.code, Some(4), "{}", task.outline());
    assert!(task.result()["summary"].as_str().unwrap_or_default().contains("[LAW1]"), "{}", task.outline());
    assert!(!task.result().to_string().contains(ANSWER), "{}", task.outline());
}

/// A model whose executor converts a time with the server's tool.
fn model() -> ModelServer {
    let arguments =
        json!({"source_timezone": "Asia/Tokyo", "time": "16:30", "target_timezone": "Asia/Kolkata"});
    let steps =
        [subtask(1, "Convert the time", &["time__convert_time"], &[], &[criterion("The time is told.")])];
    let scenario = Scenario::new(plan(&[criterion("The time in Kolkata is told.")], &steps))
        .act("Convert the time", vec![last_tool("time__convert_time", &arguments)]);
    ModelServer::start(scenario.script())
}

fn program(folder: &Path) -> String {
    format!(
        "command = \"python3\"\nargs = [\"-m\", \"mcp_server_time\", \"--local-timezone\", \"UTC\"]\n\
         env = {{ PYTHONPATH = {:?} }}\n",
        folder.to_string_lossy()
    )
}

/// A home whose configuration has the server; with `is_read`, its tool runs unasked.
fn home(server: &ModelServer, way: &str, is_read: bool) -> Home {
    let home = Home::with_model(&server.base_url());
    let effects = if is_read { "effects = { convert_time = \"read\" }\n" } else { "" };
    home.configure(&format!("[mcp.servers.time]\n{way}{effects}start_timeout_ms = 60000\n"), 0o600);
    home
}

/// Starts the daemon and waits until the server is ready; returns what `artoo mcp list` says of it.
fn ready(home: &mut Home) -> Value {
    home.start();
    let server = || home.json(&["mcp", "list"])["servers"][0].clone();
    wait_until("the server is ready", || server()["state"] == "ready");
    server()
}

/// The task was accepted, the tool was offered to the planner, and its output stands in the receipt.
fn check(home: &Home, task: &artoo_testing::TaskRun) {
    assert_eq!(task.code, Some(0), "{}", task.outline());
    let calls = task.of_type("tool_call_finished");
    let call = calls.iter().find(|call| call["tool"] == "time__convert_time").expect("the tool was called");
    assert!(call["output"].to_string().contains("Asia/Kolkata"), "{call:#}");
    assert_eq!(call["taint"], json!(["untrusted"]), "{call:#}");
    assert!(task.result().to_string().contains(ANSWER), "{}", task.outline());
    let journal = home.data().join("tasks").join(format!("{}.jsonl", task.id()));
    let journal = std::fs::read_to_string(journal).expect("the task has a journal");
    let has_receipt = |line: &str| line.contains("\"tool\":\"time__convert_time\"") && line.contains(ANSWER);
    assert!(journal.lines().any(has_receipt), "the output is in the receipt");
    let first = journal.lines().next().expect("it has a first step");
    assert!(first.contains("time__convert_time"), "what was offered is an input of the task");
}

/// The time server behind streamable HTTP.
struct Proxy {
    process: Child,
    port: u16,
}

impl Proxy {
    fn start(folder: &Path) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = free.local_addr().expect("it is bound").port();
        drop(free);
        let process = Command::new("python3")
            .args(["-m", "mcp_proxy", "--pass-environment", "--port", &port.to_string(), "--"])
            .args(["python3", "-m", "mcp_server_time", "--local-timezone", "UTC"])
            .env("PYTHONPATH", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 can be run");
        let proxy = Self { process, port };
        wait_until("the proxy listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // It fails only when the proxy is gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
