//! What a request says: its verbs, its things, and what binds them.

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{LEXICON, Sense, WordClass};
use super::numerals::number_ahead;
use super::pieces::{Piece, is_han, pieces};
use super::stem::stem;

/// What a request says.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ParsedRequest {
    /// What is to be done, in order. One that only asks is in here too.
    pub(super) verbs: Vec<String>,
    /// Everything else that matters.
    pub(super) things: BTreeMap<String, WordClass>,
    /// What stands behind "to", "from", "with", "by".
    pub(super) roles: BTreeMap<String, BTreeSet<String>>,
    /// Numbers in their order, with their units.
    pub(super) numbers: Vec<String>,
    /// What a negation stands before.
    pub(super) negated: BTreeSet<String>,
    /// Comparing words with what follows them: ("before", "monday").
    pub(super) bounds: BTreeSet<(String, String)>,
    /// Words that say nothing when they are missing.
    pub(super) soft: BTreeSet<String>,
}

impl ParsedRequest {
    /// Whether nothing is to be done but answering.
    pub(super) fn only_asks(&self) -> bool {
        self.verbs.iter().all(|verb| ASK.contains(&verb.as_str()) || CHECK.contains(&verb.as_str()))
    }
}

/// The verb of a request that only asks, in each language.
const ASK: [&str; 2] = ["ask", "列"];
/// The verb of a question for yes or no.
const CHECK: [&str; 2] = ["check", "检查"];
/// The verb of a request for a number.
const COUNT: [&str; 2] = ["count", "数"];
/// Verbs before a noun that names the task: "make a backup", "give me a summary".
const LIGHT: [&str; 7] = ["ask", "create", "write", "set", "列", "建", "写"];
/// A folder is named by the word before it.
const FOLDERS: [&str; 4] = ["folder", "directory", "文件夹", "目录"];
/// A file of a kind is named by the word before it.
const FILES: [&str; 3] = ["file", "files", "文件"];
/// Ranks that say nothing more beside a superlative: "the first ten largest".
const RANKS: [&str; 3] = ["top", "first", "前"];
/// Names of the groups of units of time that "last" may stand before.
const SPANS: [&str; 6] = ["min", "h", "d", "w", "mo", "y"];

/// Reads a request.
pub(super) fn read(text: &str) -> ParsedRequest {
    let pieces = pieces(text);
    let chinese = pieces.iter().any(|piece| matches!(piece, Piece::Run(_)));
    let mut reader = RequestReader { chinese, clause: true, ..RequestReader::default() };
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        match piece {
            Piece::Break => {
                reader.end_clause();
                at += 1;
            }
            Piece::Run(run) => {
                reader.run(run);
                at += 1;
            }
            Piece::Word(_) => at += reader.word(&pieces[at..]),
        }
    }
    reader.finish()
}

/// What stands around a word.
struct Around<'a> {
    /// The word or phrase as it is written.
    surface: &'a str,
    /// A folder, or "in" in Chinese, follows: it is a place.
    is_place: bool,
    /// It describes the noun that follows: it is not what is to be done.
    describes: bool,
    /// Between other Chinese characters of no table, where a particle is part of a name.
    in_name: bool,
}

#[derive(Default)]
struct RequestReader {
    said: ParsedRequest,
    chinese: bool,
    counts: bool,
    /// Whether a verb may stand here.
    clause: bool,
    role: Option<String>,
    negates: bool,
    /// The comparing word that stood before. Chinese ones stand behind what they compare with.
    compares: Option<String>,
    /// The class of what was read last, none at the start and after a break.
    last: Option<WordClass>,
    /// A preposition stood before: a place may follow.
    at_place: bool,
    asks_yes_or_no: bool,
}

impl RequestReader {
    /// Reads the longest phrase that `rest` begins with, and returns how many pieces it has.
    fn word(&mut self, rest: &[Piece]) -> usize {
        let words: Vec<&str> = rest
            .iter()
            .take(LEXICON.longest)
            .map_while(|piece| match piece {
                Piece::Word(word) => Some(word.as_str()),
                Piece::Run(_) | Piece::Break => None,
            })
            .collect();
        for length in (1..=words.len()).rev() {
            let surface = words[..length].join(" ");
            let next = words.get(length).copied().unwrap_or_default();
            let is_place = FOLDERS.contains(&next) || (length == 1 && self.at_place);
            let around = Around { surface: &surface, is_place, describes: false, in_name: false };
            let mut senses = LEXICON.senses(&surface).to_vec();
            if length == 1 {
                senses.extend(LEXICON.of_stem(&stem(&surface)).iter().cloned());
            }
            if let Some(sense) = self.choose(&senses, &around) {
                self.take(sense, &around);
                return length;
            }
        }
        let word = words.first().copied().unwrap_or_default();
        let around = Around { surface: word, is_place: false, describes: false, in_name: false };
        let is_number = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let class = if is_number { WordClass::Number } else { WordClass::Open };
        self.take((class, stem(word)), &around);
        1
    }

    /// Reads Chinese characters, the longest word of the tables first.
    fn run(&mut self, run: &[char]) {
        let mut at = 0;
        while at < run.len() {
            if let Some((number, length)) = number_ahead(&run[at..]) {
                let around = Around { surface: "", is_place: false, describes: false, in_name: false };
                self.take((WordClass::Number, number), &around);
                at += length;
                continue;
            }
            at += self.han_word(&run[at..]);
        }
        self.asks_yes_or_no |= run.last() == Some(&'吗');
    }

    fn han_word(&mut self, rest: &[char]) -> usize {
        for length in (1..=rest.len().min(LEXICON.longest)).rev() {
            let surface: String = rest[..length].iter().collect();
            let senses = LEXICON.senses(&surface);
            if senses.is_empty() {
                continue;
            }
            let after: String = rest[length..].iter().take(3).collect();
            let follows = |words: &[&str]| words.iter().any(|word| after.starts_with(word));
            let around = Around {
                surface: &surface,
                is_place: follows(&["目录", "文件夹", "里", "中"]),
                describes: follows(&["的", "过"]),
                in_name: length == 1 && !after.is_empty() && !is_known(&rest[1..]),
            };
            if let Some(sense) = self.choose(senses, &around) {
                self.take(sense, &around);
                return length;
            }
        }
        let around = Around { surface: "", is_place: false, describes: false, in_name: false };
        self.take((WordClass::Open, rest[0].to_string()), &around);
        1
    }

    /// The sense that fits here, if one does.
    fn choose(&self, senses: &[Sense], around: &Around<'_>) -> Option<Sense> {
        let has = |class| senses.iter().any(|sense| sense.0 == class);
        let other = senses.iter().any(|sense| sense.0 != WordClass::Verb);
        let is_han = around.surface.chars().next().is_some_and(is_han);
        let fits = |sense: &Sense| match sense.0 {
            WordClass::Task => self.after_light_verb(),
            WordClass::Unit => self.last == Some(WordClass::Number),
            WordClass::Measure => {
                matches!(
                    self.last,
                    Some(WordClass::Number | WordClass::Count | WordClass::Aspect | WordClass::Superlative)
                )
            }
            WordClass::Verb => {
                let described =
                    has(WordClass::Done) && around.describes || has(WordClass::Place) && around.is_place;
                (self.clause && !described) || (is_han && !other)
            }
            WordClass::Place => {
                around.is_place
                    || senses.iter().all(|sense| matches!(sense.0, WordClass::Place | WordClass::Verb))
            }
            WordClass::Stop | WordClass::Prep => !(around.in_name && is_ambiguous(around.surface)),
            WordClass::Noun
            | WordClass::Quality
            | WordClass::Kind
            | WordClass::Done
            | WordClass::Time
            | WordClass::Number => true,
            WordClass::Count | WordClass::Counted | WordClass::Next | WordClass::Soft | WordClass::Mark => {
                true
            }
            WordClass::Superlative
            | WordClass::Compare
            | WordClass::Negation
            | WordClass::Aspect
            | WordClass::Open => true,
        };
        let first = |class: WordClass| senses.iter().find(|sense| sense.0 == class && fits(sense));
        let narrow =
            [WordClass::Task, WordClass::Unit, WordClass::Measure, WordClass::Verb, WordClass::Place];
        let chosen = narrow.into_iter().find_map(first);
        chosen.or_else(|| senses.iter().find(|sense| fits(sense))).cloned()
    }

    /// "make a", "give me a": the noun that follows says what is to be done.
    fn after_light_verb(&self) -> bool {
        let light = self.said.verbs.last().is_some_and(|verb| LIGHT.contains(&verb.as_str()));
        light && self.said.things.is_empty() && self.role.is_none()
    }

    fn take(&mut self, (class, group): Sense, around: &Around<'_>) {
        let before = self.last.replace(class);
        match class {
            WordClass::Stop | WordClass::Measure => {}
            WordClass::Soft => {
                self.said.soft.insert(group);
            }
            WordClass::Prep => {
                self.role = None;
                self.at_place = true;
                return;
            }
            WordClass::Next => self.end_clause(),
            WordClass::Mark => {
                let infinitive = group == "to" && self.said.verbs.is_empty() && self.said.things.is_empty();
                self.role = if infinitive { None } else { Some(group) };
                self.at_place = true;
                return;
            }
            WordClass::Negation => {
                self.negates = true;
                self.said.things.insert("not".to_owned(), class);
            }
            WordClass::Count => {
                self.counts = true;
                self.clause = false;
            }
            WordClass::Verb => self.verb(group, around),
            WordClass::Task => {
                self.said.verbs.pop();
                self.said.verbs.push(group);
            }
            WordClass::Counted => {
                self.counts = true;
                self.thing(WordClass::Noun, group);
            }
            WordClass::Number => self.number(group, before),
            WordClass::Unit => self.unit(&group),
            WordClass::Noun if self.says_nothing_more(around.surface, before) => self.last = before,
            WordClass::Noun
            | WordClass::Quality
            | WordClass::Kind
            | WordClass::Done
            | WordClass::Place
            | WordClass::Time => {
                self.thing(class, group);
            }
            WordClass::Superlative | WordClass::Compare | WordClass::Aspect | WordClass::Open => {
                self.thing(class, group);
            }
        }
        // Articles may stand between a preposition and its place.
        self.at_place &= class == WordClass::Stop;
    }

    /// "folder" after its name, "file" after its kind.
    fn says_nothing_more(&self, surface: &str, before: Option<WordClass>) -> bool {
        let is_han = surface.chars().next().is_some_and(is_han);
        let named =
            matches!(before, Some(WordClass::Noun | WordClass::Open | WordClass::Place | WordClass::Kind));
        let of_a_kind = before == Some(WordClass::Kind) || (is_han && named);
        FOLDERS.contains(&surface) && named || FILES.contains(&surface) && of_a_kind
    }

    fn verb(&mut self, group: String, around: &Around<'_>) {
        self.clause = false;
        // "替换成", "移到": the verb brings its "to" with it.
        let leads = around.surface.ends_with(['成', '到', '为', '至']) && group != ASK[1];
        self.role = leads.then(|| "到".to_owned());
        if std::mem::take(&mut self.negates) {
            self.said.negated.insert(group.clone());
        }
        self.said.verbs.push(group);
    }

    fn thing(&mut self, class: WordClass, group: String) {
        // In Chinese the verb may follow its object ("把文件删掉"); in English a time or place may come first.
        let before_verb = matches!(class, WordClass::Time | WordClass::Place | WordClass::Number);
        if !(self.said.verbs.is_empty() && (self.chinese || before_verb)) {
            self.clause = false;
        }
        if let Some(role) = &self.role {
            self.said.roles.entry(role.clone()).or_default().insert(group.clone());
        }
        if std::mem::take(&mut self.negates) {
            self.said.negated.insert(group.clone());
        }
        if let Some(compares) = self.compares.take() {
            self.said.bounds.insert((compares, group.clone()));
        }
        if class == WordClass::Compare && !self.chinese {
            self.compares = Some(group.clone());
        }
        self.said.things.insert(group, class);
    }

    fn number(&mut self, number: String, before: Option<WordClass>) {
        // "twenty five", "two hundred".
        let last = self.said.numbers.last().and_then(|last| last.parse::<u64>().ok());
        let joined = match (before, last, number.parse::<u64>()) {
            (Some(WordClass::Number), Some(tens), Ok(ones @ 1..=9))
                if (20..100).contains(&tens) && tens % 10 == 0 =>
            {
                Some(tens + ones)
            }
            (Some(WordClass::Number), Some(count @ 1..=99), Ok(scale @ (100 | 1_000))) => Some(count * scale),
            _ => None,
        };
        let number = match joined {
            Some(joined) => {
                self.drop_last_number();
                joined.to_string()
            }
            None => number,
        };
        self.said.numbers.push(number.clone());
        self.thing(WordClass::Number, number);
    }

    fn unit(&mut self, unit: &str) {
        let Some(number) = self.drop_last_number() else { return };
        let amount = format!("{number}{unit}");
        if SPANS.contains(&unit) && self.said.things.remove("last").is_some() {
            self.said.things.insert("pastdays".to_owned(), WordClass::Compare);
        }
        self.said.numbers.push(amount.clone());
        self.thing(WordClass::Number, amount);
    }

    fn drop_last_number(&mut self) -> Option<String> {
        let number = self.said.numbers.pop()?;
        if !self.said.numbers.contains(&number) {
            self.said.things.remove(&number);
        }
        for role in self.said.roles.values_mut() {
            role.remove(&number);
        }
        if self.said.negated.remove(&number) {
            self.negates = true;
        }
        if let Some(bound) = self.said.bounds.iter().find(|bound| bound.1 == number).cloned() {
            self.said.bounds.remove(&bound);
            self.compares = Some(bound.0);
        }
        Some(number)
    }

    fn end_clause(&mut self) {
        self.clause = true;
        self.role = None;
        self.at_place = false;
        self.last = None;
    }

    fn finish(mut self) -> ParsedRequest {
        let language = usize::from(self.chinese);
        let ask = ASK[language];
        if self.counts {
            self.said.verbs.retain(|verb| verb != ask && verb != COUNT[language] && verb != CHECK[language]);
            self.said.verbs.insert(0, COUNT[language].to_owned());
        } else if self.said.verbs.is_empty() {
            let verb = if self.asks_yes_or_no { CHECK[language] } else { ask };
            self.said.verbs.push(verb.to_owned());
        }
        let superlatives =
            self.said.things.values().filter(|class| **class == WordClass::Superlative).count();
        if superlatives > 1 && !self.said.numbers.is_empty() {
            self.said.things.retain(|thing, _| !RANKS.contains(&thing.as_str()));
        }
        self.said.roles.retain(|_, things| !things.is_empty());
        self.said
    }
}

/// Whether the tables know a word that `rest` begins with.
fn is_known(rest: &[char]) -> bool {
    let longest = rest.len().min(LEXICON.longest);
    (1..=longest).any(|length| !LEXICON.senses(&rest[..length].iter().collect::<String>()).is_empty())
}

/// Particles that are also parts of names.
fn is_ambiguous(surface: &str) -> bool {
    matches!(
        surface,
        "上" | "中"
            | "内"
            | "里"
            | "来"
            | "去"
            | "对"
            | "出"
            | "以"
            | "用"
            | "得"
            | "地"
            | "等"
            | "本"
            | "好"
            | "过"
            | "和"
    )
}
