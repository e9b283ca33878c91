//! `artoo replay`: the recorded inputs of a task lead to the same decisions again, without a model, tools or a network.

use std::fs;

use serde_json::{Value, json};

use crate::checks::{ACCEPT, End, abandon, check_end};
use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};

const REQUEST: &str = "读一下计划";

const KNOWN: &str = "What the file says is known.";

/// Reads these files in turn, one a round. None of the first `missing` is there, which three attempts find out.
fn reads(files: &[&str], missing: u32) -> Scenario {
    let intent = |name: &str| format!("Read {name}");
    let plan_of = |name: &str| {
        let step = subtask(1, &intent(name), &["read_file"], &[name], &[criterion(KNOWN)]);
        plan(&[criterion("What the file says is reported.")], &[step])
    };
    let act = |scenario: Scenario, name: &&str| {
        scenario.act(&intent(name), vec![last_tool("read_file", &json!({"path": name}))])
    };
    let planned = files[1..]
        .iter()
        .fold(Scenario::new(plan_of(files[0])), |scenario, name| scenario.then_plan(plan_of(name)));
    files.iter().fold(planned, act).fail(KNOWN, "environmental", 3 * missing)
}

/// A home in which one task has run and ended, and nobody answers as a model any more.
fn ended(scenario: Scenario, end: &End) -> (Home, String) {
    let server = ModelServer::start(scenario.script());
    let mut home = Home::started(&server.base_url());
    home.file("计划.txt", "买种子\n");
    let run = home.run(REQUEST, &[]);
    check_end("the task", &run, end);
    let task = run.id().to_owned();
    drop(server);
    home.terminate();
    home.start();
    (home, task)
}

fn decisions(replay: &Value, whose: &str) -> Vec<String> {
    let all = replay["decisions"].as_array().expect("a list");
    all.iter().map(|pair| pair[whose]["directive"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_replanned_task_is_the_same_again_without_a_model() {
    let (home, task) = ended(reads(&["没有.txt", "计划.txt"], 1), &ACCEPT);
    let replay = home.json(&["replay", &task]);
    assert_eq!(replay["identical"], true, "{replay:#}");
    assert!(replay["first_difference"].is_null() && replay["remarks"] == json!([]), "{replay:#}");
    let words = decisions(&replay, "recorded");
    assert_eq!((words.len(), words[1].as_str()), (2, "accept"));
    assert_eq!(words, decisions(&replay, "replayed"));
    assert_eq!(replay["envelopes"], home.events(&task, 0).len());

    let shown = home.artoo(&["replay", &task[..13]]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.stdout.starts_with("✓ identical"), "{}", shown.stdout);
    assert!(shown.stdout.contains("accept · criteria_met"), "{}", shown.stdout);
    let events = home.events(&task, 0).len();
    assert_eq!(replay["envelopes"], events, "a replay leaves nothing behind");
}

#[test]
fn other_settings_show_what_would_have_been_decided() {
    let (home, task) = ended(
        reads(&["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"], 6),
        &abandon("replans_exhausted", 1),
    );
    let same = home.json(&["replay", &task, "--control", "alpha=0.7", "--control", "lambda=0.3"]);
    assert_eq!(same["identical"], true, "{same:#}");
    let (recorded, replayed) = (&same["decisions"][1]["recorded"], &same["decisions"][1]["replayed"]);
    assert_ne!(recorded["loss"]["L"], replayed["loss"]["L"], "the weights count");

    // By the belief a spent budget ends nothing; by the table it does, and Ω passes 0.1 with the first directive.
    let spent = home.json(&["replay", &task, "--control", "theta=0.1"]);
    assert_eq!(spent["identical"], true, "{spent:#}");
    let by_the_table = ["--control", "law=table", "--control", "theta=0.1"];
    let parted = home.artoo(&[&["replay", &task], &by_the_table[..], &["--json"]].concat());
    assert_eq!(parted.code, Some(1), "{parted:?}");
    let parted: Value = serde_json::from_str(&parted.stdout).expect("JSON");
    assert_eq!(decisions(&parted, "replayed")[1], "abandon");
    assert_eq!(parted["decisions"][1]["replayed"]["reason"], "budget_exhausted");
    assert_eq!(parted["decisions"].as_array().map(Vec::len), Some(2), "{parted:#}");
    assert!(parted["remarks"].to_string().contains("nobody has tried"), "{parted:#}");
    let cheap = home.artoo(&["replay", &task, "--control", "worth=1", "--json"]);
    assert_eq!(cheap.code, Some(1), "{cheap:?}");
    let cheap: Value = serde_json::from_str(&cheap.stdout).expect("JSON");
    assert_eq!(cheap["decisions"][0]["replayed"]["reason"], "not_worth_it", "{cheap:#}");

    for (setting, code, words) in [
        ("thetta=0.5", 5, "did you mean `theta` (a number from 0 to 1)?"),
        ("max_replans=21", 5, "a whole number from 0 to 20"),
        ("theta", 2, "theta"),
    ] {
        let refused = home.artoo(&["replay", &task, "--control", setting]);
        assert_eq!(refused.code, Some(code), "{refused:?}");
        assert!(refused.stderr.contains(words), "{refused:?}");
    }
}

#[test]
fn all_tasks_are_replayed_at_once_and_their_rounds_calibrate_nothing_yet() {
    let (home, task) = ended(reads(&["没有.txt", "计划.txt"], 1), &ACCEPT);
    let all = home.json(&["replay", "--all"]);
    assert_eq!(
        (&all["tasks"], &all["rounds"], &all["identical"]),
        (&json!(1), &json!(2), &json!(true)),
        "{all:#}"
    );
    let by_the_table = ["--control", "law=table", "--control", "theta=0"];
    let parted = home.artoo(&[&["replay", "--all"], &by_the_table[..]].concat());
    assert_eq!(parted.code, Some(1), "{parted:?}");
    assert!(parted.stdout.contains("1 task decided otherwise"), "{}", parted.stdout);
    assert!(parted.stdout.contains("abandon · budget_exhausted"), "{}", parted.stdout);
    assert!(parted.stdout.contains(&task[..8]), "{}", parted.stdout);

    let told = home.daemon_program(&["calibrate", "--apply"]).stdout;
    assert!(told.contains("1 ended tasks, 1 failed rounds"), "{told}");
    assert!(
        told.contains("Below 200 rounds nothing is changed") && told.contains("Nothing is to be changed"),
        "{told}"
    );
}

#[test]
fn a_changed_byte_in_a_journal_names_its_line() {
    let (mut home, task) = ended(reads(&["没有.txt", "计划.txt"], 1), &ACCEPT);
    home.journals_are_damaged();
    let journal = home.data().join(format!("tasks/{task}.jsonl"));
    let text = fs::read_to_string(&journal).expect("the journal is ours");
    let changed = text.replacen("change_path", "change_patq", 1);
    let line = changed.lines().zip(text.lines()).position(|(a, b)| a != b).expect("it was replanned") + 1;
    fs::write(&journal, changed).expect("the journal is ours");
    let refused = home.artoo(&["replay", &task]);
    assert_eq!(refused.code, Some(5), "{refused:?}");
    assert!(refused.stderr.contains(&format!("line {line} of")), "{refused:?}");
}
