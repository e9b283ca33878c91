//! A day with a recorded daemon: what people were told, and how long the recording was when they were told it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use artoo_types::TaskId;
use serde_json::Value;

use super::record::{self, Recorded};
use crate::story::{self, Kind, Story, lines_of, play};
use crate::victim::Victim;
use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;

/// Something that somebody outside knows, and that must be true after any power loss since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// SubmitTask was answered.
    Accepted,
    /// A tool call that does more than reading has begun.
    Acting,
    /// The FinalResult was delivered.
    Ended,
}

/// A fact about a task, and the length of the recording when it was known.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) task: TaskId,
    pub(crate) fact: Fact,
    pub(crate) at: u64,
}

/// A day that is over.
pub(crate) struct Day {
    pub(crate) home: Home,
    pub(crate) server: ModelServer,
    pub(crate) calls: Vec<Recorded>,
    pub(crate) known: Vec<Known>,
    _folder: tempfile::TempDir,
}

/// What is written down while the day goes on.
struct Notes<'a> {
    home: &'a Home,
    recording: &'a Path,
    tasks: Mutex<BTreeMap<String, TaskId>>,
    known: Mutex<Vec<(String, Fact, u64)>>,
    over: AtomicBool,
}

/// Has stories told by a recorded daemon, some of them at once. None where nothing can be recorded; then it says so.
pub(crate) fn spend(stories: usize) -> Option<Day> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let recorder = match record::build(folder.path()) {
        Ok(recorder) => recorder,
        Err(why) => {
            // Not `eprintln!`, which the test harness keeps for itself.
            let said =
                format!("skipped the loss of power: what a daemon writes cannot be recorded here: {why}\n");
            drop(std::io::Write::write_all(&mut std::io::stderr(), said.as_bytes()));
            return None;
        }
    };
    let recording = folder.path().join("recording");
    let server = ModelServer::start(play);
    let home = story::home(&server.base_url());
    let mut command = home.daemon_command(&["--foreground"]);
    command.env("LD_PRELOAD", recorder).env("RECORDER_LOG", &recording).env("RECORDER_ROOTS", home.root());
    let mut daemon = Victim::run(command);
    assert!(daemon.listens(&home), "the recorded daemon starts");
    let notes = Notes {
        home: &home,
        recording: &recording,
        tasks: Mutex::default(),
        known: Mutex::default(),
        over: AtomicBool::new(false),
    };
    let kinds = [Kind::Write, Kind::Append, Kind::Replan, Kind::Read];
    let all: Vec<Story> = (0..stories).map(|number| Story { kind: kinds[number % 4], number }).collect();
    std::thread::scope(|day| {
        let watching = day.spawn(|| notes.watch(&all));
        for some in all.chunks(3) {
            std::thread::scope(|scope| some.iter().for_each(|story| drop(scope.spawn(|| notes.tell(story)))));
        }
        notes.over.store(true, Ordering::Relaxed);
        watching.join().expect("watching does not fail");
    });
    daemon.kill();
    let tasks = notes.tasks.into_inner().unwrap_or_else(PoisonError::into_inner);
    let known = notes.known.into_inner().unwrap_or_else(PoisonError::into_inner);
    let known = known.into_iter().map(|(key, fact, at)| Known { task: tasks[&key], fact, at }).collect();
    Some(Day { calls: record::read(&recording), known, home, server, _folder: folder })
}

impl Notes<'_> {
    /// Follows one story to its end, and says yes to what it asks.
    fn tell(&self, story: &Story) {
        let mut client = self.home.task(&story.request(), &["--attended", "--request-id", &story.key()]);
        while let Some(line) = client.line() {
            let event: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
            match event["type"].as_str().unwrap_or_default() {
                "task_submitted" => {
                    let task = serde_json::from_value(event["task_id"].clone()).expect("an event has a task");
                    let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
                    tasks.insert(story.key(), task);
                    self.note(story, Fact::Accepted);
                }
                "final_result" => self.note(story, Fact::Ended),
                "confirmation_request" => {
                    let id = event["confirmation_id"].as_str().expect("a question has an id");
                    assert_eq!(self.home.artoo(&["confirm", id, "yes"]).code, Some(0));
                }
                _ => {}
            }
        }
        story.check_traces(self.home);
    }

    /// Notices the traces of actions soon after they are there.
    fn watch(&self, stories: &[Story]) {
        let mut left: Vec<&Story> = stories.iter().filter(|story| story.kind != Kind::Read).collect();
        while !self.over.load(Ordering::Relaxed) {
            left.retain(|story| {
                let key = story.key();
                let written = self.home.work().join(format!("{key}.txt"));
                let is_there = written.exists() || lines_of(self.home, &key) > 0;
                if is_there {
                    self.note(story, Fact::Acting);
                }
                !is_there
            });
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    fn note(&self, story: &Story, fact: Fact) {
        let at = std::fs::metadata(self.recording).expect("the recorder made its file").len();
        self.known.lock().unwrap_or_else(PoisonError::into_inner).push((story.key(), fact, at));
    }
}

impl Day {
    /// The journal of a task as the day left it.
    pub(crate) fn journal(&self, task: TaskId) -> PathBuf {
        artoo_journal::task_path(&self.home.data().join("tasks"), task)
    }
}
