//! From what the gate says of a command to what the command may do.
//!
//! What is confined neither reads artoo's folder nor changes it. A confirmed full power can change it, and reads it only where it
//! works beside it or becomes another user. The program of an MCP server cannot read it either.

use std::path::Path;

use artoo_types::evidence::EffectClass;

use super::{Bounds, Confinement, Grant, ModeRights};
use artoo_gate::paths::{PathRules, canonical, canonical_entry};
use artoo_gate::{
    self as gate, CommandBox, CreationKind, Decision, Explanation, NewNames, Program, SandboxNeeds,
};
use artoo_types::target::is_below;

mod sentence;

pub use sentence::told;

/// What programs have to be able to do with what they are told to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Needs {
    /// To write into it, and to make it where it is missing.
    writing: bool,
    /// To make new names beside it or in it.
    making: bool,
    /// To put one name in the place of another.
    replacing: bool,
    /// To take its name away.
    removing: bool,
    /// To take away what is in it.
    clearing: bool,
    /// To write into the folder that the command runs in, under names that are not told.
    folder: bool,
}

const NOTHING: Needs = Needs {
    writing: false,
    making: false,
    replacing: false,
    removing: false,
    clearing: false,
    folder: false,
};

/// What a command may do that runs unasked.
pub fn unasked(told: &Explanation, places: &PathRules) -> Confinement {
    let grants = each_once(told.creates.iter().map(|new| grant_of(&new.kind, &new.path)).collect());
    let shows_processes =
        told.decision == Decision::Safe && told.classes.iter().any(|class| class == SHOWS_PROCESSES);
    Confinement::Confined(Bounds { grants, shows_processes, ..Bounds::reading(places.hidden().to_vec()) })
}

/// What a command may do that is safe and reads what is known only when it runs, where the system can keep that to the folders
/// that it works in: what it reads then is nothing private. None where it names more itself, and on systems that cannot.
pub fn kept_to_folders(told: &Explanation, places: &PathRules) -> Option<Confinement> {
    let is_unclear = told.brings.private && !told.brought.private;
    if !is_unclear || !cfg!(target_os = "linux") {
        return None;
    }
    let own = [&places.working_directory, &places.workspace].map(|folder| canonical(folder));
    let is_home = own.iter().any(|folder| is_below(&canonical(&places.home), folder));
    if is_home {
        return None;
    }
    let Confinement::Confined(bounds) = unasked(told, places) else { return None };
    let reads = own.into_iter().chain(PROGRAMS.iter().map(|place| (*place).to_owned())).collect();
    Some(Confinement::Confined(Bounds { reads, ..bounds }))
}

/// The class of the program that shows processes, of which the gate allows no option that shows their environments.
const SHOWS_PROCESSES: &str = "shell:ps";

/// Where the programs of a system lie, with what they need to start and to show things.
const PROGRAMS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix",
    "/gnu",
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/self",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
];

/// What a command may do that runs unasked in this box.
pub fn boxed(text: &str, told: &Explanation, kind: &CommandBox, places: &PathRules) -> Confinement {
    let mut hidden = places.hidden().to_vec();
    let mut grants = Vec::new();
    let names_downloads = |downloads: &String| {
        is_below(&canonical(&places.working_directory), downloads)
            || told.targets.iter().any(|target| is_below(&canonical(target), downloads))
    };
    // What strangers sent is read only where somebody speaks of it, so that the task knows.
    hidden.extend(places.downloads().into_iter().filter(|downloads| !names_downloads(downloads)));
    let is_outside = |path: &String| match kind {
        CommandBox::Reading => true,
        CommandBox::Project(root) => !is_below(path, root),
    };
    for new in told.creates.iter().filter(|new| is_outside(&new.path)) {
        grants.push(grant_of(&new.kind, &new.path));
        // What a program puts into a folder that its command makes is as new as that.
        let is_folder = matches!(new.kind, CreationKind::Folder | CreationKind::OwnFolder);
        let is_hidden = new.path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        grants.extend(below(&new.path, places).filter(|_| is_folder && !is_hidden));
    }
    if let CommandBox::Project(root) = kind {
        grants.push(Grant::Below(root.clone()));
    }
    // Programs that are understood set modes only of what they are told to change.
    let is_understood = !told.effects.contains(&EffectClass::Unknown) && needs(text, told).is_some();
    let is_told = is_understood && told.classes.iter().any(|class| sets_modes(class, text));
    let modes = if is_told { ModeRights::All } else { ModeRights::OfGrants };
    Confinement::Confined(Bounds { grants: each_once(grants), modes, ..Bounds::reading(hidden) })
}

/// The right to write this one place, links resolved: a file, or all below a folder; None where something lies there that no
/// command may write, or nothing is.
pub fn writing(path: &str, places: &PathRules) -> Option<Grant> {
    match Path::new(path).symlink_metadata() {
        Ok(meta) if meta.is_dir() => below(path, places),
        Ok(meta) if meta.is_file() && is_open(path, places) => Some(Grant::Content(path.to_owned())),
        Ok(_) => None,
        Err(_) => below(existing_folder(parent(path)), places),
    }
}

/// What a command may do that a person agreed to: the one capability that it was asked about, as far as that can be told
/// and bounded; otherwise whatever the user can.
pub fn agreed(text: &str, told: &Explanation, places: &PathRules) -> Confinement {
    if told.decision == Decision::Safe {
        return unasked(told, places);
    }
    let bounds = needs(text, told).and_then(|needs| bounded(needs, text, told, places));
    bounds.map_or_else(|| full_power(text, places), Confinement::Confined)
}

/// The bounds within which these needs are met; `None` if such bounds would let something be changed that nobody spoke of
/// and that no command may change: artoo's own folder, or what runs later.
fn bounded(needs: Needs, text: &str, told: &Explanation, places: &PathRules) -> Option<Bounds> {
    let has = |wanted: EffectClass| told.effects.contains(&wanted);
    let changes = has(EffectClass::Create) || has(EffectClass::Overwrite) || has(EffectClass::Delete);
    let targets: Vec<&String> = told.targets.iter().filter(|target| target.starts_with('/')).collect();
    if changes && targets.is_empty() {
        return None;
    }
    let mut grants = made(told);
    if changes || has(EffectClass::Send) {
        let made: Vec<String> = told.creates.iter().map(|new| new.path.clone()).collect();
        let is_all_told = told.changes.is_some() && !needs.removing && !needs.replacing;
        let is_granted = is_all_told && grants.len() == made.len();
        let changed =
            told.changes.as_ref().map_or_else(|| targets.clone(), |changes| changes.iter().collect());
        for path in changed.into_iter().map(|path| known_part(path)) {
            let (place, leads_to) = (canonical_entry(path), canonical(path));
            if is_granted && made.contains(&place) {
                continue;
            }
            if place == leads_to {
                grants.extend(change(&place, needs, places)?);
            } else {
                // What is written through a link is elsewhere than the link, whose name may be taken away.
                grants.extend(change(&place, Needs { writing: false, ..needs }, places)?);
                grants.extend(change(&leads_to, Needs { writing: needs.writing, ..NOTHING }, places)?);
            }
        }
    }
    if needs.folder {
        grants.push(below(&canonical(&places.working_directory), places)?);
    }
    // What the person agreed to read is no longer hidden; artoo's own folder is, whatever was said.
    let mut hidden = places.hidden().to_vec();
    hidden.retain(|secret| {
        places.in_data_dir(secret)
            || !targets.iter().any(|target| {
                let real = canonical(target);
                [target.as_str(), real.as_str()]
                    .iter()
                    .any(|form| is_below(form, secret) || is_below(secret, form))
            })
    });
    let is_told = told.classes.iter().any(|class| sets_modes(class, text));
    let modes = if is_told { ModeRights::All } else { ModeRights::Nothing };
    Some(Bounds {
        grants: each_once(grants),
        network: has(EffectClass::Send),
        modes,
        ..Bounds::reading(hidden)
    })
}

/// The new entries that are made before a confirmed command starts. None where another of its programs makes folders or
/// links too, which must not believe that it does.
fn made(told: &Explanation) -> Vec<Grant> {
    let leaves_folders = |class: &String| match sandbox_needs(class) {
        SandboxNeeds::Files(needs) => needs.beside_new_folder,
        SandboxNeeds::Nothing | SandboxNeeds::Unbounded | SandboxNeeds::Escalation => true,
    };
    let fits = told.creates.iter().all(|new| match new.kind {
        CreationKind::File | CreationKind::Folder | CreationKind::Index => true,
        CreationKind::OwnFolder => told.classes.iter().all(leaves_folders),
        CreationKind::Symlink(_) | CreationKind::HardLink(_) => told.classes.len() == 1,
    });
    if fits { told.creates.iter().map(|new| grant_of(&new.kind, &new.path)).collect() } else { Vec::new() }
}

/// Whether the programs of a command that are understood need no more than to write into files: they take no name away and put
/// none in the place of another, which cannot be given for some files of a folder alone.
pub fn keeps_names(text: &str, told: &Explanation) -> bool {
    let keeps = |class: &String| match sandbox_needs(class) {
        SandboxNeeds::Files(needs) if needs.apply_to(text) => {
            !(needs.replacing || needs.removing || needs.folder) && needs.making != NewNames::Yes
        }
        SandboxNeeds::Files(_)
        | SandboxNeeds::Nothing
        | SandboxNeeds::Unbounded
        | SandboxNeeds::Escalation => true,
    };
    !told.effects.contains(&EffectClass::Delete) && told.classes.iter().all(keeps)
}

/// What the program of a class needs.
fn sandbox_needs(class: &str) -> SandboxNeeds {
    let program = gate::program(class.strip_prefix("shell:").unwrap_or(class));
    program.map_or(SandboxNeeds::Unbounded, Program::sandbox)
}

/// In their order, because a folder may be that of the next.
fn each_once(mut grants: Vec<Grant>) -> Vec<Grant> {
    let mut seen = std::collections::BTreeSet::new();
    grants.retain(|grant| seen.insert(grant.clone()));
    grants
}

/// Whether a program may need to set modes, owners or times.
fn sets_modes(class: &str, text: &str) -> bool {
    match sandbox_needs(class) {
        SandboxNeeds::Nothing => false,
        SandboxNeeds::Files(needs) => needs.modes && needs.apply_to(text),
        SandboxNeeds::Unbounded | SandboxNeeds::Escalation => true,
    }
}

fn grant_of(kind: &CreationKind, path: &str) -> Grant {
    let path = path.to_owned();
    match kind {
        CreationKind::File => Grant::New(path),
        CreationKind::Folder => Grant::NewFolder(path),
        CreationKind::OwnFolder => Grant::OwnFolder(path),
        CreationKind::Symlink(text) => Grant::Symlink { path, text: text.clone() },
        CreationKind::HardLink(of) => Grant::HardLink { path, of: of.clone() },
        CreationKind::Index => Grant::Index(path),
    }
}

/// What the programs of a confirmed command need; `None` if that is not known of one of them, or of an effect.
fn needs(text: &str, told: &Explanation) -> Option<Needs> {
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
    let has = |wanted: EffectClass| told.effects.contains(&wanted);
    // What is redirected is written, whatever the program; changing modes alone is not writing.
    let changes_modes = |class: &String| match sandbox_needs(class) {
        SandboxNeeds::Files(needs) => !needs.changes_content(),
        SandboxNeeds::Nothing | SandboxNeeds::Unbounded | SandboxNeeds::Escalation => false,
    };
    let only_modes = told.classes.len() == 1 && told.classes.iter().all(changes_modes);
    let is_written = (has(EffectClass::Create) || has(EffectClass::Overwrite)) && !only_modes;
    let mut needs = Needs { writing: is_written, ..NOTHING };
    for class in &told.classes {
        let theirs = match sandbox_needs(class) {
            SandboxNeeds::Files(theirs) if theirs.apply_to(text) => theirs,
            SandboxNeeds::Files(_) | SandboxNeeds::Nothing => continue,
            SandboxNeeds::Unbounded | SandboxNeeds::Escalation => return None,
        };
        needs.writing |= theirs.writing;
        needs.making |= match theirs.making {
            NewNames::No => false,
            NewNames::IfUnlisted => told.changes.is_none(),
            NewNames::Yes => true,
        };
        needs.replacing |= theirs.replacing;
        needs.removing |= theirs.removing;
        needs.folder |= theirs.folder;
    }
    // Harmless programs take away what is in a folder where their options say so.
    needs.clearing = has(EffectClass::Delete) && !needs.removing;
    Some(needs)
}

/// Without what would be more than the user, the data folder at least stays unread, unless new files beside it were then
/// unreadable where the command works.
fn full_power(text: &str, places: &PathRules) -> Confinement {
    let escalates = text
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .any(|word| gate::program(word).is_some_and(|row| row.sandbox() == SandboxNeeds::Escalation));
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
pub fn all_but_own(places: &PathRules) -> Confinement {
    if cfg!(any(target_os = "linux", target_os = "macos")) {
        Confinement::Guarded(own(places))
    } else {
        Confinement::FullPower
    }
}

/// artoo's own folder, in every spelling.
fn own(places: &PathRules) -> Vec<String> {
    places.hidden().iter().filter(|path| places.in_data_dir(path)).cloned().collect()
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

/// What is needed to do this with what is at this path; `None` if it cannot be bounded.
fn change(path: &str, needs: Needs, places: &PathRules) -> Option<Vec<Grant>> {
    if path == "/" {
        return None;
    }
    if places.in_data_dir(path) {
        return Some(Vec::new());
    }
    let mut grants = Vec::new();
    let beside = || below(existing_folder(parent(path)), places);
    match Path::new(path).symlink_metadata() {
        Ok(meta) if meta.is_dir() => {
            if needs.replacing {
                grants.push(beside()?);
            } else if needs.making || needs.writing && !needs.removing {
                grants.push(below(path, places)?);
            }
            if needs.removing {
                grants.push(removals(parent(path), places)?);
            }
            if needs.clearing {
                grants.push(removals(path, places)?);
            }
        }
        Ok(_) => {
            if needs.writing {
                grants.push(Grant::Content(path.to_owned()));
            }
            if needs.making || needs.replacing {
                grants.push(beside()?);
            }
            if needs.removing || needs.clearing {
                grants.push(removals(parent(path), places)?);
            }
        }
        // Nothing has to be removed where nothing is, unless the same command makes it.
        Err(_) if needs.removing && !needs.making && !needs.replacing => {
            grants.extend(removals(existing_folder(parent(path)), places));
        }
        Err(_) if needs.writing || needs.making || needs.replacing => grants.push(beside()?),
        Err(_) => {}
    }
    Some(grants)
}

/// Everything below a folder; `None` if something lies there that no command may write.
fn below(folder: &str, places: &PathRules) -> Option<Grant> {
    is_open(folder, places).then(|| Grant::Below(folder.to_owned()))
}

/// Removing everything below a folder: what runs later cannot be planted by that. None where artoo's own folder is there.
fn removals(folder: &str, places: &PathRules) -> Option<Grant> {
    (!places.holds_data_dir(folder)).then(|| Grant::Removals(folder.to_owned()))
}

/// Whether a folder holds nothing that must not be written. Where something does run later below a folder that is deep
/// down in it, a confirmed command can reach it; those at its top are looked for.
fn is_open(folder: &str, places: &PathRules) -> bool {
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
