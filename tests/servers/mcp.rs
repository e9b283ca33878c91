//! The reference servers of the Model Context Protocol. The model is a scripted one, so that what ends otherwise is theirs or ours.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask, tool};
use artoo_testing::{Home, wait_until};
use serde_json::{Value, json};

use crate::row::{End, Row, Servers, Told};

pub(crate) const ROWS: &[Row] = &[
    row("everything: a tool", ECHO, |s| everything(s, "", &[("echo", json!({"message": "hello"}))])),
    row("everything: a tool over streamable HTTP", ECHO, over_http),
    row("everything: progress outlasts the patience", End::Done(&["completed"]), |s| {
        let slow = json!({"duration": 6, "steps": 6});
        everything(s, "timeout_ms = 3000\n", &[("trigger-long-running-operation", slow)])
    }),
    row("everything: silence outlasts the patience", End::Refused(&["timeout_ms"]), |s| {
        let slow = json!({"duration": 8, "steps": 1});
        everything(s, "timeout_ms = 1000\n", &[("trigger-long-running-operation", slow)])
    }),
    row("everything: a tool that it does not have", End::Refused(&["ref__nothing"]), |s| {
        everything(s, "", &[("nothing", json!({}))])
    }),
    row("everything: an address that speaks only SSE", End::Refused(&["streamable HTTP"]), over_sse),
    row("everything: its resources are listed", End::Done(&["://"]), |s| {
        everything(s, "", &[("read_resource", json!({}))])
    }),
    row("everything: a prompt is filled in", End::Done(&["[user]"]), |s| {
        everything(s, "", &[("get_prompt", json!({"name": "simple-prompt"}))])
    }),
    row("filesystem: a file in its folder", End::Done(&["one"]), |s| files(s, "a.txt")),
    row("filesystem: a file outside of it", End::Refused(&[]), |s| files(s, "/etc/hostname")),
    row("memory: what was noted is found again", End::Done(&["artoo itself"]), memory),
];

const ECHO: End = End::Done(&["Echo: hello"]);

const fn row(name: &'static str, end: End, task: fn(&Servers) -> Told) -> Row {
    Row { server: "mcp", name, end, task }
}

/// The configuration of a server that is a program.
fn program(servers: &Servers, name: &str, argument: &str) -> String {
    format!("command = \"node\"\nargs = [{:?}, {argument:?}]\n", script(servers, name))
}

fn script(servers: &Servers, name: &str) -> String {
    let path = format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js");
    servers.npm.join(path).to_string_lossy().into_owned()
}

fn everything(servers: &Servers, more: &str, calls: &[(&str, Value)]) -> Told {
    task(Home::new(), &format!("{}{more}", program(servers, "everything", "stdio")), calls)
}

fn files(servers: &Servers, path: &str) -> Told {
    let home = Home::new();
    let path = home.work().join(path).to_string_lossy().into_owned();
    let config = program(servers, "filesystem", &home.work().to_string_lossy());
    task(home, &config, &[("read_text_file", json!({"path": path}))])
}

fn memory(servers: &Servers) -> Told {
    let home = Home::new();
    let noted = home.work().join("noted.jsonl").to_string_lossy().into_owned();
    let config = format!("{}env = {{ MEMORY_FILE_PATH = {noted:?} }}\n", program(servers, "memory", ""));
    let entity = json!({"name": "artoo", "entityType": "daemon", "observations": ["artoo itself"]});
    let calls = [("create_entities", json!({"entities": [entity]})), ("read_graph", json!({}))];
    task(home, &config, &calls)
}

fn over_http(servers: &Servers) -> Told {
    let served = Served::start(servers, "streamableHttp");
    let config = format!("url = \"http://127.0.0.1:{}/mcp\"\n", served.port);
    task(Home::new(), &config, &[("echo", json!({"message": "hello"}))])
}

/// No task: the server never comes up, and the list of servers says why.
fn over_sse(servers: &Servers) -> Told {
    let served = Served::start(servers, "sse");
    let config = format!("url = \"http://127.0.0.1:{}/sse\"\n", served.port);
    let (_model, mut home) = home(Home::new(), &config, &[("echo", json!({}))]);
    home.start();
    wait_until("the server is down", || listed(&home)["state"] == "down");
    Told::new(false, listed(&home)["why"].as_str().unwrap_or_default())
}

fn listed(home: &Home) -> Value {
    home.json(&["mcp", "list"])["servers"][0].clone()
}

/// A task that calls these tools of the server one after the other.
fn task(empty: Home, config: &str, calls: &[(&str, Value)]) -> Told {
    let (_model, mut home) = home(empty, config, calls);
    home.file("a.txt", "one\n");
    home.start();
    wait_until("the server is ready", || listed(&home)["state"] == "ready");
    Told::from(&home.run("Call the server", &["--unattended", "--deadline", "30s"]))
}

/// The home with the server, all of whose tools run unasked, and a model that calls them.
fn home(home: Home, config: &str, calls: &[(&str, Value)]) -> (ModelServer, Home) {
    let names: Vec<String> = calls.iter().map(|(name, _)| format!("ref__{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let action = |(at, (_, arguments)): (usize, &(&str, Value))| {
        if at + 1 == calls.len() { last_tool(names[at], arguments) } else { tool(names[at], arguments) }
    };
    let actions: Vec<Value> = calls.iter().enumerate().map(action).collect();
    let steps = [subtask(1, "Call it", &names, &[], &[criterion("The server answered.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer is told.")], &steps)).act("Call it", actions);
    let model = ModelServer::start(scenario.script());
    home.configure(
        &format!("[mcp.servers.ref]\n{config}default_effect = \"read\"\nstart_timeout_ms = 20000\n"),
        0o600,
    );
    let home = home
        .variable("OPENAI_BASE_URL", &model.base_url())
        .variable("OPENAI_MODEL", "scripted")
        .variable("OPENAI_API_KEY", "test-key");
    (model, home)
}

/// The server `everything` behind an address.
struct Served {
    process: Child,
    port: u16,
}

impl Served {
    fn start(servers: &Servers, way: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = free.local_addr().expect("it is bound").port();
        drop(free);
        let mut command = Command::new("node");
        command.arg(script(servers, "everything")).arg(way).env("PORT", port.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let served = Self { process: command.spawn().expect("node can be run"), port };
        wait_until("the server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        served
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It fails only when the process is gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
