//! Which program a command really runs: wrappers taken off, then the table, then everything else.

use artoo_types::evidence::EffectClass;

use super::listing::Listing;
use super::survey::Survey;
use super::word::{Arg, Hole, Part};
use super::{Decision, acts, options, programs, special};

mod idle;
mod run_text;

use idle::{is_harmless, is_idle};

/// Programs that run text as a program of their own.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "csh",
    "tcsh",
    "ash",
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "php",
    "osascript",
    "lua",
    "tclsh",
    "deno",
    "bun",
    "pwsh",
];
/// Shells among them, whose `-c` text is read.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "ash"];
/// Wrappers that only run another program, but not unasked.
const ASKED_WRAPPERS: &[&str] = &[
    "sudo",
    "doas",
    "su",
    "setsid",
    "nohup",
    "busybox",
    "toybox",
    "stdbuf",
    "ionice",
    "chroot",
    "unshare",
    "watch",
    "strace",
    "script",
    "parallel",
    "flock",
    "chpst",
    "builtin",
    "exec",
    "caffeinate",
    "time",
];

/// Why what comes from the network is not run.
pub(super) const UNSEEN: &str = "it would run what it fetches from the network, unseen";
/// Words of the shell itself that run text.
const RUNNERS: &[&str] = &["eval", "source", ".", "exec", "at", "batch", "crontab", "parallel"];
/// Programs whose output is followed where their input is known.
const FOLLOWED: &[&str] = &["echo", "printf", "cat", "base64", "xxd", "rev", "tr"];
/// Words that are looked at to find the program behind a wrapper's options.
const MAX_CANDIDATES: usize = 12;

/// Whether the program is a shell, which runs what it reads.
pub(super) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// Whether the program runs text that it is given.
pub(super) fn runs_text(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name) || INTERPRETERS.contains(&plain) || RUNNERS.contains(&name)
}

impl Survey<'_> {
    /// Surveys one program with its arguments. `paths`: the listing that its standard input is.
    pub(super) fn run(&mut self, word: &str, args: &[Arg], paths: Option<&Listing>) {
        if !self.may_run() {
            return;
        }
        if self.holds_fetched(word) || runs_text(word) && self.takes_fetched(args) {
            self.forbid(UNSEEN);
        }
        for arg in args {
            self.note_artoo(&arg.shown());
            self.passes_fetched |= self.holds_fetched(&arg.shown());
        }
        let Some(name) = programs::lookup_name(word) else {
            let name = word.rsplit('/').next().unwrap_or(word);
            self.other(name, args);
            self.act(EffectClass::Unknown, &format!("{word} is not a program of the system's folders"));
            return;
        };
        match name {
            "command" if asks_where(args) => self.program("command", false),
            "command" => self.wrapped(args, paths),
            "nice" => self.wrapped(special::after_nice(args), paths),
            "timeout" => match special::after_timeout(args) {
                Some(rest) => self.wrapped(rest, paths),
                None => {
                    self.confirm("this use of timeout is not followed");
                    self.inner(args);
                }
            },
            "env" if !args.is_empty() => match special::after_env(args) {
                Some(rest) if !rest.is_empty() => self.wrapped(rest, paths),
                Some(_) | None => {
                    self.confirm("env is followed only with language settings in front of a program");
                    self.reveals |= args.iter().all(|a| a.prefix().contains('='));
                    self.inner(args);
                }
            },
            "xargs" => self.xargs(args, paths),
            "cd" | "pushd" => {
                self.program(name, true);
                if name == "pushd" {
                    self.confirm("pushd is not followed");
                }
                self.change_folder(args);
            }
            _ => match programs::find(name) {
                Some(_) if is_idle(args) && !matches!(name, "echo" | "printf" | "test" | "[") => {
                    self.program(name, false);
                }
                Some(row) => {
                    self.program(name, row.is_filter);
                    options::judge(row, args, self);
                    self.feeds(name, args);
                }
                None if special::only_shows(name, args) => self.program(name, false),
                None => self.other(name, args),
            },
        }
    }

    /// What a program gives to the next one in a pipe.
    fn feeds(&mut self, name: &str, args: &[Arg]) {
        if FOLLOWED.contains(&name) {
            self.print(name, args);
        }
        if matches!(name, "find" | "ls" | "echo" | "printf") {
            let is_narrow = special::is_narrowed(args);
            let mut operands = args.iter().filter(|a| !a.is_option()).take(MAX_CANDIDATES);
            let vital = operands.any(|arg| acts::may_be_vital(arg, self));
            self.lists_vital = vital && !is_narrow;
        }
    }

    fn wrapped(&mut self, args: &[Arg], paths: Option<&Listing>) {
        let args = if args.first().and_then(Arg::fixed).as_deref() == Some("--") { &args[1..] } else { args };
        match args.split_first().map(|(first, rest)| (first.fixed(), rest)) {
            Some((Some(name), rest)) if !name.starts_with('-') => self.run(&name, rest, paths),
            Some(_) | None => {
                self.program("unknown", false);
                self.act(EffectClass::Unknown, "which program it runs cannot be told");
            }
        }
    }

    /// `xargs`: the program gets words that are known only when it runs.
    fn xargs(&mut self, args: &[Arg], paths: Option<&Listing>) {
        if let [one] = args
            && let Some("--version" | "--help") = one.fixed().as_deref()
        {
            self.program("xargs", false);
            return;
        }
        let Some((mark, splitting, rest)) = special::after_xargs(args) else {
            self.confirm("this use of xargs is not followed");
            self.inner(args);
            return;
        };
        let is_whole = paths.is_some_and(|listing| self.stays_whole(listing, splitting));
        let kind = if is_whole { Hole::Names } else { Hole::Opaque };
        let loose = Part::Hole { kind, loose: mark.is_none() };
        let Some((program, rest)) = rest.split_first() else {
            self.program("xargs", false);
            return;
        };
        let filled = |arg: &Arg| match (&mark, arg.fixed()) {
            (Some(mark), Some(text)) if text == *mark => Arg(vec![loose.clone()]),
            (Some(mark), Some(text)) if text.contains(mark.as_str()) => {
                let start = text.split(mark.as_str()).next().unwrap_or_default().to_owned();
                Arg(vec![Part::Text(start), Part::Hole { kind: Hole::Opaque, loose: false }])
            }
            (_, _) => arg.clone(),
        };
        let mut words: Vec<Arg> = std::iter::once(program).chain(rest).map(filled).collect();
        if mark.is_none() {
            words.push(Arg(vec![loose]));
        }
        let (input, vital) = (self.stdin.take(), self.lists_vital);
        let before = self.programs.len();
        self.wrapped(&words, None);
        let deletes = self.programs[before..].iter().any(|p| acts::deletes(&p.name) || p.name == "mv");
        if deletes && vital {
            self.forbid("it would delete a home or a system");
        }
        // Whatever is decided so far, the words that it would really get can only make it stricter.
        if let Some(input) = input
            && self.decision != Decision::Safe
        {
            let given: Vec<Arg> = std::iter::once(program).chain(rest).cloned().collect();
            self.with_input(&given, mark.as_deref(), &input);
        }
    }

    fn with_input(&mut self, given: &[Arg], mark: Option<&str>, input: &str) {
        match mark {
            None => {
                let words = input.split_whitespace().map(|w| Arg::plain(w.trim_matches(['"', '\''])));
                let words: Vec<Arg> = given.iter().cloned().chain(words).collect();
                self.wrapped(&words, None);
            }
            Some(mark) => {
                for line in input.lines().take(MAX_CANDIDATES) {
                    let fill = |arg: &Arg| {
                        arg.fixed().map_or_else(|| arg.clone(), |t| Arg::plain(&t.replace(mark, line)))
                    };
                    let words: Vec<Arg> = given.iter().map(fill).collect();
                    self.wrapped(&words, None);
                }
            }
        }
    }

    /// A program that is not in the table: never safe, looked at to tell what it would do.
    fn other(&mut self, name: &str, args: &[Arg]) {
        if is_harmless(name, args) {
            self.program(name, false);
            return;
        }
        if ASKED_WRAPPERS.contains(&name) {
            let is_power = matches!(name, "sudo" | "doas" | "su");
            let effect = if is_power { EffectClass::System } else { EffectClass::Unknown };
            self.act(effect, &format!("{name} runs another program with more power, or out of sight"));
            self.inner(args);
            self.quoted_commands(args);
            return;
        }
        self.program(name, false);
        self.runs(name, args);
        // Whatever else has a rule of its own looks at its words itself.
        for arg in args.iter().filter(|_| SHELLS.contains(&name)) {
            if arg.fixed().is_some_and(|text| text.contains('/')) {
                self.path(arg, false);
            }
        }
    }

    /// What a wrapper that is not followed exactly may run: every word that is the name of a program that is known, because
    /// a word in front of it may be the value of an option; else the first that is no option and no setting.
    fn inner(&mut self, args: &[Arg]) {
        let is_word = |a: &Arg| !a.is_option() && !a.prefix().contains('=');
        let mut found = false;
        for at in (0..args.len()).filter(|at| is_word(&args[*at])).take(MAX_CANDIDATES) {
            let is_known = args[at].fixed().is_some_and(|text| {
                let name = text.rsplit('/').next().unwrap_or(&text);
                runs_text(name)
                    || acts::is_known(name)
                    || programs::find(name).is_some()
                    || name == "xargs"
                    || ASKED_WRAPPERS.contains(&name)
            });
            if is_known {
                found = true;
                self.wrapped(&args[at..], None);
                let is_wrapper = args[at]
                    .fixed()
                    .is_some_and(|t| ASKED_WRAPPERS.contains(&t.as_str()) || t == "env" || t == "xargs");
                if is_wrapper {
                    // It looks at the rest itself.
                    break;
                }
            }
        }
        if !found {
            match args.iter().position(is_word) {
                Some(at) => self.wrapped(&args[at..], None),
                None => self.act(EffectClass::Unknown, "which program it runs cannot be told"),
            }
        }
    }
}

/// `command -v` and `command -V` only tell where a program is.
fn asks_where(args: &[Arg]) -> bool {
    args.first().and_then(Arg::fixed).is_some_and(|option| matches!(option.as_str(), "-v" | "-V"))
}
