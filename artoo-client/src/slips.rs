//! Requests that are more likely commands with a slip in them: they are asked about, and not run as tasks.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory};

use crate::arguments::Arguments;
use crate::exit::Failure;

/// Shorter words are near to too many others.
const NEAR_LENGTH: usize = 4;
/// From this length on a word that takes what follows may have two letters wrong.
const LONG_LENGTH: usize = 6;
/// Characters of an id as it is shown, up to its first hyphen.
const SHOWN_ID: usize = 8;
/// So many words are a sentence.
const SENTENCE: usize = 3;
/// Characters of an id: fewer name no task, and a whole one has this many.
const ID_LENGTHS: std::ops::RangeInclusive<usize> = 4..=36;

/// Refuses a request that is nearly a command: one word, or a word with what that command takes behind it.
///
/// # Errors
/// With the command that may be meant, and how to run the words as a task all the same.
pub fn suspect(text: &[String]) -> Result<(), Failure> {
    let Some(meant) = meant(text) else { return Ok(()) };
    let typed = text.join(" ");
    let word = text.first().map(String::as_str).unwrap_or_default();
    Err(Failure::Usage(format!(
        "`{word}` is no command; did you mean `artoo {meant}`? To run it as a task: artoo run {typed}"
    )))
}

/// The command that these words are nearly, with its arguments; None for anything that may be a request.
pub fn meant(text: &[String]) -> Option<String> {
    let (word, rest) = text.split_first()?;
    if word.chars().count() < NEAR_LENGTH || word.contains(char::is_whitespace) {
        return None;
    }
    let all = Arguments::command();
    let near = |most: usize| {
        let distance = |command: &Command| strsim::damerau_levenshtein(command.get_name(), word);
        let found = all.get_subcommands().map(|command| (distance(command), command));
        found.filter(|(letters, _)| (1..=most).contains(letters)).min_by_key(|(letters, _)| *letters)
    };
    let Some(next) = rest.first() else { return near(1).map(|(_, command)| command.get_name().to_owned()) };
    let most = if word.chars().count() < LONG_LENGTH { 1 } else { 2 };
    let (letters, command) = near(most)?;
    let name = command.get_name();
    let mut words: Vec<&str> = std::iter::once(name).chain(rest.iter().map(String::as_str)).collect();
    if let Some(sub) = subcommand(command, next, letters) {
        words[1] = sub;
        return Some(words.join(" "));
    }
    let takes_id = command.get_positionals().any(|argument| argument.get_id() == "id");
    (takes_id && is_id(next)).then(|| words.join(" "))
}

/// The subcommand that this word is, or nearly is where the command itself is nearly right.
fn subcommand<'a>(command: &'a Command, word: &str, letters: usize) -> Option<&'a str> {
    let most = usize::from(letters == 1 && word.chars().count() >= NEAR_LENGTH);
    let near = |name: &&str| strsim::damerau_levenshtein(name, word) <= most;
    let exact = command.find_subcommand(word).map(Command::get_name);
    exact.or_else(|| command.get_subcommands().map(Command::get_name).find(near))
}

/// Whether a word can be the start of an id: hexadecimal digits and hyphens. Those of tasks begin with the time, and so with a
/// zero, which a year does not; others are longer and no mere number.
fn is_id(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
    let is_mixed = has(char::is_ascii_digit) && has(char::is_ascii_alphabetic) && word.len() >= SHOWN_ID;
    ID_LENGTHS.contains(&word.len())
        && word.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
        && (word.starts_with('0') || is_mixed)
}

/// How words that begin with a command and make no sense as one are run as a task: `show me the ten largest files`. None for a
/// command with a mistake in it.
pub fn as_task(words: &[OsString], error: &clap::Error) -> Option<String> {
    let is_too_much = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
    let words: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.to_str()).collect();
    let words =
        words.filter(|words| words.len() >= SENTENCE && words.iter().all(|word| !word.starts_with('-')));
    words.filter(|_| is_too_much).map(|words| format!("artoo run {}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{as_task, meant};
    use crate::arguments::Arguments;

    fn check(line: &str, expected: Option<&str>) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(meant(&words).as_deref(), expected, "{line}");
    }

    #[test]
    fn a_command_with_a_slip_is_asked_about() {
        for (line, expected) in [
            ("taks", "tasks"),
            ("shcedule list", "schedule list"),
            ("schedul remove 0197b2c4", "schedule remove 0197b2c4"),
            ("shedule lsit", "schedule list"),
            ("memroy why intent:find", "memory why intent:find"),
            ("memmoryy pyramid", "memory pyramid"),
            ("shwo 0197b2c4-1a2b", "show 0197b2c4-1a2b"),
            ("cancle 0197", "cancel 0197"),
            ("confrim 7c9e6679 no", "confirm 7c9e6679 no"),
            ("confrim 0197b2c4 yes", "confirm 0197b2c4 yes"),
            ("audti verify", "audit verify"),
            ("servcie status", "service status"),
        ] {
            check(line, Some(expected));
        }
    }

    #[test]
    fn an_ordinary_request_is_none() {
        for line in [
            "shows me the ten largest files",
            "undos that",
            "taks of today",
            "model trains in my photos",
            "models list",
            "memories of my holiday",
            "reports from 2024",
            "audits of 2023",
            "stops at the station",
            "report: sales of 2024",
            "shop 2024",
            "find duplicate files",
            "list the files here",
            "run",
            "how many files are here",
            "列出 文件",
            "schedule the list",
        ] {
            check(line, None);
        }
        // One argument of several words is a sentence.
        assert_eq!(meant(&["shcedule list".to_owned()]), None);
    }

    #[test]
    fn a_sentence_that_begins_with_a_command_can_be_run_as_a_task() {
        for (line, expected) in [
            ("artoo show me the ten largest files", Some("artoo run show me the ten largest files")),
            ("artoo schedule the backup for tonight", Some("artoo run schedule the backup for tonight")),
            ("artoo memory pyramid --nothing", None),
            ("artoo memory pyrmid", None),
            ("artoo cancel", None),
        ] {
            let words: Vec<_> = line.split(' ').map(std::ffi::OsString::from).collect();
            let error = Arguments::try_parse_from(&words).expect_err("it is no command");
            assert_eq!(as_task(&words, &error).as_deref(), expected, "{line}");
        }
    }
}
