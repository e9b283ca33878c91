//! One task from the command line.

use std::io::Read;
use std::path::{Path, PathBuf};

use artoo_protocol::v1::{
    GetStatusRequest, GetStatusResponse, ListTasksRequest, SubmitTaskRequest, TaskOptions,
};
use artoo_protocol::words::Provider;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use crate::connection::{Client, DaemonConnector};
use crate::console::GlobalFlags;
use crate::exit::{Failure, code_of};
use crate::follow::{EventView, FollowOptions, follow};
use crate::keyboard::Keyboard;
use crate::material::PipedMaterial;
use crate::output::Printer;
use crate::paths::short;
use crate::render::{Line, Tone};
use crate::terminal::{TerminalLook, someone_is_there};

/// The longest request that the daemon takes is 64 KiB; one byte more is enough to let it say so.
const MAX_INPUT_BYTES: u64 = 64 * 1024 + 1;

/// Tasks that are looked through for the last one of a folder.
const LAST_TASKS: u32 = 50;

/// A task and its bounds.
#[derive(Debug, Clone, Default, Args)]
pub struct TaskArguments {
    /// What to do, in words; "-" reads it from standard input
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// Remember the last requests of this session
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// Go on from the last task of this folder: "and the ten smallest?"
    #[arg(short = 'c', long = "continue", conflicts_with = "session")]
    pub continues: bool,
    /// Where relative paths start [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Ask nothing: deny what needs a confirmation. The default without a terminal
    #[arg(long, conflicts_with = "attended")]
    pub unattended: bool,
    /// Let questions wait for their answer (artoo confirm), also without a terminal
    #[arg(long)]
    pub attended: bool,
    /// Most replans; 0 allows none
    #[arg(long, value_name = "N")]
    pub max_replans: Option<u32>,
    /// Time that the budget counts against, for example 90s or 5m
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub time_budget: Option<u64>,
    /// When to stop in any case [default: twice the time budget]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub deadline: Option<u64>,
    /// Most tokens over all model calls
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// The same request again is the same task as long as this id is the same
    #[arg(long, value_name = "ID")]
    pub request_id: Option<String>,
    /// Show the plan, the evidence of each step and each decision; twice: every message on the bus
    #[arg(short, long, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Print the answer alone
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs one task and returns the exit code of its end.
///
/// # Errors
/// What kept it from being accepted, or from being followed.
pub async fn run(global: &GlobalFlags, task: TaskArguments) -> Result<u8, Failure> {
    let mut printer = Printer::stdout(TerminalLook::detect());
    // It goes when the task has ended.
    let material = if task.text == ["-"] { None } else { PipedMaterial::read(&mut printer).await? };
    let input = input(&task.text)?;
    let input = material.as_ref().map_or(input.clone(), |material| material.named_in(&input));
    let daemon = global.daemon()?;
    let attended = task.attended || (!task.unattended && !global.json && someone_is_there());
    // From here on Ctrl+C is ours: it cancels the task instead of ending this process.
    let mut keyboard = Keyboard::terminal()?;
    let mut early = signal(SignalKind::interrupt())?;
    let submitting = async {
        let mut client = daemon.connect().await?;
        let status = client.get_status(GetStatusRequest {}).await.map(tonic::Response::into_inner);
        let status = status.unwrap_or_default();
        let mut request = submission(input, &task, attended)?;
        // The same request under the same id is the same in all of it.
        if task.session.is_none() && (task.continues || task.request_id.is_none()) {
            request.session_id = session(&daemon, &mut client, &task).await?;
        }
        let accepted = daemon.answer(client.submit_task(request).await)?;
        Ok::<_, Failure>((accepted.task_id, status))
    };
    let (task_id, status) = tokio::select! {
        accepted = submitting => accepted?,
        _ = early.recv() => return Err(Failure::Cancelled),
    };
    let what = FollowOptions {
        daemon: &daemon,
        task_id: &task_id,
        view: view(global, &task),
        attended: attended && someone_is_there() && !global.json,
        subtitle: &subtitle_of(&status),
    };
    let result = follow(what, &mut printer, &mut keyboard).await;
    printer.stop_spinning();
    let result = result?;
    if !global.json && !task.quiet {
        let lacks = without_model(&status, printer.width());
        printer.notes(lacks.as_slice()).await?;
    }
    Ok(code_of(&result))
}

/// That the built-in rules answered although a model was meant to, and why.
fn without_model(status: &GetStatusResponse, width: usize) -> Option<Line> {
    let why = status.model_missing.as_str();
    let line = || Line::plain("  ").add(Tone::Dim, "no model: ").foreign(Tone::Dim, why).fit(width);
    status.model_key_missing.then(line)
}

/// The session of a task that names none: a new one, so that a later task can go on from it, or that of the last task of the
/// folder.
async fn session(
    daemon: &DaemonConnector,
    client: &mut Client,
    task: &TaskArguments,
) -> Result<String, Failure> {
    if !task.continues {
        return Ok(uuid::Uuid::now_v7().to_string());
    }
    let here = folder(task.cwd.as_deref())?;
    let request = ListTasksRequest { page_size: LAST_TASKS, ..Default::default() };
    let tasks = daemon.answer(client.list_tasks(request).await)?.tasks;
    let last = tasks.into_iter().find(|one| one.working_directory == here && !one.session_id.is_empty());
    last.map(|one| one.session_id).ok_or_else(|| {
        Failure::Usage("there is no task in this folder to go on from: leave -c out".to_owned())
    })
}

/// The request that these arguments make.
///
/// # Errors
/// When the current folder, or the one that is named, cannot be found.
pub fn submission(input: String, task: &TaskArguments, attended: bool) -> Result<SubmitTaskRequest, Failure> {
    Ok(SubmitTaskRequest {
        input,
        session_id: task.session.clone().unwrap_or_default(),
        request_id: task.request_id.clone().unwrap_or_else(|| uuid::Uuid::now_v7().to_string()),
        working_directory: folder(task.cwd.as_deref())?,
        options: Some(TaskOptions {
            time_budget_ms: task.time_budget,
            deadline_ms: task.deadline,
            max_replans: task.max_replans,
            max_tokens: task.max_tokens,
            unattended: !attended,
        }),
    })
}

/// What stands beside a task's name: who answers, and where files go. Empty when the daemon does not say.
pub async fn subtitle(client: &mut Client) -> String {
    let status = client.get_status(GetStatusRequest {}).await;
    status.map_or_else(|_| String::new(), |status| subtitle_of(status.get_ref()))
}

fn subtitle_of(status: &GetStatusResponse) -> String {
    if status.version.is_empty() {
        return String::new();
    }
    format!("{} · workspace {}", models(status), short(Path::new(&status.workspace)))
}

/// Who answers: the models, or the built-in rules.
pub fn models(status: &GetStatusResponse) -> String {
    let (brain, tool) = (&status.brain_model, &status.tool_model);
    match status.provider() {
        Provider::Offline => "offline rules".to_owned(),
        Provider::OpenAi | Provider::Unknown(_) if brain == tool || tool.is_empty() => {
            format!("model {brain}")
        }
        Provider::OpenAi | Provider::Unknown(_) => format!("model {brain} (brain) / {tool} (tool)"),
    }
}

/// An absolute folder; the current one when none is named. Whether it exists is the daemon's to say.
///
/// # Errors
/// When the current folder is gone.
pub fn folder(named: Option<&Path>) -> Result<String, Failure> {
    let path = match named {
        Some(path) => std::path::absolute(path)?,
        None => std::env::current_dir()
            .map_err(|error| Failure::Local(format!("the current folder is gone ({error}): use --cwd")))?,
    };
    path.into_os_string()
        .into_string()
        .map_err(|path| Failure::Local(format!("{} is not valid UTF-8", path.display())))
}

/// The daemon's own state.
///
/// # Errors
/// When it does not answer, or answers with an error.
pub async fn status(daemon: &DaemonConnector) -> Result<artoo_protocol::v1::GetStatusResponse, Failure> {
    let mut client = daemon.connect().await?;
    daemon.answer(client.get_status(GetStatusRequest {}).await)
}

/// How the events of a task are shown.
pub fn view(global: &GlobalFlags, task: &TaskArguments) -> EventView {
    match (global.json, task.quiet, task.verbose) {
        (true, _, _) => EventView::Json,
        (_, true, _) => EventView::Answer,
        (_, _, 0) => EventView::Brief,
        (_, _, 1) => EventView::Steps,
        (_, _, _) => EventView::Pipeline,
    }
}

fn input(text: &[String]) -> Result<String, Failure> {
    if text == ["-"] {
        let mut input = String::new();
        std::io::stdin()
            .take(MAX_INPUT_BYTES)
            .read_to_string(&mut input)
            .map_err(|error| Failure::Local(format!("standard input cannot be read: {error}")))?;
        return Ok(input);
    }
    if text.is_empty() {
        return Err(Failure::Usage("say what to do: artoo run \"TEXT\"".to_owned()));
    }
    Ok(text.join(" "))
}

/// `90s`, `5m`, `1h`, `1500ms`, or a number of seconds, in milliseconds.
///
/// # Errors
/// What to write instead.
pub(crate) fn milliseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits.parse().map_err(|_| "write a number and a unit: 90s, 5m, 1h".to_owned())?;
    let factor = match &text[digits.len()..] {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        unit => return Err(format!("the unit `{unit}` is not one of ms, s, m, h")),
    };
    number.checked_mul(factor).filter(|ms| *ms > 0).ok_or_else(|| "that is no time to work with".to_owned())
}
