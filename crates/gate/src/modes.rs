//! Modes of files that a command says it sets, and which of them only make a file executable.

/// A file whose mode a command sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeOrder {
    /// Its absolute path, as the command names it.
    pub path: String,
    /// The mode as it is written for `chmod`.
    pub text: String,
}

/// The bits of a mode that `chmod` counts by.
const ALL: u32 = 0o777;
/// The bits with which a file can be run.
const RUN: u32 = 0o111;

/// The mode that a file with this one gets by an order that makes it executable and changes nothing else; None for every other
/// order. Where the order names nobody, those may run the file who may read it.
pub fn made_executable(text: &str, mode: u32) -> Option<u32> {
    let (now, readers) = (mode & 0o7777, (mode & 0o444) >> 2);
    let wanted = if let Ok(number) = u32::from_str_radix(text, 8) {
        number
    } else {
        let (who, run) = text.split_once('+')?;
        if run != "x" || !who.bytes().all(|letter| b"ugoa".contains(&letter)) {
            return None;
        }
        let named = who.bytes().map(|letter| match letter {
            b'u' => 0o100,
            b'g' => 0o010,
            b'o' => 0o001,
            _ => RUN,
        });
        let named = named.fold(0, |sum, bit| sum | bit);
        now | if who.is_empty() { 0o100 | readers } else { named }
    };
    let only_runs = wanted & !RUN == now & !RUN && wanted & now & RUN == now & RUN;
    (only_runs && wanted & !ALL == 0).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::made_executable;

    #[test]
    fn what_only_makes_a_file_executable_is_told_and_nothing_else() {
        for (text, mode, expected) in [
            ("+x", 0o644, Some(0o755)),
            ("+x", 0o600, Some(0o700)),
            ("u+x", 0o644, Some(0o744)),
            ("a+x", 0o640, Some(0o751)),
            ("755", 0o644, Some(0o755)),
            ("0755", 0o755, Some(0o755)),
            ("700", 0o644, None),
            ("777", 0o644, None),
            ("644", 0o755, None),
            ("-x", 0o755, None),
            ("u+s", 0o755, None),
            ("+xs", 0o755, None),
            ("4755", 0o644, None),
            ("u=rwx", 0o644, None),
            ("", 0o644, None),
        ] {
            assert_eq!(made_executable(text, mode), expected, "{text} {mode:o}");
        }
    }
}
