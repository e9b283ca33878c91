//! A model of a disk that loses power: what was synced is there; of what was not, any beginning may be there.
//!
//! A file keeps what it held at its last sync and a beginning of the writes since, in their order and without a hole. A
//! folder keeps the names of its last sync and a beginning of the changes since. Nothing else is promised by a file
//! system, and nothing else is assumed: not that a new file has its name when it was synced but its folder was not.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::record::{Call, Inode};
use artoo_testing::dice::Dice;

/// The disk as the calls so far have made it.
#[derive(Default)]
pub(crate) struct Disk {
    files: Vec<File>,
    /// The file that has this number now.
    by_inode: HashMap<Inode, usize>,
    names: BTreeMap<PathBuf, Node>,
    /// Names that a power loss leaves in any case.
    safe_names: BTreeMap<PathBuf, Node>,
    /// Changes of names since the last sync of their folder.
    unsafe_names: BTreeMap<PathBuf, Vec<Change>>,
    /// Folders that the program made itself, whatever became of them; all others were there before.
    made_once: BTreeSet<PathBuf>,
}

#[derive(Default)]
struct File {
    /// What a power loss leaves in any case.
    safe: Vec<u8>,
    /// What was done since the last sync.
    since: Vec<Edit>,
}

enum Edit {
    Write { offset: usize, bytes: Vec<u8> },
    SetLength(usize),
}

#[derive(Debug, Clone)]
enum Node {
    File(usize),
    Link(PathBuf),
    Folder,
}

enum Change {
    Set(PathBuf, Node),
    Rename(PathBuf, PathBuf, Node),
    Remove(PathBuf),
}

/// How much of what was not synced survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Luck {
    /// Nothing.
    None,
    /// Any beginning of each file and each folder.
    Some,
    /// Everything, as after a kill.
    All,
}

impl Disk {
    /// Carries out a call.
    pub(crate) fn apply(&mut self, call: &Call) {
        match call {
            Call::Create { inode, path } => {
                self.by_inode.insert(*inode, self.files.len());
                self.set(path, Node::File(self.files.len()));
                self.files.push(File::default());
            }
            Call::Write { inode, offset, bytes, .. } => {
                self.edit(*inode, Edit::Write { offset: *offset, bytes: bytes.clone() });
            }
            Call::SetLength { inode, length, .. } => self.edit(*inode, Edit::SetLength(*length)),
            Call::SyncFile { inode, .. } => {
                if let Some(file) = self.by_inode.get(inode).map(|index| &mut self.files[*index]) {
                    let since = std::mem::take(&mut file.since);
                    since.iter().for_each(|edit| edit.apply(&mut file.safe, usize::MAX));
                }
            }
            Call::SyncFolder { path } => {
                for change in self.unsafe_names.remove(path).unwrap_or_default() {
                    change.apply(&mut self.safe_names);
                }
            }
            Call::MakeFolder { path } => {
                self.made_once.insert(path.clone());
                self.set(path, Node::Folder);
            }
            Call::Link { path, target } => self.set(path, Node::Link(target.clone())),
            Call::Rename { from, to } => {
                if let Some(node) = self.names.remove(from) {
                    self.names.insert(to.clone(), node.clone());
                    self.change(to, Change::Rename(from.clone(), to.clone(), node));
                }
            }
            Call::Remove { path } => {
                if self.names.remove(path).is_some() {
                    self.change(path, Change::Remove(path.clone()));
                }
            }
        }
    }

    /// What is left below `folder` after a power loss now: files and links by their path.
    pub(crate) fn lose_power(&self, folder: &Path, luck: Luck, dice: &mut Dice) -> Left {
        let mut names = self.safe_names.clone();
        for changes in self.unsafe_names.values() {
            let kept = keep(changes.len(), luck, dice);
            changes[..kept].iter().for_each(|change| change.apply(&mut names));
        }
        // What lies in a folder that is not there cannot be reached.
        let is_reachable = |path: &Path| {
            path.ancestors().skip(1).all(|above| !self.made_once.contains(above) || names.contains_key(above))
        };
        let mut left = Left::default();
        for (path, node) in names.iter().filter(|(path, _)| path.starts_with(folder) && is_reachable(path)) {
            let place = path.strip_prefix(folder).expect("it is below the folder").to_owned();
            match node {
                Node::Folder => left.folders.push(place),
                Node::Link(target) => left.links.push((place, target.clone())),
                Node::File(index) => left.files.push((place, self.files[*index].left(luck, dice))),
            }
        }
        left
    }

    fn edit(&mut self, inode: Inode, edit: Edit) {
        if let Some(index) = self.by_inode.get(&inode) {
            self.files[*index].since.push(edit);
        }
    }

    fn set(&mut self, path: &Path, node: Node) {
        self.names.insert(path.to_owned(), node.clone());
        self.change(path, Change::Set(path.to_owned(), node));
    }

    fn change(&mut self, path: &Path, change: Change) {
        let folder = path.parent().expect("a recorded path has a folder").to_owned();
        self.unsafe_names.entry(folder).or_default().push(change);
    }
}

/// What a power loss has left of a folder.
#[derive(Debug, Default)]
pub(crate) struct Left {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
    pub(crate) files: Vec<(PathBuf, Vec<u8>)>,
}

impl Left {
    /// What is in one file.
    pub(crate) fn file(&self, place: &Path) -> Option<&[u8]> {
        self.files.iter().find(|(other, _)| other == place).map(|(_, bytes)| bytes.as_slice())
    }

    /// The files in one of its folders.
    pub(crate) fn below(&self, folder: &str) -> Self {
        let files = self
            .files
            .iter()
            .filter_map(|(place, bytes)| Some((place.strip_prefix(folder).ok()?.to_owned(), bytes.clone())));
        Self { files: files.collect(), ..Self::default() }
    }

    /// Puts it into a folder that is empty or not there.
    pub(crate) fn write(&self, folder: &Path) {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        let make = |place: &Path| {
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder.join(place));
            made.expect("a folder can be made");
        };
        make(Path::new(""));
        self.folders.iter().for_each(|place| make(place));
        for (place, target) in &self.links {
            std::os::unix::fs::symlink(target, folder.join(place)).expect("a link can be made");
        }
        for (place, bytes) in &self.files {
            let mut options = std::fs::OpenOptions::new();
            let file = options.write(true).create(true).truncate(true).mode(0o600).open(folder.join(place));
            std::io::Write::write_all(&mut file.expect("a file can be made"), bytes).expect("there is room");
        }
    }
}

impl File {
    fn left(&self, luck: Luck, dice: &mut Dice) -> Vec<u8> {
        let mut content = self.safe.clone();
        let kept = keep(self.since.len(), luck, dice);
        self.since[..kept].iter().for_each(|edit| edit.apply(&mut content, usize::MAX));
        if let Some(torn @ Edit::Write { bytes, .. }) = self.since.get(kept)
            && luck == Luck::Some
        {
            torn.apply(&mut content, usize::try_from(dice.below(bytes.len() as u64 + 1)).unwrap_or(0));
        }
        content
    }
}

impl Edit {
    /// Carries it out, of a write at most so many bytes.
    fn apply(&self, content: &mut Vec<u8>, at_most: usize) {
        match self {
            Self::SetLength(length) => content.resize(*length, 0),
            Self::Write { offset, bytes } => {
                let bytes = &bytes[..bytes.len().min(at_most)];
                if content.len() < offset + bytes.len() {
                    content.resize(offset + bytes.len(), 0);
                }
                content[*offset..offset + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Node>) {
        match self {
            Self::Set(path, node) => {
                names.insert(path.clone(), node.clone());
            }
            Self::Rename(from, to, node) => {
                names.remove(from);
                names.insert(to.clone(), node.clone());
            }
            Self::Remove(path) => {
                names.remove(path);
            }
        }
    }
}

fn keep(count: usize, luck: Luck, dice: &mut Dice) -> usize {
    match luck {
        Luck::None => 0,
        Luck::All => count,
        Luck::Some => usize::try_from(dice.below(count as u64 + 1)).unwrap_or(0),
    }
}
