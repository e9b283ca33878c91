//! Rights that a command lacks in its box: telling which one is wanting, and asking a person for exactly that one.

use artoo_command::sandbox::{Confinement, derive};
use artoo_gate::paths::{PathAccess, PathRules, canonical};
use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::taint::Taint;
use artoo_types::tool::{CallOutcome, joined_remarks};

use crate::tool::{CallFacts, Judgement, Permission};

/// The word for the network.
const NETWORK: &str = "network";
/// The word for writing as much as it takes.
const SPACE: &str = "space";
/// What stands in front of a path that is to be written.
const WRITE: &str = "write ";
/// Rights that one call may ask for: a person reads them all.
const MAX_RIGHTS: usize = 4;
/// Bytes at the end of an output in which programs say why they gave up.
const LAST_BYTES: usize = 8 << 10;

/// What programs say, in lower case, when they find no network.
const NO_NETWORK: &[&str] = &[
    "could not resolve",
    "couldn't resolve",
    "temporary failure in name resolution",
    "name or service not known",
    "network is unreachable",
    "enetunreach",
    "eai_again",
    "failed to establish a new connection",
    "dns error",
    "failed to lookup address",
    "connect eperm",
    "socket: operation not permitted",
    "failed to open socket",
    "urlopen error",
    "unable to connect",
    "failed to download",
    "failed to fetch",
    "econnrefused",
    "connection refused",
];
/// The exit status of a shell that found a program and could not run it.
const NOT_EXECUTABLE: i64 = 126;
/// What they say when they may not write somewhere.
const NO_WRITING: &[&str] = &["permission denied", "read-only file system", "eacces", "erofs"];

/// What they say when a file grows beyond what they may write.
const NO_SPACE: &[&str] = &["file size limit exceeded", "file too large", "efbig"];

/// A call that asks for rights beyond its box: a person decides about exactly those.
pub(super) fn asked(
    needs: &[String],
    mut facts: CallFacts,
    confinement: Confinement,
    places: &PathRules,
) -> Judgement {
    let (mut effects, mut targets, mut why) = (Vec::new(), Vec::new(), Vec::new());
    let (mut network, mut grants) = (false, Vec::new());
    let refused = |facts: CallFacts, why: String| Judgement::new(facts, Permission::refuse(why));
    if needs.len() > MAX_RIGHTS {
        return refused(facts, format!("`needs` names more than {MAX_RIGHTS} rights"));
    }
    for need in needs.iter().map(|need| need.trim()) {
        if need == NETWORK {
            network = true;
            effects.push(EffectClass::Send);
            why.push("it asks for the network, beyond its box".to_owned());
        } else if need == SPACE {
            effects.push(EffectClass::Create);
            why.push("it asks to write as much as it takes, beyond what a call may write unasked".to_owned());
        } else if let Some(path) = need.strip_prefix(WRITE) {
            let path = places.written(path.trim());
            if let PathAccess::Never(reason) = places.writing(&path) {
                return refused(facts, format!("{reason}, where no command may write"));
            }
            let Some(grant) = derive::writing(&canonical(&path), places) else {
                return refused(
                    facts,
                    format!("a right to write {path} cannot be bounded; name a path further down"),
                );
            };
            grants.push(grant);
            effects.push(EffectClass::Overwrite);
            why.push(format!("it asks to write {path}, beyond its box"));
            targets.push(path);
        } else {
            return refused(
                facts,
                format!("`needs` knows {NETWORK:?}, {SPACE:?} and \"write /a/path\", and not {need:?}"),
            );
        }
    }
    let confinement = confinement.extended(network, grants);
    why.push(derive::told(&confinement));
    facts.effect = effects.iter().copied().max().unwrap_or(facts.effect);
    if network {
        facts.brings |= Taint::UNTRUSTED;
    }
    if let Some(changes) = &mut facts.changes {
        changes.extend(targets.iter().cloned());
    }
    if targets.is_empty() {
        targets.extend(facts.project.as_ref().map(|project| project.root.clone()));
    }
    if targets.is_empty() {
        targets.push(places.working_directory.clone());
    }
    effects.sort_unstable();
    effects.dedup();
    let permission = Permission::Ask { effects, targets, why };
    Judgement { confinement, ..Judgement::new(facts, permission) }
}

/// The outcome of a command that ran in a box, with what it seems to have lacked.
pub(super) fn told(outcome: CallOutcome) -> CallOutcome {
    if outcome.end != CallEnd::Ran || outcome.exit == Some(0) {
        return outcome;
    }
    let from = outcome.output.len().saturating_sub(LAST_BYTES);
    let end = outcome.output[outcome.output.ceil_char_boundary(from)..].to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| end.contains(word));
    let lack = if says(NO_NETWORK) {
        "the box that it ran in has no network but what the call itself starts; if the task cannot do without, a person is asked for it by the argument \
         needs: [\"network\"]"
    } else if says(NO_SPACE) {
        "a call may write only so much unasked (gate.unasked_mib); if the task cannot do without, a person is asked for more by \
         the argument needs: [\"space\"]"
    } else if outcome.exit == Some(NOT_EXECUTABLE) {
        "the file may not be run: its mode says so, or the box lets nothing be run there; set it with chmod +x"
    } else if says(NO_WRITING) {
        "the box that it ran in may write only to its temporary folder ($TMPDIR), to files that the request names or the task made, \
         and in a project to that; if the task cannot do without, a person is asked for one more place by the argument \
         needs: [\"write /a/path\"]"
    } else if end.contains("operation not permitted") {
        "the box that it ran in has no network, and sets modes, owners and times only of files that it may write and that have no \
         name elsewhere: run chmod in a call of its own; if it was the network, a person is asked for it by the argument \
         needs: [\"network\"]"
    } else {
        return outcome;
    };
    let note = joined_remarks(outcome.note.clone().into_iter().chain([lack.to_owned()]));
    CallOutcome { note, ..outcome }
}

#[cfg(test)]
mod tests {
    use artoo_types::tool::CallOutcome;

    use super::told;

    #[test]
    fn a_failure_for_want_of_a_right_says_which_and_how_to_ask() {
        let check = |output: &str, part: Option<&str>| {
            let note = told(CallOutcome::failed(output.to_owned())).note;
            assert_eq!(note.is_some(), part.is_some(), "{output}: {note:?}");
            assert!(part.is_none_or(|part| note.unwrap().contains(part)), "{output}");
        };
        check("fatal: unable to access: Could not resolve host: example.org", Some("\"network\""));
        check("ConnectionRefusedError: [Errno 111] Connection refused", Some("what the call itself starts"));
        check("touch: cannot touch '/etc/x': Permission denied", Some("\"write /a/path\""));
        check("PermissionError: [Errno 1] Operation not permitted", Some("no network"));
        check("bash: line 1: 7 File size limit exceeded", Some("\"space\""));
        check("AssertionError: 4 != 3", None);
        let not_run =
            CallOutcome { exit: Some(126), ..CallOutcome::failed("./a: Permission denied".to_owned()) };
        assert!(told(not_run).note.is_some_and(|note| note.contains("chmod +x")));
        assert_eq!(told(CallOutcome::done("Could not resolve".to_owned())).note, None, "it succeeded");
    }
}
