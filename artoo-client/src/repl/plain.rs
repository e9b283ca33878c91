//! A conversation without a line editor: from a pipe, or on a terminal that can only print.

use std::io::{IsTerminal, Write};

use crate::exit::{DONE, Failure, code_of};
use crate::follow::{FollowOptions, follow};
use crate::keyboard::{Keyboard, UserInput};
use crate::one_shot::view;
use crate::output::{Printer, complain};
use crate::repl::slash::{SlashAction, bare, help, is_command, parse, words, words_of_task};
use crate::repl::{Conversation, failure_lines};
use crate::terminal::spoken;

/// Answers line by line until there are no more. What is piped in ends with the code of the last task or command that
/// failed; at a terminal each was seen.
///
/// # Errors
/// When nobody takes the output.
pub async fn run(mut conversation: Conversation) -> Result<u8, Failure> {
    let mut keyboard = Keyboard::terminal()?;
    let mut printer = Printer::stdout(conversation.look);
    let prompts = std::io::stdin().is_terminal();
    let mut failed = DONE;
    loop {
        if prompts {
            // Standard output holds answers alone.
            let mut out = std::io::stderr().lock();
            write!(out, "> ").and_then(|()| out.flush())?;
        }
        let line = match keyboard.next(true).await {
            UserInput::Line(line) => line,
            UserInput::Interrupt if prompts => {
                complain("");
                continue;
            }
            UserInput::Interrupt => return Err(Failure::Cancelled),
            UserInput::End => return Ok(if prompts { DONE } else { failed }),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let line = bare(line).unwrap_or(line);
        let done = if is_command(line) {
            slash(&mut conversation, &mut printer, line).await
        } else {
            task(&mut conversation, &mut printer, &mut keyboard, line).await.map(Some)
        };
        match done {
            Ok(None) => return Ok(if prompts { DONE } else { failed }),
            Ok(Some(DONE)) => {}
            Ok(Some(code)) => failed = code,
            Err(failure) => {
                failed = failure.code();
                let width = printer.width();
                printer.notes(&failure_lines(&failure, width)).await?;
            }
        }
    }
}

async fn task(
    conversation: &mut Conversation,
    printer: &mut Printer,
    keyboard: &mut Keyboard,
    input: &str,
) -> Result<u8, Failure> {
    let accepted = conversation.submit(input.to_owned()).await?;
    let what = FollowOptions {
        daemon: &conversation.daemon,
        task_id: &accepted.task_id,
        view: view(&conversation.global, &conversation.task),
        attended: conversation.attended && !conversation.global.json,
        subtitle: &accepted.subtitle,
    };
    follow(what, printer, keyboard).await.map(|result| code_of(&result))
}

/// Carries a slash command out and returns its exit code; none when it ends the conversation.
async fn slash(
    conversation: &mut Conversation,
    printer: &mut Printer,
    line: &str,
) -> Result<Option<u8>, Failure> {
    let (slash, typed) = parse(line)?;
    let last = conversation.last_task.clone();
    let all = match slash.action {
        SlashAction::Quit => return Ok(None),
        SlashAction::Help => {
            let language = spoken();
            printer.lines(&help(language, conversation.look.width)).await?;
            return Ok(Some(DONE));
        }
        SlashAction::Clear => {
            conversation.new_session();
            return Ok(Some(DONE));
        }
        // Nothing scrolls away from whoever reads a pipe.
        SlashAction::More => words_of_task(&["show"], &typed, last.as_deref())?,
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
    conversation.command(Printer::stdout(conversation.look), &all).await.map(Some)
}
