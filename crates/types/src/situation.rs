//! What code has seen of the place that a task works in, before anything is planned.

use serde::{Deserialize, Serialize};

/// The place, as it was when it was looked at. Everything in it is data: names and heads may be the words of strangers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Situation {
    /// Files and folders below the working folder, in the order of their paths.
    pub entries: Vec<PlaceEntry>,
    /// Whether there are more than these.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
    /// The beginnings of small texts that did not come from elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<FileHead>,
    /// The repository that the folder lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<GitState>,
    /// Programs of this machine that are there, of those that people work with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// Its files may be changed unasked, because they are kept first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_project: bool,
    /// What the request names, where rules plan that must know it: at most `limits::ASKED_PATHS`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<AskedPath>,
    /// Whether the working folder is known to lie in no repository.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside_repository: bool,
    /// Absolute path of artoo's own folder, which measures and searches leave out; empty when unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub own_folder: String,
}

/// A file or a folder that the request names, or seems to name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedPath {
    /// Absolute.
    pub path: String,
    /// What is there.
    pub kind: PathKind,
    /// How the text begins, if it may be read unasked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub head: String,
    /// Whether the head is all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_whole: bool,
    /// What stands against reading it as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<UnreadText>,
    /// Where nothing is there: paths of files and folders with a name like it, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// Of a table: how others begin that lie elsewhere under its name, or where nothing is those among `near`; with absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<FileHead>,
}

/// Why the text of a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnreadText {
    /// It is none: what it is instead, with its article.
    Binary(String),
    /// It is no UTF-8: the name of the encoding that it is in, as `iconv` knows it.
    Encoding(String),
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// Nothing.
    Missing,
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// A file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceEntry {
    /// Its path below the working folder; that of a folder ends in `/`.
    pub path: String,
    /// Bytes of a file.
    pub bytes: u64,
}

/// The beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHead {
    /// Its path below the working folder.
    pub path: String,
    /// Its first lines.
    pub text: String,
}

/// The state of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitState {
    /// The branch, or the beginning of a commit.
    pub branch: String,
    /// What `git status --porcelain` lists; none where it could not be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

impl Situation {
    /// Every text in it, for who takes secrets out.
    pub fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let Self {
            entries,
            has_more: _,
            heads,
            git,
            programs,
            is_project: _,
            asked,
            outside_repository: _,
            own_folder,
        } = self;
        let asked = asked.iter_mut().flat_map(|asked| {
            let AskedPath { path, kind: _, head, is_whole: _, unread: _, near, others } = asked;
            let others = others.iter_mut().flat_map(|other| [&mut other.path, &mut other.text]);
            [path, head].into_iter().chain(near).chain(others)
        });
        let entries = entries.iter_mut().map(|entry| &mut entry.path);
        let heads = heads.iter_mut().flat_map(|head| [&mut head.path, &mut head.text]);
        let git = git.iter_mut().flat_map(|git| {
            let GitState { branch, changed } = git;
            std::iter::once(branch).chain(changed.iter_mut().flatten())
        });
        entries.chain(heads).chain(git).chain(programs).chain(asked).chain([own_folder])
    }
}
