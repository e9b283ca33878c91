//! A naive model. Each role does what is usual; the planner has a habit for every kind of request and keeps to it unless its
//! prompt speaks against it. It knows nothing of the traps: only what a prompt says makes it choose another way, and it
//! keeps nothing between two prompts.

use serde_json::{Value, json};

use crate::memory_line::{MemoryLine, Says, is_missing};
use crate::prompt::{Ask, Wants, directive, last_block, pair};
use artoo_testing::model_server::{Reply, Seen};

/// One way to do what is asked, in the order of habit.
#[derive(Debug)]
struct Way {
    /// Tool classes of the step that does it, or of the one that searches first.
    tools: &'static [&'static str],
    /// Whether it first searches where the file is.
    searches: bool,
}

const fn way(tools: &'static [&'static str]) -> Way {
    Way { tools, searches: false }
}

const LINES: &[Way] = &[way(&["shell:sed"]), way(&["shell:zcat", "shell:awk"])];
const COUNT: &[Way] = &[way(&["shell:wc"]), way(&["shell:awk"])];
const CONTENT: &[Way] =
    &[way(&["read_file"]), way(&["shell:strings"]), Way { tools: &["find_files"], searches: true }];

/// The reply to one request.
pub(crate) fn reply(seen: &Seen) -> Reply {
    let content = match seen.role.as_str() {
        "R1" => understand(seen),
        "R2" => plan(seen),
        "R3" => act(seen),
        // Every criterion has a check, so nobody judges; what the Dreamer asks is answered in form.
        "R5" => json!({"rule": "Do it as it worked before.", "conditions": "The same task.",
                       "kind": "best_practice", "lesson": "It works like this.", "tags": ["learning"],
                       "category": "fact"}),
        other => return Reply::status(400, &format!("nobody plays {other:?}")),
    };
    Reply::Sse(content.to_string())
}

fn understand(seen: &Seen) -> Value {
    json!({"slug": "learning_task", "intent": seen.section("Request"), "tags": [], "clarify": [],
           "constraints": {"scope": null, "deadline": null}, "direct_answer": null})
}

fn plan(seen: &Seen) -> Value {
    let ask = Ask::read(&seen.section("Request"));
    match choose(&ask, seen) {
        Some(way) => planned(&ask, way),
        None => json!({"task_criteria": [], "subtasks": [], "output_from": null, "decline":
                       {"reason": "no way is left", "nearest": [], "how_to_configure": ""}}),
    }
}

/// The way that the prompt speaks for most, else the first that it does not speak against.
fn choose(ask: &Ask, seen: &Seen) -> Option<&'static Way> {
    let ways = match ask.wants {
        Wants::Lines(_) => LINES,
        Wants::Count => COUNT,
        Wants::Content => CONTENT,
    };
    let memory = seen.section("Memory");
    let lines: Vec<MemoryLine<'_>> = memory.lines().filter_map(MemoryLine::read).collect();
    let open: Vec<&Way> = ways.iter().filter(|way| !is_barred(way, ask, seen, &lines)).collect();
    let told = seen.section("Directive");
    let support = |way: &Way| {
        // What the last round saw weighs more than what memory says of other tasks.
        let fits = (way.searches && is_missing(&told))
            || (way.tools == ["shell:strings"] && told.contains("is binary"));
        let remembered =
            lines.iter().filter(|line| speaks_for(line, way)).map(|line| line.closeness(&ask.file));
        if fits { 9 } else { remembered.max().unwrap_or(0) }
    };
    let mut ranked = open;
    ranked.sort_by_key(|way| std::cmp::Reverse(support(way)));
    // Who hears that just this plan has failed already takes the next best.
    let is_known_to_fail = seen.section("Rejected draft").contains("the plan that already failed");
    ranked.into_iter().nth(usize::from(is_known_to_fail))
}

/// A search is about where files lie, everything else about what they are.
fn speaks_for(line: &MemoryLine<'_>, way: &Way) -> bool {
    let tools = line.tools();
    let is_it = if tools.len() == 1 && !way.searches {
        way.tools.contains(&tools[0])
    } else {
        let mut sorted = way.tools.to_vec();
        sorted.sort_unstable();
        tools == sorted
    };
    line.says == Says::For && is_it
}

/// Whether the directive, a rejected draft or memory speaks against a way.
fn is_barred(way: &Way, ask: &Ask, seen: &Seen, lines: &[MemoryLine<'_>]) -> bool {
    let uses = |class: &str| way.tools.contains(&class);
    let on_it = |target: &str| !way.searches && target.ends_with(&format!("/{}", ask.file));
    let blocked = directive(seen, "blocked tool").iter().any(|value| uses(pair(value).0));
    let failed = ["blocked target", "failed before"].iter().any(|name| {
        directive(seen, name)
            .iter()
            .map(|value| pair(value))
            .any(|(class, target)| uses(class) && on_it(target))
    });
    let rejected = seen.section("Rejected draft").lines().any(|line| {
        way.tools.iter().any(|tool| {
            line.contains(&format!(" uses {tool} on ")) || line.contains(&format!(" uses {tool},"))
        })
    });
    let remembered = lines.iter().filter(|line| line.says == Says::Against).any(|line| {
        let alike = line.closeness(&ask.file) >= if line.is_about_a_place() { 2 } else { 1 };
        let named = line.tools();
        line.names_plan(way.tools, &intent(ask))
            || (!way.searches && alike && named.iter().any(|tool| uses(tool)))
    });
    blocked || failed || rejected || remembered
}

fn intent(ask: &Ask) -> String {
    match &ask.wants {
        Wants::Lines(word) => format!("Find the lines with {word} in {}", ask.file),
        Wants::Count => format!("Count the records of {}", ask.file),
        Wants::Content => format!("Show {}", ask.file),
    }
}

fn planned(ask: &Ask, way: &Way) -> Value {
    let file = ask.file.as_str();
    let result = match &ask.wants {
        Wants::Lines(word) => {
            check(&format!("a line with {word} is shown"), &json!({"kind": "output_contains", "text": word}))
        }
        Wants::Count => check(
            "the output is one number",
            &json!({"kind": "output_matches", "regex": r"\A\s*[0-9]+\s*\z"}),
        ),
        Wants::Content => check("something is shown", &json!({"kind": "output_lines", "op": "ge", "n": 1})),
    };
    let step =
        |sequence: u32, intent: &str, call: &Value, tools: &[&str], targets: &[&str], criteria: &[Value]| {
            json!({"sequence": sequence, "intent": intent, "context": format!("call: {call}"), "tools": tools,
               "targets": targets, "success_criteria": criteria, "supersedes": []})
        };
    let name = file.rsplit('/').next().unwrap_or(file);
    let steps = if way.searches {
        let query = json!({"tool": "find_files", "arguments": {"query": name, "kind": "file", "root": "."}});
        let found = check(&format!("{name} is found"), &json!({"kind": "output_contains", "text": name}));
        let read = json!({"tool": "read_file", "arguments": {"path": "FOUND"}});
        vec![
            step(1, &format!("Find where {name} is"), &query, way.tools, &[name], &[found]),
            step(
                2,
                &format!("Show the {name} that was found"),
                &read,
                &["read_file"],
                &[],
                std::slice::from_ref(&result),
            ),
        ]
    } else {
        let call = call(ask, way);
        vec![step(1, &intent(ask), &call, way.tools, &[file], std::slice::from_ref(&result))]
    };
    json!({"task_criteria": [result], "subtasks": steps, "output_from": steps.len() - 1, "decline": null})
}

fn call(ask: &Ask, way: &Way) -> Value {
    let file = ask.file.as_str();
    let command = match (&ask.wants, way.tools) {
        (Wants::Lines(word), ["shell:sed"]) => format!("sed -n '/{word}/p' {file}"),
        (Wants::Lines(word), _) => format!("zcat {file} | awk '/{word}/'"),
        (Wants::Count, ["shell:wc"]) => format!("wc -l {file}"),
        (Wants::Count, _) => format!("awk 'END {{ print NR - 1 }}' {file}"),
        (Wants::Content, ["read_file"]) => return json!({"tool": "read_file", "arguments": {"path": file}}),
        (Wants::Content, _) => format!("strings {file}"),
    };
    json!({"tool": "shell", "arguments": {"command": command}})
}

fn check(text: &str, check: &Value) -> Value {
    json!({"text": text, "mode": "verifiable", "check": check})
}

/// The executor makes the call that the plan names, again when it is corrected: the plan leaves it no other way.
fn act(seen: &Seen) -> Value {
    let done = seen.section("Done so far");
    if !done.is_empty() {
        let said: String = last_block(&done).chars().take(300).collect();
        return json!({"action": "finish", "status": "failed", "output": said});
    }
    let context = seen.section("Context");
    let call = context.lines().find_map(|line| line.strip_prefix("call: ")).unwrap_or_default();
    let found = last_block(&seen.section("Prior outputs"));
    // A search may tell more of a file before its path.
    let path = found.lines().next().and_then(|line| line.rsplit('\t').next()).unwrap_or_default();
    let mut action: Value = serde_json::from_str(&call.replace("FOUND", path)).unwrap_or(Value::Null);
    action["action"] = json!("tool");
    action["final"] = json!(true);
    action
}
