//! From what the gate says of a command to what the command may do.

use std::path::Path;

use artoo_types::evidence::EffectClass;

use super::{Bounds, Confinement, Grant};
use crate::gate::{self, Decision, Explanation, Making};
use crate::places::{Places, canonical, is_below};

/// Where a program writes that the gate asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writes {
    /// To what it names.
    Operands,
    /// Also into the folder that it runs in, under names of its own choice.
    Folder,
}

/// Programs that write nowhere else and need nothing but files and, where they send, plain connections. A confirmed
/// command that is made of these and of the gate's harmless ones alone is confined. `ssh` and its kind are not here: they
/// need keys and agents.
const CONFINABLE: &[(Writes, &[&str])] = &[
    (
        Writes::Operands,
        &[
            "rm", "rmdir", "unlink", "shred", "mv", "cp", "ln", "install", "tee", "truncate", "touch",
            "mkdir", "mkfifo", "chmod", "gzip", "gunzip", "bzip2", "xz", "zstd", "zip", "sed",
        ],
    ),
    (Writes::Folder, &["tar", "unzip", "patch", "split", "cpio", "curl", "wget"]),
];
/// Those of them that do their work without setting modes, owners or times of files. That right cannot be given for some
/// files alone, so a command that is made of these and of harmless ones does not get it.
const LEAVES_MODES: &[&str] = &["rm", "rmdir", "unlink", "ln", "tee", "truncate", "mkfifo", "split", "curl"];
/// Programs that are more than the user when they run, so that nothing may be taken from them.
const ESCALATING: &[&str] = &[
    "sudo",
    "doas",
    "su",
    "pkexec",
    "mount",
    "umount",
    "fusermount",
    "fusermount3",
    "crontab",
    "at",
    "newgrp",
    "passwd",
    "chsh",
    "ping",
    "podman",
    "snap",
    "flatpak",
    "bwrap",
];

/// What a command may do that runs unasked.
pub(crate) fn unasked(told: &Explanation, places: &Places) -> Confinement {
    let mut grants: Vec<Grant> = told.creates.iter().map(|new| grant_of(&new.kind, &new.path)).collect();
    // In their order, because a folder may be that of the next; each once.
    let mut seen = std::collections::BTreeSet::new();
    grants.retain(|grant| seen.insert(grant.clone()));
    Confinement::Confined(Bounds { hidden: places.hidden(), grants, network: false, modes: false })
}

/// What a command may do that a person agreed to: the one capability that it was asked about, as far as that can be told.
pub(crate) fn agreed(text: &str, told: &Explanation, places: &Places) -> Confinement {
    if told.decision == Decision::Safe {
        return unasked(told, places);
    }
    let Some(writes) = writes(told) else { return full_power(text, places) };
    let has = |wanted: EffectClass| told.effects.contains(&wanted);
    let mut hidden = places.hidden();
    let changes = has(EffectClass::Create) || has(EffectClass::Overwrite) || has(EffectClass::Delete);
    let mut grants = Vec::new();
    let targets: Vec<&String> = told.targets.iter().filter(|target| target.starts_with('/')).collect();
    if changes && targets.is_empty() {
        return full_power(text, places);
    }
    if changes || has(EffectClass::Send) {
        for target in &targets {
            grants.extend(change(&canonical(known_part(target)), places));
        }
    }
    if writes == Writes::Folder {
        grants.extend(below(&canonical(&places.working_directory), places));
    }
    // What the person agreed to read is no longer hidden; artoo's own folder is, whatever was said.
    hidden.retain(|secret| {
        places.in_data_dir(secret)
            || !targets.iter().any(|target| {
                let real = canonical(target);
                [target.as_str(), real.as_str()]
                    .iter()
                    .any(|form| is_below(form, secret) || is_below(secret, form))
            })
    });
    grants.sort();
    grants.dedup();
    let modes = told.classes.iter().any(|class| sets_modes(class));
    Confinement::Confined(Bounds { hidden, grants, network: has(EffectClass::Send), modes })
}

/// Whether a program may need to set modes, owners or times.
fn sets_modes(class: &str) -> bool {
    let name = class.strip_prefix("shell:").unwrap_or(class);
    let is_writer = CONFINABLE.iter().any(|(_, names)| names.contains(&name));
    !LEAVES_MODES.contains(&name) && (is_writer || !gate::is_harmless(name))
}

/// What a person should know before agreeing: what the command could do then, one sentence.
pub(crate) fn told(confinement: &Confinement) -> String {
    match confinement {
        Confinement::FullPower | Confinement::Guarded(_) => {
            "it would run with your full power: every file that you can change, and the network".to_owned()
        }
        Confinement::Confined(bounds) => {
            let network = if bounds.network { "the network is on" } else { "the network is off" };
            let places: Vec<String> = bounds.grants.iter().filter_map(named).take(MAX_NAMED).collect();
            let more = bounds.grants.len().saturating_sub(MAX_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            match places.as_slice() {
                [] if !bounds.modes => {
                    format!("it would run confined: it can change nothing, and {network}")
                }
                [] => format!("it would run confined: it can change {MODES} and nothing else, and {network}"),
                _ => {
                    let modes = if bounds.modes { format!(", {MODES}") } else { String::new() };
                    format!(
                        "it would run confined: it can change {}{more}{modes} and nothing else, and {network}",
                        places.join(", ")
                    )
                }
            }
        }
    }
}

/// Places that are named in the sentence.
const MAX_NAMED: usize = 6;
/// What cannot be bounded to places.
const MODES: &str = "modes and times of your files";

fn named(grant: &Grant) -> Option<String> {
    match grant {
        Grant::New(path)
        | Grant::NewFolder(path)
        | Grant::OwnFolder(path)
        | Grant::Symlink { path, .. }
        | Grant::HardLink { path, .. }
        | Grant::Content(path)
        | Grant::Index(path) => Some(path.clone()),
        Grant::Below(path) => Some(format!("what is in {path}")),
        Grant::Names(path) => Some(format!("the names in {path}")),
    }
}

fn grant_of(kind: &Making, path: &str) -> Grant {
    let path = path.to_owned();
    match kind {
        Making::File => Grant::New(path),
        Making::Folder => Grant::NewFolder(path),
        Making::OwnFolder => Grant::OwnFolder(path),
        Making::Symlink(text) => Grant::Symlink { path, text: text.clone() },
        Making::HardLink(of) => Grant::HardLink { path, of: of.clone() },
        Making::Index => Grant::Index(path),
    }
}

/// Where the programs of a confirmed command write; none when that is not known of one of them, or of an effect.
fn writes(told: &Explanation) -> Option<Writes> {
    let is_bounded = told.effects.iter().all(|effect| match effect {
        EffectClass::Read
        | EffectClass::Create
        | EffectClass::Overwrite
        | EffectClass::Delete
        | EffectClass::Send => true,
        EffectClass::System | EffectClass::Unknown => false,
    });
    // Devices are granted by name, and only those that keep nothing.
    let is_device = told.targets.iter().any(|target| target.starts_with("/dev/") && target != "/dev/null");
    if !is_bounded || told.effects.is_empty() || is_device {
        return None;
    }
    let mut writes = Writes::Operands;
    for class in &told.classes {
        let name = class.strip_prefix("shell:")?;
        match CONFINABLE.iter().find(|(_, names)| names.contains(&name)) {
            Some((Writes::Folder, _)) => writes = Writes::Folder,
            Some((Writes::Operands, _)) => {}
            None if gate::is_harmless(name) => {}
            None => return None,
        }
    }
    Some(writes)
}

/// Without what would be more than the user, the data folder at least stays unread, unless new files beside it were then
/// unreadable where the command works.
fn full_power(text: &str, places: &Places) -> Confinement {
    let escalates = text
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .any(|word| ESCALATING.contains(&word));
    let folder = canonical(&places.working_directory);
    let data = own(places);
    let works_beside = data.iter().any(|data| is_below(data, &folder) || is_below(data, &places.workspace));
    if escalates || works_beside || !cfg!(any(target_os = "linux", target_os = "macos")) {
        Confinement::FullPower
    } else {
        Confinement::Guarded(data)
    }
}

/// What a program may do that is the operator's own choice and no command, such as an MCP server: everything but reading
/// artoo's own folder. It may work beside that; what is made there after its start it cannot read on Linux.
pub(crate) fn all_but_own(places: &Places) -> Confinement {
    if cfg!(any(target_os = "linux", target_os = "macos")) {
        Confinement::Guarded(own(places))
    } else {
        Confinement::FullPower
    }
}

/// artoo's own folder, in every spelling.
fn own(places: &Places) -> Vec<String> {
    places.hidden().into_iter().filter(|path| places.in_data_dir(path)).collect()
}

/// The path up to the first part that is a pattern.
fn known_part(path: &str) -> &str {
    if Path::new(path).symlink_metadata().is_ok() {
        return path;
    }
    match path.find(['*', '?', '[', '{', '$']) {
        Some(at) => parent(&path[..at]),
        None => path,
    }
}

/// What is needed to change, replace or remove what is at this path.
fn change(path: &str, places: &Places) -> Vec<Grant> {
    let beside = |path: &str| {
        let folder = existing_folder(parent(path));
        if is_open(folder, places) {
            Grant::Below(folder.to_owned())
        } else {
            Grant::Names(folder.to_owned())
        }
    };
    if places.in_data_dir(path) || path == "/" {
        return Vec::new();
    }
    match Path::new(path).symlink_metadata() {
        Ok(meta) if meta.is_dir() => {
            let mut grants = below(path, places);
            grants.push(Grant::Names(parent(path).to_owned()));
            grants
        }
        Ok(_) if places.runs_later(path) => vec![Grant::Names(parent(path).to_owned())],
        Ok(_) => vec![Grant::Content(path.to_owned()), beside(path)],
        Err(_) => vec![beside(path)],
    }
}

/// Everything below a folder, unless something lies there that no command may write.
fn below(folder: &str, places: &Places) -> Vec<Grant> {
    if is_open(folder, places) { vec![Grant::Below(folder.to_owned())] } else { Vec::new() }
}

/// Whether a folder holds nothing that must not be written. Where something does run later below a folder that is deep
/// down in it, a confirmed command can reach it; those at its top are looked for.
fn is_open(folder: &str, places: &Places) -> bool {
    !places.in_data_dir(folder) && !places.runs_later(folder) && !places.covers_guarded(folder)
}

fn existing_folder(mut path: &str) -> &str {
    // Each round is one part shorter.
    while path != "/" && !Path::new(path).is_dir() {
        path = parent(path);
    }
    path
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(at) => &path[..at],
    }
}

#[cfg(test)]
mod tests;
