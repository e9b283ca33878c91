//! A conversation without a line editor: from a pipe, or on a terminal that can only print.

use std::io::{IsTerminal, Write};

use crate::exit::{DONE, Failure};
use crate::follow::{FollowOptions, follow};
use crate::keyboard::{Keyboard, UserInput};
use crate::one_shot::view;
use crate::output::Printer;
use crate::repl::live::LEAVING;
use crate::repl::slash::{SlashAction, help, is_command, parse, words, words_of_task};
use crate::repl::{Conversation, failure_lines};

/// Answers line by line until there are no more.
///
/// # Errors
/// When nobody takes the output.
pub async fn run(mut conversation: Conversation) -> Result<u8, Failure> {
    let mut keyboard = Keyboard::terminal()?;
    let mut printer = Printer::stdout(conversation.look);
    let prompts = std::io::stdin().is_terminal();
    loop {
        if prompts {
            let mut out = std::io::stdout().lock();
            write!(out, "> ").and_then(|()| out.flush())?;
        }
        let line = match keyboard.next(true).await {
            UserInput::Line(line) => line,
            UserInput::Interrupt if prompts => {
                printer.text(String::new()).await?;
                continue;
            }
            UserInput::Interrupt => return Err(Failure::Cancelled),
            UserInput::End => return Ok(DONE),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if LEAVING.contains(&line) {
            return Ok(DONE);
        }
        let done = if is_command(line) {
            slash(&mut conversation, &mut printer, line).await
        } else {
            task(&mut conversation, &mut printer, &mut keyboard, line).await.map(|()| false)
        };
        match done {
            Ok(true) => return Ok(DONE),
            Ok(false) => {}
            Err(failure) => printer.lines(&failure_lines(&failure)).await?,
        }
    }
}

async fn task(
    conversation: &mut Conversation,
    printer: &mut Printer,
    keyboard: &mut Keyboard,
    input: &str,
) -> Result<(), Failure> {
    let accepted = conversation.submit(input.to_owned()).await?;
    let what = FollowOptions {
        daemon: &conversation.daemon,
        task_id: &accepted.task_id,
        view: view(&conversation.global, &conversation.task),
        attended: conversation.attended && !conversation.global.json,
        subtitle: &accepted.subtitle,
    };
    follow(what, printer, keyboard).await.map(|_| ())
}

/// Carries a slash command out; true when it ends the conversation.
async fn slash(conversation: &mut Conversation, printer: &mut Printer, line: &str) -> Result<bool, Failure> {
    let (slash, typed) = parse(line)?;
    let last = conversation.last_task.clone();
    let all = match slash.action {
        SlashAction::Quit => return Ok(true),
        SlashAction::Help => {
            printer.lines(&help()).await?;
            return Ok(false);
        }
        SlashAction::Clear => {
            conversation.new_session();
            return Ok(false);
        }
        // Each task has ended before the next line is read, so one must be named.
        SlashAction::Cancel => words(&["cancel"], &typed),
        SlashAction::Confirm => words(&["confirm"], &typed),
        SlashAction::Command(fixed) => words(fixed, &typed),
        SlashAction::OfTask(fixed) => words_of_task(fixed, &typed, last.as_deref())?,
    };
    let mut all = all;
    if conversation.global.json {
        all.push("--json");
    }
    conversation.command(Printer::stdout(conversation.look), &all).await?;
    Ok(false)
}
