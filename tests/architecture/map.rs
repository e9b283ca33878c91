//! ARCHITECTURE.md is a map on two pages: whatever it names is where it says, and every crate is on it.

use std::collections::{BTreeMap, BTreeSet};

use crate::dependencies::Package;
use crate::source::words;

/// Lines of an item of a list in the map. Its reasons belong into the module that it names.
const ITEM_LINES: usize = 3;

/// How many lines each document has beyond what somebody reads from the top to the bottom.
pub(crate) fn lines_beyond(read: &dyn Fn(&str) -> String) -> BTreeMap<String, usize> {
    let beyond = |name: &str, limit| (name.to_owned(), read(name).lines().count().saturating_sub(limit));
    BTreeMap::from([beyond("ARCHITECTURE.md", 120), beyond("README.md", 150)])
}

/// Items of lists that say more than a map should.
pub(crate) fn long_items(map: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let mut length = 0;
    for (number, line) in map.lines().enumerate() {
        length = if line.starts_with("- ") {
            1
        } else if line.starts_with("  ") && length > 0 {
            length + 1
        } else {
            0
        };
        if length == ITEM_LINES + 1 {
            errors.push(format!(
                "ARCHITECTURE.md:{}: an item of more than {ITEM_LINES} lines. Move the reasons into the module.",
                number + 1
            ));
        }
    }
    errors
}

/// What the map gets wrong. `files` are the repository's paths, `texts` what stands in those that can be searched.
pub(crate) fn map_errors(
    map: &str,
    packages: &[Package],
    files: &[String],
    texts: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut errors = Vec::new();
    let named: BTreeSet<&str> = map.lines().flat_map(spans).collect();
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
    for (number, line) in map.lines().enumerate() {
        // A symbol lies in the path that stands before it on its line; a bare file name lies beside that path, or in the
        // `src` of its crate.
        let (mut package, mut place) = ("", String::new());
        for name in spans(line).map(|name| name.trim_end_matches('/')) {
            let at = format!("ARCHITECTURE.md:{}", number + 1);
            let path = if is_ours(name, files) {
                let folders = packages.iter().map(Package::folder);
                let around = folders.filter(|folder| format!("{name}/").starts_with(&format!("{folder}/")));
                package = around.max_by_key(|folder| folder.len()).unwrap_or(package);
                Some(name.to_owned())
            } else if name.ends_with(".rs") && !package.is_empty() {
                let beside = format!("{}/{name}", place.rsplit_once('/').map_or("", |(folder, _)| folder));
                Some(if files.contains(&beside) { beside } else { format!("{package}/src/{name}") })
            } else {
                None
            };
            if let Some(path) = path {
                if !lies_in(&path, files.iter()) {
                    errors.push(format!("{at}: `{path}` does not exist. Correct the path, or remove it."));
                }
                place = path;
            }
            let is_crate =
                name.starts_with("artoo-") && name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            if is_crate && !packages.iter().any(|package| package.name == name) {
                errors.push(format!("{at}: no crate is called `{name}`. Correct the name, or remove it."));
            }
            let Some(symbol) = symbol(name) else { continue };
            let mut searched =
                texts.iter().filter(|(path, _)| place.is_empty() || lies_in(&place, [*path].into_iter()));
            if !searched.any(|(_, text)| words(text, symbol).next().is_some()) {
                let place = if place.is_empty() { "source" } else { &place };
                errors.push(format!(
                    "{at}: `{name}` does not occur in {place}. Name symbol and file as the code does."
                ));
            }
        }
    }
    errors
}

/// What stands between backticks on a line.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    let line = if line.starts_with("```") { "" } else { line };
    line.split('`').skip(1).step_by(2)
}

fn names(spans: &BTreeSet<&str>, name: &str) -> bool {
    spans.iter().any(|span| {
        *span == name || span.trim_end_matches('/') == name || span.starts_with(&format!("{name}/"))
    })
}

/// True for what looks like a path of this repository: it begins like one of them and holds no placeholder.
fn is_ours(name: &str, files: &[String]) -> bool {
    let start = name.split('/').next().unwrap_or_default();
    let begins = files.iter().any(|file| file.split('/').next() == Some(start));
    (name.contains('/') || name.ends_with(".md") || name.starts_with("artoo-"))
        && begins
        && !name.contains(['*', '<', ' '])
}

fn lies_in<'a>(place: &str, mut files: impl Iterator<Item = &'a String>) -> bool {
    files.any(|file| file == place || file.starts_with(&format!("{place}/")))
}

/// The name that must occur in the code: of a type (`TaskMachine`, `Home`), a constant (`MATRIX`), a function (`step()`) or
/// what belongs to one (`Outcome::Pass`). None for all other words.
fn symbol(name: &str) -> Option<&str> {
    let called = name.strip_suffix("()");
    let path = called.unwrap_or(name);
    let last = path.rsplit("::").next()?;
    let is_word = !last.is_empty() && path.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
    let small = path.chars().filter(char::is_ascii_lowercase).count();
    let is_type = path.starts_with(|c: char| c.is_ascii_uppercase()) && small > 1;
    let is_constant = small == 0 && path.len() > 3 && path.starts_with(|c: char| c.is_ascii_uppercase());
    (is_word && (called.is_some() || path.contains("::") || is_type || is_constant)).then_some(last)
}
