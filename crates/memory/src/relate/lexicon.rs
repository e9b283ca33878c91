//! The words that the tables know.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::stem::stem;

/// What a word does in a request. The tables say what each class means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WordClass {
    Verb,
    Done,
    Task,
    Count,
    Counted,
    Stop,
    Prep,
    Next,
    Soft,
    Mark,
    Noun,
    Quality,
    Kind,
    Place,
    Time,
    Unit,
    Measure,
    Number,
    Superlative,
    Compare,
    Negation,
    Aspect,
    /// A word of no table.
    Open,
}

/// What a word may mean: its class and the name of its group.
pub(super) type Sense = (WordClass, String);

/// The tables of both languages, read once. Words of one language never stand for those of the other, so requests in
/// different languages do not meet.
pub(super) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(&[include_str!("english.tsv"), include_str!("chinese.tsv")]));

/// Words and phrases with their senses.
pub(super) struct Lexicon {
    senses: BTreeMap<String, Vec<Sense>>,
    /// What a verb says already.
    implied: BTreeSet<(String, String)>,
    /// Words of the longest phrase, and characters of the longest Chinese word.
    pub(super) longest: usize,
}

impl Lexicon {
    /// The senses of a word or phrase as it stands; none when no table has it.
    pub(super) fn senses(&self, phrase: &str) -> &[Sense] {
        self.senses.get(phrase).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the verb says the noun already, as in "send by email".
    pub(super) fn implies(&self, verb: &str, noun: &str) -> bool {
        self.implied.contains(&(verb.to_owned(), noun.to_owned()))
    }

    /// Lines of class, name of the group, words; a line of another form is a mistake in the table, which the tests find.
    fn read(tables: &[&str]) -> Self {
        let mut lexicon = Self { senses: BTreeMap::new(), implied: BTreeSet::new(), longest: 1 };
        for line in tables.iter().flat_map(|table| table.lines()) {
            let mut columns = line.split('\t');
            let (Some(class), Some(group), Some(words)) = (columns.next(), columns.next(), columns.next())
            else {
                continue;
            };
            for word in words.split(", ") {
                match class_of(class) {
                    Some(class) => lexicon.add(class, group, word),
                    None => {
                        lexicon.implied.insert((group.to_owned(), stem(word)));
                        lexicon.implied.insert((group.to_owned(), word.to_owned()));
                    }
                }
            }
        }
        lexicon
    }

    fn add(&mut self, class: WordClass, group: &str, word: &str) {
        let sense = (class, group.to_owned());
        let length = if word.is_ascii() { word.split(' ').count() } else { word.chars().count() };
        self.longest = self.longest.max(length);
        // A place keeps its number: "Downloads" is a folder, "download" is not.
        let stemmed = if class == WordClass::Place { word.to_owned() } else { stem(word) };
        for form in [word.to_owned(), format!("={stemmed}")] {
            let senses = self.senses.entry(form).or_default();
            if !senses.contains(&sense) {
                senses.push(sense.clone());
            }
        }
    }

    /// The senses of all words that have this stem.
    pub(super) fn of_stem(&self, stem: &str) -> &[Sense] {
        self.senses(&format!("={stem}"))
    }
}

/// `None` for the lines that say what a verb implies.
pub(super) fn class_of(name: &str) -> Option<WordClass> {
    Some(match name {
        "verb" => WordClass::Verb,
        "done" => WordClass::Done,
        "task" => WordClass::Task,
        "count" => WordClass::Count,
        "counted" => WordClass::Counted,
        "stop" => WordClass::Stop,
        "prep" => WordClass::Prep,
        "next" => WordClass::Next,
        "soft" => WordClass::Soft,
        "mark" => WordClass::Mark,
        "noun" => WordClass::Noun,
        "quality" => WordClass::Quality,
        "kind" => WordClass::Kind,
        "place" => WordClass::Place,
        "time" => WordClass::Time,
        "unit" => WordClass::Unit,
        "measure" => WordClass::Measure,
        "number" => WordClass::Number,
        "superlative" => WordClass::Superlative,
        "compare" => WordClass::Compare,
        "negation" => WordClass::Negation,
        "aspect" => WordClass::Aspect,
        _ => return None,
    })
}
