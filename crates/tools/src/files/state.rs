//! What is at a path, in a form that can be compared later: a plan that failed is tried again once that has changed.

use std::fs::{Metadata, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use artoo_gate::paths::{PathAccess, PathRules};
use artoo_types::memory::{InputState, PlanInput};
use artoo_types::target::is_below;
use ignore::WalkBuilder;
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};

/// Bytes of a file whose content is compared. Of a larger one size and time of change are: 256 paths with 256 KiB each are
/// read in a fraction of a second.
const MAX_CONTENT_BYTES: u64 = 256 << 10;
/// Entries of a folder with all that lies in it. What holds more can be told by nobody in time.
const MAX_ENTRIES: usize = 4_096;
/// Paths that are looked at in one go: ten entries of a memory's answer with three memories of four plans each name most of
/// them several times.
const MAX_PATHS: usize = 256;

/// What is now at each of these absolute paths, each named once. A path with a pattern stands for the folder before it.
pub(crate) fn states_of(paths: &[String], places: &PathRules) -> Vec<PlanInput> {
    let mut found: Vec<PlanInput> = Vec::new();
    for path in paths {
        let path = fixed_part(path);
        if found.len() < MAX_PATHS && found.iter().all(|known| known.path != path) {
            found.push(PlanInput { path: path.to_owned(), state: state_of(Path::new(path), places) });
        }
    }
    found
}

/// The path up to the first part with a wildcard.
fn fixed_part(path: &str) -> &str {
    match path.find(['*', '?', '[', '{']) {
        None => path,
        Some(wild) => match path[..wild].rfind('/') {
            None | Some(0) => "/",
            Some(end) => &path[..end],
        },
    }
}

fn state_of(path: &Path, places: &PathRules) -> InputState {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return InputState::Absent,
        Err(_) => return InputState::Unknown,
    };
    let digest = if meta.is_dir() {
        of_folder(path, places)
    } else if meta.is_file() && meta.len() <= MAX_CONTENT_BYTES && is_free(path, places) {
        of_content(path)
    } else {
        Some(Sha256::new().chain_update(written(&meta)))
    };
    digest.map_or(InputState::Unknown, |digest| InputState::Present(hex::encode(digest.finalize())))
}

/// Whether it may be read unasked: the content of what is private is not looked at again.
fn is_free(path: &Path, places: &PathRules) -> bool {
    places.opening(&path.to_string_lossy()) == PathAccess::Free
}

fn of_content(path: &Path) -> Option<Sha256> {
    // A pipe may have come in its place, which would wait for ever.
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let mut content = Vec::new();
    file.take(MAX_CONTENT_BYTES).read_to_end(&mut content).ok()?;
    Some(Sha256::new().chain_update(content))
}

/// Names, sizes and times of what lies in a folder. What artoo itself writes, and hidden entries, are no input of a plan:
/// caches, journals and version control change by themselves.
fn of_folder(folder: &Path, places: &PathRules) -> Option<Sha256> {
    let root = folder.to_string_lossy().into_owned();
    let own = [places.data_dir.clone(), places.workspace.clone()];
    let is_own = move |path: &str| own.iter().any(|own| is_below(path, own) && !is_below(&root, own));
    let walker = WalkBuilder::new(folder)
        .standard_filters(false)
        .hidden(true)
        .follow_links(false)
        .filter_entry(move |entry| !is_own(&entry.path().to_string_lossy()))
        .sort_by_file_name(Ord::cmp)
        .build();
    let mut digest = Sha256::new();
    for (count, entry) in walker.enumerate() {
        let entry = entry.ok().filter(|_| count <= MAX_ENTRIES)?;
        let meta = entry.path().symlink_metadata().ok()?;
        digest.update(entry.path().as_os_str().as_encoded_bytes());
        digest.update(if meta.is_dir() { "/".to_owned() } else { written(&meta) });
    }
    Some(digest)
}

fn written(meta: &Metadata) -> String {
    format!("\0{} {} {}\0", meta.size(), meta.mtime(), meta.mtime_nsec())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn places(folder: &str) -> PathRules {
        PathRules {
            working_directory: folder.to_owned(),
            workspace: format!("{folder}/space"),
            home: folder.to_owned(),
            data_dir: format!("{folder}/data"),
            unasked: Default::default(),
            real: Default::default(),
        }
    }

    #[test]
    fn a_state_changes_with_what_is_there_and_with_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let root = folder.path().to_string_lossy().into_owned();
        let look = |name: &str| states_of(&[format!("{root}/{name}")], &places(&root)).remove(0).state;
        assert_eq!(look("a.txt"), InputState::Absent);
        fs::write(at("a.txt"), "one").unwrap();
        let first = look("a.txt");
        assert!(matches!(first, InputState::Present(_)), "{first:?}");
        // The same text again is the same input, whenever it was written.
        fs::write(at("a.txt"), "one").unwrap();
        assert_eq!(look("a.txt"), first);
        fs::write(at("a.txt"), "two").unwrap();
        assert_ne!(look("a.txt"), first);

        let listed = look("*.txt");
        assert_eq!(states_of(std::slice::from_ref(&root), &places(&root))[0].state, listed);
        for own in ["data", "space", ".cache"] {
            fs::create_dir(at(own)).unwrap();
            fs::write(at(own).join("x"), "x").unwrap();
        }
        assert_eq!(look("*.txt"), listed, "what artoo writes, and what is hidden");
        assert_ne!(look("space"), InputState::Absent, "the workspace itself can be looked at");
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("sub/b.txt"), "b").unwrap();
        assert_ne!(look("*.txt"), listed);
    }

    #[test]
    fn what_is_too_large_to_be_looked_through_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_string_lossy().into_owned();
        for name in 0..=MAX_ENTRIES {
            fs::write(folder.path().join(name.to_string()), "").unwrap();
        }
        assert_eq!(states_of(std::slice::from_ref(&root), &places(&root))[0].state, InputState::Unknown);
        let large = folder.path().join("large");
        fs::write(&large, vec![b'a'; (MAX_CONTENT_BYTES + 1) as usize]).unwrap();
        let state = states_of(&[large.to_string_lossy().into_owned()], &places(&root)).remove(0).state;
        assert!(matches!(state, InputState::Present(_)), "{state:?}");
    }

    #[test]
    fn a_path_is_looked_at_once() {
        let paths = ["/nowhere/a", "/nowhere/a", "/nowhere/*.md", "/nowhere/b*/c"].map(str::to_owned);
        let found: Vec<String> =
            states_of(&paths, &places("/w")).into_iter().map(|input| input.path).collect();
        assert_eq!(found, ["/nowhere/a", "/nowhere"]);
    }
}
