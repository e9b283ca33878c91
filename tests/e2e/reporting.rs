//! A task as one HTML page: what the journal holds, and nothing that a browser would act on.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

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
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "what a task knew is for its person alone");
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

    prints_its_evidence(&home, &file);

    let all = home.artoo(&["report", "--all", "-o", "-"]);
    assert_eq!(all.code, Some(0), "{all:?}");
    assert!(all.stdout.contains(run.id()) && all.stdout.contains("of 1 delivered"), "{}", all.stdout);
    let last = home.artoo(&["report", "-o", "-"]);
    assert!(last.code == Some(0) && last.stdout.contains("Write notes.txt &amp; tell me"), "{last:?}");
}

/// A browser of this machine that can print without a screen.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Headless Chromium opens the page without a word on its console, and prints what closed parts hold. Skipped where this machine has
/// no such browser, or nothing that reads what it printed.
#[allow(clippy::print_stderr, reason = "what was not looked at is said loudly")]
fn prints_its_evidence(home: &Home, page: &Path) {
    let has = |program: &&str| {
        Command::new(program).arg("--version").output().is_ok_and(|ended| ended.status.success())
    };
    let Some(browser) = BROWSERS.into_iter().find(|name| has(name)) else {
        eprintln!(
            "SKIPPED: how a report is printed was not looked at, because no Chromium is installed here"
        );
        return;
    };
    let paper = home.root().join("page.pdf");
    let mut command = Command::new(browser);
    command.args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--no-pdf-header-footer",
    ]);
    command.args(["--enable-logging=stderr", "--log-level=0"]);
    command.arg(format!("--user-data-dir={}", home.root().join("browser").display()));
    command.arg(format!("--print-to-pdf={}", paper.display())).arg(format!("file://{}", page.display()));
    let ended = command.env("HOME", home.root()).output().expect("the browser can be run");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success() && paper.is_file(), "{said}");
    assert!(!said.contains("CONSOLE"), "the page says something on the console: {said}");
    let Ok(read) = Command::new("pdftotext").args(["-layout"]).arg(&paper).arg("-").output() else {
        eprintln!("SKIPPED: what a report prints was not read, because pdftotext is not installed here");
        return;
    };
    let text = String::from_utf8_lossy(&read.stdout).into_owned();
    for part in ["write_file", "alert('note')", "SHA-256"] {
        assert!(text.contains(part), "{part} is not on paper: {text}");
    }
}
