//! Actions: the recipe, computed answers, failures, corrections.

use std::sync::Arc;

use artoo_types::brief::Turn;
use artoo_types::control::PlanDirective;
use artoo_types::criteria::FailureClass;
use artoo_types::outcome::CorrectionSignal;
use serde_json::Value;

use super::support::*;

/// The first step of the plan for a request.
fn step(request: &str) -> Value {
    steps_of(&plan(request)).into_iter().next().expect("a step")
}

/// Any reading of a file that ended so.
fn read(exit: i64, output: &str) -> Turn {
    called("read_file", "/work dir/x", exit, output)
}

fn check_failed(action: &Value, words: &str) {
    assert_eq!((&action["action"], &action["status"]), (&"finish".into(), &"failed".into()), "{action}");
    assert!(action["output"].as_str().is_some_and(|output| output.contains(words)), "{action}");
}

fn check_completed(action: &Value, output: &str) {
    assert_eq!((&action["action"], &action["status"]), (&"finish".into(), &"completed".into()), "{action}");
    assert_eq!(action["output"], output);
}

#[test]
fn the_first_action_is_the_planned_call() {
    let action = act_on(&step("find the ten largest files here"), Progress::default());
    assert_eq!(
        (&action["action"], &action["tool"], &action["final"]),
        (&"tool".into(), &"shell".into(), &true.into())
    );
    let command = action["arguments"]["command"].as_str().expect("a command");
    assert!(command.starts_with("find '/work dir' ") && command.contains("NR<=10"), "{command}");
}

#[test]
fn a_failed_call_is_reported_with_its_error() {
    let action = act_on(&step("read notes.txt"), after(&[read(1, "no such file")]));
    check_failed(&action, "no such file");
    let action = act_on(&step("读取notes.txt"), after(&[read(1, "no such file")]));
    check_failed(&action, "失败");
    let denied = Turn::Called(Arc::new(receipt("shell", "/x", None, "nobody confirmed")));
    check_failed(&act_on(&step("git status"), after(&[denied])), "nobody confirmed");
}

#[test]
fn a_value_is_read_from_the_file_that_was_read() {
    let request = "what is the value of server.ports.1 in config.json";
    let action = act_on(&step(request), Progress::default());
    assert_eq!((&action["tool"], &action["final"]), (&"read_file".into(), &false.into()));
    let call = |text: &str| act_on(&step(request), after(&[read(0, text)]));
    check_completed(&call("{\"server\": {\"ports\": [1, 8080]}}"), "8080");
    check_failed(&call("{\"server\": {}}"), "there is no `server.ports.1`");
    check_failed(&call("not json"), "not valid JSON");
    check_failed(&call("{\"a\": 1}\n[more lines follow; continue with offset 2000]"), "too long");
}

#[test]
fn paths_are_counted_only_when_all_are_there() {
    let counted = plan_with("how many PDFs are here", |brief| brief.setting = Arc::new(setting(&["glob"])));
    let counted = steps_of(&counted).remove(0);
    let call = |text: &str| act_on(&counted, after(&[called("glob", "/work dir/*.pdf", 0, text)]));
    check_completed(&call("/work dir/a.pdf\n/work dir/b.pdf"), "2 PDF files");
    check_completed(&call("(no match)"), "0 PDF files");
    check_failed(&call("/work dir/a.pdf\n... and 7 more"), "not complete");
    check_completed(&call(&"/a.pdf\n".repeat(3_000)), "3000 PDF files");
    let mut cut = receipt("glob", "/work dir/*.pdf", Some(0), "/a.pdf\n[...]\n/b.pdf");
    cut.handle = Some("r1".to_owned());
    check_failed(&act_on(&counted, after(&[Turn::Called(Arc::new(cut))])), "too long");
}

#[test]
fn a_table_becomes_json_in_a_new_file() {
    let step = step("convert data.csv to JSON");
    let table = read(0, "name,note\n\"a, b\",\"say \"\"hi\"\"\"\nc,");
    let action = act_on(&step, after(std::slice::from_ref(&table)));
    assert_eq!(
        (&action["tool"], &action["arguments"]["path"]),
        (&"write_file".into(), &"/space/data.json".into())
    );
    let content: Value =
        serde_json::from_str(action["arguments"]["content"].as_str().expect("content")).expect("JSON");
    assert_eq!(
        content,
        serde_json::json!([{"name": "a, b", "note": "say \"hi\""}, {"name": "c", "note": ""}])
    );
    let write = |exit: i64, said: &str| {
        act_on(&step, after(&[table.clone(), called("write_file", "/space/data.json", exit, said)]))
    };
    check_completed(&write(0, "wrote 90 bytes"), "Wrote 2 records to /space/data.json");
    check_failed(&write(1, "it already exists"), "already exists");
    check_failed(&act_on(&step, after(&[read(0, "a,b\n1")])), "data row 1 has 1 fields");
}

const REPORT: &str = "find the largest files and find duplicate files and write a report";

fn report_step() -> (Value, Progress) {
    let steps = steps_of(&plan(REPORT));
    let sizes = prior(intent_of(&steps[0]), "42\t/work dir/a|b.bin");
    let prior = vec![sizes, prior(intent_of(&steps[1]), "no duplicate files")];
    (steps[2].clone(), Progress { prior, ..Progress::default() })
}

#[test]
fn a_report_has_a_section_for_each_output_and_its_numbers() {
    let (step, progress) = report_step();
    let action = act_on(&step, progress.clone());
    assert_eq!((&action["action"], &action["tool"]), (&"tool".into(), &"write_file".into()));
    let content = action["arguments"]["content"].as_str().expect("content");
    assert!(
        content
            .contains("## 10 largest files\n\n| bytes | file |\n| --- | --- |\n| 42 | /work dir/a\\|b.bin |"),
        "{content}"
    );
    assert!(content.contains("## Duplicate files\n\n```text\nno duplicate files\n```"), "{content}");
    let turns = vec![called("write_file", "/space/r.md", 0, "wrote 9 bytes")];
    let last = act_on(&step, Progress { turns, ..progress });
    check_completed(&last, &format!("{content}\nReport: /space/r.md"));
}

#[test]
fn a_report_without_an_output_is_not_written() {
    let (step, _) = report_step();
    let progress = Progress { prior: vec![prior("Something else", "1")], ..Progress::default() };
    check_failed(&act_on(&step, progress), "is missing");
}

#[test]
fn a_free_name_is_looked_up_before_it_is_written() {
    let first = steps_of(&plan(REPORT));
    let path = first[2]["targets"][0].as_str().expect("a path").to_owned();
    let again = plan_with(REPORT, |brief| {
        let blocked_targets = vec![target("write_file", &path)];
        brief.directive = Some(Arc::new(PlanDirective { blocked_targets, ..directive() }));
    });
    let step = steps_of(&again)[2].clone();
    let (_, progress) = report_step();
    let look = act_on(&step, progress.clone());
    assert_eq!((&look["tool"], &look["arguments"]["root"]), (&"glob".into(), &"/space".into()));
    let second = path.replace(".md", "-2.md");
    let turns = vec![called("glob", "/space/x*.md", 0, &format!("{path}\n{second}"))];
    let write = act_on(&step, Progress { turns, ..progress });
    assert_eq!(write["arguments"]["path"].as_str(), Some(path.replace(".md", "-3.md").as_str()));
}

#[test]
fn a_correction_never_repeats_the_call() {
    let step = step("find the ten largest files here");
    let correction = CorrectionSignal {
        subtask_id: subtask(&step).subtask_id,
        attempt: 2,
        what_was_wrong: "the list is short".to_owned(),
        what_to_do: "another way".to_owned(),
        failure_class: Some(FailureClass::Logical),
        prior_calls: Vec::new(),
    };
    let corrected = || Progress { correction: Some(correction.clone()), ..Progress::default() };
    check_failed(&act_on(&step, corrected()), "the list is short");
    let mut with_else = step.clone();
    let context = format!(
        "{}\nelse: {{\"action\":\"tool\",\"tool\":\"glob\",\"arguments\":{{\"root\":\"/x\",\"pattern\":\"*\"}},\"final\":true}}",
        step["context"].as_str().expect("a context")
    );
    with_else["context"] = context.into();
    assert_eq!(act_on(&with_else, corrected())["tool"], "glob");
}

#[test]
fn a_context_without_a_recipe_is_not_guessed_at() {
    let mut step = step("git status");
    step["context"] = "Look around and do what seems right.".into();
    check_failed(&act_on(&step, Progress::default()), "no recipe");
}
