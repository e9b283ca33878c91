//! Loops, branches, groups, tests and functions.

use artoo_types::evidence::EffectClass;
use brush_parser::ast::{self, BinaryPredicate, CompoundCommand, ExtendedTestExpr, UnaryPredicate};

use crate::arg::{Arg, Hole, Part};
use crate::glob;
use crate::scope::VariableValue;
use crate::walk::Walk;
use crate::word;

pub(crate) fn read_compound(walk: &mut Walk<'_>, compound: &CompoundCommand) {
    let folder = walk.scope.folder.clone();
    parts(walk, compound);
    if !matches!(compound, CompoundCommand::BraceGroup(_)) {
        walk.back_from_uncertain(folder);
    }
}

fn parts(walk: &mut Walk<'_>, compound: &CompoundCommand) {
    match compound {
        CompoundCommand::Arithmetic(command) => word::arithmetic(&command.expr.value, walk),
        CompoundCommand::ArithmeticForClause(clause) => {
            for part in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                word::arithmetic(&part.value, walk);
            }
            read_body(walk, &clause.body.list);
        }
        CompoundCommand::BraceGroup(group) => {
            super::read_list(walk, &group.list);
        }
        CompoundCommand::Subshell(subshell) => {
            walk.apart(|walk| super::read_list(walk, &subshell.list));
            walk.scope.forget();
        }
        CompoundCommand::ForClause(clause) => read_for(walk, clause),
        CompoundCommand::CaseClause(clause) => read_case(walk, clause),
        CompoundCommand::IfClause(clause) => read_branches(walk, clause),
        CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
            walk.scope.forget();
            super::read_list(walk, &clause.0);
            read_body(walk, &clause.1.list);
        }
        CompoundCommand::Coprocess(clause) => {
            walk.found.act(EffectClass::Unknown, "it leaves something running in the background");
            super::read_command(walk, &clause.body, None);
        }
    }
}

fn read_for(walk: &mut Walk<'_>, clause: &ast::ForClauseCommand) {
    let mut kinds = Vec::new();
    for value in clause.values.iter().flatten() {
        let value = word::read(&value.value, walk);
        if value.fixed().is_some() || value.is_pattern() || value.is_listed() {
            walk.path(&value, true);
        }
        kinds.push(kind_of_value(walk, &value));
    }
    let kind = kinds.into_iter().reduce(weaker).unwrap_or(Hole::Opaque);
    walk.scope.forget();
    walk.set(&clause.variable_name, VariableValue::Hole(kind));
    super::read_list(walk, &clause.body.list);
    walk.scope.forget();
}

/// What is known of the variable of a loop over this word.
fn kind_of_value(walk: &Walk<'_>, value: &Arg) -> Hole {
    if let [Part::Hole { kind, .. }] = value.0.as_slice()
        && value.is_listed()
    {
        return *kind;
    }
    if let [Part::Hole { kind: Hole::Number, .. }] = value.0.as_slice() {
        return Hole::Number;
    }
    if value.is_numeric() && value.fixed().is_none() {
        return Hole::Names;
    }
    let names = if value.is_pattern() { glob::named(value, &walk.scope.folder) } else { None };
    match names {
        Some(_) if walk.hides_option(value) => Hole::Opaque,
        Some(names) if names.iter().any(|name| name.contains([' ', '\t', '\n', '*', '?', '[', '\\'])) => {
            Hole::Listing
        }
        Some(_) => Hole::Names,
        None => Hole::Opaque,
    }
}

fn read_case(walk: &mut Walk<'_>, clause: &ast::CaseClauseCommand) {
    word::read(&clause.value.value, walk);
    for case in &clause.cases {
        for pattern in &case.patterns {
            word::read(&pattern.value, walk);
        }
        if let Some(list) = &case.cmd {
            super::read_list(walk, list);
        }
    }
    walk.scope.forget();
}

fn read_branches(walk: &mut Walk<'_>, clause: &ast::IfClauseCommand) {
    super::read_list(walk, &clause.condition);
    super::read_list(walk, &clause.then);
    walk.scope.forget();
    for branch in clause.elses.iter().flatten() {
        if let Some(condition) = &branch.condition {
            super::read_list(walk, condition);
        }
        super::read_list(walk, &branch.body);
        walk.scope.forget();
    }
}

fn read_body(walk: &mut Walk<'_>, list: &ast::CompoundList) {
    walk.scope.forget();
    super::read_list(walk, list);
    walk.scope.forget();
}

/// `[[ ... ]]`. Numeric comparison and variable tests evaluate their operands, which may run commands.
pub(crate) fn read_test(walk: &mut Walk<'_>, test: &ExtendedTestExpr) {
    match test {
        ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => {
            read_test(walk, a);
            read_test(walk, b);
        }
        ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => read_test(walk, inner),
        ExtendedTestExpr::UnaryTest(predicate, operand) => {
            let operand = word::read_operand(&operand.value, walk);
            walk.look_at(&operand);
            if matches!(
                predicate,
                UnaryPredicate::ShellVariableIsSetAndAssigned | UnaryPredicate::ShellVariableIsSetAndNameRef
            ) {
                walk.found.confirm("a test of a variable may run commands in its subscript");
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
                let operand = word::read_operand(&operand.value, walk);
                let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                let is_number = operand.fixed().map_or_else(|| operand.is_numeric(), |t| digits(&t));
                if numeric && !is_number {
                    walk.found.confirm("arithmetic with names or expansions is not followed");
                }
            }
        }
    }
}

/// A function: what its body does counts, and one that runs itself twice in the background never ends.
pub(crate) fn read_function(walk: &mut Walk<'_>, function: &ast::FunctionDefinition) {
    let name = function.fname.value.clone();
    let body = function.body.0.to_string();
    let calls = body
        .split(|c: char| c.is_whitespace() || matches!(c, '|' | '&' | ';' | '{' | '}' | '(' | ')'))
        .filter(|word| **word == *name)
        .count();
    if calls >= 2 && body.contains('&') {
        walk.found.forbid("it would start itself again and again until the machine stops");
    }
    super::redirect::read_redirects(walk, function.body.1.as_ref());
    read_compound(walk, &function.body.0);
}

/// What is known of a value that is one or the other.
fn weaker(one: Hole, other: Hole) -> Hole {
    match (one, other) {
        (Hole::Opaque | Hole::Scratch | Hole::Child, _) | (_, Hole::Opaque | Hole::Scratch | Hole::Child) => {
            Hole::Opaque
        }
        (Hole::Listing, _) | (_, Hole::Listing) => Hole::Listing,
        (Hole::Number, Hole::Number) => Hole::Number,
        (Hole::Number | Hole::Names, Hole::Number | Hole::Names) => Hole::Names,
    }
}
