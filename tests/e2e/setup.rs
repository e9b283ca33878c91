//! `artoo setup` and `artoo model`, from nothing to a daemon that runs with a model, with nobody there to be asked.

use std::fs;

use artoo_testing::model_server::{ModelServer, Reply, dead_base_url};
use artoo_testing::{Ended, Home};
use serde_json::{Value, json};

/// A server as Ollama is one: a list of models, one of which is no model to talk to and one talks no JSON.
fn server() -> ModelServer {
    ModelServer::scripted_whole(|seen| {
        let said = |body: Value| Reply::Status { code: 200, headers: Vec::new(), body: body.to_string() };
        match seen.path.as_str() {
            "/v1/models" => said(
                json!({"data": [{"id": "nomic-embed"}, {"id": "babbler"}, {"id": "scripted"}, {"id": "other"}]}),
            ),
            "/api/ps" => said(json!({"models": [{"name": "scripted", "context_length": 4096}]})),
            "/v1/chat/completions" if seen.body["model"] == "babbler" => {
                Reply::Sse("I am happy to help!".to_owned())
            }
            "/v1/chat/completions" if !seen.body["tools"].is_null() => {
                Reply::ToolCall { name: "ready".to_owned(), arguments: r#"{"word":"yes"}"#.to_owned() }
            }
            "/v1/chat/completions" => {
                Reply::Sse(json!({"action": "finish", "status": "completed", "output": "ready"}).to_string())
            }
            _ => Reply::status(404, "no such page"),
        }
    })
}

/// A home whose only server can be this one.
fn home(url: &str) -> Home {
    Home::new().variable("OLLAMA_HOST", url.trim_end_matches("/v1")).variable("LLAMA_ARG_PORT", "9")
}

fn artoo(home: &Home, arguments: &[&str]) -> Ended {
    home.client_that_may_start_a_daemon(arguments).wait()
}

fn config(home: &Home) -> String {
    fs::read_to_string(home.data().join("config.toml")).unwrap_or_default()
}

/// It ended with this code, and standard output holds each of these.
fn check(row: &str, ended: &Ended, code: i32, parts: &[&str]) {
    assert_eq!(ended.code, Some(code), "{row}: {ended:?}");
    for part in parts {
        assert!(ended.stdout.contains(part), "{row}: no {part:?} in {ended:?}");
    }
}

#[test]
fn a_server_is_found_tried_written_down_and_used() {
    let server = server();
    let home = home(&server.base_url());
    home.configure("# mine\n[control]\nalpha = 0.5 # half\n", 0o600);
    check("before", &artoo(&home, &["status"]), 0, &["offline rules"]);
    let ended = artoo(&home, &["setup", "--yes"]);
    let parts = ["Ollama at http://127.0.0.1", "3 models", "trying babbler", "trying scripted"];
    check("setup", &ended, 0, &parts);
    let facts = "usable: scripted of Ollama · JSON by schema · own tool calls";
    check("verdict", &ended, 0, &[facts, "context 4096 tokens", "OLLAMA_CONTEXT_LENGTH"]);
    check("diff", &ended, 0, &["+ model = \"scripted\"", "the daemon runs with it: model scripted"]);
    let written = config(&home);
    assert!(written.starts_with("# mine\n[control]\nalpha = 0.5 # half\n"), "{written}");
    check("again", &artoo(&home, &["setup", "--yes", "--model", "scripted"]), 0, &["says so already"]);

    check(
        "shown",
        &artoo(&home, &["model"]),
        0,
        &["scripted at http://127.0.0.1", "babbler, scripted, other"],
    );
    check(
        "set",
        &artoo(&home, &["model", "other"]),
        0,
        &["+ model = \"other\"", "the daemon runs with it: model other"],
    );
    check("doctor", &artoo(&home, &["doctor"]), 0, &["other answers in"]);
    check("a slip", &artoo(&home, &["model", "othr"]), 0, &["the server does not name a model othr"]);
    check(
        "no model",
        &artoo(&home, &["model", "babbler"]),
        1,
        &["babbler was not set", "Nothing was changed"],
    );
    let back = "artoo config unset model.model && artoo restart";
    check("the way back", &artoo(&home, &["model"]), 0, &["othr at http://127.0.0.1", back]);
    check("taken", &artoo(&home, &["config", "unset", "model.model"]), 0, &["changed"]);
    check("and applied", &artoo(&home, &["restart"]), 0, &["offline rules"]);
}

/// The built-in rules go on answering, and nothing is written, whatever keeps the model from being called.
#[test]
fn a_model_that_does_not_answer_is_not_set() {
    let works =
        |row: &str, home: &Home| check(row, &artoo(home, &["how many txt files are here"]), 0, &["1"]);
    let alone = home(&dead_base_url());
    alone.file("a.txt", "one\n");
    works("before", &alone);
    let ended = artoo(&alone, &["model", "foo"]);
    check("no server", &ended, 1, &["Nothing was changed", "artoo setup --url URL --model foo"]);
    assert!(!alone.data().join("config.toml").exists());
    works("no server", &alone);

    let address = format!("[model]\nbase_url = {:?}\n", dead_base_url());
    let dead = home(&dead_base_url());
    dead.file("a.txt", "one\n");
    dead.configure(&address, 0o600);
    let ended = artoo(&dead, &["model", "foo"]);
    check("nobody there", &ended, 1, &["foo was not set", "Nothing was changed", "then: artoo model foo"]);
    assert_eq!(config(&dead), address);
    works("nobody there", &dead);

    let server = ModelServer::scripted_whole(|seen| match seen.path.as_str() {
        "/v1/models" => Reply::Status {
            code: 200,
            headers: Vec::new(),
            body: json!({"data": [{"id": "scripted"}]}).to_string(),
        },
        _ => Reply::status(404, "no such model"),
    });
    let other = home(&server.base_url());
    let address = format!("[model]\nbase_url = {:?}\n", server.base_url());
    other.configure(&address, 0o600);
    let ended = artoo(&other, &["model", "foo"]);
    check("not there", &ended, 1, &["foo was not set", "The server has scripted: artoo model NAME"]);
    assert_eq!(config(&other), address);
}

#[test]
fn a_key_of_the_shell_goes_where_it_belongs_and_is_not_shown() {
    let server = server();
    let home = home(&dead_base_url())
        .variable("OPENAI_API_KEY", "sk-very-secret")
        .variable("OPENAI_BASE_URL", &server.base_url());
    let many = artoo(&home, &["setup", "--yes"]);
    check("no model named", &many, 1, &["key from OPENAI_API_KEY", "name one: artoo setup --url"]);
    assert_eq!(config(&home), "", "nothing was written");
    let ended = artoo(&home, &["setup", "--yes", "--model", "scripted"]);
    check(
        "named",
        &ended,
        0,
        &["+ api_key = \"...\"", "OPENAI_BASE_URL is set in this shell and outranks the file"],
    );
    assert!(
        !ended.stdout.contains("very-secret") && config(&home).contains("api_key = \"sk-very-secret\""),
        "{ended:?}"
    );
    let other = artoo(&home, &["setup", "--yes", "--url", "http://127.0.0.1:9/v1", "--model", "m"]);
    check("elsewhere", &other, 1, &["gives no list", "not usable", "Nothing was written"]);
}

#[test]
fn without_a_model_artoo_says_so_and_works() {
    let home = home(&dead_base_url());
    home.file("a.txt", "one\n");
    let ended = artoo(&home, &["setup", "--yes"]);
    check("nothing", &ended, 1, &["No model was found", "built-in rules", "OPENAI_API_KEY", "artoo setup"]);
    assert!(!home.data().join("config.toml").exists());
    check("offline", &artoo(&home, &["how many txt files are here"]), 0, &["1"]);
    check("none", &artoo(&home, &["model"]), 0, &["none: built-in rules", "artoo setup"]);
}

#[test]
fn what_does_not_answer_as_it_should_is_not_written() {
    let server = server();
    let home = home(&server.base_url());
    let ended = artoo(&home, &["setup", "--yes", "--model", "babbler"]);
    check(
        "babbler",
        &ended,
        1,
        &["not usable: babbler", "not in the JSON that it was asked for", "Nothing was written"],
    );
    assert_eq!(config(&home), "");
}

#[test]
fn a_change_of_the_configuration_is_told_until_it_is_applied() {
    let home = Home::new();
    let told = "config.toml was changed: artoo restart applies it";
    assert!(!artoo(&home, &["status"]).stdout.contains(told));
    home.configure("[control]\nalpha = 0.5\n", 0o600);
    check("changed", &artoo(&home, &["status"]), 0, &[told]);
    let typed = home.client_with_input(&[], Some("/status\n/quit\n")).wait();
    assert!(format!("{}{}", typed.stdout, typed.stderr).contains(told), "{typed:?}");
    check("restart", &artoo(&home, &["restart"]), 0, &["daemon up"]);
    assert!(!artoo(&home, &["status"]).stdout.contains(told));
}

#[test]
fn the_model_is_set_in_a_conversation_too() {
    let inner = server();
    let url = inner.base_url();
    let home = Home::new();
    home.configure(&format!("[model]\nbase_url = {url:?}\nmodel = \"scripted\"\n"), 0o600);
    check("start", &artoo(&home, &["status"]), 0, &["model scripted"]);
    let mut command = home.command("artoo");
    command.stdin(std::process::Stdio::piped());
    let mut client = artoo_testing::Client::spawn(command);
    client.type_in("/model other\n/model\n/quit\n");
    let typed = client.wait();
    let said = format!("{}{}", typed.stdout, typed.stderr);
    assert!(said.contains("+ model = \"other\"") && said.contains("other at http://"), "{typed:?}");
    assert!(config(&home).contains("model = \"other\""));
}
