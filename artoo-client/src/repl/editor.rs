//! The line editor, on a thread of its own.

use std::borrow::Cow;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use reedline::{
    ColumnarMenu, Completer, CompletionResult, EditCommand, ExternalPrinter, FileBackedHistory, KeyCode,
    KeyModifiers, MenuBuilder, Prompt, PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent,
    ReedlineMenu, Signal, Span, Suggestion, ValidationResult, Validator, default_emacs_keybindings,
};
use tokio::sync::mpsc;

use crate::keyboard::UserInput;
use crate::repl::activity::{Activity, Asked};
use crate::repl::keys::{INTERRUPT, KeyModes, LivingHinter};
use crate::repl::recent::RecentTasks;
use crate::repl::slash::{SlashAction, TABLE, parse};
use crate::terminal::TerminalLook;

/// Lines of history that are kept.
const HISTORY_LINES: usize = 10_000;
/// Messages that wait for the editor to print them; who prints more waits.
const MESSAGES: usize = 64;
/// How soon a message is printed.
const POLL: Duration = Duration::from_millis(50);
/// Entries of one folder that are looked at, and names that are offered.
const MOST_ENTRIES: usize = 2_000;
const MOST_FILES: usize = 40;
const MENU: &str = "slash_commands";

/// The editor's end of a conversation.
pub struct EditorHandle {
    /// What was typed.
    pub inputs: mpsc::Receiver<UserInput>,
    /// Prints above the line.
    pub printer: SyncSender<String>,
    /// Tells the editor to read another line. Until then the terminal is in its ordinary state.
    pub go_on: SyncSender<()>,
}

/// Starts the editor. `activity` says what it shows beside the line, and what keys are for; ids are completed from `recent`.
pub fn open(
    look: TerminalLook,
    history: &Path,
    activity: Arc<Activity>,
    recent: Arc<RecentTasks>,
) -> EditorHandle {
    let printer = ExternalPrinter::new(MESSAGES);
    let printing = printer.sender();
    let (sender, inputs) = mpsc::channel(1);
    let (go_on, may_go_on) = sync_channel(1);
    let mut editor =
        editor(look, history, &activity, recent).with_external_printer(printer).with_poll_interval(POLL);
    let again = editor.repaint_signal();
    activity.draws(Box::new(move || again.request_repaint()));
    std::thread::spawn(move || {
        let prompt = ReplPrompt { activity };
        loop {
            let read = editor.read_line(&prompt);
            // What was typed is taken, or thrown away.
            prompt.activity.has_typed(false);
            let input = match read {
                Ok(Signal::Success(line)) => UserInput::Line(line),
                Ok(Signal::HostCommand(key)) if key == INTERRUPT => UserInput::Interrupt,
                Ok(Signal::HostCommand(key)) => UserInput::Line(key),
                Ok(Signal::CtrlC) => UserInput::Interrupt,
                Ok(Signal::CtrlD) | Err(_) => UserInput::End,
                Ok(_) => continue,
            };
            // At once: the process may end while this thread waits. A history that cannot be written is no reason to stop.
            drop(editor.sync_history());
            if sender.blocking_send(input).is_err() || may_go_on.recv().is_err() {
                return;
            }
        }
    });
    EditorHandle { inputs, printer: printing, go_on }
}

fn editor(
    look: TerminalLook,
    history: &Path,
    activity: &Arc<Activity>,
    recent: Arc<RecentTasks>,
) -> Reedline {
    let mut keys = default_emacs_keybindings();
    keys.add_binding(
        KeyModifiers::NONE,
        KeyCode::Tab,
        ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.to_owned()), ReedlineEvent::MenuNext]),
    );
    keys.add_binding(
        KeyModifiers::ALT,
        KeyCode::Enter,
        ReedlineEvent::Edit(vec![EditCommand::InsertNewline]),
    );
    let menu = ColumnarMenu::default().with_name(MENU);
    let editor = Reedline::create()
        .use_bracketed_paste(true)
        .with_ansi_colors(look.colour)
        .with_completer(Box::new(SlashCompleter { recent }))
        .with_quick_completions(true)
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
        .with_hinter(Box::new(LivingHinter::new(Arc::clone(activity))))
        .with_validator(Box::new(BackslashValidator))
        .with_history_exclusion_prefix(Some(" ".to_owned()))
        .with_edit_mode(Box::new(KeyModes::new(keys, Arc::clone(activity))));
    // What people typed is theirs: the file is made before anything is written to it.
    let made = OpenOptions::new().create(true).append(true).mode(0o600).open(history);
    match made.ok().and_then(|_| FileBackedHistory::with_file(HISTORY_LINES, history.to_owned()).ok()) {
        Some(history) => editor.with_history(Box::new(history)),
        None => editor,
    }
}

struct ReplPrompt {
    activity: Arc<Activity>,
}

impl Prompt for ReplPrompt {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    // Nothing to the right: the editor counts its columns to the line when it prints above it.
    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        match (self.activity.asked(), self.activity.living()) {
            (Asked::Key | Asked::Line, _) => Cow::Borrowed("? "),
            (Asked::Nothing, Some((frame, _))) => Cow::Owned(format!("{frame} ")),
            (Asked::Nothing, None) => Cow::Borrowed("› "),
        }
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("  ")
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Owned(format!("search: {} › ", search.term))
    }
}

/// Completes the names of slash commands and the ids behind them, and in a request the names of files.
struct SlashCompleter {
    recent: Arc<RecentTasks>,
}

impl Completer for SlashCompleter {
    fn complete(&mut self, line: &str, position: usize) -> CompletionResult {
        let typed = line.get(..position).unwrap_or(line);
        if !typed.starts_with('/') {
            return CompletionResult::fresh(files(typed, position));
        }
        if let Some(word) = id_begun(typed) {
            return CompletionResult::fresh(self.ids(word, position));
        }
        let suggestions: Vec<Suggestion> = TABLE
            .iter()
            .filter(|slash| slash.name.starts_with(typed))
            .map(|slash| Suggestion {
                value: slash.name.to_owned(),
                description: Some(slash.help.to_owned()),
                span: Span::new(0, position),
                append_whitespace: !slash.argument.is_empty(),
                ..Suggestion::default()
            })
            .collect();
        CompletionResult::fresh(suggestions)
    }
}

impl SlashCompleter {
    /// Ids that begin like this; the word itself where there are none, so that no empty menu opens.
    fn ids(&self, word: &str, position: usize) -> Vec<Suggestion> {
        let span = Span::new(position - word.len(), position);
        let found = self.recent.beginning_with(word);
        if found.is_empty() {
            return vec![Suggestion { value: word.to_owned(), span, ..Suggestion::default() }];
        }
        let suggestion = |(id, request)| Suggestion {
            value: id,
            description: Some(request),
            span,
            append_whitespace: true,
            ..Suggestion::default()
        };
        found.into_iter().map(suggestion).collect()
    }
}

/// What is typed of the id of a task, where the line's command takes one there.
fn id_begun(typed: &str) -> Option<&str> {
    let (command, word) = typed.rsplit_once(' ')?;
    let (slash, words) = parse(command).ok()?;
    let takes_id = match slash.action {
        SlashAction::OfTask(_) | SlashAction::Cancel | SlashAction::Confirm => true,
        SlashAction::Help
        | SlashAction::Clear
        | SlashAction::Quit
        | SlashAction::More
        | SlashAction::Command(_) => false,
    };
    (takes_id && words.is_empty()).then_some(word)
}

/// Files and folders whose path goes on from the last word of a request; the word itself where there are none, so that no
/// empty menu opens.
fn files(typed: &str, position: usize) -> Vec<Suggestion> {
    let word = typed.rsplit([' ', '"', '“', '\'']).next().unwrap_or_default();
    let asks_for_names = word.starts_with('@');
    let word = word.strip_prefix('@').unwrap_or(word);
    let suggestion = |value: String| Suggestion {
        value,
        span: Span::new(position - word.len(), position),
        ..Suggestion::default()
    };
    let (folder, start) = word.rsplit_once('/').map_or(("", word), |(folder, start)| (folder, start));
    let home = std::env::var("HOME").unwrap_or_default();
    let at = match folder.strip_prefix('~') {
        Some(rest) => format!("{home}{rest}"),
        None if folder.is_empty() && word.starts_with('/') => "/".to_owned(),
        None if folder.is_empty() => ".".to_owned(),
        None => folder.to_owned(),
    };
    let mut found: Vec<String> = std::fs::read_dir(at)
        .into_iter()
        .flatten()
        .flatten()
        .take(MOST_ENTRIES)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let fits = name.starts_with(start) && (start.starts_with('.') || !name.starts_with('.'));
            let end = if entry.path().is_dir() { "/" } else { "" };
            let lead = if word.contains('/') { format!("{folder}/") } else { String::new() };
            (fits && (!start.is_empty() || asks_for_names) && !name.contains(char::is_control))
                .then(|| format!("{lead}{name}{end}"))
        })
        .collect();
    found.sort();
    found.truncate(MOST_FILES);
    if found.is_empty() {
        found.push(word.to_owned());
    }
    found.into_iter().map(suggestion).collect()
}

/// A line that ends with a backslash goes on.
struct BackslashValidator;

impl Validator for BackslashValidator {
    fn validate(&self, line: &str) -> ValidationResult {
        if line.ends_with('\\') { ValidationResult::Incomplete } else { ValidationResult::Complete }
    }
}

#[cfg(test)]
mod tests {
    use reedline::{Completer, ValidationResult, Validator};

    use super::{BackslashValidator, SlashCompleter};
    use crate::repl::recent::RecentTasks;

    fn check(line: &str, names: &[&str]) {
        let recent = RecentTasks::default();
        recent.note("0197b2c4-1a2b-7000-8000-000000000001", "count the lines");
        recent.note("0198aaaa-0000-7000-8000-000000000003", "git status");
        let mut completer = SlashCompleter { recent: recent.into() };
        let found = completer.complete(line, line.len());
        let values: Vec<&str> =
            found.suggestions().iter().map(|suggestion| suggestion.value.as_str()).collect();
        assert_eq!(values, names, "{line}");
    }

    #[test]
    fn slash_commands_are_completed_and_nothing_else() {
        check("/rep", &["/replay", "/report"]);
        check("/q", &["/quit"]);
        check("/status x", &[]);
    }

    #[test]
    fn ids_of_tasks_are_completed_where_a_command_takes_one() {
        let (newer, older) = ("0198aaaa-0000", "0197b2c4-1a2b");
        check("/show 01", &[newer, older]);
        check("/show ", &[newer, older]);
        for command in ["/cancel", "/confirm", "/undo", "/replay", "/report", "/sh"] {
            check(&format!("{command} 0197"), &[older]);
        }
        check("/show 0198A", &[newer]);
        check("/show zz", &["zz"]);
        check("/undo 0197b2c4 01", &[]);
        check("/memory 01", &[]);
    }

    #[test]
    fn files_of_a_request_are_completed_and_no_empty_menu_opens() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().to_string_lossy().into_owned();
        std::fs::write(folder.path().join("sales.csv"), "x").unwrap();
        std::fs::create_dir(folder.path().join("salads")).unwrap();
        check(&format!("read {at}/sal"), &[&format!("{at}/salads/"), &format!("{at}/sales.csv")]);
        check(&format!("read @{at}/sal"), &[&format!("{at}/salads/"), &format!("{at}/sales.csv")]);
        check(&format!("read {at}/nothing"), &[&format!("{at}/nothing")]);
        check("", &[""]);
    }

    #[test]
    fn a_line_goes_on_after_a_backslash() {
        assert!(matches!(BackslashValidator.validate("one\\"), ValidationResult::Incomplete));
        assert!(matches!(BackslashValidator.validate("one \"two"), ValidationResult::Complete));
    }
}
