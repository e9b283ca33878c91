//! Files that hold secrets by their name, and homes of other people.

use std::collections::{BTreeMap, VecDeque};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use artoo_types::secret_places::SECRET_IN_HOME;
use artoo_types::target::is_below;

use super::links::LinkResolver;
use super::tables::{
    DATA_ENDINGS, ENV_SAMPLES, HOMES, PUBLIC_KEYS, SECRET_ENDINGS, SECRET_NAMES, SECRET_STEMS, SYSTEM_HOMES,
};

/// Other homes that are looked at. More than these share no machine that a person's agent runs on.
const MAX_HOMES: usize = 32;
/// Entries at and below the places of secrets that are looked at for other names, and levels: what lies near comes first, for
/// browsers keep much, and some ten milliseconds are enough for a question that few files need.
const MAX_LOOKED: usize = 4_000;
const MAX_LEVELS: usize = 4;

/// Whether a file of this name holds secrets, wherever it lies. The path is in lower case.
pub(super) fn is_secret_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    // `.env.production` and `production.env`.
    let of_environment = name
        .strip_prefix(".env.")
        .or_else(|| name.strip_suffix(".env"))
        .is_some_and(|what| !ENV_SAMPLES.contains(&what) && !what.is_empty());
    let of_stem = SECRET_STEMS.iter().any(|stem| {
        let ending = name.strip_prefix(stem);
        ending.is_some_and(|rest| DATA_ENDINGS.contains(&rest.strip_prefix('.').unwrap_or(rest)))
    });
    let is_key = SECRET_ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending));
    let is_public = || PUBLIC_KEYS.iter().any(|folder| is_below(path, folder));
    SECRET_NAMES.contains(&name) || of_environment || of_stem || is_key && !is_public()
}

/// Whether this pattern of file names, or name, is about files that hold secrets by their name: it matches one of them, and
/// nothing plain of the same kind. `*` and `*.json` are about anything.
pub(crate) fn is_secret_pattern(pattern: &str) -> bool {
    let pattern = pattern.to_lowercase();
    let name = pattern.rsplit('/').next().unwrap_or_default();
    if !name.contains(['*', '?', '[', '{']) {
        return is_secret_name(name);
    }
    // `k*` is about anything that begins so.
    let told = name.chars().filter(|c| !"*?[]{}".contains(*c)).count();
    if told < if name.starts_with('.') { 2 } else { 3 } {
        return false;
    }
    let Ok(glob) = GlobBuilder::new(name).build() else { return false };
    let glob = glob.compile_matcher();
    let names = SECRET_NAMES.iter().map(|name| (*name).to_owned());
    let stems =
        SECRET_STEMS.iter().flat_map(|stem| ["", ".json", ".yml", ".txt"].map(|end| format!("{stem}{end}")));
    let environments = [".env.local".to_owned(), ".env.production".to_owned()];
    let is_plain = |name: &str| {
        let ending =
            name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, ending)| ending);
        let plain = if ending.is_empty() { "readme".to_owned() } else { format!("readme.{ending}") };
        [plain.as_str(), "readme", ".gitignore"].iter().any(|plain| glob.is_match(plain))
    };
    let mut named = names.chain(stems).chain(environments);
    let keys = SECRET_ENDINGS.iter().map(|ending| format!("server{ending}"));
    named.any(|name| glob.is_match(&name) && !is_plain(&name))
        || keys.into_iter().any(|name| glob.is_match(&name) && !is_plain("readme"))
}

/// Files with several names (hard links), by device and number, and one of their paths.
pub(super) type LinkedSecrets = BTreeMap<(u64, u64), String>;

/// The files with several names at and below these places, as far as so many entries and levels tell.
pub(super) fn linked(places: &[String]) -> LinkedSecrets {
    let mut found = LinkedSecrets::new();
    let mut waiting: VecDeque<(PathBuf, usize)> =
        places.iter().map(|place| (PathBuf::from(place), 0)).collect();
    let mut looked = 0;
    while let Some((path, level)) = waiting.pop_front() {
        let Ok(meta) = path.symlink_metadata() else { continue };
        looked += 1;
        if looked > MAX_LOOKED {
            break;
        }
        if meta.is_dir() && level < MAX_LEVELS {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| (entry.path(), level + 1)));
        } else if meta.is_file() && meta.nlink() > 1 {
            found.insert((meta.dev(), meta.ino()), path.to_string_lossy().into_owned());
        }
    }
    found
}

/// Where in somebody's home this path lies, if it does. The path is in lower case.
pub(super) fn place_at_home(path: &str) -> Option<&str> {
    let of_person = |folder: &&str| path.strip_prefix(*folder)?.strip_prefix('/')?.split_once('/');
    let of_system = |home: &&str| path.strip_prefix(*home)?.strip_prefix('/');
    HOMES.iter().find_map(of_person).map(|(_, rest)| rest).or_else(|| SYSTEM_HOMES.iter().find_map(of_system))
}

/// The places that hold secrets in homes other than these, as far as they are there and can be seen.
pub(super) fn in_other_homes(own: &[String], links: &mut LinkResolver) -> Vec<String> {
    let people = HOMES.iter().filter_map(|folder| Path::new(folder).read_dir().ok()).flatten().flatten();
    let people = people.take(MAX_HOMES).map(|entry| entry.path().to_string_lossy().into_owned());
    let homes = SYSTEM_HOMES.iter().map(|home| (*home).to_owned()).chain(people);
    homes
        .filter(|home| !own.contains(home))
        .flat_map(|home| SECRET_IN_HOME.iter().map(move |place| format!("{home}/{place}")))
        .filter(|place| links.is_entry(place))
        .collect()
}
