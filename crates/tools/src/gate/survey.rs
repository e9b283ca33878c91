//! Walking through a parsed command and collecting what it would do.

use std::collections::{BTreeSet, HashMap};

use artoo_types::evidence::EffectClass;
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use brush_parser::Parser;
use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item};

use super::word::{self, Arg, Hole};
use super::{Decision, Explanation, UNREAD, acts, wrap};
use crate::places::Places;

mod compound;
mod paths;
mod redirect;
mod variables;

/// Reasons that are told.
const MAX_REASONS: usize = 8;
/// Targets that are told.
const MAX_TARGETS: usize = 256;
/// Levels of substitutions and wrappers within each other.
const MAX_LEVELS: usize = 16;

/// A program of the command, wrappers left out.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) is_filter: bool,
}

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Hole(Hole),
}

/// What has been collected so far.
pub(super) struct Survey<'a> {
    pub(super) places: &'a Places,
    pub(super) decision: Decision,
    pub(super) why: Vec<String>,
    pub(super) effects: BTreeSet<EffectClass>,
    pub(super) targets: Vec<String>,
    pub(super) programs: Vec<Seen>,
    pub(super) operands: BTreeSet<String>,
    /// A secret place, or the whole environment, is named.
    pub(super) reveals: bool,
    /// A program that talks to the network is named.
    pub(super) sends: bool,
    /// What the paths that it reads bring into a task.
    pub(super) brings: Taint,
    /// The program that was surveyed last prints paths of a listing that was checked.
    pub(super) lists: bool,
    variables: HashMap<String, Value>,
    level: usize,
}

/// Surveys a command that was admitted.
pub(super) fn survey(command: &str, places: &Places) -> Explanation {
    let mut survey = Survey {
        places,
        decision: Decision::Safe,
        why: Vec::new(),
        effects: BTreeSet::new(),
        targets: Vec::new(),
        programs: Vec::new(),
        operands: BTreeSet::new(),
        reveals: false,
        sends: false,
        brings: Taint::NONE,
        lists: false,
        variables: HashMap::new(),
        level: 0,
    };
    survey.text(command);
    if survey.reveals && survey.sends {
        survey.forbid("it would send secrets away");
    }
    survey.told(command)
}

impl Survey<'_> {
    /// A person has to be asked, for this reason.
    pub(super) fn confirm(&mut self, why: &str) {
        self.act(EffectClass::Unknown, why);
    }

    /// It must never run, for this reason.
    pub(super) fn forbid(&mut self, why: &str) {
        self.raise(Decision::Forbidden, why);
    }

    fn raise(&mut self, decision: Decision, why: &str) {
        if decision > self.decision {
            self.decision = decision;
            if decision == Decision::Forbidden {
                self.why.clear();
            }
        }
        if decision == self.decision && self.why.len() < MAX_REASONS && !self.why.iter().any(|w| w == why) {
            self.why.push(why.to_owned());
        }
    }

    /// An effect, for this reason.
    pub(super) fn act(&mut self, effect: EffectClass, why: &str) {
        self.effects.insert(effect);
        self.raise(Decision::Confirm, why);
    }

    /// Something that it touches.
    pub(super) fn touch(&mut self, target: String) {
        if self.targets.len() < MAX_TARGETS && !self.targets.contains(&target) {
            self.targets.push(target);
        }
    }

    /// A program of the command.
    pub(super) fn program(&mut self, name: &str, is_filter: bool) {
        self.programs.push(Seen { name: name.to_owned(), is_filter });
    }

    /// Parses and surveys shell text. Whether all that it prints are paths of a listing that was checked.
    pub(super) fn text(&mut self, text: &str) -> bool {
        if self.level >= MAX_LEVELS {
            self.confirm("it is nested too deeply");
            return false;
        }
        self.level += 1;
        let reader = std::io::Cursor::new(text.as_bytes());
        let mut is_listing = false;
        match Parser::new(reader, &word::options()).parse_program() {
            Ok(program) => {
                for list in &program.complete_commands {
                    is_listing = self.list(list) && program.complete_commands.len() == 1;
                }
            }
            Err(_) => self.act(EffectClass::Unknown, "the command could not be read as shell text"),
        }
        self.level -= 1;
        is_listing
    }

    /// Surveys a command substitution; tells what kind of text it yields.
    pub(super) fn substitution(&mut self, text: &str) -> Hole {
        let outside = self.variables.clone();
        let is_listing = self.text(text);
        self.variables = outside;
        if is_listing { Hole::Listing } else { Hole::Opaque }
    }

    /// Surveys a list of and-or lists. Whether all that it prints are paths of a listing that was checked.
    pub(super) fn list(&mut self, list: &ast::CompoundList) -> bool {
        let mut is_listing = false;
        for ast::CompoundListItem(and_or, separator) in &list.0 {
            if matches!(separator, ast::SeparatorOperator::Async) {
                self.act(EffectClass::Unknown, "it leaves something running in the background");
            }
            is_listing = self.pipeline(&and_or.first) && list.0.len() == 1 && and_or.additional.is_empty();
            for ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline) in &and_or.additional {
                self.pipeline(pipeline);
            }
            if !and_or.additional.is_empty() {
                // What was assigned on the way may not have been.
                self.forget();
            }
        }
        is_listing
    }

    fn pipeline(&mut self, pipeline: &ast::Pipeline) -> bool {
        let outside = self.variables.clone();
        let is_many = pipeline.seq.len() > 1;
        let mut fetches = false;
        let mut yields_paths = false;
        for (index, command) in pipeline.seq.iter().enumerate() {
            if is_many {
                // Each stage is a process of its own.
                self.variables.clone_from(&outside);
            }
            let first = self.programs.len();
            self.lists = false;
            self.command(command, yields_paths);
            let own: Vec<String> = self.programs[first..].iter().map(|p| p.name.clone()).collect();
            if fetches && own.iter().any(|name| wrap::is_interpreter(name)) {
                self.forbid("it would run what it fetches from the network, unseen");
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
            self.variables = outside;
        }
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
    fn command(&mut self, command: &ast::Command, paths: bool) {
        match command {
            ast::Command::Simple(simple) => self.simple(simple, paths),
            ast::Command::Compound(compound, redirects) => {
                self.redirects(redirects.as_ref());
                self.compound(compound);
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
        let items = |part: Option<&Vec<Item>>| part.cloned().unwrap_or_default();
        let has_command = simple.word_or_name.is_some();
        for item in &items(simple.prefix.as_ref().map(|p| &p.0)) {
            match item {
                Item::AssignmentWord(assignment, _) => self.assignment(assignment, has_command),
                Item::IoRedirect(redirect) => self.redirect(redirect),
                Item::Word(_) | Item::ProcessSubstitution(..) => self.confirm("its form is not understood"),
            }
        }
        let Some(name) = &simple.word_or_name else { return };
        let before = self.programs.len();
        let name = word::read(&name.value, self);
        let mut args = Vec::new();
        for item in &items(simple.suffix.as_ref().map(|s| &s.0)) {
            match item {
                Item::Word(word) | Item::AssignmentWord(_, word) => args.push(word::read(&word.value, self)),
                Item::IoRedirect(redirect) => self.redirect(redirect),
                Item::ProcessSubstitution(kind, inner) => {
                    self.process_substitution(kind, inner);
                    args.push(Arg::plain("/dev/fd/63"));
                }
            }
        }
        let fetched = self.programs[before..].iter().any(|p| acts::fetches(&p.name));
        match name.fixed() {
            Some(name) => {
                if fetched
                    && (wrap::is_interpreter(&name) || matches!(name.as_str(), "eval" | "source" | "."))
                {
                    self.forbid("it would run what it fetches from the network, unseen");
                }
                self.run(&name, &args, paths);
            }
            None => {
                self.program("unknown", false);
                self.act(EffectClass::Unknown, "which program it runs is known only when it runs");
            }
        }
    }

    fn told(mut self, command: &str) -> Explanation {
        if self.decision == Decision::Safe {
            self.effects = BTreeSet::from([EffectClass::Read]);
        } else if self.effects.is_empty() {
            self.effects.insert(EffectClass::Unknown);
        }
        let mut classes: Vec<String> = Vec::new();
        for seen in &self.programs {
            let class = format!("shell:{}", seen.name);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        if classes.is_empty() {
            classes.push(if self.decision == Decision::Safe {
                "shell:bash".to_owned()
            } else {
                UNREAD.to_owned()
            });
        }
        let blamed = self.programs.iter().find(|p| !p.is_filter).or(self.programs.first());
        let blame = blamed.map_or_else(|| classes[0].clone(), |p| format!("shell:{}", p.name));
        let target = if self.operands.is_empty() {
            fold(command)
        } else {
            self.operands.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        Explanation {
            decision: self.decision,
            effects: self.effects.into_iter().collect(),
            targets: self.targets,
            creates: Vec::new(),
            why: self.why,
            classes,
            blame,
            target,
            brings: self.brings,
        }
    }
}
