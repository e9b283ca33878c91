//! What a server has read once it need not read again: prompts begin as those before them, byte for byte. Servers keep what
//! they made of a beginning (llama.cpp's slots, the prompt caches of hosted models) and take only the rest anew.

use std::collections::BTreeMap;

use serde_json::json;

use crate::checks::{ACCEPT, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::{ModelServer, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, finish, plan, subtask, tool};

/// Two looks, an answer that is sent back once, then another plan.
fn scenario() -> Scenario {
    let known = [criterion("It is known.")];
    let told = [criterion("It is told.")];
    let of = |name: &str| {
        let intent = format!("Read {name}");
        plan(&told, &[subtask(1, &intent, &["read_file"], &[name], &known)])
    };
    let looks = |name: &str| {
        let read = |from: u32| tool("read_file", &json!({"path": name, "offset": from, "limit": 1}));
        vec![read(0), read(1), finish("completed", "one\ntwo\n")]
    };
    Scenario::new(of("a.txt"))
        .then_plan(of("b.txt"))
        .act("Read a.txt", looks("a.txt"))
        .act("Read b.txt", looks("b.txt"))
        .fail("It is known.", "environmental", 3)
}

/// Which prompts are of a kind: those of a role with one task to do.
fn kind(seen: &Seen) -> (String, String) {
    (seen.role.clone(), seen.schema().to_owned())
}

/// How much of `before` is read again by one that comes behind it.
fn kept(before: &str, after: &str) -> usize {
    before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count()
}

#[test]
fn a_prompt_begins_as_the_one_before_it_in_its_task_and_in_every_task() {
    let server = ModelServer::start(scenario().script());
    let home = Home::started(&server.base_url());
    home.file("a.txt", "one\ntwo\n");
    home.file("b.txt", "one\ntwo\n");
    let mut systems: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut seen_before = 0;
    for request in ["Which words are in those files again", "再看一下这些文件里有哪些词"] {
        check_end(request, &home.run(request, &[]), &ACCEPT);
        let mut last: BTreeMap<(String, String), String> = BTreeMap::new();
        for seen in &server.requests()[seen_before..] {
            let key = kind(seen);
            let system = systems.entry(key.clone()).or_insert_with(|| seen.message("system").to_owned());
            assert_eq!(seen.message("system"), system, "{request}: {key:?} is told the same in every task");
            let user = seen.message("user").to_owned();
            if let Some(before) = last.insert(key, user.clone()) {
                check_continued(seen, &before, &user);
            }
        }
        seen_before = server.requests().len();
    }
    let executors = server.requests().iter().filter(|seen| seen.role == "R3").count();
    assert!(executors >= 12, "six turns or more for each request: {executors}");
}

/// Of what a role was told before in this task nothing is said again in other words but what has changed.
fn check_continued(seen: &Seen, before: &str, user: &str) {
    let kept = kept(before, user);
    let (role, least) = match seen.role.as_str() {
        // What was done so far only grows while one step goes on; what was wrong and the count of steps stand behind it.
        "R3" if section(before, "Subtask") == section(user, "Subtask") => {
            let end = ["\n## Correction", "\n## Step"].iter().find_map(|heading| before.find(heading));
            ("R3", end.expect("its steps are counted"))
        }
        // The place, its tools and the request stand before what the last round showed.
        "R2" => ("R2", before.len() / 2),
        _ => return,
    };
    assert!(
        kept >= least,
        "{role} keeps {kept} of {} bytes, not {least}:\n{before}\n\nthen\n\n{user}",
        before.len()
    );
}

/// The lines below a heading.
fn section<'a>(text: &'a str, title: &str) -> &'a str {
    let heading = format!("## {title}\n");
    text.split_once(&heading).map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or(rest))
}
