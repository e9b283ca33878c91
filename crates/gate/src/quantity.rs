//! How much a command writes, where its text tells: what has no end, and what is more than may be written unasked.

use crate::arg::Arg;
use crate::programs::flags::{COPIES, ENDLESS, ENDS};
use crate::walk::Walk;

/// Files that are read without an end.
const SOURCES: &[&str] = &["/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"];

/// Whether what the programs from this one on print, called with these words, has no end.
pub(crate) fn pours(walk: &Walk<'_>, from: usize, words: &[Arg]) -> bool {
    let programs = &walk.found.programs[from..];
    let reads_source = words.iter().filter_map(Arg::fixed).any(|text| is_endless(&text));
    let ends = programs.iter().any(|program| program.has(ENDS));
    let begins = |program: &crate::findings::NamedProgram| {
        program.has(ENDLESS) || program.has(COPIES) && (reads_source || walk.scope.pours)
    };
    !ends && programs.iter().any(begins)
}

/// What the programs from this one on print goes into a file.
pub(crate) fn check_output(walk: &mut Walk<'_>, from: usize, words: &[Arg]) {
    if walk.flow.pours {
        walk.found.exceed("it would write until the disk is full");
    } else if walk.flow.amount > 0 {
        check(walk, walk.flow.amount);
    } else if walk.found.programs[from..].iter().any(|program| program.has(ENDS)) {
        check_size(walk, words);
    }
}

/// One of the words says how much is written: the largest size counts, also one that may be a name.
pub(crate) fn check_size(walk: &mut Walk<'_>, words: &[Arg]) {
    let value = |word: String| match word.strip_prefix('-') {
        Some(letters) if letters.starts_with('-') => bytes(word.split_once('=')?.1),
        Some(letters) => bytes(letters.trim_start_matches(|c: char| c.is_ascii_alphabetic())),
        None => bytes(&word),
    };
    let largest = words.iter().filter_map(Arg::fixed).filter_map(value).max();
    check(walk, largest.unwrap_or(0));
}

/// So many bytes are written.
pub(crate) fn check(walk: &mut Walk<'_>, bytes: u64) {
    let most = walk.scope.paths.unasked.bytes;
    if bytes > most {
        walk.found.exceed(&format!(
            "it would write {} MiB, and a call that nobody was asked about writes {} at most (gate.unasked_mib)",
            bytes.div_ceil(1 << 20),
            most >> 20
        ));
    }
}

/// Whether reading this file has no end.
pub(crate) fn is_endless(path: &str) -> bool {
    SOURCES.contains(&path)
}

/// A size as the programs of the system write them: `10M`, `+1GB`, `2KiB`, `3x1M`, `512b`. The larger reading counts. None for any other
/// text.
pub(crate) fn bytes(text: &str) -> Option<u64> {
    let text = text.trim_start_matches(['+', '-', '<', '>', '/', '%', '=']);
    let mut product: u64 = 1;
    for factor in text.split('x') {
        let digits = factor.find(|c: char| !c.is_ascii_digit()).unwrap_or(factor.len());
        let number: u64 = factor[..digits].parse().ok()?;
        let unit: u64 =
            match factor[digits..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
                "" if factor.ends_with('b') => 512,
                "" | "C" => 1,
                "W" => 2,
                "K" => 1 << 10,
                "M" => 1 << 20,
                "G" => 1 << 30,
                "T" => 1 << 40,
                "P" => 1 << 50,
                "E" | "Z" | "Y" | "R" | "Q" => 1 << 60,
                _ => return None,
            };
        product = product.saturating_mul(number.saturating_mul(unit));
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_read_as_programs_write_them() {
        let check = |text: &str, expected| assert_eq!(bytes(text), expected, "{text}");
        check("10", Some(10));
        check("10M", Some(10 << 20));
        check("+1GB", Some(1 << 30));
        check("2KiB", Some(2 << 10));
        check("3x1M", Some(3 << 20));
        check("4b", Some(2_048));
        check("9999999999999T", Some(u64::MAX));
        check("M", None);
        check("ten", None);
    }
}
