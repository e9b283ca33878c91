//! Variables: what is known of their values, and which names a command may give.

use artoo_types::evidence::EffectClass;
use brush_parser::ast;

use crate::arg::{Hole, Part};
use crate::scope::VariableValue;
use crate::walk::{TEMPORARY, Walk, is_own_name};
use crate::word;

pub(crate) fn read_assignment(walk: &mut Walk<'_>, assignment: &ast::Assignment, before_command: bool) {
    let (name, value) = match (&assignment.name, &assignment.value) {
        (ast::AssignmentName::VariableName(name), ast::AssignmentValue::Scalar(value)) => (name, value),
        (ast::AssignmentName::VariableName(name), ast::AssignmentValue::Array(values))
            if !before_command && values.iter().all(|(index, _)| index.is_none()) =>
        {
            read_list_of_words(walk, name, values.iter().map(|(_, value)| value));
            return;
        }
        (ast::AssignmentName::VariableName(_) | ast::AssignmentName::ArrayElementName(..), _) => {
            walk.found.act(EffectClass::Unknown, "assignments to elements of arrays are not followed");
            return;
        }
    };
    walk.scope.is_redirected |= name == TEMPORARY;
    let value = word::read(&value.value, walk);
    if value.fixed().is_some() {
        walk.path(&value, true);
    }
    let known = match (&value.0[..], value.fixed()) {
        (_, Some(text)) if !assignment.append => VariableValue::Text(text),
        ([Part::Hole { kind, .. }], None) if !assignment.append => VariableValue::Hole(*kind),
        (_, _) => VariableValue::Hole(Hole::Opaque),
    };
    if before_command {
        let is_harmless = match &known {
            VariableValue::Text(text) if name == "TZ" => is_time_zone(text),
            VariableValue::Text(text) => (name == "LANG" || name.starts_with("LC_")) && !text.contains('/'),
            VariableValue::Hole(_) => false,
        };
        if !is_harmless {
            walk.found.act(
                EffectClass::Unknown,
                &format!("it changes {name}, which may change what a program does"),
            );
        }
    } else if is_own_name(name) {
        walk.scope.variables.insert(name.clone(), known);
    } else {
        // What is boxed or asked about for its name may as well be known by it, until it is another.
        walk.scope.variables.remove(name);
        if known == VariableValue::Hole(Hole::Scratch) {
            walk.scope.variables.insert(name.clone(), known);
        }
        walk.found
            .act(EffectClass::Unknown, &format!("it changes {name}, which may change what a program does"));
    }
}

/// Reads the words of an array. What becomes of each is not followed.
fn read_list_of_words<'a>(walk: &mut Walk<'_>, name: &str, words: impl Iterator<Item = &'a ast::Word>) {
    for value in words {
        let value = word::read(&value.value, walk);
        if value.fixed().is_some() {
            walk.path(&value, true);
        }
    }
    walk.set(name, VariableValue::Hole(Hole::Opaque));
}

/// Whether it is the name of a time zone, such as `UTC` or `Asia/Tokyo`, and no path of a file.
fn is_time_zone(text: &str) -> bool {
    let is_name = |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase());
    text.split('/').all(is_name) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/_+-".contains(&b))
}

/// Whether it is the `IFS=` or `IFS=,` in front of `read`, which says for this line alone where its words end.
pub(crate) fn sets_separator(assignment: &ast::Assignment) -> bool {
    let is_separator = matches!(&assignment.name, ast::AssignmentName::VariableName(name) if name == "IFS");
    let is_plain = |text: &str| text == "$'\\t'" || !text.contains(['$', '`', '<', '>', '(']);
    let is_known = matches!(&assignment.value, ast::AssignmentValue::Scalar(value) if is_plain(&value.value));
    is_separator && is_known && !assignment.append
}
