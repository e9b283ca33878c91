//! From normalised text to an [`UnderstoodRequest`]: every clause must match a template as a whole, or nothing is understood.

use std::sync::OnceLock;

use artoo_request::{Cut, Language, cuts, is_han, normalise, strip_joints};

use crate::clause::{Clause, ReportRequest, RequestKind, UnderstoodRequest};
use crate::concepts;
use crate::pattern::{PatternNode, compile, readings, required};
use crate::places::NamedPlace;
use crate::requests::TEMPLATES;
use crate::saving::{Saving, saving, with_joint};
use crate::slots::{Goal, Slots};

/// Longest request that is read, in characters: the longest sensible one in the examples has 120.
const LONGEST_REQUEST: usize = 400;
/// Most places where a request may be cut; each clause then is tried at most once for each pair of them.
const MOST_CUTS: usize = 16;
/// Words that make a file of the results a report, whatever its ending.
const REPORT_WORDS: [&str; 4] = [" report", "summary", "报告", "总结"];
/// Most clauses in one request; a plan has at most two steps for each and one for the report.
const MOST_CLAUSES: usize = 8;

/// Why a text is not a request that the rules can carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotUnderstood {
    /// No template matches all of it. Holds the first clause that could not be read, if others could.
    Unknown(Option<String>),
    /// Two different readings fit.
    Ambiguous,
    /// Longer than any request the rules know.
    TooLong,
    /// The result cannot be a file with this name.
    Unwritable(String),
}

/// Reads a whole request: what a template says word by word, else what its words mean together.
pub(crate) fn understand(text: &str) -> Result<UnderstoodRequest, NotUnderstood> {
    literally(text).or_else(|why| match why {
        NotUnderstood::Unknown(_) => freely(text).ok_or(why),
        NotUnderstood::Ambiguous | NotUnderstood::TooLong | NotUnderstood::Unwritable(_) => Err(why),
    })
}

/// Reads a request by what its words mean together. It is one clause: which of several a condition belongs to is not known.
fn freely(text: &str) -> Option<UnderstoodRequest> {
    let mut found = preferred(concepts::read(&normalise(text)));
    let only = found.pop().filter(|_| found.is_empty())?;
    assemble(Language::of(text), vec![only], false).ok()
}

/// Reads a request that the templates say word by word.
pub(crate) fn literally(text: &str) -> Result<UnderstoodRequest, NotUnderstood> {
    let language = Language::of(text);
    let text = normalise(text);
    if text.chars().count() > LONGEST_REQUEST {
        return Err(NotUnderstood::TooLong);
    }
    if text.is_empty() {
        return Err(NotUnderstood::Unknown(None));
    }
    let cuts = cuts(&text);
    if cuts.len() > MOST_CUTS {
        return Err(NotUnderstood::TooLong);
    }
    let clauses = segment(&text, &cuts).or_else(|why| match with_joint(&text) {
        Some(joined) => segment(&joined, &artoo_request::cuts(&joined)).map_err(|_| why),
        None => Err(why),
    })?;
    if clauses.len() > MOST_CLAUSES {
        return Err(NotUnderstood::TooLong);
    }
    let lower = text.to_lowercase();
    let as_report = REPORT_WORDS.iter().any(|word| lower.contains(word));
    assemble(language, clauses, as_report)
}

/// All distinct readings of one clause, in table order.
pub(crate) fn read_clause(text: &str) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    let lower = text.to_ascii_lowercase();
    for Compiled { kind, node, required } in compiled() {
        if !required.iter().all(|group| group.iter().any(|word| lower.contains(word.as_str()))) {
            continue;
        }
        for slots in readings(node, text) {
            let clause = Clause { kind: *kind, slots };
            if !found.contains(&clause) {
                found.push(clause);
            }
        }
    }
    preferred(found)
}

/// The readings that make sense and that no other one makes needless.
fn preferred(mut found: Vec<Clause>) -> Vec<Clause> {
    found.retain(is_sensible);
    let all = found.clone();
    found.retain(|clause| !all.iter().any(|other| is_preferred(other, clause)));
    found
}

/// Whether the file of a clause is of the kind that the clause needs.
fn is_sensible(clause: &Clause) -> bool {
    // A folder is asked about, and this looks like a file: the person means something else.
    if matches!(clause.kind, RequestKind::FolderReport | RequestKind::ListFolder) && names_a_file(clause) {
        return false;
    }
    // "with spaces in their names" is about characters, not about that word.
    if clause
        .slots
        .name
        .as_deref()
        .is_some_and(|name| CHARACTER_WORDS.contains(&name.to_lowercase().as_str()))
    {
        return false;
    }
    let needs_ending = matches!(clause.kind, RequestKind::FindNamed | RequestKind::MatchLines);
    if needs_ending && !has_ending(clause) {
        return false;
    }
    // "commits by date" names nobody.
    if clause.kind == RequestKind::GitBy {
        let name = clause.slots.name.as_deref().or(clause.slots.text.as_deref()).unwrap_or_default();
        return !NOBODY.contains(&name.to_lowercase().as_str());
    }
    let is_archive = file_name(clause)
        .is_some_and(|name| ARCHIVES.iter().any(|ending| name.to_lowercase().ends_with(ending)));
    if clause.kind == RequestKind::ArchiveList || clause.kind == RequestKind::ReadFile {
        return is_archive == (clause.kind == RequestKind::ArchiveList);
    }
    let ends = |ending: &str| file_name(clause).is_none_or(|name| name.to_lowercase().ends_with(ending));
    match NEEDED_ENDINGS.iter().find(|(kind, _)| *kind == clause.kind) {
        Some((_, ending)) => ends(ending),
        None => true,
    }
}

/// Words for characters that a name may have.
const CHARACTER_WORDS: [&str; 10] =
    ["spaces", "space", "a space", "numbers", "digits", "letters", "capitals", "accents", "umlauts", "emoji"];

/// Words that stand where a person's name could.
const NOBODY: [&str; 24] = [
    "author",
    "date",
    "day",
    "week",
    "month",
    "year",
    "file",
    "person",
    "me",
    "i",
    "we",
    "you",
    "branch",
    "size",
    "hour",
    "everyone",
    "today",
    "yesterday",
    "今天",
    "昨天",
    "最近",
    "最新",
    "所有",
    "全部",
];

/// Endings of archives: what is in such a file is what it holds.
const ARCHIVES: [&str; 6] = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"];

/// Kinds that work on files with one ending only.
const NEEDED_ENDINGS: [(RequestKind, &str); 5] = [
    (RequestKind::JsonValid, ".json"),
    (RequestKind::CsvShape, ".csv"),
    (RequestKind::CsvToJson, ".csv"),
    (RequestKind::ColumnStatistic, ".csv"),
    (RequestKind::ConfigValue, ".json"),
];

/// Whether the reading `one` makes the reading `other` needless, although both fit.
fn is_preferred(one: &Clause, other: &Clause) -> bool {
    if one == other {
        return false;
    }
    let pathless = |clause: &Clause| Clause {
        slots: Slots { file: None, place: None, ..clause.slots.clone() },
        ..clause.clone()
    };
    if pathless(one) == pathless(other) {
        // What looks like a file is one, where a folder could be named as well.
        if one.slots.file.is_some() != other.slots.file.is_some() {
            return one.slots.file.is_some();
        }
        // A Chinese verb before a Chinese name could belong to the name: that is not decided, and the name needs
        // quotation marks. Before any other name it is a verb.
        return path_length(one) < path_length(other) && !starts_in_chinese(one);
    }
    if let Some(shorter) = names_less(one, other) {
        return shorter;
    }
    // The longest verb counts, and the text begins behind it.
    let textless =
        |clause: &Clause| Clause { slots: Slots { text: None, ..clause.slots.clone() }, ..clause.clone() };
    if let (Some(text), Some(longer)) = (&one.slots.text, &other.slots.text)
        && textless(one) == textless(other)
    {
        return longer.ends_with(text.as_str());
    }
    match (one.kind, other.kind) {
        // A name with an ending is that of a file: it is looked for, or looked into.
        (RequestKind::FindNamed, RequestKind::SearchText | RequestKind::FindFiles)
        | (RequestKind::MatchLines, RequestKind::SearchText) => has_ending(one),
        (RequestKind::SearchText, RequestKind::MatchLines) => !has_ending(other),
        // "how big is x": a name with an ending is a file, any other a folder.
        (RequestKind::ListFolder, RequestKind::ReadFile)
        | (RequestKind::FolderSize, RequestKind::FileDetails) => !has_ending(other),
        (RequestKind::ReadFile, RequestKind::ListFolder)
        | (RequestKind::FileDetails, RequestKind::FolderSize) => has_ending(one),
        // Rows of a table are lines of its file, but the header is none.
        (RequestKind::CsvShape, RequestKind::LinesInFile) => true,
        (one, RequestKind::InPlace) => one != RequestKind::InPlace,
        // A word that means something is no name of a folder, and an archive is none.
        (kind, RequestKind::ListFolder) => kind != RequestKind::ListFolder && is_bare_folder(other),
        (RequestKind::ArchiveList, RequestKind::FindFiles) => true,
        (RequestKind::MakeFile, RequestKind::WriteReport) => true,
        (RequestKind::MakeFolder, RequestKind::MakeFile) | (RequestKind::GitAuthors, RequestKind::GitBy) => {
            true
        }
        (RequestKind::ConfigValue, RequestKind::MatchLines | RequestKind::ReadFile) => true,
        (_, _) => false,
    }
}

/// Whether two readings differ in the name, or the text, of something new alone, and the first one takes less for it: what is said
/// around a name is no part of it.
fn names_less(one: &Clause, other: &Clause) -> Option<bool> {
    let rest = |clause: &Clause| Clause {
        slots: Slots {
            goal: Goal { target: None, as_folder: false, content: None, ..clause.slots.goal.clone() },
            ..clause.slots.clone()
        },
        ..clause.clone()
    };
    let length = |clause: &Clause| {
        let slots = &clause.slots;
        let name = match &slots.goal.target {
            Some(NamedPlace::Path(path)) => path.len(),
            Some(NamedPlace::Here | NamedPlace::Home(..)) | None => 0,
        };
        (name, slots.goal.content.as_ref().map_or(0, String::len), !slots.goal.as_folder)
    };
    (rest(one) == rest(other)).then(|| length(one) < length(other))
}

fn is_bare_folder(clause: &Clause) -> bool {
    matches!(&clause.slots.place, Some(NamedPlace::Path(path)) if !path.contains('/'))
}

fn file_name(clause: &Clause) -> Option<&str> {
    match &clause.slots.file {
        Some(NamedPlace::Path(path)) => path.rsplit('/').next(),
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => None,
    }
}

fn names_a_file(clause: &Clause) -> bool {
    match &clause.slots.place {
        Some(NamedPlace::Path(path)) => {
            let name = path.rsplit('/').next().unwrap_or_default();
            name.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty()
                    && (1..=4).contains(&ending.len())
                    && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            })
        }
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => false,
    }
}

fn has_ending(clause: &Clause) -> bool {
    file_name(clause).is_some_and(|name| name.trim_start_matches('.').contains('.'))
}

fn starts_in_chinese(clause: &Clause) -> bool {
    [&clause.slots.file, &clause.slots.place].into_iter().any(|place| match place {
        Some(NamedPlace::Path(path)) => path.starts_with(is_han),
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => false,
    })
}

fn path_length(clause: &Clause) -> usize {
    [&clause.slots.file, &clause.slots.place]
        .into_iter()
        .map(|place| match place {
            Some(NamedPlace::Path(path)) => path.len(),
            Some(NamedPlace::Here | NamedPlace::Home(..)) | None => 0,
        })
        .sum()
}

/// Segments the text into clauses, the longest first clause first; the reason when it cannot be done. Works from the
/// back, so that each pair of cuts is read once.
fn segment(text: &str, cuts: &[Cut]) -> Result<Vec<Clause>, NotUnderstood> {
    let starts: Vec<usize> = std::iter::once(0).chain(cuts.iter().map(|cut| cut.next)).collect();
    let mut solved: Vec<Result<Vec<Clause>, NotUnderstood>> =
        vec![Err(NotUnderstood::Unknown(None)); starts.len()];
    for (index, start) in starts.iter().enumerate().rev() {
        // The cut with number i leads to the start with number i + 1.
        let whole = (text.len(), None);
        let ends =
            std::iter::once(whole).chain((index..cuts.len()).rev().map(|cut| (cuts[cut].end, Some(cut + 1))));
        let mut outcome = Err(NotUnderstood::Unknown(None));
        for (end, next) in ends.filter(|(end, _)| end > start) {
            let piece = &text[*start..end];
            // "最后" and "first" may be a joint, and may be meant.
            let whole = read_clause(piece);
            let found = if whole.is_empty() { read_clause(strip_joints(piece)) } else { whole };
            let rest = match next {
                None => Ok(Vec::new()),
                Some(next) => solved[next].clone(),
            };
            outcome = match (found.as_slice(), rest) {
                ([], _) => continue,
                ([only], Ok(mut rest)) => {
                    rest.insert(0, only.clone());
                    Ok(rest)
                }
                ([_], Err(NotUnderstood::Unknown(None))) => {
                    let unread = next.map(|next| strip_joints(&text[starts[next]..]).to_owned());
                    Err(NotUnderstood::Unknown(unread))
                }
                ([_], Err(other)) => Err(other),
                (_, _) => Err(NotUnderstood::Ambiguous),
            };
            if outcome.is_ok() {
                break;
            }
        }
        solved[index] = outcome;
    }
    solved.swap_remove(0)
}

fn assemble(
    language: Language,
    clauses: Vec<Clause>,
    as_report: bool,
) -> Result<UnderstoodRequest, NotUnderstood> {
    let mut kept: Vec<Clause> = Vec::new();
    let mut report = None;
    let mut default_place: Option<NamedPlace> = None;
    let last = clauses.len() - 1;
    for (index, mut clause) in clauses.into_iter().enumerate() {
        if clause.kind == RequestKind::InPlace {
            if index > 0 {
                return Err(NotUnderstood::Unknown(None));
            }
            default_place = clause.slots.place;
            continue;
        }
        // "and make a file called out.txt" behind what was found means what was found.
        let found_before = kept.iter().any(|clause| !clause.kind.is_doing());
        if clause.kind == RequestKind::MakeFile && clause.slots.goal.content.is_none() && found_before {
            clause = Clause {
                kind: RequestKind::WriteReport,
                slots: Slots { file: clause.slots.goal.target, ..Slots::default() },
            };
        }
        if clause.kind == RequestKind::WriteReport {
            // A report comes last, and of something.
            if index != last || kept.is_empty() {
                return Err(NotUnderstood::Unknown(None));
            }
            let file = clause.slots.file;
            let kept_as = file.as_ref().map_or(Saving::Report, |file| saving(&kept, file, as_report));
            match (kept_as, kept.as_mut_slice(), file) {
                (Saving::Output, [only], file) => only.slots.goal.save = file,
                (Saving::Unfit, _, Some(NamedPlace::Path(name))) => {
                    return Err(NotUnderstood::Unwritable(name));
                }
                (_, _, file) => report = Some(ReportRequest { file }),
            }
            continue;
        }
        if clause.slots.place.is_none() {
            clause.slots.place.clone_from(&default_place);
        }
        if clause.kind == RequestKind::FolderReport {
            if last != index || !kept.is_empty() {
                return Err(NotUnderstood::Ambiguous);
            }
            report = Some(ReportRequest { file: clause.slots.file.take() });
        }
        if !kept.contains(&clause) {
            kept.push(clause);
        }
    }
    if kept.is_empty() {
        Err(NotUnderstood::Unknown(None))
    } else {
        Ok(UnderstoodRequest { language, clauses: kept, report })
    }
}

/// A template that is ready to be matched.
struct Compiled {
    kind: RequestKind,
    node: PatternNode,
    required: Vec<Vec<String>>,
}

/// The compiled table. A malformed template cannot match; a test proves that there is none.
fn compiled() -> &'static [Compiled] {
    static COMPILED: OnceLock<Vec<Compiled>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        TEMPLATES
            .iter()
            .flat_map(|row| row.english.iter().chain(row.chinese).map(|template| (row.kind, *template)))
            .filter_map(|(kind, template)| compile(template).ok().map(|node| (kind, node)))
            .map(|(kind, node)| Compiled { kind, required: required(&node), node })
            .collect()
    })
}
