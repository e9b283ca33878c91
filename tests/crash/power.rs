//! The loss of power: what was not synced may be gone. A recorded day (see `recorder.c`) is cut off at random calls, a
//! model of a disk says what may be left, and what people knew by then must be true of it. `ARTOO_POWER_CUTS` sets how
//! often, `ARTOO_POWER_STARTS` how often a real daemon is started on what is left, `ARTOO_CRASH_SEED` repeats the
//! choices.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use artoo_journal::{AcceptIndex, CrashPoint, JournalError, SystemJournal, TaskJournal, read, task_path};
use artoo_task::fold::fold;
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::{Message, TaskId};
use tempfile::TempDir;

use crate::story::{self, Kind, Story};
use crate::victim::Victim;
use artoo_testing::dice::{Dice, setting};
use artoo_testing::wait_until;
use day::{Day, Fact};
use disk::{Disk, Left, Luck};
use record::Call;

mod day;
mod disk;
mod record;

/// Stories of the recorded day.
const STORIES: usize = 12;

/// A moment at which the power fails, and how lucky the disk is.
struct Cut {
    /// Calls before it.
    calls: usize,
    luck: Luck,
    seed: u64,
}

/// So many cuts in the order of time.
fn cuts(day: &Day, count: u64, dice: &mut Dice) -> Vec<Cut> {
    let lucks = [Luck::None, Luck::Some, Luck::Some, Luck::All];
    let mut cuts: Vec<Cut> = (0..count)
        .map(|n| Cut {
            calls: usize::try_from(dice.below(day.calls.len() as u64 + 1)).unwrap_or(0),
            luck: lucks[usize::try_from(n % 4).unwrap_or(0)],
            seed: dice.below(u64::MAX),
        })
        .collect();
    cuts.sort_by_key(|cut| cut.calls);
    cuts
}

/// Replays the day's calls, those that `is_made` leaves out excepted, and shows what each cut leaves of the data folder,
/// with the length of the recording at that moment.
fn for_each_cut(
    day: &Day,
    cuts: &[Cut],
    is_made: impl Fn(&Call) -> bool,
    mut see: impl FnMut(&Cut, u64, Left),
) {
    let mut disk = Disk::default();
    let mut made = 0;
    for cut in cuts {
        for recorded in &day.calls[made..cut.calls] {
            if is_made(&recorded.call) {
                disk.apply(&recorded.call);
            }
        }
        made = cut.calls;
        let length = made.checked_sub(1).map_or(0, |last| day.calls[last].end);
        let left = disk.lose_power(&day.home.data(), cut.luck, &mut Dice::new(cut.seed));
        see(cut, length, left);
    }
}

/// Looks at what power losses left. What a beginning of a journal holds is worked out once.
struct Judge<'a> {
    day: &'a Day,
    /// Where files are put to be opened: in memory where that can be had, because opening a journal syncs it.
    scratch: TempDir,
    /// By task and length of its journal.
    seen: BTreeMap<(TaskId, usize), Vec<Fact>>,
}

impl<'a> Judge<'a> {
    fn new(day: &'a Day) -> Self {
        let memory = Path::new("/dev/shm");
        let scratch = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        Self { day, scratch: scratch.expect("a folder can be made"), seen: BTreeMap::new() }
    }

    /// What is wrong with what is left, of all that was known when the recording had that length.
    fn check(&mut self, length: u64, left: &Left) -> Result<(), String> {
        let known = |task: Option<TaskId>| {
            let until_then = self.day.known.iter().filter(move |known| known.at <= length);
            until_then.filter(move |known| task.is_none_or(|task| known.task == task))
        };
        let accepted = self.accepted(left)?;
        if let Some(known) = known(None).find(|known| !accepted.contains(&known.task)) {
            return Err(format!("{known:?}, and the index does not know the task"));
        }
        for task in accepted {
            let place = Path::new("tasks").join(format!("{task}.jsonl"));
            let bytes = left.file(&place).ok_or(format!("the index knows {task}, which has no journal"))?;
            let holds = self.facts(task, bytes)?;
            if let Some(known) = known(Some(task)).find(|known| !holds.contains(&known.fact)) {
                return Err(format!("{known:?}, and {} bytes of its journal do not hold that", bytes.len()));
            }
        }
        Ok(())
    }

    /// The tasks in the index. The system journal beside it must be whole, too.
    fn accepted(&self, left: &Left) -> Result<BTreeSet<TaskId>, String> {
        let folder = self.scratch.path().join("journal");
        drop(std::fs::remove_dir_all(&folder));
        left.below("journal").write(&folder);
        let text = |error: JournalError| error.to_string();
        let (index, found) =
            AcceptIndex::open(&folder.join("accept.jsonl"), CrashPoint::never()).map_err(text)?;
        let (_, also) =
            SystemJournal::open(&folder.join("system.jsonl"), CrashPoint::never()).map_err(text)?;
        match found.bad_lines.first().or(also.bad_lines.first()) {
            Some(bad) => Err(bad.to_string()),
            None => Ok(index.read(|tasks| tasks.iter().map(|t| t.accepted.task_id).collect())),
        }
    }

    /// What this beginning of a task's journal holds. It must be one, and lead to the same decisions.
    fn facts(&mut self, task: TaskId, bytes: &[u8]) -> Result<Vec<Fact>, String> {
        let whole = std::fs::read(self.day.journal(task)).map_err(|error| error.to_string())?;
        if !whole.starts_with(bytes) {
            return Err(format!("the journal of {task} is no beginning of what was written"));
        }
        if let Some(facts) = self.seen.get(&(task, bytes.len())) {
            return Ok(facts.clone());
        }
        let text = |error: JournalError| error.to_string();
        let folder = self.scratch.path();
        std::fs::write(task_path(folder, task), bytes).map_err(|error| error.to_string())?;
        match TaskJournal::open(folder, task, CrashPoint::never()).map(drop) {
            // Nobody was told of a task whose first step is not whole.
            Err(JournalError::BadLine(_)) if !bytes.contains(&b'\n') => return Ok(Vec::new()),
            opened => opened.map_err(text)?,
        }
        let mut reader = read(&task_path(folder, task), 0).map_err(text)?;
        let mut records = Vec::new();
        while let Some(record) = reader.next_record().map_err(text)? {
            records.push(record);
        }
        let facts = [Fact::Accepted, Fact::Acting, Fact::Ended];
        let facts: Vec<Fact> = facts.into_iter().filter(|fact| holds(*fact, &records)).collect();
        if let Some(difference) = fold(task, records).1 {
            return Err(format!("task {task} folds differently: {difference:?}"));
        }
        self.seen.insert((task, bytes.len()), facts.clone());
        Ok(facts)
    }
}

fn holds(fact: Fact, records: &[StepRecord]) -> bool {
    match fact {
        Fact::Accepted => !records.is_empty(),
        Fact::Acting => records.iter().any(|r| matches!(r.input, TaskInput::ToolStarting { .. })),
        Fact::Ended => records
            .last()
            .is_some_and(|r| r.envelopes.iter().any(|e| matches!(e.payload, Message::FinalResult(_)))),
    }
}

/// The first thing that is wrong after any of the cuts.
fn first_fault(judge: &mut Judge<'_>, cuts: &[Cut], is_made: impl Fn(&Call) -> bool) -> Option<String> {
    let (mut fault, day) = (None, judge.day);
    for_each_cut(day, cuts, is_made, |cut, length, left| {
        if fault.is_none() {
            let found = judge.check(length, &left).err();
            fault = found.map(|what| format!("after {} calls with {:?} luck: {what}", cut.calls, cut.luck));
        }
    });
    fault
}

/// A kind of sync, and whether a call is of it.
type Kinds = (&'static str, fn(&Call, &Path) -> bool);

/// Syncs without which the day must not pass.
const NEEDED: [Kinds; 4] = [
    ("of journals", |call, data| is_sync_of(call, |path| path.starts_with(data.join("tasks")))),
    ("of the folder of journals", |call, data| *call == Call::SyncFolder { path: data.join("tasks") }),
    ("of the index", |call, data| is_sync_of(call, |path| path == data.join("journal/accept.jsonl"))),
    ("of the data folder", |call, data| *call == Call::SyncFolder { path: data.to_owned() }),
];

fn is_sync_of(call: &Call, file: impl Fn(&Path) -> bool) -> bool {
    matches!(call, Call::SyncFile { path, .. } if file(path))
}

#[test]
fn what_people_know_survives_a_loss_of_power_at_any_moment() {
    let seed = setting("ARTOO_CRASH_SEED", 1);
    let mut dice = Dice::new(seed);
    let Some(day) = day::spend(STORIES) else { return };
    let count = |fact: Fact| day.known.iter().filter(|known| known.fact == fact).count();
    assert_eq!([count(Fact::Accepted), count(Fact::Ended)], [STORIES, STORIES]);
    assert_eq!(count(Fact::Acting), STORIES / 4 * 3);
    let all = cuts(&day, setting("ARTOO_POWER_CUTS", 1_000), &mut dice);
    let mut judge = Judge::new(&day);
    assert_eq!(first_fault(&mut judge, &all, |_| true), None, "seed {seed}");
    // The same day without one kind of sync must not pass: else this test would prove nothing.
    let data = day.home.data();
    for (name, is_one) in NEEDED {
        let fault = first_fault(&mut judge, &all, |call| !is_one(call, &data));
        assert!(fault.is_some(), "no sync {name} is missed");
    }
    start_daemons(&day, seed, &mut dice);
}

/// Real daemons start on what is left, with their memory and their audit log.
fn start_daemons(day: &Day, seed: u64, dice: &mut Dice) {
    let some = cuts(day, setting("ARTOO_POWER_STARTS", 4), dice);
    for_each_cut(
        day,
        &some,
        |_| true,
        |cut, length, left| {
            let told = format!("seed {seed}, after {} calls with {:?} luck", cut.calls, cut.luck);
            let home = story::home(&day.server.base_url());
            left.write(&home.data());
            let mut daemon = Victim::start(&home, None);
            assert!(daemon.listens(&home), "{told}: the daemon does not start");
            for known in day.known.iter().filter(|known| known.at <= length) {
                let shown = home.json(&["show", &known.task.to_string()]);
                assert_ne!(shown["state"], "damaged", "{told}: {shown:#}");
                assert!(known.fact != Fact::Ended || shown["state"] == "finished", "{told}: {shown:#}");
            }
            assert_eq!(home.artoo(&["memory", "list"]).code, Some(0), "{told}");
            let next = Story { kind: Kind::Read, number: 1_000 };
            let run = home.run(&next.request(), &[]);
            assert_eq!(run.code, Some(0), "{told}: {}", run.outline());
            wait_until("nothing is left to do but to answer", || {
                let running = home.json(&["tasks", "--state", "running"]);
                running["tasks"].as_array().is_some_and(Vec::is_empty)
            });
            let verified = home.artoo(&["audit", "verify"]);
            assert_eq!(verified.code, Some(0), "{told}: {verified:?}");
            daemon.kill();
        },
    );
}
