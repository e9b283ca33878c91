//! The table that a question names: its columns, and what its values say of them.

use super::lexicon::AGE;
use artoo_types::situation::{AskedPath, PathKind, Situation};

use crate::causes::columns;
use crate::places::{NamedPlace, absolute, read_file};
use crate::query::{first_json_row, json_rows};
use crate::setting::Setting;
use crate::table::read_csv;

/// A table that the request names.
#[derive(Clone)]
pub(super) struct NamedTable<'a> {
    pub(super) place: NamedPlace,
    pub(super) asked: &'a AskedPath,
    pub(super) columns: Vec<String>,
    pub(super) is_json: bool,
    /// What the request says besides the name.
    pub(super) rest: String,
    /// The name without its ending, which people use for the rows.
    pub(super) stem: String,
}

/// Bytes of a request that is read for a table: some lines. Each place of it is looked at with what follows.
const MOST_BYTES: usize = 2_000;

pub(super) fn named_table<'a>(text: &str, setting: &Setting, seen: &'a Situation) -> Option<NamedTable<'a>> {
    if text.len() > MOST_BYTES {
        return None;
    }
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
            "json" if asked.is_whole && asked.head.trim_start().starts_with('{') => Vec::new(),
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

impl NamedTable<'_> {
    /// The rows of values where the whole table is known, in the order of the columns; what a row does not have is empty.
    fn rows(&self) -> Vec<Vec<String>> {
        if !self.asked.is_whole {
            return Vec::new();
        }
        if self.is_json {
            let rows = json_rows(&self.asked.head).unwrap_or_default();
            let of = |row: &serde_json::Map<String, serde_json::Value>| {
                self.columns
                    .iter()
                    .map(|name| row.get(name).map(crate::table::shown).unwrap_or_default())
                    .collect()
            };
            return rows.iter().map(of).collect();
        }
        read_csv(&self.asked.head).unwrap_or_default().into_iter().skip(1).collect()
    }

    /// All values, where the whole table is known.
    pub(super) fn cells(&self) -> Vec<String> {
        self.rows().into_iter().flatten().collect()
    }

    /// The columns whose values are all as this says, where the whole table is known and has rows.
    fn columns_of(&self, is: impl Fn(&str) -> bool) -> Vec<&String> {
        let rows = self.rows();
        let fits = |at: usize| {
            !rows.is_empty() && rows.iter().all(|row| row.get(at).is_some_and(|value| is(value.trim())))
        };
        self.columns.iter().enumerate().filter(|(at, _)| fits(*at)).map(|(_, name)| name).collect()
    }

    /// Whether a column holds numbers alone.
    pub(super) fn is_numeric(&self, column: &str) -> bool {
        self.columns_of(|value| value.parse::<f64>().is_ok()).iter().any(|name| name.as_str() == column)
    }

    /// The only column of amounts: what is summed, compared or ranked where no column is named.
    pub(super) fn measure(&self) -> Option<&String> {
        let numeric = self.columns_of(|value| value.parse::<f64>().is_ok_and(f64::is_finite));
        let mut amounts =
            numeric.into_iter().filter(|name| !NO_AMOUNTS.contains(&name.to_lowercase().as_str()));
        amounts.next().filter(|_| amounts.next().is_none())
    }

    /// The only column of numbers whose name speaks of money.
    pub(super) fn money(&self) -> Option<&String> {
        let numeric = self.columns_of(|value| value.parse::<f64>().is_ok_and(f64::is_finite));
        let mut money = numeric.into_iter().filter(|name| {
            let lower = name.to_lowercase();
            OF_MONEY.iter().any(|word| lower.split(['_', ' ', '-']).any(|part| part == *word))
        });
        money.next().filter(|_| money.next().is_none())
    }

    /// Whether a column holds numbers of things that are counted, and neither money nor somebody's age.
    pub(super) fn is_of_things(&self, column: &str) -> bool {
        let lower = column.to_lowercase();
        let others = [NO_AMOUNTS.as_slice(), OF_MONEY.as_slice(), AGE].concat();
        self.is_numeric(column) && !others.contains(&lower.as_str())
    }

    /// How a column that says nothing but yes and no says this; None for any other column.
    pub(super) fn flag(&self, column: &str, yes: bool) -> Option<String> {
        let of = |value: &str| FLAGS.iter().find(|words| words.contains(&value.to_lowercase().as_str()));
        let at = self.columns.iter().position(|name| name == column)?;
        let rows = self.rows();
        let words = of(rows.first()?.get(at)?.trim())?;
        let is_flag = |value: &String| words.contains(&value.trim().to_lowercase().as_str());
        let all = rows.iter().all(|row| row.get(at).is_some_and(is_flag));
        all.then(|| words[usize::from(!yes)].to_owned())
    }

    /// The columns of yes and no.
    pub(super) fn flags(&self) -> Vec<&String> {
        let may_be =
            self.columns_of(|value| FLAGS.iter().flatten().any(|word| value.eq_ignore_ascii_case(word)));
        may_be.into_iter().filter(|name| self.flag(name, true).is_some()).collect()
    }

    /// The only column of days, as `2026-01-31` or `2026/01/31`.
    pub(super) fn days(&self) -> Option<&String> {
        let is_day = |value: &str| {
            let digits =
                |part: Option<&str>| part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            value.len() >= 10
                && value.is_char_boundary(10)
                && digits(value.get(..4))
                && matches!(value.as_bytes()[4], b'-' | b'/')
                && digits(value.get(5..7))
                && value.as_bytes()[7] == value.as_bytes()[4]
                && digits(value.get(8..10))
        };
        let mut days = self.columns_of(is_day).into_iter();
        days.next().filter(|_| days.next().is_none())
    }
}

/// Words in the names of columns of money, in lower case.
const OF_MONEY: [&str; 26] = [
    "amount",
    "total",
    "price",
    "cost",
    "costs",
    "revenue",
    "turnover",
    "sum",
    "value",
    "payment",
    "spent",
    "fee",
    "salary",
    "income",
    "金额",
    "总额",
    "价格",
    "单价",
    "售价",
    "费用",
    "花费",
    "销售额",
    "收入",
    "支出",
    "工资",
    "总价",
];
/// How yes and no are written in a table.
const FLAGS: [[&str; 2]; 4] = [["true", "false"], ["yes", "no"], ["是", "否"], ["y", "n"]];

/// Names of columns whose numbers are no amounts.
const NO_AMOUNTS: [&str; 22] = [
    "id",
    "no",
    "nr",
    "number",
    "index",
    "row",
    "year",
    "month",
    "day",
    "zip",
    "postcode",
    "phone",
    "编号",
    "序号",
    "号码",
    "订单号",
    "工号",
    "学号",
    "年份",
    "年",
    "月",
    "电话",
];

/// The columns of which one row has this value, where the whole table is known.
pub(super) fn holders(table: &NamedTable<'_>, word: &str) -> Vec<String> {
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
