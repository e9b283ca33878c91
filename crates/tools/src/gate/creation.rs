//! What a safe command makes: the contract between the gate, which finds it out, and the sandbox, which grants it.

/// One entry that a safe command makes.
///
/// Promises: `path` is absolute, with the links of its folders resolved, inside the workspace or the working directory,
/// not a place from which something runs later, and absent when the gate looked (but for [`Making::Index`]). Its folder exists, or is a
/// [`Making::Folder`] earlier in the same list. No path is listed twice.
///
/// It can have changed by the time the command starts. Who grants it therefore makes it with `O_EXCL` (or looks that it
/// is still absent), and judges the command anew when something is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation {
    /// Where it is made.
    pub path: String,
    /// How it comes about.
    pub kind: Making,
}

/// How a new entry comes about, and so what a confined command must be given for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Making {
    /// A file that is made empty before the command starts (`O_CREAT | O_EXCL`) and may then be written and truncated.
    /// The gate lists only files for which it makes no difference that an empty one is there: a redirection, `tee`,
    /// `touch`, `cp` to a name, `sort -o`, `tar -cf`. It asks about the others (`cp -n` or `mv` to a new name, `gzip`,
    /// a test of the same path in the same command). The shell must run without `noclobber`. One that the command left
    /// as it was made, for instance because it failed before, is for the maker to take away again.
    File,
    /// A folder that is made before the command starts, because the command makes it only where it is missing
    /// (`mkdir -p`). It grants nothing below it: what is made there is listed by itself.
    Folder,
    /// A folder that the command makes itself and for which it must be missing (`mkdir` without `-p`). What is to be granted
    /// is making folders in its parent, which exists; nothing is made in it by the same command.
    OwnFolder,
    /// A symbolic or hard link that the command makes itself. What is to be granted is making links in its parent, which
    /// exists. The same command runs no other program.
    OwnLink,
    /// Not a new entry: the index of a repository, which exists. It is only a list of what the next commit holds, and no file
    /// of the person is changed by changing it (`git rm --cached`). Git replaces it by renaming `index.lock`, which cannot be
    /// granted without the rest of `.git`; so what is to be granted is a copy in the private temporary folder, named by
    /// `GIT_INDEX_FILE`, that is put in place when the command has succeeded.
    Index,
}

impl Making {
    /// Whether the entry has to be there before the command starts.
    pub fn is_made_beforehand(self) -> bool {
        match self {
            Self::File | Self::Folder => true,
            Self::OwnFolder | Self::OwnLink | Self::Index => false,
        }
    }
}
