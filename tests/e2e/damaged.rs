//! Files that were damaged, deleted or replaced behind the daemon's back: it starts, says so, loses nothing else, and
//! never takes the damage for the truth.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::checks::{ACCEPT, check_end};
use artoo_testing::model_server::{ModelServer, Reply};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::small_disk::{SmallDisk, with_mounts};
use artoo_testing::{Ended, Home, PATIENCE, lines};

/// A daemon that was killed after one task had ended and while another one waited for a model.
struct Killed {
    home: Home,
    _server: ModelServer,
    ended: String,
    open: String,
}

/// The second time that the executor is asked, it hangs.
fn killed() -> Killed {
    let steps = [subtask(1, "List the files", &["glob"], &[], &[criterion("The files are listed.")])];
    let scenario = Scenario::new(plan(&[criterion("The answer names the files.")], &steps))
        .act("List the files", vec![last_tool("glob", &json!({"root": ".", "pattern": "*.txt"}))]);
    let (asked, hung) = (AtomicBool::new(false), AtomicBool::new(false));
    let server = ModelServer::start(move |seen| {
        if seen.role == "R3" && asked.swap(true, Ordering::SeqCst) && !hung.swap(true, Ordering::SeqCst) {
            return Reply::Hang;
        }
        scenario.reply(seen)
    });
    let mut home = Home::started(&server.base_url());
    home.file("a.txt", "one\n");
    let first = home.run("List my text files", &[]);
    check_end("before the damage", &first, &ACCEPT);
    let mut client = home.task("List my text files again", &[]);
    let open = client.event("sub_task")["task_id"].as_str().expect("it has an id").to_owned();
    // Three calls of the first task, and those up to the one that hangs.
    server.wait_for_requests(6, PATIENCE);
    home.kill();
    Killed { home, ended: first.id().to_owned(), open, _server: server }
}

impl Killed {
    fn journal(&self, task: &str) -> PathBuf {
        self.home.data().join(format!("tasks/{task}.jsonl"))
    }

    /// Flips one bit in the second line of a journal; returns what is in the file then.
    fn damage(&self, task: &str) -> Vec<u8> {
        let path = self.journal(task);
        let mut bytes = fs::read(&path).expect("it is there");
        let second = bytes.iter().position(|byte| *byte == b'\n').expect("it has a line") + 60;
        bytes[second] ^= 1;
        fs::write(&path, &bytes).expect("it is ours");
        bytes
    }

    fn listed(&self, task: &str) -> Value {
        let all = self.home.json(&["tasks"]);
        let found = all["tasks"].as_array().into_iter().flatten().find(|row| row["task_id"] == task).cloned();
        found.unwrap_or_else(|| panic!("{task} is not listed: {all:#}"))
    }

    fn warnings(&self) -> String {
        self.home.json(&["status"])["warnings"].to_string()
    }

    /// Whatever happened to others, a new task runs.
    fn check_next(&self) {
        check_end("the next task", &self.home.run("List my text files", &[]), &ACCEPT);
    }
}

fn check_refused(row: &str, ended: &Ended, words: &[&str]) {
    assert_eq!(ended.code, Some(5), "{row}: {ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "{row}: no {word:?} in {ended:?}");
    }
}

#[test]
fn a_damaged_journal_is_told_with_its_line_and_harms_no_other_task() {
    let mut killed = killed();
    killed.home.journals_are_damaged();
    let bytes = [killed.damage(&killed.ended), killed.damage(&killed.open)];
    killed.home.start();
    for task in [&killed.ended, &killed.open] {
        let row = killed.listed(task);
        assert_eq!(row["state"], "damaged", "{row:#}");
        assert!(row["summary"].to_string().contains("line 2 of"), "{row:#}");
        assert!(row["input"].to_string().contains("List my text files"), "{row:#}");
        assert_eq!(killed.home.json(&["show", task]), row);
        let events = killed.home.artoo(&["events", task, "--follow", "--json"]);
        check_refused("events", &events, &["line 2 of", "restore it from a backup"]);
        let told = lines(&events.stdout);
        assert!(
            told.iter().any(|event| event["type"] == "task_submitted"),
            "what is whole is told: {told:#?}"
        );
        check_refused("cancel", &killed.home.artoo(&["cancel", task]), &["line 2 of"]);
    }
    assert_eq!(killed.listed(&killed.ended)["reason"], "criteria_met", "the index knows the end");
    assert!(killed.warnings().contains(&killed.open), "{}", killed.warnings());
    killed.check_next();
    let left = [&killed.ended, &killed.open].map(|task| fs::read(killed.journal(task)).expect("it is kept"));
    assert_eq!(left, bytes);
}

/// Its end would be cut as torn otherwise, and the task would stand as accepted for ever.
#[test]
fn an_open_task_of_which_no_whole_line_is_left_is_told_and_its_file_stays() {
    for keeps in [40, 0] {
        let mut killed = killed();
        let path = killed.journal(&killed.open);
        let bytes = fs::read(&path).expect("it is there")[..keeps].to_vec();
        fs::write(&path, &bytes).expect("it is ours");
        killed.home.start();
        assert_eq!(killed.listed(&killed.open)["state"], "damaged", "{keeps} bytes");
        assert!(killed.warnings().contains(&killed.open), "{}", killed.warnings());
        killed.check_next();
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
        // The check of all journals at the end knows of it.
        killed.home.journals_are_damaged();
    }
}

#[test]
fn a_deleted_journal_is_told() {
    let mut killed = killed();
    for task in [&killed.ended, &killed.open] {
        fs::remove_file(killed.journal(task)).expect("it is ours");
    }
    killed.home.start();
    let ended = killed.listed(&killed.ended);
    assert_eq!((&ended["state"], &ended["reason"]), (&json!("deleted"), &json!("criteria_met")), "{ended:#}");
    check_refused("show", &killed.home.artoo(&["show", &killed.ended]), &["was deleted"]);
    let open = killed.listed(&killed.open);
    assert_eq!(open["state"], "damaged", "{open:#}");
    assert!(open["summary"].to_string().contains("moved away or deleted"), "{open:#}");
    killed.check_next();
}

#[test]
fn an_index_of_tasks_that_is_gone_or_damaged_is_made_again() {
    let damage: [fn(&PathBuf); 3] = [
        |path| fs::remove_file(path).expect("it is ours"),
        |path| fs::write(path, "garbage\n").expect("it is ours"),
        |path| {
            let mut bytes = fs::read(path).expect("it is there");
            bytes[50] ^= 1;
            fs::write(path, bytes).expect("it is ours");
        },
    ];
    for damage in damage {
        let mut killed = killed();
        damage(&killed.home.data().join("journal/accept.jsonl"));
        killed.home.start();
        assert_eq!(killed.listed(&killed.ended)["state"], "finished");
        let open = killed.home.artoo(&["events", &killed.open, "--follow", "--json"]);
        assert_eq!(
            lines(&open.stdout).last().map(|event| event["type"].clone()),
            Some(json!("final_result"))
        );
        assert!(killed.warnings().contains("index of tasks"), "{}", killed.warnings());
        killed.check_next();
    }
}

#[test]
fn a_damaged_memory_is_told_and_tasks_run_without_it() {
    let mut killed = killed();
    let memory = killed.home.data().join("memory");
    fs::write(memory.join("CURRENT"), "garbage").expect("it is ours");
    killed.home.start();
    assert!(killed.warnings().contains("start again with an empty memory"), "{}", killed.warnings());
    check_refused("memory", &killed.home.artoo(&["memory", "list"]), &["the memory cannot be used", "move"]);
    killed.check_next();
    let (status, log) = killed.home.terminate();
    assert_eq!(status.code(), Some(0), "{log}");
    fs::rename(&memory, killed.home.data().join("memory.damaged")).expect("it is ours");
    killed.home.start();
    // What was learned without a memory comes back from the journals.
    let megrams = killed.home.json(&["memory", "list"]);
    assert!(megrams["megrams"].as_array().is_some_and(|found| !found.is_empty()), "{megrams:#}");
    assert_eq!(killed.home.json(&["status"])["warnings"], json!([]));
}

#[test]
fn a_disk_that_may_not_be_written_is_named() {
    with_mounts("damaged::a_disk_that_may_not_be_written_is_named", || {
        let killed = killed();
        let _disk = SmallDisk::mount(&killed.home.data(), 16);
        let remount = ["-o", "remount,ro"];
        let mounted = std::process::Command::new("mount").args(remount).arg(killed.home.data()).status();
        assert!(mounted.is_ok_and(|status| status.success()), "it could be mounted a moment ago");
        let ended = killed.home.daemon_program(&["--foreground"]);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains("Read-only file system"), "{ended:?}");
        assert!(ended.stderr.contains("ARTOO_DATA_DIR"), "{ended:?}");
    });
}
