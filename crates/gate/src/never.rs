//! The uses of programs that are refused whatever a person says: those that destroy a machine or a home, or stop artoo.

use crate::options::is_one_of;
use crate::programs;
use crate::programs::row::{Call, OVERWRITES, Use};
use crate::survey::Survey;
use crate::vital::{is_disk, is_vital, may_be_vital, overwritten};
use crate::word::Arg;

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
pub(crate) fn check(call: Call<'_>, survey: &mut Survey<'_>) {
    let args = call.args;
    let refused = (call.program.never)(&Use {
        args,
        operands: args.iter().filter(|a| !a.is_option()).collect(),
        options: args.iter().filter(|a| a.is_option()).map(Arg::prefix).collect(),
        words: args.iter().map(|a| a.shown().to_lowercase()).collect(),
        survey,
    });
    if let Some(why) = refused {
        survey.forbid(why);
    }
    for arg in args.iter().filter(|_| call.program.has(OVERWRITES)) {
        let value = arg.prefix();
        let output = value.strip_prefix("of=").map(Arg::plain);
        overwritten(output.as_ref().unwrap_or(arg), survey);
    }
}

impl Use<'_, '_> {
    fn has(&self, letters: &str, long: &str) -> bool {
        self.options.iter().any(|o| is_one_of(o, letters, &[long]))
    }

    /// Whether one of these operands is, or may turn out to be, a home or a system.
    fn hits(&self, among: &[&Arg]) -> bool {
        among.iter().any(|arg| may_be_vital(arg, self.survey))
    }

    fn says(&self, among: &[&str]) -> bool {
        self.words.iter().any(|w| among.contains(&w.as_str()))
    }
}

const DELETES_HOME: &str = "it would delete a home or a system";
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
    call.has("rR", "recursive").then(|| deletes(call)).flatten()
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
    let target = call.operands.last().is_some_and(|last| may_be_vital(last, call.survey));
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

/// Words of other languages that delete.
const DELETING: &[&str] = &[
    "rmtree",
    "rmSync",
    "rmdirSync",
    "rimraf",
    "rm_rf",
    "rm_r",
    "remove_tree",
    "removedirs",
    "unlink",
    "remove_dir",
    "shutil.move",
    "delete",
];
/// Words of other languages that fetch from the network.
const FETCHING: &[&str] =
    &["urlopen", "urllib", "requests.", "http://", "https://", "LWP", "Net::HTTP", "fetch("];
/// Words of other languages that run text.
const RUNNING: &[&str] = &["exec(", "eval(", "eval ", "os.system", "subprocess", "system("];
/// Text in the language of another interpreter: what it would give to a shell is looked at, and what it would delete.
pub(crate) fn foreign_text(text: &str, survey: &mut Survey<'_>) {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(FETCHING) && has(RUNNING) {
        survey.forbid("it would run what it fetches from the network, unseen");
    }
    for string in strings(text) {
        let is_path = string.starts_with(['/', '~']) && !string.contains(' ');
        if is_path {
            survey.path(&Arg::plain(&string), false);
        }
        if is_path && has(DELETING) && is_vital(&string, survey) {
            survey.forbid("it would delete a home or a system");
        }
        if is_path && is_disk(&string) {
            survey.forbid("it would overwrite a disk");
        }
        if string.contains("/.artoo") {
            survey.forbid("it names artoo's own data folder");
        }
        if string.contains(' ') && programs::looks_like_command(&string) {
            survey.shell_text(&string);
        }
    }
}

/// The quoted strings of a program text, the simple way.
fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"', '`']) {
        let mark = &rest[at..=at];
        let after = &rest[at + 1..];
        let Some(end) = after.find(mark) else { break };
        found.push(after[..end].to_owned());
        // A string can be within another, as in "do shell script 'x'".
        found.extend(if after[..end].contains(['\'', '"', '`']) {
            strings(&after[..end])
        } else {
            Vec::new()
        });
        rest = &after[end + 1..];
        if found.len() > 64 {
            break;
        }
    }
    found
}
