//! Loops, branches, groups, tests and functions.

use artoo_types::evidence::EffectClass;
use brush_parser::ast::{self, BinaryPredicate, CompoundCommand, ExtendedTestExpr, UnaryPredicate};

use crate::glob;
use crate::survey::{Survey, Value};
use crate::word::{self, Arg, Hole, Part};

impl Survey<'_> {
    pub(super) fn compound(&mut self, compound: &CompoundCommand) {
        let folder = self.folder.clone();
        self.parts(compound);
        if !matches!(compound, CompoundCommand::BraceGroup(_)) {
            self.back_from_uncertain(folder);
        }
    }

    fn parts(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(command) => word::arithmetic(&command.expr.value, self),
            CompoundCommand::ArithmeticForClause(clause) => {
                for part in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                    word::arithmetic(&part.value, self);
                }
                self.body(&clause.body.list);
            }
            CompoundCommand::BraceGroup(group) => {
                self.list(&group.list);
            }
            CompoundCommand::Subshell(subshell) => {
                let folder = self.folder.clone();
                self.list(&subshell.list);
                self.folder = folder;
                self.forget();
            }
            CompoundCommand::ForClause(clause) => self.for_loop(clause),
            CompoundCommand::CaseClause(clause) => self.case(clause),
            CompoundCommand::IfClause(clause) => self.branches(clause),
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.forget();
                self.list(&clause.0);
                self.body(&clause.1.list);
            }
            CompoundCommand::Coprocess(clause) => {
                self.act(EffectClass::Unknown, "it leaves something running in the background");
                self.command(&clause.body, None);
            }
        }
    }

    fn for_loop(&mut self, clause: &ast::ForClauseCommand) {
        let mut kind = if clause.values.is_none() { Hole::Opaque } else { Hole::Names };
        for value in clause.values.iter().flatten() {
            let value = word::read(&value.value, self);
            if value.fixed().is_some() || value.is_pattern() || value.is_listed() {
                self.path(&value, true);
            }
            kind = weaker(kind, self.kind_of_value(&value));
        }
        self.forget();
        self.set(&clause.variable_name, Value::Hole(kind));
        self.list(&clause.body.list);
        self.forget();
    }

    /// What is known of the variable of a loop over this word.
    fn kind_of_value(&self, value: &Arg) -> Hole {
        if let [Part::Hole { kind, .. }] = value.0.as_slice()
            && value.is_listed()
        {
            return *kind;
        }
        if value.is_numeric() && value.fixed().is_none() {
            return Hole::Names;
        }
        let names = if value.is_pattern() { glob::named(value, &self.folder) } else { None };
        match names {
            Some(_) if self.hides_option(value) => Hole::Opaque,
            Some(names) if names.iter().any(|name| name.contains([' ', '\t', '\n', '*', '?', '[', '\\'])) => {
                Hole::Listing
            }
            Some(_) => Hole::Names,
            None => Hole::Opaque,
        }
    }

    fn case(&mut self, clause: &ast::CaseClauseCommand) {
        word::read(&clause.value.value, self);
        for case in &clause.cases {
            for pattern in &case.patterns {
                word::read(&pattern.value, self);
            }
            if let Some(list) = &case.cmd {
                self.list(list);
            }
        }
        self.forget();
    }

    fn branches(&mut self, clause: &ast::IfClauseCommand) {
        self.list(&clause.condition);
        self.list(&clause.then);
        self.forget();
        for branch in clause.elses.iter().flatten() {
            if let Some(condition) = &branch.condition {
                self.list(condition);
            }
            self.list(&branch.body);
            self.forget();
        }
    }

    fn body(&mut self, list: &ast::CompoundList) {
        self.forget();
        self.list(list);
        self.forget();
    }

    /// `[[ ... ]]`. Numeric comparison and variable tests evaluate their operands, which may run commands.
    pub(super) fn test(&mut self, test: &ExtendedTestExpr) {
        match test {
            ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => {
                self.test(a);
                self.test(b);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => self.test(inner),
            ExtendedTestExpr::UnaryTest(predicate, operand) => {
                let operand = word::read_operand(&operand.value, self);
                self.look_at(&operand);
                if matches!(
                    predicate,
                    UnaryPredicate::ShellVariableIsSetAndAssigned
                        | UnaryPredicate::ShellVariableIsSetAndNameRef
                ) {
                    self.confirm("a test of a variable may run commands in its subscript");
                }
            }
            ExtendedTestExpr::BinaryTest(predicate, left, right) => {
                let numeric = matches!(
                    predicate,
                    BinaryPredicate::ArithmeticEqualTo
                        | BinaryPredicate::ArithmeticNotEqualTo
                        | BinaryPredicate::ArithmeticLessThan
                        | BinaryPredicate::ArithmeticLessThanOrEqualTo
                        | BinaryPredicate::ArithmeticGreaterThan
                        | BinaryPredicate::ArithmeticGreaterThanOrEqualTo
                );
                for operand in [left, right] {
                    let operand = word::read_operand(&operand.value, self);
                    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                    let is_number = operand.fixed().map_or_else(|| operand.is_numeric(), |t| digits(&t));
                    if numeric && !is_number {
                        self.confirm("arithmetic with names or expansions is not followed");
                    }
                }
            }
        }
    }

    /// A function: what its body does counts, and one that runs itself twice in the background never ends.
    pub(super) fn function(&mut self, function: &ast::FunctionDefinition) {
        let name = function.fname.value.clone();
        let body = function.body.0.to_string();
        let calls = body
            .split(|c: char| c.is_whitespace() || matches!(c, '|' | '&' | ';' | '{' | '}' | '(' | ')'))
            .filter(|word| **word == *name)
            .count();
        if calls >= 2 && body.contains('&') {
            self.forbid("it would start itself again and again until the machine stops");
        }
        self.redirects(function.body.1.as_ref());
        self.compound(&function.body.0);
    }
}

/// What is known of a value that is one or the other.
fn weaker(one: Hole, other: Hole) -> Hole {
    match (one, other) {
        (Hole::Opaque, _) | (_, Hole::Opaque) => Hole::Opaque,
        (Hole::Listing, _) | (_, Hole::Listing) => Hole::Listing,
        (Hole::Number | Hole::Names, Hole::Number | Hole::Names) => Hole::Names,
    }
}
