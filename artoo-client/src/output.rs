//! Where lines go: to standard output with a spinner below them, or above the line that is being edited.

use std::io::Write;
use std::sync::mpsc::SyncSender;

use crate::exit::Failure;
use crate::render::Line;
use crate::render::text::{fit, one_line};
use crate::terminal::TerminalLook;

/// The frames of the spinner: braille dots, one column each.
const FRAMES: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

/// Prints.
pub struct Printer {
    /// How output looks.
    pub look: TerminalLook,
    target: OutputTarget,
    spinning: bool,
    frame: usize,
}

enum OutputTarget {
    /// Straight to standard output.
    Stdout,
    /// To the editor, which prints above its line.
    Editor(SyncSender<String>),
}

impl Printer {
    /// To standard output.
    pub fn stdout(look: TerminalLook) -> Self {
        Self { look, target: OutputTarget::Stdout, spinning: false, frame: 0 }
    }

    /// Above the line that is being edited.
    pub fn editor(look: TerminalLook, sender: SyncSender<String>) -> Self {
        Self { look, target: OutputTarget::Editor(sender), spinning: false, frame: 0 }
    }

    /// Prints lines.
    ///
    /// # Errors
    /// When nobody takes the output any more.
    pub async fn lines(&mut self, lines: &[Line]) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let text: Vec<String> = lines.iter().map(|line| line.text(self.look.colour)).collect();
        self.text(text.join("\n")).await
    }

    /// Prints text and a line feed.
    ///
    /// # Errors
    /// When nobody takes the output any more.
    pub async fn text(&mut self, text: String) -> Result<(), Failure> {
        match &self.target {
            OutputTarget::Stdout => {
                let mut out = std::io::stdout().lock();
                let clear = if std::mem::take(&mut self.spinning) { "\r\u{1b}[K" } else { "" };
                writeln!(out, "{clear}{text}").and_then(|()| out.flush()).map_err(|error| unwritable(&error))
            }
            OutputTarget::Editor(sender) => {
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

    /// Whether there is a spinner to turn.
    pub fn spins(&self) -> bool {
        self.look.live && matches!(self.target, OutputTarget::Stdout)
    }

    /// Draws the next frame of the spinner with its label, on one line.
    pub fn spin(&mut self, label: &str) {
        if !self.spins() {
            return;
        }
        self.frame = (self.frame + 1) % FRAMES.len();
        self.spinning = true;
        // One column stays free: a full line would wrap on some terminals.
        let label = fit(&one_line(label), self.look.width.saturating_sub(5));
        let mut out = std::io::stdout().lock();
        let drawn = write!(out, "\r\u{1b}[K  {} {label}", FRAMES[self.frame]).and_then(|()| out.flush());
        // A spinner that cannot be drawn is no reason to stop; the next line of output reports the error.
        drop(drawn);
    }

    /// Takes the spinner away.
    pub fn stop_spinning(&mut self) {
        if std::mem::take(&mut self.spinning) {
            let mut out = std::io::stdout().lock();
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

fn unwritable(error: &std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return Failure::Unread;
    }
    Failure::Local(format!("the output cannot be written: {error}"))
}

/// Prints one line to standard error.
pub fn complain(text: &str) {
    // Nothing can be done about a standard error that is closed.
    drop(writeln!(std::io::stderr(), "{text}"));
}
