//! Slash commands: one table, from which the parser, the help text and the completion are made.

use crate::exit::Failure;
use crate::render::{Language, Line, Tone};
use crate::slips;

/// What a slash command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlashAction {
    /// Shows this table.
    Help,
    /// Starts a new session and clears the screen.
    Clear,
    /// Leaves; a running task goes on.
    Quit,
    /// Shows the last answer in the pager.
    More,
    /// Cancels the running task, or the one that is named.
    Cancel,
    /// Answers the open question, or the one that is named.
    Confirm,
    /// The command line with these words, then what was typed.
    Command(&'static [&'static str]),
    /// The same for a task: the last one unless one is named.
    OfTask(&'static [&'static str]),
}

/// One slash command.
#[derive(Debug, Clone, Copy)]
pub struct SlashCommand {
    /// What is typed, with the slash.
    pub name: &'static str,
    /// What may follow.
    pub argument: &'static str,
    /// What it is for.
    pub help: &'static str,
    /// What it does.
    pub action: SlashAction,
}

const fn slash(
    name: &'static str,
    argument: &'static str,
    help: &'static str,
    action: SlashAction,
) -> SlashCommand {
    SlashCommand { name, argument, help, action }
}

/// Where the help of a command stands, and the most lines that it takes.
const HELP_COLUMN: usize = 32;
const HELP_LINES: usize = 4;
/// Columns that the help needs beside the name; with fewer it stands below.
const HELP_ROOM: usize = 28;
/// Shorter words are near to too many others.
const NEAR_LENGTH: usize = 4;

/// Every slash command, in the order of the help text.
pub const TABLE: &[SlashCommand] = &[
    slash("/help", "", "this list", SlashAction::Help),
    slash("/tasks", "", "what runs and what ran", SlashAction::Command(&["tasks"])),
    slash(
        "/show",
        "[ID]",
        "a task with its evidence; the last one without an id",
        SlashAction::OfTask(&["show"]),
    ),
    slash("/more", "", "the last answer in your pager ($PAGER)", SlashAction::More),
    slash("/cancel", "[ID]", "stop the running task, or another one", SlashAction::Cancel),
    slash("/confirm", "[ID] yes|no", "answer whether an action may run", SlashAction::Confirm),
    slash(
        "/undo",
        "[ID] [--list]",
        "take back what a task deleted or overwrote",
        SlashAction::OfTask(&["undo"]),
    ),
    slash(
        "/replay",
        "[ID] [--control KEY=VALUE]",
        "fold a task's recorded inputs again and compare",
        SlashAction::OfTask(&["replay"]),
    ),
    slash("/report", "[ID]", "write one HTML page about a task", SlashAction::OfTask(&["report"])),
    slash(
        "/memory",
        "[why TAG | similar TEXT | ...]",
        "what artoo remembers",
        SlashAction::Command(&["memory"]),
    ),
    slash(
        "/audit",
        "[list | show ID | ack ID | verify]",
        "the auditor's report",
        SlashAction::Command(&["audit"]),
    ),
    slash("/status", "", "the daemon's state", SlashAction::Command(&["status"])),
    slash(
        "/model",
        "[NAME]",
        "which model answers, or another one of the same server",
        SlashAction::Command(&["model"]),
    ),
    slash(
        "/schedule",
        "[list | remove ID | run ID]",
        "tasks that run again and again",
        SlashAction::Command(&["schedule"]),
    ),
    slash("/clear", "", "forget what was said and clear the screen", SlashAction::Clear),
    slash("/quit", "", "leave; a running task goes on", SlashAction::Quit),
];

/// Words that stand for a command when they are all that is said, and the command.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("帮助", "/help"),
    ("任务", "/tasks"),
    ("任务列表", "/tasks"),
    ("更多", "/more"),
    ("取消", "/cancel"),
    ("停止", "/cancel"),
    ("撤销", "/undo"),
    ("撤消", "/undo"),
    ("撤回", "/undo"),
    ("报告", "/report"),
    ("记忆", "/memory"),
    ("审计", "/audit"),
    ("状态", "/status"),
    ("模型", "/model"),
    ("定时", "/schedule"),
    ("定时任务", "/schedule"),
    ("清屏", "/clear"),
    ("退出", "/quit"),
    ("离开", "/quit"),
    ("再见", "/quit"),
    ("bye", "/quit"),
    ("exit", "/quit"),
    (":q", "/quit"),
];

/// What may stand around such a word.
const AROUND: [char; 5] = ['/', '。', '！', '!', '.'];

/// The slash command that a line stands for although the slash is missing: a bare name, a word that means the same, or what one
/// types in a shell.
pub fn bare(line: &str) -> Option<&'static str> {
    let name = line.trim();
    let name = name.strip_prefix("artoo ").unwrap_or(name).trim();
    let known = TABLE.iter().map(|slash| slash.name).find(|known| known.strip_prefix('/') == Some(name));
    let word = name.trim_matches(AROUND).trim();
    let other = || OTHER_NAMES.iter().find(|(other, _)| *other == word).map(|(_, known)| *known);
    known.or_else(other)
}

/// The slash command that a line is nearly, as it would be typed: more likely a slip than a request.
pub fn near(line: &str) -> Option<String> {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let [word] = words.as_slice() else {
        let meant = slips::meant(&words)?;
        return bare(meant.split(' ').next()?).map(|_| format!("/{meant}"));
    };
    let is_near = |name: &&str| strsim::damerau_levenshtein(name.trim_start_matches('/'), word) == 1;
    let name = TABLE.iter().map(|slash| slash.name).find(is_near).filter(|_| word.len() >= NEAR_LENGTH);
    name.map(str::to_owned)
}

/// Whether a line is meant as a slash command: a path such as `/tmp/x` is not.
pub fn is_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_some_and(|name| !name.contains('/'))
}

/// The command of a line and the words after it. The start of a name is enough where only one begins like that.
///
/// # Errors
/// When no name, or more than one, begins like that.
pub fn parse(line: &str) -> Result<(&'static SlashCommand, Vec<&str>), Failure> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let exact = TABLE.iter().find(|slash| slash.name == name);
    let found: Vec<&SlashCommand> = match exact {
        Some(slash) => vec![slash],
        None => TABLE.iter().filter(|slash| name.len() > 1 && slash.name.starts_with(name)).collect(),
    };
    match found.as_slice() {
        [slash] => Ok((slash, words.collect())),
        [] => Err(Failure::Usage(format!("`{name}` is no command; /help lists them"))),
        several => {
            let names: Vec<&str> = several.iter().map(|slash| slash.name).collect();
            Err(Failure::Usage(format!("`{name}` may be {}", names.join(" or "))))
        }
    }
}

/// The words of the command line that a slash command stands for.
pub fn words<'a>(fixed: &[&'a str], typed: &[&'a str]) -> Vec<&'a str> {
    let fallback: &[&str] = if fixed == ["memory"] && typed.is_empty() { &["list"] } else { &[] };
    [fixed, typed, fallback].concat()
}

/// The same for a task: where none is named, the last one stands before the flags.
///
/// # Errors
/// When none is named and there was none.
pub fn words_of_task<'a>(
    fixed: &[&'a str],
    typed: &[&'a str],
    last: Option<&'a str>,
) -> Result<Vec<&'a str>, Failure> {
    if typed.first().is_some_and(|word| !word.starts_with('-')) {
        return Ok(words(fixed, typed));
    }
    let Some(last) = last else {
        return Err(Failure::Usage("no task ran here yet: name one; /tasks lists all".to_owned()));
    };
    Ok([fixed, &[last], typed].concat())
}

/// The table in lines of this width; no word is broken.
pub fn help(language: Language, width: usize) -> Vec<Line> {
    TABLE
        .iter()
        .flat_map(|slash| {
            let help = language.command(slash.help);
            let name = Line::plain("  ")
                .add(Tone::Accent, slash.name)
                .add(Tone::Dim, format!(" {}", slash.argument));
            if width >= HELP_COLUMN + HELP_ROOM && name.columns() + HELP_ROOM <= width {
                return name.to_column(HELP_COLUMN).hanging(Tone::Plain, help, width, HELP_LINES);
            }
            let below = Line::plain("      ").hanging(Tone::Plain, help, width, HELP_LINES);
            std::iter::once(name.fit(width)).chain(below).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{SlashAction, TABLE, bare, help, is_command, near, parse, words, words_of_task};
    use crate::arguments::Arguments;
    use crate::render::Language;
    use crate::render::text::columns;

    #[test]
    fn words_that_mean_a_command_are_one_and_requests_are_none() {
        for (line, command) in [
            ("撤销", Some("/undo")),
            (" 退出。", Some("/quit")),
            ("帮助", Some("/help")),
            ("/状态", Some("/status")),
            ("quit", Some("/quit")),
            ("exit", Some("/quit")),
            (":q", Some("/quit")),
            ("artoo status", Some("/status")),
            ("撤销刚才的删除", None),
            ("停止 nginx", None),
            ("/tmp", None),
            ("任务.txt", None),
            ("", None),
        ] {
            assert_eq!(bare(line), command, "{line}");
        }
    }

    #[test]
    fn every_pinned_command_is_there() {
        for name in [
            "/help", "/audit", "/memory", "/tasks", "/show", "/cancel", "/confirm", "/status", "/model",
            "/undo", "/replay", "/report", "/clear", "/quit",
        ] {
            assert_eq!(parse(name).map(|(slash, _)| slash.name).ok(), Some(name));
        }
    }

    #[test]
    fn every_command_that_is_stood_for_exists() {
        let arguments = Arguments::command();
        for slash in TABLE {
            if let SlashAction::Command(fixed) | SlashAction::OfTask(fixed) = slash.action {
                assert!(arguments.find_subcommand(fixed[0]).is_some(), "{}", slash.name);
            }
        }
    }

    #[test]
    fn a_unique_start_is_enough() {
        let (slash, typed) = parse("/rep 0197").unwrap_or_else(|error| {
            assert_eq!(error.to_string(), "`/rep` may be /replay or /report");
            parse("/repo 0197").expect("now it is unique")
        });
        assert_eq!((slash.name, typed), ("/report", vec!["0197"]));
        assert!(parse("/nothing").is_err());
        assert!(parse("/").is_err());
        assert_eq!(words(&["memory"], &[]), ["memory", "list"]);
        assert_eq!(words(&["memory"], &["pyramid"]), ["memory", "pyramid"]);
    }

    #[test]
    fn the_help_fits_and_breaks_no_word() {
        for width in [40, 60, 80, 120] {
            let shown: Vec<String> =
                help(Language::English, width).iter().map(|line| line.text(false)).collect();
            assert!(shown.iter().all(|line| columns(line) <= width), "{shown:#?}");
            let words: Vec<&str> = shown.iter().flat_map(|line| line.split_whitespace()).collect();
            for slash in TABLE {
                let known = slash.help.split_whitespace().all(|word| words.contains(&word));
                assert!(known, "{} at {width}: {shown:#?}", slash.name);
            }
        }
    }

    #[test]
    fn the_help_is_there_in_chinese() {
        for slash in TABLE {
            assert!(!Language::Chinese.command(slash.help).is_ascii(), "{}", slash.help);
        }
        let shown: String = help(Language::Chinese, 80).iter().map(|line| line.text(false)).collect();
        assert!(shown.contains("/undo") && shown.contains("恢复任务删除或覆盖的内容"), "{shown}");
    }

    #[test]
    fn words_that_are_nearly_a_command_are_a_slip() {
        for (line, meant) in [
            ("taks", Some("/tasks")),
            ("task", Some("/tasks")),
            (" statsu ", Some("/status")),
            ("tasks", None),
            ("taks of today", None),
            ("shcedule list", Some("/schedule list")),
            ("shwo 0197b2c4", Some("/show 0197b2c4")),
            ("servcie status", None),
            ("hel", None),
        ] {
            assert_eq!(near(line).as_deref(), meant, "{line}");
        }
    }

    #[test]
    fn a_path_is_no_command() {
        for (line, command) in [
            ("/tasks", true),
            (" /x 1", true),
            ("/tmp/x: count the lines", false),
            ("count /tmp", false),
            ("", false),
        ] {
            assert_eq!(is_command(line), command, "{line:?}");
        }
    }

    #[test]
    fn the_last_task_is_meant_where_none_is_named() {
        let check = |typed: &[&'static str], expected: &[&str]| {
            assert_eq!(
                words_of_task(&["replay"], typed, Some("0197")).ok().as_deref(),
                Some(expected),
                "{typed:?}"
            );
        };
        check(&[], &["replay", "0197"]);
        check(&["0042"], &["replay", "0042"]);
        check(&["--control", "theta=0.5"], &["replay", "0197", "--control", "theta=0.5"]);
        check(&["0042", "--control", "theta=0.5"], &["replay", "0042", "--control", "theta=0.5"]);
        assert!(
            words_of_task(&["replay"], &[], None).is_err_and(|error| error.to_string().contains("/tasks"))
        );
        assert!(words_of_task(&["replay"], &["0042"], None).is_ok());
    }
}
