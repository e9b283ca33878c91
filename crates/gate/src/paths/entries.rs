//! Which entries of a tree hold secrets, for a walk that asks this of every one.

use artoo_types::secret_places::SECRET_IN_HOME;

use super::PathRules;
use super::secrets::{is_secret_name, place_at_home};
use super::tables::SECRET_ANYWHERE;

/// The same answers as [`PathRules::is_secret`] for the entries of folders that are no secrets themselves. What depends on
/// the folder alone is looked up once for all entries that come one after the other.
#[derive(Debug)]
pub struct SecretEntries {
    places: PathRules,
    folder: String,
    may_hold_places: bool,
}

impl SecretEntries {
    /// By these rules.
    pub fn new(places: PathRules) -> Self {
        Self { places, folder: String::new(), may_hold_places: true }
    }

    /// Whether the entry of this folder holds secrets. The folder is one that [`PathRules::is_secret`] does not tell of.
    pub fn holds(&mut self, folder: &str, name: &str) -> bool {
        if folder != self.folder {
            folder.clone_into(&mut self.folder);
            self.may_hold_places = self.may_hold_places(&folder.to_lowercase());
        }
        if self.may_hold_places {
            return self.places.is_secret(&format!("{}/{name}", folder.trim_end_matches('/')));
        }
        let name = name.to_lowercase();
        // The folder of a name tells only of keys that are public.
        is_secret_name(&name) && is_secret_name(&format!("{}/{name}", self.folder.to_lowercase()))
    }

    /// Whether a place that holds secrets may lie right in this folder, which is in lower case. It may say so of too many.
    fn may_hold_places(&self, folder: &str) -> bool {
        let is_home = || {
            let inside = format!("{folder}/x");
            self.places.homes().iter().any(|home| home == folder) || place_at_home(&inside) == Some("x")
        };
        let parent = |place: &&str| place.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
        let holds =
            |parent: String| folder.strip_suffix(parent.as_str()).is_some_and(|rest| rest.ends_with('/'));
        let below_home =
            || SECRET_IN_HOME.iter().filter(|place| place.contains('/')).any(|p| holds(parent(p)));
        let anywhere = || SECRET_ANYWHERE.iter().any(|place| parent(place).to_lowercase() == folder);
        folder == "/"
            || folder.starts_with("/proc")
            || is_home()
            || below_home()
            || anywhere()
            || self.places.holds_ours(folder)
    }
}
