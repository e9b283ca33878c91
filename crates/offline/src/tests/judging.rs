//! Verdicts and merging.

use super::support::*;

fn verdict(criterion: &str) -> serde_json::Value {
    let user = format!(
        "## Status\ncompleted\n\n## Receipts\n[receipt r1] glob /x/*.rs exit=1\n[receipt r2] glob /x/*.rs exit=0\n  /x/a.rs\n\n## Answer\n[a3]\n  fine\n\n## Criteria\n1. [verifiable] {criterion}\n\n## Subtask\nx"
    );
    let reply = ask("verdicts", &user);
    let verdicts = reply["verdicts"].as_array().expect("verdicts").clone();
    assert_eq!(verdicts.len(), 1, "{reply}");
    assert_eq!(verdicts[0]["criterion"], 1, "the index of the list is used");
    assert_eq!(reply["correction"].is_null(), verdicts[0]["verdict"] == "pass", "{reply}");
    verdicts[0].clone()
}

#[test]
fn an_exit_status_is_judged_by_the_last_receipt() {
    for sentence in ["`glob` ended with exit status 0", "`glob` 以退出码 0 结束"] {
        let verdict = verdict(sentence);
        assert_eq!((&verdict["verdict"], &verdict["receipt"]), (&"pass".into(), &"r2".into()), "{sentence}");
    }
    let other = verdict("`glob` ended with exit status 1");
    assert_eq!((&other["verdict"], &other["failure_class"]), (&"fail".into(), &"environmental".into()));
}

#[test]
fn what_is_not_understood_fails_and_cites_nothing() {
    for sentence in
        ["the code is elegant", "`shell:find` ended with exit status 0", "`glob` ended well", "输出很好"]
    {
        let verdict = verdict(sentence);
        assert_eq!(
            (&verdict["verdict"], &verdict["failure_class"]),
            (&"fail".into(), &"logical".into()),
            "{sentence}"
        );
        assert!(verdict["receipt"].is_null(), "{sentence}");
    }
}

#[test]
fn outputs_are_merged_in_order_under_their_intents() {
    let reply = ask(
        "merge_verdict",
        "## Outcomes\n[subtask a] 1. Count: Rust: matched\n  3\n[subtask b] 2. List: matched\n  x\n  y\n\n## Task criteria\n0. [plausible] it is nice\n\n## Request\ncount and list",
    );
    assert_eq!(reply["merged_output"], "## Count: Rust\n3\n\n## List\nx\ny");
    assert_eq!(reply["verdicts"][0]["verdict"], "fail");
    assert!(reply["summary"].as_str().is_some_and(|summary| summary.contains("offline rules")));
}

#[test]
fn the_merged_output_meets_the_plan_s_task_criteria() {
    let plan = plan("count the Rust files and show free disk space");
    let outcomes: String = steps_of(&plan)
        .iter()
        .enumerate()
        .map(|(index, step)| {
            format!(
                "[subtask s{index}] {}. {}: matched\n  1\n",
                index + 1,
                step["intent"].as_str().expect("an intent")
            )
        })
        .collect();
    let merged = ask("merge_verdict", &format!("## Outcomes\n{outcomes}\n## Request\nx"));
    let merged = merged["merged_output"].as_str().expect("a text").to_owned();
    for criterion in plan["task_criteria"].as_array().expect("criteria") {
        let held = criterion["check"]["text"].as_str().expect("output_contains");
        assert!(merged.contains(held), "{held} in {merged}");
    }
}

#[test]
fn a_rule_quotes_the_plan_that_worked_or_the_plans_that_failed() {
    let rule = |kind: &str, evidence: &str| {
        ask("sop", &format!("## Kind\n{kind}\n\n## About\nintent:x env:local\n\n## Evidence\n{evidence}"))
    };
    for (kind, evidence, words) in [
        (
            "best_practice",
            "[accept] criteria_met: List. Plan: 1 [glob] list",
            "This plan has worked repeatedly: 1 [glob] list",
        ),
        (
            "best_practice",
            "[accept] criteria_met: 列出. Plan: 1 [glob] 列出",
            "这个计划多次成功：1 [glob] 列出",
        ),
        (
            "constraint",
            "[abandon] diverging: List. Failed plans: 1 [glob] a | 1 [glob] b. Unmet: it. no",
            "These plans have failed repeatedly: 1 [glob] a | 1 [glob] b",
        ),
        ("constraint", "[change_approach] glob on /x failed", ""),
        ("best_practice", "", ""),
    ] {
        let rule = rule(kind, evidence);
        assert_eq!((&rule["rule"], &rule["kind"]), (&words.into(), &kind.into()), "{evidence}");
    }
}

#[test]
fn a_lesson_quotes_the_trouble_and_what_became_of_it() {
    let lesson = |ending: &str, sections: &str, intent: &str| {
        let lesson = ask("reflection", &format!("## Ending\n{ending}\n\n{sections}## Intent\n{intent}"));
        let text = |field: &str| lesson[field].as_str().unwrap_or_default().to_owned();
        (text("lesson"), text("category"))
    };
    let sections = "## Plans\n- 1 [glob] a\n- 1 [shell] b\n\n## Troubles\n- no such file\n\n";
    for (ending, sections, intent, words, category) in [
        (
            "success (criteria_met)",
            sections,
            "List",
            "no such file. What then worked: 1 [shell] b",
            "procedure",
        ),
        (
            "success (criteria_met)",
            sections,
            "列出",
            "no such file. 后来成功的计划：1 [shell] b",
            "procedure",
        ),
        (
            "failure (diverging)",
            sections,
            "List",
            "no such file. The last plan failed as well: 1 [shell] b",
            "constraint",
        ),
        ("failure (cannot_plan)", "## Unmet\n- it is there\n\n", "List", "it is there", "constraint"),
        ("success (criteria_met)", "", "List", "", "procedure"),
    ] {
        assert_eq!(lesson(ending, sections, intent), (words.to_owned(), category.to_owned()), "{ending}");
    }
    assert_eq!(reply_of_unknown(), serde_json::json!({}));
}

fn reply_of_unknown() -> serde_json::Value {
    ask("something_else", "## Request\nx")
}
