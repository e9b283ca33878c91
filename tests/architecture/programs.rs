//! What is known of a program of the shell stands in its row, in `crates/gate/src/programs`, and in no list elsewhere.

use std::collections::BTreeSet;

use crate::source::{Source, closing};

const GATE: &str = "crates/gate/src/";
/// The rows, and the rules of single programs, whose subcommands may be called like other programs.
const ROWS: [&str; 2] = ["crates/gate/src/programs", "crates/gate/src/rules"];
/// So many names of programs are no chance.
const NAMES: usize = 3;

/// Lists of programs in the gate, outside of the rows.
pub(crate) fn lists_of_programs(sources: &[Source]) -> Vec<String> {
    let rows = sources.iter().filter(|source| source.path.starts_with(ROWS[0]));
    let programs: BTreeSet<&str> = rows.flat_map(named_in_rows).collect();
    let others = sources.iter().filter(|source| {
        source.path.starts_with(GATE)
            && !source.is_test()
            && !ROWS.iter().any(|rows| source.path.starts_with(rows))
    });
    others.flat_map(|source| lists(source, &programs)).collect()
}

/// The first literals of calls: `acts("rm unlink", ...)`.
fn named_in_rows(source: &Source) -> Vec<&str> {
    let is_first = |(at, _): &(usize, &str)| {
        let before = source.code[..*at].trim_end();
        before.strip_suffix('(').is_some_and(|call| call.ends_with(|c: char| c.is_alphanumeric()))
    };
    literals(source).into_iter().filter(is_first).flat_map(|(_, names)| names.split_whitespace()).collect()
}

fn lists(source: &Source, programs: &BTreeSet<&str>) -> Vec<String> {
    let literals = literals(source);
    let code = source.product_code();
    let mut errors = Vec::new();
    for (open, _) in code.match_indices('[') {
        let end = closing(&code, open);
        let inside = literals.iter().filter(|(at, name)| (open..end).contains(at) && programs.contains(name));
        let names: Vec<&str> = inside.map(|(_, name)| *name).collect();
        if names.len() >= NAMES {
            errors.push(format!(
                "{}:{}: a list of programs ({}). Give the rows of crates/gate/src/programs a column.",
                source.path,
                source.line(open),
                names.join(", ")
            ));
        }
    }
    errors
}

/// Offsets and contents of the plain strings of a file.
fn literals(source: &Source) -> Vec<(usize, &str)> {
    let quotes: Vec<usize> = source.code.match_indices('"').map(|(at, _)| at).collect();
    quotes
        .chunks_exact(2)
        .filter_map(|pair| Some((pair[0], source.text.get(pair[0] + 1..pair[1])?)))
        .collect()
}
