//! New entries: which of them a command may make unasked.

use std::path::Path;

use artoo_types::evidence::EffectClass;
use globset::GlobBuilder;

use super::Walk;
use crate::arg::Arg;
use crate::listing::{Listing, Splitting};
use crate::paths::PathAccess;
use crate::{Creation, CreationKind, Decision, vital};

/// New entries of one command. Each is made or granted by itself before it starts.
const MAX_CREATIONS: usize = 64;

/// Why a change below the call's own temporary folder is no more than unknown: a box lets it change nothing else.
pub(crate) const BELOW_SCRATCH: &str = "what is below its temporary folder is known only when it runs";

/// What a word names that is to be made.
struct EntryPath {
    /// Absolute, with the links of its folder resolved.
    path: String,
    /// Whether something is there.
    is_taken: bool,
}

impl Walk<'_> {
    /// The command makes what this word names, or writes into it when it is there. `what`: as in "it `what` /a/b".
    pub(crate) fn make(&mut self, arg: &Arg, kind: CreationKind, what: &str) {
        if arg.is_scratch() {
            return;
        }
        if arg.is_below_scratch() {
            self.found.act(EffectClass::Unknown, BELOW_SCRATCH);
            return;
        }
        let Some(text) = arg.fixed() else {
            self.found.act(EffectClass::Overwrite, "which file it writes is known only when it runs");
            self.found.touch(self.scope.resolve(&arg.shown()));
            return;
        };
        self.path(arg, false);
        vital::overwritten(arg, &self.scope, &mut self.found);
        let shown = self.scope.resolve(&text);
        self.found.touch(shown.clone());
        let Some(place) = self.place(&text, &kind) else {
            let effect =
                if Path::new(&shown).exists() { EffectClass::Overwrite } else { EffectClass::Create };
            self.found
                .act(effect, &format!("it {what} {shown}, whose folder is not there yet or cannot be told"));
            return;
        };
        if let Some(earlier) = self.found.history.creations.iter().find(|c| c.path == place.path) {
            if earlier.kind != CreationKind::File || kind != CreationKind::File {
                self.found.act_sparing(
                    EffectClass::Create,
                    &format!("it makes {shown} more than once"),
                    None,
                );
            }
            return;
        }
        if place.is_taken {
            self.found.act_on(EffectClass::Overwrite, &format!("it {what} {shown}, which exists"), &[shown]);
            return;
        }
        self.add(place, kind, &shown, what);
    }

    /// A place of its own for a new entry, unless something speaks against it. One that needs a person's word has a
    /// place too, because it is all that the word gives then.
    fn add(&mut self, place: EntryPath, kind: CreationKind, shown: &str, what: &str) {
        let mut asked = None;
        for form in [shown, place.path.as_str()] {
            match self.scope.paths.writing(form) {
                PathAccess::Free => {}
                PathAccess::Ask(why) => asked = asked.or(Some(why)),
                PathAccess::Never(why) => {
                    self.found.forbid(&why);
                    return;
                }
            }
        }
        if let Some(why) = asked {
            self.found.act_on(EffectClass::Create, &format!("it {what} {shown}: {why}"), &[shown.to_owned()]);
            if self.is_of_its_own(&place, &kind, shown) && self.found.history.creations.len() < MAX_CREATIONS
            {
                self.found.history.creations.push(Creation { path: place.path, kind });
            }
            return;
        }
        if self.found.history.looked.contains(&place.path) || self.found.history.looked.contains(shown) {
            self.found.act_sparing(
                EffectClass::Create,
                &format!("it looks at {shown} before it makes it"),
                None,
            );
            return;
        }
        if !self.is_of_its_own(&place, &kind, shown) {
            let why =
                format!("a pattern of the command would match the new file {shown}; give it another name");
            self.found.act_sparing(EffectClass::Create, &why, None);
            return;
        }
        if self.found.history.creations.len() >= MAX_CREATIONS {
            self.found.act_sparing(
                EffectClass::Create,
                &format!("it makes more than {MAX_CREATIONS} new files"),
                None,
            );
            return;
        }
        self.found.effects.insert(EffectClass::Create);
        self.found.history.creations.push(Creation { path: place.path, kind });
    }

    /// Whether nothing else in the command so far would see that the new entry is there before its time.
    fn is_of_its_own(&self, place: &EntryPath, kind: &CreationKind, shown: &str) -> bool {
        let is_looked_at =
            self.found.history.looked.contains(&place.path) || self.found.history.looked.contains(shown);
        let is_matched = || self.found.history.patterns.iter().any(|p| matches(p, &place.path));
        !(is_looked_at || kind.is_made_beforehand() && is_matched())
    }

    /// The command changes the index of a repository, and nothing else in it.
    pub(crate) fn change_index(&mut self, index: &str) {
        self.found.touch(index.to_owned());
        if self.scope.paths.in_roots(index) {
            self.found.effects.insert(EffectClass::Create);
            self.found.history.creations.push(Creation { path: index.to_owned(), kind: CreationKind::Index });
        } else {
            self.found.act(
                EffectClass::Overwrite,
                "it changes the index of a repository outside the working directory",
            );
        }
    }

    /// Where a word leads, as the system will go there; returns None if its folder neither exists nor is made before.
    fn place(&self, text: &str, kind: &CreationKind) -> Option<EntryPath> {
        let is_folder = matches!(kind, CreationKind::Folder | CreationKind::OwnFolder);
        let text = if is_folder && text.len() > 1 { text.trim_end_matches('/') } else { text };
        if text.starts_with('~') {
            return None;
        }
        let raw =
            if text.starts_with('/') { text.to_owned() } else { format!("{}/{text}", self.scope.folder) };
        let (folder, name) = raw.rsplit_once('/')?;
        if matches!(name, "" | "." | "..") {
            return None;
        }
        let folder = if folder.is_empty() { "/" } else { folder };
        let folder = match Path::new(folder).canonicalize() {
            Ok(real) if real.is_dir() => real.to_string_lossy().into_owned(),
            Ok(_) => return None,
            Err(_) => {
                let above = self.place(folder, &CreationKind::Folder)?.path;
                let is_made = |c: &Creation| c.kind == CreationKind::Folder && c.path == above;
                self.found.history.creations.iter().any(is_made).then_some(above)?
            }
        };
        let path = format!("{}/{name}", folder.trim_end_matches('/'));
        // A link that leads nowhere is there, and writing goes through it.
        let is_taken = Path::new(&path).symlink_metadata().is_ok();
        Some(EntryPath { path, is_taken })
    }

    /// The folders that `mkdir -p` makes, the outermost first. Those that exist stay as they are.
    pub(crate) fn make_folders(&mut self, arg: &Arg) {
        let Some(text) = arg.fixed() else {
            self.make(arg, CreationKind::Folder, "makes");
            return;
        };
        self.path(arg, false);
        let mut at = String::new();
        for (index, part) in text.split('/').enumerate() {
            if index > 0 {
                at.push('/');
            }
            at.push_str(part);
            let here = if at.is_empty() { "/" } else { at.as_str() };
            let is_there = Path::new(&self.scope.resolve(here)).is_dir() || matches!(part, "" | ".");
            let is_made = self.place(here, &CreationKind::Folder).is_some_and(|p| {
                self.found
                    .history
                    .creations
                    .iter()
                    .any(|c| c.path == p.path && c.kind == CreationKind::Folder)
            });
            if !is_there && !is_made {
                self.make(&Arg::plain(here), CreationKind::Folder, "makes");
            }
        }
    }

    /// Whether each word that a listing is split into is one of its paths, also with the files that the command makes.
    pub(crate) fn stays_whole(&self, listing: &Listing, splitting: Splitting) -> bool {
        listing.stays_whole(splitting, &self.found.history.creations)
    }

    /// Whether the word names something that is there, or that the command has made by now.
    pub(crate) fn is_there(&self, text: &str) -> bool {
        Path::new(&self.scope.resolve(text)).symlink_metadata().is_ok() || self.is_made(text)
    }

    /// Whether the word names a file that the command has made by now.
    pub(crate) fn is_made(&self, text: &str) -> bool {
        self.place(text, &CreationKind::File)
            .is_some_and(|p| self.found.history.creations.iter().any(|c| c.path == p.path))
    }

    /// Whether the word names a folder that is there, or that the command has made by now.
    pub(crate) fn is_folder(&self, text: &str) -> bool {
        let made = self.place(text, &CreationKind::Folder);
        Path::new(&self.scope.resolve(text)).is_dir()
            || made.is_some_and(|p| {
                self.found
                    .history
                    .creations
                    .iter()
                    .any(|c| c.path == p.path && c.kind == CreationKind::Folder)
            })
    }

    /// What can be said only when the whole command is known: a link that is made is not used by the same command.
    pub(crate) fn settle(&mut self) {
        let is_link = |c: &Creation| matches!(c.kind, CreationKind::Symlink(_) | CreationKind::HardLink(_));
        if self.found.decision == Decision::Safe
            && self.found.history.creations.iter().any(is_link)
            && self.found.programs.len() > 1
        {
            self.found.act(EffectClass::Create, "it makes a link and does more than that");
        }
    }
}

/// Whether an absolute pattern matches a path.
fn matches(pattern: &str, path: &str) -> bool {
    let built = GlobBuilder::new(&pattern.replace("[^", "[!")).literal_separator(true).build();
    // A pattern that cannot be read might match.
    built.map_or(true, |glob| glob.compile_matcher().is_match(path))
}
