//! What holds where a command stands: passed on to what stands behind it, and cloned where a shell of its own begins.

use std::collections::HashMap;

use artoo_types::target::{Bases, normal_path};

use crate::arg::Hole;
use crate::paths::PathRules;

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VariableValue {
    Text(String),
    Hole(Hole),
}

/// What holds at one point of a command.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    /// The folders that the command is judged by.
    pub(crate) paths: &'a PathRules,
    /// The folder that it is in.
    pub(crate) folder: String,
    /// What its programs read from their standard input, where the text tells.
    pub(crate) stdin: Option<String>,
    /// Whether that has no end.
    pub(crate) pours: bool,
    /// What is known of the variables of its own.
    pub(crate) variables: HashMap<String, VariableValue>,
    /// Levels of substitutions and wrappers around it.
    pub(crate) level: usize,
    /// Nothing comes behind the list that is read next.
    pub(crate) is_last_list: bool,
    /// Words of the command hold what was fetched from the network.
    pub(crate) takes_fetched: bool,
    /// The words name keys that are used and not shown.
    pub(crate) uses_keys: bool,
    /// The command names another temporary folder than its own.
    pub(crate) is_redirected: bool,
}

impl<'a> Scope<'a> {
    /// Where a command begins.
    pub(crate) fn new(paths: &'a PathRules) -> Self {
        Self {
            paths,
            folder: paths.working_directory.clone(),
            stdin: None,
            pours: false,
            variables: HashMap::new(),
            level: 0,
            is_last_list: false,
            takes_fetched: false,
            uses_keys: false,
            is_redirected: false,
        }
    }

    /// The normalised form of a path that the command names at this point.
    pub(crate) fn resolve(&self, path: &str) -> String {
        normal_path(path, Bases { working_directory: &self.folder, ..self.paths.bases() })
    }

    /// Whether a variable of the command's own holds a number.
    pub(crate) fn is_number(&self, name: &str) -> bool {
        match self.variables.get(name) {
            Some(VariableValue::Text(text)) => {
                !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit())
            }
            Some(VariableValue::Hole(kind)) => *kind == Hole::Number,
            None => false,
        }
    }

    /// Arithmetic has given a variable another number.
    pub(crate) fn set_number(&mut self, name: &str) {
        self.variables.insert(name.to_owned(), VariableValue::Hole(Hole::Number));
    }

    /// Forgets what was listed: in another folder the same names are other files.
    pub(crate) fn forget_listings(&mut self) {
        for value in self.variables.values_mut() {
            if matches!(value, VariableValue::Hole(Hole::Listing | Hole::Names)) {
                *value = VariableValue::Hole(Hole::Opaque);
            }
        }
    }

    /// Forgets what is known of all variables: in a loop, a later turn may see other values. A job's number stays: whoever
    /// believes it runs in a box, where no other process is reached.
    pub(crate) fn forget(&mut self) {
        for value in self.variables.values_mut() {
            if *value != VariableValue::Hole(Hole::Child) {
                *value = VariableValue::Hole(Hole::Opaque);
            }
        }
    }
}
