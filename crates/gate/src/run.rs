//! Which program a command really runs: wrappers taken off, then the table, then everything else.

use artoo_types::evidence::EffectClass;

use super::findings::{NamedProgram, RevealedText};
use super::listing::Listing;
use super::programs::flags::{COUNTS, DELETES, FILTER, LISTS, MOVES};
use super::programs::row::{Call, Harmless, ProgramOutput, Runs};
use super::walk::Walk;
use super::{Decision, options, printed, programs, rules, vital};
use crate::arg::{Arg, Hole, Part};

pub(crate) mod foreign;
mod text;

/// Why what comes from the network is not run.
pub(super) const UNSEEN: &str = "it would run what it fetches from the network, unseen";
/// Words that are looked at to find the program behind a wrapper's options.
const MAX_CANDIDATES: usize = 12;

/// A program of the command, by the name that classes give it.
fn note(walk: &mut Walk<'_>, name: &str, is_filter: bool) {
    let program = programs::find_any(name);
    let (flags, is_live) = (program.all_flags(), program.is_live());
    walk.found.programs.push(NamedProgram { name: name.to_owned(), flags, is_filter, is_live });
}

/// A program of which not even the name is known.
pub(crate) fn note_unknown(walk: &mut Walk<'_>) {
    note(walk, "unknown", false);
}

/// Remembers what a program prints, and what it reads, when both are certain.
fn print(walk: &mut Walk<'_>, call: Call<'_>) {
    let ProgramOutput::Text(print) = call.program.output else { return };
    let words: Option<Vec<String>> = call.args.iter().map(Arg::fixed).collect();
    let stdin = walk.scope.stdin.as_deref();
    walk.flow.printed = words.and_then(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        print(&words, stdin).filter(|text| text.len() <= printed::MAX_BYTES)
    });
}

/// `command`: the program behind it, or where that is.
pub(crate) fn command(walk: &mut Walk<'_>, args: &[Arg], listing: Option<&Listing>) {
    let option = args.first().and_then(Arg::fixed).unwrap_or_default();
    match option.as_str() {
        "-v" | "-V" => note(walk, "command", false),
        "--" => wrapped(walk, args, listing),
        _ if option.starts_with('-') => {
            walk.found.confirm("this use of command is not followed");
            inner(walk, args);
        }
        _ => wrapped(walk, args, listing),
    }
}

/// `nice`: the program behind it.
pub(crate) fn nice(walk: &mut Walk<'_>, args: &[Arg], listing: Option<&Listing>) {
    wrapped(walk, rules::after_nice(args), listing);
}

/// `timeout`: the program behind it.
pub(crate) fn timeout(walk: &mut Walk<'_>, args: &[Arg], listing: Option<&Listing>) {
    match rules::after_timeout(args) {
        Some(rest) => wrapped(walk, rest, listing),
        None => {
            walk.found.confirm("this use of timeout is not followed");
            inner(walk, args);
        }
    }
}

/// `env` in front of a program.
pub(crate) fn env(walk: &mut Walk<'_>, args: &[Arg], listing: Option<&Listing>) {
    match rules::after_env(args) {
        Some(rest) if !rest.is_empty() => wrapped(walk, rest, listing),
        Some(_) | None => {
            walk.found.confirm("env is followed only with language settings in front of a program");
            if args.iter().all(|a| a.prefix().contains('=')) {
                walk.found.reveal(RevealedText::Environment);
            }
            inner(walk, args);
        }
    }
}

/// `cd`: everything behind it is in another folder.
pub(crate) fn cd(walk: &mut Walk<'_>, args: &[Arg]) {
    walk.change_folder(args);
}

/// `pushd`: the same, and it remembers the folder.
pub(crate) fn pushd(walk: &mut Walk<'_>, args: &[Arg]) {
    walk.found.confirm("pushd is not followed");
    walk.change_folder(args);
}

/// Judges one program with its arguments. `listing`: the listing that its standard input is.
pub(crate) fn run(walk: &mut Walk<'_>, word: &str, args: &[Arg], listing: Option<&Listing>) {
    if !walk.may_run() {
        return;
    }
    let program = programs::find_any(word.rsplit('/').next().unwrap_or(word));
    if walk.holds_fetched(word) || program.runs_text() && walk.takes_fetched(args) {
        walk.found.forbid(UNSEEN);
    }
    walk.note_files_in(word);
    for arg in args {
        walk.note_files(arg);
        walk.found.note_artoo(&arg.shown());
        walk.flow.passes_fetched |= walk.holds_fetched(&arg.shown());
    }
    let Some(name) = programs::lookup_name(word) else {
        let name = word.rsplit('/').next().unwrap_or(word);
        other(walk, Call { name, program, args });
        walk.found.act(EffectClass::Unknown, &format!("{word} is not a program of the system's folders"));
        return;
    };
    let call = Call { name, program, args };
    match (program.runs, program.harmless) {
        (Runs::Program(_), Harmless::Rule(rule)) if args.is_empty() => judge(walk, call, rule),
        (Runs::Program(run), _) => run(walk, args, listing),
        (Runs::Rest(go), _) => {
            note(walk, name, program.has(FILTER));
            go(walk, args);
        }
        (_, Harmless::Reading(_) | Harmless::Rule(_)) if program.only_helps(args) => {
            note(walk, name, false);
        }
        (_, Harmless::Reading(reading)) => {
            judge(walk, call, |walk, call| options::judge(reading, call, walk));
        }
        (_, Harmless::Rule(rule)) => judge(walk, call, rule),
        (_, Harmless::Alone | Harmless::FirstWords(_) | Harmless::FirstWordsThen(..))
            if rules::only_shows(program, args) =>
        {
            note(walk, name, false);
        }
        _ => other(walk, call),
    }
}

/// Judges a program that is harmless in some uses, and tells what it gives to the next one in a pipe.
fn judge(walk: &mut Walk<'_>, call: Call<'_>, rule: impl Fn(&mut Walk<'_>, Call<'_>)) {
    note(walk, call.name, call.program.has(FILTER));
    rule(walk, call);
    rules::sought::note(walk, call);
    print(walk, call);
    let is_number = |arg: &Arg| arg.fixed().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
    walk.flow.counts = call.program.has(COUNTS) && call.args.iter().all(is_number);
    if call.program.has(LISTS) {
        let is_narrow = rules::is_narrowed(call.args);
        let mut operands = call.args.iter().filter(|a| !a.is_option()).take(MAX_CANDIDATES);
        let vital = operands.any(|arg| vital::may_be_vital(arg, &walk.scope, &walk.found));
        walk.flow.lists_vital = vital && !is_narrow;
    }
}

fn wrapped(walk: &mut Walk<'_>, args: &[Arg], listing: Option<&Listing>) {
    let args = if args.first().and_then(Arg::fixed).as_deref() == Some("--") { &args[1..] } else { args };
    match args.split_first().map(|(first, rest)| (first.fixed(), rest)) {
        Some((Some(name), rest)) if !name.starts_with('-') => run(walk, &name, rest, listing),
        Some(_) | None => {
            note_unknown(walk);
            walk.found.act(EffectClass::Unknown, "which program it runs cannot be told");
        }
    }
}

/// `xargs`: the program gets words that are known only when it runs.
pub(crate) fn xargs(walk: &mut Walk<'_>, args: &[Arg], listing: Option<&Listing>) {
    if let [one] = args
        && let Some("--version" | "--help") = one.fixed().as_deref()
    {
        note(walk, "xargs", false);
        return;
    }
    let Some((mark, splitting, rest)) = rules::after_xargs(args) else {
        walk.found.confirm("this use of xargs is not followed");
        inner(walk, args);
        return;
    };
    let is_whole = listing.is_some_and(|listing| walk.stays_whole(listing, splitting));
    let kind = if is_whole { Hole::Names } else { Hole::Opaque };
    let loose = Part::Hole { kind, loose: mark.is_none() };
    let Some((program, rest)) = rest.split_first() else {
        note(walk, "xargs", false);
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
    let (input, vital) = (walk.scope.stdin.take(), walk.flow.lists_vital);
    let before = walk.found.programs.len();
    wrapped(walk, &words, None);
    let deletes = walk.found.programs[before..].iter().any(|p| p.has(DELETES | MOVES));
    if deletes && vital {
        walk.found.forbid("it would delete a home or a system");
    }
    // Whatever is decided so far, the words that it would really get can only make it stricter.
    if let Some(input) = input
        && walk.found.decision != Decision::Safe
    {
        let given: Vec<Arg> = std::iter::once(program).chain(rest).cloned().collect();
        with_input(walk, &given, mark.as_deref(), &input);
    }
}

fn with_input(walk: &mut Walk<'_>, given: &[Arg], mark: Option<&str>, input: &str) {
    match mark {
        None => {
            let words = input.split_whitespace().map(|w| Arg::plain(w.trim_matches(['"', '\''])));
            let words: Vec<Arg> = given.iter().cloned().chain(words).collect();
            wrapped(walk, &words, None);
        }
        Some(mark) => {
            for line in input.lines().take(MAX_CANDIDATES) {
                let fill = |arg: &Arg| {
                    arg.fixed().map_or_else(|| arg.clone(), |t| Arg::plain(&t.replace(mark, line)))
                };
                let words: Vec<Arg> = given.iter().map(fill).collect();
                wrapped(walk, &words, None);
            }
        }
    }
}

/// A use that is not harmless: looked at to tell what it would do.
fn other(walk: &mut Walk<'_>, call: Call<'_>) {
    let Call { name, program, args } = call;
    // A name with a version or an ending may stand for another program here.
    let is_itself = programs::find(name).is_some();
    if is_itself && program.only_helps(args) {
        note(walk, name, false);
        return;
    }
    if let Runs::Something(effect) = program.runs {
        walk.found.act(effect, &format!("{name} runs another program with more power, or out of sight"));
        inner(walk, args);
        text::quoted_commands(walk, args);
        return;
    }
    note(walk, name, false);
    text::runs(walk, call);
    // Whatever else has a rule of its own looks at its words itself.
    for arg in args.iter().filter(|_| is_itself && matches!(program.runs, Runs::Shell(_))) {
        if arg.fixed().is_some_and(|text| text.contains('/')) {
            walk.path(arg, false);
        }
    }
}

/// What a wrapper that is not followed exactly may run: every word that is the name of a program that is known, because
/// a word in front of it may be the value of an option; else the first that is no option and no setting.
fn inner(walk: &mut Walk<'_>, args: &[Arg]) {
    let is_word = |a: &Arg| !a.is_option() && !a.prefix().contains('=');
    let mut found = false;
    for at in (0..args.len()).filter(|at| is_word(&args[*at])).take(MAX_CANDIDATES) {
        let program = args[at]
            .fixed()
            .map_or(&programs::UNKNOWN, |text| programs::find_any(text.rsplit('/').next().unwrap_or(&text)));
        if program.is_known() {
            found = true;
            wrapped(walk, &args[at..], None);
            let is_wrapper = program.is_wrapper() && !args[at].shown().contains('/');
            if is_wrapper {
                // It looks at the rest itself.
                break;
            }
        }
    }
    if !found {
        match args.iter().position(is_word) {
            Some(at) => wrapped(walk, &args[at..], None),
            None => walk.found.act(EffectClass::Unknown, "which program it runs cannot be told"),
        }
    }
}
