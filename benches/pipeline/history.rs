//! The runs that were kept, as one drawing: how many times each goal was missed, from run to run.

use std::path::Path;

use anyhow::Context;
use artoo_benches::Figure;
use artoo_benches::goal::comparisons;
use artoo_lab::svg::{Align, COLOURS, Drawing};
use serde::Deserialize;

/// A run that was kept, as `scripts/bench --keep` writes it.
#[derive(Deserialize)]
struct KeptRun {
    figures: Vec<Figure>,
}

/// What is drawn: what is compared, and with what.
const DRAWN: [(&str, &str); COLOURS.len()] = [
    ("CPU of a task", "LangGraph"),
    ("CPU of a task", "autogen-core"),
    ("wall time of a durable task", "LangGraph+SQLite"),
    ("100 tasks at once", "LangGraph"),
    ("100 tasks at once", "autogen-core"),
    ("CPU of one more parallel subtask", "LangGraph Send"),
];
/// The levels that have a line: the goal, and so many times of it.
const LEVELS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
const WIDTH: f64 = 760.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 740.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 270.0;

/// The drawing of the runs in this folder, `DATE.json` each.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn draw(folder: &Path) -> anyhow::Result<String> {
    let mut runs: Vec<(String, Vec<Figure>)> = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            let run: KeptRun = serde_json::from_str(&std::fs::read_to_string(&path)?)
                .with_context(|| path.display().to_string())?;
            let date = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            runs.push((date, run.figures));
        }
    }
    runs.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(drawing(&runs))
}

fn drawing(runs: &[(String, Vec<Figure>)]) -> String {
    let mut sheet =
        Drawing::new(WIDTH, 330.0, "How many times worse than its goal each figure was; 1 is the goal");
    let level = |times: f64| {
        let (low, high) = (LEVELS[0].log10(), LEVELS[LEVELS.len() - 1].log10());
        let share = (times.log10() - low) / (high - low);
        BOTTOM - (BOTTOM - TOP) * share.clamp(0.0, 1.0)
    };
    for times in LEVELS {
        let colour = if (times - 1.0).abs() < f64::EPSILON { "#444" } else { "#ccc" };
        sheet.line(&[(LEFT, level(times)), (RIGHT, level(times))], colour);
        sheet.word(LEFT - 6.0, level(times) + 4.0, Align::End, &times.to_string());
    }
    let at = |run: usize| LEFT + 40.0 + (RIGHT - LEFT - 80.0) * run as f64 / (runs.len().max(2) - 1) as f64;
    for (run, (date, _)) in runs.iter().enumerate() {
        sheet.word(at(run), BOTTOM + 16.0, Align::Middle, date);
    }
    for (index, ((what, baseline), colour)) in DRAWN.into_iter().zip(COLOURS).enumerate() {
        let mut points = Vec::new();
        for (run, (_, figures)) in runs.iter().enumerate() {
            let all = comparisons(figures);
            let found = all.iter().find(|c| c.what == what && c.baseline == baseline);
            points.extend(found.and_then(|c| Some((at(run), level(c.shortfall()?)))));
        }
        sheet.line(&points, colour);
        for (x, y) in points {
            sheet.bar(x - 3.0, y - 3.0, (6.0, 6.0), colour, 1.0);
        }
        let (x, y) = (20.0 + 245.0 * (index % 3) as f64, 308.0 + 16.0 * (index / 3) as f64);
        sheet.bar(x, y - 10.0, (10.0, 10.0), colour, 1.0);
        sheet.word(x + 15.0, y, Align::Start, &format!("{what}, {baseline}"));
    }
    sheet.finish()
}
