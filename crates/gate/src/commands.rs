//! Lists, pipelines and simple commands.

use artoo_types::evidence::EffectClass;
use brush_parser::Parser;
use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item};

use crate::arg::Arg;
use crate::listing::Listing;
use crate::programs::flags::{FETCHES, PASSES_LINES, READS_LINES, RUNS_TEXT, SHELL};
use crate::quantity;
use crate::scope::Scope;
use crate::walk::{Flow, Walk};
use crate::word;
use crate::{admit, run};

mod assign;
mod compound;
mod redirect;

use redirect::RedirectedOutput;

/// Levels of substitutions and wrappers within each other.
const MAX_LEVELS: usize = 16;

/// Pieces of a text that cannot be read which are looked at by themselves.
const MAX_PIECES: usize = 32;

/// Parses and reads shell text. Tells the listing when that is all that it prints.
pub(crate) fn read_text(walk: &mut Walk<'_>, text: &str) -> Option<Listing> {
    walk.flow.printed = None;
    walk.found.note_artoo(text);
    if !walk.may_parse() || walk.scope.level >= MAX_LEVELS {
        walk.found.confirm("it is nested too deeply");
        return None;
    }
    // Text behind an encoding did not pass the entrance.
    if walk.scope.level > 0
        && let Err(why) = admit::admit(text)
    {
        walk.found.confirm(&why);
        return None;
    }
    walk.scope.level += 1;
    let reader = std::io::Cursor::new(text.as_bytes());
    let mut listing = None;
    match Parser::new(reader, &word::options()).parse_program() {
        Ok(program) => {
            let mut printed = Some(String::new());
            let count = program.complete_commands.len();
            for (index, list) in program.complete_commands.iter().enumerate() {
                walk.scope.is_last_list = walk.scope.level == 1 && index + 1 == count;
                listing = read_list(walk, list).filter(|_| count == 1);
                printed = joined(printed, walk.flow.printed.take());
            }
            walk.flow.printed = printed;
        }
        Err(_) => {
            walk.found.act(EffectClass::Unknown, "the command could not be read as shell text");
            walk.found.is_unread = true;
            read_pieces(walk, text);
        }
    }
    walk.scope.level -= 1;
    listing
}

/// Text that cannot be read as a whole is asked about; what its pieces would do can only make it stricter.
pub(crate) fn read_pieces(walk: &mut Walk<'_>, text: &str) {
    let marks = [';', '&', '|', '\n', '(', ')', '{', '}', '`'];
    let (programs, operands) = (walk.found.programs.len(), walk.found.operands.clone());
    for piece in text.split(marks).map(str::trim).filter(|p| !p.is_empty() && *p != text).take(MAX_PIECES) {
        read_text(walk, piece);
    }
    walk.found.programs.truncate(programs);
    walk.found.operands = operands;
}

/// Reads a list of and-or lists. Tells the listing when that is all that it prints.
pub(crate) fn read_list(walk: &mut Walk<'_>, list: &ast::CompoundList) -> Option<Listing> {
    let mut listing = None;
    let mut printed = Some(String::new());
    let is_last_list = std::mem::take(&mut walk.scope.is_last_list);
    for (index, ast::CompoundListItem(and_or, separator)) in list.0.iter().enumerate() {
        if matches!(separator, ast::SeparatorOperator::Async) {
            walk.found.act(EffectClass::Unknown, "it leaves something running in the background");
        }
        let before = walk.scope.folder.clone();
        let is_all = list.0.len() == 1 && and_or.additional.is_empty();
        listing = read_pipeline(walk, &and_or.first).filter(|_| is_all);
        printed = joined(printed, walk.flow.printed.take());
        let after = walk.scope.folder.clone();
        for next in &and_or.additional {
            let (ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline)) = next;
            let is_or = matches!(next, ast::AndOr::Or(_));
            if is_or {
                // What stands behind `||` runs where the folder could not be entered.
                walk.back_from_uncertain(after.clone());
                walk.scope.folder.clone_from(&before);
            }
            read_pipeline(walk, pipeline);
            let also = walk.flow.printed.take();
            printed = if is_or { None } else { joined(printed, also) };
            if is_or {
                walk.back_from_uncertain(before.clone());
                walk.scope.folder.clone_from(&after);
            }
        }
        if !(is_last_list && index + 1 == list.0.len()) {
            // Later commands run also when an earlier part failed.
            walk.back_from_uncertain(after);
        }
        if !and_or.additional.is_empty() {
            // What was assigned on the way may not have been.
            walk.scope.forget();
        }
    }
    walk.flow.printed = printed;
    listing
}

fn read_pipeline(walk: &mut Walk<'_>, pipeline: &ast::Pipeline) -> Option<Listing> {
    let outside = walk.scope.clone();
    let is_many = pipeline.seq.len() > 1;
    let (mut fetches, mut passes) = (false, false);
    let mut listing: Option<Listing> = None;
    for (index, command) in pipeline.seq.iter().enumerate() {
        if is_many {
            // Each stage is a process of its own, which reads what the one before it prints.
            let stdin = if index == 0 { outside.stdin.clone() } else { walk.flow.printed.take() };
            let pours = if index == 0 { outside.pours } else { walk.flow.pours };
            walk.scope = Scope { stdin, pours, ..outside.clone() };
        }
        walk.flow = Flow { lists_vital: walk.flow.lists_vital, ..Flow::default() };
        let first = walk.found.programs.len();
        read_command(walk, command, listing.as_ref());
        let own = &walk.found.programs[first..];
        let has = |flag| own.iter().any(|program| program.has(flag));
        let is_one = own.len() == 1 && matches!(command, ast::Command::Simple(_));
        let passes_lines = own.first().is_some_and(|program| program.has(PASSES_LINES));
        passes |= walk.flow.passes_fetched;
        let runs_fetched = fetches && has(RUNS_TEXT) || passes && has(SHELL);
        fetches |= has(FETCHES);
        listing = match passes_lines {
            true => listing.filter(|_| is_one && has_no_operand(command)),
            false => walk.flow.lists.take().filter(|_| is_one && index == 0),
        };
        if runs_fetched {
            walk.found.forbid(run::UNSEEN);
        }
    }
    if is_many {
        walk.scope = outside;
    } else {
        walk.scope.stdin = outside.stdin;
    }
    listing
}

/// Whether a filter reads its standard input alone, and passes whole lines on.
fn has_no_operand(command: &ast::Command) -> bool {
    let ast::Command::Simple(simple) = command else { return false };
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    // Behind -c stands a number of bytes, which cuts a path.
    let is_plain = |text: &str| {
        text.strip_prefix('-').is_some_and(|letters| {
            letters.bytes().all(|b| b.is_ascii_alphanumeric()) && !letters.contains('c')
        })
    };
    simple.prefix.is_none()
        && simple.suffix.as_ref().is_none_or(|suffix| {
            suffix.0.iter().all(
                |item| matches!(item, Item::Word(word) if is_plain(&word.value) || is_number(&word.value)),
            )
        })
}

/// Reads one command of a pipeline. `paths`: the listing that its standard input is.
pub(crate) fn read_command(walk: &mut Walk<'_>, command: &ast::Command, paths: Option<&Listing>) {
    match command {
        ast::Command::Simple(simple) => read_simple(walk, simple, paths),
        ast::Command::Compound(compound, redirects) => {
            let stdin = walk.scope.stdin.clone();
            redirect::read_redirects(walk, redirects.as_ref());
            let redirected = redirects.is_some();
            compound::read_compound(walk, compound);
            let prints_once =
                matches!(compound, ast::CompoundCommand::BraceGroup(_) | ast::CompoundCommand::Subshell(_));
            if redirected || !prints_once {
                walk.flow.printed = None;
            }
            walk.scope.stdin = stdin;
        }
        ast::Command::ExtendedTest(test, redirects) => {
            redirect::read_redirects(walk, redirects.as_ref());
            compound::read_test(walk, &test.expr);
        }
        ast::Command::Function(function) => {
            walk.found.act(EffectClass::Unknown, "it defines a function, which may stand in for a program");
            compound::read_function(walk, function);
        }
    }
}

fn read_simple(walk: &mut Walk<'_>, simple: &ast::SimpleCommand, paths: Option<&Listing>) {
    let has_command = simple.word_or_name.is_some();
    let reads_line = reads_line(simple);
    let prefix = simple.prefix.as_ref().map_or(&[][..], |p| &p.0);
    let suffix = simple.suffix.as_ref().map_or(&[][..], |s| &s.0);
    let paths = paths.filter(|_| !prefix.iter().chain(suffix).any(turns_input));
    for item in prefix {
        match item {
            Item::AssignmentWord(assignment, _) if reads_line && assign::sets_separator(assignment) => {}
            Item::AssignmentWord(assignment, _) => assign::read_assignment(walk, assignment, has_command),
            Item::IoRedirect(_) => {}
            Item::Word(_) | Item::ProcessSubstitution(..) => walk.found.confirm("its form is not understood"),
        }
    }
    let before = walk.found.programs.len();
    let (earlier, stdin) = (walk.has_fetched(0), walk.scope.stdin.clone());
    // Words are expanded before files are opened.
    let mut words: Vec<Arg> = simple.word_or_name.iter().map(|name| word::read(&name.value, walk)).collect();
    for item in suffix {
        match item {
            Item::Word(word) | Item::AssignmentWord(_, word) => words.push(word::read(&word.value, walk)),
            Item::IoRedirect(_) => {}
            Item::ProcessSubstitution(kind, inner) => {
                let (from, stdin) = (walk.found.programs.len(), walk.scope.stdin.take());
                redirect::read_process(walk, kind, inner);
                let text = walk.flow.printed.take();
                walk.scope.stdin = text.or(stdin);
                words.push(Arg::plain(if walk.has_fetched(from) { "/dev/fd/64" } else { "/dev/fd/63" }));
            }
        }
    }
    let mut outputs = RedirectedOutput::default();
    for item in prefix.iter().chain(suffix) {
        if let Item::IoRedirect(redirect) = item {
            redirect::read_redirect(walk, redirect, &mut outputs);
        }
    }
    walk.flow.printed = None;
    let words: Vec<Arg> = words.into_iter().flat_map(Arg::split).collect();
    let fetched = walk.has_fetched(before);
    if let Some((name, args)) = words.split_first() {
        match name.fixed() {
            Some(name) => {
                let is_open = |a: &Arg| a.fixed().is_none();
                walk.scope.takes_fetched = fetched || earlier && args.iter().any(is_open);
                run::run(walk, &name, args, paths);
                walk.scope.takes_fetched = false;
            }
            None => {
                if fetched || earlier {
                    walk.found.forbid(run::UNSEEN);
                }
                run::note_unknown(walk);
                walk.found.act(EffectClass::Unknown, "which program it runs is known only when it runs");
            }
        }
    }
    walk.flow.pours = quantity::pours(walk, before, &words);
    if !outputs.files.is_empty() {
        quantity::check_output(walk, before, &words);
    }
    if fetched || walk.has_fetched(before) {
        for output in outputs.files {
            walk.fetched_into(&Arg::plain(&output));
        }
    }
    if outputs.redirected {
        walk.flow.printed = None;
    }
    walk.scope.stdin = stdin;
}

/// Whether it takes a line of its standard input into variables.
fn reads_line(simple: &ast::SimpleCommand) -> bool {
    let program = simple.word_or_name.as_ref().and_then(|name| crate::programs::find(&name.value));
    program.is_some_and(|program| program.has(READS_LINES))
}

/// Whether a redirection gives a program another standard input than the pipe.
fn turns_input(item: &Item) -> bool {
    match item {
        Item::IoRedirect(ast::IoRedirect::File(number, kind, _)) => {
            *number == Some(0)
                || matches!(
                    kind,
                    ast::IoFileRedirectKind::Read
                        | ast::IoFileRedirectKind::ReadAndWrite
                        | ast::IoFileRedirectKind::DuplicateInput
                )
        }
        Item::IoRedirect(ast::IoRedirect::HereDocument(..) | ast::IoRedirect::HereString(..)) => true,
        Item::IoRedirect(ast::IoRedirect::OutputAndError(..))
        | Item::Word(_)
        | Item::AssignmentWord(..)
        | Item::ProcessSubstitution(..) => false,
    }
}

/// Two outputs behind each other, when both are known.
fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    Some(first? + &second?)
}
