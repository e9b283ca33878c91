//! Requests as the roles write them.

use serde_json::Value;

use super::*;

/// The folders of the fixed setting.
pub(super) const WORK: &str = "/work dir";
pub(super) const SPACE: &str = "/space";

/// The reply to one request, as JSON.
pub(super) fn ask(schema: &str, user: &str) -> Value {
    let text = reply(schema, &[("system", "# Role: R2 Planner"), ("user", user)]);
    serde_json::from_str(&text).expect("the reply is JSON")
}

/// The sections Setting and Tools.
pub(super) fn setting(work: &str, tools: &[&str]) -> String {
    let tools: Vec<String> = tools.iter().map(|tool| format!("{tool} {{...}}: what it is for")).collect();
    format!(
        "## Setting\ndate: 2026-11-21\nworking_directory: {work}\nworkspace: {SPACE}\nhome: /home/ada\nos: linux\n\n## Tools\n{}\n\n",
        tools.join("\n")
    )
}

/// Every tool that a plan of the rules may use.
pub(super) const ALL_TOOLS: [&str; 5] = ["glob", "find_files", "read_file", "write_file", "shell"];

/// The plan for a request, with further sections in between.
pub(super) fn plan_with(request: &str, tools: &[&str], between: &str) -> Value {
    ask("plan", &format!("{}{between}## Intent\n{request}\n\n## Request\n{request}", setting(WORK, tools)))
}

/// The first plan for a request.
pub(super) fn plan(request: &str) -> Value {
    plan_with(request, &ALL_TOOLS, "")
}

/// The next action on a planned step. `between`: the sections Prior outputs, Done so far and Correction.
pub(super) fn act_on(step: &Value, between: &str) -> Value {
    let text = |field: &str| step[field].as_str().expect("a text field").to_owned();
    ask(
        "action",
        &format!(
            "{}## Context\n{}\n\n{between}## Criteria\n0. x\n\n## Subtask\n{}",
            setting(WORK, &ALL_TOOLS),
            text("context"),
            text("intent")
        ),
    )
}

/// The tools of every step, in order.
pub(super) fn tools_of(plan: &Value) -> Vec<Vec<String>> {
    steps_of(plan)
        .iter()
        .map(|step| {
            let tools = step["tools"].as_array().expect("a list of tools");
            tools.iter().map(|tool| tool.as_str().expect("a tool").to_owned()).collect()
        })
        .collect()
}

/// The steps of a plan.
pub(super) fn steps_of(plan: &Value) -> Vec<Value> {
    plan["subtasks"].as_array().expect("a list of subtasks").clone()
}

/// The body of a block, as prompts show it.
pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
