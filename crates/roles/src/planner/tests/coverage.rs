//! A draft covers the request, or it goes back.

use artoo_types::criteria::CriterionMode;
use artoo_types::memory::MemoryReply;
use artoo_types::plan::{DispatchManifest, NoPlan, UncoveredPart};
use serde_json::{Value, json};

use super::{Effect, Input, Planner, answer, ended, only_question, sent_back, step_on};
use crate::prompt::tests::setting;
use crate::testing::{spec, task_id};

/// A planner that has asked its model for a plan for this request.
fn asked(request: &str) -> Planner {
    let mut planner = Planner::new(task_id(), &setting(true), "/w");
    let mut spec = spec();
    request.clone_into(&mut spec.raw_input);
    step_on(&mut planner, Input::Spec(spec));
    only_question(step_on(&mut planner, Input::Memory(MemoryReply::default())));
    planner
}

fn step(intent: &str, targets: &[&str], criteria: &[Value]) -> Value {
    json!({"sequence": 1, "intent": intent, "tools": ["shell"], "targets": targets, "success_criteria": criteria})
}

fn draft(task_criteria: &[Value], steps: &[Value]) -> Value {
    json!({"task_criteria": task_criteria, "subtasks": steps})
}

fn file(kind: &str, path: &str) -> Value {
    json!({"text": format!("{path} is as it should be"), "check": {"kind": kind, "path": path}})
}

/// The reasons for which the draft goes back; none when it is the plan.
fn reasons(request: &str, draft: &Value) -> Vec<String> {
    match answer(&mut asked(request), draft).as_slice() {
        [Effect::Dispatch(plan)] => {
            assert_eq!(plan.uncovered, []);
            Vec::new()
        }
        [Effect::Reject(notice), ..] => notice.reasons.clone(),
        other => panic!("{other:?}"),
    }
}

/// The plan that the draft becomes when nothing better comes.
fn insisted(request: &str, draft: &Value) -> Result<DispatchManifest, Vec<UncoveredPart>> {
    let mut planner = asked(request);
    for _ in 0..2 {
        sent_back(&mut planner, draft);
    }
    match answer(&mut planner, draft).as_slice() {
        [Effect::Dispatch(plan)] => Ok(plan.clone()),
        effects => {
            let notice = ended(effects);
            assert_eq!(notice.outcome, NoPlan::CannotPlan);
            Err(notice.uncovered)
        }
    }
}

#[test]
fn an_action_without_a_criterion_goes_back_in_the_persons_words() {
    let counted = draft(
        &[json!("the number of files is reported")],
        &[step("Count the files", &["."], &[json!("a number is there")])],
    );
    let request = "Count the files here, write a report to report.md, and delete the temp files";
    let expected = [
        "the request also asks: write a report to report.md; no criterion says that it is done",
        "the request also asks: delete the temp files; no criterion says that it is done",
        "the request names report.md; no step and no criterion does",
    ];
    assert_eq!(reasons(request, &counted), expected);
    let listed = draft(
        &[json!("the files are listed")],
        &[step("List the files", &["."], &[json!("every file is there")])],
    );
    for (request, left_out) in [
        ("list the files and send a mail to bob", "send a mail to bob"),
        ("列出文件，然后发邮件给小王", "发邮件给小王"),
        ("list the files, then delete them", "delete them"),
    ] {
        let expected = format!("the request also asks: {left_out}; no criterion says that it is done");
        assert_eq!(reasons(request, &listed), [expected], "{request}");
    }
}

#[test]
fn honest_plans_in_other_words_and_languages_cover_their_request() {
    let mail = || json!("the message reached Bob's mailbox: the mail was sent");
    for (request, plan) in [
        (
            "Delete x.txt",
            draft(
                &[file("file_absent", "x.txt")],
                &[step("Delete x.txt", &[], &[json!("The file was deleted.")])],
            ),
        ),
        (
            "remove old.log",
            draft(
                &[json!("nothing is wrong")],
                &[step("Get rid of it", &["/w/old.log"], &[file("file_absent", "/w/old.log")])],
            ),
        ),
        (
            "Write a report into notes.txt",
            draft(
                &[file("file_contains", "notes.txt")],
                &[step("Write", &[], &[json!("it has three sections")])],
            ),
        ),
        (
            "rename all txt files to md",
            draft(
                &[
                    json!({"text": "md files", "check": {"kind": "files_match", "glob": "*.md", "op": "eq", "n": 3}}),
                ],
                &[step("mv", &[], &[json!("done so")])],
            ),
        ),
        (
            "list the files and send a mail to bob",
            draft(&[mail()], &[step("List and mail", &[], &[json!("all are listed")])]),
        ),
        (
            "把a.txt改名为b.txt，然后删除c.txt",
            draft(
                &[json!("b.txt exists in place of a.txt"), json!("c.txt is gone")],
                &[step("Rename a.txt to b.txt, delete c.txt", &[], &[json!("ok then")])],
            ),
        ),
        (
            "统计行数，写一份报告",
            draft(
                &[json!("a report with the number of lines was written")],
                &[step("Count lines and report", &[], &[json!("it is there")])],
            ),
        ),
        (
            "copy a.txt to b.txt and delete a.txt",
            draft(
                &[file("file_exists", "b.txt"), file("file_absent", "a.txt")],
                &[step("Copy and delete", &["a.txt", "b.txt"], &[json!("both hold")])],
            ),
        ),
        (
            "How many lines has a.txt?",
            draft(
                &[json!("The number of lines is reported.")],
                &[step("Count the lines", &[], &[json!("a number")])],
            ),
        ),
        (
            "fix the typo in README.md and commit it",
            draft(
                &[json!("README.md has no typo"), json!("git log shows a commit of the change")],
                &[step("Fix and commit", &[], &[json!("as said")])],
            ),
        ),
        (
            "write a script that deletes old logs and sends a mail",
            draft(
                &[file("file_exists", "clean.sh")],
                &[step("Write clean.sh", &[], &[json!("it is executable")])],
            ),
        ),
        (
            "explain how to delete a branch and push it",
            draft(
                &[json!("the answer names git branch -d")],
                &[step("Explain", &[], &[json!("it is clear")])],
            ),
        ),
        (
            "do not delete anything, list the empty folders",
            draft(&[json!("empty folders are listed")], &[step("List", &[], &[json!("all are there")])]),
        ),
    ] {
        assert_eq!(reasons(request, &plan), [""; 0], "{request}");
    }
}

/// Fails where a sentence that says what is wrong is read as an order, or where it has to be said of a thing that it is shown.
#[test]
fn a_symptom_is_no_order_and_what_runs_is_shown() {
    let prints = |text: &str| json!({"text": text, "check": {"kind": "output_contains", "text": "12.57"}});
    let mend = |file: &str, text: &str| {
        draft(&[prints(text)], &[step("Mend it and try it", &[file], &[prints(text)])])
    };
    let area = || mend("Makefile", "./area is built by make, fixed, and prints the area");
    for (request, plan) in [
        ("make does not build this project. Find out why, fix it, and show that ./area runs", area()),
        ("make does not build this project. Find out why, fix it, and show it", area()),
        ("make test fails here. Fix it, and show it.", area()),
        ("build is broken. Repair it and prove that ./area runs", area()),
        ("make doesn't build this project any more; find the cause and fix it", area()),
        (
            "npm test fails in this project. Find out why and fix package.json.",
            mend("package.json", "npm test passes after the fix in package.json"),
        ),
        (
            "Fix the bug in calc.py and show that it works",
            mend("calc.py", "calc.py is fixed and gives 12.57"),
        ),
        (
            "Write area.py that computes the area, run it and show it",
            mend("area.py", "area.py is written and prints the area"),
        ),
        ("make 编译不了这个项目。找出原因并修复它，并展示 ./area 能运行", area()),
    ] {
        assert_eq!(reasons(request, &plan), [""; 0], "{request}");
    }
    let built = draft(
        &[json!("the area is known")],
        &[step("Look at the Makefile", &["Makefile"], &[json!("its rules are known")])],
    );
    for (request, left_out) in [
        ("make does not build this project. Fix it.", "fix it"),
        ("make a backup of Makefile and count its rules", "make a backup of makefile"),
    ] {
        let told = reasons(request, &built);
        assert!(told.iter().any(|reason| reason.to_lowercase().contains(left_out)), "{request}: {told:?}");
    }
}

#[test]
fn files_are_named_by_planned_calls_too() {
    let request = "Rename getUser to fetch_user in app/cli.py and app/web.py";
    let renamed = json!("getUser is renamed to fetch_user everywhere");
    let mut plan = draft(
        std::slice::from_ref(&renamed),
        &[step("Rename the function", &["app/web.py"], std::slice::from_ref(&renamed))],
    );
    assert_eq!(reasons(request, &plan), ["the request names app/cli.py; no step and no criterion does"]);
    plan["subtasks"][0]["calls"] = json!([{"tool": "edit_file", "arguments": {"path": "app/cli.py"}}]);
    assert_eq!(reasons(request, &plan), [""; 0]);
}

#[test]
fn a_criterion_of_another_action_or_of_a_mere_look_covers_nothing() {
    let written =
        draft(&[file("file_contains", "h.txt")], &[step("Write h.txt", &[], &[json!("it says hello")])]);
    assert_eq!(
        reasons("Write hello into ./h.txt and commit it with git", &written),
        ["the request also asks: commit it with git; no criterion says that it is done"]
    );
    let read =
        draft(&[json!("essay.txt was read")], &[step("Look at essay.txt", &[], &[json!("it is known")])]);
    assert_eq!(reasons("Fix the typo in essay.txt", &read).len(), 1);
}

#[test]
fn every_named_file_is_named_by_the_plan() {
    let one = draft(
        &[file("file_exists", "report.md")],
        &[step("Compare", &["a.txt"], &[json!("differences are there")])],
    );
    let request = "compare a.txt with b.txt and write the differences to report.md";
    assert_eq!(reasons(request, &one), ["the request names b.txt; no step and no criterion does"]);
    let elsewhere = draft(
        &[json!({"text": "it ran, and the answer says so", "check": null})],
        &[step("Write the report", &["zz.txt"], &[json!("zz.txt is there")])],
    );
    assert!(reasons("write report.md", &elsewhere).iter().any(|reason| reason.contains("report.md")));
}

#[test]
fn what_is_done_to_the_world_is_never_a_matter_of_judgement() {
    let sent = json!({"text": "a mail was sent", "mode": "plausible", "check": null});
    let nice = json!({"text": "the list reads well", "mode": "plausible", "check": null});
    let plan = draft(&[sent, nice], &[step("List and mail", &[], &[json!("all are listed")])]);
    let answered = answer(&mut asked("list the files and send a mail"), &plan);
    let [Effect::Dispatch(plan)] = answered.as_slice() else { panic!("{answered:?}") };
    let modes: Vec<CriterionMode> = plan.task_criteria.iter().map(|c| c.mode).collect();
    assert_eq!(modes, [CriterionMode::Verifiable, CriterionMode::Plausible]);
}

#[test]
fn what_is_left_out_three_times_is_carried_or_ends_the_planning() {
    // The rest stands by itself: it is done, and what is left out goes with the plan.
    let listed =
        draft(&[json!("the files are listed")], &[step("List the files", &[], &[json!("all are there")])]);
    let plan = insisted("list the files and send a mail to bob", &listed).expect("the list is worth having");
    assert_eq!(plan.uncovered, [UncoveredPart::Action("send a mail to bob".to_owned())]);

    // A deletion never goes without the copy that the person put before it.
    let deleted =
        draft(&[file("file_absent", "a.txt")], &[step("Delete a.txt", &[], &[json!("it is gone")])]);
    let left_out =
        insisted("copy a.txt to b.txt and delete a.txt", &deleted).expect_err("no copy, no deletion");
    assert!(left_out.contains(&UncoveredPart::Action("copy a.txt to b.txt".to_owned())), "{left_out:?}");

    // Nothing of the request is left.
    assert!(insisted("delete notes.txt", &listed).is_err());
}
