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
use tokio::task::JoinSet;

use crate::live::LiveTaps;
use crate::task::Tasks;

/// A task that took less is waited for by the person who asked.
const LONG_MS: u64 = 60_000;
/// How long the program of a notice may take.
const TOLD_WITHIN: Duration = Duration::from_secs(10);
/// How soon somebody who asked looks at a question: a client follows its task within a second.
const LOOKED_AT_WITHIN: Duration = Duration::from_secs(3);
/// Questions that wait to be looked at; of more than these people are told at once.
const MAX_WAITING: usize = 64;
/// What `osascript` runs: title and text are its arguments.
const OSASCRIPT: &str =
    "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
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
        // Those that wait for somebody to look; they go with this.
        let mut waiting = JoinSet::new();
        loop {
            let Delivery::Item(envelope) = reader.next().await else { continue };
            while waiting.try_join_next().is_some() {}
            let Some((notice, cause)) = self.notice(&envelope) else { continue };
            match NoticeTiming::of(&self.means, cause) {
                NoticeTiming::Never => {}
                NoticeTiming::AtOnce => tell(&self.means, &notice).await,
                NoticeTiming::Unseen if waiting.len() < MAX_WAITING => {
                    let (tasks, means) = (self.tasks.clone(), self.means.clone());
                    waiting.spawn(async move {
                        tokio::time::sleep(LOOKED_AT_WITHIN).await;
                        if tasks.waits_unseen(notice.task_id) {
                            tell(&means, &notice).await;
                        }
                    });
                }
                NoticeTiming::Unseen => tell(&self.means, &notice).await,
            }
        }
    }

    fn notice(&self, envelope: &Envelope) -> Option<(TaskNotice, NoticeCause)> {
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
        let cause = match ended {
            Some(result) => NoticeCause::Ended {
                is_scheduled: submitted.request_id.starts_with("schedule:"),
                elapsed_ms: result.usage.elapsed_ms,
            },
            None => NoticeCause::Waits { is_attended: !submitted.options.unattended },
        };
        let said =
            ended.map(|result| format!(": {}", first_chars(&result.summary, MAX_CHARS))).unwrap_or_default();
        let text = format!("{}{said}", first_chars(&submitted.input, MAX_CHARS));
        Some((TaskNotice { title, text, task_id }, cause))
    }
}

/// Why somebody may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoticeCause {
    Waits { is_attended: bool },
    Ended { is_scheduled: bool, elapsed_ms: u64 },
}

/// When they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoticeTiming {
    Never,
    AtOnce,
    /// If nobody follows the task a moment later.
    Unseen,
}

impl NoticeTiming {
    /// The operator's own command hears of every question; on the desktop the question itself is enough for who sees it.
    fn of(means: &NoticeMeans, cause: NoticeCause) -> Self {
        match (cause, means) {
            // Nobody is asked where nobody is there.
            (NoticeCause::Waits { is_attended: false }, _) | (_, NoticeMeans::Nothing) => Self::Never,
            (NoticeCause::Waits { .. }, NoticeMeans::Command(_)) => Self::AtOnce,
            (NoticeCause::Waits { .. }, NoticeMeans::NotifySend(_) | NoticeMeans::Osascript(_)) => {
                Self::Unseen
            }
            (NoticeCause::Ended { is_scheduled, elapsed_ms }, _) if is_scheduled || elapsed_ms >= LONG_MS => {
                Self::AtOnce
            }
            (NoticeCause::Ended { .. }, _) => Self::Never,
        }
    }
}

async fn tell(means: &NoticeMeans, notice: &TaskNotice) {
    let Some(mut command) = command(means, notice) else { return };
    match tokio::time::timeout(TOLD_WITHIN, command.status()).await {
        Ok(Ok(status)) if status.success() => {}
        ended => tracing::warn!(?ended, "a notice could not be given; check notify.command"),
    }
}

/// The program that tells, with what it tells.
fn command(means: &NoticeMeans, notice: &TaskNotice) -> Option<Command> {
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
            let mut command = Command::new(program);
            command.args(["-e", OSASCRIPT, notice.title, &notice.text]);
            command
        }
        NoticeMeans::Nothing => return None,
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
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::{LONG_MS, NoticeCause, NoticeMeans, NoticeTiming, OSASCRIPT, TaskNotice, command};
    use artoo_types::TaskId;

    #[test]
    fn people_are_told_of_what_they_do_not_see() {
        let desktops = [
            NoticeMeans::NotifySend("/usr/bin/notify-send".into()),
            NoticeMeans::Osascript("/usr/bin/osascript".into()),
        ];
        let own = NoticeMeans::Command("true".to_owned());
        let ended = |is_scheduled, elapsed_ms| NoticeCause::Ended { is_scheduled, elapsed_ms };
        let waits = |is_attended| NoticeCause::Waits { is_attended };
        for (cause, on_desktop, by_command) in [
            (waits(true), NoticeTiming::Unseen, NoticeTiming::AtOnce),
            (waits(false), NoticeTiming::Never, NoticeTiming::Never),
            (ended(false, LONG_MS), NoticeTiming::AtOnce, NoticeTiming::AtOnce),
            (ended(false, LONG_MS - 1), NoticeTiming::Never, NoticeTiming::Never),
            (ended(true, 0), NoticeTiming::AtOnce, NoticeTiming::AtOnce),
        ] {
            for means in &desktops {
                assert_eq!(NoticeTiming::of(means, cause), on_desktop, "{cause:?}");
            }
            assert_eq!(NoticeTiming::of(&own, cause), by_command, "{cause:?}");
            assert_eq!(NoticeTiming::of(&NoticeMeans::Nothing, cause), NoticeTiming::Never);
        }
    }

    /// What a notice says comes from a request: it is an argument, and never part of a script or an option.
    #[test]
    fn a_notice_is_no_script() {
        let text = "--x \" & (do shell script \"id\") & \"".to_owned();
        let notice =
            TaskNotice { title: "artoo is done", text: text.clone(), task_id: TaskId(uuid::Uuid::nil()) };
        for (means, before) in [
            (
                NoticeMeans::NotifySend("/b/notify-send".into()),
                vec!["--app-name=artoo", "--", "artoo is done"],
            ),
            (NoticeMeans::Osascript("/b/osascript".into()), vec!["-e", OSASCRIPT, "artoo is done"]),
        ] {
            let command = command(&means, &notice).unwrap();
            let arguments: Vec<_> = command.as_std().get_args().map(|word| word.to_str().unwrap()).collect();
            assert_eq!(arguments, [before.as_slice(), &[text.as_str()]].concat());
        }
        assert!(OSASCRIPT.starts_with("on run argv\n") && OSASCRIPT.ends_with("\nend run"));
        assert!(command(&NoticeMeans::Nothing, &notice).is_none());
    }
}
