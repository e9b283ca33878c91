//! What keys mean while a line is edited: they edit it, answer a question, or stop the task. And what stands where nothing
//! is typed: the living line.

use std::sync::Arc;

use reedline::{
    Color, DefaultHinter, EditMode, Emacs, Hinter, History, KeyCode, KeyModifiers, Keybindings,
    PromptEditMode, ReedlineEvent, ReedlineRawEvent, default_emacs_keybindings,
};

use crate::repl::activity::{Activity, KeyUse};

/// What the editor says when a key stops the task.
pub const INTERRUPT: &str = "\u{3}";
/// The keys that answer a question.
const ANSWERS: [char; 5] = ['y', 'n', 'a', 'v', '?'];

/// The bindings of the line, of a question, and of a running task.
pub struct KeyModes {
    edits: Emacs,
    answers: Emacs,
    stops: Emacs,
    activity: Arc<Activity>,
}

impl KeyModes {
    /// With these bindings for the line.
    pub fn new(edits: Keybindings, activity: Arc<Activity>) -> Self {
        let said = |text: &str| ReedlineEvent::ExecuteHostCommand(text.to_owned());
        let mut stops = edits.clone();
        stops.add_binding(KeyModifiers::NONE, KeyCode::Esc, said(INTERRUPT));
        stops.add_binding(KeyModifiers::CONTROL, KeyCode::Char('c'), said(INTERRUPT));
        let mut answers = default_emacs_keybindings();
        answers.add_binding(KeyModifiers::CONTROL, KeyCode::Char('c'), said(INTERRUPT));
        for key in ANSWERS {
            for modifier in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
                answers.add_binding(modifier, KeyCode::Char(key), said(&key.to_string()));
            }
        }
        Self { edits: Emacs::new(edits), answers: Emacs::new(answers), stops: Emacs::new(stops), activity }
    }
}

impl EditMode for KeyModes {
    fn parse_event(&mut self, event: ReedlineRawEvent) -> ReedlineEvent {
        match self.activity.key_use() {
            KeyUse::Edits => self.edits.parse_event(event),
            KeyUse::Answers => self.answers.parse_event(event),
            KeyUse::Stops => self.stops.parse_event(event),
            KeyUse::Nothing => ReedlineEvent::None,
        }
    }

    fn edit_mode(&self) -> PromptEditMode {
        self.edits.edit_mode()
    }
}

/// The living line where nothing is typed, else how a line of the history goes on.
pub struct LivingHinter {
    history: DefaultHinter,
    activity: Arc<Activity>,
    lives: bool,
}

impl LivingHinter {
    /// Of this activity.
    pub fn new(activity: Arc<Activity>) -> Self {
        Self { history: DefaultHinter::default(), activity, lives: false }
    }
}

impl Hinter for LivingHinter {
    fn handle(&mut self, line: &str, at: usize, history: &dyn History, colour: bool, folder: &str) -> String {
        self.activity.has_typed(!line.is_empty());
        let living = self.activity.living().filter(|_| line.is_empty());
        self.lives = living.is_some();
        match living {
            Some((_, text)) if colour => Color::DarkGray.paint(text).to_string(),
            Some((_, text)) => text,
            None => self.history.handle(line, at, history, colour, folder),
        }
    }

    fn complete_hint(&self) -> String {
        if self.lives { String::new() } else { self.history.complete_hint() }
    }

    fn next_hint_token(&self) -> String {
        if self.lives { String::new() } else { self.history.next_hint_token() }
    }
}
