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
fn the_dreamer_gets_a_template_and_no_invention() {
    let rule = ask("sop", "## Cluster\nglob failed three times on /x\n");
    assert_eq!(rule["kind"], "constraint");
    assert!(rule["rule"].as_str().is_some_and(|rule| rule.contains("glob failed three times on /x")));
    let lesson = ask("reflection", "## Task\nfind_files answered in 40 ms\n");
    assert_eq!(
        (&lesson["category"], &lesson["lesson"]),
        (&"fact".into(), &"find_files answered in 40 ms".into())
    );
    assert_eq!(reply_of_unknown(), serde_json::json!({}));
}

fn reply_of_unknown() -> serde_json::Value {
    ask("something_else", "## Request\nx")
}
