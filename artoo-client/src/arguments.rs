//! The command line.

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser};

use crate::commands::Command;
use crate::console::GlobalFlags;
use crate::one_shot::TaskArguments;

/// A local agent that shows its evidence. Without arguments: a conversation.
#[derive(Debug, Parser)]
#[command(name = "artoo", version, disable_help_subcommand = true)]
#[command(override_usage = "artoo [OPTIONS] [TEXT]...\n       artoo [OPTIONS] <COMMAND>")]
#[command(
    after_help = "Exit codes: 0 accepted or done, 1 abandoned, 2 usage, 3 the daemon does not answer, 4 stopped \
    because nobody confirmed an action, 5 the daemon refused the request, 130 cancelled."
)]
pub struct Arguments {
    /// For every command.
    #[command(flatten)]
    pub global: GlobalFlags,
    /// Without a command: a task to run.
    #[command(flatten)]
    pub task: TaskArguments,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The command that takes a whole command behind it.
const EXPLAIN: &str = "explain";

impl Arguments {
    /// The arguments of a command line. Flags behind a command to explain are that command's, unless it is one quoted word.
    ///
    /// # Errors
    /// What is wrong with it, or what was asked about it.
    pub fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        let word = |from: usize| (from..words.len()).find(|at| !text(&words[*at]).starts_with('-'));
        let explain = word(1).filter(|at| text(&words[*at]) == EXPLAIN);
        let is_folder = |at: usize| words[at - 1] == "--cwd";
        let command = explain
            .and_then(|at| word(at + 1))
            .and_then(|at| if is_folder(at) { word(at + 1) } else { Some(at) });
        let quoted = command.filter(|at| text(&words[*at]).contains(char::is_whitespace));
        let Some(quoted) = quoted.filter(|_| words.iter().all(|word| *word != "--")) else {
            return Self::try_parse_from(words);
        };
        let (before, behind) = (&words[..quoted], &words[quoted + 1..]);
        let last = [OsString::from("--"), words[quoted].clone()];
        Self::try_parse_from(before.iter().chain(behind).chain(&last))
    }
}

/// How a command is used, by its name and those of the commands below it; None where there is no such command.
pub fn help(names: &[String]) -> Option<String> {
    let mut all = Arguments::command();
    all.build();
    let command = names.iter().try_fold(&mut all, |above, name| above.find_subcommand_mut(name))?;
    Some(command.render_long_help().to_string())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Arguments, help};
    use crate::commands::Command;

    fn parse(line: &[&str]) -> Arguments {
        let words: Vec<std::ffi::OsString> = [&["artoo"], line].concat().iter().map(Into::into).collect();
        Arguments::read(&words).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    #[test]
    fn the_table_of_arguments_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn help_names_a_command_and_its_own_words_are_a_task() {
        let help = |line: &str| help(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let all = help("").expect("all commands");
        assert!(all.contains("doctor") && all.contains("Usage: artoo"), "{all}");
        assert!(help("memory").is_some_and(|text| text.contains("Usage: artoo memory")));
        assert!(help("memory why").is_some_and(|text| text.contains("Usage: artoo memory why")));
        assert_eq!(help("me find the largest files"), None);
        assert!(matches!(parse(&["help", "memory"]).command, Some(Command::Help { .. })));
    }

    #[test]
    fn words_that_are_no_command_are_a_task() {
        for line in [
            &["find the ten largest files"][..],
            &["find", "the", "status"],
            &["--json", "find it"],
            &["--", "status"],
        ] {
            let arguments = parse(line);
            assert!(arguments.command.is_none() && !arguments.task.text.is_empty(), "{line:?}");
        }
        assert_eq!(parse(&["find", "the", "status"]).task.text, ["find", "the", "status"]);
    }

    #[test]
    fn global_flags_may_stand_anywhere() {
        for line in [&["--json", "status"][..], &["status", "--json"]] {
            let arguments = parse(line);
            assert!(arguments.global.json && matches!(arguments.command, Some(Command::Status)), "{line:?}");
        }
        let Some(Command::Run(task)) =
            parse(&["run", "x", "--no-start", "--time-budget", "5m", "--max-replans", "0"]).command
        else {
            panic!("`run` is a command");
        };
        assert_eq!((task.time_budget, task.max_replans), (Some(300_000), Some(0)));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in [
            &["run", "x", "--time-budget", "5 parsecs"][..],
            &["run", "x", "--time-budget", "0"],
            &["run", "x", "--attended", "--unattended"],
            &["confirm", "1234", "perhaps"],
            &["explain"],
            &["replay", "1234", "--control", "theta"],
            &["cancel"],
        ] {
            assert!(Arguments::try_parse_from([&["artoo"], line].concat()).is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_command_to_explain_keeps_its_own_flags_and_leaves_us_ours() {
        for (line, words, json) in [
            (&["explain", "rm -rf x", "--json"][..], &["rm -rf x"][..], true),
            (&["explain", "--cwd", "/my files", "make test", "--json"], &["make test"], true),
            (&["explain", "--json", "--", "rm", "-rf", "--json"], &["rm", "-rf", "--json"], true),
            (&["explain", "ls", "x"], &["ls", "x"], false),
            (&["explain", "rm", "-rf", "x"], &["rm", "-rf", "x"], false),
            (&["--json", "explain", "df", "-h"], &["df", "-h"], true),
        ] {
            let arguments = parse(line);
            let Some(Command::Explain(explain)) = arguments.command else { panic!("{line:?}") };
            assert_eq!(
                (explain.command, arguments.global.json),
                (words.iter().map(|w| (*w).to_owned()).collect(), json)
            );
        }
    }

    #[test]
    fn arguments_for_the_daemon_are_passed_on_unread() {
        let Some(Command::Config(passed)) = parse(&["config", "show", "--json"]).command else {
            panic!("config")
        };
        assert_eq!(passed.arguments, ["show", "--json"]);
    }
}
