//! The table of an answer: units, paths as seen from where the person is, a heading, sums. What is checked, piped and saved is the
//! answer itself.

use std::collections::VecDeque;

use artoo_protocol::v1::OutputForm;
use artoo_protocol::words::{ColumnKind, RowLayout};

use crate::paths::AnswerReader;
use crate::render::figures::bytes;
use crate::render::text::{columns, escape};
use crate::render::{Language, Line, Tone};

/// Rows that a screen shows; whoever wants more reads them in a pager.
pub const MOST_ROWS: usize = 100;
/// What an output says that has no row.
const NO_ROW: &str = "(no match)";
/// What the heading of one of several answers begins with.
const SECTION: &str = "## ";
/// Columns between two columns.
const GAP: usize = 2;
/// Numbers that are written as words where a heading begins with them.
const NUMERALS: [&str; 9] = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/// The lines of a table, and how many rows it has beyond them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTable {
    /// What stands above, the rows, the sums.
    pub lines: Vec<Line>,
    /// Rows that are left out.
    pub left_out: usize,
}

/// One line of the output.
enum TableRow {
    Cells(Vec<String>),
    /// A line that is no row: it stays as it is.
    Remark(String),
}

/// A column as it is shown.
struct ShownColumn {
    name: String,
    kind: ColumnKind,
}

/// The table of an output; none where the output is no table after all.
pub fn shown(
    form: &OutputForm,
    output: &str,
    reader: &AnswerReader,
    language: Language,
    most: usize,
) -> Option<ShownTable> {
    let (columns, mut rows) = read(form, output)?;
    let count = rows.iter().filter(|row| matches!(row, TableRow::Cells(_))).count();
    if count == 0 {
        let says_so = output.trim() == NO_ROW && !form.nothing.is_empty();
        return says_so.then(|| ShownTable { lines: vec![Line::plain(escape(&form.nothing))], left_out: 0 });
    }
    let last = last_row(form, &columns, &mut rows);
    let count = rows.iter().filter(|row| matches!(row, TableRow::Cells(_))).count();
    let left_out = count.saturating_sub(most);
    leave_out(&mut rows, left_out);
    let shape = |cells: Vec<String>| -> Vec<String> {
        let cells = cells.into_iter().zip(&columns).filter(|(_, column)| column.kind != ColumnKind::Hidden);
        cells.map(|(cell, column)| cell_text(&cell, &column.kind, reader, language)).collect()
    };
    let mut shaped: Vec<TableRow> = rows
        .into_iter()
        .map(|row| match row {
            TableRow::Cells(cells) => TableRow::Cells(shape(cells)),
            TableRow::Remark(text) => TableRow::Remark(escape(&text)),
        })
        .collect();
    shaped.extend(last.map(|cells| TableRow::Cells(shape(cells))));
    let kinds: Vec<&ShownColumn> = columns.iter().filter(|one| one.kind != ColumnKind::Hidden).collect();
    let heading = heading(form, count, language);
    let indent = if heading.is_empty() { 0 } else { GAP };
    let mut lines: Vec<Line> = Vec::new();
    lines.extend((!heading.is_empty()).then(|| Line::new().add(Tone::Strong, escape(&heading))));
    lines.extend(aligned(&kinds, &shaped, indent));
    Some(ShownTable { lines, left_out })
}

/// The tables of an output of several answers, each below its heading; none where the answers are not those of the form.
pub fn sections(
    form: &OutputForm,
    output: &str,
    reader: &AnswerReader,
    language: Language,
    most: usize,
) -> Option<ShownTable> {
    let parts = output.strip_prefix(SECTION)?.split(&format!("\n\n{SECTION}")).collect::<Vec<_>>();
    if parts.len() != form.sections.len() {
        return None;
    }
    let mut all = ShownTable { lines: Vec::new(), left_out: 0 };
    for (part, form) in parts.into_iter().zip(&form.sections) {
        let (heading, output) = part.split_once('\n')?;
        all.lines.extend((!all.lines.is_empty()).then(Line::new));
        let table = shown(form, output, reader, language, most);
        let has_heading = table.is_some() && !form.heading.is_empty();
        all.lines.extend((!has_heading).then(|| Line::new().add(Tone::Strong, escape(heading))));
        match table {
            Some(table) => {
                all.lines.extend(table.lines);
                all.left_out += table.left_out;
            }
            None => all.lines.extend(output.trim_end().lines().map(|line| Line::plain(escape(line)))),
        }
    }
    Some(all)
}

/// The columns and the rows; none for a text.
fn read(form: &OutputForm, output: &str) -> Option<(Vec<ShownColumn>, Vec<TableRow>)> {
    let columns = || {
        let columns = form.columns.iter();
        columns.map(|one| ShownColumn { name: one.name.clone(), kind: one.kind() }).collect::<Vec<_>>()
    };
    let lines = output.trim_end_matches('\n').lines();
    match form.layout() {
        RowLayout::Text | RowLayout::Unknown(_) => None,
        RowLayout::Cells => {
            let columns = columns();
            let rows = lines.map(|line| row(line, &columns)).collect();
            Some((columns, rows))
        }
        RowLayout::Matches => {
            let kinds =
                [ColumnKind::Path, ColumnKind::Text].map(|kind| ShownColumn { name: String::new(), kind });
            Some((kinds.into(), lines.map(found).collect()))
        }
        RowLayout::Objects => objects(output),
        RowLayout::Records => records(output, true),
        RowLayout::Rows => records(output, false),
    }
}

/// A line cut at tabulators, if it has the cells that it must have.
fn row(line: &str, columns: &[ShownColumn]) -> TableRow {
    let cells: Vec<&str> = line.splitn(columns.len().max(1), '\t').map(str::trim).collect();
    let fits = |(cell, column): (&&str, &ShownColumn)| match column.kind {
        ColumnKind::Bytes => cell.parse::<u64>().is_ok(),
        ColumnKind::Number => cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')),
        ColumnKind::Path => !cell.is_empty() && !cell.starts_with("... ") && !cell.starts_with('('),
        ColumnKind::Text | ColumnKind::Hidden | ColumnKind::Unknown(_) => {
            !cell.is_empty() || columns.len() > 1
        }
    };
    if cells.len() == columns.len() && cells.iter().zip(columns).all(fits) {
        TableRow::Cells(cells.into_iter().map(str::to_owned).collect())
    } else {
        TableRow::Remark(line.to_owned())
    }
}

/// A line `path:number:text`.
fn found(line: &str) -> TableRow {
    let cut = line.match_indices(':').find_map(|(at, _)| {
        let (number, text) = line[at + 1..].split_once(':')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| vec![line[..at].to_owned(), format!("{number}: {}", text.trim_start())])
    });
    match cut.filter(|cells| cells[0].starts_with('/')) {
        Some(cells) => TableRow::Cells(cells),
        None => TableRow::Remark(line.to_owned()),
    }
}

/// The rows of JSON objects, one a line; their names, as they come, are the columns.
fn objects(output: &str) -> Option<(Vec<ShownColumn>, Vec<TableRow>)> {
    let read = |line: &str| match serde_json::from_str(line) {
        Ok(serde_json::Value::Object(row)) => Some(row),
        Ok(_) | Err(_) => None,
    };
    let objects: Vec<serde_json::Map<String, serde_json::Value>> =
        output.lines().map(read).collect::<Option<_>>()?;
    let mut names: Vec<&String> = Vec::new();
    for name in objects.iter().flat_map(|row| row.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let cell = |value: Option<&serde_json::Value>| match value {
        None | Some(serde_json::Value::Null) => String::new(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let rows: Vec<TableRow> = objects
        .iter()
        .map(|row| TableRow::Cells(names.iter().map(|name| cell(row.get(*name))).collect()))
        .collect();
    let is_number =
        |name: &String| objects.iter().all(|row| row.get(name).is_none_or(serde_json::Value::is_number));
    let columns = names.into_iter().map(|name| ShownColumn {
        name: name.clone(),
        kind: if is_number(name) { ColumnKind::Number } else { ColumnKind::Text },
    });
    Some((columns.collect(), rows))
}

/// The rows of a CSV file; the first line names the columns, where they are named.
fn records(output: &str, named: bool) -> Option<(Vec<ShownColumn>, Vec<TableRow>)> {
    let mut lines = output.lines().filter(|line| !line.is_empty());
    let names = if named { csv_cells(lines.next()?) } else { Vec::new() };
    let lines: Vec<(&str, Vec<String>)> = lines.map(|line| (line, csv_cells(line))).collect();
    let width = if named { names.len() } else { lines.first()?.1.len() };
    if width < 2 {
        return None;
    }
    let is_number = |at: usize| {
        let mut cells = lines.iter().filter(|(_, cells)| cells.len() == width).map(|(_, cells)| &cells[at]);
        cells.all(|cell| cell.trim().is_empty() || cell.trim().parse::<f64>().is_ok())
    };
    let kind = |at| if is_number(at) { ColumnKind::Number } else { ColumnKind::Text };
    let name = |at| names.get(at).cloned().unwrap_or_default();
    let columns = (0..width).map(|at| ShownColumn { name: name(at), kind: kind(at) }).collect();
    let row = |(line, cells): (&str, Vec<String>)| match cells.len() == width {
        true => TableRow::Cells(cells),
        false => TableRow::Remark(line.to_owned()),
    };
    Some((columns, lines.into_iter().map(row).collect()))
}

/// A line cut at commas that stand in no quotation marks (RFC 4180).
fn csv_cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(found) = rest.next() {
        match found {
            '"' if quoted && rest.next_if_eq(&'"').is_none() => quoted = false,
            '"' if !quoted => quoted = true,
            ',' if !quoted => cells.push(String::new()),
            found => cells.last_mut().into_iter().for_each(|cell| cell.push(found)),
        }
    }
    cells
}

/// The row of the whole: that of the root, which is taken out of the rows, or the sums; none where there is none.
fn last_row(form: &OutputForm, columns: &[ShownColumn], rows: &mut Vec<TableRow>) -> Option<Vec<String>> {
    if form.total.is_empty() {
        return None;
    }
    let is_path = |column: &ShownColumn| column.kind == ColumnKind::Path;
    let named =
        columns.iter().position(|column| matches!(column.kind, ColumnKind::Path | ColumnKind::Text))?;
    if !form.root.is_empty() {
        let path = columns.iter().position(is_path)?;
        let at =
            rows.iter().position(|row| matches!(row, TableRow::Cells(cells) if cells[path] == form.root))?;
        let TableRow::Cells(mut cells) = rows.remove(at) else { return None };
        form.total.clone_into(&mut cells[path]);
        return Some(cells);
    }
    let cells = || {
        rows.iter().filter_map(|row| match row {
            TableRow::Cells(cells) => Some(cells),
            TableRow::Remark(_) => None,
        })
    };
    if cells().count() < 2 {
        return None;
    }
    let sum = |at: usize| cells().map(|cells| cells[at].parse::<u64>().ok()).sum::<Option<u64>>();
    let mut sums = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        sums.push(match column.kind {
            ColumnKind::Number | ColumnKind::Bytes => sum(at)?.to_string(),
            ColumnKind::Text | ColumnKind::Path if at == named => form.total.clone(),
            ColumnKind::Text | ColumnKind::Path | ColumnKind::Hidden | ColumnKind::Unknown(_) => {
                String::new()
            }
        });
    }
    Some(sums)
}

/// Takes the last rows away.
fn leave_out(rows: &mut Vec<TableRow>, mut left_out: usize) {
    let mut kept = VecDeque::new();
    while let Some(row) = rows.pop() {
        match row {
            TableRow::Cells(_) if left_out > 0 => left_out -= 1,
            TableRow::Cells(_) | TableRow::Remark(_) => kept.push_front(row),
        }
    }
    *rows = kept.into();
}

fn cell_text(cell: &str, kind: &ColumnKind, reader: &AnswerReader, language: Language) -> String {
    let text = match kind {
        ColumnKind::Bytes => match (cell.parse(), language) {
            (Ok(number), Language::Chinese) if number < 1_000 => format!("{number} 字节"),
            (Ok(number), Language::English | Language::Chinese) => bytes(number),
            (Err(_), _) => cell.to_owned(),
        },
        ColumnKind::Path if cell.starts_with('/') => reader.path(cell),
        ColumnKind::Path
        | ColumnKind::Text
        | ColumnKind::Number
        | ColumnKind::Hidden
        | ColumnKind::Unknown(_) => cell.to_owned(),
    };
    escape(&text).replace('\n', " ")
}

/// The heading for so many rows; a small number at its front is a word.
fn heading(form: &OutputForm, count: usize, language: Language) -> String {
    if count < 2 {
        return form.heading_of_one.clone();
    }
    let word = count.checked_sub(2).and_then(|at| NUMERALS.get(at));
    match (form.heading.strip_prefix("{n}"), word, language) {
        (Some(rest), Some(word), Language::English) => format!("{word}{rest}"),
        (_, _, Language::English | Language::Chinese) => form.heading.replace("{n}", &grouped(count)),
    }
}

/// A number with its thousands apart: `12,345`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The rows below each other: numbers to the right, words to the left, the names of the columns above them.
fn aligned(kinds: &[&ShownColumn], rows: &[TableRow], indent: usize) -> Vec<Line> {
    let has_names = kinds.iter().any(|column| !column.name.is_empty());
    let names: Vec<String> = kinds.iter().map(|column| escape(&column.name).replace('\n', " ")).collect();
    let mut widths: Vec<usize> = names.iter().map(|name| columns(name)).collect();
    for row in rows {
        let TableRow::Cells(cells) = row else { continue };
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(columns(cell));
        }
    }
    let line = |cells: &[String]| {
        let mut text = " ".repeat(indent);
        for (at, ((cell, column), width)) in cells.iter().zip(kinds).zip(&widths).enumerate() {
            let blank = " ".repeat(width - columns(cell));
            let to_the_right = matches!(column.kind, ColumnKind::Number | ColumnKind::Bytes);
            text.push_str(&if to_the_right { format!("{blank}{cell}") } else { format!("{cell}{blank}") });
            text.push_str(&" ".repeat(if at + 1 == cells.len() { 0 } else { GAP }));
        }
        text.trim_end().to_owned()
    };
    let mut lines: Vec<Line> = Vec::new();
    lines.extend(has_names.then(|| Line::new().add(Tone::Dim, line(&names))));
    for row in rows {
        lines.push(Line::plain(match row {
            TableRow::Cells(cells) => line(cells),
            TableRow::Remark(text) if text.is_empty() => String::new(),
            TableRow::Remark(text) => format!("{}{text}", " ".repeat(indent)),
        }));
    }
    lines
}

#[cfg(test)]
mod tests;
