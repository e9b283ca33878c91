//! Ids that were shortened to a prefix.

use artoo_protocol::v1::{ListTasksRequest, Task};
use artoo_protocol::words::TaskState;

use crate::console::Console;
use crate::exit::Failure;

/// Tasks that are looked through for a prefix: the newest 20 pages of 200. Older ones need their whole id.
const PAGES: usize = 20;
const PAGE_SIZE: u32 = 200;
/// Characters of a whole id.
const WHOLE: usize = 36;
/// Candidates that an error names.
const NAMED: usize = 5;

/// The task whose id starts with `prefix`.
///
/// # Errors
/// When there is none, or more than one.
pub async fn task(console: &mut Console, prefix: &str) -> Result<String, Failure> {
    if prefix.len() == WHOLE {
        return Ok(prefix.to_lowercase());
    }
    let tasks = tasks(console, "").await?;
    pick(prefix, "task", tasks.iter().map(|task| task.task_id.as_str()))
}

/// The id that was typed, or that of the newest task.
///
/// # Errors
/// When no task ran yet.
pub async fn or_last(console: &mut Console, typed: Option<String>) -> Result<String, Failure> {
    if let Some(id) = typed {
        return Ok(id);
    }
    let newest = newest(console, 1).await?.into_iter().next();
    newest.map(|task| task.task_id).ok_or_else(|| Failure::not_found("no task ran yet".to_owned()))
}

/// The newest tasks, at most so many, the latest first.
pub async fn newest(console: &mut Console, most: u32) -> Result<Vec<Task>, Failure> {
    let request = ListTasksRequest { page_size: most, page_token: String::new(), state: String::new() };
    Ok(console.daemon.answer(console.client.list_tasks(request).await)?.tasks)
}

/// The open question whose id, or whose task's id, starts with `prefix`.
///
/// # Errors
/// When there is none, or more than one.
pub async fn confirmation(console: &mut Console, prefix: &str) -> Result<String, Failure> {
    if prefix.len() == WHOLE && !is_task(console, prefix).await? {
        return Ok(prefix.to_lowercase());
    }
    let tasks = tasks(console, TaskState::WaitingForConfirmation.as_str()).await?;
    let open = tasks.iter().flat_map(|task| {
        task.open_confirmations
            .iter()
            .map(|question| (task.task_id.as_str(), question.confirmation_id.as_str()))
    });
    let open: Vec<(&str, &str)> = open.collect();
    let of_tasks: Vec<&str> =
        open.iter().filter(|(task, _)| matches(task, prefix)).map(|(_, question)| *question).collect();
    match of_tasks.as_slice() {
        [question] => Ok((*question).to_owned()),
        [] => pick(prefix, "open question", open.iter().map(|(_, question)| *question)),
        several => Err(Failure::Usage(format!("this task asks several questions: {}", several.join(", ")))),
    }
}

/// The one candidate that starts with `prefix`. Hyphens and case do not matter.
///
/// # Errors
/// When there is none, or more than one.
pub fn pick<'a>(
    prefix: &str,
    what: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Result<String, Failure> {
    let mut found: Vec<&str> = candidates.filter(|id| matches(id, prefix)).collect();
    found.dedup();
    match found.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => Err(Failure::not_found(format!("no {what} has an id that starts with `{prefix}`"))),
        several => {
            let named: Vec<&str> = several.iter().take(NAMED).copied().collect();
            let more = if several.len() > NAMED { ", ..." } else { "" };
            Err(Failure::Usage(format!(
                "`{prefix}` is the start of {} ids: {}{more}. Give more of it.",
                several.len(),
                named.join(", ")
            )))
        }
    }
}

async fn is_task(console: &mut Console, id: &str) -> Result<bool, Failure> {
    let request = artoo_protocol::v1::GetTaskRequest { task_id: id.to_lowercase() };
    match console.client.get_task(request).await {
        Ok(_) => Ok(true),
        Err(status) if status.code() == tonic::Code::NotFound => Ok(false),
        Err(status) => Err(console.daemon.failure(status)),
    }
}

/// All tasks in a state, newest first, as far back as ids are looked for.
pub async fn tasks(console: &mut Console, state: &str) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    let mut page_token = String::new();
    for _ in 0..PAGES {
        let request = ListTasksRequest { page_size: PAGE_SIZE, page_token, state: state.to_owned() };
        let page = console.daemon.answer(console.client.list_tasks(request).await)?;
        tasks.extend(page.tasks);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    Ok(tasks)
}

fn matches(id: &str, prefix: &str) -> bool {
    let plain =
        |text: &str| text.chars().filter(|c| *c != '-').flat_map(char::to_lowercase).collect::<String>();
    !prefix.is_empty() && plain(id).starts_with(&plain(prefix))
}

#[cfg(test)]
mod tests {
    use super::pick;

    const IDS: [&str; 3] = [
        "0197b2c4-1a2b-7000-8000-000000000001",
        "0197b2c4-1a2b-7000-8000-000000000002",
        "0198aaaa-0000-7000-8000-000000000003",
    ];

    fn check(prefix: &str, expected: Result<usize, u8>) {
        let found = pick(prefix, "task", IDS.into_iter()).map_err(|failure| failure.code());
        assert_eq!(found, expected.map(|index| IDS[index].to_owned()), "{prefix}");
    }

    #[test]
    fn a_prefix_must_be_unique() {
        check("0198", Ok(2));
        check("0198AAAA0000", Ok(2));
        check("0197b2c4-1a2b-7000-8000-000000000002", Ok(1));
        check("0197b2c4", Err(2));
        check("ffff", Err(5));
        check("", Err(5));
    }
}
