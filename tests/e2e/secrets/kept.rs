//! The counterpart: what looks like a secret and is a result arrives as it is.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask};

const RESULTS: &str = "\
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty.txt
d41d8cd98f00b204e9800998ecf8427e  old.txt
commit 240224d8f1e0c3b5a7968e4f2d1c0b9a8e7f6d5c
01890a5d-ac96-774b-bcce-b302099a8057
pip install sk-learn; the task-list of the risk-assessment-2024-03-final-report
/home/user/projects/artoo/crates/types/src/redact/tests/tokens.rs
sha512-Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5d2FsZG8=
请把报告放在 ~/文档/报告.md 里，一共三十二行。
git@github.com:owner/repo.git https://example.com/@scope/package?page=2#top
AKIA is a prefix, Bearer is a word, eyJ begins a web token
";

#[test]
fn results_that_look_random_arrive_as_they_are() {
    let holds = json!({"kind": "output_contains", "text": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"});
    let steps =
        [subtask(1, "Read it", &["read_file"], &["results.txt"], &[checked("the digest is told", &holds)])];
    let scenario = Scenario::new(plan(&[criterion("It is told.")], &steps))
        .act("Read it", vec![last_tool("read_file", &json!({"path": "results.txt"}))])
        .merged(json!(RESULTS));
    let server = ModelServer::start(scenario.script());
    let mut home = Home::with_model(&server.base_url())
        .variable("POSTGRES_PASSWORD", "postgres")
        .variable("SOME_TOKEN", "1")
        .variable("KEYBOARD", "a-keyboard-with-letters");
    home.start();
    home.file("results.txt", RESULTS);
    let request = "Read results.txt with sk-learn, postgres and a-keyboard-with-letters";
    let run = home.run(request, &[]);
    check_end("the task", &run, &ACCEPT);
    assert_eq!(run.of_type("task_submitted")[0]["input"], request);
    assert_eq!(run.result()["output"], RESULTS, "{}", run.outline());
    let told: Vec<String> = run.events.iter().map(Value::to_string).collect();
    assert!(!told.iter().any(|event| event.contains("[redacted")), "{told:#?}");
}
