//! A model that plays all roles together. It knows what code asks for: a draft that was sent back comes again in other
//! words and without checks, and every verdict is a pass that cites the listed evidence which fits its criterion best,
//! or what the row says. Honest rows use it too: there the evidence is what it is taken for.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use artoo_testing::model_server::{Reply, Seen};
use artoo_testing::scripted_roles::finish;

/// What the roles say in one task.
#[derive(Default)]
pub(crate) struct Model {
    /// R1's direct answer, where it gives one.
    pub(crate) direct_answer: Option<&'static str>,
    /// R1's intent, where it is not the request.
    pub(crate) intent: Option<&'static str>,
    /// R2's plans, one after the other.
    pub(crate) plans: Vec<Value>,
    /// R3's actions, by the beginning of the step's intent.
    pub(crate) acts: Vec<(&'static str, Vec<Value>)>,
    /// What verdicts cite.
    pub(crate) cites: Cites,
    /// What R4b merges to, where it is not what it was given.
    pub(crate) merged: Option<&'static str>,
    /// Whether R2 plans the same every time.
    pub(crate) is_stubborn: bool,
    /// How often R2 was asked.
    asked: AtomicUsize,
    /// The first receipt that any prompt of this task listed.
    earliest: OnceLock<String>,
}

/// What a verdict cites.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Cites {
    /// Of all listed evidence that which shares most words with the criterion.
    #[default]
    Best,
    /// The first receipt that any prompt of the task listed, of whichever step.
    Earliest,
    /// A receipt whose call did not succeed.
    Failed,
    /// This word, whatever is listed.
    Word(&'static str),
    /// The answer itself, or a whole subtask.
    Answer,
}

impl Model {
    /// One plan, and what is done for its step with this intent.
    pub(crate) fn new(plan: Value, intent: &'static str, actions: Vec<Value>) -> Self {
        Self { plans: vec![plan], acts: vec![(intent, actions)], ..Self::default() }
    }

    /// The reply to one request. `fill` fills in what stands in braces.
    pub(crate) fn reply(&self, seen: &Seen, fill: &dyn Fn(&str) -> String) -> Reply {
        let listed = evidence(seen.message("user"));
        if let Some(first) = listed.iter().find(|evidence| evidence.kind == EvidenceKind::Receipt) {
            self.earliest.get_or_init(|| first.id.clone());
        }
        let content = match seen.role.as_str() {
            "R1" => self.understand(seen),
            "R2" => self.plan(),
            "R3" => self.act(seen),
            "R4a" => self.judge(seen),
            "R4b" => self.merge(seen),
            "R5" => json!({"rule": "Do it the same way again.", "conditions": "The same task.",
                           "kind": "best_practice", "lesson": "It works like this.", "tags": ["truth"],
                           "category": "procedure"}),
            other => return Reply::status(400, &format!("nobody plays {other:?}")),
        };
        Reply::Sse(fill(&content.to_string()))
    }

    fn understand(&self, seen: &Seen) -> Value {
        let intent = self.intent.map_or_else(|| seen.section("Request"), str::to_owned);
        json!({"slug": "truth_task", "intent": intent, "tags": [], "clarify": [],
               "constraints": {"scope": null, "deadline": null}, "direct_answer": self.direct_answer})
    }

    /// The next plan. After the last one it comes again in other words, every second time without its checks.
    fn plan(&self) -> Value {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        let Some(last) = self.plans.last() else {
            return json!({"task_criteria": [], "subtasks": [], "output_from": null,
                          "decline": {"reason": "there is nothing to do", "nearest": [], "how_to_configure": ""}});
        };
        if self.is_stubborn {
            return last.clone();
        }
        if let Some(plan) = self.plans.get(number) {
            return plan.clone();
        }
        let (mut plan, again) = (last.clone(), number + 1 - self.plans.len());
        if again % 2 == 1 {
            strip(&mut plan["task_criteria"]);
        }
        for step in plan["subtasks"].as_array_mut().into_iter().flatten() {
            step["intent"] = json!(format!("{}, way {again}", step["intent"].as_str().unwrap_or_default()));
            if again % 2 == 1 {
                strip(&mut step["success_criteria"]);
            }
        }
        plan
    }

    /// The next action: as many are done as this attempt has receipts.
    fn act(&self, seen: &Seen) -> Value {
        let intent = seen.section("Subtask");
        let done = seen.section("Done so far");
        // What earlier attempts did stands before this mark.
        let done = evidence(done.rsplit("[another attempt]").next().unwrap_or_default());
        let actions = self.acts.iter().filter(|(beginning, _)| intent.starts_with(beginning));
        let actions = actions.max_by_key(|(beginning, _)| beginning.len()).map(|(_, actions)| actions);
        match actions
            .and_then(|actions| actions.get(done.len()).or(actions.last().filter(|last| is_finish(last))))
        {
            Some(action) => action.clone(),
            None => finish("completed", &done.last().map(Evidence::output).unwrap_or_default()),
        }
    }

    fn judge(&self, seen: &Seen) -> Value {
        let mut reply = json!({"verdicts": self.verdicts(seen, "Criteria"), "correction": null});
        if !seen.section("Task criteria").is_empty() {
            reply["task_verdicts"] = self.verdicts(seen, "Task criteria");
        }
        reply
    }

    fn merge(&self, seen: &Seen) -> Value {
        let outcomes = evidence(&seen.section("Outcomes"));
        let outputs: Vec<String> = outcomes.iter().map(Evidence::output).collect();
        let merged = self.merged.map_or_else(|| outputs.join("\n"), str::to_owned);
        let verdicts = self.verdicts(seen, "Task criteria");
        json!({"merged_output": merged, "summary": "It is done.", "verdicts": verdicts})
    }

    /// A pass for every listed criterion.
    fn verdicts(&self, seen: &Seen, section: &str) -> Value {
        let listed = evidence(seen.message("user"));
        let criteria = seen.section(section);
        let numbered = criteria.lines().filter_map(|line| {
            let (number, text) = line.split_once(". ")?;
            Some((number.parse::<usize>().ok()?, text))
        });
        let verdicts = numbered.map(|(index, text)| {
            json!({"criterion": index, "verdict": "pass", "failure_class": null,
                   "receipt": self.cites.choose(&listed, text, self.earliest.get()), "evidence": "The evidence shows it."})
        });
        verdicts.collect()
    }
}

impl Cites {
    fn choose(self, listed: &[Evidence], criterion: &str, earliest: Option<&String>) -> Option<String> {
        let receipts = || listed.iter().filter(|evidence| evidence.kind == EvidenceKind::Receipt);
        let others = || listed.iter().filter(|evidence| evidence.kind != EvidenceKind::Receipt);
        let best = || {
            let wanted = words(criterion);
            let fits = |evidence: &&Evidence| {
                let shared = words(&evidence.text).intersection(&wanted).count();
                (shared, evidence.text.contains("exit=0"))
            };
            receipts().max_by_key(fits).or_else(|| others().next_back())
        };
        let chosen = match self {
            Self::Best => best(),
            Self::Earliest => return earliest.cloned(),
            Self::Failed => receipts().find(|evidence| !evidence.text.contains("exit=0")),
            Self::Word(word) => return Some(word.to_owned()),
            Self::Answer => others().next_back(),
        };
        chosen.or_else(best).map(|evidence| evidence.id.clone())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvidenceKind {
    Receipt,
    Other,
}

/// One piece of evidence that a prompt lists.
#[derive(Debug)]
struct Evidence {
    kind: EvidenceKind,
    id: String,
    text: String,
}

impl Evidence {
    /// What stands indented below its first line, without what the receipt says of the call.
    fn output(&self) -> String {
        let lines = self.text.lines().skip(1).filter_map(|line| line.strip_prefix("  "));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The evidence in a text. What is foreign is indented, so none of it begins a line with a bracket.
fn evidence(text: &str) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let Some((words, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let kind =
                if words.starts_with("receipt ") { EvidenceKind::Receipt } else { EvidenceKind::Other };
            let id = words.rsplit(' ').next().unwrap_or(words).to_owned();
            found.push(Evidence { kind, id, text: line.to_owned() });
            is_inside = true;
        } else if line.starts_with("## ") {
            is_inside = false;
        } else if let Some(last) = found.last_mut().filter(|_| is_inside) {
            last.text.push('\n');
            last.text.push_str(line);
        }
    }
    found
}

/// Words by which a text is found again: names with what belongs to them, and single signs of scripts without spaces.
fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let ascii = lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-'));
    let plain = ascii.map(|word| word.trim_matches('.')).filter(|word| !word.is_empty()).map(str::to_owned);
    plain.chain(lower.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).map(String::from)).collect()
}

fn is_finish(action: &Value) -> bool {
    action["action"] == "finish"
}

fn strip(criteria: &mut Value) {
    for criterion in criteria.as_array_mut().into_iter().flatten() {
        criterion["check"] = Value::Null;
    }
}
