//! Which program a command really runs: wrappers taken off, then the table, then everything else.

use artoo_types::evidence::EffectClass;

use super::survey::Survey;
use super::word::{Arg, Hole, Part};
use super::{acts, options, programs, special};

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

/// Whether the program runs text that it is given.
pub(super) fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name)
}

impl Survey<'_> {
    /// Surveys one program with its arguments. `paths`: its standard input is a listing of paths that was checked.
    pub(super) fn run(&mut self, word: &str, args: &[Arg], paths: bool) {
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
                None => self.other(name, args),
            },
            "env" if !args.is_empty() => match special::after_env(args) {
                Some(rest) if !rest.is_empty() => self.wrapped(rest, paths),
                Some(_) | None => {
                    self.confirm("env is followed only with language settings in front of a program");
                    self.reveals |= args.iter().all(|a| a.prefix().contains('='));
                    self.inner(args, false);
                }
            },
            "xargs" => self.xargs(args, paths),
            _ => match programs::find(name) {
                Some(row) => {
                    self.program(name, row.is_filter);
                    options::judge(row, args, self);
                }
                None => self.other(name, args),
            },
        }
    }

    fn wrapped(&mut self, args: &[Arg], paths: bool) {
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
    fn xargs(&mut self, args: &[Arg], paths: bool) {
        if let Some("--version" | "--help") = args.first().and_then(Arg::fixed).as_deref() {
            self.program("xargs", false);
            return;
        }
        let Some((mark, rest)) = special::after_xargs(args) else {
            self.confirm("this use of xargs is not followed");
            self.inner(args, false);
            return;
        };
        let kind = if paths { Hole::Listing } else { Hole::Opaque };
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
        self.wrapped(&words, false);
    }

    /// A program that is not in the table: never safe, looked at to tell what it would do.
    fn other(&mut self, name: &str, args: &[Arg]) {
        let harmless =
            matches!(args, [one] if matches!(one.fixed().as_deref(), Some("--version" | "--help")));
        if harmless && is_well_known(name) {
            self.program(name, false);
            return;
        }
        if ASKED_WRAPPERS.contains(&name) {
            let effect = if matches!(name, "sudo" | "doas" | "su") {
                EffectClass::System
            } else {
                EffectClass::Unknown
            };
            self.act(effect, &format!("{name} runs another program with more power, or out of sight"));
            self.inner(args, true);
            return;
        }
        self.program(name, false);
        if SHELLS.contains(&name) {
            self.act(EffectClass::Unknown, &format!("{name} runs a program text of its own"));
            let text = args.iter().skip_while(|a| !is_command_option(a)).nth(1).and_then(Arg::fixed);
            if let Some(text) = text {
                self.text(&text);
            }
        } else if name == "eval" {
            self.act(EffectClass::Unknown, "eval runs text as a command");
            let words: Option<Vec<String>> = args.iter().map(Arg::fixed).collect();
            if let Some(words) = words {
                self.text(&words.join(" "));
            }
        } else {
            acts::judge(name, args, self);
        }
        for arg in args {
            if arg.fixed().is_some_and(|text| text.contains('/')) {
                self.path(arg, false);
            }
        }
    }

    /// What a wrapper that is not followed exactly would run: the first word that is no option and no setting.
    fn inner(&mut self, args: &[Arg], confirmed: bool) {
        let start = args.iter().position(|a| !a.is_option() && !a.prefix().contains('='));
        match start {
            Some(at) => self.wrapped(&args[at..], false),
            None if !confirmed => self.act(EffectClass::Unknown, "which program it runs cannot be told"),
            None => {}
        }
    }
}

/// `command -v` and `command -V` only tell where a program is.
fn asks_where(args: &[Arg]) -> bool {
    args.first().and_then(Arg::fixed).is_some_and(|option| matches!(option.as_str(), "-v" | "-V"))
}

fn is_command_option(arg: &Arg) -> bool {
    arg.fixed().is_some_and(|t| t.starts_with('-') && !t.starts_with("--") && t.ends_with('c'))
}

/// Programs that print their version or help and do nothing else when that is all they are asked.
fn is_well_known(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "rm",
        "cp",
        "mv",
        "mkdir",
        "touch",
        "tar",
        "curl",
        "wget",
        "make",
        "gcc",
        "cc",
        "clang",
        "python",
        "python3",
        "perl",
        "ruby",
        "node",
        "cargo",
        "rustc",
        "go",
        "bash",
        "zip",
        "unzip",
        "rsync",
        "ssh-keygen",
        "ffmpeg",
    ];
    NAMES.contains(&name)
}
