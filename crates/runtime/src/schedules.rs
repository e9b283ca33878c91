//! Recurring tasks: what is kept of them, and what hands their requests in when they are due.
//!
//! An occurrence is a request whose id is made of the schedule and its time. So a daemon that dies between handing one in and noting
//! it down finds it accepted already: none runs twice, and none that the policy wants is lost.

mod file;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use artoo_schedule::{DueDecision, MissedPolicy, PatternRejected, Recurrence, decide};
use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::{TaskId, Timestamp};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::clock::ScheduleClock;
use crate::health::{Concern, Health};
use crate::task::{TaskError, Tasks};
pub use file::Schedule;
use file::{read, write};

/// Most schedules: each is looked at every second.
const MAX_SCHEDULES: usize = 100;
/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a request that was refused for a reason that passes is left alone.
const AGAIN_AFTER_MS: i64 = 30_000;

/// Why a schedule is not taken, or not found.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleError {
    /// Its words are no pattern.
    #[error(transparent)]
    Pattern(#[from] PatternRejected),
    /// There are too many.
    #[error("there are {MAX_SCHEDULES} schedules, which is the limit; remove one first")]
    TooMany,
    /// None has this id.
    #[error("there is no schedule {0}; `artoo schedule list` lists them")]
    Unknown(String),
    /// The file cannot be read or written.
    #[error("{path}: {problem}; put it right or move it away")]
    File {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// Its request was not accepted.
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// The schedules of this daemon. All clones are the same.
#[derive(Clone)]
pub struct Schedules {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    clock: ScheduleClock,
    kept: Mutex<Vec<Schedule>>,
    /// Why the file could not be read at the start; then it is not written either.
    unreadable: Option<String>,
    changed: Notify,
}

/// What a person wants to recur.
#[derive(Debug, Clone)]
pub struct NewSchedule {
    /// When, in words or as cron.
    pub when: String,
    /// The request.
    pub input: String,
    /// Absolute folder in which it runs.
    pub working_directory: String,
    /// What becomes of missed occurrences.
    pub missed: MissedPolicy,
}

impl Schedules {
    /// The schedules of this file. One that cannot be read is left as it is: nothing recurs, every change is refused, and the
    /// health says so.
    pub fn open(path: PathBuf, health: &Health) -> Self {
        let (kept, unreadable) = match read(&path) {
            Ok(kept) => (kept, None),
            Err(problem) => {
                let file = path.display();
                health.raise(
                    Concern::Schedules,
                    format!(
                        "no recurring task runs: {file} cannot be read ({problem}); mend it or move it away, then: artoo restart"
                    ),
                );
                (Vec::new(), Some(problem))
            }
        };
        let clock = ScheduleClock::from_env();
        let inner = Inner { path, clock, kept: Mutex::new(kept), unreadable, changed: Notify::new() };
        Self { inner: Arc::new(inner) }
    }

    /// Every schedule with its next occurrences, at most so many of each, oldest first.
    pub fn list(&self, most: usize) -> Vec<(Schedule, Vec<Timestamp>)> {
        let now = self.inner.clock.now();
        let upcoming = |schedule: &Schedule| {
            let pattern = Recurrence::read(&schedule.cron, &now).ok();
            pattern.map(|pattern| pattern.upcoming(&now, most)).unwrap_or_default()
        };
        self.inner.kept.lock().iter().map(|schedule| (schedule.clone(), upcoming(schedule))).collect()
    }

    /// Notes one down; it is on the disk when this returns.
    ///
    /// # Errors
    /// When its words are no pattern, there are too many, or the file cannot be written.
    pub fn add(&self, id: String, new: NewSchedule) -> Result<Schedule, ScheduleError> {
        let now = self.inner.clock.now();
        let pattern = Recurrence::read(&new.when, &now)?;
        let made_at = Timestamp(now.timestamp().as_millisecond());
        let schedule = Schedule {
            id,
            when: new.when,
            cron: pattern.as_cron().to_owned(),
            input: new.input,
            working_directory: new.working_directory,
            missed: new.missed,
            made_at,
            handled: made_at,
            last_task: None,
            last_problem: None,
            refused_at: None,
        };
        self.change(|kept| {
            if kept.len() >= MAX_SCHEDULES {
                return Err(ScheduleError::TooMany);
            }
            kept.push(schedule.clone());
            Ok(())
        })?;
        self.inner.changed.notify_one();
        Ok(schedule)
    }

    /// Takes one away; what it started goes on.
    ///
    /// # Errors
    /// When there is none, or the file cannot be written.
    pub fn remove(&self, id: &str) -> Result<Schedule, ScheduleError> {
        self.change(|kept| {
            let at = find(kept, id).ok_or_else(|| ScheduleError::Unknown(id.to_owned()))?;
            Ok(kept.remove(at))
        })
    }

    /// Runs one now, besides its occurrences.
    ///
    /// # Errors
    /// When there is none, or its request is not accepted.
    pub async fn run(&self, id: &str, request_id: String, tasks: &Tasks) -> Result<TaskId, ScheduleError> {
        let schedule = {
            let kept = self.inner.kept.lock();
            let at = find(&kept, id).ok_or_else(|| ScheduleError::Unknown(id.to_owned()))?;
            kept[at].clone()
        };
        Ok(tasks.submit(request(&schedule, request_id)).await?.task_id)
    }

    /// Hands in what is due, until it is dropped.
    pub async fn keep(self, tasks: Tasks) {
        loop {
            self.look(&tasks).await;
            // A new schedule is looked at once; all others by the clock, which sleep and settings of it move.
            let _ =
                tokio::time::timeout(self.inner.clock.look_every(LOOK_EVERY), self.inner.changed.notified())
                    .await;
        }
    }

    async fn look(&self, tasks: &Tasks) {
        let now = self.inner.clock.now();
        let now_ms = now.timestamp().as_millisecond();
        let kept = self.inner.kept.lock().clone();
        for schedule in kept {
            if schedule.refused_at.is_some_and(|at| (0..AGAIN_AFTER_MS).contains(&(now_ms - at.0))) {
                continue;
            }
            let Ok(pattern) = Recurrence::read(&schedule.cron, &now) else { continue };
            let outcome = match decide(&pattern, schedule.missed, schedule.handled, &now) {
                DueDecision::Wait(_) => continue,
                DueDecision::Skip(occurrence) => {
                    ScheduleOutcome::Over(occurrence, "it was missed".to_owned())
                }
                DueDecision::Run(occurrence) => hand_in(&schedule, occurrence, tasks).await,
            };
            if let Err(error) = self.note(&schedule.id, &outcome, Timestamp(now_ms)) {
                tracing::warn!(schedule = schedule.id, "its occurrence cannot be noted down: {error}");
            }
        }
    }

    fn note(&self, id: &str, outcome: &ScheduleOutcome, now: Timestamp) -> Result<(), ScheduleError> {
        self.change(|kept| {
            // It may have been removed meanwhile.
            let Some(schedule) = kept.iter_mut().find(|schedule| schedule.id == id) else { return Ok(()) };
            match outcome {
                ScheduleOutcome::Started(occurrence, task_id) => {
                    tracing::info!(schedule = id, %task_id, "an occurrence was handed in");
                    schedule.handled = *occurrence;
                    (schedule.last_task, schedule.last_problem, schedule.refused_at) =
                        (Some(*task_id), None, None);
                }
                ScheduleOutcome::Over(occurrence, why) => {
                    tracing::warn!(schedule = id, "an occurrence did not run: {why}");
                    schedule.handled = *occurrence;
                    (schedule.last_problem, schedule.refused_at) = (Some(why.clone()), None);
                }
                ScheduleOutcome::Later(why) => {
                    (schedule.last_problem, schedule.refused_at) = (Some(why.clone()), Some(now));
                }
            }
            Ok(())
        })
    }

    /// Changes what is kept, in memory and on the disk, or in neither.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<Schedule>) -> Result<T, ScheduleError>,
    ) -> Result<T, ScheduleError> {
        let file =
            |problem: String| ScheduleError::File { path: self.inner.path.display().to_string(), problem };
        if let Some(problem) = &self.inner.unreadable {
            return Err(file(problem.clone()));
        }
        let mut kept = self.inner.kept.lock();
        let mut changed = kept.clone();
        let result = change(&mut changed)?;
        write(&self.inner.path, &changed).map_err(|error| file(error.to_string()))?;
        *kept = changed;
        Ok(result)
    }
}

/// What became of an occurrence.
enum ScheduleOutcome {
    Started(Timestamp, TaskId),
    /// It never runs.
    Over(Timestamp, String),
    /// It is tried again.
    Later(String),
}

async fn hand_in(schedule: &Schedule, occurrence: Timestamp, tasks: &Tasks) -> ScheduleOutcome {
    let request_id = format!("schedule:{}:{}", schedule.id, occurrence.0);
    match tasks.submit(request(schedule, request_id)).await {
        Ok(accepted) => ScheduleOutcome::Started(occurrence, accepted.task_id),
        Err(error @ (TaskError::Invalid { .. } | TaskError::KeyReused(_))) => {
            ScheduleOutcome::Over(occurrence, error.to_string())
        }
        Err(
            error @ (TaskError::Busy(_)
            | TaskError::NoRoom(_)
            | TaskError::ShuttingDown
            | TaskError::Journal(_)
            | TaskError::Unknown(_)
            | TaskError::Unreadable(_)
            | TaskError::NotWaiting(_)),
        ) => ScheduleOutcome::Later(error.to_string()),
    }
}

/// Nobody is there when it runs.
fn request(schedule: &Schedule, request_id: String) -> TaskSubmitted {
    TaskSubmitted {
        input: schedule.input.clone(),
        session_id: String::new(),
        request_id,
        working_directory: schedule.working_directory.clone(),
        options: TaskOptions { unattended: true, ..TaskOptions::default() },
    }
}

/// The place of the one whose id is this or begins like this.
fn find(kept: &[Schedule], id: &str) -> Option<usize> {
    let mut like =
        kept.iter().enumerate().filter(|(_, schedule)| !id.is_empty() && schedule.id.starts_with(id));
    let (at, _) = like.next()?;
    like.next().is_none().then_some(at)
}

/// An id for a new schedule: eight random hexadecimal digits.
pub fn new_id() -> String {
    // The end of such an id is random, its start is the time.
    let id = uuid::Uuid::now_v7().simple().to_string();
    id[id.len() - 8..].to_owned()
}
