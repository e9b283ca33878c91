//! Random kills, a fifth of them while the daemon recovers.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use artoo_journal::{read, task_ids, task_path};
use artoo_types::machine::TaskEffect;
use serde_json::{Value, json};

use crate::person::{Day, Seen, follow};
use crate::story::{self, KINDS, Kind, Story, play};
use crate::victim::Victim;
use artoo_testing::audit_log::check_exactly_once;
use artoo_testing::dice::{Dice, setting};
use artoo_testing::model_server::ModelServer;
use artoo_testing::{Home, lines, wait_until};

/// People who work at the same time.
const PEOPLE: usize = 4;
/// Kills of a short run.
const KILLS: u64 = 12;
/// Longest life of a daemon that listens, in milliseconds. A story takes some 100 to 300.
const LIFE_MS: u64 = 400;
/// Longest life of one that is killed while it recovers, in milliseconds. It listens after some 60 to 150.
const RECOVERY_MS: u64 = 120;

/// What people saw, story by story.
type Told = Mutex<Vec<(Story, Seen)>>;

/// One person works until the day ends, on one story after the other.
fn work(home: &Home, day: &Day, next: &AtomicUsize, told: &Told) {
    while !day.is_over() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let story = Story { kind: KINDS[number % KINDS.len()], number };
        if let Some(seen) = follow(home, &story, day) {
            told.lock().expect("nobody panics with it").push((story, seen));
        }
    }
}

/// Starts and kills daemons. Returns how many were killed before they listened.
fn kill_all(home: &Home, kills: u64, dice: &mut Dice) -> u64 {
    let mut in_recovery = 0;
    for _ in 0..kills {
        let mut victim = Victim::start(home, None);
        if dice.below(5) == 0 {
            std::thread::sleep(Duration::from_millis(dice.below(RECOVERY_MS)));
            in_recovery += 1;
        } else {
            assert!(victim.listens(home), "it died by itself");
            std::thread::sleep(Duration::from_millis(dice.below(LIFE_MS)));
        }
        victim.kill();
    }
    in_recovery
}

/// The task ended as it would have without any crash, and once.
pub(crate) fn check(home: &Home, story: &Story, seen: &Seen) {
    let key = story.key();
    let result = seen.events.last().expect("it is over");
    // A person who saw that it had happened said no to doing it again. It is done: a check that looks at the world sees it.
    let refused = |e: &Value| e["type"] == "confirmation_resolved" && e["approved"] == false;
    if seen.events.iter().any(refused) {
        let is_told = ["refused", "criteria_met"].contains(&result["reason"].as_str().unwrap_or_default());
        assert!(story.kind == Kind::Append && is_told, "{key}: {result:#}");
    } else {
        let (directive, reason, replans) = story.end();
        assert_eq!(
            (&result["directive"], &result["reason"]),
            (&json!(directive), &json!(reason)),
            "{key}: {result:#}"
        );
        assert_eq!(result["replans"], replans, "{key}: the counters of the controller survive: {result:#}");
    }
    story.check_traces(home);
    assert_eq!(home.events(&seen.task_id, 0), seen.events, "{key}: the journal holds what was streamed");
    let replayed = home.artoo(&["replay", &seen.task_id]);
    assert_eq!(replayed.code, Some(0), "{key}: {replayed:?}");
}

/// What holds for the whole of it.
pub(crate) fn check_audit(home: &Home, tasks: usize) {
    let report = home.json(&["audit"]);
    assert_eq!(report["totals"]["tasks_observed"], tasks, "{report:#}");
    assert_eq!(report["boundary_violations"], json!([]), "{report:#}");
    check_exactly_once(&home.data(), tasks);
    let verified = home.artoo(&["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

/// Every memory that a journal tells of is in the memory, and nothing derived from it is wrong. Returns how many.
fn check_memory(home: &Home) -> usize {
    let journals = home.data().join("tasks");
    let mut told = BTreeSet::new();
    for id in task_ids(&journals).expect("they can be listed") {
        let mut reader = read(&task_path(&journals, id), 0).expect("it can be read");
        while let Some(record) = reader.next_record().expect("it is whole") {
            for effect in record.effects {
                if let TaskEffect::WriteMemory { megram } = effect {
                    told.insert(megram.id.to_string());
                }
            }
        }
    }
    // The last ones may still be on their way from the task to the memory.
    wait_until("what the journals tell is remembered", || {
        let exported = home.artoo(&["memory", "export"]);
        assert_eq!(exported.code, Some(0), "{exported:?}");
        let ids: BTreeSet<_> =
            lines(&exported.stdout).iter().filter_map(|m| m["id"].as_str().map(str::to_owned)).collect();
        told.is_subset(&ids)
    });
    let verified = home.artoo(&["memory", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    told.len()
}

#[test]
#[allow(clippy::print_stderr, reason = "the figures of the run, and what repeats it")]
fn random_kills_lose_nothing_and_double_nothing() {
    let (kills, seed) = (setting("ARTOO_CRASH_KILLS", KILLS), setting("ARTOO_CRASH_SEED", 1));
    let server = ModelServer::forgetful(play);
    let home = story::home(&server.base_url());
    let (day, next, told) = (Day::default(), AtomicUsize::new(0), Told::default());
    let (mut in_recovery, mut last) = (0, None);
    std::thread::scope(|people| {
        let _evening = day.evening();
        for _ in 0..PEOPLE {
            people.spawn(|| work(&home, &day, &next, &told));
        }
        in_recovery = kill_all(&home, kills, &mut Dice::new(seed));
        // What is open now comes to its end with a daemon that lives.
        let alive = last.insert(Victim::start(&home, None));
        assert!(alive.listens(&home), "it died by itself");
    });
    let told = told.into_inner().expect("nobody panics with it");
    told.iter().for_each(|(story, seen)| check(&home, story, seen));
    let index = std::fs::read_to_string(home.data().join("journal/accept.jsonl")).expect("it is there");
    let tasks = index.lines().filter(|line| line.contains(r#""mark":"accepted""#)).count();
    assert_eq!(tasks, told.len(), "every accepted task was followed to its end, and there is no other");
    check_audit(&home, tasks);
    let memories = check_memory(&home);
    assert!(memories > 0, "the stories teach something");
    let reconnects: usize = told.iter().map(|(_, seen)| seen.reconnects).sum();
    let asked_again = told.iter().filter(|(_, seen)| seen.was_asked_about_what_may_have_happened()).count();
    eprintln!(
        "{kills} kills ({in_recovery} during recovery, ARTOO_CRASH_SEED={seed}): {tasks} tasks and {memories} memories, 0 lost; \
         {reconnects} streams taken up again, 0 gaps, 0 doubles; {asked_again} actions that may have happened were asked about, 0 happened twice"
    );
}

#[test]
fn every_story_ends_as_it_says_when_nothing_dies() {
    let server = ModelServer::forgetful(play);
    let home = story::home(&server.base_url());
    let mut daemon = Victim::start(&home, None);
    assert!(daemon.listens(&home), "it died by itself");
    for (number, kind) in KINDS.into_iter().enumerate() {
        let story = Story { kind, number };
        let seen = follow(&home, &story, &Day::default()).expect("the day is not over");
        assert_eq!(seen.reconnects, 0, "{}", story.key());
        check(&home, &story, &seen);
    }
    check_audit(&home, KINDS.len());
}
