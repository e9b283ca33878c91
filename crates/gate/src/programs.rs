//! The table of programs: what is known of each stands in one row. What has no row is asked about.

mod files;
pub(crate) mod flags;
mod network;
mod reading;
pub(crate) mod row;
mod shells;
mod showing;
mod system;

use std::collections::HashMap;
use std::sync::LazyLock;

use artoo_types::evidence::EffectClass;

use flags::{DELETES, LOOKS_LIKE_COMMAND, NONE};
use row::{Changes, Harmless, Help, Program, ProgramOutput, Runs, SandboxNeeds};

const TABLE: [&[Program]; 6] =
    [reading::ROWS, files::ROWS, shells::ROWS, network::ROWS, system::ROWS, showing::ROWS];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Program>> = LazyLock::new(|| {
    let names = |row: &'static Program| row.names.split_whitespace().map(move |name| (name, row));
    TABLE.into_iter().flatten().flat_map(names).map(|(name, row)| (name.trim_end_matches('*'), row)).collect()
});

/// Names that stand for every longer name too.
static STARTS: LazyLock<Vec<(&'static str, &'static Program)>> = LazyLock::new(|| {
    let names = |row: &'static Program| {
        row.names.split_whitespace().filter_map(move |name| Some((name.strip_suffix('*')?, row)))
    };
    TABLE.into_iter().flatten().flat_map(names).collect()
});

/// Words that make a string in another language look like a command. A short name counts only with a blank behind it.
static COMMAND_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let rows = TABLE.into_iter().flatten().filter(|row| row.has(DELETES | LOOKS_LIKE_COMMAND));
    let word = |row: &Program, name: &str| {
        let is_short = name.len() < 3 && !row.has(DELETES);
        format!("{}{}", name.trim_end_matches('*'), if is_short { " " } else { "" })
    };
    rows.flat_map(|row| row.names.split_whitespace().map(|name| word(row, name)).collect::<Vec<_>>())
        .collect()
});

/// What holds for a program without a row.
pub(crate) static UNKNOWN: Program = Program {
    names: "",
    runs: Runs::Nothing,
    effect: EffectClass::Unknown,
    harmless: Harmless::No,
    help: Help::No,
    changes: Changes::Operands,
    never: crate::never::nothing,
    flags: NONE,
    output: ProgramOutput::Unknown,
    sandbox: SandboxNeeds::Unbounded,
};

/// The row of a program.
pub fn find(name: &str) -> Option<&'static Program> {
    BY_NAME.get(name).copied()
}

/// The row of a program that is called by its name, by a longer one as `mkfs.ext4`, or with a version as `python3.11`; that of
/// an unknown one otherwise.
pub(crate) fn find_any(name: &str) -> &'static Program {
    let start = || STARTS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, row)| *row);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let versioned = || find(plain).filter(|row| matches!(row.runs, Runs::Shell(_) | Runs::Language));
    find(name).or_else(start).or_else(versioned).unwrap_or(&UNKNOWN)
}

/// Whether a string in another language looks like a command.
pub(crate) fn looks_like_command(text: &str) -> bool {
    const SIGNS: &[&str] = &["> /", ">/", "| sh", "|sh"];
    SIGNS.iter().any(|sign| text.contains(sign)) || COMMAND_WORDS.iter().any(|word| text.contains(word))
}

/// Folders whose programs are the ones that the table means.
const SYSTEM_FOLDERS: &[&str] = &["/bin", "/usr/bin", "/usr/local/bin"];

/// The name under which a program is looked up: a path counts only in a system folder.
pub(crate) fn lookup_name(word: &str) -> Option<&str> {
    match word.rsplit_once('/') {
        None => Some(word),
        Some((folder, name)) => SYSTEM_FOLDERS.contains(&folder).then_some(name),
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{BY_NAME, TABLE, find};

    /// Folders and files that hold the rules of single programs.
    const RULES: &[&str] =
        &["gate/src/programs", "gate/src/rules", "gate/src/never.rs", "gate/src/run", "gate/src/tests"];
    /// Words that are the name of a program too, and mean something else in this file.
    const HOMONYMS: &[(&str, &[&str])] = &[
        ("admit.rs", &["time"]),
        ("findings.rs", &["artoo"]),
        ("options.rs", &["file"]),
        ("project.rs", &["head"]),
        ("tables.rs", &["crontab"]),
        ("vital.rs", &["hd", "nvme"]),
        ("walk.rs", &["artoo"]),
    ];

    #[test]
    fn every_program_has_one_row() {
        let names = TABLE.into_iter().flatten().flat_map(|row| row.names.split_whitespace());
        assert_eq!(names.count(), BY_NAME.len(), "a name stands twice");
    }

    #[test]
    fn no_program_is_named_outside_of_the_table_and_its_own_rule() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of all crates");
        let mut named = Vec::new();
        for path in
            files(&crates.join("gate/src")).into_iter().chain(files(&crates.join("command/src/sandbox")))
        {
            let shown = path.strip_prefix(crates).expect("a file of a crate").to_string_lossy().into_owned();
            let file = shown.rsplit('/').next().unwrap_or_default();
            if RULES.iter().any(|rule| shown.starts_with(rule)) || shown.contains("tests") {
                continue;
            }
            let may_mean = |word: &str| HOMONYMS.iter().any(|(f, words)| *f == file && words.contains(&word));
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
            let code = code.filter(|line| !line.trim_start().starts_with("//"));
            let words = code.flat_map(|line| line.split('"').skip(1).step_by(2));
            let is_name = |word: &&str| word.len() > 1 && find(word).is_some() && !may_mean(word);
            named.extend(words.filter(is_name).map(|word| format!("{shown}: {word}")));
        }
        assert!(named.is_empty(), "ask the row of the program instead: {named:#?}");
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("a source folder").flatten().map(|entry| entry.path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }
}
