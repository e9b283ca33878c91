//! Variables: what is known of their values, and which names a command may give.

use std::collections::HashMap;

use artoo_types::evidence::EffectClass;
use brush_parser::ast;

use super::{Survey, Value};
use crate::vital;
use crate::word::{self, Hole, Part};

impl Survey<'_> {
    pub(crate) fn assignment(&mut self, assignment: &ast::Assignment, before_command: bool) {
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
                self.act(
                    EffectClass::Unknown,
                    &format!("it changes {name}, which may change what a program does"),
                );
            }
        } else if is_own_name(name) {
            self.variables.insert(name.clone(), known);
        } else {
            self.act(
                EffectClass::Unknown,
                &format!("it changes {name}, which may change what a program does"),
            );
        }
    }

    /// Gives a loop variable its value.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        if is_own_name(name) {
            self.variables.insert(name.to_owned(), value);
        } else {
            self.act(
                EffectClass::Unknown,
                &format!("it changes {name}, which may change what a program does"),
            );
        }
    }

    /// What a variable expands to.
    pub(crate) fn value_of(&mut self, name: &str, quoted: bool) -> Vec<Part> {
        // A name such as API_KEY says that its value is a secret.
        let upper = name.to_uppercase();
        self.reveals |= ["TOKEN", "SECRET", "PASSW", "API_KEY", "APIKEY", "CREDENTIAL", "ACCESS_KEY"]
            .iter()
            .any(|part| upper.contains(part));
        let known = match (self.variables.get(name), name) {
            (Some(value), _) => value.clone(),
            (None, "HOME") => Value::Text(self.places.home.clone()),
            (None, "ARTOO_DATA_DIR") => Value::Text(self.places.data_dir.clone()),
            (None, "ARTOO_WORKSPACE") => Value::Text(self.places.workspace.clone()),
            (None, "PWD") => Value::Text(self.folder.clone()),
            (None, _) => Value::Hole(Hole::Opaque),
        };
        vec![match known {
            Value::Text(text) if quoted || !word::splits(&text) => Part::Text(text),
            Value::Text(text) => Part::Split(text),
            Value::Hole(kind) => Part::Hole { kind, loose: !quoted },
        }]
    }

    /// Remembers what a variable may stand for when nothing else is in it.
    pub(crate) fn note_default(&mut self, text: String) {
        self.defaults.insert(text);
    }

    /// Whether a variable may stand for a home or a system.
    pub(crate) fn has_vital_default(&self) -> bool {
        self.defaults.iter().any(|text| vital::is_vital(text, self))
    }

    /// Hides all variables from a shell of its own.
    pub(crate) fn take_variables(&mut self) -> HashMap<String, Value> {
        std::mem::take(&mut self.variables)
    }

    /// Gives them back.
    pub(crate) fn give_variables(&mut self, variables: HashMap<String, Value>) {
        self.variables = variables;
    }

    /// Whether a variable of the command's own holds a number.
    pub(crate) fn is_number(&self, name: &str) -> bool {
        match self.variables.get(name) {
            Some(Value::Text(text)) => {
                !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit())
            }
            Some(Value::Hole(kind)) => *kind == Hole::Number,
            None => false,
        }
    }

    /// Arithmetic has given a variable another number.
    pub(crate) fn set_number(&mut self, name: &str) {
        self.variables.insert(name.to_owned(), Value::Hole(Hole::Number));
    }

    /// Forgets what was listed: in another folder the same names are other files.
    pub(crate) fn forget_listings(&mut self) {
        for value in self.variables.values_mut() {
            if matches!(value, Value::Hole(Hole::Listing | Hole::Names)) {
                *value = Value::Hole(Hole::Opaque);
            }
        }
    }

    /// Forgets what is known of all variables: in a loop, a later turn may see other values.
    pub(crate) fn forget(&mut self) {
        for value in self.variables.values_mut() {
            *value = Value::Hole(Hole::Opaque);
        }
    }
}

/// Names of variables that no program and no part of bash gives a meaning: small letters.
fn is_own_name(name: &str) -> bool {
    !matches!(name, "auto_resume" | "histchars")
        && !name.ends_with("_proxy")
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
