//! Shell words: what is known of an argument before it is expanded.

use brush_parser::word::{
    Parameter, ParameterExpr, SpecialParameter, TildeExpr, WordPiece, WordPieceWithSource,
};
use brush_parser::{ParserOptions, word};

mod shape;

pub(super) use shape::{arithmetic, splits};

use self::shape::{is_number_range, is_wild, stands_for_itself};
use super::doubt;
use super::survey::{Escapes, Survey, unescaped};

/// One piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Text that stays as it is.
    Text(String),
    /// Unquoted text with characters that expand to file names or alternatives.
    Wild(String),
    /// Unquoted text that is known and that the shell splits into words, or expands, again.
    Split(String),
    /// Something that is known only when the command runs. `loose`: unquoted, so that it may become several words.
    Hole { kind: Hole, loose: bool },
}

/// What is known of a piece that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hole {
    /// A number.
    Number,
    /// A path out of a listing that was checked; a path only when it is the whole word. It begins with no dash.
    Listing,
    /// The same, and none of the paths is split or changed when the word is not quoted.
    Names,
    /// Anything.
    Opaque,
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Arg(pub(super) Vec<Part>);

impl Arg {
    /// A word of plain text.
    pub(super) fn plain(text: &str) -> Self {
        Self(vec![Part::Text(text.to_owned())])
    }

    /// A word that is one hole.
    pub(super) fn hole(kind: Hole) -> Self {
        Self(vec![Part::Hole { kind, loose: false }])
    }

    /// The text, when all of it is known.
    pub(super) fn fixed(&self) -> Option<String> {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Wild(_) | Part::Split(_) | Part::Hole { .. } => return None,
            }
        }
        Some(text)
    }

    /// The known text at its start.
    pub(super) fn prefix(&self) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Wild(_) | Part::Split(_) | Part::Hole { .. } => break,
            }
        }
        text
    }

    /// Whether it is text and wildcards only.
    pub(super) fn is_pattern(&self) -> bool {
        self.0.iter().all(|part| !matches!(part, Part::Hole { .. } | Part::Split(_)))
    }

    /// Whether the whole word is a path, or several, out of a listing that was checked.
    pub(super) fn is_listed(&self) -> bool {
        matches!(
            self.0.as_slice(),
            [Part::Hole { kind: Hole::Names, .. } | Part::Hole { kind: Hole::Listing, loose: false }]
        )
    }

    /// Whether every unknown piece is a number.
    pub(super) fn is_numeric(&self) -> bool {
        self.0.iter().all(|part| match part {
            Part::Text(_) => true,
            Part::Wild(_) | Part::Split(_) => false,
            Part::Hole { kind, .. } => *kind == Hole::Number,
        })
    }

    /// Whether it may turn into several words.
    pub(super) fn is_loose(&self) -> bool {
        self.0.iter().any(|part| match part {
            Part::Split(_) => true,
            Part::Hole { kind, loose } => *loose && !matches!(kind, Hole::Number | Hole::Names),
            Part::Text(_) | Part::Wild(_) => false,
        })
    }

    /// Whether it may turn into an option, or into several words, that the text does not show.
    pub(super) fn may_hide_option(&self) -> bool {
        let first = self.0.iter().find(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        let open = match first {
            Some(Part::Wild(text)) => text.starts_with(['*', '?', '[', '{']),
            Some(Part::Hole { kind, .. }) => *kind == Hole::Opaque,
            Some(Part::Split(_)) => true,
            Some(Part::Text(_)) | None => false,
        };
        self.is_loose() || open
    }

    /// Whether it is an option by its text.
    pub(super) fn is_option(&self) -> bool {
        let start = match self.0.iter().find(|part| !matches!(part, Part::Text(text) if text.is_empty())) {
            Some(Part::Text(text) | Part::Wild(text)) => text.clone(),
            Some(Part::Split(_) | Part::Hole { .. }) | None => String::new(),
        };
        start.starts_with('-') && self.fixed().is_none_or(|text| text.len() > 1)
    }

    /// The word as text, unknown pieces left out: for targets and messages.
    pub(super) fn shown(&self) -> String {
        self.0
            .iter()
            .map(|part| match part {
                Part::Text(text) | Part::Wild(text) | Part::Split(text) => text.as_str(),
                Part::Hole { .. } => "…",
            })
            .collect()
    }

    /// The words that the shell makes of a word that is known text to be split; any other word stays one.
    pub(super) fn split(self) -> Vec<Self> {
        match self.0.as_slice() {
            [Part::Split(text)] if !text.contains(['*', '?', '[', '\\']) => {
                text.split_whitespace().map(Self::plain).collect()
            }
            _ => vec![self],
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(Part::Text(last)) = self.0.last_mut() {
            last.push_str(text);
        } else {
            self.0.push(Part::Text(text.to_owned()));
        }
    }
}

/// How words are read: as bash does without its optional patterns.
pub(super) fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

/// Reads a word; substitutions in it are surveyed on the way.
pub(super) fn read(text: &str, survey: &mut Survey<'_>) -> Arg {
    parsed(text, true, survey)
}

/// Reads an operand of `[[ ]]`, where brackets and bars belong to an expression.
pub(super) fn read_operand(text: &str, survey: &mut Survey<'_>) -> Arg {
    parsed(text, false, survey)
}

/// Reads the word within an expansion; `quoted` as the expansion itself.
fn read_inner(text: &str, quoted: bool, survey: &mut Survey<'_>) -> Arg {
    if let Some(why) = doubt::of_inner_word(text, quoted) {
        survey.confirm(why);
    }
    parsed(text, false, survey)
}

/// `is_word`: it ends at the first blank or operator, as words of a command do.
fn parsed(text: &str, is_word: bool, survey: &mut Survey<'_>) -> Arg {
    if text.contains('`') && (text.contains('\\') || text.matches('`').count() > 2) {
        survey.confirm("nested or escaped backquotes are not followed");
    }
    let Ok(pieces) = word::parse(text, &options()) else {
        survey.confirm("a word could not be read");
        return Arg::hole(Hole::Opaque);
    };
    for piece in pieces.iter().filter(|_| is_word) {
        if let WordPiece::Text(text) = &piece.piece
            && let Some(why) = doubt::of_unquoted(text)
        {
            survey.confirm(why);
        }
    }
    let arg = arg(&pieces, survey);
    survey.note_pattern(&arg);
    arg
}

/// Reads the body of a here-document that is expanded; returns it when all of it is known.
pub(super) fn read_document(text: &str, survey: &mut Survey<'_>) -> Option<String> {
    if text.contains('`') && text.contains('\\') {
        survey.confirm("nested or escaped backquotes are not followed");
    }
    if let Some(why) = doubt::of_document(text) {
        survey.confirm(why);
    }
    match word::parse_heredoc(text, &options()) {
        Ok(pieces) => {
            let mut arg = Arg::default();
            add(&pieces, true, &mut arg, survey);
            arg.fixed()
        }
        Err(_) => {
            survey.confirm("a here-document could not be read");
            None
        }
    }
}

fn arg(pieces: &[WordPieceWithSource], survey: &mut Survey<'_>) -> Arg {
    if let [WordPieceWithSource { piece: WordPiece::Text(text), .. }] = pieces
        && (text == "[" || stands_for_itself(text))
    {
        // Alone it is the name of a program and no pattern.
        return Arg::plain(text);
    }
    let mut arg = Arg::default();
    add(pieces, false, &mut arg, survey);
    if arg.0.len() > 1 {
        arg.0.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    }
    arg
}

fn add(pieces: &[WordPieceWithSource], quoted: bool, arg: &mut Arg, survey: &mut Survey<'_>) {
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
                add(inner, true, arg, survey);
            }
            WordPiece::GettextDoubleQuotedSequence(inner) => {
                survey.confirm("translated text is not followed");
                add(inner, true, arg, survey);
            }
            WordPiece::TildeExpansion(tilde) => add_tilde(tilde, arg, survey),
            WordPiece::ParameterExpansion(parameter) => add_parameter(parameter, quoted, arg, survey),
            WordPiece::CommandSubstitution(text) | WordPiece::BackquotedCommandSubstitution(text) => {
                match survey.substitution(text, quoted) {
                    Part::Text(text) => arg.push_text(&text),
                    part @ (Part::Wild(_) | Part::Split(_) | Part::Hole { .. }) => arg.0.push(part),
                }
            }
            WordPiece::EscapeSequence(text) => {
                let text = text.strip_prefix('\\').unwrap_or(text);
                arg.push_text(text.strip_prefix('\n').unwrap_or(text));
            }
            WordPiece::ArithmeticExpression(expression) => {
                arithmetic(&expression.value, survey);
                arg.0.push(Part::Hole { kind: Hole::Number, loose: !quoted });
            }
        }
    }
}

fn add_tilde(tilde: &TildeExpr, arg: &mut Arg, survey: &Survey<'_>) {
    match tilde {
        TildeExpr::Home => arg.push_text(&survey.places.home),
        TildeExpr::WorkingDir => arg.push_text(&survey.folder),
        TildeExpr::UserHome(_)
        | TildeExpr::OldWorkingDir
        | TildeExpr::NthDirFromTopOfDirStack { .. }
        | TildeExpr::NthDirFromBottomOfDirStack { .. } => {
            arg.0.push(Part::Hole { kind: Hole::Opaque, loose: false });
        }
    }
}

#[allow(clippy::wildcard_enum_match_arm)] // a foreign enum: every other form is asked about
fn add_parameter(expression: &ParameterExpr, quoted: bool, arg: &mut Arg, survey: &mut Survey<'_>) {
    let mut hole = |kind| arg.0.push(Part::Hole { kind, loose: !quoted });
    match expression {
        ParameterExpr::Parameter { parameter, indirect: false } => match parameter {
            Parameter::Named(name) => arg.0.extend(survey.value_of(name, quoted)),
            Parameter::Special(
                SpecialParameter::PositionalParameterCount
                | SpecialParameter::LastExitStatus
                | SpecialParameter::ProcessId,
            ) => hole(Hole::Number),
            Parameter::Special(_) | Parameter::Positional(_) => hole(Hole::Opaque),
            Parameter::NamedWithIndex { .. } | Parameter::NamedWithAllIndices { .. } => {
                survey.confirm("array elements are not followed");
                hole(Hole::Opaque);
            }
        },
        ParameterExpr::ParameterLength { parameter: Parameter::Named(_), indirect: false } => {
            hole(Hole::Number);
        }
        ParameterExpr::IndicateErrorIfNullOrUnset {
            parameter: Parameter::Named(name),
            indirect: false,
            error_message,
            ..
        } => {
            if let Some(message) = error_message {
                read_inner(message, quoted, survey);
            }
            arg.0.extend(survey.value_of(name, quoted));
        }
        ParameterExpr::UseDefaultValues {
            parameter: Parameter::Named(_),
            indirect: false,
            default_value,
            ..
        } => {
            hole(Hole::Opaque);
            if let Some(text) =
                default_value.as_ref().and_then(|inner| read_inner(inner, quoted, survey).fixed())
            {
                survey.note_default(text);
            }
        }
        _ if let Some(inner) = inner_text(expression) => {
            hole(Hole::Opaque);
            if let Some(inner) = inner {
                read_inner(inner, quoted, survey);
            }
        }
        // Indirection, assignment, transformation, arrays and substrings can evaluate text as commands.
        _ => {
            survey.confirm("this kind of variable expansion is not followed");
            hole(Hole::Opaque);
        }
    }
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
        } => Some(inner.as_ref()),
        _ => None,
    }
}
