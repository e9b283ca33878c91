use std::path::Path;

use artoo_journal::{CrashPoint, SystemJournal};
use artoo_memory::admission::Author;
use artoo_memory::consolidation::RuleText;
use artoo_types::Envelope;
use artoo_types::envelope::Role;
use artoo_types::memory::{ChangeKind, Level, Megram, MegramWrite, MemoryChange, MemoryQuery};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::worker::MemoryWorker;
use super::{MemoryRequest, MemoryView};
use crate::auditor::AuditorBell;
use crate::clock;
use crate::dreamer::{self, DreamerWork};
use crate::health::Health;
use crate::system::SystemBus;

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
        k: Rate::Slow,
        agent_id: "artoo".to_owned(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

fn worker(folder: &Path) -> (MemoryWorker, MemoryView, Health) {
    let (worker, view, health, _) = worker_with_dreamer(folder);
    (worker, view, health)
}

/// The same with the end at which the Dreamer finds its work.
fn worker_with_dreamer(folder: &Path) -> (MemoryWorker, MemoryView, Health, DreamerWork) {
    let bell = AuditorBell::default();
    let (view, health) = (MemoryView::closed("not yet"), Health::new(folder, 0, bell.clone()));
    let crash = CrashPoint::from_env().expect("no crash is asked for");
    let system = SystemBus::open(folder.join("system.jsonl"), crash, Default::default(), bell);
    let (dreamer, work) = dreamer::work(true);
    let system = system.expect("a journal can be made");
    let worker = MemoryWorker::new(folder.join("memory"), system, dreamer, view.clone(), health.clone());
    (worker, view, health, work)
}

/// How many memories are stored.
fn stored(view: &MemoryView) -> u64 {
    let stats = view.reader().expect("it is open").stats().expect("it can be read");
    stats.levels.iter().sum::<u64>() - artoo_types::laws::megrams().len() as u64
}

/// What a task is told when it asks.
fn told(worker: &mut MemoryWorker) -> Option<String> {
    let (sender, mut receiver) = tokio::sync::oneshot::channel();
    let query =
        MemoryQuery { tags: vec![Tag::intent("count the files")], tool_clusters: 0, intent: String::new() };
    worker.serve(MemoryRequest::Query(query, sender));
    receiver.try_recv().expect("it answers at once").unavailable
}

#[test]
fn what_could_not_be_remembered_is_remembered_when_the_memory_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let current = folder.path().join("memory/CURRENT");
    let (mut first, view, _) = worker(folder.path());
    first.open();
    first.serve(MemoryRequest::Write(Author::Controller, Box::new(megram(1))));
    assert_eq!(stored(&view), 1);
    drop((first, view));
    let whole = std::fs::read(&current).expect("a database has one");
    std::fs::write(&current, b"garbage").expect("it can be damaged");

    let (mut second, view, health) = worker(folder.path());
    second.open();
    second.serve(MemoryRequest::Write(Author::Controller, Box::new(megram(2))));
    let warnings = health.warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("start again with an empty memory"), "{}", warnings[0]);
    assert_eq!(view.reader().err().map(|why| why.to_string()).as_ref(), Some(&warnings[0]));
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
    worker.serve(MemoryRequest::Write(Author::Controller, Box::new(Megram { f: f64::NAN, ..megram(1) })));
    worker.serve(MemoryRequest::Write(Author::Controller, Box::new(megram(2))));
    assert_eq!((stored(&view), health.warnings().len()), (1, 0));
}

#[test]
fn what_a_person_declares_is_a_rule_of_their_own_words() {
    use artoo_types::{TaskId, Timestamp};
    let task = TaskId(Uuid::from_u128(5));
    let check = |request: &str, expected: Option<(&str, f64)>| {
        let megram = super::declared(task, Timestamp(9), request);
        assert_eq!(megram.as_ref().map(|m| (m.content.as_str(), m.sigma)), expected, "{request}");
        megram
    };
    let megram = check("Remember that my reports are in ~/R.", Some(("my reports are in ~/R", 1.0)));
    let megram = megram.expect("it declares something");
    assert_eq!((megram.level, megram.tag, megram.state.as_str()), (Level::C, Tag::user(), "declared"));
    assert_eq!((megram.k, megram.task_id, megram.created_at), (Rate::Timeless, Some(task), Timestamp(9)));
    assert_eq!(megram.id, task.derive("declared", 0), "read again it is the same memory");
    check("记住不要动 ~/R", Some(("不要动 ~/R", -1.0)));
    check("remember that my key is [redacted: api key]", None);
    check("count my files", None);
}

#[test]
fn what_the_operator_wants_remembered_may_be_a_rule_and_experience_may_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut worker, view, _) = worker(folder.path());
    worker.open();
    let rule = |number| Megram { level: Level::C, k: Rate::Timeless, ..megram(number) };
    worker.serve(MemoryRequest::Write(Author::Controller, Box::new(rule(1))));
    assert_eq!(stored(&view), 0);
    worker.serve(MemoryRequest::Write(Author::Operator, Box::new(rule(2))));
    assert_eq!(stored(&view), 1);
}

/// So many successes with the same request.
fn experienced(folder: &Path, times: u128) -> (MemoryWorker, MemoryView, DreamerWork) {
    let (mut worker, view, _, work) = worker_with_dreamer(folder);
    worker.open();
    for number in 1..=times {
        worker.serve(MemoryRequest::Write(Author::Controller, Box::new(megram(number))));
    }
    (worker, view, work)
}

#[test]
fn too_little_evidence_wakes_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut worker, _, mut work) = experienced(folder.path(), 5);
    worker.dream();
    assert_eq!(work.try_ripe(), None);
}

#[test]
fn enough_evidence_is_handed_out_once_and_becomes_one_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut worker, view, mut work) = experienced(folder.path(), 6);
    worker.dream();
    let candidates = work.try_ripe().expect("there is enough for a rule");
    assert_eq!((candidates.len(), candidates[0].count), (1, 6));
    worker.dream();
    assert_eq!(work.try_ripe(), None, "its words are being found");
    let mut promote = || {
        let words = RuleText::new("Count them with glob.").expect("a rule");
        let (sender, mut receiver) = tokio::sync::oneshot::channel();
        worker.serve(MemoryRequest::Promote(Box::new(candidates[0].clone()), words, sender));
        receiver.try_recv().expect("it answers at once")
    };
    let promoted = promote().expect("it is a rule");
    assert_eq!((promoted.rule.content.as_str(), promoted.rule.parents.len()), ("Count them with glob.", 6));
    assert_eq!(promote(), None, "the same evidence makes one rule");
    assert_eq!(view.reader().expect("it is open").stats().expect("it can be read").levels[2], 1);
    worker.serve(MemoryRequest::Dreamt { any: true });
    worker.dream();
    assert_eq!(work.try_ripe(), None, "there is nothing more to learn");
}

/// The wish to remember a megram, as it stands in the system journal.
fn wish(sequence: u64, megram: Megram) -> Envelope {
    let mut bus = artoo_bus::Bus::new(None, sequence);
    let write = MegramWrite { megram };
    bus.publish(clock::now(), 0, Role::Operator, Role::Memory, write.into()).envelope
}

#[test]
fn a_wish_that_was_not_carried_out_is_caught_up_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("system.jsonl");
    let (mut journal, _) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    journal.append(&wish(1, megram(1))).expect("it is written");
    let (mut first, view, _) = worker(folder.path());
    first.open();
    assert_eq!(stored(&view), 1);
    let forget = MemoryChange {
        ids: vec![Uuid::from_u128(1)],
        ..MemoryChange::of(ChangeKind::Forgotten, "the operator said so")
    };
    let mut bus = artoo_bus::Bus::new(None, 2);
    let posted = bus.publish(clock::now(), 0, Role::Operator, Role::Memory, forget.into());
    journal.append(&posted.envelope).expect("it is written");
    // What R5 says to the operator is no wish.
    let told = MemoryChange::of(ChangeKind::Forgotten, "it faded");
    let told = bus.publish(clock::now(), 0, Role::Memory, Role::Operator, told.into());
    journal.append(&told.envelope).expect("it is written");
    drop((first, view));

    let (mut second, view, _) = worker(folder.path());
    second.open();
    assert_eq!(
        stored(&view),
        0,
        "the wish that was not carried out is, and the one before it is not repeated"
    );
    drop((second, view));
    journal.append(&wish(4, megram(2))).expect("it is written");
    let (mut third, view, health) = worker(folder.path());
    third.open();
    assert_eq!((stored(&view), health.warnings().len()), (1, 0));
}

#[test]
fn a_memory_that_is_lost_gets_back_what_the_operator_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("system.jsonl");
    let (mut journal, _) = SystemJournal::open(&path, CrashPoint::never()).expect("a journal");
    journal.append(&wish(1, megram(1))).expect("it is written");
    let (mut first, view, _) = worker(folder.path());
    first.open();
    drop((first, view));
    std::fs::remove_dir_all(folder.path().join("memory")).expect("it can be lost");
    let (mut second, view, _) = worker(folder.path());
    second.open();
    assert_eq!(stored(&view), 1);
}
