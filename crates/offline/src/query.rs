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
}

/// What is asked of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableQuery {
    pub(crate) shape: QueryShape,
    /// The column that is calculated, listed or ordered by.
    pub(crate) column: String,
    /// The column that makes the groups; empty for none.
    pub(crate) by: String,
    /// A column and the value that it must have.
    pub(crate) filter: Option<(String, String)>,
}

/// What comes out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The rows that fit.
    Rows,
    /// How many rows fit.
    Count,
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

/// The answer from the rows of a JSON text.
pub(crate) fn answer(query: &TableQuery, text: &str, chinese: bool) -> Result<String, String> {
    let mut rows = json_rows(text)?;
    let field = |row: &serde_json::Map<String, Value>, name: &str| row.get(name).map(shown);
    if let Some((name, wanted)) = &query.filter {
        rows.retain(|row| {
            field(row, name).is_some_and(|value| value.trim().to_lowercase() == wanted.to_lowercase())
        });
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
        QueryShape::Values => Ok(values.join("\n")),
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
            let numbers: Vec<f64> = values.iter().filter_map(|value| value.trim().parse().ok()).collect();
            if numbers.is_empty() {
                return Err("there are no numbers under this name".to_owned());
            }
            let sum: f64 = numbers.iter().sum();
            #[allow(clippy::cast_precision_loss, reason = "fewer than 16,000 values are read")]
            let figure = match statistic {
                Statistic::Sum => sum,
                Statistic::Average => sum / numbers.len() as f64,
                Statistic::Minimum => numbers.iter().copied().fold(f64::INFINITY, f64::min),
                Statistic::Maximum => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            };
            let figure = (figure * 1e9).round() / 1e9;
            let noun = if chinese { "个值" } else { "values" };
            Ok(format!("{figure} ({}: {} {noun})", query.column, numbers.len()))
        }
        QueryShape::Groups(_) | QueryShape::Top { .. } => {
            Err("groups and rankings are made of CSV files alone".to_owned())
        }
    }
}
