//! ARCHITECTURE.md is a map: whatever it names exists, and every crate is on it.

use std::collections::BTreeSet;

use crate::dependencies::Package;

/// What the map gets wrong. `files` are the repository's paths; `words` tells whether a name occurs in its text files.
pub(crate) fn map_errors(
    map: &str,
    packages: &[Package],
    files: &[String],
    occurs: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let named: BTreeSet<&str> = spans(map);
    let mut errors = Vec::new();
    for package in packages {
        let folder = package.folder();
        let short = folder.rsplit('/').next().unwrap_or(folder);
        if ![folder, short, package.name.as_str()].iter().any(|name| names(&named, name)) {
            errors.push(format!(
                "ARCHITECTURE.md: the crate `{}` is not on the map. Say in a line of `{folder}` what it is for.",
                package.name
            ));
        }
    }
    for name in named {
        let name = name.trim_end_matches('/');
        let start = name.split('/').next().unwrap_or_default();
        let is_ours = name.contains('/') && files.iter().any(|file| file.split('/').next() == Some(start));
        let exists = files.iter().any(|file| file == name || file.starts_with(&format!("{name}/")));
        if is_ours && !exists && !name.contains(['*', '<', ' ']) {
            errors.push(format!("ARCHITECTURE.md: `{name}` does not exist. Correct the path, or remove it."));
        }
        let is_crate = name.starts_with("artoo-") && name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if is_crate && !packages.iter().any(|package| package.name == name) {
            errors.push(format!(
                "ARCHITECTURE.md: no crate is called `{name}`. Correct the name, or remove it."
            ));
        }
        if is_type_name(name) && !occurs(name) {
            errors.push(format!(
                "ARCHITECTURE.md: `{name}` occurs in no source. Name the symbol as the code does."
            ));
        }
    }
    errors
}

/// What stands between backticks on one line.
fn spans(map: &str) -> BTreeSet<&str> {
    map.lines()
        .filter(|line| !line.starts_with("```"))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

fn names(spans: &BTreeSet<&str>, name: &str) -> bool {
    spans.iter().any(|span| {
        *span == name || span.trim_end_matches('/') == name || span.starts_with(&format!("{name}/"))
    })
}

/// True for `TaskMachine`: one word, capitals inside, none of them all capitals.
fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && name.chars().filter(char::is_ascii_uppercase).count() >= 2
        && name.chars().any(|c| c.is_ascii_lowercase())
}
