//! A process that writes, forgets, dreams and makes copies is killed (SIGKILL) again and again, on one folder. What it said
//! was done is done afterwards, what it said was forgotten stays away, and nothing derived is wrong. A power cut is
//! another matter: what was not synced may be gone then, see [`super::torn`].
//!
//! `ARTOO_MEMORY_KILLS` sets how often (`make crash`: 60), `ARTOO_CRASH_SEED` repeats the choices.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use artoo_types::Timestamp;
use artoo_types::memory::Megram;
use artoo_types::rate::Rate;
use uuid::Uuid;

use super::interleaving::Random;
use super::{DAY, START, megram, rule, tool_tag};
use crate::{WriteOutcome, backups};

/// The folder, for a copy of this test program that is to be killed.
const FOLDER: &str = "ARTOO_STORE_TEST_KILLED";
/// The number of that copy: its ids and its times come after those of the ones before it.
const RUN: &str = "ARTOO_STORE_TEST_KILLED_RUN";

const KILLS: u64 = 6;
/// Kills on one folder. Each is followed by a look at all that was ever said, so that a folder for all of them would cost the
/// square of their number.
const ON_ONE_FOLDER: u64 = 10;
/// Most lines that are read before one dies: some two hundred milliseconds of work.
const MOST_LINES: u64 = 900;
/// Longest wait after a Dreamer's tick began, in microseconds. A tick takes about as long.
const MOST_US: u64 = 4_000;

/// A number from the environment.
pub(super) fn setting(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => otherwise,
    }
}

/// What stays, whatever the Dreamer does.
fn timeless(number: u128, now: Timestamp) -> Megram {
    Megram { k: Rate::Timeless, created_at: now, ..megram(number, &tool_tag("/stays")) }
}

/// What fades in two days, with others of its tag.
fn fading(number: u128, now: Timestamp) -> Megram {
    let tag = tool_tag(&format!("/fades/{}", number % 3));
    Megram {
        f: 0.1,
        sigma: 0.5,
        k: Rate::Fast,
        state: "refine".to_owned(),
        created_at: now,
        ..megram(number, &tag)
    }
}

/// Works until it is killed, and says on its output what it did, each time when it is done.
fn work(folder: &Path, run: u64) -> ! {
    let (_reader, mut writer, mut dreamer) = crate::open(folder).expect("the store opens");
    let mut random = Random::seeded(run + 1);
    let mut now = START.plus_ms(run * 1_000 * DAY);
    let mut to_go = Vec::new();
    for number in u128::from(run) << 64.. {
        now = now.plus_ms(1 + random.below(60_000));
        match random.below(400) {
            0..=199 => {
                writer.write(now, &timeless(number, now)).expect("it is written");
                println!("stored {number}");
            }
            200..=339 => {
                writer.write(now, &fading(number, now)).expect("it is written");
            }
            340..=359 => {
                writer.write(now, &timeless(number, now)).expect("it is written");
                to_go.push(number);
            }
            360..=379 => {
                writer.remember(now, &rule(number, &tool_tag("/stays"), 1.0)).expect("it is remembered");
                println!("stored {number}");
            }
            380..=387 => writer.flush().expect("it is synced"),
            388..=391 => {
                let Some(number) = to_go.pop() else { continue };
                assert_eq!(writer.forget(now, &[Uuid::from_u128(number)]).expect("it is forgotten"), 1);
                println!("forgot {number}");
            }
            392..=395 => {
                dreamer.back_up(now, 3).expect("a copy is made");
            }
            _ => {
                now = now.plus_ms(3 * DAY);
                println!("dreams");
                let report = dreamer.tick(now).expect("it ticks");
                println!("dreamt {}", report.forgotten.len());
            }
        }
    }
    unreachable!("nobody counts that far")
}

/// What the killed processes said.
#[derive(Default)]
struct Told {
    stored: Vec<u128>,
    forgotten: Vec<u128>,
    swept: u64,
    in_ticks: u64,
}

impl Told {
    fn add(&mut self, more: Self) {
        self.stored.extend(more.stored);
        self.forgotten.extend(more.forgotten);
        self.swept += more.swept;
        self.in_ticks += more.in_ticks;
    }

    /// Whether the line says that a tick begins.
    fn hear(&mut self, line: &str) -> bool {
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no number: {line}"));
        match line.split_once(' ') {
            Some(("stored", id)) => self.stored.push(number(id)),
            Some(("forgot", id)) => self.forgotten.push(number(id)),
            Some(("dreamt", clusters)) => self.swept += clusters.parse::<u64>().unwrap_or(0),
            Some(_) | None => return line == "dreams",
        }
        false
    }
}

fn start(folder: &Path, run: u64) -> Child {
    Command::new(std::env::current_exe().expect("this program has a path"))
        .args([
            "--exact",
            "tests::killing::what_was_done_stays_done_when_the_process_is_killed",
            "--nocapture",
        ])
        .env(FOLDER, folder)
        .env(RUN, run.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the child starts")
}

/// Lets one work and kills it, half of the time while the Dreamer is at work.
fn kill_one(folder: &Path, run: u64, random: &mut Random, told: &mut Told) {
    let mut child = start(folder, run);
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let (in_tick, patience) = (random.below(2) == 0, 1 + random.below(MOST_LINES));
    let mut heard = 0;
    for line in lines.by_ref() {
        let dreams = told.hear(&line.expect("it can be read"));
        heard += 1;
        if in_tick && dreams && heard * 2 > patience {
            std::thread::sleep(Duration::from_micros(random.below(MOST_US)));
            told.in_ticks += 1;
            break;
        }
        if !in_tick && heard > patience {
            break;
        }
    }
    child.kill().expect("it was alive");
    // What it said before it died.
    for line in lines.map_while(Result::ok) {
        told.hear(&line);
    }
    child.wait().expect("it ends");
}

fn check(folder: &Path, told: &Told) {
    let (reader, mut writer, _maintenance) = crate::open(folder).expect("the store opens");
    let report = reader.verify().expect("it can be verified");
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    for id in &told.stored {
        assert!(
            reader.get(Uuid::from_u128(*id)).expect("it reads").is_some(),
            "{id} was stored, and is gone"
        );
    }
    let now = START.plus_ms(1 << 41);
    for id in &told.forgotten {
        assert!(
            reader.get(Uuid::from_u128(*id)).expect("it reads").is_none(),
            "{id} was forgotten, and is there"
        );
        let again = writer.write(now, &timeless(*id, START)).expect("it is looked at");
        assert_eq!(again, WriteOutcome::Buried, "{id}");
    }
    for backup in backups(folder).expect("they can be listed") {
        let report = backup.verify().expect("a copy that has its name is whole");
        assert!(report.findings.is_empty(), "{:?}: {:#?}", backup.occasion, report.findings);
        for id in &told.forgotten {
            let copied = crate::opening::open_to_read(&backup.path).expect("it opens");
            let there = copied.view().megram(Uuid::from_u128(*id)).expect("it reads");
            assert!(there.is_none(), "{id} was forgotten, and is in a copy");
        }
    }
}

#[test]
fn what_was_done_stays_done_when_the_process_is_killed() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        println!();
        work(folder.as_ref(), setting(RUN, 0));
    }
    let (kills, seed) = (setting("ARTOO_MEMORY_KILLS", KILLS), setting("ARTOO_CRASH_SEED", 20_261_122));
    let (mut random, mut told) = (Random::seeded(seed), Told::default());
    for first in (0..kills).step_by(ON_ONE_FOLDER as usize) {
        let home = tempfile::tempdir().expect("a temporary folder can be made");
        let folder = home.path().join("memory");
        let mut here = Told::default();
        for run in first..kills.min(first + ON_ONE_FOLDER) {
            kill_one(&folder, run, &mut random, &mut here);
            check(&folder, &here);
        }
        told.add(here);
    }
    assert!(!told.stored.is_empty() && told.in_ticks > 0, "the kills met nothing");
    println!(
        "\n{kills} kills of the memory ({} while the Dreamer was at work, ARTOO_CRASH_SEED={seed}): {} stored, 0 lost; {} \
         forgotten, 0 came back; {} clusters swept, nothing derived was wrong",
        told.in_ticks,
        told.stored.len(),
        told.forgotten.len(),
        told.swept
    );
}
