//! Rules about the size of files and functions, and about tests that do not run.

use std::collections::BTreeMap;

use crate::source::{Source, closing, words};

/// A file longer than this has more than one subject. (400 is the length to aim at.)
pub(crate) const FILE_LINES: usize = 600;
/// Lines of a function's body that hold code: the number and the counting of clippy's `too_many_lines`.
pub(crate) const FUNCTION_LINES: usize = 70;

/// Product files that are too long.
pub(crate) fn long_files(source: &Source) -> Vec<String> {
    let lines = source.code.lines().count();
    if source.is_test() || lines <= FILE_LINES {
        return Vec::new();
    }
    vec![format!(
        "{}: {lines} lines, {FILE_LINES} allowed. Give each subject a file of its own.",
        source.path
    )]
}

/// Product functions that are too long.
pub(crate) fn long_functions(source: &Source) -> Vec<String> {
    if source.is_test() {
        return Vec::new();
    }
    words(&source.code, "fn")
        .filter_map(|at| function(source, at))
        .filter(|(_, _, lines)| *lines > FUNCTION_LINES)
        .map(|(line, name, lines)| {
            format!(
                "{}:{line}: `{name}` has {lines} lines of code, {FUNCTION_LINES} allowed. Name its steps and make them \
                 functions.",
                source.path
            )
        })
        .collect()
}

/// Tests that are switched off without saying why.
pub(crate) fn silent_ignores(source: &Source) -> Vec<String> {
    source
        .code
        .match_indices("#[ignore")
        .filter(|(at, _)| !source.code[at + "#[ignore".len()..].trim_start().starts_with("= \""))
        .map(|(at, _)| {
            format!(
                "{}:{}: an ignored test without a reason. Make it run, or write `#[ignore = \"why\"]`.",
                source.path,
                source.line(at)
            )
        })
        .collect()
}

/// `#[path]` by package.
pub(crate) fn path_attributes(sources: &[Source]) -> BTreeMap<String, usize> {
    by_package(sources, |source| source.code.matches("#[path").count())
}

/// Files called `mod.rs` by package.
pub(crate) fn mod_files(sources: &[Source]) -> BTreeMap<String, usize> {
    by_package(sources, |source| usize::from(source.path.ends_with("/mod.rs")))
}

fn by_package(sources: &[Source], count: fn(&Source) -> usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for source in sources {
        let names = if source.path.starts_with("crates/") { 2 } else { 1 };
        let package: Vec<&str> = source.path.split('/').take(names).collect();
        *counts.entry(package.join("/")).or_default() += count(source);
    }
    counts
}

/// Line, name and length of the function whose `fn` stands at `at`; none for a type or a declaration without a body.
fn function(source: &Source, at: usize) -> Option<(usize, &str, usize)> {
    let code = &source.code;
    let after = code[at + 2..].trim_start();
    let name_length = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let name = &after[..name_length];
    if name.is_empty() {
        return None;
    }
    let mut open = code.len() - after.len() + name_length;
    loop {
        match code.as_bytes().get(open)? {
            b'{' => break,
            b';' => return None,
            b'(' | b'[' => open = closing(code, open),
            _ => open += 1,
        }
    }
    let end = closing(code, open);
    let body = code[open + 1..end].trim_end_matches('}');
    let lines = body.lines().filter(|line| !line.trim().is_empty()).count();
    Some((source.line(at), name, lines))
}
