//! What the operator does with the memory, with the real programs: each command, that a crash between the wish and the
//! deed loses nothing, and that the auditor's log names each change.

use serde_json::{Value, json};

use artoo_testing::{Ended, Home};

fn started() -> Home {
    let mut home = Home::new();
    home.start();
    home
}

/// It ended with this code, and told all of `words`.
fn check(row: &str, ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, Some(code), "{row}: {ended:?}");
    for word in words {
        let told = ended.stdout.contains(word) || ended.stderr.contains(word);
        assert!(told, "{row}: no {word:?} in {ended:?}");
    }
}

fn remember(home: &Home, words: &[&str]) -> String {
    let said = home.json(&[&["memory", "remember"], words].concat());
    said["megrams"][0]["id"].as_str().expect("it has an id").to_owned()
}

/// What is remembered besides the laws and the persona that every memory begins with.
fn exported(home: &Home) -> String {
    let ended = home.artoo(&["memory", "export"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let own = |line: &&str| line.contains("\"agent_id\":\"artoo\"");
    assert_eq!(ended.stdout.lines().filter(own).count(), 5, "{}", ended.stdout);
    ended.stdout.lines().filter(|line| !own(line)).map(|line| format!("{line}\n")).collect()
}

/// What the auditor wrote down of the operator's wishes, as kinds and summaries; what was only read aside.
fn audited(home: &Home) -> Vec<(String, String)> {
    // The report comes when everything before it is read.
    home.json(&["audit"]);
    let log = std::fs::read_to_string(home.data().join("audit.jsonl")).expect("there is a log");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("lines are JSON"));
    let wishes = lines.filter(|line| line["from"] == "operator" && line["to"] == "R5");
    let wishes = wishes.filter(|line| line["kind"] != "memory_query");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    wishes.map(|line| (text(&line["kind"]), text(&line["summary"]))).collect()
}

#[test]
fn every_command_says_what_it_did_to_people_and_to_scripts() {
    let home = started();
    let never = ["--never", "write", "to", "/srv/photos", "--tag", "tool:write_file"];
    let id = remember(&home, &never);
    check(
        "again",
        &home.artoo(&[&["memory", "remember"], &never[..]].concat()),
        0,
        &["1 memory known already"],
    );
    let rows: [(&[&str], i32, &[&str]); 14] = [
        (&["memory", "list"], 0, &["C  ", "-1.0", "tool:write_file path:*", "write to /srv/photos"]),
        (
            &["memory", "list", "--level", "t"],
            0,
            &["law 0: Never deceive", "law 3: Preserve", "persona: artoo"],
        ),
        (&["memory", "list", "--tag", "tool:glob"], 0, &["nothing remembered"]),
        (&["memory", "show", &id[..8]], 0, &[&id, "a rule: must not", "by operator, as declared", "stays"]),
        (&["memory", "why", "tool:write_file"], 0, &["must not", "write to /srv/photos"]),
        (&["memory", "why", "tool:write_file,path:*"], 0, &["must not"]),
        (&["memory", "pyramid"], 0, &["  C  █", "1   rule", "T  "]),
        (&["memory", "stats"], 0, &["T 5 · C 1 · K 0 · M 0", "6 since the memory was opened", "schema"]),
        (&["memory", "verify"], 0, &["✓ sound: 6 memories"]),
        (&["memory", "verify", "--rebuild"], 0, &["✓ sound: made anew; 6 memories"]),
        (&["memory", "separate", "find the largest files", "show the biggest files"], 0, &["none"]),
        (
            &["memory", "separate", "find the largest files", "Find the largest files."],
            5,
            &["the same words"],
        ),
        (
            &["memory", "similar", "find the largest files", "--to", "show the biggest files"],
            0,
            &["you said"],
        ),
        (
            &["memory", "forget", &id[..8]],
            2,
            &["1 memory would be forgotten for good; say --yes", "/srv/photos"],
        ),
    ];
    for (arguments, code, words) in rows {
        check(&arguments.join(" "), &home.artoo(arguments), code, words);
    }
    let shown = home.json(&["memory", "show", &id]);
    assert_eq!((&shown["sigma"], &shown["level"]), (&json!(-1.0), &json!("C")), "{shown:#}");
    assert_eq!(
        home.json(&["memory", "pyramid"])["levels"][2],
        json!({"level": "C", "count": 1, "remark": ""})
    );
    assert_eq!(home.json(&["memory", "verify"])["intact"], true);
    let undone =
        home.json(&["memory", "separate", "--undo", "find the largest files", "show the biggest files"]);
    assert_eq!((&undone["changed"], &undone["relation"]["relation"]), (&json!(true), &json!("alias")));
    check("forget", &home.artoo(&["memory", "forget", &id, "--yes"]), 0, &["1 memory forgotten for good"]);
    assert_eq!(exported(&home), "");
    let audited = audited(&home);
    let kinds: Vec<&str> = audited.iter().map(|(kind, _)| kind.as_str()).collect();
    let change = "memory_change";
    assert_eq!(kinds, ["megram_write", change, change, change, change], "{audited:#?}");
    let begins: Vec<&str> =
        audited.iter().filter_map(|(_, summary)| summary.split_whitespace().next()).collect();
    assert_eq!(begins, ["declared", "rebuilt", "separated", "rejoined", "forgotten"], "{audited:#?}");
    assert!(audited[4].1.contains(&id) && !audited[4].1.contains("photos"), "{audited:#?}");
}

#[test]
fn what_makes_no_sense_is_refused_with_what_to_do() {
    let home = started();
    let long = "x".repeat(1_001);
    let rows: [(&[&str], i32, &[&str]); 9] = [
        (&["memory", "show", "ffffffff"], 5, &["no memory has the id ffffffff", "artoo memory list"]),
        (&["memory", "show", "xyz"], 5, &["not the id of a memory", "first 4 digits"]),
        (&["memory", "remember", " "], 5, &["text: it is empty"]),
        (&["memory", "remember", &long], 5, &["1001 characters", "at most 1000"]),
        (&["memory", "remember", "a", "--level", "Q"], 5, &["there is no level \"Q\""]),
        (&["memory", "forget"], 2, &["say what to forget"]),
        (&["memory", "forget", "intent:nothing"], 0, &["nothing is remembered there"]),
        (&["memory", "import", "/nowhere/at/all"], 1, &["/nowhere/at/all", "cannot be read"]),
        (&["memory", "remember"], 2, &["artoo memory remember"]),
    ];
    for (arguments, code, words) in rows {
        check(&arguments.join(" "), &home.artoo(arguments), code, words);
    }
    assert_eq!(exported(&home), "");
}

#[test]
fn help_has_an_example_for_each_command() {
    let home = Home::new();
    for command in [
        "list",
        "show",
        "why",
        "similar",
        "pyramid",
        "stats",
        "remember",
        "forget",
        "export",
        "import",
        "verify",
        "separate",
        "proposals",
    ] {
        let example = format!("Example: artoo memory {command}");
        check(command, &home.artoo(&["memory", command, "--help"]), 0, &[&example]);
    }
}

#[test]
fn an_export_makes_the_same_memory_elsewhere() {
    let home = started();
    remember(&home, &["my invoices are in ~/bills"]);
    remember(&home, &["no", "photos", "--never", "--level", "T"]);
    remember(&home, &["it is a laptop", "--level", "K", "--tag", "intent:find_the_ten"]);
    let lines = exported(&home);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let elsewhere = started();
    let file = elsewhere.file("memory.jsonl", &format!("{lines}not a memory\n"));
    let import = ["memory", "import", file.to_str().expect("a path is text")];
    check("import", &elsewhere.artoo(&import), 1, &["3 new, 1 refused", "line 4:"]);
    check("again", &elsewhere.artoo(&import), 1, &["0 new, 3 known already, 1 refused"]);
    assert_eq!(exported(&elsewhere), lines);
    assert_eq!(elsewhere.json(&["memory", "verify"])["memories"], 8);
    let ended = elsewhere.artoo(&["memory", "forget", "global:user", "--yes"]);
    check("forget", &ended, 0, &["1 memory forgotten for good"]);
    check("buried", &elsewhere.artoo(&import), 1, &["0 new, 2 known already, 1 stay away"]);
}

#[test]
fn a_wish_survives_a_crash_before_it_is_carried_out() {
    let mut home = started();
    let kept = remember(&home, &["one"]);
    home.terminate();
    // The first sync of this daemon is that of the wish: its line is in the journal, and nothing was done.
    let die = |home: &mut Home, arguments: &[&str]| {
        home.set("ARTOO_CRASH_AT", "sync:1");
        home.start();
        let ended = home.artoo(arguments);
        assert_ne!(ended.code, Some(0), "the daemon died: {ended:?}");
        home.wait_for_end();
        home.unset("ARTOO_CRASH_AT");
        home.start();
    };
    die(&mut home, &["memory", "remember", "two"]);
    let lines = exported(&home);
    assert!(lines.contains("\"two\"") && lines.lines().count() == 2, "{lines}");
    home.terminate();
    die(&mut home, &["memory", "forget", &kept, "--yes"]);
    let lines = exported(&home);
    assert!(lines.contains("\"two\"") && lines.lines().count() == 1, "{lines}");
    home.terminate();
    die(&mut home, &["memory", "separate", "find the largest files", "show the biggest files"]);
    assert_eq!(home.json(&["memory", "stats"])["separations"].as_array().map(Vec::len), Some(1));
    home.kill();
    home.start();
    assert_eq!(exported(&home), lines, "nothing is done twice");
    assert_eq!(home.json(&["memory", "verify"])["intact"], true);
    let audited = audited(&home);
    assert_eq!(audited.len(), 4, "each wish once, those that a crash came between too: {audited:#?}");
}

#[test]
fn the_laws_are_there_from_the_first_start_and_only_the_operator_removes_one() {
    let mut home = started();
    let laws =
        || home.json(&["memory", "list", "--level", "T"])["megrams"].as_array().cloned().unwrap_or_default();
    let before = laws();
    assert_eq!(before.len(), 5, "{before:#?}");
    assert!(before.iter().all(|law| law["agent_id"] == "artoo" && law["k"] == 0.0), "{before:#?}");
    let law =
        before.iter().find(|law| law["content"].as_str().is_some_and(|text| text.starts_with("law 3:")));
    let id = law.and_then(|law| law["id"].as_str()).expect("it has an id").to_owned();
    assert_eq!(home.json(&["memory", "pyramid"])["levels"][3]["count"], 5);
    home.terminate();
    home.start();
    let laws =
        |home: &Home| home.json(&["memory", "list", "--level", "T"])["megrams"].as_array().map(Vec::len);
    assert_eq!(laws(&home), Some(5), "they are written once");
    check(
        "forget a law",
        &home.artoo(&["memory", "forget", &id, "--yes"]),
        0,
        &["1 memory forgotten for good"],
    );
    home.terminate();
    home.start();
    assert_eq!(laws(&home), Some(4), "what the operator forgot stays away");
}
