//! What a question says of a confinement.

use crate::sandbox::{Confinement, Grant, ModeRights};

/// What a person should know before agreeing: what the command could do then, one sentence.
pub fn told(confinement: &Confinement) -> String {
    match confinement {
        Confinement::FullPower | Confinement::Guarded(_) => {
            "it would run with your full power: every file that you can change, and the network".to_owned()
        }
        Confinement::Confined(bounds) => {
            let network = if bounds.network { "the network is on" } else { "the network is off" };
            let (mut changed, mut removed) = (Vec::new(), Vec::new());
            bounds.grants.iter().for_each(|grant| named(grant, &mut changed, &mut removed));
            let modes = (bounds.modes == ModeRights::All).then(|| MODES.to_owned());
            let changed: Vec<String> = some_of(&changed).into_iter().chain(modes).collect();
            let mut acts = Vec::new();
            if !changed.is_empty() {
                acts.push(format!("change {}", changed.join(", ")));
            }
            acts.extend(some_of(&removed).map(|places| format!("remove everything below {places}")));
            let acts = if acts.is_empty() {
                "change nothing".to_owned()
            } else {
                format!("{} and nothing else", acts.join(", "))
            };
            format!("it would run confined: it can {acts}, and {network}")
        }
    }
}

/// PathRules that are named in the sentence.
const MAX_NAMED: usize = 6;
/// What cannot be bounded to places.
const MODES: &str = "modes and times of your files";

fn named(grant: &Grant, changed: &mut Vec<String>, removed: &mut Vec<String>) {
    match grant {
        Grant::New(path)
        | Grant::Offered(path)
        | Grant::NewFolder(path)
        | Grant::OwnFolder(path)
        | Grant::Symlink { path, .. }
        | Grant::HardLink { path, .. }
        | Grant::Content(path)
        | Grant::Index(path) => changed.push(path.clone()),
        Grant::Mode { path, mode } => changed.push(format!("the mode of {path} to {mode:04o}")),
        Grant::Below(path) => changed.push(format!("what is in {path}")),
        Grant::Removals(path) => removed.push(path.clone()),
    }
}

fn some_of(places: &[String]) -> Option<String> {
    let named = places.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match places.len().saturating_sub(MAX_NAMED) {
        _ if places.is_empty() => None,
        0 => Some(named),
        more => Some(format!("{named} and {more} more")),
    }
}
