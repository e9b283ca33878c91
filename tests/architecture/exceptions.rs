//! What the tree breaks today. The list only shrinks: what grows fails, and so does what is listed and no longer needed.

use std::collections::BTreeMap;

/// A rule that counts something, with the most that it allows.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Files of a crate that need each other.
    FilesInCircles,
    /// Files with an `impl` of one type.
    ImplFiles,
    /// Fields of a struct.
    Fields,
    /// Types of one name.
    Meanings,
    /// Types called by a bare participle.
    Participles,
    /// Public functions of a crate whose failure is a text.
    TextFailures,
    /// Share of a crate in all product code.
    Percent,
    /// `#[path]` in a package.
    PathAttributes,
    /// Files called `mod.rs` in a package.
    ModFiles,
    /// Lines of a document beyond what somebody reads.
    Documents,
}

impl Rule {
    /// Its table in the list, the most that it allows, and what to do.
    fn row(self) -> (&'static str, usize, &'static str) {
        match self {
            Self::FilesInCircles => {
                ("files_in_circles", 0, "Move what both need into a file below them, or pass it as a value.")
            }
            Self::ImplFiles => ("impl_files", 3, "More than three files with its `impl` are several types."),
            Self::Fields => ("fields", 15, "More than fifteen fields are several types."),
            Self::Meanings => ("meanings", 2, "Name each type so that a stranger tells them apart."),
            Self::Participles => ("participles", 0, "Name the type by a noun: what was told, kept or found?"),
            Self::TextFailures => ("text_failures", 0, "Make the error a type (thiserror)."),
            Self::Percent => ("percent", 10, "Cut the crate where its parts need different things."),
            Self::PathAttributes => {
                ("path_attributes", 0, "Put the file where its module is, or into artoo-testing.")
            }
            Self::ModFiles => ("mod_files", 0, "Call it `foo.rs`, beside the folder `foo`."),
            Self::Documents => {
                ("documents", 0, "Move what only some readers need into docs/ or into a module.")
            }
        }
    }

    /// By how much a listed figure may fall before the list must follow. Shares also change when other crates do.
    fn slack(self) -> usize {
        usize::from(matches!(self, Self::Percent))
    }
}

/// The list, by rule and by what breaks it.
pub(crate) struct Exceptions(BTreeMap<String, BTreeMap<String, usize>>);

impl Exceptions {
    /// The list from its text.
    pub(crate) fn parse(text: &str) -> Self {
        Self(toml::from_str(text).unwrap_or_else(|error| panic!("exceptions.toml: {error}")))
    }

    /// What breaks the rule beyond the list, and what is listed in vain.
    pub(crate) fn errors(&self, rule: Rule, measured: &BTreeMap<String, usize>) -> Vec<String> {
        let (table, limit, remedy) = rule.row();
        let listed = |key: &str| self.0.get(table).and_then(|table| table.get(key)).copied();
        let mut errors = Vec::new();
        for (key, count) in measured.iter().filter(|(_, count)| **count > limit) {
            let allowed = listed(key).unwrap_or(limit).max(limit);
            if *count > allowed {
                errors.push(format!("{table}: {key}: {count}, {allowed} allowed. {remedy}"));
            }
        }
        for (key, allowed) in self.0.get(table).into_iter().flatten() {
            let count = measured.get(key).copied().unwrap_or(0);
            if count <= limit {
                errors.push(format!("{table}: {key} keeps the rule now. Remove it from exceptions.toml."));
            } else if count + rule.slack() < *allowed {
                errors.push(format!(
                    "{table}: {key}: {count} now. Write that in place of {allowed} in exceptions.toml."
                ));
            }
        }
        errors
    }
}
