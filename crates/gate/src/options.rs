//! Options and operands of the programs in the table.

use super::glob;
use super::programs::flags::{ARGUMENT_FILES, READS_FOLDERS, RECURSES};
use super::programs::row::{Call, Operands, ReadOnlyUse};
use super::walk::Walk;
use crate::arg::Arg;

/// Options by which `grep` and `diff` read whole folders.
const RECURSIVE: (&str, &[&str]) = ("rRd", &["recursive", "dereference-recursive", "directories"]);
/// Options by which `grep` takes its pattern from elsewhere than its first operand.
const PATTERN_GIVEN: (&str, &[&str]) = ("ef", &["regexp", "file"]);

/// Judges the arguments of a program that only reads.
pub(crate) fn judge(reading: ReadOnlyUse, call: Call<'_>, walk: &mut Walk<'_>) {
    let Call { name, program, args } = call;
    if program.has(ARGUMENT_FILES) && args.iter().any(|arg| arg.shown().starts_with('@')) {
        walk.found.confirm(&format!("{name} takes its arguments out of the file behind @"));
    }
    let (operands, options) = sort_out(reading, call, walk);
    // Two folders are compared file by file without being told to.
    let is_folder = |arg: &&Arg| {
        glob::named(arg, &walk.scope.folder).is_none_or(|names| names.iter().any(|name| walk.is_folder(name)))
    };
    let is_recursive = program.has(RECURSES) && any(&options, RECURSIVE)
        || program.has(READS_FOLDERS) && operands.iter().any(is_folder);
    let skips_first = reading.operands == Operands::PatternThenFiles && !any(&options, PATTERN_GIVEN);
    let files: Vec<&Arg> = operands.into_iter().skip(usize::from(skips_first)).collect();
    paths(reading.operands, &files, walk);
    if is_recursive {
        folders(&files, walk);
    }
}

/// Looks at path operands, and remembers them as the call's target.
pub(crate) fn paths(kind: Operands, files: &[&Arg], walk: &mut Walk<'_>) {
    if kind == Operands::Text {
        return;
    }
    for file in files {
        let is_known = file.fixed().is_some() || file.is_pattern();
        let gives_away = match kind {
            Operands::Names | Operands::Text => false,
            Operands::Measured => is_known,
            Operands::Files | Operands::PatternThenFiles => true,
        };
        walk.path(file, gives_away);
        walk.operand(file);
    }
}

/// Folders that are read with all that is in them; the working directory when none is named.
pub(crate) fn folders(files: &[&Arg], walk: &mut Walk<'_>) {
    if files.is_empty() {
        walk.whole_folder(".");
    }
    for file in files {
        match file.fixed() {
            Some(text) => walk.whole_folder(&text),
            None if let Some(found) = expanded(file, walk) => {
                found.iter().for_each(|folder| walk.whole_folder(folder));
            }
            None => walk.found.confirm("which folder it reads is known only when it runs"),
        }
    }
}

/// The folders among the names that a pattern stands for; returns None if it is no pattern or stands for too many.
fn expanded(file: &Arg, walk: &Walk<'_>) -> Option<Vec<String>> {
    /// Each is looked through, which takes up to some milliseconds.
    const MAX_FOLDERS: usize = 64;
    let names = glob::named(file, &walk.scope.folder).filter(|_| file.is_pattern())?;
    let folders: Vec<String> = names.into_iter().filter(|name| walk.is_folder(name)).collect();
    (folders.len() <= MAX_FOLDERS).then_some(folders)
}

/// Whether one of the options is among these.
fn any(options: &[String], (short, long): (&str, &[&str])) -> bool {
    options.iter().any(|option| is_one_of(option, short, long))
}

/// Whether an option is one of these: long ones also abbreviated, short ones anywhere in a cluster.
pub(crate) fn is_one_of(option: &str, short: &str, long: &[&str]) -> bool {
    match option.strip_prefix("--") {
        Some(name) => {
            let name = name.split('=').next().unwrap_or_default();
            !name.is_empty() && long.iter().any(|l| l.starts_with(name))
        }
        None => option.chars().skip(1).any(|c| short.contains(c)),
    }
}

/// Operands and options of a program, with every option judged.
fn sort_out<'a>(reading: ReadOnlyUse, call: Call<'a>, walk: &mut Walk<'_>) -> (Vec<&'a Arg>, Vec<String>) {
    let (mut operands, mut options) = (Vec::new(), Vec::new());
    let (mut ended, mut value_follows) = (false, false);
    for arg in call.args {
        if value_follows && !arg.is_loose() {
            value_follows = false;
            walk.path(arg, reading.operands != Operands::Text);
            continue;
        }
        value_follows = false;
        if ended {
            operands.push(arg);
        } else if arg.fixed().as_deref() == Some("--") {
            ended = true;
        } else if arg.is_option() {
            let text = option(reading, call.name, arg, walk);
            value_follows = takes_next(reading, &text);
            options.push(text);
        } else {
            let may_hide = arg.may_hide_option() && (!arg.is_pattern() || walk.hides_option(arg));
            if may_hide && reading.except.is_some() {
                walk.found.confirm(&format!(
                    "an argument of {} may turn out to be an option; write ./* or --",
                    call.name
                ));
            }
            operands.push(arg);
        }
    }
    (operands, options)
}

/// Judges one option; returns what is known of its text.
fn option(reading: ReadOnlyUse, name: &str, arg: &Arg, walk: &mut Walk<'_>) -> String {
    let known = arg.fixed().unwrap_or_else(|| arg.prefix());
    let is_whole =
        arg.fixed().is_some() || (known.starts_with("--") && known.contains('=')) || arg.is_numeric();
    if let Some((short, long)) = reading.except {
        if is_one_of(&known, short, long) {
            walk.found.confirm(&format!("{name} is not used unasked with {known}"));
        } else if !is_whole {
            walk.found.confirm(&format!("an option of {name} is known only when it runs"));
        }
    }
    attached_path(&known, walk);
    known
}

/// Looks at the value of an option that can be a path, behind `=` or right behind a letter.
pub(crate) fn attached_path(option: &str, walk: &mut Walk<'_>) {
    let value = option.split_once('=').map(|(_, value)| value).or_else(|| option.get(2..));
    let is_path = |value: &&str| {
        let is_there = || std::fs::symlink_metadata(walk.scope.resolve(value)).is_ok();
        value.contains('/') || value.starts_with('~') || !value.is_empty() && is_there()
    };
    if let Some(value) = value.filter(is_path) {
        walk.path(&Arg::plain(value), true);
    }
}

/// Whether the value of this option is the next word: its last letter is the first in the cluster that takes one.
fn takes_next(reading: ReadOnlyUse, option: &str) -> bool {
    if option.starts_with("--") {
        return false;
    }
    let first = option.char_indices().skip(1).find(|(_, c)| reading.values.contains(*c));
    first.is_some_and(|(at, c)| at + c.len_utf8() == option.len())
}
