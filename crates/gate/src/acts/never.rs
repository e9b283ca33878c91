//! The uses of programs that are refused whatever a person says: those that destroy a machine or a home, or stop artoo.

use super::table::{DELETERS, ERASERS, OWN_DECISIONS};
use super::{is_disk, is_vital, may_be_vital, overwritten};
use crate::options::is_one_of;
use crate::survey::Survey;
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
pub(super) fn check(name: &str, args: &[Arg], survey: &mut Survey<'_>) {
    let operands: Vec<&Arg> = args.iter().filter(|a| !a.is_option()).collect();
    if let Some(why) = reason(name, args, &operands, survey) {
        survey.forbid(why);
    }
    const WRITERS: &[&str] =
        &["dd", "tee", "cp", "mv", "ln", "shred", "truncate", "install", "ddrescue", "rm"];
    for arg in args.iter().filter(|_| WRITERS.contains(&name)) {
        let value = arg.prefix();
        let output = value.strip_prefix("of=").map(Arg::plain);
        overwritten(output.as_ref().unwrap_or(arg), survey);
    }
}

/// Why this use is refused; none when it is not.
fn reason(name: &str, args: &[Arg], operands: &[&Arg], survey: &Survey<'_>) -> Option<&'static str> {
    let options: Vec<String> = args.iter().filter(|a| a.is_option()).map(Arg::prefix).collect();
    let has = |letters: &str, long: &str| options.iter().any(|o| is_one_of(o, letters, &[long]));
    let hits = |among: &[&Arg]| among.iter().any(|arg| may_be_vital(arg, survey));
    let words: Vec<String> = args.iter().map(|a| a.shown().to_lowercase()).collect();
    let says = |among: &[&str]| words.iter().any(|w| among.contains(&w.as_str()));
    let (is_refused, why) = match name {
        _ if ERASERS.contains(&name) => (true, "it would erase a disk"),
        "rm" => (has("rR", "recursive") && hits(operands), "it would delete a home or a system"),
        "shred" | "srm" | "trash" | "trash-put" => (hits(operands), "it would delete a home or a system"),
        "chmod" | "chown" | "chgrp" | "chflags" | "setfacl" | "chattr" => {
            let all = has("R", "recursive") || operands.iter().any(|a| a.shown().ends_with("/*"));
            (all && hits(operands), "it would lock a home or a system, or open it to everybody")
        }
        "mv" => {
            // Behind `-t` every operand is a source.
            let into_first = has("t", "target-directory");
            let sources =
                if into_first { operands } else { operands.split_last().map_or(operands, |(_, s)| s) };
            (hits(sources), "it would move a home or a system away")
        }
        "rsync" => {
            let deletes = options.iter().any(|o| o.starts_with("--del"));
            let target = operands.last().is_some_and(|last| may_be_vital(last, survey));
            (deletes && target, "it would delete a home or a system")
        }
        "diskutil" => (says(ERASING), "it would erase a disk"),
        "parted" | "fdisk" | "gdisk" | "hdparm" | "nvme" => {
            let looks = has("l", "list") || says(&["print"]);
            (!looks && args.iter().any(|a| is_disk(&a.prefix())), "it would change or erase a disk")
        }
        "zpool" | "zfs" => (says(&["destroy"]), "it would erase a disk"),
        "artoo" | "artoo-daemon" => (says(OWN_DECISIONS), "only a person decides this, and never a task"),
        "kill" => {
            let looks = says(&["-0", "-l"]);
            let is_last = !looks && words.last().is_some_and(|w| matches!(w.as_str(), "-1" | "1"));
            (is_last && (words.len() > 1 || says(&["1"])), "it would end every process, artoo too")
        }
        _ => (false, ""),
    };
    is_refused.then_some(why)
}

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
/// Programs that make a string look like a command, next to those that delete.
const COMMANDS: &[&str] =
    &["curl", "wget", "sudo", "dd ", "mkfs", "kill", "chmod", "chown", "mv ", "> /", ">/", "| sh", "|sh"];

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
        if string.contains(' ') && DELETERS.iter().chain(COMMANDS).any(|word| string.contains(word)) {
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
