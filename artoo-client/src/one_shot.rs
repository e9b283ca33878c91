//! One task from the command line.

use std::io::Read;
use std::path::Path;

use artoo_protocol::v1::{GetStatusRequest, SubmitTaskRequest, TaskOptions};
use artoo_protocol::words::Provider;
use tokio::signal::unix::{SignalKind, signal};

use crate::arguments::{Global, TaskArguments};
use crate::connection::{Client, Daemon};
use crate::exit::{Failure, code_of};
use crate::follow::{Follow, View, follow};
use crate::keyboard::Keyboard;
use crate::output::Printer;
use crate::places::short;
use crate::terminal::{Look, someone_is_there};

/// The longest request that the daemon takes is 64 KiB; one byte more is enough to let it say so.
const MAX_INPUT_BYTES: u64 = 64 * 1024 + 1;

/// Runs one task and returns the exit code of its end.
///
/// # Errors
/// What kept it from being accepted, or from being followed.
pub async fn run(global: &Global, task: TaskArguments) -> Result<u8, Failure> {
    let input = input(&task.text)?;
    let daemon = crate::daemon(global)?;
    let attended = task.attended || (!task.unattended && !global.json && someone_is_there());
    // From here on Ctrl+C is ours: it cancels the task instead of ending this process.
    let mut keyboard = Keyboard::terminal()?;
    let mut early = signal(SignalKind::interrupt())?;
    let submitting = async {
        let mut client = daemon.connect().await?;
        let subtitle = subtitle(&mut client).await;
        let request = submission(input, &task, attended)?;
        let accepted = client.submit_task(request).await.map_err(|status| daemon.failure(status))?;
        Ok::<_, Failure>((accepted.into_inner().task_id, subtitle))
    };
    let (task_id, subtitle) = tokio::select! {
        accepted = submitting => accepted?,
        _ = early.recv() => return Err(Failure::Cancelled),
    };
    let what = Follow {
        daemon: &daemon,
        task_id: &task_id,
        view: view(global, &task),
        attended: attended && someone_is_there() && !global.json,
        subtitle: &subtitle,
    };
    let mut printer = Printer::stdout(Look::detect());
    let result = follow(what, &mut printer, &mut keyboard).await;
    printer.stop_spinning();
    Ok(code_of(&result?))
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
    let Ok(status) = client.get_status(GetStatusRequest {}).await else { return String::new() };
    let status = status.into_inner();
    format!("{} · workspace {}", models(&status), short(Path::new(&status.workspace)))
}

/// Who answers: the models, or the built-in rules.
pub fn models(status: &artoo_protocol::v1::GetStatusResponse) -> String {
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
pub async fn status(daemon: &Daemon) -> Result<artoo_protocol::v1::GetStatusResponse, Failure> {
    let mut client = daemon.connect().await?;
    let status = client.get_status(GetStatusRequest {}).await.map_err(|status| daemon.failure(status))?;
    Ok(status.into_inner())
}

fn view(global: &Global, task: &TaskArguments) -> View {
    match (global.json, task.verbose, task.quiet) {
        (true, _, _) => View::Json,
        (_, true, _) => View::Pipeline,
        (_, _, true) => View::Answer,
        (false, false, false) => View::Compact,
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
