//! The uses of programs that are refused whatever a person says: those that destroy a machine or a home, or stop artoo.

use crate::arg::Arg;
use crate::options::is_one_of;
use crate::programs::flags::OVERWRITES;
use crate::programs::row::{Call, Changed, Changes, Use};
use crate::vital::{is_disk, is_of_system, may_be_vital, overwritten};
use crate::walk::Walk;

/// Commands of `diskutil` that erase.
const ERASING: &[&str] = &[
    "erasedisk",
    "erasevolume",
    "reformat",
    "zerodisk",
    "randomdisk",
    "secureerase",
    "partitiondisk",
    "deletecontainer",
    "deletevolume",
    "erasecontainer",
];

/// Refuses a use that nobody may ask for.
pub(crate) fn check(call: Call<'_>, walk: &mut Walk<'_>) {
    let args = call.args;
    let refused = (call.program.never)(&Use {
        args,
        operands: args.iter().filter(|a| !a.is_option()).collect(),
        options: args.iter().filter(|a| a.is_option()).map(Arg::prefix).collect(),
        words: args.iter().map(|a| a.shown().to_lowercase()).collect(),
        walk,
    });
    if let Some(why) = refused {
        walk.found.forbid(why);
    }
    // What is copied or linked stays as it is: only where it goes to is written over.
    let spares_sources =
        matches!(
            call.program.changes,
            Changes::IntoLast | Changes::Exactly { operands: Changed::IntoLast, .. }
        ) && !args.iter().any(|arg| arg.prefix().starts_with("-t") || arg.prefix().starts_with("--target"));
    let written =
        if spares_sources { args.last().into_iter().collect() } else { args.iter().collect::<Vec<_>>() };
    for arg in written.into_iter().filter(|_| call.program.has(OVERWRITES)) {
        let value = arg.prefix();
        let output = value.strip_prefix("of=").map(Arg::plain);
        overwritten(output.as_ref().unwrap_or(arg), &walk.scope, &mut walk.found);
    }
}

impl Use<'_, '_> {
    fn has(&self, letters: &str, long: &str) -> bool {
        self.options.iter().any(|o| is_one_of(o, letters, &[long]))
    }

    /// Whether one of these operands is, or may turn out to be, a home or a system.
    fn hits(&self, among: &[&Arg]) -> bool {
        among.iter().any(|arg| may_be_vital(arg, &self.walk.scope, &self.walk.found))
    }

    fn says(&self, among: &[&str]) -> bool {
        self.words.iter().any(|w| among.contains(&w.as_str()))
    }
}

const DELETES_HOME: &str = "it would delete a home or a system";
const DELETES_SYSTEM: &str = "it would delete what the machine starts and runs with";
const ERASES: &str = "it would erase a disk";

/// For programs of which every use is asked about at most.
pub(crate) fn nothing(_: &Use<'_, '_>) -> Option<&'static str> {
    None
}

/// For programs that erase a disk whatever they are told.
pub(crate) fn erases(_: &Use<'_, '_>) -> Option<&'static str> {
    Some(ERASES)
}

/// For `rm`, which deletes folders only when an option says so.
pub(crate) fn deletes_folders(call: &Use<'_, '_>) -> Option<&'static str> {
    let of_system = || call.operands.iter().any(|arg| is_of_system(arg, &call.walk.scope));
    call.has("rR", "recursive")
        .then(|| deletes(call))
        .flatten()
        .or_else(|| of_system().then_some(DELETES_SYSTEM))
}

/// For programs that delete whatever they are given.
pub(crate) fn deletes(call: &Use<'_, '_>) -> Option<&'static str> {
    call.hits(&call.operands).then_some(DELETES_HOME)
}

/// For `gio`, of which two commands delete.
pub(crate) fn gio(call: &Use<'_, '_>) -> Option<&'static str> {
    let command = call.operands.first().map(|arg| arg.shown())?;
    matches!(command.as_str(), "trash" | "remove").then(|| deletes(call)).flatten()
}

/// For programs that say who may do what with a file.
pub(crate) fn opens(call: &Use<'_, '_>) -> Option<&'static str> {
    let all = call.has("R", "recursive") || call.operands.iter().any(|a| a.shown().ends_with("/*"));
    let is_refused = all && call.hits(&call.operands);
    is_refused.then_some("it would lock a home or a system, or open it to everybody")
}

/// For `mv`.
pub(crate) fn moves(call: &Use<'_, '_>) -> Option<&'static str> {
    // Behind `-t` every operand is a source.
    let into_first = call.has("t", "target-directory");
    let sources = match call.operands.split_last() {
        Some((_, sources)) if !into_first => sources,
        Some(_) | None => &call.operands,
    };
    call.hits(sources).then_some("it would move a home or a system away")
}

/// For `rsync`.
pub(crate) fn syncs(call: &Use<'_, '_>) -> Option<&'static str> {
    let deletes = call.options.iter().any(|o| o.starts_with("--del"));
    let target =
        call.operands.last().is_some_and(|last| may_be_vital(last, &call.walk.scope, &call.walk.found));
    (deletes && target).then_some(DELETES_HOME)
}

/// For `diskutil`.
pub(crate) fn diskutil(call: &Use<'_, '_>) -> Option<&'static str> {
    call.says(ERASING).then_some(ERASES)
}

/// For programs that change the partitions or the settings of a disk.
pub(crate) fn partitions(call: &Use<'_, '_>) -> Option<&'static str> {
    let looks = call.has("l", "list") || call.says(&["print"]);
    let is_refused = !looks && call.args.iter().any(|a| is_disk(&a.prefix()));
    is_refused.then_some("it would change or erase a disk")
}

/// For programs that hold pools of disks.
pub(crate) fn destroys_pool(call: &Use<'_, '_>) -> Option<&'static str> {
    call.says(&["destroy"]).then_some(ERASES)
}

/// For programs that run others in containers: one that is given the whole machine is confined by nothing.
pub(crate) fn shares_machine(call: &Use<'_, '_>) -> Option<&'static str> {
    let is_whole = |path: &str| path.starts_with('/') && path.trim_matches(['/', '.']).is_empty();
    let shares = |word: &String| {
        let word = ["--volume=", "--mount=", "-v"]
            .iter()
            .find_map(|option| word.strip_prefix(option))
            .unwrap_or(word);
        let is_volume = word.split_once(':').is_some_and(|(source, _)| is_whole(source));
        let sources =
            word.split(',').filter_map(|part| part.strip_prefix("source=").or(part.strip_prefix("src=")));
        is_volume || sources.into_iter().any(is_whole)
    };
    call.words.iter().any(shares).then_some("it would give a container the whole machine")
}

/// For artoo's own programs.
pub(crate) fn decides_for_person(call: &Use<'_, '_>) -> Option<&'static str> {
    call.says(OWN_DECISIONS).then_some("only a person decides this, and never a task")
}

/// For `kill`.
pub(crate) fn kills(call: &Use<'_, '_>) -> Option<&'static str> {
    let looks = call.says(&["-0", "-l"]);
    let is_last = !looks && call.words.last().is_some_and(|w| matches!(w.as_str(), "-1" | "1"));
    let is_refused = is_last && (call.words.len() > 1 || call.says(&["1"]));
    is_refused.then_some("it would end every process, artoo too")
}

/// Commands of artoo itself that decide about a task or about the daemon, which is a person's to do.
const OWN_DECISIONS: &[&str] = &["confirm", "service", "config", "forget", "memory", "undo", "cancel"];
