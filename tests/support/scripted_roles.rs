//! A script for the model server that plays every role well: it plans what a scenario says, takes the actions that the
//! scenario names, and passes every criterion with the evidence that the prompt shows. It reads only the request, as a
//! model would, so that repeated and interleaved requests get the right reply.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::model_server::{Reply, Seen};

/// What the roles do with one task.
#[derive(Debug)]
pub struct Scenario {
    task_spec: Value,
    plans: Vec<Value>,
    actions: Vec<(String, Vec<Value>)>,
    failing: Vec<(String, String, u32)>,
    merged: Option<Value>,
    farewell: Value,
    task_apart: bool,
    /// How often each failing criterion was judged.
    judged: Mutex<BTreeMap<String, u32>>,
}

impl Scenario {
    /// A task whose first plan, and each further one unless [`Scenario::then_plan`] says otherwise, is `plan`.
    pub fn new(plan: Value) -> Self {
        let task_spec = json!({
            "slug": "scripted_task", "intent": "Do what the scenario says.",
            "constraints": {"scope": null, "deadline": null}, "tags": ["scripted"], "clarify": [], "direct_answer": null
        });
        Self {
            task_spec,
            plans: vec![plan],
            actions: Vec::new(),
            failing: Vec::new(),
            merged: None,
            farewell: json!({"found": [], "next_moves": []}),
            task_apart: false,
            judged: Mutex::default(),
        }
    }

    /// R1's reply.
    pub fn task_spec(mut self, reply: Value) -> Self {
        self.task_spec = reply;
        self
    }

    /// The plan of the next round; the last one serves all further rounds.
    pub fn then_plan(mut self, plan: Value) -> Self {
        self.plans.push(plan);
        self
    }

    /// What the executor of the subtask with this intent does, one action a turn, in each of its attempts. After the
    /// last it finishes with the output of its last tool.
    pub fn act(mut self, intent: &str, actions: Vec<Value>) -> Self {
        self.actions.push((intent.to_owned(), actions));
        self
    }

    /// The criterion with this text fails with this class (`logical` or `environmental`) the first `times` times that
    /// it is judged.
    pub fn fail(mut self, criterion: &str, class: &str, times: u32) -> Self {
        self.failing.push((criterion.to_owned(), class.to_owned(), times));
        self
    }

    /// What R4b merges to; without it, the outputs that it was given.
    pub fn merged(mut self, output: Value) -> Self {
        self.merged = Some(output);
        self
    }

    /// What R2 says when the task is given up; without it, nothing.
    pub fn farewell(mut self, reply: Value) -> Self {
        self.farewell = reply;
        self
    }

    /// R4a says nothing of the criteria of the task, so that R4b is asked about them.
    pub fn task_apart(mut self) -> Self {
        self.task_apart = true;
        self
    }

    /// The reply to one request.
    pub fn reply(&self, seen: &Seen) -> Reply {
        match self.content(seen) {
            Some(content) => Reply::Sse(content.to_string()),
            None => Reply::status(400, &format!("no role in the first line: {:?}", seen.role)),
        }
    }

    /// What the role says; none when the request names no role.
    pub fn content(&self, seen: &Seen) -> Option<Value> {
        let content = match seen.role.as_str() {
            "R1" => self.task_spec.clone(),
            "R2" if is_farewell(seen) => self.farewell.clone(),
            "R2" => self.plan(seen),
            "R3" => self.action(seen),
            "R4a" => self.judge(seen),
            "R4b" => self.merge(seen),
            "R5" => json!({"rule": "Do it the same way again.", "conditions": "The same task.",
                           "kind": "best_practice", "lesson": "It works like this.", "tags": ["scripted"],
                           "category": "procedure"}),
            _ => return None,
        };
        Some(content)
    }

    /// The script for [`crate::model_server::ModelServer::start`].
    pub fn script(self) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
        move |seen| self.reply(seen)
    }

    /// The round is in the prompt: a replan says which it is.
    fn plan(&self, seen: &Seen) -> Value {
        let directive = seen.section("Directive");
        let replan = directive.lines().find_map(|line| line.strip_prefix("replan: "));
        let round = replan.map_or(0, |number| leading_number(number).unwrap_or(1));
        self.plans[round.min(self.plans.len() - 1)].clone()
    }

    fn action(&self, seen: &Seen) -> Value {
        let subtask = seen.section("Subtask");
        let done = seen.section("Done so far");
        let done = done.rsplit("[another attempt]").next().unwrap_or_default();
        let receipts = ids(done, "[receipt ");
        let actions = self.actions.iter().find(|(intent, _)| *intent == subtask).map(|(_, actions)| actions);
        match actions.and_then(|actions| actions.get(receipts.len())) {
            Some(action) => action.clone(),
            None => finish("completed", last_output(done).as_str()),
        }
    }

    /// The verdicts on the step, and on the task where its criteria are listed too.
    fn judge(&self, seen: &Seen) -> Value {
        let mut reply = self.verdicts(seen, "Criteria");
        if !self.task_apart && !seen.section("Task criteria").is_empty() {
            reply["task_verdicts"] = self.verdicts(seen, "Task criteria")["verdicts"].clone();
        }
        reply
    }

    fn verdicts(&self, seen: &Seen, criteria: &str) -> Value {
        let evidence =
            [("Receipts", "[receipt "), ("Answer", "["), ("Checked", "["), ("Outcomes", "[subtask ")]
                .into_iter()
                .find_map(|(section, mark)| ids(&seen.section(section), mark).pop());
        let listed = seen.section(criteria);
        let verdicts: Vec<Value> = listed
            .lines()
            .filter_map(|line| Some((leading_number(line)?, line.split_once(". ")?.1)))
            .map(|(index, text)| {
                let text = text.trim_start_matches("[verifiable] ").trim_start_matches("[plausible] ");
                match self.failing_class(text) {
                    Some(class) => json!({"criterion": index, "verdict": "fail", "failure_class": class,
                                                  "receipt": evidence, "evidence": "the scenario says so"}),
                    None => json!({"criterion": index, "verdict": "pass", "failure_class": null,
                                   "receipt": evidence, "evidence": "the evidence shows it"}),
                }
            })
            .collect();
        let failed = verdicts.iter().any(|verdict| verdict["verdict"] == "fail");
        let correction = json!({"what_was_wrong": "A criterion is not met.", "what_to_do": "Meet it."});
        json!({"verdicts": verdicts, "correction": if failed { correction } else { Value::Null }})
    }

    /// The class of a criterion that fails this time.
    fn failing_class(&self, criterion: &str) -> Option<&str> {
        let (_, class, times) = self.failing.iter().find(|(text, _, _)| text == criterion)?;
        let mut judged = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
        let count = judged.entry(criterion.to_owned()).or_default();
        *count += 1;
        (*count <= *times).then_some(class)
    }

    fn merge(&self, seen: &Seen) -> Value {
        let outputs = last_outputs(&seen.section("Outcomes"));
        let merged = self.merged.clone().unwrap_or_else(|| json!(outputs.join("\n")));
        json!({"merged_output": merged, "summary": "The scenario ran.",
               "verdicts": self.verdicts(seen, "Task criteria")["verdicts"]})
    }
}

/// Whether R2 is asked for the last words of a task that is given up.
pub fn is_farewell(seen: &Seen) -> bool {
    !seen.section("Why it ends").is_empty()
}

/// R2's reply.
pub fn plan(task_criteria: &[Value], subtasks: &[Value]) -> Value {
    json!({"task_criteria": task_criteria, "subtasks": subtasks, "output_from": null, "decline": null})
}

/// R2's reply when the output of one step (from 0) is the result.
pub fn plan_with_output_from(step: usize, task_criteria: &[Value], subtasks: &[Value]) -> Value {
    let mut plan = plan(task_criteria, subtasks);
    plan["output_from"] = json!(step);
    plan
}

/// One step of a plan, meant for `tools` on `targets`.
pub fn subtask(sequence: u32, intent: &str, tools: &[&str], targets: &[&str], criteria: &[Value]) -> Value {
    json!({"sequence": sequence, "intent": intent, "context": "", "tools": tools, "targets": targets,
           "success_criteria": criteria, "supersedes": []})
}

/// A verifiable criterion that a model judges.
pub fn criterion(text: &str) -> Value {
    json!({"text": text, "mode": "verifiable", "check": null})
}

/// A plausible criterion.
pub fn plausible(text: &str) -> Value {
    json!({"text": text, "mode": "plausible", "check": null})
}

/// A verifiable criterion that code decides: `{"kind": "file_exists", "path": ...}` and the like.
pub fn checked(text: &str, check: &Value) -> Value {
    json!({"text": text, "mode": "verifiable", "check": check})
}

/// R3 calls a tool.
pub fn tool(name: &str, arguments: &Value) -> Value {
    json!({"action": "tool", "tool": name, "arguments": arguments, "final": false})
}

/// R3 calls a tool whose output is the result.
pub fn last_tool(name: &str, arguments: &Value) -> Value {
    json!({"action": "tool", "tool": name, "arguments": arguments, "final": true})
}

/// R3 finishes.
pub fn finish(status: &str, output: &str) -> Value {
    json!({"action": "finish", "status": status, "output": output})
}

/// Words behind `mark` up to the bracket: the ids of evidence. Foreign text is indented, so it cannot pass for one.
fn ids(section: &str, mark: &str) -> Vec<String> {
    let behind = section.lines().filter_map(|line| line.strip_prefix(mark));
    behind.filter_map(|rest| rest.split_once(']')).map(|(id, _)| id.to_owned()).collect()
}

fn last_output(section: &str) -> String {
    last_outputs(section).pop().unwrap_or_default()
}

/// The indented texts of a section's blocks, one a block.
fn last_outputs(section: &str) -> Vec<String> {
    let mut outputs: Vec<String> = Vec::new();
    for line in section.lines() {
        match (line.strip_prefix("  "), outputs.last_mut()) {
            (Some(text), Some(output)) => {
                if !output.is_empty() {
                    output.push('\n');
                }
                output.push_str(text);
            }
            (Some(_), None) => {}
            (None, _) => outputs.push(String::new()),
        }
    }
    outputs
}

fn leading_number(text: &str) -> Option<usize> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
