//! What is at the paths that a request names, and what is called alike where nothing is.

use std::path::Path;
use std::time::{Duration, Instant};

use artoo_gate::paths::PathRules;
use artoo_types::limits::ASKED_PATHS;
use artoo_types::situation::{AskedPath, FileHead, PathKind, UnreadText};
use ignore::WalkBuilder;

use super::{beginning, first_bytes, plain};
use crate::files::content::{SNIFFED_BYTES, binary};

/// Characters of a text that rules are shown: the header of a table, the keys of a small file of settings.
const HEAD_CHARS: usize = 2_000;
/// Names that are told where nothing is.
const MAX_NEAR: usize = 3;
/// Names that are compared in one folder.
const MAX_NAMES: usize = 2_000;
/// How the name of a table ends.
const TABLE: &str = ".csv";
/// Entries that are looked at for the same name elsewhere.
const MAX_VISITED: usize = 4_000;
/// Levels below the working folder and the home folder.
const MAX_LEVELS: usize = 3;
/// How long the search for the same name may take.
const SEARCH: Duration = Duration::from_millis(700);

/// What is at each of the paths.
pub(super) fn look_at(here: &str, places: &PathRules, paths: &[String]) -> Vec<AskedPath> {
    let paths = paths.iter().filter(|path| !places.is_secret(path)).take(ASKED_PATHS);
    paths.map(|path| one(here, places, path)).collect()
}

fn one(here: &str, places: &PathRules, path: &str) -> AskedPath {
    let (mut kind, mut head, mut is_whole, mut near) = (PathKind::Missing, String::new(), false, Vec::new());
    let (mut unread, mut others) = (None, Vec::new());
    // A link that leads nowhere is there all the same: what reads it says what is wrong.
    match std::fs::metadata(path).or_else(|_| std::fs::symlink_metadata(path)) {
        Ok(about) if about.is_dir() => kind = PathKind::Folder,
        Ok(about) => {
            kind = PathKind::File;
            unread = first_bytes(path, places, SNIFFED_BYTES).and_then(|start| unread_text(&start));
            if let Some(text) = beginning(path, places, HEAD_CHARS) {
                head = text.chars().take(HEAD_CHARS).collect();
                is_whole = head == text && about.len() <= text.len() as u64;
            }
            if path.to_lowercase().ends_with(TABLE) {
                others = tables_elsewhere(here, places, path);
            }
        }
        // What may not be looked at is not said to be missing.
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => kind = PathKind::File,
        Err(_) => {
            near = names_near(here, places, path);
            others = tables(places, near.clone());
        }
    }
    AskedPath { path: path.to_owned(), kind, head, is_whole, unread, near, others }
}

/// How tables of the same name begin that lie elsewhere.
fn tables_elsewhere(here: &str, places: &PathRules, path: &str) -> Vec<FileHead> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let roots = [here, places.home.as_str()];
    let mut found: Vec<String> =
        roots.into_iter().flat_map(|root| elsewhere(root, places, name, path)).collect();
    found.sort();
    found.dedup();
    tables(places, found)
}

/// How the tables among these files begin.
fn tables(places: &PathRules, paths: Vec<String>) -> Vec<FileHead> {
    let head = |path: String| {
        let text = beginning(&path, places, HEAD_CHARS)?;
        Some(FileHead { text: text.chars().take(HEAD_CHARS).collect(), path })
    };
    let tables = paths.into_iter().filter(|path| path.to_lowercase().ends_with(TABLE));
    tables.take(MAX_NEAR).filter_map(head).collect()
}

/// What stands against reading as text what begins like this.
fn unread_text(start: &[u8]) -> Option<UnreadText> {
    if let Some(kind) = binary(start) {
        return Some(match kind.name.strip_suffix(" text") {
            Some(encoding) => UnreadText::Encoding(encoding.to_owned()),
            None => UnreadText::Binary(kind.name.to_owned()),
        });
    }
    // What was cut in the middle of a character is UTF-8 all the same.
    let is_cut = start.len() == SNIFFED_BYTES;
    let error = std::str::from_utf8(start).err()?;
    if is_cut && error.error_len().is_none() {
        return None;
    }
    let end = if is_cut { start.len() - 1 } else { start.len() };
    let fits = |encoding: &'static encoding_rs::Encoding, bytes: &[u8]| {
        encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
    };
    let is_gbk = fits(encoding_rs::GBK, start) || fits(encoding_rs::GBK, &start[..end]);
    Some(UnreadText::Encoding(if is_gbk { "GBK" } else { "ISO-8859-1" }.to_owned()))
}

/// Names like the last part of the path in its folder, then the same name elsewhere.
fn names_near(here: &str, places: &PathRules, path: &str) -> Vec<String> {
    let Some((folder, name)) = path.rsplit_once('/') else { return Vec::new() };
    let wanted = name.to_lowercase();
    let listed = std::fs::read_dir(if folder.is_empty() { "/" } else { folder });
    let names = listed.into_iter().flatten().flatten().take(MAX_NAMES);
    let mut alike: Vec<(usize, String)> = names
        .filter_map(|entry| {
            let found = entry.file_name().into_string().ok()?;
            let distance = distance(&wanted, &found.to_lowercase())?;
            let full = format!("{folder}/{found}");
            (!found.starts_with('.') && plain(&full) == full && !places.is_secret(&full))
                .then_some((distance, full))
        })
        .collect();
    alike.sort();
    let mut near: Vec<String> = alike.into_iter().map(|(_, path)| path).collect();
    for root in [here, places.home.as_str()] {
        if near.len() < MAX_NEAR {
            near.extend(elsewhere(root, places, name, path));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    near.retain(|path| seen.insert(path.clone()));
    near.truncate(MAX_NEAR);
    near
}

/// How far two names are apart, if they may be meant for each other: two letters, one in a short name, or the same stem.
fn distance(wanted: &str, found: &str) -> Option<usize> {
    let (stem, ending) = wanted.rsplit_once('.').unwrap_or((wanted, ""));
    let (other, other_ending) = found.rsplit_once('.').unwrap_or((found, ""));
    if ending != other_ending {
        return (stem == other).then_some(3);
    }
    let apart = strsim::osa_distance(stem, other);
    (apart <= if stem.chars().count() < 5 { 1 } else { 2 }).then_some(apart)
}

fn elsewhere(root: &str, places: &PathRules, name: &str, path: &str) -> Vec<String> {
    let rules = places.clone();
    let walker = WalkBuilder::new(root)
        .max_depth(Some(MAX_LEVELS))
        .follow_links(false)
        .hidden(true)
        .parents(false)
        .sort_by_file_path(|a, b| a.cmp(b))
        .filter_entry(move |entry| entry.depth() == 0 || !rules.is_secret(&entry.path().to_string_lossy()))
        .build();
    let until = Instant::now() + SEARCH;
    let found = walker.flatten().take(MAX_VISITED).take_while(|_| Instant::now() < until);
    found
        .filter(|entry| entry.depth() > 0 && entry.file_name().to_str() == Some(name))
        .filter(|entry| entry.path() != Path::new(path))
        .filter_map(|entry| entry.path().to_str().map(str::to_owned))
        .filter(|found| plain(found) == *found)
        .take(MAX_NEAR)
        .collect()
}

#[cfg(test)]
mod tests {
    use artoo_types::situation::{AskedPath, PathKind};

    use crate::bench::Bench;

    fn look(bench: &Bench, name: &str) -> AskedPath {
        let places = &bench.work.places;
        super::look_at(&places.working_directory, places, &[bench.path(name)]).remove(0)
    }

    #[test]
    fn a_text_is_told_with_its_beginning_and_a_folder_as_one() {
        let bench = Bench::new();
        bench.put("sales.csv", "region,units\nnorth,3\n");
        bench.put("long.txt", "x".repeat(9_000));
        bench.put("sub/x.py", "1\n");
        let table = look(&bench, "sales.csv");
        assert_eq!((table.kind, table.is_whole), (PathKind::File, true));
        assert_eq!(table.head, "region,units\nnorth,3\n");
        let long = look(&bench, "long.txt");
        assert_eq!((long.head.len(), long.is_whole), (2_000, false));
        assert_eq!(look(&bench, "sub").kind, PathKind::Folder);
    }

    #[test]
    fn tables_of_the_same_name_are_told_with_their_beginnings() {
        let bench = Bench::new();
        bench.put("one/sales.csv", "name\n");
        bench.put("two/sales.csv", "price\n3\n");
        let table = look(&bench, "one/sales.csv");
        let others: Vec<(&str, &str)> =
            table.others.iter().map(|other| (other.path.as_str(), other.text.as_str())).collect();
        assert_eq!(others, [(bench.path("two/sales.csv").as_str(), "price\n3\n")]);
        bench.put("two/a.txt", "1\n");
        bench.put("one/a.txt", "2\n");
        assert!(look(&bench, "one/a.txt").others.is_empty(), "no other file is looked for");
    }

    #[test]
    fn what_is_no_text_of_utf_8_is_said_to_be_none() {
        use artoo_types::situation::UnreadText::{Binary, Encoding};
        let bench = Bench::new();
        let gbk = encoding_rs::GBK.encode("今天开会，买牛奶").0.into_owned();
        bench.put("gbk.txt", &gbk);
        bench.put("long.txt", gbk.repeat(1_000));
        bench.put("latin.txt", b"caf\xe9\n");
        bench.put("zeros.bin", [0_u8; 20]);
        bench.put("picture.png", b"\x89PNG\r\n\x1a\n\0\0");
        bench.put("utf8.txt", "今天开会".repeat(2_000));
        let unread = |name: &str| look(&bench, name).unread;
        assert_eq!(unread("gbk.txt"), Some(Encoding("GBK".to_owned())));
        assert_eq!(unread("long.txt"), Some(Encoding("GBK".to_owned())));
        assert_eq!(unread("latin.txt"), Some(Encoding("ISO-8859-1".to_owned())));
        assert_eq!(unread("zeros.bin"), Some(Binary("of no known kind".to_owned())));
        assert_eq!(unread("picture.png"), Some(Binary("a PNG image".to_owned())));
        assert_eq!(unread("utf8.txt"), None);
    }

    #[test]
    fn what_is_missing_comes_with_names_like_it_and_the_same_name_elsewhere() {
        let bench = Bench::new();
        bench.put("notes.txt", "x\n");
        bench.put("deep/er/nope.txt", "x\n");
        let typo = look(&bench, "notse.txt");
        assert_eq!((typo.kind, typo.near), (PathKind::Missing, vec![bench.path("notes.txt")]));
        assert_eq!(look(&bench, "nope.txt").near, [bench.path("deep/er/nope.txt")]);
        assert!(look(&bench, "quite-another.txt").near.is_empty());
    }
}
