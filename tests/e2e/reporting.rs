//! A task as one HTML page: what the journal holds, and nothing that a browser would act on.

use serde_json::json;

use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, finish, plan, subtask, tool};

#[test]
fn a_page_tells_the_task_with_its_evidence_and_holds_no_script() {
    let made = checked("notes.txt is written", &json!({"kind": "file_exists", "path": "work/notes.txt"}));
    let steps = [subtask(1, "Write it", &["write_file"], &[], &[criterion("The note is written.")])];
    let note = "<script>alert('note')</script>";
    let write = tool("write_file", &json!({"path": "notes.txt", "content": note}));
    let scenario = Scenario::new(plan(&[made], &steps))
        .act("Write it", vec![write, finish("completed", "Written: <img src=x onerror=alert(1)>")]);
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    let run = home.run("Write notes.txt & tell me", &["--unattended"]);

    let file = home.work().join("page.html");
    let told = home.artoo(&["report", run.id(), "--output", &file.to_string_lossy()]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let html = std::fs::read_to_string(&file).expect("the page was written");
    for part in [
        "Write notes.txt &amp; tell me",
        "Who worked when",
        "R3 works",
        "&lt;script&gt;alert('note')&lt;/script&gt;",
        "notes.txt is written",
        "made ",
        "round by round",
        "Cost",
        "default-src 'none'",
    ] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
    for active in ["<script", "<img", "<iframe", "<link", " onerror=\"", "http://", "https://"] {
        assert!(!html.contains(active), "{active} in {html}");
    }

    let all = home.artoo(&["report", "--all", "-o", "-"]);
    assert_eq!(all.code, Some(0), "{all:?}");
    assert!(all.stdout.contains(run.id()) && all.stdout.contains("of 1 delivered"), "{}", all.stdout);
    assert_eq!(home.artoo(&["report"]).code, Some(2));
}
