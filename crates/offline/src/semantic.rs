//! Questions about a table whose columns are known, read word by word: every word is a column of the table, a word of the
//! lexicon below or a value that stands where one can stand; one word too many and nothing is understood.

use artoo_request::{Language, normalise};
use artoo_types::situation::Situation;

use crate::clause::{Clause, RequestKind, UnderstoodRequest};
use crate::measures::tables::WHOLE_ORDER;
use crate::query::{QueryShape, Relation, TableQuery};
use crate::setting::Setting;
use crate::slots::{Slots, Statistic};

mod entries;
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
                    fill(&mut frame.condition.filter, (table.measure()?.clone(), value))?;
                    frame.condition.compares = true;
                }
                Token::Means(Meaning::Between) => {
                    let range = between(&mut tokens, true)?;
                    frame.condition.relation = Relation::Between;
                    fill(&mut frame.condition.filter, (table.measure()?.clone(), range))?;
                    frame.condition.compares = true;
                }
                Token::Means(meaning) => frame.take_meaning(meaning, table)?,
                Token::Column(name) => frame.take_column(name, expected, &mut tokens)?,
                Token::Number(number) => fill(&mut frame.number, number)?,
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
            // Of what, is not said.
            Meaning::Compare(_) | Meaning::Between => return None,
            Meaning::By | Meaning::Which | Meaning::With | Meaning::Is | Meaning::Nothing => {}
        }
        Some(())
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
            Token::Means(_) | Token::Column(_) => false,
        });
        match value {
            Some(Token::Word(value)) => fill(&mut self.condition.filter, (name, value)),
            Some(Token::Number(value)) => fill(&mut self.condition.filter, (name, value.to_string())),
            // "the vendor and amount columns": one more of those that are shown.
            Some(Token::Means(_) | Token::Column(_)) | None if self.column.is_some() => {
                self.also.push(name);
                (self.also.len() <= MOST_COLUMNS).then_some(())
            }
            Some(Token::Means(_) | Token::Column(_)) | None => fill(&mut self.column, name),
        }
    }

    /// "研发部门": a value right before its column. Any other word is not known yet.
    fn take_word(&mut self, word: String, table: &NamedTable<'_>, tokens: &mut Tokens) -> Option<()> {
        let column = match tokens.peek() {
            Some(Token::Column(name)) => Some(name.clone()),
            Some(Token::Means(_) | Token::Number(_) | Token::Word(_)) | None => None,
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

    /// "people in people.json who live in Berlin": words that are a value of one column alone say which rows are meant.
    fn infer_filter(&mut self, table: &NamedTable<'_>) {
        let is_about_rows = self.rows
            || self.lists
            || self.asked.is_some()
            || self.statistic.is_some()
            || (self.distinct.is_some() && self.column.is_none());
        if self.unknown.is_empty() || self.condition.filter.is_some() || !is_about_rows {
            return;
        }
        let said = self.unknown.join(" ");
        // "the devs": more than one of a value.
        let words = [Some(said.as_str()), said.strip_suffix('s'), said.strip_suffix("es")];
        for word in words.into_iter().flatten() {
            if let [only] = holders(table, word).as_slice() {
                self.condition.filter = Some((only.clone(), word.to_owned()));
                self.unknown.clear();
                // Their rows are not asked for, but a figure of them.
                let figure = [Statistic::Sum, Statistic::Average, Statistic::Median];
                let measures = self.column.is_some() || table.measure().is_some();
                self.rows &= !(measures && self.statistic.is_some_and(|s| figure.contains(&s)));
                return;
            }
        }
    }

    /// What is summed or ranked where no column is named, or the named one holds no numbers: the only amounts that there are.
    fn infer_measure(&mut self, table: &NamedTable<'_>) {
        let Some(measure) = table.measure() else { return };
        let sums = self.asked == Some(Asked::HowMuch) && self.statistic.is_none();
        let spoken =
            self.column.as_ref().or(self.groups.by.as_ref()).is_some() || self.condition.filter.is_some();
        // "which vendor was the most expensive"
        let is_ranked = self.statistic.is_some_and(|s| matches!(s, Statistic::Maximum | Statistic::Minimum));
        if is_ranked
            && self.distinct == Some(false)
            && self.groups.asked_for.is_none()
            && self.groups.by.is_none()
            && self.column.as_ref().is_some_and(|column| !table.is_numeric(column))
        {
            self.groups.asked_for = self.column.replace(measure.clone());
            return;
        }
        if self.column.is_none()
            && self.asked != Some(Asked::HowMany)
            && (self.statistic.is_some() || sums && spoken)
        {
            // A list of rows in an order has its column behind "by".
            if !(is_ranked && self.groups.by.is_some() && self.groups.period == 0) {
                self.column = Some(measure.clone());
            }
        }
        let is_amount = self.column.as_deref().is_some_and(|column| table.is_numeric(column));
        let plain = self.statistic.is_none()
            && self.asked.is_none()
            && !self.sorts
            && !self.top
            && self.number.is_none();
        // "amount by region" are the sums, as is "how much on travel".
        let is_grouped = self.groups.by.is_some() && plain && self.distinct.is_none();
        let is_much = sums
            && self.groups.by.is_none()
            && !self.rows
            && (self.condition.filter.is_some() || self.lists || self.also.is_empty());
        if is_amount && (is_grouped || is_much) {
            self.statistic = Some(Statistic::Sum);
        }
    }

    /// The name of a column that is not there, when nothing else is unclear.
    fn unknown_column(&self) -> Option<String> {
        let [word] = self.unknown.as_slice() else { return None };
        let asks = self.statistic.is_some()
            && self.column.is_none()
            && !self.rows
            && self.asked != Some(Asked::HowMany);
        (asks && self.condition.filter.is_none()).then(|| word.clone())
    }

    /// The first rows as they stand, or the last.
    fn first_rows(&self) -> QueryShape {
        QueryShape::Head {
            count: self.number.unwrap_or(1).clamp(1, 1_000),
            last: self.head.unwrap_or_default(),
        }
    }

    /// "which people have the city Berlin" asks for rows.
    fn asks_for_rows(&mut self) {
        let says_rows = self.rows || self.condition.compares || self.distinct == Some(true);
        let chosen =
            self.condition.filter.is_some() && says_rows && self.column.is_none() && self.groups.by.is_none();
        if chosen && self.asked.is_none() && self.statistic.is_none() {
            (self.distinct, self.lists, self.rows) = (None, true, true);
        }
    }

    /// "前两行" of nothing that could be ranked are the first ones as they stand.
    fn takes_top_for_first(&mut self) {
        let ranks =
            self.statistic.is_some() || self.column.is_some() || self.groups.by.is_some() || self.sorts;
        if self.top && self.rows && self.number.is_some() && !ranks && self.head.is_none() {
            (self.top, self.head) = (false, Some(false));
        }
    }

    /// Whether what was said does not go together.
    fn contradicts_itself(&self) -> bool {
        let is_head =
            self.rows && self.statistic.is_none() && self.column.is_none() && self.groups.by.is_none();
        self.head == Some(true) && !is_head || self.sorts && !(self.is_ordered() || self.top)
    }

    /// More than one column is only shown.
    fn may_show_more(&mut self) -> bool {
        let shows = self.statistic.is_none()
            && self.groups.by.is_none()
            && self.groups.asked_for.is_none()
            && self.asked.is_none()
            && !(self.sorts || self.top || self.distinct == Some(true));
        if !self.also.is_empty() && shows {
            (self.lists, self.rows, self.distinct, self.number) = (true, false, None, None);
        }
        self.also.is_empty() || shows
    }

    fn is_ordered(&self) -> bool {
        matches!(self.statistic, Some(Statistic::Maximum | Statistic::Minimum))
    }

    /// "which region has the most amount" compares what the groups have together.
    fn most_of_groups(&self) -> Option<TableQuery> {
        let Groups { by: None, asked_for: Some(group), most: true, .. } = &self.groups else { return None };
        let column = self.column.clone().filter(|_| self.number.is_none() && !self.top)?;
        Some(TableQuery {
            shape: QueryShape::Groups(Statistic::Sum),
            column,
            by: group.clone(),
            filter: self.condition.filter.clone(),
            relation: self.condition.relation,
            ..TableQuery::default()
        })
    }

    fn query(mut self) -> Option<TableQuery> {
        self.asks_for_rows();
        self.takes_top_for_first();
        if !self.unknown.is_empty() || self.contradicts_itself() || !self.may_show_more() {
            return None;
        }
        if let Some(query) = self.most_of_groups() {
            return Some(query);
        }
        let ranks = self.top
            || self.sorts
            || self.groups.asked_for.is_some()
            || (self.is_ordered() && (self.rows || self.number.is_some()));
        let (counts, sums) = (self.asked == Some(Asked::HowMany), self.asked == Some(Asked::HowMuch));
        let plain = !counts && self.distinct != Some(true);
        let one = self.number.is_none() && !self.top;
        let first_rows = self.first_rows();
        let (shape, column, by) = match (self.statistic, self.column, self.groups.by) {
            (None, None, None) if plain && !self.top && !self.sorts && self.rows && self.head.is_some() => {
                (first_rows, String::new(), None)
            }
            (None | Some(Statistic::Maximum | Statistic::Minimum), column, by)
                if ranks && plain && column.is_some() != by.is_some() =>
            {
                let largest = self.statistic != Some(Statistic::Minimum);
                let count =
                    self.number.unwrap_or(if self.sorts { WHOLE_ORDER } else { 1 }).clamp(1, WHOLE_ORDER);
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
            (None, None, None)
                if plain && one && self.condition.filter.is_some() && (self.rows || self.lists) =>
            {
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
            filter: self.condition.filter,
            relation: self.condition.relation,
            period: self.groups.period,
            also: self.also,
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
