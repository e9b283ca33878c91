//! Lists, pipelines and simple commands.

use artoo_types::evidence::EffectClass;
use brush_parser::Parser;
use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item};

use super::{MAX_LEVELS, MAX_TEXTS, Survey};
use crate::listing::{Listing, Splitting};
use crate::programs::row::{COPIES, ENDLESS, FETCHES, PASSES_LINES, Program};
use crate::word::{self, Arg, Hole, Part};
use crate::{admit, wrap};

/// Pieces of a text that cannot be read which are looked at by themselves.
const MAX_PIECES: usize = 32;

impl Survey<'_> {
    /// Parses and surveys shell text. Tells the listing when that is all that it prints.
    pub(crate) fn text(&mut self, text: &str) -> Option<Listing> {
        self.printed = None;
        self.texts += 1;
        self.note_artoo(text);
        if self.level >= MAX_LEVELS || self.texts > MAX_TEXTS {
            self.confirm("it is nested too deeply");
            return None;
        }
        // Text behind an encoding did not pass the entrance.
        if self.level > 0
            && let Err(why) = admit::admit(text)
        {
            self.confirm(&why);
            return None;
        }
        self.level += 1;
        let reader = std::io::Cursor::new(text.as_bytes());
        let mut listing = None;
        match Parser::new(reader, &word::options()).parse_program() {
            Ok(program) => {
                let mut printed = Some(String::new());
                let count = program.complete_commands.len();
                for (index, list) in program.complete_commands.iter().enumerate() {
                    self.is_last_list = self.level == 1 && index + 1 == count;
                    listing = self.list(list).filter(|_| count == 1);
                    printed = joined(printed, self.printed.take());
                }
                self.printed = printed;
            }
            Err(_) => {
                self.act(EffectClass::Unknown, "the command could not be read as shell text");
                self.is_unread = true;
                self.pieces(text);
            }
        }
        self.level -= 1;
        listing
    }

    /// Text that cannot be read as a whole is asked about; what its pieces would do can only make it stricter.
    pub(super) fn pieces(&mut self, text: &str) {
        let marks = [';', '&', '|', '\n', '(', ')', '{', '}', '`'];
        let (programs, operands) = (self.programs.len(), self.operands.clone());
        for piece in text.split(marks).map(str::trim).filter(|p| !p.is_empty() && *p != text).take(MAX_PIECES)
        {
            self.text(piece);
        }
        self.programs.truncate(programs);
        self.operands = operands;
    }

    /// Surveys a command substitution; tells what it yields.
    pub(crate) fn substitution(&mut self, text: &str, quoted: bool) -> Part {
        let (variables, folder) = (self.variables.clone(), self.folder.clone());
        let (stdin, lists) = (self.stdin.take(), self.lists.take());
        let listing = self.text(text);
        let printed = self.printed.take();
        (self.variables, self.folder, self.stdin, self.lists) = (variables, folder, stdin, lists);
        match printed.map(|text| text.trim_end_matches('\n').to_owned()) {
            Some(text) if listing.is_none() && (quoted || !word::splits(&text)) => Part::Text(text),
            Some(text) if listing.is_none() => Part::Split(text),
            Some(_) | None => Part::Hole { kind: self.kind_of(listing.as_ref()), loose: !quoted },
        }
    }

    /// What is known of words that are a listing, as a shell splits them.
    fn kind_of(&self, listing: Option<&Listing>) -> Hole {
        match listing {
            Some(listing) if self.stays_whole(listing, Splitting::Blanks) => Hole::Names,
            Some(_) => Hole::Listing,
            None => Hole::Opaque,
        }
    }

    /// Surveys a list of and-or lists. Tells the listing when that is all that it prints.
    pub(super) fn list(&mut self, list: &ast::CompoundList) -> Option<Listing> {
        let mut listing = None;
        let mut printed = Some(String::new());
        let is_last_list = std::mem::take(&mut self.is_last_list);
        for (index, ast::CompoundListItem(and_or, separator)) in list.0.iter().enumerate() {
            if matches!(separator, ast::SeparatorOperator::Async) {
                self.act(EffectClass::Unknown, "it leaves something running in the background");
            }
            let before = self.folder.clone();
            let is_all = list.0.len() == 1 && and_or.additional.is_empty();
            listing = self.pipeline(&and_or.first).filter(|_| is_all);
            printed = joined(printed, self.printed.take());
            let after = self.folder.clone();
            for next in &and_or.additional {
                let (ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline)) = next;
                let is_or = matches!(next, ast::AndOr::Or(_));
                if is_or {
                    // What stands behind `||` runs where the folder could not be entered.
                    self.back_from_uncertain(after.clone());
                    self.folder.clone_from(&before);
                }
                self.pipeline(pipeline);
                let also = self.printed.take();
                printed = if is_or { None } else { joined(printed, also) };
                if is_or {
                    self.back_from_uncertain(before.clone());
                    self.folder.clone_from(&after);
                }
            }
            if !(is_last_list && index + 1 == list.0.len()) {
                // Later commands run also when an earlier part failed.
                self.back_from_uncertain(after);
            }
            if !and_or.additional.is_empty() {
                // What was assigned on the way may not have been.
                self.forget();
            }
        }
        self.printed = printed;
        listing
    }

    pub(super) fn pipeline(&mut self, pipeline: &ast::Pipeline) -> Option<Listing> {
        let outside = (self.variables.clone(), self.folder.clone(), self.stdin.clone());
        let is_many = pipeline.seq.len() > 1;
        let (mut fetches, mut passes) = (false, false);
        let mut listing: Option<Listing> = None;
        for (index, command) in pipeline.seq.iter().enumerate() {
            if is_many {
                // Each stage is a process of its own.
                (self.variables, self.folder) = (outside.0.clone(), outside.1.clone());
            }
            if index > 0 {
                self.stdin = self.printed.take();
            }
            self.printed = None;
            let first = self.programs.len();
            self.lists = None;
            self.passes_fetched = false;
            self.command(command, listing.as_ref());
            let own: Vec<&Program> = self.programs[first..].iter().map(|p| p.row).collect();
            let runs_fetched = fetches && own.iter().any(|row| row.runs_text());
            let passes_on = (passes || self.passes_fetched) && own.iter().any(|row| row.is_shell());
            if runs_fetched || passes_on {
                self.forbid(wrap::UNSEEN);
            }
            passes |= self.passes_fetched;
            fetches |= own.iter().any(|row| row.has(FETCHES));
            let is_one = own.len() == 1 && matches!(command, ast::Command::Simple(_));
            listing = match own.first() {
                Some(row) if row.has(PASSES_LINES) => {
                    listing.filter(|_| is_one && Self::has_no_operand(command))
                }
                Some(_) => self.lists.take().filter(|_| is_one && index == 0),
                None => None,
            };
        }
        if is_many {
            (self.variables, self.folder) = (outside.0, outside.1);
        }
        self.stdin = outside.2;
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
                suffix.0.iter().all(|item| {
                    matches!(item, Item::Word(word) if is_plain(&word.value) || is_number(&word.value))
                })
            })
    }

    /// Surveys one command of a pipeline. `paths`: the listing that its standard input is.
    pub(super) fn command(&mut self, command: &ast::Command, paths: Option<&Listing>) {
        match command {
            ast::Command::Simple(simple) => self.simple(simple, paths),
            ast::Command::Compound(compound, redirects) => {
                let stdin = self.stdin.clone();
                self.redirects(redirects.as_ref());
                let redirected = redirects.is_some();
                self.compound(compound);
                let prints_once = matches!(
                    compound,
                    ast::CompoundCommand::BraceGroup(_) | ast::CompoundCommand::Subshell(_)
                );
                if redirected || !prints_once {
                    self.printed = None;
                }
                self.stdin = stdin;
            }
            ast::Command::ExtendedTest(test, redirects) => {
                self.redirects(redirects.as_ref());
                self.test(&test.expr);
            }
            ast::Command::Function(function) => {
                self.act(EffectClass::Unknown, "it defines a function, which may stand in for a program");
                self.function(function);
            }
        }
    }

    fn simple(&mut self, simple: &ast::SimpleCommand, paths: Option<&Listing>) {
        let has_command = simple.word_or_name.is_some();
        let prefix = simple.prefix.as_ref().map_or(&[][..], |p| &p.0);
        let suffix = simple.suffix.as_ref().map_or(&[][..], |s| &s.0);
        let paths = paths.filter(|_| !prefix.iter().chain(suffix).any(turns_input));
        for item in prefix {
            match item {
                Item::AssignmentWord(assignment, _) => self.assignment(assignment, has_command),
                Item::IoRedirect(_) => {}
                Item::Word(_) | Item::ProcessSubstitution(..) => self.confirm("its form is not understood"),
            }
        }
        let before = self.programs.len();
        let (earlier, stdin) = (self.has_fetched(0), self.stdin.clone());
        // Words are expanded before files are opened.
        let mut words: Vec<Arg> =
            simple.word_or_name.iter().map(|name| word::read(&name.value, self)).collect();
        for item in suffix {
            match item {
                Item::Word(word) | Item::AssignmentWord(_, word) => words.push(word::read(&word.value, self)),
                Item::IoRedirect(_) => {}
                Item::ProcessSubstitution(kind, inner) => {
                    let (from, stdin) = (self.programs.len(), self.stdin.take());
                    self.process_substitution(kind, inner);
                    let text = self.printed.take();
                    self.stdin = text.or(stdin);
                    words.push(Arg::plain(if self.has_fetched(from) { "/dev/fd/64" } else { "/dev/fd/63" }));
                }
            }
        }
        self.redirected = false;
        self.outputs.clear();
        for item in prefix.iter().chain(suffix) {
            if let Item::IoRedirect(redirect) = item {
                self.redirect(redirect);
            }
        }
        let (redirected, outputs) = (self.redirected, std::mem::take(&mut self.outputs));
        self.printed = None;
        let words: Vec<Arg> = words.into_iter().flat_map(Arg::split).collect();
        let fetched = self.has_fetched(before);
        if let Some((name, args)) = words.split_first() {
            match name.fixed() {
                Some(name) => {
                    let is_open = |a: &Arg| a.fixed().is_none();
                    self.takes_fetched = fetched || earlier && args.iter().any(is_open);
                    self.run(&name, args, paths);
                    self.takes_fetched = false;
                }
                None => {
                    if fetched || earlier {
                        self.forbid(wrap::UNSEEN);
                    }
                    self.program("unknown", false);
                    self.act(EffectClass::Unknown, "which program it runs is known only when it runs");
                }
            }
        }
        if !outputs.is_empty() && self.never_ends(before, &words) {
            self.confirm("it would write until the disk is full");
        }
        if fetched || self.has_fetched(before) {
            for output in outputs {
                self.fetched_into(&Arg::plain(&output));
            }
        }
        if redirected {
            self.printed = None;
        }
        self.stdin = stdin;
    }

    /// Whether one of the programs from this one on prints without an end.
    fn never_ends(&self, from: usize, words: &[Arg]) -> bool {
        const SOURCES: &[&str] = &["/dev/zero", "/dev/urandom", "/dev/random"];
        let is_endless = || words.iter().filter_map(Arg::fixed).any(|text| SOURCES.contains(&text.as_str()));
        self.programs[from..].iter().any(|seen| seen.row.has(ENDLESS) || seen.row.has(COPIES) && is_endless())
    }

    /// Whether one of the programs from this one on brings text in from the network.
    pub(super) fn has_fetched(&self, from: usize) -> bool {
        self.programs[from..].iter().any(|p| p.row.has(FETCHES))
    }
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
