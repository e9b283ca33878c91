//! Notices to a person who is not looking: that a task waits for an answer, or that one which ran by itself, or for long, has ended.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use artoo_bus::Delivery;
use artoo_types::control::Ending;
use artoo_types::text::first_chars;
use artoo_types::{Envelope, Message, TaskId};
use tokio::process::Command;

use crate::live::LiveTaps;
use crate::task::Tasks;

/// A task that took less is waited for by the person who asked.
const LONG_MS: u64 = 60_000;
/// How long the program of a notice may take.
const TOLD_WITHIN: Duration = Duration::from_secs(10);
/// Characters of a request or a summary in a notice.
const MAX_CHARS: usize = 160;
/// Variables that a program needs to reach a desktop. No other is passed on: keys are among them.
const PASSED: [&str; 9] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
];

/// Tells people.
pub struct Notices {
    tasks: Tasks,
    live: Arc<LiveTaps>,
    means: NoticeMeans,
}

/// How people are told.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NoticeMeans {
    /// The operator's own command, run by a shell; what it tells is in variables, never in the command.
    Command(String),
    /// The desktop's program.
    NotifySend(PathBuf),
    /// The same on macOS.
    Osascript(PathBuf),
    Nothing,
}

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TaskNotice {
    title: &'static str,
    text: String,
    task_id: TaskId,
}

impl Notices {
    /// By the command that is configured, else by the desktop's own program.
    pub fn new(tasks: Tasks, live: Arc<LiveTaps>, command: Option<String>) -> Self {
        let path = std::env::var("PATH").unwrap_or_default();
        let find = |name: &str| {
            path.split(':')
                .map(|folder| PathBuf::from(folder).join(name))
                .find(|file| file.is_absolute() && file.is_file())
        };
        let desktop = || match cfg!(target_os = "macos") {
            true => find("osascript").map(NoticeMeans::Osascript),
            false => find("notify-send").map(NoticeMeans::NotifySend),
        };
        let means = command.map(NoticeMeans::Command).or_else(desktop).unwrap_or(NoticeMeans::Nothing);
        Self { tasks, live, means }
    }

    /// Tells until it is dropped.
    pub async fn run(self) {
        if self.means == NoticeMeans::Nothing {
            return;
        }
        let reader = self.live.subscribe();
        loop {
            let Delivery::Item(envelope) = reader.next().await else { continue };
            if let Some(notice) = self.notice(&envelope) {
                tell(&self.means, &notice).await;
            }
        }
    }

    fn notice(&self, envelope: &Envelope) -> Option<TaskNotice> {
        let ended = if let Message::FinalResult(result) = &envelope.payload { Some(result) } else { None };
        let waits =
            matches!(envelope.payload, Message::ConfirmationRequest(_) | Message::ClarificationRequest(_));
        let title = match ended {
            Some(result) if result.directive == Ending::Abandon => "artoo could not do it",
            Some(_) => "artoo is done",
            None if waits => "artoo waits for your answer",
            None => return None,
        };
        let task_id = envelope.task_id?;
        let submitted = self.tasks.get(task_id).ok()?.submitted.clone()?;
        let is_scheduled = submitted.request_id.starts_with("schedule:");
        let is_own = matches!(self.means, NoticeMeans::Command(_));
        let counts = match ended {
            Some(result) => is_scheduled || is_own && result.usage.elapsed_ms >= LONG_MS,
            // Nobody is asked where nobody is there.
            None => is_own && !submitted.options.unattended,
        };
        let said =
            ended.map(|result| format!(": {}", first_chars(&result.summary, MAX_CHARS))).unwrap_or_default();
        let text = format!("{}{said}", first_chars(&submitted.input, MAX_CHARS));
        counts.then_some(TaskNotice { title, text, task_id })
    }
}

async fn tell(means: &NoticeMeans, notice: &TaskNotice) {
    let mut command = match means {
        NoticeMeans::Command(line) => {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", line]);
            command
        }
        NoticeMeans::NotifySend(program) => {
            let mut command = Command::new(program);
            command.args(["--app-name=artoo", "--", notice.title, &notice.text]);
            command
        }
        NoticeMeans::Osascript(program) => {
            let script =
                "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
            let mut command = Command::new(program);
            command.args(["-e", script, notice.title, &notice.text]);
            command
        }
        NoticeMeans::Nothing => return,
    };
    let passed = PASSED.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    command.env_clear().envs(passed);
    command
        .env("ARTOO_TITLE", notice.title)
        .env("ARTOO_TEXT", &notice.text)
        .env("ARTOO_TASK", notice.task_id.to_string());
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/")
        .kill_on_drop(true);
    match tokio::time::timeout(TOLD_WITHIN, command.status()).await {
        Ok(Ok(status)) if status.success() => {}
        ended => tracing::warn!(?ended, "a notice could not be given; check notify.command"),
    }
}
