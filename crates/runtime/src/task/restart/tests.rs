use std::path::{Path, PathBuf};
use std::time::Duration;

use artoo_journal::line::{LineHash, seal};
use artoo_journal::{Follower, JournalError};
use artoo_model::Models;
use artoo_task::view::TaskView;
use artoo_types::control::{Ending, Reason};
use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::{Envelope, TaskId};
use serde_json::Value;

use crate::testing::{assembled, offline, places, silent};
use crate::wiring::Daemon;

/// A home in which one daemon runs after the other.
struct House {
    folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::create_dir(folder.path().join("home")).expect("a folder can be made");
        std::fs::write(folder.path().join("home/a.txt"), "one\n").expect("a file can be made");
        Self { folder }
    }

    fn daemon(&self, models: Models) -> Daemon {
        assembled(&places(self.folder.path()), models, true)
    }

    async fn submit(&self, daemon: &Daemon) -> TaskId {
        self.submit_as(daemon, "key").await
    }

    async fn submit_as(&self, daemon: &Daemon, key: &str) -> TaskId {
        let home = self.folder.path().join("home").to_string_lossy().into_owned();
        let submitted = TaskSubmitted {
            input: format!("how many files are in {home}"),
            session_id: String::new(),
            request_id: key.to_owned(),
            working_directory: home,
            options: TaskOptions::default(),
        };
        daemon.tasks.submit(submitted).await.expect("it is accepted").task_id
    }

    fn journal(&self, task_id: TaskId) -> std::path::PathBuf {
        self.folder.path().join(format!("data/tasks/{task_id}.jsonl"))
    }

    /// A task that a model kept waiting, and whose daemon was stopped.
    async fn left_off(&self) -> TaskId {
        let daemon = self.daemon(silent());
        let task_id = self.submit(&daemon).await;
        daemon.shut_down(Duration::ZERO).await;
        task_id
    }
}

/// Every event of the task up to its end.
async fn events(daemon: &Daemon, task_id: TaskId) -> Vec<Envelope> {
    let mut stream = daemon.tasks.events(task_id, 0, true).expect("it has events");
    let mut events = Vec::new();
    let patience = Duration::from_secs(60);
    while let Some(event) =
        tokio::time::timeout(patience, stream.next()).await.expect("it ends").expect("it can be read")
    {
        events.push(event);
    }
    events
}

fn check_end(events: &[Envelope], directive: Ending, reason: Reason) {
    let mut view = TaskView::new(events[0].task_id.expect("it belongs to a task"));
    for (i, event) in events.iter().enumerate() {
        assert_eq!(event.sequence, i as u64 + 1, "a gap or a double");
        assert!(view.result.is_none(), "something follows the end");
        view.observe(event);
    }
    let result = view.result.expect("it has its end");
    assert_eq!((result.directive, result.reason), (directive, reason), "{result:?}");
}

/// Changes a journal's last record, and seals it anew.
fn change_last(path: &Path, change: impl Fn(&mut Value)) {
    let mut lines = lines(path);
    change(lines.last_mut().expect("a step"));
    write_sealed(path, &lines);
}

/// The lines of a file of records, without their seals.
fn lines(path: &Path) -> Vec<Value> {
    let reader = Follower::<Value>::open(path, 0).expect("the file can be read");
    let unsealed = |line: Result<(Value, u64), JournalError>| {
        let mut record = line.expect("a whole line").0;
        let fields = record.as_object_mut().expect("a record is an object");
        fields.shift_remove("prev");
        fields.shift_remove("crc");
        record
    };
    reader.map(unsealed).collect()
}

fn write_sealed(path: &Path, lines: &[Value]) {
    let mut prev = LineHash::GENESIS;
    let mut text = String::new();
    for line in lines {
        let sealed = seal(&line.to_string(), prev).expect("an object");
        prev = LineHash::of(&sealed);
        text.push_str(&sealed);
        text.push('\n');
    }
    std::fs::write(path, text).expect("the file can be written");
}

/// The journals that an earlier build wrote.
fn earlier(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenario/journals").join(format!("{name}.jsonl"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_was_left_off_goes_on_with_the_next_daemon() {
    let house = House::new();
    let task_id = house.left_off().await;
    let daemon = house.daemon(offline());
    assert_eq!(crate::task::recover(&daemon.tasks), 1);
    check_end(&events(&daemon, task_id).await, Ending::Accept, Reason::CriteriaMet);
    assert_eq!(house.submit(&daemon).await, task_id, "the same key is the same task");
    daemon.shut_down(Duration::from_secs(10)).await;
    let daemon = house.daemon(offline());
    assert_eq!(crate::task::recover(&daemon.tasks), 0, "it has ended");
    daemon.shut_down(Duration::ZERO).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_this_version_would_have_run_differently_ends_as_interrupted() {
    let house = House::new();
    let task_id = house.left_off().await;
    change_last(&house.journal(task_id), |record| {
        // The last step may have wanted nothing.
        record["effects"] = serde_json::json!([{"kind": "wake_at", "at": 7}]);
    });
    let daemon = house.daemon(offline());
    assert_eq!(crate::task::recover(&daemon.tasks), 1);
    check_end(&events(&daemon, task_id).await, Ending::Abandon, Reason::Interrupted);
    daemon.shut_down(Duration::from_secs(10)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_journal_of_an_earlier_build_that_folds_differently_ends_as_interrupted() {
    let house = House::new();
    let data = places(house.folder.path()).data;
    let mut left = Vec::new();
    let folder = earlier("accept");
    for file in std::fs::read_dir(folder.parent().expect("a folder")).expect("it can be listed") {
        let mut steps = lines(&file.expect("a file").path());
        if steps[0]["input"]["kind"] != "submitted" {
            continue;
        }
        let task = steps[0]["envelopes"][0]["task_id"].clone();
        let task_id: TaskId = serde_json::from_value(task).expect("it belongs to a task");
        // The daemon went down before the last step, and before it this build would have done something else.
        steps.pop();
        let effects = steps.last_mut().and_then(|step| step["effects"].as_array_mut()).expect("a step");
        effects.push(serde_json::json!({"kind": "wake_at", "at": 7}));
        write_sealed(&house.journal(task_id), &steps);
        left.push(task_id);
    }
    assert_ne!(left, []);
    let mut index = lines(&earlier("accept"));
    let is_left = |line: &Value| left.iter().any(|id| line["task_id"] == id.to_string());
    index.retain(|line| line["mark"] == "accepted" && is_left(line));
    write_sealed(&data.join("journal/accept.jsonl"), &index);
    let daemon = house.daemon(silent());
    assert_eq!(crate::task::recover(&daemon.tasks), left.len());
    for task_id in left {
        check_end(&events(&daemon, task_id).await, Ending::Abandon, Reason::Interrupted);
    }
    daemon.shut_down(Duration::from_secs(10)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_that_the_index_missed_is_noted_and_nothing_goes_on() {
    let house = House::new();
    let daemon = house.daemon(offline());
    let task_id = house.submit(&daemon).await;
    check_end(&events(&daemon, task_id).await, Ending::Accept, Reason::CriteriaMet);
    daemon.shut_down(Duration::from_secs(10)).await;
    let index = house.folder.path().join("data/journal/accept.jsonl");
    let text = std::fs::read_to_string(&index).expect("the index");
    let first = text.lines().next().expect("the task is in it");
    std::fs::write(&index, format!("{first}\n")).expect("the index can be written");
    let steps = std::fs::read_to_string(house.journal(task_id)).expect("the journal");

    let daemon = house.daemon(offline());
    assert_eq!(crate::task::recover(&daemon.tasks), 0);
    daemon.shut_down(Duration::from_secs(10)).await;
    assert_eq!(std::fs::read_to_string(house.journal(task_id)).expect("the journal"), steps);
    assert_eq!(
        std::fs::read_to_string(&index).expect("the index").lines().count(),
        2,
        "the end is noted again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ended_after_the_memorys_last_change_is_brought_in_again() {
    let house = House::new();
    let daemon = house.daemon(offline());
    let mut ended = Vec::new();
    for key in ["one", "two", "three"] {
        let task_id = house.submit_as(&daemon, key).await;
        let end = events(&daemon, task_id).await.pop().expect("it has its end");
        ended.push((task_id, end.time));
    }
    daemon.shut_down(Duration::from_secs(10)).await;
    let daemon = house.daemon(offline());
    let [one, two, three] = ended[..] else { panic!("three tasks ran") };
    let latest = |since, within_ms| daemon.tasks.inner.archive.latest(0, since, within_ms);
    assert_eq!(latest(None, 0), [three.0]);
    assert_eq!(latest(Some(three.1.plus_ms(60_000)), 0), [three.0], "a memory that knows the last end");
    assert_eq!(latest(Some(two.1), 0), [three.0, two.0], "a memory that was restored");
    assert_eq!(latest(Some(two.1), 60_000), [three.0, two.0, one.0], "with what was not synced yet");
    assert_eq!(daemon.tasks.inner.archive.latest(2, None, 0), [three.0, two.0]);
    daemon.shut_down(Duration::ZERO).await;
}
