//! The model of a row at artoo's wire: which role asks is read from the prompt, and so is how far the work is. The same
//! turns drive a plain loop (`scene.rs`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::row::{Call, Row, Work};
use artoo_testing::model_server::{Reply, Seen};
use artoo_testing::scripted_roles::{finish, is_farewell, plan, subtask, tool};

/// What stands between the receipts of one attempt and those of the next.
const ANOTHER_ATTEMPT: &str = "[another attempt]";

/// The model while one row is played.
pub(crate) struct Model {
    row: Arc<Row>,
    /// Plans so far.
    plans: AtomicUsize,
}

impl Model {
    /// The model of this row.
    pub(crate) fn new(row: &Arc<Row>) -> Self {
        Self { row: Arc::clone(row), plans: AtomicUsize::new(0) }
    }

    /// The reply to one request.
    pub(crate) fn reply(&self, seen: &Seen) -> Reply {
        let content = match seen.role.as_str() {
            "R1" => {
                json!({"slug": "prepared_task", "intent": seen.section("Request"), "tags": [], "clarify": [],
                           "constraints": {"scope": null, "deadline": null}, "direct_answer": null})
            }
            "R2" if is_farewell(seen) => self.part(seen),
            "R2" => self.plan(seen),
            "R3" => self.act(seen),
            "R4a" => self.judge(seen),
            "R4b" => self.merge(seen),
            "R5" => json!({"rule": "Do it the same way again.", "conditions": "The same task.",
                           "kind": "best_practice", "lesson": "It works like this.", "tags": ["prepared"],
                           "category": "procedure"}),
            other => return Reply::status(400, &format!("nobody plays {other:?}")),
        };
        Reply::Sse(content.to_string())
    }

    /// The plan: one step, whose criteria are those of the task, and which begins with the first turn. Asked again, the step is said in other words and its
    /// checks are left out, as what was wrong with them is not known; what cannot be done is declined then.
    fn plan(&self, seen: &Seen) -> Value {
        let number = self.plans.fetch_add(1, Ordering::SeqCst);
        if number > 0 && self.row.work.gives_up {
            let reason = json!({"reason": self.row.work.answer, "nearest": [], "how_to_configure": ""});
            let mut none = plan(&[], &[]);
            none["decline"] = reason;
            return none;
        }
        let mut criteria = self.row.criteria.clone();
        let mut intent = self.row.request.to_owned();
        if number > 0 {
            intent.push_str(&format!(" (way {})", number + 1));
            criteria.iter_mut().for_each(|criterion| criterion["check"] = Value::Null);
        }
        let mut step = subtask(1, &intent, &[], &[], &criteria);
        if let Some(first) =
            self.row.work.turns.first().filter(|_| seen.message("system").contains("`calls`"))
        {
            step["calls"] = first.iter().map(wanted).collect();
        }
        plan(&criteria, &[step])
    }

    /// Last words of a task that is given up: what the answer would have been.
    fn part(&self, seen: &Seen) -> Value {
        let receipts = blocks(&seen.section("Receipts"));
        let receipt = receipts.iter().rfind(|block| block.is_receipt()).map(Block::id);
        let said = self.row.work.answer.replace("{last}", "").trim().to_owned();
        match receipt {
            Some(receipt) => json!({"found": [{"text": said, "receipt": receipt}], "next_moves": []}),
            None => json!({"found": [], "next_moves": [said]}),
        }
    }

    /// The next turn: the calls of the first turn that is not through, or what is left of it where one call a turn is
    /// all that artoo takes.
    fn act(&self, seen: &Seen) -> Value {
        let done = seen.section("Done so far");
        let done = blocks(done.rsplit(ANOTHER_ATTEMPT).next().unwrap_or_default());
        let is_corrected = !seen.section("Correction").is_empty();
        let work = self.row.cure.as_ref().filter(|_| is_corrected).unwrap_or(&self.row.work);
        if let Some(rest) = open_turn(work, done.len()) {
            let takes_several = seen.message("system").contains("\"action\": \"tools\"");
            return match rest {
                [one] => call(one),
                several if takes_several => {
                    json!({"action": "tools", "calls": several.iter().map(wanted).collect::<Vec<_>>()})
                }
                several => several.first().map_or(Value::Null, call),
            };
        }
        let last = done.last().map(Block::output).unwrap_or_default();
        finish(if work.gives_up { "failed" } else { "completed" }, &work.answer.replace("{last}", &last))
    }

    fn judge(&self, seen: &Seen) -> Value {
        let mut receipts = seen.section("Receipts");
        // What was wrong and is not put right by what is done instead stands there still.
        if self.row.cure.is_none() {
            receipts.push_str(&seen.section("Receipts of earlier attempts"));
        }
        let fault = self.row.tell.filter(|tell| receipts.contains(tell));
        let correction = fault.map(|tell| {
            json!({"what_was_wrong": format!("`{tell}` does not do what is asked"),
                   "what_to_do": "Do what the request says, with all of it."})
        });
        let mut reply = json!({"verdicts": verdicts(seen, "Criteria", fault), "correction": correction});
        if !seen.section("Task criteria").is_empty() {
            reply["task_verdicts"] = verdicts(seen, "Task criteria", fault);
        }
        reply
    }

    fn merge(&self, seen: &Seen) -> Value {
        let outputs: Vec<String> = blocks(&seen.section("Outcomes")).iter().map(Block::output).collect();
        json!({"merged_output": outputs.join("\n"), "summary": "It is done.",
               "verdicts": verdicts(seen, "Task criteria", None)})
    }
}

/// What is left of the first turn of which not all calls were made.
fn open_turn(work: &Work, done: usize) -> Option<&[Call]> {
    let mut before = 0;
    for turn in &work.turns {
        if let Some(rest) = turn.get(done.saturating_sub(before)..).filter(|rest| !rest.is_empty()) {
            return Some(rest);
        }
        before += turn.len();
    }
    None
}

/// One call of several.
fn wanted(call: &Call) -> Value {
    let (tool, arguments) = call.tool();
    json!({"tool": tool, "arguments": arguments})
}

fn call(call: &Call) -> Value {
    let (name, arguments) = call.tool();
    tool(name, &arguments)
}

/// A verdict for every listed criterion: a pass, or a fail for this reason. The last call that succeeded is cited.
fn verdicts(seen: &Seen, section: &str, fault: Option<&str>) -> Value {
    let listed = blocks(seen.message("user"));
    let receipts = || listed.iter().filter(|block| block.is_receipt());
    let cited = receipts().rfind(|block| block.head.contains(" exit=0"));
    let cited = cited.or_else(|| receipts().next_back()).or(listed.last()).map(|block| block.id.clone());
    let criteria = seen.section(section);
    let numbers = criteria.lines().filter_map(|line| line.split_once(". ")?.0.parse::<usize>().ok());
    let verdict = if fault.is_some() { "fail" } else { "pass" };
    let said = |index: usize| {
        json!({"criterion": index, "verdict": verdict, "failure_class": fault.map(|_| "logical"),
               "receipt": cited, "evidence": fault.unwrap_or("The evidence shows it.")})
    };
    numbers.map(said).collect()
}

/// A piece of evidence in a prompt: a line at the margin that begins with a bracket, and what stands below it.
#[derive(Debug)]
pub(crate) struct Block {
    /// Its id.
    id: String,
    head: String,
    below: Vec<String>,
}

impl Block {
    /// Whether it is a receipt, and not an answer or a refusal.
    pub(crate) fn is_receipt(&self) -> bool {
        self.head.starts_with("[receipt ")
    }

    /// Whether nobody was there to say the yes that the call needed.
    pub(crate) fn was_denied(&self) -> bool {
        self.is_receipt() && self.head.contains("exit=none (denied)")
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The last indented text, unless it is the command or what was written.
    fn output(&self) -> String {
        let mut output = String::new();
        let mut is_output = true;
        for line in &self.below {
            match line.strip_prefix("  ") {
                Some(text) if is_output => {
                    output.push_str(text);
                    output.push('\n');
                }
                Some(_) => {}
                None => {
                    output.clear();
                    is_output = !matches!(line.as_str(), "command:" | "written:");
                }
            }
        }
        output.trim_end().to_owned()
    }
}

/// The evidence in a text. What is foreign is indented, so none of it begins a line with a bracket.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let Some((words, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let id = words.rsplit(' ').next().unwrap_or(words).to_owned();
            found.push(Block { id, head: line.to_owned(), below: Vec::new() });
            is_inside = true;
        } else if line.starts_with("## ") {
            is_inside = false;
        } else if let Some(last) = found.last_mut().filter(|_| is_inside) {
            last.below.push(line.to_owned());
        }
    }
    found
}
