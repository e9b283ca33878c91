//! Where lines go: answers and data to standard output, what is said about a task to standard error with a living
//! line below it, or all of it above the line that is being edited.

use std::future::Future;
use std::io::{IsTerminal, Write};
use std::pin::pin;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::exit::Failure;
use crate::links;
use crate::paths::AnswerReader;
use crate::render::text::{fit, one_line, wrap};
use crate::render::{Line, Said};
use crate::repl::activity::Activity;
use crate::terminal::TerminalLook;

/// The frames of the spinner: braille dots, one column each.
const FRAMES: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

/// How often the spinner turns.
pub const FRAME: Duration = Duration::from_millis(120);

/// Prints.
pub struct Printer {
    /// How output looks.
    pub look: TerminalLook,
    /// How what is said about a task looks.
    notes: TerminalLook,
    target: OutputTarget,
    /// Who reads the answers, if they go to a screen.
    reader: Option<AnswerReader>,
    spinning: bool,
    frame: usize,
}

enum OutputTarget {
    /// Straight to the terminal, or to whoever reads.
    Stdout,
    /// To the editor, which prints above its line, and shows the living line in it.
    Editor(SyncSender<String>, Option<Arc<Activity>>),
}

impl Printer {
    /// To standard output.
    pub fn stdout(look: TerminalLook) -> Self {
        let notes = TerminalLook::of_notes();
        let reader = std::io::stdout().is_terminal().then(AnswerReader::here);
        Self { look, notes, target: OutputTarget::Stdout, reader, spinning: false, frame: 0 }
    }

    /// Above the line that is being edited.
    pub fn editor(look: TerminalLook, sender: SyncSender<String>) -> Self {
        let (target, reader) = (OutputTarget::Editor(sender, None), Some(AnswerReader::here()));
        Self { look, notes: look, target, reader, spinning: false, frame: 0 }
    }

    /// The same with a living line, which the editor draws where the next request will be typed.
    #[must_use]
    pub fn living_in(mut self, shown: Arc<Activity>) -> Self {
        if let OutputTarget::Editor(_, activity) = &mut self.target {
            *activity = Some(shown);
        }
        self
    }

    /// Prints lines of an answer, or of data.
    ///
    /// # Errors
    /// When nobody takes the output any more.
    pub async fn lines(&mut self, lines: &[Line]) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        self.text(joined(lines, self.look.colour)).await
    }

    /// Prints lines about a task: to standard error, so that standard output holds the answer alone.
    ///
    /// # Errors
    /// When nobody takes the output any more.
    pub async fn notes(&mut self, lines: &[Line]) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let text = joined(lines, self.notes.colour);
        match &self.target {
            OutputTarget::Stdout => {
                self.stop_spinning();
                complain(&text);
                Ok(())
            }
            OutputTarget::Editor(..) => self.text(text).await,
        }
    }

    /// Prints the end of a task, each line where it belongs.
    ///
    /// # Errors
    /// When nobody takes the output any more.
    pub async fn said(&mut self, lines: &[Said]) -> Result<(), Failure> {
        for line in lines {
            match line {
                Said::Answer(line) if self.look.live => {
                    let text = joined(&line.clone().broken(self.look.width), self.look.colour);
                    let reader = self.reader.as_ref().filter(|_| self.look.links);
                    let text = reader.map(|reader| links::linked(&text, host(), reader)).unwrap_or(text);
                    self.text(text).await?;
                }
                Said::Answer(line) => self.lines(std::slice::from_ref(line)).await?,
                Said::Note(line) => self.notes(std::slice::from_ref(line)).await?,
            }
        }
        Ok(())
    }

    /// Who reads the answers; none where they go into a pipe or a file.
    pub fn reader(&self) -> Option<&AnswerReader> {
        self.reader.as_ref()
    }

    /// Columns of the screen now; people resize their windows.
    pub fn width(&mut self) -> usize {
        for (look, now) in
            [(&mut self.look, TerminalLook::detect()), (&mut self.notes, TerminalLook::of_notes())]
        {
            if now.live {
                look.width = now.width;
            }
        }
        self.notes.width
    }

    /// Prints text and a line feed.
    ///
    /// # Errors
    /// When nobody takes the output any more.
    pub async fn text(&mut self, text: String) -> Result<(), Failure> {
        match &self.target {
            OutputTarget::Stdout => {
                self.stop_spinning();
                let mut out = std::io::stdout().lock();
                writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| unwritable(&error))
            }
            OutputTarget::Editor(sender, _) => {
                let sender = sender.clone();
                // The editor passes over a message without any line.
                let text = if text.is_empty() { " ".to_owned() } else { text };
                let sent = tokio::task::spawn_blocking(move || sender.send(text)).await;
                match sent {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(_)) | Err(_) => Err(Failure::Cancelled),
                }
            }
        }
    }

    /// Whether a person can be asked here: somebody is there, and nobody edits a line.
    pub fn can_ask(&self) -> bool {
        matches!(self.target, OutputTarget::Stdout) && crate::terminal::someone_is_there()
    }

    /// Whether there is a living line.
    pub fn spins(&self) -> bool {
        match &self.target {
            OutputTarget::Stdout => self.notes.live,
            OutputTarget::Editor(_, activity) => activity.is_some(),
        }
    }

    /// Whether somebody edits a line below the output.
    pub fn edits(&self) -> bool {
        matches!(self.target, OutputTarget::Editor(..))
    }

    /// Draws the next frame of the spinner with its label, on one line.
    pub fn spin(&mut self, label: &str) {
        if !self.spins() {
            return;
        }
        self.frame = (self.frame + 1) % FRAMES.len();
        self.spinning = true;
        // One column stays free: a full line would wrap on some terminals.
        let label = fit(&one_line(label), self.notes.width.saturating_sub(5));
        let frame = FRAMES[self.frame];
        if let OutputTarget::Editor(_, Some(activity)) = &self.target {
            activity.live(Some((frame, label)));
            return;
        }
        let mut out = std::io::stderr().lock();
        let drawn = write!(out, "\r\u{1b}[K  {frame} {label}").and_then(|()| out.flush());
        // A spinner that cannot be drawn is no reason to stop; the next line of output reports the error.
        drop(drawn);
    }

    /// Waits for this with the spinner turning.
    pub async fn spin_while<T>(&mut self, label: &str, work: impl Future<Output = T>) -> T {
        let mut frames = tokio::time::interval(FRAME);
        let mut work = pin!(work);
        let done = loop {
            tokio::select! {
                done = &mut work => break done,
                _ = frames.tick(), if self.spins() => self.spin(label),
            }
        };
        self.stop_spinning();
        done
    }

    /// Takes the spinner away.
    pub fn stop_spinning(&mut self) {
        if !std::mem::take(&mut self.spinning) {
            return;
        }
        if let OutputTarget::Editor(_, Some(activity)) = &self.target {
            activity.live(None);
        } else {
            let mut out = std::io::stderr().lock();
            drop(write!(out, "\r\u{1b}[K").and_then(|()| out.flush()));
        }
    }
}

/// Prints text as it is, for data that is no line: exports, pages, completions.
///
/// # Errors
/// When nobody takes the output.
pub fn raw(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| unwritable(&error))
}

/// The name of this machine, which a link to a file bears: it may be shown elsewhere. Empty, which means here, where it is unknown.
fn host() -> &'static str {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        name.trim().to_owned()
    })
}

fn joined(lines: &[Line], colour: bool) -> String {
    lines.iter().map(|line| line.text(colour)).collect::<Vec<_>>().join("\n")
}

fn unwritable(error: &std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return Failure::Unread;
    }
    Failure::Local(format!("the output cannot be written: {error}"))
}

/// Prints text to standard error; on a terminal no word is broken.
pub fn complain_in_words(text: &str) {
    let look = TerminalLook::of_notes();
    if !look.live {
        return complain(text);
    }
    for line in text.lines() {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        for piece in wrap(line, look.width.saturating_sub(indent.len())) {
            complain(&format!("{indent}{piece}"));
        }
    }
}

/// Prints one line to standard error.
pub fn complain(text: &str) {
    // Nothing can be done about a standard error that is closed.
    drop(writeln!(std::io::stderr(), "{text}"));
}
