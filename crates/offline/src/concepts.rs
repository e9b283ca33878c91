//! Requests read by what their words mean, in whatever order they stand: for what no template of [`crate::requests`] says word by
//! word. Every word must be known or be a value of the request, and all of them together must be exactly those of one kind of
//! request; one word too many and nothing is understood.

use std::sync::LazyLock;

use artoo_request::{is_han, strip_joints};

use crate::clause::{Clause, RequestKind};
use crate::kinds::KINDS;
use crate::numbers::read_count;
use crate::pattern::{PatternNode, compile, prefixes};
use crate::places::{NamedPlace, read_file};
use crate::scan::{read_quoted, run, starts_with_word};
use crate::slots::{Slot, Slots, Statistic, What};

mod frames;
mod words;

use frames::{FRAMES, Frame, Part};
use words::Concept;

/// Longest clause that is read so, in characters.
const LONGEST: usize = 120;
/// Readings that are tried before a clause is given up; what is said in earnest needs some hundreds.
const MOST_READINGS: usize = 4_000;

/// The parts that are a word of its own.
const OWN_WORDS: [Part; 5] = [Part::Term, Part::FreeTerm, Part::Person, Part::Key, Part::Noun];

/// One way to read the front of a clause.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reading {
    at: usize,
    /// One bit for each concept that was read.
    concepts: u128,
    slots: Slots,
    has_number: bool,
    /// The kind of file was said, were it only "files".
    has_kind: bool,
    /// The word of its own: where it ends, and whether the word before says that it is searched for.
    term: Option<(usize, String, bool)>,
    last: Option<Concept>,
    /// The term is followed by a word that says what it is.
    introduced_behind: bool,
}

/// All requests that the words of a clause make together.
pub(crate) fn read(text: &str) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    // "first" may be a joint, and may be meant.
    for text in [text, strip_joints(text)] {
        for reading in wholes(text) {
            for frame in FRAMES {
                if let Some(clause) = clause(frame, &reading)
                    && !found.contains(&clause)
                {
                    found.push(clause);
                }
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    // "Pictures before 2026": what a folder of the home is called too is a kind of file where it can be.
    if found.iter().any(|clause| clause.slots.what.is_some()) {
        let is_folder = |clause: &Clause| matches!(clause.slots.place, Some(NamedPlace::Home(..)));
        found.retain(|clause| clause.slots.what.is_some() || !is_folder(clause));
    }
    found
}

/// The words that are known here.
pub(crate) fn vocabulary() -> impl Iterator<Item = &'static str> {
    words::all()
}

/// The readings of a clause, none of them with a word left over.
fn wholes(text: &str) -> Vec<Reading> {
    if text.chars().count() > LONGEST {
        return Vec::new();
    }
    let mut open = vec![Reading::default()];
    let mut whole: Vec<Reading> = Vec::new();
    let mut tried = 0;
    while let Some(reading) = open.pop() {
        tried += 1;
        if tried > MOST_READINGS {
            return Vec::new();
        }
        if reading.at >= text.len() {
            if !whole.contains(&reading) {
                whole.push(reading);
            }
            continue;
        }
        for next in steps(text, &reading) {
            if !open.contains(&next) {
                open.push(next);
            }
        }
    }
    whole
}

/// The ways to read one thing more.
fn steps(text: &str, reading: &Reading) -> Vec<Reading> {
    let rest = &text[reading.at..];
    let Some(first) = rest.chars().next() else { return Vec::new() };
    if first.is_whitespace() || matches!(first, ',' | '?' | '!' | '.' | ':' | '\'') {
        return vec![Reading { at: reading.at + first.len_utf8(), ..reading.clone() }];
    }
    let mut next = files(rest, reading);
    if let Some((length, quoted)) = read_quoted(rest) {
        next.extend(with_term(reading, length, &quoted, true));
        return next;
    }
    if next.iter().any(|file| rest[..file.at - reading.at].starts_with(|c: char| c.is_ascii())) {
        return next;
    }
    let searched = first.is_ascii_digit() && searches(reading);
    next.extend(searched.then(|| unknown(rest, reading)).flatten());
    let mut values = values(rest, reading);
    // The longest way to read a value is the one that is meant, and a value is meant where a word would say no more.
    let longest = values.iter().map(|value| value.at).max().unwrap_or(reading.at);
    values.retain(|value| value.at == longest);
    let said = words::at(rest).filter(|(length, _)| reading.at + length >= longest);
    match said {
        Some((length, concepts)) => {
            let is_value = reading.at + length == longest && !values.is_empty();
            next.extend(if is_value { values } else { Vec::new() });
            let concepts = concepts.into_iter().filter(|concept| !is_value || *concept != Concept::Filler);
            next.extend(concepts.map(|concept| with_concept(text, reading, length, concept)));
        }
        None if values.is_empty() && next.is_empty() => next.extend(unknown(rest, reading)),
        None => next.extend(values),
    }
    next
}

/// Whether the next word may be one that is searched for.
fn searches(reading: &Reading) -> bool {
    let before = [Concept::Mention, Concept::With, Concept::Word, Concept::Address, Concept::Often];
    reading.last.is_some_and(|last| before.contains(&last))
}

fn with_concept(text: &str, reading: &Reading, length: usize, concept: Concept) -> Reading {
    // "mention the budget": an article stands between the word and what it is about.
    let word = text[reading.at..reading.at + length].to_ascii_lowercase();
    let is_article = ["the", "a", "an", "my", "our", "了", "过"].contains(&word.as_str());
    let last = if is_article && searches(reading) { reading.last } else { Some(concept) };
    let mut next = Reading { at: reading.at + length, last, ..reading.clone() };
    if concept != Concept::Filler {
        next.concepts |= bit(concept);
    }
    let is_line = matches!(concept, Concept::Line | Concept::OneLine);
    if is_line {
        next.concepts |= bit(Concept::Line);
    }
    let is_behind = |end: usize| text[end..reading.at].trim().is_empty();
    next.introduced_behind |= (is_line || concept == Concept::Mention)
        && reading.term.as_ref().is_some_and(|(end, ..)| is_behind(*end));
    next
}

fn bit(concept: Concept) -> u128 {
    1 << concept as u32
}

fn files(rest: &str, reading: &Reading) -> Vec<Reading> {
    let mut next = Vec::new();
    // What begins with a Chinese word of the request is that word and a name: a name that is there stands in quotation marks.
    if rest.starts_with(is_han) && words::at(rest).is_some() {
        return next;
    }
    for (length, file) in read_file(rest) {
        let mut slots = reading.slots.clone();
        let slot = if slots.file.is_none() { &mut slots.file } else { &mut slots.second_file };
        if slot.is_none() {
            *slot = Some(file);
            next.push(Reading { at: reading.at + length, slots, last: None, ..reading.clone() });
        }
    }
    next
}

static PLACES: LazyLock<Vec<PatternNode>> = LazyLock::new(|| compiled(&["<in>", "<zin>"]));
static FILTERS: LazyLock<Vec<PatternNode>> = LazyLock::new(|| compiled(&["<filter>", "(<zfilter>)[的]"]));

fn compiled(templates: &[&str]) -> Vec<PatternNode> {
    templates.iter().filter_map(|template| compile(template).ok()).collect()
}

/// Folders, kinds of files, conditions, numbers and moments.
fn values(rest: &str, reading: &Reading) -> Vec<Reading> {
    let mut next = Vec::new();
    let slots = &reading.slots;
    let step = |length: usize, slots: Slots| Reading {
        at: reading.at + length,
        slots,
        last: None,
        ..reading.clone()
    };
    if slots.place.is_none() {
        for node in PLACES.iter() {
            let found = prefixes(node, rest, slots);
            next.extend(found.into_iter().filter(|(_, s)| is_place(s)).map(|(length, s)| step(length, s)));
        }
    }
    for node in FILTERS.iter() {
        let found = prefixes(node, rest, slots).into_iter();
        next.extend(
            found.filter(|(_, found)| found != slots && keeps(slots, found)).map(|(l, s)| step(l, s)),
        );
    }
    if slots.what.is_none() && !reading.has_kind {
        let kinds = Slot::What.read(rest, slots);
        let ending = if kinds.is_empty() { bare_ending(rest, slots) } else { None };
        for (length, filled) in kinds.into_iter().chain(ending) {
            if filled.what.is_some() {
                next.push(Reading { has_kind: true, ..step(length, filled) });
            }
        }
    }
    if !reading.has_number {
        let numbers = read_count(rest).into_iter().filter(|(length, _)| {
            let word = &rest[..*length];
            !matches!(word.to_ascii_lowercase().as_str(), "a" | "an")
        });
        for (length, number) in numbers {
            let mut filled = slots.clone();
            filled.count = Some(number);
            next.push(Reading { has_number: true, ..step(length, filled) });
        }
    }
    if slots.goal.days.is_none() {
        next.extend(Slot::Days.read(rest, slots).into_iter().map(|(length, s)| step(length, s)));
    }
    if slots.goal.since.is_none() {
        next.extend(Slot::Since.read(rest, slots).into_iter().map(|(length, s)| step(length, s)));
    }
    next
}

/// Whether a folder is named, and not by a word that means something else.
fn is_place(slots: &Slots) -> bool {
    match &slots.place {
        Some(NamedPlace::Path(path)) => {
            let is_word = words::at(path).is_some_and(|(length, _)| length == path.len());
            let is_file =
                !path.contains('/') && read_file(path).iter().any(|(length, _)| *length == path.len());
            !is_word && !is_file
        }
        Some(NamedPlace::Here | NamedPlace::Home(..)) => true,
        None => false,
    }
}

/// Whether nothing that was said before is said in another way.
fn keeps(before: &Slots, after: &Slots) -> bool {
    let same = |one: Option<u64>, other: Option<u64>| one.is_none() || one == other;
    same(before.larger, after.larger)
        && same(before.smaller, after.smaller)
        && same(before.newer, after.newer)
        && same(before.older, after.older)
        && (before.name.is_none() || before.name == after.name)
}

/// "jpgs", "every png": an ending that files have, alone.
fn bare_ending(rest: &str, slots: &Slots) -> Option<(usize, Slots)> {
    let length = run(rest, |found| found.is_ascii_alphanumeric());
    let word = rest[..length].to_ascii_lowercase();
    let is_ending = |word: &str| KINDS.iter().any(|kind| kind.endings.contains(&word));
    let ending = if is_ending(&word) { word.as_str() } else { word.strip_suffix('s')? };
    if ending.len() < 2 || !is_ending(ending) || !starts_with_word(rest, &rest[..length]) {
        return None;
    }
    let mut filled = slots.clone();
    filled.what = Some(What::Ending(ending.to_owned()));
    Some((length, filled))
}

/// A word that is in no list.
fn unknown(rest: &str, reading: &Reading) -> Option<Reading> {
    let first = rest.chars().next()?;
    let length = if is_han(first) {
        first.len_utf8()
    } else {
        run(rest, |found| found.is_ascii_alphanumeric() || matches!(found, '_' | '-' | '.' | '@' | '#' | '='))
    };
    let word = rest[..length].trim_end_matches('.');
    (!word.is_empty()).then(|| with_term(reading, word.len(), word, false)).flatten()
}

/// The reading with this word of its own; one that is written without spaces goes on.
fn with_term(reading: &Reading, length: usize, word: &str, quoted: bool) -> Option<Reading> {
    let introduced = quoted || searches(reading);
    let term = match &reading.term {
        None => (reading.at + length, word.to_owned(), introduced),
        Some((end, before, introduced)) if *end == reading.at && word.starts_with(is_han) => {
            (reading.at + length, format!("{before}{word}"), *introduced)
        }
        Some(_) => return None,
    };
    Some(Reading { at: reading.at + length, term: Some(term), ..reading.clone() })
}

fn clause(frame: &Frame, reading: &Reading) -> Option<Clause> {
    let Reading { slots, concepts, .. } = reading;
    let has = |concept: &Concept| concepts & bit(*concept) != 0;
    let needed = frame.needs.iter().all(|group| group.iter().any(has));
    let known = frame.needs.iter().copied().flatten().chain(frame.may);
    let allowed = known.fold(bit(Concept::OneLine), |all, concept| all | bit(*concept));
    if !needed || concepts & !allowed != 0 {
        return None;
    }
    let may = |parts: &[Part]| parts.iter().any(|part| frame.parts.contains(part));
    let filters = [slots.larger, slots.smaller, slots.newer, slots.older].iter().any(Option::is_some)
        || slots.name.is_some()
        || slots.goal.days.is_some();
    // A file is looked for here anyway.
    let says_here = slots.file.is_some() && slots.place == Some(NamedPlace::Here);
    // Whether something is said, may be said, and must be said.
    let rules = [
        (slots.file.is_some(), may(&[Part::File, Part::TwoFiles]), may(&[Part::File, Part::TwoFiles])),
        (slots.second_file.is_some(), may(&[Part::TwoFiles]), may(&[Part::TwoFiles])),
        (slots.place.is_some(), may(&[Part::Place, Part::SomePlace]) || says_here, may(&[Part::SomePlace])),
        (slots.what.is_some(), may(&[Part::Kind, Part::SomeKind]), may(&[Part::SomeKind])),
        (slots.count.is_some(), may(&[Part::Number, Part::SomeNumber]), may(&[Part::SomeNumber])),
        (filters, may(&[Part::Filter, Part::SomeFilter]), may(&[Part::SomeFilter])),
        (slots.goal.since.is_some(), may(&[Part::Moment]), may(&[Part::Moment])),
        (reading.term.is_some(), may(&OWN_WORDS), may(&OWN_WORDS)),
    ];
    if rules.iter().any(|(said, may, must)| *said && !may || *must && !said) {
        return None;
    }
    let mut slots = slots.clone();
    if says_here {
        slots.place = None;
    }
    if let Some((_, term, introduced)) = &reading.term {
        if may(&[Part::Term]) && !(*introduced || reading.introduced_behind) {
            return None;
        }
        if may(&[Part::Person]) && !term.starts_with(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        // The lines of a log, or of a table, hold more than what they are called for.
        if may(&[Part::Noun]) && (*introduced || !holds_one_thing_a_line(slots.file.as_ref())) {
            return None;
        }
        let slot = if may(&[Part::Person]) {
            &mut slots.name
        } else if may(&[Part::Key]) {
            &mut slots.key
        } else {
            &mut slots.text
        };
        *slot = Some(term.clone());
    }
    if frame.parts.contains(&Part::Noun) {
        slots.text = None;
    }
    let shows_lines = matches!(frame.kind, RequestKind::FirstLines | RequestKind::LastLines);
    if shows_lines && slots.count.is_none() && (has(&Concept::OneLine) || has(&Concept::Thing)) {
        slots.count = Some(1);
    }
    if frame.kind == RequestKind::GitLog && has(&Concept::OneCommit) {
        slots.count = Some(1);
    }
    if frame.kind == RequestKind::NumberStatistic {
        slots.statistic = Some(statistic(has)?);
    }
    Some(Clause { kind: frame.kind, slots })
}

/// Whether the lines of a file are likely to be things of a list.
fn holds_one_thing_a_line(file: Option<&NamedPlace>) -> bool {
    let lower = match file {
        Some(NamedPlace::Path(path)) => path.to_lowercase(),
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => return false,
    };
    [".txt", ".md", ".lst", ".list"].iter().any(|ending| lower.ends_with(ending))
}

/// The calculation that is asked for; none where two are.
fn statistic(has: impl Fn(&Concept) -> bool) -> Option<Statistic> {
    let known = [
        (Statistic::Sum, has(&Concept::Sum)),
        (Statistic::Average, has(&Concept::Average)),
        (Statistic::Maximum, has(&Concept::Maximum) || has(&Concept::Largest)),
        (Statistic::Minimum, has(&Concept::Minimum) || has(&Concept::Smallest)),
    ];
    let mut said = known.iter().filter(|(_, said)| *said);
    let only = said.next()?.0;
    said.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests;
