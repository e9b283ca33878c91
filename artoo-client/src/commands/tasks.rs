//! Commands about tasks.

use artoo_protocol::json::event_to_json;
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{
    AnswerClarificationRequest, CancelTaskRequest, GetTaskRequest, ListTasksRequest, ListTasksResponse,
    ReplayTaskRequest, Task,
};
use artoo_protocol::words::{Taint, TaskState};

use crate::answers::resolve;
use crate::commands::age;
use crate::console::Console;
use crate::events::EventStream;
use crate::exit::{ABANDONED, DONE, Failure};
use crate::ids;
use crate::output::complain;
use crate::render::compact::TaskScreen;
use crate::render::figures::short_id;
use crate::render::replays::Replays;
use crate::render::text::{one_line, pad};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone, ending, pipeline, question, replay, trajectory};
use crate::terminal::{TerminalLook, spoken};
use crate::whole;

/// Tasks that the daemon lists at once.
const PAGE_SIZE: u32 = 200;

/// yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum YesNo {
    /// It may.
    #[value(alias = "y")]
    Yes,
    /// It may not.
    #[value(alias = "n")]
    No,
}

/// `artoo tasks`.
pub async fn list(console: &mut Console, state: String, limit: u32) -> Result<u8, Failure> {
    let mut tasks = ListTasksResponse::default();
    loop {
        let asked = usize::try_from(limit.max(1)).unwrap_or(usize::MAX);
        let rest = asked.saturating_sub(tasks.tasks.len());
        let page_size = u32::try_from(rest).unwrap_or(u32::MAX).min(PAGE_SIZE);
        let page_token = std::mem::take(&mut tasks.next_page_token);
        let request = ListTasksRequest { page_size, page_token, state: state.clone() };
        let page = console.daemon.answer(console.client.list_tasks(request).await)?;
        tasks.tasks.extend(page.tasks);
        tasks.next_page_token = page.next_page_token;
        if tasks.next_page_token.is_empty() || tasks.tasks.len() >= asked {
            break;
        }
    }
    console
        .print(&tasks, |tasks, look| {
            if tasks.tasks.is_empty() {
                return vec![Line::new().add(Tone::Dim, spoken().screen("no tasks"))];
            }
            tasks.tasks.iter().map(|task| row(task).fit(look.width)).collect()
        })
        .await?;
    Ok(DONE)
}

/// `artoo show ID`: what happened, what was run, the evidence of each verdict, what it cost, and what waits for an answer;
/// with `verbose` also what each call changed, wrote and put out.
pub async fn show(console: &mut Console, id: &str, verbose: bool) -> Result<u8, Failure> {
    let task = get(console, id).await?;
    if console.json {
        console.print(&task, |_, _| Vec::new()).await?;
        return Ok(DONE);
    }
    let mut events = EventStream::new(&console.daemon, &task.task_id, 0, false).all().await?;
    let width = console.printer.look.width;
    let language = Language::of(&task.input);
    let last = events.back_mut().and_then(|event| event.payload.as_mut());
    let missing = match last {
        Some(Payload::FinalResult(result)) if !console.printer.look.live => {
            whole::complete(&mut console.client, result).await
        }
        Some(_) | None => None,
    };
    let screen = TaskScreen::new(width, &age(task.created_at.as_ref())).with_evidence();
    let mut screen = if verbose { screen.with_receipts() } else { screen.with_calls() };
    let mut lines = vec![
        Line::new().add(Tone::Dim, task.task_id.clone()),
        Line::new().add(Tone::Accent, "› ").foreign(Tone::Strong, &task.input).fit(width),
    ];
    for event in &events {
        lines.extend(screen.event(event));
    }
    lines.extend(missing);
    if let Some(words) = taken_in(&task.taint) {
        lines.push(Line::plain("  ").foreign(Tone::Warn, &language.screen(&words)).fit(width));
    }
    match &task.result {
        Some(result) => {
            lines.push(Line::new());
            if verbose {
                lines.extend(trajectory::lines(&result.trajectory, width));
            }
            lines.extend(ending::costs(&result.usage.clone().unwrap_or_default(), screen.past().answerer));
        }
        None => lines.push(Line::plain("  ").foreign(Tone::Warn, &task.state)),
    }
    for open in &task.open_confirmations {
        lines.extend(question::confirmation(open, language, width));
        lines.push(
            Line::plain("  ")
                .add(Tone::Plain, language.fill(Phrase::HowToAnswer, &[short_id(&open.confirmation_id)])),
        );
    }
    if let Some(open) = &task.open_clarification {
        lines.extend(question::clarification(open, language, width));
        lines.push(
            Line::plain("    ")
                .add(Tone::Plain, language.fill(Phrase::HowToTell, &[short_id(&task.task_id)])),
        );
    }
    console.printer.lines(&lines).await?;
    Ok(DONE)
}

/// What a task has taken in, for people: what it has read, and what it may have.
fn taken_in(taint: &[String]) -> Option<String> {
    let all: Vec<Taint> = taint.iter().map(|word| Taint::from(word.as_str())).collect();
    let part = |word: &Taint| match word {
        Taint::Untrusted => Some("has read text that strangers may have written (untrusted)".to_owned()),
        Taint::PrivateRead => Some("has read private data".to_owned()),
        Taint::Private if all.contains(&Taint::PrivateRead) => None,
        Taint::Private => Some("may have read private data".to_owned()),
        Taint::Unknown(word) => Some(format!("has taken in {word}")),
    };
    let parts: Vec<String> = all.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| format!("it {}", parts.join(" and ")))
}

/// `artoo events [ID]`.
pub async fn events(
    console: &mut Console,
    id: Option<&str>,
    after: u64,
    follow: bool,
) -> Result<u8, Failure> {
    let task_id = match id {
        Some(id) => ids::task(console, id).await?,
        None => String::new(),
    };
    // Without a task there is nothing to end with: the live stream goes on until Ctrl+C.
    let mut events = EventStream::new(&console.daemon, &task_id, after, follow || id.is_none());
    while let Some(event) = events.next().await? {
        if events.take_missed() {
            complain("artoo: the connection was lost; what happened until it was back is missing here");
        }
        if console.json {
            console.printer.text(event_to_json(&event).to_string()).await?;
        } else {
            let mut line = pipeline::line(&event, console.printer.look.width);
            if task_id.is_empty() {
                line = Line::new().add(Tone::Dim, pad(short_id(&event.task_id), 14));
                let rest = pipeline::line(&event, console.printer.look.width.saturating_sub(14));
                line = line.add(Tone::Plain, rest.text(false));
            }
            console.printer.lines(&[line]).await?;
        }
    }
    Ok(DONE)
}

/// `artoo cancel ID`.
pub async fn cancel(console: &mut Console, id: &str) -> Result<u8, Failure> {
    let task_id = ids::task(console, id).await?;
    let task = console
        .daemon
        .answer(console.client.cancel_task(CancelTaskRequest { task_id }).await)?
        .task
        .unwrap_or_default();
    print_task(console, &task).await
}

/// `artoo confirm ID yes|no`.
///
/// # Errors
/// The daemon's error, for example that the question expired.
pub async fn confirm(console: &mut Console, id: &str, answer: YesNo, remember: bool) -> Result<u8, Failure> {
    let confirmation_id = ids::confirmation(console, id).await?;
    let approved = answer == YesNo::Yes;
    let (daemon, client) = (&console.daemon, &mut console.client);
    let task = resolve(daemon, client, &confirmation_id, approved, remember && approved).await?;
    print_task(console, &task).await
}

/// `artoo answer ID TEXT`.
pub async fn answer(console: &mut Console, id: &str, answer: String) -> Result<u8, Failure> {
    let task_id = ids::task(console, id).await?;
    let task = console
        .daemon
        .answer(console.client.answer_clarification(AnswerClarificationRequest { task_id, answer }).await)?
        .task
        .unwrap_or_default();
    print_task(console, &task).await
}

/// `artoo replay ID`; exit code 1 when something differs.
pub async fn replay(console: &mut Console, id: &str, control: Vec<(String, String)>) -> Result<u8, Failure> {
    let task_id = ids::task(console, id).await?;
    let settings: Vec<String> = control.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let request = ReplayTaskRequest { task_id, control: control.into_iter().collect() };
    let replay = console.daemon.answer(console.client.replay_task(request).await)?;
    let lines = |replay: &_, look: &TerminalLook| replay::lines(replay, &settings, look.width);
    console.print(&replay, lines).await?;
    Ok(if replay.identical { DONE } else { ABANDONED })
}

/// `artoo replay --all`; exit code 1 when something differs.
pub async fn replay_all(console: &mut Console, control: Vec<(String, String)>) -> Result<u8, Failure> {
    let settings: Vec<String> = control.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut all = Replays::default();
    for task in ids::tasks(console, TaskState::Finished.as_str()).await? {
        let request =
            ReplayTaskRequest { task_id: task.task_id.clone(), control: control.iter().cloned().collect() };
        match console.client.replay_task(request).await {
            Ok(replay) => all.add(&task.task_id, &replay.into_inner()),
            // A setting that is none is wrong for all of them.
            Err(status) if status.code() == tonic::Code::InvalidArgument => {
                return Err(console.daemon.failure(status));
            }
            Err(status) => all.add_failure(&task.task_id, status.message()),
        }
    }
    if console.json {
        console.printer.text(all.json().to_string()).await?;
    } else {
        let lines = all.lines(&settings, console.printer.look.width);
        console.printer.lines(&lines).await?;
    }
    Ok(if all.identical() { DONE } else { ABANDONED })
}

/// One task on one line.
pub fn row(task: &Task) -> Line {
    let (word, tone) = match task.state() {
        TaskState::Finished if task.directive().is_delivered() => (task.directive.as_str(), Tone::Good),
        TaskState::Finished => (task.reason.as_str(), Tone::Bad),
        TaskState::WaitingForConfirmation | TaskState::WaitingForClarification => {
            ("needs your answer", Tone::Warn)
        }
        TaskState::WaitingForModel => ("waits for model", Tone::Warn),
        TaskState::Accepted
        | TaskState::Running
        | TaskState::Damaged
        | TaskState::Deleted
        | TaskState::Unknown(_) => (task.state.as_str(), Tone::Accent),
    };
    let language = spoken();
    Line::new()
        .add(Tone::Dim, pad(short_id(&task.task_id), 15))
        .add(tone, pad(&one_line(&language.screen(word)), 19))
        .add(Tone::Dim, pad(&language.screen(&age(task.created_at.as_ref())), 12))
        .foreign(Tone::Strong, &task.input)
}

async fn get(console: &mut Console, id: &str) -> Result<Task, Failure> {
    let task_id = ids::task(console, id).await?;
    Ok(console
        .daemon
        .answer(console.client.get_task(GetTaskRequest { task_id }).await)?
        .task
        .unwrap_or_default())
}

async fn print_task(console: &mut Console, task: &Task) -> Result<u8, Failure> {
    console.print(task, |task, look| vec![row(task).fit(look.width)]).await?;
    Ok(DONE)
}

#[cfg(test)]
mod tests {
    use super::taken_in;

    #[test]
    fn what_may_have_been_read_is_not_told_as_read() {
        let check = |words: &[&str], told: Option<&str>| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(taken_in(&words).as_deref(), told, "{words:?}");
        };
        check(&[], None);
        check(&["private"], Some("it may have read private data"));
        check(&["private", "private_read"], Some("it has read private data"));
        check(
            &["untrusted", "private"],
            Some(
                "it has read text that strangers may have written (untrusted) and may have read private data",
            ),
        );
    }
}
