//! A model server that the daemon starts: tasks wait for it, it comes back when it ends, and it goes with the daemon.

use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, dead_base_url};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use serde_json::json;

use crate::checks::{ACCEPT, check_end};

/// Forwards a port to the scripted server, after a while, and leaves its process id.
const FORWARDER: &str = r#"
import os, socket, sys, threading, time
open("pid", "a").write(f"{os.getpid()}\n")
time.sleep(float(sys.argv[3]))
def pump(a, b):
    while True:
        data = a.recv(65536)
        if not data:
            break
        b.sendall(data)
    b.shutdown(socket.SHUT_WR)
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen(64)
while True:
    client, _ = listener.accept()
    server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    for pair in [(client, server), (server, client)]:
        threading.Thread(target=pump, args=pair, daemon=True).start()
"#;

fn port(url: &str) -> String {
    url.trim_start_matches("http://").split(['/', ':']).nth(1).expect("a port").to_owned()
}

#[test]
fn a_server_of_ones_own_is_started_waited_for_and_ended() {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))]);
    let server = ModelServer::start(scenario.script());
    let url = dead_base_url();
    let mut home = Home::with_model(&url);
    let script = home.file("forward.py", FORWARDER);
    let folder = script.parent().expect("it has one").display().to_string();
    let command = format!(
        "cd {folder} && exec python3 {} {} {} 3",
        script.display(),
        port(&url),
        port(&server.base_url())
    );
    home.configure(&format!("[model]\ncommand = {command:?}\n"), 0o600);
    home.start();
    home.file("a.txt", "one\n");
    let run = home.run("List my text files", &[]);
    check_end("own server", &run, &ACCEPT);
    let waits =
        run.of_type("model_call_finished").iter().filter(|call| !call["retry_in_ms"].is_null()).count();
    assert!(waits > 0, "it answers only after three seconds: {}", run.outline());
    let pids = || std::fs::read_to_string(format!("{folder}/pid")).unwrap_or_default();
    let first = pids().trim().to_owned();
    let kill = std::process::Command::new("kill").arg(&first).status().expect("kill can be run");
    assert!(kill.success());
    artoo_testing::wait_until("it is started again", || pids().lines().count() == 2);
    let second = pids().lines().last().unwrap_or_default().to_owned();
    let (status, said) = home.terminate();
    assert!(status.success(), "{said}");
    let is_gone = || !std::path::Path::new(&format!("/proc/{second}")).exists();
    artoo_testing::wait_until("it ends with the daemon", is_gone);
}
