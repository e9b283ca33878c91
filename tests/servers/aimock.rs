//! aimock, which speaks the interfaces of the large providers as they are, and fails in their ways.

use std::process::Command;

use artoo_testing::Home;

use crate::row::{End, Row, Servers, Told};
use crate::started::{Started, beside};

pub(crate) const ROWS: &[Row] = &[
    row("a task over Chat Completions", DONE, |s| task(s, "good", "")),
    row("a task over Responses", DONE, |s| task(s, "good", "[model]\napi = \"responses\"\n")),
    row("a task over Messages", DONE, |s| task(s, "good", "[model]\napi = \"messages\"\n")),
    row("its own tool calls over Chat Completions", DONE, |s| task(s, "good", NATIVE)),
    row("its own tool calls over Responses", DONE, |s| {
        task(s, "good", "[model]\napi = \"responses\"\ntool_calls = \"native\"\n")
    }),
    row("its own tool calls over Messages", DONE, |s| {
        task(s, "good", "[model]\napi = \"messages\"\ntool_calls = \"native\"\n")
    }),
    row("a wrong key", End::Refused(&["does not accept the key"]), keyed),
    row("503 each time, for a model that it does not know", WAITED, |s| task(s, "other", IMPATIENT)),
    row("429 with Retry-After each time", WAITED, |s| task(s, "limited", IMPATIENT)),
    row("500 each time", End::Refused(&["kept failing"]), |s| task(s, "broken", "")),
    row("a reply that is no JSON each time", End::Refused(&["[model_unavailable]"]), |s| {
        task(s, "malformed", "")
    }),
    row("a connection that breaks each time", End::Refused(&["[model_unavailable]"]), |s| task(s, "cut", "")),
];

const DONE: End = End::Done(&["a.txt"]);
const WAITED: End = End::Refused(&["is busy", "control.model_wait_ms"]);
const IMPATIENT: &str = "[control]\nmodel_wait_ms = 4000\n";
const NATIVE: &str = "[model]\ntool_calls = \"native\"\n";

const fn row(name: &'static str, end: End, task: fn(&Servers) -> Told) -> Row {
    Row { server: "aimock", name, end, task }
}

fn start(servers: &Servers) -> Started {
    Started::new(Command::new("node").arg(beside("aimock.mjs")).arg(&servers.npm), 2)
}

fn task(servers: &Servers, model: &str, config: &str) -> Told {
    let server = start(servers);
    with(&server.addresses[0], model, config)
}

fn keyed(servers: &Servers) -> Told {
    let server = start(servers);
    with(&server.addresses[1], "good", "")
}

fn with(address: &str, model: &str, config: &str) -> Told {
    let mut home = Home::with_model(&format!("{address}/v1")).variable("OPENAI_MODEL", model);
    home.configure(config, 0o600);
    home.file("a.txt", "one\n");
    home.start();
    Told::from(&home.run("List my text files", &["--unattended", "--deadline", "25s"]))
}
