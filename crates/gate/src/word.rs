//! Shell words: what is known of an argument before it is expanded.

use std::fs::File;
use std::io::Read;

use brush_parser::word::{
    Parameter, ParameterExpr, SpecialParameter, TildeExpr, WordPiece, WordPieceWithSource,
};
use brush_parser::{ParserOptions, word};

mod shape;

pub(crate) use shape::arithmetic;

use self::shape::{is_number_range, is_wild, stands_for_itself};
use super::doubt;
use crate::arg::{Arg, Hole, Part};
use crate::printed::{Escapes, unescaped};
use crate::walk::Walk;

/// How words are read: as bash does without its optional patterns.
pub(crate) fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

/// Reads a word; substitutions in it are walked on the way.
pub(crate) fn read(text: &str, walk: &mut Walk<'_>) -> Arg {
    parsed(text, true, walk)
}

/// Reads an operand of `[[ ]]`, where brackets and bars belong to an expression.
pub(crate) fn read_operand(text: &str, walk: &mut Walk<'_>) -> Arg {
    parsed(text, false, walk)
}

/// Reads the word within an expansion; `quoted` as the expansion itself.
fn read_inner(text: &str, quoted: bool, walk: &mut Walk<'_>) -> Arg {
    if let Some(why) = doubt::of_inner_word(text, quoted) {
        walk.found.confirm(why);
    }
    parsed(text, false, walk)
}

/// `is_word`: it ends at the first blank or operator, as words of a command do.
fn parsed(text: &str, is_word: bool, walk: &mut Walk<'_>) -> Arg {
    if text.contains('`') && (text.contains('\\') || text.matches('`').count() > 2) {
        walk.found.confirm("nested or escaped backquotes are not followed");
    }
    let Ok(pieces) = word::parse(text, &options()) else {
        walk.found.confirm("a word could not be read");
        return Arg::hole(Hole::Opaque);
    };
    for piece in pieces.iter().filter(|_| is_word) {
        if let WordPiece::Text(text) = &piece.piece
            && let Some(why) = doubt::of_unquoted(text)
        {
            walk.found.confirm(why);
        }
    }
    let arg = arg(&pieces, walk);
    walk.note_pattern(&arg);
    arg
}

/// Reads the body of a here-document that is expanded; returns it when all of it is known.
pub(crate) fn read_document(text: &str, walk: &mut Walk<'_>) -> Option<String> {
    if text.contains('`') && text.contains('\\') {
        walk.found.confirm("nested or escaped backquotes are not followed");
    }
    if let Some(why) = doubt::of_document(text) {
        walk.found.confirm(why);
    }
    match word::parse_heredoc(text, &options()) {
        Ok(pieces) => {
            let mut arg = Arg::default();
            add(&pieces, true, &mut arg, walk);
            arg.fixed()
        }
        Err(_) => {
            walk.found.confirm("a here-document could not be read");
            None
        }
    }
}

fn arg(pieces: &[WordPieceWithSource], walk: &mut Walk<'_>) -> Arg {
    if let [WordPieceWithSource { piece: WordPiece::Text(text), .. }] = pieces
        && (text == "[" || stands_for_itself(text))
    {
        // Alone it is the name of a program and no pattern.
        return Arg::plain(text);
    }
    let mut arg = Arg::default();
    add(pieces, false, &mut arg, walk);
    if arg.0.len() > 1 {
        arg.0.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    }
    arg
}

fn add(pieces: &[WordPieceWithSource], quoted: bool, arg: &mut Arg, walk: &mut Walk<'_>) {
    for piece in pieces {
        match &piece.piece {
            WordPiece::Text(text) if !quoted && is_number_range(text) => {
                arg.0.push(Part::Hole { kind: Hole::Number, loose: true });
            }
            WordPiece::Text(text) if !quoted && is_wild(text) => {
                arg.0.push(Part::Wild(text.clone()));
            }
            WordPiece::Text(text) | WordPiece::SingleQuotedText(text) => arg.push_text(text),
            WordPiece::AnsiCQuotedText(text) => match unescaped(text, Escapes::Quoted) {
                Some(text) => arg.push_text(&text),
                None => arg.0.push(Part::Hole { kind: Hole::Opaque, loose: false }),
            },
            WordPiece::DoubleQuotedSequence(inner) => {
                arg.push_text("");
                add(inner, true, arg, walk);
            }
            WordPiece::GettextDoubleQuotedSequence(inner) => {
                walk.found.confirm("translated text is not followed");
                add(inner, true, arg, walk);
            }
            WordPiece::TildeExpansion(tilde) => add_tilde(tilde, arg, walk),
            WordPiece::ParameterExpansion(parameter) => add_parameter(parameter, quoted, arg, walk),
            WordPiece::CommandSubstitution(text) | WordPiece::BackquotedCommandSubstitution(text) => {
                match walk.substitution(text, quoted) {
                    Part::Text(text) => arg.push_text(&text),
                    part @ (Part::Wild(_) | Part::Split(_) | Part::Hole { .. }) => arg.0.push(part),
                }
            }
            WordPiece::EscapeSequence(text) => {
                let text = text.strip_prefix('\\').unwrap_or(text);
                arg.push_text(text.strip_prefix('\n').unwrap_or(text));
            }
            WordPiece::ArithmeticExpression(expression) => {
                arithmetic(&expression.value, walk);
                arg.0.push(Part::Hole { kind: Hole::Number, loose: !quoted });
            }
        }
    }
}

/// Bytes of the list of people that are read.
const MAX_PASSWD_BYTES: u64 = 256 << 10;

fn add_tilde(tilde: &TildeExpr, arg: &mut Arg, walk: &Walk<'_>) {
    match tilde {
        TildeExpr::Home => arg.push_text(&walk.scope.paths.home),
        TildeExpr::WorkingDir => arg.push_text(&walk.scope.folder),
        TildeExpr::UserHome(name) => match home_of(name) {
            Some(home) => arg.push_text(&home),
            None => arg.0.push(Part::Hole { kind: Hole::Opaque, loose: false }),
        },
        TildeExpr::OldWorkingDir
        | TildeExpr::NthDirFromTopOfDirStack { .. }
        | TildeExpr::NthDirFromBottomOfDirStack { .. } => {
            arg.0.push(Part::Hole { kind: Hole::Opaque, loose: false });
        }
    }
}

/// The home of this person, where the system's list of people says it (passwd(5)). Where it does not, the shell may know it from
/// elsewhere.
fn home_of(name: &str) -> Option<String> {
    let mut list = String::new();
    File::open("/etc/passwd").ok()?.take(MAX_PASSWD_BYTES).read_to_string(&mut list).ok()?;
    let mut fields = list.lines().map(|line| line.split(':'));
    let home = fields.find_map(|mut fields| (fields.next() == Some(name)).then(|| fields.nth(4)))??;
    home.starts_with('/').then(|| home.to_owned())
}

#[allow(clippy::wildcard_enum_match_arm)] // a foreign enum: every other form is asked about
fn add_parameter(expression: &ParameterExpr, quoted: bool, arg: &mut Arg, walk: &mut Walk<'_>) {
    let mut hole = |kind| arg.0.push(Part::Hole { kind, loose: !quoted });
    match expression {
        ParameterExpr::Parameter { parameter, indirect: false } => add_value(parameter, quoted, arg, walk),
        ParameterExpr::ParameterLength {
            parameter: Parameter::Named(_) | Parameter::NamedWithAllIndices { .. },
            indirect: false,
        } => {
            hole(Hole::Number);
        }
        ParameterExpr::Substring { parameter: Parameter::Named(name), indirect: false, offset, length }
            if is_count(&offset.value) && length.as_ref().is_none_or(|length| is_count(&length.value)) =>
        {
            walk.note_variable(name);
            hole(Hole::Opaque);
        }
        ParameterExpr::ReplaceSubstring {
            parameter: Parameter::Named(name),
            indirect: false,
            pattern,
            replacement,
            ..
        } => {
            walk.note_variable(name);
            hole(Hole::Opaque);
            for text in [Some(pattern), replacement.as_ref()].into_iter().flatten() {
                read_inner(text, quoted, walk);
            }
        }
        ParameterExpr::IndicateErrorIfNullOrUnset {
            parameter: Parameter::Named(name),
            indirect: false,
            error_message,
            ..
        } => {
            if let Some(message) = error_message {
                read_inner(message, quoted, walk);
            }
            arg.0.extend(walk.value_of(name, quoted));
        }
        ParameterExpr::UseDefaultValues {
            parameter: Parameter::Named(_),
            indirect: false,
            default_value,
            ..
        } => {
            hole(Hole::Opaque);
            if let Some(text) =
                default_value.as_ref().and_then(|inner| read_inner(inner, quoted, walk).fixed())
            {
                walk.found.history.defaults.insert(text);
            }
        }
        _ if let Some(inner) = inner_text(expression) => {
            hole(Hole::Opaque);
            if let Some(inner) = inner {
                read_inner(inner, quoted, walk);
            }
        }
        // Indirection, assignment, transformation, arrays and substrings can evaluate text as commands.
        _ => {
            walk.found.confirm("this kind of variable expansion is not followed");
            hole(Hole::Opaque);
        }
    }
}

/// Adds the value of a parameter.
fn add_value(parameter: &Parameter, quoted: bool, arg: &mut Arg, walk: &mut Walk<'_>) {
    let mut hole = |kind| arg.0.push(Part::Hole { kind, loose: !quoted });
    match parameter {
        Parameter::Named(name) => arg.0.extend(walk.value_of(name, quoted)),
        Parameter::Special(
            SpecialParameter::PositionalParameterCount
            | SpecialParameter::LastExitStatus
            | SpecialParameter::ProcessId,
        ) => hole(Hole::Number),
        Parameter::Special(SpecialParameter::LastBackgroundProcessId) => hole(Hole::Child),
        Parameter::Special(_) | Parameter::Positional(_) => hole(Hole::Opaque),
        Parameter::NamedWithIndex { name, index } => {
            walk.note_variable(name);
            // Any other subscript is computed, which may run commands.
            if !is_count(index) {
                walk.found.confirm("array elements are followed only by their numbers");
            }
            hole(Hole::Opaque);
        }
        Parameter::NamedWithAllIndices { name, .. } => {
            walk.note_variable(name);
            arg.0.push(Part::Hole { kind: Hole::Opaque, loose: true });
        }
    }
}

/// Whether a place in a value is a number and nothing that is computed.
fn is_count(text: &str) -> bool {
    let digits = text.trim().trim_start_matches('-');
    !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The text within an expansion that only cuts or replaces a value; none for any other expansion.
#[allow(clippy::wildcard_enum_match_arm)] // a foreign enum: every other form is asked about
fn inner_text(expression: &ParameterExpr) -> Option<Option<&String>> {
    match expression {
        ParameterExpr::UseAlternativeValue {
            parameter: Parameter::Named(_),
            indirect: false,
            alternative_value: inner,
            ..
        }
        | ParameterExpr::RemoveSmallestSuffixPattern {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::RemoveLargestSuffixPattern {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::RemoveSmallestPrefixPattern {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::RemoveLargestPrefixPattern {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::UppercaseFirstChar {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::UppercasePattern {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::LowercaseFirstChar {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        }
        | ParameterExpr::LowercasePattern {
            parameter: Parameter::Named(_),
            indirect: false,
            pattern: inner,
        } => Some(inner.as_ref()),
        _ => None,
    }
}
