//! What a command makes: the contract between the gate, which finds it out, and the sandbox, which grants it.

/// One entry that a command makes.
///
/// Promises: `path` is absolute, with the links of its folders resolved, and absent when the gate looked (but for
/// [`CreationKind::Index`]). Its folder exists, or is a [`CreationKind::Folder`] earlier in the same list. No path is listed twice. Where
/// the command is safe, it is inside the workspace or the working directory and no place from which something runs later.
///
/// It can have changed by the time the command starts. Who grants it therefore makes it as something new (or looks that it
/// is still absent), and judges the command anew when something is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation {
    /// Where it is made.
    pub path: String,
    /// How it comes about.
    pub kind: CreationKind,
}

/// How a new entry comes about, and so what a confined command must be given for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CreationKind {
    /// A file that is made empty before the command starts (`O_CREAT | O_EXCL`) and may then be written and truncated.
    /// The gate lists only files for which it makes no difference that an empty one is there: a redirection, `tee`,
    /// `touch`, `cp` to a name, `sort -o`, `tar -cf`. It asks about the others (`cp -n` or `mv` to a new name, `gzip`,
    /// a test of the same path in the same command). The shell must run without `noclobber`. One that the command left
    /// as it was made, for instance because it failed before, is for the maker to take away again.
    File,
    /// A folder that is made before the command starts, because the command makes it only where it is missing
    /// (`mkdir -p`). It grants nothing below it: what is made there is listed by itself.
    Folder,
    /// A folder for which the command must believe that it makes it (`mkdir` without `-p`). Its parent exists, and nothing is
    /// made in it by the same command. No right to make folders there can be granted, because it would hold for
    /// everything below the parent too.
    OwnFolder,
    /// A symbolic link with this text, for which the command must believe that it makes it. Its folder exists, and the same
    /// command runs no other program.
    Symlink(String),
    /// The same for another name of this file, an absolute path without links on its way.
    HardLink(String),
    /// Not a new entry: the index of a repository, which exists. It is only a list of what the next commit holds, and no file
    /// of the person is changed by changing it (`git rm --cached`). Git replaces it by renaming `index.lock`, which cannot be
    /// granted without the rest of `.git`; so what is to be granted is a copy in the private temporary folder, named by
    /// `GIT_INDEX_FILE`, that is put in place when the command has succeeded.
    Index,
}

impl CreationKind {
    /// Whether the entry has to be there before the command starts.
    pub fn is_made_beforehand(&self) -> bool {
        match self {
            Self::File | Self::Folder | Self::OwnFolder | Self::Symlink(_) | Self::HardLink(_) => true,
            Self::Index => false,
        }
    }
}
