//! Servers that are reached over TLS with an authority of one's own, and through proxies; and what their calls may cost.

use std::net::SocketAddr;

use serde_json::json;

use crate::checks::{ACCEPT, abandon, check_end};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, TaskRun, TlsFront};

fn server() -> ModelServer {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))]);
    ModelServer::start(scenario.script())
}

/// The server's host and port.
fn host(server: &ModelServer) -> String {
    server.base_url().trim_start_matches("http://").trim_end_matches("/v1").to_owned()
}

fn front(server: &ModelServer) -> TlsFront {
    let behind: SocketAddr = host(server).parse().expect("it is an address");
    TlsFront::start(behind)
}

/// A task in this home, whose server's certificate is vouched for by the authority of the tests or not.
fn run(mut home: Home, with_authority: bool) -> TaskRun {
    let file = TlsFront::authority().to_string_lossy().into_owned();
    home.configure(
        &if with_authority { format!("[model]\nca_file = {file:?}\n") } else { String::new() },
        0o600,
    );
    home.file("a.txt", "one\n");
    home.start();
    home.run("List my text files", &["--unattended"])
}

/// The task came to nothing, and these words say why.
fn check_refused(row: &str, run: &TaskRun, words: &[&str]) {
    check_end(row, run, &abandon("model_unavailable", 1));
    let said = run.result()["summary"].to_string();
    assert!(words.iter().all(|word| said.contains(word)), "{row}: {said}");
}

#[test]
fn a_certificate_of_ones_own_authority_is_taken_with_ca_file_and_not_without() {
    let server = server();
    let front = front(&server);
    let home = || Home::with_model(&format!("https://localhost:{}/v1", front.port()));
    check_refused("unknown authority", &run(home(), false), &["certificate", "set ca_file"]);
    assert!(server.requests().is_empty(), "nothing is said to it");
    check_end("known authority", &run(home(), true), &ACCEPT);
}

#[test]
fn a_proxy_is_asked_for_what_is_elsewhere_and_not_for_what_is_excepted() {
    let server = server();
    let home = || {
        Home::with_model("http://model.test/v1").variable("HTTP_PROXY", &format!("http://{}", host(&server)))
    };
    check_end("proxy", &run(home(), false), &ACCEPT);
    let asked = server.requests();
    assert!(asked.iter().all(|seen| seen.path == "http://model.test/v1/chat/completions"), "{asked:?}");
    let excepted = home().variable("NO_PROXY", "model.test");
    check_refused("no proxy", &run(excepted, false), &["nobody answers at http://model.test"]);
    let here = Home::with_model(&server.base_url()).variable("HTTP_PROXY", "http://127.0.0.1:1");
    check_end("a server on this machine", &run(here, false), &ACCEPT);
}

#[test]
fn a_proxy_that_wants_a_password_gets_it_and_is_named_where_it_has_none() {
    let server = server();
    let front = front(&server);
    let home = |who: &str| {
        let proxy = format!("http://{who}127.0.0.1:{}", front.port());
        Home::with_model("https://model.test/v1").variable("HTTPS_PROXY", &proxy)
    };
    check_refused("no password", &run(home(""), true), &["the proxy", "HTTPS_PROXY", "NO_PROXY"]);
    check_end("password", &run(home("me:open-sesame@"), true), &ACCEPT);
    let asked = front.asked_as_proxy();
    assert!(asked.iter().all(|head| head.starts_with("CONNECT model.test:443 ")), "{asked:?}");
}

#[test]
fn a_task_ends_before_the_call_that_would_cost_more_than_it_may() {
    let server = server();
    let mut home = Home::with_model(&server.base_url());
    let dollars = json!({"scripted": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}});
    let prices = home.file("prices.json", &dollars.to_string()).to_string_lossy().into_owned();
    // A call has 100 tokens of prompt, a tenth of a dollar, and some of a reply.
    home.configure(&format!("[model]\nprices = {prices:?}\n[control]\nmax_cost = 0.3\n"), 0o600);
    home.start();
    let run = home.run("List my text files", &[]);
    check_end("cost", &run, &abandon("cost_exhausted", 1));
    let said = run.result()["summary"].to_string();
    assert!(said.contains("0.3 USD"), "{said}");
    let spent = run.result()["usage"]["cost_usd"].as_f64().unwrap_or_default();
    let calls = server.requests().len();
    assert!(spent >= 0.3 && calls < 4, "{spent} dollars in {calls} calls");
}
