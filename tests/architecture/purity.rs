//! The pure crates have no clock, no randomness, no files, no network, no processes, no threads and no async: all of
//! that is input. This is what makes every decision replayable.

use crate::source::{Source, closing, words};

/// Crates that may not touch the world, by their folder in `crates/`.
pub(crate) const PURE: [&str; 13] = [
    "schedule",
    "redact",
    "types",
    "request",
    "relevance",
    "bus",
    "task",
    "control",
    "roles",
    "memory",
    "audit",
    "offline",
    "report",
];

/// What a pure crate may not name, and what to do instead.
const FORBIDDEN: [(&str, &str); 16] = [
    ("std::fs", "Take the content as input; files are for the shells."),
    ("std::net", "The network is for the shells."),
    ("std::process", "Processes are for the tools shell."),
    ("std::thread", "Parallelism lives only in the daemon's effects."),
    ("std::env", "Take the value as input; the daemon reads the environment."),
    ("std::io", "Input and output are for the shells."),
    ("SystemTime", "Take `now` as input."),
    ("Instant::now", "Take `now` as input."),
    ("std::time::Instant", "Take `now` as input."),
    ("Uuid::now_v7", "Take the id as input."),
    ("Uuid::new_v4", "Take the id as input."),
    ("HashMap", "Its order differs from run to run; use a BTreeMap."),
    ("HashSet", "Its order differs from run to run; use a BTreeSet."),
    ("rand", "Take the seed or the value as input."),
    ("getrandom", "Take the value as input."),
    ("async", "Return an effect; the daemon awaits it."),
];

/// Names from outside that the product code of a pure crate holds.
pub(crate) fn impurities(source: &Source) -> Vec<String> {
    let pure = PURE.iter().find(|folder| source.path.starts_with(&format!("crates/{folder}/src/")));
    let Some(folder) = pure.filter(|_| !source.is_test()) else {
        return Vec::new();
    };
    let code = flatten_std(&source.product_code());
    FORBIDDEN
        .iter()
        .flat_map(|(name, remedy)| words(&code, name).map(move |at| (at, name, remedy)))
        .map(|(at, name, remedy)| {
            let line = code[..at].matches('\n').count() + 1;
            format!("{}:{line}: `{name}` in the pure crate `{folder}`. {remedy}", source.path)
        })
        .collect()
}

/// Writes `std::{fs, io::Read}` as `std::fs std::io::Read`, so that a group hides nothing. Lines keep their numbers.
fn flatten_std(code: &str) -> String {
    let mut flat = code.to_owned();
    let mut from = 0;
    while let Some(found) = flat[from..].find("std::{") {
        let start = from + found;
        let open = start + "std::".len();
        let end = closing(&flat, open);
        let inner = flat[open + 1..end].trim_end_matches('}');
        let mut depth = 0_usize;
        let mut replaced = String::from("std::");
        for c in inner.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            match c {
                ',' if depth == 0 => replaced.push_str(" std::"),
                ' ' => {}
                _ => replaced.push(c),
            }
        }
        // A line break between `std::` and the name would separate them for the search.
        let replaced = move_breaks(&replaced);
        flat.replace_range(start..end, &replaced);
        from = start + replaced.len();
    }
    flat
}

fn move_breaks(text: &str) -> String {
    let mut moved = text.to_owned();
    while moved.contains("std::\n") {
        moved = moved.replace("std::\n", "\nstd::");
    }
    moved
}
