//! Text in another language: what it would give to a shell is looked at, and what it would delete.

use crate::arg::Arg;
use crate::programs;
use crate::vital::{is_disk, is_vital};
use crate::walk::Walk;

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
pub(crate) fn look_through(walk: &mut Walk<'_>, text: &str) {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(FETCHING) && has(RUNNING) {
        walk.found.forbid("it would run what it fetches from the network, unseen");
    }
    for string in strings(text) {
        let is_path = string.starts_with(['/', '~']) && !string.contains(' ');
        if is_path {
            walk.path(&Arg::plain(&string), false);
        }
        if is_path && has(DELETING) && is_vital(&string, &walk.scope) {
            walk.found.forbid("it would delete a home or a system");
        }
        if is_path && is_disk(&string) {
            walk.found.forbid("it would overwrite a disk");
        }
        if string.contains("/.artoo") {
            walk.found.forbid("it names artoo's own data folder");
        }
        if string.contains(' ') && programs::looks_like_command(&string) {
            // It is data until somebody runs it: what it would do counts where it must never be done.
            let before = walk.found.clone();
            walk.shell_text(&string);
            walk.found.back_to(before);
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
