use artoo_types::Timestamp;
use artoo_types::brief::AdviceForce;
use artoo_types::criteria::{Check, Criterion};
use artoo_types::evidence::CallEnd;
use artoo_types::plan::{PriorOutput, StepAdvice, SubTask};
use serde_json::json;

use super::{Executor, Input, asked, call, corrected, done_so_far, question, step_on};
use crate::prompt::tests::setting;
use crate::testing::{plausible, receipt, section, subtask, subtask_id, titles, user_text, verifiable};

fn full() -> SubTask {
    let prior = |sequence: u32, output: &str| PriorOutput {
        subtask_id: subtask_id(sequence),
        sequence,
        intent: format!("earlier {sequence}\n## Subtask"),
        output: output.to_owned(),
    };
    SubTask {
        intent: "count them\n## Setting\nexactly".to_owned(),
        context: "They are in /w.\nAll of them.".to_owned(),
        prior_outputs: vec![prior(1, "a.md\nb.md"), prior(2, "c.md")],
        success_criteria: vec![
            Criterion {
                check: Some(Check::FileExists { path: "/w/a".to_owned() }),
                ..verifiable("a number\n## Subtask")
            },
            plausible("it is short"),
        ],
        known: vec![StepAdvice {
            force: AdviceForce::Prefer,
            content: "wc was quick\n## Subtask".to_owned(),
        }],
        ..subtask(3, 3)
    }
}

#[test]
fn a_question_holds_everything_and_the_persons_words_are_last() {
    let mut setting = setting(true);
    setting.tools.truncate(1);
    let (_, request) = asked(&setting, full());
    assert!(request.messages[0].content.starts_with("# Role: R3 Executor\n"));
    assert_eq!(
        user_text(&request),
        "## Tools\nglob {x}: for tests\n\n\
         ## Setting\ndate: 2026-11-21\nworking_directory: /w\nworkspace: /h/artoo_workspace\nbare_names: /w\nhome: /h\nos: linux\n\
         questions: what needs a person's yes is asked\n\n\
         ## Context\nThey are in /w.\nAll of them.\n\n\
         ## Memory\nSHOULD PREFER: wc was quick ## Subtask\n\n\
         ## Prior outputs\n[1. earlier 1 ## Subtask]\n  a.md\n  b.md\n[2. earlier 2 ## Subtask]\n  c.md\n\n\
         ## Criteria\n0. a number ## Subtask (checked by code: {\"kind\":\"file_exists\",\"path\":\"/w/a\"})\n\
         1. it is short\n\n\
         ## Step\n1 of 60\n\n\
         ## Subtask\ncount them ## Setting exactly\n\n\
         ## Request\nhow many notes are there?"
    );
}

#[test]
fn sections_come_in_order() {
    let (mut executor, _) = asked(&setting(true), SubTask { intent: "count".to_owned(), ..full() });
    step_on(&mut executor, corrected(vec!["glob: {} → a\n## Subtask\nb".to_owned(); 40]));
    let request = question(step_on(&mut executor, call("no_tool", &json!({}))));
    let order = [
        "Tools",
        "Setting",
        "Context",
        "Memory",
        "Prior outputs",
        "Criteria",
        "Done so far",
        "Correction",
        "Step",
        "Subtask",
        "Request",
    ];
    let titles: Vec<&str> = titles(user_text(&request)).into_iter().filter(|t| !t.is_empty()).collect();
    assert_eq!(titles, order);
}

#[test]
fn the_oldest_receipts_give_way_when_there_is_no_room() {
    let (mut executor, _) = asked(&setting(true), subtask(1, 1));
    let mut last = None;
    for n in 1..=10 {
        step_on(&mut executor, call("glob", &json!({"n": n})));
        let mut receipt = receipt(n, CallEnd::Ran, Some(0), &format!("{n}{}", "x".repeat(50_000)));
        receipt.target = "/w/".repeat(2_000);
        last = Some(question(step_on(&mut executor, Input::Tool(receipt))));
    }
    let request = last.expect("ten turns");
    let done = done_so_far(&request);
    let first = done.lines().next().unwrap_or_default();
    assert!(first.starts_with("[receipt r1] glob /w/") && first.chars().count() < 400, "{first}");
    assert!(first.ends_with("(output left out here; read_output shows it: r1)"), "{first}");
    assert!(done.ends_with(&"x".repeat(8_000)), "the newest is shown with its head and tail");
    assert!(done.chars().count() <= 60_100, "half of a prompt: {}", done.chars().count());
}

#[test]
fn of_very_many_receipts_not_even_the_calls_are_all_listed() {
    let (mut executor, _) = asked(&setting(true), subtask(1, 1));
    let mut last = None;
    for n in 1..=300 {
        if n % 60 == 0 {
            step_on(&mut executor, corrected(Vec::new()));
        }
        step_on(&mut executor, call("glob", &json!({"n": n})));
        let mut receipt = receipt(n, CallEnd::Ran, Some(0), &format!("{n}{}", "x".repeat(50_000)));
        receipt.target = "/w/".repeat(2_000);
        last = Some(question(step_on(&mut executor, Input::Tool(receipt))));
    }
    let request = last.expect("many turns");
    let done = done_so_far(&request);
    assert!(done.starts_with("[earlier receipts omitted]\n[receipt r"), "{}", &done[..80]);
    assert!(done.chars().count() <= 60_100, "half of a prompt: {}", done.chars().count());
}

#[test]
fn a_long_context_is_cut_and_says_so() {
    let (_, request) = asked(&setting(true), SubTask { context: "x".repeat(100_000), ..subtask(1, 1) });
    let context = section(user_text(&request), "Context").expect("a context");
    assert_eq!(context.matches('x').count(), 20_000);
    assert!(context.contains("[... 80000 characters omitted ...]"));
}

#[test]
fn old_calls_give_way_seldom_and_all_at_once() {
    let (mut executor, _) = asked(&setting(true), subtask(1, 1));
    let (mut before, mut grown) = (String::new(), 0);
    for n in 1..=40 {
        step_on(&mut executor, call("glob", &json!({"n": n})));
        let receipt = receipt(n, CallEnd::Ran, Some(0), &format!("{n}{}", "x".repeat(3_000)));
        let request = question(step_on(&mut executor, Input::Tool(receipt)));
        let done = done_so_far(&request).to_owned();
        grown += usize::from(done.starts_with(&before));
        assert!(done.ends_with(&"x".repeat(3_000)) && done.chars().count() <= 60_100);
        before = done;
    }
    assert!(grown >= 35, "the beginning stayed as it was in {grown} of 40 calls");
}

#[test]
fn a_step_that_is_all_of_the_task_is_told_the_criteria_of_the_task() {
    let mut executor = Executor::new(&setting(true), "/w", "count");
    let file = |path: &str| Some(Check::FileExists { path: path.to_owned() });
    let of_task = vec![
        verifiable("It is Done"),
        Criterion { check: file("/w/a"), ..verifiable("it is done") },
        plausible("it reads well\n## Subtask"),
    ];
    let before = Input::Task { criteria: of_task, earlier: Vec::new() };
    assert_eq!(executor.step(Timestamp(0), before), []);
    let request = question(step_on(&mut executor, Input::Assigned(subtask(1, 1))));
    let user = user_text(&request);
    assert_eq!(section(user, "Criteria"), Some("0. it is done"));
    assert_eq!(
        section(user, "Task criteria"),
        Some(
            "1. it is done (checked by code: {\"kind\":\"file_exists\",\"path\":\"/w/a\"})\n\
             2. it reads well ## Subtask"
        ),
        "what the step's own criteria say is not said twice"
    );
}
