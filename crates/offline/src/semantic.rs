//! Questions about a table whose columns are known, read word by word: every word is a column of the table, a word of the
//! lexicon below or a value that stands where one can stand; one word too many and nothing is understood.

use artoo_request::{Language, normalise};
use artoo_types::situation::Situation;

use crate::clause::{Clause, RequestKind, UnderstoodRequest};
use crate::query::Relation;
use crate::setting::Setting;
use crate::slots::{Slots, Statistic};

mod decide;
mod entries;
mod infer;
mod lexicon;
mod named_table;
mod range;
mod tokens;

use lexicon::Meaning;
use named_table::{NamedTable, holders, named_table};
use range::between;
use tokens::tokens;

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
    /// A column of yes and no, and that it says no: "not paid", 没付款.
    Not(String),
    Number(u64),
    /// A text in quotation marks, or a word that is nothing else.
    Word(String),
}

/// Reads a question about one table that is there.
pub(crate) fn read(request: &str, setting: &Setting, seen: &Situation) -> Option<TableReading> {
    let language = Language::of(request);
    let text = normalise(request);
    if text.chars().count() > LONGEST {
        return None;
    }
    let table = named_table(&text, setting, seen)?;
    if table.is_json && table.columns.is_empty() {
        let document = serde_json::from_str(&table.asked.head).ok()?;
        let key = entries::entry(&table, &document)?;
        let slots = Slots { file: Some(table.place), key: Some(key), ..Slots::default() };
        let clauses = vec![Clause { kind: RequestKind::ConfigValue, slots }];
        return Some(TableReading::Understood(UnderstoodRequest { language, clauses, report: None }));
    }
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

/// The words that are known here.
pub(crate) fn vocabulary() -> impl Iterator<Item = &'static str> {
    let columns = lexicon::COLUMNS.iter().flat_map(|names| names.iter().copied());
    lexicon::LEXICON.iter().map(|(word, _)| *word).chain(columns)
}

/// The columns of the table that a request names.
pub(crate) fn columns_of(request: &str, setting: &Setting, seen: &Situation) -> Vec<String> {
    named_table(&normalise(request), setting, seen).map(|table| table.columns).unwrap_or_default()
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
        Token::Means(_) | Token::Column(_) | Token::Not(_) => None,
    }
}

/// The parts of a request, one after the other.
type Tokens = std::iter::Peekable<std::vec::IntoIter<Token>>;

/// What is asked of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// How many rows there are.
    HowMany,
    /// How much it is: of groups the sum, alone nothing.
    HowMuch,
}

/// What makes the groups.
#[derive(Debug, Default)]
struct Groups {
    by: Option<String>,
    /// "which region": the column behind a word that asks which.
    asked_for: Option<String>,
    /// The most of something is asked for.
    most: bool,
    /// So many characters of a day make the group; 0: all of the value.
    period: u8,
}

/// Columns that are shown beside the first one.
const MOST_COLUMNS: usize = 5;

/// What the words so far say of the next one.
#[derive(Clone, Copy, Debug, Default)]
struct Expected {
    /// A column that makes groups.
    by: bool,
    /// A column that is asked for.
    which: bool,
    /// A value of the column that comes.
    value: bool,
}

/// Which rows are meant.
#[derive(Debug, Default)]
struct Condition {
    filter: Option<(String, String)>,
    relation: Relation,
    /// It compares: it is about rows by itself.
    compares: bool,
    /// That rows are chosen is said.
    chooses: bool,
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
    groups: Groups,
    condition: Condition,
    sorts: bool,
    /// Columns that are shown beside the first one.
    also: Vec<String>,
    /// The first rows as they stand; true: the last.
    head: Option<bool>,
    /// Of amounts, their sum: "altogether".
    in_all: bool,
    unknown: Vec<String>,
}

impl Frame {
    /// The slots that the tokens fill; None when one would be filled twice.
    fn of(table: &NamedTable<'_>, tokens: Vec<Token>) -> Option<Self> {
        let mut frame = Self::default();
        let mut tokens = tokens.into_iter().peekable();
        let mut expected = Expected::default();
        while let Some(token) = tokens.next() {
            match token {
                Token::Means(Meaning::By) if frame.condition.chooses => expected.value = true,
                Token::Means(Meaning::By) => {
                    expected.by = true;
                    continue;
                }
                Token::Means(Meaning::Which) => {
                    frame.distinct = frame.distinct.or(Some(false));
                    expected.which = true;
                    continue;
                }
                Token::Means(Meaning::With) => expected.value = true,
                Token::Means(Meaning::Compare(relation)) => {
                    // "expenses over 100": of the only amounts that there are.
                    frame.condition.relation = relation;
                    let value = number_of(tokens.next())?;
                    let column = frame.measure(table)?.clone();
                    fill(&mut frame.condition.filter, (column, value))?;
                    frame.condition.compares = true;
                }
                Token::Means(Meaning::InMonth(month)) => {
                    let year = tokens.next_if(|next| matches!(next, Token::Number(1900..=2100)));
                    frame.take_month(month, year.as_ref(), table)?;
                }
                Token::Means(Meaning::Between) => {
                    let range = between(&mut tokens, true)?;
                    frame.condition.relation = Relation::Between;
                    let column = frame.measure(table)?.clone();
                    fill(&mut frame.condition.filter, (column, range))?;
                    frame.condition.compares = true;
                }
                Token::Means(meaning) => frame.take_meaning(meaning, table)?,
                Token::Not(name) => {
                    fill(&mut frame.condition.filter, (name.clone(), table.flag(&name, false)?))?;
                }
                Token::Column(name) if frame.says_so(&name, table, &mut tokens) => {
                    // "which students are paid": they are what is asked for.
                    frame.column = frame.column.take().or(frame.groups.asked_for.take());
                    fill(&mut frame.condition.filter, (name.clone(), table.flag(&name, true)?))?;
                }
                Token::Column(name) => frame.take_column(name, expected, &mut tokens)?,
                Token::Number(number) => match month_behind(number, &mut tokens) {
                    Some(month) => frame.take_month(month, Some(&Token::Number(number)), table)?,
                    None => fill(&mut frame.number, number)?,
                },
                Token::Word(word) => frame.take_word(word, table, &mut tokens)?,
            }
            expected = Expected { value: expected.value, ..Expected::default() };
        }
        frame.infer_filter(table);
        frame.infer_measure(table);
        Some(frame)
    }

    fn take_meaning(&mut self, meaning: Meaning, table: &NamedTable<'_>) -> Option<()> {
        match meaning {
            Meaning::Of(statistic) => fill(&mut self.statistic, statistic)?,
            Meaning::MostOf => {
                self.groups.most = true;
                fill(&mut self.statistic, Statistic::Maximum)?;
            }
            Meaning::Implies(statistic, names) => {
                fill(&mut self.statistic, statistic)?;
                let column = table.columns.iter().find(|c| names.contains(&c.to_lowercase().as_str()))?;
                fill(&mut self.column, column.clone())?;
                // One row is the answer, and not the figure.
                self.rows = true;
            }
            Meaning::Count => self.asked = Some(Asked::HowMany),
            Meaning::Much => self.asked = Some(Asked::HowMuch),
            Meaning::Distinct => self.distinct = Some(true),
            Meaning::List => self.lists = true,
            Meaning::Rows => self.rows = true,
            Meaning::Top => self.top = true,
            Meaning::Sort => self.sorts = true,
            Meaning::InAll => self.in_all = true,
            Meaning::Head { last } => fill(&mut self.head, last)?,
            Meaning::Filter => (self.condition.chooses, self.rows) = (true, true),
            Meaning::Period(length, names) => {
                let named =
                    table.columns.iter().find(|column| names.contains(&column.to_lowercase().as_str()));
                if named.is_none() {
                    self.groups.period = length;
                }
                fill(&mut self.groups.by, named.or_else(|| table.days())?.clone())?;
            }
            Meaning::Priced(statistic) => {
                fill(&mut self.statistic, statistic)?;
                if self.column.is_none() && table.measure().is_none() {
                    self.column = table.money().cloned();
                    self.rows |= self.column.is_some();
                }
            }
            // Of what, is not said.
            Meaning::Compare(_) | Meaning::Between | Meaning::InMonth(_) => return None,
            Meaning::By | Meaning::Which | Meaning::With | Meaning::Is | Meaning::Nothing => {}
        }
        Some(())
    }

    /// The column of amounts that is meant where none is named: the only one, or that of money where money is spoken of.
    fn measure<'a>(&self, table: &'a NamedTable<'_>) -> Option<&'a String> {
        let money = || table.money().filter(|_| self.asked == Some(Asked::HowMuch));
        table.measure().or_else(money)
    }

    /// Rows of a month, by the only column of days.
    fn take_month(&mut self, month: u8, year: Option<&Token>, table: &NamedTable<'_>) -> Option<()> {
        let wanted = match year {
            Some(Token::Number(year)) => format!("{year}-{month:02}"),
            Some(Token::Means(_) | Token::Column(_) | Token::Not(_) | Token::Word(_)) | None => {
                format!("{month:02}")
            }
        };
        (self.condition.relation, self.condition.compares) = (Relation::Month, true);
        fill(&mut self.condition.filter, (table.days()?.clone(), wanted))
    }

    /// "which orders are paid": a column of yes and no behind its rows says which of them are meant.
    fn says_so(&self, name: &str, table: &NamedTable<'_>, tokens: &mut Tokens) -> bool {
        let goes_on = matches!(
            tokens.peek(),
            Some(
                Token::Means(
                    Meaning::Is | Meaning::Compare(_) | Meaning::MostOf | Meaning::Of(_) | Meaning::Top
                ) | Token::Column(_)
                    | Token::Word(_)
            )
        );
        let free = self.condition.filter.is_none() && self.groups.by.is_none();
        let asked = self.column.as_ref().or(self.groups.asked_for.as_ref());
        let of_rows = asked.is_none() && self.rows || asked.is_some() && self.distinct == Some(false);
        of_rows && free && !goes_on && table.flag(name, true).is_some()
    }

    /// A column: what makes groups, what is asked for, what is compared with the value that follows, or what it is about.
    fn take_column(&mut self, name: String, expected: Expected, tokens: &mut Tokens) -> Option<()> {
        // "each region by amount": the second one says of what.
        if expected.by {
            let slot = if self.groups.by.is_some() { &mut self.column } else { &mut self.groups.by };
            return fill(slot, name);
        }
        // "which region": a column of its own, where another one follows.
        if expected.which && tokens.clone().any(|token| matches!(token, Token::Column(_))) {
            return fill(&mut self.groups.asked_for, name);
        }
        // Said twice, in two languages: "工资salary".
        if self.column.as_ref() == Some(&name) {
            return Some(());
        }
        if let Some(Token::Means(Meaning::Compare(relation))) =
            tokens.next_if(|next| matches!(next, Token::Means(Meaning::Compare(_))))
        {
            (self.condition.relation, self.condition.compares) = (relation, true);
            return fill(&mut self.condition.filter, (name, number_of(tokens.next())?));
        }
        if let Some(range) = between(tokens, false) {
            (self.condition.relation, self.condition.compares) = (Relation::Between, true);
            return fill(&mut self.condition.filter, (name, range));
        }
        let is = tokens.next_if(|next| *next == Token::Means(Meaning::Is)).is_some();
        let value = tokens.next_if(|next| match next {
            Token::Word(word) => {
                (is || expected.value)
                    && word.chars().any(char::is_alphanumeric)
                    && !NEVER_A_VALUE.contains(&word.to_lowercase().as_str())
            }
            Token::Number(_) => is,
            Token::Means(_) | Token::Column(_) | Token::Not(_) => false,
        });
        match value {
            Some(Token::Word(value)) => fill(&mut self.condition.filter, (name, value)),
            Some(Token::Number(value)) => fill(&mut self.condition.filter, (name, value.to_string())),
            // "the vendor and amount columns": one more of those that are shown.
            Some(Token::Means(_) | Token::Column(_) | Token::Not(_)) | None if self.column.is_some() => {
                self.also.push(name);
                (self.also.len() <= MOST_COLUMNS).then_some(())
            }
            Some(Token::Means(_) | Token::Column(_) | Token::Not(_)) | None => fill(&mut self.column, name),
        }
    }

    /// "研发部门": a value right before its column. Any other word is not known yet.
    fn take_word(&mut self, word: String, table: &NamedTable<'_>, tokens: &mut Tokens) -> Option<()> {
        let column = match tokens.peek() {
            Some(Token::Column(name)) => Some(name.clone()),
            Some(Token::Means(_) | Token::Not(_) | Token::Number(_) | Token::Word(_)) | None => None,
        };
        match column.filter(|name| self.condition.filter.is_none() && holders(table, &word).contains(name)) {
            Some(name) => {
                tokens.next();
                fill(&mut self.condition.filter, (name, word))
            }
            None => {
                self.unknown.push(word);
                Some(())
            }
        }
    }
}

/// The month behind a year: 2026年3月.
fn month_behind(year: u64, tokens: &mut Tokens) -> Option<u8> {
    let mut ahead = tokens.clone();
    ahead.next_if(|next| *next == Token::Means(Meaning::Nothing));
    let month = match ahead.next() {
        Some(Token::Means(Meaning::InMonth(month))) if (1900..=2100).contains(&year) => month,
        Some(_) | None => return None,
    };
    *tokens = ahead;
    Some(month)
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
