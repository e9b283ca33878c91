//! What this terminal can do.

use std::ffi::OsString;
use std::io::IsTerminal;

use crate::links;
use crate::render::Language;

/// Columns where a terminal does not say how many it has.
const DEFAULT_COLUMNS: usize = 80;
/// Columns where there is no terminal: what goes into a pipe is not cut.
const PIPE_COLUMNS: usize = 1_000;
/// Below this nothing lines up any more; the terminal may wrap then.
const MIN_COLUMNS: usize = 40;

/// The language of this process's surroundings, for what is said where there is no request.
pub fn spoken() -> Language {
    Language::of_surroundings(|name| std::env::var_os(name))
}

/// How output looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalLook {
    /// Colours and bold.
    pub colour: bool,
    /// Lines may be drawn over: a spinner.
    pub live: bool,
    /// Paths may be links.
    pub links: bool,
    /// Columns.
    pub width: usize,
}

impl TerminalLook {
    /// Of this process's standard output.
    pub fn detect() -> Self {
        let stdout = std::io::stdout();
        Self::of(stdout.is_terminal(), terminal_columns(&stdout), |name| std::env::var_os(name))
    }

    /// Of this process's standard error, where what is said about a task goes.
    pub fn of_notes() -> Self {
        let stderr = std::io::stderr();
        Self::of(stderr.is_terminal(), terminal_columns(&stderr), |name| std::env::var_os(name))
    }

    /// With everything as an argument: whether output goes to a terminal, its columns, and the environment. `COLUMNS`
    /// goes before what the terminal says, as POSIX has it.
    pub fn of(terminal: bool, columns: Option<usize>, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let no_colour = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let wanted =
            variable("COLUMNS").and_then(|value| value.to_str()?.parse().ok()).filter(|width| *width > 0);
        let found = if terminal { columns.unwrap_or(DEFAULT_COLUMNS) } else { PIPE_COLUMNS };
        let width: usize = wanted.unwrap_or(found);
        Self {
            colour: terminal && !dumb && !no_colour,
            live: terminal && !dumb,
            links: terminal && !dumb && links::are_taken(variable),
            width: width.max(MIN_COLUMNS),
        }
    }
}

/// Whether a person can be asked: there is a keyboard, and a screen for the question. The answer may go elsewhere.
pub fn someone_is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Lines of this process's screen; none where standard output is no terminal.
pub fn rows() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_row > 0).then(|| usize::from(size.ws_row))
}

/// Milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.ok().and_then(|now| i64::try_from(now.as_millis()).ok()).unwrap_or_default()
}

fn terminal_columns(screen: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(screen).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::TerminalLook;

    fn check(terminal: bool, environment: &[(&str, &str)], colour: bool, live: bool) {
        let variable = |name: &str| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        };
        let look = TerminalLook::of(terminal, Some(100), variable);
        let width = if terminal { 100 } else { 1_000 };
        let links = false;
        assert_eq!(look, TerminalLook { colour, live, links, width }, "{terminal} {environment:?}");
    }

    #[test]
    fn no_link_goes_into_a_pipe() {
        let kitty = |name: &str| (name == "TERM").then(|| OsString::from("xterm-kitty"));
        assert!(TerminalLook::of(true, None, kitty).links && !TerminalLook::of(false, None, kitty).links);
    }

    #[test]
    fn pipes_dumb_terminals_and_no_color_are_respected() {
        check(true, &[("TERM", "xterm")], true, true);
        check(false, &[("TERM", "xterm")], false, false);
        check(true, &[("TERM", "dumb")], false, false);
        check(true, &[("NO_COLOR", "1")], false, true);
        check(true, &[("NO_COLOR", "")], true, true);
    }

    #[test]
    fn columns_are_what_the_person_says() {
        let says = |value: &'static str| move |name: &str| (name == "COLUMNS").then(|| OsString::from(value));
        for (terminal, value, width) in
            [(true, "120", 120), (false, "200", 200), (true, "0", 90), (true, "wide", 90), (false, "", 1_000)]
        {
            assert_eq!(
                TerminalLook::of(terminal, Some(90), says(value)).width,
                width,
                "{terminal} {value:?}"
            );
        }
    }

    #[test]
    fn a_narrow_terminal_keeps_a_minimum() {
        assert_eq!(TerminalLook::of(true, Some(10), |_| None).width, 40);
        assert_eq!(TerminalLook::of(true, None, |_| None).width, 80);
    }
}
