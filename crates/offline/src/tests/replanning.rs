//! Later plans: what a directive, memory and missing tools change.

use super::support::*;

const READ: &str = "read notes.txt";

fn directive(lines: &str) -> String {
    format!(
        "## Directive\ndirective: change_path\nreplan: 1 of 3\nurgency: steady\nrationale: x\n{lines}\n\n"
    )
}

/// Asserts the tools of the first step of the plan under these sections.
fn check(request: &str, tools: &[&str], between: &str, expected: &[&str]) {
    let plan = plan_with(request, tools, between);
    let found = tools_of(&plan);
    assert_eq!(
        found.first().map(Vec::as_slice),
        Some(&expected.iter().map(|tool| (*tool).to_owned()).collect::<Vec<_>>()[..]),
        "{request}: {plan}"
    );
}

#[test]
fn a_file_is_read_where_the_request_says_at_first() {
    check(READ, &ALL_TOOLS, "", &["read_file"]);
    assert_eq!(steps_of(&plan(READ))[0]["targets"][0], "/work dir/notes.txt");
}

#[test]
fn a_failed_path_makes_the_next_plan_search_and_read_what_it_finds() {
    for line in
        ["blocked target: read_file | /work dir/notes.txt", "failed before: read_file | /work dir/notes.txt"]
    {
        let plan = plan_with(READ, &ALL_TOOLS, &directive(line));
        assert_eq!(tools_of(&plan), [vec!["find_files"], vec!["read_file"]], "{line}");
        let steps = steps_of(&plan);
        assert_eq!((&steps[0]["sequence"], &steps[1]["sequence"]), (&1.into(), &2.into()));
        assert_eq!(plan["output_from"], 1);
        let search = steps[0]["intent"].as_str().expect("an intent");
        let prior =
            format!("## Prior outputs\n[1. {search}]\n  /work dir/notes.txt\n  /work dir/sub/notes.txt\n\n");
        let action = act_on(&steps[1], &prior);
        assert_eq!(action["tool"], "read_file");
        assert_eq!(
            action["arguments"]["path"], "/work dir/sub/notes.txt",
            "the path that failed is not tried again"
        );
    }
}

#[test]
fn a_search_that_found_nothing_gives_way_to_another_tool() {
    let lines = "failed before: read_file | /work dir/notes.txt\nblocked tool: find_files | find the file named notes.txt";
    check(READ, &ALL_TOOLS, &directive(lines), &["glob"]);
}

#[test]
fn when_nothing_is_left_the_plan_says_so() {
    let lines = "failed before: read_file | /work dir/notes.txt\nblocked tool: find_files | find the file named notes.txt\nblocked tool: glob | find the file named notes.txt";
    let plan = plan_with(READ, &ALL_TOOLS, &directive(lines));
    let reason = plan["decline"]["reason"].as_str().expect("a decline");
    assert!(reason.contains("Every way I know has failed") && reason.contains("glob"), "{reason}");
}

#[test]
fn a_blocked_tool_binds_the_step_that_failed_with_it() {
    let request = "find all PDFs";
    check(request, &ALL_TOOLS, "", &["glob"]);
    check(request, &ALL_TOOLS, &directive("blocked tool: glob | find pdf files"), &["find_files"]);
    check(request, &ALL_TOOLS, &directive("blocked tool: glob | count lines by language"), &["glob"]);
}

#[test]
fn tools_that_are_not_there_are_not_planned() {
    check("find all PDFs", &["find_files", "shell"], "", &["find_files"]);
    check("find the ten largest files here", &["find_files"], "", &["find_files"]);
    let plan = plan_with("find duplicate files", &["glob"], "");
    assert!(!plan["decline"].is_null(), "{plan}");
}

/// The file search has another name where Spotlight answers it.
#[test]
fn the_file_search_is_called_as_the_system_calls_it() {
    let tools = ["mdfind", "shell"];
    let user = setting(WORK, &tools).replace("os: linux", "os: macos");
    for request in ["find all PDFs", "find the ten largest files here"] {
        let plan = ask("plan", &format!("{user}## Intent\n{request}\n\n## Request\n{request}"));
        assert_eq!(tools_of(&plan), [["mdfind"]], "{request}");
    }
}

#[test]
fn memory_forbids_and_prefers() {
    check("find all PDFs", &ALL_TOOLS, "## Memory\nMUST NOT use: tool:glob path:*\n\n", &["find_files"]);
    check(
        "find all PDFs",
        &ALL_TOOLS,
        "## Memory\nSHOULD PREFER: find_files answered in 40 ms\n\n",
        &["find_files"],
    );
    check("find all PDFs", &ALL_TOOLS, "## Memory\nMUST NOT use: glob on /elsewhere/*.pdf\n\n", &["glob"]);
}

#[test]
fn a_rejected_draft_is_not_sent_again() {
    let rejected = "## Rejected draft\n- subtask 1 uses glob on /work dir/*.{pdf,PDF}, which is blocked\n\n";
    check("find all PDFs", &ALL_TOOLS, rejected, &["find_files"]);
    let repeated =
        "## Rejected draft\n- this is the plan that already failed; change the steps or their tools\n\n";
    check("find all PDFs", &ALL_TOOLS, repeated, &["find_files"]);
}

#[test]
fn a_way_that_ran_and_missed_is_not_the_next_plan_again() {
    let plan = plan("find all PDFs");
    let unmet = steps_of(&plan)[0]["success_criteria"][0]["text"].as_str().expect("a text").to_owned();
    check("find all PDFs", &ALL_TOOLS, &directive(&format!("unmet:\n- {unmet} (nothing)")), &["find_files"]);
}

#[test]
fn established_steps_are_not_planned_again() {
    let request = "find the largest files, count lines by language, find duplicate files, and write a report with all three";
    let first = steps_of(&plan(request));
    let kept: String = first[..3]
        .iter()
        .enumerate()
        .map(|(index, step)| {
            format!("[subtask {index}] {}\n  1\n", step["intent"].as_str().expect("an intent"))
        })
        .collect();
    let path = first[3]["targets"][0].as_str().expect("a path").to_owned();
    let between =
        format!("## Established\n{kept}\n{}", directive(&format!("blocked target: write_file | {path}")));
    let second = plan_with(request, &ALL_TOOLS, &between);
    let steps = steps_of(&second);
    assert_eq!(steps.len(), 1, "{second}");
    assert_eq!(steps[0]["intent"], first[3]["intent"]);
    assert_eq!(second["output_from"], 0);
    assert!(!steps[0]["targets"].to_string().contains(&path), "another name is used");
    assert!(tools_of(&second)[0].contains(&"glob".to_owned()), "{second}");
}

#[test]
fn all_steps_established_and_still_unmet_is_declined() {
    let kept = "## Established\n[subtask 1] Find PDF files\n  /work dir/a.pdf\n\n";
    let plan = plan_with("find all PDFs", &ALL_TOOLS, kept);
    assert!(
        plan["decline"]["reason"].as_str().is_some_and(|reason| reason.contains("Every way I know")),
        "{plan}"
    );
}

#[test]
fn what_was_moved_with_its_folder_is_searched_for_at_once() {
    let hint = |request: &str, plan: &str| {
        format!(
            "## Memory\nHINT: criteria_met: {request}. Plan: {plan} (accept, task 1) (learned from another request that looks like this one: \"{request}\")\n\n"
        )
    };
    let found = "1 [find_files] find the file named q1.txt; 2 [read_file] q1.txt";
    let first = |request: &str, memory: &str| tools_of(&plan_with(request, &ALL_TOOLS, memory)).remove(0);
    let moved = hint("read reports/q1.txt", found);
    assert_eq!(first("read reports/q2.txt", &moved), ["find_files"]);
    assert_eq!(first("read letters/q2.txt", &moved), ["read_file"], "another folder");
    assert_eq!(first("read q2.txt", &moved), ["read_file"], "no folder");
    let elsewhere =
        "SHOULD PREFER: criteria_met: read notes/a.txt. Plan: 1 [read_file] a.txt (accept, task 1)";
    let both = moved.replacen("HINT", &format!("{elsewhere}\nHINT"), 1);
    assert_eq!(
        first("read reports/q2.txt", &both),
        ["find_files"],
        "what worked elsewhere says nothing here"
    );
    let known = moved.replace("HINT", "SHOULD PREFER");
    assert_eq!(first("read reports/q1.txt", &known), ["find_files"]);
    assert_eq!(
        first("read letters/q2.txt", &known),
        ["read_file"],
        "what is known of one place says nothing of another"
    );
    let in_place = hint("read reports/q1.txt", "1 [read_file] q1.txt");
    assert_eq!(first("read reports/q2.txt", &in_place), ["read_file"]);
    // When the file is in its place after all, that one is read.
    let plan = plan_with("read reports/q2.txt", &ALL_TOOLS, &moved);
    let steps = steps_of(&plan);
    let search = steps[0]["intent"].as_str().expect("an intent");
    let prior = |paths: &str| format!("## Prior outputs\n[1. {search}]\n{paths}\n\n");
    let read = |paths: &str| act_on(&steps[1], &prior(paths))["arguments"]["path"].clone();
    assert_eq!(read("  /work dir/old/q2.txt\n  /work dir/reports/q2.txt"), "/work dir/reports/q2.txt");
    assert_eq!(read("  /work dir/archive/reports/q2.txt"), "/work dir/archive/reports/q2.txt");
}

#[test]
fn caution_with_an_input_lets_another_way_go_first() {
    let caution = |target: &str| {
        format!(
            "## Memory\nCAUTION: read_file on {target} (exit status 1) did not achieve \"x\": no (change_path)\n\n"
        )
    };
    let first = |memory: &str| tools_of(&plan_with(READ, &ALL_TOOLS, memory)).remove(0);
    assert_eq!(first(&caution("/work dir/notes.txt")), ["find_files"], "where one tool found nothing");
    assert_eq!(first(&caution("/work dir/other.txt")), ["read_file"]);
}
