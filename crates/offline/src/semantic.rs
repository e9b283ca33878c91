//! Questions about a table whose columns are known, read word by word: every word is a column of the table, a word of the
//! lexicon below or a value that stands where one can stand; one word too many and nothing is understood.

use artoo_request::{Language, NUMBER_WORDS, chinese_number, normalise, quoted_ranges};
use artoo_types::situation::{AskedPath, PathKind, Situation};

use crate::causes::columns;
use crate::clause::{Clause, RequestKind, UnderstoodRequest};
use crate::places::{NamedPlace, absolute, read_file};
use crate::query::{QueryShape, Relation, TableQuery, first_json_row, json_rows};
use crate::setting::Setting;
use crate::slots::{Slots, Statistic};
use crate::table::read_csv;

mod lexicon;

use lexicon::{LEXICON, Meaning};

/// Longest request that is read.
const LONGEST: usize = 200;

/// Words that join, deny or compare: never the value of a column.
const NEVER_A_VALUE: [&str; 22] = [
    "and",
    "or",
    "not",
    "without",
    "except",
    "over",
    "under",
    "above",
    "below",
    "more",
    "less",
    "greater",
    "than",
    "at",
    "between",
    "like",
    "containing",
    "starting",
    "和",
    "或",
    "不",
    "大于",
];

/// What a request about a table comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableReading {
    /// This is asked.
    Understood(UnderstoodRequest),
    /// All of it is clear but a column that is not there: the absolute path, the name, the columns.
    NoColumn(String, String, Vec<String>),
}

/// A part of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Means(Meaning),
    Column(String),
    Number(u64),
    /// A text in quotation marks, or a word that is nothing else.
    Word(String),
}

/// A table that the request names.
struct NamedTable<'a> {
    place: NamedPlace,
    asked: &'a AskedPath,
    columns: Vec<String>,
    is_json: bool,
    /// What the request says besides the name.
    rest: String,
    /// The name without its ending, which people use for the rows.
    stem: String,
}

/// Reads a question about one table that is there.
pub(crate) fn read(request: &str, setting: &Setting, seen: &Situation) -> Option<TableReading> {
    let language = Language::of(request);
    let text = normalise(request);
    if text.chars().count() > LONGEST {
        return None;
    }
    let table = named_table(&text, setting, seen)?;
    let tokens = tokens(&table);
    let frame = Frame::of(&table, tokens)?;
    if let Some(name) = frame.unknown_column() {
        return Some(TableReading::NoColumn(table.asked.path.clone(), name, table.columns));
    }
    let query = frame.query()?;
    let slots = Slots { file: Some(table.place), query: Some(query), ..Slots::default() };
    let clauses = vec![Clause { kind: RequestKind::TableQuery, slots }];
    Some(TableReading::Understood(UnderstoodRequest { language, clauses, report: None }))
}

fn named_table<'a>(text: &str, setting: &Setting, seen: &'a Situation) -> Option<NamedTable<'a>> {
    let mut found: Option<NamedTable<'a>> = None;
    let mut at = 0;
    while at < text.len() {
        let here = &text[at..];
        let step = here.chars().next().map_or(1, char::len_utf8);
        let named = read_file(here).into_iter().find_map(|(length, place)| {
            let path = absolute(&place, setting);
            let asked = seen.asked.iter().find(|asked| asked.path == path && asked.kind == PathKind::File)?;
            Some((length, place, asked))
        });
        let Some((length, place, asked)) = named else {
            at += step;
            continue;
        };
        // Two tables make two readings.
        if found.is_some() {
            return None;
        }
        let (stem, ending) = asked.path.rsplit('/').next()?.rsplit_once('.')?;
        let is_json = ending.eq_ignore_ascii_case("json");
        let columns = match ending.to_lowercase().as_str() {
            "csv" => columns(asked)?,
            "json" if asked.is_whole => json_rows(&asked.head).ok()?.first()?.keys().cloned().collect(),
            "json" => first_json_row(&asked.head)?.keys().cloned().collect(),
            _ => return None,
        };
        let rest = format!("{} ◊ {}", &text[..at], &text[at + length..]);
        found = Some(NamedTable { place, asked, columns, is_json, rest, stem: stem.to_lowercase() });
        at += length;
    }
    found
}

fn tokens(table: &NamedTable<'_>) -> Vec<Token> {
    let text = table.rest.as_str();
    let quoted = quoted_ranges(text);
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut open_word = String::new();
    while at < text.len() {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let known = known_at(table, rest, text[..at].chars().next_back());
        let number = counted(rest).filter(|_| open_word.is_empty());
        let known = match (known, number) {
            (Some((length, _)), Some((longer, number))) if longer >= length => {
                Some((longer, Token::Number(number)))
            }
            (None, Some((length, number))) => Some((length, Token::Number(number))),
            (known, _) => known,
        };
        let ends_word = known.is_some() || !first.is_alphanumeric();
        if ends_word && !open_word.is_empty() {
            tokens.push(Token::Word(std::mem::take(&mut open_word)));
        }
        if let Some((_, end)) = quoted.iter().find(|(start, _)| *start == at) {
            let inner =
                rest[first.len_utf8()..end - at].trim_end_matches(['"', '”', '」', '\'', '`', '》', '’']);
            let column = table.columns.iter().find(|column| column.as_str() == inner);
            tokens.push(column.map_or_else(|| Token::Word(inner.to_owned()), |c| Token::Column(c.clone())));
            at = *end;
        } else if let Some((length, token)) = known {
            tokens.push(token);
            at += length;
        } else if first.is_ascii_alphanumeric() {
            let length = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '@')))
                .unwrap_or(rest.len());
            let word = rest[..length].trim_end_matches('.');
            let spoken = NUMBER_WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
            let number = word.parse().ok().or(spoken.map(|(_, number)| *number));
            tokens.push(number.map_or_else(|| Token::Word(word.to_owned()), Token::Number));
            at += length.max(1);
        } else if first.is_alphanumeric() {
            open_word.push(first);
            at += first.len_utf8();
        } else {
            // What joins or denies is no punctuation to pass over.
            if !(first.is_whitespace() || matches!(first, '◊' | ',' | '?' | ':' | '.' | '\'' | '!')) {
                tokens.push(Token::Word(first.to_string()));
            }
            at += first.len_utf8();
        }
    }
    if !open_word.is_empty() {
        tokens.push(Token::Word(open_word));
    }
    tokens
}

/// The longest column or word of the lexicon at the front.
fn known_at(table: &NamedTable<'_>, rest: &str, before: Option<char>) -> Option<(usize, Token)> {
    let starts = |word: &str| {
        let head = rest.get(..word.len())?;
        let edge = |found: Option<char>| !found.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let latin = |found: Option<char>| found.is_some_and(|c| c.is_ascii_alphanumeric());
        let whole = (!latin(word.chars().next()) || edge(before))
            && (!latin(word.chars().next_back()) || edge(rest[word.len()..].chars().next()));
        (whole && head.to_lowercase() == word.to_lowercase()).then_some(word.len())
    };
    let columns = table.columns.iter().filter(|column| !column.trim().is_empty()).filter_map(|column| {
        let many = plurals(column);
        let length = many.iter().find_map(|many| starts(many)).or_else(|| starts(column))?;
        Some((length, Token::Column(column.clone())))
    });
    let words = LEXICON.iter().filter_map(|(word, meaning)| Some((starts(word)?, Token::Means(*meaning))));
    let rows = starts(&table.stem).map(|length| (length, Token::Means(Meaning::Rows)));
    // A column wins over a word of the same length.
    let mut best: Option<(usize, Token)> = None;
    for (length, token) in columns.chain(words).chain(rows) {
        if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
            best = Some((length, token));
        }
    }
    best
}

/// How more than one of a column's values is called: "countries", "statuses", "totals".
fn plurals(column: &str) -> Vec<String> {
    let mut many = vec![format!("{column}s"), format!("{column}es")];
    many.extend(column.strip_suffix('y').map(|stem| format!("{stem}ies")));
    many
}

/// A Chinese number before a word for rows: "三行", but not the one in a name.
fn counted(rest: &str) -> Option<(usize, u64)> {
    let (length, number) = chinese_number(rest)?;
    let is_counted = ["行", "条", "个", "名", "位", "人", "项", "笔", "单"]
        .iter()
        .any(|word| rest[length..].starts_with(word));
    is_counted.then_some((length, number))
}

/// The columns of which one row has this value, where the whole table is known.
fn holders(table: &NamedTable<'_>, word: &str) -> Vec<String> {
    if !table.asked.is_whole {
        return Vec::new();
    }
    let is = |value: &str| value.trim().to_lowercase() == word.to_lowercase();
    if table.is_json {
        let rows = json_rows(&table.asked.head).unwrap_or_default();
        let has = |name: &&String| {
            rows.iter().any(|row| row.get(*name).map(crate::table::shown).is_some_and(|value| is(&value)))
        };
        return table.columns.iter().filter(has).cloned().collect();
    }
    let rows = read_csv(&table.asked.head).unwrap_or_default();
    let has = |at: usize| rows.iter().skip(1).any(|row| row.get(at).is_some_and(|value| is(value)));
    table.columns.iter().enumerate().filter(|(at, _)| has(*at)).map(|(_, name)| name.clone()).collect()
}

/// Names of columns that say by themselves that they are summed.
fn is_sum(column: &str) -> bool {
    ["total", "sum", "合计", "总计", "小计"].contains(&column.to_lowercase().as_str())
}

/// A number that a value is compared with.
fn number_of(token: Option<Token>) -> Option<String> {
    match token? {
        Token::Number(number) => Some(number.to_string()),
        Token::Word(word) => word.parse::<f64>().ok().filter(|number| number.is_finite()).map(|_| word),
        Token::Means(_) | Token::Column(_) => None,
    }
}

/// What is asked of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// How many rows there are.
    HowMany,
    /// How much it is: of groups the sum, alone nothing.
    HowMuch,
}

/// The slots of a question.
#[derive(Debug, Default)]
struct Frame {
    statistic: Option<Statistic>,
    asked: Option<Asked>,
    /// Different values: that they are meant is said; false: which ones there are is asked.
    distinct: Option<bool>,
    lists: bool,
    rows: bool,
    top: bool,
    number: Option<u64>,
    column: Option<String>,
    by: Option<String>,
    filter: Option<(String, String)>,
    relation: Relation,
    chooses: bool,
    sorts: bool,
    /// The first rows as they stand; true: the last.
    head: Option<bool>,
    unknown: Vec<String>,
}

impl Frame {
    /// The slots that the tokens fill; None when one would be filled twice.
    fn of(table: &NamedTable<'_>, tokens: Vec<Token>) -> Option<Self> {
        let mut frame = Self::default();
        let mut tokens = tokens.into_iter().peekable();
        let (mut after_by, mut with) = (false, false);
        while let Some(token) = tokens.next() {
            match token {
                Token::Means(Meaning::By) if frame.chooses => with = true,
                Token::Means(Meaning::By) => {
                    after_by = true;
                    continue;
                }
                Token::Column(name) if after_by => fill(&mut frame.by, name)?,
                Token::Column(name) => {
                    if let Some(Token::Means(Meaning::Compare(relation))) =
                        tokens.next_if(|next| matches!(next, Token::Means(Meaning::Compare(_))))
                    {
                        fill(&mut frame.filter, (name, number_of(tokens.next())?))?;
                        frame.relation = relation;
                        continue;
                    }
                    let is = tokens.next_if(|next| *next == Token::Means(Meaning::Is)).is_some();
                    let value = tokens.next_if(|next| match next {
                        Token::Word(word) => {
                            (is || with)
                                && word.chars().any(char::is_alphanumeric)
                                && !NEVER_A_VALUE.contains(&word.to_lowercase().as_str())
                        }
                        Token::Number(_) => is,
                        Token::Means(_) | Token::Column(_) => false,
                    });
                    match value {
                        Some(Token::Word(value)) => fill(&mut frame.filter, (name, value))?,
                        Some(Token::Number(value)) => fill(&mut frame.filter, (name, value.to_string()))?,
                        Some(Token::Means(_) | Token::Column(_)) | None => fill(&mut frame.column, name)?,
                    }
                }
                Token::Means(Meaning::Of(statistic)) => fill(&mut frame.statistic, statistic)?,
                Token::Means(Meaning::Count) => frame.asked = Some(Asked::HowMany),
                Token::Means(Meaning::Distinct) => frame.distinct = Some(true),
                Token::Means(Meaning::Which) => frame.distinct = frame.distinct.or(Some(false)),
                Token::Means(Meaning::List) => frame.lists = true,
                Token::Means(Meaning::Rows) => frame.rows = true,
                Token::Means(Meaning::Top) => frame.top = true,
                Token::Means(Meaning::With) => with = true,
                Token::Means(Meaning::Sort) => frame.sorts = true,
                Token::Means(Meaning::Head { last }) => fill(&mut frame.head, last)?,
                Token::Means(Meaning::Filter) => (frame.chooses, frame.rows) = (true, true),
                // Of what, is not said.
                Token::Means(Meaning::Compare(_)) => return None,
                Token::Means(Meaning::Much) => frame.asked = Some(Asked::HowMuch),
                Token::Means(Meaning::Is | Meaning::Nothing) => {}
                Token::Number(number) => fill(&mut frame.number, number)?,
                Token::Word(word) => frame.unknown.push(word),
            }
            after_by = false;
        }
        frame.infer_filter(table);
        Some(frame)
    }

    /// "people in people.json who live in Berlin": words that are a value of one column alone say which rows are meant.
    fn infer_filter(&mut self, table: &NamedTable<'_>) {
        let is_about_rows = self.rows || self.lists || (self.statistic.is_some() && self.column.is_some());
        if self.unknown.is_empty() || self.filter.is_some() || !is_about_rows {
            return;
        }
        let word = self.unknown.join(" ");
        if let [only] = holders(table, &word).as_slice() {
            self.filter = Some((only.clone(), word));
            self.unknown.clear();
        }
    }

    /// The name of a column that is not there, when nothing else is unclear.
    fn unknown_column(&self) -> Option<String> {
        let [word] = self.unknown.as_slice() else { return None };
        let asks = self.statistic.is_some()
            && self.column.is_none()
            && !self.rows
            && self.asked != Some(Asked::HowMany);
        (asks && self.filter.is_none()).then(|| word.clone())
    }

    /// The first rows as they stand, or the last.
    fn first_rows(&self) -> QueryShape {
        QueryShape::Head {
            count: self.number.unwrap_or(1).clamp(1, 1_000),
            last: self.head.unwrap_or_default(),
        }
    }

    fn query(self) -> Option<TableQuery> {
        if !self.unknown.is_empty() {
            return None;
        }
        let ordered = matches!(self.statistic, Some(Statistic::Maximum | Statistic::Minimum));
        let is_head = self.rows && self.statistic.is_none() && self.column.is_none() && self.by.is_none();
        if self.head == Some(true) && !is_head {
            return None;
        }
        if self.sorts && !(ordered || self.top) {
            return None;
        }
        let ranks = self.top
            || self.sorts
            || (matches!(self.statistic, Some(Statistic::Maximum | Statistic::Minimum))
                && (self.rows || self.number.is_some()));
        let (counts, sums) = (self.asked == Some(Asked::HowMany), self.asked == Some(Asked::HowMuch));
        let plain = !counts && self.distinct != Some(true);
        let one = self.number.is_none() && !self.top;
        let first_rows = self.first_rows();
        let (shape, column, by) = match (self.statistic, self.column, self.by) {
            (None, None, None) if plain && !self.top && !self.sorts && self.rows && self.head.is_some() => {
                (first_rows, String::new(), None)
            }
            (None | Some(Statistic::Maximum | Statistic::Minimum), column, by)
                if ranks && plain && column.is_some() != by.is_some() =>
            {
                let largest = self.statistic != Some(Statistic::Minimum);
                let count = self.number.unwrap_or(if self.sorts { 1_000 } else { 1 }).clamp(1, 1_000);
                (QueryShape::Top { count, largest }, column.or(by)?, None)
            }
            (Some(Statistic::Median), Some(_), Some(_)) => return None,
            (None, Some(column), Some(by)) if plain && one && (is_sum(&column) || sums) => {
                (QueryShape::Groups(Statistic::Sum), column, Some(by))
            }
            (None, None, Some(by)) if counts && one && self.distinct != Some(true) => {
                (QueryShape::Tally, String::new(), Some(by))
            }
            (Some(statistic), Some(column), Some(by)) if plain && !ranks && self.number.is_none() => {
                (QueryShape::Groups(statistic), column, Some(by))
            }
            (Some(statistic), Some(column), None) if plain && !self.rows && self.number.is_none() => {
                (QueryShape::Figure(statistic), column, None)
            }
            (None, Some(column), None)
                if (self.distinct == Some(true)
                    || self.distinct == Some(false) && plain && !self.rows && !self.top)
                    && self.number.is_none() =>
            {
                (QueryShape::Distinct, column, None)
            }
            (None, None, None) if counts && one && self.distinct != Some(true) => {
                (QueryShape::Count, String::new(), None)
            }
            (None, None, None) if plain && one && self.filter.is_some() && (self.rows || self.lists) => {
                (QueryShape::Rows, String::new(), None)
            }
            (None, Some(column), None) if plain && self.lists && !self.rows && self.number.is_none() => {
                (QueryShape::Values, column, None)
            }
            _ => return None,
        };
        Some(TableQuery {
            shape,
            column,
            by: by.unwrap_or_default(),
            filter: self.filter,
            relation: self.relation,
        })
    }
}

fn fill<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    if slot.is_some() {
        return None;
    }
    *slot = Some(value);
    Some(())
}

#[cfg(test)]
mod tests;
