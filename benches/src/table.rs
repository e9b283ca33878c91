//! Figures and goals as text.

use crate::Figure;
use crate::goal::{Comparison, Wanted, comparisons};

/// The figures, then the comparisons with their goals.
pub fn render(figures: &[Figure]) -> String {
    let mut text = String::from("Medians.\n\n");
    text.push_str(&columns(&figure_rows(figures)));
    text.push_str("\nRatios of this run. \"not measured\": that baseline is missing above.\n\n");
    text.push_str(&columns(&comparison_rows(&comparisons(figures))));
    text
}

/// Comparisons alone, with their goals.
pub fn ratios(of: &[Comparison]) -> String {
    columns(&comparison_rows(of))
}

fn figure_rows(figures: &[Figure]) -> Vec<Vec<String>> {
    let titles = [
        "system",
        "mode",
        "subtasks",
        "wall ms",
        "CPU ms",
        "CPU ms all in",
        "100 at once /s",
        "MB start",
        "MB end",
    ];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    rows.extend(figures.iter().map(|f| {
        vec![
            format!("{} {}", f.system, f.version),
            f.mode.clone(),
            f.subtasks.to_string(),
            number(f.wall_ms),
            number(f.cpu_ms),
            number(f.cpu_block_ms),
            f.at_once_per_s.map_or_else(dash, number),
            f.resident_start_mb.map_or_else(dash, number),
            f.resident_end_mb.map_or_else(dash, number),
        ]
    }));
    rows
}

fn comparison_rows(comparisons: &[Comparison]) -> Vec<Vec<String>> {
    let titles = ["what", "against", "artoo", "baseline", "ratio", "goal", ""];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    rows.extend(comparisons.iter().map(|c| {
        let value = |v: Option<f64>| {
            v.map_or_else(|| "not measured".to_owned(), |v| format!("{} {}", number(v), c.unit))
        };
        let word = match c.is_met() {
            Some(true) => "met",
            Some(false) => "missed",
            None => "",
        };
        vec![
            c.what.to_owned(),
            c.baseline.to_owned(),
            value(c.ours),
            value(c.theirs),
            c.ratio().map_or_else(dash, ratio),
            goal(c.wanted),
            word.to_owned(),
        ]
    }));
    rows
}

fn goal(wanted: Wanted) -> String {
    match wanted {
        Wanted::AtMostOneIn(share) => format!("<= 1/{share}"),
        Wanted::AtLeastTimes(times) => format!(">= {times} x"),
        Wanted::AtMost(most) => format!("<= {most} x"),
        Wanted::Nothing => dash(),
    }
}

/// A ratio below one half as one part of how many, else as a multiple.
fn ratio(ratio: f64) -> String {
    if ratio < 0.5 { format!("1/{:.1}", 1.0 / ratio) } else { format!("{ratio:.2} x") }
}

/// Three significant digits are as many as a shared machine gives.
fn number(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

fn dash() -> String {
    "-".to_owned()
}

/// Rows as aligned columns; the first row is the title.
fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        text.push_str(&line(row));
        if i == 0 {
            text.push_str(&line(&rule));
        }
    }
    text
}

#[cfg(test)]
mod tests;
