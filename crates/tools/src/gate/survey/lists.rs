//! Lists, pipelines and simple commands.

use artoo_types::evidence::EffectClass;
use brush_parser::Parser;
use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item};

use super::{MAX_LEVELS, MAX_TEXTS, Survey};
use crate::gate::word::{self, Arg, Hole, Part};
use crate::gate::{acts, admit, doubt, wrap};

/// Pieces of a text that cannot be read which are looked at by themselves.
const MAX_PIECES: usize = 32;

impl Survey<'_> {
    /// Parses and surveys shell text. Whether all that it prints are paths of a listing that was checked.
    pub(in crate::gate) fn text(&mut self, text: &str) -> bool {
        self.printed = None;
        self.texts += 1;
        self.note_artoo(text);
        if self.level >= MAX_LEVELS || self.texts > MAX_TEXTS {
            self.confirm("it is nested too deeply");
            return false;
        }
        // Text behind an encoding did not pass the entrance.
        if self.level > 0
            && let Err(why) = admit::admit(text)
        {
            self.confirm(&why);
            return false;
        }
        self.level += 1;
        let reader = std::io::Cursor::new(text.as_bytes());
        let mut is_listing = false;
        match Parser::new(reader, &word::options()).parse_program() {
            Ok(program) => {
                let mut printed = Some(String::new());
                let count = program.complete_commands.len();
                for (index, list) in program.complete_commands.iter().enumerate() {
                    self.is_last_list = self.level == 1 && index + 1 == count;
                    is_listing = self.list(list) && count == 1;
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
        is_listing
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
    pub(in crate::gate) fn substitution(&mut self, text: &str, quoted: bool) -> Part {
        let (variables, folder) = (self.variables.clone(), self.folder.clone());
        let (stdin, lists) = (self.stdin.take(), self.lists);
        if let Some(why) = doubt::of_substitution(text) {
            self.confirm(why);
        }
        let is_listing = self.text(text);
        let printed = self.printed.take();
        (self.variables, self.folder, self.stdin, self.lists) = (variables, folder, stdin, lists);
        match printed.map(|text| text.trim_end_matches('\n').to_owned()) {
            Some(text) if !is_listing && (quoted || !word::splits(&text)) => Part::Text(text),
            Some(text) if !is_listing => Part::Split(text),
            Some(_) | None => {
                Part::Hole { kind: if is_listing { Hole::Listing } else { Hole::Opaque }, loose: !quoted }
            }
        }
    }

    /// Surveys a list of and-or lists. Whether all that it prints are paths of a listing that was checked.
    pub(super) fn list(&mut self, list: &ast::CompoundList) -> bool {
        let mut is_listing = false;
        let mut printed = Some(String::new());
        let is_last_list = std::mem::take(&mut self.is_last_list);
        for (index, ast::CompoundListItem(and_or, separator)) in list.0.iter().enumerate() {
            if matches!(separator, ast::SeparatorOperator::Async) {
                self.act(EffectClass::Unknown, "it leaves something running in the background");
            }
            let before = self.folder.clone();
            is_listing = self.pipeline(&and_or.first) && list.0.len() == 1 && and_or.additional.is_empty();
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
        is_listing
    }

    pub(super) fn pipeline(&mut self, pipeline: &ast::Pipeline) -> bool {
        let outside = (self.variables.clone(), self.folder.clone(), self.stdin.clone());
        let is_many = pipeline.seq.len() > 1;
        let (mut fetches, mut yields_paths) = (false, false);
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
            self.lists = false;
            self.command(command, yields_paths);
            let own: Vec<String> = self.programs[first..].iter().map(|p| p.name.clone()).collect();
            if fetches && own.iter().any(|name| wrap::runs_text(name)) {
                self.forbid(wrap::UNSEEN);
            }
            fetches |= own.iter().any(|name| acts::fetches(name));
            let is_one = own.len() == 1 && matches!(command, ast::Command::Simple(_));
            yields_paths = match own.first().map(String::as_str) {
                Some("find") => is_one && index == 0 && self.lists,
                Some("sort" | "uniq" | "head" | "tail") => {
                    is_one && yields_paths && Self::has_no_operand(command)
                }
                Some(_) | None => false,
            };
        }
        if is_many {
            (self.variables, self.folder) = (outside.0, outside.1);
        }
        self.stdin = outside.2;
        yields_paths
    }

    /// Whether a filter reads its standard input alone.
    fn has_no_operand(command: &ast::Command) -> bool {
        let ast::Command::Simple(simple) = command else { return false };
        simple.suffix.as_ref().is_none_or(|suffix| {
            suffix.0.iter().all(|item| {
                matches!(item, Item::Word(word) if word.value.starts_with('-') && !word.value.contains('c')
                    || word.value.bytes().all(|b| b.is_ascii_digit()))
            })
        })
    }

    /// Surveys one command of a pipeline. `paths`: its standard input is a listing of paths that was checked.
    pub(super) fn command(&mut self, command: &ast::Command, paths: bool) {
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

    fn simple(&mut self, simple: &ast::SimpleCommand, paths: bool) {
        let has_command = simple.word_or_name.is_some();
        let prefix = simple.prefix.as_ref().map_or(&[][..], |p| &p.0);
        let suffix = simple.suffix.as_ref().map_or(&[][..], |s| &s.0);
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
        if !outputs.is_empty() && never_ends(&words) {
            self.confirm("it would write until the disk is full");
        }
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

    /// Whether one of the programs from this one on brings text in from the network.
    fn has_fetched(&self, from: usize) -> bool {
        self.programs[from..].iter().any(|p| acts::fetches(&p.name))
    }
}

/// Whether a program prints without an end.
fn never_ends(words: &[Arg]) -> bool {
    let texts: Vec<String> = words.iter().filter_map(Arg::fixed).collect();
    let is_endless = |text: &String| matches!(text.as_str(), "/dev/zero" | "/dev/urandom" | "/dev/random");
    match texts.first().map(String::as_str) {
        Some("yes") => true,
        Some("cat" | "base64" | "od" | "xxd" | "hexdump") => texts.iter().any(is_endless),
        Some(_) | None => false,
    }
}

/// Two outputs behind each other, when both are known.
fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    Some(first? + &second?)
}
