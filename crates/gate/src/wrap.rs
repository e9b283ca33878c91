//! Which program a command really runs: wrappers taken off, then the table, then everything else.

use artoo_types::evidence::EffectClass;

use super::listing::Listing;
use super::programs::row::{Call, DELETES, FILTER, Harmless, LISTS, MOVES, Runs};
use super::survey::Survey;
use super::word::{Arg, Hole, Part};
use super::{Decision, options, programs, special, vital};

mod run_text;

/// Why what comes from the network is not run.
pub(super) const UNSEEN: &str = "it would run what it fetches from the network, unseen";
/// Words that are looked at to find the program behind a wrapper's options.
const MAX_CANDIDATES: usize = 12;

/// `command`: the program behind it, or where that is.
pub(super) fn command(survey: &mut Survey<'_>, args: &[Arg], paths: Option<&Listing>) {
    let option = args.first().and_then(Arg::fixed).unwrap_or_default();
    match option.as_str() {
        "-v" | "-V" => survey.program("command", false),
        "--" => survey.wrapped(args, paths),
        _ if option.starts_with('-') => {
            survey.confirm("this use of command is not followed");
            survey.inner(args);
        }
        _ => survey.wrapped(args, paths),
    }
}

/// `nice`: the program behind it.
pub(super) fn nice(survey: &mut Survey<'_>, args: &[Arg], paths: Option<&Listing>) {
    survey.wrapped(special::after_nice(args), paths);
}

/// `timeout`: the program behind it.
pub(super) fn timeout(survey: &mut Survey<'_>, args: &[Arg], paths: Option<&Listing>) {
    match special::after_timeout(args) {
        Some(rest) => survey.wrapped(rest, paths),
        None => {
            survey.confirm("this use of timeout is not followed");
            survey.inner(args);
        }
    }
}

/// `env` in front of a program.
pub(super) fn env(survey: &mut Survey<'_>, args: &[Arg], paths: Option<&Listing>) {
    match special::after_env(args) {
        Some(rest) if !rest.is_empty() => survey.wrapped(rest, paths),
        Some(_) | None => {
            survey.confirm("env is followed only with language settings in front of a program");
            survey.reveals |= args.iter().all(|a| a.prefix().contains('='));
            survey.inner(args);
        }
    }
}

/// `xargs`: the program behind it, with words that are known only when it runs.
pub(super) fn xargs(survey: &mut Survey<'_>, args: &[Arg], paths: Option<&Listing>) {
    survey.xargs(args, paths);
}

/// `cd`: everything behind it is in another folder.
pub(super) fn cd(survey: &mut Survey<'_>, args: &[Arg]) {
    survey.change_folder(args);
}

/// `pushd`: the same, and it remembers the folder.
pub(super) fn pushd(survey: &mut Survey<'_>, args: &[Arg]) {
    survey.confirm("pushd is not followed");
    survey.change_folder(args);
}

impl Survey<'_> {
    /// Surveys one program with its arguments. `paths`: the listing that its standard input is.
    pub(super) fn run(&mut self, word: &str, args: &[Arg], paths: Option<&Listing>) {
        if !self.may_run() {
            return;
        }
        let program = programs::find_any(word.rsplit('/').next().unwrap_or(word));
        if self.holds_fetched(word) || program.runs_text() && self.takes_fetched(args) {
            self.forbid(UNSEEN);
        }
        for arg in args {
            self.note_artoo(&arg.shown());
            self.passes_fetched |= self.holds_fetched(&arg.shown());
        }
        let Some(name) = programs::lookup_name(word) else {
            let name = word.rsplit('/').next().unwrap_or(word);
            self.other(Call { name, program, args });
            self.act(EffectClass::Unknown, &format!("{word} is not a program of the system's folders"));
            return;
        };
        let call = Call { name, program, args };
        match (program.runs, program.harmless) {
            (Runs::Program(_), Harmless::Rule(rule)) if args.is_empty() => self.judge(call, rule),
            (Runs::Program(run), _) => run(self, args, paths),
            (Runs::Rest(go), _) => {
                self.program(name, program.has(FILTER));
                go(self, args);
            }
            (_, Harmless::Reading(_) | Harmless::Rule(_)) if program.only_helps(args) => {
                self.program(name, false);
            }
            (_, Harmless::Reading(reading)) => {
                self.judge(call, |survey, call| options::judge(reading, call, survey));
            }
            (_, Harmless::Rule(rule)) => self.judge(call, rule),
            (_, Harmless::Alone | Harmless::FirstWords(_) | Harmless::FirstWordsThen(..))
                if special::only_shows(program, args) =>
            {
                self.program(name, false);
            }
            _ => self.other(call),
        }
    }

    /// Judges a program that is harmless in some uses, and tells what it gives to the next one in a pipe.
    fn judge(&mut self, call: Call<'_>, rule: impl Fn(&mut Self, Call<'_>)) {
        self.program(call.name, call.program.has(FILTER));
        rule(self, call);
        self.print(call.program.output, call.args);
        if call.program.has(LISTS) {
            let is_narrow = special::is_narrowed(call.args);
            let mut operands = call.args.iter().filter(|a| !a.is_option()).take(MAX_CANDIDATES);
            let vital = operands.any(|arg| vital::may_be_vital(arg, self));
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
        let deletes = self.programs[before..].iter().any(|p| p.row.has(DELETES | MOVES));
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

    /// A use that is not harmless: looked at to tell what it would do.
    fn other(&mut self, call: Call<'_>) {
        let Call { name, program, args } = call;
        // A name with a version or an ending may stand for another program here.
        let is_itself = programs::find(name).is_some();
        if is_itself && program.only_helps(args) {
            self.program(name, false);
            return;
        }
        if let Runs::Something(effect) = program.runs {
            self.act(effect, &format!("{name} runs another program with more power, or out of sight"));
            self.inner(args);
            self.quoted_commands(args);
            return;
        }
        self.program(name, false);
        self.runs(call);
        // Whatever else has a rule of its own looks at its words itself.
        for arg in args.iter().filter(|_| is_itself && program.is_shell()) {
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
            let program = args[at].fixed().map_or(&programs::UNKNOWN, |text| {
                programs::find_any(text.rsplit('/').next().unwrap_or(&text))
            });
            if program.is_known() {
                found = true;
                self.wrapped(&args[at..], None);
                let is_wrapper = program.is_wrapper() && !args[at].shown().contains('/');
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
