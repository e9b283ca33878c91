//! What a program changes, told from its operands, for the programs that change nothing else.

use std::path::Path;

use super::glob;
use super::options::is_one_of;
use super::survey::Survey;
use super::word::Arg;

/// How a program's operands say what it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// Each is changed.
    Each,
    /// Each is made, with the folders above it that are missing.
    Made,
    /// The first says how, the others are changed.
    AfterFirst,
    /// They are put into, or in place of, the last one.
    IntoLast,
    /// The same, and they are gone from where they were.
    MovedIntoLast,
}

/// One program that changes its operands and nothing else.
struct Program {
    name: &'static str,
    operands: Operands,
    /// Options that take the next word as their value.
    values: &'static str,
    /// Options with which it does something else as well, such as backups under other names: letters, long names.
    other: (&'static str, &'static [&'static str]),
}

const fn program(
    name: &'static str,
    operands: Operands,
    values: &'static str,
    other: (&'static str, &'static [&'static str]),
) -> Program {
    Program { name, operands, values, other }
}

const PROGRAMS: &[Program] = &[
    program("rm", Operands::Each, "", ("", &[])),
    program("rmdir", Operands::Each, "", ("p", &["parents"])),
    program("unlink", Operands::Each, "", ("", &[])),
    program("shred", Operands::Each, "ns", ("", &["iterations", "size", "random-source"])),
    program("truncate", Operands::Each, "sr", ("", &[])),
    program("touch", Operands::Each, "drt", ("", &[])),
    program("tee", Operands::Each, "", ("", &[])),
    program("mkdir", Operands::Made, "m", ("", &[])),
    program("chmod", Operands::AfterFirst, "", ("", &["reference"])),
    program("chown", Operands::AfterFirst, "", ("", &["reference", "from"])),
    program("chgrp", Operands::AfterFirst, "", ("", &["reference"])),
    program(
        "cp",
        Operands::IntoLast,
        "",
        ("tTbS", &["target-directory", "backup", "suffix", "parents", "no-t"]),
    ),
    program("ln", Operands::IntoLast, "", ("tTbSn", &["target-directory", "backup", "suffix", "no-"])),
    program(
        "mv",
        Operands::MovedIntoLast,
        "",
        ("tTbS", &["target-directory", "backup", "suffix", "exchange", "no-t"]),
    ),
];

/// What this call changes, replaces, makes or removes, as absolute paths, each with all that lies in it; none when that is
/// not known before it runs, as in another folder than the first.
pub(super) fn of(name: &str, args: &[Arg], survey: &Survey<'_>) -> Option<Vec<String>> {
    let places = survey.places;
    if survey.folder != places.working_directory {
        return None;
    }
    let program = PROGRAMS.iter().find(|program| program.name == name)?;
    let (mut names, mut ended): (Vec<String>, bool) = (Vec::new(), false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if !ended && arg.is_option() {
            let option = arg.fixed()?;
            ended = option == "--";
            if !ended && is_one_of(&option, program.other.0, program.other.1) {
                return None;
            }
            let takes_next = !option.starts_with("--") && option.ends_with(|c| program.values.contains(c));
            if takes_next {
                rest.next()?.fixed()?;
            }
            continue;
        }
        let found = glob::named(arg, &survey.folder)?;
        if !ended && may_be_option(arg, &found) {
            return None;
        }
        names.extend(found);
    }
    let is_into = matches!(program.operands, Operands::IntoLast | Operands::MovedIntoLast);
    let (_, sources) = names.split_last()?;
    // The content of such a source lands, not the source; and one operand of `ln` lands here under its own name.
    let is_nameless = |name: &String| matches!(name.rsplit('/').next(), Some("" | "." | ".."));
    if is_into && (sources.iter().any(is_nameless) || sources.is_empty()) {
        return None;
    }
    let paths: Vec<String> = names.iter().filter(|name| *name != "-").map(|name| places.path(name)).collect();
    match program.operands {
        Operands::Each => Some(paths),
        Operands::Made => Some(paths.iter().map(|path| first_missing(path)).collect()),
        Operands::AfterFirst => Some(paths.into_iter().skip(1).collect()),
        Operands::IntoLast => into_last(paths).map(|(changes, _)| changes),
        Operands::MovedIntoLast => into_last(paths).map(|(changes, sources)| [sources, changes].concat()),
    }
}

/// Whether a name that a word stands for would be taken for an option.
fn may_be_option(arg: &Arg, names: &[String]) -> bool {
    let is_bare = !arg.shown().contains('/');
    let is_option = |name: &String| {
        let last = name.rsplit('/').next().unwrap_or_default();
        (is_bare && last.starts_with('-') || name.starts_with('-')) && last.len() > 1
    };
    names.iter().any(is_option)
}

/// Where operands land, in the last one when that is a folder, else in its place; and those operands.
fn into_last(mut paths: Vec<String>) -> Option<(Vec<String>, Vec<String>)> {
    let last = paths.pop()?;
    if !Path::new(&last).is_dir() || paths.is_empty() {
        return Some((vec![last], paths));
    }
    let inside =
        |source: &String| Some(format!("{}/{}", last.trim_end_matches('/'), source.rsplit_once('/')?.1));
    let changes: Option<Vec<String>> = paths.iter().map(inside).collect();
    Some((changes?, paths))
}

/// The path itself, or the outermost of the folders above it that does not exist.
fn first_missing(path: &str) -> String {
    let missing = Path::new(path).ancestors().take_while(|folder| folder.symlink_metadata().is_err()).last();
    missing.map_or_else(|| path.to_owned(), |folder| folder.to_string_lossy().into_owned())
}
