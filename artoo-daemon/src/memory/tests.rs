use std::path::Path;

use artoo_types::memory::{Level, Megram, MemoryQuery};
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::worker::Worker;
use super::{MemoryView, Request};
use crate::auditor::AuditorBell;
use crate::clock;
use crate::health::Health;

fn megram(number: u128) -> Megram {
    Megram {
        id: Uuid::from_u128(number),
        level: Level::M,
        created_at: clock::now(),
        last_recalled_at: None,
        tag: Tag::intent("count the files"),
        content: format!("lesson {number}"),
        state: "accept".to_owned(),
        f: 0.9,
        sigma: 1.0,
        k: 0.05,
        agent_id: "artoo".to_owned(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
    }
}

fn worker(folder: &Path) -> (Worker, MemoryView, Health) {
    let (view, health) = (MemoryView::closed("not yet"), Health::new(folder, 0, AuditorBell::default()));
    (Worker::new(folder.join("memory"), view.clone(), health.clone()), view, health)
}

/// How many memories are stored.
fn stored(view: &MemoryView) -> u64 {
    view.reader().expect("it is open").stats().expect("it can be read").levels.iter().sum()
}

/// What a task is told when it asks.
fn told(worker: &mut Worker) -> Option<String> {
    let (sender, mut receiver) = tokio::sync::oneshot::channel();
    let query =
        MemoryQuery { tags: vec![Tag::intent("count the files")], tool_clusters: 0, intent: String::new() };
    worker.serve(Request::Query(query, sender));
    receiver.try_recv().expect("it answers at once").unavailable
}

#[test]
fn what_could_not_be_remembered_is_remembered_when_the_memory_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let current = folder.path().join("memory/CURRENT");
    let (mut first, view, _) = worker(folder.path());
    first.open();
    first.serve(Request::Write(Box::new(megram(1))));
    assert_eq!(stored(&view), 1);
    drop((first, view));
    let whole = std::fs::read(&current).expect("a database has one");
    std::fs::write(&current, b"garbage").expect("it can be damaged");

    let (mut second, view, health) = worker(folder.path());
    second.open();
    second.serve(Request::Write(Box::new(megram(2))));
    let warnings = health.warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("start again with an empty memory"), "{}", warnings[0]);
    assert_eq!(view.reader().err().as_ref(), Some(&warnings[0]));
    assert_eq!(told(&mut second).as_ref(), Some(&warnings[0]));

    std::fs::write(&current, whole).expect("it can be mended");
    second.try_again();
    assert_eq!((stored(&view), told(&mut second)), (2, None));
    assert_eq!(health.warnings(), Vec::<String>::new());
}

#[test]
fn a_memory_that_is_not_taken_does_not_hold_up_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut worker, view, health) = worker(folder.path());
    worker.open();
    worker.serve(Request::Write(Box::new(Megram { f: f64::NAN, ..megram(1) })));
    worker.serve(Request::Write(Box::new(megram(2))));
    assert_eq!((stored(&view), health.warnings().len()), (1, 0));
}
