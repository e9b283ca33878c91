//! A configured secret that a request and a file mention: the server gets it as its key, and nobody else reads it.

mod canaries;
mod kept;
mod story;

use serde_json::{Value, json};

use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask};

#[test]
fn the_key_is_nowhere_to_be_read() {
    let secret = "sk-e2e-8c1f40a97d";
    let listed = checked("it was read", &json!({"kind": "tool_called", "tool": "read_file"}));
    let steps = [subtask(1, "Read the notes", &["read_file"], &[], &[listed])];
    let scenario = Scenario::new(plan(&[criterion("The notes are told.")], &steps))
        .act("Read the notes", vec![last_tool("read_file", &json!({"path": "notes.txt"}))]);
    let server = ModelServer::start(scenario.script());
    let mut home = Home::with_model(&server.base_url()).variable("OPENAI_API_KEY", secret);
    home.start();
    home.file("notes.txt", &format!("the key is {secret}, the rest is not\n"));
    let run = home.run(&format!("Read the notes about {secret}"), &[]);
    assert_eq!(run.code, Some(0), "{}", run.outline());
    let told: Vec<String> = run.events.iter().map(Value::to_string).collect();
    assert!(told.iter().any(|event| event.contains("the rest is not")), "{}", run.outline());
    assert!(!told.iter().any(|event| event.contains(secret)), "an event tells it: {told:#?}");
    for seen in server.requests() {
        assert_eq!(seen.headers.get("authorization"), Some(&format!("Bearer {secret}")));
        assert!(!seen.body.to_string().contains(secret), "a prompt of {} tells it", seen.role);
    }
    let (status, log) = home.terminate();
    assert!(status.success() && !log.contains(secret), "{log}");
    for file in canaries::files(&home.data()) {
        let bytes = std::fs::read(&file).expect("the data folder is ours");
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "{} holds the key", file.display());
    }
}
