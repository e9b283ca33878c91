//! The auditor's log against the journals: every envelope is in it, once, in order.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use artoo_journal::read;
use artoo_types::Envelope;
use artoo_types::machine::StepRecord;
use serde_json::Value;

/// Sequence and kind of envelopes in the order of a file.
type Envelopes = Vec<(u64, String)>;

/// The segments of the log in a data folder, oldest first.
pub fn segments(data: &Path) -> Vec<PathBuf> {
    let is_segment = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("audit-"))
    };
    let mut paths: Vec<PathBuf> = files(&data.join("audit")).into_iter().filter(is_segment).collect();
    paths.sort();
    paths
}

/// Every line of the log.
pub fn log(data: &Path) -> Vec<Value> {
    segments(data).iter().flat_map(|path| lines(path)).collect()
}

/// The log holds every envelope of each of so many tasks, and of the system, once and in order. The daemon must have
/// answered an audit since.
pub fn check_exactly_once(data: &Path, tasks: usize) {
    let mut logged: BTreeMap<String, Envelopes> = BTreeMap::new();
    for line in log(data).iter().filter(|line| line["event"] == "message") {
        let of = line["task_id"].as_str().unwrap_or("system").to_owned();
        logged.entry(of).or_default().push((number(&line["sequence"]), word(&line["kind"])));
    }
    let mut journaled: BTreeMap<String, Envelopes> = BTreeMap::new();
    for path in files(&data.join("tasks")) {
        let task = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let envelopes: Envelopes =
            steps(&path).iter().flat_map(|step| &step.envelopes).map(published).collect();
        // A crash in the very first line leaves a file in which nothing happened.
        if !envelopes.is_empty() {
            journaled.insert(task, envelopes);
        }
    }
    assert_eq!(journaled.len(), tasks, "journals");
    // The memory goes on dreaming: what it says after the report may not be in the log yet.
    let system = lines(&data.join("journal/system.jsonl"));
    let mut system: Envelopes = system.iter().map(envelope).collect();
    let reported = system.iter().rposition(|(_, kind)| kind == "audit_report").map_or(0, |last| last + 1);
    system.truncate(reported.max(logged.get("system").map_or(0, Vec::len)));
    journaled.insert("system".to_owned(), system);
    for (of, envelopes) in &journaled {
        assert_eq!(logged.get(of), Some(envelopes), "the log and the journal of {of}");
    }
    assert_eq!(logged.len(), journaled.len(), "{:?}", logged.keys());
}

fn envelope(envelope: &Value) -> (u64, String) {
    (number(&envelope["sequence"]), word(&envelope["payload"]["type"]))
}

fn published(envelope: &Envelope) -> (u64, String) {
    (envelope.sequence, envelope.payload.kind().as_str().to_owned())
}

/// The steps of a task's journal, with everything that they refer to.
pub fn steps(journal: &Path) -> Vec<StepRecord> {
    let reader = read(journal, 0).unwrap_or_else(|error| panic!("{error}"));
    reader.map(|step| step.unwrap_or_else(|error| panic!("{error}")).0).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be listed").path()).collect()
}

/// The whole lines of a file. One that is being written, or that a crash cut short, is none.
fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a text file");
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn word(value: &Value) -> String {
    value.as_str().expect("a word").to_owned()
}
