//! Actions: the recipe, computed answers, failures, corrections.

use serde_json::Value;

use super::support::*;

/// The first step of the plan for a request.
fn step(request: &str) -> Value {
    steps_of(&plan(request)).into_iter().next().expect("a step")
}

fn done(label: &str, exit: i64, output: &str) -> String {
    format!("## Done so far\n[receipt r1] {label} exit={exit}\n{}\n", indented(output))
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
    let action = act_on(&step("find the ten largest files here"), "");
    assert_eq!(
        (&action["action"], &action["tool"], &action["final"]),
        (&"tool".into(), &"shell".into(), &true.into())
    );
    let command = action["arguments"]["command"].as_str().expect("a command");
    assert!(command.starts_with("find '/work dir' ") && command.contains("NR<=10"), "{command}");
}

#[test]
fn a_failed_call_is_reported_with_its_error() {
    let action = act_on(&step("read notes.txt"), &done("read_file /work dir/notes.txt", 1, "no such file"));
    check_failed(&action, "no such file");
    let action = act_on(&step("读取notes.txt"), &done("read_file /work dir/notes.txt", 1, "no such file"));
    check_failed(&action, "失败");
    let denied = "## Done so far\n[receipt r1] shell /x exit=none (denied)\n  nobody confirmed\n\n";
    check_failed(&act_on(&step("git status"), denied), "nobody confirmed");
}

#[test]
fn a_value_is_read_from_the_file_that_was_read() {
    let request = "what is the value of server.ports.1 in config.json";
    let action = act_on(&step(request), "");
    assert_eq!((&action["tool"], &action["final"]), (&"read_file".into(), &false.into()));
    let call = |text: &str| act_on(&step(request), &done("read_file /work dir/config.json", 0, text));
    check_completed(&call("{\"server\": {\"ports\": [1, 8080]}}"), "8080");
    check_failed(&call("{\"server\": {}}"), "there is no `server.ports.1`");
    check_failed(&call("not json"), "not valid JSON");
    check_failed(&call("{\"a\": 1}\n[more lines follow; continue with offset 2000]"), "too long");
}

#[test]
fn paths_are_counted_only_when_all_are_there() {
    let counted =
        steps_of(&plan_with("how many PDFs are here", &["glob"], "")).into_iter().next().expect("a step");
    let call = |text: &str| act_on(&counted, &done("glob /work dir/*.pdf", 0, text));
    check_completed(&call("/work dir/a.pdf\n/work dir/b.pdf"), "2 PDF files");
    check_completed(&call("(no match)"), "0 PDF files");
    check_failed(&call("/work dir/a.pdf\n... and 7 more"), "not complete");
    check_failed(&call("/a.pdf\n[... 900 characters omitted ...]\n/b.pdf"), "too long");
}

#[test]
fn a_table_becomes_json_in_a_new_file() {
    let step = step("convert data.csv to JSON");
    let read = done("read_file /work dir/data.csv", 0, "name,note\n\"a, b\",\"say \"\"hi\"\"\"\nc,");
    let action = act_on(&step, &read);
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
    let written =
        "[receipt r2] write_file /space/data.json exit=0\n  wrote 90 bytes, 10 lines to /space/data.json\n\n";
    check_completed(
        &act_on(&step, &format!("{}{written}", read.trim_end_matches('\n').to_owned() + "\n")),
        "Wrote 2 records to /space/data.json",
    );
    check_failed(
        &act_on(&step, &done("read_file /work dir/data.csv", 0, "a,b\n1")),
        "data row 1 has 1 fields",
    );
    let taken = "[receipt r2] write_file /space/data.json exit=1\n  it already exists\n\n";
    check_failed(
        &act_on(&step, &format!("{}{taken}", read.trim_end_matches('\n').to_owned() + "\n")),
        "already exists",
    );
}

const REPORT: &str = "find the largest files and find duplicate files and write a report";

fn report_step() -> (Value, String) {
    let steps = steps_of(&plan(REPORT));
    let prior = format!(
        "## Prior outputs\n[1. {}]\n  42\t/work dir/a|b.bin\n[1. {}]\n  no duplicate files\n\n",
        steps[0]["intent"].as_str().expect("an intent"),
        steps[1]["intent"].as_str().expect("an intent")
    );
    (steps[2].clone(), prior)
}

#[test]
fn a_report_has_a_section_for_each_output_and_its_numbers() {
    let (step, prior) = report_step();
    let action = act_on(&step, &prior);
    assert_eq!((&action["action"], &action["tool"]), (&"tool".into(), &"write_file".into()));
    let content = action["arguments"]["content"].as_str().expect("content");
    assert!(
        content
            .contains("## 10 largest files\n\n| bytes | file |\n| --- | --- |\n| 42 | /work dir/a\\|b.bin |"),
        "{content}"
    );
    assert!(content.contains("## Duplicate files\n\n```text\nno duplicate files\n```"), "{content}");
    let written = done("write_file /space/r.md", 0, "wrote 9 bytes, 1 lines to /space/r.md");
    let last = act_on(&step, &format!("{prior}{written}"));
    check_completed(&last, &format!("{content}\nReport: /space/r.md"));
}

#[test]
fn a_report_without_an_output_is_not_written() {
    let (step, _) = report_step();
    check_failed(&act_on(&step, "## Prior outputs\n[1. Something else]\n  1\n\n"), "is missing");
}

#[test]
fn a_free_name_is_looked_up_before_it_is_written() {
    let first = steps_of(&plan(REPORT));
    let path = first[2]["targets"][0].as_str().expect("a path").to_owned();
    let blocked = format!("## Directive\nreplan: 1 of 3\nblocked target: write_file | {path}\n\n");
    let step = steps_of(&plan_with(REPORT, &ALL_TOOLS, &blocked))[2].clone();
    let (_, prior) = report_step();
    let look = act_on(&step, &prior);
    assert_eq!((&look["tool"], &look["arguments"]["root"]), (&"glob".into(), &"/space".into()));
    let second = path.replace(".md", "-2.md");
    let listed = done("glob /space/x*.md", 0, &format!("{path}\n{second}"));
    let write = act_on(&step, &format!("{prior}{listed}"));
    assert_eq!(write["arguments"]["path"].as_str(), Some(path.replace(".md", "-3.md").as_str()));
}

#[test]
fn a_correction_never_repeats_the_call() {
    let step = step("find the ten largest files here");
    let correction =
        "## Correction\nattempt: 2\nwhat_was_wrong: the list is short\nwhat_to_do: another way\n\n";
    check_failed(&act_on(&step, correction), "the list is short");
    let mut with_else = step.clone();
    let context = format!(
        "{}\nelse: {{\"action\":\"tool\",\"tool\":\"glob\",\"arguments\":{{\"root\":\"/x\",\"pattern\":\"*\"}},\"final\":true}}",
        step["context"].as_str().expect("a context")
    );
    with_else["context"] = context.into();
    assert_eq!(act_on(&with_else, correction)["tool"], "glob");
}

#[test]
fn a_context_without_a_recipe_is_not_guessed_at() {
    let mut step = step("git status");
    step["context"] = "Look around and do what seems right.".into();
    check_failed(&act_on(&step, ""), "no recipe");
}
