//! Plans that leave out a part of the request, and answers that claim it: the person hears which part was not done.

use serde_json::{Value, json};

use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{
    Scenario, checked, criterion, last_tool, plan, plan_with_output_from, plausible, subtask,
};
use artoo_testing::{Home, TaskRun};

fn run(request: &str, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (Home, TaskRun) {
    let server = ModelServer::start(script);
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    home.file("notes.txt", "precious\n");
    let run = home.run(request, &[]);
    (home, run)
}

/// Lists the files, whatever is asked, and says so in these criteria.
fn lister(criteria: &[Value]) -> Scenario {
    let listed = checked("a.txt is listed", &json!({"kind": "output_contains", "text": "a.txt"}));
    let steps = [subtask(1, "List the files", &["glob"], &["."], &[listed])];
    Scenario::new(plan_with_output_from(0, criteria, &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*"}))])
}

/// The task is not accepted, and each of these parts is named as not done.
fn check_left_out(request: &str, scenario: Scenario, parts: &[&str]) -> TaskRun {
    let (home, run) = run(request, scenario.script());
    let result = run.result();
    assert_eq!((result["directive"].as_str(), run.code), (Some("abandon"), Some(1)), "{}", run.outline());
    for part in parts {
        assert!(result["unmet"].to_string().contains(part), "{request}: {}", run.outline());
        assert!(result["summary"].to_string().contains(part), "{request}: {}", result["summary"]);
    }
    assert!(home.work().join("notes.txt").exists());
    run
}

#[test]
fn a_plan_for_the_first_part_alone_delivers_it_and_names_the_rest() {
    let run = check_left_out(
        "Count the files here, write a report to report.md, and delete the temp files",
        lister(&[criterion("The number of files is known.")]),
        &["write a report to report.md", "delete the temp files"],
    );
    let sent_back = run.of_type("plan_draft_rejected");
    assert_eq!(sent_back.len(), 2, "{}", run.outline());
    assert!(sent_back[0]["reasons"].to_string().contains("the request also asks: delete the temp files"));
    assert!(run.result()["output"].to_string().contains("a.txt"), "what was done is delivered");
    assert_eq!(run.result()["partial"], true);
}

#[test]
fn a_merged_output_that_claims_what_no_plan_covers_is_not_accepted() {
    let two = ["List the files", "Look at the files"];
    let steps: Vec<Value> = two
        .iter()
        .map(|intent| subtask(1, intent, &["glob"], &["."], &[criterion("They are listed.")]))
        .collect();
    let look = || vec![last_tool("glob", &json!({"root": ".", "pattern": "*"}))];
    let scenario = Scenario::new(plan(&[criterion("All is listed.")], &steps))
        .act(two[0], look())
        .act(two[1], look())
        .merged(json!("42 files deleted, and the mail to Anna is sent."));
    check_left_out("List the files and mail the list to Anna", scenario, &["mail the list to Anna"]);
}

#[test]
fn another_file_than_the_named_one_is_not_what_was_asked_for() {
    let called = checked("the file is there", &json!({"kind": "file_exists", "path": "zz.txt"}));
    let steps = [subtask(1, "Write it", &["write_file"], &["zz.txt"], std::slice::from_ref(&called))];
    let scenario = Scenario::new(plan(std::slice::from_ref(&called), &steps))
        .act("Write it", vec![last_tool("write_file", &json!({"path": "zz.txt", "content": "x\n"}))]);
    check_left_out("Write a summary of a.txt to report.md", scenario, &["report.md"]);
}

#[test]
fn a_mail_that_was_not_sent_is_no_matter_of_tolerance() {
    let sent = "The mail was sent.";
    let scenario = lister(&[criterion("The files are listed."), plausible(sent)]).fail(sent, "logical", 99);
    let (_, run) = run("List the files and send a mail to Anna", scenario.script());
    assert_eq!(
        (run.result()["directive"].as_str(), run.code),
        (Some("abandon"), Some(1)),
        "{}",
        run.outline()
    );
    assert!(run.result()["unmet"].to_string().contains(sent));
}

/// R1 answers at once with these words; every other role does as the scenario says.
fn answering(answer: &str, scenario: Scenario) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    let spec = json!({"slug": "s", "intent": "what was asked", "constraints": {"scope": null, "deadline": null},
                      "tags": [], "clarify": [], "direct_answer": answer});
    move |seen| if seen.role == "R1" { Reply::Sse(spec.to_string()) } else { scenario.reply(seen) }
}

#[test]
fn an_answer_without_a_plan_stands_only_where_nothing_is_to_be_done() {
    let request = "Delete notes.txt and send a mail to Anna";
    let lie = "Done: I deleted notes.txt and sent the mail.";
    let (home, lied) = run(request, answering(lie, lister(&[criterion("All is done as it was asked.")])));
    assert_eq!(lied.result()["directive"], "abandon", "{}", lied.outline());
    assert!(!lied.result()["summary"].to_string().contains("I deleted"), "{}", lied.result()["summary"]);
    assert!(home.work().join("notes.txt").exists());

    for (request, answer) in [("hello", "Hello!"), ("How do I delete a branch?", "git branch -d NAME")] {
        let (_, honest) = run(request, answering(answer, lister(&[criterion("Never planned.")])));
        let result = honest.result();
        assert_eq!(
            (result["reason"].as_str(), honest.code),
            (Some("answered"), Some(0)),
            "{}",
            honest.outline()
        );
    }
}

#[test]
fn a_draft_that_is_completed_when_it_comes_back_is_accepted() {
    let there = |name: &str| {
        checked(
            &format!("{name} lists them"),
            &json!({"kind": "file_contains", "path": name, "text": "a.txt"}),
        )
    };
    let write = |name: &str| vec![last_tool("write_file", &json!({"path": name, "content": "a.txt\n"}))];
    let step = |n, intent: &str, name: &str| subtask(n, intent, &["write_file"], &[name], &[there(name)]);
    let short = plan_with_output_from(0, &[there("list.md")], &[step(1, "Write list.md", "list.md")]);
    let whole = plan_with_output_from(
        1,
        &[there("list.md"), there("kept.md")],
        &[step(1, "Write list.md", "list.md"), step(2, "Copy it to kept.md", "kept.md")],
    );
    let scenario = Scenario::new(short)
        .act("Write list.md", write("list.md"))
        .act("Copy it to kept.md", write("kept.md"));
    let script = move |seen: &Seen| {
        let completes = seen.role == "R2" && seen.section("Rejected draft").contains("copy it to kept.md");
        if completes { Reply::Sse(whole.to_string()) } else { scenario.reply(seen) }
    };
    let (_, run) = run("List my text files in list.md and copy it to kept.md", script);
    assert_eq!(
        (run.result()["directive"].as_str(), run.code),
        (Some("accept"), Some(0)),
        "{}",
        run.outline()
    );
    assert_eq!(run.of_type("plan_draft_rejected").len(), 1);
}
