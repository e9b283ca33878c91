//! Later plans: what a directive, memory and missing tools change.

use std::sync::Arc;

use artoo_types::brief::{AdviceForce, DraftFault, Kinship, LearnedFrom, MemoryAdvice, PlanBrief, StepFault};
use artoo_types::control::{PlanDirective, Unmet};
use artoo_types::memory::plans::{self, FailedPlanLines, step_line};
use artoo_types::setting::TaskSetting;
use artoo_types::tag::fold;
use uuid::Uuid;

use super::support::*;

const READ: &str = "read notes.txt";
const PDFS: &str = "find all PDFs";

/// Asserts the tools of the first step of the plan for this brief.
fn check(request: &str, change: impl FnOnce(&mut PlanBrief), expected: &[&str]) {
    let plan = plan_with(request, change);
    let found = tools_of(&plan);
    assert_eq!(
        found.first().map(Vec::as_slice),
        Some(&expected.iter().map(|tool| (*tool).to_owned()).collect::<Vec<_>>()[..]),
        "{request}: {plan}"
    );
}

fn tools(tools: &[&str]) -> impl FnOnce(&mut PlanBrief) {
    let setting = setting(tools);
    move |brief| brief.setting = Arc::new(setting)
}

fn directed(directive: PlanDirective) -> impl FnOnce(&mut PlanBrief) {
    move |brief| brief.directive = Some(Arc::new(directive))
}

fn known(force: AdviceForce, content: &str) -> impl FnOnce(&mut PlanBrief) {
    let advice = advice(force, content);
    move |brief| brief.memory = vec![advice]
}

/// The plan before this one failed at reading the file, and finding it with these tools failed as well.
fn gone(tools: &[&str]) -> PlanDirective {
    PlanDirective {
        failed_before: vec![target("read_file", "/work dir/notes.txt")],
        blocked_tools: tools.iter().map(|class| tool(class, "find the file named notes.txt")).collect(),
        ..directive()
    }
}

#[test]
fn a_file_is_read_where_the_request_says_at_first() {
    check(READ, |_| {}, &["read_file"]);
    assert_eq!(steps_of(&plan(READ))[0]["targets"][0], "/work dir/notes.txt");
}

#[test]
fn a_failed_path_makes_the_next_plan_search_and_read_what_it_finds() {
    let pair = || vec![target("read_file", "/work dir/notes.txt")];
    for directive in [
        PlanDirective { blocked_targets: pair(), ..directive() },
        PlanDirective { failed_before: pair(), ..directive() },
    ] {
        let plan = plan_with(READ, directed(directive));
        assert_eq!(tools_of(&plan), [vec!["find_files"], vec!["read_file"]]);
        let steps = steps_of(&plan);
        assert_eq!((&steps[0]["sequence"], &steps[1]["sequence"]), (&1.into(), &2.into()));
        assert_eq!(plan["output_from"], 1);
        let found = prior(intent_of(&steps[0]), "/work dir/notes.txt\n/work dir/sub/notes.txt");
        let action = act_on(&steps[1], Progress { prior: vec![found], ..Progress::default() });
        assert_eq!(action["tool"], "read_file");
        assert_eq!(
            action["arguments"]["path"], "/work dir/sub/notes.txt",
            "the path that failed is not tried again"
        );
    }
}

#[test]
fn a_search_that_found_nothing_gives_way_to_another_tool() {
    check(READ, directed(gone(&["find_files"])), &["glob"]);
}

#[test]
fn when_nothing_is_left_the_plan_says_so() {
    let plan = plan_with(READ, directed(gone(&["find_files", "glob"])));
    let reason = plan["decline"]["reason"].as_str().expect("a decline");
    assert!(reason.contains("Every way I know has failed") && reason.contains("glob"), "{reason}");
}

#[test]
fn a_blocked_tool_binds_the_step_that_failed_with_it() {
    let blocked = |intent: &str| PlanDirective { blocked_tools: vec![tool("glob", intent)], ..directive() };
    check(PDFS, |_| {}, &["glob"]);
    check(PDFS, directed(blocked("find pdf files")), &["find_files"]);
    check(PDFS, directed(blocked("count lines by language")), &["glob"]);
}

#[test]
fn tools_that_are_not_there_are_not_planned() {
    check(PDFS, tools(&["find_files", "shell"]), &["find_files"]);
    check("find the ten largest files here", tools(&["find_files"]), &["find_files"]);
    let plan = plan_with("find duplicate files", tools(&["glob"]));
    assert!(!plan["decline"].is_null(), "{plan}");
}

/// The file search has another name where Spotlight answers it.
#[test]
fn the_file_search_is_called_as_the_system_calls_it() {
    for request in [PDFS, "find the ten largest files here"] {
        let setting = TaskSetting { os: "macos".to_owned(), ..setting(&["mdfind", "shell"]) };
        let plan = plan_with(request, |brief| brief.setting = Arc::new(setting));
        assert_eq!(tools_of(&plan), [["mdfind"]], "{request}");
    }
}

#[test]
fn memory_forbids_and_prefers() {
    check(PDFS, known(AdviceForce::MustNotUse, "tool:glob path:/*"), &["glob"]);
    check(PDFS, known(AdviceForce::MustNotUse, "tool:glob path:*"), &["find_files"]);
    check(PDFS, known(AdviceForce::MustNot, "glob is too slow here"), &["find_files"]);
    check(PDFS, known(AdviceForce::Caution, "glob is too slow here"), &["glob"]);
    check(PDFS, known(AdviceForce::Prefer, "find_files answered in 40 ms"), &["find_files"]);
    check(PDFS, known(AdviceForce::MustNotUse, "glob on /elsewhere/*.pdf"), &["glob"]);
    let praised = |path: &str| {
        let subject = Some(target("find_files", path));
        let advice = MemoryAdvice { subject, ..advice(AdviceForce::Prefer, "find_files was quick") };
        move |brief: &mut PlanBrief| brief.memory = vec![advice]
    };
    check(PDFS, praised(""), &["find_files"]);
    check(PDFS, praised("/elsewhere"), &["glob"]);
}

#[test]
fn a_plan_that_failed_forbids_its_steps_and_not_their_tools() {
    let failed = |intent: &str| {
        let plan = step_line(1, &["glob".to_owned()], &fold(intent));
        let plans = FailedPlanLines { wrong: &[&plan], stopped: &[] };
        plans::of_failure("diverging", PDFS, &plans, &["x"], "no")
    };
    let own = steps_of(&plan(PDFS)).remove(0);
    check(PDFS, known(AdviceForce::MustNotRepeat, &failed(intent_of(&own))), &["find_files"]);
    check(PDFS, known(AdviceForce::MustNotRepeat, &failed("count the lines")), &["glob"]);
}

#[test]
fn a_rejected_draft_is_not_sent_again() {
    let of_step = |fault| DraftFault::Step { number: 1, fault };
    for fault in [
        of_step(StepFault::BlockedTarget(target("glob", "/work dir/*.{pdf,PDF}"))),
        of_step(StepFault::BlockedTool("glob".to_owned())),
        of_step(StepFault::UnknownTool("glob".to_owned())),
        DraftFault::Repeated,
        DraftFault::RepeatedFromMemory(Uuid::nil()),
    ] {
        check(PDFS, |brief| brief.faults = vec![fault], &["find_files"]);
    }
    check(PDFS, |brief| brief.faults = vec![of_step(StepFault::NoIntent)], &["glob"]);
}

#[test]
fn a_way_that_ran_and_missed_is_not_the_next_plan_again() {
    let text = steps_of(&plan(PDFS))[0]["success_criteria"][0]["text"].clone();
    let criterion = text.as_str().expect("a text").to_owned();
    let unmet = vec![Unmet { criterion, evidence: "nothing".to_owned(), evaluated: true }];
    check(PDFS, directed(PlanDirective { unmet, ..directive() }), &["find_files"]);
}

#[test]
fn established_steps_are_not_planned_again() {
    let request = "find the largest files, count lines by language, find duplicate files, and write a report with all three";
    let first = steps_of(&plan(request));
    let established = first[..3].iter().map(|step| outcome(intent_of(step), "1")).collect();
    let path = first[3]["targets"][0].as_str().expect("a path").to_owned();
    let blocked_targets = vec![target("write_file", &path)];
    let second = plan_with(request, directed(PlanDirective { established, blocked_targets, ..directive() }));
    let steps = steps_of(&second);
    assert_eq!(steps.len(), 1, "{second}");
    assert_eq!(steps[0]["intent"], first[3]["intent"]);
    assert_eq!(second["output_from"], 0);
    assert!(!steps[0]["targets"].to_string().contains(&path), "another name is used");
    assert!(tools_of(&second)[0].contains(&"glob".to_owned()), "{second}");
}

#[test]
fn all_steps_established_and_still_unmet_is_declined() {
    let established = vec![outcome("Find PDF files", "/work dir/a.pdf")];
    let plan = plan_with(PDFS, directed(PlanDirective { established, ..directive() }));
    assert!(
        plan["decline"]["reason"].as_str().is_some_and(|reason| reason.contains("Every way I know")),
        "{plan}"
    );
}

#[test]
fn what_was_moved_with_its_folder_is_searched_for_at_once() {
    let told = |force: AdviceForce, request: &str, plan: &str| MemoryAdvice {
        learned_from: Some(LearnedFrom { request: request.to_owned(), kinship: Kinship::LooksAlike }),
        ..advice(force, &plans::of_success("criteria_met", request, plan))
    };
    let found = "1 [find_files] find the file named q1.txt; 2 [read_file] q1.txt";
    let first = |request: &str, memory: &[&MemoryAdvice]| {
        let memory = memory.iter().map(|advice| (*advice).clone()).collect();
        tools_of(&plan_with(request, |brief| brief.memory = memory)).remove(0)
    };
    let moved = told(AdviceForce::Hint, "read reports/q1.txt", found);
    assert_eq!(first("read reports/q2.txt", &[&moved]), ["find_files"]);
    assert_eq!(first("read letters/q2.txt", &[&moved]), ["read_file"], "another folder");
    assert_eq!(first("read q2.txt", &[&moved]), ["read_file"], "no folder");
    let elsewhere = told(AdviceForce::Prefer, "read notes/a.txt", "1 [read_file] a.txt");
    assert_eq!(
        first("read reports/q2.txt", &[&elsewhere, &moved]),
        ["find_files"],
        "what worked elsewhere says nothing here"
    );
    let known = MemoryAdvice { force: AdviceForce::Prefer, ..moved.clone() };
    assert_eq!(first("read reports/q1.txt", &[&known]), ["find_files"]);
    assert_eq!(
        first("read letters/q2.txt", &[&known]),
        ["read_file"],
        "what is known of one place says nothing of another"
    );
    let in_place = told(AdviceForce::Hint, "read reports/q1.txt", "1 [read_file] q1.txt");
    assert_eq!(first("read reports/q2.txt", &[&in_place]), ["read_file"]);
    // When the file is in its place after all, that one is read.
    let steps = steps_of(&plan_with("read reports/q2.txt", |brief| brief.memory = vec![moved]));
    let read = |paths: &str| {
        let prior = vec![prior(intent_of(&steps[0]), paths)];
        act_on(&steps[1], Progress { prior, ..Progress::default() })["arguments"]["path"].clone()
    };
    assert_eq!(read("/work dir/old/q2.txt\n/work dir/reports/q2.txt"), "/work dir/reports/q2.txt");
    assert_eq!(read("/work dir/archive/reports/q2.txt"), "/work dir/archive/reports/q2.txt");
}

#[test]
fn caution_with_an_input_lets_another_way_go_first() {
    let first = |path: &str| {
        let words = format!("read_file on {path} (exit status 1) did not achieve \"x\": no");
        tools_of(&plan_with(READ, known(AdviceForce::Caution, &words))).remove(0)
    };
    assert_eq!(first("/work dir/notes.txt"), ["find_files"], "where one tool found nothing");
    assert_eq!(first("/work dir/other.txt"), ["read_file"]);
}
