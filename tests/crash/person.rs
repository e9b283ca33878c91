//! A person who wants one task done and does not give up: asks again with the same key, follows its events from the
//! last one seen, and answers questions with care.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::story::{Story, lines_of};
use artoo_testing::{Ended, Home};

/// The words of a question about an action that was under way when the daemon died.
const MAY: &str = "may have happened";
/// How long a person waits for one task, over all deaths of the daemon.
const HOURS: Duration = Duration::from_secs(240);

/// The time in which people begin something new.
#[derive(Default)]
pub(crate) struct Day {
    over: AtomicBool,
    /// What they wait for will not come.
    broken: AtomicBool,
}

/// Ends the day when it is dropped.
pub(crate) struct Evening<'a>(&'a Day);

impl Day {
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    pub(crate) fn evening(&self) -> Evening<'_> {
        Evening(self)
    }
}

impl Drop for Evening<'_> {
    fn drop(&mut self) {
        self.0.broken.store(std::thread::panicking(), Ordering::Relaxed);
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// What a person saw of one task.
pub(crate) struct Seen {
    pub(crate) task_id: String,
    /// Every event, joined over all reconnects.
    pub(crate) events: Vec<Value>,
    /// How often the stream was taken up again and had more to tell.
    pub(crate) reconnects: usize,
}

/// Has the story told to its end. None when the day ended before any answer came.
pub(crate) fn follow(home: &Home, story: &Story, day: &Day) -> Option<Seen> {
    let since = Instant::now();
    let mut seen = Seen { task_id: String::new(), events: Vec::new(), reconnects: 0 };
    loop {
        assert!(since.elapsed() < HOURS, "{}: no end after {:?}", story.key(), seen.events.last());
        let mut client = if seen.task_id.is_empty() {
            home.task(&story.request(), &["--attended", "--request-id", &story.key()])
        } else {
            let after = seen.events.len().to_string();
            home.client(&["events", &seen.task_id, "--after", &after, "--follow", "--json"])
        };
        let before = seen.events.len();
        while let Some(line) = client.line() {
            let event: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
            seen.take(story, event);
            seen.answer(home, story);
        }
        seen.reconnects += usize::from(before > 0 && seen.events.len() > before);
        if seen.is_over() {
            return Some(seen);
        }
        seen.check_client(story, &client.wait());
        if day.broken.load(Ordering::Relaxed) {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Seen {
    fn take(&mut self, story: &Story, event: Value) {
        let next = self.events.len() as u64 + 1;
        assert_eq!(event["sequence"], next, "{}: a gap or a double: {event:#}", story.key());
        assert!(!self.is_over(), "{}: something follows the end: {event:#}", story.key());
        let task_id = event["task_id"].as_str().expect("an event names its task");
        if self.task_id.is_empty() {
            task_id.clone_into(&mut self.task_id);
        }
        assert_eq!(task_id, self.task_id, "{}: two tasks for one key", story.key());
        self.events.push(event);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.events.last().is_some_and(|event| event["type"] == "final_result")
    }

    /// Says yes to a first question. When it may have happened, looks whether it did before saying yes again.
    fn answer(&self, home: &Home, story: &Story) {
        let Some(question) = self.events.last().filter(|event| event["type"] == "confirmation_request")
        else {
            return;
        };
        let may_have_happened = question["why"].to_string().contains(MAY);
        let word = if may_have_happened && lines_of(home, &story.key()) > 0 { "no" } else { "yes" };
        let id = question["confirmation_id"].as_str().expect("a question has an id");
        let answered: Ended = home.artoo(&["confirm", id, word]);
        // The question is void when the daemon died meanwhile; the next one asks anew.
        assert!(matches!(answered.code, Some(0 | 3 | 5)), "{}: {answered:?}", story.key());
    }

    fn check_client(&self, story: &Story, ended: &Ended) {
        // Without its end: the daemon was unreachable, or is on its way out. Beyond the log would be a lost event.
        assert!(matches!(ended.code, Some(3 | 5)), "{}: {ended:?}", story.key());
        assert!(!ended.stderr.contains("beyond"), "{}: {ended:?}", story.key());
    }

    /// Whether the person had to decide about something that may have happened.
    pub(crate) fn was_asked_about_what_may_have_happened(&self) -> bool {
        let may = |e: &Value| e["type"] == "confirmation_request" && e["why"].to_string().contains(MAY);
        self.events.iter().any(may)
    }
}
