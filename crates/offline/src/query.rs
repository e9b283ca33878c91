//! A question about the rows of a table: what is calculated of which column, over which rows, in which groups.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::table::shown;

/// A calculation over a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Statistic {
    /// The arithmetic mean.
    Average,
    /// The sum.
    Sum,
    /// The smallest value.
    Minimum,
    /// The largest value.
    Maximum,
    /// The value in the middle; between two, their mean.
    Median,
}

/// How the value of a condition is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Relation {
    /// The same, without regard to case.
    #[default]
    Is,
    /// A larger number.
    More,
    /// A smaller number.
    Less,
    /// A number from one to another, which stand with [`RANGE`] between them.
    Between,
    /// A day of this month: `02` of any year, `2026-02` of one.
    Month,
}

/// What stands between the ends of a range.
pub(crate) const RANGE: &str = "..";

impl Relation {
    /// The ends of a range.
    pub(crate) fn ends(wanted: &str) -> Option<(f64, f64)> {
        let (least, most) = wanted.split_once(RANGE)?;
        Some((least.trim().parse().ok()?, most.trim().parse().ok()?))
    }
}

/// What is asked of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableQuery {
    pub(crate) shape: QueryShape,
    /// The column that is calculated, listed or ordered by.
    pub(crate) column: String,
    /// The column that makes the groups; empty for none.
    pub(crate) by: String,
    /// A column and the value that it is compared with.
    pub(crate) filter: Option<(String, String)>,
    /// How it is compared.
    #[serde(default)]
    pub(crate) relation: Relation,
    /// So many characters of a value make its group, as those of a month in a day; 0: all of them.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub(crate) period: u8,
    /// Columns that are shown beside the first one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) also: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_whole(period: &u8) -> bool {
    *period == 0
}

/// What comes out of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum QueryShape {
    /// One figure.
    Figure(Statistic),
    /// One figure for each group.
    Groups(Statistic),
    /// The rows with the largest or smallest values.
    Top {
        /// How many.
        count: u64,
        /// Whether the largest come first.
        largest: bool,
    },
    /// The first rows that fit, or the last.
    Head {
        /// How many.
        count: u64,
        /// Whether the last ones.
        last: bool,
    },
    /// The rows that fit.
    #[default]
    Rows,
    /// How many rows fit.
    Count,
    /// How many rows each group has.
    Tally,
    /// The different values.
    Distinct,
    /// The values, one a line.
    Values,
}

/// The rows of a JSON text: an array of objects.
pub(crate) fn json_rows(text: &str) -> Result<Vec<serde_json::Map<String, Value>>, String> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| format!("the file is not valid JSON: {error}"))?;
    let Value::Array(items) = document else { return Err("the file holds no list".to_owned()) };
    items
        .into_iter()
        .map(|item| match item {
            Value::Object(row) => Ok(row),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err("an entry of the list has no names".to_owned())
            }
        })
        .collect()
}

/// The first row of a JSON text of which no more than the beginning is known.
pub(crate) fn first_json_row(head: &str) -> Option<serde_json::Map<String, Value>> {
    let rows = head.trim_start_matches('\u{feff}').trim_start().strip_prefix('[')?;
    serde_json::Deserializer::from_str(rows).into_iter().next()?.ok()
}

/// The answer from the rows of a JSON text.
pub(crate) fn answer(query: &TableQuery, text: &str, chinese: bool) -> Result<String, String> {
    let mut rows = json_rows(text)?;
    let field = |row: &serde_json::Map<String, Value>, name: &str| row.get(name).map(shown);
    if let Some((name, wanted)) = &query.filter {
        rows.retain(|row| field(row, name).is_some_and(|value| holds(value.trim(), wanted, query.relation)));
    }
    let values: Vec<String> = rows.iter().filter_map(|row| field(row, &query.column)).collect();
    match query.shape {
        QueryShape::Count => {
            let noun = if chinese {
                " 条"
            } else if rows.len() == 1 {
                " entry"
            } else {
                " entries"
            };
            Ok(format!("{}{noun}", rows.len()))
        }
        QueryShape::Rows => {
            let lines = rows.into_iter().map(|row| Value::Object(row).to_string());
            Ok(lines.collect::<Vec<_>>().join("\n"))
        }
        QueryShape::Head { count, last } => {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let skipped = if last { rows.len().saturating_sub(count) } else { 0 };
            let lines = rows.into_iter().skip(skipped).take(count).map(|row| Value::Object(row).to_string());
            Ok(lines.collect::<Vec<_>>().join("\n"))
        }
        QueryShape::Values if query.also.is_empty() => Ok(values.join("\n")),
        QueryShape::Values => Ok(side_by_side(query, &rows)),
        QueryShape::Distinct => {
            let mut distinct: Vec<String> = Vec::new();
            values.into_iter().for_each(|value| {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            });
            Ok(format!("{} ({})", distinct.len(), distinct.join(", ")))
        }
        QueryShape::Figure(statistic) => {
            let numbers = numbers(&values);
            let figure = figure(statistic, &numbers)
                .ok_or_else(|| "there are no numbers under this name".to_owned())?;
            let noun = match (chinese, numbers.len()) {
                (true, _) => "个值",
                (false, 1) => "value",
                (false, _) => "values",
            };
            Ok(format!("{figure} ({}: {} {noun})", query.column, numbers.len()))
        }
        QueryShape::Groups(_) | QueryShape::Tally => Ok(grouped(query, &rows).join("\n")),
        QueryShape::Top { count, largest } => {
            let number =
                |row: &serde_json::Map<String, Value>| field(row, &query.column)?.trim().parse().ok();
            let mut ranked: Vec<(f64, serde_json::Map<String, Value>)> =
                rows.into_iter().filter_map(|row| Some((number(&row)?, row))).collect();
            ranked.sort_by(
                |(one, _), (other, _)| {
                    if largest { other.total_cmp(one) } else { one.total_cmp(other) }
                },
            );
            let first = ranked.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX));
            Ok(first.map(|(_, row)| Value::Object(row).to_string()).collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Several columns side by side, below their names.
fn side_by_side(query: &TableQuery, rows: &[serde_json::Map<String, Value>]) -> String {
    let names = || std::iter::once(&query.column).chain(&query.also);
    let line = |row: &serde_json::Map<String, Value>| {
        names().map(|name| row.get(name).map(shown).unwrap_or_default()).collect::<Vec<_>>().join("\t")
    };
    let head = names().cloned().collect::<Vec<_>>().join("\t");
    std::iter::once(head).chain(rows.iter().map(line)).collect::<Vec<_>>().join("\n")
}

/// One line for each group, in the order of the rows.
fn grouped(query: &TableQuery, rows: &[serde_json::Map<String, Value>]) -> Vec<String> {
    let field =
        |row: &serde_json::Map<String, Value>, name: &str| row.get(name).map(shown).unwrap_or_default();
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let (name, value) = (field(row, &query.by), field(row, &query.column));
        let name = if query.period == 0 { name } else { name.chars().take(query.period.into()).collect() };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => groups.push((name, vec![value])),
        }
    }
    let line = |(name, values): &(String, Vec<String>)| match query.shape {
        QueryShape::Groups(statistic) => {
            let told = figure(statistic, &numbers(values)).map_or_else(|| "-".to_owned(), |f| f.to_string());
            format!("{name}\t{told}")
        }
        QueryShape::Figure(_)
        | QueryShape::Top { .. }
        | QueryShape::Head { .. }
        | QueryShape::Rows
        | QueryShape::Count
        | QueryShape::Tally
        | QueryShape::Distinct
        | QueryShape::Values => format!("{name}\t{}", values.len()),
    };
    groups.iter().map(line).collect()
}

fn numbers(values: &[String]) -> Vec<f64> {
    values.iter().filter_map(|value| value.trim().parse().ok()).collect()
}

/// The figure, rounded to nine places; none without numbers.
fn figure(statistic: Statistic, numbers: &[f64]) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let sum: f64 = numbers.iter().sum();
    #[allow(clippy::cast_precision_loss, reason = "fewer than 16,000 values are read")]
    let figure = match statistic {
        Statistic::Sum => sum,
        Statistic::Average => sum / numbers.len() as f64,
        Statistic::Minimum => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        Statistic::Maximum => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Statistic::Median => {
            let mut ordered = numbers.to_vec();
            ordered.sort_by(f64::total_cmp);
            let middle = ordered.len() / 2;
            if ordered.len() % 2 == 1 {
                ordered[middle]
            } else {
                f64::midpoint(ordered[middle - 1], ordered[middle])
            }
        }
    };
    Some((figure * 1e9).round() / 1e9)
}

fn holds(value: &str, wanted: &str, relation: Relation) -> bool {
    let both = || Some((value.parse::<f64>().ok()?, wanted.parse::<f64>().ok()?));
    match relation {
        Relation::Is => value.to_lowercase() == wanted.to_lowercase(),
        Relation::More => both().is_some_and(|(value, wanted)| value > wanted),
        Relation::Less => both().is_some_and(|(value, wanted)| value < wanted),
        Relation::Between => Relation::ends(wanted).is_some_and(|(least, most)| {
            value.parse::<f64>().is_ok_and(|value| (least..=most).contains(&value))
        }),
        Relation::Month => {
            let start = if wanted.len() > 2 { 0 } else { 5 };
            value.get(start..7).is_some_and(|month| month.replace('/', "-") == wanted)
        }
    }
}
