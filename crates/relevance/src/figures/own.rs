//! What of an output is the model's own: what it said by its arguments, and what it wrote before into the file that is read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use artoo_types::EvidenceId;
use artoo_types::evidence::Receipt;
use artoo_types::target::is_below;
use artoo_types::tool::names::GREP;
use regex::Regex;

use super::read::every_number;
use super::{dictates, written_text};
use crate::names::mentions;

/// Bytes of arguments beyond which they are a program with a grammar of its own, rather than a text that is repeated.
const GRAMMAR_BYTES: usize = 200;
/// Programs that print what their arguments say: a number that stands in the arguments is the model's, not the world's.
const SPEAKERS: [&str; 21] = [
    "echo", "printf", "python", "python3", "perl", "ruby", "node", "php", "lua", "awk", "gawk", "mawk",
    "nawk", "bc", "dc", "expr", "seq", "jq", "yes", "cat", "tee",
];

/// Digits of a program of `awk` that none of its outputs repeats: the width of a printed number, `%.12g`, and what a count is
/// compared with, `NR<=200`.
static FORMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(^|[^%])(?:%[-+ #0]*[0-9]*(?:\.[0-9]+)?[diouxXeEfFgGcs]|\b(?:F?NR|[a-z])(?:<=?|-)[0-9]+|\b[0-9]+<(?:F?NR|[a-z])\b)")
        .expect("a constant pattern compiles")
});

/// Programs with a number in their name, and signs of a stream sent into another.
static PROGRAMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(python|pip|perl|ruby|node|lua|sqlite|sha|md|base|bzip|gawk)\d+(?:\.\d+)*(?:sum)?\b")
        .expect("a constant pattern compiles")
});

/// Endings of programs: what stands in a long one are columns, bounds and steps.
const PROGRAM_ENDINGS: [&str; 10] =
    [".py", ".sh", ".bash", ".js", ".mjs", ".ts", ".rb", ".pl", ".awk", ".jq"];

/// Numbers of an output that may stem from a file that this work wrote, or from others that the call reads as well.
#[derive(Debug)]
pub(super) struct MixedNumbers {
    pub(super) id: EvidenceId,
    /// The name of the file.
    pub(super) file: String,
    pub(super) numbers: BTreeSet<u64>,
}

/// The numbers of a receipt's output that the model itself put there: those of the arguments of a program that repeats them,
/// and those of a text that an earlier call wrote to the file that is read here, unless the output shows them beside that
/// text. The digits of a long program over a file are its grammar: columns, exit statuses, steps.
pub(super) fn own_numbers(
    receipt: &Receipt,
    earlier: &[&Receipt],
    mixed: &mut Vec<MixedNumbers>,
) -> BTreeSet<u64> {
    let mut own = BTreeSet::new();
    let speaks = receipt
        .classes
        .iter()
        .any(|class| class.split_once(':').is_some_and(|(_, program)| SPEAKERS.contains(&program)));
    if speaks {
        let is_program = !receipt.act.inputs.is_empty() && receipt.arguments.len() > GRAMMAR_BYTES;
        let is_grammar = |bits: &u64| is_program && (0.0..10.0).contains(&f64::from_bits(*bits));
        let words = own_words(receipt);
        let is_awk = receipt.classes.iter().any(|class| class.ends_with("awk"));
        let spoken = if is_awk { FORMS.replace_all(&words, "$1 ") } else { words.as_str().into() };
        own.extend(numbers_of(&spoken).into_iter().filter(|bits| !is_grammar(bits)));
    }
    let all_touched: Vec<&str> = earlier.iter().flat_map(|r| touched(r)).collect();
    let reads_others =
        receipt.act.inputs.iter().any(|input| !all_touched.iter().any(|path| *path == input.path));
    for writer in earlier.iter().filter(|r| dictates(r) || !r.act.changes.is_empty()) {
        let paths = touched(writer);
        let Some(path) = paths.iter().find(|path| !path.is_empty() && looks_at(receipt, path)) else {
            continue;
        };
        let found = found_there(writer);
        let mut dictated: BTreeSet<u64> =
            numbers_of(&own_words(writer)).difference(&found).copied().collect();
        if PROGRAM_ENDINGS.iter().any(|ending| path.ends_with(ending))
            && writer.arguments.len() > GRAMMAR_BYTES
        {
            dictated.retain(|bits| !(0.0..10.0).contains(&f64::from_bits(*bits)));
        }
        let shown = numbers_of(&receipt.output);
        if reads_others && !dictated.is_disjoint(&shown) {
            let rest = beside(receipt, writer).unwrap_or_default();
            let of_others = numbers_of(&rest);
            dictated.retain(|bits| !of_others.contains(bits));
            mixed.push(MixedNumbers {
                id: receipt.id.clone(),
                file: path.rsplit('/').next().unwrap_or(path).to_owned(),
                numbers: dictated.intersection(&shown).copied().collect(),
            });
        }
        own.extend(dictated);
    }
    own
}

/// The files that a call changed, else what it was about.
fn touched(writer: &Receipt) -> Vec<&str> {
    let changed: Vec<&str> = writer.act.changes.iter().map(|c| c.path.as_str()).collect();
    match changed.is_empty() && dictates(writer) {
        true => vec![&writer.target],
        false => changed,
    }
}

/// The lines that an output shows beside a text that an earlier call wrote; None where that does not stand there whole.
fn beside(receipt: &Receipt, writer: &Receipt) -> Option<String> {
    let text = written_text(writer)?;
    let written: BTreeSet<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (of_file, of_others): (Vec<&str>, Vec<&str>) =
        receipt.output.lines().map(str::trim).partition(|line| written.contains(line));
    written.iter().all(|line| of_file.contains(line)).then(|| of_others.join("\n"))
}

/// Whether a call may have read this file: it names it, by a pattern as well, or reads all that lies in a folder of it.
fn looks_at(receipt: &Receipt, path: &str) -> bool {
    let looked_at = format!("{} {}", receipt.arguments, receipt.target);
    if mentions(&looked_at, path)
        || looked_at.split_whitespace().any(|folder| is_below(path, folder)) && reads_deep(receipt)
    {
        return true;
    }
    let words = looked_at
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | ';' | '|' | '(' | ')'));
    words.filter(|word| word.contains('*')).any(|pattern| fits(pattern.trim_start_matches("./"), path))
}

/// Whether the call reads what lies below the folders that it names.
fn reads_deep(receipt: &Receipt) -> bool {
    static DEEP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:find|rg|fd|tar|grep +(?:-\w+ +)*-\w*[rR])").expect("a constant pattern compiles")
    });
    receipt.tool == GREP || DEEP.is_match(&receipt.arguments)
}

/// Whether a pattern of names with `*` may mean this path; its folder as far as it names one.
fn fits(pattern: &str, path: &str) -> bool {
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let (path_folder, path_name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_there = folder.is_empty() || folder.contains('*') || path_folder.ends_with(folder);
    let (front, back) =
        (name.split('*').next().unwrap_or_default(), name.rsplit('*').next().unwrap_or_default());
    is_there && path_name.starts_with(front) && path_name.ends_with(back)
}

/// The numbers that an edit found in the file: what it took away, and what stands around it.
fn found_there(writer: &Receipt) -> BTreeSet<u64> {
    let Some(written) =
        writer.act.written.as_deref().filter(|text| text.lines().any(|line| line.starts_with("@@")))
    else {
        return BTreeSet::new();
    };
    let there = written.lines().filter(|line| line.starts_with(['-', ' ']));
    numbers_of(&there.collect::<Vec<_>>().join("\n"))
}

/// The arguments without the names of files that are there or came to be: their digits tell nothing. A name without any
/// letter stays, for a number that is to be told looks the same.
fn own_words(receipt: &Receipt) -> String {
    let inputs = receipt.act.inputs.iter().map(|input| input.path.as_str());
    let changes = receipt.act.changes.iter().map(|change| change.path.as_str());
    // The 3 of `python3` is no number.
    let mut words = PROGRAMS.replace_all(&receipt.arguments, "$1").into_owned();
    for path in inputs.chain(changes) {
        let name = path.rsplit('/').next().unwrap_or(path);
        for known in [path, name].into_iter().filter(|known| known.contains(char::is_alphabetic)) {
            words = words.replace(known, " ");
        }
    }
    words
}

/// The numbers of a text, by their bits.
pub(super) fn numbers_of(text: &str) -> BTreeSet<u64> {
    every_number(text).into_iter().map(f64::to_bits).collect()
}
