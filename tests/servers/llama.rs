//! The server of llama.cpp. A model of random weights can do no task: the right end is to say so, within the limits.

use std::process::Command;

use artoo_testing::Home;

use crate::row::{End, Row, Servers, Told};
use crate::started::{Started, beside};

pub(crate) const ROWS: &[Row] = &[
    row("nonsense in the form of a schema", NONSENSE, |s| task(s, "", "/v1", "")),
    row("nonsense over Responses", NONSENSE, |s| task(s, "", "/v1", "[model]\napi = \"responses\"\n")),
    row("nonsense over Messages", NONSENSE, |s| task(s, "", "/v1", "[model]\napi = \"messages\"\n")),
    row("nonsense with its own tool calls", NONSENSE, |s| {
        task(s, "", "/v1", "[model]\ntool_calls = \"native\"\n")
    }),
    row("a wrong key", End::Refused(&["does not accept the key"]), |s| task(s, "right-key", "/v1", "")),
    row("an address that does not exist", End::Refused(&["check base_url"]), |s| task(s, "", "/v7", "")),
    row("a context that no prompt fits into", End::Refused(&["does not fit into the context"]), small),
    row("a server that is gone", End::Refused(&["nobody answers"]), gone),
];

/// A plan of nonsense, or none; over Responses and Messages this server keeps a model to no schema. Of some words that it kept
/// to one it says itself that it cannot read them.
const NONSENSE: End =
    End::RefusedOneWay(&["[cannot_plan]", "in the required form", "broke off in its midst"]);
/// Tokens that are enough for any prompt of artoo's; a token is a byte.
const ROOM: &str = "131072";

const fn row(name: &'static str, end: End, task: fn(&Servers) -> Told) -> Row {
    Row { server: "llama.cpp", name, end, task }
}

fn start(servers: &Servers, context: &str, key: &str) -> Started {
    let mut command = Command::new("python3");
    command.arg(beside("llama.py")).arg(context).env("PYTHONPATH", &servers.python);
    Started::new(if key.is_empty() { &mut command } else { command.arg(key) }, 1)
}

/// A task with the server, whose key is another than artoo's if it has one.
fn task(servers: &Servers, key: &str, path: &str, config: &str) -> Told {
    let server = start(servers, ROOM, key);
    with(&format!("{}{path}", server.addresses[0]), config)
}

fn small(servers: &Servers) -> Told {
    let server = start(servers, "1024", "");
    with(&format!("{}/v1", server.addresses[0]), "")
}

fn gone(servers: &Servers) -> Told {
    let address = format!("{}/v1", start(servers, "1024", "").addresses[0]);
    with(&address, "")
}

fn with(address: &str, config: &str) -> Told {
    let mut home = Home::with_model(address).variable("OPENAI_MODEL", "random");
    home.configure(config, 0o600);
    home.file("a.txt", "one\n");
    home.start();
    Told::from(&home.run("List my text files", &["--unattended", "--deadline", "30s"]))
}
