//! What a program changes, told from its operands, for the programs that change nothing else.

use std::path::Path;

use super::glob;
use super::options::is_one_of;
use super::programs::row::{Changed, Changes, Program};
use super::walk::Walk;
use crate::arg::Arg;

/// What this call changes, replaces, makes or removes, as absolute paths, each with all that lies in it; returns None if that is
/// not known before it runs, as in another folder than the first.
pub(crate) fn of(program: &Program, args: &[Arg], walk: &Walk<'_>) -> Option<Vec<String>> {
    let paths = walk.scope.paths;
    if walk.scope.folder != paths.working_directory {
        return None;
    }
    let Changes::Exactly { operands, values, except } = program.changes else { return None };
    let (mut names, mut ended): (Vec<String>, bool) = (Vec::new(), false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if !ended && arg.is_option() {
            let option = arg.fixed()?;
            ended = option == "--";
            if !ended && is_one_of(&option, except.0, except.1) {
                return None;
            }
            let takes_next = !option.starts_with("--") && option.ends_with(|c| values.contains(c));
            if takes_next {
                rest.next()?.fixed()?;
            }
            continue;
        }
        let found = glob::named(arg, &walk.scope.folder)?;
        if !ended && may_be_option(arg, &found) {
            return None;
        }
        names.extend(found);
    }
    let is_into = matches!(operands, Changed::IntoLast | Changed::MovedIntoLast);
    let (_, sources) = names.split_last()?;
    // The content of such a source lands, not the source; and one operand of `ln` lands here under its own name.
    let is_nameless = |name: &String| matches!(name.rsplit('/').next(), Some("" | "." | ".."));
    if is_into && (sources.iter().any(is_nameless) || sources.is_empty()) {
        return None;
    }
    let paths: Vec<String> = names.iter().filter(|name| *name != "-").map(|name| paths.path(name)).collect();
    match operands {
        Changed::Each => Some(paths),
        Changed::New => Some(paths.iter().map(|path| first_missing(path)).collect()),
        Changed::AfterFirst => Some(paths.into_iter().skip(1).collect()),
        Changed::IntoLast => into_last(paths).map(|(changes, _)| changes),
        Changed::MovedIntoLast => into_last(paths).map(|(changes, sources)| [sources, changes].concat()),
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
