//! What goes on while a line is edited: the living line, and whether the next key answers a question. The editor reads it
//! when it draws, and is told to draw again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Makes the editor draw its line again.
type Draw = Box<dyn Fn() + Send + Sync>;

/// How long a question stands before a key answers it, and how long keys after an answer are nobody's: who is in the middle
/// of a word has not read it.
pub const PAUSE: Duration = Duration::from_millis(350);

/// What the person is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// One key.
    Key,
    /// A line.
    Line,
}

/// What the next key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    /// It edits the line.
    Edits,
    /// It answers the question, if it is one of its keys.
    Answers,
    /// It edits the line, but Esc stops the task.
    Stops,
    /// It came too soon to mean anything.
    Nothing,
}

/// Shared by the editor, the conversation and the running task.
#[derive(Default)]
pub struct Activity {
    now: Mutex<Now>,
    /// Something is typed, so keys belong to that.
    typed: AtomicBool,
    draw: OnceLock<Draw>,
}

#[derive(Debug, Default)]
struct Now {
    asked: Asked,
    /// Since when that is so.
    since: Option<Instant>,
    /// The spinner and the living line.
    living: Option<(char, String)>,
}

impl Activity {
    /// Tells who is to draw again when something changes. There is one editor, so only the first is heard.
    pub fn draws(&self, draw: Draw) {
        drop(self.draw.set(draw));
    }

    /// Asks for something, or for nothing any more.
    pub fn ask(&self, asked: Asked) {
        let mut now = self.lock();
        if now.asked != asked || asked != Asked::Nothing {
            now.since = Some(Instant::now());
        }
        now.asked = asked;
        drop(now);
        self.draw();
    }

    /// What is asked for.
    pub fn asked(&self) -> Asked {
        self.lock().asked
    }

    /// Shows this as the living line, or none.
    pub fn live(&self, living: Option<(char, String)>) {
        self.lock().living = living;
        self.draw();
    }

    /// The living line and its spinner.
    pub fn living(&self) -> Option<(char, String)> {
        self.lock().living.clone()
    }

    /// Notes down whether something is typed.
    pub fn has_typed(&self, typed: bool) {
        self.typed.store(typed, Ordering::Relaxed);
    }

    /// What a key that is pressed now is for.
    pub fn key_use(&self) -> KeyUse {
        let now = self.lock();
        let too_soon = now.since.is_some_and(|since| since.elapsed() < PAUSE);
        match (now.asked, self.typed.load(Ordering::Relaxed)) {
            (Asked::Key | Asked::Nothing, false) if too_soon => KeyUse::Nothing,
            (Asked::Key, false) => KeyUse::Answers,
            (Asked::Nothing, false) if now.living.is_some() => KeyUse::Stops,
            (Asked::Key | Asked::Nothing | Asked::Line, _) => KeyUse::Edits,
        }
    }

    fn draw(&self) {
        if let Some(draw) = self.draw.get() {
            draw();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        // Nothing that holds it can fail half way.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Activity, Asked, KeyUse, PAUSE};

    #[test]
    fn a_key_answers_only_where_nothing_is_typed_and_the_question_was_there_before() {
        let activity = Activity::default();
        assert_eq!(activity.key_use(), KeyUse::Edits);
        activity.live(Some(('⠋', "3 s".to_owned())));
        assert_eq!(activity.key_use(), KeyUse::Stops);
        activity.has_typed(true);
        assert_eq!(activity.key_use(), KeyUse::Edits, "esc closes the menu");
        activity.ask(Asked::Key);
        std::thread::sleep(PAUSE);
        assert_eq!(activity.key_use(), KeyUse::Edits, "it belongs to what is typed");
        activity.has_typed(false);
        activity.ask(Asked::Key);
        assert_eq!(activity.key_use(), KeyUse::Nothing, "nobody reads that fast");
        std::thread::sleep(PAUSE);
        assert_eq!(activity.key_use(), KeyUse::Answers);
        activity.ask(Asked::Nothing);
        assert_eq!(activity.key_use(), KeyUse::Nothing, "the rest of a word");
        activity.ask(Asked::Line);
        assert_eq!(activity.key_use(), KeyUse::Edits);
    }
}
