//! Recurring tasks: what is said of them, and that none of their occurrences runs twice or is lost while the daemon is killed again
//! and again. The clock is a file, so that a day takes a moment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use artoo_testing::dice::Dice;
use artoo_testing::{Ended, Home, wait_until};
use serde_json::Value;

/// 2026-06-01, a Monday, at 8:59:30 UTC, in milliseconds since the epoch.
const START: i64 = 1780304370000;
const MINUTE: i64 = 60_000;
/// Kills of the story.
const RESTARTS: u32 = 20;

struct Clock {
    file: std::path::PathBuf,
    now: i64,
}

impl Clock {
    fn set(&mut self, now: i64) {
        let draft = self.file.with_extension("new");
        fs::write(&draft, now.to_string())
            .and_then(|()| fs::rename(&draft, &self.file))
            .expect("the home can be written");
        self.now = now;
    }
}

/// A home whose recurring tasks follow a clock of the test, in UTC.
fn home() -> (Home, Clock) {
    let home = Home::new().variable("TZ", "UTC");
    let file = home.root().join("clock");
    let home = home.variable("ARTOO_SCHEDULE_CLOCK", &file.display().to_string());
    let mut clock = Clock { file, now: START };
    clock.set(START);
    (home, clock)
}

fn added(home: &Home, arguments: &[&str]) -> Value {
    home.json(&[&["schedule", "add"], arguments].concat())["schedule"].clone()
}

/// The requests of recurring tasks that were accepted: the time of each occurrence with its tasks, from the journals.
fn occurrences(home: &Home) -> BTreeMap<i64, BTreeSet<String>> {
    let mut found: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
    for file in fs::read_dir(home.data().join("tasks")).into_iter().flatten().flatten() {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        let Some(id) = first.split("\"request_id\":\"schedule:").nth(1) else { continue };
        let time =
            id.split('"').next().and_then(|id| id.rsplit(':').next()).and_then(|time| time.parse().ok());
        let time = time.unwrap_or_else(|| panic!("no time in {first}"));
        found.entry(time).or_default().insert(file.file_name().to_string_lossy().into_owned());
    }
    found
}

fn check(ended: &Ended, code: i32, parts: &[&str]) {
    assert_eq!(ended.code, Some(code), "{ended:?}");
    let said = format!("{}{}", ended.stdout, ended.stderr);
    for part in parts {
        assert!(said.contains(part), "no {part:?} in {said}");
    }
}

#[test]
fn recurring_tasks_are_noted_listed_run_and_taken_away() {
    let (mut home, mut clock) = home();
    home.file("a.txt", "one\n");
    home.start();
    check(&home.artoo(&["schedule", "list"]), 0, &["none yet"]);
    let weekdays = added(&home, &["every weekday 9:00", "how many txt files are here"]);
    assert_eq!(weekdays["cron"], "0 9 * * 1-5", "{weekdays:#}");
    assert_eq!(weekdays["next_at"][0], "2026-06-01T09:00:00Z", "{weekdays:#}");
    assert_eq!(added(&home, &["每天九点", "git status"])["cron"], "0 9 * * *");
    let listed = home.artoo(&["schedule", "list"]);
    check(
        &listed,
        0,
        &[
            "every weekday 9:00  how many txt files are here",
            "每天九点",
            "next Mon 2026-06-01 09:00, Tue 2026-06-02 09:00",
        ],
    );
    check(
        &home.artoo(&["schedule", "add", "soon", "x"]),
        5,
        &["is no time that recurs", "every weekday 9:00"],
    );
    check(&home.artoo(&["schedule", "add", "* * * * * *", "x"]), 5, &["is no time that recurs"]);
    check(&home.artoo(&["schedule", "remove", "zz"]), 5, &["there is no schedule zz"]);
    check(
        &home.artoo(&["schedule", "run", weekdays["schedule_id"].as_str().unwrap_or_default()]),
        0,
        &["started: artoo show"],
    );

    clock.set(START + MINUTE);
    wait_until("both run", || occurrences(&home).values().map(BTreeSet::len).sum::<usize>() == 2);
    let last = || {
        home.json(&["schedule", "list"])["schedules"][0]["last_task_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    wait_until("it is noted", || !last().is_empty());
    wait_until("it is accepted", || home.json(&["show", &last()])["directive"] == "accept");

    let all = home.json(&["schedule", "list"]);
    for one in all["schedules"].as_array().into_iter().flatten() {
        check(
            &home.artoo(&["schedule", "remove", &one["schedule_id"].as_str().unwrap_or_default()[..6]]),
            0,
            &["removed"],
        );
    }
    clock.set(START + 3 * 24 * 60 * MINUTE);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(occurrences(&home).len(), 1, "nothing recurs any more");
}

#[test]
fn what_was_missed_runs_once_or_not_at_all() {
    let (mut home, mut clock) = home();
    home.start();
    added(&home, &["every day at 9", "what time is it"]);
    added(&home, &["every day at 9:30", "what time is it", "--skip-missed"]);
    home.kill();
    clock.set(START + 5 * 24 * 60 * MINUTE + 3 * 60 * MINUTE);
    home.start();
    wait_until("the latest runs", || occurrences(&home).len() == 1);
    let problem = || home.json(&["schedule", "list"])["schedules"][1]["last_problem"].clone();
    wait_until("the other one is over", || problem() == "it was missed");
    let saturday_at_9 = START + 30_000 + 5 * 24 * 60 * MINUTE;
    assert_eq!(occurrences(&home).into_keys().collect::<Vec<_>>(), [saturday_at_9]);
}

#[test]
fn twenty_restarts_lose_no_occurrence_and_repeat_none() {
    let (mut home, mut clock) = home();
    home.start();
    added(&home, &["every 15 minutes", "what time is it"]);
    let mut dice = Dice::new(20);
    let mut expected = BTreeSet::new();
    let first = START + 30_000;
    for restart in 0..RESTARTS {
        // The next occurrence is due, and the daemon is killed at some moment around it.
        let due = first + i64::from(restart) * 15 * MINUTE;
        clock.set(due + 1_000);
        expected.insert(due);
        std::thread::sleep(Duration::from_millis(dice.below(120)));
        home.kill();
        home.start();
        // A journal may be there that was not accepted; what is noted down was.
        wait_until("it is accepted and noted", || {
            let listed = home.json(&["schedule", "list"]);
            let last =
                format!("{}.jsonl", listed["schedules"][0]["last_task_id"].as_str().unwrap_or_default());
            occurrences(&home).get(&due).is_some_and(|tasks| tasks.contains(&last))
        });
    }
    home.kill();
    home.start();
    let found = occurrences(&home);
    assert!(found.values().all(|tasks| tasks.len() == 1), "one ran twice: {found:#?}");
    assert_eq!(found.into_keys().collect::<BTreeSet<_>>(), expected);
}

#[test]
fn a_command_tells_how_a_scheduled_task_ended() {
    let (mut home, mut clock) = home();
    let told = home.root().join("told");
    let line =
        format!("printf '%s|%s\\n' \"$ARTOO_TITLE\" \"$ARTOO_TEXT\" >> {}; env >> {0}.env", told.display());
    home.configure(&format!("[notify]\ncommand = {line:?}\n"), 0o600);
    home.set("OPENAI_API_KEY", "sk-very-secret");
    home.start();
    added(&home, &["every day at 9", "what time is it"]);
    clock.set(START + MINUTE);
    let text = || fs::read_to_string(&told).unwrap_or_default();
    wait_until("it is told", || text().contains("artoo is done|what time is it"));
    let environment = fs::read_to_string(told.with_extension("env")).unwrap_or_default();
    assert!(!environment.contains("very-secret"), "{environment}");
}

/// A `notify-send` that writes down what it is told, in front of the system's programs.
#[cfg(target_os = "linux")]
fn with_desktop(home: Home) -> (Home, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let (programs, told) = (home.root().join("desktop"), home.root().join("told"));
    fs::create_dir(&programs).expect("the home can be written");
    let stub = programs.join("notify-send");
    let script = format!("#!/bin/sh\nprintf '%s|' \"$@\" >> {0}\necho >> {0}\n", told.display());
    fs::write(&stub, script).expect("the home can be written");
    fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    (home.variable("PATH", &path), told)
}

#[test]
#[cfg(target_os = "linux")]
fn the_desktop_tells_of_a_scheduled_end_and_of_a_question_that_nobody_sees() {
    let (home, mut clock) = home();
    let (mut home, told) = with_desktop(home);
    home.file("a.txt", "one\n");
    home.start();
    let text = || fs::read_to_string(&told).unwrap_or_default();
    added(&home, &["every day at 9", "what time is it"]);
    clock.set(START + MINUTE);
    wait_until("the end is told", || text().contains("--app-name=artoo|--|artoo is done|what time is it"));
    // Whoever asked is gone before the question is answered.
    let mut client = home.task("delete a.txt", &["--attended"]);
    client.event("confirmation_request");
    drop(client);
    wait_until("the question is told", || text().contains("|artoo waits for your answer|delete a.txt|"));
}

/// Nothing recurs in silence: a file that cannot be read is told, is left as it is, and waits for nobody.
#[test]
fn recurring_tasks_that_cannot_be_read_are_told() {
    let pipe = |file: &std::path::Path| {
        let made = std::process::Command::new("mkfifo").arg(file).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of every system");
    };
    let broken = |file: &std::path::Path| fs::write(file, "[{\"id\": oops").expect("the home can be written");
    for (said, is_pipe) in [("expected value", false), ("it is not a file", true)] {
        let (mut home, _) = home();
        home.start();
        home.kill();
        let file = home.data().join("schedules.json");
        if is_pipe {
            pipe(&file);
        } else {
            broken(&file);
        }
        home.start();
        let warnings = home.json(&["status"])["warnings"].to_string();
        for word in ["no recurring task runs", said, "artoo restart"] {
            assert!(warnings.contains(word), "no {word:?} in {warnings}");
        }
        let refused = home.artoo(&["schedule", "add", "every day 9:00", "what time is it"]);
        assert!(refused.code != Some(0) && refused.stderr.contains(said), "{refused:?}");
    }
}
