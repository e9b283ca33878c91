//! Where a call may read and write: roots, paths that hold secrets, paths that make something run later.
//!
//! Every question is answered for the path as it was written and for the path with symbolic links resolved; the
//! stricter answer counts.

use std::os::unix::fs::MetadataExt as _;
use std::sync::OnceLock;

use artoo_types::secret_places::SECRET_IN_HOME;
use artoo_types::setting::UnaskedRules;
use artoo_types::target::{Bases, is_below, normal_path, written_path};

pub mod entries;
mod links;
pub mod project;
pub(crate) mod secrets;
mod tables;

use links::LinkResolver;
pub use links::{canonical, canonical_entry};
use secrets::{LinkedSecrets, is_secret_name, place_at_home};
use tables::{
    PROGRAM_FOLDERS, RUNS_LATER_ANYWHERE, RUNS_LATER_ENDINGS, RUNS_LATER_IN_HOME, RUNS_LATER_PARTS,
    SECRET_ANYWHERE, SECRET_IN_PROC, SECRET_NAMES,
};

/// The folders that one call is judged by. All are absolute.
#[derive(Debug, Clone)]
pub struct PathRules {
    /// The task's working directory.
    pub working_directory: String,
    /// The workspace.
    pub workspace: String,
    /// The person's home folder.
    pub home: String,
    /// artoo's own data folder.
    pub data_dir: String,
    /// What may be done unasked.
    pub unasked: UnaskedRules,
    /// The same folders with links resolved, looked up when first needed: one judgement asks for each many times.
    pub real: ResolvedFolders,
}

/// Folders of [`PathRules`] with their links resolved.
#[derive(Debug, Clone, Default)]
pub struct ResolvedFolders {
    working_directory: OnceLock<String>,
    workspace: OnceLock<String>,
    data_dir: OnceLock<String>,
    /// The home folder as written and resolved, in lower case.
    homes: OnceLock<Vec<String>>,
    /// The data folder likewise.
    data_dirs: OnceLock<[String; 2]>,
    /// What no confined command can read.
    hidden: OnceLock<Vec<String>>,
    /// Files of the places that hold secrets which have other names elsewhere.
    linked_secrets: OnceLock<LinkedSecrets>,
}

/// What may be done at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathAccess {
    /// Unasked.
    Free,
    /// After a person's yes, for this reason.
    Ask(String),
    /// Not at all, for this reason.
    Never(String),
}

impl PathRules {
    /// The bases that normalised targets start from.
    pub fn bases(&self) -> Bases<'_> {
        Bases { working_directory: &self.working_directory, workspace: &self.workspace, home: &self.home }
    }

    /// The normalised form of a path that is read.
    pub fn path(&self, path: &str) -> String {
        normal_path(path, self.bases())
    }

    /// The normalised form of a path that is written, or that a check names.
    pub fn written(&self, path: &str) -> String {
        written_path(path, self.bases())
    }

    /// Whether the content of this normalised path may be read.
    pub fn reading(&self, path: &str) -> PathAccess {
        self.reading_of(path, canonical(path))
    }

    /// The same, where the path leads to `real`.
    fn reading_of(&self, path: &str, real: String) -> PathAccess {
        for form in [path.to_owned(), real] {
            if self.in_data_dir(&form) || behind_proc(&form).is_some_and(|real| self.in_data_dir(real)) {
                return PathAccess::Never(format!("{form} is in artoo's own data folder"));
            }
            if let Some(why) = self.secret(&form) {
                return PathAccess::Ask(why);
            }
        }
        match self.secret_under_another_name(path) {
            Some(secret) if self.in_data_dir(&secret) => {
                PathAccess::Never(format!("{path} is another name of {secret}, in artoo's own data folder"))
            }
            Some(secret) => PathAccess::Ask(format!(
                "{path} is another name of {secret}, which is a place that may hold secrets"
            )),
            None => PathAccess::Free,
        }
    }

    /// The file in a place of secrets, or in artoo's own folder, that this path is another name (hard link) of.
    fn secret_under_another_name(&self, path: &str) -> Option<String> {
        let meta = std::fs::metadata(path).ok().filter(|meta| meta.is_file() && meta.nlink() > 1)?;
        let known = self.real.linked_secrets.get_or_init(|| secrets::linked(self.hidden()));
        known.get(&(meta.dev(), meta.ino())).cloned()
    }

    /// As [`Self::reading`], for what this process opens by itself: its own entry of `/proc` would show it the keys that it
    /// was started with. (A command that names `/proc/self` sees its own entry.)
    pub fn opening(&self, path: &str) -> PathAccess {
        let own = [format!("/proc/{}", std::process::id()), "/proc/self".into(), "/proc/thread-self".into()];
        let real = canonical(path);
        if own.iter().any(|own| is_below(path, own) || is_below(&real, own)) {
            return PathAccess::Never(format!("{path} is about artoo-daemon itself"));
        }
        self.reading_of(path, real)
    }

    /// Whether something may be made or changed at this normalised path by this process.
    pub fn writing(&self, path: &str) -> PathAccess {
        match self.opening(path) {
            PathAccess::Free => {}
            other @ (PathAccess::Ask(_) | PathAccess::Never(_)) => return other,
        }
        let real = canonical(path);
        for form in [path, &real] {
            if self.runs_later(form) {
                return PathAccess::Ask(format!("{form} is a place from which something may run later"));
            }
        }
        if !self.in_roots(path) || !self.in_roots(&real) {
            let through = if real == path { String::new() } else { format!(", which leads to {real},") };
            return PathAccess::Ask(format!(
                "{path}{through} is outside the workspace and the working directory"
            ));
        }
        if let Some(form) = [path, &real].into_iter().find(|form| !self.is_plain_place(form)) {
            return PathAccess::Ask(format!(
                "{form} is hidden, or where programs are searched, and not in a project: programs may read it or run it later"
            ));
        }
        PathAccess::Free
    }

    /// Whether a new file at this path in the roots is one of a person's documents, or a project's: nothing that programs look
    /// for by themselves. Below a home and in a working directory that is no project, hidden entries and folders of programs
    /// are not.
    fn is_plain_place(&self, path: &str) -> bool {
        let lower = path.to_lowercase();
        let below = |folder: &str| is_below(path, folder) || is_below(path, &canonical(folder));
        if below(&self.workspace) || self.project().is_some_and(|root| is_below(&canonical(path), &root)) {
            return true;
        }
        let mut bases = self.homes().to_vec();
        let here = self.real.working_directory.get_or_init(|| canonical(&self.working_directory));
        bases.extend([self.working_directory.to_lowercase(), here.to_lowercase()]);
        let holds_home = self.holds_home(here);
        bases.iter().all(|base| {
            let Some(rest) = lower.strip_prefix(base.trim_end_matches('/')) else { return true };
            let is_program_folder = |part: &str| holds_home && PROGRAM_FOLDERS.contains(&part);
            let is_plain = |part: &str| !part.starts_with('.') && !is_program_folder(part);
            !rest.starts_with('/') || rest.split('/').all(is_plain)
        })
    }

    /// Whether the walk of a tree should leave this path out: it holds secrets.
    pub fn is_secret(&self, path: &str) -> bool {
        // A walk asks this of every entry of a tree.
        let lower = path.to_lowercase();
        self.is_ours(&lower) || self.holds_secrets(&lower)
    }

    /// Whether something that holds secrets lies below this folder, so that reading all of it would read secrets.
    pub fn holds_secrets_below(&self, path: &str) -> bool {
        let mut secrets: Vec<String> = SECRET_ANYWHERE.iter().map(|s| (*s).to_owned()).collect();
        for home in self.homes() {
            secrets.extend(SECRET_IN_HOME.iter().map(|s| format!("{home}/{s}")));
        }
        secrets.push(self.data_dir.to_lowercase());
        secrets.push(self.real_data_dir().to_lowercase());
        [path.to_lowercase(), canonical(path).to_lowercase()]
            .iter()
            .any(|root| root == "/" || root == "/proc" || secrets.iter().any(|secret| is_below(secret, root)))
    }

    /// Whether something that holds secrets lies below this folder beside folders and files of these names, which are left
    /// out. What is not there holds nothing.
    pub fn holds_secrets_beside(&self, path: &str, left_out: &[String]) -> bool {
        if left_out.is_empty() || !self.holds_secrets_below(path) {
            return self.holds_secrets_below(path);
        }
        let roots = [path.to_owned(), canonical(path)];
        if roots.iter().any(|root| root == "/" || is_below(root, "/proc")) {
            return true;
        }
        self.hidden().iter().any(|secret| {
            roots.iter().any(|root| {
                let Some(below) = secret.strip_prefix(root.trim_end_matches('/')) else { return false };
                let is_there = std::fs::symlink_metadata(secret).is_ok();
                let is_left_out = below.split('/').any(|part| left_out.iter().any(|name| name == part));
                below.starts_with('/') && is_there && !is_left_out
            })
        })
    }

    /// Everything that a confined command cannot read, as it is written and with links resolved: artoo's own folder
    /// and what holds secrets. Upper and lower case are not told apart.
    pub fn hidden(&self) -> &[String] {
        self.real.hidden.get_or_init(|| {
            let mut links = LinkResolver::default();
            let mut homes = vec![self.home.trim_end_matches('/').to_owned(), canonical(&self.home)];
            homes.dedup();
            let at_home = |home: &String| {
                let places = SECRET_IN_HOME.iter().chain(SECRET_NAMES);
                places.map(|place| format!("{home}/{place}")).collect::<Vec<_>>()
            };
            let mut hidden: Vec<String> = SECRET_ANYWHERE.iter().map(|secret| (*secret).to_owned()).collect();
            hidden.extend(homes.iter().flat_map(at_home));
            hidden.extend(secrets::in_other_homes(&homes, &mut links));
            hidden.push(self.data_dir.clone());
            let real: Vec<String> = hidden.iter().map(|path| links.canonical(path)).collect();
            hidden.extend(real);
            hidden.sort();
            hidden.dedup();
            hidden
        })
    }

    /// Where browsers put what they download, as it is written and with links resolved.
    pub fn downloads(&self) -> Vec<String> {
        let written = format!("{}/Downloads", self.home.trim_end_matches('/'));
        let real = canonical(&written);
        let mut all = vec![written];
        if !all.contains(&real) {
            all.push(real);
        }
        all
    }

    /// Whether something that no command may write lies at or below this folder, as far as one look tells: artoo's own
    /// folder, secrets, and what runs later.
    pub fn covers_guarded(&self, folder: &str) -> bool {
        let lower = folder.to_lowercase();
        let at_home = self
            .homes()
            .iter()
            .any(|home| RUNS_LATER_IN_HOME.iter().any(|place| is_below(&format!("{home}/{place}"), &lower)));
        let top = |part: &'static str| part.split('/').next().unwrap_or(part);
        let is_there = |part: &str| std::fs::symlink_metadata(format!("{folder}/{part}")).is_ok();
        at_home
            || RUNS_LATER_ANYWHERE.iter().any(|place| is_below(place, &lower))
            || RUNS_LATER_PARTS.iter().any(|part| is_there(top(part)))
            || self.holds_secrets_below(folder)
    }

    /// Whether this folder, its links resolved, is the home folder or holds it.
    pub fn holds_home(&self, folder: &str) -> bool {
        let lower = folder.to_lowercase();
        self.homes().iter().any(|home| is_below(home, &lower))
    }

    /// Whether artoo's data folder is this folder or lies below it.
    pub fn holds_data_dir(&self, folder: &str) -> bool {
        let folder = folder.to_lowercase();
        is_below(&self.data_dir.to_lowercase(), &folder)
            || is_below(&self.real_data_dir().to_lowercase(), &folder)
    }

    /// Whether the path is in artoo's data folder.
    pub fn in_data_dir(&self, path: &str) -> bool {
        self.is_ours(&path.to_lowercase())
    }

    /// Whether a path in lower case is in artoo's own data folder.
    fn is_ours(&self, lower: &str) -> bool {
        self.ours().iter().any(|folder| is_below(lower, folder))
    }

    /// Whether artoo's own folder lies right in this one, which is in lower case.
    fn holds_ours(&self, lower: &str) -> bool {
        self.ours().iter().any(|ours| ours.rsplit_once('/').is_some_and(|(parent, _)| parent == lower))
    }

    /// artoo's own folder as written and with links resolved, in lower case.
    fn ours(&self) -> &[String] {
        self.real
            .data_dirs
            .get_or_init(|| [self.data_dir.to_lowercase(), self.real_data_dir().to_lowercase()])
    }

    /// Whether the path is in the workspace or in the working directory.
    pub fn in_roots(&self, path: &str) -> bool {
        is_below(path, &self.workspace)
            || is_below(path, &self.working_directory)
            || is_below(path, self.real.workspace.get_or_init(|| canonical(&self.workspace)))
            || is_below(path, self.real.working_directory.get_or_init(|| canonical(&self.working_directory)))
    }

    /// Whether something at this path makes something run later.
    pub fn runs_later(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let anywhere = RUNS_LATER_ANYWHERE.iter().any(|place| is_below(&path, place));
        let at_home = self
            .homes()
            .iter()
            .any(|home| RUNS_LATER_IN_HOME.iter().any(|place| is_below(&path, &format!("{home}/{place}"))));
        let part = RUNS_LATER_PARTS
            .iter()
            .any(|part| path.contains(&format!("/{part}/")) || path.ends_with(&format!("/{part}")));
        anywhere || at_home || part || RUNS_LATER_ENDINGS.iter().any(|ending| path.ends_with(ending))
    }

    fn real_data_dir(&self) -> &str {
        self.real.data_dir.get_or_init(|| canonical(&self.data_dir))
    }

    fn secret(&self, path: &str) -> Option<String> {
        self.holds_secrets(&path.to_lowercase()).then(|| format!("{path} is a place that may hold secrets"))
    }

    /// Whether a path in lower case is a place that may hold secrets.
    fn holds_secrets(&self, lower: &str) -> bool {
        let own = self.homes().iter().find_map(|home| lower.strip_prefix(home.as_str())?.strip_prefix('/'));
        // Most places begin in another way, which one byte tells.
        let at_home = own.or_else(|| place_at_home(lower)).is_some_and(|rest| {
            let first = rest.as_bytes().first();
            SECRET_IN_HOME.iter().any(|place| place.as_bytes().first() == first && is_below(rest, place))
        });
        let anywhere = || SECRET_ANYWHERE.iter().any(|place| is_below(lower, place));
        let mut parts = lower.split('/').filter(|part| !part.is_empty());
        let process =
            parts.next() == Some("proc") && parts.nth(1).is_some_and(|entry| SECRET_IN_PROC.contains(&entry));
        at_home || process || anywhere() || is_secret_name(lower)
    }

    /// The home folder as written and with links resolved, in lower case.
    fn homes(&self) -> &[String] {
        self.real.homes.get_or_init(|| {
            let mut homes = vec![self.home.trim_end_matches('/').to_lowercase()];
            let real = canonical(&self.home).to_lowercase();
            if !homes.contains(&real) {
                homes.push(real);
            }
            homes
        })
    }
}

/// What this path is without the way through a process's view of the files, if it takes one.
fn behind_proc(path: &str) -> Option<&str> {
    let mut parts = path.strip_prefix("/proc/")?.splitn(3, '/');
    let (_, entry, rest) = (parts.next()?, parts.next()?, parts.next()?);
    (entry == "root").then(|| &path[path.len() - rest.len() - 1..])
}

#[cfg(test)]
mod tests;
