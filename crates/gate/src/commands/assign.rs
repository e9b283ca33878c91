//! Variables: what is known of their values, and which names a command may give.

use artoo_types::evidence::EffectClass;
use brush_parser::ast;

use crate::arg::{Hole, Part};
use crate::scope::VariableValue;
use crate::walk::{TEMPORARY, Walk, is_own_name};
use crate::word;

pub(crate) fn read_assignment(walk: &mut Walk<'_>, assignment: &ast::Assignment, before_command: bool) {
    let (ast::AssignmentName::VariableName(name), ast::AssignmentValue::Scalar(value)) =
        (&assignment.name, &assignment.value)
    else {
        walk.found.act(EffectClass::Unknown, "array assignments are not followed");
        return;
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
        let is_locale = matches!(name.as_str(), "LANG" | "TZ") || name.starts_with("LC_");
        let is_plain = matches!(&known, VariableValue::Text(text) if !text.contains('/'));
        if !is_locale || !is_plain {
            walk.found.act(
                EffectClass::Unknown,
                &format!("it changes {name}, which may change what a program does"),
            );
        }
    } else if is_own_name(name) {
        walk.scope.variables.insert(name.clone(), known);
    } else {
        walk.found
            .act(EffectClass::Unknown, &format!("it changes {name}, which may change what a program does"));
    }
}

/// Whether it is the `IFS=` in front of `read`, which leaves the blanks of a line as they are.
pub(crate) fn sets_no_separator(assignment: &ast::Assignment) -> bool {
    let is_separator = matches!(&assignment.name, ast::AssignmentName::VariableName(name) if name == "IFS");
    let is_empty = matches!(&assignment.value, ast::AssignmentValue::Scalar(value) if value.value.is_empty());
    is_separator && is_empty && !assignment.append
}
