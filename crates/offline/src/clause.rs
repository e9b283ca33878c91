//! A request that the rules understood: one or more measurements, and perhaps a report of them.

use artoo_request::Language;

use crate::places::NamedPlace;
use crate::slots::Slots;

/// What is asked for. The words are in [`crate::requests`], the steps in [`crate::plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestKind {
    /// Files of a kind, with conditions on name, size and age.
    FindFiles,
    /// Files without content.
    EmptyFiles,
    /// Folders without entries.
    EmptyFolders,
    /// The largest files.
    LargestFiles,
    /// The smallest files.
    SmallestFiles,
    /// The files that changed last.
    NewestFiles,
    /// The files that have been unchanged for longest.
    OldestFiles,
    /// How many files there are.
    CountFiles,
    /// How many folders there are.
    CountFolders,
    /// Lines in all files of a kind.
    CountLines,
    /// Lines by programming language.
    LinesByLanguage,
    /// Number and bytes of files by ending.
    FileTypes,
    /// Words in a file.
    CountWords,
    /// Characters in a file.
    CountCharacters,
    /// Lines in a file.
    LinesInFile,
    /// Lines that hold a text.
    SearchText,
    /// Disk usage by subfolder.
    FolderSizes,
    /// Disk usage by what lies in a folder, files and folders.
    EntrySizes,
    /// Disk usage of one folder.
    FolderSize,
    /// Free disk space.
    DiskFree,
    /// Files with the same content.
    Duplicates,
    /// A report about a folder.
    FolderReport,
    /// New names in lower case, as a preview.
    PreviewLowerCase,
    /// New names without spaces, as a preview.
    PreviewUnderscores,
    /// The first lines of a file.
    FirstLines,
    /// The last lines of a file.
    LastLines,
    /// A whole file.
    ReadFile,
    /// Rows and columns of a CSV file.
    CsvShape,
    /// A CSV file as JSON.
    CsvToJson,
    /// One value of a JSON file.
    ConfigValue,
    /// Average, sum, minimum or maximum of a CSV column.
    ColumnStatistic,
    /// The state of a git repository.
    GitStatus,
    /// Recent commits.
    GitLog,
    /// Who committed how often.
    GitAuthors,
    /// The current branch.
    GitBranch,
    /// All branches of this computer.
    GitBranches,
    /// The tags.
    GitTags,
    /// Who last changed each line of a file.
    GitBlame,
    /// The MD5 digest of a file.
    Md5,
    /// Mail addresses in a file.
    MailAddresses,
    /// Web addresses in a file.
    WebAddresses,
    /// About this computer.
    SystemInfo,
    /// The processes that use the most memory.
    TopMemory,
    /// The processes that use the most processor time.
    TopProcessor,
    /// What is in a folder.
    ListFolder,
    /// The SHA-256 digest of a file.
    Checksum,
    /// The differences between two files.
    CompareFiles,
    /// Size, times and permissions of a file.
    FileDetails,
    /// Lines marked TODO or FIXME.
    TodoList,
    /// Today's date and the time.
    DateTime,
    /// Where the task runs.
    WhereAmI,
    /// A question about the rows of a table.
    TableQuery,
    /// Where files of a name lie.
    FindNamed,
    /// Whether a file is valid JSON.
    JsonValid,
    /// What an archive holds.
    ArchiveList,
    /// What changed since the last commit, line by line.
    GitDiff,
    /// How many commits there are.
    GitCount,
    /// How many lines of a file hold a text.
    CountMatches,
    /// The lines of a file that hold a text.
    MatchLines,
    /// The internet addresses that stand most often in a file.
    TopAddresses,
    /// How many lines of a log each level has.
    LogLevels,
    /// The lines that stand more than once in a file.
    RepeatedLines,
    /// The lines of a file in order, each once, or both; shown.
    SortLines,
    /// The same, each line once.
    SortUnique,
    /// The lines of a file as they stand, each once.
    UniqueLines,
    /// How often a text stands in a file.
    CountOccurrences,
    /// A calculation over the numbers of a text.
    NumberStatistic,
    /// The longest line of a file.
    LongestLine,
    /// A JSON file in an orderly form.
    JsonPretty,
    /// Width and height of a picture, or of those of a folder.
    ImageSize,
    /// What changed in one file since the last commit.
    GitFileDiff,
    /// The commits that touched a file.
    GitFileLog,
    /// The commits of one person.
    GitBy,
    /// The commits since a moment that has a name.
    GitSince,
    /// The files of the last commit.
    GitLastFiles,
    /// What listens on a port.
    PortUser,
    /// Which ports are listened on.
    OpenPorts,
    /// How much memory there is.
    MemoryInfo,
    /// How many processors there are.
    ProcessorCount,
    /// A new folder.
    MakeFolder,
    /// A new file, with a text or empty.
    MakeFile,
    /// Another name for one file or folder.
    Rename,
    /// Another ending for files.
    RenameEnding,
    /// Names in lower case, given and not only shown.
    RenameLowerCase,
    /// Names without spaces, given and not only shown.
    RenameUnderscores,
    /// Another text in names.
    RenameReplace,
    /// A file or two to another place.
    Move,
    /// Files of a kind to another place.
    MoveMany,
    /// A file at another place as well.
    Copy,
    /// Files of a kind at another place as well.
    CopyMany,
    /// A file or a folder away.
    Delete,
    /// Files of a kind away.
    DeleteMany,
    /// What is in an archive into a folder.
    Unpack,
    /// A file or a folder into a ZIP archive.
    PackZip,
    /// A file or a folder into a compressed tar archive.
    PackTar,
    /// `write it to a report`: only behind other clauses.
    WriteReport,
    /// `in ~/src`: the folder of the clauses that name none; only before other clauses.
    InPlace,
}

impl RequestKind {
    /// Whether the clause leaves something different.
    pub(crate) fn is_doing(self) -> bool {
        self.renames_many()
            || matches!(
                self,
                Self::MakeFolder
                    | Self::MakeFile
                    | Self::Rename
                    | Self::Move
                    | Self::MoveMany
                    | Self::Copy
                    | Self::CopyMany
                    | Self::Delete
                    | Self::DeleteMany
                    | Self::Unpack
                    | Self::PackZip
                    | Self::PackTar
            )
    }

    /// Whether it gives many files new names, which are shown before.
    pub(crate) fn renames_many(self) -> bool {
        matches!(
            self,
            Self::RenameEnding | Self::RenameLowerCase | Self::RenameUnderscores | Self::RenameReplace
        )
    }
}

/// One understood clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) kind: RequestKind,
    pub(crate) slots: Slots,
}

/// A whole understood request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnderstoodRequest {
    pub(crate) language: Language,
    /// The measurements in the order in which they were asked for; at least one, none of them a report.
    pub(crate) clauses: Vec<Clause>,
    /// Set when the results shall also be written to a file.
    pub(crate) report: Option<ReportRequest>,
}

/// The file that a report goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportRequest {
    /// The name that the person gave.
    pub(crate) file: Option<NamedPlace>,
}
