//! Bars beside an answer whose rows are a name and a number: which is how much more than which is seen at a glance. They are for the
//! eye alone: nothing of an answer changes, and a pipe has none.

use crate::render::text::columns;
use crate::render::{Said, Tone};
use crate::terminal::TerminalLook;

/// Rows that are compared at least, and at most: more do not fit on a screen.
const ROWS: std::ops::RangeInclusive<usize> = 2..=60;
/// Columns of the longest bar: fewer show nothing, more lead the eye away from the numbers.
const BAR: std::ops::RangeInclusive<usize> = 8..=24;
/// Columns between the longest row and its bar.
const GAP: usize = 2;
/// What a row is called that is the sum of the others.
const SUMS: [&str; 5] = ["total", "in all", "sum", "合计", "总计"];
/// A column in eighths.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// The lines with a dim bar behind each row of a name and a number, where the screen has colours and room.
pub fn charted(lines: Vec<Said>, look: TerminalLook) -> Vec<Said> {
    if !look.colour || !look.live {
        return lines;
    }
    let texts = lines.iter().map(|said| match said {
        Said::Answer(line) => line.text(false),
        Said::Note(_) => String::new(),
    });
    let texts: Vec<String> = texts.collect();
    let rows: Vec<Option<ChartRow>> = texts.iter().map(|text| ChartRow::read(text)).collect();
    let bars = bars(&texts, &rows, look.width);
    let with_bar = |(said, bar): (Said, Option<String>)| match (said, bar) {
        (Said::Answer(line), Some(bar)) => Said::Answer(line.add(Tone::Dim, bar)),
        (said, _) => said,
    };
    lines.into_iter().zip(bars).map(with_bar).collect()
}

/// A name with one or two numbers.
#[derive(Debug, Clone, PartialEq)]
struct ChartRow {
    numbers: Vec<f64>,
    /// Which cell the name is.
    name_at: usize,
}

impl ChartRow {
    /// A row of two or three cells, all but one of which are numbers with or without a unit. None for everything else: prose, wider
    /// tables, sums, and rows of which nobody can tell the name.
    fn read(text: &str) -> Option<Self> {
        let parts = text.split("  ").flat_map(|part| part.split('\t')).map(str::trim);
        let cells: Vec<&str> = parts.filter(|cell| !cell.is_empty()).collect();
        let read: Vec<Option<f64>> = cells.iter().map(|cell| number(cell)).collect();
        let name_at = read.iter().position(Option::is_none)?;
        let numbers: Vec<f64> = read.into_iter().flatten().collect();
        let is_row = matches!(cells.len(), 2 | 3) && numbers.len() + 1 == cells.len();
        (is_row && !SUMS.contains(&cells[name_at].to_lowercase().as_str()))
            .then_some(Self { numbers, name_at })
    }
}

/// The number that the rows are compared by: the first one by which they fall; of one number behind each name also that. None where
/// the rows have not one form, or one number all over. Numbers in front of names that do not fall may be those of lines.
fn compared(rows: &[&ChartRow]) -> Option<Vec<f64>> {
    let first = rows.first()?;
    let is_one =
        rows.iter().all(|row| row.name_at == first.name_at && row.numbers.len() == first.numbers.len());
    if !is_one || !ROWS.contains(&rows.len()) {
        return None;
    }
    let columns =
        (0..first.numbers.len()).map(|at| rows.iter().map(|row| row.numbers[at]).collect::<Vec<_>>());
    let mut columns = columns.filter(|column| column.windows(2).any(|pair| pair[0] != pair[1]));
    let is_name_first = first.name_at == 0 && first.numbers.len() == 1;
    columns.find(|column| is_name_first || column.windows(2).all(|pair| pair[0] >= pair[1]))
}

/// What a cell such as `42`, `1,204.5`, `31.5 MB` or `12 %` counts, in units of one.
fn number(cell: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 16] = [
        ("", 1.0),
        ("%", 1.0),
        ("byte", 1.0),
        ("bytes", 1.0),
        ("字节", 1.0),
        ("B", 1.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("KiB", 1_024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("files", 1.0),
        ("lines", 1.0),
        ("个", 1.0),
    ];
    let end = cell.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(cell.len());
    let (figures, unit) = cell.split_at(end);
    let factor = UNITS.iter().find(|(word, _)| *word == unit.trim()).map(|(_, factor)| factor)?;
    let number: f64 = figures.replace(',', "").parse().ok()?;
    number.is_finite().then_some(number * factor)
}

/// The bar behind each line, with the blanks before it; none for a line that is no row.
fn bars(texts: &[String], rows: &[Option<ChartRow>], width: usize) -> Vec<Option<String>> {
    let none = vec![None; texts.len()];
    let found: Vec<&ChartRow> = rows.iter().flatten().collect();
    let Some(numbers) = compared(&found) else { return none };
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let with_row = texts.iter().zip(rows).filter(|(_, row)| row.is_some());
    let longest = with_row.map(|(text, _)| columns(text)).max().unwrap_or_default();
    let room = width.saturating_sub(longest + GAP + 1).min(*BAR.end());
    if room < *BAR.start() || most <= 0.0 {
        return none;
    }
    let mut numbers = numbers.into_iter();
    let bar = |(text, row): (&String, &Option<ChartRow>)| {
        let number = row.as_ref().and_then(|_| numbers.next())?;
        let blanks = " ".repeat(longest + GAP - columns(text));
        Some(format!("{blanks}{}", drawn(number / most, room)))
    };
    texts.iter().zip(rows).map(bar).collect()
}

/// A share of so many columns; what is more than nothing is seen.
fn drawn(share: f64, room: usize) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share between 0 and 1 of a few columns"
    )]
    let eighths = (share.clamp(0.0, 1.0) * (room * EIGHTHS.len()) as f64).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let mut bar = "█".repeat(eighths / EIGHTHS.len());
    bar.extend((eighths % EIGHTHS.len()).checked_sub(1).map(|part| EIGHTHS[part]));
    bar
}

#[cfg(test)]
mod tests {
    use super::{ChartRow, charted, number};
    use crate::render::{Line, Said};
    use crate::terminal::TerminalLook;

    const SCREEN: TerminalLook = TerminalLook { colour: true, live: true, links: false, width: 60 };

    fn shown(text: &str, look: TerminalLook) -> String {
        let lines: Vec<Said> = text.lines().map(|line| Said::Answer(Line::plain(line))).collect();
        let lines = charted(lines, look).into_iter().map(|said| match said {
            Said::Answer(line) | Said::Note(line) => line.text(false),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn rows_of_a_name_and_a_number_have_bars() {
        let sizes = "Ten largest files in ~/site\n   42.0 MB  data/archive.tar.zst\n    8.0 MB  media/表格.csv\n      12 B  a\nin all: 50.0 MB";
        let expected = "\
Ten largest files in ~/site
   42.0 MB  data/archive.tar.zst  ████████████████████████
    8.0 MB  media/表格.csv        ████▋
      12 B  a                     ▏
in all: 50.0 MB";
        assert_eq!(shown(sizes, SCREEN), expected);
        let lines = "lines  files\n29  3  Python\n12  9  Rust\n41  12  in all";
        let by_lines = "\
lines  files
29  3  Python  ████████████████████████
12  9  Rust    █████████▉
41  12  in all";
        assert_eq!(shown(lines, SCREEN), by_lines);
        let kinds = "png  10\ntxt  40\nmd   0";
        assert_eq!(shown(kinds, SCREEN), "png  10  ██████\ntxt  40  ████████████████████████\nmd   0");
    }

    #[test]
    fn everything_else_is_as_it_is() {
        for text in [
            "png  10",
            "png  10\ntxt  10",
            "1  first line\n2  second line",
            "2023  14\n2024  17",
            "29  9  3  Python\n12  3  1  Rust",
            "1  9  a\n2  3  b\n3  4  c",
            "Count: 3\nAll is well.",
            "name  amount\npears  many",
        ] {
            assert_eq!(shown(text, SCREEN), text);
        }
        let kinds = "png  10\ntxt  40";
        for look in [
            TerminalLook { colour: false, ..SCREEN },
            TerminalLook { live: false, ..SCREEN },
            TerminalLook { width: 17, ..SCREEN },
        ] {
            assert_eq!(shown(kinds, look), kinds, "{look:?}");
        }
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        for (cell, counted) in [
            ("42", Some(42.0)),
            ("1,204.5", Some(1_204.5)),
            ("31.5 MB", Some(31.5e6)),
            ("2 KiB", Some(2_048.0)),
            ("9 字节", Some(9.0)),
            ("12 %", Some(12.0)),
            ("3 apples", None),
            ("1.2.3", None),
            ("", None),
            ("a1", None),
        ] {
            assert_eq!(number(cell), counted, "{cell:?}");
        }
        assert_eq!(ChartRow::read("a  1  b"), None);
        assert_eq!(ChartRow::read("1  a"), Some(ChartRow { numbers: vec![1.0], name_at: 1 }));
    }
}
