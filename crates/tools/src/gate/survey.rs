//! Walking through a parsed command and collecting what it would do.

use std::collections::{BTreeSet, HashMap};

use artoo_types::evidence::EffectClass;
use artoo_types::tag::fold;
use brush_parser::Parser;
use brush_parser::ast::{self, CommandPrefixOrSuffixItem as Item};

use super::word::{self, Arg, Hole, Part};
use super::{Decision, Explanation, UNREAD, acts, glob, wrap};
use crate::places::{Access, Places};

mod compound;
mod redirect;

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
        self.raise(Decision::Confirm, why);
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
        self.confirm(why);
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
                Some("find" | "ls") => is_one && index == 0 && self.lists,
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
                matches!(item, Item::Word(word) if word.value.starts_with('-')
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
                if fetched && (wrap::is_interpreter(&name) || matches!(name.as_str(), "eval" | "source" | ".")) {
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

    fn assignment(&mut self, assignment: &ast::Assignment, before_command: bool) {
        let (ast::AssignmentName::VariableName(name), ast::AssignmentValue::Scalar(value)) =
            (&assignment.name, &assignment.value)
        else {
            self.act(EffectClass::Unknown, "array assignments are not followed");
            return;
        };
        let value = word::read(&value.value, self);
        if value.fixed().is_some() {
            self.path(&value, true);
        }
        let known = match (&value.0[..], value.fixed()) {
            (_, Some(text)) if !assignment.append => Value::Text(text),
            ([Part::Hole { kind, .. }], None) if !assignment.append => Value::Hole(*kind),
            (_, _) => Value::Hole(Hole::Opaque),
        };
        if before_command {
            let is_locale = matches!(name.as_str(), "LANG" | "TZ") || name.starts_with("LC_");
            let is_plain = matches!(&known, Value::Text(text) if !text.contains('/'));
            if !is_locale || !is_plain {
                self.act(EffectClass::Unknown, &format!("it changes {name}, which may change what a program does"));
            }
        } else if is_own_name(name) {
            self.variables.insert(name.clone(), known);
        } else {
            self.act(EffectClass::Unknown, &format!("it changes {name}, which may change what a program does"));
        }
    }

    /// Gives a loop variable its value.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        if is_own_name(name) {
            self.variables.insert(name.to_owned(), value);
        } else {
            self.act(EffectClass::Unknown, &format!("it changes {name}, which may change what a program does"));
        }
    }

    /// What a variable expands to.
    pub(super) fn value_of(&self, name: &str, quoted: bool) -> Vec<Part> {
        let known = match (self.variables.get(name), name) {
            (Some(value), _) => value.clone(),
            (None, "HOME") => Value::Text(self.places.home.clone()),
            (None, "PWD") => Value::Text(self.places.working_directory.clone()),
            (None, _) => Value::Hole(Hole::Opaque),
        };
        let splits = |text: &str| text.is_empty() || text.contains([' ', '\t', '\n', '*', '?', '[']);
        vec![match known {
            Value::Text(text) if quoted || !splits(&text) => Part::Text(text),
            Value::Text(_) => Part::Hole { kind: Hole::Opaque, loose: true },
            Value::Hole(kind) => Part::Hole { kind, loose: !quoted },
        }]
    }

    /// Forgets what is known of all variables: in a loop, a later turn may see other values.
    pub(super) fn forget(&mut self) {
        for value in self.variables.values_mut() {
            *value = Value::Hole(Hole::Opaque);
        }
    }

    /// Looks at a word that is a path. `reads`: the content of what is there gets read.
    pub(super) fn path(&mut self, arg: &Arg, reads: bool) {
        if arg.is_numeric() && arg.fixed().is_none() {
            return;
        }
        let texts = match arg.fixed() {
            Some(text) => vec![text],
            None if arg.is_pattern() => match glob::expand(arg, self.places, reads) {
                Some(texts) => texts,
                None => {
                    self.doubt(reads, "a pattern matches too much to be looked through");
                    return;
                }
            },
            None if arg.is_only(Hole::Listing) => return,
            None => {
                self.doubt(reads, "which file it reads is known only when it runs");
                vec![arg.prefix()]
            }
        };
        for text in texts {
            self.known_path(&text, reads);
        }
    }

    fn doubt(&mut self, reads: bool, why: &str) {
        if reads {
            self.confirm(why);
        }
    }

    fn known_path(&mut self, text: &str, reads: bool) {
        if text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/") {
            self.sends = true;
            self.act(EffectClass::Send, "it talks to the network");
            return;
        }
        let is_harmless_device = ["/dev/null", "/dev/zero", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/urandom"]
            .contains(&text)
            || text.strip_prefix("/dev/fd/").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        if is_harmless_device {
            return;
        }
        if reads && text.starts_with("/dev/") {
            self.confirm(&format!("{text} is a device"));
        }
        let normal = self.places.path(text);
        // The shell does not trim or recompose names; the form as it is written counts too.
        let raw = if text.starts_with('/') {
            text.to_owned()
        } else {
            format!("{}/{text}", self.places.working_directory)
        };
        for form in [&normal, &raw] {
            match self.places.reading(form) {
                Access::Free => {}
                Access::Ask(why) => {
                    self.reveals = true;
                    self.confirm(&why);
                }
                Access::Never(why) => self.forbid(&why),
            }
        }
    }

    /// A folder that is read with everything in it.
    pub(super) fn whole_folder(&mut self, text: &str) {
        if self.places.holds_secrets_below(&self.places.path(text)) {
            self.confirm("it would read everything below a folder with secrets in it");
        }
    }

    /// Remembers a path operand for the normalised target.
    pub(super) fn operand(&mut self, arg: &Arg) {
        let text = arg.shown();
        if !text.is_empty() && text != "-" && !text.starts_with("/dev/fd/") && self.operands.len() < MAX_TARGETS {
            self.operands.insert(self.places.path(&text));
        }
    }

    fn told(mut self, command: &str) -> Explanation {
        if self.decision == Decision::Safe {
            self.effects = BTreeSet::from([EffectClass::Read]);
        } else if self.effects.iter().all(|e| *e == EffectClass::Read) && !self.reveals {
            self.effects.insert(EffectClass::Unknown);
        } else if self.effects.is_empty() {
            self.effects.insert(EffectClass::Read);
        }
        let mut classes: Vec<String> = Vec::new();
        for seen in &self.programs {
            let class = format!("shell:{}", seen.name);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        if classes.is_empty() {
            classes.push(if self.decision == Decision::Safe { "shell:bash".to_owned() } else { UNREAD.to_owned() });
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
            why: self.why,
            classes,
            blame,
            target,
        }
    }
}

/// Names of variables that no program and no part of bash gives a meaning: small letters.
fn is_own_name(name: &str) -> bool {
    !matches!(name, "auto_resume" | "histchars")
        && !name.ends_with("_proxy")
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
