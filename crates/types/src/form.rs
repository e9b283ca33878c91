//! How an output is shown to a person. The output itself stays as it was checked: scripts, files and criteria have it so.

use serde::{Deserialize, Serialize};

/// What the lines of an output are, and what is said around them. Only the built-in rules give one: of a model its words would be
/// a claim that nobody checks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutputForm {
    /// What stands above the rows; `{n}` is how many there are. Empty: nothing.
    pub heading: String,
    /// The same above one row.
    pub heading_of_one: String,
    /// What is said where there is no row. Empty: the output itself.
    pub nothing: String,
    /// What a person is told beside the output, such as which file was meant. Empty: nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
    /// How a line is cut into cells.
    pub layout: RowLayout,
    /// The columns, from the left.
    pub columns: Vec<FormColumn>,
    /// What the row of the sums, or the row about the root, is called. Empty: there are no sums.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub total: String,
    /// The path whose row is that of the whole: it comes last. Empty: no row is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub root: String,
    /// Of an output of several answers, how each is shown: they stand below headings `## ...`, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<OutputForm>,
}

/// How the lines of an output are cut into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowLayout {
    /// They are not: it is a text.
    #[default]
    Text,
    /// At tabulators.
    Cells,
    /// `path:number:text`.
    Matches,
    /// Each line is a JSON object, whose names are the columns.
    Objects,
    /// At commas, as in a CSV file; the first line names the columns.
    Records,
    /// The same without names.
    Rows,
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FormColumn {
    /// What stands above it; empty: nothing.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Words.
    #[default]
    Text,
    /// A number, or a number with its unit.
    Number,
    /// A number of bytes.
    Bytes,
    /// A path.
    Path,
    /// What only a program needs.
    Hidden,
}
