//! The values inside a request: places, kinds of file, sizes, ages, numbers, quotations.

use artoo_request::is_han;
use artoo_request::spans::{DaySpan, read_days};

use crate::kinds::{ANY, FileKind, KINDS};
use crate::new_names::{read_content, read_ending, read_new, read_since, read_things, read_title};
use crate::numbers::{read_age, read_count, read_size};
use crate::places::{NamedPlace, read_file, read_here, read_known, read_place};
pub(crate) use crate::query::Statistic;
use crate::query::TableQuery;
use crate::scan::{read_quoted, run, starts_with_word};

/// Which files are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A kind from the table.
    Kind(FileKind),
    /// Files with this ending, lower case, without the dot.
    Ending(String),
}

/// What is to come of a request: what is made, where something goes, since when, and whether the person has agreed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Goal {
    /// A file or folder that is to be made, or the folder that something goes into.
    pub(crate) target: Option<NamedPlace>,
    /// The target is said to be a folder.
    pub(crate) as_folder: bool,
    /// The text of a new file.
    pub(crate) content: Option<String>,
    /// A moment that has a name, as `git` reads it.
    pub(crate) since: Option<&'static str>,
    /// Days on which files changed.
    pub(crate) days: Option<DaySpan>,
    /// What was shown is to be done now.
    pub(crate) agreed: bool,
    /// The new file that the answer goes into, as it is.
    pub(crate) save: Option<NamedPlace>,
}

/// Everything that one reading of a template has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slots {
    pub(crate) place: Option<NamedPlace>,
    pub(crate) what: Option<What>,
    pub(crate) count: Option<u64>,
    /// Bytes; files must be larger.
    pub(crate) larger: Option<u64>,
    /// Bytes; files must be smaller.
    pub(crate) smaller: Option<u64>,
    /// Minutes; files must have changed within them.
    pub(crate) newer: Option<u64>,
    /// Minutes; files must not have changed within them.
    pub(crate) older: Option<u64>,
    /// A file name pattern.
    pub(crate) name: Option<String>,
    /// Text to look for.
    pub(crate) text: Option<String>,
    pub(crate) file: Option<NamedPlace>,
    pub(crate) second_file: Option<NamedPlace>,
    /// What is to come of it.
    pub(crate) goal: Goal,
    /// A dotted key, or the name of a column.
    pub(crate) key: Option<String>,
    pub(crate) statistic: Option<Statistic>,
    /// A question about a table; only [`crate::semantic`] fills it.
    pub(crate) query: Option<TableQuery>,
}

/// What a `{slot}` of a template reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Place,
    Known,
    Here,
    What,
    Count,
    Larger,
    Smaller,
    Newer,
    Older,
    Name,
    Called,
    Text,
    Term,
    File,
    SecondFile,
    Key,
    Statistic,
    New,
    Title,
    AsFolder,
    Content,
    Quoted,
    One,
    Since,
    Things,
    Ending,
    Days,
}

const SLOT_NAMES: [(&str, Slot); 27] = [
    ("called", Slot::Called),
    ("days", Slot::Days),
    ("new", Slot::New),
    ("title", Slot::Title),
    ("as_folder", Slot::AsFolder),
    ("content", Slot::Content),
    ("quoted", Slot::Quoted),
    ("one", Slot::One),
    ("since", Slot::Since),
    ("things", Slot::Things),
    ("ending", Slot::Ending),
    ("term", Slot::Term),
    ("known", Slot::Known),
    ("here", Slot::Here),
    ("place", Slot::Place),
    ("what", Slot::What),
    ("count", Slot::Count),
    ("larger", Slot::Larger),
    ("smaller", Slot::Smaller),
    ("newer", Slot::Newer),
    ("older", Slot::Older),
    ("name", Slot::Name),
    ("text", Slot::Text),
    ("file", Slot::File),
    ("file2", Slot::SecondFile),
    ("key", Slot::Key),
    ("stat", Slot::Statistic),
];

const STATISTICS: [(&str, Statistic); 24] = [
    ("average", Statistic::Average),
    ("mean", Statistic::Average),
    ("平均值", Statistic::Average),
    ("平均数", Statistic::Average),
    ("平均", Statistic::Average),
    ("均值", Statistic::Average),
    ("sum", Statistic::Sum),
    ("total", Statistic::Sum),
    ("总和", Statistic::Sum),
    ("合计", Statistic::Sum),
    ("总计", Statistic::Sum),
    ("求和", Statistic::Sum),
    ("之和", Statistic::Sum),
    ("minimum", Statistic::Minimum),
    ("min", Statistic::Minimum),
    ("lowest", Statistic::Minimum),
    ("smallest", Statistic::Minimum),
    ("最小值", Statistic::Minimum),
    ("maximum", Statistic::Maximum),
    ("max", Statistic::Maximum),
    ("highest", Statistic::Maximum),
    ("largest", Statistic::Maximum),
    ("最大值", Statistic::Maximum),
    ("求平均", Statistic::Average),
];

/// Words that are never a search text or a column although they stand where one could.
const NOT_A_WORD: [&str; 24] = [
    "all",
    "the",
    "a",
    "an",
    "my",
    "it",
    "them",
    "this",
    "that",
    "in",
    "and",
    "or",
    "of",
    "for",
    "files",
    "file",
    "lines",
    "text",
    "named",
    "called",
    "containing",
    "with",
    "rows",
    "columns",
];

/// What an unquoted Chinese search text never holds: it would be a part of the request.
const TEXT_STOPS: [&str; 24] = [
    "的", "里", "中", "内", "和", "或", "与", "并", "然", "文", "件", "所", "有", "目", "录", "项", "行",
    "字", "代", "重", "图", "照", "最", "空",
];

impl Slot {
    /// The slot with this name in a template.
    pub(crate) fn named(name: &str) -> Option<Self> {
        SLOT_NAMES.iter().find(|(known, _)| *known == name).map(|(_, slot)| *slot)
    }

    /// All ways to read this slot from the front of `rest`: consumed bytes, and `slots` with the value filled in.
    pub(crate) fn read(self, rest: &str, slots: &Slots) -> Vec<(usize, Slots)> {
        match self {
            Self::Place => each(slots, read_place(rest), |filled, place| filled.place = Some(place)),
            Self::File => each(slots, read_file(rest), |filled, file| filled.file = Some(file)),
            Self::SecondFile => each(slots, read_file(rest), |filled, file| filled.second_file = Some(file)),
            // "files" alone is no condition.
            Self::What => each(slots, read_what(rest), |filled, what| {
                filled.what = (what != What::Kind(ANY)).then_some(what);
            }),
            Self::Known => each(slots, read_known(rest), |filled, place| filled.place = Some(place)),
            Self::Here => each(slots, read_here(rest), |filled, place| filled.place = Some(place)),
            Self::Count => each(slots, read_count(rest), |filled, count| filled.count = Some(count)),
            Self::Larger => each(slots, read_size(rest), |filled, size| filled.larger = Some(size)),
            Self::Smaller => each(slots, read_size(rest), |filled, size| filled.smaller = Some(size)),
            Self::Newer => each(slots, read_age(rest), |filled, age| filled.newer = Some(age)),
            Self::Older => each(slots, read_age(rest), |filled, age| filled.older = Some(age)),
            Self::Name => each(slots, read_name(rest), |filled, name| filled.name = Some(name)),
            Self::Called => each(slots, read_called(rest), |filled, name| filled.name = Some(name)),
            Self::Text => each(slots, read_text(rest), |filled, text| filled.text = Some(text)),
            Self::Term => each(slots, read_term(rest), |filled, text| filled.text = Some(text)),
            Self::Key => each(slots, read_key(rest), |filled, key| filled.key = Some(key)),
            Self::New => each(slots, read_new(rest), |filled, place| filled.goal.target = Some(place)),
            Self::Title => each(slots, read_title(rest), |filled, place| filled.goal.target = Some(place)),
            Self::AsFolder => each(slots, vec![(0, ())], |filled, ()| filled.goal.as_folder = true),
            Self::Content => each(slots, read_content(rest), |filled, text| filled.goal.content = Some(text)),
            Self::Quoted => each(slots, read_quoted(rest).into_iter().collect(), |filled, text| {
                filled.goal.content = Some(text);
            }),
            Self::One => each(slots, vec![(0, 1)], |filled, count| filled.count = Some(count)),
            Self::Since => each(slots, read_since(rest), |filled, since| filled.goal.since = Some(since)),
            Self::Days => each(slots, read_days(rest), |filled, days| filled.goal.days = Some(days)),
            Self::Things => each(slots, read_things(rest), |filled, text| filled.text = Some(text)),
            Self::Ending => each(slots, read_ending(rest), |filled, ending| filled.text = Some(ending)),
            Self::Statistic => {
                each(slots, read_statistic(rest), |filled, statistic| filled.statistic = Some(statistic))
            }
        }
    }
}

fn each<T>(slots: &Slots, found: Vec<(usize, T)>, fill: impl Fn(&mut Slots, T)) -> Vec<(usize, Slots)> {
    found
        .into_iter()
        .map(|(length, value)| {
            let mut filled = slots.clone();
            fill(&mut filled, value);
            (length, filled)
        })
        .collect()
}

fn read_what(rest: &str) -> Vec<(usize, What)> {
    let mut found = Vec::new();
    for kind in std::iter::once(&ANY).chain(&KINDS) {
        for word in kind.words {
            if starts_with_word(rest, word) {
                for length in with_noun(rest, word.len()) {
                    found.push((length, What::Kind(*kind)));
                }
            }
        }
    }
    found.extend(bare_ending(rest));
    let dot = rest.strip_prefix("*.").or_else(|| rest.strip_prefix('.'));
    if let Some(after) = dot {
        let ending = run(after, |found| found.is_ascii_alphanumeric());
        if (1..=10).contains(&ending) {
            let length = rest.len() - after.len() + ending;
            for end in with_noun(rest, length) {
                found.push((end, What::Ending(after[..ending].to_lowercase())));
            }
        }
    }
    found
}

/// Endings that people say for the files themselves: "every png".
const SPOKEN_ENDINGS: [&str; 12] =
    ["png", "jpg", "jpeg", "gif", "csv", "txt", "mp3", "mp4", "mov", "docx", "xlsx", "pptx"];

/// "png files", "jpg图片": an ending that files have, with a noun behind it.
fn bare_ending(rest: &str) -> Vec<(usize, What)> {
    let length = run(rest, |found| found.is_ascii_alphanumeric());
    let ending = rest[..length].to_lowercase();
    let is_known = KINDS.iter().any(|kind| kind.endings.contains(&ending.as_str()));
    let is_kind = KINDS.iter().any(|kind| kind.words.contains(&ending.as_str()));
    let nouns = [
        " files",
        " file",
        " images",
        " pictures",
        " photos",
        "文件",
        "图片",
        "照片",
        "格式的文件",
        "格式的图片",
    ];
    let mut found = Vec::new();
    if is_known && !is_kind {
        let noun = nouns.iter().find(|noun| starts_with_word(&rest[length..], noun));
        found.extend(noun.map(|noun| (length + noun.len(), What::Ending(ending.clone()))));
    }
    let said = SPOKEN_ENDINGS.iter().find(|one| ending == **one || ending.strip_suffix('s') == Some(one));
    found.extend(said.filter(|_| !is_kind).map(|one| (length, What::Ending((*one).to_owned()))));
    found
}

/// The lengths with and without a following "files" / "文件".
fn with_noun(rest: &str, length: usize) -> Vec<usize> {
    let mut lengths = vec![length];
    for noun in [" files", " file", "文件"] {
        if starts_with_word(&rest[length..], noun) {
            lengths.push(length + noun.len());
        }
    }
    lengths
}

fn read_name(rest: &str) -> Vec<(usize, String)> {
    if let Some(quoted) = read_quoted(rest) {
        return vec![quoted];
    }
    word(rest, |found| found.is_alphanumeric() || matches!(found, '_' | '-' | '.' | '*' | '?'))
}

/// A name behind a word that says so: Chinese needs no quotation marks there, and it ends before the first 的.
fn read_called(rest: &str) -> Vec<(usize, String)> {
    let found = read_name(rest);
    let end = |name: &str| name.find('的').filter(|at| *at > 0 && !rest.starts_with(['"', '“', '「', '《']));
    let cut = |(length, name): (usize, String)| match end(&name) {
        Some(at) => (at, name[..at].to_owned()),
        None => (length, name),
    };
    found.into_iter().map(cut).collect()
}

fn read_text(rest: &str) -> Vec<(usize, String)> {
    if let Some(quoted) = read_quoted(rest) {
        return vec![quoted];
    }
    word(rest, |found| {
        found.is_ascii_alphanumeric() || matches!(found, '_' | '-' | '.' | ':' | '(' | ')' | '#' | '@' | '=')
    })
}

/// A text to look for behind a verb that can mean nothing else: Chinese needs no quotation marks there, unless it could hold
/// a place or a noun of the request itself.
fn read_term(rest: &str) -> Vec<(usize, String)> {
    let han = run(rest, is_han);
    let text = &rest[..han];
    let fits = (2..=8).contains(&text.chars().count()) && !TEXT_STOPS.iter().any(|stop| text.contains(stop));
    if fits { vec![(han, text.to_owned())] } else { read_text(rest) }
}

fn read_key(rest: &str) -> Vec<(usize, String)> {
    if let Some(quoted) = read_quoted(rest) {
        return vec![quoted];
    }
    let mut found =
        word(rest, |found| found.is_alphanumeric() && !is_han(found) || matches!(found, '_' | '-' | '.'));
    // A Chinese column name needs no quotation marks: any length is tried, the template decides where it ends.
    let han = run(rest, is_han);
    let column = |name: &str| {
        !name.starts_with(['的', '里', '中', '列']) && !name.ends_with('列') && !name.contains('的')
    };
    found.extend(
        rest[..han]
            .char_indices()
            .map(|(at, last)| (at + last.len_utf8(), rest[..at + last.len_utf8()].to_owned()))
            .filter(|(_, name)| column(name)),
    );
    found
}

fn read_statistic(rest: &str) -> Vec<(usize, Statistic)> {
    STATISTICS
        .iter()
        .filter(|(name, _)| starts_with_word(rest, name))
        .map(|(name, value)| (name.len(), *value))
        .collect()
}

fn word(rest: &str, accept: impl Fn(char) -> bool) -> Vec<(usize, String)> {
    let length = run(rest, accept);
    let text = &rest[..length];
    if length == 0 || NOT_A_WORD.contains(&text.to_lowercase().as_str()) {
        return Vec::new();
    }
    vec![(length, text.to_owned())]
}
