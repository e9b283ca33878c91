//! Plans that may not stand, and plans that fail: what the planner is told, and how the task ends.

use serde_json::{Value, json};

use crate::checks::{ACCEPT, End, abandon, check_end};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Home, TaskRun};

fn list() -> Value {
    last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))
}

fn step(sequence: u32, intent: &str, tools: &[&str]) -> Value {
    subtask(sequence, intent, tools, &[], &[criterion("The files are listed.")])
}

fn goal() -> Vec<Value> {
    vec![criterion("The answer names the files.")]
}

/// Runs the scenario and returns the run with the prompts that the planner got.
fn check(row: &str, scenario: Scenario, files: &[(&str, &str)], end: &End) -> (TaskRun, Vec<String>) {
    let server = ModelServer::start(scenario.script());
    let home = Home::started(&server.base_url());
    files.iter().for_each(|(name, content)| {
        home.file(name, content);
    });
    let run = home.run("Look what there is", &[]);
    check_end(row, &run, end);
    let asked = server.requests().into_iter().filter(|seen| seen.role == "R2");
    (run, asked.map(|seen| seen.message("user").to_owned()).collect())
}

#[test]
fn a_plan_of_eighty_steps_is_rejected_with_the_limit() {
    let steps: Vec<Value> = (1..=80).map(|_| step(1, "List the files", &["glob"])).collect();
    let (run, prompts) =
        check("80 steps", Scenario::new(plan(&goal(), &steps)), &[], &abandon("cannot_plan", 1));
    assert!(run.of_type("sub_task").is_empty(), "nothing of it may run: {}", run.outline());
    assert_eq!(prompts.len(), 3, "one draft and two more chances");
    assert!(prompts[1].contains("## Rejected draft") && prompts[1].contains("32"), "{}", prompts[1]);
    assert!(!run.result()["next_moves"].as_array().expect("a list").is_empty(), "{}", run.outline());
}

#[test]
fn ids_that_a_model_makes_up_name_nothing() {
    let steps = ["List the files", "List them again"].map(|intent| {
        let mut step = step(1, intent, &["glob"]);
        step["subtask_id"] = json!("11111111-1111-4111-8111-111111111111");
        step
    });
    let scenario = Scenario::new(plan(&goal(), &steps))
        .act("List the files", vec![list()])
        .act("List them again", vec![list()]);
    let (run, _) = check("two steps with one id", scenario, &[("a.txt", "one")], &ACCEPT);
    let mut ids: Vec<String> =
        run.of_type("sub_task").iter().map(|step| step["subtask_id"].to_string()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert!(ids.iter().all(|id| !id.contains("11111111")), "{ids:?}");
}

#[test]
fn a_tool_that_only_reads_is_not_blocked_though_it_did_not_do() {
    // The listing misses the criterion in all three attempts: the approach was wrong.
    let again = plan(&goal(), &[step(1, "List the files", &["glob", "read_file"])]);
    let scenario = Scenario::new(plan(&goal(), &[step(1, "List the files", &["glob"])]))
        .then_plan(again)
        .act("List the files", vec![list()])
        .fail("The files are listed.", "logical", 3);
    let (run, _) = check("reading tool", scenario, &[("a.txt", "one")], &ACCEPT);
    let directives = run.of_type("plan_directive");
    assert_eq!(directives[0]["blocked_tools"].as_array().map(Vec::len), Some(0), "{directives:#?}");
    assert_eq!(run.of_type("sub_task").len(), 2, "{}", run.outline());
}

#[test]
fn a_failed_round_is_replanned_around_its_target() {
    let read = |path: &str| vec![last_tool("read_file", &json!({"path": path}))];
    let one = |intent: &str, path: &str| {
        plan(&goal(), &[subtask(1, intent, &["read_file"], &[path], &[criterion("The files are listed.")])])
    };
    let scenario = Scenario::new(one("Read the list", "missing.txt"))
        .then_plan(one("Read the other list", "there.txt"))
        .act("Read the list", read("missing.txt"))
        .act("Read the other list", read("there.txt"))
        .fail("The files are listed.", "environmental", 3);
    let (run, prompts) = check("replan", scenario, &[("there.txt", "forty-two")], &ACCEPT);
    let directives = run.of_type("plan_directive");
    assert_eq!(directives.len(), 1, "{}", run.outline());
    assert_eq!(directives[0]["directive"], "change_path", "{directives:#?}");
    assert!(directives[0]["blocked_targets"].to_string().contains("missing.txt"), "{directives:#?}");
    assert!(prompts[1].contains("blocked target: read_file | ") && prompts[1].contains("missing.txt"));
    assert!(run.result()["output"].to_string().contains("forty-two"), "{}", run.outline());
    assert_eq!(run.result()["replans"], 1, "{}", run.outline());
}

#[test]
fn an_impossible_request_ends_with_what_is_missing_and_what_to_try() {
    // Every round plans something new, and nothing ever holds.
    let intents = ["Look here", "Look there", "Look behind", "Look beneath", "Look above", "Look beyond"];
    let plans = intents.map(|intent| plan(&goal(), &[step(1, intent, &["glob"])]));
    let [first, others @ ..] = plans;
    let scenario = others.into_iter().fold(Scenario::new(first), Scenario::then_plan);
    let scenario = intents.iter().fold(scenario, |scenario, intent| scenario.act(intent, vec![list()]));
    let scenario = scenario.fail("The files are listed.", "environmental", 100);
    let (run, _) = check("impossible", scenario, &[], &abandon("replans_exhausted", 1));
    let result = run.result();
    let unmet = result["unmet"].to_string();
    assert!(
        unmet.contains("The files are listed.") && unmet.contains("The answer names the files."),
        "{unmet}"
    );
    assert!(!result["next_moves"].as_array().expect("a list").is_empty(), "{result:#}");
    assert!(!result["summary"].as_str().unwrap_or_default().is_empty(), "{result:#}");
    assert_eq!(run.of_type("plan_directive").len(), 5, "{}", run.outline());
}
