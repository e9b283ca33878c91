//! A disk that is full: no task is accepted without room, nothing acts without its record, nothing is damaged, and
//! everything goes on by itself when there is room again.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use crate::checks::{ACCEPT, abandon, check_end};
use artoo_testing::audit_log::{check_exactly_once, steps};
use artoo_testing::model_server::{ModelServer, Seen};
use artoo_testing::scripted_roles::{Scenario, checked, criterion, plan, subtask, tool};
use artoo_testing::small_disk::{SmallDisk, with_mounts};
use artoo_testing::{Home, wait_until};
use artoo_types::machine::{StepRecord, TaskInput};

/// Size of the disk: what an empty memory takes, and some.
const DISK_MIB: u32 = 64;
const GREETING: &str = "hello";

/// What is to happen to the disk, once, when this role is asked.
struct Trap {
    role: &'static str,
    disk: Mutex<Option<Arc<SmallDisk>>>,
}

/// A home whose data folder is a small disk.
struct Cramped {
    disk: Arc<SmallDisk>,
    home: Home,
    server: ModelServer,
    trap: Arc<Trap>,
}

/// A task that writes a file, and fills the disk when `role` is asked for the first time.
fn cramped(role: &'static str) -> Cramped {
    let written = [checked("hello.txt is there", &json!({"kind": "file_exists", "path": "hello.txt"}))];
    let steps = [subtask(1, "Write the greeting", &["write_file"], &["hello.txt"], &written)];
    let scenario = Scenario::new(plan(&[criterion("The greeting is written.")], &steps)).act(
        "Write the greeting",
        vec![tool("write_file", &json!({"path": "hello.txt", "content": GREETING}))],
    );
    let trap = Arc::new(Trap { role, disk: Mutex::default() });
    let set = Arc::clone(&trap);
    let server = ModelServer::start(move |seen: &Seen| {
        if seen.role == set.role
            && let Some(disk) = set.disk.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            disk.fill();
        }
        scenario.reply(seen)
    });
    let mut home = Home::with_model(&server.base_url());
    let disk = Arc::new(SmallDisk::mount(&home.data(), DISK_MIB));
    home.configure("[storage]\nmin_free_mib = 8\n", 0o600);
    home.start();
    Cramped { disk, home, server, trap }
}

impl Cramped {
    fn arm(&self) {
        *self.trap.disk.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&self.disk));
    }

    fn greeting(&self) -> std::path::PathBuf {
        self.home.work().join("hello.txt")
    }

    fn says_full(&self) -> bool {
        let status = self.home.json(&["status"]);
        status["warnings"].as_array().is_some_and(|all| all.iter().any(|w| w.to_string().contains("is full")))
    }

    /// Every journal leads to the same decisions when it is folded again, and what happened to the world stands in one.
    fn check_records(&self) {
        self.home.check_journals();
        let mut wrote = 0;
        for path in journals(&self.home.data().join("tasks")) {
            wrote += steps(&path).iter().filter(|step| intends_to_write(step)).count();
        }
        assert!(wrote > 0 || !self.greeting().exists(), "a file was written that no journal knows of");
    }

    /// The auditor has noticed, it has seen every task, each once, and its log is whole.
    fn check_audit(&self, tasks: usize) {
        let report = self.home.json(&["audit"]);
        assert!(report["totals"]["anomalies"].as_u64() >= Some(1), "{report:#}");
        assert_eq!(report["boundary_violations"], json!([]), "{report:#}");
        assert_eq!(report["totals"]["tasks_observed"], tasks, "{report:#}");
        check_exactly_once(&self.home.data(), tasks);
        let verified = self.home.artoo(&["audit", "verify"]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
    }

    /// Reading goes on.
    fn check_reads(&self, task: &str) {
        assert_eq!(self.home.json(&["show", task])["task_id"], task);
        assert!(!self.home.events(task, 0).is_empty());
        self.home.json(&["tasks"]);
        self.home.json(&["memory", "list"]);
        assert_eq!(self.home.artoo(&["audit"]).code, Some(0));
    }
}

fn journals(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be listed").path()).collect()
}

/// Whether the step says that the call is about to run.
fn intends_to_write(step: &StepRecord) -> bool {
    let TaskInput::ToolStarting { intent, .. } = &step.input else { return false };
    intent.targets.iter().any(|target| target.contains("hello.txt"))
}

/// A task whose disk fills when `role` is asked goes on when there is room, as if nothing had been.
fn check_recovery(role: &'static str) {
    let cramped = cramped(role);
    cramped.arm();
    let mut client = cramped.home.task("Write the greeting", &[]);
    let task = client.event("task_submitted")["task_id"].as_str().expect("it has an id").to_owned();
    wait_until("the daemon says that the disk is full", || cramped.says_full());
    cramped.check_records();
    cramped.check_reads(&task);
    assert_ne!(cramped.home.json(&["show", &task])["state"], "finished", "{role}");
    let refused = cramped.home.artoo(&["run", "--json", "Another"]);
    assert_eq!(refused.code, Some(5), "{role}: {refused:?}");
    assert!(refused.stderr.contains("free some space"), "{role}: {refused:?}");

    cramped.disk.free();
    check_end(role, &client.finish(), &ACCEPT);
    assert_eq!(std::fs::read_to_string(cramped.greeting()).ok().as_deref(), Some(GREETING), "{role}");
    cramped.check_records();
    wait_until("the warning goes", || cramped.home.json(&["status"])["warnings"] == json!([]));
    std::fs::remove_file(cramped.greeting()).expect("it is there");
    check_end("the next task", &cramped.home.run("Write the greeting", &[]), &ACCEPT);
    cramped.check_audit(2);
}

#[test]
fn a_task_that_waits_for_room_is_stopped_by_a_word_or_its_deadline() {
    with_mounts("full_disk::a_task_that_waits_for_room_is_stopped_by_a_word_or_its_deadline", || {
        let rows: [(&[&str], _); 2] =
            [(&[], abandon("cancelled", 130)), (&["--deadline", "1500ms"], abandon("deadline", 1))];
        for (options, end) in rows {
            let cramped = cramped("R3");
            cramped.arm();
            let mut client = cramped.home.task("Write the greeting", options);
            let task = client.event("task_submitted")["task_id"].as_str().expect("it has an id").to_owned();
            wait_until("the daemon says that the disk is full", || cramped.says_full());
            let before = (cramped.server.requests().len(), cramped.greeting().exists());
            if options.is_empty() {
                cramped.home.artoo(&["cancel", &task]);
            }
            cramped.disk.free();
            check_end("stopped on a full disk", &client.finish(), &end);
            let after = (cramped.server.requests().len(), cramped.greeting().exists());
            assert_eq!(after, before, "nothing begins after the end was due");
            cramped.check_records();
        }
    });
}

#[test]
fn a_daemon_is_stopped_and_started_on_a_full_disk() {
    with_mounts("full_disk::a_daemon_is_stopped_and_started_on_a_full_disk", || {
        let mut cramped = cramped("R3");
        cramped.arm();
        let mut client = cramped.home.task("Write the greeting", &[]);
        let task = client.event("task_submitted")["task_id"].as_str().expect("it has an id").to_owned();
        wait_until("the daemon says that the disk is full", || cramped.says_full());
        drop(client);
        let (status, log) = cramped.home.terminate();
        assert_eq!(status.code(), Some(0), "{log}");
        cramped.check_records();

        cramped.disk.fill();
        cramped.home.start();
        assert_eq!(cramped.home.json(&["show", &task])["task_id"], task);
        assert!(!cramped.home.events(&task, 0).is_empty());
        assert_eq!(cramped.home.artoo(&["audit"]).code, Some(0));
        // A memory needs room to be opened, and comes back by itself.
        cramped.disk.free();
        wait_until("the memory is back", || cramped.home.artoo(&["memory", "list"]).code == Some(0));
        wait_until("the task ends", || cramped.home.json(&["show", &task])["state"] == "finished");
        cramped.check_records();
        std::fs::remove_file(cramped.greeting()).ok();
        check_end("the next task", &cramped.home.run("Write the greeting", &[]), &ACCEPT);
        cramped.check_audit(2);
    });
}

#[test]
fn a_task_waits_for_room_and_goes_on_by_itself() {
    with_mounts("full_disk::a_task_waits_for_room_and_goes_on_by_itself", || {
        for role in ["R2", "R3", "R4a"] {
            check_recovery(role);
        }
    });
}
