//! Which words make which request together. The order of the words does not matter, but no word may be left over.

use super::words::Concept as C;
use crate::clause::RequestKind as K;

/// What a request has besides words of the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Needs a file.
    File,
    /// Needs two files.
    TwoFiles,
    /// May name a folder.
    Place,
    /// Needs a folder.
    SomePlace,
    /// May name a kind of file.
    Kind,
    /// Needs a kind of file.
    SomeKind,
    /// May have a number.
    Number,
    /// Needs a number.
    SomeNumber,
    /// May have conditions on files.
    Filter,
    /// Needs conditions on files.
    SomeFilter,
    /// Needs a moment that has a name.
    Moment,
    /// Needs a word of its own, which is searched for, behind a word that says so.
    Term,
    /// Needs a word of its own, wherever it stands.
    FreeTerm,
    /// Needs the name of a person.
    Person,
    /// Needs the name of a setting.
    Key,
    /// Needs a word for what the lines of a file are: "which fruit".
    Noun,
}

/// One way to ask for a kind of request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: K,
    /// One word of each group is there.
    pub(super) needs: &'static [&'static [C]],
    /// Further words that change nothing.
    pub(super) may: &'static [C],
    pub(super) parts: &'static [Part],
}

const fn frame(kind: K, needs: &'static [&'static [C]], may: &'static [C], parts: &'static [Part]) -> Frame {
    Frame { kind, needs, may, parts }
}

use Part::{
    File, Filter, FreeTerm, Key, Kind, Moment, Noun, Number, Person, Place, SomeFilter, SomeKind, SomeNumber,
    SomePlace, Term, TwoFiles,
};

pub(super) const FRAMES: &[Frame] = &[
    // Files of a folder.
    frame(K::LargestFiles, &[&[C::Largest], &[C::File, C::Thing]], &[], &[Place, Number]),
    frame(K::LargestFiles, &[&[C::Largest]], &[C::File], &[Place, SomeKind, Number]),
    frame(K::LargestFiles, &[&[C::Takes], &[C::Most], &[C::Space], &[C::File]], &[], &[Place, Number]),
    frame(K::LargestFiles, &[&[C::Takes], &[C::Most], &[C::Space]], &[C::File], &[Place, SomeKind, Number]),
    frame(K::FolderSizes, &[&[C::Takes], &[C::Most], &[C::Space], &[C::Folder]], &[], &[Place, Number]),
    frame(K::FolderSizes, &[&[C::Largest], &[C::Folder]], &[], &[Place, Number]),
    frame(
        K::FolderSize,
        &[&[C::Takes], &[C::Much, C::Count], &[C::Space]],
        &[C::Folder, C::Much],
        &[SomePlace],
    ),
    frame(K::FolderSize, &[&[C::Much], &[C::Folder]], &[C::Space], &[SomePlace]),
    frame(K::SmallestFiles, &[&[C::Smallest], &[C::File, C::Thing]], &[], &[Place, Number]),
    frame(K::SmallestFiles, &[&[C::Smallest]], &[C::File], &[Place, SomeKind, Number]),
    frame(K::NewestFiles, &[&[C::Newest], &[C::File, C::Thing]], &[C::Changed], &[Place, Number]),
    frame(K::NewestFiles, &[&[C::Last], &[C::File, C::Thing]], &[], &[SomePlace, Number]),
    frame(K::NewestFiles, &[&[C::Newest]], &[C::File, C::Changed], &[Place, SomeKind, Number]),
    frame(K::OldestFiles, &[&[C::Oldest], &[C::File, C::Thing]], &[], &[Place, Number]),
    frame(K::OldestFiles, &[&[C::Oldest]], &[C::File], &[Place, SomeKind, Number]),
    frame(K::CountFiles, &[&[C::Count], &[C::File]], &[], &[Place, Filter]),
    frame(K::CountFiles, &[&[C::Count]], &[C::File], &[Place, SomeKind, Filter]),
    frame(K::CountFolders, &[&[C::Count], &[C::Folder]], &[], &[Place]),
    frame(K::EmptyFiles, &[&[C::Empty], &[C::File]], &[], &[Place]),
    frame(K::EmptyFolders, &[&[C::Empty], &[C::Folder]], &[], &[Place]),
    frame(K::Duplicates, &[&[C::Same], &[C::File]], &[C::Thing], &[Place]),
    frame(K::Duplicates, &[&[C::Copies]], &[C::File], &[Place]),
    frame(K::Duplicates, &[&[C::Same]], &[C::File], &[Place, SomeKind]),
    frame(K::FindFiles, &[], &[C::File], &[Place, SomeKind, Filter]),
    frame(K::FindFiles, &[&[C::File, C::Thing]], &[C::Where], &[Place, SomeFilter]),
    frame(K::FindFiles, &[], &[], &[SomeFilter, Place]),
    frame(K::EntrySizes, &[&[C::Takes], &[C::Most], &[C::Space], &[C::Thing]], &[], &[Place, Number]),
    frame(K::FileTypes, &[&[C::Kinds], &[C::File]], &[C::Count], &[Place]),
    frame(
        K::CountLines,
        &[&[C::Count, C::Much], &[C::Line, C::Code]],
        &[C::Code, C::File],
        &[Place, SomeKind],
    ),
    frame(K::LinesByLanguage, &[&[C::Line, C::Count], &[C::Code, C::Line], &[C::Language]], &[], &[Place]),
    frame(K::TodoList, &[&[C::Todo]], &[C::Where, C::Free, C::Open], &[Place]),
    frame(K::SearchText, &[&[C::Mention, C::Word]], &[C::Where, C::File, C::Word], &[Place, Kind, Term]),
    // One file.
    frame(K::LinesInFile, &[&[C::Count], &[C::Line]], &[C::Much], &[File]),
    frame(K::LinesInFile, &[&[C::Line]], &[C::Much], &[File]),
    frame(K::CountWords, &[&[C::Count], &[C::Word]], &[], &[File]),
    frame(K::CountCharacters, &[&[C::Count], &[C::Letter]], &[], &[File]),
    frame(K::FirstLines, &[&[C::First]], &[C::Line, C::Read], &[File, Number]),
    frame(K::LastLines, &[&[C::Last]], &[C::Line, C::Read], &[File, Number]),
    frame(K::LastLines, &[&[C::Last], &[C::Thing]], &[C::Mention, C::Line], &[File]),
    frame(K::LongestLine, &[&[C::Longest]], &[C::Line], &[File]),
    frame(K::SortLines, &[&[C::Sort]], &[C::Line], &[File]),
    frame(K::UniqueLines, &[&[C::Once]], &[C::Line, C::Read], &[File]),
    frame(K::ReadFile, &[&[C::Read]], &[C::Thing, C::Inside, C::File], &[File]),
    frame(
        K::ArchiveList,
        &[&[C::Inside, C::Thing, C::File, C::Read]],
        &[C::Inside, C::Thing, C::File, C::Count],
        &[File],
    ),
    frame(K::LogLevels, &[&[C::Level]], &[C::Count, C::Line, C::Per, C::Much, C::Log], &[File]),
    frame(K::RepeatedLines, &[&[C::Twice], &[C::Line]], &[C::Mention, C::Same], &[File]),
    frame(K::RepeatedLines, &[&[C::Most], &[C::Line, C::Thing]], &[C::Mention, C::Often], &[File]),
    frame(K::RepeatedLines, &[&[C::Most]], &[C::Mention, C::Often, C::Thing], &[File, Noun]),
    frame(K::MailAddresses, &[&[C::Mail]], &[C::Mention, C::Inside, C::Thing], &[File]),
    frame(K::WebAddresses, &[&[C::Link]], &[C::Mention, C::Inside, C::Thing], &[File]),
    frame(K::TopAddresses, &[&[C::Address], &[C::Most]], &[C::Mention, C::Often, C::Visit], &[File, Number]),
    frame(
        K::TopAddresses,
        &[&[C::Address], &[C::Often, C::Count, C::Visit]],
        &[C::Per, C::Often, C::Count, C::Visit, C::Mention],
        &[File],
    ),
    frame(K::CountMatches, &[&[C::Count], &[C::Line]], &[C::Mention, C::With, C::Word], &[File, Term]),
    frame(K::MatchLines, &[&[C::Line]], &[C::Mention, C::With, C::Word, C::And], &[File, Term]),
    frame(K::MatchLines, &[&[C::Mention]], &[C::Where, C::Line, C::Word], &[File, Term]),
    frame(K::CountOccurrences, &[&[C::Often]], &[C::Mention, C::Word, C::Count], &[File, FreeTerm]),
    frame(
        K::NumberStatistic,
        &[&[C::Sum, C::Average, C::Maximum, C::Minimum, C::Largest, C::Smallest], &[C::Digits]],
        &[C::Much, C::Count],
        &[File],
    ),
    frame(K::JsonValid, &[&[C::Valid]], &[C::Json, C::File, C::Inside, C::Mention], &[File]),
    frame(K::JsonPretty, &[&[C::Pretty]], &[C::Json], &[File]),
    frame(K::ImageSize, &[&[C::Dimension]], &[C::Much, C::Count], &[File]),
    frame(K::Checksum, &[&[C::Sha]], &[C::Much, C::Count], &[File]),
    frame(K::Md5, &[&[C::Md5]], &[C::Much, C::Count], &[File]),
    frame(K::FileDetails, &[&[C::Much, C::Details]], &[C::File], &[File]),
    frame(K::FileDetails, &[&[C::When], &[C::Changed]], &[C::Last], &[File]),
    frame(
        K::CompareFiles,
        &[&[C::Differ, C::Same]],
        &[C::Inside, C::Thing, C::And, C::Line, C::File],
        &[TwoFiles],
    ),
    frame(K::CsvShape, &[&[C::Column]], &[C::Count], &[File]),
    frame(K::CsvShape, &[&[C::Row], &[C::Count]], &[C::Column], &[File]),
    // A repository.
    frame(K::GitBranch, &[&[C::Branch]], &[C::Current, C::Am], &[Place]),
    frame(K::GitBranch, &[&[C::Fork], &[C::Current, C::Am]], &[], &[Place]),
    frame(K::GitBranches, &[&[C::Branches]], &[], &[Place]),
    frame(K::GitBranches, &[&[C::Fork], &[C::Several]], &[], &[Place]),
    frame(K::GitBy, &[&[C::Commit, C::Changed]], &[C::Commit], &[Place, Person]),
    frame(K::ConfigValue, &[&[C::Value]], &[C::Much, C::Count], &[File, Key]),
    frame(K::GitTags, &[&[C::Tag]], &[], &[Place]),
    frame(
        K::GitStatus,
        &[&[C::Uncommitted, C::LastCommit]],
        &[C::Changed, C::File, C::Thing, C::Inside, C::Read],
        &[Place],
    ),
    frame(K::GitLog, &[&[C::Log]], &[C::History], &[Place, Number]),
    frame(K::GitLog, &[&[C::Commit], &[C::History]], &[], &[Place, Number]),
    frame(K::GitLastFiles, &[&[C::OneCommit], &[C::Changed], &[C::File]], &[], &[Place]),
    frame(K::GitLog, &[&[C::Commit], &[C::Last, C::Newest]], &[], &[Place, SomeNumber]),
    frame(
        K::GitLog,
        &[&[C::OneCommit]],
        &[C::Mention, C::Inside, C::Thing, C::When, C::Who, C::Changed],
        &[Place],
    ),
    frame(K::GitCount, &[&[C::Commit], &[C::Count, C::Often]], &[], &[Place]),
    frame(K::GitAuthors, &[&[C::Author]], &[C::Who, C::Commit], &[Place]),
    frame(K::GitAuthors, &[&[C::Who], &[C::Commit]], &[C::Most, C::Code, C::Mention], &[Place]),
    frame(K::GitSince, &[&[C::Commit]], &[], &[Place, Moment]),
    frame(K::GitFileLog, &[&[C::Who], &[C::Changed]], &[C::Last, C::Newest], &[File]),
    frame(K::GitFileLog, &[&[C::History, C::Log]], &[C::Changed, C::Commit], &[File]),
    frame(K::GitFileDiff, &[&[C::Changed]], &[C::Uncommitted, C::LastCommit], &[File]),
    // This computer.
    frame(K::DiskFree, &[&[C::Space], &[C::Free, C::Full]], &[C::Much, C::Count, C::Machine, C::Free], &[]),
    frame(K::MemoryInfo, &[&[C::Memory]], &[C::Much, C::Count, C::Free, C::Whole, C::Machine], &[]),
    frame(
        K::TopMemory,
        &[&[C::Takes, C::Most], &[C::Most], &[C::Memory]],
        &[C::Process, C::Who, C::Takes],
        &[Number],
    ),
    frame(
        K::TopProcessor,
        &[&[C::Takes, C::Most], &[C::Most], &[C::Processor]],
        &[C::Process, C::Who, C::Takes],
        &[Number],
    ),
    frame(K::ProcessorCount, &[&[C::Core]], &[C::Count, C::Processor, C::Machine], &[]),
    frame(K::OpenPorts, &[&[C::Port], &[C::Open]], &[C::Machine], &[]),
    frame(
        K::PortUser,
        &[&[C::Port], &[C::Who, C::Takes, C::Open, C::Process]],
        &[C::Who, C::Takes, C::Open, C::Process],
        &[SomeNumber],
    ),
    frame(K::DateTime, &[&[C::Today, C::Clock]], &[C::Today, C::Clock], &[]),
    frame(K::WhereAmI, &[&[C::Am], &[C::Folder, C::Where]], &[], &[]),
    frame(K::WhereAmI, &[&[C::Am, C::Current], &[C::Folder]], &[], &[]),
    // Doing.
    frame(K::Unpack, &[&[C::Unpack]], &[C::File], &[File]),
    frame(K::Delete, &[&[C::Delete]], &[C::File], &[File]),
];
